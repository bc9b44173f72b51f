/* Results read back from their files: the values are bit-identical, their tables have the same bytes, and damaged
 * files are refused. */
#include <sys/stat.h>
#include <unistd.h>

#include "physics/charges.h"
#include "physics/fdtd_job.h"
#include "physics/transport.h"

static char *read_bytes(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	struct stat status;
	char *bytes;

	assert_non_null(file);
	assert_int_equal(fstat(fileno(file), &status), 0);
	bytes = malloc((size_t)status.st_size + 1);
	assert_non_null(bytes);
	*size = fread(bytes, 1, (size_t)status.st_size, file);
	assert_int_equal(*size, status.st_size);
	fclose(file);
	return bytes;
}

static void check_same_file(const char *a, const char *b)
{
	size_t sizes[2];
	char *bytes[2] = {read_bytes(a, &sizes[0]), read_bytes(b, &sizes[1])};

	assert_true(sizes[0] > 100);
	assert_int_equal(sizes[0], sizes[1]);
	assert_memory_equal(bytes[0], bytes[1], sizes[0]);
	free(bytes[0]);
	free(bytes[1]);
}

/* The file with one byte changed. */
static void damage(const char *path, size_t at)
{
	size_t size;
	char *bytes = read_bytes(path, &size);
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	bytes[at % size] = (char)(bytes[at % size] + 1);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	fclose(file);
	free(bytes);
}

static void test_patterns_are_read_back(void **state)
{
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_PEROVSKITE, "Sr,Ti,O", 3.905, 9.0);
	sonde_context *context = make_context(2);
	(void)state;

	for (int kind = 0; kind < 4; ++kind) {
		sonde_debye_result *one, *again;
		sonde_debye_options options =
		    options_of(kind == 1 ? SONDE_DEBYE_METHOD_HISTOGRAM : SONDE_DEBYE_METHOD_EXACT,
			       SONDE_DEBYE_FACTORS_AUTO, 0.3, 20.0, kind == 2 ? 1 : 150);
		options.q.last = kind == 2 ? options.q.first : options.q.last;
		options.r = (sonde_grid){0.0, 20.0, 77};
		options.counts = kind == 1;
		options.density = kind == 1 ? 0.08 : 0.0;
		options.radiation = kind == 3 ? SONDE_DEBYE_RADIATION_NEUTRON : SONDE_DEBYE_RADIATION_XRAY;
		one = run_on(2, atoms, &options);
		assert_int_equal(sonde_debye_result_write(one, "result_a.h5", 1), SONDE_OK);
		assert_int_equal(sonde_debye_result_read(context, "result_a.h5", &again), SONDE_OK);
		assert_true(same_bits(one, again));
		assert_int_equal(one->counted_pairs != NULL, kind == 1);
		assert_int_equal(again->counted_pairs != NULL, kind == 1);
		assert_int_equal(one->options->method, again->options->method);
		assert_int_equal(again->options->struct_size, sizeof options);
		assert_true(one->bin_width == again->bin_width && one->largest_bound == again->largest_bound);
		/* and of what was read another file can be made */
		assert_int_equal(sonde_debye_result_write(again, "result_b.h5", 1), SONDE_OK);
		sonde_debye_result_free(&again);
		assert_int_equal(sonde_debye_result_read(context, "result_b.h5", &again), SONDE_OK);
		assert_true(same_bits(one, again));
		if (kind != 2) {
			assert_int_equal(sonde_debye_result_write(one, "result_a.csv", 1), SONDE_OK);
			assert_int_equal(sonde_debye_result_write(again, "result_b.csv", 1), SONDE_OK);
			check_same_file("result_a.csv", "result_b.csv");
		}
		sonde_debye_result_free(&one);
		sonde_debye_result_free(&again);
	}
	sonde_atoms_free(&atoms);
	sonde_context_free(&context);
}

