/* Libraries, fits, and refinements by the public headers alone: a library is made, curves computed by debye are found in it, and a
 * structure is refined. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit/support.h"
#include "sonde/sonde.h"

#define DESCRIPTION                                                                       \
	"curves: [I_per_atom]\ndebye: {q: 0.5:15:150}\nstructures:\n"                     \
	"  - family: carbon\n    name: fullerene\n    build: {fullerene: C60}\n"          \
	"  - family: balls\n    name: ball ${r}\n    size: ${r}\n    vary: {r: [4, 6]}\n" \
	"    build: {cell: fcc, species: C, a: 3.57, sphere: \"${r}\"}\n"

static sonde_context *context;

/* Adds weight times I/N of a structure. */
static void add_curve(const sonde_build_options *build, double weight, double *q, double *sum)
{
	sonde_debye_options options;
	sonde_debye_result *result;
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_build_run(context, build, &atoms));
	sonde_debye_options_init(&options);
	options.q = (sonde_grid){0.5, 15.0, 150};
	options.method = SONDE_DEBYE_METHOD_EXACT;
	assert_status(SONDE_OK, sonde_debye_run(context, atoms, &options, &result));
	for (int k = 0; k < 150; ++k) {
		q[k] = result->q[k];
		sum[k] += weight * result->intensity_per_atom[k];
	}
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
}

static void ball(double a, double radius, sonde_build_options *build)
{
	sonde_build_options_init(build);
	build->cell = SONDE_BUILD_CELL_FCC;
	strcpy(build->species, "C");
	build->a = a;
	build->sphere = radius;
}

static const char *write_curve(const char *name, const double *q, const double *y)
{
	const char *path = test_path(name);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	for (int k = 0; k < 150; ++k)
		fprintf(file, "%.12g %.12g 0.01\n", q[k], y[k]);
	fclose(file);
	return path;
}

/* `fullerene` times C60 and 2 times a ball of radius 6, with a background. */
static const char *write_film(const char *name, double fullerene)
{
	double q[150], sum[150] = {0.0};
	sonde_build_options build;

	sonde_build_options_init(&build);
	strcpy(build.fullerene, "C60");
	add_curve(&build, fullerene, q, sum);
	ball(3.57, 6.0, &build);
	add_curve(&build, 2.0, q, sum);
	for (int k = 0; k < 150; ++k)
		sum[k] += 40.0 - q[k];
	return write_curve(name, q, sum);
}

static void make_library(const char *path, int64_t made)
{
	const char *description = test_write_text("carbon.yaml", DESCRIPTION);
	sonde_library_result *result;

	assert_status(SONDE_OK, sonde_library_plan(context, description, path, 0, &result));
	assert_int_equal(result->structures, 3);
	assert_int_equal(result->present, 3 - made);
	assert_int_equal(result->made, 0);
	assert_true(made == 0 || (result->most_atoms > 60 && result->fewest_atoms < 60));
	sonde_library_result_free(&result);
	assert_null(result);
	assert_status(SONDE_OK, sonde_library_make(context, description, path, 0, &result));
	assert_int_equal(result->made, made);
	assert_int_equal(result->total, 3);
	sonde_library_result_free(&result);
}

/* The number in a column, from 0, of the row of a table in which `name` occurs; columns are between commas. */
static double read_table(const char *path, const char *name, int column)
{
	size_t size;
	char *text = test_read(path, &size), *rest;
	double value = -1.0;

	assert_non_null(text);
	for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
		if (line[0] == '#' || strstr(line, name) == NULL)
			continue;
		const char *place = line;
		for (int k = 0; k < column; ++k)
			place = strchr(place, ',') + 1;
		value = strtod(place, NULL);
	}
	free(text);
	return value;
}

static void assert_same(const double *a, const double *b, int64_t count)
{
	assert_true((a == NULL) == (b == NULL));
	if (a != NULL)
		assert_memory_equal(a, b, (size_t)count * sizeof *a);
}

static void assert_same_candidate(const sonde_match_candidate *a, const sonde_match_candidate *b)
{
	assert_string_equal(a->name, b->name);
	assert_string_equal(a->key, b->key);
	assert_string_equal(a->source, b->source);
	assert_string_equal(a->family, b->family);
	assert_string_equal(a->parameters, b->parameters);
	assert_string_equal(a->composition, b->composition);
	assert_int_equal(a->atoms, b->atoms);
	assert_same(&a->size, &b->size, 1);
}

