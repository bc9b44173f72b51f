/* The values of a slab that are kept while they are computed (run/unfinished.h). */
#ifndef SONDE_COULOMB_DIRECT_KEPT_SLAB_H
#define SONDE_COULOMB_DIRECT_KEPT_SLAB_H

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
void kept_slab_begin(struct kept_slab *kept);
/* From now on its values are kept, if there is memory for them: then there is a part. All ranks come to this. */
sonde_status kept_slab_keep(struct kept_slab *kept);
/* After further pieces: points from slab.first on up to `end` have their values. */
sonde_status kept_slab_add(struct kept_slab *kept, uint64_t pieces, int64_t end);

#endif