static void check_potential(sonde_context *context, const sonde_coulomb_result *one, const char *path)
{
	sonde_coulomb_result *again;
	const size_t numbers = (size_t)one->charge_sets * (size_t)one->point_count;

	if (sonde_coulomb_result_read(context, path, &again) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	assert_int_equal(one->point_count, again->point_count);
	assert_int_equal(one->is_grid, again->is_grid);
	assert_memory_equal(one->size, again->size, sizeof one->size);
	assert_memory_equal(one->steps, again->steps, sizeof one->steps);
	assert_int_equal(one->masked, again->masked);
	assert_int_equal(one->coincident, again->coincident);
	assert_true(one->largest_error == again->largest_error && one->energy == again->energy);
	assert_string_equal(sonde_coulomb_unit(one), sonde_coulomb_unit(again));
	if (one->potential != NULL)
		assert_memory_equal(one->potential, again->potential, numbers * sizeof(double));
	if (one->field != NULL)
		assert_memory_equal(one->field, again->field, 3 * numbers * sizeof(double));
	if (one->potential != NULL) {
		assert_int_equal(sonde_coulomb_result_write(one, "result_a.csv", 1), SONDE_OK);
		assert_int_equal(sonde_coulomb_result_write(again, "result_b.csv", 1), SONDE_OK);
		check_same_file("result_a.csv", "result_b.csv");
	}
	/* volumes can be made of it; of several sets one each */
	if (again->is_grid) {
		const bool cube = again->field == NULL;
		const char *name = cube ? "result_b.cube" : "result_b.vtk";
		(void)unlink("result_b_2.vtk");
		if (sonde_coulomb_result_write(again, name, 1) != SONDE_OK)
			fail_msg("%s", sonde_status_message());
		assert_int_equal(access(again->charge_sets == 1 ? name : "result_b_2.vtk", F_OK), 0);
	}
	sonde_coulomb_result_free(&again);
}

static void test_potentials_are_read_back(void **state)
{
	sonde_atoms *atoms = random_charges(60, 10.0, 2.0, 0.0, false);
	sonde_context *context = make_context(2);
	sonde_coulomb_result *one;
	FILE *points = fopen("result_points.txt", "w");
	double more[60];
	(void)state;

	assert_non_null(points);
	for (int k = 0; k < 20; ++k)
		fprintf(points, "%d 0.5 %g\n", k - 10, 0.3 * k);
	fclose(points);
	for (int kind = 0; kind < 5; ++kind) {
		sonde_coulomb_options options = grid_options(-7.0, -6.0, -5.0, 1.1, 8, 9, 10, FLOAT64);
		options.quantity = kind == 0 ? SONDE_COULOMB_QUANTITY_POTENTIAL : BOTH;
		options.exclude_within = kind == 1 ? 1.5 : 0.0;
		options.forces = kind == 2 || kind == 4;
		if (kind == 3) {
			options.size = options.origin = (sonde_vector){0.0, 0.0, 0.0};
			snprintf(options.points, sizeof options.points, "result_points.txt");
		}
		for (int k = 0; k < 60 && kind == 4; ++k)
			more[k] = uniform_number(5, (uint64_t)k) - 0.5;
		if (kind == 4)
			assert_int_equal(sonde_atoms_add_charges(atoms, more), SONDE_OK);
		if (sonde_coulomb_run(context, atoms, &options, &one) != SONDE_OK)
			fail_msg("%d: %s", kind, sonde_status_message());
		assert_int_equal(one->masked > 0, kind == 1);
		assert_int_equal(sonde_coulomb_result_write(one, "result_a.h5", 1), SONDE_OK);
		check_potential(context, one, "result_a.h5");
		sonde_coulomb_result_free(&one);
	}
	sonde_atoms_free(&atoms);
	sonde_context_free(&context);
}

/* A file that was written while the potential was computed. */
static void test_streamed_potentials_are_read_back(void **state)
{
	sonde_atoms *atoms = random_charges(60, 10.0, 2.0, 0.0, false);
	sonde_coulomb_options options = grid_options(-7.0, -6.0, -5.0, 1.1, 8, 9, 10, FLOAT64);
	sonde_context *context = make_context(2);
	sonde_coulomb_result *whole, *streamed, *again;
	(void)state;

	assert_int_equal(sonde_coulomb_run(context, atoms, &options, &whole), SONDE_OK);
	assert_int_equal(sonde_coulomb_run_to_file(context, atoms, &options, "result_s.h5", 1, &streamed), SONDE_OK);
	assert_int_equal(sonde_coulomb_result_read(context, "result_s.h5", &again), SONDE_OK);
	assert_memory_equal(whole->potential, again->potential, (size_t)whole->point_count * sizeof(double));
	assert_memory_equal(whole->field, again->field, 3 * (size_t)whole->point_count * sizeof(double));
	sonde_coulomb_result_free(&whole);
	sonde_coulomb_result_free(&streamed);
	sonde_coulomb_result_free(&again);
	sonde_atoms_free(&atoms);
	sonde_context_free(&context);
}

static void test_histories_are_read_back(void **state)
{
	sonde_context *context = make_context(2);
	(void)state;

	for (int kind = 0; kind < 3; ++kind) {
		sonde_ions_options options =
		    ion_options("As", "20keV", kind == 1 ? "SiO2@2.2:5nm/Si:30nm" : "Si", 150);
		sonde_ions_result *one, *again;
		options.trajectories = kind == 0 ? 3 : 0;
		options.exits = 1000;
		options.fluence = kind == 1 ? 1e14 : 0.0;
		options.flight = kind == 2 ? MONOLAYER : EXPONENTIAL;
		if (kind == 2)
			options.cells = (sonde_vector){1.0, 3.0, 4.0};
		one = follow_on("cpu", 2, &options);
		assert_int_equal(sonde_ions_result_write(one, "result_a.h5", 1), SONDE_OK);
		if (sonde_ions_result_read(context, "result_a.h5", &again) != SONDE_OK)
			fail_msg("%s", sonde_status_message());
		assert_null(difference(one, again, false));
		assert_int_equal(one->vertex_count, again->vertex_count);
		assert_int_equal(one->vertex_count > 3, kind == 0);
		for (int64_t k = 0; k < one->vertex_count; ++k) {
			assert_int_equal(one->vertices[k].atom, again->vertices[k].atom);
			assert_true(one->vertices[k].energy == again->vertices[k].energy);
			assert_memory_equal(one->vertices[k].position, again->vertices[k].position,
					    sizeof one->vertices[k].position);
		}
		assert_true(one->seconds == again->seconds);
		assert_int_equal(sonde_ions_result_write(again, "result_b.h5", 1), SONDE_OK);
		sonde_ions_result_free(&again);
		assert_int_equal(sonde_ions_result_read(context, "result_b.h5", &again), SONDE_OK);
		assert_null(difference(one, again, false));
		assert_int_equal(sonde_ions_result_write(one, "result_a.csv", 1), SONDE_OK);
		assert_int_equal(sonde_ions_result_write(again, "result_b.csv", 1), SONDE_OK);
		check_same_file("result_a.csv", "result_b.csv");
		sonde_ions_result_free(&one);
		sonde_ions_result_free(&again);
	}
	sonde_context_free(&context);
}

static void test_stopping_is_read_back(void **state)
{
	sonde_context *context = make_context(2);
	(void)state;

	for (int kind = 0; kind < 2; ++kind) {
		sonde_stopping_options options;
		sonde_stopping_result *one, *again;
		sonde_stopping_options_init(&options);
		snprintf(options.ion, sizeof options.ion, "11B");
		snprintf(options.target, sizeof options.target, kind == 0 ? "SiO2@2.2" : "Ar@gas");
		snprintf(options.energies, sizeof options.energies, "1keV:1MeV:9");
		options.compare = kind == 0 ? SONDE_STOPPING_COMPARE_LINDHARD : SONDE_STOPPING_COMPARE_NONE;
		options.stopping_factor = 1.1;
		assert_int_equal(sonde_stopping_run(context, &options, &one), SONDE_OK);
		assert_int_equal(sonde_stopping_result_write(one, "result_a.h5", 1), SONDE_OK);
		if (sonde_stopping_result_read(kind == 0 ? context : NULL, "result_a.h5", &again) != SONDE_OK)
			fail_msg("%s", sonde_status_message());
		const size_t bytes = (size_t)one->count * sizeof(double);
		assert_int_equal(one->count, 9);
		assert_int_equal(again->count, 9);
		assert_memory_equal(one->energies, again->energies, bytes);
		assert_memory_equal(one->electronic, again->electronic, bytes);
		assert_memory_equal(one->nuclear, again->nuclear, bytes);
		assert_memory_equal(one->straggling, again->straggling, bytes);
		assert_memory_equal(one->range, again->range, bytes);
		assert_memory_equal(one->range_straggling, again->range_straggling, bytes);
		assert_memory_equal(one->lateral_straggling, again->lateral_straggling, bytes);
		assert_memory_equal(one->path, again->path, bytes);
		assert_int_equal(again->difference != NULL, kind == 0);
		assert_int_equal(again->element_count, kind == 0 ? 2 : 1);
		assert_memory_equal(one->fractions, again->fractions, sizeof one->fractions);
		assert_true(one->range_error == again->range_error && one->path_error == again->path_error);
		assert_true(one->seconds == again->seconds && again->options->stopping_factor == 1.1);
		assert_int_equal(sonde_stopping_result_write(one, "result_a.csv", 1), SONDE_OK);
		assert_int_equal(sonde_stopping_result_write(again, "result_b.csv", 1), SONDE_OK);
		check_same_file("result_a.csv", "result_b.csv");
		assert_int_equal(sonde_stopping_result_write_srim(one, "result_srim.txt", 1), SONDE_OK);
		sonde_stopping_result_free(&one);
		sonde_stopping_result_free(&again);
	}
	sonde_context_free(&context);
}

/* A disk in two dimensions, with monitors of many kinds. */
static sonde_fdtd_result *run_disk(sonde_context *context, int kind)
{
	struct fdtd_job *made = malloc(sizeof *made);
	assert_non_null(made);
	fdtd_job_begin(made, 1e-6, 1.2e-6, 0.0, 50e-9);
	made->job.options.time = 20e-15;
	made->job.options.precision = kind == 1 ? SONDE_FDTD_PRECISION_FLOAT32 : SONDE_FDTD_PRECISION_FLOAT64;
	made->job.options.complex_numbers =
	    kind == 2 ? SONDE_FDTD_COMPLEX_NUMBERS_COMPOUND : made->job.options.complex_numbers;
	made->job.options.error = kind == 0 ? SONDE_FDTD_ERROR_ESTIMATE : SONDE_FDTD_ERROR_NONE;
	fdtd_job_add_material(made, "glass")->index = 1.5;
	fdtd_job_add_body(made, SONDE_BODY_SHAPE_SPHERE, "glass")->radius = 2e-7;
	sonde_fdtd_source_options *source = fdtd_job_add_source(made, SONDE_FDTD_SOURCE_KIND_PLANE_WAVE);
	source->direction = (sonde_vector){1.0, 0.0, 0.0};
	source->polarization = (sonde_vector){0.0, 0.0, 1.0};
	source->wavelength = 600e-9;
	static const int kinds[] = {SONDE_FDTD_MONITOR_KIND_POINT, SONDE_FDTD_MONITOR_KIND_FIELDS,
				    SONDE_FDTD_MONITOR_KIND_SNAPSHOT, SONDE_FDTD_MONITOR_KIND_CROSS_SECTION,
				    SONDE_FDTD_MONITOR_KIND_RESONANCES};
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
		sonde_fdtd_monitor_options *monitor = fdtd_job_add_monitor(made, kinds[k]);
		if (kinds[k] == SONDE_FDTD_MONITOR_KIND_SNAPSHOT)
			monitor->every = 5e-15;
		else if (kinds[k] == SONDE_FDTD_MONITOR_KIND_RESONANCES)
			monitor->frequencies = (sonde_grid){4e14, 6e14, 0};
		else if (kinds[k] != SONDE_FDTD_MONITOR_KIND_POINT)
			monitor->wavelengths = (sonde_grid){500e-9, 700e-9, 5};
		if (kinds[k] == SONDE_FDTD_MONITOR_KIND_FIELDS || kinds[k] == SONDE_FDTD_MONITOR_KIND_SNAPSHOT)
			monitor->size = (sonde_vector){4e-7, 3e-7, 0.0};
	}
	sonde_fdtd_result *result = fdtd_job_run(context, made);
	free(made);
	return result;
}

