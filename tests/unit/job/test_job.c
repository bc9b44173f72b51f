/* Job files read from C. */
#include "unit/support.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "campaign/campaign.h"
#include "library/spec.h"
#include "io/containers/yaml.h"
#include "sonde/sonde.h"

static sonde_job *read_text(const char *text)
{
	sonde_job *job;

	if (sonde_job_read(test_write_text("job.yaml", text), &job) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	return job;
}

static void test_blocks_of_several_engines(void **unused)
{
	sonde_job *job = read_text("output: result.h5\nforce: true\n"
				   "build: {cell: rocksalt, species: 'Na,Cl', a: 5.6402, sphere: 9}\n"
				   "debye: {q: 0.5:20:300, radiation: neutron}\n"
				   "coulomb: {charges: 'Na=1,Cl=-1', spacing: 0.7}\n");
	sonde_context *context;
	sonde_atoms *atoms;
	(void)unused;

	const sonde_debye_options *debye = sonde_job_options(job, "debye");
	assert_non_null(debye);
	assert_int_equal(debye->struct_size, sizeof *debye);
	assert_int_equal(debye->q.points, 300);
	assert_int_equal(debye->radiation, SONDE_DEBYE_RADIATION_NEUTRON);
	assert_true(debye->tolerance > 0.0); /* a default */
	const sonde_coulomb_options *coulomb = sonde_job_options(job, "coulomb");
	assert_non_null(coulomb);
	assert_true(coulomb->spacing.z == 0.7);
	assert_null(sonde_job_options(job, "ions"));
	assert_null(sonde_job_options(job, "nothing"));
	assert_null(sonde_job_fdtd(job));
	assert_string_equal(sonde_job_output(job), "result.h5");
	assert_true(sonde_job_overwrites(job));
	assert_string_equal(sonde_job_notes(job), "");

	assert_int_equal(sonde_context_create(&context), SONDE_OK);
	assert_int_equal(sonde_job_set_context(job, context), SONDE_OK);
	assert_int_equal(sonde_job_sample(job, context, &atoms), SONDE_OK);
	assert_true(sonde_atoms_count(atoms) > 50);
	assert_string_equal(sonde_atoms_species_label(atoms, 0), "Na");
	sonde_atoms_free(&atoms);
	sonde_context_free(&context);
	sonde_job_free(&job);
	assert_null(job);
	sonde_job_free(&job);
}

/* Lists of the block `build`: bodies, and copies of structures from files next to the job. */
static void assert_sample(const char *text, int64_t count)
{
	sonde_job *job = read_text(text);
	sonde_context *context;
	sonde_atoms *atoms;

	assert_int_equal(sonde_context_create(&context), SONDE_OK);
	if (sonde_job_sample(job, context, &atoms) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	assert_int_equal(sonde_atoms_count(atoms), count);
	sonde_atoms_free(&atoms);
	sonde_context_free(&context);
	sonde_job_free(&job);
}

static void test_lists_of_build(void **unused)
{
	(void)unused;
	/* 5^3 points, and 3 x 3 at y = 3 without the middle */
	assert_sample("build:\n  cell: sc\n  species: Po\n  a: 1\n  box: [4, 4, 4]\n  bodies:\n"
		      "    - {shape: box, size: [2, 1, 2], center: [0, 3, 0]}\n"
		      "    - {shape: sphere, radius: 0.5, center: [0, 3, 0], material: vacuum}\n",
		      125 + 8);
	(void)test_write_text("pair.xyz", "2\n\nH 0 0 0\nH 0 0 1\n");
	(void)test_write_text("one.xyz", "1\n\nHe 5 5 5\n");
	assert_sample("build:\n  structures: [{file: pair.xyz, fraction: 1}, {file: one.xyz, fraction: 3}]\n"
		      "  copies: 8\n  copy-spacing: 9\n",
		      2 * 2 + 6);
}

static void test_ions_with_bodies(void **unused)
{
	sonde_job *job = read_text("ions:\n  ion: He\n  energy: 1keV\n  target: vacuum:20nm\n  number: 20\n"
				   "  bodies: [{material: Au, shape: sphere, center: [10 nm, 0, 0], radius: 50}]\n");
	const sonde_ions_job *ions = sonde_job_ions(job);
	sonde_context *context;
	sonde_ions_result *result;
	(void)unused;

	assert_non_null(ions);
	assert_int_equal(ions->bodies.count, 1);
	assert_true(ions->bodies.items[0].center.x == 100.0 && ions->bodies.items[0].radius == 50.0);
	assert_int_equal(ions->bodies.lines[0], 6);
	assert_int_equal(sonde_context_create(&context), SONDE_OK);
	assert_int_equal(sonde_context_set_device(context, "cpu"), SONDE_OK);
	assert_int_equal(sonde_ions_job_run(context, ions, NULL, 0, &result), SONDE_OK);
	assert_int_equal(result->layer_count, 2);
	assert_string_equal(result->layers[1].name, "Au");
	sonde_ions_result_free(&result);
	sonde_context_free(&context);
	sonde_job_free(&job);
}

static void test_fdtd_with_its_lists(void **unused)
{
	sonde_job *job =
	    read_text("fdtd:\n  size: [1 um, 1 um, 1 um]\n  cell: 50 nm\n  time: 10 fs\n"
		      "  materials: [{name: glass, index: 1.5}]\n"
		      "  bodies: [{material: glass, shape: sphere, radius: 250 nm}]\n"
		      "  sources:\n    - {kind: dipole, polarization: [0, 0, 1], wavelength: 700 nm}\n"
		      "    - {kind: dipole, center: [0.1 um, 0, 0], polarization: [0, 1, 0], wavelength: 500 nm}\n"
		      "  monitors: [{kind: point, center: [0.2 um, 0, 0]}]\n");
	const sonde_fdtd_job *fdtd = sonde_job_fdtd(job);
	sonde_context *context;
	sonde_fdtd_plan plan;
	(void)unused;

	assert_non_null(fdtd);
	assert_ptr_not_equal(fdtd, NULL);
	assert_true(fdtd->options.size.x > 0.9e-6 && fdtd->options.size.x < 1.1e-6);
	assert_int_equal(fdtd->sources.count, 2);
	assert_int_equal(fdtd->bodies.count, 1);
	assert_string_equal(fdtd->bodies.items[0].material, "glass");
	assert_int_equal(fdtd->boundaries.count, 0);
	assert_int_equal(sonde_context_create(&context), SONDE_OK);
	assert_int_equal(sonde_context_set_device(context, "cpu"), SONDE_OK);
	if (sonde_fdtd_make_plan(context, fdtd, &plan) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	assert_int_equal(plan.inner_cells[0], 20);
	assert_int_equal(plan.struct_size, sizeof plan);
	sonde_context_free(&context);
	sonde_job_free(&job);
}

static void test_samples_and_mistakes(void **unused)
{
	sonde_context *context;
	sonde_atoms *atoms;
	sonde_job *job;
	(void)unused;

	assert_int_equal(sonde_context_create(&context), SONDE_OK);
	/* a file in the job's folder */
	(void)test_write_text("two.xyz", "2\n\nAu 0 0 0\nAu 2 0 0\n");
	job = read_text("sample: two.xyz\ndebye: {q: 1:2:3}\n");
	assert_int_equal(sonde_job_sample(job, context, &atoms), SONDE_OK);
	assert_int_equal(sonde_atoms_count(atoms), 2);
	sonde_atoms_free(&atoms);
	sonde_job_free(&job);
	job = read_text("debye: {q: 1:2:3}\n");
	assert_int_equal(sonde_job_sample(job, context, &atoms), SONDE_INVALID);
	assert_null(atoms);
	sonde_job_free(&job);
	sonde_context_free(&context);

	assert_int_equal(sonde_job_read(test_write_text("job.yaml", "debye:\n  qq: 1\n"), &job), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "job.yaml:2:3"));
	assert_null(job);
	assert_int_equal(sonde_job_read("there/is/none.yaml", &job), SONDE_INVALID);
	assert_int_equal(sonde_job_read(test_write_text("job.yaml", "sample: absent.xyz\ndebye:\n"), &job),
			 SONDE_INVALID);
	assert_null(job);
	assert_int_equal(sonde_job_read(NULL, &job), SONDE_INVALID);
}

/* Every example can be read. */
/* A description is the sample of all probes of a job. */
static void test_descriptions_of_samples(void **unused)
{
	sonde_context *context;
	sonde_sample *sample;
	sonde_atoms *atoms, *same;
	sonde_job *job;

	(void)unused;
	test_write_text("ball.yaml", "materials: [{name: gold, cell: fcc, species: Au, a: 4.0782, index: 0.5}]\n"
				     "bodies: [{material: gold, shape: sphere, radius: 1 nm}]\n");
	assert_status(SONDE_OK, sonde_job_read(test_write_text("all.yaml", "sample: ball.yaml\ndebye: {q: 1:2:3}\n"
									   "ions: {ion: He, energy: 1keV}\n"
									   "fdtd: {cell: 1 nm}\n"),
					       &job));
	assert_non_null(sonde_job_ions(job)->sample);
	assert_ptr_equal(sonde_job_ions(job)->sample, sonde_job_fdtd(job)->sample);
	assert_string_equal(sonde_sample_materials(sonde_job_ions(job)->sample)->composition, "Au");
	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_job_sample(job, context, &atoms));
	assert_status(SONDE_OK, sonde_sample_read(test_path("ball.yaml"), &sample));
	assert_status(SONDE_OK, sonde_sample_build(context, sample, &same));
	assert_true(sonde_atoms_count(atoms) == 249 && sonde_atoms_count(same) == 249);
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&same);
	sonde_sample_free(&sample);
	sonde_job_free(&job);
	test_write_text("ball.yaml", "materials: []\nbodies: [{material: gold, shape: sphere, radius: x}]\n");
	assert_invalid("ball.yaml:2:50: radius: ", sonde_job_read(test_path("all.yaml"), &job));
	assert_null(job);
	sonde_context_free(&context);
}

