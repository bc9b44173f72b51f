/* Items of a job's `materials`, and the names in its texts that refer to them. */
#ifndef SONDE_MATTER_MATERIAL_LIST_H
#define SONDE_MATTER_MATERIAL_LIST_H

#include "base/options.h"
#include "sonde/material.h"

extern const struct option_table material_item_table;

/* A job's materials; the caller owns the items. */
struct material_list {
	int64_t count;
	const sonde_material_options *items;
	const char *file; /* name of the job's file, and line of each item in it, for messages; may be null */
	const size_t *lines;
	int64_t others; /* the last items are from another file, in which they are numbered from 1 on, too; 0: none */
	const char *other_file;
	const size_t *other_lines;
};

/* Prepends the file, the line, and the number of the item to the message of an input error; `number` is from 0. */
sonde_status material_list_prefix(const struct material_list *list, sonde_status status, int64_t number);
/* The first item of this name, or -1. */
int64_t material_list_find(const struct material_list *list, const char *name);

/* Requires names, each once in its file, and options in range. */
sonde_status material_list_check(const struct material_list *list);
/* Replaces the names of items in a text, an option of OPTION_TEXT_SIZE bytes, by their compositions and densities:
 * "glass:200nm/Si" becomes "SiO2@2.2:200nm/Si". `separators` are the characters between materials; a name ends at one of them,
 * at ':', or at the density '@' or factor '*' that follows it, of which the density takes precedence over the item's. Names that are
 * not those of items stay. SONDE_INVALID if an item has no composition, which names it and the item. */
sonde_status material_list_replace(const struct material_list *list, const char *separators, char *text);

#endif
