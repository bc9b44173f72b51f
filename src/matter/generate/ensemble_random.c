/* Random orientations and places. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/constants.h"
#include "base/memory.h"
#include "matter/generate/ensemble.h"
#include "matter/generate/keyed_random.h"
#include "run/context.h"

/* Three numbers in (0, 1). */
static void draw(uint64_t seed, enum random_purpose purpose, int64_t copy, uint32_t trial, double numbers[3])
{
	const struct random_key key = {(int64_t)seed, (uint32_t)purpose};
	double last[2];

	keyed_uniforms(key, copy, 2 * trial, numbers);
	keyed_uniforms(key, copy, 2 * trial + 1, last);
	numbers[2] = last[0];
}

void ensemble_turn(uint64_t seed, struct ensemble *ensemble)
{
	for (int64_t n = 0; n < ensemble->count; ++n) {
		double u[3];
		draw(seed, RANDOM_ORIENTATION, n, 0, u);
		rotation_of_uniforms(u, ensemble->placements[n].rotation);
	}
}

/* Random places: cells as wide as the largest sphere, so that neighbors are in the 27 around ---------- */

struct cells {
	int64_t rows;
	double width, reach;   /* of a cell; the centers are within +-reach */
	int64_t *first, *next; /* first copy of a cell and next one in it, plus 1; 0: none */
	const double *radii;   /* of the structures */
};

static int64_t row_of(const struct cells *cells, double x)
{
	const int64_t row = (int64_t)((x + cells->reach) / cells->width);

	return row < 0 ? 0 : row >= cells->rows ? cells->rows - 1 : row;
}

static double radius_of(const struct cells *cells, const struct ensemble *ensemble, int64_t n)
{
	return cells->radii[ensemble->structure_of != NULL ? ensemble->structure_of[n] : 0];
}

/* Whether the sphere around another center overlaps the one of this radius. */
static bool is_taken(const struct cells *cells, const struct ensemble *ensemble, const double place[3], double radius)
{
	int64_t low[3], high[3];

	for (int k = 0; k < 3; ++k) {
		const int64_t row = row_of(cells, place[k]);
		low[k] = row > 0 ? row - 1 : 0;
		high[k] = row < cells->rows - 1 ? row + 1 : row;
	}
	for (int64_t i = low[0]; i <= high[0]; ++i)
		for (int64_t j = low[1]; j <= high[1]; ++j)
			for (int64_t k = low[2]; k <= high[2]; ++k)
				for (int64_t n = cells->first[(i * cells->rows + j) * cells->rows + k]; n > 0;
				     n = cells->next[n - 1]) {
					const double *other = ensemble->placements[n - 1].position;
					const double d[3] = {place[0] - other[0], place[1] - other[1],
							     place[2] - other[2]},
						     apart = radius + radius_of(cells, ensemble, n - 1);
					if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < apart * apart)
						return true;
				}
	return false;
}

static void add_to_cell(struct cells *cells, const double place[3], int64_t n)
{
	int64_t *first =
	    &cells->first[(row_of(cells, place[0]) * cells->rows + row_of(cells, place[1])) * cells->rows +
			  row_of(cells, place[2])];

	cells->next[n] = *first;
	*first = n + 1;
}

/* How far a sphere's center may be from the middle of a box, along an edge. */
static double reach_of(double edge, double radius)
{
	return fmax(0.5 * edge - radius, 1e-9 * radius);
}

/* The first of the trials at a free place. */
static sonde_status find_place(const struct cells *cells, uint64_t seed, int64_t n, double density,
			       struct ensemble *ensemble)
{
	double *place = ensemble->placements[n].position, u[3];
	const double radius = radius_of(cells, ensemble, n), reach = reach_of(ensemble->edges[0], radius);

	for (uint32_t trial = 0; trial < ENSEMBLE_TRIES; ++trial) {
		draw(seed, RANDOM_PLACE, n, trial, u);
		for (int k = 0; k < 3; ++k)
			place[k] = reach * (2.0 * u[k] - 1.0);
		if (!is_taken(cells, ensemble, place, radius))
			return SONDE_OK;
	}
	double filled = 0.0, all = 0.0;
	for (int64_t k = 0; k < ensemble->count; ++k) {
		const double volume = pow(radius_of(cells, ensemble, k) / radius, 3.0);
		filled += k < n ? volume : 0.0;
		all += volume;
	}
	return status_fail(
	    SONDE_INVALID,
	    "no room for copy %lld of %lld: after %d tries the copies' spheres of radius %g Angstrom fill "
	    "%.3g of the box instead of %.3g; a lower density is needed",
	    (long long)n + 1, (long long)ensemble->count, ENSEMBLE_TRIES, radius, density * filled / all, density);
}

static sonde_status make_cells(int64_t count, double reach, double diameter, const double *radii, struct cells *cells)
{
	const double most = cbrt(4.0 * (double)count) + 1.0; /* no more cells than a few for each copy */

	*cells = (struct cells){.reach = reach, .radii = radii};
	cells->rows = (int64_t)fmax(1.0, fmin(most, floor(2.0 * reach / diameter)));
	cells->width = 2.0 * reach / (double)cells->rows;
	CHECK(memory_allocate(&cells->first, (size_t)(cells->rows * cells->rows * cells->rows), sizeof *cells->first,
			      "the cells of the copies"));
	return memory_allocate(&cells->next, (size_t)count, sizeof *cells->next, "the cells of the copies");
}