static void assert_same_curves(const sonde_match_result *a, const sonde_match_result *b)
{
	assert_int_equal(a->curve_count, b->curve_count);
	for (int64_t k = 0; k < a->curve_count; ++k) {
		const sonde_match_fit *p = &a->curves[k], *q = &b->curves[k];
		const double *const arrays[7][2] = {
		    {p->x, q->x},           {p->measured, q->measured},     {p->sigma, q->sigma},
		    {p->fitted, q->fitted}, {p->background, q->background}, {p->residual, q->residual}};
		assert_string_equal(p->path, q->path);
		assert_string_equal(p->radiation, q->radiation);
		assert_true(p->kind == q->kind && p->weights == q->weights && p->count == q->count &&
			    p->left_out == q->left_out && p->peak_count == q->peak_count);
		for (int n = 0; n < 6; ++n)
			assert_same(arrays[n][0], arrays[n][1], p->count);
		assert_same(p->contributions, q->contributions, a->weight_count * p->count);
		/* scale, Rwp, Rexp, chi^2 and the error follow each other */
		assert_same(&p->scale, &q->scale, 5);
		assert_memory_equal(p->peaks, q->peaks, (size_t)p->peak_count * sizeof *p->peaks);
	}
}

static void assert_same_tables(const sonde_match_result *a, const sonde_match_result *b)
{
	assert_true(a->weight_count == b->weight_count && a->rank_count == b->rank_count &&
		    a->parameter_count == b->parameter_count && a->refined_count == b->refined_count);
	for (int64_t k = 0; k < a->weight_count; ++k) {
		const sonde_match_weight *p = &a->weights[k], *q = &b->weights[k];
		assert_same_candidate(&p->candidate, &q->candidate);
		assert_same(&p->weight, &q->weight, 6);
		assert_true(p->number == q->number && p->alternative_count == q->alternative_count);
		for (int64_t n = 0; n < p->named_count; ++n)
			assert_string_equal(p->alternatives[n], q->alternatives[n]);
	}
	for (int64_t k = 0; k < a->rank_count; ++k) {
		assert_same_candidate(&a->ranks[k].candidate, &b->ranks[k].candidate);
		assert_same(&a->ranks[k].scale, &b->ranks[k].scale, 4);
		assert_int_equal(a->ranks[k].number, b->ranks[k].number);
	}
	for (int64_t k = 0; k < a->parameter_count; ++k) {
		const sonde_match_parameter *p = &a->parameters[k], *q = &b->parameters[k];
		assert_string_equal(p->name, q->name);
		assert_string_equal(p->unit, q->unit);
		assert_string_equal(p->of, q->of);
		assert_same(&p->value, &q->value, 4);
		assert_int_equal(p->at_bound, q->at_bound);
	}
	assert_same(a->parameter_lows, b->parameter_lows, a->parameter_count);
	assert_same(a->parameter_highs, b->parameter_highs, a->parameter_count);
	const int64_t size = a->parameter_count + a->weight_count;
	assert_same(a->correlations, b->correlations, size * size);
	for (int64_t k = 0; k < a->refined_count; ++k) {
		assert_same_candidate(&a->refined[k].candidate, &b->refined[k].candidate);
		assert_same(&a->refined[k].scale, &b->refined[k].scale, 9);
	}
}

static void assert_same_series(const sonde_match_result *a, const sonde_match_result *b)
{
	const int64_t curves = a->series_count, candidates = a->series_candidate_count,
		      parameters = a->series_parameter_count;

	assert_true(curves == b->series_count && candidates == b->series_candidate_count &&
		    parameters == b->series_parameter_count);
	for (int64_t k = 0; k < candidates; ++k)
		assert_same_candidate(&a->series_candidates[k], &b->series_candidates[k]);
	for (int64_t k = 0; k < curves; ++k)
		assert_string_equal(a->series_paths[k], b->series_paths[k]);
	for (int64_t k = 0; k < parameters; ++k)
		assert_string_equal(a->series_parameters[k].of, b->series_parameters[k].of);
	assert_same(a->series_weights, b->series_weights, curves * candidates);
	assert_same(a->series_errors, b->series_errors, curves * candidates);
	assert_same(a->series_chi_square, b->series_chi_square, curves);
	assert_same(a->series_rwp, b->series_rwp, curves);
	assert_same(parameters > 0 ? a->series_values : NULL, parameters > 0 ? b->series_values : NULL,
		    curves * parameters);
	assert_same(parameters > 0 ? a->series_value_errors : NULL, parameters > 0 ? b->series_value_errors : NULL,
		    curves * parameters);
}

