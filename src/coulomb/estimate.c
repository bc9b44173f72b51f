#include "coulomb/estimate.h"

#include <math.h>
#include <string.h>

#include "coulomb/check/errors.h"
#include "coulomb/fast/blocks.h"
#include "coulomb/mesh/mesh.h"
#include "coulomb/periodic/ewald.h"
#include "run/speed.h"

/* Cost of a charge at a point. Measured with `sonde coulomb --method direct --device cpu --threads 1` and
 * SONDE_ISA=sse2, avx2, avx512 on a Xeon at 4.1 GHz (bench/plans.sh repeats it); on an H200: docs/coulomb.md, and
 * mesh/mesh_plan.c. [float32][field] */
static const struct speed_cost charge_at_point[2][2] = {
    {{{5.9, 5.6, 6.0}, SPEED_F64, 40.0}, {{6.6, 6.2, 6.3}, SPEED_F64, 64.0}},
    {{{2.5, 1.13, 0.87}, SPEED_F32, 16.0}, {{4.3, 2.03, 1.6}, SPEED_F32, 26.0}},
};
static const struct speed_cost exponential = {{60.0, 48.0, 30.0}, SPEED_F64, 200.0},
			       of_reference = {{40.0, 40.0, 40.0}, SPEED_F64, 0.0},
			       checked = {{30.0, 30.0, 28.0}, SPEED_F64, 160.0},
			       of_wave = {{60.0, 30.0, 16.0}, SPEED_F64, 60.0};
#define POINT_OF_FAST 30.0      /* cost of interpolation in evaluations: fast_plan.c */
#define CLOCK_OF_MESH 3e9       /* clock for the seconds of mesh_choose(), with AVX2, */
#define GPU_OF_MESH 6.1e13      /* and float32 operations per second of its GPU */
#define CHECKED_EVALUATIONS 5e7 /* check/errors.c */
#define LEAST_CHECKED 64.0
#define POINT_CYCLES 25.0   /* per point: its index, checksum and copies */
#define TABLE_CYCLES 1250.0 /* per number in a table, */
#define VOLUME_CYCLES 250.0 /* and in a volume of text */
#define EXACT_LIST 5e-6     /* the error of a list in float32 is seldom below: such sums are repeated */
#define BYTES_OF_TEXT 14.0  /* per number */
#define FILE_RATE 1.5e9     /* bytes per second into the system's file cache */

double coulomb_evaluations(const struct charges *charges, const struct targets *targets,
			   const struct coulomb_plan *plan)
{
	const double points = (double)targets->count;

	if (plan->tree != NULL)
		return block_tree_evaluations(plan->tree) + POINT_OF_FAST * points;
	if (plan->ewald != NULL)
		return points * (plan->ewald->images.count + plan->ewald->wave_count);
	return points * charges->count;
}

/* Sums recomputed by the reference: check/errors.c. */
static double check_evaluations(const struct charges *charges, const struct targets *targets)
{
	const double count = charges->count,
		     points = fmin(CHECKED_MOST, fmax(LEAST_CHECKED, CHECKED_EVALUATIONS / fmax(1.0, count)));

	return fmin(points, (double)targets->count) * count * charges->sets;
}

static double ewald_seconds(const struct speed *speed, const struct ewald *ewald, double points)
{
	return speed_seconds(speed, &charge_at_point[0][0], points * ewald->images.count) +
	       speed_seconds(speed, &exponential, points * ewald->images.count) +
	       speed_seconds(speed, &of_wave, points * ewald->wave_count);
}

static double sum_seconds(const struct speed *speed, const struct charges *charges, const struct targets *targets,
			  const struct coulomb_plan *plan)
{
	const double points = (double)targets->count,
		     sets = charges->sets > 1 ? 1.0 + 0.3 * (charges->sets - 1.0) : 1.0,
		     evaluations = coulomb_evaluations(charges, targets, plan);
	const struct speed_cost *cost = &charge_at_point[plan->single][plan->field];

	if (plan->options.method == SONDE_COULOMB_METHOD_REFERENCE)
		return speed_host_seconds(speed, of_reference.cycles[0] * evaluations * charges->sets,
					  speed->threads);
	if (plan->mesh != NULL)
		return speed->gpu ? plan->mesh->seconds * GPU_OF_MESH / speed->peaks[SPEED_F32]
				  : speed_host_seconds(speed, plan->mesh->seconds * CLOCK_OF_MESH, speed->threads);
	if (plan->tree == NULL && plan->ewald != NULL)
		return ewald_seconds(speed, plan->ewald, points);
	double seconds = sets * speed_seconds(speed, cost, evaluations);
	if (plan->form != CHARGE_POINT)
		seconds += sets * speed_seconds(speed, &exponential, evaluations);
	if (plan->tree != NULL && plan->ewald != NULL)
		seconds += ewald_seconds(speed, plan->ewald, plan->tree->node_count);
	if (!targets->is_grid && plan->automatic && plan->single && plan->options.tolerance < EXACT_LIST)
		seconds += sets * speed_seconds(speed, &charge_at_point[0][plan->field], evaluations) +
			   speed_seconds(speed, &checked, check_evaluations(charges, targets));
	return seconds;
}

sonde_status coulomb_estimate_seconds(sonde_context *context, const struct charges *charges,
				      const struct targets *targets, const struct coulomb_plan *plan, double *seconds)
{
	const double points = (double)targets->count, numbers = points * charges->sets * (plan->field ? 4.0 : 1.0);
	struct speed speed;

	CHECK(speed_find(context, &speed));
	*seconds = sum_seconds(&speed, charges, targets, plan) +
		   speed_seconds(&speed, &checked, check_evaluations(charges, targets)) +
		   speed_host_seconds(&speed, POINT_CYCLES * numbers, 1);
	return SONDE_OK;
}

static bool is_one_of(const char *path, const char *const *suffixes)
{
	for (; *suffixes != NULL; ++suffixes)
		if (strstr(path, *suffixes) != NULL)
			return true;
	return false;
}

sonde_status coulomb_estimate_file(sonde_context *context, const char *path, const struct targets *targets,
				   double numbers, double *bytes, double *seconds)
{
	static const char *const doubles[] = {".h5", ".hdf5", ".nxs", ".vtk", NULL};
	static const char *const floats[] = {".mrc", ".map", ".ccp4", NULL};
	static const char *const tables[] = {".csv", ".xy", ".dat", ".txt", NULL};
	struct speed speed;

	CHECK(speed_find(context, &speed));
	const bool is_double = path != NULL && is_one_of(path, doubles),
		   is_float = path != NULL && is_one_of(path, floats),
		   is_text = path == NULL || !(is_double || is_float);
	const bool is_table = path == NULL || is_one_of(path, tables);
	if (is_table) /* which also contains the points */
		numbers += 3.0 * (double)targets->count;
	*bytes = path == NULL ? 0.0 : numbers * (is_float ? 4.0 : is_double ? 8.0 : BYTES_OF_TEXT);
	*seconds =
	    speed.start + *bytes / FILE_RATE +
	    (is_text ? speed_host_seconds(&speed, (is_table ? TABLE_CYCLES : VOLUME_CYCLES) * numbers, speed.threads)
		     : 0.0);
	return SONDE_OK;
}
