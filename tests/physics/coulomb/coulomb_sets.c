/* Several sets of charges at the same positions: the values of each are the same as alone, by every method and
 * device. */
#include "physics/charges.h"

#define SETS 6 /* more than are summed at a time */
#define MOST_KNOWN 8

static double charge_of(int set, int64_t atom)
{
	/* the fourth set is 0 in the first half, and the last one of one sign */
	double random = uniform_number(11, (uint64_t)(SETS * atom + set));

	if (set == 3 && atom < 100)
		return 0.0;
	return set == SETS - 1 ? random : 2.0 * random - 1.0;
}

static sonde_atoms *with_sets(int64_t count, double edge, int first, int sets)
{
	sonde_atoms *atoms = random_charges(count, edge, 2.0, 0.0, false);
	double *charges = malloc((size_t)count * sizeof *charges);

	assert_non_null(charges);
	for (int s = first; s < first + sets; ++s) {
		for (int64_t i = 0; i < count; ++i)
			charges[i] = charge_of(s, i);
		assert_int_equal((s == first ? sonde_atoms_set_charges : sonde_atoms_add_charges)(atoms, charges),
				 SONDE_OK);
	}
	assert_int_equal(sonde_atoms_charge_sets(atoms), sets);
	free(charges);
	return atoms;
}

/* Root mean square difference of `count` numbers, relative to the second ones. */
static double deviation(const double *is, const double *should, int64_t count)
{
	double squares = 0.0, own = 0.0;

	for (int64_t n = 0; n < count; ++n) {
		squares += (is[n] - should[n]) * (is[n] - should[n]);
		own += should[n] * should[n];
	}
	return sqrt(squares / own);
}

/* Each set alone in float64 by the direct sum. The same for every device, precision, and method: made once for all checks with these
 * options. */
static sonde_coulomb_result *const *alone_for(const sonde_coulomb_options *given, int64_t count)
{
	static struct {
		sonde_coulomb_options options;
		sonde_coulomb_result *sets[SETS];
	} known[MOST_KNOWN];
	static int made;
	sonde_coulomb_options options = *given;

	options.precision = FLOAT64;
	options.method = SONDE_COULOMB_METHOD_DIRECT;
	options.tolerance = 1e-12;
	for (int k = 0; k < made; ++k) {
		const sonde_coulomb_options *other = &known[k].options;
		if (other->quantity == options.quantity && other->forces == options.forces &&
		    other->debye_length == options.debye_length && other->smearing == options.smearing &&
		    other->boundary == options.boundary && other->size.x == options.size.x)
			return known[k].sets;
	}
	assert_true(made < MOST_KNOWN);
	known[made].options = options;
	for (int s = 0; s < SETS; ++s) {
		sonde_atoms *one = with_sets(count, 20.0, s, 1);
		known[made].sets[s] = solve(one, &options);
		sonde_atoms_free(&one);
	}
	return known[made++].sets;
}

/* All sets at once and each alone. */
static void check(const char *name, const char *device, const sonde_coulomb_options *given, double allowed)
{
	const int64_t count = 300;
	sonde_atoms *atoms = with_sets(count, 20.0, 0, SETS);
	sonde_coulomb_options options = *given;
	sonde_context *context = make_context(2);
	sonde_coulomb_result *all = NULL;
	double potential = 0.0, field = 0.0, forces = 0.0;

	if (device != NULL)
		assert_int_equal(sonde_context_set_device(context, device), SONDE_OK);
	if (sonde_coulomb_run(context, atoms, &options, &all) != SONDE_OK) {
		if (!is_absent())
			fail_msg("%s: %s", name, sonde_status_message());
		sonde_context_free(&context);
		sonde_atoms_free(&atoms);
		return;
	}
	assert_int_equal(all->charge_sets, SETS);
	assert_true(all->relative_error <= fmax(options.tolerance, 2e-6));
	sonde_context_free(&context);
	sonde_atoms_free(&atoms);
	for (int s = 0; s < SETS; ++s) {
		const sonde_coulomb_result *alone = alone_for(&options, count)[s];
		int64_t points = alone->point_count;
		double total = 0.0;
		for (int64_t i = 0; i < count; ++i)
			total += charge_of(s, i);
		assert_within(all->total_charges[s], total, 1e-10, "total charges");
		potential = fmax(potential, deviation(all->potential + s * points, alone->potential, points));
		if (all->field != NULL)
			field = fmax(field, deviation(all->field + 3 * s * points, alone->field, 3 * points));
		/* charges that are 0 in this set alone are not among its own: the last of the others are the same */
		if (all->forces != NULL) {
			int64_t own = alone->charge_count;
			forces = fmax(forces, deviation(all->forces + 3 * ((s + 1) * all->charge_count - own),
							alone->forces, 3 * own));
			forces = fmax(forces, fabs(all->energies[s] / alone->energy - 1.0));
			for (int64_t i = 0; i < own; ++i)
				assert_true(all->charges[(i + count - own) * (3 + SETS) + 3 + s] ==
					    alone->charges[4 * i + 3]);
		}
	}
	print_message("%-34s potential %.1e, field %.1e, forces %.1e\n", name, potential, field, forces);
	assert_true(potential <= allowed);
	assert_true(field <= 20.0 * allowed);
	assert_true(forces <= 1e-12);
	sonde_coulomb_result_free(&all);
}

