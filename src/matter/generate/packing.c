/* The overlaps of soft spheres are minimized by FIRE (E. Bitzek, P. Koskinen, F. Gaehler, M. Moseler and P. Gumbsch, Phys. Rev. Lett. 97,
 * 170201 (2006)), with its parameters: a repulsion proportional to the overlap, mass 1 and stiffness 1. */
#include "matter/generate/packing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

#define MARGIN \
	1e-3 /* spheres are moved apart until they are larger by this part, so that contacts are reached in finite time */
#define FIRST_STEP 0.1   /* time steps */
#define LARGEST_STEP 0.5 /* stable for up to 16 contacts of a sphere */
#define LARGEST_MOVE 0.1 /* in a step, relative to the widest sphere */
#define FIRST_MIXING 0.1
#define DAMPING 0.95 /* of velocities per step: otherwise spheres that are free fly on, and meet others */
#define LATENCY 5    /* steps downhill before the time step grows */

struct separation {
	struct packing *packing;
	double *force, *velocity; /* x, y, z of each sphere */
	double *closest;          /* of each sphere to any other */
	double *sorted;           /* positions in the order of cells */
	int64_t cells[3];
	int64_t *cell_start, *order,
	    *cell_of; /* spheres by cell: order[cell_start[c]] to order[cell_start[c + 1] - 1] */
	int64_t cell_count;
	double time_step, mixing;
	int downhill;
};

static void separation_free(struct separation *work)
{
	free(work->force);
	free(work->velocity);
	free(work->closest);
	free(work->sorted);
	free(work->cell_start);
	free(work->order);
	free(work->cell_of);
}

/* Cells at least as wide as the widest sphere, and not more than there are spheres, on the average. */
static void choose_cells(struct separation *work)
{
	const struct packing *packing = work->packing;
	const double volume = packing->box[0] * packing->box[1] * packing->box[2];
	const double width = fmax(packing->widest * (1.0 + MARGIN), cbrt(volume / (double)packing->count));

	work->cell_count = 1;
	for (int k = 0; k < 3; ++k) {
		work->cells[k] = (int64_t)fmax(1.0, floor(packing->box[k] / width));
		work->cell_count *= work->cells[k];
	}
}

static sonde_status separation_create(struct packing *packing, struct separation *work)
{
	const size_t count = (size_t)packing->count;

	*work = (struct separation){.packing = packing, .time_step = FIRST_STEP, .mixing = FIRST_MIXING};
	choose_cells(work);
	CHECK(memory_allocate(&work->force, 3 * count, sizeof *work->force, "the forces of a packing"));
	CHECK(memory_allocate(&work->velocity, 3 * count, sizeof *work->velocity, "the velocities of a packing"));
	CHECK(memory_allocate(&work->closest, count, sizeof *work->closest, "the distances of a packing"));
	CHECK(memory_allocate(&work->sorted, 3 * count, sizeof *work->sorted, "the order of a packing"));
	CHECK(memory_allocate(&work->order, count, sizeof *work->order, "the order of a packing"));
	CHECK(memory_allocate(&work->cell_of, count, sizeof *work->cell_of, "the cells of a packing"));
	return memory_allocate(&work->cell_start, (size_t)work->cell_count + 2, sizeof *work->cell_start,
			       "the cells of a packing");
}

static int64_t cell_along(const struct separation *work, int64_t sphere, int axis)
{
	const double part = work->packing->positions[3 * sphere + axis] / work->packing->box[axis];
	const int64_t cell = (int64_t)(part * (double)work->cells[axis]);

	return cell < work->cells[axis] ? cell : work->cells[axis] - 1;
}

/* Sorts the spheres into their cells, by increasing numbers. */
static void fill_cells(struct separation *work)
{
	int64_t *start = work->cell_start + 1; /* one place ahead while it is filled */

	memset(work->cell_start, 0, ((size_t)work->cell_count + 2) * sizeof *work->cell_start);
	for (int64_t i = 0; i < work->packing->count; ++i) {
		work->cell_of[i] =
		    (cell_along(work, i, 0) * work->cells[1] + cell_along(work, i, 1)) * work->cells[2] +
		    cell_along(work, i, 2);
		++start[work->cell_of[i] + 1];
	}
	for (int64_t c = 0; c < work->cell_count; ++c)
		start[c + 1] += start[c];
	for (int64_t i = 0; i < work->packing->count; ++i) {
		const int64_t place = start[work->cell_of[i]]++;
		work->order[place] = i;
		memcpy(work->sorted + 3 * place, work->packing->positions + 3 * i, 3 * sizeof *work->sorted);
	}
}

