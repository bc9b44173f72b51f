/* sonde ions against its oracle (tests/oracles/ions.h): every collision by quadrature, in float64.
 *
 *     physics_ions_oracle              some cases, few ions: part of the test suite
 *     physics_ions_oracle all          all cases, many ions, and their table as Markdown: for docs/ions_validation.md (a quarter of an hour)
 *     physics_ions_oracle all PART     the cases whose names contain PART */
#include "physics/transport.h"

#include "physics/ions/ions_oracle_trials.h"

#define SEED 20261
#define MOST_ROWS 12
/* ions of Sonde's for one of the oracle's, in the suite and of all */
#define RATIO 16
#define RATIO_OF_ALL 4

struct row {
	const char *what;
	sonde_estimate ours;
	struct oracle_value oracle;
	double share;
};

static const struct oracle_stopping *stopping(void)
{
	static struct oracle_stopping *read;

	if (read == NULL)
		read = oracle_stopping_read(TABLES "/noncommercial/stopping_srim13.i16");
	assert_non_null(read);
	return read;
}

static sonde_ions_result *run_ours(const struct trial *trial, int64_t number)
{
	static const int screenings[] = {SONDE_IONS_SCREENING_ZBL, SONDE_IONS_SCREENING_KR_C,
					 SONDE_IONS_SCREENING_MOLIERE, SONDE_IONS_SCREENING_LENZ_JENSEN};
	sonde_ions_options options = ion_options(trial->ion, trial->energy, trial->target, number);

	snprintf(options.displacement, sizeof options.displacement, "%s", trial->displacement);
	options.screening = screenings[trial->potential];
	options.flight = trial->flight;
	options.electronic = trial->electronic;
	options.surface = trial->planar ? SONDE_IONS_SURFACE_PLANAR : SONDE_IONS_SURFACE_OPEN;
	options.cascades = trial->ions_only ? SONDE_IONS_CASCADES_QUICK : SONDE_IONS_CASCADES_FULL;
	options.angle = trial->angle;
	options.cutoff = trial->cutoff;
	options.exits = 0;
	options.bins = 1;
	return follow(&options);
}

/* The same job for the oracle: numbers that Sonde's tables say of elements, and steps by its rule. */
static void run_oracle(const struct trial *trial, const sonde_ions_result *result, int64_t histories, bool mirrored,
		       struct oracle_answer *answer)
{
	struct oracle_job job = {.potential = trial->potential,
				 .stopping = stopping(),
				 .ion_number = result->kinds[0].atomic_number,
				 .ion_mass = result->ion_mass,
				 .energy = result->energy,
				 .angle = trial->angle,
				 .elements = result->kind_count - 1,
				 .density = 1e3 * result->layers[0].atoms,
				 .thickness = INFINITY,
				 .step = trial->planar ? 1.0 : PEER_STEP,
				 .cutoff = trial->cutoff,
				 .planar = trial->planar,
				 .local = trial->electronic == EQUIPARTITION ? 0.5 : 0.0,
				 .ions_only = trial->ions_only,
				 .mirrored = mirrored};

	for (int k = 0; k < job.elements; ++k) {
		const sonde_ions_kind *kind = &result->kinds[k + 1];
		job.element[k] = (struct oracle_element){kind->atomic_number, kind->mass,    kind->fraction,
							 kind->displacement,  kind->lattice, kind->surface_binding};
	}
	*answer = (struct oracle_answer){0};
	oracle_follow(&job, SEED, 0, (uint64_t)histories, answer);
}

static sonde_estimate nm(sonde_estimate estimate)
{
	return (sonde_estimate){0.1 * estimate.value, 0.1 * estimate.error};
}

static sonde_estimate total(const sonde_ions_result *result, const char *name)
{
	return tally_of(result, name, "")->total;
}

static int compare(const struct trial *trial, const sonde_ions_result *result, const struct oracle_answer *answer,
		   struct row *rows)
{
	const struct shares *shares = &trial->shares;
	double back = (double)result->backscattered / (double)result->ions;
	const struct row all[] = {
	    {"range, nm", nm(result->range), oracle_range(answer), shares->range},
	    {"straggling, nm", nm(result->straggling), oracle_straggling(answer), shares->straggling},
	    {"lateral straggling, nm", nm(result->lateral_straggling), oracle_lateral(answer), shares->straggling},
	    {"path, nm", nm(result->path), oracle_path(answer), shares->range},
	    {"backscattered",
	     {back, sqrt(back * (1.0 - back) / (double)result->ions)},
	     oracle_mean(answer, ORACLE_BACKSCATTERED),
	     0.0},
	    {"ionization by ions, eV", total(result, "ionization by ions"),
	     oracle_mean(answer, ORACLE_IONIZATION_BY_ION), shares->energies},
	    {"vacancies", result->vacancies, oracle_mean(answer, ORACLE_VACANCIES), shares->damage},
	    {"replacements", result->replacements, oracle_mean(answer, ORACLE_REPLACEMENTS), shares->damage},
	    {"ionization by recoils, eV", total(result, "ionization by recoils"),
	     oracle_mean(answer, ORACLE_IONIZATION_BY_RECOILS), shares->energies},
	    {"phonons by recoils, eV", total(result, "phonons by recoils"),
	     oracle_mean(answer, ORACLE_PHONONS_BY_RECOILS), shares->energies},
	    {"sputtered", result->sputtered, oracle_mean(answer, ORACLE_SPUTTERED), shares->sputtered},
	};
	int count = 0;

	for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
		/* rare events have no standard error */
		bool recoils = k >= 6, rare = all[k].oracle.value * answer->ions < 30.0;
		if ((recoils && trial->ions_only) || rare)
			continue;
		rows[count++] = all[k];
	}
	return count;
}