static void test_all_examples_are_read(void **unused)
{
	glob_t found;
	(void)unused;

	assert_int_equal(glob(EXAMPLES "/*/*.yaml", 0, NULL, &found), 0);
	assert_true(found.gl_pathc > 5);
	for (size_t k = 0; k < found.gl_pathc; ++k) {
		sonde_job *job;
		int blocks = 0;
		static const char *const names[] = {"debye",    "pattern", "coulomb", "ions",
						    "stopping", "fdtd",    "build"};
		if (sonde_sample_is_one(found.gl_pathv[k])) {
			sonde_sample *sample;
			assert_status(SONDE_OK, sonde_sample_read(found.gl_pathv[k], &sample));
			sonde_sample_free(&sample);
			continue;
		}
		bool is_campaign;
		assert_status(SONDE_OK, yaml_has_key(found.gl_pathv[k], "vary", &is_campaign));
		if (is_campaign) {
			struct campaign *campaign;
			assert_status(SONDE_OK, campaign_read(found.gl_pathv[k], 100, &campaign));
			campaign_free(&campaign);
			continue;
		}
		bool is_library;
		assert_status(SONDE_OK, yaml_has_key(found.gl_pathv[k], "structures", &is_library));
		if (is_library) {
			struct library_spec *library;
			assert_status(SONDE_OK, library_spec_read(found.gl_pathv[k], 100, &library));
			library_spec_free(&library);
			continue;
		}
		/* another reader's: cli_examples runs it */
		bool is_refinement;
		assert_status(SONDE_OK, yaml_has_key(found.gl_pathv[k], "refine", &is_refinement));
		if (is_refinement)
			continue;
		sonde_status status = sonde_job_read(found.gl_pathv[k], &job);
		/* samples that the examples make first are not there */
		if (status != SONDE_OK && strstr(sonde_status_message(), "cannot be read: No such file") != NULL)
			continue;
		if (status != SONDE_OK)
			fail_msg("%s", sonde_status_message());
		for (int n = 0; n < 7; ++n)
			blocks += sonde_job_options(job, names[n]) != NULL;
		assert_true(blocks > 0);
		sonde_job_free(&job);
	}
	globfree(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_blocks_of_several_engines), cmocka_unit_test(test_lists_of_build),
	    cmocka_unit_test(test_ions_with_bodies),          cmocka_unit_test(test_fdtd_with_its_lists),
	    cmocka_unit_test(test_samples_and_mistakes),      cmocka_unit_test(test_all_examples_are_read),
	    cmocka_unit_test(test_descriptions_of_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
