/* Pairs of lattices by distance, counted from rows, compared with loops over all pairs of atoms: the same integers, on
 * every device, for any work-group and any memory of its counters. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "debye/sums/lattice_device.h"
#include "debye/kernels/lattice_words.h"
#include "sonde/sonde.h"

#define PER_ANGSTROM 1017.3 /* no distance of the samples lies on an edge of a bin */
#define MOST_KINDS 4

static sonde_context *context;

static int open_all(void **state)
{
	(void)state;
	return sonde_context_create(&context) != SONDE_OK || sonde_context_set_threads(context, 2) != SONDE_OK ||
	       sonde_context_set_device(context, "cpu") != SONDE_OK;
}

static int close_all(void **state)
{
	(void)state;
	sonde_context_free(&context);
	return 0;
}

static sonde_build_options lattice_of(int cell, const char *species, double a)
{
	sonde_build_options options;

	sonde_build_options_init(&options);
	options.cell = cell;
	options.a = a;
	strcpy(options.species, species);
	return options;
}

/* A triclinic cell with two species, one of them at two sites. */
static sonde_build_options triclinic(void)
{
	sonde_build_options options;
	const char *path =
	    test_write_text("POSCAR_triclinic", "triclinic\n1.0\n3.9 0.1 0.2\n-1.3 4.2 0.4\n0.7 1.1 5.1\n"
						"Fe S\n1 2\nDirect\n0 0 0\n0.31 0.4 0.52\n0.7 0.1 0.83\n");

	sonde_build_options_init(&options);
	snprintf(options.cell_file, sizeof options.cell_file, "%s", path);
	return options;
}

#define SAMPLES 14

/* Shapes of all kinds: convex, hollow, with a core, with holes along rows, and whole cells. */
static void make_samples(sonde_build_options *samples)
{
	sonde_build_options *s = samples;

	*s = lattice_of(SONDE_BUILD_CELL_FCC, "Au", 4.0782);
	s++->sphere = 13.0;
	*s = lattice_of(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614);
	s->center = (sonde_vector){0.1, 0.22, 0.3};
	s++->sphere = 10.0;
	*s = lattice_of(SONDE_BUILD_CELL_ROCKSALT, "Na,Cl", 5.64);
	s++->supercell = (sonde_vector){4, 3, 2};
	*s = lattice_of(SONDE_BUILD_CELL_WURTZITE, "Cd,Se", 4.2985);
	strcpy(s->orient, "z-x-z:20,35,50");
	s++->cylinder = (sonde_vector){9.0, 40.0, 0.0};
	*s = lattice_of(SONDE_BUILD_CELL_DIAMOND, "Si", 5.431);
	s->hollow = 0.6;
	s++->sphere = 14.0;
	*s = lattice_of(SONDE_BUILD_CELL_FCC, "Au", 4.08);
	strcpy(s->core, "Ag");
	s->core_size = 0.55;
	s++->truncated_octahedron = 11.0;
	*s = lattice_of(SONDE_BUILD_CELL_FLUORITE, "Ca,F", 5.463);
	s++->cylinder = (sonde_vector){11.0, 14.0, 5.0};
	*s = lattice_of(SONDE_BUILD_CELL_HCP, "Mg", 3.2094);
	s++->hexagonal_prism = (sonde_vector){12.0, 15.0, 0.0};
	*s = lattice_of(SONDE_BUILD_CELL_PEROVSKITE, "Sr,Ti,O", 3.905);
	s++->box = (sonde_vector){20.0, 14.0, 9.0};
	*s = lattice_of(SONDE_BUILD_CELL_BCC, "Fe", 2.8665);
	strcpy(s++->supercell_matrix, "3,1,0,-1,4,2,0,0,5");
	*s = triclinic();
	s++->sphere = 14.0;
	*s = triclinic();
	s++->supercell = (sonde_vector){1, 1, 60};
	*s = lattice_of(SONDE_BUILD_CELL_SC, "Po", 3.359);
	s++->cylinder = (sonde_vector){1.0, 400.0, 0.0};
	*s = lattice_of(SONDE_BUILD_CELL_ZINCBLENDE, "Zn,S", 5.4093);
	s->hollow = 0.5;
	s++->cone = (sonde_vector){12.0, 4.0, 25.0};
	assert_int_equal(s - samples, SAMPLES);
}

