/* Items of a job's lists: the keys that items of a kind use, and messages that name the item. */
#ifndef SONDE_BASE_OPTION_ITEMS_H
#define SONDE_BASE_OPTION_ITEMS_H

#include "base/options.h"

/* Lists of keys, each surrounded by blanks: " center size ". */
#define OPTION_ITEM_KEYS 3

/* Fails if an item differs from the defaults in an option that is in none of the lists, which would have no effect.
 * `whose` names the kind of the item for the message, as "a sphere". */
sonde_status option_item_check(const struct option_table *table, const void *item, const char *whose,
			       const char *const keys[OPTION_ITEM_KEYS]);

/* Whether an option differs from its default, by which it is known that it was given. */
sonde_status options_find_given(const struct option_table *table, const char *name, const void *options, bool *given);

/* Extends a caller's list, whose items all have the size of the first one, to items of this library: *copy is to be
 * freed; null if there are none, and, unless `always`, if they are complete. */
sonde_status option_items_complete(const struct option_table *table, int64_t count, const void *items, bool always,
				   void **copy);

/* Prepends FILE:LINE and the list and number of the item to the message of an input error; `number` is from 0. `file`
 * and `lines`, the first line of each item, may be null. */
sonde_status option_item_prefix(sonde_status status, const char *file, const size_t *lines, const char *list,
				int64_t number);

/* Appends nonempty options, "key: value", one per line; and all items of a list, each after a line with its name and
 * number. */
void option_items_print(const struct option_table *table, int64_t count, const void *items, struct text *text);
void options_print_lines(const struct option_table *table, const void *options, const char *indent,
			 struct text *text);

/* Reads the items written by option_items_print() among the lines of a text: *items is to be freed, null if there are
 * none. */
sonde_status option_items_read(const struct option_table *table, const char *text, int64_t *count, void **items);
/* A line for each item, with `before` in front and the options that differ from the defaults: "bodies 1: shape: sphere,
 * radius: 5". */
sonde_status option_items_print_given(const struct option_table *table, int64_t count, const void *items,
				      const char *before, struct text *text);

#endif
