/* Bodies of a job's list: solids in the form of the kernels. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/option_items.h"
#include "ions/target/target.h"

#define NM_PER_ANGSTROM 0.1
#define LEAST_SIZE 0.01 /* Angstrom */
#define MOST_LENGTH 1e9 /* Angstrom */

static void set_sizes(double x, double y, double z, struct ions_body *to)
{
	to->size[0] = NM_PER_ANGSTROM * x;
	to->size[1] = NM_PER_ANGSTROM * y;
	to->size[2] = NM_PER_ANGSTROM * z;
}

static sonde_status turn(const sonde_body_options *body, struct ions_body *to)
{
	const double degrees[3] = {body->rotation.x, body->rotation.y, body->rotation.z};
	struct shape_axes axes;

	if (!body_is_turned(body))
		return SONDE_OK;
	CHECK(shape_axes_turn(degrees, &axes));
	memcpy(to->axes, axes.of, sizeof to->axes);
	to->turned = 1;
	return SONDE_OK;
}

/* The axis of a direction, or -1; *forwards: in the positive sense. */
static int only_axis(sonde_vector direction, bool *forwards)
{
	int only = -1;

	for (int k = 0; k < 3; ++k)
		if (vector_part(direction, k) != 0.0) {
			if (only >= 0)
				return -1;
			only = k;
		}
	*forwards = only >= 0 && vector_part(direction, only) > 0.0;
	return only;
}

/* Three axes, the third along a direction, the others perpendicular to it. */
static void turn_along(sonde_vector direction, struct ions_body *to)
{
	const double part[3] = {direction.x, direction.y, direction.z};
	double *first = to->axes, *second = to->axes + 3, *third = to->axes + 6, length, across;
	int least = 0;

	length = hypot(hypot(part[0], part[1]), part[2]);
	for (int k = 0; k < 3; ++k) {
		third[k] = part[k] / length;
		least = fabs(part[k]) < fabs(part[least]) ? k : least;
	}
	/* the coordinate axis farthest from it, minus its component along it */
	across = sqrt(1.0 - third[least] * third[least]);
	for (int k = 0; k < 3; ++k)
		first[k] = ((k == least ? 1.0 : 0.0) - third[least] * third[k]) / across;
	for (int k = 0; k < 3; ++k) {
		int u = (k + 1) % 3, v = (k + 2) % 3;
		second[k] = third[u] * first[v] - third[v] * first[u];
	}
	to->turned = 1;
}

static void set_cylinder(const sonde_body_options *body, struct ions_body *to)
{
	bool forwards;
	int axis = only_axis(body->axis, &forwards);
	double half = 0.5 * body->height, radius = body->radius;

	to->shape = axis == 0 ? BODY_CYLINDER_X : axis == 1 ? BODY_CYLINDER_Y : BODY_CYLINDER_Z;
	set_sizes(axis == 0 ? half : radius, axis == 1 ? half : radius, axis == 0 || axis == 1 ? radius : half, to);
	if (axis < 0)
		turn_along(body->axis, to);
}

static void set_cone(const sonde_body_options *body, struct ions_body *to)
{
	const double most = fmax(body->radius, body->radius_top);
	bool forwards;

	to->shape = BODY_CONE;
	set_sizes(most, most, 0.5 * body->height, to);
	to->radius = 0.5 * (body->radius + body->radius_top) / most;
	to->growth = 0.5 * (body->radius_top - body->radius) / most;
	if (only_axis(body->axis, &forwards) != 2 || !forwards)
		turn_along(body->axis, to);
}

/* Prisms, polyhedra, and STL files, hollow or not. */
static sonde_status set_mesh(const struct shape *shape, struct ions_body *to, struct target *target)
{
	struct surface surface;
	sonde_status status = shape_make_surface(shape, &surface);

	if (status == SONDE_OK)
		status = target_add_mesh(&surface, to, target);
	surface_free(&surface);
	return status;
}

/* The kernels' data of a solid with a given center. */
static sonde_status set_solid(const sonde_body_options *body, const struct shape *shape, struct ions_body *to,
			      struct target *target)
{
	switch (body->shape) {
	case SONDE_BODY_SHAPE_BOX:
		to->shape = BODY_BOX;
		set_sizes(0.5 * body->size.x, 0.5 * body->size.y, 0.5 * body->size.z, to);
		return turn(body, to);
	case SONDE_BODY_SHAPE_SPHERE:
		to->shape = BODY_ELLIPSOID;
		set_sizes(body->radius, body->radius, body->radius, to);
		return SONDE_OK;
	case SONDE_BODY_SHAPE_ELLIPSOID:
		to->shape = BODY_ELLIPSOID;
		set_sizes(body->radii.x, body->radii.y, body->radii.z, to);
		return turn(body, to);
	case SONDE_BODY_SHAPE_CYLINDER:
		set_cylinder(body, to);
		return SONDE_OK;
	case SONDE_BODY_SHAPE_CONE:
		set_cone(body, to);
		return SONDE_OK;
	default:
		return set_mesh(shape, to, target);
	}
}

