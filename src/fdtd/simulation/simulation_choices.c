#include "fdtd/simulation/simulation.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "device/caches.h"
#include "fdtd/fields/fields_cpu.h"
#include "fdtd/fields/fields_gpu.h"
#include "fdtd/simulation/step_tiles.h"

#define SECONDS_AT_ONCE 0.5   /* of steps in a block, on a CPU */
#define CELLS_OF_WORKER 0.4e9 /* per second, approximately */
#define MOST_OF_CACHE 40e6    /* bytes of planes that are stepped in turn, */
#define PART_OF_CACHE 0.6     /* and this part of the cache, at most */
#define GROUPS_OF_THREAD 4.0  /* of a launch */
#define USUAL_SLAB 2          /* planes */
/* of blocks of steps by tiles, which must be long to save traffic: seconds, cells of a thread per second; and at least
 * STEPS_OF_TILES, unless they take too long */
#define SECONDS_OF_TILES 2.0
#define CELLS_OF_TILES 0.8e9
#define STEPS_OF_TILES 8.0
#define MOST_SECONDS_OF_TILES 10.0
#define STEPS_OF_SLABS 8u /* from this number of steps in the cache on, slabs are as fast */

/* The largest power of two that is not above `steps`, for whole groups of samples (fourier.h) in a block. */
static uint32_t block_of(double steps)
{
	uint32_t block = (uint32_t)fmax(1.0, fmin(floor(steps), MOST_SAMPLES));

	while ((block & (block - 1)) != 0)
		--block;
	return block;
}

/* On CPUs planes are stepped while they are in the caches, if time skewing pays off; GPUs take all planes at once. */
void simulation_choose_slab(struct simulation *simulation)
{
	const struct fdtd_step *layout = &simulation->fields.layout;
	const struct fdtd_grid *grid = &simulation->fields.grid;
	double plane = 6.0 * (double)layout->plane * (simulation->fields.single ? 4.0 : 8.0);
	double planes = floor(fmin(MOST_OF_CACHE, PART_OF_CACHE * caches_last()) / plane),
	       groups = (double)layout->groups_of_plane / layout->planes_of_group;

	simulation->slab = layout->end[0];
	if (device_properties(simulation->fields.device)->gpu_kernels)
		return;
	/* a stop takes effect only between blocks of steps */
	const double steps = SECONDS_AT_ONCE * CELLS_OF_WORKER * device_workers(simulation->fields.device) /
			     ((double)grid->cells[0] * grid->cells[1] * grid->cells[2]);
	simulation->at_once = block_of(steps);
	if (grid->walls[0][0] == WALL_PERIODIC || grid->bloch)
		return;
	/* enough planes for all threads, a few groups each; the slab, its way back, and the plane before are in the cache */
	const double least = ceil(GROUPS_OF_THREAD * device_workers(simulation->fields.device) / groups);
	if (planes < least + 3.0 || least >= layout->end[0] || simulation->at_once < 2)
		return;
	while (simulation->at_once > planes - least - 1.0)
		simulation->at_once /= 2;
	simulation->slab = (uint32_t)fmax(least, fmin(USUAL_SLAB, planes - simulation->at_once - 1.0));
}

/* The same for steps between exchanges with other devices. */
void simulation_choose_kept_slab(struct simulation *simulation)
{
	const struct fdtd_step *layout = &simulation->fields.layout;
	const double plane = 6.0 * (double)layout->plane * (simulation->fields.single ? 4.0 : 8.0),
		     planes = floor(fmin(MOST_OF_CACHE, PART_OF_CACHE * caches_last()) / plane),
		     groups = (double)layout->groups_of_plane / layout->planes_of_group,
		     least = ceil(GROUPS_OF_THREAD * device_workers(simulation->fields.device) / groups),
		     most = planes - simulation->fields.streaming->schedule.height - 1.0;

	simulation->slab = layout->end[0];
	if (!device_properties(simulation->fields.device)->gpu_kernels && least <= most)
		simulation->slab = (uint32_t)fmax(least, fmin(USUAL_SLAB, most));
}

