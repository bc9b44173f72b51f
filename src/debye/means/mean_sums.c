#include "debye/means/mean_sums.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "debye/curves/compton.h"
#include "debye/curves/contrast.h"
#include "debye/curves/derived_curves.h"

/* Rows of the sums over q and r. */
enum {
	SUM_INTENSITY,
	SUM_SQUARE,
	SUM_REAL,
	SUM_IMAGINARY,
	SUM_ERROR,
	SUM_BOUND,
	SUM_RESOLVED,
	SUM_LAUE,
	SUM_RESOLVED_ERROR
};
enum { SUM_RADIAL, SUM_COORDINATION, SUM_DISTRIBUTION };

static sonde_status allocate(double **array, int64_t count)
{
	return memory_allocate(array, (size_t)count, sizeof **array, "the mean");
}

void mean_sums_free(struct mean_sums *sums)
{
	for (size_t p = 0; p < sums->pair_count; ++p) {
		const struct pair_sum *pair = &sums->pairs[p];
		double *arrays[] = {pair->intensity, pair->sinc,         pair->intensity_error, pair->sinc_error,
				    pair->radial,    pair->coordination, pair->counted,         pair->distances};
		for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
			free(arrays[k]);
	}
	mean_blocks_free(&sums->blocks);
	free(sums->pairs);
	free(sums->species);
	free(sums->over_q);
	free(sums->over_r);
	*sums = (struct mean_sums){0};
}

static void add_row(double factor, const double *values, int64_t count, double *sums)
{
	for (int64_t k = 0; k < count; ++k)
		sums[k] += factor * values[k];
}

/* Adding ------------------------------------------------------------------------------------------------------- */

sonde_status mean_sums_species(struct mean_sums *sums, const char *label, size_t place, struct species_sum **found)
{
	for (size_t k = 0; k <= sums->species_count; ++k) {
		const size_t at = k == 0 ? place : k - 1;
		if (at < sums->species_count && strcmp(sums->species[at].label, label) == 0) {
			*found = &sums->species[at];
			return SONDE_OK;
		}
	}
	CHECK(memory_grow(&sums->species, &sums->species_room, sums->species_count + 1, sizeof *sums->species,
			  "the mean"));
	*found = &sums->species[sums->species_count++];
	**found = (struct species_sum){.atoms = 0.0};
	snprintf((*found)->label, sizeof(*found)->label, "%s", label);
	return SONDE_OK;
}

static sonde_status add_species(struct mean_sums *sums, const sonde_debye_result *sample, double weight)
{
	struct species_sum *found;

	for (int s = 0; s < sample->species_count; ++s) {
		CHECK(mean_sums_species(sums, sample->species_label[s], (size_t)s, &found));
		found->atoms += weight * (double)sample->species_atoms[s];
		found->present += weight * sample->species_present[s];
	}
	return SONDE_OK;
}

static bool is_pair(const struct pair_sum *pair, const char *a, const char *b)
{
	return strcmp(pair->a, a) == 0 && strcmp(pair->b, b) == 0;
}

sonde_status mean_sums_pair(struct mean_sums *sums, const char *a, const char *b, size_t place, bool counted,
			    struct pair_sum **found)
{
	for (size_t k = 0; k <= sums->pair_count; ++k) {
		const size_t at = k == 0 ? place : k - 1;
		if (at < sums->pair_count && is_pair(&sums->pairs[at], a, b)) {
			*found = &sums->pairs[at];
			return SONDE_OK;
		}
	}
	CHECK(memory_grow(&sums->pairs, &sums->pair_room, sums->pair_count + 1, sizeof *sums->pairs, "the mean"));
	*found = &sums->pairs[sums->pair_count++];
	**found = (struct pair_sum){.pairs = 0.0};
	snprintf((*found)->a, sizeof(*found)->a, "%s", a);
	snprintf((*found)->b, sizeof(*found)->b, "%s", b);
	CHECK(allocate(&(*found)->intensity, sums->q_count));
	CHECK(allocate(&(*found)->sinc, sums->q_count));
	CHECK(allocate(&(*found)->intensity_error, sums->q_count));
	CHECK(allocate(&(*found)->sinc_error, sums->q_count));
	if (!counted)
		return SONDE_OK;
	CHECK(allocate(&(*found)->radial, sums->r_count));
	return allocate(&(*found)->coordination, sums->r_count);
}