static size_t count_of(const sonde_fdtd_array *array)
{
	size_t count = 1;

	for (int r = 0; r < array->rank; ++r)
		count *= (size_t)array->sizes[r];
	return count;
}

static void check_fields(const sonde_fdtd_result *one, const sonde_fdtd_result *again, bool single)
{
	assert_int_equal(one->monitor_count, 5);
	assert_int_equal(again->monitor_count, 5);
	for (int n = 0; n < one->monitor_count; ++n) {
		const sonde_fdtd_monitor *a = &one->monitors[n], *b = &again->monitors[n];
		assert_string_equal(a->name, b->name);
		assert_string_equal(a->kind, b->kind);
		assert_int_equal(a->array_count, b->array_count);
		for (int k = 0; k < a->array_count; ++k) {
			const sonde_fdtd_array *p = &a->arrays[k], *q = &b->arrays[k];
			const bool field = strchr("EH", p->name[0]) != NULL;
			assert_string_equal(p->name, q->name);
			assert_string_equal(p->unit, q->unit);
			assert_int_equal(p->rank, q->rank);
			assert_memory_equal(p->sizes, q->sizes, sizeof p->sizes);
			assert_memory_equal(p->axes, q->axes, sizeof p->axes);
			for (size_t i = 0; i < count_of(p); ++i)
				assert_true(q->values[i] ==
					    (single && field ? (double)(float)p->values[i] : p->values[i]));
		}
	}
}

