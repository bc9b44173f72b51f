#include "matter/build/lattice_cut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matter/build/primitive.h"
#include "matter/build/room.h"

#define ON_FACE 1e-7     /* points this close to the far face of a supercell, in cells, are on the near one */
#define MARGIN 1         /* cells beyond the box */
#define CLIP_MARGIN 1e-6 /* relative, and a cell at both ends */

/* The rows of one site in a shape. */
struct cut {
	const struct region *region;
	int part;        /* 1: the region; 2: its core */
	bool convex;     /* rows have one run */
	bool whole;      /* of a supercell, */
	double cells[3]; /* with these numbers of cells along its edges, whose reciprocal vectors are: */
	double reciprocal[3][3];
	double low[3], high[3]; /* box around the points */
	double vectors[3][3];
	double position[3];  /* of the site in cell 0 */
	int64_t first, last; /* cells along a row */
};

static bool is_convex(const struct region *region)
{
	const struct build_solid *solid = region->solid;

	if (solid->hollow > 0.0 || region->core > 0.0)
		return false;
	switch (solid->kind) {
	case BUILD_CYLINDER:
		return solid->size[2] == 0.0;
	case BUILD_SPHERE:
	case BUILD_BOX:
	case BUILD_SUPERCELL:
	case BUILD_ELLIPSOID:
	case BUILD_CONE:
	case BUILD_PRISM:
	case BUILD_POLYHEDRON:
		return true;
	default:
		return false;
	}
}

static bool is_inside(const struct cut *cut, const double r[3])
{
	if (!cut->whole)
		return region_part(cut->region, r) == cut->part;
	for (int k = 0; k < 3; ++k) {
		const double *b = cut->reciprocal[k],
			     along = (b[0] * r[0] + b[1] * r[1] + b[2] * r[2]) * cut->cells[k];
		if (!(along >= -ON_FACE && along < cut->cells[k] - ON_FACE))
			return false;
	}
	return true;
}

static bool has_point(const struct cut *cut, const double base[3], int64_t cell)
{
	double r[3];

	for (int m = 0; m < 3; ++m)
		r[m] = base[m] + (double)cell * cut->vectors[0][m];
	return is_inside(cut, r);
}

/* The only run: from the first to the last point. */
static int find_run(const struct cut *cut, const double base[3], int64_t first, int64_t last,
		    struct lattice_run *runs)
{
	while (first <= last && !has_point(cut, base, first))
		++first;
	if (first > last)
		return 0;
	while (!has_point(cut, base, last))
		--last;
	*runs = (struct lattice_run){first, last + 1};
	return 1;
}

static int find_runs(const struct cut *cut, const double base[3], int64_t first, int64_t last,
		     struct lattice_run *runs)
{
	int64_t began = 0;
	int count = 0;
	bool inside = false;

	for (int64_t cell = first; cell <= last + 1; ++cell) {
		const bool here = cell <= last && has_point(cut, base, cell);
		if (here && !inside)
			began = cell;
		if (!here && inside && count++ < LATTICE_MOST_RUNS)
			runs[count - 1] = (struct lattice_run){began, cell};
		inside = here;
	}
	return count;
}

/* Narrows [*begin, *end] to where the line base + x vector is within the ellipsoid with these inverse semi-axes, which
 * are 0 along the axis of a cylinder: where |base + x vector|^2 <= 1 in its units, slightly enlarged. */
static void clip_ellipsoid(const double inverse[3], const double base[3], const double vector[3], double *begin,
			   double *end)
{
	double a = 0.0, b = 0.0, c = -(1.0 + CLIP_MARGIN);

	for (int m = 0; m < 3; ++m) {
		const double x = base[m] * inverse[m], v = vector[m] * inverse[m];
		a += v * v;
		b += x * v;
		c += x * x;
	}
	if (a < 1e-24) {
		*end = c > 0.0 ? -INFINITY : *end;
		return;
	}
	const double square = b * b - a * c;
	if (square < 0.0) {
		*end = -INFINITY;
		return;
	}
	*begin = fmax(*begin, (-b - sqrt(square)) / a - 1.0);
	*end = fmin(*end, (-b + sqrt(square)) / a + 1.0);
}

