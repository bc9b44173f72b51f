/* Distance histograms on one device, by every kernel for them, compared with plain loops, bit by bit. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debye/sums/histogram_device.h"

#define ATOMS 5000
#define WIDTH 24.0 /* of a rod; Angstrom */
#define LENGTH 300.0
#define SPACING 2.5
#define PER_ANGSTROM 256.0 /* bins */

enum kind { DISORDERED, CRYSTAL, FAR_FROM_ORIGIN, KINDS };

struct counted {
	struct histogram_bins bins;
	uint64_t *totals, words;
};

/* A rod of two species: most of its pairs are far from each other, compared with the size of a unit. */
static sonde_atoms *make_rod(enum kind kind)
{
	const double origin = kind == FAR_FROM_ORIGIN ? 12345.678 : -100.0;
	uint64_t state = 1;
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int i = 0; i < ATOMS; ++i) {
		const double edge[3] = {WIDTH, WIDTH, LENGTH};
		double r[3];
		for (int k = 0; k < 3; ++k) {
			state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			r[k] = edge[k] * (double)(state >> 40) / (double)(1 << 24);
			r[k] = origin + (kind == CRYSTAL ? SPACING * floor(r[k] / SPACING) : r[k]);
		}
		assert_status(SONDE_OK, sonde_atoms_add(atoms, i % 3 == 0 ? "Na" : "Cl", r));
	}
	return atoms;
}

/* As kernels/histogram.k defines distances and offsets. */
static void count_by_loops(const struct arranged_atoms *atoms, int a, int b, struct counted *counted)
{
	struct tile_walk walk = tile_walk_begin(atoms, a, b);
	struct tile_pair pair;

	while (tile_walk_next(&walk, &pair)) {
		const struct arranged_tile *s = &atoms->tiles[pair.a], *t = &atoms->tiles[pair.b];
		for (uint32_t i = s->first; i < s->end; ++i) {
			for (uint32_t j = pair.a == pair.b ? i + 1 : t->first; j < t->end; ++j) {
				const double scale = counted->bins.per_angstrom * counted->bins.units_per_bin;
				const double dx = atoms->x[j] * scale - atoms->x[i] * scale,
					     dy = atoms->y[j] * scale - atoms->y[i] * scale,
					     dz = atoms->z[j] * scale - atoms->z[i] * scale;
				const uint64_t R = (uint64_t)nearbyint(sqrt(dx * dx + dy * dy + dz * dz));
				const uint64_t offset = R & ((1u << OFFSET_BITS) - 1u);
				const uint64_t coarse = offset >> (OFFSET_BITS - 16);
				uint64_t *bin = counted->totals + TOTAL_WORDS * (R >> OFFSET_BITS);
				bin[0] += 1;
				bin[1] += offset;
				bin[2] += coarse * coarse >> (32 - SQUARE_BITS);
			}
		}
	}
}

static void allocate(struct counted *counted)
{
	const double extent = sqrt(2.0 * WIDTH * WIDTH + LENGTH * LENGTH);

	counted->bins = (struct histogram_bins){.count = (uint64_t)(extent * PER_ANGSTROM) + 3,
						.units_per_bin = (double)(1 << OFFSET_BITS),
						.per_angstrom = PER_ANGSTROM};
	counted->words = TOTAL_WORDS * counted->bins.count;
	counted->totals = calloc(counted->words, sizeof *counted->totals);
	assert_non_null(counted->totals);
}

static void count_on(sonde_context *context, struct device *device, const struct debye_shape *shape,
		     enum tiling tiling, const struct arranged_atoms *atoms, int a, int b, struct counted *counted)
{
	struct histogram_device run;
	double pairs = 0.0;

	assert_status(SONDE_OK,
		      histogram_device_prepare(context, device, shape, tiling, atoms, &counted->bins, &run));
	for (uint64_t part = 0; part < 3; ++part)
		assert_status(SONDE_OK, histogram_device_count(context, &run, a, b, part, part + 1, 3, &pairs));
	const uint64_t first = run.species_a < 0 ? 0 : run.first_bin;
	assert_status(SONDE_OK, histogram_device_collect(&run, counted->totals + TOTAL_WORDS * first));
	histogram_device_release(&run);
}

static void compare(sonde_context *context, struct device *device, const struct debye_shape *shape,
		    const sonde_atoms *atoms, const char *name)
{
	const enum tiling tiling = histogram_tiling(device);
	struct tiled_atoms tiled = {0};

	assert_status(SONDE_OK, histogram_tile(context, atoms, tiling, &tiled));
	for (int a = 0; a < 2; ++a) {
		for (int b = a; b < 2; ++b) {
			struct counted expected, counted;
			allocate(&expected);
			allocate(&counted);
			count_by_loops(&tiled.atoms, a, b, &expected);
			count_on(context, device, shape, tiling, &tiled.atoms, a, b, &counted);
			for (uint64_t w = 0; w < counted.words; ++w)
				if (counted.totals[w] != expected.totals[w])
					fail_msg("%s, %s: word %d of bin %d is %llu instead of %llu",
						 device_name(device), name, (int)(w % TOTAL_WORDS),
						 (int)(w / TOTAL_WORDS), (unsigned long long)counted.totals[w],
						 (unsigned long long)expected.totals[w]);
			free(counted.totals);
			free(expected.totals);
		}
	}
	arranged_atoms_free(&tiled.atoms);
}

static void every_kernel_agrees_with_plain_loops(void **state)
{
	static const char *const names[] = {"cpu", "opencl:0", "cuda:0"};
	const struct device_settings settings = {.threads = 2, .launch_limit = 10.0, .kernel_cache = "off"};
	sonde_context *context;
	sonde_atoms *rods[KINDS];
	(void)state;

	assert_status(SONDE_OK, sonde_context_create(&context));
	for (int kind = 0; kind < KINDS; ++kind)
		rods[kind] = make_rod((enum kind)kind);
	for (size_t k = 0; k < COUNT(names); ++k) {
		struct device *device;
		if (device_open(names[k], &settings, &device) != SONDE_OK) {
			print_message("%s: %s\n", names[k], sonde_status_message());
			continue;
		}
		struct debye_shape shape = debye_shape_of(device);
		const struct device_properties *has = device_properties(device);
		const bool gpu = has->gpu_kernels && !has->fixed_kernels;
		for (int kind = 0; kind < KINDS; ++kind) {
			shape.matrix_bins = 0;
			compare(context, device, &shape, rods[kind], "histogram_ring or histogram_pairs");
			for (uint32_t items = 1024; gpu && items >= 64; items /= 4) {
				if (items > has->large_kernel_items || (has->matrix_f64 && items < 512))
					continue;
				shape_matrix_ring(device, items, &shape);
				compare(context, device, &shape, rods[kind], "histogram_matrix");
				shape.matrix_relieves = 1;
				compare(context, device, &shape, rods[kind],
					"histogram_matrix that empties bins at once");
				shape.matrix_relieves = 0;
			}
		}
		device_close(&device);
	}
	for (int kind = 0; kind < KINDS; ++kind)
		sonde_atoms_free(&rods[kind]);
	sonde_context_free(&context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_kernel_agrees_with_plain_loops)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
