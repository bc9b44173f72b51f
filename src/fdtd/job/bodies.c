/* Bodies of a job, painted in order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "fdtd/media/answers.h"
#include "fdtd/job/painting.h"
#include "fdtd/media/paint_conductors.h"
#include "matter/shape/body.h"
#include "fdtd/media/smooth.h"

#define FAR_AWAY 1e9      /* m */
#define FLAT_SPACING 1e-9 /* of nodes along uniform axes, in cells: all are at 0 */
#define SURFACE 1e-7      /* cells by which a conductor is enlarged */
#define FLUSH 1e-6        /* cells */

/* A face that lies in a side of the grid continues beyond it. */
static double beyond_sides(const void *user, int axis, double place, double direction)
{
	const struct fdtd_frame *frame = &((const struct job_space *)user)->frame;
	double node = frame_node(frame, axis, place);

	if (frame->flat[axis] || fabs(node - frame->inner[axis][direction > 0.0]) > FLUSH)
		return place;
	return direction * FAR_AWAY;
}

/* `more`: displacement of the surface away from the solid. */
static sonde_status make_shape(const struct job_space *space, const sonde_body_options *body, const double center[3],
			       double more, struct shape **shape)
{
	struct body_frame frame = {
	    .unit = "m", .meter = 1.0, .far_away = FAR_AWAY, .end = beyond_sides, .user = space};

	for (int a = 0; a < 3; ++a) {
		frame.job_axis[a] = frame_job_axis(&space->frame, a);
		frame.endless[a] = space->frame.flat[a];
	}
	if (body->shape == SONDE_BODY_SHAPE_STL && space->frame.turn != 0)
		return status_fail(SONDE_INVALID, "an STL file needs a grid with more than one cell along z");
	return body_make_shape(&frame, body, center, more, shape);
}

/* Thickness of a conductor's surface, m. */
static double surface_of(const struct job_space *space)
{
	double thick = INFINITY;

	for (int a = 0; a < 3; ++a)
		if (!space->frame.flat[a])
			thick = fmin(thick, SURFACE * space->frame.cell[a]);
	return thick;
}

/* A conductor's surface belongs to it: edges that lie in it conduct. */
static sonde_status make_shape_of(const struct job_space *space, const sonde_body_options *body,
				  const double center[3], bool conductor, struct painting *painting,
				  struct shape **shape)
{
	sonde_body_options changed = *body;
	double low[3], high[3], middle[3] = {center[0], center[1], center[2]};

	CHECK(make_shape(space, &changed, middle, conductor ? surface_of(space) : 0.0, shape));
	shape_bounds(*shape, low, high);
	if (conductor)
		painting_keep_conductor(painting, low, high);
	if (conductor || !job_open_conductors(space, painting, low, high, 2.0 * surface_of(space), &changed, middle))
		return SONDE_OK;
	shape_free(shape);
	return make_shape(space, &changed, middle, 0.0, shape);
}

/* Flat faces of boxes and prisms are averaged, which resolves thin ones. */
static void note_thickness(struct job_space *space, const sonde_body_options *body, bool conductor,
			   const double low[3], const double high[3])
{
	const bool has_means = !conductor && !body_is_turned(body) &&
			       space->job->options.average != SONDE_FDTD_AVERAGE_NONE &&
			       (body->shape == SONDE_BODY_SHAPE_BOX || body->shape == SONDE_BODY_SHAPE_PRISM);

	for (int u = 0; u < 3 && !has_means; ++u) {
		const int a = frame_engine_axis(&space->frame, u);
		const double cells = (high[a] - low[a]) / space->frame.cell[a];
		if (space->frame.flat[a] || cells > 1.0 - FLUSH ||
		    (space->thin.number != 0 && cells >= space->thin.cells))
			continue;
		space->thin = (struct thin_body){body - space->job->bodies.items + 1, u, cells};
	}
}

/* A body of a shape; *inside becomes true if any part of it is in the grid. */
static sonde_status add_shape(struct job_space *space, const sonde_body_options *body, const double center[3],
			      const struct job_material *material, bool *inside, struct painting *painting)
{
	struct painted_body made = {.shape = NULL};
	double low[3], high[3];
	sonde_status status;

	CHECK(make_shape_of(space, body, center, material->along[0].conductor, painting, &made.shape));
	shape_bounds(made.shape, low, high);
	if (!job_box_is_inside(space, low, high)) {
		painted_body_free(&made);
		return SONDE_OK;
	}
	*inside = true;
	note_thickness(space, body, material->along[0].conductor, low, high);
	for (int a = 0; a < 3; ++a)
		CHECK_GOTO(status, media_add(&space->media, &material->along[a], &made.numbers[a]), failed);
	painting->anisotropic |= made.numbers[0] != made.numbers[1] || made.numbers[0] != made.numbers[2];
	return painting_add(painting, &made);
failed:
	painted_body_free(&made);
	return status;
}

