#include "refine/option_table.h"

#include "sonde/refine_options.h"

#define OPTION_STRUCT sonde_refine_options
#include "base/option_table.h"

static const struct option_row rows[] = {
#include "refine/options.def"
};

const struct option_table refine_option_table = {"refine", rows, sizeof rows / sizeof *rows,
						 sizeof(sonde_refine_options), true};
