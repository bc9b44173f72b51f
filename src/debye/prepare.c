/* From a sample and options to classes of atoms and a plan. */
#include "debye/classes/copies.h"
#include "debye/classes/placed.h"
#include "debye/classes/resident.h"
#include "debye/motion/displacement.h"
#include "debye/motion/motion.h"
#include "debye/sums/lattice_plan.h"
#include "debye/sums/prepared.h"

static void note_overfull(sonde_context *context, const struct debye_classes *classes)
{
	if (classes->overfull == 0)
		return;
	context_notef(
	    context,
	    "occupancies: in %lld residue%s those of alternative locations add up to more than 1, to %.4g at most, "
	    "although only "
	    "one of them can be present",
	    (long long)classes->overfull, classes->overfull == 1 ? "" : "s", classes->fullest);
}

/* Options of means over many samples. */
static sonde_status check_single(const sonde_debye_options *options)
{
	const char *many = options->frames[0] != '\0'     ? "frames"
			   : options->topology[0] != '\0' ? "topology"
			   : options->error_blocks > 0    ? "error_blocks"
							  : NULL;

	return many == NULL
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, many,
					"is for means over many samples, such as the frames of a trajectory, "
					"and this is one sample");
}

/* A lattice has kinds of sites, without data of their own. */
static sonde_status take_lattice(const sonde_lattice *lattice, const sonde_debye_options *options,
				 struct debye_classes *classes)
{
	if (options->partials != SONDE_DEBYE_PARTIALS_SPECIES)
		return status_fail_option(SONDE_INVALID, "partials",
					  "the sample is a single lattice, without blocks");
	if (options->labels[0] != '\0')
		return status_fail_option(SONDE_INVALID, "labels",
					  "the sample is a lattice without a list of atoms; give the labels to the "
					  "lattice");
	if (displacements_are_of_sample(options))
		return status_fail_option(SONDE_INVALID, "displacement",
					  "the sample is a lattice without a list of atoms, which has none; give "
					  "numbers");
	return debye_classes_of_lattice(lattice, classes);
}

/* Copies as options describe them are those of the sample's file. */
static sonde_status check_mixture(const sonde_debye_options *options)
{
	if (options->copy_atoms > 0)
		return status_fail_option(SONDE_INVALID, "copy_atoms",
					  "an atom of a mixture by `labels` is several sites, so that copies have "
					  "other numbers of them");
	return options->copies == SONDE_DEBYE_COPIES_AVERAGED
		   ? status_fail_option(SONDE_INVALID, "copies",
					"a mixture by `labels` is possible with `copies exact` and `copies "
					"independent`")
		   : SONDE_OK;
}

/* The classes of a sample under other labels. */
static sonde_status make_classes(sonde_context *context, const sonde_atoms *atoms, const sonde_debye_options *options,
				 struct debye_classes *classes)
{
	struct relabeled_atoms relabeled = {.renamed = false};
	sonde_atoms *placed;

	sonde_status status = debye_place(context, atoms, options, &placed);
	if (status == SONDE_OK)
		status = relabel_atoms(placed != NULL ? placed : atoms, "labels", options->labels, &relabeled);
	if (status == SONDE_OK && relabeled.mixed)
		status = check_mixture(options);
	if (status == SONDE_OK)
		status = debye_classes_make(&relabeled.atoms, options, displacements_are_of_sample(options), classes);
	classes->relabeled = relabeled;
	classes->placed = placed;
	return status;
}

static sonde_status prepare_classes(sonde_context *context, const sonde_atoms *atoms, const sonde_lattice *lattice,
				    const sonde_debye_options *options, struct debye_classes *classes)
{
	if (lattice != NULL && options->copies != SONDE_DEBYE_COPIES_EXACT)
		return status_fail_option(SONDE_INVALID, "copies", "the sample is a single lattice, without copies");
	if (lattice != NULL && options->placements[0] != '\0')
		return status_fail_option(SONDE_INVALID, "placements",
					  "the sample is a lattice without a list of atoms; choose another `method`");
	if (lattice != NULL)
		return take_lattice(lattice, options, classes);
	CHECK(make_classes(context, atoms, options, classes));
	note_overfull(context, classes);
	return debye_copies_take(context, options, &classes->relabeled.atoms, classes);
}

/* Before the plan: the largest distance of atoms that the host cannot see. */
static sonde_status find_extent(sonde_context *context, struct debye_classes *classes, double *extent)
{
	*extent = debye_lattice_extent(classes);
	if (!atoms_are_resident(&classes->summed))
		return SONDE_OK;
	if (classes->motion != NULL)
		return resident_bring(classes);
	const sonde_status status = resident_extent(context, &classes->summed, extent);
	return status == SONDE_RESOURCE ? resident_bring(classes) : status;
}

/* After the plan: whether the atoms stay on a GPU. A lattice is found on the host. */
static sonde_status settle_resident(sonde_context *context, struct debye_classes *classes,
				    const struct debye_plan *plan)
{
	bool may_be_lattice = false;

	if (!atoms_are_resident(&classes->summed))
		return SONDE_OK;
	if (!resident_method(plan))
		return resident_bring(classes);
	if (!plan->automatic || debye_plan_is_quick(&classes->summed, plan))
		return SONDE_OK;
	const sonde_status status = resident_may_be_lattice(context, classes, &may_be_lattice);
	return may_be_lattice || status == SONDE_RESOURCE ? resident_bring(classes) : status;
}

sonde_status debye_prepare(sonde_context *context, const sonde_atoms *atoms, const sonde_lattice *lattice,
			   const sonde_debye_options *options, bool further, struct debye_classes *classes,
			   struct debye_plan *plan)
{
	sonde_debye_options complete;
	double extent;

	*classes = (struct debye_classes){0};
	*plan = (struct debye_plan){0};
	CHECK(options_complete(&debye_option_table, options, &complete));
	CHECK(check_single(&complete));
	CHECK(options_check(&debye_option_table, &complete));
	if (atoms != NULL)
		CHECK(resident_choose(context, atoms, &complete));
	CHECK(prepare_classes(context, atoms, lattice, &complete, classes));
	CHECK(displacements_read(&complete, classes));
	CHECK(find_extent(context, classes, &extent));
	CHECK(debye_plan_make(context, classes, extent, further, options, plan));
	CHECK(settle_resident(context, classes, plan));
	if (plan->periodic.on) {
		if (!atoms_are_resident(&classes->summed))
			CHECK(debye_classes_wrap(context, classes, &plan->periodic));
		if (plan->periodic.density_of_cell)
			plan->options.density = classes->present / plan->periodic.volume;
	}
	CHECK(motion_check(classes, plan->periodic.on ? &plan->periodic : NULL));
	return atoms_are_resident(&classes->summed) ? SONDE_OK : debye_lattice_take(context, classes, plan);
}

void debye_prepared_free(struct prepared_sample *prepared)
{
	arranged_atoms_free(&prepared->early);
	debye_classes_free(&prepared->classes);
	debye_plan_free(&prepared->plan);
	*prepared = (struct prepared_sample){0};
}
