#include "coulomb/periodic/ewald.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/threads.h"
#include "base/vectors.h"
#include "coulomb/charges.h"
#include "coulomb/kernels/direct_layout.h"
#include "coulomb/plan.h"
#include "run/context.h"
#include "run/ordered_sum.h"

#define MOST_WAVES 1e8
#define WAVE_OF_CHARGE (1.0 / 30.0) /* cost of a wave per charge, relative to an error function */
#define COST_OF_TERM 6.0            /* of an error function or a sine and cosine, in reciprocal square roots */

/* Waves that differ only in their third index: `count` of them from `third` on. */
struct wave_row {
	int first, second, third, count;
	size_t place; /* index of the first among all waves */
};

/* Rows of half of the waves up to |k| = most; only counts them if `rows` is null. */
static size_t list_rows(const struct ewald *ewald, double most, struct wave_row *rows, size_t *waves)
{
	int reach[3];
	size_t count = 0;

	*waves = 0;
	for (int k = 0; k < 3; ++k)
		reach[k] = (int)(most * sqrt(vector_dot(ewald->cell.edges[k], ewald->cell.edges[k])) / (2.0 * PI));
	for (int n = 0; n <= reach[0]; ++n) {
		for (int m = n == 0 ? 0 : -reach[1]; m <= reach[1]; ++m) {
			struct wave_row row = {n, m, 0, 0, *waves};
			for (int l = n == 0 && m == 0 ? 1 : -reach[2]; l <= reach[2]; ++l) {
				double k[3];
				for (int c = 0; c < 3; ++c)
					k[c] = 2.0 * PI *
					       (n * ewald->cell.inverse[0][c] + m * ewald->cell.inverse[1][c] +
						l * ewald->cell.inverse[2][c]);
				if (vector_dot(k, k) > most * most)
					continue;
				row.third = row.count == 0 ? l : row.third;
				++row.count;
				if (rows != NULL)
					memcpy(ewald->waves + 5 * (*waves), k, sizeof k);
				++*waves;
			}
			if (row.count == 0)
				continue;
			if (rows != NULL)
				rows[count] = row;
			++count;
		}
	}
	return count;
}

#define CHUNK_OF_CHARGES 512
#define CHARGES_OF_PART 32
#define ROWS_OF_PART 8

/* exp(2 pi i n f_k) of a chunk of charges, f_k the fractional coordinates along edge k: for n = 0 to `reach`,
 * cosines and sines. */
struct phases {
	int reach[3];
	double *numbers[3];
};

static double *phase(const struct phases *phases, int k, int n)
{
	return phases->numbers[k] + 2 * (size_t)CHUNK_OF_CHARGES * (size_t)n;
}

/* A chunk of charges, from number `first` on, and the rows of waves to which they are added. */
struct chunk {
	const struct ewald *ewald;
	const struct charges *charges;
	uint32_t first;
	int count;
	struct phases *phases;
	const struct wave_row *rows;
};

static void fill_phases(void *state, int64_t begin, int64_t end, int worker)
{
	const struct chunk *chunk = state;
	const struct ewald *ewald = chunk->ewald;
	const struct charges *charges = chunk->charges;
	const struct phases *phases = chunk->phases;

	(void)worker;
	for (int64_t j = begin; j < end; ++j) {
		const size_t at = chunk->first + (size_t)j;
		const double r[3] = {charges->x[at], charges->y[at], charges->z[at]};
		double f[3];
		cell_fractions(&ewald->cell, r, f);
		for (int k = 0; k < 3; ++k) {
			for (int n = 0; n <= phases->reach[k]; ++n) {
				double turns = n * (f[k] - floor(f[k])), angle = 2.0 * PI * (turns - floor(turns));
				double *to = phase(phases, k, n) + j;
				to[0] = cos(angle);
				to[CHUNK_OF_CHARGES] = sin(angle);
			}
		}
	}
}

/* Multiplies by a phase, or by its conjugate. */
static void turn(double *re, double *im, const double *by, double sign, int count)
{
	for (int j = 0; j < count; ++j) {
		double c = by[j], s = sign * by[CHUNK_OF_CHARGES + j], real = re[j] * c - im[j] * s;
		im[j] = re[j] * s + im[j] * c;
		re[j] = real;
	}
}

/* In four partial sums, for SIMD registers. */
static double sum_of(const double *numbers)
{
	double parts[4] = {0.0, 0.0, 0.0, 0.0};

	for (int j = 0; j < CHUNK_OF_CHARGES; j += 4)
		for (int part = 0; part < 4; ++part)
			parts[part] += numbers[j + part];
	return (parts[0] + parts[1]) + (parts[2] + parts[3]);
}

