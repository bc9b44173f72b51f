/* Plans that are executed several times: the same results as separate runs for every sample, seed and number. */
#include "physics/charges.h"
#include "physics/fdtd_job.h"
#include "physics/transport.h"

#define FRAMES 3

/* Frames of a trajectory: the same atoms, moved. */
static void make_frames(sonde_atoms *frames[FRAMES])
{
	sonde_atoms *crystal = build_sphere(SONDE_BUILD_CELL_PEROVSKITE, "Sr,Ti,O", 3.905, 11.0);

	for (int k = 0; k < FRAMES; ++k)
		frames[k] = displace(crystal, 0.02 + 0.05 * k, 7 + (uint64_t)k);
	sonde_atoms_free(&crystal);
}

static void free_frames(sonde_atoms *frames[FRAMES])
{
	for (int k = 0; k < FRAMES; ++k)
		sonde_atoms_free(&frames[k]);
}

static void test_executed_plans_of_patterns_have_the_bits_of_runs(void **state)
{
	sonde_atoms *frames[FRAMES];
	struct sonde_debye_plan *plan;
	(void)state;

	for (int method = SONDE_DEBYE_METHOD_AUTO; method <= SONDE_DEBYE_METHOD_REFERENCE; ++method) {
		sonde_context *context = make_context(2);
		sonde_debye_options options = options_of(method, SONDE_DEBYE_FACTORS_AUTO, 0.0, 20.0, 200);
		options.r = (sonde_grid){0.0, 20.0, 100};
		make_frames(frames);
		assert_int_equal(sonde_debye_plan(context, frames[0], &options, &plan), SONDE_OK);
		const int settled = sonde_debye_plan_options(plan)->method;
		assert_int_not_equal(settled, SONDE_DEBYE_METHOD_AUTO);
		assert_true(method == SONDE_DEBYE_METHOD_AUTO || settled == method);
		/* the plan does not need its sample */
		sonde_atoms_free(&frames[0]);
		for (int round = 0; round < 2; ++round)
			for (int k = 1; k < FRAMES; ++k) {
				sonde_debye_result *planned, *alone;
				assert_int_equal(sonde_debye_execute(plan, frames[k], &planned), SONDE_OK);
				assert_int_equal(planned->options->method, settled);
				alone = run_on(2, frames[k], &options);
				assert_true(alone->options->method == settled);
				assert_true(same_bits(planned, alone));
				sonde_debye_result_free(&alone);
				sonde_debye_result_free(&planned);
			}
		sonde_debye_plan_free(&plan);
		assert_null(plan);
		sonde_debye_plan_free(&plan);
		free_frames(frames);
		sonde_context_free(&context);
	}
}

/* Refusals of a plan, and its outputs then. */
static void test_impossible_plans_are_refused(void **state)
{
	sonde_context *context = make_context(1);
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.08, 8.0), *empty = empty_sample();
	sonde_debye_options options = options_of(SONDE_DEBYE_METHOD_AUTO, SONDE_DEBYE_FACTORS_AUTO, 0.0, 20.0, 10);
	struct sonde_debye_plan *plan;
	sonde_debye_result *result;
	(void)state;

	options.tolerance = -1.0;
	assert_int_equal(sonde_debye_plan(context, atoms, &options, &plan), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "tolerance"));
	assert_null(plan);
	options.tolerance = 1e-6;
	assert_int_equal(sonde_debye_plan(NULL, atoms, &options, &plan), SONDE_INVALID);
	assert_int_equal(sonde_debye_plan(context, atoms, &options, &plan), SONDE_OK);
	assert_int_equal(sonde_debye_execute(plan, empty, &result), SONDE_INVALID);
	assert_null(result);
	assert_int_equal(sonde_debye_execute(plan, NULL, &result), SONDE_INVALID);
	/* a context that was cancelled, and one that is not any more */
	sonde_context_cancel(context);
	assert_int_equal(sonde_debye_execute(plan, atoms, &result), SONDE_CANCELLED);
	assert_null(result);
	sonde_context_reset(context);
	assert_int_equal(sonde_debye_execute(plan, atoms, &result), SONDE_OK);
	sonde_debye_result_free(&result);
	sonde_debye_plan_free(&plan);
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&empty);
	sonde_context_free(&context);
}

static void check_same_potential(const sonde_coulomb_result *a, const sonde_coulomb_result *b)
{
	assert_int_equal(a->point_count, b->point_count);
	assert_memory_equal(a->size, b->size, sizeof a->size);
	assert_memory_equal(a->origin, b->origin, sizeof a->origin);
	assert_memory_equal(a->potential, b->potential, (size_t)a->point_count * sizeof(double));
	assert_int_equal(a->field != NULL, b->field != NULL);
	if (a->field != NULL)
		assert_memory_equal(a->field, b->field, 3 * (size_t)a->point_count * sizeof(double));
	assert_true(a->relative_error == b->relative_error && a->largest_error == b->largest_error);
}

