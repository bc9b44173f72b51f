#include "fdtd/job/layers.h"

#include <math.h>
#include <string.h>

#include "fdtd/job/sources.h"
#include "matter/shape/body.h"

/* Waves ------------------------------------------------------------------------------------- */

#define IN_BAND 0.1 /* relative to the largest amplitude of a spectrum, from which on its frequencies count */
#define WIDEST \
	0.01 /* lowest frequency of a source that counts, relative to the highest: of pulses with a DC component */

static void add_source(const struct job_space *space, const sonde_fdtd_source_options *source,
		       struct job_waves *waves)
{
	struct waveform form = {.kind = WAVEFORM_PULSE};

	if (source->kind >= 0 && job_source_form(space, source, &form) == SONDE_OK) {
		const double highest = waveform_highest_frequency(&form, IN_BAND);
		waves->highest = fmax(waves->highest, waveform_highest_frequency(&form, JOB_MESHED));
		waves->lowest =
		    fmin(waves->lowest, fmax(waveform_lowest_frequency(&form, IN_BAND), WIDEST * highest));
	}
	waveform_free(&form);
}

static void add_monitor(const struct job_space *space, const sonde_fdtd_monitor_options *monitor,
			struct job_waves *waves)
{
	const sonde_grid *frequencies = &monitor->frequencies, *lengths = &monitor->wavelengths;

	if (frequencies->first > 0.0)
		waves->lowest = fmin(waves->lowest, frame_angular(&space->frame, frequencies->first));
	if (lengths->last > 0.0)
		waves->lowest = fmin(waves->lowest, frame_angular(&space->frame, SPEED_OF_LIGHT / lengths->last));
}

static double index_of(const struct medium *medium, double omega)
{
	const double complex permittivity =
	    medium->permittivity + medium_susceptibility(medium, omega) + I * medium->conductivity / omega;

	return medium->conductor ? 0.0 : creal(csqrt(permittivity * medium->permeability));
}

static void add_material(const struct job_space *space, const char *name, struct job_waves *waves)
{
	struct job_material material;

	if (job_find_material(space, name, &material) != SONDE_OK)
		return;
	for (int a = 0; a < 3; ++a)
		waves->densest = fmax(waves->densest, index_of(&material.along[a], waves->highest));
}

static void add_body(const struct job_space *space, const sonde_body_options *body, struct job_waves *waves)
{
	char name[OPTION_TEXT_SIZE];

	if (body->shape != SONDE_BODY_SHAPE_VOXELS || body->material[0] != '\0')
		add_material(space, body->material, waves);
	for (int n = 0;
	     body->shape == SONDE_BODY_SHAPE_VOXELS && body_list_name(body->materials, n, name, sizeof name); ++n)
		if (strcmp(name, "none") != 0)
			add_material(space, name, waves);
}

void job_waves_find(const struct job_space *space, struct job_waves *waves)
{
	const sonde_fdtd_job *job = space->job;

	*waves = (struct job_waves){.lowest = INFINITY, .densest = fmax(1.0, space->densest_voxels)};
	for (int64_t n = 0; n < job->sources.count; ++n)
		add_source(space, &job->sources.items[n], waves);
	for (int64_t n = 0; n < job->monitors.count; ++n)
		add_monitor(space, &job->monitors.items[n], waves);
	for (int64_t n = 0; n < job->bodies.count && waves->highest > 0.0; ++n)
		add_body(space, &job->bodies.items[n], waves);
	waves->lowest = isfinite(waves->lowest) ? waves->lowest : 0.0;
}

/* Layers -------------------------------------------------------------------------------------- */

#define USUAL_CELLS 11
#define GUIDED 8.0 /* cells per period next to a layer, above which waves along it count */
#define CELLS_OF_PERIOD 1.1
#define LEAST_GUIDED 22.0
#define MOST_GUIDED 44.0
#define LEAST_STRETCHED 16 /* with fewer cells, stretching causes reflections in coarse meshes */
#define STRETCHED 5.0
#define STRETCHED_SIGMA 2.0

#define LOSSES_OF_GUIDED 0.05

#define ALPHA_OF_LOWEST \
	0.3             /* of the lowest angular frequency: costs 9 % absorption there; best for evanescent waves */
#define USUAL_MESH 20.0 /* cells per wavelength for which layers have the required length in waves */
#define CELLS_OF_STRETCHED 4.0 /* minimum cells per wavelength where a layer is stretched most: fewer reflect */

/* The longest period between sides that do not absorb, next to a layer across `axis`, in its cells: that of waves
 * along the layer which are evanescent in it; 0 if all sides are open. */
