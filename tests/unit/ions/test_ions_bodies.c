/* Bodies in which kernels follow ions, compared with the shapes from which they are made: lines through them, and
 * points. */
#include <stdio.h>

#include "device/kernel_plain.h"

#include "ions/kernels/bodies.h"

#include "unit/shapes.h"
#include "unit/support.h"

#include "unit/ions_target.h"

#define NM 0.1 /* Angstrom */

static uint64_t drawn;

/* From low to high. */
static double draw(double low, double high)
{
	drawn = drawn * 6364136223846793005u + 1442695040888963407u;
	return low + (high - low) * ((double)(drawn >> 11) * 0x1p-53);
}

static sonde_vector draw_vector(double low, double high)
{
	sonde_vector vector;

	vector.x = draw(low, high);
	vector.y = draw(low, high);
	vector.z = draw(low, high);
	return vector;
}

/* A target in vacuum, and what kernels have of it. */
struct sample {
	struct target target;
	struct ions_job job;
	struct ions_layer_numbers layer;
	struct run run;
};

static void make_sample(const sonde_body_options *bodies, int64_t count, struct sample *sample)
{
	assert_status(SONDE_OK, make_target("vacuum:1mm", bodies, count, &sample->target));
	sample->job = (struct ions_job){.layers = 1,
					.bodies = (u32)sample->target.body_count,
					.regions = 1 + (u32)sample->target.body_count,
					.mesh_numbers = (u32)sample->target.mesh_numbers};
	sample->layer = (struct ions_layer_numbers){.begin = -1e6, .end = 1e6, .first_kind = 1};
	sample->run = (struct run){.job = &sample->job,
				   .layers = &sample->layer,
				   .bodies = sample->target.bodies,
				   .meshes = sample->target.meshes,
				   .voxels = sample->target.voxel_words};
}

/* A block with a hollow, and one next to it: not convex. */
static const char *write_blocks(void)
{
	const double low[3][3] = {{-60.0, -50.0, -40.0}, {-30.0, -20.0, -20.0}, {40.0, -10.0, -45.0}},
		     high[3][3] = {{20.0, 50.0, 45.0}, {10.0, 30.0, 25.0}, {70.0, 55.0, 15.0}};
	struct triangles triangles = {NULL, 0, 0};
	struct text text = {0};

	for (int k = 0; k < 3; ++k) {
		int64_t first = triangles.count;
		add_box(&triangles, low[k], high[k]);
		if (k == 1)
			turn_over(&triangles, first);
	}
	text_append(&text, "solid blocks\n");
	for (int64_t n = 0; n < triangles.count; ++n) {
		const double *at = &triangles.corners[9 * n];
		text_append(&text, "facet normal 0 0 0\nouter loop\n");
		for (int k = 0; k < 3; ++k)
			text_append(&text, "vertex %.9g %.9g %.9g\n", at[3 * k], at[3 * k + 1], at[3 * k + 2]);
		text_append(&text, "endloop\nendfacet\n");
	}
	text_append(&text, "endsolid blocks\n");
	const char *path = test_write_text("blocks.stl", text.bytes);
	text_free(&text);
	free(triangles.corners);
	return path;
}

