#include "pattern/exact_sums.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/vectors.h"
#include "matter/atoms/placed_atoms.h"
#include "pattern/kernels/pattern_exact.h"
#include "run/ordered_sum.h"

#define MOST_UNITS 1024 /* of atoms, whose sums are kept */
#define MOST_PHASE 1e8  /* of the kernel, lanes_sincos_of_sum(); beyond, points are those of the reference */

/* The atoms that a thread places, in the form of the kernel. */
struct placed_block {
	double positions[3][EXACT_ATOMS];
	uint32_t classes[EXACT_ATOMS];
};

struct exact_run {
	const sonde_context *context;
	const struct pattern_sample *sample;
	struct exact_point *points;
	int count;
	cpu_kernel_entry *kernel;
	uint32_t classes; /* the last one, without amplitude, fills up rows */
	double *vectors, *amplitudes;
	int64_t unit;                /* atoms of a unit, a multiple of EXACT_ATOMS */
	double *parts;               /* [unit][point][real imaginary] */
	struct placed_block *blocks; /* of each thread, */
	double *sums;                /* and its sums of a unit, [thread][point][EXACT_NUMBERS] */
};

/* Atoms -------------------------------------------------------------------------------------------------------- */

static void put(struct placed_block *block, int64_t n, const double r[3], uint32_t class)
{
	for (int k = 0; k < 3; ++k)
		block->positions[k][n] = r[k];
	block->classes[n] = class;
}

