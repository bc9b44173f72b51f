/* Two threads with a context each run all engines at the same time, and write and read files: results are
 * bit-identical to those of a single thread. Messages and cancellations belong to one thread. */
#include <pthread.h>
#include <unistd.h>

#include "physics/charges.h"

#define LIGHT 299792458.0

/* Runs of a thread, one engine after the other, and their results. */
struct work {
	const char *name; /* of its files */
	int first;        /* engine to begin with */
	sonde_atoms *atoms, *charges;
	sonde_debye_result *debye;
	sonde_coulomb_result *coulomb;
	sonde_ions_result *ions;
	sonde_fdtd_result *fdtd;
	sonde_status worst;
	char message[256]; /* of a failure that is provoked in between */
};

static void note_status(struct work *work, sonde_status status)
{
	if (status == SONDE_OK)
		return;
	print_error("%s: %s\n", work->name, sonde_status_message());
	work->worst = status;
}

static void run_debye(sonde_context *context, struct work *work)
{
	sonde_debye_options options =
	    options_of(SONDE_DEBYE_METHOD_HISTOGRAM, SONDE_DEBYE_FACTORS_AUTO, 0.0, 20.0, 300);

	note_status(work, sonde_debye_run(context, work->atoms, &options, &work->debye));
}

static void run_coulomb(sonde_context *context, struct work *work)
{
	sonde_coulomb_options options = grid_options(-10.0, -10.0, -10.0, 0.7, 30, 30, 30, FLOAT64);

	options.method = SONDE_COULOMB_METHOD_FAST;
	note_status(work, sonde_coulomb_run(context, work->charges, &options, &work->coulomb));
}

static void run_ions(sonde_context *context, struct work *work)
{
	sonde_ions_options options;

	sonde_ions_options_init(&options);
	snprintf(options.ion, sizeof options.ion, "B");
	snprintf(options.energy, sizeof options.energy, "10keV");
	snprintf(options.target, sizeof options.target, "Si");
	options.number = 300;
	note_status(work, sonde_ions_run(context, &options, &work->ions));
}

static void run_fdtd(sonde_context *context, struct work *work)
{
	sonde_fdtd_source_options dipole;
	sonde_fdtd_monitor_options point;
	sonde_fdtd_job job;

	sonde_fdtd_job_init(&job);
	sonde_fdtd_source_init(&dipole);
	sonde_fdtd_monitor_init(&point);
	job.options.size = (sonde_vector){1.0, 1.0, 1.0};
	job.options.cell = (sonde_vector){0.05, 0.05, 0.05};
	job.options.time = 20.0 / LIGHT;
	dipole.kind = SONDE_FDTD_SOURCE_KIND_DIPOLE;
	dipole.center = (sonde_vector){0.1, 0.1, -0.1};
	dipole.polarization = (sonde_vector){1.0, 0.0, 1.0};
	dipole.frequency = 1.2 * LIGHT;
	dipole.bandwidth = 0.8 * LIGHT;
	point.kind = SONDE_FDTD_MONITOR_KIND_POINT;
	point.center = (sonde_vector){-0.2, 0.2, 0.1};
	job.sources.count = job.monitors.count = 1;
	job.sources.items = &dipole;
	job.monitors.items = &point;
	note_status(work, sonde_fdtd_run(context, &job, &work->fdtd));
}

/* To a file of HDF5, whose library is not built for threads everywhere, with another one's message in between. */
static void write_files(struct work *work)
{
	char path[64];

	for (int k = 0; k < 4; ++k) {
		snprintf(path, sizeof path, "contexts_%s_%d.h5", work->name, k);
		note_status(work, sonde_debye_result_write(work->debye, path, 1));
		snprintf(path, sizeof path, "contexts_%s.unknown", work->name);
		if (sonde_debye_result_write(work->debye, path, 1) == SONDE_OK)
			work->worst = SONDE_INTERNAL;
		snprintf(work->message, sizeof work->message, "%s", sonde_status_message());
		snprintf(path, sizeof path, "contexts_%s_%d.h5", work->name, k);
		note_status(work, sonde_ions_result_write(work->ions, path, 1));
		(void)unlink(path);
	}
}

static void *run_all(void *user)
{
	static void (*const engines[])(sonde_context *, struct work *) = {run_debye, run_coulomb, run_ions, run_fdtd};
	struct work *work = user;
	sonde_context *context;

	if (sonde_context_create(&context) != SONDE_OK || sonde_context_set_device(context, "cpu") != SONDE_OK ||
	    sonde_context_set_threads(context, 2) != SONDE_OK) {
		work->worst = SONDE_RESOURCE;
		return NULL;
	}
	for (int k = 0; k < 4; ++k)
		engines[(work->first + k) % 4](context, work);
	if (work->worst == SONDE_OK)
		write_files(work);
	sonde_context_free(&context);
	return NULL;
}

