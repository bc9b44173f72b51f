#include "coulomb/prepare.h"

#include <math.h>
#include <string.h>

#include "base/options.h"
#include "coulomb/method/choose.h"
#include "coulomb/fast/blocks.h"
#include "coulomb/option_table.h"
#include "coulomb/output/result.h"
#include "coulomb/slabs.h"
#include "io/volume/volume_formats.h"
#include "parallel/parallel.h"

#define OTHER_SPLIT 1.2   /* of the sum used for comparison */
#define ERROR_OF_GAP 0.01 /* between a slab and its images, of the tolerance */
#define OTHER_ERROR_OF_GAP 1e-4
#define CHECKED_POINTS 64.0

void coulomb_periodic_free(struct coulomb_periodic *periodic)
{
	ewald_free(&periodic->ewald);
	ewald_free(&periodic->check);
}

static sonde_status make_cells(const struct coulomb_run *run, const struct charges *charges,
			       struct coulomb_periodic *periodic)
{
	const sonde_coulomb_options *options = run->options;
	bool slab = options->boundary == SONDE_COULOMB_BOUNDARY_SLAB;

	if (fabs(charges->total) > 1e-9 * charges->absolute)
		context_notef(run->context, "the charges of the cell add up to %.6g e; %s", charges->total,
			      slab ? "the potential diverges linearly on both sides of the slab"
				   : "a uniform background makes it neutral");
	/* a slab's error by its images would be the same in a comparison with the same gap */
	CHECK(cell_make(run->atoms, options, charges, &run->targets, run->mirrored,
			OTHER_ERROR_OF_GAP * options->tolerance, &periodic->check_cell));
	return cell_make(run->atoms, options, charges, &run->targets, run->mirrored,
			 ERROR_OF_GAP * options->tolerance, &periodic->cell);
}

sonde_status coulomb_make_ewald(sonde_context *context, const struct charges *charges, const struct targets *targets,
				struct coulomb_plan *plan, struct coulomb_periodic *periodic)
{
	double tolerance = 0.1 * plan->options.tolerance;
	double points = plan->tree != NULL ? (double)plan->tree->node_count : (double)targets->count;

	if (plan->cell == NULL)
		return SONDE_OK;
	/* an existing one for the nodes of another tree is suitable, too */
	if (plan->tree == NULL || plan->ewald == NULL) {
		ewald_free(&periodic->ewald);
		CHECK(ewald_make(context, charges, plan->cell, tolerance, 1.0, points, &periodic->ewald));
	}
	plan->ewald = &periodic->ewald;
	if (plan->check == NULL)
		CHECK(ewald_make(context, charges, &periodic->check_cell, 0.1 * tolerance, OTHER_SPLIT,
				 CHECKED_POINTS, &periodic->check));
	plan->check = &periodic->check;
	return SONDE_OK;
}

sonde_status coulomb_plan_batch(const struct coulomb_run *run, const struct charges *charges,
				struct coulomb_periodic *periodic, struct coulomb_plan *plan)
{
	const bool open = run->options->boundary == SONDE_COULOMB_BOUNDARY_OPEN;

	if (!open)
		CHECK(make_cells(run, charges, periodic));
	CHECK(coulomb_plan_make(run->context, run->options, charges, &run->targets, open ? NULL : &periodic->cell,
				plan));
	plan->most_of_slab = run->path != NULL ? slabs_most_points(run->context, charges, plan->field) : INFINITY;
	return parallel_least(context_ranks(run->context), &plan->most_of_slab);
}

void coulomb_run_mirror(struct coulomb_run *run)
{
	double *x = run->charges.x;

	run->charges.x = run->charges.z;
	run->charges.z = x;
	run->targets = targets_mirrored(&run->targets);
	run->mirrored = true;
}

