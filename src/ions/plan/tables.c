/* Tables for histories: flights of every species in every layer, pairs of colliding atoms, thresholds. */
#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/threads.h"
#include "ions/kernels/scattering_lookup.h"
#include "ions/plan/plan.h"
#include "ions/scattering/scattering_table.h"
#include "ions/scattering/soft_collisions.h"

SCATTERING_LOG2_TAN2(GLOBAL)

#define MOST_PART_OF_ENERGY 0.05 /* largest fraction lost in a free flight: Ziegler, Biersack and Littmark (1985) */
#define PART_THAT_COUNTS 0.01    /* of the energy: a transfer of this fraction is never omitted */
/* With automatic always_within: screening lengths within which collisions are kept if they are few; if they are
 * many, the largest fraction of the energy lost in a flight, and the largest length as a fraction of its region. */
#define KEPT_WITHIN 1.0
#define PART_OF_ENERGY 0.002
#define PART_OF_REGION 0.05
#define MOST_TURN 0.02   /* 1 - cos of the angle of a single deflection by omitted collisions */
#define CLOSEST 1e-3     /* fraction of the largest impact parameter: closer collisions are rare */
#define NEGLIGIBLE 0.005 /* ratio of the deflections by omitted and kept collisions, to be neglected */

double ions_node_energy(uint32_t node)
{
	float energy;
	uint32_t bits = (node + FLIGHT_FIRST) << FLIGHT_SHIFT;

	memcpy(&energy, &bits, sizeof energy);
	return energy;
}

/* a M2/(Z1 Z2 e^2 (M1 + M2)): reduced energy for an energy of 1 eV */
static double reduced_energy(const struct ions_plan *plan, const struct ions_species *ion, double z2, double mass,
			     double length)
{
	(void)plan;
	return length * mass / (ion->atomic_number * z2 * COULOMB_EV_NM * (ion->mass + mass));
}

static double transfer_factor(double a, double b)
{
	return 4.0 * a * b / ((a + b) * (a + b));
}

/* A flight between collisions: its length, and the square of the largest impact parameter; free: without a largest
 * one; least: the non-random fraction of the length. */
struct flight {
	double length, disc, least;
	bool is_free;
};

static struct flight monolayer(const struct ions_plan *plan, const struct material *material)
{
	struct flight flight = {.length = plan->options.step * pow(material->atoms, -1.0 / 3.0), .least = 1.0};

	flight.disc = 1.0 / (PI * material->atoms * flight.length);
	return flight;
}

/* SRIM's free flights: collisions that transfer less than a least energy are omitted, with an atom of mean number
 * and mass representing those of the material (Ziegler, Biersack and Littmark (1985), chapter 4). */
static struct flight srim_flight(const struct ions_plan *plan, const struct ions_species *ion,
				 const struct material *material, double energy, double stopping)
{
	double z = 0.0, mass = 0.0, length = 0.0;
	struct flight layer = monolayer(plan, material), flight = {.least = 1.0, .is_free = true};

	for (int e = 0; e < material->count; ++e) {
		z += material->fraction[e] * material->atomic_number[e];
		mass += material->fraction[e] * material->mass[e];
		length += material->fraction[e] *
			  screening_length(plan->screening, ion->atomic_number, material->atomic_number[e]);
	}
	double factor = reduced_energy(plan, ion, z, mass, length);
	double least = factor * plan->options.weakest_transfer / transfer_factor(ion->mass, mass);
	double xi = sqrt(factor * energy * least);
	double impact = length / (xi + sqrt(xi) + 0.125 * pow(xi, 0.1));
	flight.length = 1.0 / (PI * material->atoms * impact * impact);
	if (stopping * flight.length > MOST_PART_OF_ENERGY * energy)
		flight.length = MOST_PART_OF_ENERGY * energy / stopping;
	flight.disc = 1.0 / (PI * material->atoms * flight.length);
	return flight.length < layer.length ? layer : flight;
}

