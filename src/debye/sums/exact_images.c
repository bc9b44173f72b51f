/* The Debye sum over every pair of atoms of a periodic sample, with the images of the cell up to the cut-off.
 *
 * Pairs of tiles within reach are found as for the histogram (images.h). The pairs of their atoms become lists of distances
 * with the factor w, and with the mean squares of a motion, part by part; each list is summed as that of a histogram, with the
 * same bits on every device.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "debye/sums/histogram_device.h"
#include "debye/motion/motion.h"
#include "debye/kernels/ring_layout.h"
#include "run/share.h"

#define MOST_ENTRIES (1u << 19) /* of a list, unless one task has more */
#define QUADS_AT_ONCE 256       /* whose partners are listed */
#define COINCIDENT 1e-100       /* Angstrom: sin(q r)/r of such an r is q */

/* The pairs of some tasks. Arrays end with LIST_PADDING zeros. */
struct image_pairs {
	double *r, *s;
	double *weight_over_r[2]; /* with and without damping */
	size_t count, capacity;
};

/* Pairs of a task: the entries from `first` on. */
struct task_pairs {
	size_t first, count;
};

struct image_run {
	sonde_context *context;
	const sonde_atoms *sample;
	struct pair_sums *sums;
	struct arranged_atoms atoms;
	struct box *boxes;
	struct images *images;
	struct image_list list;
	size_t first_task, end_task; /* those of the current list of pairs */
	struct task_pairs *tasks;
	size_t tasks_capacity;
	struct image_pairs pairs;
	struct sinc_list *sinc;
	struct device *devices[CONTEXT_MOST_DEVICES]; /* without states of their own */
	double *row;                                  /* sums over one list */
	struct stage stage;
	double done;
};

/* Lists of pairs ------------------------------------------------------------------------------------------- */

static bool is_damped(const struct image_run *run)
{
	return run->sums->undamped != NULL;
}

static void add_entry(const struct image_run *run, uint32_t i, uint32_t j, const double d[3], size_t at)
{
	const struct image_pairs *pairs = &run->pairs;
	const struct pair_motion *motion = run->sums->motion;
	const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
	struct pair_width width = {length, 0.0};

	if (motion != NULL)
		width = motion_along(motion, run->sample, run->atoms.atom[i], run->atoms.atom[j], d);
	pairs->r[at] = fmax(width.r, COINCIDENT);
	pairs->s[at] = width.s;
	pairs->weight_over_r[0][at] = periodic_weight(run->sums->periodic, length) / pairs->r[at];
	pairs->weight_over_r[1][at] = 1.0 / pairs->r[at];
}

/* The pairs of the tiles of a task with one partner, up to the cut-off. */
static void list_partner(const struct image_run *run, const struct image_task *task,
			 const struct image_partner *partner, struct task_pairs *own)
{
	const struct arranged_atoms *atoms = &run->atoms;
	const double *shift = images_vectors(run->images)[partner->image & ~PARTNER_NEAR],
		     cutoff = run->sums->periodic->cutoff;
	const struct arranged_tile *tile = &atoms->tiles[partner->tile];

	for (uint32_t i = atoms->tiles[task->tile].first; i < atoms->tiles[task->tile_end - 1].end; ++i) {
		const bool near = (partner->image & PARTNER_NEAR) != 0;
		for (uint32_t j = near && i + 1 > tile->first ? i + 1 : tile->first; j < tile->end; ++j) {
			const double d[3] = {atoms->x[j] + shift[0] - atoms->x[i],
					     atoms->y[j] + shift[1] - atoms->y[i],
					     atoms->z[j] + shift[2] - atoms->z[i]};
			if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < cutoff * cutoff)
				add_entry(run, i, j, d, own->first + own->count++);
		}
	}
}

static void list_tasks(void *state, int64_t first, int64_t end, int worker)
{
	const struct image_run *run = state;

	(void)worker;
	for (int64_t t = first; t < end; ++t) {
		const struct image_task *task = &run->list.tasks[run->first_task + (size_t)t];
		run->tasks[t].count = 0;
		for (uint32_t p = task->first; p < task->end; ++p)
			list_partner(run, task, &run->list.partners[p], &run->tasks[t]);
	}
}

static size_t room_of(const struct image_run *run, const struct image_task *task)
{
	const struct arranged_tile *tiles = run->atoms.tiles;
	const size_t own = tiles[task->tile_end - 1].end - tiles[task->tile].first;
	size_t room = 0;

	for (uint32_t p = task->first; p < task->end; ++p) {
		const struct arranged_tile *tile = &tiles[run->list.partners[p].tile];
		room += own * (tile->end - tile->first);
	}
	return room;
}