static void test_fields_are_read_back(void **state)
{
	sonde_context *context = make_context(2);
	(void)state;

	for (int kind = 0; kind < 3; ++kind) {
		sonde_fdtd_result *one = run_disk(context, kind), *again;
		assert_int_equal(sonde_fdtd_result_write(one, "result_a.h5", 1), SONDE_OK);
		if (sonde_fdtd_result_read(kind == 0 ? context : NULL, "result_a.h5", &again) != SONDE_OK)
			fail_msg("%s", sonde_status_message());
		check_fields(one, again, kind == 1);
		assert_memory_equal(one->plan, again->plan, sizeof *one->plan);
		assert_int_equal(one->steps, again->steps);
		assert_true(one->time == again->time && one->left == again->left && one->rate == again->rate);
		assert_true(one->options->courant == again->options->courant && one->seconds == again->seconds);
		assert_int_equal(isnan(again->grid_error), kind != 0 || isnan(one->grid_error));
		assert_true(kind != 0 || one->rounding_error == again->rounding_error);
		/* and of what was read another file can be made */
		assert_int_equal(sonde_fdtd_result_write(again, "result_b.h5", 1), SONDE_OK);
		sonde_fdtd_result_free(&again);
		assert_int_equal(sonde_fdtd_result_read(context, "result_b.h5", &again), SONDE_OK);
		check_fields(one, again, kind == 1);
		if (kind != 1) { /* the table has the numbers of the memory */
			assert_int_equal(sonde_fdtd_result_write(one, "result_a.csv", 1), SONDE_OK);
			assert_int_equal(sonde_fdtd_result_write(again, "result_b.csv", 1), SONDE_OK);
			check_same_file("result_a.csv", "result_b.csv");
		}
		sonde_fdtd_result_free(&one);
		sonde_fdtd_result_free(&again);
	}
	sonde_context_free(&context);
}