/* The weakest relevant transfer. One electronvolt is negligible for fast ions, but decisive at the end of their
 * range: atoms that lose less in most collisions would not be stopped. */
static double weakest_transfer(const struct ions_plan *plan, double energy)
{
	return fmin(plan->options.weakest_transfer, PART_THAT_COUNTS * energy);
}

/* Whether a collision is relevant, by its transfer or its deflection. */
static bool counts(const struct ions_plan *plan, const struct ions_species *ion, double mass, double reduced,
		   double energy, double impact)
{
	double tan2 =
	    exp2((double)scattering_log2_tan2(plan->tables, (float)log2(reduced * energy), (float)log2(impact)));
	double sin2 = tan2 / (1.0 + tan2), theta = 2.0 * asin(sqrt(sin2)),
	       angle = atan2(sin(theta), cos(theta) + ion->mass / mass);

	return transfer_factor(ion->mass, mass) * energy * sin2 >= weakest_transfer(plan, energy) ||
	       angle >= plan->options.weakest_angle * PI / 180.0;
}

/* The region of an ion with an energy in eV, and its stopping there, eV/nm: electronic and nuclear. */
struct place {
	const struct material *material;
	double extent; /* of the region, nm */
	double energy, electronic, nuclear;
};

/* The largest impact parameter within which an element's collisions are kept although transfer and deflection are
 * small. Fast ions have very many of them: flights that cost little energy and are short compared with their
 * region are then short enough, because the rest is multiple scattering (soft_collisions.h). */
static double kept_within(const struct ions_plan *plan, const struct place *place, double length)
{
	if (plan->options.always_within >= 0.0)
		return plan->options.always_within * length;
	double stopping = place->electronic + place->nuclear, flight = PART_OF_REGION * place->extent;
	if (stopping > 0.0)
		flight = fmin(flight, PART_OF_ENERGY * place->energy / stopping);
	return fmin(KEPT_WITHIN * length, 1.0 / sqrt(PI * place->material->atoms * flight));
}

/* The flight up to a collision within a disk.
 *
 * A relevant collision takes place in a layer of atoms with the probability q = p_max^2 over that of the layer; so
 * the layers up to it are 1/q on average, with a variance of (1 - q)/q^2. Lengths of purely exponential flights
 * have the variance 1/q^2, which makes the ranges of slow heavy ions scatter by 10 % more. A least length a and an
 * exponential rest, 1/q - a on average, have the correct variance with a = (1 - sqrt(1 - q))/q: equal lengths if
 * all collisions are relevant, exponential if few are. */
static struct flight flight_of_disc(const struct ions_plan *plan, const struct material *material, double disc)
{
	const struct flight layer = monolayer(plan, material);
	struct flight flight = layer;

	if (disc < layer.disc) {
		flight.disc = disc;
		flight.length = 1.0 / (PI * material->atoms * disc);
		flight.least = 1.0 - sqrt(1.0 - layer.length / flight.length);
	}
	return flight;
}

/* Exponential flights, by the largest relevant impact parameter of any element. */
static struct flight exponential_flight(const struct ions_plan *plan, const struct ions_species *ion,
					const struct place *place)
{
	const struct material *material = place->material;
	double impact = 0.0, energy = place->energy;

	for (int e = 0; e < material->count; ++e) {
		double a = screening_length(plan->screening, ion->atomic_number, material->atomic_number[e]);
		double reduced = reduced_energy(plan, ion, material->atomic_number[e], material->mass[e], a);
		double low = log(1e-6), high = log(32.0);
		for (int k = 0; k < 20; ++k) {
			double middle = 0.5 * (low + high);
			if (counts(plan, ion, material->mass[e], reduced, energy, exp(middle)))
				low = middle;
			else
				high = middle;
		}
		impact = fmax(impact, fmax(a * exp(low), kept_within(plan, place, a)));
	}
	return flight_of_disc(plan, material, impact * impact);
}

