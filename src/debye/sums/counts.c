/* Numbers of pairs by distance: the histogram and the radial distribution functions derived from it.
 *
 *     R(r) dr = 1/N sum_{i != j} p_ij [r <= r_ij < r + dr]      neighbors of an atom between r and r + dr
 *     R_ab(r) = the same for neighbors of species b around an atom of species a, with 1/N_a for 1/N
 *     g(r)    = R(r)/(4 pi r^2 rho0), rho0 the density of atoms given by the caller
 *     n(r)    = 1/N sum_{i != j} p_ij [r_ij <= r]           neighbors of an atom up to r; n_ab likewise
 *
 * Atoms that move have peaks in place of distances (count_peaks.h); the histogram itself is that of the positions.
 */
#include "debye/sums/counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "debye/kernels/histogram_layout.h"

#define ROUNDING 1e-9 /* relative, of sums over many pairs */

sonde_status pair_counts_make(const struct debye_classes *classes, const struct debye_plan *plan,
			      struct pair_counts *counts)
{
	size_t pairs = (size_t)species_pair_count(classes->count),
	       rows = (size_t)species_pair_count(classes->species_count);
	size_t size;

	*counts = (struct pair_counts){.bins = plan->bin_count + 1, .width = plan->bin_width};
	size = rows * (size_t)counts->bins;
	CHECK(memory_allocate(&counts->row, pairs, sizeof *counts->row, "the numbers of pairs"));
	CHECK(memory_allocate(&counts->weight, pairs, sizeof *counts->weight, "the numbers of pairs"));
	CHECK(memory_allocate(&counts->pairs, size, sizeof *counts->pairs, "the numbers of pairs"));
	CHECK(memory_allocate(&counts->distances, size, sizeof *counts->distances, "the numbers of pairs"));
	for (int a = 0; a < classes->count; ++a) {
		for (int b = a; b < classes->count; ++b) {
			int pair = species_pair_index(classes->count, a, b);
			counts->row[pair] =
			    species_pair_index(classes->species_count, classes->species[a], classes->species[b]);
			counts->weight[pair] = classes->occupancy[a] * classes->occupancy[b];
		}
	}
	return count_peaks_make(classes, &plan->options.r, (int)rows, &counts->peaks);
}

void pair_counts_free(struct pair_counts *counts)
{
	free(counts->row);
	free(counts->weight);
	free(counts->pairs);
	free(counts->distances);
	free(counts->gross);
	count_peaks_free(&counts->peaks);
	*counts = (struct pair_counts){0};
}

void pair_counts_add(struct pair_counts *counts, int pair, int64_t bin, double pairs, double r)
{
	int64_t at = counts->row[pair] * counts->bins + bin;

	counts->pairs[at] += counts->weight[pair] * pairs;
	counts->distances[at] += counts->weight[pair] * pairs * r;
	if (counts->peaks != NULL)
		count_peaks_add(counts->peaks, counts->row[pair], pair, counts->weight[pair] * pairs, r);
}

/* Pairs of sites whose occupancies depend on each other. */
static sonde_status add_joint(const struct debye_classes *classes, struct pair_counts *counts, int64_t size)
{
	if (classes->joint_count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&counts->gross, (size_t)size, sizeof *counts->gross, "the numbers of pairs"));
	memcpy(counts->gross, counts->pairs, (size_t)size * sizeof *counts->gross);
	for (size_t k = 0; k < classes->joint_count; ++k) {
		const struct joint_pair *joint = &classes->joint[k];
		/* rounded as the histogram rounds distances */
		double units = nearbyint(joint->r / counts->width * (1 << OFFSET_BITS));
		pair_counts_add(counts, joint->pair, (int64_t)(units / (1 << OFFSET_BITS)), joint->surplus, joint->r);
	}
	return SONDE_OK;
}

/* Turns sums of distances into means. Where all pairs were subtracted, the remainder is rounding, relative to
 * their number, since occupancies may be arbitrarily small. */
static void find_means(struct pair_counts *counts, int64_t size)
{
	for (int64_t n = 0; n < size; ++n) {
		if (counts->gross != NULL && fabs(counts->pairs[n]) <= ROUNDING * counts->gross[n])
			counts->pairs[n] = 0.0;
		counts->distances[n] = counts->pairs[n] != 0.0 ? counts->distances[n] / counts->pairs[n] : 0.0;
	}
}

/* The pairs of two species as neighbors of an atom of the first one, in the bins of the grid of r. A bin of the
 * histogram is assigned by its mean distance. */
static void fill_row(const struct pair_counts *counts, const sonde_grid *grid, int pair, double each, double *row)
{
	double step = (grid->last - grid->first) / (double)(grid->points - 1);

	for (int64_t k = 0; counts->peaks != NULL && k < grid->points; ++k)
		row[k] += each * counts->peaks->radial[pair * grid->points + k] / step;
	for (int64_t b = 0; counts->peaks == NULL && b < counts->bins; ++b) {
		int64_t at = pair * counts->bins + b;
		double place = floor((counts->distances[at] - grid->first) / step + 0.5);
		if (counts->pairs[at] != 0.0 && place >= 0.0 && place < (double)grid->points)
			row[(int64_t)place] += each * counts->pairs[at] / step;
	}
}

