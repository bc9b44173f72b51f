/* sonde info: tables of campaigns. */
#ifndef SONDE_CLI_INFO_CAMPAIGN_H
#define SONDE_CLI_INFO_CAMPAIGN_H

#include "io/containers/hdf5.h"
#include "run/report.h"

bool info_is_campaign(struct hdf5_reader *reader);
sonde_status info_describe_campaign(struct hdf5_reader *reader, struct report *report);

#endif