static void test_executed_plans_of_potentials_have_the_bits_of_runs(void **state)
{
	static const int methods[] = {SONDE_COULOMB_METHOD_AUTO, SONDE_COULOMB_METHOD_DIRECT,
				      SONDE_COULOMB_METHOD_FAST};
	sonde_context *context = make_context(2);
	sonde_atoms *first = random_charges(400, 20.0, 2.0, 0.0, false),
		    *second = random_charges(400, 17.0, 2.0, 0.7, true);
	(void)state;

	for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
		struct sonde_coulomb_plan *plan;
		sonde_coulomb_result *planned, *alone;
		sonde_coulomb_options options;
		sonde_coulomb_options_init(&options);
		options.method = methods[m];
		options.padding = 3.0;
		assert_int_equal(sonde_coulomb_plan(context, first, &options, &plan), SONDE_OK);
		assert_int_equal(sonde_coulomb_plan_options(plan)->quantity, SONDE_COULOMB_QUANTITY_POTENTIAL);
		assert_int_equal(sonde_coulomb_plan_options(plan)->boundary, SONDE_COULOMB_BOUNDARY_OPEN);
		assert_int_equal(sonde_coulomb_execute(plan, first, &planned), SONDE_OK);
		assert_int_equal(sonde_coulomb_run(context, first, &options, &alone), SONDE_OK);
		check_same_potential(planned, alone);
		/* other charges at the points of the plan, which a run finds only if it is given them */
		options.origin = (sonde_vector){alone->origin[0], alone->origin[1], alone->origin[2]};
		options.size = (sonde_vector){(double)alone->size[0], (double)alone->size[1], (double)alone->size[2]};
		sonde_coulomb_result_free(&planned);
		sonde_coulomb_result_free(&alone);
		assert_int_equal(sonde_coulomb_execute(plan, second, &planned), SONDE_OK);
		assert_int_equal(sonde_coulomb_run(context, second, &options, &alone), SONDE_OK);
		check_same_potential(planned, alone);
		sonde_coulomb_result_free(&planned);
		sonde_coulomb_result_free(&alone);
		sonde_coulomb_plan_free(&plan);
		assert_null(plan);
	}
	sonde_atoms_free(&first);
	sonde_atoms_free(&second);
	sonde_context_free(&context);
}

static void test_potentials_of_plans_are_written(void **state)
{
	static const char *const files[] = {"plan.h5", "plan.csv"}; /* slab by slab, and at the end */
	sonde_context *context = make_context(2);
	sonde_atoms *atoms = random_charges(200, 15.0, 2.0, 0.0, false),
		    *other = random_charges(200, 12.0, 2.0, 0.3, true);
	sonde_coulomb_options options;
	struct sonde_coulomb_plan *plan;
	sonde_coulomb_result *kept, *written, *read;
	(void)state;

	sonde_coulomb_options_init(&options);
	options.padding = 3.0;
	options.spacing = (sonde_vector){1.0, 1.1, 1.2};
	options.quantity = SONDE_COULOMB_QUANTITY_BOTH;
	assert_int_equal(sonde_coulomb_plan(context, atoms, &options, &plan), SONDE_OK);
	assert_int_equal(sonde_coulomb_execute(plan, other, &kept), SONDE_OK);
	for (size_t k = 0; k < sizeof files / sizeof *files; ++k) {
		assert_int_equal(sonde_coulomb_execute_to_file(plan, other, files[k], 1, &written), SONDE_OK);
		assert_int_equal(written->potential != NULL, k == 1);
		sonde_coulomb_result_free(&written);
		/* it exists, and is not overwritten */
		assert_int_equal(sonde_coulomb_execute_to_file(plan, other, files[k], 0, &written), SONDE_INVALID);
		assert_null(written);
	}
	assert_int_equal(sonde_coulomb_result_read(context, "plan.h5", &read), SONDE_OK);
	check_same_potential(kept, read);
	sonde_coulomb_result_free(&read);
	/* the plan is as before */
	assert_int_equal(sonde_coulomb_execute(plan, other, &read), SONDE_OK);
	check_same_potential(kept, read);
	assert_int_equal(sonde_coulomb_execute_to_file(plan, other, "plan.png", 1, &written), SONDE_INVALID);
	assert_int_equal(sonde_coulomb_execute_to_file(plan, other, NULL, 1, &written), SONDE_INVALID);
	assert_int_equal(sonde_coulomb_execute_to_file(plan, NULL, "plan.h5", 1, &written), SONDE_INVALID);
	sonde_coulomb_result_free(&kept);
	sonde_coulomb_result_free(&read);
	sonde_coulomb_plan_free(&plan);
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&other);
	sonde_context_free(&context);
}

