/* Exact properties of sonde ions: conservation of energy, results that are bit-identical for all threads and devices
 * and independent of the cells; a material divided into layers; error messages; invalid input. */
#include "physics/transport.h"

/* No energy is missing, and the stated parts add up. */
static void check_balance(const sonde_ions_result *result)
{
	static const char *const kept[] = {"ionization by ions", "ionization by recoils", "phonons by ions",
					   "phonons by recoils", "stored energy"};
	double sum = result->energy_left, left = 0.0;
	int64_t fates[3] = {0};

	assert_true(result->energy_missing == 0.0);
	for (size_t k = 0; k < sizeof kept / sizeof *kept; ++k) {
		assert_true(total_of(result, kept[k]) >= 0.0);
		sum += total_of(result, kept[k]);
	}
	assert_close(sum, result->energy_in, 1e-12, "sum");
	assert_int_equal(result->implanted + result->backscattered + result->transmitted, result->ions);
	assert_true(total_of(result, "implanted ions") * (double)result->ions > (double)result->implanted - 0.5);
	/* every atom that left is listed with its energy */
	assert_int_equal(result->exits_left_out, 0);
	for (int64_t k = 0; k < result->exit_count; ++k) {
		const sonde_ions_exit *exit = &result->exits[k];
		const double *d = exit->direction;
		left += exit->energy;
		fates[exit->fate] += exit->kind == 0;
		/* float32, and what a surface's barrier leaves of an energy is rounded as the energy was */
		assert_true(fabs(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - 1.0) < 1e-5 + 1e-6 / exit->energy);
		assert_true(exit->fate == SONDE_IONS_BACKSCATTERED ? d[0] < 0.0 : d[0] > 0.0);
	}
	assert_int_equal(fates[SONDE_IONS_BACKSCATTERED], result->backscattered);
	assert_int_equal(fates[SONDE_IONS_TRANSMITTED], result->transmitted);
	assert_within(left / (double)result->ions, result->energy_left, 1e-12 * result->energy_in, "energy left");
}

static void test_energy_is_conserved(void **state)
{
	static const struct {
		const char *ion, *energy, *target;
	} cases[] = {{"As", "5keV", "SiO2@2.2:5nm/vacuum:2nm/Si:30nm"},
		     {"H", "10keV", "C@2.253:20nm"},
		     {"Xe", "20keV", "Ga0.5In0.5As@5.5"},
		     {"He", "3keV", "Au:1nm"},
		     {"11B", "8keV", "water:30nm/Ti:2nm/SiC@3.2"}};
	(void)state;

	/* numbers without common factors, so that all meet all */
	for (int n = 0; n < 48; ++n) {
		const int c = n % 5;
		sonde_ions_options options = ion_options(cases[c].ion, cases[c].energy, cases[c].target, 64);
		options.flight = n % 3;
		options.straggling = (n / 3) % 4;
		options.cascades = (n / 12) % 2;
		options.surface = (n / 2) % 2;
		/* free flights without a largest impact parameter take no losses in collisions */
		options.electronic = options.flight == SRIM ? SONDE_IONS_ELECTRONIC_NON_LOCAL : (n / 4) % 3;
		options.angle = n % 2 == 0 ? 0.0 : 60.0;
		options.energy_spread = n % 7 == 0 ? 0.1 : 0.0;
		options.divergence = n % 11 == 0 ? 5.0 : 0.0;
		strcpy(options.start_depth, n % 13 == 1 ? "5" : n % 13 == 2 ? "5:9" : "0");
		options.direction = n % 17 == 4 && options.angle == 0.0 && options.divergence == 0.0;
		options.bins = 7 + n;
		if (n % 4 == 3)
			options.cells = (sonde_vector){1.0, 3.0, 2.0};
		sonde_ions_result *result = follow(&options);
		check_balance(result);
		if (options.energy_spread == 0.0)
			assert_true(result->energy_in == result->energy);
		else
			assert_close(result->energy_in, result->energy, 0.06, "energy in");
		sonde_ions_result_free(&result);
	}
}

/* Arsenic through an oxide with most of what can be asked for. */
static sonde_ions_options busy_options(int flight)
{
	sonde_ions_options options = ion_options("As", "10keV", "SiO2@2.2:5nm/Si", 160);

	options.flight = flight;
	options.straggling = SONDE_IONS_STRAGGLING_YANG;
	options.surface = flight == SRIM ? SONDE_IONS_SURFACE_OPEN : SONDE_IONS_SURFACE_PLANAR;
	options.electronic =
	    flight == MONOLAYER ? SONDE_IONS_ELECTRONIC_EQUIPARTITION : SONDE_IONS_ELECTRONIC_NON_LOCAL;
	options.energy_spread = 0.05;
	options.divergence = 2.0;
	options.angle = 20.0;
	options.spot = 10.0;
	options.bins = 50;
	options.cells = (sonde_vector){1.0, 4.0, 3.0};
	return options;
}

