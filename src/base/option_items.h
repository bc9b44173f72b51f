/* Items of a job's lists: keys that an item of its kind uses, and messages that say which item is meant. */
#ifndef SONDE_BASE_OPTION_ITEMS_H
#define SONDE_BASE_OPTION_ITEMS_H

#include "base/options.h"

/* Lists of keys, names between blanks with one at each end: " center size ". */
#define OPTION_ITEM_KEYS 3

/* Fails where an item differs from the defaults in an option that none of the lists has: what was meant by it would not happen. `whose` names
 * the kind of the item for the message, as "a sphere". */
sonde_status option_item_check(const struct option_table *table, const void *item, const char *whose,
			       const char *const keys[OPTION_ITEM_KEYS]);

/* Completes a caller's list, whose items all have the size of the first one, to items of this library: *copy is to be freed; null where there are none,
 * and, unless `always`, where they are complete. */
sonde_status option_items_complete(const struct option_table *table, int64_t count, const void *items, bool always,
				   void **copy);

/* Puts FILE:LINE and which item of which list it is before the message of bad input; `number` is from 0. `file` and `lines`, where each
 * item begins in it, may be null. */
sonde_status option_item_prefix(sonde_status status, const char *file, const size_t *lines, const char *list,
				int64_t number);

/* Appends an option a line, "key: value", those that are not empty; and all items of a list, each after a line with its name and number. */
void option_items_print(const struct option_table *table, int64_t count, const void *items, struct text *text);
void options_print_lines(const struct option_table *table, const void *options, const char *indent,
			 struct text *text);

/* Reads the items that option_items_print() has written among the lines of a text: *items is to be freed, null where there are none. */
sonde_status option_items_read(const struct option_table *table, const char *text, int64_t *count, void **items);
/* A line for each item, with `before` in front and what differs from the defaults: "bodies 1: shape: sphere, radius: 5". */
sonde_status option_items_print_given(const struct option_table *table, int64_t count, const void *items,
				      const char *before, struct text *text);

#endif