static double period_beside(const struct job_space *space, int axis)
{
	const struct fdtd_grid *grid = &space->grid;
	const double cell = vector_part(space->job->options.cell, frame_job_axis(&space->frame, axis));
	double longest = 0.0;

	for (int a = 0; a < 3; ++a) {
		const int u = frame_job_axis(&space->frame, a);
		const bool open = grid->layers[a][0].cells > 0 || grid->layers[a][1].cells > 0;
		/* between two walls are half waves */
		const double waves = grid->walls[a][0] == WALL_PERIODIC ? 1.0 : 2.0;
		if (a != axis && !space->frame.flat[a] && !open)
			longest = fmax(longest, waves * vector_part(space->job->options.size, u));
	}
	return cell > 0.0 ? longest / cell : 0.0;
}

/* With kappa = 1 + (kappa - 1) u^order at a relative depth u a layer has 1 + (kappa - 1)/(order + 1) times the length
 * of its cells for evanescent waves, which no conductivity absorbs. To keep this length for smaller cells: */
static double stretched_to(double times, double order)
{
	return 1.0 + (order + 1.0) * fmax(0.0, times - 1.0);
}

/* The largest stretching that the shortest waves in the densest body allow. */
static double most_stretching(const struct job_space *space, const struct job_waves *waves, int axis)
{
	const double cells =
	    waves->highest > 0.0 ? 2.0 * M_PI * space->grid.courant[axis] / waves->highest : USUAL_MESH;

	return fmax(1.0, cells / waves->densest / CELLS_OF_STRETCHED);
}

/* Makes layers as long as 11 cells at 20 cells per wavelength. In one dimension no wave is evanescent. */
static double stretching_of_open(const struct job_space *space, const struct job_waves *waves, int axis, double order)
{
	const bool *flat = space->frame.flat;

	if (!(waves->highest > 0.0) || flat[0] + flat[1] + flat[2] == 2)
		return 1.0;
	const double cells = 2.0 * M_PI * space->grid.courant[axis] / waves->highest;
	return fmin(stretched_to(cells / USUAL_MESH, order), most_stretching(space, waves, axis));
}

/* A layer rotates the phase of evanescent waves, so that the reflection from its wall may feed resonances of a
 * structure: a layer is passive only for propagating waves. If the adjacent sides reflect, such waves exist just
 * below each cut-off, and the layer is made long enough for them to decay before its wall, by exp(-2 k times the
 * integral of kappa): that is twice the period, and kappa grows if the period has more cells than the thickest layer
 * is for. docs/fdtd_theory.md gives the growth measured without this. */
static double stretching_of_guided(double period, int cells, double order, double most)
{
	const double times = CELLS_OF_PERIOD * period / fmax(cells, MOST_GUIDED),
		     usual = 1.0 + (STRETCHED - 1.0) / (order + 1.0);

	return fmax(STRETCHED, fmin(stretched_to(times * usual, order), most));
}

/* Stretched layers absorb less: at low frequencies a convolution has exp(sigma/kappa dt) - 1 in place of sigma/kappa
 * dt. */
static double sigma_of_open(double kappa, double sigma)
{
	return fmax(sigma, 1.0 - 0.3 / kappa);
}

struct absorbing_layer job_layer_of(const struct job_space *space, const struct job_waves *waves, int axis,
				    const sonde_fdtd_boundary_options *boundary)
{
	const double period = period_beside(space, axis), courant = space->grid.courant[axis];
	const bool guided = period >= GUIDED;
	const int cells = boundary->cells > 0 ? (int)boundary->cells
			  : guided ? (int)fmin(fmax(ceil(CELLS_OF_PERIOD * period), LEAST_GUIDED), MOST_GUIDED)
				   : USUAL_CELLS;
	struct absorbing_layer layer = absorbing_layer_of(cells);

	const bool thick = guided && cells >= LEAST_STRETCHED;
	layer.order = boundary->order >= 0.0 ? boundary->order : layer.order;
	layer.kappa = boundary->kappa >= 1.0 ? boundary->kappa
		      : thick ? stretching_of_guided(period, cells, layer.order, most_stretching(space, waves, axis))
			      : stretching_of_open(space, waves, axis, layer.order);
	layer.sigma_factor = boundary->sigma >= 0.0 ? boundary->sigma
			     : thick                ? STRETCHED_SIGMA
						    : sigma_of_open(layer.kappa, layer.sigma_factor);
	if (waves->lowest > 0.0)
		layer.alpha = fmin(layer.alpha, ALPHA_OF_LOWEST * waves->lowest / courant);
	layer.alpha = boundary->alpha >= 0.0 ? boundary->alpha : layer.alpha;
	layer.alpha_order = boundary->alpha_order;
	layer.losses = boundary->losses >= 0.0 ? boundary->losses : period > 0.0 ? LOSSES_OF_GUIDED : 0.0;
	return layer;
}
