#include "ions/plan/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/option_items.h"

#define USUAL_IONS 10000
#define LEAST_DEPTH 1.0        /* nm */
#define LEAST_ENERGY 5.0       /* eV, below which an ion has come to rest */
#define DEPTH_BITS 18.0        /* of depths in moments: a resolution of 4e-6 of the depth reached by ions */
#define RADIUS_OF_BALL 0.62035 /* (4 pi/3)^(-1/3) */
#define LEAST_STEP 0.05
#define LEAST_CELL 1e-4 /* nm */
#define SECONDS_OF_COLLISION 1e-7
#define MANY_TALLIES (1 << 24) /* of all groups of ions; larger maps have fewer groups, */
#define MOST_TALLIES (1 << 26) /* but enough for errors up to this limit: a gigabyte */

static const enum screening_kind screenings[] = {SCREENING_ZBL, SCREENING_KR_C, SCREENING_MOLIERE,
						 SCREENING_LENZ_JENSEN, SCREENING_NONE};
static const enum stopping_source stoppings[] = {STOPPING_ZBL, STOPPING_SRIM13, STOPPING_DPASS21, STOPPING_LINDHARD,
						 STOPPING_NONE};
static const enum straggling_source stragglings[] = {STRAGGLING_YANG, STRAGGLING_CHU, STRAGGLING_BOHR,
						     STRAGGLING_NONE};

static uint32_t find_or_add_species(struct ions_plan *plan, int atomic_number, double mass)
{
	uint32_t s = (uint32_t)plan->source.species_count;

	while (s < plan->job.species &&
	       (plan->species[s].atomic_number != atomic_number || plan->species[s].mass != mass))
		++s;
	if (s == plan->job.species)
		plan->species[plan->job.species++] = (struct ions_species){atomic_number, mass};
	return s;
}

/* Notes of the source, then of the target. */
static void find_species(struct ions_plan *plan)
{
	const struct source *source = &plan->source;

	for (int s = 0; s < source->species_count; ++s)
		plan->species[s] = (struct ions_species){source->species[s].atomic_number, source->species[s].mass};
	plan->job.species = (uint32_t)source->species_count;
	for (int k = 1; k < plan->target.kind_count; ++k)
		(void)find_or_add_species(plan, plan->target.kinds[k].atomic_number, plan->target.kinds[k].mass);
}

/* Stopping is needed up to the energy of the ion for all species: recoils may get all of it. */
static sonde_status open_stopping(struct ions_plan *plan)
{
	const sonde_ions_options *options = &plan->options;

	CHECK(stopping_open_in(plan->data, stoppings[options->stopping], stragglings[options->straggling],
			       &plan->stopping));
	if (options->stopping_table[0] != '\0') {
		if (plan->source.species_count > 1)
			return status_fail_option(SONDE_INVALID, "stopping_table",
						  "a table is for one ion, the list has %d species",
						  plan->source.species_count);
		const struct target_layer *layer = plan->target.layers;
		while (layer->material.count == 0)
			++layer;
		CHECK(stopping_use_table(plan->stopping, options->stopping_table, plan->source.atomic_number,
					 &layer->material));
	}
	for (int k = 0; k < plan->source.species_count; ++k) {
		const struct source_species *species = &plan->source.species[k];
		double last = stopping_last_energy(plan->stopping, species->mass);
		if (species->most > last)
			return status_fail_option(SONDE_INVALID, "energy",
						  "%g keV is beyond the stopping table, which ends at %g keV",
						  1e-3 * species->most, 1e-3 * last);
	}
	return SONDE_OK;
}

/* Approximate range of depths where ions come to rest, nm. */
struct reach {
	double first, last;
};

/* Factor of the mean range for the farthest ions: it varies strongly with nuclear stopping. */
static double beyond(const struct ions_plan *plan, double lost_to_nuclei)
{
	return 1.15 + 1.2 * lost_to_nuclei / plan->source.most;
}

/* The path length in nm for a loss of 1/100 of the energy in a material, and the nuclear fraction of this loss. */
static double slow_down(const struct ions_plan *plan, const struct material *material, double energy, double *nuclear)
{
	double to_electrons =
		   plan->options.stopping_factor * stopping_electronic(plan->stopping, plan->source.atomic_number,
								       plan->source.mass, material, energy),
	       to_nuclei =
		   stopping_nuclear(SCREENING_ZBL, plan->source.atomic_number, plan->source.mass, material, energy);

	*nuclear = to_nuclei / (to_electrons + to_nuclei);
	return 0.01 * energy / (to_electrons + to_nuclei);
}