/* Numbers of pairs and sums of offsets of two kinds, by label, in each bin. */
struct counted {
	struct lattice_bins bins;
	uint64_t *pairs;
	double *offsets;
};

static void allocate_counts(double extent, struct counted *counted)
{
	counted->bins = (struct lattice_bins){(uint64_t)(extent * PER_ANGSTROM) + 3, PER_ANGSTROM};
	counted->pairs = calloc(counted->bins.count, sizeof *counted->pairs);
	counted->offsets = calloc(counted->bins.count, sizeof *counted->offsets);
	assert_non_null(counted->pairs);
	assert_non_null(counted->offsets);
}

static void free_counts(struct counted *counted)
{
	free(counted->pairs);
	free(counted->offsets);
}

static void count_by_loops(const sonde_atoms *atoms, const char *a, const char *b, struct counted *counted)
{
	const double *r = atoms->positions;

	for (int64_t i = 0; i < atoms->count; ++i)
		for (int64_t j = 0; j < i; ++j) {
			const char *first = atoms->species[atoms->species_of[i]].label,
				   *second = atoms->species[atoms->species_of[j]].label;
			if (!(strcmp(first, a) == 0 && strcmp(second, b) == 0) &&
			    !(strcmp(first, b) == 0 && strcmp(second, a) == 0))
				continue;
			double square = 0.0;
			for (int k = 0; k < 3; ++k)
				square += (r[3 * i + k] - r[3 * j + k]) * (r[3 * i + k] - r[3 * j + k]);
			const double place = sqrt(square) * PER_ANGSTROM;
			++counted->pairs[(uint64_t)place];
			counted->offsets[(uint64_t)place] += place - floor(place);
		}
}

/* The totals of two kinds, counted by one device; to be freed. */
static uint64_t *count_by_rows(struct device *device, const struct lattice_shape *shape, const sonde_lattice *lattice,
			       int a, int b, const struct lattice_bins *bins)
{
	struct lattice_device run;
	uint64_t *totals = calloc(bins->count * LATTICE_WORDS, sizeof *totals);

	assert_non_null(totals);
	assert_status(SONDE_OK, lattice_device_prepare(device, shape, lattice, bins, &run));
	for (int s = 0; s < lattice->sheet_count; ++s)
		for (int t = a == b ? s : 0; t < lattice->sheet_count; ++t) {
			const uint64_t lags = lattice_lag_count(&lattice->sheets[s], &lattice->sheets[t]),
				       first = s == t ? lags / 2 : 0, half = first + (lags - first) / 2;
			if (lattice->sheets[s].kind != a || lattice->sheets[t].kind != b)
				continue;
			assert_status(SONDE_OK, lattice_device_count(context, &run, s, t, first, half));
			assert_status(SONDE_OK, lattice_device_count(context, &run, s, t, half, lags));
		}
	assert_status(SONDE_OK, lattice_device_collect(&run, totals));
	lattice_device_release(&run);
	return totals;
}

static void compare_kinds(struct device *device, const sonde_lattice *lattice, const sonde_atoms *atoms, int a, int b)
{
	const struct lattice_shape shape = lattice_shape_of(device);
	const double units = (double)(UINT64_C(1) << LATTICE_OFFSET_BITS);
	uint64_t pairs = 0, m = (uint64_t)lattice->kinds[a].atoms, n = (uint64_t)lattice->kinds[b].atoms;
	struct counted expected;

	allocate_counts(lattice->extent, &expected);
	count_by_loops(atoms, lattice->kinds[a].label, lattice->kinds[b].label, &expected);
	uint64_t *totals = count_by_rows(device, &shape, lattice, a, b, &expected.bins);
	for (uint64_t bin = 0; bin < expected.bins.count; ++bin) {
		const uint64_t *words = totals + bin * LATTICE_WORDS;
		const double offsets = (double)words[LATTICE_OFFSETS] / units + (double)words[LATTICE_OFFSETS + 1],
			     squares = (double)words[LATTICE_SQUARES] / units + (double)words[LATTICE_SQUARES + 1],
			     each = (double)words[LATTICE_PAIRS];
		if (words[LATTICE_PAIRS] == 0 && expected.pairs[bin] == 0)
			continue;
		assert_int_equal(words[LATTICE_PAIRS], expected.pairs[bin]);
		assert_within(offsets, expected.offsets[bin], 1e-8 * (each + 1.0), "offsets");
		/* E[d^2] >= E[d]^2 */
		assert_true(squares * each >= offsets * offsets - 1e-6 * each * each &&
			    squares <= offsets + 1e-6 * each);
		pairs += words[LATTICE_PAIRS];
	}
	assert_int_equal(pairs, a == b ? m * (m - 1) / 2 : m * n);
	free(totals);
	free_counts(&expected);
}