static void check(const struct trial *trial, const struct row *row, bool print)
{
	double difference = row->ours.value - row->oracle.value, error = hypot(row->ours.error, row->oracle.error);

	if (print)
		print_message("| %s %s | %s | %.5g ± %.2g | %.5g ± %.2g | %+.2f ± %.2f %% |\n", trial->name,
			      trial->energy, row->what, row->oracle.value, row->oracle.error, row->ours.value,
			      row->ours.error, 100.0 * difference / row->oracle.value,
			      100.0 * error / row->oracle.value);
	if (fabs(difference) > 4.0 * error + row->share * row->oracle.value)
		fail_msg("%s, %s, %s: %g ± %g instead of %g ± %g", trial->name, trial->energy, row->what,
			 row->ours.value, row->ours.error, row->oracle.value, row->oracle.error);
}

/* Ranges and backscattering where no collision turns an atom by more than 90 degrees. */
static void print_mirrored(const struct trial *trial, const sonde_ions_result *result, int64_t histories,
			   const struct oracle_answer *exact)
{
	struct oracle_answer answer;

	run_oracle(trial, result, histories, true, &answer);
	struct oracle_value range = oracle_range(&answer), right = oracle_range(exact),
			    back = oracle_mean(&answer, ORACLE_BACKSCATTERED);
	print_message("| %s %s | mirrored: range, nm | %.5g ± %.2g | %.5g ± %.2g | %+.2f ± %.2f %% |\n", trial->name,
		      trial->energy, right.value, right.error, range.value, range.error,
		      100.0 * (range.value / right.value - 1.0),
		      100.0 * hypot(range.error, right.error) / right.value);
	print_message("| %s %s | mirrored: straggling, nm; backscattered | | %.5g ± %.2g; %.5g ± %.2g | |\n",
		      trial->name, trial->energy, oracle_straggling(&answer).value, oracle_straggling(&answer).error,
		      back.value, back.error);
}

static const char *part; /* of names; null: the suite's cases */

static void test_histories_agree_with_the_oracle(void **state)
{
	(void)state;

	for (size_t n = 0; n < sizeof trials / sizeof *trials; ++n) {
		const struct trial *trial = &trials[n];
		int64_t number = part != NULL ? trial->many : trial->few;
		struct oracle_answer answer;
		struct row rows[MOST_ROWS];
		if (number == 0 || (part != NULL && strstr(trial->name, part) == NULL))
			continue;
		sonde_ions_result *result =
		    run_ours(trial, part != NULL ? RATIO_OF_ALL * number : ions_for_device(RATIO * number));
		run_oracle(trial, result, number, false, &answer);
		int count = compare(trial, result, &answer, rows);
		for (int k = 0; k < count; ++k)
			check(trial, &rows[k], true);
		if (part != NULL && trial->mirrored)
			print_mirrored(trial, result, number, &answer);
		sonde_ions_result_free(&result);
	}
}

/* Foundations of the oracle: the limits of bare charges and hard spheres, and conservation of energy. */
static void test_oracle_obeys_its_limits(void **state)
{
	const struct oracle_job job = {
	    .stopping = stopping(),
	    .ion_number = 18,
	    .ion_mass = 39.962,
	    .energy = 2e3,
	    .angle = 40.0,
	    .elements = 2,
	    .element = {{14, 28.086, 1.0 / 3.0, 15.0, 2.0, 4.7}, {8, 15.999, 2.0 / 3.0, 28.0, 3.0, 2.0}},
	    .density = 66.0,
	    .thickness = 6.0,
	    .step = 1.0,
	    .cutoff = 1.0,
	    .planar = true,
	    .local = 0.5};
	struct oracle_answer answer = {0};
	double sum = 0.0;
	(void)state;

	/* Rutherford's formula at high energies and small impact parameters */
	for (double s = 1e-9; s < 1e-5; s *= 7.0) {
		double energy = 1e6, exact = 1.0 / (1.0 + 4.0 * energy * energy * s * s);
		assert_close(oracle_sin2(ORACLE_KR_C, energy, s, NULL), exact, 1e-4, "oracle sin2");
	}
	/* slow atoms are nearly hard spheres with the radius of closest approach: sin^2(theta/2) = 1 - (s/x0)^2 of small s */
	double apsis;
	assert_true(oracle_sin2(ORACLE_ZBL, 1e-7, 0.0, &apsis) == 1.0);
	assert_true(apsis > 30.0 && apsis < 60.0);
	assert_true(oracle_sin2(ORACLE_ZBL, 1e-7, 0.3 * apsis, NULL) < 1.0 - 0.09);
	oracle_follow(&job, SEED, 0, 300, &answer);
	for (int k = ORACLE_IONIZATION_BY_ION; k <= ORACLE_LEFT; ++k)
		sum += oracle_mean(&answer, k).value;
	assert_close(sum, job.energy, 1e-12, "sum");
	assert_true(answer.implanted + answer.sum[ORACLE_BACKSCATTERED] + answer.sum[ORACLE_TRANSMITTED] ==
		    answer.ions);
	/* the same ions again, in two parts */
	struct oracle_answer parts = {0};
	oracle_follow(&job, SEED, 0, 100, &parts);
	oracle_follow(&job, SEED, 100, 200, &parts);
	assert_true(parts.sum[ORACLE_SPUTTERED] == answer.sum[ORACLE_SPUTTERED] && parts.depth[1] == answer.depth[1]);
}

int main(int count, char **words)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_oracle_obeys_its_limits),
					   cmocka_unit_test(test_histories_agree_with_the_oracle)};

	if (count > 1 && strcmp(words[1], "all") == 0)
		part = count > 2 ? words[2] : "";
	return cmocka_run_group_tests(tests, NULL, NULL);
}
