/* Trials of the kernels' shapes on a device, with a representative sample: a crystal, optionally with thermal
 * displacements. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/memory.h"
#include "debye/sums/exact_device.h"
#include "debye/sums/histogram_device.h"
#include "debye/kernels/ring_layout.h"
#include "run/launches.h"
#include "sonde/tune.h"

#define SPACING 2.82     /* Angstrom, rocksalt */
#define DISPLACEMENT 1.0 /* Angstrom, of the histograms' atoms: kernel histogram_matrix is not for perfect crystals */
#define EXACT_EDGE 32    /* atoms along the edge of the cube of the trials */
#define RING_EDGE 80
#define EXACT_PAIRS 4096 /* pairs of tiles */
#define RING_GROUPS_PER_WORKER 4

struct tuning {
	sonde_context *context;
	struct device *device;
	sonde_tune_callback *tell;
	void *user;
	double best;
	struct debye_shape shape;             /* the best so far */
	uint64_t counts[MOST_UNIT_TILES + 1]; /* checksums of the histograms by tiles of a unit; 0: none yet */
};

static sonde_status make_crystal(int edge, double displacement, sonde_atoms **sample)
{
	uint64_t state = 1;
	sonde_status status = sonde_atoms_create(sample);

	for (int i = 0; i < edge * edge * edge && status == SONDE_OK; ++i) {
		const int n[3] = {i % edge, i / edge % edge, i / edge / edge};
		double r[3];
		for (int k = 0; k < 3; ++k) {
			state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			r[k] = SPACING * n[k] + displacement * (double)(state >> 40) / (double)(1 << 24);
		}
		status = sonde_atoms_add(*sample, (n[0] + n[1] + n[2]) % 2 == 0 ? "Na" : "Cl", r);
	}
	return status;
}

static void report(struct tuning *tuning, const char *kernel, const char *unit, const struct debye_shape *shape,
		   const char *text, const struct device_kernel *compiled, double rate, sonde_status status)
{
	sonde_tune_trial trial = {.device = device_name(tuning->device), .kernel = kernel, .unit = unit};

	snprintf(trial.shape, sizeof trial.shape, "%s", text);
	if (status != SONDE_OK) {
		snprintf(trial.reason, sizeof trial.reason, "%.150s", sonde_status_message());
	} else {
		trial.rate = rate;
		trial.registers = compiled->registers;
		trial.spilled_bytes = compiled->spilled_bytes;
		trial.best = rate > tuning->best;
	}
	if (trial.best) {
		tuning->best = rate;
		tuning->shape = *shape;
	}
	tuning->tell(&trial, tuning->user);
}

/* Time of the second of two runs in seconds. */
static sonde_status time_exact(struct tuning *tuning, const struct debye_shape *shape,
			       const struct arranged_atoms *atoms, bool f32, struct device_kernel *compiled,
			       double *rate)
{
	const struct exact_points points = {.first = 0.1, .step = 0.02, .count = Q_PASS};
	struct tile_walk walk = tile_walk_begin(atoms, 0, 1);
	struct tile_pair *pairs;
	struct exact_device run;
	struct ordered_sum *sums;
	uint32_t count = 0;
	double terms = 0.0, seconds = 1.0;

	CHECK(exact_device_prepare(tuning->device, shape, atoms, f32, Q_PASS, &run));
	*compiled = run.kernel;
	sonde_status status = memory_allocate(&pairs, EXACT_PAIRS, sizeof *pairs, "the tiles");
	if (status == SONDE_OK)
		status = memory_allocate(&sums, Q_PASS, sizeof *sums, "the sums");
	else
		sums = NULL;
	for (; status == SONDE_OK && count < EXACT_PAIRS && tile_walk_next(&walk, &pairs[count]); ++count)
		terms += tile_pair_pairs(atoms, &pairs[count]) * Q_PASS;
	struct exact_work work = {.pairs = pairs, .count = count, .sums = sums};
	for (int trial = 0; trial < 2 && status == SONDE_OK; ++trial) {
		run.pace.groups = 1e9; /* all in one launch */
		struct device_timer timer;
		status = device_timer_begin(tuning->device, &timer);
		if (status == SONDE_OK)
			status = exact_device_sum(tuning->context, &run, atoms, &work, 1, &points);
		status = device_timer_end(tuning->device, &timer, status, &seconds);
	}
	free(pairs);
	free(sums);
	exact_device_release(&run);
	*rate = terms / seconds;
	return status;
}