/* One of each kind, at random. */
static sonde_body_options random_body(int number)
{
	static const int shapes[] = {SONDE_BODY_SHAPE_BOX,      SONDE_BODY_SHAPE_SPHERE, SONDE_BODY_SHAPE_ELLIPSOID,
				     SONDE_BODY_SHAPE_CYLINDER, SONDE_BODY_SHAPE_CONE,   SONDE_BODY_SHAPE_PRISM,
				     SONDE_BODY_SHAPE_STL};
	static const sonde_vector axes[] = {{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {0, 2, 0}, {1, -2, 3}, {-1, 0.01, 0}};
	sonde_body_options body = body_of(shapes[number % 7], "Au");
	const int turn = number / 7;

	body.center = draw_vector(900.0, 1100.0);
	if (body.shape == SONDE_BODY_SHAPE_BOX)
		body.size = draw_vector(20.0, 200.0);
	if (body.shape == SONDE_BODY_SHAPE_ELLIPSOID)
		body.radii = draw_vector(20.0, 150.0);
	if ((body.shape == SONDE_BODY_SHAPE_BOX || body.shape == SONDE_BODY_SHAPE_ELLIPSOID) && turn > 0)
		body.rotation = turn == 1 ? (sonde_vector){90.0, 0.0, 0.0} : draw_vector(-180.0, 180.0);
	if (body.shape == SONDE_BODY_SHAPE_SPHERE || body.shape == SONDE_BODY_SHAPE_CYLINDER ||
	    body.shape == SONDE_BODY_SHAPE_CONE)
		body.radius = draw(20.0, 150.0);
	if (body.shape == SONDE_BODY_SHAPE_CYLINDER || body.shape == SONDE_BODY_SHAPE_CONE) {
		body.height = draw(20.0, 200.0);
		body.axis = axes[turn % 6];
	}
	if (body.shape == SONDE_BODY_SHAPE_CONE) {
		body.radius_top = turn % 3 == 0 ? 0.0 : draw(10.0, 200.0);
		body.radius = turn % 3 == 1 ? 0.0 : body.radius;
	}
	if (body.shape == SONDE_BODY_SHAPE_PRISM) {
		body.axis = axes[turn % 4];
		body.height = draw(20.0, 200.0);
		strcpy(body.vertices,
		       turn % 2 == 0
			   ? "-80,-60;80,-60;80,-20;0,-20;-20,-20;-20,70;-80,70"                      /* an L */
			   : "0,90;-25,20;-90,10;-35,-30;-55,-95;0,-50;6 nm,-95;35,-30;90,10;25,20"); /* a star */
	}
	if (body.shape == SONDE_BODY_SHAPE_STL) {
		strcpy(body.file, write_blocks());
		body.scale = turn % 2 == 0 ? 1.0 : 1.7;
	}
	return body;
}

/* A tube or a shell. */
static sonde_body_options random_hollow_body(int number)
{
	sonde_body_options body = random_body(number);

	if (body.shape == SONDE_BODY_SHAPE_STL || body.shape == SONDE_BODY_SHAPE_PRISM)
		body = random_body(number % 7 == 5 ? number - 5 : number - 6);
	if (body.shape == SONDE_BODY_SHAPE_CYLINDER && number % 4 != 0)
		body.inner_radius = draw(0.3, 0.7) * body.radius;
	else
		body.hollow = draw(0.3, 0.7);
	return body;
}

static sonde_body_options random_polyhedron(int number)
{
	sonde_body_options body = body_of(SONDE_BODY_SHAPE_OCTAHEDRON + number % 8, "Au");

	body.center = draw_vector(900.0, 1100.0);
	body.edge = draw(30.0, 100.0);
	if (number >= 8)
		body.rotation = draw_vector(-180.0, 180.0);
	if (number >= 16)
		body.hollow = draw(0.3, 0.7);
	if (body.shape == SONDE_BODY_SHAPE_HEXAGONAL_PRISM)
		body.height = draw(30.0, 150.0);
	if (body.shape != SONDE_BODY_SHAPE_WULFF)
		return body;
	body.edge = 0.0;
	body.radius = draw(30.0, 100.0);
	strcpy(body.orient, number < 16 ? "hkl:1,1,1" : "");
	body.c_over_a = number < 8 ? 0.0 : 1.6;
	strcpy(body.wulff, number < 8 ? "111:1.0,100:1.15,110:1.2" : "0001:1,10-10:1.2,10-11:1.1");
	return body;
}

/* An icosahedron, a decahedron, or an oblique block. */
static sonde_body_options random_twin(int number)
{
	sonde_body_options body = body_of(SONDE_BODY_SHAPE_ICOSAHEDRON + number % 3, "Au");

	body.center = draw_vector(900.0, 1100.0);
	if (number >= 3)
		body.rotation = draw_vector(-180.0, 180.0);
	if (number >= 6)
		body.hollow = draw(0.3, 0.7);
	if (body.shape == SONDE_BODY_SHAPE_ICOSAHEDRON)
		body.edge = draw(30.0, 100.0);
	if (body.shape == SONDE_BODY_SHAPE_DECAHEDRON) {
		body.radius = draw(30.0, 100.0);
		body.height = number == 1 ? 0.0 : draw(10.0, 100.0);
	}
	if (body.shape != SONDE_BODY_SHAPE_PARALLELEPIPED)
		return body;
	for (int k = 0; k < 9; ++k) {
		const size_t used = strlen(body.edges);
		const double part = k == 8 ? draw(-90.0, -50.0) : k % 4 == 0 ? draw(50.0, 90.0) : draw(-30.0, 30.0);
		snprintf(body.edges + used, sizeof body.edges - used, "%g%s", part,
			 k == 8       ? ""
			 : k % 3 == 2 ? ";"
				      : ",");
	}
	return body;
}

/* From one surface to the next one along a direction of length 1, as atoms in vacuum fly; the lengths that were flown, nm. At most `most`. */
static int fly_through(const struct sample *sample, const double start[3], const double direction[3], double length,
		       double *where, u32 *regions, int most)
{
	struct flights f;
	double flown = 0.0;
	u32 out;
	int count = 0;

	memset(&f, 0, sizeof f);
	f.x[0] = start[0];
	f.y[0] = start[1];
	f.z[0] = start[2];
	f.length[0] = (f32)length;
	f.layer[0] = region_at(&sample->run, start[0], start[1], start[2], &out);
	regions[0] = f.layer[0];
	for (;;) {
		f.next_x[0] = f.x[0] + length * direction[0];
		f.next_y[0] = f.y[0] + length * direction[1];
		f.next_z[0] = f.z[0] + length * direction[2];
		const struct met_surface surface = next_surface(&sample->run, &f, 0);
		if (surface.part >= 1.0 || flown > length)
			return count;
		const double normal[3] = {surface.normal_x, surface.normal_y, surface.normal_z};
		assert_within(sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]), 1.0, 1e-6,
			      "normal");
		assert_true(normal[0] * direction[0] + normal[1] * direction[1] + normal[2] * direction[2] >= -1e-6);
		const double step = surface.part * length + NUDGE;
		f.x[0] += step * direction[0];
		f.y[0] += step * direction[1];
		f.z[0] += step * direction[2];
		flown += step;
		f.layer[0] = surface.region;
		assert_true(count < most);
		where[count++] = flown - NUDGE;
		regions[count] = surface.region;
	}
}

