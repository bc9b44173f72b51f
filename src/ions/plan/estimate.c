#include "ions/plan/estimate.h"

#include <math.h>

#include "ions/kernels/tally_layout.h"
#include "run/speed.h"

/* The numbers for AVX-512 were measured with `sonde ions --device cpu --threads 1` on a Xeon at 4.1 GHz (bench/plans.sh
 * repeats it), those for SSE2 and AVX2 are scaled from them and were not measured; on an H200: docs/ions.md. */
static const struct speed_cost collision = {{900.0, 600.0, 480.0}, SPEED_F32, 17000.0}, /* between free flights */
    monolayer_collision = {{400.0, 250.0, 160.0}, SPEED_F32, 2600.0},                   /* at every atom's distance */
    recoil_collision = {{1000.0, 670.0, 620.0}, SPEED_F32, 9300.0};
/* Collisions of recoils in full cascades: this many for each displacement energy of nuclear loss. For 17 ions and
 * targets, from 5 keV As in Si to 5 MeV Au in Au, 0.6 to 1.7 times as many were counted. */
#define RECOILS_OF_DISPLACEMENT 1.9
/* Sputtering is proportional to the nuclear loss per nm at the surface over the surface binding energy (Sigmund, Phys. Rev.
 * 184 (1969) 383): this many atoms leave per eV/nm and eV. For As and Ar of 5 and 50 keV in Si, and Fe of 2 MeV in Fe, 0.8 to 1.2
 * times as many were counted, for Ar of 1 keV in W, of which many are reflected, 3.6 times. Cycles to collect, sort, compress and write one. */
#define EXITS_OF_LOSS 5e-3
#define EXIT_CYCLES 2.0e4
/* If a surface may reflect recoils, they are followed to lower energies: more collisions, by this power of the ratio of
 * the displacement energy to the surface binding energy, which take longer with free flights. Counted for Ar of 1 and
 * 50 keV in C, Si, W, Au: 0.8 to 1.25 times as many. */
#define POWER_OF_BINDING 0.6
#define SURFACE_PART 1.7
#define START_CYCLES 2.0e8 /* tables, self-test */
#define START_OF_GPU 0.1   /* s: larger kernels than other engines', and a self-test; on an H100 */
#define TALLY_CYCLES 12.0  /* per tally: cleared, added and evaluated */
#define BYTES_OF_TALLY 8.0
#define BYTES_OF_SUM 16.0

/* Means over the atoms of all regions, eV. */
static void find_means(const struct target *target, double *displacement, double *binding)
{
	double fractions = 0.0;

	*displacement = *binding = 0.0;
	for (int k = 1; k < target->kind_count; ++k) {
		const struct target_kind *kind = &target->kinds[k];
		*displacement += kind->fraction * kind->displacement;
		*binding += kind->fraction * kind->surface;
		fractions += kind->fraction;
	}
	if (fractions > 0.0) {
		*displacement /= fractions;
		*binding /= fractions;
	}
}

/* Collisions of recoils per ion. */
static double count_recoils(const struct ions_plan *plan)
{
	double displacement, binding;

	find_means(&plan->target, &displacement, &binding);
	if (!(displacement > 0.0))
		return 0.0;
	const double count = RECOILS_OF_DISPLACEMENT * plan->nuclear_loss / displacement;
	return plan->job.barrier && binding > 0.0 && binding < displacement
		   ? count * pow(displacement / binding, POWER_OF_BINDING)
		   : count;
}

/* Of the atoms that leave those that are listed. */
static double count_exits(const struct ions_plan *plan)
{
	const double listed = fmin((double)plan->options.number, (double)plan->options.exits);
	double displacement, binding;

	find_means(&plan->target, &displacement, &binding);
	return binding > 0.0 ? listed * EXITS_OF_LOSS * plan->first_loss / binding : 0.0;
}

sonde_status ions_estimate_make(sonde_context *context, const struct ions_plan *plan, struct ions_estimate *estimate)
{
	const struct ions_job *job = &plan->job;
	const bool every_atom = job->flight != FLIGHT_EXPONENTIAL && plan->options.flight != SONDE_IONS_FLIGHT_SRIM;
	const double ions = (double)plan->options.number,
		     tallies = ((double)job->cell_count + 1.0) * job->rows * job->groups;
	struct speed speed;

	CHECK(speed_find(context, &speed));
	*estimate = (struct ions_estimate){.flights = ions_plan_flights(plan),
					   .tally_bytes = BYTES_OF_TALLY * tallies,
					   .host_bytes = BYTES_OF_SUM * tallies};
	if (plan->options.cascades == SONDE_IONS_CASCADES_FULL)
		estimate->recoil_collisions = count_recoils(plan);
	estimate->seconds =
	    speed.start + (speed.gpu_workers > 0.0 ? START_OF_GPU : 0.0) +
	    speed_host_seconds(&speed, START_CYCLES, 1) +
	    speed_seconds(&speed, every_atom ? &monolayer_collision : &collision, ions * estimate->flights) +
	    speed_seconds(&speed, &recoil_collision,
			  (job->barrier && !every_atom ? SURFACE_PART : 1.0) * ions * estimate->recoil_collisions) +
	    speed_host_seconds(&speed, TALLY_CYCLES * tallies, speed.threads) +
	    speed_host_seconds(&speed, EXIT_CYCLES * count_exits(plan), 1);
	return SONDE_OK;
}
