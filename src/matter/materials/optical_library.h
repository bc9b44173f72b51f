/* Optical materials as sums of poles: the tables data/optical_materials.csv and data/optical_poles.csv, compiled in.
 *
 * Fields vary as exp(-i w t), so that absorption is Im eps > 0. With s, w0 and g the strength, resonance and damping of a pole,
 *     eps(w) = eps_inf + i conductivity / (eps0 w)
 *              + sum over Lorentz of s w0^2 / (w0^2 - w^2 - i w g)
 *              - sum over Drude of s w0^2 / (w^2 + i w g)          (w0 is the plasma frequency)
 *              + sum over Debye of s / (1 - i w / g)               (1 / g is the relaxation time; w0 is 0)
 * Every medium of the table has eps_inf >= 1, s >= 0 and g >= 0: it is passive at all frequencies. */
#ifndef SONDE_MATTER_OPTICAL_LIBRARY_H
#define SONDE_MATTER_OPTICAL_LIBRARY_H

#include <complex.h>

#include "base/status.h"

#define OPTICAL_MOST_POLES 8
#define OPTICAL_NAME_SIZE 32
#define OPTICAL_SOURCE_SIZE 192

enum optical_pole_kind { OPTICAL_LORENTZ, OPTICAL_DRUDE, OPTICAL_DEBYE };

struct optical_pole {
	enum optical_pole_kind kind;
	double strength;
	double resonance; /* rad/s */
	double damping;   /* rad/s; 0 without loss */
};

struct optical_material {
	char name[OPTICAL_NAME_SIZE]; /* as in the table */
	double eps_inf;
	double conductivity; /* S/m */
	int count;           /* number of poles */
	struct optical_pole pole[OPTICAL_MOST_POLES];
	double shortest, longest; /* range of validity in vacuum wavelengths, m; infinity if unbounded */
	/* of a fit: root mean square of |n - n of the source|, n complex; 0 if the formula is the source's */
	double error;
	char source[OPTICAL_SOURCE_SIZE];
};

/* Finds a medium by its name or an alternative name; upper and lower case are the same, and so are '-', '_' and a blank.
 * SONDE_INVALID names the nearest one; `material` is empty then. */
sonde_status optical_library_find(const char *name, struct optical_material *material);

/* The name of a medium of the table, from 0; null after the last. Valid until the thread's next call. */
const char *optical_library_name(int index);

/* The permittivity at `angular_frequency` > 0, rad/s. */
double complex optical_permittivity(const struct optical_material *material, double angular_frequency);
/* n + i k, k >= 0: the root of the permittivity. */
double complex optical_index(const struct optical_material *material, double angular_frequency);

#endif