static struct flight choose_flight(const struct ions_plan *plan, const struct ions_species *ion,
				   const struct place *place)
{
	switch (plan->options.flight) {
	case SONDE_IONS_FLIGHT_SRIM:
		return srim_flight(plan, ion, place->material, place->energy, place->electronic);
	case SONDE_IONS_FLIGHT_EXPONENTIAL:
		return exponential_flight(plan, ion, place);
	default:
		return monolayer(plan, place->material);
	}
}

/* The collisions with layers of atoms that a flight omits. */
static struct soft_collisions left_out(const struct ions_plan *plan, const struct ions_species *ion,
				       const struct place *place, const struct flight *flight)
{
	double layer = sqrt(monolayer(plan, place->material).disc);

	return soft_collisions_of(plan->screening, plan->tables, ion, place->material, place->energy,
				  sqrt(flight->disc), layer);
}

/* Deflection of an ion by the collisions that a flight keeps. */
static double kept_turning(const struct ions_plan *plan, const struct ions_species *ion, const struct place *place,
			   const struct flight *flight)
{
	double largest = sqrt(flight->disc);

	return soft_collisions_of(plan->screening, plan->tables, ion, place->material, place->energy,
				  CLOSEST * largest, largest)
	    .turning;
}

/* A flight and the continuous effect of its omitted collisions. More collisions are kept if this would deflect or
 * slow down an ion too much at once. */
static struct soft_collisions soften(const struct ions_plan *plan, const struct ions_species *ion,
				     const struct place *place, struct flight *flight)
{
	struct soft_collisions soft = {0};

	if (!plan->job.multiple)
		return soft;
	for (soft = left_out(plan, ion, place, flight);
	     soft.turning * flight->length > MOST_TURN ||
	     soft.stopping * flight->length > MOST_PART_OF_ENERGY * place->energy;
	     soft = left_out(plan, ion, place, flight))
		*flight = flight_of_disc(plan, place->material, 2.0 * flight->disc);
	/* slow recoils are many: random numbers for invisible effects are saved */
	if (soft.turning > 0.0 && soft.turning < NEGLIGIBLE * kept_turning(plan, ion, place, flight))
		soft.turning = 0.0;
	return soft;
}

/* The table entries of a species in a region. */
struct rows {
	struct ions_flight *flights;
	float *variances, *local, *soft;
};

static struct rows rows_of(const struct ions_plan *plan, int row)
{
	size_t first = (size_t)row * plan->job.nodes;

	return (struct rows){.flights = plan->flights + first,
			     .variances = plan->tables + plan->job.variances_at + first,
			     .local = plan->tables + plan->job.local_at + first,
			     .soft = plan->tables + plan->job.soft_at + 2 * first};
}

static void fill_vacuum(uint32_t nodes, const struct rows *rows)
{
	for (uint32_t n = 0; n < nodes; ++n) {
		rows->flights[n] = (struct ions_flight){0.0f, 0.0f, 1e30f, 0.0f, 0.0f};
		rows->variances[n] = rows->local[n] = rows->soft[2 * n] = rows->soft[2 * n + 1] = 0.0f;
	}
}

/* The fraction of electronic losses in collisions. */
static double local_share(const struct ions_plan *plan)
{
	static const double shares[] = {0.0, 1.0, 0.5};

	return shares[plan->options.electronic];
}

/* The smallest size of a region, nm: for voxels that of a single one, since the shape of the region is unknown. */
static double extent_of(const struct target *target, int region)
{
	int body = region - target->layer_count;

	if (body < 0)
		return target->layers[region].end - target->layers[region].begin;
	if (body >= target->body_count)
		return fmin(target->voxel_nm[0], fmin(target->voxel_nm[1], target->voxel_nm[2]));
	const double *half = target->bodies[body].size;
	return 2.0 * fmin(half[0], fmin(half[1], half[2]));
}

