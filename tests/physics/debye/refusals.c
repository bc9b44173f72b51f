/* Input without a physical result is refused, with a message that gives the remedy. */
#include "physics/physics.h"

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define AUTO SONDE_DEBYE_FACTORS_AUTO
#define XRAY SONDE_DEBYE_RADIATION_XRAY
#define NEUTRON SONDE_DEBYE_RADIATION_NEUTRON

/* Runs and expects SONDE_INVALID with `word` in the message; null expects SONDE_OK. */
static void expect(const sonde_atoms *atoms, const sonde_debye_options *options, const char *word)
{
	sonde_context *context = make_context(1);
	sonde_debye_result *result = (sonde_debye_result *)1;
	sonde_status status = sonde_debye_run(context, atoms, options, &result);

	if (word == NULL) {
		if (status != SONDE_OK)
			fail_msg("refused: %s", sonde_status_message());
		sonde_debye_result_free(&result);
	} else {
		assert_int_equal(status, SONDE_INVALID);
		assert_null(result);
		if (strstr(sonde_status_message(), word) == NULL)
			fail_msg("'%s' is not in the message: %s", word, sonde_status_message());
	}
	sonde_context_free(&context);
}

static sonde_atoms *pair_of(const char *a, const char *b, double r)
{
	sonde_atoms *atoms = empty_sample();

	add_atom(atoms, a, 0.0, 0.0, 0.0);
	add_atom(atoms, b, r, 0.0, 0.0);
	return atoms;
}

static void test_samples_without_atoms_are_refused(void **state)
{
	sonde_atoms *atoms = empty_sample();
	(void)state;

	for (int method = SONDE_DEBYE_METHOD_AUTO; method <= SONDE_DEBYE_METHOD_REFERENCE; ++method) {
		sonde_debye_options options = options_of(method, AUTO, 0.1, 20.0, 10);
		expect(atoms, &options, "no atoms");
	}
	sonde_atoms_free(&atoms);
}

/* Waasmaier and Kirfel: s = q/4 pi up to 6; International Tables 1992: up to 2; neutrons: any q. */
static void test_tables_are_refused_beyond_their_validity(void **state)
{
	static const struct {
		int radiation, factors;
		double last;
		const char *word;
	} cases[] = {{XRAY, AUTO, 75.3, NULL},
		     {XRAY, AUTO, 75.5, "valid up to q = 75.4"},
		     {XRAY, SONDE_DEBYE_FACTORS_WAASMAIER_KIRFEL, 100.0, "valid up to q = 75.4"},
		     {XRAY, SONDE_DEBYE_FACTORS_IT1992, 25.1, NULL},
		     {XRAY, SONDE_DEBYE_FACTORS_IT1992, 25.2, "valid up to q = 25.13"},
		     {XRAY, SONDE_DEBYE_FACTORS_UNIT, 900.0, NULL},
		     {NEUTRON, AUTO, 900.0, NULL},
		     {NEUTRON, SONDE_DEBYE_FACTORS_UNIT, 900.0, NULL}};
	sonde_atoms *atoms = pair_of("Co", "O", 2.13);
	(void)state;

	for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
		for (int method = EXACT; method <= HISTOGRAM; ++method) {
			sonde_debye_options options = options_of(method, cases[c].factors, 0.1, cases[c].last, 10);
			options.radiation = cases[c].radiation;
			expect(atoms, &options, cases[c].word);
		}
	}
	sonde_atoms_free(&atoms);
}

/* Form factors are for X-rays, lengths for neutrons, 1 is for both. */
static void test_tables_of_another_radiation_are_refused(void **state)
{
	static const struct {
		int radiation, factors, good;
	} cases[] = {{XRAY, SONDE_DEBYE_FACTORS_WAASMAIER_KIRFEL, 1},
		     {XRAY, SONDE_DEBYE_FACTORS_IT1992, 1},
		     {XRAY, SONDE_DEBYE_FACTORS_SEARS1992, 0},
		     {XRAY, SONDE_DEBYE_FACTORS_RAUCH2003, 0},
		     {XRAY, SONDE_DEBYE_FACTORS_UNIT, 1},
		     {NEUTRON, SONDE_DEBYE_FACTORS_UNIT, 1},
		     {NEUTRON, SONDE_DEBYE_FACTORS_WAASMAIER_KIRFEL, 0},
		     {NEUTRON, SONDE_DEBYE_FACTORS_IT1992, 0},
		     {NEUTRON, SONDE_DEBYE_FACTORS_SEARS1992, 1},
		     {NEUTRON, SONDE_DEBYE_FACTORS_RAUCH2003, 1}};
	sonde_atoms *atoms = pair_of("Ni", "O", 2.08);
	(void)state;

	for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
		sonde_debye_options options = options_of(EXACT, cases[c].factors, 0.1, 20.0, 10);
		options.radiation = cases[c].radiation;
		expect(atoms, &options, cases[c].good ? NULL : "this table is for");
	}
	sonde_atoms_free(&atoms);
}

/* "auto" is settled in the result. */
static void test_auto_is_settled_in_the_result(void **state)
{
	sonde_atoms *atoms = pair_of("Co", "O", 2.13);
	(void)state;

	for (int radiation = XRAY; radiation <= NEUTRON; ++radiation) {
		sonde_debye_options options;
		sonde_debye_options_init(&options);
		options.radiation = radiation;
		sonde_debye_result *result = run(atoms, &options);
		assert_int_equal(result->q_count, 996);
		assert_int_equal(result->r_count, 1951);
		assert_int_equal(result->options->method, EXACT);
		assert_int_equal(result->options->factors, radiation == XRAY ? SONDE_DEBYE_FACTORS_WAASMAIER_KIRFEL
									     : SONDE_DEBYE_FACTORS_SEARS1992);
		assert_true(result->bin_width == 0.0 && result->bin_count == 0);
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

/* Scatterers that a table lacks, among them isotopes for X-rays; and phases too large for a sine. */
static void test_unknown_scatterers_are_refused(void **state)
{
	static const struct {
		const char *label;
		int radiation, factors;
		const char *word;
	} cases[] = {
	    {"Co7+", XRAY, AUTO, "Co7+"}, {"Po", NEUTRON, AUTO, "Po"}, {"99Ni", NEUTRON, AUTO, "58Ni"},
	    {"Lr", XRAY, AUTO, "Lr"},     {"Co2+", XRAY, AUTO, NULL},  {"Co2+", NEUTRON, AUTO, NULL},
	    {"D", XRAY, AUTO, NULL},      {"58Ni", XRAY, AUTO, NULL},  {"Lr", XRAY, SONDE_DEBYE_FACTORS_UNIT, NULL}};
	(void)state;

	for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
		sonde_atoms *atoms = pair_of("O", cases[c].label, 2.0);
		sonde_debye_options options = options_of(EXACT, cases[c].factors, 0.1, 20.0, 10);
		options.radiation = cases[c].radiation;
		expect(atoms, &options, cases[c].word);
		sonde_atoms_free(&atoms);
	}
	sonde_atoms *atoms = pair_of("O", "O", 9.9e6);
	sonde_debye_options options = options_of(EXACT, AUTO, 0.1, 20.0, 10);
	expect(atoms, &options, "phase");
	options.q.last = 10.0;
	expect(atoms, &options, NULL);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_samples_without_atoms_are_refused),
	    cmocka_unit_test(test_tables_are_refused_beyond_their_validity),
	    cmocka_unit_test(test_tables_of_another_radiation_are_refused),
	    cmocka_unit_test(test_auto_is_settled_in_the_result),
	    cmocka_unit_test(test_unknown_scatterers_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