/* Written, read, and written again: the same numbers. */
static void assert_read_back(const sonde_match_result *result, const char *name)
{
	char path[512], again[512];
	sonde_match_result *read;

	snprintf(path, sizeof path, "%s", test_path(name));
	snprintf(again, sizeof again, "%.400s.again.h5", path);
	assert_status(SONDE_OK, sonde_match_result_write(context, result, path, 1));
	for (int times = 0; times < 2; ++times) {
		assert_status(SONDE_OK, sonde_match_result_read(context, times == 0 ? path : again, &read));
		assert_same_curves(result, read);
		assert_same_tables(result, read);
		assert_same_series(result, read);
		/* from chi^2 to the improvement */
		assert_memory_equal(&result->chi_square, &read->chi_square,
				    offsetof(sonde_match_result, series_count) -
					offsetof(sonde_match_result, chi_square));
		assert_true(result->candidate_count == read->candidate_count &&
			    result->sizes_left_out == read->sizes_left_out && result->seconds == read->seconds);
		assert_memory_equal(result->options, read->options, sizeof *read->options);
		if (times == 0)
			assert_status(SONDE_OK, sonde_match_result_write(context, read, again, 1));
		sonde_match_result_free(&read);
	}
}

static void test_a_mixture_is_found(void **unused)
{
	char library[512], film[512], more[512];
	sonde_match_request request = {.struct_size = sizeof request};
	sonde_match_options options;
	sonde_match_result *result;
	const char *candidates[] = {library}, *measured[] = {film, more};

	(void)unused;
	snprintf(library, sizeof library, "%s", test_path("carbon.h5"));
	make_library(library, 3);
	make_library(library, 0);
	snprintf(film, sizeof film, "%s", write_film("film.xy", 5.0));
	snprintf(more, sizeof more, "%s", write_film("more.xy", 3.0));
	request.measured_count = request.candidate_count = 1;
	request.measured = measured;
	request.candidates = candidates;
	sonde_match_options_init(&options);
	assert_status(SONDE_OK, sonde_match_run(context, &request, &options, &result));
	assert_int_equal(result->candidate_count, 3);
	assert_int_equal(result->curve_count, 1);
	assert_true(result->weight_count >= 2);
	assert_string_equal(result->weights[0].candidate.name, "fullerene");
	assert_string_equal(result->weights[0].candidate.family, "carbon");
	assert_int_equal(result->weights[0].candidate.atoms, 60);
	assert_int_equal(strlen(result->weights[0].candidate.key), 64);
	assert_string_equal(result->weights[1].candidate.name, "ball 6");
	assert_true(result->weights[1].candidate.size == 6.0);
	assert_within(result->weights[0].weight, 5.0, 1e-3, "weight");
	assert_within(result->weights[1].weight, 2.0, 1e-3, "weight");
	assert_true(result->weights[0].low < 5.0 && result->weights[0].high > 5.0);
	const sonde_match_fit *fit = &result->curves[0];
	assert_int_equal(fit->kind, SONDE_MATCH_CURVE_I);
	assert_int_equal(fit->weights, SONDE_MATCH_WEIGHTS_SIGMA);
	assert_string_equal(fit->radiation, "x-ray");
	assert_int_equal(fit->count, 150);
	for (int64_t k = 0; k < fit->count; ++k) {
		double sum = fit->background[k];
		for (int64_t n = 0; n < result->weight_count; ++n)
			sum += fit->contributions[n * fit->count + k];
		assert_within(fit->fitted[k], sum, 1e-9 * fabs(sum), "contributions");
		assert_within(fit->residual[k], fit->measured[k] - fit->fitted[k], 1e-12 * fabs(sum), "residual");
	}
	assert_true(result->rank_count == 3 && result->ranks[0].chi_square <= result->ranks[1].chi_square);
	assert_int_equal(result->points - result->fitted, result->degrees_of_freedom);
	assert_true(result->series_count == 0 && result->options->background == options.background);
	/* the program's table */
	assert_status(SONDE_OK, sonde_match_result_write(context, result, test_path("fit.csv"), 0));
	assert_close(read_table(test_path("fit.csv"), "fullerene", 5), result->weights[0].weight, 1e-6, "table");
	assert_invalid("fit.csv", sonde_match_result_write(context, result, test_path("fit.csv"), 0));
	assert_read_back(result, "fit.h5");
	sonde_match_result_free(&result);
	assert_null(result);
	/* a series */
	request.measured_count = 2;
	assert_status(SONDE_OK, sonde_match_run(context, &request, &options, &result));
	assert_int_equal(result->series_count, 2);
	assert_int_equal(result->series_candidate_count, 3);
	for (int64_t n = 0; n < 3; ++n)
		if (strcmp(result->series_candidates[n].name, "fullerene") == 0)
			for (int64_t k = 0; k < 2; ++k)
				assert_within(result->series_weights[k * 3 + n], k == 0 ? 5.0 : 3.0, 1e-3, "series");
	assert_string_equal(result->series_paths[1], more);
	assert_true(result->series_parameter_count == 0);
	assert_read_back(result, "series.h5");
	sonde_match_result_free(&result);
	/* refined candidates */
	request.measured_count = 1;
	strcpy(options.refine, "strain");
	options.sparsity = SONDE_MATCH_SPARSITY_BIC;
	assert_status(SONDE_OK, sonde_match_run(context, &request, &options, &result));
	assert_int_equal(result->parameter_count, result->weight_count);
	assert_string_equal(result->parameters[0].name, "strain");
	assert_within(result->parameters[0].value, 0.0, 1e-4, "strain");
	assert_true(result->correlations[0] == 1.0 && result->refined_count == 3);
	assert_true(isfinite(result->refined[0].strain) && isnan(result->refined[0].b));
	assert_true(result->parameter_lows[0] < result->parameters[0].value &&
		    result->parameter_highs[0] > result->parameters[0].value);
	assert_read_back(result, "refined.h5");
	sonde_match_result_free(&result);
	/* a series of these, with intervals of the first curve from synthetic ones */
	request.measured_count = 2;
	options.bootstrap = 20;
	assert_status(SONDE_OK, sonde_match_run(context, &request, &options, &result));
	assert_int_equal(result->series_parameter_count, result->series_candidate_count);
	assert_string_equal(result->series_parameters[0].name, "strain");
	assert_read_back(result, "refined_series.h5");
	sonde_match_result_free(&result);
}