static void fill_flights(const struct ions_plan *plan, const struct ions_species *ion, int region,
			 const struct rows *rows)
{
	const struct material *material = &plan->target.layers[region].material;
	uint32_t nodes = plan->job.nodes;
	double share = local_share(plan), along = 1.0 - share;

	if (material->count == 0) {
		fill_vacuum(nodes, rows);
		return;
	}
	for (uint32_t n = 0; n < nodes; ++n) {
		double energy = ions_node_energy(n), next = ions_node_energy(n + 1), middle = 0.5 * (energy + next);
		double here = plan->options.stopping_factor *
			      stopping_electronic(plan->stopping, ion->atomic_number, ion->mass, material, energy);
		double there = plan->options.stopping_factor *
			       stopping_electronic(plan->stopping, ion->atomic_number, ion->mass, material, next);
		const struct place place = {
		    .material = material,
		    .extent = extent_of(&plan->target, region),
		    .energy = middle,
		    .electronic = 0.5 * (here + there),
		    .nuclear = stopping_nuclear(SCREENING_ZBL, ion->atomic_number, ion->mass, material, middle)};
		struct flight flight = choose_flight(plan, ion, &place);
		struct soft_collisions soft = soften(plan, ion, &place, &flight);
		rows->flights[n] =
		    (struct ions_flight){.stopping = (float)(along * here),
					 .slope = (float)(along * (there - here) / (next - energy)),
					 .length = (float)(flight.is_free ? -flight.length : flight.length),
					 .log2_disc = (float)log2(flight.disc),
					 .least = (float)flight.least};
		rows->local[n] = (float)(share * place.electronic * flight.length);
		rows->variances[n] =
		    (float)stopping_straggling(plan->stopping, ion->atomic_number, ion->mass, material, middle);
		rows->soft[2 * n] = (float)soft.turning;
		rows->soft[2 * n + 1] = (float)soft.stopping;
	}
}

static bool is_anything_left_out(const struct ions_plan *plan)
{
	const float *soft = plan->tables + plan->job.soft_at;

	for (size_t k = 0; k < 2 * plan->flight_count; ++k)
		if (soft[k] > 0.0f)
			return true;
	return false;
}

static void fill_pairs(struct ions_plan *plan)
{
	for (uint32_t s = 0; s < plan->job.species; ++s) {
		const struct ions_species *ion = &plan->species[s];
		struct ions_pair *row = plan->pairs + (size_t)s * plan->job.kinds;
		row[0] = (struct ions_pair){0.0f, 0.0f, 0.0f, 1.0f}; /* ions do not collide with ions */
		for (int k = 1; k < plan->target.kind_count; ++k) {
			const struct target_kind *kind = &plan->target.kinds[k];
			double length = screening_length(plan->screening, ion->atomic_number, kind->atomic_number);
			row[k] = (struct ions_pair){.log2_energy = (float)log2(reduced_energy(
							plan, ion, kind->atomic_number, kind->mass, length)),
						    .log2_impact = (float)-log2(length),
						    .transfer = (float)transfer_factor(ion->mass, kind->mass),
						    .mass_ratio = (float)(ion->mass / kind->mass)};
		}
	}
}

static u64 units_of(double ev)
{
	return (u64)llround(ev * (double)UNITS_PER_EV);
}

static void fill_kinds(struct ions_plan *plan)
{
	plan->kinds[0] = (struct ions_kind_numbers){.atomic_number = (uint32_t)plan->source.atomic_number,
						    .displacement = UINT64_MAX / 2};
	for (int k = 1; k < plan->target.kind_count; ++k) {
		const struct target_kind *kind = &plan->target.kinds[k];
		double z = kind->atomic_number;
		struct ions_kind_numbers *numbers = &plan->kinds[k];
		*numbers =
		    (struct ions_kind_numbers){.displacement = units_of(kind->displacement),
					       .lattice = units_of(kind->lattice),
					       .surface = units_of(kind->surface),
					       .loose = units_of(plan->job.barrier && kind->surface > 0.0
								     ? fmin(kind->surface, kind->displacement)
								     : kind->displacement),
					       .atomic_number = (uint32_t)kind->atomic_number,
					       .damage_energy = (float)(0.01014 * pow(z, -7.0 / 3.0)),
					       .damage_k = (float)(0.1337 * pow(z, 2.0 / 3.0) / sqrt(kind->mass)),
					       .displacement_ev = (float)kind->displacement};
		for (uint32_t s = (uint32_t)plan->source.species_count; s < plan->job.species; ++s)
			if (plan->species[s].atomic_number == kind->atomic_number &&
			    plan->species[s].mass == kind->mass)
				numbers->species = s;
	}
}

