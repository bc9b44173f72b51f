/* Partly occupied sites, compared with the mean of Debye's sum over all configurations. */
#include "physics/physics.h"

#include "matter/atoms/atoms.h"
#include "matter/scattering/scatterer.h"

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define REFERENCE SONDE_DEBYE_METHOD_REFERENCE
#define POINTS 24
#define MOST 16
#define SPECIES 3

static const char *const labels[SPECIES] = {"157Gd", "Co", "O"}; /* in the order of labels; one complex length */

/* Occupants of some sites: one of several sets of atoms (bits of their numbers), each with a probability; none with the
 * remaining probability. */
struct choice {
	int count;
	double probability[4];
	uint32_t atoms[4];
};
struct model {
	int count, choices;
	int species[MOST];
	double position[MOST][3], occupancy[MOST];
	uint32_t location[MOST]; /* as in sonde_atoms, 0: one only */
	struct choice choice[MOST];
};

static int add(struct model *model, int species, double x, double y, double z, double occupancy)
{
	int i = model->count++;

	model->species[i] = species;
	model->position[i][0] = x;
	model->position[i][1] = y;
	model->position[i][2] = z;
	model->occupancy[i] = occupancy;
	model->location[i] = 0;
	return i;
}

/* A site of its own. */
static void add_site(struct model *model, int species, double x, double y, double z, double occupancy)
{
	int i = add(model, species, x, y, z, occupancy);

	model->choice[model->choices++] = (struct choice){1, {occupancy}, {1u << i}};
}

static sonde_atoms *sample_of(const struct model *model, const int *order)
{
	sonde_atoms *atoms = empty_sample();
	double occupancies[MOST];

	for (int k = 0; k < model->count; ++k) {
		int i = order != NULL ? order[k] : k;
		add_atom(atoms, labels[model->species[i]], model->position[i][0], model->position[i][1],
			 model->position[i][2]);
		if (model->location[i] != 0)
			assert_int_equal(atoms_location_last(atoms, model->location[i] / LOCATION_LETTERS,
							     (char)(model->location[i] % LOCATION_LETTERS)),
					 SONDE_OK);
		occupancies[k] = model->occupancy[i];
	}
	assert_int_equal(sonde_atoms_set_occupancies(atoms, occupancies), SONDE_OK);
	return atoms;
}

/* Means over the configurations: I_ab, both orders of the pairs, atoms in I_aa; and sum_{i in a, j in b, i != j} sinc. */
struct means {
	long double intensity[POINTS], part[SPECIES][SPECIES][POINTS], pairs[SPECIES][SPECIES][POINTS];
	double present[SPECIES], real[SPECIES], imaginary[SPECIES];
};

/* Lengths, which do not depend on q. */
static void find_lengths(struct means *means)
{
	struct scatterer scatterer;

	for (int s = 0; s < SPECIES; ++s) {
		assert_int_equal(scatterer_find(SCATTERING_SEARS1992, labels[s], &scatterer), SONDE_OK);
		scatterer_amplitude(&scatterer, 1.0, &means->real[s], &means->imaginary[s]);
	}
}

static void add_configuration(const struct model *model, uint32_t there, double probability, const double *q,
			      struct means *means)
{
	for (int i = 0; i < model->count; ++i) {
		if (!(there >> i & 1))
			continue;
		means->present[model->species[i]] += probability;
		for (int j = 0; j < model->count; ++j) {
			int a = model->species[i], b = model->species[j];
			const double *p = model->position[i], *s = model->position[j];
			double r = sqrt((p[0] - s[0]) * (p[0] - s[0]) + (p[1] - s[1]) * (p[1] - s[1]) +
					(p[2] - s[2]) * (p[2] - s[2]));
			if (!(there >> j & 1))
				continue;
			double ff = means->real[a] * means->real[b] + means->imaginary[a] * means->imaginary[b];
			for (int k = 0; k < POINTS; ++k) {
				double x = q[k] * r, term = probability * (x == 0.0 ? 1.0 : sin(x) / x);
				double part = ff * term;
				means->intensity[k] += part;
				means->part[a < b ? a : b][a < b ? b : a][k] += part;
				means->pairs[a][b][k] += i == j ? 0.0 : term;
			}
		}
	}
}

