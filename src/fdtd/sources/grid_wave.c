#include "fdtd/sources/grid_wave.h"

#include <math.h>

#define MOST_STEPS 50 /* of Newton's method, which takes about 4 */

void grid_wave_tilde(const double courant[3], const double k[3], double tilde[3])
{
	for (int a = 0; a < 3; ++a)
		tilde[a] = courant[a] > 0.0 ? 2.0 * courant[a] * sin(0.5 * k[a] / courant[a]) : 0.0;
}

static sonde_status check_direction(const double courant[3], const double direction[3])
{
	double square = 0.0;

	for (int a = 0; a < 3; ++a) {
		square += direction[a] * direction[a];
		if (courant[a] == 0.0 && fabs(direction[a]) > 1e-9)
			return status_fail(
			    SONDE_INVALID,
			    "a wave's direction has a component of %.3g along %c, a uniform axis: it must be 0",
			    direction[a], "xyz"[a]);
	}
	if (!(fabs(square - 1.0) < 1e-9))
		return status_fail(SONDE_INVALID, "a wave's direction has length %.9g: it must be 1", sqrt(square));
	return SONDE_OK;
}

static sonde_status too_fine(double omega)
{
	return status_fail(
	    SONDE_INVALID,
	    "no wave of %.4g radians per step propagates on the grid: use smaller cells or lower frequencies", omega);
}

sonde_status grid_wave_of(const double courant[3], const double direction[3], double omega, double index_squared,
			  double k[3])
{
	double tilde = sqrt(index_squared) * 2.0 * sin(0.5 * omega);

	CHECK(check_direction(courant, direction));
	for (int a = 0; a < 3; ++a) {
		double sine = courant[a] > 0.0 ? 0.5 * tilde * direction[a] / courant[a] : 0.0;
		if (!(fabs(sine) < 1.0))
			return too_fine(omega);
		k[a] = 2.0 * courant[a] * asin(sine);
	}
	return SONDE_OK;
}

/* For k~^2(k) = square, from below: k~^2 is concave, so that the steps only increase toward the root. */
sonde_status grid_wave_along(const double courant[3], const double direction[3], double omega, double index_squared,
			     double k[3])
{
	double wanted = index_squared * 4.0 * sin(0.5 * omega) * sin(0.5 * omega), length = sqrt(wanted),
	       change = INFINITY;

	CHECK(check_direction(courant, direction));
	for (int n = 0; n < MOST_STEPS && fabs(change) > 1e-15 * length; ++n) {
		double tilde[3], square = 0.0, slope = 0.0;
		for (int a = 0; a < 3; ++a)
			k[a] = length * direction[a];
		grid_wave_tilde(courant, k, tilde);
		for (int a = 0; a < 3; ++a) {
			square += tilde[a] * tilde[a];
			if (courant[a] > 0.0)
				slope += 2.0 * tilde[a] * direction[a] * cos(0.5 * k[a] / courant[a]);
		}
		if (!(slope > 0.0))
			return too_fine(omega);
		change = (wanted - square) / slope;
		length += change;
	}
	if (!(fabs(change) <= 1e-12 * length))
		return too_fine(omega);
	for (int a = 0; a < 3; ++a)
		k[a] = length * direction[a];
	return SONDE_OK;
}
