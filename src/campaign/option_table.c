#include "campaign/option_table.h"

#include "sonde/campaign_options.h"

#define OPTION_STRUCT sonde_campaign_options
#include "base/option_table.h"

static const struct option_row rows[] = {
#include "campaign/options.def"
};

const struct option_table campaign_option_table = {"campaign", rows, sizeof rows / sizeof *rows,
						   sizeof(sonde_campaign_options), true};
