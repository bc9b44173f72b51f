#include "match/option_table.h"

#include "sonde/match_options.h"

#define OPTION_STRUCT sonde_match_options
#include "base/option_table.h"

static const struct option_row rows[] = {
#include "match/options.def"
};

const struct option_table match_option_table = {"match", rows, sizeof rows / sizeof *rows,
						sizeof(sonde_match_options), true};
