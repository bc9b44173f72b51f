/* Media in series, with losses and poles: the mean of the inverse permittivities as a medium.
 *
 * In the discrete scheme, with E(n + 1) = (1 + y) E(n), a pole of medium.h answers
 *     d + (k1 y + k0)/(y^2 + p y + c),  p = 1 - a + c,  k1 = b + d (1 - c),  k0 = b + d (1 - a - c),
 * and so does a conductivity, with a = c = 0 and b = d = sigma/2. A medium is such a system from E to D, D = (whole +
 * C (y - M)^-1 B) E. The inverse of one, and a sum, are systems again, of which the eigenvalues are the poles that
 * none of the media has (Deinega and Valuev, Opt. Lett. 32 (2007) 3429, who find them by hand). The result is exactly
 * the scheme's media in series: it creates no energy, since they create none. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "fdtd/media/mixture.h"

#define TRIED 16 /* frequencies, from 1e-3 radians per step on */
#define MOST_STATES (4 * (MOST_POLES + 1))
#define NO_TURN 1e-10 /* of imaginary parts due to rounding */
#define NO_POLE 1e-6  /* of the inverse permittivities' mean, where it is 0 except for rounding */
#define LEAST_PRODUCT 1e-3
#define TRUSTED 1e-7

/* From one number to another: through + output (y - matrix)^-1 input. */
struct system {
	int states;
	double complex matrix[MOST_STATES * MOST_STATES]; /* by columns */
	double complex input[MOST_STATES], output[MOST_STATES];
	double through;
};

static double complex *element(struct system *system, int row, int column)
{
	return &system->matrix[column * MOST_STATES + row];
}

static void add_pole(struct system *system, const struct medium_pole *pole)
{
	const int at = system->states;
	const double p = 1.0 - pole->a + pole->c, scale = fmax(sqrt(fabs(pole->c)), fmax(fabs(p), 1e-9));

	system->states += 2;
	*element(system, at, at + 1) = scale;
	*element(system, at + 1, at) = -pole->c / scale;
	*element(system, at + 1, at + 1) = -p;
	system->input[at + 1] = 1.0;
	system->output[at] = (pole->b + pole->d * (1.0 - pole->a - pole->c)) / scale;
	system->output[at + 1] = pole->b + pole->d * (1.0 - pole->c);
	system->through += pole->d;
}

/* From E to D. */
static void add_medium(struct system *system, const struct medium *medium)
{
	const double half = 0.5 * medium->conductivity;
	const struct medium_pole charges = {0.0, half, 0.0, half};

	system->through = medium->permittivity;
	if (half != 0.0)
		add_pole(system, &charges);
	for (int n = 0; n < medium->poles; ++n)
		add_pole(system, &medium->pole[n]);
}

/* The inverse, through states `first` to the last. */
static void invert(struct system *system, int first, double through)
{
	for (int row = first; row < system->states; ++row)
		for (int column = first; column < system->states; ++column)
			*element(system, row, column) -= system->input[row] * system->output[column] / through;
	for (int n = first; n < system->states; ++n) {
		system->input[n] /= through;
		system->output[n] /= -through;
	}
}

/* From D to E, in series. False if there are too many poles. */
static bool add_shares(const struct media *media, const struct mixture *mixture, struct system *system)
{
	double through = 0.0;

	for (int n = 0; n < mixture->count; ++n) {
		const struct medium *medium = &media->media[mixture->media[n]];
		const double share = (double)mixture->parts[n] / MIXTURE_PARTS;
		const int first = system->states;
		if (first + 2 * (medium->poles + 1) > MOST_STATES)
			return false;
		add_medium(system, medium);
		invert(system, first, system->through);
		for (int k = first; k < system->states; ++k)
			system->output[k] *= share;
		through += share / system->through;
	}
	system->through = through;
	return true;
}

/* A system's poles, and its residues at them. */
struct pole {
	double complex place, residue;
};

/* Pairs are adjacent, followed by the real ones. */
static int compare_poles(const void *a, const void *b)
{
	const struct pole *x = a, *y = b;
	const bool x_real = cimag(x->place) == 0.0, y_real = cimag(y->place) == 0.0;

	if (x_real != y_real)
		return x_real ? 1 : -1;
	return (creal(x->place) > creal(y->place)) - (creal(x->place) < creal(y->place));
}

