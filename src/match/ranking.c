#include "match/ranking.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "match/dot_product.h"
#include "match/scan.h"

static int compare(const void *a, const void *b)
{
	const struct ranked *p = a, *q = b;

	return p->chi_square != q->chi_square ? (p->chi_square > q->chi_square) - (p->chi_square < q->chi_square)
					      : (p->candidate > q->candidate) - (p->candidate < q->candidate);
}

/* Adds chi^2 of set d: |y|^2 - (a . y)^2/|a|^2 for a scale above 0. */
static sonde_status add_set(sonde_context *context, struct common *common, int d, struct ranked *ranking)
{
	struct data_set *set = &common->sets[d];
	const size_t count = (size_t)set->candidates.count;
	const double whole = dot_product(set->y, set->y, set->measured.count);
	double *squares, *products = NULL;

	CHECK(memory_allocate(&squares, count, sizeof *squares, "a ranking"));
	sonde_status status = memory_allocate(&products, count, sizeof *products, "a ranking");
	if (status == SONDE_OK)
		status = scan_candidates(context, "single candidates", set, set->y, squares, products);
	for (int64_t j = 0; status == SONDE_OK && j < common->count; ++j) {
		const int64_t number = common_number(common, d, j);
		const bool rises = products[number] > 0.0 && squares[number] > 0.0;
		const double scale = rises ? products[number] / squares[number] : 0.0;
		ranking[j].chi_square += fmax(whole - scale * (rises ? products[number] : 0.0), 0.0);
		if (d == 0)
			ranking[j].scale = scale;
	}
	free(squares);
	free(products);
	return status;
}

sonde_status ranking_make(sonde_context *context, struct common *common, struct ranked **ranking)
{
	CHECK(memory_allocate(ranking, (size_t)common->count, sizeof **ranking, "a ranking"));
	for (int64_t j = 0; j < common->count; ++j)
		(*ranking)[j].candidate = j;
	sonde_status status = SONDE_OK;
	for (int d = 0; d < common->set_count && status == SONDE_OK; ++d)
		status = add_set(context, common, d, *ranking);
	if (status != SONDE_OK) {
		free(*ranking);
		*ranking = NULL;
		return status;
	}
	qsort(*ranking, (size_t)common->count, sizeof **ranking, compare);
	return SONDE_OK;
}

/* The interpolations of a set at x (1 + strain). */
static sonde_status make_strained(const struct data_set *set, double strain, struct resampling **strained)
{
	const struct measured *measured = &set->measured;
	const struct candidates *candidates = &set->candidates;
	double *x;

	CHECK(memory_allocate(strained, candidates->source_count, sizeof **strained, "an interpolation"));
	CHECK(memory_allocate(&x, (size_t)measured->count, sizeof *x, "an interpolation"));
	for (int64_t k = 0; k < measured->count; ++k)
		x[k] = measured->x[k] * (measured->of_r ? 1.0 / (1.0 + strain) : 1.0 + strain);
	sonde_status status = SONDE_OK;
	for (size_t k = 0; k < candidates->source_count && status == SONDE_OK; ++k) {
		const struct candidate_source *source = &candidates->sources[k];
		/* at the very ends of an axis the limit of the range may be passed by rounding */
		for (int64_t l = 0; l < measured->count; ++l)
			x[l] = fmin(fmax(x[l], source->axis[0]), source->axis[source->points - 1]);
		status = resampling_make(source->axis, source->points, x, measured->count, 0.0, &(*strained)[k]);
	}
	free(x);
	return status;
}

static sonde_status add_strained(sonde_context *context, struct common *common, int d, double strain,
				 struct ranked *ranking)
{
	struct data_set *set = &common->sets[d];
	struct resampling *own = set->resamplings, *strained = NULL;

	sonde_status status = make_strained(set, strain, &strained);
	if (status == SONDE_OK) {
		set->resamplings = strained;
		status = add_set(context, common, d, ranking);
		set->resamplings = own;
	}
	for (size_t k = 0; strained != NULL && k < set->candidates.source_count; ++k)
		resampling_free(&strained[k]);
	free(strained);
	return status;
}

sonde_status ranking_make_strained(sonde_context *context, struct common *common, const double *strains, int count,
				   struct ranked **ranking)
{
	struct ranked *next;

	CHECK(memory_allocate(ranking, (size_t)common->count, sizeof **ranking, "a ranking"));
	sonde_status status = memory_allocate(&next, (size_t)common->count, sizeof *next, "a ranking");
	for (int64_t j = 0; status == SONDE_OK && j < common->count; ++j)
		(*ranking)[j] = (struct ranked){.candidate = j, .chi_square = INFINITY};
	for (int k = 0; k < count && status == SONDE_OK; ++k) {
		for (int64_t j = 0; j < common->count; ++j)
			next[j] = (struct ranked){.candidate = j};
		for (int d = 0; d < common->set_count && status == SONDE_OK; ++d)
			status = add_strained(context, common, d, strains[k], next);
		for (int64_t j = 0; status == SONDE_OK && j < common->count; ++j)
			if (next[j].chi_square < (*ranking)[j].chi_square)
				(*ranking)[j] = next[j];
	}
	free(next);
	if (status != SONDE_OK) {
		free(*ranking);
		*ranking = NULL;
		return status;
	}
	qsort(*ranking, (size_t)common->count, sizeof **ranking, compare);
	return SONDE_OK;
}

/* In relation to the best one. Curves without any residual have a variance of 0. */
static double likelihood(const struct ranked *ranking, int64_t k, double variance)
{
	const double worse = ranking[k].chi_square - ranking[0].chi_square;

	return worse > 0.0 ? exp(-0.5 * worse / variance) : 1.0;
}

void ranking_probabilities(const struct ranked *ranking, int64_t count, double variance, double *probabilities,
			   int64_t wanted)
{
	double sum = 0.0;

	for (int64_t k = 0; k < count; ++k)
		sum += likelihood(ranking, k, variance);
	for (int64_t k = 0; k < wanted; ++k)
		probabilities[k] = likelihood(ranking, k, variance) / sum;
}