static void check_sample(struct device *device, const sonde_lattice *lattice, const sonde_atoms *atoms)
{
	assert_int_equal(sonde_lattice_atoms(lattice), sonde_atoms_count(atoms));
	assert_true(lattice->kind_count <= MOST_KINDS);
	for (int a = 0; a < lattice->kind_count; ++a)
		for (int b = a; b < lattice->kind_count; ++b)
			compare_kinds(device, lattice, atoms, a, b);
}

/* Cut from the description of the sample, and found in its atoms. */
static void pairs_of_rows_are_those_of_atoms(void **state)
{
	const struct device_settings settings = {.threads = 2, .launch_limit = 10.0, .kernel_cache = "off"};
	static sonde_build_options samples[SAMPLES];
	struct device *device;
	(void)state;

	make_samples(samples);
	assert_status(SONDE_OK, device_open("cpu", &settings, &device));
	for (int k = 0; k < SAMPLES; ++k) {
		sonde_atoms *atoms;
		sonde_lattice *cut, *found;
		assert_status(SONDE_OK, sonde_build_run(context, &samples[k], &atoms));
		assert_status(SONDE_OK, sonde_build_lattice(context, &samples[k], &cut));
		print_message("sample %d: %lld atoms, %lld rows\n", k, (long long)cut->count, (long long)cut->rows);
		check_sample(device, cut, atoms);
		/* too few planes of atoms, or a single row: a lattice in space does not follow from the atoms */
		if (k != 11 && k != 12) {
			assert_status(SONDE_OK, sonde_lattice_find(context, atoms, &found));
			check_sample(device, found, atoms);
			assert_true(found->deviation < 1e-11);
			assert_int_equal(found->count, cut->count);
			sonde_lattice_free(&found);
		}
		sonde_lattice_free(&cut);
		sonde_atoms_free(&atoms);
	}
	device_close(&device);
}

static void compare_devices(struct device *device, const struct lattice_shape *shape, const sonde_lattice *lattice,
			    const struct lattice_bins *bins, const uint64_t *expected)
{
	uint64_t *totals = count_by_rows(device, shape, lattice, 0, 1, bins);

	assert_memory_equal(totals, expected, bins->count * LATTICE_WORDS * sizeof *totals);
	free(totals);
}

/* All words are the same, also for work-groups of odd sizes, and for counters of a part of the lags at a time. */
static void totals_are_the_same_on_every_device(void **state)
{
	static const char *const names[] = {"cpu", "emulated", "opencl:0", "cuda:0"};
	static const uint32_t items[] = {7, 48}, counters[] = {8192, 4700};
	const struct device_settings settings = {.threads = 2, .launch_limit = 10.0, .kernel_cache = "off"};
	sonde_build_options options = lattice_of(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614);
	sonde_lattice *lattice;
	uint64_t *expected = NULL;
	(void)state;

	options.cylinder = (sonde_vector){6.5, 120.0, 0.0};
	options.hollow = 0.5;
	assert_status(SONDE_OK, sonde_build_lattice(context, &options, &lattice));
	assert_int_equal(lattice->kind_count, 2);
	const struct lattice_bins bins = {(uint64_t)(lattice->extent * 100.0) + 3, 100.0};
	for (size_t k = 0; k < COUNT(names); ++k) {
		struct device *device;
		if (device_open(names[k], &settings, &device) != SONDE_OK) {
			print_message("%s: %s\n", names[k], sonde_status_message());
			continue;
		}
		struct lattice_shape shape = lattice_shape_of(device);
		if (expected == NULL)
			expected = count_by_rows(device, &shape, lattice, 0, 1, &bins);
		compare_devices(device, &shape, lattice, &bins, expected);
		for (size_t c = 0; c < COUNT(counters); ++c) {
			shape.counters =
			    shape.items == 1 ? counters[c] / 8 : counters[c]; /* a part of the lags at a time */
			compare_devices(device, &shape, lattice, &bins, expected);
		}
		for (size_t i = 0; i < COUNT(items) && !device_properties(device)->fixed_kernels; ++i) {
			shape = (struct lattice_shape){items[i], 8192};
			compare_devices(device, &shape, lattice, &bins, expected);
			shape.counters = 8 * (2 * items[i] + 2) + 160; /* for 39 lags */
			compare_devices(device, &shape, lattice, &bins, expected);
		}
		device_close(&device);
	}
	free(expected);
	sonde_lattice_free(&lattice);
}