static void fill_layers(struct ions_plan *plan)
{
	for (int l = 0; l < (int)plan->job.regions; ++l) {
		const struct target_layer *layer = &plan->target.layers[l];
		struct ions_layer_numbers *numbers = &plan->layers[l];
		double before = 0.0;
		*numbers = (struct ions_layer_numbers){.begin = layer->begin,
						       .end = layer->end,
						       .first_kind = (uint32_t)layer->first_kind,
						       .count = (uint32_t)layer->material.count};
		if (numbers->count == 0)
			numbers->first_kind = 1; /* harmless: no atom collides there */
		for (uint32_t e = 0; e < MOST_ELEMENTS_OF_LAYER; ++e) {
			numbers->below[e] = e < numbers->count ? (float)before : 2.0f;
			before += e < numbers->count ? layer->material.fraction[e] : 0.0;
		}
	}
}

static sonde_status allocate(struct ions_plan *plan)
{
	struct ions_job *job = &plan->job;
	size_t source = plan->source.has_spectrum ? SOURCE_PARTS + 1 : 0;

	plan->flight_count = (size_t)job->species * job->regions * job->nodes;
	job->variances_at = TABLE_NUMBERS;
	job->local_at = job->variances_at + (uint32_t)plan->flight_count;
	job->soft_at = job->local_at + (uint32_t)plan->flight_count;
	job->source_at = job->soft_at + 2 * (uint32_t)plan->flight_count;
	job->apsis_at = job->source_at + (uint32_t)source;
	plan->table_count = job->apsis_at + (job->in_collisions ? TABLE_NUMBERS : 0);
	CHECK(memory_allocate(&plan->tables, plan->table_count, sizeof(float), "the tables"));
	CHECK(memory_allocate(&plan->flights, plan->flight_count, sizeof *plan->flights, "the tables"));
	CHECK(memory_allocate(&plan->pairs, (size_t)job->species * job->kinds, sizeof *plan->pairs, "the tables"));
	CHECK(memory_allocate(&plan->kinds, job->kinds, sizeof *plan->kinds, "the tables"));
	if (source > 0)
		memcpy(plan->tables + job->source_at, plan->source.ends, source * sizeof(float));
	return SONDE_OK;
}

/* A row is a species in a layer. */
static void fill_rows(void *state, int64_t begin, int64_t end, int worker)
{
	struct ions_plan *plan = state;

	(void)worker;
	for (int row = (int)begin; row < (int)end; ++row) {
		int species = row / (int)plan->job.regions, layer = row % (int)plan->job.regions;
		const struct rows to = rows_of(plan, row);
		fill_flights(plan, &plan->species[species], layer, &to);
	}
}

sonde_status ions_tables_make(struct ions_plan *plan, int threads)
{
	CHECK(allocate(plan));
	scattering_table_fill(screening_of(plan->screening), threads, plan->tables);
	if (plan->job.in_collisions)
		scattering_table_fill_apsis(screening_of(plan->screening), threads,
					    plan->tables + plan->job.apsis_at);
	threads_for(threads, (int64_t)plan->job.species * plan->job.regions, 1, fill_rows, plan);
	plan->job.multiple = plan->job.multiple && is_anything_left_out(plan);
	fill_pairs(plan);
	fill_kinds(plan);
	fill_layers(plan);
	return SONDE_OK;
}
