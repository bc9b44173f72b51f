#include "coulomb/periodic/cell.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/vectors.h"
#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "run/context.h"

#define MOST_IMAGES 1e9
#define ROUNDING 1e-9        /* of fractions */
#define CHARGES_OF_LOOK 4096 /* between checks for cancellation */

static sonde_status invert(struct cell *cell)
{
	double normals[3][3];

	for (int k = 0; k < 3; ++k)
		vector_cross(cell->edges[(k + 1) % 3], cell->edges[(k + 2) % 3], normals[k]);
	double signed_volume = vector_dot(cell->edges[0], normals[0]);
	double size = sqrt(vector_dot(cell->edges[0], cell->edges[0]) * vector_dot(cell->edges[1], cell->edges[1]) *
			   vector_dot(cell->edges[2], cell->edges[2]));
	cell->volume = fabs(signed_volume);
	if (!(cell->volume > 1e-6 * size))
		return status_fail(SONDE_INVALID,
				   "the cell has no volume: its edges lie in one plane, or one is zero");
	for (int k = 0; k < 3; ++k)
		for (int c = 0; c < 3; ++c)
			cell->inverse[k][c] = normals[k][c] / signed_volume;
	return SONDE_OK;
}

/* The length of the shortest wave vector of the slab's own lattice. */
static double slowest_wave(const struct cell *cell)
{
	double least = INFINITY;

	for (int n = 0; n <= 3; ++n) {
		for (int m = -3; m <= 3; ++m) {
			double k[3];
			for (int c = 0; c < 3; ++c)
				k[c] = 2.0 * PI * (n * cell->inverse[0][c] + m * cell->inverse[1][c]);
			if (n != 0 || m != 0)
				least = fmin(least, sqrt(vector_dot(k, k)));
		}
	}
	return least;
}

/* Range of charges and points along the normal. */
static void find_span(const struct charges *charges, const struct targets *targets, const double normal[3],
		      double *low, double *high)
{
	*low = INFINITY;
	*high = -INFINITY;
	for (uint32_t j = 0; j < charges->count; ++j) {
		double z = charges->x[j] * normal[0] + charges->y[j] * normal[1] + charges->z[j] * normal[2];
		*low = fmin(*low, z);
		*high = fmax(*high, z);
	}
	/* for a grid its corners are sufficient */
	int64_t points = targets->is_grid ? 8 : targets->count;
	for (int64_t n = 0; n < points; ++n) {
		double point[3];
		int64_t index = n;
		if (targets->is_grid) {
			const int64_t last[3] = {targets->size[0] - 1, targets->size[1] - 1, targets->size[2] - 1};
			index = ((n / 4 * last[2]) * targets->size[1] + n / 2 % 2 * last[1]) * targets->size[0] +
				n % 2 * last[0];
		}
		targets_point(targets, index, point);
		*low = fmin(*low, vector_dot(point, normal));
		*high = fmax(*high, vector_dot(point, normal));
	}
}

/* The normal in place of the third edge. */
static sonde_status find_normal(struct cell *cell)
{
	vector_cross(cell->edges[0], cell->edges[1], cell->normal);
	double area = sqrt(vector_dot(cell->normal, cell->normal));
	double size = sqrt(vector_dot(cell->edges[0], cell->edges[0]) * vector_dot(cell->edges[1], cell->edges[1]));
	if (!(area > 1e-6 * size))
		return status_fail(SONDE_INVALID,
				   "the cell has no area: its first two edges lie in one line, or one is zero");
	for (int c = 0; c < 3; ++c)
		cell->edges[2][c] = cell->normal[c] /= area;
	return SONDE_OK;
}

static sonde_status make_slab(const struct charges *charges, const struct targets *targets, double tolerance,
			      struct cell *cell)
{
	double low, high;

	find_span(charges, targets, cell->normal, &low, &high);
	/* exp(-k (H - span)) is the residual effect of the slab's structure on its images */
	cell->middle = 0.5 * (low + high);
	cell->height = high - low + (2.0 - log(tolerance)) / slowest_wave(cell);
	for (int c = 0; c < 3; ++c)
		cell->edges[2][c] = cell->normal[c] * cell->height;
	CHECK(invert(cell));
	for (uint32_t j = 0; j < charges->count; ++j) {
		const double r[3] = {charges->x[j], charges->y[j], charges->z[j]};
		double z = vector_dot(r, cell->normal) - cell->middle;
		cell->moment += charges->q[j] * z;
		cell->square += charges->q[j] * z * z;
		cell->total += charges->q[j];
	}
	return SONDE_OK;
}

sonde_status cell_lattice(const sonde_atoms *atoms, const sonde_coulomb_options *options, bool mirrored,
			  struct cell *cell)
{
	const sonde_vector *edges = &options->cell;
	bool given = edges->x != 0.0 || edges->y != 0.0 || edges->z != 0.0;

	*cell = (struct cell){.edges = {{edges->x, 0.0, 0.0}, {0.0, edges->y, 0.0}, {0.0, 0.0, edges->z}},
			      .slab = options->boundary == SONDE_COULOMB_BOUNDARY_SLAB};
	if (!given && !atoms->has_lattice)
		return status_fail_option(SONDE_INVALID, "boundary",
					  "the sample has no Lattice; give the cell as `cell A,B,C`");
	if (!given)
		memcpy(cell->edges, atoms->lattice, sizeof cell->edges);
	for (int k = 0; k < 3 && mirrored; ++k) {
		double x = cell->edges[k][2];
		cell->edges[k][2] = cell->edges[k][0];
		cell->edges[k][0] = x;
	}
	if (cell->slab)
		CHECK(find_normal(cell));
	return invert(cell);
}