#define MOST_CROSSINGS 512
#define CLOSE 1e-5 /* nm: intervals that are shorter, and places so near to a surface, are not compared */

/* Whether a place in nm is in the shape, whose lengths are in Angstrom; -1 where a little more or less makes a difference. */
static int contains(const struct shape *shape, const double place[3])
{
	int inside = -1;

	for (int n = 0; n < 8; ++n) {
		double near[3];
		for (int k = 0; k < 3; ++k)
			near[k] = (place[k] + (n >> k & 1 ? CLOSE : -CLOSE)) / NM;
		const int here = shape_contains(shape, near);
		if (n > 0 && here != inside)
			return -1;
		inside = here;
	}
	return inside;
}

static void random_place(const struct shape *shape, double place[3])
{
	double low[3], high[3];

	shape_bounds(shape, low, high);
	for (int k = 0; k < 3; ++k)
		place[k] = NM * draw(low[k] - 0.2 * (high[k] - low[k]), high[k] + 0.2 * (high[k] - low[k]));
}

static void same_places(const struct shape *shape, const struct sample *sample, int *inside)
{
	double place[3];
	u32 out;

	for (int n = 0; n < 500; ++n) {
		random_place(shape, place);
		const int expected = contains(shape, place);
		if (expected < 0)
			continue;
		assert_int_equal(expected, (int)region_at(&sample->run, place[0], place[1], place[2], &out));
		*inside += expected;
	}
}

/* Flights along x, y and z begin and end inside where the shape's lines do. */
static void same_lines(const struct shape *shape, const struct sample *sample, int *crossings)
{
	for (int n = 0; n < 150; ++n) {
		const int axis = n % 3;
		const double sign = n % 2 == 0 ? 1.0 : -1.0;
		double place[3], point[3], direction[3] = {0.0}, where[MOST_CROSSINGS], expected[MOST_CROSSINGS];
		u32 regions[MOST_CROSSINGS + 1];
		struct interval intervals[MOST_CROSSINGS];
		random_place(shape, place);
		place[axis] = sign > 0.0 ? 0.0 : 300.0;
		direction[axis] = sign;
		for (int k = 0; k < 3; ++k)
			point[k] = place[k] / NM;
		const int count = shape_line(shape, axis, point, intervals, MOST_CROSSINGS);
		assert_true(count >= 0 && shape_room(shape) <= MOST_CROSSINGS);
		bool close = false;
		for (int k = 0; k < count; ++k) {
			const int to = sign > 0.0 ? k : count - 1 - k;
			close |= NM * (intervals[k].end - intervals[k].begin) < CLOSE ||
				 (k > 0 && NM * (intervals[k].begin - intervals[k - 1].end) < CLOSE);
			expected[2 * to] =
			    fabs(NM * (sign > 0.0 ? intervals[k].begin : intervals[k].end) - place[axis]);
			expected[2 * to + 1] =
			    fabs(NM * (sign > 0.0 ? intervals[k].end : intervals[k].begin) - place[axis]);
		}
		const int found = fly_through(sample, place, direction, 400.0, where, regions, MOST_CROSSINGS);
		if (close)
			continue;
		assert_int_equal(2 * count, found);
		for (int k = 0; k < found; ++k) {
			assert_within(where[k], expected[k], 1e-6, "where");
			assert_int_equal(k % 2 == 0, regions[k + 1]);
		}
		*crossings += found;
	}
}

