/* The option table, generated from options.def. */
#include "debye/debye.h"

#define OPTION_STRUCT sonde_debye_options
#include "base/option_table.h"

static const struct option_row rows[] = {
#include "debye/options.def"
};

const struct option_table debye_option_table = {"debye", rows, sizeof rows / sizeof *rows,
						sizeof(sonde_debye_options), true};

void sonde_debye_options_init_sized(sonde_debye_options *options, uint64_t size)
{
	options_init_sized(&debye_option_table, options, size);
}
