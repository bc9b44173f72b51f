#include "fdtd/sources/beam_waves.h"

#include <math.h>

#include "base/constants.h"
#include "base/vectors.h"

#define LARGEST_ANGLE 0.2588 /* cosine of 75 degrees */
#define GRAZING 1e-2         /* maximum amplitude of waves along the plane */
#define SMALLEST 1e-9        /* negligible amplitudes, of waves and outside the beam */
#define MOST_WAVES 1024      /* along an axis */

/* Normalizes to 1; false if there is no direction. */
static bool normalize(double vector[3])
{
	double length = sqrt(vector_dot(vector, vector));

	for (int a = 0; a < 3; ++a)
		vector[a] /= length;
	return length > 0.0 && isfinite(length);
}

/* The wave whose energy propagates along the beam: with sum of S_a^2 sin^2(k_a/(2 S_a)) = n^2 sin^2(omega/2), the
 * group velocity is along the gradient, S_a sin(k_a/S_a). If that is 2 x times the direction, x is found by Newton's
 * method starting from light's. The energy of waves along the direction would deviate by about (k Delta)^2/50. */
static void find_center(struct beam_frame *frame, double omega)
{
	double x = frame->index * omega, whole = frame->index * frame->sine;

	for (int n = 0; n < 50; ++n) {
		double sum = -whole * whole, slope = 0.0;
		for (int a = 0; a < 3; ++a) {
			double s = frame->courant[a], d = frame->direction[a];
			if (s == 0.0)
				continue;
			double root = sqrt(fmax(1.0 - x * x * d * d / (s * s), 1e-3));
			sum += 0.5 * s * s * (1.0 - root);
			slope += 0.5 * x * d * d / root;
		}
		x -= sum / slope;
	}
	for (int a = 0; a < 3; ++a)
		frame->center[a] =
		    frame->courant[a] > 0.0
			? frame->courant[a] * asin(fmin(x * frame->direction[a] / frame->courant[a], 1.0))
			: 0.0;
	frame->wavenumber = sqrt(vector_dot(frame->center, frame->center));
}

static sonde_status check(const struct fdtd_grid *grid, const struct beam *beam)
{
	bool finite = isfinite(beam->amplitude) && beam->waist > 0.0 && isfinite(beam->waist) && beam->index > 0.0;

	CHECK(source_plane_check(grid, &beam->plane));
	for (int a = 0; a < 3; ++a) {
		finite &= isfinite(beam->focus[a]);
		if (grid_is_uniform(grid, a) && beam->direction[a] != 0.0)
			return status_fail(
			    SONDE_INVALID,
			    "the direction of a beam has a component along %c, along which this grid is uniform",
			    "xyz"[a]);
		/* four cells per wavelength */
		if (!grid_is_uniform(grid, a) &&
		    !(beam->omega > 0.0 && beam->omega * beam->index < 0.5 * PI * grid->courant[a]))
			return status_fail(SONDE_INVALID,
					   "a beam of %.6g radians per step: the frequency must be above 0, and "
					   "cells along %c at most a quarter of its wavelength",
					   beam->omega, "xyz"[a]);
	}
	return finite
		   ? SONDE_OK
		   : status_fail(SONDE_INVALID, "amplitude, waist, focus or index of a beam is not a number above 0");
}

/* The waves along the plane closest to the beam's direction. */
static sonde_status check_waist(const struct beam_frame *frame)
{
	double cosine = fabs(frame->direction[0]), across = frame->wavenumber * cosine * frame->waist;

	if (cosine < LARGEST_ANGLE)
		return status_fail(SONDE_INVALID,
				   "a beam leaves its plane at %.4g degrees from the normal: the maximum is 75",
				   acos(cosine) * 180.0 / PI);
	if (exp(-0.25 * across * across) > GRAZING)
		return status_fail(SONDE_INVALID,
				   "the waist of a beam, %.4g wavelengths, is too small: some of its waves would not "
				   "leave the plane; the minimum for this direction is %.4g wavelengths",
				   frame->waist * frame->wavenumber / (2.0 * PI),
				   sqrt(-4.0 * log(GRAZING)) / (2.0 * PI * cosine));
	return SONDE_OK;
}

sonde_status beam_frame_make(const struct fdtd_grid *grid, const struct beam *beam, struct beam_frame *frame)
{
	*frame = (struct beam_frame){.waist = beam->waist, .index = beam->index, .sine = sin(0.5 * beam->omega)};
	CHECK(check(grid, beam));
	for (int k = 0; k < 3; ++k) {
		int a = frame->axes[k] = (beam->plane.axis + k) % 3;
		frame->courant[k] = grid->courant[a];
		frame->direction[k] = beam->direction[a];
		frame->polarization[k] = beam->polarization[a];
		frame->focus[k] = beam->focus[a];
	}
	if (!normalize(frame->direction))
		return status_fail(SONDE_INVALID, "a beam needs a direction");
	frame->sign = frame->direction[0] < 0.0 ? -1.0 : 1.0;
	bool polarized = normalize(frame->polarization);
	double along = vector_dot(frame->polarization, frame->direction);
	for (int k = 0; k < 3; ++k)
		frame->polarization[k] -= along * frame->direction[k];
	if (!polarized || fabs(along) > 0.999 || !normalize(frame->polarization))
		return status_fail(SONDE_INVALID, "the polarization of a beam is along its direction, or zero");
	find_center(frame, beam->omega);
	return check_waist(frame);
}

