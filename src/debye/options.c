/* The option table, made of options.def. */
#include "debye/debye.h"

#define OPTION_STRUCT sonde_debye_options
#include "base/option_table.h"

static const struct option_row rows[] = {
#include "debye/options.def"
};

const struct option_table debye_option_table = {"debye", rows, sizeof rows / sizeof *rows,
						sizeof(sonde_debye_options)};

void sonde_debye_options_init(sonde_debye_options *options)
{
	options_set_defaults(&debye_option_table, options);
	options->struct_size = sizeof *options;
}
