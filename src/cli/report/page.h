/* Results as one HTML file that needs no network. */
#ifndef SONDE_CLI_REPORT_PAGE_H
#define SONDE_CLI_REPORT_PAGE_H

#include <stdbool.h>

#include "base/text.h"
#include "sonde/context.h"

/* Appends the page of some files: results (HDF5), tables, and samples, whose atoms are shown. `title` may be null. */
sonde_status page_append(sonde_context *context, const char *const *files, int count, const char *title,
			 struct text *page);

#endif