static void test_each_set_is_as_if_alone(void **state)
{
	static const char *const devices[] = {NULL, "emulated", "opencl:0", "cuda:0", "all"};
	(void)state;

	for (size_t d = 0; d < sizeof devices / sizeof *devices; ++d) {
		char name[64];
		for (int precision = FLOAT32; precision <= FLOAT64; ++precision) {
			for (int quantity = 0; quantity < 2; ++quantity) {
				/* drivers compile each form for seconds: half of them, where not all are wanted */
				if ((d == 2 || d == 4) && !is_thorough() && (precision == FLOAT32) != (quantity == 0))
					continue;
				sonde_coulomb_options options = grid_options(-1, -2, 3, 0.9, 17, 23, 9, precision);
				options.quantity = quantity == 0 ? SONDE_COULOMB_QUANTITY_POTENTIAL : BOTH;
				options.method = SONDE_COULOMB_METHOD_DIRECT;
				options.tolerance = precision == FLOAT32 ? 1e-6 : 1e-12;
				snprintf(name, sizeof name, "%s, float%d%s", devices[d] != NULL ? devices[d] : "cpu",
					 precision == FLOAT32 ? 32 : 64, quantity == 0 ? "" : ", both");
				check(name, devices[d], &options, precision == FLOAT32 ? 1e-6 : 1e-13);
				options.method = SONDE_COULOMB_METHOD_FAST;
				options.tolerance = precision == FLOAT32 ? 1e-5 : 1e-8;
				strcat(name, ", fast");
				check(name, devices[d], &options, 1.2 * options.tolerance);
			}
		}
		/* a plane of odd steps, screened, and Gaussian charges */
		sonde_coulomb_options options = grid_options(-1, -2, 3, 0.9, 17, 23, 9, FLOAT64);
		options.tolerance = 1e-12;
		options.method = SONDE_COULOMB_METHOD_DIRECT;
		options.debye_length = 8.0;
		snprintf(name, sizeof name, "%s, screened", devices[d] != NULL ? devices[d] : "cpu");
		check(name, devices[d], &options, 1e-12);
		options.debye_length = 0.0;
		options.smearing = 0.7;
		snprintf(name, sizeof name, "%s, Gaussian", devices[d] != NULL ? devices[d] : "cpu");
		check(name, devices[d], &options, 1e-12);
	}
}

static void test_forces_of_sets_are_those_of_each_alone(void **state)
{
	sonde_coulomb_options options = grid_options(-1, -2, 3, 0.9, 11, 7, 5, FLOAT64);
	(void)state;

	options.tolerance = 1e-11;
	options.forces = 1;
	check("forces", NULL, &options, 1e-13);
	options.method = SONDE_COULOMB_METHOD_REFERENCE;
	check("reference", NULL, &options, 1e-13);
	options.method = SONDE_COULOMB_METHOD_AUTO;
	options.boundary = SONDE_COULOMB_BOUNDARY_PERIODIC;
	options.cell = (sonde_vector){20, 20, 20};
	options.tolerance = 1e-10;
	check("periodic", NULL, &options, 1e-10);
}

/* Charges of one number are refused after more atoms were added, and absurd ones always. */
static void test_charges_of_another_number_are_refused(void **state)
{
	sonde_atoms *atoms = with_sets(3, 5.0, 0, 2);
	const double position[3] = {1, 2, 3}, charges[4] = {1, 2, INFINITY, 3};
	(void)state;

	assert_int_equal(sonde_atoms_add_charges(atoms, charges), SONDE_INVALID);
	assert_int_equal(sonde_atoms_charge_sets(atoms), 2);
	assert_int_equal(sonde_atoms_add(atoms, "X", position), SONDE_OK);
	assert_int_equal(sonde_atoms_charge_sets(atoms), 0);
	assert_null(sonde_atoms_charges(atoms));
	assert_int_equal(sonde_atoms_add_charges(atoms, charges), SONDE_INVALID);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_each_set_is_as_if_alone),
	    cmocka_unit_test(test_forces_of_sets_are_those_of_each_alone),
	    cmocka_unit_test(test_charges_of_another_number_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