/* The same for the planes of a polyhedron. */
static void clip_planes(const struct build_solid *solid, const double base[3], const double vector[3], double *begin,
			double *end)
{
	for (int n = 0; n < solid->faces.count; ++n) {
		const double *normal = solid->faces.planes[n].normal;
		const double left = solid->faces.planes[n].distance * (1.0 + CLIP_MARGIN) - normal[0] * base[0] -
				    normal[1] * base[1] - normal[2] * base[2],
			     slope = normal[0] * vector[0] + normal[1] * vector[1] + normal[2] * vector[2];
		if (fabs(slope) < 1e-12)
			*end = left < 0.0 ? -INFINITY : *end;
		else if (slope > 0.0)
			*end = fmin(*end, left / slope + 1.0);
		else
			*begin = fmax(*begin, left / slope - 1.0);
	}
}

/* Leaves out cells that are certainly outside. */
static void clip_solid(const struct cut *cut, const double base[3], double *begin, double *end)
{
	const struct build_solid *solid = cut->region->solid;
	const double *s = solid->size, *vector = cut->vectors[0];

	if (solid->kind == BUILD_SPHERE)
		clip_ellipsoid((const double[3]){1.0 / s[0], 1.0 / s[0], 1.0 / s[0]}, base, vector, begin, end);
	if (solid->kind == BUILD_CYLINDER)
		clip_ellipsoid((const double[3]){1.0 / s[0], 1.0 / s[0], 0.0}, base, vector, begin, end);
	if (solid->kind == BUILD_ELLIPSOID)
		clip_ellipsoid((const double[3]){1.0 / s[0], 1.0 / s[1], 1.0 / s[2]}, base, vector, begin, end);
	if (solid->kind == BUILD_POLYHEDRON || solid->kind == BUILD_PRISM)
		clip_planes(solid, base, vector, begin, end);
}

static int cut_row(const void *user, int64_t n2, int64_t n3, struct lattice_run *runs)
{
	const struct cut *cut = user;
	const struct region box = {.low = {cut->low[0], cut->low[1], cut->low[2]},
				   .high = {cut->high[0], cut->high[1], cut->high[2]}};
	double base[3], begin = (double)cut->first, end = (double)cut->last;

	for (int m = 0; m < 3; ++m)
		base[m] = cut->position[m] + ((double)n2 * cut->vectors[1][m] + (double)n3 * cut->vectors[2][m]);
	region_clip_line(&box, base, cut->vectors[0], &begin, &end);
	if (begin <= end)
		clip_solid(cut, base, &begin, &end);
	if (!(begin <= end))
		return 0;
	const int64_t first = (int64_t)floor(begin), last = (int64_t)ceil(end);
	return cut->convex ? find_run(cut, base, first, last, runs) : find_runs(cut, base, first, last, runs);
}

/* The whole supercell, and the box around it. */
static void use_supercell(struct cut *cut, const struct build_solid *solid, const struct crystal *crystal)
{
	const double volume = fabs(crystal_reciprocal(solid->edges, cut->reciprocal)),
		     cells = round(volume / fabs(crystal_reciprocal(crystal->vectors, NULL)));
	const bool diagonal = solid->size[0] > 0.0;

	cut->whole = true;
	for (int k = 0; k < 3; ++k)
		cut->cells[k] = diagonal ? solid->size[k] : cells;
	for (int m = 0; m < 3; ++m) {
		cut->low[m] = cut->high[m] = 0.0;
		for (int k = 0; k < 3; ++k) {
			cut->low[m] += fmin(0.0, solid->edges[k][m]);
			cut->high[m] += fmax(0.0, solid->edges[k][m]);
		}
	}
}

