#include "stopping/zbl.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/text.h"

#define SLOW_PROTON 25.0     /* keV/u, below which the stopping of protons is a power of the energy */
#define LAST_FIT 1e4         /* keV/u, upper end of the fit for protons */
#define SLOW_HELIUM 1.0      /* keV/u */
#define BOHR_ENERGY 25.0     /* keV/u at the Bohr velocity, as used in the fits */
#define LEAST_REDUCED 0.13   /* least effective velocity over Z1^(2/3) ... */
#define LEAST_VELOCITY 1.0   /* ... and least effective velocity, in Bohr velocities, for scaling the charge */
#define ELECTRON 510.99895e3 /* eV */
#define ATOMIC_MASS 931494.1 /* keV */
#define BETHE 5.0990531e-4   /* 4 pi e^4/(m c^2) in eV/(10^15 atoms/cm^2) */

extern const char data_stopping_zbl[], data_mean_excitation[];

static double square(double x)
{
	return x * x;
}

/* The numbers of a row after the first, the atomic number. */
static void read_numbers(const char *row, int count, double *numbers)
{
	for (int k = 0; k < count; ++k) {
		row += strcspn(row, ",\n");
		row += *row == ',';
		if (!text_parse_real(row, row + strcspn(row, ",\n"), &numbers[k]))
			numbers[k] = 0.0;
	}
}

/* The next row that begins with an atomic number; null after the last. */
static const char *next_row(const char *from, int *z)
{
	const char *row = from;

	while (row != NULL && *row != '\0') {
		int64_t number;
		if (text_parse_integer(row, row + strcspn(row, ",\n"), &number) && number >= 1 &&
		    number <= ZBL_ELEMENTS) {
			*z = (int)number;
			return row;
		}
		row = strchr(row, '\n');
		row += row != NULL;
	}
	return NULL;
}

/* Protons ------------------------------------------------------------------------------------- */

/* The fit to measured stopping, from 25 keV/u to 10 MeV/u. */
static double fitted_proton(const struct zbl_element *element, double energy)
{
	const double *p = element->proton;
	double low = p[0] * pow(energy, p[1]) + p[2] * pow(energy, p[3]);
	double high = p[4] / pow(energy, p[5]) * log(p[6] / energy + p[7] * energy);

	return low * high / (low + high);
}

/* (v/c)^2 at an energy in keV/u. */
static double velocity_squared(double energy)
{
	double gamma = 1.0 + energy / ATOMIC_MASS;

	return 1.0 - 1.0 / (gamma * gamma);
}

/* Bethe stopping number without corrections: ln(2 m v^2 gamma^2/I) - (v/c)^2. */
static double stopping_number(const struct zbl_element *element, double energy)
{
	double beta2 = velocity_squared(energy);

	return log(2.0 * ELECTRON * beta2 / ((1.0 - beta2) * element->excitation)) - beta2;
}

/* The shell correction, which the fit includes, falls as 1/v^2. The density effect is neglected: below 1 GeV/u it
 * is at most 1 %. */
static double bethe(const struct zbl_element *element, int z2, double energy)
{
	double beta2 = velocity_squared(energy),
	       number = stopping_number(element, energy) - element->shell * velocity_squared(LAST_FIT) / beta2;

	return BETHE * z2 / beta2 * number;
}

static double of_proton(const struct stopping_zbl *zbl, int z2, double energy)
{
	const struct zbl_element *element = &zbl->elements[z2 - 1];

	if (energy > LAST_FIT)
		return bethe(element, z2, energy);
	if (energy >= SLOW_PROTON)
		return fitted_proton(element, energy);
	return fitted_proton(element, SLOW_PROTON) * pow(energy / SLOW_PROTON, z2 <= 6 ? 0.25 : 0.45);
}

/* Other ions ---------------------------------------------------------------------------------- */

/* The maximum of the effects of odd order in Z1, around 2 MeV/u. */
static double odd_order(double energy)
{
	return exp(-square(7.6 - fmax(0.0, log(energy))));
}

static double of_helium(const struct stopping_zbl *zbl, int z2, double energy)
{
	double fast = fmax(energy, SLOW_HELIUM), b = log(fast);
	double a = 0.2865 + b * (0.1266 + b * (-0.001429 + b * (0.02402 + b * (-0.01135 + b * 0.001475))));
	/* the square of the ion's fractional charge; for fast ions the fitted polynomial exceeds 30 */
	double charge = 1.0 - exp(-fmin(30.0, a));

	charge *= square(1.0 + (0.007 + 0.00005 * z2) * odd_order(fast));
	return 4.0 * charge * of_proton(zbl, z2, fast) * sqrt(fmin(1.0, energy / SLOW_HELIUM));
}

/* Mean velocity of an ion relative to the electrons of a gas with a Fermi velocity, all in units of the Bohr
 * velocity (Kreussler, Varelas and Brandt, Phys. Rev. B 23 (1981) 82). */
