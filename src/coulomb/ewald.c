#include "coulomb/ewald.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "coulomb/direct_layout.h"
#include "parallel/ordered_sum.h"

#define PI 3.14159265358979323846
#define TWO_OVER_SQRT_PI 1.1283791670955126
#define MOST_IMAGES 1e9
#define MOST_WAVES 1e8

static double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double c[3])
{
	c[0] = a[1] * b[2] - a[2] * b[1];
	c[1] = a[2] * b[0] - a[0] * b[2];
	c[2] = a[0] * b[1] - a[1] * b[0];
}

static sonde_status invert(const double cell[3][3], double inverse[3][3], double *volume)
{
	double normals[3][3];

	for (int k = 0; k < 3; ++k)
		cross(cell[(k + 1) % 3], cell[(k + 2) % 3], normals[k]);
	*volume = fabs(dot(cell[0], normals[0]));
	double size = sqrt(dot(cell[0], cell[0]) * dot(cell[1], cell[1]) * dot(cell[2], cell[2]));
	if (!(*volume > 1e-6 * size))
		return status_fail(SONDE_INVALID,
				   "the cell has no volume: its edges lie in one plane, or one is zero");
	for (int k = 0; k < 3; ++k)
		for (int c = 0; c < 3; ++c)
			inverse[k][c] = normals[k][c] / dot(cell[0], normals[0]);
	return SONDE_OK;
}

static void to_fractions(const struct ewald *ewald, const double point[3], double fractions[3])
{
	for (int k = 0; k < 3; ++k)
		fractions[k] = dot(ewald->inverse[k], point);
}

static void from_fractions(const struct ewald *ewald, const double fractions[3], double point[3])
{
	for (int c = 0; c < 3; ++c)
		point[c] = fractions[0] * ewald->cell[0][c] + fractions[1] * ewald->cell[1][c] +
			   fractions[2] * ewald->cell[2][c];
}

void ewald_wrap(const struct ewald *ewald, double point[3])
{
	double fractions[3];

	to_fractions(ewald, point, fractions);
	for (int k = 0; k < 3; ++k) {
		double whole = floor(fractions[k]);
		for (int c = 0; c < 3; ++c)
			point[c] -= whole * ewald->cell[k][c];
	}
}

/* Charges of the cells round about that are within `reach` of the cell. */
static sonde_status find_images(const struct charges *charges, double reach, struct ewald *ewald)
{
	struct charges *images = &ewald->images;
	double **arrays[] = {&images->x, &images->y, &images->z, &images->q}, beyond[3], estimate = charges->count;
	int cells[3];
	size_t count = 0;

	for (int k = 0; k < 3; ++k) {
		/* the cell's width between its faces is 1/|inverse_k| */
		beyond[k] = reach * sqrt(dot(ewald->inverse[k], ewald->inverse[k]));
		estimate *= 1.0 + 2.0 * beyond[k];
		if (estimate > MOST_IMAGES)
			return status_fail(SONDE_INVALID,
					   "the cell is too flat: more than %g images are within reach", MOST_IMAGES);
		cells[k] = (int)ceil(beyond[k]);
	}
	for (int pass = 0; pass < 2; ++pass) {
		for (int a = 0; pass == 1 && a < 4; ++a)
			CHECK(memory_allocate(arrays[a], count + 1, sizeof(double), "the images of the charges"));
		count = 0;
		for (uint32_t j = 0; j < charges->count; ++j) {
			double home[3] = {charges->x[j], charges->y[j], charges->z[j]}, f[3];
			ewald_wrap(ewald, home);
			to_fractions(ewald, home, f);
			for (int n = -cells[0]; n <= cells[0]; ++n) {
				for (int m = -cells[1]; m <= cells[1]; ++m) {
					for (int l = -cells[2]; l <= cells[2]; ++l) {
						double at[3] = {f[0] + n, f[1] + m, f[2] + l}, place[3];
						bool near = true;
						for (int k = 0; k < 3; ++k)
							near &= at[k] > -beyond[k] - 1e-9 &&
								at[k] < 1.0 + beyond[k] + 1e-9;
						if (!near)
							continue;
						if (pass == 1) {
							/* from the atom itself, not from its fractions: exactly on it, if in the cell */
							const double shift[3] = {n, m, l};
							from_fractions(ewald, shift, place);
							images->x[count] = home[0] + place[0];
							images->y[count] = home[1] + place[1];
							images->z[count] = home[2] + place[2];
							images->q[count] = charges->q[j];
						}
						++count;
					}
				}
			}
		}
	}
	images->count = (uint32_t)count;
	return SONDE_OK;
}

/* Waves that differ in their third number only: count of them from `third` on. */
struct wave_row {
	int first, second, third, count;
	size_t place; /* of the first among all waves */
};