/* Adds sum_j q_j exp(i k r_j) over a chunk to the coefficients of the waves of a row. */
static void add_row(const struct ewald *ewald, const struct wave_row *row, const struct phases *phases,
		    const double *q, int count)
{
	double re[CHUNK_OF_CHARGES] = {0.0}, im[CHUNK_OF_CHARGES] = {0.0};

	memcpy(re, q, (size_t)count * sizeof *re);
	turn(re, im, phase(phases, 0, row->first), 1.0, count);
	turn(re, im, phase(phases, 1, abs(row->second)), row->second < 0 ? -1.0 : 1.0, count);
	turn(re, im, phase(phases, 2, abs(row->third)), row->third < 0 ? -1.0 : 1.0, count);
	for (int l = 0; l < row->count; ++l) {
		double *wave = ewald->waves + 5 * (row->place + (size_t)l);
		if (l > 0)
			turn(re, im, phase(phases, 2, 1), 1.0, count);
		wave[3] += sum_of(re);
		wave[4] += sum_of(im);
	}
}

static void add_rows(void *state, int64_t begin, int64_t end, int worker)
{
	const struct chunk *chunk = state;

	(void)worker;
	for (int64_t r = begin; r < end; ++r)
		add_row(chunk->ewald, &chunk->rows[r], chunk->phases, chunk->charges->q + chunk->first, chunk->count);
}

static sonde_status sum_waves(const sonde_context *context, const struct charges *charges,
			      const struct wave_row *rows, size_t row_count, struct ewald *ewald)
{
	int threads = context_threads(context);
	struct phases phases = {.reach = {0, 0, 1}};
	size_t numbers = 0;

	for (size_t r = 0; r < row_count; ++r) {
		const int most[3] = {rows[r].first, abs(rows[r].second), abs(rows[r].third)};
		for (int k = 0; k < 3; ++k)
			phases.reach[k] = most[k] > phases.reach[k] ? most[k] : phases.reach[k];
	}
	for (int k = 0; k < 3; ++k)
		numbers += 2 * (size_t)CHUNK_OF_CHARGES * (size_t)(phases.reach[k] + 1);
	CHECK(memory_allocate(&phases.numbers[0], numbers, sizeof(double), "the waves"));
	phases.numbers[1] = phase(&phases, 0, phases.reach[0] + 1);
	phases.numbers[2] = phase(&phases, 1, phases.reach[1] + 1);
	for (uint32_t first = 0; first < charges->count; first += CHUNK_OF_CHARGES) {
		uint32_t left = charges->count - first;
		int count = left < CHUNK_OF_CHARGES ? (int)left : CHUNK_OF_CHARGES;
		if (context_cancelled(context)) {
			free(phases.numbers[0]);
			return status_fail(SONDE_CANCELLED, "stopped on request at Ewald's sum");
		}
		struct chunk chunk = {ewald, charges, first, count, &phases, rows};
		threads_for(threads, count, CHARGES_OF_PART, fill_phases, &chunk);
		threads_for(threads, (int64_t)row_count, ROWS_OF_PART, add_rows, &chunk);
	}
	free(phases.numbers[0]);
	return SONDE_OK;
}

static sonde_status find_waves(const sonde_context *context, const struct charges *charges, double most,
			       double volume, struct ewald *ewald)
{
	double estimate = volume * most * most * most / (12.0 * PI * PI);
	struct wave_row *rows;
	size_t waves;

	if (estimate > MOST_WAVES)
		return status_fail(SONDE_INVALID, "the Ewald sum needs %.3g waves: the cell is too large or too flat",
				   estimate);
	size_t row_count = list_rows(ewald, most, NULL, &waves);
	ewald->wave_count = (uint32_t)waves;
	CHECK(memory_allocate(&ewald->waves, 5 * waves + 1, sizeof(double), "the waves"));
	CHECK(memory_allocate(&rows, row_count + 1, sizeof *rows, "the waves"));
	(void)list_rows(ewald, most, rows, &waves);
	sonde_status status = sum_waves(context, charges, rows, row_count, ewald);
	free(rows);
	for (uint32_t w = 0; w < ewald->wave_count; ++w) {
		double *wave = ewald->waves + 5 * (size_t)w, square = vector_dot(wave, wave);
		/* a factor of 2 for the other half of the waves */
		double weight = 8.0 * PI / volume * exp(-square / (4.0 * ewald->alpha * ewald->alpha)) / square;
		wave[3] *= weight;
		wave[4] *= weight;
	}
	return status;
}