/* Light ions, whose flights leave out what turns them, through layers and bodies. */
static sonde_ions_options light_options(void)
{
	sonde_ions_options options = ion_options("H", "200keV", "SiO2@2.2:300nm/Si", 160);

	strcpy(options.bodies, "Au:sphere:1000@2000,0,0/W:box:500,900,300@1500,300,100");
	options.straggling = SONDE_IONS_STRAGGLING_YANG;
	options.surface = SONDE_IONS_SURFACE_PLANAR;
	options.angle = 70.0;
	options.cells = (sonde_vector){1.0, 4.0, 3.0};
	return options;
}

static void check_same(const char *what, const sonde_ions_result *a, sonde_ions_result *b)
{
	const char *found = difference(a, b, false);

	if (found != NULL)
		fail_msg("%s: not the same %s", what, found);
	sonde_ions_result_free(&b);
}

static void test_threads_and_devices_change_no_bit(void **state)
{
	static const char *const sets[] = {"sse2", "avx2", "avx512"};
	(void)state;

	for (int flight = 0; flight < 4; ++flight) {
		sonde_ions_options options = flight < 3 ? busy_options(flight) : light_options();
		sonde_ions_result *one = follow_on("cpu", 1, &options);
		check_balance(one);
		check_same("3 threads", one, follow_on("cpu", 3, &options)); /* two are those of the sets below */
		check_same("emulated", one, follow_on("emulated", 2, &options));
		if (getenv("SONDE_TEST_DEVICE") != NULL)
			check_same("the device of the tests", one, follow(&options));
#if !defined(SONDE_SANITIZED) /* drivers' compilers leak */
		/* drivers compile the kernel for each of these jobs, for seconds: every other one, where not all are wanted */
		if (is_usable("opencl:0") && (flight % 2 == 1 || is_thorough()))
			check_same("opencl:0", one, follow_on("opencl:0", 0, &options));
#endif
		for (size_t k = 0; k < sizeof sets / sizeof *sets; ++k) {
			sonde_context *context = make_context(2);
			sonde_ions_result *result = NULL;
			setenv("SONDE_ISA", sets[k], 1);
			assert_int_equal(sonde_context_set_device(context, "cpu"), SONDE_OK);
			if (sonde_ions_run(context, &options, &result) == SONDE_OK)
				check_same(sets[k], one, result);
			else
				print_message("no %s here: %s\n", sets[k], sonde_status_message());
			unsetenv("SONDE_ISA");
			sonde_context_free(&context);
		}
		/* and the comparison does see a difference */
		options.seed = 2;
		sonde_ions_result *other = follow_on("cpu", 1, &options);
		assert_non_null(difference(one, other, false));
		sonde_ions_result_free(&other);
		sonde_ions_result_free(&one);
	}
}

/* Cells are where things are written down, no more; a longer run begins with the shorter one's ions. */
static void test_cells_change_no_history(void **state)
{
	(void)state;

	for (int flight = 0; flight < 3; ++flight) {
		sonde_ions_options options = busy_options(flight);
		options.cells = (sonde_vector){1.0, 1.0, 1.0};
		options.bins = 1;
		sonde_ions_result *one = follow(&options);
		options.bins = 1000;
		sonde_ions_result *many = follow(&options);
		options.cells = (sonde_vector){1.0, 7.0, 5.0};
		options.bins = 13;
		sonde_ions_result *map = follow(&options);
		const char *found = difference(one, many, true);
		if (found != NULL)
			fail_msg("1000 cells: not the same %s", found);
		if ((found = difference(one, map, true)) != NULL)
			fail_msg("a map: not the same %s", found);
		/* in a cell more or less of the others, all in all the same */
		for (int k = 0; k < many->tally_count; ++k) {
			double sum = 0.0;
			for (int64_t c = 0; c < many->size[0]; ++c)
				sum += many->tallies[k].values[c];
			assert_within(sum, many->tallies[k].inside.value, 1e-9 * fabs(many->tallies[k].inside.value),
				      "sum");
		}
		sonde_ions_result_free(&map);
		sonde_ions_result_free(&many);
		options = busy_options(flight);
		options.number = 100;
		sonde_ions_result *few = follow(&options);
		int64_t same = 0;
		for (int64_t k = 0; k < few->exit_count; ++k)
			same +=
			    few->exits[k].energy == one->exits[k].energy && few->exits[k].ion == one->exits[k].ion;
		assert_int_equal(same, few->exit_count);
		sonde_ions_result_free(&few);
		sonde_ions_result_free(&one);
	}
}