static struct work make_work(const char *name, int first)
{
	return (struct work){.name = name,
			     .first = first,
			     .atoms = build_sphere(SONDE_BUILD_CELL_PEROVSKITE, "Sr,Ti,O", 3.905, 14.0),
			     .charges = random_charges(500, 20.0, 2.0, 0.0, false)};
}

static void free_work(struct work *work)
{
	sonde_debye_result_free(&work->debye);
	sonde_coulomb_result_free(&work->coulomb);
	sonde_ions_result_free(&work->ions);
	sonde_fdtd_result_free(&work->fdtd);
	sonde_atoms_free(&work->atoms);
	sonde_atoms_free(&work->charges);
}

static void compare(const struct work *a, const struct work *b)
{
	assert_int_equal(b->worst, SONDE_OK);
	assert_true(same_bits(a->debye, b->debye));
	assert_int_equal(a->coulomb->point_count, b->coulomb->point_count);
	assert_memory_equal(a->coulomb->potential, b->coulomb->potential,
			    (size_t)a->coulomb->point_count * sizeof(double));
	assert_memory_equal(a->coulomb->field, b->coulomb->field,
			    3 * (size_t)a->coulomb->point_count * sizeof(double));
	assert_memory_equal(&a->ions->range, &b->ions->range, sizeof a->ions->range);
	assert_int_equal(a->ions->tally_count, b->ions->tally_count);
	for (int k = 0; k < a->ions->tally_count; ++k)
		assert_memory_equal(a->ions->tallies[k].values, b->ions->tallies[k].values,
				    (size_t)a->ions->size[0] * sizeof(double));
	assert_int_equal(a->fdtd->steps, b->fdtd->steps);
	for (int k = 0; k < a->fdtd->monitors[0].array_count; ++k) {
		const sonde_fdtd_array *x = &a->fdtd->monitors[0].arrays[k], *y = &b->fdtd->monitors[0].arrays[k];
		size_t count = 1;
		for (int d = 0; d < x->rank; ++d)
			count *= (size_t)x->sizes[d];
		assert_string_equal(x->name, y->name);
		assert_memory_equal(x->values, y->values, count * sizeof(double));
	}
}

static void test_contexts_of_two_threads_do_not_meet(void **state)
{
	struct work alone = make_work("alone", 0), work[2] = {make_work("first", 0), make_work("second", 2)};
	pthread_t threads[2];
	(void)state;

	run_all(&alone);
	assert_int_equal(alone.worst, SONDE_OK);
	for (int k = 0; k < 2; ++k)
		assert_int_equal(pthread_create(&threads[k], NULL, run_all, &work[k]), 0);
	for (int k = 0; k < 2; ++k)
		assert_int_equal(pthread_join(threads[k], NULL), 0);
	for (int k = 0; k < 2; ++k) {
		char path[64];
		compare(&alone, &work[k]);
		/* the message of the thread's own file */
		snprintf(path, sizeof path, "contexts_%s.unknown: ", work[k].name);
		assert_true(strncmp(work[k].message, path, strlen(path)) == 0);
		free_work(&work[k]);
	}
	free_work(&alone);
}

/* Stops one of two contexts from a third thread while both are at work. */
struct victim {
	sonde_context *context;
	sonde_atoms *atoms;
	sonde_status status;
};

static void *run_long(void *user)
{
	struct victim *victim = user;
	sonde_debye_options options =
	    options_of(SONDE_DEBYE_METHOD_REFERENCE, SONDE_DEBYE_FACTORS_AUTO, 0.0, 20.0, 2000);
	sonde_debye_result *result;

	victim->status = sonde_debye_run(victim->context, victim->atoms, &options, &result);
	sonde_debye_result_free(&result);
	return NULL;
}

static void test_cancelling_stops_one_context_alone(void **state)
{
	struct victim victim = {make_context(1), build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.08, 40.0), SONDE_OK};
	struct work other = make_work("other", 0);
	pthread_t threads[2];
	(void)state;

	assert_int_equal(pthread_create(&threads[0], NULL, run_long, &victim), 0);
	assert_int_equal(pthread_create(&threads[1], NULL, run_all, &other), 0);
	usleep(50000);
	sonde_context_cancel(victim.context);
	assert_int_equal(pthread_join(threads[0], NULL), 0);
	assert_int_equal(pthread_join(threads[1], NULL), 0);
	assert_int_equal(victim.status, SONDE_CANCELLED);
	assert_int_equal(other.worst, SONDE_OK);
	free_work(&other);
	sonde_atoms_free(&victim.atoms);
	sonde_context_free(&victim.context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_contexts_of_two_threads_do_not_meet),
	    cmocka_unit_test(test_cancelling_stops_one_context_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