/* The reach through the layers from the start of the ions. */
static struct reach reach_of_layers(struct ions_plan *plan)
{
	const struct target *target = &plan->target;
	double energy = plan->source.most, depth = plan->job.start, lost_to_nuclei = 0.0, nuclear;
	struct reach reach = {INFINITY, -INFINITY};

	plan->first_loss = 0.0;
	for (int l = (int)plan->job.first_layer; l < target->layer_count && energy > LEAST_ENERGY; ++l) {
		const struct target_layer *layer = &target->layers[l];
		if (layer->material.count == 0) {
			depth = layer->end;
			continue;
		}
		reach.first = fmin(reach.first, depth);
		while (energy > LEAST_ENERGY && depth < layer->end) {
			double step = slow_down(plan, &layer->material, energy, &nuclear),
			       part = fmin(1.0, (layer->end - depth) / step);
			depth = part < 1.0 ? layer->end : depth + step;
			if (lost_to_nuclei == 0.0)
				plan->first_loss = 0.01 * energy * nuclear / step;
			lost_to_nuclei += part * 0.01 * energy * nuclear;
			energy -= part * 0.01 * energy;
		}
		reach.last = depth;
	}
	plan->nuclear_loss = lost_to_nuclei;
	if (reach.last > reach.first)
		reach.last = reach.first + (reach.last - reach.first) * beyond(plan, lost_to_nuclei);
	return reach;
}

/* Adds the reach into a body or voxels. */
static void add_reach_of_body(struct ions_plan *plan, const struct target_layer *body, struct reach *reach)
{
	double energy = plan->source.most, way = 0.0, lost_to_nuclei = 0.0, nuclear,
	       begin = fmax(body->begin, plan->job.start);

	if (body->material.count == 0 || body->end <= begin)
		return;
	while (energy > LEAST_ENERGY) {
		const double step = slow_down(plan, &body->material, energy, &nuclear);
		if (way == 0.0)
			plan->first_loss = fmax(plan->first_loss, 0.01 * energy * nuclear / step);
		way += step;
		lost_to_nuclei += 0.01 * energy * nuclear;
		energy *= 0.99;
	}
	reach->first = fmin(reach->first, begin);
	reach->last = fmax(reach->last, fmin(begin + way * beyond(plan, lost_to_nuclei), body->end));
	plan->nuclear_loss = fmax(plan->nuclear_loss, lost_to_nuclei);
}

static struct reach find_reach_from(struct ions_plan *plan, double start)
{
	const struct target *target = &plan->target;

	plan->job.start = start;
	plan->job.first_layer = 0;
	while (start >= target->layers[plan->job.first_layer].end)
		++plan->job.first_layer;
	struct reach reach = reach_of_layers(plan);

	for (int k = target->layer_count; k < target->region_count; ++k)
		add_reach_of_body(plan, &target->layers[k], &reach);
	/* an ion that starts beyond all matter */
	if (!(reach.last > reach.first))
		reach.first = reach.last = plan->job.start;
	return reach;
}

/* The reach of all species, from all their start depths. */
static struct reach find_reach(struct ions_plan *plan)
{
	const struct source source = plan->source;
	double starts[2] = {source.start, source.start_last}, loss = 0.0, first_loss = 0.0;
	struct reach reach = {INFINITY, -INFINITY};
	bool backward = plan->job.isotropic != 0;

	for (size_t k = 0; k < source.particles.count && source.particles.has_place; ++k) {
		starts[0] = k == 0 ? source.particles.starts[k].x : fmin(starts[0], source.particles.starts[k].x);
		starts[1] = k == 0 ? source.particles.starts[k].x : fmax(starts[1], source.particles.starts[k].x);
	}
	for (size_t k = 0; k < source.particles.count && source.particles.has_direction; ++k)
		backward = backward || source.particles.starts[k].direction_x < 0.0f;
	for (int k = 0; k < 2 * source.species_count; ++k) {
		const struct source_species *species = &source.species[k / 2];
		plan->source.atomic_number = species->atomic_number;
		plan->source.mass = species->mass;
		plan->source.most = species->most;
		/* the last one from the first depth, the usual start of ions */
		struct reach one = find_reach_from(plan, starts[1 - k % 2]);
		reach.first = fmin(reach.first, one.first);
		reach.last = fmax(reach.last, one.last);
		loss = fmax(loss, plan->nuclear_loss);
		first_loss = fmax(first_loss, plan->first_loss);
	}
	plan->source.atomic_number = source.atomic_number;
	plan->source.mass = source.mass;
	plan->source.most = source.most;
	plan->nuclear_loss = loss;
	plan->first_loss = first_loss;
	if (backward)
		reach.first = fmin(reach.first, plan->target.layers[0].begin);
	return reach;
}