/* Both fields at once if there is memory for it. */
void simulation_choose_both(struct simulation *simulation)
{
	struct fields *fields = &simulation->fields;

	simulation->both =
	    !simulation->in_place && simulation->slab >= fields->layout.end[0] && fields_can_step_both(fields);
	if (simulation->both && fields_make_both(fields) != SONDE_OK) {
		simulation->both = false;
		simulation->in_place = true; /* not to be tried again */
	}
}

/* All sources and monitors, in arrays with room for them. */
static void list_paired(struct simulation *simulation, struct paired *paired)
{
	struct fourier_sums *sums;

	for (int n = 0; n < simulation->currents; ++n)
		paired->sources[paired->source_count++] = &simulation->current[n].injection;
	for (int n = 0; n < 2 * simulation->total_fields; ++n)
		paired->sources[paired->source_count++] = &simulation->total_field[n / 2].injections[n % 2];
	for (int n = 0; (sums = simulation_sums(simulation, n)) != NULL; ++n)
		paired->monitors[paired->monitor_count++] =
		    (struct paired_monitor){{&sums->of[FIELD_E], &sums->of[FIELD_H]}, sums->every};
	for (int n = 0; n < simulation->traces; ++n) {
		const struct observation *observation = &simulation->trace[n].observation;
		struct paired_monitor *monitor = &paired->monitors[paired->monitor_count++];
		*monitor = (struct paired_monitor){.every = 1};
		monitor->of[observation->field == FIELD_H ? 1 : 0] = observation;
	}
}

static sonde_status make_pairs(struct simulation *simulation)
{
	struct paired paired = {.fields = &simulation->fields};
	const int sources = simulation->currents + 2 * simulation->total_fields + 1,
		  monitors = simulation->spectra + simulation->field_monitors + simulation->absorptions +
			     simulation->traces + 1;
	sonde_status status;

	CHECK_GOTO(status,
		   memory_allocate(&paired.sources, (size_t)sources, sizeof *paired.sources, "steps in pairs"), done);
	CHECK_GOTO(status,
		   memory_allocate(&paired.monitors, (size_t)monitors, sizeof *paired.monitors, "steps in pairs"),
		   done);
	list_paired(simulation, &paired);
	status = step_pairs_make(&paired, simulation->pairing == PAIRING_ON, &simulation->pairs);
done:
	free(paired.sources);
	free(paired.monitors);
	return status;
}

/* Two steps at once if that is possible, and if there is memory for their data. */
void simulation_choose_pairs(struct simulation *simulation, uint64_t steps)
{
	const uint64_t known = simulation->step + steps,
		       all = simulation->expected > known ? simulation->expected : known;

	if (simulation->pairs != NULL || simulation->pairing == PAIRING_OFF || !simulation->both ||
	    simulation->fields.streaming != NULL ||
	    (simulation->pairing == PAIRING_TRIED && !step_pairs_are_worth_it(&simulation->fields, all)))
		return;
	if (make_pairs(simulation) != SONDE_OK || simulation->pairs == NULL)
		simulation->pairing = PAIRING_OFF; /* not to be tried again */
}

/* All sources in their order, and all monitors. */
static void list_tiled(struct simulation *simulation, struct tiled *tiled)
{
	struct fourier_sums *sums;

	for (int n = 0; n < 2 * simulation->total_fields; ++n)
		tiled->sources[tiled->source_count++] = &simulation->total_field[n / 2].injections[n % 2];
	for (int n = 0; n < simulation->currents; ++n)
		tiled->sources[tiled->source_count++] = &simulation->current[n].injection;
	for (int n = 0; (sums = simulation_sums(simulation, n)) != NULL; ++n)
		tiled->sums[tiled->sum_count++] = sums;
	for (int n = 0; n < simulation->traces; ++n)
		tiled->traces[tiled->trace_count++] = &simulation->trace[n].observation;
}

