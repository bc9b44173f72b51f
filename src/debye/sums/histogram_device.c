#include "debye/sums/histogram_device.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/threads.h"
#include "debye/kernels/ring_layout.h"
#include "run/launches.h"

#define ATOMS_PER_SLAB_TILE 512
#define GROUPS_PER_WORKER 64 /* of one launch of a CPU: tens of milliseconds, so that a cancellation takes effect */
#define UNITS_PER_WORKER 64  /* upper limit for one launch of a GPU */
#define MOST_ORDERS \
	(128u << 20) /* bytes for the sorted partners of the units of a launch, if that is enough for two units on \
				    each multiprocessor: allocating more takes time */
#define TILES_OF_PART 256
#define PARALLEL_ATOMS 20000 /* fewer are prepared by one thread */
#define RING_KEYS 8192.0     /* of the ring's sort, which has room for more */

enum tiling histogram_tiling(const struct device *device)
{
	return device_properties(device)->gpu_kernels ? TILING_RING : TILING_SLAB;
}

static void grow_box(struct box *box, const struct arranged_atoms *atoms, uint32_t first, uint32_t end)
{
	const double *axis[3] = {atoms->x, atoms->y, atoms->z};

	for (int k = 0; k < 3; ++k) {
		double low = box->low[k], high = box->high[k];
		for (uint32_t i = first; i < end; ++i) {
			low = axis[k][i] < low ? axis[k][i] : low;
			high = axis[k][i] > high ? axis[k][i] : high;
		}
		box->low[k] = low;
		box->high[k] = high;
	}
}

static const struct box nowhere = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

/* Bins between the smallest and the largest possible distance of two boxes, with a margin of one. */
static void find_window(const struct histogram_bins *bins, const struct box *a, const struct box *b, uint64_t *first,
			uint64_t *last)
{
	double nearest = 0.0, furthest = 0.0;

	for (int k = 0; k < 3; ++k) {
		double gap = fmax(0.0, fmax(a->low[k] - b->high[k], b->low[k] - a->high[k]));
		double span = fmax(a->high[k] - b->low[k], b->high[k] - a->low[k]);
		nearest += gap * gap;
		furthest += span * span;
	}
	double low = sqrt(nearest) * bins->per_angstrom - 1.0, high = sqrt(furthest) * bins->per_angstrom + 1.0;
	*first = low > 0.0 ? (uint64_t)low : 0;
	*last = high < (double)(bins->count - 2) ? (uint64_t)high : bins->count - 2;
}

static void find_boxes(void *state, int64_t first, int64_t end, int worker)
{
	struct arranged_atoms *atoms = state;

	(void)worker;
	for (int64_t t = first; t < end; ++t) {
		atoms->boxes[t] = nowhere;
		grow_box(&atoms->boxes[t], atoms, atoms->tiles[t].first, atoms->tiles[t].end);
	}
}

sonde_status histogram_tile(const sonde_context *context, const sonde_atoms *atoms, enum tiling tiling,
			    struct tiled_atoms *tiled)
{
	bool ring = tiling == TILING_RING;

	if (tiled->ready)
		return SONDE_OK;
	CHECK(arrange_atoms(context, atoms, ring ? RING_TILE : ATOMS_PER_SLAB_TILE, ring ? QUAD : 1, &tiled->atoms));
	const sonde_status status =
	    memory_allocate(&tiled->atoms.boxes, tiled->atoms.tile_count, sizeof *tiled->atoms.boxes, "the tiles");
	if (status != SONDE_OK) {
		arranged_atoms_free(&tiled->atoms);
		return status;
	}
	threads_for(context_threads(context), tiled->atoms.tile_count, TILES_OF_PART, find_boxes, &tiled->atoms);
	tiled->ready = true;
	return SONDE_OK;
}

static struct box enclose_species(const struct arranged_atoms *atoms, int species)
{
	struct box box = nowhere;

	for (uint32_t t = atoms->species_first_tile[species]; t < atoms->species_first_tile[species + 1]; ++t)
		for (int k = 0; k < 3; ++k) {
			const double low = atoms->boxes[t].low[k], high = atoms->boxes[t].high[k];
			box.low[k] = low < box.low[k] ? low : box.low[k];
			box.high[k] = high > box.high[k] ? high : box.high[k];
		}
	return box;
}