static sonde_status try_exact(struct tuning *tuning, const struct arranged_atoms *atoms, const char *kernel,
			      const char *text, const struct debye_shape *shape)
{
	struct device_kernel compiled = {0};
	double rate = 0.0;
	sonde_status tried = time_exact(tuning, shape, atoms, false, &compiled, &rate);

	report(tuning, kernel, "sin(qr)/qr", shape, text, &compiled, rate, tried);
	return tried == SONDE_CANCELLED ? tried : SONDE_OK;
}

static sonde_status tune_exact(struct tuning *tuning)
{
	static const uint32_t items[] = {32, 64, 128, 256}, batches[] = {32, 64, 128};
	static const uint32_t tiles[][2] = {{4, 4}, {8, 8}, {4, 8}, {8, 4}};
	struct arranged_atoms arranged = {0};
	sonde_atoms *sample = NULL;
	char text[96];
	sonde_status status = make_crystal(EXACT_EDGE, 0.0, &sample);

	if (status == SONDE_OK)
		status = arrange_atoms(tuning->context, sample, EXACT_ATOMS_PER_TILE, 1, &arranged);
	tuning->best = 0.0;
	if (status == SONDE_OK && device_properties(tuning->device)->matrix_f64) {
		struct debye_shape shape = tuning->shape;
		shape.exact_matrix = 1;
		status = try_exact(tuning, &arranged, "exact_matrix", "matrix products", &shape);
	}
	for (uint32_t k = 0; k < 48 && status == SONDE_OK; ++k) {
		struct debye_shape shape = tuning->shape;
		shape.exact_matrix = 0;
		shape.exact_items = items[k % 4];
		shape.batch_pairs = batches[k / 4 % 3];
		shape.k_tile = tiles[k / 12][0];
		shape.m_tile = tiles[k / 12][1];
		snprintf(text, sizeof text, "%3u work-items, batches of %3u, tiles of %u x %u", shape.exact_items,
			 shape.batch_pairs, shape.k_tile, shape.m_tile);
		status = try_exact(tuning, &arranged, "exact_products", text, &shape);
	}
	arranged_atoms_free(&arranged);
	sonde_atoms_free(&sample);
	return status;
}

/* The histogram of a part of the units is the same for every shape with as many tiles in a unit; that of the first one is
 * remembered. */
static sonde_status compare_counts(struct tuning *tuning, struct histogram_device *run)
{
	const uint64_t words = TOTAL_WORDS * (run->last_bin + 1 - run->first_bin);
	uint64_t *totals, *counts = &tuning->counts[run->shape.unit_tiles];

	CHECK(memory_allocate(&totals, words, sizeof *totals, "the histogram"));
	sonde_status status = histogram_device_collect(run, totals);
	if (status == SONDE_OK) {
		const uint64_t found = checksum_numbers(0, totals, words);
		if (*counts != 0 && found != *counts)
			status = status_fail(SONDE_RESOURCE, "its counts differ from those of the first trial");
		*counts = *counts != 0 ? *counts : found;
	}
	free(totals);
	return status;
}

