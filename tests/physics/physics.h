/* Common to the physics tests: samples, runs, reference results, and the comparison.
 *
 * The measure of an error is |d(I/N)|/(<f^2> + I/N), as in the documentation. Every comparison prints one line, so that
 * the tests' output is also the table of errors.
 */
#ifndef SONDE_TESTS_PHYSICS_H
#define SONDE_TESTS_PHYSICS_H

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_close.h"
#include "sonde/sonde.h"
#include "thorough.h"

#define PI 3.14159265358979323846

/* The device of the tests: that of SONDE_TEST_DEVICE, or "cpu". */
const char *physics_device(void);

/* A context with this many threads. */
sonde_context *make_context(int64_t threads);

/* Samples. All fail the test if they cannot be had. */
sonde_atoms *read_sample(const char *file);
sonde_atoms *empty_sample(void);
void add_atom(sonde_atoms *atoms, const char *label, double x, double y, double z);
sonde_atoms *build_sample(const sonde_build_options *options);
sonde_atoms *build_sphere(int cell, const char *species, double a, double radius);
sonde_atoms *build_cells(int cell, const char *species, double a, int cells);
/* A copy with every coordinate moved by a normal deviate of width `sigma`. */
sonde_atoms *displace(const sonde_atoms *atoms, double sigma, uint64_t seed);
/* A copy in which atom i is put at `matrix` r_i + `shift`. */
sonde_atoms *move(const sonde_atoms *atoms, const double matrix[3][3], const double shift[3]);
/* Appends all atoms of `from`, shifted. */
void append(sonde_atoms *atoms, const sonde_atoms *from, double x, double y, double z);

/* Gives the sample a cell, edge by edge, that repeats along all three. */
void set_periodic_cell(sonde_atoms *atoms, const double edges[9]);

/* Number k of a fixed sequence of random numbers: uniform in [0, 1), and normal. */
double uniform_number(uint64_t seed, uint64_t k);
double normal_number(uint64_t seed, uint64_t k);

/* Runs. */
sonde_debye_options options_of(int method, int factors, double first, double last, int64_t points);
/* Fails the test, with Sonde's message, unless the run succeeds. */
sonde_debye_result *run_on(int64_t threads, const sonde_atoms *atoms, const sonde_debye_options *options);
sonde_debye_result *run(const sonde_atoms *atoms, const sonde_debye_options *options);
/* run(), where the options need no other change. */
sonde_debye_result *run_simply(const sonde_atoms *atoms, int method, int factors, double first, double last,
			       int64_t points);

/* On the devices of this name, with kernels compiled anew; null if there are none. */
sonde_debye_result *run_on_device(const char *devices, const sonde_atoms *atoms, const sonde_debye_options *options);

/* Means over samples, which fail the test, with Sonde's message, unless they succeed. */
struct sonde_debye_mean *begin_mean(sonde_context *context, const sonde_debye_options *options, int kind,
				    int64_t samples);
void add_to_mean(struct sonde_debye_mean *mean, const sonde_atoms *atoms, double weight);
sonde_debye_result *finish_mean(struct sonde_debye_mean **mean);

/* A table of tests/data: rows of up to 6 columns. */
struct table {
	int64_t rows;
	int columns;
	double *cells; /* row after row */
};
struct table read_table(const char *file);
void free_table(struct table *table);
double table_cell(const struct table *table, int64_t row, int column);

/* Checks I/N against `truth`, q_count values: the error at every q must be below `tolerance`, below the result's own
 * estimate and bound, and the estimate below `absurd`. */
void check_intensity(const char *what, const sonde_debye_result *result, const double *truth, double tolerance,
		     double absurd);
/* The same with another result as the truth, on the same q. */
void check_against(const char *what, const sonde_debye_result *result, const sonde_debye_result *truth,
		   double tolerance, double absurd);
/* The largest |d(I/N)|/(<f^2> + I/N). */
double largest_error(const sonde_debye_result *result, const double *truth);
/* Whether two results have the same bits in I, S, G and the partials. */
int same_bits(const sonde_debye_result *a, const sonde_debye_result *b);

/* I/N of a sample whose atoms all sit on points of a cubic lattice of spacing `unit`, from numbers of pairs by squared
 * integer distance; q and amplitudes as in `result`. To be freed. */
double *lattice_intensity(const sonde_atoms *atoms, double unit, const sonde_debye_result *result);

/* Histogram on the usual grid, exact sums at a few q (0 leaves them out), both against lattice_intensity(). */
void check_lattice(const char *what, const sonde_atoms *atoms, double unit, int factors, int64_t exact_points);

/* Fails the test unless the sample has this many atoms. */
void check_count(const sonde_atoms *atoms, int64_t count);

#endif
