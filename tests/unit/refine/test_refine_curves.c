/* Refinements of one structure against several curves: X-rays, neutrons, and G(r). */
#include "unit/refined_gold.h"

/* An icosahedron of titanium and nitrogen: what X-rays and neutrons see of it differs. */
#define ALLOY "build: {cell: rocksalt, species: \"Ti,N\", a: \"${a}\", sphere: \"${1.6*a}\"}\n"
#define ALLOY_A 4.24

/* The curve of radiation `radiation`, G(r) if `pairs`, with deviations of `noise` at all points, which the file has if `known`. */
static void write_alloy(const char *name, int radiation, bool pairs, double scale, double noise, bool known,
			uint64_t seed)
{
	sonde_build_options build;
	sonde_debye_options options;
	sonde_debye_result *result;
	sonde_atoms *atoms;
	FILE *file = fopen(test_path(name), "w");

	assert_non_null(file);
	sonde_build_options_init(&build);
	build.cell = SONDE_BUILD_CELL_ROCKSALT;
	strcpy(build.species, "Ti,N");
	build.a = ALLOY_A;
	build.sphere = 1.6 * ALLOY_A;
	assert_status(SONDE_OK, sonde_build_run(context, &build, &atoms));
	sonde_debye_options_init(&options);
	options.radiation = radiation;
	options.q = (sonde_grid){0.5, 20.5, 401};
	options.r = (sonde_grid){1.0, 12.0, 221};
	strcpy(options.displacement, "Ti=0.006,N=0.01");
	assert_status(SONDE_OK, sonde_debye_run(context, atoms, &options, &result));
	const int64_t count = pairs ? result->r_count : result->q_count;
	const double *x = pairs ? result->r : result->q,
		     *y = pairs ? result->pair_distribution : result->intensity_per_atom;
	for (int64_t k = 0; k < count; ++k) {
		fprintf(file, "%.12g %.12g", x[k], scale * y[k] + noise * normal(&seed));
		fprintf(file, known ? " %.9g\n" : "\n", noise > 0.0 ? noise : 1.0);
	}
	fclose(file);
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
}

static void refine_text(const char *text, struct refine_result *result)
{
	const sonde_refine_options options = defaults();
	struct refine_job *job = read_job(text);

	assert_status(SONDE_OK, refine_run(context, job, &options, NULL, result));
	assert_true(result->converged);
	refine_job_free(&job);
}

#define ALLOY_JOB                                                                                          \
	"refine:\n  - {name: a, start: 4.22, lower: 4.1, upper: 4.4}\n"                                    \
	"  - {name: t, start: 0.01, lower: 0, upper: 0.05}\n  - {name: n, start: 0.005, lower: 0, upper: " \
	"0.05}\n" ALLOY                                                                                    \
	"debye: {q: 0.5:20.5:401, r: 1:12:221, displacement: \"Ti=${t},N=${n}\"}\nfit: {background: -1}\n"

/* One structure explains curves of both radiations and G(r), each with a scale of its own. */
static void test_several_curves(void **unused)
{
	static const double scales[] = {0.4, 3.0, 0.9};
	static const char *const radiations[] = {"x-ray", "neutron", "neutron"};
	struct refine_result result;

	(void)unused;
	write_alloy("x.xy", SONDE_DEBYE_RADIATION_XRAY, false, scales[0], 0.0, true, 1);
	write_alloy("n.xy", SONDE_DEBYE_RADIATION_NEUTRON, false, scales[1], 0.0, false, 1);
	write_alloy("n.gr", SONDE_DEBYE_RADIATION_NEUTRON, true, scales[2], 0.0, true, 1);
	refine_text(ALLOY_JOB "curves:\n  - {measured: x.xy}\n"
			      "  - {measured: n.xy, debye: {radiation: neutron}, fit: {background: 0}}\n"
			      "  - {measured: n.gr, debye: {radiation: neutron}}\n",
		    &result);
	assert_within(result.parameters[0].value, ALLOY_A, 1e-6, "a");
	assert_within(result.parameters[1].value, 0.006, 1e-6, "U of Ti");
	assert_within(result.parameters[2].value, 0.01, 1e-6, "U of N");
	assert_int_equal(result.curve_count, 3);
	assert_int_equal(result.points, 401 + 401 + 221);
	assert_int_equal(result.fitted, 3 + 3 + 1);
	for (int d = 0; d < 3; ++d) {
		assert_close(result.curves[d].scale, scales[d], 1e-4, "scale");
		assert_string_equal(library_radiation_names[result.curves[d].radiation], radiations[d]);
	}
	assert_true(result.curves[2].curve == LIBRARY_G);
	refine_result_free(&result);
}

#define ONE_PARAMETER                                                      \
	"refine: [{name: a, start: 4.22, lower: 4.1, upper: 4.4}]\n" ALLOY \
	"debye: {q: 0.5:20.5:401, r: 1:12:221, displacement: \"Ti=0.006,N=0.01\"}\n"

/* Information of independent curves adds. A curve over q and G(r) that need the same pattern are computed together. */
static void test_curves_add_their_information(void **unused)
{
	struct refine_result both, one;
	double information = 0.0;
	int64_t structures;

	(void)unused;
	write_alloy("x.xy", SONDE_DEBYE_RADIATION_XRAY, false, 2.0, 5.0, true, 3);
	write_alloy("x.gr", SONDE_DEBYE_RADIATION_XRAY, true, 2.0, 0.15, true, 4);
	refine_text(ONE_PARAMETER "curves: [{measured: x.xy}, {measured: x.gr, fit: {background: -1}}]\n", &both);
	structures = both.structures;
	for (int d = 0; d < 2; ++d) {
		refine_text(d == 0 ? ONE_PARAMETER "measured: x.xy\n"
				   : ONE_PARAMETER "measured: x.gr\nfit: {background: -1}\n",
			    &one);
		information += pow(one.parameters[0].error, -2.0);
		refine_result_free(&one);
	}
	assert_close(pow(both.parameters[0].error, -2.0), information, 0.02, "information");
	assert_within(both.parameters[0].value, ALLOY_A, 3.0 * both.parameters[0].error, "a");
	assert_within(both.chi_square / (double)(both.independent - both.fitted), 1.0, 0.25, "chi^2");
	refine_result_free(&both);
	/* without standard deviations, those of each curve follow from its residual, whatever its unit */
	write_alloy("x.xy", SONDE_DEBYE_RADIATION_XRAY, false, 2.0, 5.0, false, 3);
	write_alloy("x.gr", SONDE_DEBYE_RADIATION_XRAY, true, 2.0, 0.15, false, 4);
	refine_text(ONE_PARAMETER "curves: [{measured: x.xy}, {measured: x.gr, fit: {background: -1}}]\n", &both);
	assert_close(both.curves[0].sigma[0], 5.0, 0.12, "standard deviation of I");
	assert_close(both.curves[1].sigma[0], 0.15, 0.12, "standard deviation of G");
	assert_close(pow(both.parameters[0].error, -2.0), information, 0.25, "information");
	assert_true(both.structures <= structures + 20);
	refine_result_free(&both);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_several_curves),
	    cmocka_unit_test(test_curves_add_their_information),
	};

	return cmocka_run_group_tests_name("refinements of several curves", tests, make_truth, release);
}