static void check_same_physics(const char *what, const sonde_ions_result *a, const sonde_ions_result *b)
{
	char name[256];
	const struct {
		const char *name;
		sonde_estimate a, b;
	} rows[] = {{"range", a->range, b->range},
		    {"straggling", a->straggling, b->straggling},
		    {"path", a->path, b->path},
		    {"lateral straggling", a->lateral_straggling, b->lateral_straggling},
		    {"vacancies", a->vacancies, b->vacancies},
		    {"replacements", a->replacements, b->replacements}};

	for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
		snprintf(name, sizeof name, "%s, %s", what, rows[k].name);
		check_estimate(name, rows[k].a, rows[k].b.value, rows[k].b.error, 0.0);
	}
}

/* Walls between layers of one material change nothing: one wall, and one every nanometre. */
static void test_walls_of_one_material_change_nothing(void **state)
{
	static const struct {
		const char *ion, *energy, *whole, *material, *displacement, *thickness;
		int layers;
	} cases[] = {{"As", "30keV", "Si", "Si", "Si=15", "20nm", 1},
		     {"B", "5keV", "SiO2@2.2", "SiO2@2.2", "Si=15,O=28", "10nm", 1},
		     {"As", "30keV", "Si", "Si", "Si=15", "1nm", 50}};
	static const char *const flights[] = {"srim", "monolayer", "exponential"};
	sonde_ions_result *arsenic[3] = {NULL}; /* in silicon without walls: for the first case and the last one */
	(void)state;

	for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
		for (int flight = 0; flight < 3; ++flight) {
			const bool is_arsenic = strcmp(cases[c].ion, "As") == 0;
			char target[1024] = "", what[128];
			for (int l = 0; l < cases[c].layers; ++l)
				snprintf(target + strlen(target), sizeof target - strlen(target), "%s:%s/",
					 cases[c].material, cases[c].thickness);
			strcat(target, cases[c].material);
			sonde_ions_options options = ion_options(cases[c].ion, cases[c].energy, cases[c].whole,
								 ions_for_device(is_thorough() ? 2000 : 1000));
			strcpy(options.displacement, cases[c].displacement);
			options.lattice[0] = '\0';
			options.flight = flight;
			options.bins = 1;
			options.depth = 2000.0;
			sonde_ions_result *whole = is_arsenic ? arsenic[flight] : NULL;
			if (whole == NULL)
				whole = follow(&options);
			if (is_arsenic)
				arsenic[flight] = whole;
			strcpy(options.target, target);
			options.seed = 2;
			sonde_ions_result *parts = follow(&options);
			snprintf(what, sizeof what, "%s in %d + 1 layers of %s, %s", cases[c].ion, cases[c].layers,
				 cases[c].material, flights[flight]);
			check_same_physics(what, parts, whole);
			if (!is_arsenic)
				sonde_ions_result_free(&whole);
			sonde_ions_result_free(&parts);
		}
	}
	for (int flight = 0; flight < 3; ++flight)
		sonde_ions_result_free(&arsenic[flight]);
}

/* Runs end when they are precise enough, and after the same ions for any threads. */
static void test_runs_end_when_precise_enough(void **state)
{
	sonde_ions_options options = ion_options("B", "20keV", SILICON, 1000000);
	(void)state;

	strcpy(options.until, "vacancies:1%,range:2%");
	sonde_ions_result *one = follow_on(NULL, 1, &options), *two = follow_on(NULL, 2, &options);
	print_message("%lld ions: vacancies %.5g +- %.2g\n", (long long)one->ions, one->vacancies.value,
		      one->vacancies.error);
	assert_true(one->vacancies.error < 0.01 * one->vacancies.value);
	assert_true(one->range.error < 0.02 * one->range.value);
	assert_true(one->ions < 100000);
	check_same("2 threads", one, two);
	/* a run with this number of ions gives the same */
	options.until[0] = '\0';
	options.number = one->ions;
	check_same("without --until", one, follow(&options));
	sonde_ions_result_free(&one);
}

/* Standard errors are as large as what other seeds find differs. */
static void test_standard_errors_are_those_between_seeds(void **state)
{
	enum { SEEDS = 40, WHAT = 5 };
	static const char *const names[WHAT] = {"range", "straggling", "vacancies", "lateral straggling",
						"ionization"};
	double values[WHAT][SEEDS], squares[WHAT] = {0.0};
	sonde_ions_options options = ion_options("B", "20keV", SILICON, 256);
	(void)state;

	for (int n = 0; n < SEEDS; ++n) {
		options.seed = 1 + n;
		sonde_ions_result *result = follow(&options);
		const sonde_estimate found[WHAT] = {result->range, result->straggling, result->vacancies,
						    result->lateral_straggling,
						    tally_of(result, "ionization by ions", "")->total};
		for (int k = 0; k < WHAT; ++k) {
			values[k][n] = found[k].value;
			squares[k] += found[k].error * found[k].error / SEEDS;
		}
		sonde_ions_result_free(&result);
	}
	for (int k = 0; k < WHAT; ++k) {
		double mean = 0.0, scatter = 0.0;
		for (int n = 0; n < SEEDS; ++n)
			mean += values[k][n] / SEEDS;
		for (int n = 0; n < SEEDS; ++n)
			scatter += (values[k][n] - mean) * (values[k][n] - mean) / (SEEDS - 1);
		print_message("%s: standard error %.4g, scatter of %d seeds %.4g\n", names[k], sqrt(squares[k]),
			      SEEDS, sqrt(scatter));
		assert_true(sqrt(squares[k] / scatter) < 1.5 && sqrt(squares[k] / scatter) > 1.0 / 1.5);
	}
}