/* Numbers of pairs of sheets at one vector, of those of all. */
static void pairs_at_a_lag_are_cells_in_both(void **state)
{
	sonde_build_options options = lattice_of(SONDE_BUILD_CELL_SC, "Po", 3.0);
	sonde_lattice *lattice;
	(void)state;

	options.supercell = (sonde_vector){5, 7, 11};
	assert_status(SONDE_OK, sonde_build_lattice(context, &options, &lattice));
	assert_int_equal(lattice->sheet_count, 1);
	const struct lattice_sheet *sheet = &lattice->sheets[0];
	for (int64_t x = -4; x <= 4; x += 2)
		for (int64_t y = -4; y <= 4; y += 2)
			for (int64_t z = -3; z <= 3; z += 3) {
				const int64_t lag[3] = {x, y, z};
				assert_int_equal(lattice_pairs_at(lattice, 0, 0, lag),
						 (sheet->length - llabs(x)) * (sheet->width - llabs(y)) *
						     (sheet->height - llabs(z)));
			}
	sonde_lattice_free(&lattice);
}

static void add(sonde_atoms *atoms, double x, double y, double z)
{
	assert_status(SONDE_OK, sonde_atoms_add(atoms, "Au", (const double[3]){x, y, z}));
}

/* A copy of a crystal with one atom changed by `change`. */
static void expect_no_lattice(const sonde_atoms *crystal, double displacement, bool twice)
{
	sonde_atoms *atoms;
	sonde_lattice *lattice;

	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int64_t i = 0; i < crystal->count; ++i) {
		const double *r = crystal->positions + 3 * i;
		add(atoms, r[0], r[1] + (i == 77 ? displacement : 0.0), r[2]);
	}
	if (twice)
		add(atoms, crystal->positions[0], crystal->positions[1], crystal->positions[2]);
	assert_invalid("not on a lattice", sonde_lattice_find(context, atoms, &lattice));
	assert_null(lattice);
	sonde_atoms_free(&atoms);
}

static void atoms_off_their_places_are_no_lattice(void **state)
{
	sonde_build_options options = lattice_of(SONDE_BUILD_CELL_FCC, "Au", 4.08);
	sonde_atoms *atoms;
	sonde_lattice *lattice;
	uint64_t random = 3;
	(void)state;

	options.sphere = 14.0;
	assert_status(SONDE_OK, sonde_build_run(context, &options, &atoms));
	expect_no_lattice(atoms, 3e-6, false);
	expect_no_lattice(atoms, 0.0, true);
	sonde_atoms_free(&atoms);
	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int i = 0; i < 1000; ++i) {
		const double x = test_random_real(&random), y = test_random_real(&random);
		add(atoms, 30.0 * x, 30.0 * y, 30.0 * test_random_real(&random));
	}
	assert_invalid("not on a lattice", sonde_lattice_find(context, atoms, &lattice));
	sonde_atoms_free(&atoms);
}

/* Six decimals, and holes: still a lattice, and the deviation is known. */
static void rounded_positions_and_vacancies_are_a_lattice(void **state)
{
	sonde_build_options options = lattice_of(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614);
	sonde_atoms *atoms;
	sonde_lattice *lattice;
	(void)state;

	options.sphere = 16.0;
	strcpy(options.vacancies, "0.02");
	strcpy(options.orient, "z-x-z:11,22,33");
	assert_status(SONDE_OK, sonde_build_run(context, &options, &atoms));
	for (int64_t i = 0; i < 3 * atoms->count; ++i)
		atoms->positions[i] = round(1e6 * atoms->positions[i]) * 1e-6;
	assert_status(SONDE_OK, sonde_lattice_find(context, atoms, &lattice));
	assert_int_equal(lattice->count, atoms->count);
	assert_true(lattice->deviation > 1e-7 && lattice->deviation < 1e-6);
	sonde_lattice_free(&lattice);
	sonde_atoms_free(&atoms);
}

