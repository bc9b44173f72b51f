/* The option table, generated from options.def. */
#include "coulomb/option_table.h"

#include "sonde/coulomb.h"

#define OPTION_STRUCT sonde_coulomb_options
#include "base/option_table.h"

static const struct option_row rows[] = {
#include "coulomb/options.def"
};

const struct option_table coulomb_option_table = {"coulomb", rows, sizeof rows / sizeof *rows,
						  sizeof(sonde_coulomb_options), true};

void sonde_coulomb_options_init_sized(sonde_coulomb_options *options, uint64_t size)
{
	options_init_sized(&coulomb_option_table, options, size);
}
