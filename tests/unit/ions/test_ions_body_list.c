/* Lists of bodies of ions: texts, copies, what is refused, and prisms as surfaces. */
#include "device/kernel_plain.h"

#include "unit/shapes.h"
#include "unit/support.h"

#include "matter/shape/prism_surface.h"
#include "unit/ions_target.h"

#define NM 0.1 /* Angstrom */

/* A list and a text that mean the same are the same to the last bit. */
static void list_and_text_give_identical_bodies(void **state)
{
	static sonde_ions_options options;
	struct target of_text, of_list;
	sonde_body_options bodies[6];
	(void)state;

	options_set_defaults(&ions_option_table, &options);
	strcpy(options.target, "vacuum:20nm/Si");
	strcpy(options.bodies, "Au:sphere:61.3@100.7,0.1,0/SiO2@2.2:box:20.9,31,45.1@150,-40.3,7/"
			       "W:ellipsoid:20.1,30.7,40@90,3,4/Cu:cylinder-x:11.1,33.3@70,7,0.3/"
			       "Cu:cylinder-y:11.1,33.3@70,7,0.3/Cu:cylinder-z:11.1,33.3@70,7,0.3");
	assert_status(SONDE_OK, target_make(&options, NULL, &of_text));
	bodies[0] = body_of(SONDE_BODY_SHAPE_SPHERE, "Au");
	bodies[0].center = (sonde_vector){100.7, 0.1, 0.0};
	bodies[0].radius = 61.3;
	bodies[1] = body_of(SONDE_BODY_SHAPE_BOX, "SiO2@2.2");
	bodies[1].center = (sonde_vector){150.0, -40.3, 7.0};
	bodies[1].size = (sonde_vector){20.9, 31.0, 45.1};
	bodies[2] = body_of(SONDE_BODY_SHAPE_ELLIPSOID, "W");
	bodies[2].center = (sonde_vector){90.0, 3.0, 4.0};
	bodies[2].radii = (sonde_vector){20.1, 30.7, 40.0};
	for (int k = 0; k < 3; ++k) {
		bodies[3 + k] = body_of(SONDE_BODY_SHAPE_CYLINDER, "Cu");
		bodies[3 + k].center = (sonde_vector){70.0, 7.0, 0.3};
		bodies[3 + k].radius = 11.1;
		bodies[3 + k].height = 33.3;
		bodies[3 + k].axis = (sonde_vector){k == 0, k == 1, k == 2};
	}
	assert_status(SONDE_OK, make_target("vacuum:20nm/Si", bodies, 6, &of_list));
	assert_int_equal(of_text.body_count, of_list.body_count);
	assert_memory_equal(of_text.bodies, of_list.bodies, sizeof of_text.bodies);
	for (int k = 0; k < of_text.region_count; ++k) {
		assert_true(of_text.layers[k].begin == of_list.layers[k].begin &&
			    of_text.layers[k].end == of_list.layers[k].end);
		assert_string_equal(of_text.layers[k].material.name, of_list.layers[k].material.name);
		assert_true(of_text.layers[k].material.density == of_list.layers[k].material.density);
	}
}

static void copies_lie_around_the_center(void **state)
{
	sonde_body_options body = body_of(SONDE_BODY_SHAPE_SPHERE, "Au");
	struct target target;
	(void)state;

	body.radius = 10.0;
	body.repeat = (sonde_vector){2.0, 1.0, 3.0};
	body.pitch = (sonde_vector){50.0, 0.0, 30.0};
	assert_status(SONDE_OK, make_target("vacuum:1um", &body, 1, &target));
	assert_int_equal(target.body_count, 6);
	for (int n = 0; n < 6; ++n) {
		assert_within(target.bodies[n].center[0], NM * (1000.0 + (n % 2 == 0 ? -25.0 : 25.0)), 1e-12,
			      "center 0");
		assert_within(target.bodies[n].center[2], NM * (-50.0 + 30.0 * (n / 2 - 1)), 1e-12, "center 2");
	}
	body.repeat.x = 12.0;
	assert_invalid("more than 32 bodies", make_target("vacuum:1um", &body, 1, &target));
}