static sonde_status add_copy(struct job_space *space, const sonde_body_options *body, const double center[3],
			     const struct job_material *material, bool *inside, struct painting *painting)
{
	if (body->shape == SONDE_BODY_SHAPE_VOXELS)
		return job_add_voxels(space, body, center, inside, painting);
	if (body->shape == SONDE_BODY_SHAPE_BUILD)
		return job_add_built(space, body, center, material, inside, painting);
	return add_shape(space, body, center, material, inside, painting);
}

static sonde_status add_copies(struct job_space *space, const sonde_body_options *body,
			       const struct job_material *material, bool *painted, struct painting *painting)
{
	for (int64_t n = 0; n < body_copies(body); ++n) {
		double shift[3], center[3];
		body_copy_center(body, n, shift);
		frame_turn(&space->frame, (sonde_vector){shift[0], shift[1], shift[2]}, center);
		for (int a = 0; a < 3; ++a)
			center[a] = frame_snap(&space->frame, a, center[a]);
		CHECK(add_copy(space, body, center, material, painted, painting));
	}
	return SONDE_OK;
}

static sonde_status add_bodies_of(struct job_space *space, const sonde_body_options *body, struct painting *painting)
{
	struct job_material material;
	bool painted = false;

	CHECK(body_check_material(body));
	if (body->material[0] != '\0')
		CHECK(job_find_material(space, body->material, &material));
	CHECK(body_check_copies(body));
	CHECK(add_copies(space, body, &material, &painted, painting));
	if (painted)
		return SONDE_OK;
	double low[3], high[3];
	for (int u = 0; u < 3; ++u) {
		int a = frame_engine_axis(&space->frame, u);
		low[u] = frame_place(&space->frame, a, 0.0);
		high[u] = frame_place(&space->frame, a, space->grid.cells[a]);
	}
	return status_fail(SONDE_INVALID,
			   "it lies outside the grid, which extends from %.4g, %.4g, %.4g m to %.4g, %.4g, %.4g m",
			   low[0], low[1], low[2], high[0], high[1], high[2]);
}

/* Whether any body is of a magnetic material; the library has no such material. */
static sonde_status any_magnetic(const struct job_space *space, bool *magnetic)
{
	const sonde_fdtd_job *job = space->job;

	*magnetic = false;
	for (int64_t n = 0; n < job->materials.count; ++n) {
		struct job_material material;
		CHECK(job_find_material(space, job->materials.items[n].name, &material));
		*magnetic |= material.magnetic;
	}
	return SONDE_OK;
}

/* The painting's bodies with their media along one axis. Materials that differ from axis to axis have `whole` as
 * their medium. */
static sonde_status make_scene(const struct job_space *space, int axis, const struct painting *painting,
			       const uint16_t *whole, struct body **bodies, struct scene *scene)
{
	CHECK(memory_allocate(bodies, painting->count, sizeof **bodies, "the bodies"));
	*scene = (struct scene){
	    .grid = &space->grid, .count = (int)painting->count, .bodies = *bodies, .threads = space->threads};
	for (int a = 0; a < 3; ++a) {
		scene->frame.origin[a] = space->frame.origin[a];
		scene->frame.spacing[a] = space->frame.flat[a] ? FLAT_SPACING : space->frame.cell[a];
	}
	for (size_t n = 0; n < painting->count; ++n) {
		const struct painted_body *from = &painting->bodies[n];
		const bool differs = from->numbers[0] != from->numbers[1] || from->numbers[0] != from->numbers[2];
		(*bodies)[n] = (struct body){.shape = from->shape,
					     .voxels = from->voxels,
					     .voxel_media = from->voxel_media[axis],
					     .medium = whole != NULL && differs ? *whole : from->numbers[axis]};
	}
	return SONDE_OK;
}

/* Paints the bodies along one axis only, or, for -1, along all axes. */
static sonde_status paint_along(struct job_space *space, int axis, const struct painting *painting,
				struct mixtures_count *mixed)
{
	struct media media = space->media;
	struct scene scene;
	struct body *bodies;
	sonde_status status;

	CHECK(make_scene(space, axis < 0 ? 0 : axis, painting, NULL, &bodies, &scene));
	for (int a = 0; a < 3; ++a) {
		media.edges[a] = axis < 0 || axis == a ? space->media.edges[a] : NULL;
		media.faces[a] = axis < 0 || axis == a ? space->media.faces[a] : NULL;
	}
	status = paint_scene(&scene, &media);
	if (status == SONDE_OK && space->job->options.average != SONDE_FDTD_AVERAGE_NONE)
		status = paint_means(&scene, &media, mixed);
	/* averages are new media */
	space->media.media = media.media;
	space->media.count = media.count;
	space->media.places = media.places;
	free(bodies);
	return status;
}

/* Paints tensors at surfaces. Bodies with media that differ along the axes have no tensors, nor have conductors. */
static sonde_status paint_tensors(struct job_space *space, const struct painting *painting)
{
	static const struct medium conductor = {.permittivity = 1.0, .permeability = 1.0, .conductor = 1};
	struct scene scene;
	struct body *bodies;
	uint16_t without = 0;

	if (painting->anisotropic)
		CHECK(media_add(&space->media, &conductor, &without));
	CHECK(make_scene(space, 0, painting, &without, &bodies, &scene));
	sonde_status status = paint_answers(&scene, &space->media);
	if (status == SONDE_OK)
		status = paint_smooth(&scene, &space->media);
	free(bodies);
	return status;
}

