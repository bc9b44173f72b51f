#include "matter/build/walk.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matter/build/inside.h"
#include "matter/build/room.h"

#define MOST_CELLS 2e9 /* cells examined along one axis times another */
#define BLOCKS 4096    /* parts of the rows of cells along c, whose atoms are counted, then placed */
#define BATCH 256      /* blocks between two looks at the clock */
#define ALONE 1e5      /* sites examined: fewer take one thread less time than to wake others */
#define MARGIN 1e-6    /* by which the box around a shape is enlarged, relative */

/* Regions ------------------------------------------------------------------------------------ */

/* The mesh reaches BUILD_ON_SURFACE of its size beyond the surface, so that atoms on it are inside. */
static sonde_status read_mesh(const struct build_solid *solid, struct region *region)
{
	static const double nowhere[3] = {0.0, 0.0, 0.0};
	double size = 0.0;

	CHECK(shape_create_stl(solid->stl, solid->stl_scale, nowhere, 0.0, &region->mesh));
	shape_bounds(region->mesh, region->low, region->high);
	for (int k = 0; k < 3; ++k)
		size = fmax(size, region->high[k] - region->low[k]);
	shape_free(&region->mesh);
	CHECK(shape_create_stl(solid->stl, solid->stl_scale, nowhere, BUILD_ON_SURFACE * size, &region->mesh));
	shape_bounds(region->mesh, region->low, region->high);
	return SONDE_OK;
}

static void add_bodies(const struct build_bodies *bodies, struct region *region)
{
	const bool nothing = region->solid->kind == BUILD_NOTHING;

	region->bodies = bodies;
	for (int k = 0; k < 3 && bodies->low[k] <= bodies->high[k]; ++k) {
		region->low[k] = nothing ? bodies->low[k] : fmin(region->low[k], bodies->low[k]);
		region->high[k] = nothing ? bodies->high[k] : fmax(region->high[k], bodies->high[k]);
	}
}

sonde_status region_make(const struct build_solid *solid, const struct build_bodies *bodies, struct region *region)
{
	*region = (struct region){.solid = solid};
	if (solid->kind == BUILD_STL) {
		const sonde_status status = read_mesh(solid, region);
		if (status != SONDE_OK)
			return status == SONDE_INVALID ? status_prefix_option(status, "stl") : status;
	} else {
		solid_bounds(solid, region->low, region->high);
	}
	for (int k = 0; k < 3; ++k)
		region->middle[k] = region->mesh != NULL ? 0.5 * (region->low[k] + region->high[k]) : 0.0;
	if (bodies != NULL)
		add_bodies(bodies, region);
	return SONDE_OK;
}

void region_free(struct region *region)
{
	shape_free(&region->mesh);
}

static bool region_contains(const struct region *region, const double *r, double scale, double grow)
{
	double point[3];

	if (region->mesh == NULL)
		return solid_contains(region->solid, r, scale, grow);
	if (scale == 1.0)
		return shape_contains(region->mesh, r);
	/* four times the distance by which the mesh was enlarged */
	const double smaller = scale * (1.0 + 4.0 * (grow - 1.0));
	for (int k = 0; k < 3; ++k)
		point[k] = region->middle[k] + (r[k] - region->middle[k]) / smaller;
	return shape_contains(region->mesh, point);
}

/* 0: outside; 1: in the region; 2: in its core; 3 and more: in a body of a material. */
int region_part(const struct region *region, const double *r)
{
	const int body = region->bodies != NULL ? bodies_part(region->bodies, r) : BODY_OUTSIDE;

	if (body != BODY_OUTSIDE)
		return body < BODY_SPECIES ? body : body + 1;
	if (!region_contains(region, r, 1.0, BUILD_OUTER) ||
	    (region->solid->hollow > 0.0 && region_contains(region, r, region->solid->hollow, BUILD_WITHIN)))
		return 0;
	return region->core > 0.0 && region_contains(region, r, region->core, BUILD_OUTER) ? 2 : 1;
}

/* The walk ----------------------------------------------------------------------------------- */

struct walk {
	const struct crystal *crystal;
	const struct region *region;
	double center[3];
	const uint16_t *species;
	int64_t low[3], high[3]; /* the cells that can touch the region */
	int64_t rows, blocks;
	int64_t first_block; /* of the batch */
	int64_t *first;      /* of each block: its atoms, then the number of the first one; and their sum */
	double (*rooms)[3];  /* for each thread: site_count positions */
	double *positions;   /* null: atoms are counted */
	uint16_t *species_of;
	bool everywhere; /* whole cells */
	int threads;
};

