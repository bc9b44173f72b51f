#include "coulomb/direct/kept_slab.h"

#include <stdio.h>
#include <string.h>

/* The coincident pairs, and potential and field of all points, set by set. */
static uint64_t size_of(const struct kept_slab *kept)
{
	const uint64_t numbers = kept->values->field != NULL ? 4 : 1;

	return sizeof(uint64_t) +
	       (uint64_t)kept->values->sets * numbers * (uint64_t)kept->slab.count * sizeof(double);
}

static void move_row(char **at, double *values, int64_t all, int64_t first, int64_t count, bool taken)
{
	double *kept = (double *)(void *)*at + first;

	if (taken)
		memcpy(values + first, kept, (size_t)count * sizeof(double));
	else
		memcpy(kept, values + first, (size_t)count * sizeof(double));
	*at += (size_t)all * sizeof(double);
}

/* Points `first` to `first` + `count` - 1 of the slab. */
static void move(struct kept_slab *kept, int64_t first, int64_t count, bool taken)
{
	const struct values *values = kept->values;
	const int64_t begin = kept->slab.first - values->first, all = kept->slab.count;
	char *at = (char *)kept->part->numbers;

	memcpy(taken ? (void *)kept->coincident : (void *)at, taken ? (void *)at : (void *)kept->coincident,
	       sizeof(uint64_t));
	at += sizeof(uint64_t);
	for (uint32_t s = 0; s < values->sets; ++s) {
		const int64_t to = (int64_t)s * values->stride + begin;
		move_row(&at, values->potential + to, all, first, count, taken);
		if (values->field != NULL)
			move_row(&at, values->field + 3 * to, 3 * all, 3 * first, 3 * count, taken);
	}
}

void kept_slab_name(const struct coulomb_plan *plan, const struct kept_cut *cut, struct kept_slab *kept)
{
	snprintf(kept->name, sizeof kept->name, "%u %d %lld+%lld %lldx%lld", plan->batch, plan->single,
		 (long long)kept->slab.first, (long long)cut->points, (long long)cut->planes, (long long)cut->rows);
}

bool kept_slab_cut(const struct coulomb_plan *plan, struct kept_cut *cut)
{
	long long points, planes, rows;
	char beginning[64];

	snprintf(beginning, sizeof beginning, "%u %d 0+", plan->batch, plan->single);
	const char *name = unfinished_name(plan->unfinished, beginning);
	if (name == NULL || sscanf(name + strlen(beginning), "%lld %lldx%lld", &points, &planes, &rows) != 3)
		return false;
	*cut = (struct kept_cut){points, planes, rows};
	return true;
}

void kept_slab_begin(struct kept_slab *kept)
{
	kept->part = unfinished_find(kept->unfinished, kept->name, kept->pieces, size_of(kept));
	if (kept->part == NULL)
		return;
	kept->done = kept->part->done;
	move(kept, 0, kept->slab.count, true);
	kept->points = 0;
}

sonde_status kept_slab_keep(struct kept_slab *kept)
{
	if (kept->part != NULL)
		return SONDE_OK;
	return unfinished_part(kept->unfinished, kept->name, &kept->pieces, size_of(kept), &kept->part);
}

sonde_status kept_slab_add(struct kept_slab *kept, uint64_t pieces, int64_t end)
{
	kept->done += pieces;
	if (kept->part == NULL)
		return SONDE_OK;
	const int64_t points = end - kept->slab.first;
	move(kept, kept->points, points - kept->points, false);
	kept->points = points;
	if (kept->values->sets == 1 && kept->values->field == NULL)
		kept->part->used = sizeof(uint64_t) + (uint64_t)points * sizeof(double);
	return unfinished_advance(kept->unfinished, kept->part, kept->done - kept->part->done);
}