/* Files of fields and of stopping, damaged anywhere. */
static void test_damaged_fields_and_stopping_are_refused(void **state)
{
	sonde_context *context = make_context(1);
	sonde_fdtd_result *fields = run_disk(context, 2), *fields_again;
	sonde_stopping_options options;
	sonde_stopping_result *stopping, *stopping_again;
	(void)state;

	sonde_stopping_options_init(&options);
	snprintf(options.target, sizeof options.target, "Si");
	assert_int_equal(sonde_stopping_run(context, &options, &stopping), SONDE_OK);
	for (int k = 0; k < 40; ++k) {
		const size_t at = (size_t)(1e6 * uniform_number(5, (uint64_t)k));
		assert_int_equal(sonde_fdtd_result_write(fields, "result_d.h5", 1), SONDE_OK);
		assert_int_equal(sonde_stopping_result_read(context, "result_d.h5", &stopping_again), SONDE_INVALID);
		assert_null(stopping_again);
		damage("result_d.h5", at);
		assert_int_equal(sonde_fdtd_result_read(context, "result_d.h5", &fields_again), SONDE_INVALID);
		assert_null(fields_again);
		assert_int_equal(sonde_stopping_result_write(stopping, "result_d.h5", 1), SONDE_OK);
		assert_int_equal(sonde_fdtd_result_read(context, "result_d.h5", &fields_again), SONDE_INVALID);
		assert_null(fields_again);
		damage("result_d.h5", at);
		assert_int_equal(sonde_stopping_result_read(context, "result_d.h5", &stopping_again), SONDE_INVALID);
		assert_null(stopping_again);
	}
	sonde_fdtd_result_free(&fields);
	sonde_stopping_result_free(&stopping);
	sonde_context_free(&context);
}

