#include "debye/estimate.h"

#include <math.h>

#include "debye/motion/profile.h"
#include "debye/sums/errors.h"
#include "debye/sums/windows.h"
#include "run/speed.h"

/* Measured with `sonde debye --device cpu --threads 1` and SONDE_ISA=sse2, avx2, avx512 on a Xeon at 4.1 GHz
 * (bench/plans.sh repeats it), and on an H200, docs/devices.md. */
static const struct speed_cost term = {{0.85, 0.31, 0.178}, SPEED_F64, 4.4}, /* exact sums: sin(q r)/(q r), */
    term_by_matrix = {{0.85, 0.31, 0.178}, SPEED_MATRIX, 4.6},               /* by matrix products, */
    term_in_float32 = {{0.85, 0.31, 0.178}, SPEED_F32, 8.0},                 /* in float32, */
    window_pair = {{77.0, 45.0, 26.0}, SPEED_MATRIX, 853.0},                 /* a pair in windows of distances, */
    window_nodes = {{28.0, 11.0, 6.8}, SPEED_MATRIX, 159.0},                 /* for 32 of their nodes */
    distance = {{77.0, 29.0, 19.0}, SPEED_F64, 60.0},                        /* and the distance of a pair */
    counted = {{4.6, 3.5, 3.5}, SPEED_F64, 56.0},                            /* a pair in the histogram, */
    counted_by_matrix = {{4.6, 3.5, 3.5}, SPEED_MATRIX, 80.0},               /* by matrix products, on an H100, */
    counted_near = {{18.0, 14.0, 13.0}, SPEED_F64, 190.0},                   /* one within a cut-off */
    reference = {{54.0, 54.0, 54.0}, SPEED_F64, 60.0},                       /* a term of the reference */
    row_pair = {{6.0, 6.0, 6.0}, SPEED_F64, 95.0},                           /* a pair of rows of a lattice, */
    vector = {{90.0, 90.0, 90.0}, SPEED_F64, 100.0};                         /* and a vector of it, into its bin */
#define BIN_CYCLES 80.0     /* per bin of a pair of species: cleared, transferred and read */
#define SORTED_CYCLES 400.0 /* per atom */
#define CURVE_CYCLES 60.0   /* per term of the transform to G(r) */
#define EXACT_CHECK 4e8     /* errors.c: terms up to this number are recomputed for a histogram, */
#define REFERENCE_CHECK 1e7 /* or this one for exact sums */
#define USUAL_TILE 15.0     /* Angstrom: the diagonal of 32 atoms of a species in a solid */
#define BYTES_OF_ATOM 24.0  /* on a device */
#define BYTES_OF_BIN 48.0
#define BYTES_OF_ROW 12.0

/* Pairs of distant images of the cell are found to be beyond the cut-off one by one if the cell is large; part of this cost. */
static double part_of_near(const struct periodic *periodic)
{
	double least = INFINITY;

	if (!periodic->on)
		return 0.0;
	for (int k = 0; k < 3; ++k)
		least = periodic->open[k] ? least : fmin(least, periodic->height[k]);
	const double most = periodic->open_count > 0 ? 0.27 : 0.35; /* heights in the cut-off, measured */
	return fmax(0.0, fmin(1.0, (most - periodic->cutoff / least) / 0.15));
}

/* The nodes of exact sums by windows of distances, in units of 32; 0: these are not used, as far as is known without the
 * tiles. */
static double planned_windows(const sonde_atoms *atoms, const struct debye_plan *plan, const struct speed *speed)
{
	const double points = cost_in_points(plan);
	struct windows windows;

	if (plan->periodic.on || plan->motion != NULL || plan->options.precision == SONDE_DEBYE_PRECISION_FLOAT32 ||
	    (speed->gpu_workers > 0.0 && !speed->matrix) ||
	    !windows_suit(plan->pairs, (int64_t)points, atoms->species_count, plan->extent))
		return 0.0;
	if (windows_for(plan->options.q.last, (int64_t)points, 8, &windows) && windows.half_width > USUAL_TILE)
		return 8.0;
	return windows_for(plan->options.q.last, (int64_t)points, 16, &windows) && windows.half_width > USUAL_TILE
		   ? 16.0
		   : 0.0;
}

/* Terms of the reference, whose points of q threads share. */
static double reference_seconds(const struct speed *speed, double terms, double points)
{
	return speed_host_seconds(speed, terms * reference.cycles[0], (int)fmin(speed->threads, fmax(1.0, points)));
}