static sonde_status reserve(struct image_pairs *pairs, size_t count)
{
	double **arrays[] = {&pairs->r, &pairs->s, &pairs->weight_over_r[0], &pairs->weight_over_r[1]};

	if (count + LIST_PADDING <= pairs->capacity)
		return SONDE_OK;
	pairs->capacity = 0;
	for (int k = 0; k < 4; ++k) {
		free(*arrays[k]);
		*arrays[k] = NULL;
	}
	for (int k = 0; k < 4; ++k)
		CHECK(memory_allocate(arrays[k], count + LIST_PADDING, sizeof(double), "pairs of atoms"));
	pairs->capacity = count + LIST_PADDING;
	return SONDE_OK;
}

/* Moves the entries of the tasks together, in their order. */
static void close_gaps(struct image_run *run, size_t tasks)
{
	struct image_pairs *pairs = &run->pairs;
	double *arrays[] = {pairs->r, pairs->s, pairs->weight_over_r[0], pairs->weight_over_r[1]};

	pairs->count = 0;
	for (size_t t = 0; t < tasks; ++t) {
		for (int k = 0; k < 4; ++k)
			memmove(arrays[k] + pairs->count, arrays[k] + run->tasks[t].first,
				run->tasks[t].count * sizeof(double));
		pairs->count += run->tasks[t].count;
	}
	for (int k = 0; k < 4; ++k)
		memset(arrays[k] + pairs->count, 0, LIST_PADDING * sizeof(double));
}

/* Lists the pairs of the tasks from first_task on, as many as have room. */
static sonde_status list_pairs(struct image_run *run)
{
	size_t room = 0;

	for (run->end_task = run->first_task; run->end_task < run->list.task_count; ++run->end_task) {
		const size_t more = room_of(run, &run->list.tasks[run->end_task]),
			     number = run->end_task - run->first_task;
		if (number > 0 && room + more > MOST_ENTRIES)
			break;
		CHECK(
		    memory_grow(&run->tasks, &run->tasks_capacity, number + 1, sizeof *run->tasks, "pairs of tiles"));
		run->tasks[number] = (struct task_pairs){.first = room};
		room += more;
	}
	const int64_t tasks = (int64_t)(run->end_task - run->first_task);
	CHECK(reserve(&run->pairs, room));
	threads_for(context_threads(run->context), tasks, 1, list_tasks, run);
	close_gaps(run, (size_t)tasks);
	return SONDE_OK;
}

/* Sums ------------------------------------------------------------------------------------------------------ */

static void forget_sums(void *user, struct device *device)
{
	struct image_run *run = user;

	if (run->sinc != NULL && sinc_list_is_on(run->sinc, device))
		sinc_list_free(&run->sinc);
}

static void release_nothing(void *state)
{
	(void)state;
}

/* With `undamped` sums their own weights. */
static sonde_status sum_on(struct image_run *run, struct device *device, const struct pair_sums *sums,
			   const double *weight_over_r)
{
	const uint32_t count = (uint32_t)run->pairs.count;

	if (sums->motion != NULL)
		return motion_list_add(run->context, device, run->pairs.r, weight_over_r, run->pairs.s, count, sums,
				       NULL, run->row);
	if (run->sinc != NULL && !sinc_list_is_on(run->sinc, device))
		sinc_list_free(&run->sinc);
	if (run->sinc == NULL)
		CHECK(sinc_list_create(run->context, device, &run->sinc));
	return sums->q_values != NULL
		   ? sinc_list_add_at(run->sinc, run->pairs.r, weight_over_r, count, sums->q_values, sums->q.points,
				      run->row)
		   : sinc_list_add(run->sinc, run->pairs.r, weight_over_r, count, &sums->q, run->row);
}

/* One device sums the list; if it fails, the next one does. */
static sonde_status sum_list(struct image_run *run, const struct pair_sums *sums, const double *weight_over_r)
{
	const struct shared_work work = {.user = run,
					 .states = run->devices,
					 .state_size = sizeof *run->devices,
					 .release = release_nothing,
					 .forget = forget_sums};

	for (;;) {
		struct device *device;
		int index;
		memset(run->row, 0, (size_t)sums->q.points * sizeof *run->row);
		CHECK(context_first_device(run->context, &index, &device));
		const sonde_status status = sum_on(run, device, sums, weight_over_r);
		if (status != SONDE_RESOURCE)
			return status;
		CHECK(share_drop_device(run->context, &work, index, status));
	}
}

