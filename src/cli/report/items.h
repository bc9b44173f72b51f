/* Result files as JSON for the page: groups, texts and numbers at their paths; large arrays reduced. */
#ifndef SONDE_CLI_REPORT_ITEMS_H
#define SONDE_CLI_REPORT_ITEMS_H

#include "base/text.h"
#include "sonde/atoms.h"
#include "sonde/context.h"

/* Objects of an HDF5 file, one after the other, separated by commas. */
sonde_status items_append_hdf5(sonde_context *context, const char *path, struct text *page);
/* The columns of a table of sonde (.csv, .xy and others). */
sonde_status items_append_table(const char *path, struct text *page);
/* Atoms, at most some ten thousand of them. */
void items_append_atoms(const sonde_atoms *atoms, struct text *page);

#endif
