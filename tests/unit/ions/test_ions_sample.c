/* Jobs of ions with a description of a sample: the same job as with its bodies and materials. */
#include "unit/support.h"

#include <math.h>

#include "ions/settled_job.h"

static const char description[] =
    "materials:\n"
    "  - {name: gold, library: Au-JC, cell: fcc, species: Au, a: 4.0782}\n"
    "  - {name: glass, composition: SiO2, density: 2.2, index: 1.45, displacement: Si=15.5, lattice: 2}\n"
    "bodies:\n"
    "  - {material: glass, shape: sphere, radius: 6.1 nm, center: [7.3 nm, 0, 0]}\n"
    "  - {material: gold, shape: ellipsoid, radii: [4 nm, 4 nm, 3.3 nm], center: [73, 0.1, 0], rotation: [0, 30, "
    "0],\n"
    "     orient: 'hkl:1,1,1'}\n"
    "  - {material: gold, shape: prism, vertices: [[0, 0], [1 nm, 0], [0, 10]], height: 7, center: [5, 3 nm, 0]}\n";

static sonde_ions_job simple_job(const char *target)
{
	sonde_ions_job job;

	sonde_ions_job_init(&job);
	strcpy(job.options.ion, "Xe");
	strcpy(job.options.energy, "20");
	strcpy(job.options.target, target);
	return job;
}

static sonde_sample *read(const char *text)
{
	sonde_sample *sample;

	assert_status(SONDE_OK, sonde_sample_read(test_write_text("sample.yaml", text), &sample));
	return sample;
}

/* The bodies of the description as a list of the job. */
static void old_way(sonde_body_options bodies[3])
{
	for (int n = 0; n < 3; ++n)
		sonde_body_init(&bodies[n]);
	bodies[0].shape = SONDE_BODY_SHAPE_SPHERE;
	strcpy(bodies[0].material, "SiO2@2.2");
	bodies[0].radius = 61;
	bodies[0].center = (sonde_vector){73, 0, 0};
	bodies[1].shape = SONDE_BODY_SHAPE_ELLIPSOID;
	strcpy(bodies[1].material, "Au@19.2887");
	bodies[1].radii = (sonde_vector){40, 40, 33};
	bodies[1].center = (sonde_vector){73, 0.1, 0};
	bodies[1].rotation = (sonde_vector){0, 30, 0};
	strcpy(bodies[1].orient, "hkl:1,1,1");
	bodies[2].shape = SONDE_BODY_SHAPE_PRISM;
	strcpy(bodies[2].material, "Au@19.2887");
	strcpy(bodies[2].vertices, "0,0;1 nm,0;0,10");
	bodies[2].height = 7;
	bodies[2].center = (sonde_vector){5, 30, 0};
}

static void test_a_sample_is_the_same_as_its_bodies(void **unused)
{
	sonde_ions_job job = simple_job("vacuum:20nm/Si"), old = job;
	sonde_body_options bodies[3];
	struct settled_job one, other;
	sonde_sample *sample = read(description);

	(void)unused;
	old_way(bodies);
	old.bodies.count = 3;
	old.bodies.items = bodies;
	strcpy(old.options.displacement, "Si@b1=15.5");
	strcpy(old.options.lattice, "Si@b1=2,O@b1=2");
	job.sample = sample;
	assert_status(SONDE_OK, ions_job_settle(&job, &one));
	assert_status(SONDE_OK, ions_job_settle(&old, &other));
	assert_string_equal(one.options->displacement, other.options->displacement);
	assert_string_equal(one.options->lattice, other.options->lattice);
	assert_memory_equal(one.options, other.options, sizeof *one.options);
	assert_true(one.bodies.count == 3 && other.bodies.count == 3);
	assert_memory_equal(one.bodies.items, other.bodies.items, 3 * sizeof *one.bodies.items);
	ions_job_settled_free(&one);
	ions_job_settled_free(&other);
	sonde_sample_free(&sample);
}