/* At q = 0 every sin(q r)/(q r) is 1. */
static double sum_of_weights(const struct image_pairs *pairs, const double *weight_over_r)
{
	double sum = 0.0;

	for (size_t n = 0; n < pairs->count; ++n)
		sum += weight_over_r[n] * pairs->r[n];
	return sum;
}

static sonde_status add_pairs(struct image_run *run, int pair, struct pair_sums *sums, const double *weight_over_r)
{
	double *total = sums->sums + pair * sums->q.points;

	CHECK(sum_list(run, sums, weight_over_r));
	if (pair_sums_q(sums, 0) == 0.0)
		run->row[0] = sum_of_weights(&run->pairs, weight_over_r);
	for (int64_t k = 0; k < sums->q.points; ++k)
		total[k] += run->row[k];
	return SONDE_OK;
}

static sonde_status sum_tasks(struct image_run *run, int pair)
{
	for (run->first_task = 0; run->first_task < run->list.task_count; run->first_task = run->end_task) {
		CHECK(list_pairs(run));
		CHECK(add_pairs(run, pair, run->sums, run->pairs.weight_over_r[0]));
		if (is_damped(run))
			CHECK(add_pairs(run, pair, run->sums->undamped, run->pairs.weight_over_r[1]));
		run->done += (double)run->pairs.count;
		CHECK(stage_advance(&run->stage, run->done));
	}
	return SONDE_OK;
}

static sonde_status sum_species(struct image_run *run, int a, int b)
{
	const uint32_t *first_tile = run->atoms.species_first_tile;
	const uint32_t quads = (first_tile[a + 1] - first_tile[a] + QUAD - 1) / QUAD;
	struct image_search search = {
	    .species_a = a, .species_b = b, .unit = 1, .per_angstrom = 1.0, .threads = context_threads(run->context)};

	for (uint32_t first = 0; first < quads; first += QUADS_AT_ONCE) {
		search.first = first;
		search.end = quads - first < QUADS_AT_ONCE ? quads : first + QUADS_AT_ONCE;
		CHECK(images_find(run->images, &search, &run->list));
		CHECK(sum_tasks(run, species_pair_index(run->sums->species, a, b)));
	}
	return SONDE_OK;
}

static void find_box(const struct arranged_atoms *atoms, uint32_t tile, struct box *box)
{
	const double *axis[3] = {atoms->x, atoms->y, atoms->z};

	for (int k = 0; k < 3; ++k) {
		box->low[k] = INFINITY;
		box->high[k] = -INFINITY;
		for (uint32_t i = atoms->tiles[tile].first; i < atoms->tiles[tile].end; ++i) {
			box->low[k] = fmin(box->low[k], axis[k][i]);
			box->high[k] = fmax(box->high[k], axis[k][i]);
		}
	}
}

static sonde_status prepare(struct image_run *run)
{
	CHECK(arrange_atoms(run->context, run->sample, RING_TILE, QUAD, &run->atoms));
	CHECK(memory_allocate(&run->boxes, run->atoms.tile_count, sizeof *run->boxes, "the tiles"));
	for (uint32_t t = 0; t < run->atoms.tile_count; ++t)
		find_box(&run->atoms, t, &run->boxes[t]);
	CHECK(memory_allocate(&run->row, (size_t)run->sums->q.points, sizeof *run->row, "the sums"));
	return images_create(run->sums->periodic, &run->atoms, run->boxes, &run->images);
}

static sonde_status sum_all(struct image_run *run)
{
	CHECK(prepare(run));
	for (int a = 0; a < run->sums->species; ++a)
		for (int b = a; b < run->sums->species; ++b)
			if (run->sample->species[a].atoms > 0 && run->sample->species[b].atoms > 0)
				CHECK(sum_species(run, a, b));
	return SONDE_OK;
}

static void release(struct image_run *run)
{
	sinc_list_free(&run->sinc);
	images_free(&run->images);
	image_list_free(&run->list);
	arranged_atoms_free(&run->atoms);
	free(run->boxes);
	free(run->tasks);
	free(run->pairs.r);
	free(run->pairs.s);
	free(run->pairs.weight_over_r[0]);
	free(run->pairs.weight_over_r[1]);
	free(run->row);
}

sonde_status exact_image_sums(sonde_context *context, const sonde_atoms *atoms, const struct debye_plan *plan,
			      struct pair_sums *sums)
{
	struct image_run *run;

	CHECK(memory_allocate(&run, 1, sizeof *run, "the exact sums"));
	*run = (struct image_run){.context = context, .sample = atoms, .sums = sums};
	stage_begin(&run->stage, context, "pairs (exact)", "pairs", plan->pairs);
	const sonde_status status = sum_all(run);
	release(run);
	free(run);
	return status;
}
