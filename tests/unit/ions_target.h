/* Targets of lists of bodies, for tests. */
#ifndef TESTS_UNIT_IONS_TARGET_H
#define TESTS_UNIT_IONS_TARGET_H

#include "ions/option_table.h"
#include "ions/target/target.h"

static inline sonde_status make_target(const char *layers, const sonde_body_options *bodies, int64_t count,
				       struct target *target)
{
	static sonde_ions_options options;
	const struct body_list list = {.count = count, .items = bodies};

	options_set_defaults(&ions_option_table, &options);
	strcpy(options.target, layers);
	return target_make(&options, &list, target);
}

static inline sonde_body_options body_of(int shape, const char *material)
{
	sonde_body_options body;

	sonde_body_init(&body);
	body.shape = shape;
	strcpy(body.material, material);
	body.center = (sonde_vector){1000.0, 30.0, -50.0};
	return body;
}

#endif
