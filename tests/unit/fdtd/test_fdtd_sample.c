/* Jobs of fdtd with a description of a sample: the same job as with its bodies and materials. */
#include "unit/support.h"

#include "fdtd/job/complete.h"

static sonde_sample *read(const char *text)
{
	sonde_sample *sample;

	assert_status(SONDE_OK, sonde_sample_read(test_write_text("sample.yaml", text), &sample));
	return sample;
}

/* Lengths have the same bits as if they were read in meters, with a unit or without. */
static void test_a_sample_is_the_same_as_its_bodies(void **unused)
{
	sonde_sample *sample =
	    read("materials: [{name: glass, index: 1.45, composition: SiO2, density: 2.2}]\n"
		 "bodies:\n"
		 "- {material: glass, shape: sphere, radius: 20.3 nm, center: [1.7 nm, -123.456789, 0]}\n"
		 "- {material: Au-JC, shape: cone, radius: 0.3 um, radius-top: 7, height: 33 nm, axis: [1, 2, 3]}\n"
		 "- {material: glass, shape: prism, vertices: [[0, 0], [10 nm, 0], [0, 99.9]], height: 1 nm}\n"
		 "- {material: glass, shape: box, size: 3 nm, repeat: [2, 1, 1], pitch: [31, 0, 0]}\n");
	static const struct {
		const char *material, *key, *value;
	} given[] = {{"glass", "radius", "20.3 nm"},
		     {"", "center", "1.7 nm,-12.3456789 nm,0"},
		     {"Au-JC", "radius", "300 nm"},
		     {"", "radius_top", "0.7 nm"},
		     {"", "height", "33 nm"},
		     {"", "axis", "1,2,3"},
		     {"glass", "vertices", "0 A,0 A;10 nm,0 A;0 A,99.9 A"},
		     {"", "height", "1 nm"},
		     {"glass", "size", "3 nm"},
		     {"", "repeat", "2,1,1"},
		     {"", "pitch", "3.1 nm,0,0"}};
	static const int shapes[] = {SONDE_BODY_SHAPE_SPHERE, SONDE_BODY_SHAPE_CONE, SONDE_BODY_SHAPE_PRISM,
				     SONDE_BODY_SHAPE_BOX};
	sonde_body_options bodies[4];
	struct complete_job complete;
	sonde_fdtd_job job;
	int body = -1;

	(void)unused;
	for (size_t k = 0; k < COUNT(given); ++k) {
		if (given[k].material[0] != '\0') {
			sonde_body_init(&bodies[++body]);
			strcpy(bodies[body].material, given[k].material);
			bodies[body].shape = shapes[body];
		}
		assert_status(SONDE_OK, option_parse(options_find(&body_table_in_meters, given[k].key), &bodies[body],
						     given[k].value));
	}
	sonde_fdtd_job_init(&job);
	job.sample = sample;
	assert_status(SONDE_OK, job_complete(&job, &complete));
	assert_true(complete.job.bodies.count == 4 && complete.job.materials.count == 1);
	assert_memory_equal(complete.job.bodies.items, bodies, sizeof bodies);
	assert_string_equal(complete.job.materials.items[0].name, "glass");
	/* a complete job can be completed again, as for its companion */
	struct complete_job again;
	assert_status(SONDE_OK, job_complete(&complete.job, &again));
	assert_true(again.job.bodies.count == 4 && again.job.materials.count == 1);
	job_complete_free(&again);
	job_complete_free(&complete);
	sonde_sample_free(&sample);
}

/* Bodies of the job come first; names of its materials precede those of the sample. */
static void test_a_sample_on_a_substrate(void **unused)
{
	sonde_sample *sample = read("surroundings: water\n"
				    "materials: [{name: glass, index: 1.45}, {name: water, index: 1.33}]\n"
				    "bodies: [{material: glass, shape: sphere, radius: 20 nm}]\n");
	sonde_body_options own;
	sonde_fdtd_material_options material;
	struct complete_job complete;
	sonde_fdtd_job job;

	(void)unused;
	sonde_fdtd_job_init(&job);
	sonde_body_init(&own);
	sonde_fdtd_material_init(&material);
	strcpy(material.name, "glass");
	material.index = 1.6;
	own.shape = SONDE_BODY_SHAPE_BOX;
	job.materials.count = job.bodies.count = 1;
	job.materials.items = &material;
	job.bodies.items = &own;
	job.sample = sample;
	job.options.sample_center = (sonde_vector){0, 0, 50e-9};
	assert_status(SONDE_OK, job_complete(&job, &complete));
	assert_true(complete.job.bodies.count == 2 && complete.job.bodies.items[0].shape == SONDE_BODY_SHAPE_BOX);
	assert_true(complete.job.bodies.items[1].center.z == 50e-9);
	assert_true(complete.job.materials.count == 3 && complete.job.materials.items[0].index == 1.6);
	assert_true(complete.job.options.background == 1.33);
	job_complete_free(&complete);
	job.options.background = 1.4; /* of the job */
	assert_status(SONDE_OK, job_complete(&job, &complete));
	assert_true(complete.job.options.background == 1.4);
	job_complete_free(&complete);
	sonde_sample_free(&sample);
}

static void test_what_is_refused(void **unused)
{
	sonde_sample *sample =
	    read("surroundings: air\n"
		 "materials:\n- {name: bare, composition: SiO2}\n- {name: odd, index: 2, library: Au}\n"
		 "bodies:\n- {material: Au, shape: sphere, radius: 20 nm}\n");
	struct complete_job complete;
	sonde_context *context;
	sonde_fdtd_plan plan;
	sonde_fdtd_job job;

	(void)unused;
	sonde_fdtd_job_init(&job);
	job.sample = sample;
	job.file = "job.yaml";
	job.options.size = (sonde_vector){200e-9, 200e-9, 200e-9};
	job.options.cell = (sonde_vector){20e-9, 20e-9, 20e-9};
	job.options.time = 1e-15;
	assert_invalid("sample.yaml: surroundings: 'air' is not an item", job_complete(&job, &complete));
	job_complete_free(&complete);
	job.options.background = 1.0003;
	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_invalid("sample.yaml:3: materials 1: has a composition, but no optical constants",
		       sonde_fdtd_make_plan(context, &job, &plan));
	sonde_context_free(&context);
	sonde_sample_free(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_sample_is_the_same_as_its_bodies),
	    cmocka_unit_test(test_a_sample_on_a_substrate),
	    cmocka_unit_test(test_what_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
