#include "matter/build_options.h"

#define OPTION_STRUCT sonde_build_options
#include "base/option_table.h"

static const struct option_row rows[] = {
#include "matter/build_options.def"
};

const struct option_table build_option_table = {"build", rows, sizeof rows / sizeof *rows,
						sizeof(sonde_build_options), true};

void sonde_build_options_init_sized(sonde_build_options *options, uint64_t size)
{
	options_init_sized(&build_option_table, options, size);
}

#undef OPTION_STRUCT
#define OPTION_STRUCT struct structure_item
static const struct option_row structure_rows[] = {
#include "matter/structure.def"
};

const struct option_table structure_item_table = {"structures", structure_rows,
						  sizeof structure_rows / sizeof *structure_rows,
						  sizeof(struct structure_item), false};