/* In any direction: what lies between two surfaces is in the region that the flight was in. */
static void same_flights(const struct shape *shape, const struct sample *sample, int *crossings)
{
	for (int n = 0; n < 150; ++n) {
		double start[3], to[3], direction[3], where[MOST_CROSSINGS], square = 0.0;
		u32 regions[MOST_CROSSINGS + 1];
		random_place(shape, start);
		random_place(shape, to);
		for (int k = 0; k < 3; ++k)
			square += (to[k] - start[k]) * (to[k] - start[k]);
		for (int k = 0; k < 3; ++k)
			direction[k] = (to[k] - start[k]) / sqrt(square);
		const int found = fly_through(sample, start, direction, 50.0, where, regions, MOST_CROSSINGS);
		for (int k = 0; k <= found; ++k) {
			const double begin = k > 0 ? where[k - 1] : 0.0, end = k < found ? where[k] : 50.0;
			double middle[3];
			for (int part = 1; part < 8 && begin < end; ++part) {
				for (int c = 0; c < 3; ++c)
					middle[c] = start[c] + (begin + part / 8.0 * (end - begin)) * direction[c];
				const int expected = contains(shape, middle);
				if (expected >= 0)
					assert_int_equal(expected, (int)regions[k]);
			}
		}
		*crossings += found;
	}
}

static void are_followed(int count, sonde_body_options (*random)(int number))
{
	for (int n = 0; n < count; ++n) {
		const sonde_body_options body = random(n);
		const double center[3] = {body.center.x, body.center.y, body.center.z};
		struct sample sample;
		struct shape *shape;
		int inside = 0, lines = 0, flights = 0;
		make_sample(&body, 1, &sample);
		assert_status(SONDE_OK, body_make_shape(&body_frame_in_angstrom, &body, center, 0.0, &shape));
		same_places(shape, &sample, &inside);
		same_lines(shape, &sample, &lines);
		same_flights(shape, &sample, &flights);
		assert_true(inside > 10 && lines > 20 && flights > 20);
		shape_free(&shape);
		target_free(&sample.target);
	}
}

static void shapes_are_followed(void **state)
{
	(void)state;
	are_followed(7 * 8, random_body);
}

static void tubes_and_shells_are_followed(void **state)
{
	(void)state;
	are_followed(7 * 8, random_hollow_body);
}

static void polyhedra_are_followed(void **state)
{
	(void)state;
	are_followed(24, random_polyhedron);
	are_followed(9, random_twin);
}