static void test_a_structure_is_refined(void **unused)
{
	double q[150], sum[150] = {0.0};
	char job[512], text[1024], structure[512];
	sonde_build_options build;
	sonde_refine_options options;
	sonde_refine_result *result;
	sonde_atoms *atoms;

	(void)unused;
	ball(3.6, 6.0, &build);
	add_curve(&build, 4.0, q, sum);
	snprintf(text, sizeof text,
		 "refine: [{name: a, start: 3.59, lower: 3.5, upper: 3.7}]\nderived: [{name: volume, formula: a^3}]\n"
		 "build: {cell: fcc, species: C, a: \"${a}\", sphere: 6}\ndebye: {q: 0.5:15:150}\nmeasured: %s\n",
		 write_curve("ball.xy", q, sum));
	snprintf(job, sizeof job, "%s", test_write_text("ball.yaml", text));
	snprintf(structure, sizeof structure, "%s", test_path("ball.xyz"));
	sonde_refine_options_init(&options);
	strcpy(options.structure, structure);
	assert_status(SONDE_OK, sonde_refine_run(context, job, &options, NULL, &result));
	assert_int_equal(result->parameter_count, 1);
	assert_string_equal(result->parameters[0].name, "a");
	assert_within(result->parameters[0].value, 3.6, 1e-4, "a");
	assert_string_equal(result->derived[0].name, "volume");
	assert_close(result->derived[0].value, pow(result->parameters[0].value, 3.0), 1e-12, "derived");
	assert_true(result->converged && result->curve->count == 150 && result->curve->contributions == NULL);
	assert_true(result->curve_count == 1 && result->curves == result->curve);
	assert_true(result->step_values[result->step_count - 1] == result->parameters[0].value);
	assert_status(SONDE_OK, sonde_refine_result_atoms(context, result, &atoms));
	assert_true((double)sonde_atoms_count(atoms) == result->atoms);
	sonde_atoms_free(&atoms);
	assert_status(SONDE_OK, sonde_atoms_read(context, structure, 0, &atoms));
	assert_true((double)sonde_atoms_count(atoms) == result->atoms);
	sonde_atoms_free(&atoms);
	assert_status(SONDE_OK, sonde_refine_result_write(context, result, test_path("ball.csv"), 0));
	assert_close(read_table(test_path("ball.csv"), "a,", 1), result->parameters[0].value, 1e-9, "table");
	sonde_refine_result_free(&result);
	assert_null(result);
	/* the structure is there now */
	assert_invalid("ball.xyz", sonde_refine_run(context, job, &options, NULL, &result));
	assert_null(result);
}

