/* Job files: YAML, walked against option tables, every node with its line and column. */
#ifndef SONDE_IO_YAML_H
#define SONDE_IO_YAML_H

#include <stdbool.h>

#include "base/options.h"
#include "base/status.h"

/* A block of a job file: options under a name, or the top-level options. */
struct yaml_block {
	const struct option_table *table;
	void *options;      /* set from the file; options not in the file are unchanged */
	bool present;       /* set: whether the file has the block */
	bool *given;        /* set, one per row, if the file gives the option; may be null */
	size_t *lines;      /* set, one per row, to the line where the file gives it; may be null */
	struct text *notes; /* of the top level: likely mistakes in the file, one line each; may be null */
};

/* A list of a block, of items that are blocks themselves:  bodies: [{shape: sphere, radius: 5 nm}, ...]. Where the block has an option
 * of the same name, too, a text is that option's; if its kind is "items", the option also gets the text of the items. To be released by
 * yaml_list_free(). */
struct yaml_list {
	const char *block;                /* the name of the block that contains it */
	const struct option_table *table; /* of an item; its name is the list's */
	size_t count;
	void *items;     /* `count` structs of options */
	size_t *lines;   /* where each begins */
	bool *given;     /* [item][row]: whether the file gives the option */
	size_t capacity; /* of items */
};
/* Whether a file is a mapping with this key on its top level; false for files that are not valid YAML, or too large. */
sonde_status yaml_has_key(const char *path, const char *key, bool *found);

void *yaml_list_item(const struct yaml_list *list, size_t number);
bool yaml_list_gives(const struct yaml_list *list, size_t number, const struct option_row *row);
void yaml_list_free(struct yaml_list *list);

/* Appends the items, each with the options that the file gives, as a job may give them in one line:
 * [{shape: sphere, radius: 5}, {shape: box, size: [1,2,3]}]. */
sonde_status yaml_list_print(const struct yaml_list *list, struct text *text);
/* Reads items from a text of this form, in which the outer brackets may be left out. Messages name `option`. */
sonde_status yaml_list_parse(const char *option, const char *text, struct yaml_list *list);

/* Reads a job file: a mapping of top-level options and of the blocks, by name. Fails with FILE:LINE:COLUMN: KEY: on
 * anything that is unknown, duplicate, of the wrong type or out of range; on aliases, a second document, an empty
 * file, more than 64 KB or sixteen levels. */
sonde_status yaml_read_job(const char *path, struct yaml_block *top, struct yaml_block *blocks, int block_count);
/* The same with lists in some blocks. */
sonde_status yaml_read_job_lists(const char *path, struct yaml_block *top, struct yaml_block *blocks, int block_count,
				 struct yaml_list *lists, int list_count);
/* Called for each option that was set, to replace the name of a file in the job by its path. A failure is reported at that key if nothing else
 * is wrong with the job. */
typedef sonde_status yaml_file_finder(void *user, const struct option_row *row, void *options);
/* The same with `find_file`, which may be null. */
sonde_status yaml_read_job_files(const char *path, struct yaml_block *top, struct yaml_block *blocks, int block_count,
				 struct yaml_list *lists, int list_count, yaml_file_finder *find_file, void *user);

#endif
