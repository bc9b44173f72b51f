/* The oracle of sonde ions compared with full cascades of another program: SRIM-2013 stopping, ZBL potential, one
 * monolayer per step, no straggling (tests/data/ions/bca_runs.csv). */
#include "physics/physics.h"

#include "ions/histories/reference.h"

struct expected {
	const char *name;
	int ion, target;
	double ion_mass, energy, target_mass, density, displacement, lattice;
	int histories;
	double range, straggle, path, vacancies, replacements, collisions[2], ionization[2], phonons[2], stored, lost;
};

static void check(const char *name, const char *what, double found, double expected, double deviation, double share)
{
	double allowed = 4.0 * deviation + share * expected;

	print_message("%s: %s %.5g, expected %.5g\n", name, what, found, expected);
	if (fabs(found - expected) > allowed)
		fail_msg("%s: %s is %.6g instead of %.6g, beyond %.2g", name, what, found, expected, allowed);
}

static void test_cascades_agree_with_another_program(void **state)
{
	static const struct expected runs[] = {
	    {"As in Si, 50 keV",
	     33,
	     14,
	     74.922,
	     50e3,
	     28.086,
	     2.3212,
	     15,
	     2,
	     160,
	     39.8035,
	     14.748,
	     46.4062,
	     847.446,
	     329.325,
	     {275.167, 8183.84},
	     {4190.07, 16563.8},
	     {359.977, 26987.7},
	     1693.21,
	     205.22},
	    {"B in Si, 100 keV",
	     5,
	     14,
	     11.009,
	     100e3,
	     28.086,
	     2.3212,
	     15,
	     2,
	     100,
	     320.092,
	     73.8882,
	     418.862,
	     444.135,
	     170.28,
	     {2483.66, 4072.42},
	     {77578.2, 6875.05},
	     {844.781, 13785.2},
	     888.191,
	     28.6186},
	    {"H in C, 10 keV",
	     1,
	     6,
	     1.008,
	     10e3,
	     12.011,
	     2.253,
	     28,
	     3,
	     600,
	     124.51,
	     25.4407,
	     177.831,
	     4.56256,
	     1.07448,
	     {1385.74, 40.8718},
	     {9425.66, 60.4813},
	     {281.358, 216.204},
	     13.6867,
	     2.61398},
	};
	struct stopping_table *stopping;
	(void)state;

	assert_int_equal(stopping_table_read(TABLES "/noncommercial/stopping_srim13.i16", &stopping), SONDE_OK);
	for (size_t r = 0; r < sizeof runs / sizeof *runs; ++r) {
		const struct expected *run = &runs[r];
		double density = run->density / run->target_mass * 602.214076;
		const struct reference_target target = {.count = 1,
							.atomic_number = {run->target},
							.mass = {run->target_mass},
							.fraction = {1.0},
							.displacement = {run->displacement},
							.lattice = {run->lattice},
							.density = density,
							.step =
							    pow(4.0 * 3.14159265358979 * density / 3.0, -1.0 / 3.0),
							.cutoff = 1.0};
		const struct reference_beam beam = {run->ion, run->ion_mass, run->energy};
		struct reference_totals sums = {0};
		for (int n = 0; n < run->histories; ++n)
			assert_int_equal(reference_history(screening_of(SCREENING_ZBL), SCREENING_ZBL, stopping,
							   &target, &beam, 7, (uint32_t)n, &sums),
					 SONDE_OK);
		double count = sums.ions, root = sqrt(count), range = sums.range / sums.stopped,
		       straggle = sqrt(sums.range_squares / sums.stopped - range * range);
		/* nothing is lost or found */
		double energy = sums.ionization[0] + sums.ionization[1] + sums.phonons[0] + sums.phonons[1] +
				sums.stored + sums.lost;
		assert_close(energy / count, run->energy, 1e-10, "energy");
		check(run->name, "range", range, run->range, run->straggle / root, 0.005);
		check(run->name, "straggling", straggle, run->straggle, run->straggle / root, 0.01);
		check(run->name, "path", sums.path / sums.stopped, run->path, run->straggle / root, 0.005);
		/* the damage of an ion varies by a few percent, that of light ions as the number of its recoils */
		double of_damage = run->vacancies > 100.0 ? 0.08 * run->vacancies : 1.5 * run->vacancies;
		check(run->name, "vacancies", sums.vacancies / count, run->vacancies, of_damage / root, 0.01);
		check(run->name, "replacements", sums.replacements / count, run->replacements,
		      of_damage / run->vacancies * run->replacements / root, 0.01);
		check(run->name, "collisions of the ion", sums.collisions[0] / count, run->collisions[0],
		      0.3 * run->collisions[0] / root, 0.005);
		check(run->name, "ionization by the ion", sums.ionization[0] / count, run->ionization[0],
		      0.2 * run->ionization[0] / root, 0.005);
		check(run->name, "ionization by recoils", sums.ionization[1] / count, run->ionization[1],
		      2.0 * of_damage / run->vacancies * run->ionization[1] / root, 0.01);
		check(run->name, "phonons by recoils", sums.phonons[1] / count, run->phonons[1],
		      of_damage / run->vacancies * run->phonons[1] / root, 0.01);
	}
	stopping_table_free(&stopping);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_cascades_agree_with_another_program)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
