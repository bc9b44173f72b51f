/* The option table, made of options.def. */
#include "ions/option_table.h"

#include "sonde/ions.h"

#define OPTION_STRUCT sonde_ions_options
#include "base/option_table.h"

static const struct option_row rows[] = {
#include "ions/options.def"
};

const struct option_table ions_option_table = {"ions", rows, sizeof rows / sizeof *rows, sizeof(sonde_ions_options),
					       true};

void sonde_ions_options_init_sized(sonde_ions_options *options, uint64_t size)
{
	options_init_sized(&ions_option_table, options, size);
}