static sonde_status time_ring(struct tuning *tuning, const struct debye_shape *shape,
			      const struct arranged_atoms *atoms, struct device_kernel *compiled, double *rate)
{
	const struct histogram_bins bins = {
	    .count = 1 << 18, .units_per_bin = (double)(1 << OFFSET_BITS), .per_angstrom = 512.0};
	struct histogram_device run;
	double pairs = 0.0, seconds = 1.0;

	CHECK(histogram_device_prepare(tuning->context, tuning->device, shape, TILING_RING, atoms, &bins, &run));
	*compiled = run.kernel;
	run.pace.groups = 1e9;
	uint64_t units = (atoms->species_first_tile[1] + run.shape.unit_tiles - 1) / run.shape.unit_tiles;
	uint64_t wanted = (uint64_t)device_workers(tuning->device) * RING_GROUPS_PER_WORKER;
	uint64_t parts = units > wanted ? units / wanted : 1;
	sonde_status status = SONDE_OK;
	for (int trial = 0; trial < 2 && status == SONDE_OK; ++trial) {
		pairs = 0.0;
		struct device_timer timer;
		status = device_timer_begin(tuning->device, &timer);
		if (status == SONDE_OK)
			status = histogram_device_count(tuning->context, &run, 0, 1, 0, 1, parts, &pairs);
		status = device_timer_end(tuning->device, &timer, status, &seconds);
	}
	if (status == SONDE_OK)
		status = compare_counts(tuning, &run);
	histogram_device_release(&run);
	*rate = pairs / seconds;
	return status;
}

static sonde_status tune_ring(struct tuning *tuning)
{
	static const uint32_t items[] = {256, 512, 768, 1024}, units[] = {2, 4}, parts[] = {27, 13};
	static const uint32_t matrix_items[] = {640, 768, 896};
	struct tiled_atoms tiled = {0};
	sonde_atoms *sample = NULL;
	char text[96];
	sonde_status status = make_crystal(RING_EDGE, DISPLACEMENT, &sample);
	uint32_t most_bins = debye_shape_of(tuning->device).ring_bins;

	if (status == SONDE_OK)
		status = histogram_tile(tuning->context, sample, TILING_RING, &tiled);
	tuning->best = 0.0;
	for (uint32_t k = 0; k < 32 && status == SONDE_OK; ++k) {
		struct debye_shape shape = tuning->shape;
		struct device_kernel compiled = {0};
		double rate = 0.0;
		shape.matrix_bins = 0;
		shape.ring_items = items[k % 4];
		shape.unit_tiles = units[k / 4 % 2];
		shape.at_once = 2u << k / 8 % 2;
		shape.ring_bins = most_bins * parts[k / 16] / 27 / 256 * 256;
		sonde_status tried = time_ring(tuning, &shape, &tiled.atoms, &compiled, &rate);
		if (tried == SONDE_CANCELLED)
			status = tried;
		snprintf(text, sizeof text, "%3u work-items, units of %u tiles, %5u bins, 2 x %u at once",
			 shape.ring_items, shape.unit_tiles, shape.ring_bins, shape.at_once);
		report(tuning, "histogram_ring", "pairs", &shape, text, &compiled, rate, tried);
	}
	for (uint32_t k = 0; k < 6 && status == SONDE_OK && device_properties(tuning->device)->matrix_f64; ++k) {
		struct debye_shape shape = tuning->shape;
		struct device_kernel compiled = {0};
		double rate = 0.0;
		shape.unit_tiles = units[k / 3];
		shape_matrix_ring(tuning->device, matrix_items[k % 3], &shape);
		sonde_status tried = time_ring(tuning, &shape, &tiled.atoms, &compiled, &rate);
		if (tried == SONDE_CANCELLED)
			status = tried;
		snprintf(text, sizeof text, "%3u work-items, units of %u tiles, %5u bins, matrix products",
			 shape.matrix_items, shape.unit_tiles, shape.matrix_bins);
		report(tuning, "histogram_matrix", "pairs", &shape, text, &compiled, rate, tried);
	}
	arranged_atoms_free(&tiled.atoms);
	sonde_atoms_free(&sample);
	return status;
}

sonde_status sonde_debye_tune(sonde_context *context, sonde_tune_callback *tell, void *user)
{
	struct device **devices;
	int count;

	CHECK(context_devices(context, &devices, &count));
	for (int k = 0; k < count; ++k) {
		if (devices[k] == NULL || !device_properties(devices[k])->gpu_kernels ||
		    device_properties(devices[k])->fixed_kernels)
			continue;
		struct tuning tuning = {.context = context,
					.device = devices[k],
					.tell = tell,
					.user = user,
					.shape = debye_shape_of(devices[k])};
		CHECK(tune_exact(&tuning));
		CHECK(tune_ring(&tuning));
		debye_shape_keep(devices[k], &tuning.shape);
	}
	return SONDE_OK;
}