sonde_status ewald_make(const sonde_context *context, const struct charges *charges, const struct cell *cell,
			double tolerance, double split, double points, struct ewald *ewald)
{
	/* the neglected terms are of order exp(-s^2) */
	double s = sqrt(-log(tolerance)) + 0.3, low[3], high[3];
	sonde_status status;

	*ewald = (struct ewald){.cell = *cell};
	/* equal work for both sums (Perram, Petersen and de Leeuw, Mol. Phys. 65 (1988) 875): each wave is summed
	 * over the charges, which is fast, and at the points; near charges at the points only */
	double share = points / (points + WAVE_OF_CHARGE * charges->count), volume = cell->volume;
	ewald->alpha = split * sqrt(PI) * pow(fmax(1.0, charges->count * share) / (volume * volume), 1.0 / 6.0);
	ewald->background = -PI * charges->total / (volume * ewald->alpha * ewald->alpha);
	for (int k = 0; k < 3; ++k) {
		/* the cell's width between its faces is 1/|inverse_k| */
		double beyond = s / ewald->alpha * sqrt(vector_dot(cell->inverse[k], cell->inverse[k]));
		low[k] = -beyond;
		high[k] = 1.0 + beyond;
	}
	CHECK_GOTO(status, cell_images(context, cell, charges, low, high, NULL, NULL, &ewald->images), failed);
	CHECK_GOTO(status, find_waves(context, charges, 2.0 * s * ewald->alpha, volume, ewald), failed);
	return SONDE_OK;
failed:
	ewald_free(ewald);
	return status;
}

double ewald_terms(const struct charges *charges, double tolerance)
{
	double s = sqrt(-log(0.1 * tolerance)) + 0.3, root = sqrt(fmax(1.0, charges->count));
	/* alpha^3 times the volume, for a cubic cell; then the images within reach and the waves */
	double cube = pow(PI, 1.5) * root;

	return COST_OF_TERM *
	       (charges->count * pow(1.0 + 2.0 * s / cbrt(cube), 3.0) + 8.0 * s * s * s * cube / (12.0 * PI * PI));
}

void ewald_free(struct ewald *ewald)
{
	charges_free(&ewald->images);
	free(ewald->waves);
	*ewald = (struct ewald){0};
}

void ewald_reference_point(const struct ewald *ewald, const double point[3], double sums[4], uint64_t *coincident)
{
	const struct charges *images = &ewald->images;
	struct ordered_sum totals[4] = {0};
	double p[3] = {point[0], point[1], point[2]}, alpha = ewald->alpha;

	cell_wrap(&ewald->cell, p);
	for (uint32_t j = 0; j < images->count; ++j) {
		double d[3] = {p[0] - images->x[j], p[1] - images->y[j], p[2] - images->z[j]}, q = images->q[j];
		double square = vector_dot(d, d), r = sqrt(square);
		if (square < COINCIDENT * COINCIDENT) {
			++*coincident;
			ordered_sum_add(&totals[0], -TWO_OVER_SQRT_PI * alpha * q);
			continue;
		}
		double bare = q * erfc(alpha * r) / r,
		       tail = TWO_OVER_SQRT_PI * alpha * q * exp(-alpha * alpha * square);
		ordered_sum_add(&totals[0], bare);
		for (int k = 0; k < 3; ++k)
			ordered_sum_add(&totals[1 + k], (bare + tail) * (d[k] / square));
	}
	for (uint32_t w = 0; w < ewald->wave_count; ++w) {
		const double *wave = ewald->waves + 5 * (size_t)w;
		double phase = vector_dot(wave, p);
		ordered_sum_add(&totals[0], wave[3] * cos(phase) + wave[4] * sin(phase));
		for (int k = 0; k < 3; ++k)
			ordered_sum_add(&totals[1 + k], wave[k] * (wave[3] * sin(phase) - wave[4] * cos(phase)));
	}
	double slab[4];
	cell_slab_term(&ewald->cell, point, slab);
	ordered_sum_add(&totals[0], ewald->background);
	for (int k = 0; k < 4; ++k)
		ordered_sum_add(&totals[k], slab[k]);
	for (int k = 0; k < 4; ++k)
		sums[k] = ordered_sum_value(&totals[k]);
}
