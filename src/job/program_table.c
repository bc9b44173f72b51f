#include "job/program_table.h"

#include "sonde/program_options.h"

#define OPTION_STRUCT sonde_program_options
#include "base/option_table.h"

static const struct option_row rows[] = {
#include "job/program.def"
};

const struct option_table program_option_table = {"program", rows, sizeof rows / sizeof *rows,
						  sizeof(sonde_program_options), true};
