#include "fdtd/job/domain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fdtd/job/layers.h"

#define MOST_CELLS_ALONG 1e7

/* Boundaries of the sides ------------------------------------------------------------------ */

/* Whether an item of `boundaries` applies to a side of an axis of the job. */
static bool is_about(const sonde_fdtd_boundary_options *boundary, int axis, int side)
{
	int face = boundary->face;

	if (face == SONDE_FDTD_BOUNDARY_FACE_ALL)
		return true;
	if (face <= SONDE_FDTD_BOUNDARY_FACE_Z)
		return face - SONDE_FDTD_BOUNDARY_FACE_X == axis;
	return face - SONDE_FDTD_BOUNDARY_FACE_X_LOW == 2 * axis + side;
}

static void set_side(struct job_space *space, int axis, int side, const sonde_fdtd_boundary_options *boundary)
{
	static const enum fdtd_wall walls[] = {
	    [SONDE_FDTD_BOUNDARY_KIND_ABSORBING] = WALL_CONDUCTOR,
	    [SONDE_FDTD_BOUNDARY_KIND_CONDUCTOR] = WALL_CONDUCTOR,
	    [SONDE_FDTD_BOUNDARY_KIND_MAGNETIC] = WALL_MAGNETIC,
	    [SONDE_FDTD_BOUNDARY_KIND_PERIODIC] = WALL_PERIODIC,
	    [SONDE_FDTD_BOUNDARY_KIND_BLOCH] = WALL_PERIODIC,
	};

	space->grid.walls[axis][side] = walls[boundary->kind];
	/* a mark: the layer is determined when all kinds are known */
	space->grid.layers[axis][side] =
	    (struct absorbing_layer){.cells = boundary->kind == SONDE_FDTD_BOUNDARY_KIND_ABSORBING ? 1 : 0};
}

/* The last item for a side; `open` if there is none. */
static const sonde_fdtd_boundary_options *boundary_of(const struct job_space *space, int axis, int side,
						      const sonde_fdtd_boundary_options *open)
{
	const sonde_fdtd_job *job = space->job;

	for (int64_t n = job->boundaries.count; n-- > 0;)
		if (is_about(&job->boundaries.items[n], frame_job_axis(&space->frame, axis), side))
			return &job->boundaries.items[n];
	return open;
}

/* Bloch walls are on both sides of an axis, with one phase. */
static sonde_status set_phase(struct job_space *space, int axis, const sonde_fdtd_boundary_options *low,
			      const sonde_fdtd_boundary_options *high)
{
	const bool bloch = low->kind == SONDE_FDTD_BOUNDARY_KIND_BLOCH;
	const char name = "xyz"[frame_job_axis(&space->frame, axis)];

	if ((low->kind == SONDE_FDTD_BOUNDARY_KIND_PERIODIC) != (high->kind == SONDE_FDTD_BOUNDARY_KIND_PERIODIC))
		return status_fail(SONDE_INVALID,
				   "boundaries: only one side of %c is periodic: both must be, as with face: %c",
				   name, name);
	if (bloch != (high->kind == SONDE_FDTD_BOUNDARY_KIND_BLOCH))
		return status_fail(SONDE_INVALID,
				   "boundaries: only one side of %c is of kind bloch: both must be, as with face: %c",
				   name, name);
	if (bloch && low->phase != high->phase)
		return status_fail(SONDE_INVALID,
				   "boundaries: the sides of %c have phases of %g and %g degrees: both must have the "
				   "same, the phase advance over one period",
				   name, low->phase, high->phase);
	if (!bloch)
		return SONDE_OK;
	space->grid.bloch = true;
	space->grid.phase[axis] = low->phase * M_PI / 180.0;
	return SONDE_OK;
}

static sonde_status check_flat(const struct job_space *space, int axis, const sonde_fdtd_boundary_options *boundary)
{
	if (boundary->kind == SONDE_FDTD_BOUNDARY_KIND_BLOCH && boundary->face != SONDE_FDTD_BOUNDARY_FACE_ALL)
		return status_fail(SONDE_INVALID,
				   "boundaries: the structure is uniform along %c, so fields gain no phase along it",
				   "xyz"[frame_job_axis(&space->frame, axis)]);
	return SONDE_OK;
}