static void make_sphere(struct fdtd_job *made, int axis)
{
	fdtd_job_begin(made, 8e-7, 8e-7, 8e-7, 50e-9);
	made->job.options.time = 8e-15;
	fdtd_job_add_material(made, "glass")->index = 1.5;
	fdtd_job_add_body(made, SONDE_BODY_SHAPE_SPHERE, "glass")->radius = 2e-7;
	sonde_fdtd_source_options *source = fdtd_job_add_source(made, SONDE_FDTD_SOURCE_KIND_PLANE_WAVE);
	source->direction = (sonde_vector){0.0, 0.0, 1.0};
	source->polarization = (sonde_vector){axis == 0, axis == 1, 0.0};
	source->wavelength = 600e-9;
	fdtd_job_add_monitor(made, SONDE_FDTD_MONITOR_KIND_CROSS_SECTION)->wavelengths =
	    (sonde_grid){500e-9, 700e-9, 5};
	fdtd_job_add_monitor(made, SONDE_FDTD_MONITOR_KIND_POINT)->center = (sonde_vector){1e-7, 2e-7, 0.0};
}

static void check_same_fields(const sonde_fdtd_result *a, const sonde_fdtd_result *b)
{
	assert_int_equal(a->monitor_count, b->monitor_count);
	assert_int_equal(a->steps, b->steps);
	assert_true(a->options->courant == b->options->courant && a->left == b->left);
	for (int n = 0; n < a->monitor_count; ++n)
		for (int k = 0; k < a->monitors[n].array_count; ++k) {
			const sonde_fdtd_array *p = &a->monitors[n].arrays[k],
					       *q = sonde_fdtd_find_array(&b->monitors[n], p->name);
			size_t count = 1;
			assert_non_null(q);
			assert_memory_equal(p->sizes, q->sizes, sizeof p->sizes);
			for (int r = 0; r < p->rank; ++r)
				count *= (size_t)p->sizes[r];
			assert_memory_equal(p->values, q->values, count * sizeof(double));
		}
}

static void test_prepared_jobs_have_the_bits_of_runs(void **state)
{
	sonde_context *context = make_context(2);
	struct fdtd_job *made = malloc(sizeof *made), *other = malloc(sizeof *other);
	struct sonde_fdtd_prepared *prepared;
	sonde_fdtd_result *alone[2], *again, *read;
	(void)state;

	assert_non_null(made);
	assert_non_null(other);
	make_sphere(made, 0);
	make_sphere(other, 1);
	alone[0] = fdtd_job_run(context, made);
	alone[1] = fdtd_job_run(context, other);
	assert_int_equal(sonde_fdtd_prepare(context, &made->job, &prepared), SONDE_OK);
	assert_true(sonde_fdtd_prepared_options(prepared)->courant == alone[0]->options->courant);
	assert_int_equal(sonde_fdtd_prepared_plan(prepared)->cells[0], alone[0]->plan->cells[0]);
	/* the job is copied */
	memset(made, 0x55, sizeof *made);
	free(made);
	for (int round = 0; round < 4; ++round) {
		const int axis = round == 2;
		const sonde_vector polarization = {axis == 0, axis == 1, 0.0};
		other->sources[0].polarization = polarization;
		if (round > 0)
			assert_int_equal(sonde_fdtd_prepared_set_source(prepared, 0, &other->sources[0]), SONDE_OK);
		assert_int_equal(sonde_fdtd_execute(prepared, &again), SONDE_OK);
		check_same_fields(alone[axis], again);
		sonde_fdtd_result_free(&again);
	}
	assert_int_equal(sonde_fdtd_execute_to_file(prepared, "prepared.h5", 1, &again), SONDE_OK);
	assert_int_equal(sonde_fdtd_result_read(context, "prepared.h5", &read), SONDE_OK);
	check_same_fields(again, read);
	sonde_fdtd_result_free(&again);
	sonde_fdtd_result_free(&read);

	/* sources that are refused change nothing */
	other->sources[0].polarization = (sonde_vector){0.0, 0.0, 1.0};
	assert_int_equal(sonde_fdtd_prepared_set_source(prepared, 0, &other->sources[0]), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "sources 1: polarization: "));
	assert_int_equal(sonde_fdtd_prepared_set_source(prepared, 1, &other->sources[0]), SONDE_INVALID);
	assert_int_equal(sonde_fdtd_prepared_set_source(prepared, -1, &other->sources[0]), SONDE_INVALID);
	other->sources[0].struct_size = 3;
	assert_int_equal(sonde_fdtd_prepared_set_source(prepared, 0, &other->sources[0]), SONDE_INVALID);
	assert_int_equal(sonde_fdtd_execute(prepared, &again), SONDE_OK);
	check_same_fields(alone[0], again);
	sonde_fdtd_result_free(&again);
	sonde_fdtd_prepared_free(&prepared);
	assert_null(prepared);
	sonde_fdtd_prepared_free(&prepared);

	/* how it was streamed is in the file */
	make_sphere(other, 1);
	other->job.options.streaming = SONDE_FDTD_STREAMING_PYRAMID;
	other->job.options.width = 5;
	other->job.options.height = 3;
	strcpy(other->job.options.store, "disk:.");
	assert_int_equal(sonde_fdtd_run_to_file(context, &other->job, "streamed.h5", 1, &again), SONDE_OK);
	check_same_fields(alone[1], again);
	assert_int_equal(sonde_fdtd_result_read(context, "streamed.h5", &read), SONDE_OK);
	assert_int_equal(read->plan->streaming, SONDE_FDTD_STREAMING_PYRAMID);
	assert_int_equal(read->plan->slab_width, 5);
	assert_int_equal(read->plan->pass_height, 3);
	assert_int_equal(read->plan->planes, again->plan->planes);
	assert_true(read->plan->planes > 5 && read->plan->scratch_bytes == again->plan->scratch_bytes);
	assert_true(read->plan->scratch_bytes > 0.0);
	sonde_fdtd_result_free(&again);
	sonde_fdtd_result_free(&read);
	other->job.monitors.count = 0;
	assert_int_equal(sonde_fdtd_prepare(context, &other->job, &prepared), SONDE_INVALID);
	assert_null(prepared);
	assert_int_equal(sonde_fdtd_execute(NULL, &again), SONDE_INVALID);
	for (int k = 0; k < 2; ++k)
		sonde_fdtd_result_free(&alone[k]);
	free(other);
	sonde_context_free(&context);
}