/* Of a group of copies the atoms `first` to end - 1 of all, those of a block that begins with atom `begin`. */
static void put_copies(const struct pattern_sample *sample, const struct pattern_copies_of *group, int64_t begin,
		       int64_t first, int64_t end, struct placed_block *block)
{
	int64_t copy = (first - group->begins) / group->atoms, i = (first - group->begins) % group->atoms;

	for (int64_t atom = first; atom < end; ++atom) {
		double r[3];
		placement_apply(&sample->copies.placements[group->first_copy + copy],
				sample->view.positions + 3 * (group->first + i), r);
		put(block, atom - begin, r, sample->view.species_of[group->first + i]);
		if (++i == group->atoms) {
			i = 0;
			++copy;
		}
	}
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Atoms first to end - 1; returns the number of rows. */
static uint32_t place_block(const struct exact_run *run, int64_t first, int64_t end, struct placed_block *block)
{
	static const double origin[3] = {0.0, 0.0, 0.0};
	const struct pattern_sample *sample = run->sample;
	const struct pattern_copies *copies = &sample->copies;
	int64_t n = end - first;

	if (copies->count == 0)
		for (int64_t i = first; i < end; ++i)
			put(block, i - first, sample->view.positions + 3 * i, sample->view.species_of[i]);
	for (int g = 0; g < copies->count; ++g) {
		const struct pattern_copies_of *group = &copies->groups[g];
		const int64_t from = larger(first, group->begins),
			      to = smaller(end, group->begins + group->copies * group->atoms);
		if (from < to)
			put_copies(sample, group, first, from, to, block);
	}
	for (; n % EXACT_COLUMNS != 0; ++n)
		put(block, n, origin, run->classes - 1);
	return (uint32_t)(n / EXACT_COLUMNS);
}

/* Sums --------------------------------------------------------------------------------------------------------- */

static void add_block(const struct exact_run *run, int64_t first, int64_t end, int worker, double *sums)
{
	struct placed_block *block = &run->blocks[worker];
	uint32_t rows = place_block(run, first, end, block), classes = run->classes;
	const double *positions = block->positions[0], *vectors = run->vectors, *amplitudes = run->amplitudes;
	const uint32_t *of_atoms = block->classes;
	void *const arguments[] = {&positions, &of_atoms, &rows, &vectors, &amplitudes, &classes, &sums};

	for (int p = 0; p < run->count; ++p) {
		const struct cpu_group group = {.id = (uint32_t)p, .worker = (uint32_t)worker};
		if (!run->points[p].far)
			run->kernel(&group, arguments);
	}
}

/* The columns of a sum, in their order, and what they have lost. */
static double sum_of_columns(const double *columns)
{
	struct ordered_sum sum = {0.0, 0.0};

	for (unsigned c = 0; c < EXACT_COLUMNS; ++c) {
		ordered_sum_add(&sum, columns[c]);
		sum.lost += columns[EXACT_COLUMNS + c];
	}
	return ordered_sum_value(&sum);
}

static void add_units(void *state, int64_t first, int64_t end, int worker)
{
	const struct exact_run *run = state;
	const size_t points = (size_t)run->count;
	double *sums = run->sums + (size_t)worker * points * EXACT_NUMBERS;

	for (int64_t unit = first; unit < end; ++unit) {
		const int64_t last = smaller((unit + 1) * run->unit, run->sample->count);
		for (size_t k = 0; k < points * EXACT_NUMBERS; ++k)
			sums[k] = 0.0;
		for (int64_t atom = unit * run->unit; atom < last && !context_cancelled(run->context);
		     atom += EXACT_ATOMS)
			add_block(run, atom, smaller(atom + EXACT_ATOMS, last), worker, sums);
		for (size_t k = 0; k < 2 * points; ++k)
			run->parts[2 * points * (size_t)unit + k] = sum_of_columns(sums + EXACT_NUMBERS / 2 * k);
	}
}

/* Points ------------------------------------------------------------------------------------------------------- */

static void find_amplitudes(void *state, int64_t first, int64_t end, int worker)
{
	struct exact_run *run = state;
	const struct pattern_sample *sample = run->sample;

	(void)worker;
	for (int64_t p = first; p < end; ++p) {
		struct exact_point *point = &run->points[p];
		double *f = run->amplitudes + 2 * (size_t)p * run->classes;
		point->squares = 0.0;
		for (int c = 0; c < sample->class_count; ++c, f += 2) {
			(void)pattern_class_amplitude(&sample->classes[c], point->vector, point->q, &f[0], &f[1]);
			point->squares += (double)sample->view.species[c].atoms * (f[0] * f[0] + f[1] * f[1]);
		}
		for (int k = 0; k < 3; ++k)
			run->vectors[3 * p + k] = point->vector[k];
	}
}

static void add_parts(const struct exact_run *run, int64_t units)
{
	const size_t points = (size_t)run->count;

	for (size_t p = 0; p < points; ++p) {
		struct ordered_sum sums[2] = {{0.0, 0.0}, {0.0, 0.0}};
		for (size_t unit = 0; unit < (size_t)units; ++unit)
			ordered_sum_add_arrays(sums, run->parts + 2 * (points * unit + p), 1, 2);
		run->points[p].real = ordered_sum_value(&sums[0]);
		run->points[p].imaginary = ordered_sum_value(&sums[1]);
	}
}

static sonde_status run_kernel(struct exact_run *run, int threads)
{
	const size_t points = (size_t)run->count;
	const int64_t blocks = (run->sample->count + EXACT_ATOMS - 1) / EXACT_ATOMS;
	run->unit = EXACT_ATOMS * larger((blocks + MOST_UNITS - 1) / MOST_UNITS, 1);
	const int64_t units = (run->sample->count + run->unit - 1) / run->unit;
	threads = (int)smaller(threads, larger(units, 1));

	CHECK(memory_allocate(&run->vectors, points, 3 * sizeof(double), "the check"));
	CHECK(memory_allocate(&run->amplitudes, points * run->classes, 2 * sizeof(double), "the check"));
	CHECK(memory_allocate(&run->parts, points * (size_t)units, 2 * sizeof(double), "the check"));
	CHECK(memory_allocate(&run->blocks, (size_t)threads, sizeof *run->blocks, "the check"));
	CHECK(memory_allocate(&run->sums, points * (size_t)threads, EXACT_NUMBERS * sizeof(double), "the check"));
	threads_for(threads, run->count, 1, find_amplitudes, run);
	threads_for(threads, units, 1, add_units, run);
	add_parts(run, units);
	return SONDE_OK;
}

static void find_far_points(void *state, int64_t first, int64_t end, int worker)
{
	const struct exact_run *run = state;

	(void)worker;
	for (int64_t p = first; p < end; ++p) {
		struct exact_point *point = &run->points[p];
		if (point->far)
			pattern_reference(run->context, run->sample, point->vector, point->q, &point->real,
					  &point->imaginary, &point->squares);
	}
}

static bool have_far_points(const struct pattern_sample *sample, struct exact_point *points, int count)
{
	const double farthest = sample->reach + sqrt(vector_dot(sample->center, sample->center));
	bool some = false;

	for (int p = 0; p < count; ++p) {
		points[p].far = !(farthest * sqrt(vector_dot(points[p].vector, points[p].vector)) <= MOST_PHASE);
		some = some || points[p].far;
	}
	return some;
}

sonde_status pattern_exact_sums(const sonde_context *context, const struct pattern_sample *sample, int threads,
				struct exact_point *points, int count)
{
	struct exact_run run = {.context = context,
				.sample = sample,
				.points = points,
				.count = count,
				.classes = (uint32_t)sample->class_count + 1};

	const bool far = have_far_points(sample, points, count);
	CHECK(device_host_kernel(&pattern_program, "pattern_exact", &run.kernel));
	const sonde_status status = run_kernel(&run, threads);
	free(run.vectors);
	free(run.amplitudes);
	free(run.parts);
	free(run.blocks);
	free(run.sums);
	if (status == SONDE_OK && far)
		threads_for(threads, count, 1, find_far_points, &run);
	return status;
}