/* Rounds up to two digits. */
static double round_up(double x)
{
	double power = pow(10.0, floor(log10(x)) - 1.0);

	return ceil(x / power * (1.0 - 1e-12)) * power;
}

static sonde_status settle_cells(struct ions_plan *plan)
{
	sonde_ions_options *options = &plan->options;
	const struct target *target = &plan->target;
	struct ions_job *job = &plan->job;
	double end = target->layers[target->layer_count - 1].end, depth = 0.1 * options->depth;
	struct reach reach = find_reach(plan);

	if (depth == 0.0)
		depth = isfinite(end) ? end : round_up(fmax(reach.last, LEAST_DEPTH));
	options->depth = 10.0 * depth;
	const double widths[3] = {depth, 0.1 * options->width.y, 0.1 * options->width.z};
	const double counts[3] = {(double)options->bins, options->cells.y, options->cells.z};
	double cells = 1.0;
	for (int k = 0; k < 3; ++k) {
		if (counts[k] != floor(counts[k]))
			return status_fail_option(SONDE_INVALID, "cells", "%g is not a whole number of cells",
						  counts[k]);
		double width = widths[k] > 0.0 ? widths[k] : depth;
		if (width / counts[k] < LEAST_CELL)
			return status_fail_option(SONDE_INVALID, k == 0 ? "bins" : "cells",
						  "cells of %g Angstrom are too small", 10.0 * width / counts[k]);
		job->cells[k] = (uint32_t)counts[k];
		job->cell_nm[k] = width / counts[k];
		job->cells_per_nm[k] = counts[k] / width;
		job->cell_first[k] = k == 0 ? 0.0 : -0.5 * width;
		cells *= counts[k];
	}
	options->width = (sonde_vector){0.0, counts[1] > 1 ? 10.0 * job->cell_nm[1] * counts[1] : 0.0,
					counts[2] > 1 ? 10.0 * job->cell_nm[2] * counts[2] : 0.0};
	job->rows = TALLY_ROWS_OF_ALL + TALLY_ROWS_OF_KIND * (uint32_t)(target->kind_count - 1);
	if (cells * job->rows > MOST_CELLS)
		return status_fail(SONDE_INVALID,
				   "bins, cells: %.0f cells with %u sums each are too many; at most %.0f "
				   "together",
				   cells, job->rows, MOST_CELLS);
	job->cell_count = (uint32_t)cells;
	job->groups = IONS_GROUPS;
	while (job->groups > LEAST_GROUPS_OF_ERRORS && cells * job->rows * job->groups > MANY_TALLIES)
		job->groups /= 2;
	while (job->groups > 1 && cells * job->rows * job->groups > MOST_TALLIES)
		job->groups /= 2;
	/* so that sums of fourth powers of depths stay in 128 bits */
	job->origin = reach.first;
	plan->depth_unit = exp2(ceil(log2(fmax(reach.last - reach.first, LEAST_DEPTH))) - DEPTH_BITS);
	return SONDE_OK;
}

/* Particles of a list start in the target; those beyond it that fly toward it start where they meet it. */
static sonde_status settle_places(const char *path, double end, struct particles *particles)
{
	for (size_t k = 0; k < particles->count && particles->has_place; ++k) {
		struct ions_start *start = &particles->starts[k];
		if (start->x < end)
			continue;
		if (!(particles->has_direction && start->direction_x < 0.0f))
			return status_fail_file(
			    SONDE_INVALID, path,
			    "particle %zu starts at a depth of %g Angstrom, beyond the target, which "
			    "ends at %g",
			    k + 1, 10.0 * start->x, 10.0 * end);
		double way = (start->x - end) / -(double)start->direction_x;
		start->y += way * (double)start->direction_y;
		start->z += way * (double)start->direction_z;
		start->x = nextafter(end, 0.0);
	}
	return SONDE_OK;
}