static void unsupported_bodies_are_refused(void **state)
{
	static sonde_ions_options options;
	sonde_body_options bodies[2] = {body_of(SONDE_BODY_SHAPE_SPHERE, "Au"),
					body_of(SONDE_BODY_SHAPE_SPHERE, "Au")};
	const size_t lines[2] = {7, 9};
	const struct body_list list = {.count = 2, .items = bodies, .file = "job.yaml", .lines = lines};
	struct target target;
	(void)state;

	options_set_defaults(&ions_option_table, &options);
	strcpy(options.target, "vacuum:200nm");
	bodies[0].radius = bodies[1].radius = 50.0;
	assert_status(SONDE_OK, target_make(&options, &list, &target));
#define REFUSED(words, change)                                                \
	do {                                                                  \
		const sonde_body_options before = bodies[1];                  \
		change;                                                       \
		assert_invalid(words, target_make(&options, &list, &target)); \
		assert_message("job.yaml:9: bodies 2: ");                     \
		target_free(&target);                                         \
		bodies[1] = before;                                           \
	} while (0)
	REFUSED("shape: required", bodies[1].shape = -1);
	REFUSED("material: required", bodies[1].material[0] = '\0');
	REFUSED("unknown material 'Auu', did you mean 'Au'?", strcpy(bodies[1].material, "Auu"));
	REFUSED("height: not an option of a sphere, which has material", bodies[1].height = 1.0);
	REFUSED("radius = 0", bodies[1].radius = 0.0);
	REFUSED("begins at -40 Angstrom, in front of the surface", bodies[1].center.x = 10.0);
	REFUSED("beyond the target", bodies[1].center.x = 5000.0);
	REFUSED("at least 0.01", bodies[1].radius = 1e-4);
	REFUSED("in-reference: ", bodies[1].in_reference = SONDE_BODY_IN_REFERENCE_TRUE);
	REFUSED("first of the list", {
		bodies[1] = body_of(SONDE_BODY_SHAPE_VOXELS, "");
		strcpy(bodies[1].file, "map.h5");
	});
	REFUSED("balls of atoms, which must be the first of the list",
		bodies[1] = body_of(SONDE_BODY_SHAPE_BUILD, "Au"));
	REFUSED("file: required, an STL file", bodies[1] = body_of(SONDE_BODY_SHAPE_STL, "Au"));
	REFUSED("height: it must be more than 0", {
		bodies[1] = body_of(SONDE_BODY_SHAPE_CONE, "Au");
		bodies[1].radius = 5.0;
	});
	strcpy(options.bodies, "Au:sphere:60@100,0,0");
	assert_invalid("bodies: given both as a list", target_make(&options, &list, &target));
}

/* A hollow that reaches beyond the body would not be empty: an L about a point next to it. */
static void hollows_lie_within(void **state)
{
	sonde_body_options body = body_of(SONDE_BODY_SHAPE_PRISM, "Au");
	struct target target;
	(void)state;

	body.height = 30.0;
	body.hollow = 0.5;
	strcpy(body.vertices, "-80,-60;80,-60;80,-20;0,-20;-20,-20;-20,70;-80,70");
	assert_invalid("hollow: not possible here", make_target("vacuum:1mm", &body, 1, &target));
	target_free(&target);
	strcpy(body.vertices, "-40,-40;40,-40;0,50");
	assert_status(SONDE_OK, make_target("vacuum:1mm", &body, 1, &target));
	target_free(&target);
}

/* Polygons as triangles: volumes of prisms, of either sense and along each axis. */
static void prisms_are_closed_surfaces(void **state)
{
	static const double star[] = {0.0, 90.0,  -25.0, 20.0,  -90.0, 10.0,  -35.0, -30.0, -55.0, -95.0,
				      0.0, -50.0, 60.0,  -95.0, 35.0,  -30.0, 90.0,  10.0,  25.0,  20.0};
	(void)state;

	for (int axis = 0; axis < 3; ++axis)
		for (int sense = 0; sense < 2; ++sense) {
			double vertices[20];
			struct shape *shape;
			struct surface surface;
			for (int n = 0; n < 10; ++n) {
				const int from = sense == 0 ? n : 9 - n;
				vertices[2 * n] = star[2 * from];
				vertices[2 * n + 1] = star[2 * from + 1];
			}
			assert_status(SONDE_OK, shape_create_prism(axis, vertices, 10, 3.0, 10.0, &shape));
			assert_status(SONDE_OK, prism_surface(shape, &surface));
			assert_int_equal(20, surface.vertex_count);
			assert_int_equal(2 * 8 + 20, surface.triangle_count);
			assert_within(surface.volume, shape_volume(shape), 1e-9 * surface.volume, "volume");
			surface_free(&surface);
			shape_free(&shape);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(list_and_text_give_identical_bodies), cmocka_unit_test(copies_lie_around_the_center),
	    cmocka_unit_test(unsupported_bodies_are_refused),      cmocka_unit_test(hollows_lie_within),
	    cmocka_unit_test(prisms_are_closed_surfaces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
