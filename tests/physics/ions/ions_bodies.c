/* sonde ions: the same body specified in several ways has the same histories, or, if its surface is represented
 * differently, the same results within their errors. */
#include "physics/transport.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <hdf5.h>

#include "sonde/body.h"

#define RADIUS 80.0 /* Angstrom */
#define HEIGHT 200.0
#define CENTER_X 100.0
#define SIDES 90 /* of the polygon */
#define VOXEL 2.5

/* Helium over a cylinder that lies along z, in vacuum: much of it goes through or past. */
static sonde_ions_job helium(void)
{
	static sonde_ions_job job;

	sonde_ions_job_init(&job);
	job.options = ion_options("He", "1keV", "vacuum:20nm", ions_for_device(20000));
	job.options.flight = MONOLAYER;
	job.options.cascades = SONDE_IONS_CASCADES_QUICK;
	job.options.spot = 50.0;
	job.options.angle = 20.0;
	return job;
}

static sonde_body_options cylinder(void)
{
	sonde_body_options body;

	sonde_body_init(&body);
	body.shape = SONDE_BODY_SHAPE_CYLINDER;
	strcpy(body.material, "Au");
	body.center.x = CENTER_X;
	body.radius = RADIUS;
	body.height = HEIGHT;
	return body;
}

static sonde_ions_result *follow_body(const sonde_body_options *body, const char *text)
{
	sonde_ions_job job = helium();

	if (body != NULL) {
		job.bodies.count = 1;
		job.bodies.items = body;
	}
	strcpy(job.options.bodies, text);
	return follow_job(&job);
}

/* Its parts, its range and its scatter. */
static void check_like(const char *what, const sonde_ions_result *found, const sonde_ions_result *expected,
		       double share)
{
	printf("%s:\n", what);
	check_estimate("reflection", found->reflection, expected->reflection.value, expected->reflection.error,
		       share);
	check_estimate("transmission", found->transmission, expected->transmission.value,
		       expected->transmission.error, share);
	check_estimate("range", found->range, expected->range.value, expected->range.error, share);
	check_estimate("straggling", found->straggling, expected->straggling.value, expected->straggling.error,
		       share);
}

static void list_and_text_have_the_same_histories(void **state)
{
	const sonde_body_options body = cylinder();
	sonde_ions_result *list = follow_body(&body, ""), *text = follow_body(NULL, "Au:cylinder-z:80,200@100,0,0");
	(void)state;

	const char *found = difference(list, text, false);
	if (found != NULL)
		fail_msg("a list and a text have not the same %s", found);
	assert_true(list->reflection.value > 0.01 && list->transmission.value > 0.05 && list->implanted > 1000);
	sonde_ions_result_free(&list);
	sonde_ions_result_free(&text);
}

/* A polygon of the same section. */
static void polygon(sonde_body_options *body)
{
	const double turn = 2.0 * M_PI / SIDES, radius = RADIUS * sqrt(turn / sin(turn));
	size_t used = 0;

	body->shape = SONDE_BODY_SHAPE_PRISM;
	body->radius = 0.0;
	for (int n = 0; n < SIDES; ++n)
		used += (size_t)snprintf(body->vertices + used, sizeof body->vertices - used, "%s%.6f,%.6f",
					 n > 0 ? ";" : "", radius * cos(n * turn), radius * sin(n * turn));
	assert_true(used < sizeof body->vertices);
}

/* The facets of the cylinder's surface do not matter to helium, as long as the surface is in its place. */
static void representation_of_a_surface_does_not_matter(void **state)
{
	sonde_body_options body = cylinder();
	sonde_ions_result *expected = follow_body(&body, "");
	(void)state;

	polygon(&body);
	sonde_ions_result *found = follow_body(&body, "");
	check_like("a prism", found, expected, 0.0);
	sonde_ions_result_free(&found);
	/* turned about z nothing changes but the draw */
	body = cylinder();
	body.axis = (sonde_vector){0.0, 0.0, -2.5};
	found = follow_body(&body, "");
	check_like("a cylinder upside down", found, expected, 0.0);
	sonde_ions_result_free(&found);
	/* a cone with both radii the same */
	body = cylinder();
	body.shape = SONDE_BODY_SHAPE_CONE;
	body.radius_top = RADIUS;
	found = follow_body(&body, "");
	check_like("a cone", found, expected, 0.0);
	sonde_ions_result_free(&found);
	sonde_ions_result_free(&expected);
}

