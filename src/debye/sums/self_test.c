/* The self-test of the kernels on first use of a device: a small sample, compared with plain sums. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "debye/sums/exact_device.h"
#include "debye/sums/histogram_device.h"
#include "debye/sums/lattice_device.h"
#include "debye/kernels/lattice_words.h"
#include "debye/kernels/windows_layout.h"
#include "debye/motion/motion.h"
#include "debye/sums/windows.h"
#include "device/self_test.h"

#define ATOMS 150
#define POINTS 70        /* more than one coarse phase */
#define PADDED 72        /* the same, a multiple of MOTION_COLUMNS */
#define MOTION_STRIDE 23 /* of the points at which sums with a motion are compared, to save time */
#define EXACT_TOLERANCE 1e-10
#define F32_TOLERANCE 1e-4

/* A spiral: many different distances, and one coincident pair. */
static sonde_status make_sample(sonde_atoms **sample)
{
	sonde_status status = sonde_atoms_create(sample);

	for (int i = 0; i < ATOMS && status == SONDE_OK; ++i) {
		double t = i < ATOMS - 1 ? i : 0;
		const double r[3] = {0.06 * t * cos(1.7 * t), 0.05 * t * sin(1.3 * t), 9.0 * cos(0.21 * t)};
		status = sonde_atoms_add(*sample, i % 3 == 0 ? "O" : "Co", r);
	}
	return status;
}

struct expected {
	struct ordered_sum sums[POINTS];
	uint64_t coincident, pairs;
	uint64_t *totals;
};

