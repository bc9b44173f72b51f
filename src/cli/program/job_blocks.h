/* The blocks of a job about a sample: one for each engine that takes a sample, of atoms or of bodies, and `build`. A job may have several; a
 * command executes its own, and the others are checked. */
#ifndef SONDE_CLI_PROGRAM_JOB_BLOCKS_H
#define SONDE_CLI_PROGRAM_JOB_BLOCKS_H

#include "io/containers/yaml.h"
#include "run/engine.h"
#include "sonde/build.h"

#define JOB_MOST_BLOCKS 40

/* Starts from {0}; released by job_blocks_free(). */
struct job_blocks {
	struct yaml_block blocks[JOB_MOST_BLOCKS];
	int count;
	void *owned[JOB_MOST_BLOCKS]; /* the options of other engines */
};

/* Adds a block whose options are the caller's. */
void job_blocks_add(struct job_blocks *blocks, const struct yaml_block *block);
/* Adds those of the other engines that take a sample, of atoms or of bodies. */
sonde_status job_blocks_add_probes(struct job_blocks *blocks);
/* The lists in the blocks of all engines, those of `engine` first; null: in the order of the
 * engines; and those of `build`. To be released by job_blocks_free_lists(). */
sonde_status job_blocks_make_lists(const struct engine *engine, struct yaml_list **lists, int *count);
void job_blocks_free_lists(struct yaml_list **lists, int *count);
void job_blocks_free(struct job_blocks *blocks);

#endif
