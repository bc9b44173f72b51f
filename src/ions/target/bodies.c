/* Bodies of a target: MATERIAL:SHAPE:SIZES@X,Y,Z in Angstrom. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ions/target/target.h"

#define NM_PER_ANGSTROM 0.1
#define MOST_LENGTH 1e9 /* Angstrom */

/* Forms of the kernels; other shapes, with the shape of a job's list. */
#define OTHER UINT32_MAX
static const struct {
	const char *name, *sizes;
	int count; /* number of sizes */
	uint32_t form;
	int shape, axis;
} shapes[] = {{"sphere", "RADIUS", 1, BODY_ELLIPSOID, 0, 0},
	      {"ellipsoid", "A,B,C", 3, BODY_ELLIPSOID, 0, 0},
	      {"box", "A,B,C", 3, BODY_BOX, 0, 0},
	      {"cylinder-x", "RADIUS,LENGTH", 2, BODY_CYLINDER_X, 0, 0},
	      {"cylinder-y", "RADIUS,LENGTH", 2, BODY_CYLINDER_Y, 0, 0},
	      {"cylinder-z", "RADIUS,LENGTH", 2, BODY_CYLINDER_Z, 0, 0},
	      {"tube-x", "RADIUS,LENGTH,INNER RADIUS", 3, OTHER, SONDE_BODY_SHAPE_CYLINDER, 0},
	      {"tube-y", "RADIUS,LENGTH,INNER RADIUS", 3, OTHER, SONDE_BODY_SHAPE_CYLINDER, 1},
	      {"tube-z", "RADIUS,LENGTH,INNER RADIUS", 3, OTHER, SONDE_BODY_SHAPE_CYLINDER, 2},
	      {"octahedron", "EDGE", 1, OTHER, SONDE_BODY_SHAPE_OCTAHEDRON, 0},
	      {"cuboctahedron", "EDGE", 1, OTHER, SONDE_BODY_SHAPE_CUBOCTAHEDRON, 0},
	      {"truncated-octahedron", "EDGE", 1, OTHER, SONDE_BODY_SHAPE_TRUNCATED_OCTAHEDRON, 0},
	      {"tetrahedron", "EDGE", 1, OTHER, SONDE_BODY_SHAPE_TETRAHEDRON, 0},
	      {"rhombic-dodecahedron", "EDGE", 1, OTHER, SONDE_BODY_SHAPE_RHOMBIC_DODECAHEDRON, 0},
	      {"truncated-cube", "EDGE", 1, OTHER, SONDE_BODY_SHAPE_TRUNCATED_CUBE, 0},
	      {"hexagonal-prism", "EDGE,HEIGHT", 2, OTHER, SONDE_BODY_SHAPE_HEXAGONAL_PRISM, 0},
	      {"icosahedron", "EDGE", 1, OTHER, SONDE_BODY_SHAPE_ICOSAHEDRON, 0},
	      {"decahedron", "RADIUS,HEIGHT", 2, OTHER, SONDE_BODY_SHAPE_DECAHEDRON, 0}};
#define SHAPES (sizeof shapes / sizeof *shapes)

/* `count` numbers separated by commas; the whole text. */
static bool read_numbers(const char *start, const char *end, int count, double *numbers)
{
	for (int k = 0; k < count; ++k) {
		const char *comma = memchr(start, ',', (size_t)(end - start));
		const char *stop = k + 1 < count ? comma : end;
		if (stop == NULL || !text_parse_real(start, stop, &numbers[k]) || fabs(numbers[k]) > MOST_LENGTH)
			return false;
		start = stop + 1;
	}
	return true;
}

static void set_sizes(uint32_t shape, const double *sizes, int count, struct ions_body *body)
{
	body->shape = shape;
	for (int k = 0; k < 3; ++k) {
		double half = sizes[count == 3 ? k : 0];
		if (shape == BODY_BOX)
			half *= 0.5;
		if (shape == BODY_CYLINDER_X + (uint32_t)k)
			half = 0.5 * sizes[1];
		body->size[k] = NM_PER_ANGSTROM * half;
	}
}

/* A tube, or a polyhedron: the latter has only an edge, and a prism its height. */
static sonde_status set_other(int shape, int axis, const double *sizes, const double center[3], struct target *target)
{
	const bool tube = shape == SONDE_BODY_SHAPE_CYLINDER;
	sonde_body_options body;

	sonde_body_init(&body);
	body.shape = shape;
	body.height = sizes[1];
	body.axis = (sonde_vector){axis == 0, axis == 1, axis == 2};
	if (tube) {
		body.radius = sizes[0];
		body.inner_radius = sizes[2];
	} else if (shape == SONDE_BODY_SHAPE_DECAHEDRON) {
		body.radius = sizes[0];
	} else {
		body.edge = sizes[0];
	}
	return target_set_solid(&body, center, target);
}