static sonde_status settle_start(struct ions_plan *plan)
{
	const sonde_ions_options *options = &plan->options;
	const struct target *target = &plan->target;
	const struct source *source = &plan->source;
	const struct particles *particles = &source->particles;
	double angle = options->angle * PI / 180.0, end = target->layers[target->layer_count - 1].end;
	struct ions_job *job = &plan->job;

	job->energy = source->energy;
	job->most_energy = source->most;
	job->energy_deviation = source->energy * options->energy_spread;
	job->spectrum_of_source = source->has_spectrum ? SOURCE_PARTS : 0;
	job->direction[0] = cos(angle);
	job->direction[1] = sin(angle);
	job->divergence = options->divergence * PI / 180.0;
	job->isotropic = options->direction == SONDE_IONS_DIRECTION_ISOTROPIC;
	job->spot = 0.1 * options->spot;
	job->start = source->start;
	job->start_span = source->start_last - source->start;
	job->starts = (uint32_t)particles->count;
	job->starts_have = (particles->has_energy ? STARTS_ENERGY : 0) | (particles->has_place ? STARTS_PLACE : 0) |
			   (particles->has_direction ? STARTS_DIRECTION : 0);
	if (!(source->start_last < end))
		return status_fail_option(SONDE_INVALID, "start_depth", "%g Angstrom is beyond the target",
					  10.0 * source->start_last);
	return settle_places(options->particles, end, &plan->source.particles);
}

/* The more energetic of two atoms waits while the other one is followed: see kernels/histories.k. */
static uint32_t places_to_wait(const struct ions_plan *plan)
{
	double least = INFINITY;

	for (int k = 1; k < plan->target.kind_count; ++k)
		least = fmin(least, fmin(plan->target.kinds[k].displacement - plan->target.kinds[k].lattice,
					 plan->job.barrier && plan->target.kinds[k].surface > 0.0
					     ? plan->target.kinds[k].surface
					     : INFINITY));
	least = fmax(least, fmin(plan->options.cutoff, 1.0));
	return (uint32_t)(fmax(log2(plan->source.most / least), 0.0) + 4.0); /* and the suspended one */
}

void ions_plan_set_seed(struct ions_plan *plan, int64_t seed)
{
	plan->options.seed = seed;
	plan->job.seed_low = (uint32_t)seed;
	plan->job.seed_high = (uint32_t)((uint64_t)seed >> 32);
}

static void settle_job(struct ions_plan *plan)
{
	const sonde_ions_options *options = &plan->options;
	struct ions_job *job = &plan->job;

	job->cutoff = (u64)llround(options->cutoff * (double)UNITS_PER_EV);
	job->kinds = (uint32_t)plan->target.kind_count;
	job->layers = (uint32_t)plan->target.layer_count;
	job->bodies = (uint32_t)plan->target.body_count;
	job->regions = (uint32_t)plan->target.region_count;
	job->voxel_materials = job->regions - job->layers - job->bodies;
	job->voxel_gaps = plan->target.voxel_gaps;
	job->mesh_numbers = (uint32_t)plan->target.mesh_numbers;
	for (int k = 0; k < 3; ++k) {
		job->voxels[k] = (uint32_t)plan->target.voxels[k];
		job->voxel_first[k] = plan->target.voxel_first[k];
		job->voxel_nm[k] = plan->target.voxel_nm[k];
	}
	/* rows up to the largest energy, and one more for fluctuations */
	job->nodes = (uint32_t)((log2(plan->source.most) + 3.0) * FLIGHTS_AN_OCTAVE) + FLIGHTS_AN_OCTAVE;
	for (uint32_t l = 0; l < job->regions; ++l)
		if ((uint32_t)plan->target.layers[l].material.count > job->most_elements)
			job->most_elements = (uint32_t)plan->target.layers[l].material.count;
	ions_plan_set_seed(plan, options->seed);
	job->flight = options->flight == SONDE_IONS_FLIGHT_EXPONENTIAL ? FLIGHT_EXPONENTIAL : FLIGHT_FIXED;
	job->multiple = options->flight == SONDE_IONS_FLIGHT_EXPONENTIAL && options->always_within < 0.0;
	job->in_collisions = options->electronic != SONDE_IONS_ELECTRONIC_NON_LOCAL;
	job->local_rate = (float)screening_outer_rate(screening_of(plan->screening));
	job->local_rate_log2e = (float)(1.4426950408889634 * screening_outer_rate(screening_of(plan->screening)));
	job->quick = options->cascades == SONDE_IONS_CASCADES_QUICK;
	job->barrier = options->surface == SONDE_IONS_SURFACE_PLANAR;
	job->straggling = options->straggling != SONDE_IONS_STRAGGLING_NONE;
	job->stack = places_to_wait(plan);
	job->spectrum_bins = SPECTRUM_BINS;
	job->listed = (u64)options->exits;
	job->arc_b = (float)options->arc_b;
	job->arc_c = (float)options->arc_c;
}

static sonde_status settle_step(struct ions_plan *plan)
{
	sonde_ions_options *options = &plan->options;

	if (options->step == 0.0)
		options->step = options->surface == SONDE_IONS_SURFACE_PLANAR ? 1.0 : RADIUS_OF_BALL;
	return options->step >= LEAST_STEP
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, "step", "%g is below %g", options->step, LEAST_STEP);
}