/* The repulsion of sphere i by those of a cell. */
static void repel(struct separation *work, int64_t i, int64_t cell)
{
	const struct packing *packing = work->packing;
	const double *box = packing->box, *from = packing->positions + 3 * i;
	double *force = work->force + 3 * i;
	const double widest = packing->widest * (1.0 + MARGIN);

	for (int64_t n = work->cell_start[cell]; n < work->cell_start[cell + 1]; ++n) {
		double d[3], square = 0.0;
		for (int k = 0; k < 3; ++k) {
			d[k] = from[k] - work->sorted[3 * n + k];
			d[k] -= d[k] > 0.5 * box[k] ? box[k] : d[k] < -0.5 * box[k] ? -box[k] : 0.0;
			square += d[k] * d[k];
		}
		if (square >= widest * widest || work->order[n] == i)
			continue;
		const int64_t j = work->order[n];
		const double least = packing->least[packing->species_of[i]][packing->species_of[j]];
		const double reach = least * (1.0 + MARGIN);
		if (square >= reach * reach) /* also if there is none */
			continue;
		const double distance = sqrt(square);
		work->closest[i] = fmin(work->closest[i], distance / least);
		if (distance == 0.0) /* in opposite directions along x */
			force[0] += i < j ? -reach : reach;
		for (int k = 0; k < 3 && distance > 0.0; ++k)
			force[k] += (reach / distance - 1.0) * d[k];
	}
}

/* The neighboring cells along an axis, each once: `first` to `last`, relative to a cell's own. */
static void neighbors_along(int64_t cells, int64_t *first, int64_t *last)
{
	*first = cells > 2 ? -1 : 0;
	*last = cells > 1 ? 1 : 0;
}

/* Spheres in the order of cells, so that those of neighboring cells are still in the cache. */
static void repel_some(void *state, int64_t first_place, int64_t end_place, int worker)
{
	struct separation *work = state;
	const int64_t *cells = work->cells;
	int64_t first[3], last[3];

	(void)worker;
	for (int k = 0; k < 3; ++k)
		neighbors_along(cells[k], &first[k], &last[k]);
	for (int64_t place = first_place; place < end_place; ++place) {
		const int64_t i = work->order[place];
		const int64_t own[3] = {work->cell_of[i] / cells[2] / cells[1],
					work->cell_of[i] / cells[2] % cells[1], work->cell_of[i] % cells[2]};
		memset(work->force + 3 * i, 0, 3 * sizeof *work->force);
		work->closest[i] = 1.0 + MARGIN;
		for (int64_t x = first[0]; x <= last[0]; ++x)
			for (int64_t y = first[1]; y <= last[1]; ++y)
				for (int64_t z = first[2]; z <= last[2]; ++z)
					repel(work, i,
					      ((own[0] + x + cells[0]) % cells[0] * cells[1] +
					       (own[1] + y + cells[1]) % cells[1]) *
						      cells[2] +
						  (own[2] + z + cells[2]) % cells[2]);
	}
}

static double find_closest(const struct separation *work)
{
	double closest = INFINITY;

	for (int64_t i = 0; i < work->packing->count; ++i)
		closest = fmin(closest, work->closest[i]);
	return closest;
}

/* FIRE: turns the velocities toward the forces; downhill the time step grows, uphill the spheres stop. */
static void steer(struct separation *work)
{
	const int64_t numbers = 3 * work->packing->count;
	double power = 0.0, forces = 0.0, velocities = 0.0;

	for (int64_t k = 0; k < numbers; ++k) {
		power += work->force[k] * work->velocity[k];
		forces += work->force[k] * work->force[k];
		velocities += work->velocity[k] * work->velocity[k];
	}
	const bool uphill = power <= 0.0;
	const double keep = uphill ? 0.0 : DAMPING * (1.0 - work->mixing);
	const double turn = uphill || forces == 0.0 ? 0.0 : work->mixing * sqrt(velocities / forces);
	for (int64_t k = 0; k < numbers; ++k)
		work->velocity[k] = keep * work->velocity[k] + turn * work->force[k];
	if (uphill) {
		work->downhill = 0;
		work->mixing = FIRST_MIXING;
		work->time_step = fmax(0.5 * work->time_step, 0.02 * FIRST_STEP);
	} else if (++work->downhill > LATENCY) {
		work->time_step = fmin(1.1 * work->time_step, LARGEST_STEP);
		work->mixing *= 0.99;
	}
}

static void move(struct separation *work)
{
	struct packing *packing = work->packing;
	const double most = LARGEST_MOVE * packing->widest;

	for (int64_t k = 0; k < 3 * packing->count; ++k) {
		const double box = packing->box[k % 3];
		work->velocity[k] += work->time_step * work->force[k];
		double place = packing->positions[k] + fmax(-most, fmin(most, work->time_step * work->velocity[k]));
		place -= box * floor(place / box);
		packing->positions[k] = place < box ? place : 0.0;
	}
}

static sonde_status separate(sonde_context *context, struct separation *work, int64_t steps, double *closest)
{
	const int threads = context_threads(context);
	const int64_t count = work->packing->count;
	struct stage stage;

	*closest = 0.0;
	stage_begin(&stage, context, "packing", "steps", (double)steps);
	for (int64_t step = 0;; ++step) {
		fill_cells(work);
		threads_for(threads, count, threads_grain(threads, count), repel_some, work);
		const double reached = find_closest(work);
		*closest = fmax(*closest, reached);
		if (reached >= 1.0 || step == steps)
			return SONDE_OK;
		steer(work);
		move(work);
		CHECK(stage_advance(&stage, (double)(step + 1)));
	}
}

sonde_status packing_separate(sonde_context *context, struct packing *packing, int64_t steps, double *closest)
{
	struct separation work;
	sonde_status status = separation_create(packing, &work);

	if (status == SONDE_OK)
		status = separate(context, &work, steps, closest);
	separation_free(&work);
	return status;
}
