/* Patterns of atoms, for tests. */
#ifndef SONDE_TESTS_PHYSICS_PATTERN_RUN_PATTERN_H
#define SONDE_TESTS_PHYSICS_PATTERN_RUN_PATTERN_H

#include "physics/physics.h"

static inline sonde_pattern_result *pattern_on(int64_t threads, const sonde_atoms *atoms,
					       const sonde_pattern_options *options)
{
	sonde_context *context = make_context(threads);
	sonde_pattern_result *result;

	if (sonde_pattern_run(context, atoms, options, &result) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	sonde_context_free(&context);
	return result;
}

static inline sonde_pattern_result *pattern(const sonde_atoms *atoms, const sonde_pattern_options *options)
{
	return pattern_on(2, atoms, options);
}

#endif