static sonde_status check_phases(const sonde_fdtd_job *job)
{
	for (int64_t n = 0; n < job->boundaries.count; ++n)
		if (job->boundaries.items[n].phase != 0.0 &&
		    job->boundaries.items[n].kind != SONDE_FDTD_BOUNDARY_KIND_BLOCH)
			return job_prefix(
			    job, status_fail_option(SONDE_INVALID, "phase", "only sides of kind bloch have one"),
			    "boundaries", job->boundaries.lines, n);
	return SONDE_OK;
}

static sonde_status make_sides(struct job_space *space)
{
	sonde_fdtd_boundary_options open;

	sonde_fdtd_boundary_init(&open);
	for (int a = 0; a < 3; ++a) {
		const sonde_fdtd_boundary_options *sides[2] = {boundary_of(space, a, 0, &open),
							       boundary_of(space, a, 1, &open)};
		for (int side = 0; side < 2; ++side) {
			set_side(space, a, side, sides[side]);
			if (!space->frame.flat[a])
				continue;
			CHECK(check_flat(space, a, sides[side]));
			space->grid.walls[a][side] = WALL_PERIODIC;
			space->grid.layers[a][side] = (struct absorbing_layer){0};
		}
		if (!space->frame.flat[a])
			CHECK(set_phase(space, a, sides[0], sides[1]));
	}
	return SONDE_OK;
}

static void make_layers(struct job_space *space)
{
	struct job_waves waves;
	sonde_fdtd_boundary_options open;

	sonde_fdtd_boundary_init(&open);
	job_waves_find(space, &waves);
	for (int a = 0; a < 3; ++a)
		for (int side = 0; side < 2; ++side)
			if (space->grid.layers[a][side].cells > 0)
				space->grid.layers[a][side] =
				    job_layer_of(space, &waves, a, boundary_of(space, a, side, &open));
}

/* Cells ------------------------------------------------------------------------------------ */

/* Whether an axis of the job is periodic. */
static bool is_periodic(const struct job_space *space, int axis)
{
	bool periodic = false;

	for (int64_t n = 0; n < space->job->boundaries.count; ++n) {
		const sonde_fdtd_boundary_options *boundary = &space->job->boundaries.items[n];
		if (is_about(boundary, axis, 0))
			periodic = boundary->kind == SONDE_FDTD_BOUNDARY_KIND_PERIODIC ||
				   boundary->kind == SONDE_FDTD_BOUNDARY_KIND_BLOCH;
	}
	return periodic;
}

/* The cyclic permutation that maps a uniform axis to the engine's y, or the only non-uniform one to its z; or to its x if
 * planes go through the device, though most of a row is empty then. */
static sonde_status choose_turn(struct job_space *space)
{
	const sonde_vector size = space->job->options.size;
	int flat = 0, last_flat = 0, last_full = 0;

	for (int u = 0; u < 3; ++u)
		if (vector_part(size, u) == 0.0) {
			++flat;
			last_flat = u;
		} else {
			last_full = u;
		}
	if (flat == 3)
		return status_fail_option(
		    SONDE_INVALID, "size",
		    "required, the edge lengths of the computed box, as in size: 2 um, 2 um, 1 um");
	space->frame.turn = flat == 0 ? 0 : flat == 1 ? (last_flat + 2) % 3 : (last_full + 1) % 3;
	if (flat == 2 && space->streamed)
		space->frame.turn = last_full;
	for (int u = 2; u >= 0 && flat == 0 && space->streamed; --u)
		space->frame.turn = is_periodic(space, u) ? space->frame.turn : u;
	for (int a = 0; a < 3; ++a)
		space->frame.flat[a] = vector_part(size, frame_job_axis(&space->frame, a)) == 0.0;
	return SONDE_OK;
}