void histogram_window(const struct arranged_atoms *atoms, const struct histogram_bins *bins, int species_a,
		      int species_b, uint64_t *first, uint64_t *last)
{

	if (bins->periodic != NULL) {
		*first = 0;
		*last = bins->count - 1 - SPARE_BINS;
		return;
	}
	const struct box a = enclose_species(atoms, species_a);
	const struct box b = species_b == species_a ? a : enclose_species(atoms, species_b);
	find_window(bins, &a, &b, first, last);
}

double histogram_units(const struct histogram_bins *bins, double angstrom)
{
	const double units = angstrom * (bins->per_angstrom * bins->units_per_bin);

	return bins->fractions > 0.0 ? nearbyint(units * bins->fractions) / bins->fractions : units;
}

struct scaling {
	const double *values;
	const struct histogram_bins *bins;
	double *scaled;
};

static void scale_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct scaling *scaling = state;

	(void)worker;
	for (int64_t i = first; i < end; ++i)
		scaling->scaled[i] = histogram_units(scaling->bins, scaling->values[i]);
}

/* Unless the device has them already. */
static sonde_status upload_scaled(struct histogram_device *run)
{
	const double *values[] = {run->atoms->x, run->atoms->y, run->atoms->z};
	struct device_buffer *buffers[] = {&run->x, &run->y, &run->z};
	const size_t bytes = (size_t)run->atoms->size * sizeof(double);
	sonde_status status = SONDE_OK;
	double *scaled;

	if (run->atoms->ordered != NULL) {
		run->borrowed = true;
		run->x = run->atoms->ordered->x;
		run->y = run->atoms->ordered->y;
		run->z = run->atoms->ordered->z;
		return SONDE_OK;
	}
	/* memory that is touched for the first time takes longer than the rest of this: one array for all three */
	CHECK(memory_allocate_to_fill(&scaled, run->atoms->size, sizeof *scaled, "the atoms"));
	for (int k = 0; k < 3 && status == SONDE_OK; ++k) {
		struct scaling scaling = {values[k], &run->bins, scaled};
		threads_for(run->threads, run->atoms->size, PARALLEL_ATOMS, scale_some, &scaling);
		status = device_upload(run->device, scaled, bytes, "the atoms", buffers[k]);
	}
	free(scaled);
	return status;
}

/* The centers of the tiles, in bins. */
static sonde_status upload_centers(struct histogram_device *run)
{
	uint32_t count = run->atoms->tile_count;
	double *centers;

	CHECK(memory_allocate(&centers, (size_t)count * 3, sizeof *centers, "the tiles"));
	for (uint32_t t = 0; t < count; ++t)
		for (int k = 0; k < 3; ++k)
			centers[3 * (size_t)t + (size_t)k] =
			    0.5 * (run->atoms->boxes[t].low[k] + run->atoms->boxes[t].high[k]) *
			    run->bins.per_angstrom;
	sonde_status status =
	    device_upload(run->device, centers, (size_t)count * 3 * sizeof *centers, "the tiles", &run->centers);
	free(centers);
	return status;
}

sonde_status histogram_allocate_slabs(struct histogram_device *run)
{
	struct device *device = run->device;

	CHECK(device_kernel(device, &debye_program, "histogram_settle", 1, 0, NULL, 0, &run->settle_kernel));
	return device_allocate(device, device_workers(device) * (2 * run->bins.count + TAIL_WORDS) * sizeof(uint64_t),
			       "the histograms", &run->slabs);
}

static sonde_status prepare_slabs(struct histogram_device *run)
{
	struct device *device = run->device;

	run->most_groups = device_launch_groups(device, GROUPS_PER_WORKER);
	CHECK(device_kernel(device, &debye_program, "histogram_pairs", 1, 0, NULL, 0, &run->kernel));
	CHECK(device_allocate(device, run->most_groups * sizeof(struct tile_pair), "the tiles", &run->tile_pairs));
	CHECK(memory_allocate(&run->pairs, run->most_groups, sizeof *run->pairs, "the tiles"));
	return histogram_allocate_slabs(run);
}

