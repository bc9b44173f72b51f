/* Ranges by the transport equation compared with SRIM's tables and with histories. */
#include "physics/physics.h"

#include <stdlib.h>

#include "stopping/range.h"
#include "ions/histories/reference.h"

static struct material element(int atomic_number, double mass, double atoms)
{
	return (struct material){.name = "element",
				 .count = 1,
				 .atomic_number = {atomic_number},
				 .mass = {mass},
				 .fraction = {1.0},
				 .atoms = atoms};
}

static struct range_table *make(const struct stopping *stopping, int ion, double mass,
				const struct material *material, int threads)
{
	const struct passage passage = {.stopping = stopping,
					.screening = SCREENING_ZBL,
					.atomic_number = ion,
					.mass = mass,
					.material = material,
					.factor = 1.0};
	struct range_table *table;

	assert_int_equal(range_table_make(&passage, stopping_last_energy(stopping, mass), threads, &table), SONDE_OK);
	return table;
}

static struct stopping *open_stopping(enum straggling_source straggling)
{
	struct stopping *stopping;

	assert_int_equal(setenv("SONDE_DATA", TABLES, 1), 0);
	assert_int_equal(stopping_open(STOPPING_SRIM13, straggling, &stopping), SONDE_OK);
	return stopping;
}

/* Projected ranges within 0.8 %, lateral straggling within 11 %. SRIM's longitudinal straggling, by another approximation,
 * is up to four times ours. */
static void test_ranges_are_those_of_srim(void **state)
{
	const struct {
		const char *name;
		struct material material;
	} tables[] = {{"srim_H_in_C.csv", element(6, 12.011, 112.96)},
		      {"srim_H_in_Fe.csv", element(26, 55.847, 84.817)}};
	struct stopping *stopping = open_stopping(STRAGGLING_YANG);
	(void)state;

	for (size_t k = 0; k < sizeof tables / sizeof *tables; ++k) {
		struct range_table *table = make(stopping, 1, 1.008, &tables[k].material, 2);
		char path[256], line[512];
		double worst = 0.0, aside = 0.0, least = 9.0, most = 0.0;
		int rows = 0;
		snprintf(path, sizeof path, TEST_DATA "/ions/%s", tables[k].name);
		FILE *file = fopen(path, "r");
		assert_non_null(file);
		while (fgets(line, sizeof line, file) != NULL) {
			double energy, projected, along, across;
			if (sscanf(line, "%lf,%*f,%*f,%*f,%*f,%lf,%lf,%lf", &energy, &projected, &along, &across) !=
			    4)
				continue;
			struct range range = range_table_at(table, 1e3 * energy);
			worst = fmax(worst, fabs(range.projected / projected - 1.0));
			aside = fmax(aside, fabs(range.lateral / across - 1.0));
			least = fmin(least, range.longitudinal / along);
			most = fmax(most, range.longitudinal / along);
			++rows;
		}
		fclose(file);
		range_table_free(&table);
		print_message("%s: %d energies; projected range within %.2g %%, lateral straggling within %.2g %%, "
			      "longitudinal %.2g to %.2g of SRIM's\n",
			      tables[k].name, rows, 100.0 * worst, 100.0 * aside, least, most);
		assert_true(rows > 70 && worst < 0.008 && aside < 0.11);
	}
	stopping_free(&stopping);
}

/* Heavy ions in light matter, which do not come back through the surface: of histories one collision after the other. */
static void test_ranges_are_those_of_histories(void **state)
{
	static const struct {
		const char *name;
		int ion, target;
		double mass, energy, target_mass, atoms;
		int histories;
	} runs[] = {{"As in Si, 50 keV", 33, 14, 74.922, 50e3, 28.086, 49.77, 1000},
		    {"Xe in C, 20 keV", 54, 6, 131.904, 20e3, 12.011, 112.96, 1000},
		    {"Au in Si, 5 keV", 79, 14, 196.967, 5e3, 28.086, 49.77, 2000}};
	struct stopping *stopping = open_stopping(STRAGGLING_NONE);
	struct stopping_table *electronic;
	(void)state;

	assert_int_equal(stopping_table_read(TABLES "/noncommercial/stopping_srim13.i16", &electronic), SONDE_OK);
	for (size_t r = 0; r < sizeof runs / sizeof *runs; ++r) {
		const struct material material = element(runs[r].target, runs[r].target_mass, runs[r].atoms);
		/* no recoils; and short steps, so that soft collisions belong to it: impact parameters are up to
		 * 1/sqrt(pi N step) */
		const struct reference_target target = {.count = 1,
							.atomic_number = {runs[r].target},
							.mass = {runs[r].target_mass},
							.fraction = {1.0},
							.displacement = {1e12},
							.density = runs[r].atoms,
							.step = 0.1 / cbrt(runs[r].atoms),
							.cutoff = 0.05};
		const struct reference_beam beam = {runs[r].ion, runs[r].mass, runs[r].energy};
		struct reference_totals sums = {0};
		for (int n = 0; n < runs[r].histories; ++n)
			assert_int_equal(reference_history(screening_of(SCREENING_ZBL), SCREENING_ZBL, electronic,
							   &target, &beam, 3, (uint32_t)n, &sums),
					 SONDE_OK);
		double range = sums.range / sums.stopped, root = sqrt(sums.stopped),
		       straggle = sqrt(sums.range_squares / sums.stopped - range * range);
		struct range_table *table = make(stopping, runs[r].ion, runs[r].mass, &material, 1);
		struct range found = range_table_at(table, runs[r].energy);
		range_table_free(&table);
		print_message(
		    "%s: range %.5g (histories %.5g +- %.2g), straggling %.4g (%.4g +- %.2g), path %.5g (%.5g); "
		    "%g came back\n",
		    runs[r].name, found.projected, range, straggle / root, found.longitudinal, straggle,
		    straggle / root / sqrt(2.0), found.path, sums.path / sums.stopped, sums.ions - sums.stopped);
		assert_true(sums.ions - sums.stopped < 0.002 * sums.ions);
		assert_within(found.projected, range, 4.0 * straggle / root + 0.01 * range, "projected");
		assert_within(found.longitudinal, straggle, 4.0 * straggle / root + 0.02 * straggle, "longitudinal");
		assert_close(found.path, sums.path / sums.stopped, 4.0 * straggle / range / root + 0.01, "path");
	}
	stopping_table_free(&electronic);
	stopping_free(&stopping);
}

