/* The fast sum on a grid, by a tree of blocks, slab by slab: the interface of sums.h for one method. */
#ifndef SONDE_COULOMB_FAST_FAST_H
#define SONDE_COULOMB_FAST_FAST_H

#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "run/context.h"

struct fast_run;
sonde_status fast_begin(sonde_context *context, const struct block_tree *tree, const struct targets *targets,
			const struct coulomb_plan *plan, struct fast_run **run);
int64_t fast_planes(const struct fast_run *run);
sonde_status fast_slab(struct fast_run *run, int64_t first, int64_t count, struct values *values,
		       uint64_t *coincident);
double fast_end(struct fast_run **run);

#endif