double beam_middle(const struct beam_frame *frame, double plane, int k)
{
	double away = (plane - frame->focus[0]) / frame->courant[0];

	return frame->focus[k] + away * frame->direction[k] / frame->direction[0] * frame->courant[k];
}

sonde_status beam_axes_make(const struct beam_frame *frame, const struct source_plane *plane,
			    struct beam_axis axes[2])
{
	double cosine = fabs(frame->direction[0]), reach = sqrt(-log(SMALLEST)),
	       range = 0.5 * frame->wavenumber * frame->waist * frame->waist,
	       away = fabs(plane->node - frame->focus[0]) / frame->courant[0];
	double wide = frame->waist * hypot(1.0, away / cosine / range);
	/* on one side of its center the plane is farther from the focus */
	double furthest = away / cosine + reach * wide * sqrt(1.0 - cosine * cosine) / cosine;
	wide = frame->waist * hypot(1.0, furthest / range) / cosine;
	for (int k = 1; k < 3; ++k) {
		struct beam_axis *axis = &axes[k - 1];
		*axis = (struct beam_axis){.count = 1};
		if (frame->courant[k] == 0.0)
			continue;
		int a = frame->axes[k];
		double middle = beam_middle(frame, plane->node, k) / frame->courant[k];
		double rim = fmax(fabs(plane->low[a] / frame->courant[k] - middle),
				  fabs(plane->high[a] / frame->courant[k] - middle));
		/* amplitudes are too small from here on; beyond grazing waves there are none */
		double most = fmin(2.0 * reach / (frame->waist * cosine), 2.0 * frame->wavenumber);
		axis->step = 2.0 * PI / (rim + reach * wide);
		int half = (int)fmin(ceil(most / axis->step), MOST_WAVES);
		axis->count = 2 * half + 1;
		axis->first = frame->center[k] - half * axis->step;
		if (axis->count > MOST_WAVES)
			return status_fail(SONDE_INVALID,
					   "a beam is so far from its focus that it needs more than %d plane waves "
					   "along %c: bring them nearer to each other",
					   MOST_WAVES, "xyz"[a]);
	}
	return SONDE_OK;
}

/* The wavenumber along the normal that satisfies the grid's dispersion relation, and the numbers q = S sin(k/(2 S))
 * of all axes; false if there is none. */
static bool solve(const struct beam_frame *frame, double k[3], double q[3])
{
	double whole = frame->index * frame->sine, rest = whole * whole;

	for (int a = 1; a < 3; ++a) {
		double s = frame->courant[a];
		q[a] = s > 0.0 ? s * sin(0.5 * k[a] / s) : 0.0;
		rest -= q[a] * q[a];
		if (s > 0.0 && fabs(k[a]) > PI * s)
			return false;
	}
	/* within 0.1 degrees of the plane their amplitudes would diverge */
	if (rest < 3e-6 * whole * whole)
		return false;
	q[0] = frame->sign * sqrt(rest);
	k[0] = 2.0 * frame->courant[0] * asin(q[0] / frame->courant[0]);
	return sqrt(rest) < frame->courant[0];
}

/* Amplitude, with k_d/k_a to convert d^2k across the beam to d^2k along the plane; E rotated from the beam's
 * direction to that of q, perpendicular to q, for the grid's divergence, H = q x E/sin(omega/2). */
bool beam_wave_at(const struct beam_frame *frame, double plane, double k1, double k2, struct beam_wave *wave)
{
	double k[3] = {0.0, k1, k2}, q[3], across = 0.0, to_focus;

	if (!solve(frame, k, q))
		return false;
	double along = vector_dot(k, frame->direction), center = vector_dot(frame->center, frame->direction);
	for (int a = 0; a < 3; ++a) {
		double part = k[a] - frame->center[a] - (along - center) * frame->direction[a];
		across += part * part;
	}
	double amplitude = exp(-0.25 * frame->waist * frame->waist * across);
	if (along <= 0.0 || amplitude < SMALLEST)
		return false;
	double length = sqrt(vector_dot(q, q)), projection = vector_dot(q, frame->polarization) / length,
	       forward = vector_dot(q, frame->direction) / length, e[3];
	amplitude *= forward * length / fabs(q[0]);
	for (int a = 0; a < 3; ++a)
		e[a] = amplitude * (frame->polarization[a] -
				    projection / (1.0 + forward) * (q[a] / length + frame->direction[a]));
	to_focus = k[0] * (plane - frame->focus[0]) / frame->courant[0];
	for (int a = 1; a < 3; ++a)
		to_focus -= frame->courant[a] > 0.0 ? k[a] * frame->focus[a] / frame->courant[a] : 0.0;
	double complex phase = cexp(I * to_focus);
	for (int a = 0; a < 3; ++a) {
		int b = (a + 1) % 3, c = (a + 2) % 3;
		wave->e[a] = phase * e[a];
		wave->h[a] = phase * (q[b] * e[c] - q[c] * e[b]) / frame->sine;
	}
	wave->along = k[0];
	wave->weight = vector_dot(e, frame->polarization);
	return true;
}