/* The derivative by y of the inverse permittivities' mean, and its value: near 0 at a pole of its inverse. */
static double complex slope_of_mean(const struct media *media, const struct mixture *mixture, double complex y,
				    double complex *mean)
{
	double complex slope = 0.0;

	*mean = 0.0;
	for (int n = 0; n < mixture->count; ++n) {
		const struct medium *medium = &media->media[mixture->media[n]];
		const double share = (double)mixture->parts[n] / MIXTURE_PARTS, half = 0.5 * medium->conductivity;
		double complex value = medium->permittivity, change = 0.0;
		for (int k = half != 0.0 ? -1 : 0; k < medium->poles; ++k) {
			const struct medium_pole charges = {0.0, half, 0.0, half},
						 *pole = k < 0 ? &charges : &medium->pole[k];
			const double p = 1.0 - pole->a + pole->c, k1 = pole->b + pole->d * (1.0 - pole->c),
				     k0 = pole->b + pole->d * (1.0 - pole->a - pole->c);
			const double complex below = y * y + p * y + pole->c, over = k1 * y + k0;
			value += pole->d + over / below;
			change += (k1 - over * (2.0 * y + p) / below) / below;
		}
		*mean += share / value;
		slope -= share * change / (value * value);
	}
	return slope;
}

/* Those that count, one of each conjugate pair; -1 if they could not be found. */
static int find_poles(const struct media *media, const struct mixture *mixture, const struct system *system,
		      struct pole poles[MOST_STATES])
{
	const int n = system->states;
	double complex matrix[MOST_STATES * MOST_STATES], values[MOST_STATES], mean;
	int count = 0;

	for (int column = 0; column < n; ++column)
		memcpy(&matrix[column * n], &system->matrix[column * MOST_STATES], (size_t)n * sizeof *matrix);
	if (n > 0 && dense_eigenvalues(n, matrix, values) != DENSE_OK)
		return -1;
	for (int k = 0; k < n; ++k) {
		double complex place = values[k];
		if (fabs(cimag(place)) < NO_TURN * cabs(place))
			place = creal(place);
		const double complex slope = slope_of_mean(media, mixture, place, &mean);
		/* an eigenvalue that is a pole of all of them, or of none, cancels */
		if (cimag(place) < 0.0 || !(cabs(mean) * system->through < NO_POLE))
			continue;
		poles[count++] = (struct pole){place, 1.0 / slope};
	}
	qsort(poles, (size_t)count, sizeof *poles, compare_poles);
	return count;
}

/* (k1 y + k0)/(y^2 + p y + c) as a pole of a medium. */
static bool append(struct medium *medium, double k1, double k0, double p, double c)
{
	const double a = 1.0 + c - p, d = (k1 - k0) / a;

	if (medium->poles == MOST_POLES || fabs(a) < LEAST_PRODUCT)
		return false;
	medium->pole[medium->poles++] = (struct medium_pole){a, k1 - d * (1.0 - c), c, d};
	medium->permittivity -= d;
	return true;
}

static bool append_all(struct medium *medium, const struct pole *poles, int count)
{
	for (int n = 0; n < count; ++n) {
		const double complex y = poles[n].place, r = poles[n].residue;
		if (cimag(y) != 0.0) {
			if (!append(medium, 2.0 * creal(r), -2.0 * creal(r * conj(y)), -2.0 * creal(y),
				    creal(y * conj(y))))
				return false;
		} else if (n + 1 < count) {
			const double complex other = poles[++n].place, s = poles[n].residue;
			if (!append(medium, creal(r + s), -creal(r * other + s * y), -creal(y + other),
				    creal(y * other)))
				return false;
		} else if (medium->poles < MOST_POLES) {
			medium->pole[medium->poles++] = (struct medium_pole){0.0, creal(r), -creal(y), 0.0};
		} else {
			return false;
		}
	}
	return true;
}

static double complex permittivity_of(const struct medium *medium, double omega)
{
	const double complex before = cexp(I * omega);

	return medium->permittivity + medium_susceptibility(medium, omega) +
	       0.5 * medium->conductivity * (1.0 + before) / (1.0 - before);
}

/* Whether it is accurate up to the fastest waves of the grid. */
static bool is_right(const struct media *media, const struct mixture *mixture, const struct medium *medium)
{
	for (int times = 0; times < TRIED; ++times) {
		const double omega = 3.1 * pow(1.7, -times);
		double complex inverse = 0.0;
		for (int n = 0; n < mixture->count; ++n)
			inverse += (double)mixture->parts[n] / MIXTURE_PARTS /
				   permittivity_of(&media->media[mixture->media[n]], omega);
		if (!(cabs(permittivity_of(medium, omega) * inverse - 1.0) < TRUSTED))
			return false;
	}
	return true;
}

bool mixture_series(const struct media *media, const struct mixture *mixture, struct medium *medium)
{
	struct system system = {.states = 0};
	struct pole poles[MOST_STATES];

	if (!add_shares(media, mixture, &system))
		return false;
	invert(&system, 0, system.through);
	system.through = 1.0 / system.through;
	medium->permittivity = system.through;
	medium->poles = 0;
	const int count = find_poles(media, mixture, &system, poles);
	return count >= 0 && append_all(medium, poles, count) && is_right(media, mixture, medium);
}