/* All ways to choose. */
static void enumerate(const struct model *model, int choice, uint32_t there, double probability, const double *q,
		      struct means *means)
{
	if (choice == model->choices) {
		add_configuration(model, there, probability, q, means);
		return;
	}
	const struct choice *c = &model->choice[choice];
	double rest = 1.0;
	for (int k = 0; k < c->count; ++k) {
		rest -= c->probability[k];
		enumerate(model, choice + 1, there | c->atoms[k], probability * c->probability[k], q, means);
	}
	if (rest > 1e-12)
		enumerate(model, choice + 1, there, probability * rest, q, means);
}

static void check_partials(const sonde_debye_result *result, const struct means *means, double tolerance)
{
	double n = result->atoms_present;

	for (int p = 0; p < result->pair_count; ++p) {
		int a = result->pair_a[p], b = result->pair_b[p];
		double n_a = means->present[a], n_b = means->present[b];
		for (int k = 0; k < POINTS; ++k) {
			double scale = result->mean_square_amplitude[k] + result->intensity_per_atom[k];
			double expected = 1.0 + n / (n_a * n_b) * (double)means->pairs[a][b][k];
			assert_within(result->partial_intensity[p * POINTS + k], (double)means->part[a][b][k] / n,
				      tolerance * scale, "partial intensity");
			assert_within(result->partial_structure_factor[p * POINTS + k], expected, tolerance * 100.0,
				      "partial structure factor");
		}
	}
}

