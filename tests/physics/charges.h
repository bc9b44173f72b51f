/* Common to the tests of sonde coulomb: charges, grids and runs. */
#ifndef SONDE_TESTS_CHARGES_H
#define SONDE_TESTS_CHARGES_H

#include <stdbool.h>

#include "physics/physics.h"

#define FLOAT32 SONDE_COULOMB_PRECISION_FLOAT32
#define FLOAT64 SONDE_COULOMB_PRECISION_FLOAT64
#define BOTH SONDE_COULOMB_QUANTITY_BOTH

/* Charges as a sample: x, y, z, q of each. */
sonde_atoms *make_charges(const double *numbers, int64_t count);
/* In a cube of that edge, charges up to half of `scale`. */
sonde_atoms *random_charges(int64_t count, double edge, double scale, double shift, bool reversed);
/* Potential and field on a grid, in e/Angstrom. */
sonde_coulomb_options grid_options(double x, double y, double z, double spacing, int nx, int ny, int nz,
				   int precision);
/* Fails the test unless the run succeeds. device: null for the CPU; threads: 0 for all. */
sonde_coulomb_result *solve_on(const char *device, int64_t threads, const sonde_atoms *atoms,
			       const sonde_coulomb_options *options);
sonde_coulomb_result *solve(const sonde_atoms *atoms, const sonde_coulomb_options *options);
/* Whether the last failure was for want of a device. */
bool is_absent(void);
/* Of the potentials, relative to the largest; `factor` times a's. */
double largest_difference(const sonde_coulomb_result *a, const sonde_coulomb_result *b, double factor);

#endif