/* Whether the values can be written to the file slab by slab. */
static bool can_stream(const struct coulomb_run *run)
{
	return run->path != NULL && delivery_possible(run->path) && run->targets.is_grid && run->charges.sets == 1 &&
	       !(run->options->forces && delivery_mirrored(run->path));
}

/* Checks the format of the output, also before the work. */
static sonde_status check_format(const struct coulomb_run *run)
{
	const int quantity = run->options->quantity;
	struct grid grid;

	if (!run->targets.is_grid || volume_format(run->path) == NULL)
		return SONDE_OK;
	memcpy(grid.size, run->targets.size, sizeof grid.size);
	memcpy(grid.origin, run->targets.origin, sizeof grid.origin);
	memcpy(grid.steps, run->targets.steps, sizeof grid.steps);
	return volume_check(run->path, &grid, quantity != SONDE_COULOMB_QUANTITY_FIELD,
			    quantity != SONDE_COULOMB_QUANTITY_POTENTIAL);
}

static sonde_status make_targets(struct coulomb_run *run)
{
	if (run->planned != NULL)
		run->targets = *run->planned;
	else
		CHECK(targets_make(run->atoms, run->options, context_threads(run->context), &run->targets));
	if (run->options->quantity == SONDE_COULOMB_QUANTITY_AUTO)
		run->options->quantity =
		    run->targets.is_grid ? SONDE_COULOMB_QUANTITY_POTENTIAL : SONDE_COULOMB_QUANTITY_BOTH;
	return SONDE_OK;
}

sonde_status coulomb_run_prepare(struct coulomb_run *run)
{
	CHECK(charges_make(run->atoms, run->options->charges, &run->charges));
	CHECK(make_targets(run));
	/* before the work: with several sets the file names differ from the requested one */
	if (run->path != NULL) {
		CHECK(coulomb_check_files(run->path, (int)run->charges.sets, run->overwrite));
		CHECK(check_format(run));
	}
	if (!can_stream(run))
		run->path = NULL;
	CHECK(mask_make(run->atoms, run->options, run->path != NULL && delivery_mirrored(run->path), &run->mask));
	CHECK(mask_check(run->context, run->mask, &run->targets));
	return coulomb_check_size(run->context, run->options, &run->charges, &run->targets, run->path == NULL);
}

/* The charges of a periodic sample alone form a cluster: the boundary must be chosen explicitly. */
static sonde_status settle_boundary(const sonde_atoms *atoms, sonde_coulomb_options *options)
{
	if (options->boundary != SONDE_COULOMB_BOUNDARY_AUTO)
		return SONDE_OK;
	if (atoms_are_periodic(atoms))
		return status_fail(
		    SONDE_INVALID,
		    "%s: the sample is periodic: `boundary periodic or slab` repeats its charges along the "
		    "cell, `boundary open` treats them as a cluster",
		    atoms->source.bytes != NULL ? atoms->source.bytes : "sample");
	options->boundary = SONDE_COULOMB_BOUNDARY_OPEN;
	return SONDE_OK;
}

sonde_status coulomb_settle_options(const sonde_atoms *atoms, const sonde_coulomb_options *given,
				    sonde_coulomb_options *options)
{
	CHECK(atoms_need_positions(atoms));
	CHECK(options_complete(&coulomb_option_table, given, options));
	CHECK(options_check(&coulomb_option_table, options));
	CHECK(settle_boundary(atoms, options));
	if (options->forces && sonde_atoms_occupancies(atoms) != NULL)
		return status_fail(
		    SONDE_INVALID,
		    "%s: atoms have occupancies below 1: the mean potential is computed, but energies and forces of "
		    "such sites are not; omit `forces`",
		    atoms->source.bytes != NULL ? atoms->source.bytes : "sample");
	return SONDE_OK;
}

void coulomb_run_free(struct coulomb_run *run)
{
	charges_free(&run->charges);
	if (run->planned == NULL)
		targets_free(&run->targets);
	mask_free(&run->mask);
}
