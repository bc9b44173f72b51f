#include "match/common.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct key {
	char digits[LIBRARY_KEY];
	int64_t candidate;
};

static int compare_keys(const void *a, const void *b)
{
	const struct key *p = a, *q = b;
	const int order = memcmp(p->digits, q->digits, LIBRARY_KEY);

	return order != 0 ? order : (p->candidate > q->candidate) - (p->candidate < q->candidate);
}

static sonde_status sort_keys(const struct candidates *candidates, struct key **keys)
{
	char *digits;

	*keys = NULL;
	CHECK(candidates_keys(candidates, &digits));
	sonde_status status = memory_allocate(keys, (size_t)candidates->count, sizeof **keys, "keys");
	for (int64_t k = 0; status == SONDE_OK && k < candidates->count; ++k) {
		memcpy((*keys)[k].digits, digits + k * LIBRARY_KEY, LIBRARY_KEY);
		(*keys)[k].candidate = k;
	}
	free(digits);
	if (status == SONDE_OK)
		qsort(*keys, (size_t)candidates->count, sizeof **keys, compare_keys);
	return status;
}

/* How many candidates before each one of the first set have its key, as those of libraries with other displacements: [candidate]. */
static sonde_status count_before(const struct common *common, int64_t **before)
{
	const int64_t count = common->sets[0].candidates.count;
	struct key *keys;

	CHECK(sort_keys(&common->sets[0].candidates, &keys));
	const sonde_status status = memory_allocate(before, (size_t)count, sizeof **before, "candidates");
	for (int64_t k = 1; status == SONDE_OK && k < count; ++k)
		if (memcmp(keys[k].digits, keys[k - 1].digits, LIBRARY_KEY) == 0)
			(*before)[keys[k].candidate] = (*before)[keys[k - 1].candidate] + 1;
	free(keys);
	return status;
}

/* Leaves the candidates of the maps before set d that it has, too. Of several with one key, the first is that of the first, and so on. */
static sonde_status join_set(struct common *common, int d, const char *digits, const int64_t *before)
{
	const int64_t count = common->sets[d].candidates.count;
	struct key *keys;
	int64_t kept = 0;

	CHECK(sort_keys(&common->sets[d].candidates, &keys));
	for (int64_t j = 0; j < common->count; ++j) {
		struct key wanted = {.candidate = -1};
		memcpy(wanted.digits, digits + common->maps[0][j] * LIBRARY_KEY, LIBRARY_KEY);
		int64_t low = 0, high = count;
		while (low < high) {
			const int64_t middle = low + (high - low) / 2;
			if (compare_keys(&keys[middle], &wanted) < 0)
				low = middle + 1;
			else
				high = middle;
		}
		if (low == count || wanted.digits[0] == '\0' ||
		    memcmp(keys[low].digits, wanted.digits, LIBRARY_KEY) != 0)
			continue;
		for (int64_t n = before[common->maps[0][j]]; n > 0 && low + 1 < count; --n)
			low += memcmp(keys[low + 1].digits, wanted.digits, LIBRARY_KEY) == 0;
		for (int other = 0; other < d; ++other)
			common->maps[other][kept] = common->maps[other][j];
		common->maps[d][kept++] = keys[low].candidate;
	}
	free(keys);
	common->count = kept;
	return kept > 0 ? SONDE_OK
			: status_fail(SONDE_INVALID, "the candidates of %s and %s have no key in common",
				      common->sets[0].measured.path, common->sets[d].measured.path);
}

static sonde_status join(struct common *common)
{
	char *digits;

	for (int d = 0; d < common->set_count; ++d)
		CHECK(
		    memory_allocate(&common->maps[d], (size_t)common->count, sizeof *common->maps[d], "candidates"));
	for (int64_t j = 0; j < common->count; ++j)
		common->maps[0][j] = j;
	CHECK(candidates_keys(&common->sets[0].candidates, &digits));
	int64_t *before = NULL;
	sonde_status status = count_before(common, &before);
	for (int d = 1; d < common->set_count && status == SONDE_OK; ++d)
		status = join_set(common, d, digits, before);
	free(before);
	free(digits);
	return status;
}

sonde_status common_make(struct data_set *sets, int set_count, struct common *common)
{
	*common = (struct common){.sets = sets, .set_count = set_count, .count = sets[0].candidates.count};
	sonde_status status = memory_allocate(&common->maps, (size_t)set_count, sizeof *common->maps, "candidates");
	if (status == SONDE_OK && set_count > 1)
		status = join(common);
	if (status != SONDE_OK)
		common_free(common);
	return status;
}

void common_free(struct common *common)
{
	for (int d = 0; common->maps != NULL && d < common->set_count; ++d)
		free(common->maps[d]);
	free(common->maps);
	*common = (struct common){0};
}

sonde_status common_copy(const struct common *common, struct common *copy)
{
	*copy = (struct common){.count = common->count, .maps = common->maps};
	CHECK(memory_allocate(&copy->sets, (size_t)common->set_count, sizeof *copy->sets, "curves"));
	for (int d = 0; d < common->set_count; ++d) {
		CHECK(data_set_copy(&common->sets[d], &copy->sets[d]));
		++copy->set_count;
	}
	return SONDE_OK;
}

void common_free_copy(struct common *copy)
{
	for (int d = 0; d < copy->set_count; ++d)
		data_set_free_copy(&copy->sets[d]);
	free(copy->sets);
	*copy = (struct common){0};
}

int64_t common_number(const struct common *common, int d, int64_t candidate)
{
	return common->maps[d] != NULL ? common->maps[d][candidate] : candidate;
}
