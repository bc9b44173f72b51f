/* Options of a block of jobs, by name. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "job/engines.h"
#include "job/request.h"
#include "matter/build/build.h"
#include "sonde/result.h"

/* The table of the items of a list of an engine's block, from "fdtd.monitors"; null: there is none. */
static const struct option_table *find_items(const char *block)
{
	const char *dot = strchr(block, '.');
	char name[24];

	if (dot == NULL || (size_t)(dot - block) >= sizeof name)
		return NULL;
	memcpy(name, block, (size_t)(dot - block));
	name[dot - block] = '\0';
	const struct engine *engine = engine_find(name);
	for (int n = 0; engine != NULL && engine->lists != NULL && engine->lists[n] != NULL; ++n)
		if (strcmp(engine->lists[n]->name, dot + 1) == 0)
			return engine->lists[n];
	return NULL;
}

sonde_status block_find(const char *block, const struct option_table **table)
{
	const struct engine *engine = block != NULL ? engine_find(block) : NULL;

	*table = engine != NULL ? engine->options : NULL;
	if (engine == NULL && block != NULL)
		*table = strcmp(block, build_option_table.name) == 0 ? &build_option_table : find_items(block);
	return *table != NULL ? SONDE_OK
			      : status_fail(SONDE_INVALID, "'%.40s' is not the name of a block of jobs",
					    block != NULL ? block : "");
}

sonde_status sonde_options_create(const char *block, void **options)
{
	const struct option_table *table;

	*options = NULL;
	CHECK(block_find(block, &table));
	CHECK(memory_allocate((char **)options, table->struct_size, 1, "the options"));
	options_set_defaults(table, *options);
	return SONDE_OK;
}

void sonde_options_free(void **options)
{
	if (options == NULL)
		return;
	free(*options);
	*options = NULL;
}

/* The row of a name; other names are refused, with the nearest one. */
static sonde_status find_row(const char *block, const struct option_table *table, const char *name,
			     const struct option_row **row)
{
	struct nearest_word nearest = {.word = name};
	char hint[96];

	*row = options_find(table, name);
	if (*row != NULL)
		return SONDE_OK;
	options_offer_names(table, &nearest);
	return status_fail_option(SONDE_INVALID, name, "%s has no such option%s", block,
				  nearest_word_hint(&nearest, hint, sizeof hint));
}

sonde_status sonde_options_set(const char *block, void *options, const char *name, const char *text)
{
	const struct option_table *table;
	const struct option_row *row;

	CHECK(block_find(block, &table));
	if (name == NULL || text == NULL)
		return status_fail(SONDE_INVALID, "the name and the value of an option are needed, one is null");
	CHECK(find_row(block, table, name, &row));
	const sonde_status status = options_set(table, row, options, text, NULL);
	return status == SONDE_OK ? status : status_prefix_option(status, row->name);
}

sonde_status sonde_options_get(const char *block, const void *options, const char *name, char **text)
{
	const struct option_table *table;
	const struct option_row *row;
	struct text value = {0};

	*text = NULL;
	CHECK(block_find(block, &table));
	if (name == NULL || options == NULL)
		return status_fail(SONDE_INVALID, "options and the name of one are needed, one is null");
	CHECK(find_row(block, table, name, &row));
	option_print(row, options, &value);
	text_append(&value, "%s", "");
	const sonde_status status = text_status(&value);
	if (status == SONDE_OK)
		*text = value.bytes;
	else
		text_free(&value);
	return status;
}