/* Mean square edge, in bins, of the boxes around each group of `count` adjacent tiles. */
static double mean_square_edge(const struct histogram_device *run, uint32_t count)
{
	double sum = 0.0;
	uint32_t boxes = 0;

	for (uint32_t t = 0; t + count <= run->atoms->tile_count; t += count, ++boxes) {
		struct box box = nowhere;
		for (uint32_t k = t; k < t + count; ++k) {
			for (int axis = 0; axis < 3; ++axis) {
				box.low[axis] = fmin(box.low[axis], run->atoms->boxes[k].low[axis]);
				box.high[axis] = fmax(box.high[axis], run->atoms->boxes[k].high[axis]);
			}
		}
		for (int axis = 0; axis < 3; ++axis)
			sum += (box.high[axis] - box.low[axis]) * (box.high[axis] - box.low[axis]) / 3.0;
	}
	return boxes > 0 ? sum / boxes * run->bins.per_angstrom * run->bins.per_angstrom : 0.0;
}

static uint32_t ring_bins_of(const struct histogram_device *run)
{
	return run->shape.matrix_bins > 0 ? run->shape.matrix_bins : run->shape.ring_bins;
}

#define RING_DEVIATIONS 5.5 /* least width of the ring in standard deviations of the distances in it */

/* Units are reduced until every multiprocessor has some, and until their distances from a tile fit into the ring:
 * in a box of edge e, a coordinate deviates by e/sqrt(12) from its mean. */
static void choose_units(struct histogram_device *run)
{
	uint32_t tiles = run->atoms->tile_count, *unit = &run->shape.unit_tiles;
	double tile_square = mean_square_edge(run, 1);

	while (*unit > 1 &&
	       (tiles / *unit < 8 * device_workers(run->device) ||
		RING_DEVIATIONS * sqrt((mean_square_edge(run, *unit) + tile_square) / 12.0) > ring_bins_of(run)))
		*unit /= 2;
}

static sonde_status prepare_ring(struct histogram_device *run)
{
	struct device *device = run->device;
	uint32_t workers = device_workers(device), tiles = run->atoms->tile_count;
	size_t order = (size_t)tiles * sizeof(uint32_t);
	size_t room = MOST_ORDERS / order, least = 2 * (size_t)workers, wanted = (size_t)workers * UNITS_PER_WORKER;

	if (!device_properties(device)->fixed_kernels)
		choose_units(run);
	CHECK(shape_histogram_ring(device, &run->shape, &run->kernel));
	CHECK(upload_centers(run));
	uint64_t limit = device_properties(device)->memory / 8;
	room = room > least ? room : least;
	room = room < limit / order ? room : limit / order;
	wanted = wanted < tiles ? wanted : tiles;
	wanted = wanted < room ? wanted : room;
	run->most_groups = wanted > 1 ? (uint32_t)wanted : 1;
	CHECK(device_allocate(device, run->most_groups * order, "the order of the tiles", &run->orders[0]));
	return device_allocate(device, run->most_groups * order, "the order of the tiles", &run->orders[1]);
}

static sonde_status prepare(struct histogram_device *run)
{
	struct device *device = run->device;
	const struct arranged_atoms *atoms = run->atoms;
	size_t tiles_bytes = (size_t)atoms->tile_count * sizeof *atoms->tiles;

	CHECK(upload_scaled(run));
	CHECK(device_upload(device, atoms->tiles, tiles_bytes, "the tiles", &run->tiles));
	CHECK(
	    device_allocate(device, TOTAL_WORDS * run->bins.count * sizeof(uint64_t), "the histogram", &run->totals));
	if (run->bins.periodic != NULL)
		return histogram_images_prepare(run);
	return device_properties(device)->gpu_kernels ? prepare_ring(run) : prepare_slabs(run);
}

sonde_status histogram_device_prepare(const sonde_context *context, struct device *device,
				      const struct debye_shape *shape, enum tiling tiling,
				      const struct arranged_atoms *atoms, const struct histogram_bins *bins,
				      struct histogram_device *run)
{
	*run = (struct histogram_device){.device = device,
					 .threads = context_threads(context),
					 .shape = *shape,
					 .tiling = tiling,
					 .atoms = atoms,
					 .bins = *bins,
					 .species_a = -1,
					 .species_b = -1};
	sonde_status status = prepare(run);
	if (status != SONDE_OK)
		histogram_device_release(run);
	return status;
}

