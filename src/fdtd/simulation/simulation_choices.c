#include "fdtd/simulation/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "fdtd/fields/fields_cpu.h"
#include "fdtd/fields/fields_gpu.h"

#define SECONDS_AT_ONCE 0.5   /* of steps in a block, on a CPU */
#define CELLS_OF_WORKER 0.4e9 /* per second, approximately */
#define USUAL_CACHE 32e6      /* bytes, if the system does not report it */
#define MOST_OF_CACHE 40e6    /* bytes of planes that are stepped in turn, */
#define PART_OF_CACHE 0.6     /* and this part of the cache, at most */
#define GROUPS_OF_THREAD 4.0  /* of a launch */
#define USUAL_SLAB 2          /* planes */

/* Size of the largest cache that a core has access to: processors of several dies have several. The C library may
 * report the sum of them. */
static double last_cache_bytes(void)
{
	FILE *file = fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "re");
	double kilobytes = 0.0;
	long bytes = 0;

	if (file != NULL && fscanf(file, "%lfK", &kilobytes) != 1)
		kilobytes = 0.0;
	if (file != NULL)
		fclose(file);
	if (kilobytes > 0.0)
		return 1024.0 * kilobytes;
#if defined(_SC_LEVEL3_CACHE_SIZE)
	bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
	return bytes > 0 ? (double)bytes : USUAL_CACHE;
}

/* On CPUs planes are stepped while they are in the caches, if time skewing pays off; GPUs take all planes at once. */
void simulation_choose_slab(struct simulation *simulation)
{
	const struct fdtd_step *layout = &simulation->fields.layout;
	const struct fdtd_grid *grid = &simulation->fields.grid;
	double plane = 6.0 * (double)layout->plane * (simulation->fields.single ? 4.0 : 8.0);
	double planes = floor(fmin(MOST_OF_CACHE, PART_OF_CACHE * last_cache_bytes()) / plane),
	       groups = (double)layout->groups_of_plane / layout->planes_of_group;

	simulation->slab = layout->end[0];
	if (device_properties(simulation->fields.device)->gpu_kernels)
		return;
	/* a stop takes effect only between blocks of steps */
	const double steps = SECONDS_AT_ONCE * CELLS_OF_WORKER * device_workers(simulation->fields.device) /
			     ((double)grid->cells[0] * grid->cells[1] * grid->cells[2]);
	simulation->at_once = (uint32_t)fmax(1.0, fmin(floor(steps), MOST_SAMPLES));
	/* so that groups of samples (fourier.h) are complete at the end of blocks */
	while ((simulation->at_once & (simulation->at_once - 1)) != 0)
		--simulation->at_once;
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