/* The inside of a tube, endless along its axis, or of a shell, which is scaled about its center. */
static void set_hollow(const sonde_body_options *body, struct ions_body *to)
{
	const double part = body->inner_radius > 0.0 ? body->inner_radius / body->radius : body->hollow;

	if (part == 0.0 || to->shape == BODY_MESH)
		return;
	to->is_hollow = 1;
	for (uint32_t k = 0; k < 3; ++k)
		to->hollow[k] = body->inner_radius > 0.0 && to->shape == BODY_CYLINDER_X + k ? 0.0 : 1.0 / part;
}

static sonde_status check_bounds(const double low[3], const double high[3])
{
	for (int k = 0; k < 3; ++k) {
		if (!(high[k] - low[k] >= LEAST_SIZE))
			return status_fail(SONDE_INVALID, "it is %g Angstrom wide along %c: must be at least %g",
					   high[k] - low[k], "xyz"[k], LEAST_SIZE);
		if (!(fabs(low[k]) <= MOST_LENGTH && fabs(high[k]) <= MOST_LENGTH))
			return status_fail(SONDE_INVALID, "it reaches from %g to %g Angstrom along %c: at most %g",
					   low[k], high[k], "xyz"[k], MOST_LENGTH);
	}
	return SONDE_OK;
}

/* The next body of the target. */
static sonde_status take_solid(const sonde_body_options *body, const double center[3], const struct shape *shape,
			       struct target *target)
{
	struct target_layer *layer = &target->layers[target->layer_count + target->body_count];
	struct ions_body *to = &target->bodies[target->body_count];
	double low[3], high[3];

	shape_bounds(shape, low, high);
	CHECK(check_bounds(low, high));
	for (int k = 0; k < 3; ++k)
		to->center[k] = NM_PER_ANGSTROM * center[k];
	CHECK(set_solid(body, shape, to, target));
	set_hollow(body, to);
	/* bit-identical to bodies of a text, if possible */
	const bool plain = to->turned == 0 && to->shape != BODY_MESH;
	layer->begin = plain ? to->center[0] - to->size[0] : NM_PER_ANGSTROM * low[0];
	layer->end = plain ? to->center[0] + to->size[0] : NM_PER_ANGSTROM * high[0];
	return SONDE_OK;
}

sonde_status target_set_solid(const sonde_body_options *body, const double center[3], struct target *target)
{
	struct shape *shape = NULL;

	CHECK(body_make_shape(&body_frame_in_angstrom, body, center, 0.0, &shape));
	const sonde_status status = take_solid(body, center, shape, target);
	shape_free(&shape);
	return status;
}

static sonde_status add_copy(const sonde_body_options *body, const struct material *material, int64_t copy,
			     struct target *target)
{
	double center[3];

	if (target->body_count == TARGET_MOST_BODIES)
		return status_fail(SONDE_INVALID, "more than %d bodies, including copies; use voxels for more",
				   TARGET_MOST_BODIES);
	body_copy_center(body, copy, center);
	target->layers[target->layer_count + target->body_count].material = *material;
	CHECK(target_set_solid(body, center, target));
	CHECK(target_check_place(target, target->layer_count + target->body_count, "it"));
	++target->body_count;
	return SONDE_OK;
}

static sonde_status check_item(const sonde_body_options *body, const struct target *target, bool voxels_before)
{
	CHECK(body_check_material(body));
	CHECK(body_check_options(&body_table_in_angstrom, body));
	CHECK(body_check_copies(body));
	if (body->in_reference != SONDE_BODY_IN_REFERENCE_FALSE)
		return status_fail_option(SONDE_INVALID, "in_reference", "runs of ions have no reference run");
	if (!target_is_map(body))
		return SONDE_OK;
	if (voxels_before || body_copies(body) > 1)
		return status_fail_option(SONDE_INVALID, "shape", "more than one map of voxels or balls of atoms");
	if (target->body_count > 0)
		return status_fail_option(
		    SONDE_INVALID, "shape",
		    "other bodies replace voxels and balls of atoms, which must be the first of the list");
	return SONDE_OK;
}

static sonde_status add_item(const sonde_body_options *body, struct target *target, bool *voxels)
{
	struct material material;

	CHECK(check_item(body, target, *voxels));
	if (target_is_map(body)) {
		*voxels = true;
		return SONDE_OK;
	}
	sonde_status status = material_parse(body->material, &material);
	if (status != SONDE_OK)
		return status_prefix_option(status, "material");
	for (int64_t n = 0; n < body_copies(body); ++n)
		CHECK(add_copy(body, &material, n, target));
	return SONDE_OK;
}

sonde_status target_add_bodies(const struct body_list *bodies, struct target *target)
{
	bool voxels = false;

	for (int64_t n = 0; n < bodies->count; ++n)
		CHECK(body_list_prefix(bodies, add_item(&bodies->items[n], target, &voxels), n));
	return SONDE_OK;
}