static sonde_status fill_box(sonde_context *context, double density, uint64_t seed, struct cells *cells,
			     struct ensemble *ensemble)
{
	struct stage stage;

	stage_begin(&stage, context, "places", "copies", (double)ensemble->count);
	for (int64_t n = 0; n < ensemble->count; ++n) {
		CHECK(find_place(cells, seed, n, density, ensemble));
		add_to_cell(cells, ensemble->placements[n].position, n);
		if (n % 1024 == 1023 || n + 1 == ensemble->count)
			CHECK(stage_advance(&stage, (double)(n + 1)));
	}
	return SONDE_OK;
}

/* The structure of each place: numbers[s] of s, in the order of `first`, or as they are if it is null. */
static sonde_status assign(int structures, const int64_t *numbers, const int *first, struct ensemble *ensemble)
{
	int64_t n = 0;

	CHECK(memory_allocate(&ensemble->structure_of, (size_t)ensemble->count, sizeof *ensemble->structure_of,
			      "the places of the copies"));
	for (int k = 0; k < structures; ++k) {
		const int s = first != NULL ? first[k] : k;
		for (int64_t copy = 0; copy < numbers[s]; ++copy)
			ensemble->structure_of[n++] = s;
	}
	return SONDE_OK;
}

/* The structures, the largest first. */
static void sort_by_radius(int structures, const double *radii, int *order)
{
	for (int s = 0; s < structures; ++s) {
		int k = s;
		for (; k > 0 && radii[order[k - 1]] < radii[s]; --k)
			order[k] = order[k - 1];
		order[k] = s;
	}
}

static sonde_status check_spheres(int structures, const double *radii, double largest, double density, double edge)
{
	for (int s = 0; s < structures; ++s)
		if (!(radii[s] > 0.0 && density > 0.0 && density < 1.0))
			return status_fail(
			    SONDE_INVALID,
			    "spheres of radius %g that fill %g of a box: the radius must be above 0, the density "
			    "between 0 and 1",
			    radii[s], density);
	if (!(edge <= ENSEMBLE_LARGEST_PLACE))
		return status_fail(SONDE_INVALID, "the box of the copies would be %g Angstrom wide; at most %g", edge,
				   ENSEMBLE_LARGEST_PLACE);
	if (edge < 2.0 * largest)
		return status_fail(
		    SONDE_INVALID,
		    "a box of %g Angstrom, as this density requires, has no room for a sphere of radius %g; "
		    "a lower density is needed",
		    edge, largest);
	return SONDE_OK;
}

static sonde_status place_spheres(sonde_context *context, int structures, const int64_t *numbers, const double *radii,
				  double density, uint64_t seed, struct ensemble *ensemble)
{
	int order[ENSEMBLE_MOST_STRUCTURES] = {0};
	struct cells cells = {0};

	sort_by_radius(structures, radii, order);
	const double largest = radii[order[0]], smallest = radii[order[structures - 1]];
	if (structures > 1)
		CHECK(assign(structures, numbers, order, ensemble));
	sonde_status status =
	    make_cells(ensemble->count, reach_of(ensemble->edges[0], smallest), 2.0 * largest, radii, &cells);
	if (status == SONDE_OK)
		status = fill_box(context, density, seed, &cells, ensemble);
	free(cells.first);
	free(cells.next);
	return status;
}

sonde_status ensemble_random_mixture(sonde_context *context, int structures, const int64_t *numbers,
				     const double *radii, double density, uint64_t seed, struct ensemble *ensemble)
{
	double largest = 0.0, volume = 0.0; /* in units of the cube of the largest radius */
	int64_t count = 0;

	*ensemble = (struct ensemble){0};
	for (int s = 0; s < structures; ++s)
		largest = fmax(largest, radii[s]);
	for (int s = 0; s < structures; ++s) {
		const double ratio = radii[s] / largest;
		volume += (double)numbers[s] * (ratio * ratio * ratio);
		count += numbers[s];
	}
	const double edge = cbrt(volume * 4.0 / 3.0 * PI / density) * largest;
	CHECK(check_spheres(structures, radii, largest, density, edge));
	CHECK(ensemble_begin(count, ensemble));
	for (int k = 0; k < 3; ++k)
		ensemble->edges[k] = edge;
	const sonde_status status = place_spheres(context, structures, numbers, radii, density, seed, ensemble);
	if (status != SONDE_OK)
		ensemble_free(ensemble);
	return status;
}

sonde_status ensemble_random(sonde_context *context, int64_t count, double radius, double density, uint64_t seed,
			     struct ensemble *ensemble)
{
	return ensemble_random_mixture(context, 1, &count, &radius, density, seed, ensemble);
}

/* By exchanging each with one of those before it, or itself (Fisher and Yates). */
sonde_status ensemble_mix(int structures, const int64_t *numbers, uint64_t seed, struct ensemble *ensemble)
{
	CHECK(assign(structures, numbers, NULL, ensemble));
	for (int64_t n = ensemble->count - 1; n > 0; --n) {
		double u[3];
		draw(seed, RANDOM_PLACE, n, 0, u);
		const int64_t other = (int64_t)(u[0] * (double)(n + 1));
		const int32_t structure = ensemble->structure_of[n];
		ensemble->structure_of[n] = ensemble->structure_of[other];
		ensemble->structure_of[other] = structure;
	}
	return SONDE_OK;
}