/* Its origin is moved; bodies of the job are beneath it, and may be of its materials. */
static void test_a_sample_on_a_substrate(void **unused)
{
	sonde_ions_job job = simple_job("vacuum:30nm/glass");
	sonde_body_options own;
	struct settled_job settled;
	sonde_sample *sample = read(description);

	(void)unused;
	sonde_body_init(&own);
	own.shape = SONDE_BODY_SHAPE_BOX;
	own.size = own.center = (sonde_vector){10, 20, 30};
	strcpy(own.material, "glass");
	job.bodies.count = 1;
	job.bodies.items = &own;
	job.sample = sample;
	job.options.sample_center = (sonde_vector){100, -5, 0.5};
	assert_status(SONDE_OK, ions_job_settle(&job, &settled));
	assert_string_equal(settled.options->target, "vacuum:30nm/SiO2@2.2");
	assert_string_equal(settled.options->displacement, "Si@2=15.5,Si@b1=15.5,Si@b2=15.5");
	assert_true(settled.bodies.count == 4);
	assert_string_equal(settled.bodies.items[0].material, "SiO2@2.2");
	assert_true(settled.bodies.items[1].center.x == 173.0 && settled.bodies.items[1].center.y == -5.0 &&
		    settled.bodies.items[1].center.z == 0.5);
	ions_job_settled_free(&settled);
	sonde_sample_free(&sample);
}

/* A layer of the surroundings with the sample in it. */
static void test_a_sample_without_a_target(void **unused)
{
	sonde_ions_job job = simple_job("");
	struct settled_job settled;
	sonde_sample *sample =
	    read("surroundings: water\nmaterials: [{name: gold, composition: Au}]\nbodies:\n"
		 "  - {material: gold, shape: sphere, radius: 2 nm, center: [-1 nm, 3 nm, 0]}\n"
		 "  - {material: gold, shape: box, size: 2 nm, repeat: [2, 1, 1], pitch: [60, 0, 0]}\n");

	(void)unused;
	job.sample = sample;
	assert_status(SONDE_OK, ions_job_settle(&job, &settled));
	assert_string_equal(settled.options->target, "water:80A"); /* from -40 to 40 */
	assert_true(settled.bodies.items[0].center.x == 30.0 && settled.bodies.items[0].center.y == 30.0);
	assert_true(settled.bodies.items[1].center.x == 40.0);
	ions_job_settled_free(&settled);
	job.options.sample_center.x = 3;
	assert_invalid("x is the depth in a target", ions_job_settle(&job, &settled));
	ions_job_settled_free(&settled);
	sonde_sample_free(&sample);
}

static void test_messages_name_the_place_in_the_sample(void **unused)
{
	sonde_ions_job job = simple_job("Si");
	struct settled_job settled;
	sonde_sample *sample = read("materials:\n- {name: mirror, conductor: true}\nbodies:\n"
				    "- {material: Au, shape: sphere, radius: 5, center: [9, 0, 0]}\n"
				    "- {material: mirror, shape: sphere, radius: 5}\n");
	sonde_context *context;
	struct sonde_ions_plan *plan;

	(void)unused;
	job.file = "job.yaml";
	job.sample = sample;
	assert_invalid("sample.yaml:5: bodies 2: material: ", ions_job_settle(&job, &settled));
	assert_message("sample.yaml:2: materials 1: has no composition, and its name is not one");
	ions_job_settled_free(&settled);
	sonde_sample_free(&sample);
	sample = read("bodies:\n- {material: Au, shape: sphere, radius: 5}\n");
	job.sample = sample;
	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_invalid("sample.yaml:2: bodies 1: it begins at -5 Angstrom, in front of the surface",
		       sonde_ions_job_plan(context, &job, &plan));
	sonde_context_free(&context);
	sonde_sample_free(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_sample_is_the_same_as_its_bodies),
	    cmocka_unit_test(test_a_sample_on_a_substrate),
	    cmocka_unit_test(test_a_sample_without_a_target),
	    cmocka_unit_test(test_messages_name_the_place_in_the_sample),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