sonde_status mean_sums_grow_bins(struct pair_sum *pair, int64_t bins)
{
	if (bins <= pair->bins)
		return SONDE_OK;
	CHECK(memory_grow(&pair->counted, &pair->counted_room, (size_t)bins, sizeof(double), "the mean"));
	CHECK(memory_grow(&pair->distances, &pair->distances_room, (size_t)bins, sizeof(double), "the mean"));
	for (int64_t b = pair->bins; b < bins; ++b)
		pair->counted[b] = pair->distances[b] = 0.0;
	pair->bins = bins;
	return SONDE_OK;
}

static sonde_status add_counts(struct pair_sum *pair, const sonde_debye_result *sample, int p, double weight)
{
	const int64_t bins = sample->counted_bins, r = sample->r_count;
	const double around = weight * sample->species_present[sample->pair_a[p]];

	if (sample->counted_pairs == NULL)
		return SONDE_OK;
	CHECK(mean_sums_grow_bins(pair, bins));
	for (int64_t b = 0; b < bins; ++b) {
		const double pairs = weight * sample->counted_pairs[p * bins + b];
		pair->counted[b] += pairs;
		pair->distances[b] += pairs * sample->counted_distances[p * bins + b];
	}
	if (sample->radial_distribution == NULL || pair->radial == NULL)
		return SONDE_OK;
	add_row(around, sample->partial_radial_distribution + p * r, r, pair->radial);
	add_row(around, sample->partial_running_coordination + p * r, r, pair->coordination);
	return SONDE_OK;
}

/* Factor of the sum of sin(q r)/(q r) over pairs of the species of pair p: N/(N_a N_b), doubled for like species, whose pairs are
 * counted once. */
static double sinc_factor(const sonde_debye_result *result, int p)
{
	const int a = result->pair_a[p], b = result->pair_b[p];

	return (a == b ? 2.0 : 1.0) * result->atoms_present /
	       (result->species_present[a] * result->species_present[b]);
}

static sonde_status add_pairs(struct mean_sums *sums, const sonde_debye_result *sample, double weight)
{
	const int64_t q = sums->q_count;
	struct pair_sum *pair;

	for (int p = 0; p < sample->pair_count; ++p) {
		const double factor = weight / sinc_factor(sample, p);
		const double *s_ab = sample->partial_structure_factor + p * q;
		CHECK(mean_sums_pair(sums, sample->species_label[sample->pair_a[p]],
				     sample->species_label[sample->pair_b[p]], (size_t)p,
				     sample->radial_distribution != NULL, &pair));
		pair->pairs += weight * (double)sample->pair_pairs[p];
		add_row(weight * sample->atoms_present, sample->partial_intensity + p * q, q, pair->intensity);
		for (int64_t k = 0; k < q; ++k)
			pair->sinc[k] += factor * (s_ab[k] - 1.0);
		add_row(weight * sample->atoms_present, sample->partial_intensity_error + p * q, q,
			pair->intensity_error);
		add_row(factor, sample->partial_structure_factor_error + p * q, q, pair->sinc_error);
		CHECK(add_counts(pair, sample, p, weight));
	}
	return SONDE_OK;
}

static void add_curves(struct mean_sums *sums, const sonde_debye_result *sample, double weight)
{
	const double per_atom = weight * sample->atoms_present, *amplitude = sample->provenance->mean_amplitude;
	const int64_t q = sums->q_count;

	add_row(weight, sample->intensity, q, sums->over_q + SUM_INTENSITY * q);
	add_row(per_atom, sample->mean_square_amplitude, q, sums->over_q + SUM_SQUARE * q);
	add_row(per_atom, sample->error_estimate, q, sums->over_q + SUM_ERROR * q);
	add_row(per_atom, sample->error_bound, q, sums->over_q + SUM_BOUND * q);
	if (sample->intensity_resolved != NULL) {
		add_row(weight, sample->intensity_resolved, q, sums->over_q + SUM_RESOLVED * q);
		add_row(weight, sample->intensity_resolved_error, q, sums->over_q + SUM_RESOLVED_ERROR * q);
	}
	if (sample->laue != NULL)
		add_row(per_atom, sample->laue, q, sums->over_q + SUM_LAUE * q);
	for (int64_t k = 0; k < q; ++k) {
		sums->over_q[SUM_REAL * q + k] += per_atom * amplitude[2 * k];
		sums->over_q[SUM_IMAGINARY * q + k] += per_atom * amplitude[2 * k + 1];
	}
	if (sample->r_count > 0)
		add_row(per_atom, sample->pair_distribution, sums->r_count,
			sums->over_r + SUM_DISTRIBUTION * sums->r_count);
	if (sample->radial_distribution == NULL)
		return;
	add_row(per_atom, sample->radial_distribution, sums->r_count, sums->over_r + SUM_RADIAL * sums->r_count);
	add_row(per_atom, sample->running_coordination, sums->r_count,
		sums->over_r + SUM_COORDINATION * sums->r_count);
}

