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

/* Waves n of half of the space, up to |k| = most; counts them where `waves` is null. */
static size_t list_waves(const struct ewald *ewald, double most, double *waves)
{
	int reach[3];
	size_t count = 0;

	for (int k = 0; k < 3; ++k)
		reach[k] = (int)(most * sqrt(dot(ewald->cell[k], ewald->cell[k])) / (2.0 * PI));
	for (int n = 0; n <= reach[0]; ++n) {
		for (int m = n == 0 ? 0 : -reach[1]; m <= reach[1]; ++m) {
			for (int l = n == 0 && m == 0 ? 1 : -reach[2]; l <= reach[2]; ++l) {
				double k[3];
				for (int c = 0; c < 3; ++c)
					k[c] = 2.0 * PI *
					       (n * ewald->inverse[0][c] + m * ewald->inverse[1][c] +
						l * ewald->inverse[2][c]);
				if (dot(k, k) > most * most)
					continue;
				if (waves != NULL)
					memcpy(waves + 5 * count, k, sizeof k);
				++count;
			}
		}
	}
	return count;
}

static sonde_status find_waves(const sonde_context *context, const struct charges *charges, double most,
			       double volume, struct ewald *ewald)
{
	double estimate = volume * most * most * most / (12.0 * PI * PI);

	if (estimate > MOST_WAVES)
		return status_fail(SONDE_INVALID, "the Ewald sum needs %.3g waves: the cell is too large or too flat",
				   estimate);
	ewald->wave_count = (uint32_t)list_waves(ewald, most, NULL);
	CHECK(memory_allocate(&ewald->waves, 5 * (size_t)ewald->wave_count + 1, sizeof(double), "the waves"));
	(void)list_waves(ewald, most, ewald->waves);
#pragma omp parallel for num_threads(context_threads(context)) schedule(dynamic, 16)
	for (uint32_t w = 0; w < ewald->wave_count; ++w) {
		double *wave = ewald->waves + 5 * (size_t)w, square = dot(wave, wave);
		struct ordered_sum cosines = {0}, sines = {0};
		for (uint32_t j = 0; j < charges->count; ++j) {
			double phase = wave[0] * charges->x[j] + wave[1] * charges->y[j] + wave[2] * charges->z[j];
			ordered_sum_add(&cosines, charges->q[j] * cos(phase));
			ordered_sum_add(&sines, charges->q[j] * sin(phase));
		}
		/* twice, for the other half of the waves */
		double weight = 8.0 * PI / volume * exp(-square / (4.0 * ewald->alpha * ewald->alpha)) / square;
		wave[3] = weight * ordered_sum_value(&cosines);
		wave[4] = weight * ordered_sum_value(&sines);
	}
	return SONDE_OK;
}

sonde_status ewald_make(const sonde_context *context, const struct charges *charges, const double cell[3][3],
			double tolerance, double split, struct ewald *ewald)
{
	/* exp(-s^2) is what is left out */
	double s = sqrt(-log(tolerance)) + 0.3, volume;
	sonde_status status;

	*ewald = (struct ewald){0};
	memcpy(ewald->cell, cell, sizeof ewald->cell);
	CHECK(invert(cell, ewald->inverse, &volume));
	/* equal work for both sums (Perram, Petersen and de Leeuw, Mol. Phys. 65 (1988) 875) */
	ewald->alpha = split * sqrt(PI) * pow(fmax(1.0, charges->count) / (volume * volume), 1.0 / 6.0);
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
