#include "cli/program/job_blocks.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "job/engines.h"

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
		if ((engine_at(k)->abilities & ENGINE_SAMPLE) == 0 || has(blocks, table) ||
		    blocks->count == JOB_MOST_BLOCKS)
			continue;
		CHECK(memory_allocate(&blocks->owned[blocks->count], table->struct_size, 1, "a job"));
		job_blocks_add(blocks, &(struct yaml_block){.table = table, .options = blocks->owned[blocks->count]});
	}
	return SONDE_OK;
}

void job_blocks_free(struct job_blocks *blocks)
{
	for (int k = 0; k < blocks->count; ++k)
		free(blocks->owned[k]);
	*blocks = (struct job_blocks){.count = 0};
}