static sonde_status make_tiles(struct simulation *simulation)
{
	struct tiled tiled = {.fields = &simulation->fields};
	const int sources = simulation->currents + 2 * simulation->total_fields + 1,
		  sums = simulation->spectra + simulation->field_monitors + simulation->absorptions + 1;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&tiled.sources, (size_t)sources, sizeof *tiled.sources, "steps by tiles"),
		   done);
	CHECK_GOTO(status, memory_allocate(&tiled.sums, (size_t)sums, sizeof *tiled.sums, "steps by tiles"), done);
	CHECK_GOTO(
	    status,
	    memory_allocate(&tiled.traces, (size_t)simulation->traces + 1, sizeof *tiled.traces, "steps by tiles"),
	    done);
	list_tiled(simulation, &tiled);
	status = step_tiles_make(&tiled, simulation->tile, &simulation->tiles);
done:
	free(tiled.sources);
	free(tiled.sums);
	free(tiled.traces);
	return status;
}

static bool has_slabs(const struct simulation *simulation)
{
	return simulation->slab < simulation->fields.layout.end[0];
}

/* Steps of a block by tiles. */
static uint32_t block_of_tiles(const struct simulation *simulation)
{
	const int *cells = simulation->fields.grid.cells;
	const double per_second =
	    CELLS_OF_TILES * device_workers(simulation->fields.device) / ((double)cells[0] * cells[1] * cells[2]);

	return block_of(
	    fmax(SECONDS_OF_TILES * per_second, fmin(STEPS_OF_TILES, MOST_SECONDS_OF_TILES * per_second)));
}

/* The shape where slabs have few steps, or in two dimensions, in which threads meet after every step of a slab; no planes: slabs. */
static struct skewed_tile shape_of_tiles(const struct simulation *simulation)
{
	const struct fdtd_grid *grid = &simulation->fields.grid;
	const bool slabs_fit = has_slabs(simulation) && simulation->at_once >= STEPS_OF_SLABS,
		   is_flat = grid_is_uniform(grid, 0) || grid_is_uniform(grid, 1);
	struct skewed_tile tile = {0};

	if (!slabs_fit || is_flat)
		tile = step_tiles_shape(&simulation->fields, block_of_tiles(simulation));
	return tile;
}

enum way_of_cpu simulation_way_of_cpu(struct device *device, const struct fdtd_grid *grid, bool single)
{
	struct simulation simulation = {.at_once = MOST_SAMPLES};

	fields_lay_out(device, grid, single, &simulation.fields);
	simulation_choose_slab(&simulation);
	if (shape_of_tiles(&simulation).planes > 0)
		return WAY_TILES;
	return has_slabs(&simulation)                         ? WAY_SLABS
	       : fields_can_step_in_place(&simulation.fields) ? WAY_ROWS_IN_TURN
							      : WAY_HALF_STEPS;
}

/* Tiles on CPUs where they are possible, with longer blocks of steps; or slabs. */
void simulation_choose_tiles(struct simulation *simulation)
{
	if (simulation->tiles != NULL || simulation->tiling == TILING_OFF)
		return;
	if (simulation->tiling == TILING_CHOSEN)
		simulation->tile = shape_of_tiles(simulation);
	if (!fields_can_step_tiles(&simulation->fields) || simulation->tile.planes == 0 ||
	    make_tiles(simulation) != SONDE_OK) {
		simulation->tiling = TILING_OFF; /* not to be tried again */
		return;
	}
	if (simulation->tiling == TILING_CHOSEN)
		simulation->at_once = block_of_tiles(simulation);
}

/* In two dimensions and in one the components form independent sets: E along a and H along b generate each other by
 * differences along the third axis, unless that is uniform; components coupled by smooth surfaces are in one set.
 * Sets without a source stay 0, and are not stepped. */
sonde_status simulation_choose_components(struct simulation *simulation)
{
	struct fields *fields = &simulation->fields;
	const double *courant = fields->grid.courant;
	uint32_t e = simulation->driven[FIELD_E], h = simulation->driven[FIELD_H];

	if (simulation->step > 0 || fields->written || (e == 0 && h == 0))
		return SONDE_OK;
	for (int turn = 0; turn < 6; ++turn)
		for (int n = 0; n < 9; ++n) {
			int a = n / 3, b = n % 3;
			if (a == b || courant[3 - a - b] == 0.0)
				continue;
			h |= (e >> a & 1u) << b;
			e |= (h >> b & 1u) << a;
		}
	return fields_step_only(fields, e, h);
}
