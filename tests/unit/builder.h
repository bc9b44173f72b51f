/* Short calls of sonde_build_run() for tests. */
#ifndef TESTS_UNIT_BUILDER_H
#define TESTS_UNIT_BUILDER_H

#include "matter/atoms/atoms.h"
#include "matter/build/build.h"

static sonde_context *build_context;

static int open_context(void **unused)
{
	(void)unused;
	return sonde_context_create(&build_context) != SONDE_OK;
}

static int close_context(void **unused)
{
	(void)unused;
	sonde_context_free(&build_context);
	return 0;
}

/* Options of a structure without a shape. */
static inline sonde_build_options structure(int cell, const char *species, double a)
{
	sonde_build_options options;

	sonde_build_options_init(&options);
	options.cell = cell;
	options.a = a;
	strcpy(options.species, species);
	return options;
}

static inline sonde_atoms *build(const sonde_build_options *options)
{
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_build_run(build_context, options, &atoms));
	return atoms;
}

#endif