void histogram_device_release(struct histogram_device *run)
{
	if (run->borrowed)
		run->x = run->y = run->z = (struct device_buffer){0};
	struct device_buffer *buffers[] = {&run->x,         &run->y,         &run->z,           &run->tiles,
					   &run->slabs,     &run->totals,    &run->centers,     &run->tile_pairs,
					   &run->orders[0], &run->orders[1], &run->box_corners, &run->vectors,
					   &run->tasks,     &run->partners};

	for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k)
		device_release(run->device, buffers[k]);
	images_free(&run->images);
	image_list_free(&run->list);
	free(run->pairs);
	if (run->device != NULL)
		device_limit_workers(run->device, 0);
	*run = (struct histogram_device){0};
}

static sonde_status stopped(const sonde_context *context)
{
	return context_cancelled(context) ? status_fail(SONDE_CANCELLED, "stopped on request in the histogram")
					  : SONDE_OK;
}

/* Number of quads of the first species. */
static uint64_t quads_of(const struct histogram_device *run)
{
	const uint32_t *first_tile = run->atoms->species_first_tile;

	return (first_tile[run->species_a + 1] - first_tile[run->species_a] + QUAD - 1) / QUAD;
}

/* Walks the pairs of tiles of one part, by rows or as quads with their partners. */
struct part_walk {
	enum tiling tiling;
	struct tile_walk walk; /* TILING_SLAB: `left` pairs from here on */
	uint64_t left;
	uint32_t a, a_end, a_first, a_last, b, b_first, b_end; /* TILING_RING: tile a is next with tile b */
	uint64_t quads;
	bool like;
};

static struct part_walk part_walk_begin(const struct histogram_device *run, uint64_t part, uint64_t part_end,
					uint64_t parts)
{
	const uint32_t *first_tile = run->atoms->species_first_tile;
	struct part_walk walk = {.tiling = run->tiling, .like = run->species_a == run->species_b};

	if (run->tiling == TILING_SLAB) {
		uint64_t all = tile_walk_count(run->atoms, run->species_a, run->species_b);
		uint64_t first = all / parts * part + all % parts * part / parts;
		uint64_t end = all / parts * part_end + all % parts * part_end / parts;
		walk.walk = tile_walk_at(run->atoms, run->species_a, run->species_b, first);
		walk.left = end - first;
		return walk;
	}
	walk.quads = quads_of(run);
	walk.a_first = first_tile[run->species_a];
	walk.a_last = first_tile[run->species_a + 1];
	walk.a = walk.a_first + (uint32_t)(walk.quads * part / parts * QUAD);
	walk.a_end = walk.a_first + (uint32_t)(walk.quads * part_end / parts * QUAD);
	walk.a_end = walk.a_end < walk.a_last ? walk.a_end : walk.a_last;
	walk.b = walk.b_first = first_tile[run->species_b];
	walk.b_end = first_tile[run->species_b + 1];
	return walk;
}

/* The rule of kernels/histogram_ring.k for tiles of one species. */
static bool takes(const struct part_walk *walk)
{
	uint64_t quad = (walk->a - walk->a_first) / QUAD, partner = (walk->b - walk->a_first) / QUAD;
	uint64_t ahead = partner >= quad ? partner - quad : partner + walk->quads - quad;

	if (quad == partner)
		return walk->a <= walk->b;
	return ahead * 2 < walk->quads || (ahead * 2 == walk->quads && quad < partner);
}

static bool part_walk_next(struct part_walk *walk, struct tile_pair *pair)
{
	if (walk->tiling == TILING_SLAB)
		return walk->left > 0 && walk->left-- > 0 && tile_walk_next(&walk->walk, pair);
	for (;;) {
		if (walk->b == walk->b_end) {
			walk->b = walk->b_first;
			++walk->a;
		}
		if (walk->a >= walk->a_end)
			return false;
		bool taken = !walk->like || takes(walk);
		*pair = (struct tile_pair){.a = walk->a, .b = walk->b++};
		if (taken)
			return true;
	}
}

