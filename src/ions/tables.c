/* Tables that histories read: flights of every species in every layer, pairs of atoms that collide, thresholds. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "ions/plan.h"
#include "ions/kernels/scattering_lookup.h"
#include "ions/scattering_table.h"

SCATTERING_LOG2_TAN2(GLOBAL)

#define PI 3.14159265358979323846
#define E2 1.43996454784255      /* e^2/(4 pi epsilon_0) in eV nm */
#define MOST_PART_OF_ENERGY 0.05 /* that a free flight may cost: Ziegler, Biersack and Littmark (1985) */

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
	return length * mass / (ion->atomic_number * z2 * E2 * (ion->mass + mass));
}

static double transfer_factor(double a, double b)
{
	return 4.0 * a * b / ((a + b) * (a + b));
}

/* A flight between collisions: its length, and the square of the largest impact parameter; free: without a largest one. */
struct flight {
	double length, disc;
	bool is_free;
};

static struct flight monolayer(const struct ions_plan *plan, const struct material *material)
{
	struct flight flight = {.length = plan->options.step * pow(material->atoms, -1.0 / 3.0)};

	flight.disc = 1.0 / (PI * material->atoms * flight.length);
	return flight;
}

/* SRIM's free flights: collisions that transfer less than a least energy are left out, an atom of mean number and mass standing for
 * those of the material (Ziegler, Biersack and Littmark (1985), chapter 4). */
static struct flight srim_flight(const struct ions_plan *plan, const struct ions_species *ion,
				 const struct material *material, double energy, double stopping)
{
	double z = 0.0, mass = 0.0, length = 0.0;
	struct flight layer = monolayer(plan, material), flight = {.is_free = true};

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

/* Whether a collision counts: it transfers enough, or turns enough. */
static bool counts(const struct ions_plan *plan, const struct ions_species *ion, double mass, double reduced,
		   double energy, double impact)
{
	double tan2 =
	    exp2((double)scattering_log2_tan2(plan->tables, (float)log2(reduced * energy), (float)log2(impact)));
	double sin2 = tan2 / (1.0 + tan2), theta = 2.0 * asin(sqrt(sin2)),
	       angle = atan2(sin(theta), cos(theta) + ion->mass / mass);

	return transfer_factor(ion->mass, mass) * energy * sin2 >= plan->options.weakest_transfer ||
	       angle >= plan->options.weakest_angle * PI / 180.0;
}

/* Exponential flights, beyond the largest impact parameter that counts for any element. */
static struct flight exponential_flight(const struct ions_plan *plan, const struct ions_species *ion,
					const struct material *material, double energy)
{
	struct flight layer = monolayer(plan, material), flight = layer;
	double impact = 0.0;

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
		impact = fmax(impact, a * fmax(exp(low), plan->options.always_within));
	}
	if (impact * impact < layer.disc) {
		flight.disc = impact * impact;
		flight.length = 1.0 / (PI * material->atoms * flight.disc);
	}
	return flight;
}

static struct flight choose_flight(const struct ions_plan *plan, const struct ions_species *ion,
				   const struct material *material, double energy, double stopping)
{
	switch (plan->options.flight) {
	case SONDE_IONS_FLIGHT_SRIM:
		return srim_flight(plan, ion, material, energy, stopping);
	case SONDE_IONS_FLIGHT_EXPONENTIAL:
		return exponential_flight(plan, ion, material, energy);
	default:
		return monolayer(plan, material);
	}
}

static void fill_vacuum(uint32_t nodes, struct ions_flight *flights, float *variances, float *local)
{
	for (uint32_t n = 0; n < nodes; ++n) {
		flights[n] = (struct ions_flight){0.0f, 0.0f, 1e30f, 0.0f};
		variances[n] = local[n] = 0.0f;
	}
}

/* The part of electronic losses that collisions take. */
static double local_share(const struct ions_plan *plan)
{
	static const double shares[] = {0.0, 1.0, 0.5};

	return shares[plan->options.electronic];
}

static void fill_flights(const struct ions_plan *plan, const struct ions_species *ion,
			 const struct material *material, struct ions_flight *flights, float *variances, float *local)
{
	uint32_t nodes = plan->job.nodes;
	double share = local_share(plan), along = 1.0 - share;

	if (material->count == 0) {
		fill_vacuum(nodes, flights, variances, local);
		return;
	}
	for (uint32_t n = 0; n < nodes; ++n) {
		double energy = ions_node_energy(n), next = ions_node_energy(n + 1), middle = 0.5 * (energy + next);
		double here = plan->options.stopping_factor *
			      stopping_electronic(plan->stopping, ion->atomic_number, ion->mass, material, energy);
		double there = plan->options.stopping_factor *
			       stopping_electronic(plan->stopping, ion->atomic_number, ion->mass, material, next);
		struct flight flight = choose_flight(plan, ion, material, middle, 0.5 * (here + there));
		flights[n] = (struct ions_flight){.stopping = (float)(along * here),
						  .slope = (float)(along * (there - here) / (next - energy)),
						  .length = (float)(flight.is_free ? -flight.length : flight.length),
						  .log2_disc = (float)log2(flight.disc)};
		local[n] = (float)(share * 0.5 * (here + there) * flight.length);
		variances[n] =
		    (float)stopping_straggling(plan->stopping, ion->atomic_number, ion->mass, material, middle);
	}
}

static void fill_pairs(struct ions_plan *plan)
{
	for (uint32_t s = 0; s < plan->job.species; ++s) {
		const struct ions_species *ion = &plan->species[s];
		struct ions_pair *row = plan->pairs + (size_t)s * plan->job.kinds;
		row[0] = (struct ions_pair){0.0f, 0.0f, 0.0f, 1.0f}; /* no ion meets another */
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
		for (uint32_t s = 1; s < plan->job.species; ++s)
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
	job->source_at = job->local_at + (uint32_t)plan->flight_count;
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

sonde_status ions_tables_make(struct ions_plan *plan, int threads)
{
	CHECK(allocate(plan));
	scattering_table_fill(screening_of(plan->screening), threads, plan->tables);
	if (plan->job.in_collisions)
		scattering_table_fill_apsis(screening_of(plan->screening), threads,
					    plan->tables + plan->job.apsis_at);
	int rows = (int)(plan->job.species * plan->job.regions);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
	for (int row = 0; row < rows; ++row) {
		int species = row / (int)plan->job.regions, layer = row % (int)plan->job.regions;
		size_t first = (size_t)row * plan->job.nodes;
		fill_flights(plan, &plan->species[species], &plan->target.layers[layer].material,
			     plan->flights + first, plan->tables + plan->job.variances_at + first,
			     plan->tables + plan->job.local_at + first);
	}
	fill_pairs(plan);
	fill_kinds(plan);
	fill_layers(plan);
	return SONDE_OK;
}