static double effective_velocity(double velocity, double fermi)
{
	double y = square(velocity / fermi);

	return y >= 1.0 ? velocity * (1.0 + 0.2 / y) : 0.75 * fermi * (1.0 + y * (2.0 / 3.0 - y / 15.0));
}

/* The velocity at which that mean is `effective`; 0 where the mean is always larger. The book has the first root
 * only, which is incorrect below the Fermi velocity, where the stopping would jump by up to 1 %. */
static double velocity_of_effective(double effective, double fermi)
{
	if (effective >= 1.2 * fermi)
		return 0.5 * (effective + sqrt(square(effective) - 0.8 * square(fermi)));
	double t = effective / (0.75 * fermi) - 1.0;
	return t > 0.0 ? fermi * sqrt(5.0 - 5.0 * sqrt(1.0 - 0.6 * t)) : 0.0;
}

/* The fraction of its electrons that an ion has lost. */
static double ionization(double reduced)
{
	double a =
	    -0.803 * pow(reduced, 0.3) + 1.3167 * pow(reduced, 0.6) + 0.38157 * reduced + 0.008983 * square(reduced);

	return fmin(1.0, fmax(0.0, 1.0 - exp(-fmin(a, 50.0))));
}

/* Screening length of the ion's electrons, in units of the Bohr radius, fitted to measured stopping. */
static double screening_length(int z1, double factor, double q)
{
	double root = cbrt(z1), height = fmin(0.43, fmax(0.32, 0.12 + 0.025 * z1)) / root;
	double plain = (0.8 - q * fmin(1.2, 0.6 + z1 / 30.0)) / root;
	double full = fmax(0.0, 0.9 - 0.025 * z1), last = 0.025 * fmin(16.0, z1), raised;

	if (q < 0.2)
		raised = 0.0;
	else if (q < full)
		raised = height * (q - 0.2) / (full - 0.2);
	else
		raised = q < 1.0 - last ? height : height * (1.0 - q) / last;
	return fmax(raised, plain * factor);
}

/* The effective fraction of the ion's charge for the electrons of a target, by Brandt and Kitagawa (Phys. Rev. B
 * 25 (1982) 5631). */
static double effective_charge(const struct stopping_zbl *zbl, int z1, int z2, double reduced, double energy)
{
	double fermi = zbl->elements[z2 - 1].fermi, q = ionization(reduced);
	double length = screening_length(z1, zbl->elements[z1 - 1].screening, q);
	double charge = q + (1.0 - q) / (2.0 * square(fermi)) * log(1.0 + square(4.0 * length * fermi / 1.919));

	return charge * (1.0 + (0.18 + 0.0015 * z2) / square(z1) * odd_order(energy));
}

/* The stopping of slow ions is lower in carbon, silicon and germanium. */
static double slow_power(int z1, int z2)
{
	bool semiconductor = z2 == 6 || ((z2 == 14 || z2 == 32) && z1 <= 19);

	return semiconductor ? 0.375 : 0.5;
}

static double of_heavy(const struct stopping_zbl *zbl, int z1, int z2, double energy)
{
	double fermi = zbl->elements[z2 - 1].fermi, scale = square(cbrt(z1));
	double least = fmax(LEAST_VELOCITY, LEAST_REDUCED * scale), slowest = velocity_of_effective(least, fermi);
	double slow = BOHR_ENERGY * square(slowest), fast = fmax(energy, slow);
	double reduced = fmax(least, effective_velocity(sqrt(fast / BOHR_ENERGY), fermi)) / scale;
	double charge = z1 * effective_charge(zbl, z1, z2, reduced, fast);
	double stopping = square(charge) * of_proton(zbl, z2, fast);

	return energy < slow ? stopping * pow(energy / slow, slow_power(z1, z2)) : stopping;
}

void stopping_zbl_read(struct stopping_zbl *zbl)
{
	int z;

	memset(zbl, 0, sizeof *zbl);
	for (const char *row = data_stopping_zbl; (row = next_row(row, &z)) != NULL; row = strchr(row, '\n')) {
		double numbers[10];
		read_numbers(row, 10, numbers);
		struct zbl_element *element = &zbl->elements[z - 1];
		element->fermi = numbers[0];
		element->screening = numbers[1];
		memcpy(element->proton, numbers + 2, sizeof element->proton);
	}
	for (const char *row = data_mean_excitation; (row = next_row(row, &z)) != NULL; row = strchr(row, '\n'))
		read_numbers(row, 1, &zbl->elements[z - 1].excitation);
	for (z = 1; z <= ZBL_ELEMENTS; ++z) {
		struct zbl_element *element = &zbl->elements[z - 1];
		element->shell = stopping_number(element, LAST_FIT) -
				 fitted_proton(element, LAST_FIT) * velocity_squared(LAST_FIT) / (BETHE * z);
	}
}

double stopping_zbl_value(const struct stopping_zbl *zbl, int z1, int z2, double energy)
{
	if (!(energy > 0.0))
		return 0.0;
	return z1 == 1   ? of_proton(zbl, z2, energy)
	       : z1 == 2 ? of_helium(zbl, z2, energy)
			 : of_heavy(zbl, z1, z2, energy);
}
