/* The devices of a machine divided among the ranks of a campaign, each of which is a worker. */
#ifndef SONDE_CLI_COMMANDS_CAMPAIGN_GPUS_H
#define SONDE_CLI_COMMANDS_CAMPAIGN_GPUS_H

#include <stddef.h>

#include "parallel/parallel.h"

/* The names of a list separated by commas that are for this rank, which shares them with the others of its machine. */
void campaign_deal_names(const struct parallel *ranks, const char *list, char *taken, size_t size);
/* Jobs that choose a GPU themselves, by `device` auto, gpu, or all, see those of this rank only. */
void campaign_take_gpus(const struct parallel *ranks, const char *device);

#endif