static void write_dataset(hid_t file, const char *path, hid_t type, int rank, const hsize_t *sizes, const void *data)
{
	hid_t space = H5Screate_simple(rank, sizes, NULL);
	hid_t dataset = H5Dcreate2(file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

	assert_true(dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
	H5Dclose(dataset);
	H5Sclose(space);
}

/* The section in voxels of which one along z is as long as the cylinder; around it there is none. */
static void write_voxels(const char *path)
{
	enum { N = (int)(2.0 * RADIUS / VOXEL) };
	static int numbers[1][N][N];
	const hsize_t sizes[3] = {1, N, N}, three = 3;
	const double spacing[3] = {VOXEL, VOXEL, HEIGHT};

	for (int j = 0; j < N; ++j)
		for (int i = 0; i < N; ++i)
			numbers[0][j][i] = hypot((i + 0.5) * VOXEL - RADIUS, (j + 0.5) * VOXEL - RADIUS) < RADIUS;
	hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	hid_t group = H5Gcreate2(file, "/voxels", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	write_dataset(file, "/voxels/materials", H5T_NATIVE_INT, 3, sizes, numbers);
	write_dataset(file, "/voxels/spacing", H5T_NATIVE_DOUBLE, 1, &three, spacing);
	H5Gclose(group);
	assert_true(H5Fclose(file) >= 0);
}

static void voxels_agree_with_the_body(void **state)
{
	char path[] = "/tmp/sonde-voxels-XXXXXX";
	sonde_body_options body = cylinder();
	sonde_ions_result *expected = follow_body(&body, "");
	(void)state;

	const int file = mkstemp(path);
	assert_true(file >= 0);
	close(file);
	write_voxels(path);
	sonde_body_init(&body);
	body.shape = SONDE_BODY_SHAPE_VOXELS;
	body.center.x = CENTER_X;
	strcpy(body.file, path);
	strcpy(body.materials, "none;Au");
	sonde_ions_result *found = follow_body(&body, "");
	unlink(path);
	check_like("voxels", found, expected, 0.01);
	sonde_ions_result_free(&found);
	sonde_ions_result_free(&expected);
}

/* The list is in the file, and is planned again from there. */
static void list_of_bodies_is_read_back_from_the_result(void **state)
{
	char folder[] = "/tmp/sonde-bodies-XXXXXX", path[64];
	sonde_body_options bodies[2] = {cylinder(), cylinder()};
	sonde_ions_job job = helium();
	sonde_context *context = NULL;
	sonde_ions_result *written, *found;
	(void)state;

	bodies[1].shape = SONDE_BODY_SHAPE_BOX;
	bodies[1].radius = bodies[1].height = 0.0;
	strcpy(bodies[1].material, "SiO2@2.2");
	bodies[1].size = (sonde_vector){30.0, 20.1, 1.0 / 3.0};
	bodies[1].rotation.y = 33.0;
	job.options.number = 200;
	job.bodies.count = 2;
	job.bodies.items = bodies;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/result.h5", folder);
	assert_int_equal(sonde_context_create(&context), SONDE_OK);
	if (sonde_ions_job_run(context, &job, path, 0, &written) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	if (sonde_ions_result_read(context, path, &found) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	const char *differs = difference(written, found, false);
	if (differs != NULL)
		fail_msg("what was read has not the same %s", differs);
	sonde_ions_result_free(&written);
	sonde_ions_result_free(&found);
	sonde_context_free(&context);
	unlink(path);
	rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(list_and_text_have_the_same_histories),
	    cmocka_unit_test(representation_of_a_surface_does_not_matter),
	    cmocka_unit_test(voxels_agree_with_the_body),
	    cmocka_unit_test(list_of_bodies_is_read_back_from_the_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