static void check_model(const char *name, const struct model *model)
{
	static const struct {
		int method;
		double tolerance, absurd;
	} methods[] = {{REFERENCE, 1e-13, 1e-11}, {EXACT, 1e-12, 1e-9}, {HISTOGRAM, 1e-7, 1e-5}};
	static struct means means;
	sonde_atoms *atoms = sample_of(model, NULL);
	double truth[POINTS], n = 0.0;

	for (size_t m = 0; m < 3; ++m) {
		sonde_debye_options options =
		    options_of(methods[m].method, SONDE_DEBYE_FACTORS_AUTO, 0.0, 18.0, POINTS);
		char what[96];
		options.radiation = SONDE_DEBYE_RADIATION_NEUTRON;
		sonde_debye_result *result = run(atoms, &options);
		if (m == 0) {
			means = (struct means){0};
			find_lengths(&means);
			enumerate(model, 0, 0, 1.0, result->q, &means);
			for (int s = 0; s < SPECIES; ++s)
				n += means.present[s];
			for (int k = 0; k < POINTS; ++k)
				truth[k] = (double)means.intensity[k] / n;
		}
		assert_close(result->atoms_present, n, 1e-12, "atoms present");
		snprintf(what, sizeof what, "%s, method %d", name, methods[m].method);
		check_intensity(what, result, truth, methods[m].tolerance, methods[m].absurd);
		check_partials(result, &means, methods[m].tolerance);
		for (int k = 0; k < POINTS; ++k) {
			/* S by its definition from the means */
			double s =
			    1.0 + (truth[k] - result->mean_square_amplitude[k]) / result->square_mean_amplitude[k];
			assert_within(result->structure_factor[k], s, 1e4 * methods[m].tolerance, "structure factor");
		}
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

/* Independent sites; some are full, one is always empty. */
static struct model separate_sites(void)
{
	struct model model = {0};

	for (int i = 0; i < 10; ++i)
		add_site(&model, i % SPECIES, 2.1 * (i % 3), 1.9 * (i / 3) + 0.1 * i, 0.3 * i,
			 i == 4   ? 1.0
			 : i == 7 ? 0.0
				  : 0.08 * (i + 1));
	return model;
}

static void test_independent_sites_average_over_configurations(void **state)
{
	struct model model = separate_sites();
	(void)state;

	check_model("vacancies", &model);
}

/* Two and three species on one site, and an atom that is split over places 0.4 Angstrom apart: there is one of them or none. */
static void test_shared_sites_average_over_configurations(void **state)
{
	struct model model = {0};
	(void)state;

	for (int i = 0; i < 3; ++i) {
		double x = 2.6 * i;
		int a = add(&model, 1, x, 0, 0, 0.3), b = add(&model, 2, x, 0, 0, i == 2 ? 0.4 : 0.7);
		struct choice *c = &model.choice[model.choices++];
		*c = (struct choice){2, {0.3, model.occupancy[b]}, {1u << a, 1u << b}};
		if (i == 2) {
			int d = add(&model, 0, x, 0, 0, 0.2);
			c->count = 3;
			c->probability[2] = 0.2;
			c->atoms[2] = 1u << d;
		}
	}
	int a = add(&model, 0, -3.0, 1.0, -0.01, 0.5), b = add(&model, 0, -3.0, 1.24, 0.31, 0.5);
	model.choice[model.choices++] = (struct choice){2, {0.5, 0.5}, {1u << a, 1u << b}};
	add_site(&model, 2, 0.5, 2.0, 2.0, 0.6);
	/* further apart than 0.5 Angstrom, or together more than one: independent */
	add_site(&model, 2, 5.0, 5.0, 5.0, 0.4);
	add_site(&model, 2, 5.0, 5.0, 5.51, 0.4);
	add_site(&model, 1, 0.0, 7.0, 0.0, 0.8);
	add_site(&model, 1, 0.2, 7.0, 0.0, 0.7);
	check_model("shared and split sites", &model);
}

/* Residues with locations A, B and C: the atoms of one are there together. */
static void test_atoms_of_one_location_are_there_together(void **state)
{
	struct model model = {0};
	(void)state;

	for (uint32_t residue = 1; residue <= 2; ++residue) {
		struct choice *c = &model.choice[model.choices++];
		*c = (struct choice){residue == 1 ? 2 : 3, {0.6, residue == 1 ? 0.4 : 0.3, 0.1}, {0}};
		for (int letter = 0; letter < c->count; ++letter) {
			for (int k = 0; k < 2; ++k) {
				int i = add(&model, (letter + k) % SPECIES, 4.0 * residue + 1.1 * k, 0.9 * letter,
					    1.3 * k * letter, c->probability[letter]);
				model.location[i] = residue * LOCATION_LETTERS + 'A' + (uint32_t)letter;
				c->atoms[letter] |= 1u << i;
			}
		}
	}
	add_site(&model, 1, 0.0, 0.0, 0.0, 1.0);
	add_site(&model, 2, 1.5, 1.0, 0.0, 0.5);
	check_model("alternative locations", &model);
}

/* Occupancies of 1 change nothing, in no bit; and the order of the atoms changes none by histogram. */
static void test_full_occupancy_and_order_change_nothing(void **state)
{
	struct model model = separate_sites();
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.26, 12.0);
	int64_t count = sonde_atoms_count(atoms);
	double *ones = calloc((size_t)count, sizeof *ones);
	int order[MOST];
	(void)state;

	assert_non_null(ones);
	for (int method = EXACT; method <= HISTOGRAM; ++method) {
		sonde_debye_result *before = run_simply(atoms, method, SONDE_DEBYE_FACTORS_AUTO, 0.0, 20.0, 100);
		for (int64_t i = 0; i < count; ++i)
			ones[i] = 1.0;
		assert_int_equal(sonde_atoms_set_occupancies(atoms, ones), SONDE_OK);
		assert_null(sonde_atoms_occupancies(atoms));
		sonde_debye_result *after = run_simply(atoms, method, SONDE_DEBYE_FACTORS_AUTO, 0.0, 20.0, 100);
		assert_true(same_bits(before, after));
		sonde_debye_result_free(&before);
		sonde_debye_result_free(&after);
	}
	for (int k = 0; k < model.count; ++k)
		order[k] = (7 * k + 3) % model.count;
	sonde_atoms *sorted = sample_of(&model, NULL), *mixed = sample_of(&model, order);
	sonde_debye_result *a = run_simply(sorted, HISTOGRAM, SONDE_DEBYE_FACTORS_UNIT, 0.0, 20.0, 100);
	sonde_debye_result *b = run_simply(mixed, HISTOGRAM, SONDE_DEBYE_FACTORS_UNIT, 0.0, 20.0, 100);
	assert_memory_equal(a->intensity, b->intensity, 100 * sizeof(double));
	assert_memory_equal(a->partial_structure_factor, b->partial_structure_factor,
			    (size_t)a->pair_count * 100 * sizeof(double));
	sonde_debye_result_free(&a);
	sonde_debye_result_free(&b);
	sonde_atoms_free(&sorted);
	sonde_atoms_free(&mixed);
	sonde_atoms_free(&atoms);
	free(ones);
}

/* A random alloy on a lattice scatters Laue's N (<f^2> - <f>^2) in addition to the lattice of mean atoms. */
static void test_random_alloys_scatter_laues_background(void **state)
{
	sonde_atoms *lattice = build_cells(SONDE_BUILD_CELL_FCC, "Co", 3.6, 5), *alloy = empty_sample();
	int64_t count = sonde_atoms_count(lattice);
	const double *r = sonde_atoms_positions(lattice);
	double *occupancies = calloc(2 * (size_t)count, sizeof *occupancies);
	(void)state;

	assert_non_null(occupancies);
	for (int64_t i = 0; i < count; ++i) {
		add_atom(alloy, "Co", r[3 * i], r[3 * i + 1], r[3 * i + 2]);
		add_atom(alloy, "Ni", r[3 * i], r[3 * i + 1], r[3 * i + 2]);
		occupancies[2 * i] = 0.3;
		occupancies[2 * i + 1] = 0.7;
	}
	assert_int_equal(sonde_atoms_set_occupancies(alloy, occupancies), SONDE_OK);
	for (int method = EXACT; method <= HISTOGRAM; ++method) {
		sonde_debye_options options = options_of(method, SONDE_DEBYE_FACTORS_AUTO, 0.1, 20.0, 50);
		options.radiation = SONDE_DEBYE_RADIATION_NEUTRON;
		sonde_debye_result *mixed = run(alloy, &options), *mean = run(lattice, &options);
		double truth[50];
		/* of Co, f = 2.49; of Ni, 10.3 */
		double first = 0.3 * 2.49 + 0.7 * 10.3, second = 0.3 * 2.49 * 2.49 + 0.7 * 10.3 * 10.3;
		for (int k = 0; k < 50; ++k)
			truth[k] =
			    second - first * first + mean->intensity_per_atom[k] / (2.49 * 2.49) * first * first;
		check_intensity(method == EXACT ? "alloy, exact" : "alloy, histogram", mixed, truth,
				method == EXACT ? 1e-12 : 1e-6, 1e-5);
		sonde_debye_result_free(&mixed);
		sonde_debye_result_free(&mean);
	}
	sonde_atoms_free(&lattice);
	sonde_atoms_free(&alloy);
	free(occupancies);
}

static void refuse(const double *occupancies, int count, const char *words)
{
	sonde_context *context = make_context(1);
	sonde_debye_options options = options_of(EXACT, SONDE_DEBYE_FACTORS_UNIT, 1.0, 2.0, 3);
	sonde_debye_result *result;
	sonde_atoms *atoms = empty_sample();

	for (int i = 0; i < count; ++i)
		add_atom(atoms, "O", 2.0 * i, 0, 0);
	sonde_status status = sonde_atoms_set_occupancies(atoms, occupancies);
	if (status == SONDE_OK)
		status = sonde_debye_run(context, atoms, &options, &result);
	assert_int_equal(status, SONDE_INVALID);
	if (strstr(sonde_status_message(), words) == NULL)
		fail_msg("'%s' is not in: %s", words, sonde_status_message());
	sonde_atoms_free(&atoms);
	sonde_context_free(&context);
}

static void test_impossible_occupancies_are_refused(void **state)
{
	static double many[1002];
	(void)state;

	refuse((const double[]){1.0, 1.01}, 2, "atom 2: an occupancy of 1.01");
	refuse((const double[]){-0.1, 1.0}, 2, "atom 1: an occupancy of -0.1");
	refuse((const double[]){0.5, NAN}, 2, "atom 2: an occupancy of nan");
	refuse((const double[]){0.0, 0.0}, 2, "all occupancies are 0");
	for (int i = 0; i < 1001; ++i)
		many[i] = (i + 1) / 1002.0;
	refuse(many, 1001, "round the occupancies");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_independent_sites_average_over_configurations),
	    cmocka_unit_test(test_shared_sites_average_over_configurations),
	    cmocka_unit_test(test_atoms_of_one_location_are_there_together),
	    cmocka_unit_test(test_full_occupancy_and_order_change_nothing),
	    cmocka_unit_test(test_random_alloys_scatter_laues_background),
	    cmocka_unit_test(test_impossible_occupancies_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