/* Number of cells between the layers, and their length. */
static sonde_status inner_cells(struct job_space *space, int axis, int *cells)
{
	int u = frame_job_axis(&space->frame, axis);
	double size = vector_part(space->job->options.size, u), cell = vector_part(space->job->options.cell, u);

	*cells = 1;
	space->frame.cell[axis] = 1.0;
	if (space->frame.flat[axis])
		return SONDE_OK;
	if (!(cell > 0.0))
		return status_fail_option(SONDE_INVALID, "cell", "required along %c, as in cell: 20 nm", "xyz"[u]);
	if (!(size / cell >= 0.5) || size / cell > MOST_CELLS_ALONG)
		return status_fail_option(SONDE_INVALID, "size",
					  "%g m along %c are %.3g cells of %g m; 1 to %g are possible", size,
					  "xyz"[u], size / cell, cell, MOST_CELLS_ALONG);
	*cells = (int)lround(size / cell);
	space->frame.cell[axis] = cell;
	return SONDE_OK;
}

#define USUAL_COURANT 0.5
#define LEAST_PART 0.2 /* of it, below which a job must request the small step itself */

/* In float32, so that fields of either precision use the same numbers if cells are cubes. */
static void set_time_step(struct job_space *space)
{
	struct fdtd_frame *frame = &space->frame;
	double shortest = INFINITY, courant = (double)(float)(space->courant / frame->index);

	for (int a = 0; a < 3; ++a)
		if (!frame->flat[a])
			shortest = fmin(shortest, frame->cell[a]);
	for (int a = 0; a < 3; ++a)
		space->grid.courant[a] = frame->flat[a] ? 0.0 : courant * shortest / frame->cell[a];
	frame->time_step = courant * frame->index * shortest / SPEED_OF_LIGHT;
}

/* As the job specifies, or the default, reduced as far as its materials need: the limit depends slightly on the step
 * itself if there are poles, since these are recursions in time. */
static void choose_time_step(struct job_space *space)
{
	const char *name;

	space->courant = space->job->options.courant > 0.0 ? space->job->options.courant : USUAL_COURANT;
	set_time_step(space);
	if (space->job->options.courant > 0.0)
		return;
	const double part = job_stable_part(space, &name);
	if (part >= 1.0 || part < LEAST_PART)
		return;
	space->courant = floor(1e4 * USUAL_COURANT * part) * 1e-4;
	space->fast = (struct fast_material){name, space->courant};
	set_time_step(space);
}

static sonde_status check_stable(const struct job_space *space)
{
	const double squares = grid_courant_squares(&space->grid) * space->frame.index * space->frame.index;

	if (squares <= 1.0 + 1e-6)
		return SONDE_OK;
	return status_fail_option(
	    SONDE_INVALID, "courant",
	    "%g is not stable: fields would grow without bound; with these cells it must be at most %.4f",
	    space->courant, floor(1e4 * space->courant / sqrt(squares)) * 1e-4);
}

static void place_cells(struct job_space *space, const int inner[3])
{
	struct fdtd_frame *frame = &space->frame;

	for (int a = 0; a < 3; ++a) {
		const int low = space->grid.layers[a][0].cells, high = space->grid.layers[a][1].cells;
		space->grid.cells[a] = inner[a] + low + high;
		frame->origin[a] = frame->flat[a] ? 0.0 : -(0.5 * inner[a] + low) * frame->cell[a];
		frame->inner[a][0] = low;
		frame->inner[a][1] = low + inner[a];
		frame->side[a] = 0.5 * vector_part(space->job->options.size, frame_job_axis(frame, a));
	}
}

static sonde_status make(struct job_space *space)
{
	int inner[3];

	CHECK(choose_turn(space));
	CHECK(make_sides(space));
	for (int a = 0; a < 3; ++a)
		CHECK(inner_cells(space, a, &inner[a]));
	choose_time_step(space);
	CHECK(check_stable(space));
	make_layers(space);
	place_cells(space, inner);
	return grid_check(&space->grid);
}

sonde_status job_space_make(const sonde_fdtd_job *job, int threads, bool streamed, struct job_space *space)
{
	*space =
	    (struct job_space){.job = job,
			       .grid = {.in_words = job->options.precision == SONDE_FDTD_PRECISION_FLOAT16_STORAGE},
			       .frame = {.index = job->options.background},
			       .threads = threads,
			       .densest_voxels = job_densest_voxels(job),
			       .streamed = streamed};
	CHECK(check_phases(job));
	return job_prefix_option(job, make(space));
}