/* Cuts cells at conductors, only if no body has media that differ along the axes: the cells next to a conductor's
 * surface would then depend on the axis. */
static sonde_status cut_conductors(struct job_space *space, const struct painting *painting)
{
	struct scene scene;
	struct body *bodies;
	size_t cut;

	if (painting->anisotropic)
		return SONDE_OK;
	CHECK(make_scene(space, 0, painting, NULL, &bodies, &scene));
	sonde_status status = paint_conductors(&scene, &space->media, &cut);
	free(bodies);
	return status;
}

sonde_status job_add_body(struct job_space *space, int64_t number, struct painting *painting)
{
	const sonde_fdtd_job *job = space->job;

	return job_prefix(job, add_bodies_of(space, &job->bodies.items[number], painting), "bodies",
			  job->bodies.lines, number);
}

bool job_body_is_in(const struct job_space *space, int64_t number, enum job_pass pass)
{
	const sonde_body_options *body = &space->job->bodies.items[number];

	if (pass == PASS_BODIES)
		return body->in_reference != SONDE_BODY_IN_REFERENCE_ONLY;
	return body->in_reference != SONDE_BODY_IN_REFERENCE_FALSE &&
	       (pass == PASS_REFERENCE || space->carriers[number]);
}

sonde_status job_space_check_bodies(struct job_space *space)
{
	struct painting painting = {.count = 0};
	sonde_status status = SONDE_OK;

	for (int64_t n = 0; n < space->job->bodies.count && status == SONDE_OK; ++n)
		status = job_add_body(space, n, &painting);
	if (status == SONDE_OK)
		status = job_memory_of_bodies(space, &painting, &space->body_memory);
	painting_free(&painting);
	media_free(&space->media);
	return status;
}

static sonde_status make_media(struct job_space *space, bool bodies, bool magnetic)
{
	media_free(&space->media);
	CHECK(media_make(&space->grid, bodies, magnetic, &space->media));
	space->media.threads = space->threads;
	space->media.part = space->part;
	return SONDE_OK;
}

static sonde_status add_bodies(struct job_space *space, enum job_pass pass, struct painting *painting)
{
	for (int64_t n = 0; n < space->job->bodies.count; ++n)
		if (job_body_is_in(space, n, pass))
			CHECK(job_add_body(space, n, painting));
	return SONDE_OK;
}

/* All that adds media; the same ones on all ranks afterwards, if they *fit. */
static sonde_status paint_media(struct job_space *space, const struct painting *painting, bool *fit)
{
	struct mixtures_count mixed = {0};

	for (int a = painting->anisotropic ? 0 : -1; a < (painting->anisotropic ? 3 : 0); ++a)
		CHECK(paint_along(space, a, painting, &mixed));
	if (space->job->options.average == SONDE_FDTD_AVERAGE_TENSOR)
		CHECK(cut_conductors(space, painting));
	CHECK(paint_losses(&space->grid, &space->media));
	return media_agree(&space->grid, &space->media, fit);
}

static sonde_status paint_all(struct job_space *space, enum job_pass pass, bool magnetic, struct painting *painting)
{
	bool fit = true;

	CHECK(make_media(space, true, magnetic));
	CHECK(add_bodies(space, pass, painting));
	CHECK(paint_media(space, painting, &fit));
	if (!fit) { /* which of them have numbers depends on their order: each rank paints everything */
		const struct media_part part = space->part;
		painting_free(painting);
		*painting = (struct painting){.count = 0};
		space->part = (struct media_part){.ranks = NULL};
		CHECK(make_media(space, true, magnetic));
		CHECK(add_bodies(space, pass, painting));
		CHECK(paint_media(space, painting, &fit));
		space->part = part;
	}
	return space->job->options.average == SONDE_FDTD_AVERAGE_TENSOR ? paint_tensors(space, painting) : SONDE_OK;
}

static bool has_bodies(const struct job_space *space, enum job_pass pass)
{
	for (int64_t n = 0; n < space->job->bodies.count; ++n)
		if (job_body_is_in(space, n, pass))
			return true;
	return false;
}

sonde_status job_space_paint(struct job_space *space, enum job_pass pass)
{
	const bool bodies = has_bodies(space, pass);
	struct painting painting = {.count = 0};
	bool magnetic = false;

	if (bodies)
		CHECK(any_magnetic(space, &magnetic));
	media_free(&space->media);
	if (space->keeps && pass == PASS_BODIES) {
		space->media = space->kept;
		space->keeps = false;
		return SONDE_OK;
	}
	if (!bodies)
		return make_media(space, false, false);
	sonde_status status = paint_all(space, pass, magnetic, &painting);
	painting_free(&painting);
	return status;
}

void job_space_keep(struct job_space *space)
{
	space->kept = space->media;
	space->keeps = true;
	space->media = (struct media){.count = 0};
}