/* Fast and light, an ion goes straight: its path is the integral of dE/S, and what electronic straggling adds to the variance
 * of the range that of Omega^2/S^3 (Bohr). */
static void test_fast_ions_go_straight(void **state)
{
	const struct material carbon = element(6, 12.011, 112.96);
	struct stopping *stopping = open_stopping(STRAGGLING_BOHR), *steady = open_stopping(STRAGGLING_NONE);
	struct range_table *table = make(stopping, 1, 1.008, &carbon, 1),
			   *other = make(stopping, 1, 1.008, &carbon, 3),
			   *without = make(steady, 1, 1.008, &carbon, 1);
	double from = 1e6, to = 1e8, path = 0.0, variance = 0.0;
	const int steps = 20000;
	(void)state;

	for (int k = 0; k < steps; ++k) {
		double width = log(to / from) / steps, energy = from * exp((k + 0.5) * width);
		double stop = stopping_electronic(stopping, 1, 1.008, &carbon, energy);
		double nuclear = stopping_nuclear(SCREENING_ZBL, 1, 1.008, &carbon, energy);
		path += energy * width / (stop + nuclear);
		variance +=
		    energy * width * stopping_straggling(stopping, 1, 1.008, &carbon, energy) / (stop * stop * stop);
	}
	struct range low = range_table_at(table, from), high = range_table_at(table, to),
		     none = range_table_at(without, to);
	double added = sqrt(high.longitudinal * high.longitudinal - none.longitudinal * none.longitudinal);
	print_message("path %.7g, by dE/S %.7g; electronic straggling %.6g, by Bohr's formula %.6g nm\n",
		      high.path - low.path, path, added, sqrt(variance));
	assert_close(high.path - low.path, path, 2e-4, "path");
	assert_true(high.projected < high.path && high.projected > 0.99 * high.path);
	assert_close(added, sqrt(variance), 0.005, "added");
	/* the same bits with other threads */
	struct range again = range_table_at(other, to);
	assert_true(again.path == high.path && again.projected == high.projected &&
		    again.longitudinal == high.longitudinal && again.lateral == high.lateral);
	range_table_free(&table);
	range_table_free(&other);
	range_table_free(&without);
	stopping_free(&stopping);
	stopping_free(&steady);
}

/* The same material written as a mixture of itself, and half of the density. */
static void test_mixtures_of_itself_and_density_scale(void **state)
{
	const struct material iron = element(26, 55.847, 84.817);
	struct material twice = {.name = "twice",
				 .count = 2,
				 .atomic_number = {26, 26},
				 .mass = {55.847, 55.847},
				 .fraction = {0.3, 0.7},
				 .atoms = 0.5 * 84.817};
	struct stopping *stopping = open_stopping(STRAGGLING_YANG);
	struct range_table *one = make(stopping, 26, 55.935, &iron, 1), *two = make(stopping, 26, 55.935, &twice, 1);
	(void)state;

	for (double energy = 10.0; energy < 1e9; energy *= 7.0) {
		struct range a = range_table_at(one, energy), b = range_table_at(two, energy);
		assert_close(2.0 * a.projected, b.projected, 1e-9, "projected");
		assert_close(2.0 * a.longitudinal, b.longitudinal, 1e-9, "longitudinal");
		assert_close(2.0 * a.lateral, b.lateral, 1e-9, "lateral");
		assert_true(a.projected > 0.0 && a.path > a.projected);
	}
	range_table_free(&one);
	range_table_free(&two);
	const struct passage nowhere = {.stopping = stopping, .material = &(struct material){.name = "vacuum"}};
	assert_int_equal(range_table_make(&nowhere, 1e6, 1, &one), SONDE_INVALID);
	assert_null(one);
	stopping_free(&stopping);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_ranges_are_those_of_srim),
					   cmocka_unit_test(test_ranges_are_those_of_histories),
					   cmocka_unit_test(test_fast_ions_go_straight),
					   cmocka_unit_test(test_mixtures_of_itself_and_density_scale)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