/* Rows along the vector that has the fewest of them in the box. */
static void choose_rows(const struct cut *cut, double vectors[3][3], double lattice[3][3])
{
	double reciprocal[3][3], reach[3] = {0.0, 0.0, 0.0}, least = INFINITY;
	int rows = 0;

	crystal_reciprocal((const double(*)[3])vectors, reciprocal);
	for (int k = 0; k < 3; ++k)
		for (int m = 0; m < 3; ++m)
			reach[k] += fabs(reciprocal[k][m]) * (cut->high[m] - cut->low[m]);
	for (int k = 0; k < 3; ++k) {
		const double across = (reach[(k + 1) % 3] + 1.0) * (reach[(k + 2) % 3] + 1.0);
		if (across < least) {
			least = across;
			rows = k;
		}
	}
	for (int k = 0; k < 3; ++k)
		memcpy(lattice[k], vectors[(rows + k) % 3], sizeof lattice[k]);
}

/* The cells that the box can touch: by the rows of the inverse matrix, n_k = x . b_k. */
static void find_range(const struct cut *cut, struct lattice_site *site)
{
	double reciprocal[3][3];

	crystal_reciprocal(cut->vectors, reciprocal);
	for (int k = 0; k < 3; ++k) {
		double reach = 0.0, middle = 0.0;
		for (int m = 0; m < 3; ++m) {
			reach += fabs(reciprocal[k][m]) * 0.5 * (cut->high[m] - cut->low[m]);
			middle += reciprocal[k][m] * (0.5 * (cut->high[m] + cut->low[m]) - cut->position[m]);
		}
		site->low[k] = (int64_t)floor(middle - reach) - MARGIN;
		site->high[k] = (int64_t)ceil(middle + reach) + MARGIN;
	}
}

static sonde_status check_size(const struct cut *cut, const struct primitive_cell *cell)
{
	double volume = 1.0;

	for (int m = 0; m < 3; ++m)
		volume *= cut->high[m] - cut->low[m];
	return room_check_limit(0.5 * volume / fabs(crystal_reciprocal(cut->vectors, NULL)) * cell->site_count);
}

static sonde_status add_site(sonde_context *context, const struct crystal *crystal, int number,
			     const double center[3], const int *kinds, struct cut *cut, sonde_lattice *lattice)
{
	struct lattice_site site = {.row = cut_row, .user = cut};
	const int species = crystal->site_species[number];

	for (int m = 0; m < 3; ++m) {
		cut->position[m] = cut->whole ? 0.0 : -center[m];
		for (int k = 0; k < 3; ++k)
			cut->position[m] += crystal->site[number][k] * crystal->vectors[k][m];
	}
	memcpy(site.position, cut->position, sizeof site.position);
	find_range(cut, &site);
	cut->first = site.low[0];
	cut->last = site.high[0];
	for (cut->part = 1; cut->part <= (cut->region->core > 0.0 ? 2 : 1); ++cut->part) {
		site.kind = kinds[species + (cut->part - 1) * crystal->species_count];
		if (site.kind >= 0)
			CHECK(lattice_add_site(context, lattice, &site));
	}
	return SONDE_OK;
}

sonde_status lattice_cut(sonde_context *context, const struct crystal *crystal, const struct region *region,
			 const double center[3], const int *kinds, sonde_lattice *lattice)
{
	struct cut cut = {.region = region, .convex = is_convex(region)};
	struct primitive_cell cell;
	sonde_status status;

	memcpy(cut.low, region->low, sizeof cut.low);
	memcpy(cut.high, region->high, sizeof cut.high);
	if (region->solid->kind == BUILD_SUPERCELL)
		use_supercell(&cut, region->solid, crystal);
	CHECK_GOTO(status, primitive_find(crystal, &cell), done);
	choose_rows(&cut, cell.vectors, lattice->vectors);
	memcpy(cut.vectors, lattice->vectors, sizeof cut.vectors);
	CHECK_GOTO(status, check_size(&cut, &cell), done);
	for (int k = 0; k < cell.site_count && status == SONDE_OK; ++k)
		status = add_site(context, crystal, cell.sites[k], center, kinds, &cut, lattice);
done:
	primitive_free(&cell);
	return status;
}