/* The same pairs, each at the first point of the grid that is not below its distance. */
static void fill_steps(const struct pair_counts *counts, const sonde_grid *grid, int pair, double each, double *row)
{
	double step = (grid->last - grid->first) / (double)(grid->points - 1);

	for (int64_t k = 0; counts->peaks != NULL && k < grid->points; ++k)
		row[k] += each * counts->peaks->steps[pair * grid->points + k];
	for (int64_t b = 0; counts->peaks == NULL && b < counts->bins; ++b) {
		int64_t at = pair * counts->bins + b;
		double place = fmax(0.0, ceil((counts->distances[at] - grid->first) / step));
		if (counts->pairs[at] != 0.0 && place < (double)grid->points)
			row[(int64_t)place] += each * counts->pairs[at];
	}
}

static void add_up(double *row, size_t points)
{
	for (size_t k = 1; k < points; ++k)
		row[k] += row[k - 1];
}

/* n(r) and n_ab */
static sonde_status fill_coordination(const struct pair_counts *counts, sonde_debye_result *result)
{
	const sonde_grid *grid = &result->options->r;
	size_t points = (size_t)grid->points;

	CHECK(memory_allocate(&result->running_coordination, points, sizeof(double), "n(r)"));
	CHECK(memory_allocate(&result->partial_running_coordination, (size_t)result->pair_count * points,
			      sizeof(double), "n(r)"));
	for (int p = 0; p < result->pair_count; ++p) {
		bool like = result->pair_a[p] == result->pair_b[p];
		double *row = result->partial_running_coordination + (size_t)p * points;
		fill_steps(counts, grid, p, 2.0 / result->atoms_present, result->running_coordination);
		fill_steps(counts, grid, p, (like ? 2.0 : 1.0) / result->species_present[result->pair_a[p]], row);
		add_up(row, points);
	}
	add_up(result->running_coordination, points);
	return SONDE_OK;
}

/* Of a periodic sample: bins of the grid that are not within the cut-off, or in the reach of peaks beyond it, are not
 * known. */
static void end_at_cutoff(const struct count_peaks *peaks, sonde_debye_result *result)
{
	const sonde_debye_options *options = result->options;
	const sonde_grid *grid = &options->r;
	const double half = 0.5 * (grid->last - grid->first) / (double)(grid->points - 1);

	if (options->boundary != SONDE_DEBYE_BOUNDARY_PERIODIC)
		return;
	const double end = options->cutoff - (peaks != NULL ? count_peaks_reach(peaks, options->cutoff) : 0.0);
	for (int64_t k = 0; k < grid->points; ++k) {
		const double r = grid_value(grid, k);
		const bool known = r + half <= end;
		for (int p = 0; p < result->pair_count && !known; ++p)
			result->partial_radial_distribution[p * grid->points + k] = NAN;
		if (!known)
			result->radial_distribution[k] = result->pair_correlation[k] = NAN;
		for (int p = 0; p < result->pair_count && r > end; ++p)
			result->partial_running_coordination[p * grid->points + k] = NAN;
		if (r > end)
			result->running_coordination[k] = NAN;
	}
}

sonde_status pair_counts_deliver(const struct debye_classes *classes, struct pair_counts *counts,
				 sonde_debye_result *result)
{
	const sonde_grid *grid = &result->options->r;
	size_t points = (size_t)grid->points;

	CHECK(add_joint(classes, counts, result->pair_count * counts->bins));
	find_means(counts, result->pair_count * counts->bins);
	if (points > 1) {
		CHECK(memory_allocate(&result->radial_distribution, points, sizeof(double), "R(r)"));
		CHECK(memory_allocate(&result->partial_radial_distribution, (size_t)result->pair_count * points,
				      sizeof(double), "R(r)"));
	}
	if (points > 1 && result->options->density > 0.0)
		CHECK(memory_allocate(&result->pair_correlation, points, sizeof(double), "g(r)"));
	for (int p = 0; points > 1 && p < result->pair_count; ++p) {
		bool like = result->pair_a[p] == result->pair_b[p];
		fill_row(counts, grid, p, 2.0 / result->atoms_present, result->radial_distribution);
		fill_row(counts, grid, p, (like ? 2.0 : 1.0) / result->species_present[result->pair_a[p]],
			 result->partial_radial_distribution + (size_t)p * points);
	}
	for (size_t k = 0; result->pair_correlation != NULL && k < points; ++k) {
		double r = grid_value(grid, (int64_t)k), shell = 4.0 * PI * r * r * result->options->density;
		result->pair_correlation[k] = shell > 0.0 ? result->radial_distribution[k] / shell : NAN;
	}
	if (points > 1) {
		CHECK(fill_coordination(counts, result));
		end_at_cutoff(counts->peaks, result);
	}
	result->counted_bins = counts->bins;
	result->counted_pairs = counts->pairs;
	result->counted_distances = counts->distances;
	counts->pairs = counts->distances = NULL;
	return SONDE_OK;
}
