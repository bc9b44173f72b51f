/* Common to the tests of means of patterns. */
#ifndef SONDE_TESTS_PHYSICS_PATTERN_MEANS_H
#define SONDE_TESTS_PHYSICS_PATTERN_MEANS_H

#include <unistd.h>

#include "physics/pattern/run_pattern.h"

static inline sonde_pattern_options pattern_options(double first, double last, int64_t points, int64_t azimuths)
{
	sonde_pattern_options options;

	sonde_pattern_options_init(&options);
	options.q = (sonde_grid){first, last, points};
	options.phi = azimuths;
	options.wavelength = 0.5;
	return options;
}

/* A file of this ending with some text; its name is in `path`, of 4096 bytes. */
static inline void write_file(const char *ending, const char *text, char *path)
{
	const char *folder = getenv("TMPDIR");

	snprintf(path, 4096, "%s/sonde-averages-XXXXXX%s", folder != NULL ? folder : "/tmp", ending);
	const int descriptor = mkstemps(path, (int)strlen(ending));
	assert_true(descriptor >= 0);
	FILE *file = fdopen(descriptor, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* A few atoms without symmetry, of two labels, with tensors. */
static inline sonde_atoms *small_sample(void)
{
	static const double r[5][3] = {
	    {0.5, 0.1, -0.3}, {2.1, -0.4, 0.2}, {-0.7, 1.9, 0.6}, {0.3, 0.8, 2.4}, {-1.1, -1.6, 1.2}};
	sonde_atoms *atoms = empty_sample();

	for (int i = 0; i < 5; ++i)
		add_atom(atoms, i % 2 == 0 ? "Fe" : "O", r[i][0], r[i][1], r[i][2]);
	return atoms;
}

#endif