/* The cells n in [low, high] that can touch the box: by the rows of the inverse matrix, n_k = x . b_k. */
static void cell_range(struct walk *walk)
{
	const struct region *region = walk->region;
	double reciprocal[3][3];

	crystal_reciprocal(walk->crystal->vectors, reciprocal);
	for (int k = 0; k < 3; ++k) {
		double reach = 0.0, middle = 0.0;
		if (walk->everywhere) {
			walk->low[k] = 0;
			walk->high[k] = (int64_t)region->solid->size[k] - 1;
			continue;
		}
		for (int m = 0; m < 3; ++m) {
			reach += fabs(reciprocal[k][m]) * 0.5 * (region->high[m] - region->low[m]);
			middle += reciprocal[k][m] * (walk->center[m] + 0.5 * (region->high[m] + region->low[m]));
		}
		walk->low[k] = (int64_t)floor(middle - reach) - 1;
		walk->high[k] = (int64_t)ceil(middle + reach) + 1;
	}
}

void region_clip_line(const struct region *region, const double base[3], const double vector[3], double *begin,
		      double *end)
{
	for (int m = 0; m < 3; ++m) {
		const double margin = MARGIN * (1.0 + region->high[m] - region->low[m]),
			     low = region->low[m] - margin - base[m], high = region->high[m] + margin - base[m];
		if (fabs(vector[m]) < 1e-12) {
			if (low > 0.0 || high < 0.0)
				*end = -INFINITY;
			continue;
		}
		const double a = low / vector[m], b = high / vector[m];
		*begin = fmax(*begin, fmin(a, b));
		*end = fmin(*end, fmax(a, b));
	}
}

/* Begins a row: positions of the sites without the third vector's part, and the cells to examine. */
static void begin_row(const struct walk *walk, const int64_t n[2], double (*base)[3], int64_t *first, int64_t *last)
{
	const struct crystal *crystal = walk->crystal;
	double low = INFINITY, high = -INFINITY;

	for (int s = 0; s < crystal->site_count; ++s) {
		double begin = (double)walk->low[2], end = (double)walk->high[2] + 1.0;
		for (int m = 0; m < 3; ++m) {
			base[s][m] = -walk->center[m];
			for (int k = 0; k < 2; ++k)
				base[s][m] += ((double)n[k] + crystal->site[s][k]) * crystal->vectors[k][m];
		}
		if (walk->everywhere)
			continue;
		region_clip_line(walk->region, base[s], crystal->vectors[2], &begin, &end);
		if (begin <= end) {
			low = fmin(low, begin - crystal->site[s][2]);
			high = fmax(high, end - crystal->site[s][2]);
		}
	}
	*first = walk->low[2];
	*last = walk->high[2];
	if (walk->everywhere)
		return;
	*first = low <= high ? (int64_t)fmax(floor(low), (double)*first) : 0;
	*last = low <= high ? (int64_t)fmin(ceil(high), (double)*last) : -1;
}

/* Counts or places the atoms of a row, and returns the number of the next one. */
static int64_t walk_row(const struct walk *walk, const int64_t n[2], double (*base)[3], int64_t atom)
{
	const struct crystal *crystal = walk->crystal;
	const double *vector = crystal->vectors[2];
	int64_t first, last;

	begin_row(walk, n, base, &first, &last);
	for (int64_t cell = first; cell <= last; ++cell)
		for (int s = 0; s < crystal->site_count; ++s) {
			double along = (double)cell + crystal->site[s][2], position[3];
			for (int m = 0; m < 3; ++m)
				position[m] = base[s][m] + along * vector[m];
			const int part = region_part(walk->region, position);
			if (part > 0 && walk->positions != NULL) {
				for (int m = 0; m < 3; ++m)
					walk->positions[3 * atom + m] = position[m];
				walk->species_of[atom] =
				    walk->species[crystal->site_species[s] + (part - 1) * crystal->species_count];
			}
			atom += part > 0;
		}
	return atom;
}

static void walk_blocks(void *state, int64_t first, int64_t end, int worker)
{
	struct walk *walk = state;
	const int64_t across = walk->high[1] - walk->low[1] + 1;
	double(*base)[3] = walk->rooms + (size_t)worker * (size_t)walk->crystal->site_count;

	for (int64_t block = walk->first_block + first; block < walk->first_block + end; ++block) {
		int64_t atom = walk->positions != NULL ? walk->first[block] : 0;
		const int64_t rows_end = walk->rows * (block + 1) / walk->blocks;
		for (int64_t row = walk->rows * block / walk->blocks; row < rows_end; ++row)
			atom = walk_row(walk,
					(const int64_t[2]){walk->low[0] + row / across, walk->low[1] + row % across},
					base, atom);
		if (walk->positions == NULL)
			walk->first[block] = atom;
	}
}

