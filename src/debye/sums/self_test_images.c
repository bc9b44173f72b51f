/* The self-test of the kernel for periodic samples on first use of a device: every pair with all images, in plain loops. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "debye/sums/histogram_device.h"
#include "device/self_test.h"

#define ATOMS 70

static const struct periodic cell = {.on = true,
				     .edges = {{9.0, 0.0, 0.0}, {2.0, 8.0, 0.0}, {-1.0, 1.5, 10.0}},
				     .inverse = {{1.0 / 9.0, -2.0 / 72.0, (1.0 + 3.0 / 8.0) / 90.0},
						 {0.0, 1.0 / 8.0, -1.5 / 80.0},
						 {0.0, 0.0, 1.0 / 10.0}},
				     .height = {8.6, 7.8, 10.0},
				     .volume = 720.0,
				     .cutoff = 12.5,
				     .end = 12.5};
static const struct histogram_bins bins = {.count = 6400 + SPARE_BINS,
					   .units_per_bin = (double)(1 << OFFSET_BITS),
					   .per_angstrom = 512.0,
					   .periodic = &cell,
					   .fractions = 256.0};

/* A spiral through several cells. */
static sonde_status make_sample(sonde_atoms **sample)
{
	sonde_status status = sonde_atoms_create(sample);

	for (int i = 0; i < ATOMS && status == SONDE_OK; ++i) {
		double r[3] = {0.1 * i * cos(1.7 * i), 0.09 * i * sin(1.3 * i), 9.0 * cos(0.21 * i)};
		periodic_wrap(&cell, r);
		status = sonde_atoms_add(*sample, i % 3 == 0 ? "O" : "Co", r);
	}
	return status;
}

static void add_expected(const double a[3], const double b[3], const double image[3], uint64_t *totals)
{
	double d[3];

	for (int k = 0; k < 3; ++k)
		d[k] = histogram_units(&bins, b[k]) + histogram_units(&bins, image[k]) - histogram_units(&bins, a[k]);
	const uint64_t R = (uint64_t)nearbyint(sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
	const uint64_t offset = R & ((1u << OFFSET_BITS) - 1u), coarse = offset >> (OFFSET_BITS - 16);
	uint64_t *bin = totals + TOTAL_WORDS * (R >> OFFSET_BITS);
	if (R >> OFFSET_BITS >= bins.count - SPARE_BINS)
		return;
	bin[0] += 1;
	bin[1] += offset;
	bin[2] += coarse * coarse >> (32 - SQUARE_BITS);
}

/* Pairs of two species; of one species, an atom's own images by halves. */
static void expect(const sonde_atoms *atoms, int a, int b, uint64_t *totals)
{
	int most[3], n[3];

	periodic_images(&cell, most);
	for (int64_t i = 0; i < atoms->count; ++i)
		for (int64_t j = a == b ? i : 0; j < atoms->count; ++j)
			for (n[0] = i == j ? 0 : -most[0]; n[0] <= most[0]; ++n[0])
				for (n[1] = -most[1]; n[1] <= most[1]; ++n[1])
					for (n[2] = -most[2]; n[2] <= most[2]; ++n[2]) {
						double image[3];
						const bool half = n[0] > 0 || n[1] > 0 || (n[1] == 0 && n[2] > 0);
						if (atoms->species_of[i] != a || atoms->species_of[j] != b ||
						    (i == j && (!half || (n[0] == 0 && n[1] < 0))))
							continue;
						periodic_vector(&cell, n, image);
						add_expected(atoms->positions + 3 * i, atoms->positions + 3 * j,
							     image, totals);
					}
}

/* `found`: TOTAL_WORDS per bin */
static sonde_status compare(struct histogram_device *run, const sonde_atoms *atoms, int a, int b, uint64_t *found,
			    uint64_t *expected)
{
	uint64_t wrong = 0;
	double pairs = 0.0;

	for (uint64_t k = 0; k < bins.count * TOTAL_WORDS; ++k)
		found[k] = expected[k] = 0;
	CHECK(histogram_device_count(NULL, run, a, b, 0, 1, 1, &pairs));
	CHECK(histogram_device_collect(run, found));
	expect(atoms, a, b, expected);
	for (uint64_t k = 0; k < bins.count * TOTAL_WORDS; ++k)
		wrong += found[k] != expected[k];
	return self_test_count(wrong, 0, "wrong words of a histogram of a periodic sample");
}

static sonde_status test(struct device *device, const sonde_atoms *sample, const struct arranged_atoms *arranged)
{
	const struct debye_shape shape = debye_shape_of(device);
	struct histogram_device run = {0};
	uint64_t *found = NULL, *expected = NULL;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&found, bins.count * TOTAL_WORDS, sizeof *found, "the self-test"), done);
	CHECK_GOTO(status, memory_allocate(&expected, bins.count * TOTAL_WORDS, sizeof *expected, "the self-test"),
		   done);
	CHECK_GOTO(status, histogram_device_prepare(NULL, device, &shape, TILING_RING, arranged, &bins, &run), done);
	CHECK_GOTO(status, compare(&run, sample, 0, 0, found, expected), release);
	status = compare(&run, sample, 0, 1, found, expected);
release:
	histogram_device_release(&run);
done:
	free(found);
	free(expected);
	return status;
}

sonde_status debye_images_self_test(struct device *device)
{
	sonde_atoms *sample = NULL;
	struct tiled_atoms tiled = {0};
	sonde_status status;

	CHECK_GOTO(status, make_sample(&sample), done);
	CHECK_GOTO(status, histogram_tile(NULL, sample, TILING_RING, &tiled), done);
	status = test(device, sample, &tiled.atoms);
done:
	arranged_atoms_free(&tiled.atoms);
	sonde_atoms_free(&sample);
	return status;
}