/* Every byte is under the seal; other engines' and other files are no results. */
static void test_damaged_and_foreign_files_are_refused(void **state)
{
	sonde_context *context = make_context(1);
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.08, 6.0);
	sonde_debye_options options = options_of(SONDE_DEBYE_METHOD_EXACT, SONDE_DEBYE_FACTORS_AUTO, 0.3, 20.0, 50);
	sonde_debye_result *result = run_on(1, atoms, &options), *again;
	sonde_coulomb_result *potential;
	sonde_ions_result *ions;
	(void)state;

	assert_int_equal(sonde_debye_result_read(context, "result_absent.h5", &again), SONDE_INVALID);
	assert_null(again);
	assert_int_equal(sonde_debye_result_write(result, "result_c.h5", 1), SONDE_OK);
	assert_int_equal(sonde_coulomb_result_read(context, "result_c.h5", &potential), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "result_c.h5: is not a result of sonde coulomb"));
	assert_null(potential);
	assert_int_equal(sonde_ions_result_read(context, "result_c.h5", &ions), SONDE_INVALID);
	assert_null(ions);
	for (int k = 0; k < 40; ++k) {
		assert_int_equal(sonde_debye_result_write(result, "result_c.h5", 1), SONDE_OK);
		damage("result_c.h5", (size_t)(1e6 * uniform_number(3, (uint64_t)k)));
		assert_int_equal(sonde_debye_result_read(context, "result_c.h5", &again), SONDE_INVALID);
		assert_null(again);
	}
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
	sonde_context_free(&context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_patterns_are_read_back),
	    cmocka_unit_test(test_potentials_are_read_back),
	    cmocka_unit_test(test_streamed_potentials_are_read_back),
	    cmocka_unit_test(test_histories_are_read_back),
	    cmocka_unit_test(test_stopping_is_read_back),
	    cmocka_unit_test(test_fields_are_read_back),
	    cmocka_unit_test(test_damaged_fields_and_stopping_are_refused),
	    cmocka_unit_test(test_damaged_and_foreign_files_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