/* A part of the pairs of tiles, in slabs of the workers. */
static sonde_status count_in_slabs(sonde_context *context, struct histogram_device *run, uint64_t part,
				   uint64_t part_end, uint64_t parts, double *pairs)
{
	struct part_walk walk = part_walk_begin(run, part, part_end, parts);
	uint32_t groups;
	const struct device_argument arguments[] = {
	    DEVICE_ARGUMENT(run->x.memory),          DEVICE_ARGUMENT(run->y.memory),
	    DEVICE_ARGUMENT(run->z.memory),          DEVICE_ARGUMENT(run->tiles.memory),
	    DEVICE_ARGUMENT(run->tile_pairs.memory), DEVICE_ARGUMENT(run->bins.count),
	    DEVICE_ARGUMENT(run->slabs.memory),      DEVICE_ARGUMENT(run->totals.memory)};

	do {
		for (groups = 0; groups < run->most_groups && part_walk_next(&walk, &run->pairs[groups]); ++groups) {
			struct tile_pair *pair = &run->pairs[groups];
			uint64_t low, high;
			find_window(&run->bins, &run->atoms->boxes[pair->a], &run->atoms->boxes[pair->b], &low,
				    &high);
			pair->first_bin = (uint32_t)low;
			pair->last_bin = (uint32_t)high;
			*pairs += tile_pair_pairs(run->atoms, pair);
		}
		CHECK(device_write(run->device, &run->tile_pairs, 0, run->pairs, groups * sizeof *run->pairs));
		CHECK(device_launch(run->device, &run->kernel, groups, arguments, 8));
		CHECK(run->stage != NULL ? stage_advance(run->stage, run->stage_done + *pairs) : stopped(context));
	} while (groups == run->most_groups);
	return SONDE_OK;
}

/* The finest steps of distance for which the keys do not exceed RING_KEYS. */
static uint32_t key_shift_of(const struct histogram_device *run)
{
	double keys = ring_bins_of(run) < RING_KEYS ? ring_bins_of(run) : RING_KEYS;
	uint32_t shift = 8;

	while ((double)run->bins.count / (double)(UINT64_C(1) << shift) > keys)
		++shift;
	return shift;
}

/* The units of one species and the tiles of another, as arguments of the kernel. */
struct ring_part {
	uint32_t a_first, a_end, b_first, b_count, like, quads, key_shift;
	double b_atoms;
};

static struct ring_part part_of(const struct histogram_device *run)
{
	const uint32_t *first_tile = run->atoms->species_first_tile;
	struct ring_part part = {.a_first = first_tile[run->species_a],
				 .a_end = first_tile[run->species_a + 1],
				 .b_first = first_tile[run->species_b],
				 .b_count = first_tile[run->species_b + 1] - first_tile[run->species_b],
				 .like = run->species_a == run->species_b,
				 .key_shift = key_shift_of(run)};

	part.quads = (uint32_t)quads_of(run);
	part.b_atoms = run->atoms->tiles[part.b_first + part.b_count - 1].end - run->atoms->tiles[part.b_first].first;
	return part;
}

/* Units of the first species still to be launched, from `unit` to `end`. */
struct ring_progress {
	struct histogram_device *run;
	struct ring_part part;
	uint32_t unit, end;
	double *pairs;
};

static uint32_t units_left(void *user)
{
	const struct ring_progress *progress = user;

	return progress->unit < progress->end ? progress->end - progress->unit : 0;
}

static sonde_status launch_ring(void *user, int slot, uint32_t room, uint32_t *units)
{
	struct ring_progress *progress = user;
	struct histogram_device *run = progress->run;
	const struct ring_part *part = &progress->part;
	const uint32_t unit = progress->unit;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->x.memory),
						    DEVICE_ARGUMENT(run->y.memory),
						    DEVICE_ARGUMENT(run->z.memory),
						    DEVICE_ARGUMENT(run->tiles.memory),
						    DEVICE_ARGUMENT(run->centers.memory),
						    DEVICE_ARGUMENT(part->a_first),
						    DEVICE_ARGUMENT(part->a_end),
						    DEVICE_ARGUMENT(part->b_first),
						    DEVICE_ARGUMENT(part->b_count),
						    DEVICE_ARGUMENT(part->like),
						    DEVICE_ARGUMENT(unit),
						    DEVICE_ARGUMENT(part->quads),
						    DEVICE_ARGUMENT(part->key_shift),
						    DEVICE_ARGUMENT(run->orders[slot].memory),
						    DEVICE_ARGUMENT(run->totals.memory)};

	*units = room < run->most_groups ? room : run->most_groups;
	progress->unit += *units;
	return device_launch(run->device, &run->kernel, *units, arguments, 15);
}

