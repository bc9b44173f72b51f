/* Options, lists of vectors, and samples of random atoms, for tests of single patterns. */
#ifndef SONDE_TESTS_PHYSICS_PATTERN_PICTURES_H
#define SONDE_TESTS_PHYSICS_PATTERN_PICTURES_H

#include <unistd.h>

#include "physics/pattern/run_pattern.h"

static inline sonde_pattern_options pattern_options(double first, double last, int64_t points, int64_t azimuths,
						    double wavelength)
{
	sonde_pattern_options options;

	sonde_pattern_options_init(&options);
	options.q = (sonde_grid){first, last, points};
	options.phi = azimuths;
	options.wavelength = wavelength;
	return options;
}

/* A file with scattering vectors for the option `q_list`. */
static inline void write_vectors(const double *vectors, int64_t count, sonde_pattern_options *options)
{
	const char *folder = getenv("TMPDIR");

	snprintf(options->q_list, sizeof options->q_list, "%s/sonde-vectors-XXXXXX",
		 folder != NULL ? folder : "/tmp");
	const int descriptor = mkstemp(options->q_list);
	assert_true(descriptor >= 0);
	FILE *file = fdopen(descriptor, "w");
	assert_non_null(file);
	for (int64_t n = 0; n < count; ++n)
		fprintf(file, "%.17g %.17g %.17g\n", vectors[3 * n], vectors[3 * n + 1], vectors[3 * n + 2]);
	assert_int_equal(fclose(file), 0);
}

static inline sonde_pattern_result *pattern_at(const sonde_atoms *atoms, const double *vectors, int64_t count,
					       sonde_pattern_options *options)
{
	write_vectors(vectors, count, options);
	sonde_pattern_result *result = pattern(atoms, options);
	assert_int_equal(unlink(options->q_list), 0);
	assert_int_equal(result->count, count);
	return result;
}

/* A ball of atoms of two kinds at random places. */
static inline sonde_atoms *random_ball(int count, double radius, uint64_t seed)
{
	sonde_atoms *atoms = empty_sample();
	uint64_t k = 0;

	while (sonde_atoms_count(atoms) < count) {
		const double x = 2.0 * uniform_number(seed, k) - 1.0, y = 2.0 * uniform_number(seed, k + 1) - 1.0,
			     z = 2.0 * uniform_number(seed, k + 2) - 1.0;
		k += 3;
		if (x * x + y * y + z * z < 1.0)
			add_atom(atoms, sonde_atoms_count(atoms) % 3 == 0 ? "Fe" : "O", radius * x, radius * y,
				 radius * z);
	}
	return atoms;
}

#endif