/* Plain loops over the tiles of two species. */
static void expect(const struct arranged_atoms *atoms, int a, int b, const struct exact_points *points,
		   const struct histogram_bins *bins, struct expected *expected)
{
	struct tile_walk walk = tile_walk_begin(atoms, a, b);
	struct tile_pair pair;
	double scale = bins->per_angstrom * bins->units_per_bin;

	while (tile_walk_next(&walk, &pair)) {
		const struct arranged_tile *s = &atoms->tiles[pair.a], *t = &atoms->tiles[pair.b];
		for (uint32_t i = s->first; i < s->end; ++i) {
			for (uint32_t j = pair.a == pair.b ? i + 1 : t->first; j < t->end; ++j) {
				double d[3] = {atoms->x[j] - atoms->x[i], atoms->y[j] - atoms->y[i],
					       atoms->z[j] - atoms->z[i]};
				double r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
				d[0] = atoms->x[j] * scale - atoms->x[i] * scale;
				d[1] = atoms->y[j] * scale - atoms->y[i] * scale;
				d[2] = atoms->z[j] * scale - atoms->z[i] * scale;
				uint64_t R = (uint64_t)nearbyint(sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
				uint64_t offset = R & ((1u << OFFSET_BITS) - 1u),
					 coarse = offset >> (OFFSET_BITS - 16);
				uint64_t *bin = expected->totals + TOTAL_WORDS * (R >> OFFSET_BITS);
				bin[0] += 1;
				bin[1] += offset;
				bin[2] += coarse * coarse >> (32 - SQUARE_BITS);
				++expected->pairs;
				expected->coincident += r == 0.0;
				for (uint32_t k = 0; k < points->count && r > 0.0; ++k)
					ordered_sum_add(&expected->sums[k],
							sin((points->first + k * points->step) * r) / r);
			}
		}
	}
}

static sonde_status test_exact(struct device *device, const struct arranged_atoms *atoms, bool f32,
			       const struct exact_points *points, const struct expected *expected)
{
	struct tile_walk walk = tile_walk_begin(atoms, 0, 1);
	struct tile_pair pairs[64];
	struct ordered_sum sums[POINTS] = {0};
	struct debye_shape shape = debye_shape_of(device);
	struct exact_device run;
	uint32_t count = 0;
	double tolerance = (f32 ? F32_TOLERANCE : EXACT_TOLERANCE) * sqrt((double)expected->pairs), worst = 0.0;

	while (count < 64 && tile_walk_next(&walk, &pairs[count]))
		++count;
	CHECK(exact_device_prepare(device, &shape, atoms, f32, Q_PASS, &run));
	struct exact_work work = {.pairs = pairs, .count = count, .sums = sums};
	sonde_status status = exact_device_sum(NULL, &run, atoms, &work, 1, points);
	exact_device_release(&run);
	CHECK(status);
	for (uint32_t k = 0; k < points->count; ++k)
		worst = fmax(worst, fabs(ordered_sum_value(&sums[k]) - ordered_sum_value(&expected->sums[k])));
	CHECK(self_test_compare(worst, tolerance, "exact sums"));
	return self_test_count(work.coincident, expected->coincident, "pairs of atoms at one place");
}

/* The same atoms with displacements, and a law of correlated motion that no pair makes negative. */
static void make_motion(double *u, struct arranged_atoms *atoms, struct pair_motion *motion)
{
	*motion = (struct pair_motion){.qbroad = 0.02, .tensors = u, .anisotropic = true};
	for (uint32_t i = 0; i < atoms->size; ++i)
		for (uint32_t k = 0; k < 6; ++k)
			u[k * atoms->size + i] =
			    k < 3 ? 0.004 + 0.001 * (double)((i + k) % 5) : 0.0005 * (double)((i + k) % 3);
	atoms->u = u;
	atoms->motion = motion;
}

/* Plain loops, as expect(). */
static void expect_motion(const struct arranged_atoms *atoms, const double *q, double *sums)
{
	struct tile_walk walk = tile_walk_begin(atoms, 0, 1);
	struct tile_pair pair;

	while (tile_walk_next(&walk, &pair)) {
		const struct arranged_tile *s = &atoms->tiles[pair.a], *t = &atoms->tiles[pair.b];
		for (uint32_t i = s->first; i < s->end; ++i)
			for (uint32_t j = t->first; j < t->end; ++j) {
				const double d[3] = {atoms->x[j] - atoms->x[i], atoms->y[j] - atoms->y[i],
						     atoms->z[j] - atoms->z[i]};
				double u[6];
				for (uint32_t k = 0; k < 6; ++k)
					u[k] = atoms->u[k * atoms->size + i] + atoms->u[k * atoms->size + j];
				const struct pair_width width = motion_of_tensor(atoms->motion, d, u);
				for (int k = 0; k < POINTS; k += MOTION_STRIDE)
					sums[k] += (width.r > 0.0 ? sin(q[k] * width.r) / width.r : q[k]) *
						   exp(-0.5 * q[k] * q[k] * width.s);
			}
	}
}

static sonde_status test_motion(struct device *device, const struct arranged_atoms *resting)
{
	struct arranged_atoms atoms = *resting;
	struct tile_walk walk = tile_walk_begin(resting, 0, 1);
	struct tile_pair pairs[64];
	struct pair_motion motion;
	struct ordered_sum sums[PADDED] = {0};
	struct debye_shape shape = debye_shape_of(device);
	struct exact_device run;
	double q[Q_PASS], expected[POINTS] = {0.0}, worst = 0.0, *u;
	uint32_t count = 0;

	for (int k = 0; k < Q_PASS; ++k)
		q[k] = 0.3 + 0.21 * k;
	while (count < 64 && tile_walk_next(&walk, &pairs[count]))
		++count;
	CHECK(memory_allocate(&u, 6 * (size_t)atoms.size, sizeof *u, "the self-test"));
	make_motion(u, &atoms, &motion);
	expect_motion(&atoms, q, expected);
	const struct exact_points moving = {.first = q[0], .step = 0.21, .count = PADDED, .q = q};
	struct exact_work work = {.pairs = pairs, .count = count, .sums = sums};
	sonde_status status = exact_device_prepare(device, &shape, &atoms, false, Q_PASS, &run);
	if (status == SONDE_OK) {
		status = exact_device_sum(NULL, &run, &atoms, &work, 1, &moving);
		exact_device_release(&run);
	}
	free(u);
	CHECK(status);
	for (int k = 0; k < POINTS; k += MOTION_STRIDE)
		worst = fmax(worst, fabs(ordered_sum_value(&sums[k]) - expected[k]));
	return self_test_compare(worst, EXACT_TOLERANCE * ATOMS, "exact sums with displacements");
}

static sonde_status test_histogram(struct device *device, const struct arranged_atoms *atoms,
				   const struct histogram_bins *bins, const struct expected *expected)
{
	struct debye_shape shape = debye_shape_of(device);
	struct histogram_device run;
	uint64_t *totals, wrong = 0;
	double pairs = 0.0;

	CHECK(memory_allocate(&totals, bins->count * TOTAL_WORDS, sizeof *totals, "the self-test"));
	sonde_status status =
	    histogram_device_prepare(NULL, device, &shape, histogram_tiling(device), atoms, bins, &run);
	if (status == SONDE_OK) {
		status = histogram_device_count(NULL, &run, 0, 1, 0, 1, 1, &pairs);
		uint64_t first = run.first_bin;
		if (status == SONDE_OK)
			status = histogram_device_collect(&run, totals + TOTAL_WORDS * first);
		histogram_device_release(&run);
	}
	for (uint64_t k = 0; k < bins->count * TOTAL_WORDS; ++k)
		wrong += totals[k] != expected->totals[k];
	free(totals);
	CHECK(status);
	return self_test_count(wrong, 0, "wrong words of a histogram");
}

static const struct exact_points points = {.first = 0.3, .step = 0.21, .count = POINTS};
static const struct histogram_bins bins = {
    .count = 65536, .units_per_bin = (double)(1 << OFFSET_BITS), .per_angstrom = 512.0};

/* The sample and its expected results, computed once per process. */
static struct {
	pthread_mutex_t mutex;
	sonde_atoms *sample;
	struct arranged_atoms arranged;
	struct expected *expected;
	/* the same for kernel histogram_matrix, which takes only pairs that are far from each other by matrix products */
	struct tiled_atoms far;
	struct expected *expected_far;
} known = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static sonde_status find_expected(void)
{
	sonde_atoms *sample = NULL;
	struct arranged_atoms arranged = {0};
	struct expected *expected = NULL;
	sonde_status status;

	CHECK_GOTO(status, make_sample(&sample), failed);
	CHECK_GOTO(status, arrange_atoms(NULL, sample, EXACT_ATOMS_PER_TILE, 1, &arranged), failed);
	CHECK_GOTO(status, memory_allocate(&expected, 1, sizeof *expected, "the self-test"), failed);
	CHECK_GOTO(
	    status,
	    memory_allocate(&expected->totals, bins.count * TOTAL_WORDS, sizeof *expected->totals, "the self-test"),
	    failed);
	expect(&arranged, 0, 1, &points, &bins, expected);
	known.sample = sample;
	known.arranged = arranged;
	known.expected = expected;
	return SONDE_OK;
failed:
	free(expected);
	arranged_atoms_free(&arranged);
	sonde_atoms_free(&sample);
	return status;
}

#define UNIT_OF_FAR 128   /* atoms of a unit, */
#define ATOMS_OF_FAR 2100 /* and far from it more than those of the tiles that a work-group takes together */

static sonde_status make_far_sample(sonde_atoms **sample)
{
	sonde_status status = sonde_atoms_create(sample);

	for (int i = 0; i < UNIT_OF_FAR + ATOMS_OF_FAR && status == SONDE_OK; ++i) {
		const bool far = i >= UNIT_OF_FAR;
		const double size = far ? 24.0 : 9.0,
			     r[3] = {(far ? 40.0 : 0.0) + size * fmod(0.618034 * i, 1.0),
				     size * fmod(0.414214 * i, 1.0), size * fmod(0.732051 * i, 1.0)};
		status = sonde_atoms_add(*sample, far ? "O" : "Co", r);
	}
	return status;
}

static sonde_status find_expected_far(void)
{
	static const struct exact_points none = {.count = 0};
	struct tiled_atoms tiled = {0};
	struct expected *expected = NULL;
	sonde_atoms *sample = NULL;
	sonde_status status;

	CHECK_GOTO(status, make_far_sample(&sample), done);
	CHECK_GOTO(status, histogram_tile(NULL, sample, TILING_RING, &tiled), done);
	CHECK_GOTO(status, memory_allocate(&expected, 1, sizeof *expected, "the self-test"), done);
	CHECK_GOTO(
	    status,
	    memory_allocate(&expected->totals, bins.count * TOTAL_WORDS, sizeof *expected->totals, "the self-test"),
	    done);
	expect(&tiled.atoms, 0, 1, &none, &bins, expected);
	known.far = tiled;
	known.expected_far = expected;
done:
	sonde_atoms_free(&sample);
	if (status == SONDE_OK)
		return SONDE_OK;
	free(expected);
	arranged_atoms_free(&tiled.atoms);
	return status;
}

static sonde_status know_expected(void)
{
	pthread_mutex_lock(&known.mutex);
	sonde_status status = known.expected != NULL ? SONDE_OK : find_expected();
	pthread_mutex_unlock(&known.mutex);
	return status;
}

static sonde_status know_expected_far(void)
{
	pthread_mutex_lock(&known.mutex);
	sonde_status status = known.expected_far != NULL ? SONDE_OK : find_expected_far();
	pthread_mutex_unlock(&known.mutex);
	return status;
}

void debye_self_test_prepare(bool histogram)
{
	(void)know_expected();
	if (histogram)
		(void)know_expected_far();
}

/* Only rings have such pairs. */
static sonde_status test_far_histogram(struct device *device)
{
	CHECK(know_expected_far());
	return test_histogram(device, &known.far.atoms, &bins, known.expected_far);
}

/* A sheet of two lines of two rows, one of them empty: 7 cells with 21 pairs, 4 of which are neighbors along a row. */
static sonde_status test_lattice(struct device *device)
{
	uint32_t begin[] = {0, 1, 0, 2}, end[] = {3, 3, 0, 4}, first[] = {0, 1}, last[] = {2, 2};
	struct lattice_sheet sheet = {.length = 4,
				      .width = 2,
				      .height = 2,
				      .begin = begin,
				      .end = end,
				      .first = first,
				      .last = last,
				      .atoms = 7,
				      .rows = 3};
	const sonde_lattice lattice = {
	    .vectors = {{1.0, 0.0, 0.0}, {0.0, 10.0, 0.0}, {0.0, 0.0, 100.0}}, .sheet_count = 1, .sheets = &sheet};
	const struct lattice_bins distances = {128, 1.0};
	const struct lattice_shape shape = lattice_shape_of(device);
	const uint64_t lags = lattice_lag_count(&sheet, &sheet);
	struct lattice_device run;
	uint64_t totals[128 * LATTICE_WORDS] = {0}, pairs = 0;

	CHECK(lattice_device_prepare(device, &shape, &lattice, &distances, &run));
	sonde_status status = lattice_device_count(NULL, &run, 0, 0, lags / 2, lags);
	if (status == SONDE_OK)
		status = lattice_device_collect(&run, totals);
	lattice_device_release(&run);
	CHECK(status);
	for (int bin = 0; bin < 128; ++bin)
		pairs += totals[bin * LATTICE_WORDS + LATTICE_PAIRS];
	CHECK(self_test_count(pairs, 21, "pairs of a lattice"));
	return self_test_count(totals[LATTICE_WORDS + LATTICE_PAIRS], 4, "pairs of neighbors of a lattice");
}

#define NODES WINDOW_NODES_OF(8)
#define NODE_STRIDE 51
#define WINDOW_CENTER 11.0

/* F at some nodes by plain loops over one pair of tiles. */
static void expect_windows(const struct arranged_atoms *atoms, double step, double *sums)
{
	const struct arranged_tile *s = &atoms->tiles[0], *t = &atoms->tiles[atoms->species_first_tile[1]];

	for (uint32_t i = s->first; i < s->end; ++i)
		for (uint32_t j = t->first; j < t->end; ++j) {
			const double r =
			    sqrt(pow(atoms->x[j] - atoms->x[i], 2.0) + pow(atoms->y[j] - atoms->y[i], 2.0) +
				 pow(atoms->z[j] - atoms->z[i], 2.0));
			for (uint32_t n = 0; n < NODES && r > 0.0; n += NODE_STRIDE) {
				sums[n] += cos((n + 0.5) * step * (r - WINDOW_CENTER)) / r;
				sums[NODES + n] += sin((n + 0.5) * step * (r - WINDOW_CENTER)) / r;
			}
		}
}

static sonde_status test_windows(struct device *device, const struct arranged_atoms *given)
{
	static const struct exact_points nodes = {.step = 0.09, .count = 2 * NODES};
	struct arranged_tile tiles[8] = {{0}};
	struct arranged_atoms atoms = *given;
	const struct debye_shape shape = debye_shape_of(device);
	struct ordered_sum sums[2 * NODES] = {0};
	double expected[2 * NODES] = {0.0}, worst = 0.0;
	const uint32_t center = (uint32_t)(WINDOW_CENTER * WINDOW_PARTS_OF_ANGSTROM), empty = given->tile_count;
	struct tile_pair pairs[2 * WINDOW_PAIRS_PER_GROUP];
	struct exact_work work = {.pairs = pairs, .count = 2, .sums = sums};
	struct exact_device run;

	for (uint32_t tile = 0; tile < given->tile_count; ++tile) /* then an empty one */
		tiles[tile] = given->tiles[tile];
	atoms.tiles = tiles;
	for (uint32_t k = 0; k < 2 * WINDOW_PAIRS_PER_GROUP; ++k)
		pairs[k] = k == 1 ? (struct tile_pair){0, given->species_first_tile[1], center, 0}
				  : (struct tile_pair){empty, empty, center, 0};
	expect_windows(given, nodes.step, expected);
	CHECK(exact_device_prepare_windows(device, &shape, &atoms, 8, &run));
	const sonde_status status = exact_device_sum(NULL, &run, &atoms, &work, 1, &nodes);
	exact_device_release(&run);
	CHECK(status);
	for (uint32_t n = 0; n < NODES; n += NODE_STRIDE) {
		worst = fmax(worst, fabs(ordered_sum_value(&sums[n]) - expected[n]));
		worst = fmax(worst, fabs(ordered_sum_value(&sums[NODES + n]) - expected[NODES + n]));
	}
	return self_test_compare(worst, EXACT_TOLERANCE, "exact sums by windows");
}

sonde_status debye_self_test(struct device *device)
{
	const struct device_properties *has = device_properties(device);
	struct tiled_atoms tiled = {0};
	sonde_status status;

	CHECK(know_expected());
	CHECK(test_exact(device, &known.arranged, false, &points, known.expected));
	if (has->gpu_kernels && !has->fixed_kernels)
		CHECK(test_exact(device, &known.arranged, true, &points, known.expected));
	CHECK(histogram_tile(NULL, known.sample, histogram_tiling(device), &tiled));
	status = test_histogram(device, &tiled.atoms, &bins, known.expected);
	arranged_atoms_free(&tiled.atoms);
	CHECK(status);
	if (debye_shape_of(device).matrix_bins > 0)
		CHECK(test_far_histogram(device));
	return test_lattice(device);
}

sonde_status debye_self_test_motion(struct device *device)
{
	CHECK(know_expected());
	return test_motion(device, &known.arranged);
}

sonde_status debye_self_test_windows(struct device *device)
{
	CHECK(know_expected());
	return test_windows(device, &known.arranged);
}