static void execute_and_compare(struct sonde_ions_plan *plan, const sonde_ions_options *options)
{
	sonde_context *context = make_context(3);
	sonde_ions_result *planned, *alone;

	assert_int_equal(sonde_ions_execute(plan, &planned), SONDE_OK);
	assert_int_equal(sonde_ions_run(context, options, &alone), SONDE_OK);
	assert_null(difference(planned, alone, false));
	assert_int_equal(planned->options->seed, options->seed);
	assert_int_equal(planned->options->number, options->number);
	sonde_ions_result_free(&planned);
	sonde_ions_result_free(&alone);
	sonde_context_free(&context);
}

static void test_executed_plans_of_histories_have_the_bits_of_runs(void **state)
{
	sonde_context *context = make_context(2);
	sonde_ions_options options = ion_options("B", "20keV", "SiO2:10nm/Si", 200);
	struct sonde_ions_plan *plan;
	double range;
	(void)state;

	assert_int_equal(sonde_ions_plan(context, &options, &plan), SONDE_OK);
	for (int round = 0; round < 2; ++round)
		execute_and_compare(plan, &options);
	options.seed = 77;
	assert_int_equal(sonde_ions_plan_set_seed(plan, 77), SONDE_OK);
	execute_and_compare(plan, &options);
	options.number = 333;
	assert_int_equal(sonde_ions_plan_set_number(plan, 333), SONDE_OK);
	execute_and_compare(plan, &options);
	/* and the seed does matter */
	sonde_ions_result *one, *other;
	assert_int_equal(sonde_ions_execute(plan, &one), SONDE_OK);
	range = one->range.value;
	sonde_ions_result_free(&one);
	assert_int_equal(sonde_ions_plan_set_seed(plan, (int64_t)1 << 40), SONDE_OK);
	assert_int_equal(sonde_ions_execute(plan, &other), SONDE_OK);
	assert_true(other->range.value != range);
	sonde_ions_result_free(&other);

	assert_int_equal(sonde_ions_plan_set_number(plan, 0), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "number: 0 is out of range"));
	assert_int_equal(sonde_ions_plan_set_seed(plan, -1), SONDE_INVALID);
	assert_int_equal(sonde_ions_plan_options(plan)->number, 333);
	sonde_ions_plan_free(&plan);
	assert_null(plan);
	options.ion[0] = '\0';
	assert_int_equal(sonde_ions_plan(context, &options, &plan), SONDE_INVALID);
	assert_null(plan);
	sonde_context_free(&context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_executed_plans_of_patterns_have_the_bits_of_runs),
	    cmocka_unit_test(test_impossible_plans_are_refused),
	    cmocka_unit_test(test_executed_plans_of_potentials_have_the_bits_of_runs),
	    cmocka_unit_test(test_potentials_of_plans_are_written),
	    cmocka_unit_test(test_prepared_jobs_have_the_bits_of_runs),
	    cmocka_unit_test(test_executed_plans_of_histories_have_the_bits_of_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
