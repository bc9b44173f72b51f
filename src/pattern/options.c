/* The option table, generated from options.def. */
#include "pattern/pattern.h"

#define OPTION_STRUCT sonde_pattern_options
#include "base/option_table.h"

static const struct option_row rows[] = {
#include "pattern/options.def"
};

const struct option_table pattern_option_table = {"pattern", rows, sizeof rows / sizeof *rows,
						  sizeof(sonde_pattern_options), true};

void sonde_pattern_options_init_sized(sonde_pattern_options *options, uint64_t size)
{
	options_init_sized(&pattern_option_table, options, size);
}