/* Rows of half of the waves up to |k| = most; counts them where `rows` is null. */
static size_t list_rows(const struct ewald *ewald, double most, struct wave_row *rows, size_t *waves)
{
	int reach[3];
	size_t count = 0;

	*waves = 0;
	for (int k = 0; k < 3; ++k)
		reach[k] = (int)(most * sqrt(dot(ewald->cell[k], ewald->cell[k])) / (2.0 * PI));
	for (int n = 0; n <= reach[0]; ++n) {
		for (int m = n == 0 ? 0 : -reach[1]; m <= reach[1]; ++m) {
			struct wave_row row = {n, m, 0, 0, *waves};
			for (int l = n == 0 && m == 0 ? 1 : -reach[2]; l <= reach[2]; ++l) {
				double k[3];
				for (int c = 0; c < 3; ++c)
					k[c] = 2.0 * PI *
					       (n * ewald->inverse[0][c] + m * ewald->inverse[1][c] +
						l * ewald->inverse[2][c]);
				if (dot(k, k) > most * most)
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

/* exp(2 pi i n f_k) of a chunk of charges, f_k being the fractions along edge k: for n = 0 to `reach`, cosines and sines. */
struct phases {
	int reach[3];
	double *numbers[3];
};

static double *phase(const struct phases *phases, int k, int n)
{
	return phases->numbers[k] + 2 * (size_t)CHUNK_OF_CHARGES * (size_t)n;
}

static void fill_phases(const struct ewald *ewald, const struct charges *charges, uint32_t first, int count,
			int threads, struct phases *phases)
{
#pragma omp parallel for num_threads(threads)
	for (int j = 0; j < count; ++j) {
		const double r[3] = {charges->x[first + j], charges->y[first + j], charges->z[first + j]};
		double f[3];
		to_fractions(ewald, r, f);
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

/* Adds sum_j q_j exp(i k r_j) of a chunk to the coefficients of the waves of a row. */
static void add_row(const struct ewald *ewald, const struct wave_row *row, const struct phases *phases,
		    const double *q, int count)
{
	double re[CHUNK_OF_CHARGES], im[CHUNK_OF_CHARGES];

	for (int j = 0; j < count; ++j) {
		re[j] = q[j];
		im[j] = 0.0;
	}
	turn(re, im, phase(phases, 0, row->first), 1.0, count);
	turn(re, im, phase(phases, 1, abs(row->second)), row->second < 0 ? -1.0 : 1.0, count);
	turn(re, im, phase(phases, 2, abs(row->third)), row->third < 0 ? -1.0 : 1.0, count);
	for (int l = 0; l < row->count; ++l) {
		double *wave = ewald->waves + 5 * (row->place + (size_t)l), cosines = 0.0, sines = 0.0;
		if (l > 0)
			turn(re, im, phase(phases, 2, 1), 1.0, count);
#pragma omp simd reduction(+ : cosines, sines)
		for (int j = 0; j < count; ++j) {
			cosines += re[j];
			sines += im[j];
		}
		wave[3] += cosines;
		wave[4] += sines;
	}
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
		fill_phases(ewald, charges, first, count, threads, &phases);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
		for (size_t r = 0; r < row_count; ++r)
			add_row(ewald, &rows[r], &phases, charges->q + first, count);
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
		double *wave = ewald->waves + 5 * (size_t)w, square = dot(wave, wave);
		/* twice, for the other half of the waves */
		double weight = 8.0 * PI / volume * exp(-square / (4.0 * ewald->alpha * ewald->alpha)) / square;
		wave[3] *= weight;
		wave[4] *= weight;
	}
	return status;
}

sonde_status ewald_make(const sonde_context *context, const struct charges *charges, const double cell[3][3],
			double tolerance, double split, double points, struct ewald *ewald)
{
	/* exp(-s^2) is what is left out */
	double s = sqrt(-log(tolerance)) + 0.3, volume;
	sonde_status status;

	*ewald = (struct ewald){0};
	memcpy(ewald->cell, cell, sizeof ewald->cell);
	CHECK(invert(cell, ewald->inverse, &volume));
	/* equal work for both sums (Perram, Petersen and de Leeuw, Mol. Phys. 65 (1988) 875): each wave is summed over the
	 * charges and at the points, but near charges at the points only */
	double share = points / (points + charges->count);
	ewald->alpha = split * sqrt(PI) * pow(fmax(1.0, charges->count * share) / (volume * volume), 1.0 / 6.0);
	ewald->background = -PI * charges->total / (volume * ewald->alpha * ewald->alpha);
	CHECK_GOTO(status, find_images(charges, s / ewald->alpha, ewald), failed);
	CHECK_GOTO(status, find_waves(context, charges, 2.0 * s * ewald->alpha, volume, ewald), failed);
	return SONDE_OK;
failed:
	ewald_free(ewald);
	return status;
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

	ewald_wrap(ewald, p);
	for (uint32_t j = 0; j < images->count; ++j) {
		double d[3] = {p[0] - images->x[j], p[1] - images->y[j], p[2] - images->z[j]}, q = images->q[j];
		double square = dot(d, d), r = sqrt(square);
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
		double phase = dot(wave, p);
		ordered_sum_add(&totals[0], wave[3] * cos(phase) + wave[4] * sin(phase));
		for (int k = 0; k < 3; ++k)
			ordered_sum_add(&totals[1 + k], wave[k] * (wave[3] * sin(phase) - wave[4] * cos(phase)));
	}
	ordered_sum_add(&totals[0], ewald->background);
	for (int k = 0; k < 4; ++k)
		sums[k] = ordered_sum_value(&totals[k]);
}