sonde_status mean_sums_add(struct mean_sums *sums, const sonde_debye_result *sample, double weight)
{
	if (sums->samples == 0) {
		sums->q_count = sample->q_count;
		sums->r_count = sample->r_count;
		CHECK(allocate(&sums->over_q, MEAN_ROWS_OVER_Q * sums->q_count));
		CHECK(allocate(&sums->over_r, MEAN_ROWS_OVER_R * sums->r_count));
	}
	++sums->samples;
	sums->weight += weight;
	sums->atoms += weight * (double)sample->atom_count;
	sums->present += weight * sample->atoms_present;
	sums->checked_points += sample->checked_points;
	if (sample->bin_count > sums->bin_count)
		sums->bin_count = sample->bin_count;
	CHECK(add_species(sums, sample, weight));
	add_curves(sums, sample, weight);
	CHECK(mean_blocks_add(&sums->blocks, sample, weight));
	return add_pairs(sums, sample, weight);
}

/* The mean ----------------------------------------------------------------------------------------------------- */

static int compare_labels(const void *a, const void *b)
{
	return strcmp(((const struct species_sum *)a)->label, ((const struct species_sum *)b)->label);
}

/* Species in the order of their labels, as in every result. */
static sonde_status deliver_species(const struct mean_sums *sums, sonde_debye_result *result)
{
	const size_t count = sums->species_count;
	struct species_sum *sorted;

	CHECK(memory_allocate(&result->species_label, count, SONDE_LABEL_SIZE, "the result"));
	CHECK(memory_allocate(&result->species_atoms, count, sizeof(int64_t), "the result"));
	CHECK(memory_allocate(&result->species_present, count, sizeof(double), "the result"));
	CHECK(memory_allocate(&sorted, count, sizeof *sorted, "the result"));
	memcpy(sorted, sums->species, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, compare_labels);
	for (size_t s = 0; s < count; ++s) {
		memcpy(result->species_label[s], sorted[s].label, SONDE_LABEL_SIZE);
		result->species_atoms[s] = llround(sorted[s].atoms / sums->weight);
		result->species_present[s] = sorted[s].present / sums->weight;
	}
	free(sorted);
	result->species_count = (int)count;
	result->pair_count = species_pair_count((int)count);
	result->atom_count = llround(sums->atoms / sums->weight);
	result->atoms_present = sums->present / sums->weight;
	return SONDE_OK;
}

static const struct pair_sum *pair_of(const struct mean_sums *sums, const char *a, const char *b, size_t p)
{
	for (size_t k = 0; k <= sums->pair_count; ++k) {
		const size_t at = k == 0 ? p : k - 1;
		if (at < sums->pair_count && is_pair(&sums->pairs[at], a, b))
			return &sums->pairs[at];
	}
	return NULL; /* the species are never in one sample */
}

static sonde_status allocate_counts(const struct mean_sums *sums, sonde_debye_result *result)
{
	const int64_t pairs = result->pair_count, r = result->r_count;

	for (size_t p = 0; p < sums->pair_count; ++p)
		if (sums->pairs[p].bins > result->counted_bins)
			result->counted_bins = sums->pairs[p].bins;
	if (result->counted_bins == 0)
		return SONDE_OK;
	CHECK(allocate(&result->counted_pairs, pairs * result->counted_bins));
	CHECK(allocate(&result->counted_distances, pairs * result->counted_bins));
	if (sums->pairs[0].radial == NULL)
		return SONDE_OK;
	CHECK(allocate(&result->radial_distribution, r));
	CHECK(allocate(&result->running_coordination, r));
	CHECK(allocate(&result->partial_radial_distribution, pairs * r));
	return allocate(&result->partial_running_coordination, pairs * r);
}