static double pair_seconds(const sonde_atoms *atoms, const struct debye_plan *plan, const struct speed *speed)
{
	const double points = (double)plan->options.q.points, bins = (double)plan->bin_count,
		     uniform = cost_in_points(plan) * cost_of_term(plan),
		     of_species = species_pair_count(atoms->species_count);
	const bool f32 = plan->options.precision == SONDE_DEBYE_PRECISION_FLOAT32;
	const struct speed_cost *cost = f32                                     ? &term_in_float32
					: speed->matrix && plan->motion == NULL ? &term_by_matrix
										: &term;

	if (plan->options.method == SONDE_DEBYE_METHOD_REFERENCE)
		return reference_seconds(speed, plan->pairs * points, points);
	const double sums = plan->periodic.on ? 2.0 : 1.0; /* with and without damping */
	const double nodes = planned_windows(atoms, plan, speed);
	if (plan->options.method == SONDE_DEBYE_METHOD_EXACT && nodes > 0.0)
		return speed_seconds(speed, &window_pair, plan->pairs) +
		       speed_seconds(speed, &window_nodes, nodes * plan->pairs);
	if (plan->options.method == SONDE_DEBYE_METHOD_EXACT)
		return speed_seconds(speed, cost, sums * plan->pairs * uniform) +
		       speed_seconds(speed, &distance, plan->pairs);
	if (plan->options.method == SONDE_DEBYE_METHOD_LATTICE)
		return speed_seconds(speed, &row_pair, plan->row_pairs) +
		       speed_seconds(speed, &vector, plan->vectors) +
		       speed_seconds(speed, &term,
				     (bins > 0.0 ? fmin(plan->vectors, 2.0 * bins * of_species) : plan->vectors) *
					 uniform) +
		       speed_host_seconds(speed, BIN_CYCLES * bins * of_species, 1);
	const double near = part_of_near(&plan->periodic);
	return speed_seconds(speed, &counted_near, near * plan->pairs) +
	       speed_seconds(speed, speed->matrix && !plan->periodic.on ? &counted_by_matrix : &counted,
			     (1.0 - near) * plan->pairs) +
	       speed_seconds(speed, &term, sums * fmin(plan->pairs, 2.0 * bins * of_species) * uniform) +
	       speed_host_seconds(speed, BIN_CYCLES * bins * of_species, 1);
}

/* Points of q recomputed by another method. */
static double check_seconds(const sonde_atoms *atoms, const struct debye_plan *plan, const struct speed *speed)
{
	const int64_t points = plan->options.q.points;
	const double checked = plan->pairs * (double)debye_points_to_check(points, plan->pairs, false);

	if (plan->options.method == SONDE_DEBYE_METHOD_LATTICE && atoms->positions == NULL)
		return 0.0;
	if ((plan->options.method == SONDE_DEBYE_METHOD_HISTOGRAM ||
	     plan->options.method == SONDE_DEBYE_METHOD_LATTICE) &&
	    checked <= EXACT_CHECK)
		return speed_seconds(speed, &term, checked) + speed_seconds(speed, &distance, plan->pairs);
	if (plan->options.method == SONDE_DEBYE_METHOD_EXACT && checked <= REFERENCE_CHECK) {
		const double few = (double)debye_points_to_check(points, plan->pairs, true);
		return reference_seconds(speed, plan->pairs * few, few);
	}
	return 0.0;
}

sonde_status debye_estimate(sonde_context *context, const sonde_atoms *atoms, const struct debye_plan *plan,
			    struct engine_estimate *estimate)
{
	const double transform = (double)plan->options.q.points * (double)plan->options.r.points;
	struct speed speed;

	CHECK(speed_find(context, &speed));
	if (plan->workers > 0)
		speed.cpu_threads = plan->workers;
	estimate->seconds =
	    speed.start + pair_seconds(atoms, plan, &speed) + check_seconds(atoms, plan, &speed) +
	    (atoms->positions != NULL ? speed_host_seconds(&speed, SORTED_CYCLES * (double)atoms->count, 1) : 0.0) +
	    speed_host_seconds(&speed, CURVE_CYCLES * transform, speed.threads);
	if (plan->periodic.open_count > 0)
		estimate->seconds += speed_host_seconds(
		    &speed,
		    profile_cycles(&plan->periodic, (double)atoms->count, atoms->species_count, &plan->options.q),
		    speed.threads);
	estimate->host_memory = (double)plan->memory;
	if (speed.gpu_workers > 0.0 && plan->options.method == SONDE_DEBYE_METHOD_LATTICE)
		estimate->device_memory = BYTES_OF_ROW * plan->rows + BYTES_OF_BIN * (double)plan->bin_count;
	else if (speed.gpu_workers > 0.0)
		estimate->device_memory =
		    BYTES_OF_ATOM * (double)atoms->count + BYTES_OF_BIN * (double)plan->bin_count;
	return SONDE_OK;
}