/* All blocks, once to count and once to place: `done` of two. */
static sonde_status walk_once(sonde_context *context, struct walk *walk, struct stage *stage, int done)
{
	sonde_status status = stage_advance(stage, (double)done * (double)walk->blocks);

	threads_end_when(context_cancel_flag(context));
	for (int64_t block = 0; block < walk->blocks && status == SONDE_OK; block += BATCH) {
		const int64_t count = walk->blocks - block < BATCH ? walk->blocks - block : BATCH;
		walk->first_block = block;
		threads_for(walk->threads, count, 1, walk_blocks, walk);
		status = stage_advance(stage, (double)done * (double)walk->blocks + (double)(block + count));
	}
	threads_end_when(NULL);
	return status;
}

/* Refuses sizes that are too large, before atoms are counted. */
static sonde_status check_size(struct walk *walk, int threads)
{
	const struct region *region = walk->region;
	double rows = (double)(walk->high[0] - walk->low[0] + 1) * (double)(walk->high[1] - walk->low[1] + 1),
	       cells = rows * (double)(walk->high[2] - walk->low[2] + 1);

	if (!walk->everywhere)
		cells = fmin(cells, (region->high[0] - region->low[0]) * (region->high[1] - region->low[1]) *
					(region->high[2] - region->low[2]) /
					fabs(crystal_reciprocal(walk->crystal->vectors, NULL)));
	if (rows > MOST_CELLS || cells * walk->crystal->site_count > 2.0 * ROOM_MOST_ATOMS)
		return status_fail(SONDE_INVALID, "the shape is too large: about %.2g atoms; the limit is %.0g",
				   cells * walk->crystal->site_count, ROOM_MOST_ATOMS);
	walk->rows = (int64_t)rows;
	walk->blocks = walk->rows < BLOCKS ? walk->rows : BLOCKS;
	walk->threads = cells * walk->crystal->site_count < ALONE ? 1 : threads;
	return SONDE_OK;
}

/* Converts the numbers of atoms of the blocks to the number of the first atom of each, and allocates room for all atoms. */
static sonde_status reserve(sonde_context *context, struct walk *walk, sonde_atoms *atoms)
{
	int64_t count = atoms->count;

	for (int64_t block = 0; block <= walk->blocks; ++block) {
		const int64_t here = walk->first[block];
		walk->first[block] = count;
		count += here;
	}
	CHECK(room_reserve(context, count, atoms));
	walk->positions = atoms->positions;
	walk->species_of = atoms->species_of;
	return SONDE_OK;
}

static sonde_status count_and_place(sonde_context *context, struct walk *walk, sonde_atoms *atoms)
{
	struct stage stage;

	stage_begin(&stage, context, "build", "blocks of cells", 2.0 * (double)walk->blocks);
	CHECK(walk_once(context, walk, &stage, 0));
	CHECK(reserve(context, walk, atoms));
	CHECK(walk_once(context, walk, &stage, 1));
	for (; atoms->count < walk->first[walk->blocks]; ++atoms->count)
		++atoms->species[atoms->species_of[atoms->count]].atoms;
	return SONDE_OK;
}

sonde_status walk_lattice(sonde_context *context, const struct crystal *crystal, const struct region *region,
			  const double center[3], const uint16_t *species, sonde_atoms *atoms)
{
	struct walk walk = {.crystal = crystal,
			    .region = region,
			    .center = {center[0], center[1], center[2]},
			    .species = species,
			    .everywhere = region->solid->kind == BUILD_SUPERCELL};
	sonde_status status;

	cell_range(&walk);
	CHECK(check_size(&walk, context_threads(context)));
	status = memory_allocate(&walk.first, (size_t)walk.blocks + 1, sizeof *walk.first, "the blocks of cells");
	if (status == SONDE_OK)
		status = memory_allocate(&walk.rooms, (size_t)walk.threads * (size_t)crystal->site_count,
					 sizeof *walk.rooms, "the sites of the cell");
	if (status == SONDE_OK)
		status = count_and_place(context, &walk, atoms);
	free(walk.first);
	free(walk.rooms);
	return status;
}