static sonde_status settle(int threads, const struct body_list *bodies, struct ions_plan *plan)
{
	CHECK(settle_step(plan));
	CHECK(source_make(&plan->options, &plan->source));
	if (plan->options.srim[0] != '\0' && plan->source.species_count > 1)
		return status_fail_option(SONDE_INVALID, "srim",
					  "these files are for one ion, the list of particles has %d",
					  plan->source.species_count);
	if (plan->options.number == 0)
		plan->options.number =
		    plan->source.particles.count > 0 ? (int64_t)plan->source.particles.count : USUAL_IONS;
	if (plan->options.cutoff >= plan->source.most)
		return status_fail_option(SONDE_INVALID, "cutoff",
					  "%g eV is not below the energy of the ions, %g eV: they would stop at once",
					  plan->options.cutoff, plan->source.most);
	CHECK(target_make(&plan->options, bodies, &plan->target));
	CHECK(open_stopping(plan));
	find_species(plan);
	settle_job(plan);
	CHECK(settle_start(plan));
	CHECK(settle_cells(plan));
	return ions_tables_make(plan, threads);
}

/* Items of callers, which may be smaller than those of this library. */
static sonde_status take_bodies(const struct body_list *bodies, struct ions_plan *plan)
{
	void *items = NULL;

	if (bodies == NULL || bodies->count <= 0)
		return SONDE_OK;
	CHECK(option_items_complete(&body_table_in_angstrom, bodies->count, bodies->items, true, &items));
	plan->bodies = items;
	plan->body_count = bodies->count;
	return SONDE_OK;
}

sonde_status ions_plan_make_in(const char *data, int threads, const sonde_ions_options *options,
			       const struct body_list *bodies, struct ions_plan *plan)
{
	memset(plan, 0, sizeof *plan);
	plan->data = data;
	plan->options = *options;
	plan->screening = screenings[options->screening];
	if (options->electronic != SONDE_IONS_ELECTRONIC_NON_LOCAL && options->flight == SONDE_IONS_FLIGHT_SRIM)
		return status_fail_option(SONDE_INVALID, "electronic",
					  "SRIM's free flights have no largest impact parameter, and with it "
					  "no local losses; choose another `flight`");
	sonde_status status = take_bodies(bodies, plan);
	if (status == SONDE_OK && bodies != NULL) {
		struct body_list own = *bodies;
		own.items = plan->bodies;
		status = settle(threads, &own, plan);
	} else if (status == SONDE_OK) {
		status = settle(threads, NULL, plan);
	}
	if (status != SONDE_OK)
		ions_plan_free(plan);
	return status;
}

sonde_status ions_plan_make(int threads, const sonde_ions_options *options, struct ions_plan *plan)
{
	return ions_plan_make_in(NULL, threads, options, NULL, plan);
}

double ions_plan_flights(const struct ions_plan *plan)
{
	uint32_t region = 0, nodes = plan->job.nodes;
	double flights = 0.0;

	while (region + 1 < plan->job.regions && plan->target.layers[region].material.count == 0)
		++region;
	for (uint32_t n = 0; n < nodes; ++n) {
		const struct ions_flight *flight = &plan->flights[(size_t)region * nodes + n];
		double energy = ions_node_energy(n), next = ions_node_energy(n + 1);
		if (energy >= plan->source.most)
			break;
		/* nuclear losses matter where electronic ones are small */
		double stopping = (double)flight->stopping +
				  stopping_nuclear(SCREENING_ZBL, plan->source.atomic_number, plan->source.mass,
						   &plan->target.layers[region].material, energy);
		if (stopping > 0.0)
			flights +=
			    (fmin(next, plan->source.most) - energy) / (stopping * fabs((double)flight->length));
	}
	return flights;
}

/* In addition to the ion's collisions, its recoils make one per 8 eV of nuclear loss. */
double ions_plan_seconds(const struct ions_plan *plan)
{
	double collisions = ions_plan_flights(plan);

	if (plan->options.cascades == SONDE_IONS_CASCADES_FULL)
		collisions += 0.12 * plan->nuclear_loss;
	return collisions * SECONDS_OF_COLLISION;
}

void ions_plan_free(struct ions_plan *plan)
{
	stopping_free(&plan->stopping);
	source_free(&plan->source);
	target_free(&plan->target);
	free(plan->tables);
	free(plan->flights);
	free(plan->pairs);
	free(plan->kinds);
	free(plan->bodies);
	free(plan->sample);
	memset(plan, 0, sizeof *plan);
}