static void deliver_counts(const struct mean_sums *sums, const struct pair_sum *pair, int p,
			   sonde_debye_result *result)
{
	const double around = 1.0 / (sums->weight * result->species_present[result->pair_a[p]]);
	const int64_t bins = result->counted_bins, r = result->r_count;

	for (int64_t b = 0; b < pair->bins; ++b) {
		result->counted_pairs[p * bins + b] = pair->counted[b] / sums->weight;
		result->counted_distances[p * bins + b] =
		    pair->counted[b] > 0.0 ? pair->distances[b] / pair->counted[b] : 0.0;
	}
	if (pair->radial == NULL)
		return;
	add_row(around, pair->radial, r, result->partial_radial_distribution + p * r);
	add_row(around, pair->coordination, r, result->partial_running_coordination + p * r);
}

static sonde_status deliver_pairs(const struct mean_sums *sums, sonde_debye_result *result)
{
	const double each = 1.0 / (sums->weight * result->atoms_present);
	const int64_t q = result->q_count;
	int p = 0;

	CHECK(memory_allocate(&result->pair_a, (size_t)result->pair_count, sizeof(int), "the result"));
	CHECK(memory_allocate(&result->pair_b, (size_t)result->pair_count, sizeof(int), "the result"));
	CHECK(memory_allocate(&result->pair_pairs, (size_t)result->pair_count, sizeof(int64_t), "the result"));
	CHECK(allocate_counts(sums, result));
	for (int a = 0; a < result->species_count; ++a) {
		for (int b = a; b < result->species_count; ++b, ++p) {
			result->pair_a[p] = a;
			result->pair_b[p] = b;
			const struct pair_sum *pair =
			    pair_of(sums, result->species_label[a], result->species_label[b], (size_t)p);
			double *s_ab = result->partial_structure_factor + p * q;
			for (int64_t k = 0; k < q; ++k)
				s_ab[k] = 1.0;
			if (pair == NULL)
				continue;
			result->pair_pairs[p] = llround(pair->pairs / sums->weight);
			add_row(each, pair->intensity, q, result->partial_intensity + p * q);
			add_row(sinc_factor(result, p) / sums->weight, pair->sinc, q, s_ab);
			add_row(each, pair->intensity_error, q, result->partial_intensity_error + p * q);
			add_row(sinc_factor(result, p) / sums->weight, pair->sinc_error, q,
				result->partial_structure_factor_error + p * q);
			deliver_counts(sums, pair, p, result);
		}
	}
	return SONDE_OK;
}

/* R(r), n(r), g(r) */
static sonde_status deliver_distances(const struct mean_sums *sums, sonde_debye_result *result)
{
	const double each = 1.0 / (sums->weight * result->atoms_present);
	const int64_t count = result->r_count;

	if (result->radial_distribution == NULL)
		return SONDE_OK;
	add_row(each, sums->over_r + SUM_RADIAL * count, count, result->radial_distribution);
	add_row(each, sums->over_r + SUM_COORDINATION * count, count, result->running_coordination);
	if (result->options->density <= 0.0)
		return SONDE_OK;
	CHECK(allocate(&result->pair_correlation, count));
	for (int64_t k = 0; k < count; ++k) {
		const double r = grid_value(&result->options->r, k),
			     shell = 4.0 * PI * r * r * result->options->density;
		result->pair_correlation[k] = shell > 0.0 ? result->radial_distribution[k] / shell : NAN;
	}
	return SONDE_OK;
}