static void test_impossible_jobs_are_refused(void **state)
{
	static const struct {
		const char *ion, *energy, *target, *displacement, *lattice, *until, *says;
	} cases[] = {
	    {"", "5keV", "Si", "", "", "", "ion:"},
	    {"Qq", "5keV", "Si", "", "", "", "ion: 'Qq' is not an element"},
	    {"400As", "5keV", "Si", "", "", "", "ion:"},
	    {"As", "", "Si", "", "", "", "energy:"},
	    {"As", "0keV", "Si", "", "", "", "energy: 0keV"},
	    {"As", "-3keV", "Si", "", "", "", "energy: -3keV"},
	    {"As", "0.1eV", "Si", "", "", "", "energy: 0.1eV"},
	    {"As", "300GeV", "Si", "", "", "", "energy: 300GeV"},
	    {"As", "3parsec", "Si", "", "", "", "energy: '3parsec'"},
	    {"As", "nankeV", "Si", "", "", "", "energy: 'nankeV'"},
	    {"As", "5keV", "", "", "", "", "target:"},
	    {"As", "5keV", "vacuum", "", "", "", "target: only vacuum"},
	    {"As", "5keV", "Ga0.5In0.5As", "", "", "", "target: no density"},
	    {"As", "5keV", "Si:0nm", "", "", "", "target: Si: '0nm'"},
	    {"As", "5keV", "Si:-1nm", "", "", "", "target: Si: '-1nm'"},
	    {"As", "5keV", "Si:10furlong", "", "", "", "target: Si: '10furlong'"},
	    {"As", "5keV", "Si/C", "", "", "", "target: Si needs a thickness"},
	    {"As", "5keV", "Si:1nm//C", "", "", "", "target:"},
	    {"As", "5keV", "Si:1nm/", "", "", "", "target:"},
	    {"As", "5keV", "Si", "Xx=3", "", "", "displacement: 'Xx=3'"},
	    {"As", "5keV", "Si", "C=30", "", "", "displacement: there is no C"},
	    {"As", "5keV", "Si", "Si", "", "", "displacement: 'Si'"},
	    {"As", "5keV", "Si", "Si=0", "", "", "displacement: Si: 0 eV"},
	    {"As", "5keV", "Si", "Si=15", "Si=15", "", "lattice: Si: 15 eV"},
	    {"As", "5keV", "Si", "", "Si=-1", "", "lattice: Si: -1 eV"},
	    {"As", "5keV", "Si", "", "", "soon", "until: 'soon'"},
	    {"As", "5keV", "Si", "", "", "vacancies:0%", "until: vacancies"},
	    {"As", "5keV", "Si", "", "", "range:1%,vacancy:1%", "until: 'vacancy:1%'"},
	};
	(void)state;

	for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
		sonde_context *context = make_context(1);
		sonde_ions_result *result = (sonde_ions_result *)&cases;
		sonde_ions_options options = ion_options(cases[c].ion, cases[c].energy, cases[c].target, 10);
		strcpy(options.displacement, cases[c].displacement);
		strcpy(options.lattice, cases[c].lattice);
		strcpy(options.until, cases[c].until);
		int status = sonde_ions_run(context, &options, &result);
		print_message("%s\n", status == SONDE_OK ? "no failure" : sonde_status_message());
		assert_int_equal(status, SONDE_INVALID);
		assert_null(result);
		if (strncmp(sonde_status_message(), cases[c].says, strlen(cases[c].says)) != 0)
			fail_msg("'%s' does not begin with '%s'", sonde_status_message(), cases[c].says);
		sonde_context_free(&context);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_energy_is_conserved),
					   cmocka_unit_test(test_threads_and_devices_change_no_bit),
					   cmocka_unit_test(test_cells_change_no_history),
					   cmocka_unit_test(test_walls_of_one_material_change_nothing),
					   cmocka_unit_test(test_runs_end_when_precise_enough),
					   cmocka_unit_test(test_standard_errors_are_those_between_seeds),
					   cmocka_unit_test(test_impossible_jobs_are_refused)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