/* Of several that overlap the last one counts, meshes among them. */
static void later_bodies_replace_earlier_ones(void **state)
{
	sonde_body_options bodies[5];
	struct shape *shapes[5];
	struct sample sample;
	int met[6] = {0};
	(void)state;

	for (int n = 0; n < 5; ++n) {
		static const int which[] = {5, 1, 13, 3, 12};
		bodies[n] = random_body(which[n]);
		bodies[n].center = (sonde_vector){940.0 + 40.0 * n, 25.0 * n - 50.0, 40.0 - 20.0 * n};
		const double center[3] = {bodies[n].center.x, bodies[n].center.y, bodies[n].center.z};
		assert_status(SONDE_OK,
			      body_make_shape(&body_frame_in_angstrom, &bodies[n], center, 0.0, &shapes[n]));
	}
	make_sample(bodies, 5, &sample);
	for (int n = 0; n < 1500; ++n) {
		double start[3] = {draw(85.0, 120.0), draw(-15.0, 20.0), draw(-20.0, 15.0)}, where[MOST_CROSSINGS],
		       direction[3] = {draw(-1.0, 1.0), draw(-1.0, 1.0), draw(-1.0, 1.0)};
		u32 regions[MOST_CROSSINGS + 1];
		const double length =
		    sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
		for (int k = 0; k < 3; ++k)
			direction[k] /= length;
		const int found = fly_through(&sample, start, direction, 40.0, where, regions, MOST_CROSSINGS);
		for (int k = 0; k <= found; ++k) {
			const double begin = k > 0 ? where[k - 1] : 0.0, end = k < found ? where[k] : 40.0;
			double middle[3];
			if (begin >= end)
				continue;
			int expected = 0;
			for (int c = 0; c < 3; ++c)
				middle[c] = start[c] + 0.5 * (begin + end) * direction[c];
			for (int b = 0; b < 5 && expected >= 0; ++b) {
				const int here = contains(shapes[b], middle);
				expected = here < 0 ? -1 : here ? b + 1 : expected;
			}
			if (expected < 0)
				continue;
			assert_int_equal(expected, (int)regions[k]);
			++met[expected];
		}
	}
	for (int n = 0; n < 6; ++n)
		if (met[n] <= 5)
			fail_msg("region %d was met %d times", n, met[n]);
	for (int n = 0; n < 5; ++n)
		shape_free(&shapes[n]);
	target_free(&sample.target);
}

/* Maps of voxels, some of which leave the layer, are walked through as they are asked for. */
static void voxels_without_material_leave_the_layer(void **state)
{
	enum { NX = 6, NY = 5, NZ = 4 };
	static uint32_t words[(NX * NY * NZ + 3) / 4];
	struct sample sample;
	int crossings = 0;
	(void)state;

	for (int gaps = 0; gaps < 2; ++gaps) {
		memset(words, 0, sizeof words);
		for (int n = 0; n < NX * NY * NZ; ++n) {
			const double choice = draw(0.0, 3.0);
			const uint32_t code = choice < 1.0 && gaps ? VOXEL_NONE : choice < 2.0 ? 0 : 1;
			words[n / 4] |= code << (8 * (n % 4));
		}
		sample.layer = (struct ions_layer_numbers){.begin = -1e6, .end = 1e6, .first_kind = 1};
		sample.job = (struct ions_job){.layers = 1,
					       .regions = 3,
					       .voxel_materials = 2,
					       .voxel_gaps = (u32)gaps,
					       .voxels = {NX, NY, NZ},
					       .voxel_first = {1.0, -2.0, 0.5},
					       .voxel_nm = {1.0, 0.5, 2.0}};
		sample.run = (struct run){.job = &sample.job, .layers = &sample.layer, .voxels = words};
		for (int n = 0; n < 1000; ++n) {
			double start[3] = {draw(0.0, 8.0), draw(-3.0, 1.5), draw(-1.0, 10.0)}, length = 0.0,
			       direction[3] = {draw(-1.0, 1.0), draw(-1.0, 1.0), draw(-1.0, 1.0)},
			       where[MOST_CROSSINGS];
			u32 regions[MOST_CROSSINGS + 1], out;
			for (int k = 0; k < 3; ++k)
				length += direction[k] * direction[k];
			for (int k = 0; k < 3; ++k)
				direction[k] /= sqrt(length);
			const int found =
			    fly_through(&sample, start, direction, 20.0, where, regions, MOST_CROSSINGS);
			for (int k = 0; k <= found; ++k) {
				const double begin = k > 0 ? where[k - 1] : 0.0, end = k < found ? where[k] : 20.0;
				for (int part = 1; part < 16 && end - begin > CLOSE; ++part) {
					const double at = begin + part / 16.0 * (end - begin);
					assert_int_equal(regions[k],
							 region_at(&sample.run, start[0] + at * direction[0],
								   start[1] + at * direction[1],
								   start[2] + at * direction[2], &out));
				}
			}
			crossings += found;
		}
	}
	assert_true(crossings > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(shapes_are_followed),
	    cmocka_unit_test(later_bodies_replace_earlier_ones),
	    cmocka_unit_test(voxels_without_material_leave_the_layer),
	    cmocka_unit_test(tubes_and_shells_are_followed),
	    cmocka_unit_test(polyhedra_are_followed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