sonde_status cell_make(const sonde_atoms *atoms, const sonde_coulomb_options *options, const struct charges *charges,
		       const struct targets *targets, bool mirrored, double tolerance, struct cell *cell)
{
	CHECK(cell_lattice(atoms, options, mirrored, cell));
	return cell->slab ? make_slab(charges, targets, tolerance, cell) : SONDE_OK;
}

void cell_fractions(const struct cell *cell, const double point[3], double fractions[3])
{
	for (int k = 0; k < 3; ++k)
		fractions[k] = vector_dot(cell->inverse[k], point);
}

void cell_wrap(const struct cell *cell, double point[3])
{
	double fractions[3];

	cell_fractions(cell, point, fractions);
	for (int k = 0; k < 3; ++k) {
		double whole = floor(fractions[k]);
		for (int c = 0; c < 3; ++c)
			point[c] -= whole * cell->edges[k][c];
	}
}

/* The images to be listed, and the output. */
struct image_list {
	const struct cell *cell;
	const double *low, *high;
	keep_image *keep;
	const void *user;
	struct charges *images; /* null arrays: images are only counted */
	size_t count;
};

static void list_images(struct image_list *list, const double place[3], double q)
{
	const struct cell *cell = list->cell;
	double home[3] = {place[0], place[1], place[2]}, f[3];
	int first[3], last[3];

	cell_wrap(cell, home);
	cell_fractions(cell, home, f);
	for (int k = 0; k < 3; ++k) {
		first[k] = (int)ceil(list->low[k] - ROUNDING - f[k]);
		last[k] = (int)floor(list->high[k] + ROUNDING - f[k]);
	}
	for (int n = first[0]; n <= last[0]; ++n) {
		for (int m = first[1]; m <= last[1]; ++m) {
			for (int l = first[2]; l <= last[2]; ++l) {
				const double shift[3] = {n, m, l};
				double at[3] = {home[0], home[1], home[2]};
				/* from the atom itself, not from its fractional coordinates: exact for the image
				 * in the cell */
				for (int k = 0; k < 3; ++k)
					for (int c = 0; c < 3; ++c)
						at[c] += shift[k] * cell->edges[k][c];
				if (list->keep != NULL && !list->keep(list->user, at))
					continue;
				if (list->images->x != NULL) {
					list->images->x[list->count] = at[0];
					list->images->y[list->count] = at[1];
					list->images->z[list->count] = at[2];
					list->images->q[list->count] = q;
				}
				++list->count;
			}
		}
	}
}

/* Counts the images, or lists them if the arrays exist. */
static sonde_status go_through(const sonde_context *context, const struct charges *charges, struct image_list *list)
{
	list->count = 0;
	for (uint32_t j = 0; j < charges->count; ++j) {
		const double place[3] = {charges->x[j], charges->y[j], charges->z[j]};
		if (j % CHARGES_OF_LOOK == 0 && context_cancelled(context))
			return status_fail(SONDE_CANCELLED, "stopped on request at the images of the charges");
		list_images(list, place, charges->q[j]);
	}
	return SONDE_OK;
}

sonde_status cell_images(const sonde_context *context, const struct cell *cell, const struct charges *charges,
			 const double low[3], const double high[3], keep_image *keep, const void *user,
			 struct charges *images)
{
	/* only the first set: periodic charges are summed set by set */
	double **arrays[] = {&images->x, &images->y, &images->z, &images->q}, estimate = charges->count;
	struct image_list list = {cell, low, high, keep, user, images, 0};
	sonde_status status;

	*images = (struct charges){0};
	for (int k = 0; k < 3; ++k)
		estimate *= high[k] - low[k];
	if (estimate > MOST_IMAGES)
		return status_fail(SONDE_INVALID, "the cell is too flat: more than %g images are within reach",
				   MOST_IMAGES);
	CHECK(go_through(context, charges, &list));
	status = SONDE_OK;
	for (int a = 0; a < 4 && status == SONDE_OK; ++a)
		status = memory_allocate(arrays[a], list.count + 1, sizeof(double), "the images of the charges");
	if (status == SONDE_OK)
		status = go_through(context, charges, &list);
	if (status != SONDE_OK)
		charges_free(images);
	else
		images->count = (uint32_t)list.count;
	images->sets = 1;
	return status;
}

void cell_slab_term(const struct cell *cell, const double point[3], double sums[4])
{
	double z = vector_dot(point, cell->normal) - cell->middle, factor = 2.0 * PI / cell->volume;

	memset(sums, 0, 4 * sizeof *sums);
	if (!cell->slab)
		return;
	sums[0] = factor * (2.0 * z * cell->moment - cell->square - cell->total * z * z -
			    cell->total * cell->height * cell->height / 6.0);
	for (int c = 0; c < 3; ++c)
		sums[1 + c] = -factor * (2.0 * cell->moment - 2.0 * cell->total * z) * cell->normal[c];
}
