/* The Debye sum over every pair of atoms of a periodic sample, with the images of the cell up to the cut-off.
 *
 * Pairs of tiles within reach are found as for the histogram (images.h). The pairs of their atoms become lists of distances
 * with the factor w, and with the mean squares of a motion, part by part; each list is summed as that of a histogram, with the
 * same bits on every device. Several devices share some lists at a time; the sums are added in the order of the lists.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "debye/sums/histogram_device.h"
#include "debye/motion/motion.h"
#include "debye/kernels/ring_layout.h"
#include "parallel/parallel.h"
#include "run/share.h"
#include "run/unfinished.h"

#define MOST_ENTRIES (1u << 19) /* of a list, unless one task has more */
#define LISTS_PER_DEVICE 4      /* at a time, if several devices share them */
#define QUADS_AT_ONCE 256       /* whose partners are listed */
#define PIECES_OF_QUAD 1000     /* of the progress that is kept: a quad may take a minute */
#define COINCIDENT 1e-100       /* Angstrom: sin(q r)/r of such an r is q */

/* The pairs of some tasks, and the sums over them. Arrays of pairs end with LIST_PADDING zeros. */
struct image_pairs {
	double *r, *s;
	double *weight_over_r[2]; /* with and without damping */
	double *rows[2];
	size_t count, capacity, tasks;
	bool summed; /* by this rank */
};

/* Pairs of a task: the entries from `first` on of a list. */
struct task_pairs {
	struct image_pairs *of;
	size_t first, count;
};

/* On a device. */
struct image_sums {
	struct device *device;
	struct sinc_list *sinc; /* without a motion */
};

struct image_run {
	sonde_context *context;
	const sonde_atoms *sample;
	struct pair_sums *sums;
	struct arranged_atoms atoms;
	struct box *boxes;
	struct images *images;
	struct image_list list;
	size_t first_task, end_task; /* those of the current lists of pairs */
	struct task_pairs *tasks;
	size_t tasks_capacity;
	struct image_pairs *lists;
	size_t list_count, most_lists;
	struct image_sums devices[CONTEXT_MOST_DEVICES];
	struct stage stage;
	double done;
	struct unfinished_part *part;         /* of the current species; null: nothing is kept */
	uint32_t quads, first_quad, end_quad; /* of these species, and those of the list */
};

/* Lists of pairs ------------------------------------------------------------------------------------------- */

static void add_entry(const struct image_run *run, const struct image_pairs *pairs, uint32_t i, uint32_t j,
		      const double d[3], size_t at)
{
	const struct pair_motion *motion = run->sums->motion;
	const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
	struct pair_width width = {length, 0.0};

	if (motion != NULL)
		width = motion_along(motion, run->sample, run->atoms.atom[i], run->atoms.atom[j], d);
	pairs->r[at] = fmax(width.r, COINCIDENT);
	pairs->s[at] = width.s;
	pairs->weight_over_r[0][at] = periodic_factor(run->sums->periodic, length) / pairs->r[at];
	pairs->weight_over_r[1][at] = 1.0 / pairs->r[at];
}

