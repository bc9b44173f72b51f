#include "matter/build/bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/option_items.h"
#include "io/containers/yaml.h"
#include "matter/build/inside.h"
#include "matter/shape/body.h"

/* Surfaces ----------------------------------------------------------------------------------- */

static sonde_vector scaled(sonde_vector vector, double scale)
{
	return (sonde_vector){vector.x * scale, vector.y * scale, vector.z * scale};
}

static double size_of(const struct shape *shape)
{
	double low[3], high[3];

	shape_bounds(shape, low, high);
	return fmax(fmax(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
}

/* A copy whose surface is a relative `more` farther out. Convex bodies are scaled about their centers; the faces of prisms
 * and meshes, which may have recesses, and of hollow bodies are moved. */
static sonde_status make_moved(const sonde_body_options *given, const double center[3], double more,
			       struct shape **shape)
{
	const struct body_frame *frame = &body_frame_in_angstrom;
	sonde_body_options body = *given;

	if (body.shape == SONDE_BODY_SHAPE_PRISM || body.shape == SONDE_BODY_SHAPE_STL || body.hollow > 0.0 ||
	    body.inner_radius > 0.0) {
		CHECK(body_make_shape(frame, &body, center, 0.0, shape));
		const double distance = more * size_of(*shape);
		shape_free(shape);
		return body_make_shape(frame, &body, center, distance, shape);
	}
	body.size = scaled(body.size, 1.0 + more);
	body.radii = scaled(body.radii, 1.0 + more);
	body.radius *= 1.0 + more;
	body.radius_top *= 1.0 + more;
	body.height *= 1.0 + more;
	body.edge *= 1.0 + more;
	return body_make_shape(frame, &body, center, 0.0, shape);
}

/* The list --------------------------------------------------------------------------------- */

static sonde_status find_part(const char *material, struct build_bodies *bodies, int *part)
{
	int k = 0;

	*part = strcmp(material, "vacuum") == 0 ? BODY_EMPTY : BODY_LATTICE;
	if (*part == BODY_EMPTY || material[0] == '\0')
		return SONDE_OK;
	while (k < bodies->material_count && strcmp(bodies->materials[k], material) != 0)
		++k;
	*part = BODY_SPECIES + k;
	if (k < bodies->material_count)
		return SONDE_OK;
	CHECK(memory_grow(&bodies->materials, &bodies->material_capacity, (size_t)k + 1, sizeof *bodies->materials,
			  "the materials of bodies"));
	memcpy(bodies->materials[k], material, strlen(material) + 1);
	++bodies->material_count;
	return SONDE_OK;
}

static void add_bounds(const struct shape *shape, struct build_bodies *bodies)
{
	double low[3], high[3];

	shape_bounds(shape, low, high);
	for (int k = 0; k < 3; ++k) {
		bodies->low[k] = fmin(bodies->low[k], low[k]);
		bodies->high[k] = fmax(bodies->high[k], high[k]);
	}
}

static sonde_status check_body(const sonde_body_options *body)
{
	if (body->shape < 0)
		return status_fail_option(SONDE_INVALID, "shape", "required, one of " BODY_SOLIDS);
	if (!body_is_solid(body))
		return status_fail_option(SONDE_INVALID, "shape", "a body of a sample is one of " BODY_SOLIDS);
	if (body->in_reference != SONDE_BODY_IN_REFERENCE_FALSE)
		return status_fail_option(SONDE_INVALID, "in_reference", "only fdtd has reference runs");
	CHECK(body_check_options(&body_table_in_angstrom, body));
	return body_check_copies(body);
}

static sonde_status add_body(const sonde_body_options *body, struct build_bodies *bodies)
{
	double center[3];
	int part;

	CHECK(check_body(body));
	CHECK(find_part(body->material, bodies, &part));
	if (body_copies(body) > BODIES_MOST - bodies->count)
		return status_fail_option(SONDE_INVALID, "repeat", "more than %d bodies, with their copies",
					  BODIES_MOST);
	for (int64_t copy = 0; copy < body_copies(body); ++copy) {
		CHECK(memory_grow(&bodies->bodies, &bodies->capacity, (size_t)bodies->count + 1,
				  sizeof *bodies->bodies, "the bodies"));
		struct build_body *made = &bodies->bodies[bodies->count];
		*made = (struct build_body){.part = part};
		++bodies->count;
		body_copy_center(body, copy, center);
		CHECK(make_moved(body, center, part == BODY_EMPTY ? -BUILD_ON_SURFACE : BUILD_ON_SURFACE,
				 &made->shape));
		if (part != BODY_EMPTY)
			add_bounds(made->shape, bodies);
	}
	return SONDE_OK;
}

sonde_status bodies_make(const char *text, struct build_bodies *bodies)
{
	struct yaml_list list = {.block = "build", .table = &body_table_in_angstrom};

	*bodies =
	    (struct build_bodies){.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
	sonde_status status = yaml_list_parse("bodies", text, &list);
	for (size_t n = 0; n < list.count && status == SONDE_OK; ++n) {
		status = add_body(yaml_list_item(&list, n), bodies);
		if (status == SONDE_INVALID)
			status_name_keys();
		status = option_item_prefix(status, NULL, NULL, "bodies", (int64_t)n);
	}
	if (status == SONDE_OK && bodies->count == 0)
		status = status_fail_option(SONDE_INVALID, "bodies",
					    "a list of bodies is needed, as [{shape: sphere, radius: 20}]");
	yaml_list_free(&list);
	return status;
}

void bodies_free(struct build_bodies *bodies)
{
	for (int k = 0; k < bodies->count; ++k)
		shape_free(&bodies->bodies[k].shape);
	free(bodies->bodies);
	free(bodies->materials);
	*bodies = (struct build_bodies){.count = 0};
}

int bodies_part(const struct build_bodies *bodies, const double point[3])
{
	for (int k = bodies->count - 1; k >= 0; --k)
		if (shape_contains(bodies->bodies[k].shape, point))
			return bodies->bodies[k].part;
	return BODY_OUTSIDE;
}