/* More than one block of atoms, with a shell whose sites have no atoms near the middle: found alike by one and three
 * threads, also with three decimals, with which vectors between two atoms do not lead far enough. */
static void large_samples_are_found_by_any_number_of_threads(void **state)
{
	sonde_build_options options = lattice_of(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614);
	sonde_atoms *atoms;
	(void)state;

	options.sphere = 60.0;
	strcpy(options.core, "Au,Ag");
	options.core_size = 0.8;
	strcpy(options.orient, "z-x-z:11,22,33");
	assert_status(SONDE_OK, sonde_build_run(context, &options, &atoms));
	assert_true(atoms->count > 70000);
	for (int k = 0; k < 2; ++k) {
		sonde_lattice *found[2];
		for (int64_t i = 0; i < 3 * atoms->count && k == 1; ++i)
			atoms->positions[i] = round(1e3 * atoms->positions[i]) * 1e-3;
		for (int of = 0; of < 2; ++of) {
			sonde_context *own;
			assert_status(SONDE_OK, sonde_context_create(&own));
			assert_status(SONDE_OK, sonde_context_set_threads(own, of == 0 ? 1 : 3));
			assert_status(SONDE_OK, sonde_lattice_find(own, atoms, &found[of]));
			sonde_context_free(&own);
		}
		assert_int_equal(found[0]->count, atoms->count);
		assert_int_equal(found[0]->sheet_count, found[1]->sheet_count);
		assert_memory_equal(found[0]->vectors, found[1]->vectors, sizeof found[0]->vectors);
		for (int s = 0; s < found[0]->sheet_count; ++s)
			assert_memory_equal(found[0]->sheets[s].origin, found[1]->sheets[s].origin,
					    sizeof found[0]->sheets[s].origin);
		assert_true(k == 0 ? found[0]->deviation < 1e-11
				   : found[0]->deviation > 5e-4 && found[0]->deviation < 9e-4);
		assert_true(found[0]->spread <= found[0]->deviation && found[0]->slow <= found[0]->spread);
		assert_true(k == 0 || (found[0]->spread > 2.8e-4 && found[0]->spread < 3e-4));
		sonde_lattice_free(&found[0]);
		sonde_lattice_free(&found[1]);
	}
	sonde_atoms_free(&atoms);
}

static void samples_that_are_no_lattice_are_refused(void **state)
{
	sonde_build_options options = lattice_of(SONDE_BUILD_CELL_FCC, "Au", 4.08), changed = options;
	sonde_lattice *lattice;
	(void)state;

	changed.sphere = 10.0;
	strcpy(changed.displace, "0.1");
	assert_invalid("displace", sonde_build_lattice(context, &changed, &lattice));
	changed = options;
	changed.icosahedron = 4;
	assert_invalid("icosahedron", sonde_build_lattice(context, &changed, &lattice));
	changed = options;
	changed.sphere = 10.0;
	changed.copies = 3;
	assert_invalid("copies", sonde_build_lattice(context, &changed, &lattice));
	changed = options;
	changed.sphere = 1e5;
	assert_invalid("too large", sonde_build_lattice(context, &changed, &lattice));
	assert_null(lattice);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(pairs_of_rows_are_those_of_atoms),
	    cmocka_unit_test(totals_are_the_same_on_every_device),
	    cmocka_unit_test(pairs_at_a_lag_are_cells_in_both),
	    cmocka_unit_test(atoms_off_their_places_are_no_lattice),
	    cmocka_unit_test(rounded_positions_and_vacancies_are_a_lattice),
	    cmocka_unit_test(large_samples_are_found_by_any_number_of_threads),
	    cmocka_unit_test(samples_that_are_no_lattice_are_refused),
	};

	return cmocka_run_group_tests(tests, open_all, close_all);
}