static void deliver_curves(const struct mean_sums *sums, sonde_debye_result *result)
{
	const double n = sums->present, *over_q = sums->over_q;
	const int64_t count = result->q_count;

	for (int64_t k = 0; k < count; ++k) {
		const double real = over_q[SUM_REAL * count + k] / n,
			     imaginary = over_q[SUM_IMAGINARY * count + k] / n,
			     square_mean = real * real + imaginary * imaginary,
			     mean_square = over_q[SUM_SQUARE * count + k] / n,
			     per_atom = over_q[SUM_INTENSITY * count + k] / n;
		result->intensity[k] = over_q[SUM_INTENSITY * count + k] / sums->weight;
		result->intensity_per_atom[k] = per_atom;
		result->error_estimate[k] = over_q[SUM_ERROR * count + k] / n;
		result->error_bound[k] = over_q[SUM_BOUND * count + k] / n;
		result->mean_square_amplitude[k] = mean_square;
		result->square_mean_amplitude[k] = square_mean;
		result->structure_factor[k] = square_mean > 0.0 ? 1.0 + (per_atom - mean_square) / square_mean : NAN;
		result->reduced_structure_factor[k] = result->q[k] * (result->structure_factor[k] - 1.0);
		result->provenance->mean_amplitude[2 * k] = real;
		result->provenance->mean_amplitude[2 * k + 1] = imaginary;
		const double scale = mean_square + fabs(per_atom);
		if (scale > 0.0) {
			result->largest_error = fmax(result->largest_error, result->error_estimate[k] / scale);
			result->largest_bound = fmax(result->largest_bound, result->error_bound[k] / scale);
		}
	}
}

/* G(r). That of periodic samples is not the transform of their damped S(q): the mean of those of the samples. */
static sonde_status deliver_distribution(sonde_context *context, const struct mean_sums *sums,
					 sonde_debye_result *result)
{
	const sonde_debye_options *options = result->options;

	if (options->boundary != SONDE_DEBYE_BOUNDARY_PERIODIC || options->damping == SONDE_DEBYE_DAMPING_NONE)
		return debye_distribution(context, NULL, NULL, result);
	add_row(1.0 / sums->present, sums->over_r + SUM_DISTRIBUTION * result->r_count, result->r_count,
		result->pair_distribution);
	for (int64_t k = 0; k < result->r_count; ++k)
		result->r[k] = grid_value(&options->r, k);
	return SONDE_OK;
}

/* The profile of the instrument is applied to each sample, on points that suit its extent: the convolution is linear. */
static sonde_status deliver_resolved(const struct mean_sums *sums, sonde_debye_result *result)
{
	const int64_t count = result->q_count;

	if (strcmp(result->options->resolution, "none") == 0)
		return SONDE_OK;
	CHECK(allocate(&result->intensity_resolved, count));
	CHECK(allocate(&result->intensity_resolved_error, count));
	add_row(1.0 / sums->weight, sums->over_q + SUM_RESOLVED * count, count, result->intensity_resolved);
	add_row(1.0 / sums->weight, sums->over_q + SUM_RESOLVED_ERROR * count, count,
		result->intensity_resolved_error);
	return SONDE_OK;
}

/* Atoms of different components are not at random on the sites of one of them: each has the scattering of its own
 * composition, not of the mean one. */
static void deliver_laue(const struct mean_sums *sums, sonde_debye_result *result)
{
	for (int64_t k = 0; result->laue != NULL && k < result->q_count; ++k) {
		result->laue[k] = sums->over_q[SUM_LAUE * result->q_count + k] / sums->present;
		result->intensity_without_laue[k] = result->intensity[k] - result->atoms_present * result->laue[k];
	}
}

sonde_status mean_sums_deliver(sonde_context *context, const struct mean_sums *sums, const sonde_debye_result *first,
			       sonde_debye_result *result)
{
	result->bin_count = sums->bin_count;
	result->sample_count = sums->samples;
	result->checked_points = sums->checked_points < INT_MAX ? (int)sums->checked_points : INT_MAX;
	CHECK(deliver_species(sums, result));
	CHECK(debye_allocate_curves(result));
	memcpy(result->q, first->q, (size_t)result->q_count * sizeof *result->q);
	if (first->two_theta != NULL) {
		CHECK(allocate(&result->two_theta, result->q_count));
		memcpy(result->two_theta, first->two_theta, (size_t)result->q_count * sizeof *result->two_theta);
	}
	deliver_curves(sums, result);
	CHECK(deliver_pairs(sums, result));
	CHECK(deliver_distances(sums, result));
	CHECK(deliver_distribution(context, sums, result));
	CHECK(mean_blocks_deliver(&sums->blocks, sums->weight, result));
	CHECK(compton_make(result));
	CHECK(deliver_resolved(sums, result));
	CHECK(derived_curves_make(result));
	deliver_laue(sums, result);
	return contrast_make_absolute_of_species(result);
}