static sonde_status finish_ring(void *user, int slot, uint32_t units)
{
	struct ring_progress *progress = user;
	const struct histogram_device *run = progress->run;
	const struct ring_part *part = &progress->part;
	(void)slot;

	/* for the progress display: within one species a unit has half of the tiles as partners */
	*progress->pairs +=
	    (double)units * run->shape.unit_tiles * RING_TILE * part->b_atoms * (part->like ? 0.5 : 1.0);
	return run->stage != NULL ? stage_advance(run->stage, run->stage_done + *progress->pairs) : SONDE_OK;
}

/* A part of the units of the first species. */
static sonde_status count_in_ring(sonde_context *context, struct histogram_device *run, uint64_t number,
				  uint64_t number_end, uint64_t parts, double *pairs)
{
	struct ring_progress progress = {.run = run, .part = part_of(run), .pairs = pairs};
	const struct ring_part *part = &progress.part;
	const struct launches launches = {.device = run->device,
					  .pace = &run->pace,
					  .count = 2,
					  .first_groups = 2 * device_workers(run->device),
					  .least_groups = device_workers(run->device),
					  .what = "histogram",
					  .user = &progress,
					  .left = units_left,
					  .begin = launch_ring,
					  .end = finish_ring};
	uint32_t units_per_quad = QUAD / run->shape.unit_tiles;
	uint32_t units = (part->a_end - part->a_first + run->shape.unit_tiles - 1) / run->shape.unit_tiles;

	progress.unit = (uint32_t)(part->quads * number / parts) * units_per_quad;
	progress.end = (uint32_t)(part->quads * number_end / parts) * units_per_quad;
	progress.end = progress.end < units ? progress.end : units;
	CHECK(device_wait(run->device)); /* both queues need the uploaded and cleared buffers */
	return launches_run(context, &launches);
}

sonde_status histogram_device_count(sonde_context *context, struct histogram_device *run, int species_a,
				    int species_b, uint64_t part, uint64_t part_end, uint64_t parts, double *pairs)
{
	if (run->species_a != species_a || run->species_b != species_b) {
		histogram_window(run->atoms, &run->bins, species_a, species_b, &run->first_bin, &run->last_bin);
		CHECK(device_clear(run->device, &run->totals, TOTAL_WORDS * run->first_bin * sizeof(uint64_t),
				   TOTAL_WORDS * (run->last_bin + 1 - run->first_bin) * sizeof(uint64_t)));
		run->species_a = species_a;
		run->species_b = species_b;
	}
	if (run->bins.periodic != NULL)
		return histogram_images_count(context, run, part, part_end, parts, pairs);
	return device_properties(run->device)->gpu_kernels
		   ? count_in_ring(context, run, part, part_end, parts, pairs)
		   : count_in_slabs(context, run, part, part_end, parts, pairs);
}

sonde_status histogram_device_collect(struct histogram_device *run, uint64_t *totals)
{
	uint64_t words = TOTAL_WORDS * (run->last_bin + 1 - run->first_bin), bins_end = run->last_bin + 1, *own;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->bins.count), DEVICE_ARGUMENT(run->first_bin),
						    DEVICE_ARGUMENT(bins_end), DEVICE_ARGUMENT(run->slabs.memory),
						    DEVICE_ARGUMENT(run->totals.memory)};

	if (run->species_a < 0)
		return SONDE_OK;
	if (!device_properties(run->device)->gpu_kernels)
		CHECK(device_launch(run->device, &run->settle_kernel, device_workers(run->device), arguments, 5));
	CHECK(memory_allocate_to_fill(&own, words, sizeof *own, "the histogram"));
	sonde_status status = device_read(run->device, &run->totals, TOTAL_WORDS * run->first_bin * sizeof(uint64_t),
					  own, words * sizeof *own);
	for (uint64_t k = 0; status == SONDE_OK && k < words; ++k)
		totals[k] += own[k];
	free(own);
	run->species_a = run->species_b = -1;
	return status;
}
