/* Cavities, plane waves and guides: of Maxwell's equations, and of Yee's scheme. */
#include "physics/optics.h"

#include "physics/physics.h"

double cavity_frequency(const int half_waves[3], const double edges[3], double speed)
{
	double sum = 0.0;

	for (int i = 0; i < 3; ++i)
		sum += half_waves[i] * half_waves[i] / (edges[i] * edges[i]);
	return speed * PI * sqrt(sum);
}

double cavity_frequency_yee(const int half_waves[3], const int cells[3], const struct yee_lattice *grid, double speed)
{
	double sum = 0.0;

	for (int i = 0; i < 3; ++i) {
		double wave = sin(0.5 * PI * half_waves[i] / cells[i]) / grid->spacing[i];
		sum += wave * wave;
	}
	return 2.0 / grid->time_step * asin(speed * grid->time_step * sqrt(sum));
}

double complex plane_wavenumber(const struct optical_medium *medium, double omega)
{
	double complex permittivity = medium->permittivity + I * (medium->conductivity / omega);

	return omega * csqrt(medium->permeability * permittivity);
}

/* A wave E exp(i k.r - i omega t) of the updates
 *	H += -(dt/mu) curl E,	E <- Ca E + Cb curl H,	Ca = (1 - s)/(1 + s), Cb = (dt/eps)/(1 + s), s = sigma dt/(2 eps)
 * has, with K_i = (2/d_i) sin(k_i d_i/2) and theta = omega dt/2,
 *	sum K_i^2 = (4 mu eps/dt^2) sin(theta) (sin(theta) + i s cos(theta)),
 * which is the dispersion relation of TH chapter 4 for s = 0. Newton's method finds k along the direction. */
double complex plane_wavenumber_yee(const struct optical_medium *medium, double omega, const struct yee_lattice *grid,
				    const double direction[3])
{
	double step = grid->time_step, theta = 0.5 * omega * step;
	double loss = 0.5 * medium->conductivity * step / medium->permittivity;
	double complex quarter = medium->permeability * medium->permittivity / (step * step) * sin(theta) *
				 (sin(theta) + I * loss * cos(theta));
	double complex k = plane_wavenumber(medium, omega);

	for (int iteration = 0; iteration < 100; ++iteration) {
		double complex value = -quarter, slope = 0.0;
		for (int i = 0; i < 3; ++i)
			if (direction[i] != 0.0) {
				double d = grid->spacing[i];
				double complex half = 0.5 * k * direction[i] * d;
				value += csin(half) * csin(half) / (d * d);
				slope += direction[i] * csin(half) * ccos(half) / d;
			}
		double complex change = value / slope;
		k -= change;
		if (cabs(change) <= 1e-12 * cabs(k)) /* and so, next, to rounding */
			return k;
	}
	return NAN;
}

double longest_time_step(const double spacing[3], int dimensions, double speed)
{
	double sum = 0.0;

	for (int i = 0; i < dimensions; ++i)
		sum += 1.0 / (spacing[i] * spacing[i]);
	return 1.0 / (speed * sqrt(sum));
}

double complex guide_wavenumber(int half_waves, double width, double omega, double speed)
{
	double across = PI * half_waves / width;

	return csqrt(omega * omega / (speed * speed) - across * across);
}

double complex guide_wavenumber_yee(int half_waves, int cells, const struct yee_lattice *grid, double omega,
				    double speed)
{
	double across = sin(0.5 * PI * half_waves / cells) / grid->spacing[0];
	double time = sin(0.5 * omega * grid->time_step) / (speed * grid->time_step);
	double complex along = csqrt(time * time - across * across);

	return 2.0 / grid->spacing[2] * casin(along * grid->spacing[2]);
}
