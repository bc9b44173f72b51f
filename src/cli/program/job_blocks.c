#include "cli/program/job_blocks.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "job/engines.h"
#include "matter/build/lists.h"

void job_blocks_add(struct job_blocks *blocks, const struct yaml_block *block)
{
	blocks->blocks[blocks->count++] = *block;
}

static bool has(const struct job_blocks *blocks, const struct option_table *table)
{
	for (int k = 0; k < blocks->count; ++k)
		if (blocks->blocks[k].table == table)
			return true;
	return false;
}

sonde_status job_blocks_add_probes(struct job_blocks *blocks)
{
	for (int k = 0; engine_at(k) != NULL; ++k) {
		const struct option_table *table = engine_at(k)->options;
		if ((engine_at(k)->abilities & (ENGINE_SAMPLE | ENGINE_BODIES)) == 0 || has(blocks, table) ||
		    blocks->count == JOB_MOST_BLOCKS)
			continue;
		CHECK(memory_allocate(&blocks->owned[blocks->count], table->struct_size, 1, "a job"));
		job_blocks_add(blocks, &(struct yaml_block){.table = table, .options = blocks->owned[blocks->count]});
	}
	return SONDE_OK;
}

/* The lists of an engine, after `count` others. */
static int add_lists(const struct engine *engine, struct yaml_list *lists, int count)
{
	for (int k = 0; engine->lists != NULL && engine->lists[k] != NULL; ++k, ++count)
		if (lists != NULL)
			lists[count] = (struct yaml_list){.block = engine->name, .table = engine->lists[k]};
	return count;
}

/* Those of `first`, and then those of the other engines that have lists: into `lists`, unless it is null. */
static int list_all(const struct engine *first, struct yaml_list *lists)
{
	int count = first != NULL ? add_lists(first, lists, 0) : 0;

	for (int k = 0; engine_at(k) != NULL; ++k)
		if (engine_at(k) != first)
			count = add_lists(engine_at(k), lists, count);
	return count;
}

sonde_status job_blocks_make_lists(const struct engine *engine, struct yaml_list **lists, int *count)
{
	const int of_engines = list_all(engine, NULL);

	CHECK(memory_allocate(lists, (size_t)of_engines + BUILD_LISTS, sizeof **lists, "a job"));
	list_all(engine, *lists);
	build_lists_begin(*lists + of_engines);
	*count = of_engines + BUILD_LISTS;
	return SONDE_OK;
}

void job_blocks_free_lists(struct yaml_list **lists, int *count)
{
	for (int k = 0; k < *count; ++k)
		yaml_list_free(&(*lists)[k]);
	free(*lists);
	*lists = NULL;
	*count = 0;
}

void job_blocks_free(struct job_blocks *blocks)
{
	for (int k = 0; k < blocks->count; ++k)
		free(blocks->owned[k]);
	*blocks = (struct job_blocks){.count = 0};
}