/* The text after the material: SHAPE:SIZES@CENTER. */
static sonde_status parse_shape(const char *start, const char *end, struct target *target)
{
	struct target_layer *layer = &target->layers[target->layer_count + target->body_count];
	struct ions_body *body = &target->bodies[target->body_count];
	const char *colon = memchr(start, ':', (size_t)(end - start)),
		   *at = memchr(start, '@', (size_t)(end - start));
	struct nearest_word nearest = {0};
	double sizes[3] = {0.0}, center[3];
	char name[24] = "", hint[64];

	if (colon == NULL || at == NULL || at < colon || colon - start >= (int)sizeof name)
		return status_fail_option(SONDE_INVALID, "bodies",
					  "'%.*s' is not MATERIAL:SHAPE:SIZES@X,Y,Z, as in "
					  "Au:sphere:50@100,0,0",
					  (int)(end - start > 60 ? 60 : end - start), start);
	snprintf(name, sizeof name, "%.*s", (int)(colon - start), start);
	nearest.word = name;
	for (size_t s = 0; s < SHAPES; ++s) {
		nearest_word_offer(&nearest, shapes[s].name);
		if (strcmp(name, shapes[s].name) != 0)
			continue;
		bool right = read_numbers(colon + 1, at, shapes[s].count, sizes);
		for (int k = 0; k < shapes[s].count; ++k)
			right = right && sizes[k] >= 0.01;
		if (!right)
			return status_fail_option(SONDE_INVALID, "bodies", "'%.*s' is not %s in Angstrom",
						  (int)(at - colon - 1 > 40 ? 40 : at - colon - 1), colon + 1,
						  shapes[s].sizes);
		if (!read_numbers(at + 1, end, 3, center))
			return status_fail_option(SONDE_INVALID, "bodies",
						  "'%.*s' is not a position X,Y,Z in Angstrom",
						  (int)(end - at - 1 > 40 ? 40 : end - at - 1), at + 1);
		if (shapes[s].form == OTHER) {
			const sonde_status status = set_other(shapes[s].shape, shapes[s].axis, sizes, center, target);
			return status == SONDE_INVALID ? status_prefix_option(status, "bodies") : status;
		}
		set_sizes(shapes[s].form, sizes, shapes[s].count, body);
		for (int k = 0; k < 3; ++k)
			body->center[k] = NM_PER_ANGSTROM * center[k];
		layer->begin = body->center[0] - body->size[0];
		layer->end = body->center[0] + body->size[0];
		return SONDE_OK;
	}
	return status_fail_option(SONDE_INVALID, "bodies",
				  "'%s' is not a shape: sphere, ellipsoid, box, cylinder-x, cylinder-y, "
				  "cylinder-z, tube-x, tube-y, tube-z, octahedron, or another polyhedron of build%s",
				  name, nearest_word_hint(&nearest, hint, sizeof hint));
}

static sonde_status parse_body(const char *start, const char *end, struct target *target)
{
	char name[MATERIAL_NAME_SIZE + 32];
	const char *colon = memchr(start, ':', (size_t)(end - start));

	if (target->body_count == TARGET_MOST_BODIES)
		return status_fail_option(SONDE_INVALID, "bodies", "more than %d", TARGET_MOST_BODIES);
	if (colon == NULL || (size_t)(colon - start) >= sizeof name)
		return status_fail_option(SONDE_INVALID, "bodies",
					  "'%.*s' is not MATERIAL:SHAPE:SIZES@X,Y,Z, as in "
					  "Au:sphere:50@100,0,0",
					  (int)(end - start > 60 ? 60 : end - start), start);
	snprintf(name, sizeof name, "%.*s", (int)(colon - start), start);
	struct target_layer *layer = &target->layers[target->layer_count + target->body_count];
	sonde_status status = material_parse(name, &layer->material);
	if (status != SONDE_OK)
		return status_prefix_option(status, "bodies");
	CHECK(parse_shape(colon + 1, end, target));
	++target->body_count;
	return SONDE_OK;
}

sonde_status target_parse_bodies(const char *text, struct target *target)
{
	for (const char *start = text; *start != '\0';) {
		const char *end = start + strcspn(start, "/");
		CHECK(parse_body(start, end, target));
		start = *end == '/' ? end + 1 : end;
	}
	return SONDE_OK;
}