static void test_refused(void **unused)
{
	const char *const files[] = {test_path("absent.xy")}, *const nameless[] = {""};
	sonde_match_request request = {.struct_size = sizeof request,
				       .measured_count = 1,
				       .measured = files,
				       .candidate_count = 1,
				       .candidates = files};
	sonde_match_options options, unset = {0};
	sonde_match_result *result;
	sonde_library_result *library;
	sonde_refine_options refine;
	sonde_refine_result *refined;

	(void)unused;
	sonde_match_options_init(&options);
	assert_invalid("absent.xy", sonde_match_run(context, &request, &options, &result));
	assert_null(result);
	assert_invalid("sonde_match_options_init()", sonde_match_run(context, &request, &unset, &result));
	options.background = 99;
	assert_invalid("background", sonde_match_run(context, &request, &options, &result));
	sonde_match_options_init(&options);
	request.candidate_count = 0;
	assert_invalid("the request has no candidates", sonde_match_run(context, &request, &options, &result));
	request.measured = nameless;
	assert_invalid("has no name", sonde_match_run(context, &request, &options, &result));
	request.struct_size = sizeof request + 8;
	assert_invalid("struct_size", sonde_match_run(context, &request, &options, &result));
	assert_invalid("null", sonde_match_run(NULL, &request, &options, &result));
	assert_invalid("null", sonde_match_result_write(context, NULL, "fit.h5", 0));
	assert_invalid("is an HDF5 file", sonde_library_make(context, files[0], test_path("x.csv"), 0, &library));
	assert_null(library);
	assert_invalid("absent.xy", sonde_library_make(context, files[0], test_path("x.h5"), 0, &library));
	assert_invalid("null", sonde_library_plan(context, NULL, test_path("x.h5"), 0, &library));
	sonde_refine_options_init(&refine);
	assert_invalid("absent.xy", sonde_refine_run(context, files[0], &refine, NULL, &refined));
	assert_null(refined);
	refine.resume = 1;
	assert_invalid("absent.xy", sonde_refine_run(context, files[0], &refine, NULL, &refined));
	assert_invalid("null", sonde_refine_result_write(context, NULL, "fit.h5", 0));
	assert_invalid("null", sonde_match_result_read(context, NULL, &result));
	assert_invalid("absent.xy", sonde_match_result_read(context, files[0], &result));
	assert_null(result);
	assert_invalid("is not a result of sonde match",
		       sonde_match_result_read(context, test_path("carbon.h5"), &result));
	sonde_match_result_free(NULL);
	sonde_refine_result_free(NULL);
	sonde_library_result_free(NULL);
}

static int begin(void **unused)
{
	(void)unused;
	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_context_set_device(context, "cpu"));
	return 0;
}

static int end(void **unused)
{
	(void)unused;
	sonde_context_free(&context);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_mixture_is_found),
					   cmocka_unit_test(test_a_structure_is_refined),
					   cmocka_unit_test(test_refused)};

	return cmocka_run_group_tests(tests, begin, end);
}