/* The pairs of the tiles of a task with one partner, up to the cut-off. */
static void list_partner(const struct image_run *run, const struct image_task *task,
			 const struct image_partner *partner, struct task_pairs *own)
{
	const struct arranged_atoms *atoms = &run->atoms;
	const double *shift = images_vectors(run->images)[partner->image & ~PARTNER_NEAR],
		     end = run->sums->periodic->end;
	const struct arranged_tile *tile = &atoms->tiles[partner->tile];

	for (uint32_t i = atoms->tiles[task->tile].first; i < atoms->tiles[task->tile_end - 1].end; ++i) {
		const bool near = (partner->image & PARTNER_NEAR) != 0;
		for (uint32_t j = near && i + 1 > tile->first ? i + 1 : tile->first; j < tile->end; ++j) {
			const double d[3] = {atoms->x[j] + shift[0] - atoms->x[i],
					     atoms->y[j] + shift[1] - atoms->y[i],
					     atoms->z[j] + shift[2] - atoms->z[i]};
			if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < end * end)
				add_entry(run, own->of, i, j, d, own->first + own->count++);
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

/* Moves the entries of the tasks of a list together, in their order. */
static void close_gaps(struct image_pairs *pairs, const struct task_pairs *tasks)
{
	double *arrays[] = {pairs->r, pairs->s, pairs->weight_over_r[0], pairs->weight_over_r[1]};

	pairs->count = 0;
	for (size_t t = 0; t < pairs->tasks; ++t) {
		for (int k = 0; k < 4; ++k)
			memmove(arrays[k] + pairs->count, arrays[k] + tasks[t].first,
				tasks[t].count * sizeof(double));
		pairs->count += tasks[t].count;
	}
	for (int k = 0; k < 4; ++k)
		memset(arrays[k] + pairs->count, 0, LIST_PADDING * sizeof(double));
}

/* Makes room for the pairs of the tasks from end_task on, as many as one list takes. */
static sonde_status begin_list(struct image_run *run, struct image_pairs *pairs)
{
	size_t room = 0;

	pairs->summed = false;
	for (pairs->tasks = 0; run->end_task < run->list.task_count; ++pairs->tasks, ++run->end_task) {
		const size_t more = room_of(run, &run->list.tasks[run->end_task]),
			     number = run->end_task - run->first_task;
		if (pairs->tasks > 0 && room + more > MOST_ENTRIES)
			break;
		CHECK(
		    memory_grow(&run->tasks, &run->tasks_capacity, number + 1, sizeof *run->tasks, "pairs of tiles"));
		run->tasks[number] = (struct task_pairs){.of = pairs, .first = room};
		room += more;
	}
	return reserve(pairs, room);
}

/* Lists the pairs of the tasks from first_task on, in at most most_lists lists. */
static sonde_status list_pairs(struct image_run *run)
{
	size_t done = 0;

	run->end_task = run->first_task;
	for (run->list_count = 0; run->list_count < run->most_lists && run->end_task < run->list.task_count;
	     ++run->list_count)
		CHECK(begin_list(run, &run->lists[run->list_count]));
	threads_for(context_threads(run->context), (int64_t)(run->end_task - run->first_task), 1, list_tasks, run);
	for (size_t k = 0; k < run->list_count; ++k) {
		close_gaps(&run->lists[k], run->tasks + done);
		done += run->lists[k].tasks;
	}
	return SONDE_OK;
}

/* Sums ------------------------------------------------------------------------------------------------------ */

static sonde_status prepare_device(void *user, struct device *device, void *state)
{
	const struct image_run *run = user;
	struct image_sums *on = state;

	if (run->sums->motion == NULL) {
		CHECK(sinc_list_create(run->context, device, &on->sinc));
		sinc_list_be_quiet(on->sinc);
	}
	on->device = device;
	return SONDE_OK;
}

static void release_device(void *state)
{
	struct image_sums *on = state;

	sinc_list_free(&on->sinc);
	*on = (struct image_sums){0};
}

/* With `undamped` sums their own weights. */
static sonde_status sum_on(const struct image_run *run, const struct image_sums *on, const struct pair_sums *sums,
			   const struct image_pairs *pairs, const double *weight_over_r, double *row)
{
	const uint32_t count = (uint32_t)pairs->count;

	memset(row, 0, (size_t)sums->q.points * sizeof *row);
	if (sums->motion != NULL)
		return motion_list_add(run->context, on->device, pairs->r, weight_over_r, pairs->s, count, sums, NULL,
				       row);
	return sums->q_values != NULL
		   ? sinc_list_add_at(on->sinc, pairs->r, weight_over_r, count, sums->q_values, sums->q.points, row)
		   : sinc_list_add(on->sinc, pairs->r, weight_over_r, count, &sums->q, row);
}

/* At q = 0 every sin(q r)/(q r) is 1. */
static double sum_of_weights(const struct image_pairs *pairs, const double *weight_over_r)
{
	double sum = 0.0;

	for (size_t n = 0; n < pairs->count; ++n)
		sum += weight_over_r[n] * pairs->r[n];
	return sum;
}

/* The sums over a list, with and without damping. */
static sonde_status sum_list(const struct image_run *run, const struct image_sums *on, struct image_pairs *pairs)
{
	const struct pair_sums *both[] = {run->sums, run->sums->undamped};

	for (int k = 0; k < 2 && both[k] != NULL; ++k) {
		CHECK(sum_on(run, on, both[k], pairs, pairs->weight_over_r[k], pairs->rows[k]));
		if (pair_sums_q(both[k], 0) == 0.0)
			pairs->rows[k][0] = sum_of_weights(pairs, pairs->weight_over_r[k]);
	}
	pairs->summed = true;
	return SONDE_OK;
}

static sonde_status sum_lists(void *user, void *state, uint64_t first, uint64_t count, double *work)
{
	const struct image_run *run = user;

	for (uint64_t k = first; k < first + count; ++k) {
		CHECK(sum_list(run, state, &run->lists[k]));
		*work += (double)run->lists[k].count;
	}
	return SONDE_OK;
}

/* The sums of each list are those of one rank, and 0 on others. */
static sonde_status merge(void *user, struct parallel *ranks)
{
	const struct image_run *run = user;
	const size_t points = (size_t)run->sums->q.points;

	for (size_t n = 0; n < run->list_count; ++n) {
		for (int d = 0; d < (run->sums->undamped != NULL ? 2 : 1); ++d) {
			if (!run->lists[n].summed)
				memset(run->lists[n].rows[d], 0, points * sizeof(double));
			CHECK(parallel_sum_in_order(ranks, run->lists[n].rows[d], points));
		}
	}
	return SONDE_OK;
}

static struct shared_work work_of(struct image_run *run)
{
	return (struct shared_work){.pieces = run->list_count,
				    .user = run,
				    .states = run->devices,
				    .state_size = sizeof *run->devices,
				    .prepare = prepare_device,
				    .release = release_device,
				    .run = sum_lists,
				    .merge = merge};
}

static void add_lists(const struct image_run *run, int pair)
{
	struct pair_sums *both[] = {run->sums, run->sums->undamped};

	for (int d = 0; d < 2 && both[d] != NULL; ++d) {
		double *total = both[d]->sums + pair * both[d]->q.points;
		for (size_t n = 0; n < run->list_count; ++n)
			for (int64_t k = 0; k < both[d]->q.points; ++k)
				total[k] += run->lists[n].rows[d][k];
	}
}

/* What is kept of two species: the next task, and the sums so far, with and without damping. */
struct kept_images {
	uint64_t quad, task;
	double done; /* pairs */
};

static uint64_t kept_size(const struct image_run *run)
{
	const uint64_t curves = run->sums->undamped != NULL ? 2 : 1;

	return sizeof(struct kept_images) + curves * (uint64_t)run->sums->q.points * sizeof(double);
}

/* Takes the sums of a pair of species from the part, or leaves them there. */
static void move_kept(const struct image_run *run, int pair, bool taken)
{
	const struct pair_sums *both[] = {run->sums, run->sums->undamped};
	char *at = (char *)run->part->numbers + sizeof(struct kept_images);
	const size_t row = (size_t)run->sums->q.points * sizeof(double);

	for (int d = 0; d < 2 && both[d] != NULL; ++d, at += row) {
		double *sums = both[d]->sums + pair * both[d]->q.points;
		memcpy(taken ? (void *)sums : (void *)at, taken ? (const void *)at : (const void *)sums, row);
	}
}

/* Begins, or takes the sums of an earlier run. */
static sonde_status begin_kept(struct image_run *run, int pair, double before, struct kept_images *next)
{
	uint64_t pieces = (uint64_t)run->quads * PIECES_OF_QUAD;
	char name[64];

	*next = (struct kept_images){0};
	snprintf(name, sizeof name, "images, pair %d", pair);
	CHECK(unfinished_part(run->sums->unfinished, name, &pieces, kept_size(run), &run->part));
	if (run->part == NULL || run->part->done == 0)
		return SONDE_OK;
	memcpy(next, run->part->numbers, sizeof *next);
	if (pieces != (uint64_t)run->quads * PIECES_OF_QUAD || next->quad > run->quads)
		return status_fail(SONDE_INVALID, "the checkpoint has sums of other tiles; start again");
	move_kept(run, pair, true);
	run->done = before + next->done;
	return SONDE_OK;
}

/* After some lists: the tasks up to end_task of these quads are done. `before`: pairs of atoms of the species before. */
static sonde_status keep(struct image_run *run, int pair, double before)
{
	const bool all = run->end_task == run->list.task_count;
	const struct kept_images next = {all ? run->end_quad : run->first_quad, all ? 0 : run->end_task,
					 run->done - before};
	const double part = all ? 1.0 : (double)run->end_task / (double)run->list.task_count;

	if (run->part == NULL)
		return SONDE_OK;
	memcpy(run->part->numbers, &next, sizeof next);
	move_kept(run, pair, false);
	const uint64_t done = (uint64_t)run->first_quad * PIECES_OF_QUAD +
			      (uint64_t)(part * (run->end_quad - run->first_quad) * PIECES_OF_QUAD);
	return unfinished_advance(run->sums->unfinished, run->part, done - run->part->done);
}

static sonde_status sum_tasks(struct image_run *run, int pair, size_t first, double before)
{
	for (run->first_task = first; run->first_task < run->list.task_count; run->first_task = run->end_task) {
		CHECK(list_pairs(run));
		const struct shared_work work = work_of(run);
		CHECK(share_work(run->context, &work, &run->stage, &run->done));
		add_lists(run, pair);
		CHECK(keep(run, pair, before));
	}
	return SONDE_OK;
}

static sonde_status sum_species(struct image_run *run, int a, int b)
{
	const uint32_t *first_tile = run->atoms.species_first_tile;
	struct image_search search = {
	    .species_a = a, .species_b = b, .unit = 1, .per_angstrom = 1.0, .threads = context_threads(run->context)};
	const int pair = species_pair_index(run->sums->species, a, b);
	const double before = run->done;
	struct kept_images next;

	run->quads = (first_tile[a + 1] - first_tile[a] + QUAD - 1) / QUAD;
	CHECK(begin_kept(run, pair, before, &next));
	for (run->first_quad = (uint32_t)next.quad; run->first_quad < run->quads; run->first_quad = run->end_quad) {
		run->end_quad =
		    run->quads - run->first_quad < QUADS_AT_ONCE ? run->quads : run->first_quad + QUADS_AT_ONCE;
		search.first = run->first_quad;
		search.end = run->end_quad;
		CHECK(images_find(run->images, &search, &run->list));
		CHECK(sum_tasks(run, pair, (size_t)next.task, before));
		next.task = 0;
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

static sonde_status prepare_lists(struct image_run *run)
{
	const size_t points = (size_t)run->sums->q.points;
	struct device_count devices;

	CHECK(context_count_devices(run->context, &devices));
	run->most_lists = devices.all > 1 ? LISTS_PER_DEVICE * (size_t)devices.all : 1;
	CHECK(memory_allocate(&run->lists, run->most_lists, sizeof *run->lists, "the sums"));
	for (size_t k = 0; k < run->most_lists; ++k)
		for (int d = 0; d < (run->sums->undamped != NULL ? 2 : 1); ++d)
			CHECK(memory_allocate(&run->lists[k].rows[d], points, sizeof(double), "the sums"));
	return SONDE_OK;
}

static sonde_status prepare(struct image_run *run)
{
	CHECK(arrange_atoms(run->context, run->sample, RING_TILE, QUAD, &run->atoms));
	CHECK(memory_allocate(&run->boxes, run->atoms.tile_count, sizeof *run->boxes, "the tiles"));
	for (uint32_t t = 0; t < run->atoms.tile_count; ++t)
		find_box(&run->atoms, t, &run->boxes[t]);
	CHECK(prepare_lists(run));
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

static void release_list(struct image_pairs *pairs)
{
	free(pairs->r);
	free(pairs->s);
	for (int k = 0; k < 2; ++k) {
		free(pairs->weight_over_r[k]);
		free(pairs->rows[k]);
	}
}

static void release(struct image_run *run)
{
	const struct shared_work work = work_of(run);

	share_release(&work);
	images_free(&run->images);
	image_list_free(&run->list);
	arranged_atoms_free(&run->atoms);
	free(run->boxes);
	free(run->tasks);
	for (size_t k = 0; run->lists != NULL && k < run->most_lists; ++k)
		release_list(&run->lists[k]);
	free(run->lists);
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
