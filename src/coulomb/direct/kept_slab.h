/* The values of a slab that are kept while they are computed (run/unfinished.h). */
#ifndef SONDE_COULOMB_DIRECT_KEPT_SLAB_H
#define SONDE_COULOMB_DIRECT_KEPT_SLAB_H

#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "run/unfinished.h"

struct kept_slab {
	struct unfinished *unfinished; /* null: nothing is kept */
	struct unfinished_part *part;  /* null: not kept so far */
	char name[64];                 /* of the part: different for each slab, and for sums by other pieces */
	uint64_t pieces, done;
	const struct values *values;
	struct target_range slab;
	uint64_t *coincident; /* of the slab so far */
	int64_t points;       /* from the first on, that are in the part */
};

/* Takes the values of an earlier run, if it has begun the slab. */
/* How sums are cut: points of a slab, and planes or rows of a piece. */
struct kept_cut {
	int64_t points, planes, rows;
};
/* Names the part of kept->slab, whose points need not be as many as those of others. */
void kept_slab_name(const struct coulomb_plan *plan, const struct kept_cut *cut, struct kept_slab *kept);
/* How an earlier run, from which this one continues, has cut the sums of this plan; false if there is none. */
bool kept_slab_cut(const struct coulomb_plan *plan, struct kept_cut *cut);
void kept_slab_begin(struct kept_slab *kept);
/* From now on its values are kept, if there is memory for them: then there is a part. All ranks come to this. */
sonde_status kept_slab_keep(struct kept_slab *kept);
/* After further pieces: points from slab.first on up to `end` have their values. */
sonde_status kept_slab_add(struct kept_slab *kept, uint64_t pieces, int64_t end);

#endif
