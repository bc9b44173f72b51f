/* The table and the studies of a campaign as an HDF5 file in NeXus form. */
#ifndef SONDE_CAMPAIGN_TABLE_NEXUS_H
#define SONDE_CAMPAIGN_TABLE_NEXUS_H

#include "campaign/converge.h"

/* Replaces the file. */
sonde_status campaign_write_nexus(const struct campaign *campaign, const struct campaign_table *table,
				  const struct studies *studies, const char *path);

#endif
