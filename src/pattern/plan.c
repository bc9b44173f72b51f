/* The plan of a run: options, scattering vectors, classes of atoms with their amplitudes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "matter/atoms/placed_atoms.h"
#include "matter/generate/placing.h"
#include "pattern/detector/geometry.h"
#include "pattern/detector/response.h"
#include "pattern/fast/fast.h"
#include "pattern/pattern.h"
#include "pattern/products.h"
#include "pattern/ranks.h"
#include "pattern/resident/resident.h"

PROBE_ASSERT_CHOICES(SONDE_PATTERN);

#define LARGEST_PHASE 1e8 /* radians, to which lanes_sincos() is accurate */
/* Errors of F by the rounding of phases, relative to sqrt(sum |f|^2), for each radian of the largest phase: of atoms without order,
 * and, times the square root of their number, of atoms that scatter in phase and are rounded alike. Measured with atoms at random, and
 * with 500 to 50,000 at one place, 1000 to 10,000 Angstrom from another. */
#define ROUNDING 5e-17
#define ROUNDING_IN_PHASE 5e-17
#define ROUNDING_OF_MESH 4e-16 /* the latter, of the fast method */

struct probe pattern_probe(const sonde_pattern_options *options, double q_first, double q_last)
{
	return (struct probe){.radiation = options->radiation,
			      .factors = options->factors,
			      .anomalous = (enum anomalous_table)options->anomalous,
			      .energy = options->energy,
			      .wavelength = options->wavelength,
			      .form_factors = options->form_factors,
			      .q_first = q_first,
			      .q_last = q_last};
}

static const char *option_of_vectors(const sonde_pattern_options *options, int geometry)
{
	switch (geometry) {
	case SONDE_PATTERN_LIST:
		return "q_list";
	case SONDE_PATTERN_BOX:
		return "h";
	case SONDE_PATTERN_DETECTOR:
		return options->poni[0] != '\0' ? "poni" : "detector";
	default:
		return NULL;
	}
}

static sonde_status find_wavelength(const sonde_pattern_options *options, double *wavelength)
{
	double energy;

	CHECK(probe_energy(options->energy, options->wavelength, &energy));
	*wavelength = options->wavelength > 0.0 ? options->wavelength : energy > 0.0 ? EV_ANGSTROM / energy : 0.0;
	return SONDE_OK;
}

/* Adds the first atom of class `c` to the message of a failure. */
static sonde_status prefix_class(const sonde_atoms *atoms, const char *label, sonde_status status)
{
	int64_t i = 0;

	while (i + 1 < atoms->count && strcmp(atoms->species[atoms->species_of[i]].label, label) != 0)
		++i;
	return status_prefix(status, "%s: atom %lld", atoms->source.bytes != NULL ? atoms->source.bytes : "sample",
			     (long long)i + 1);
}

/* exp(i q.r) with q = k' - k belongs to waves exp(i w t - i k.r), for which absorption is f'' > 0, as in tables of X-rays.
 * Scattering lengths are those of waves exp(i k.r - i w t), with Im b < 0 (Sears 1992): |sum b exp(-i q.r)|^2 is the
 * intensity, and f = b*. With b, the intensities of q and -q of absorbing nuclei would be exchanged. */
static void use_phase_of_x_rays(const struct probe *probe, struct scatterer *scatterer)
{
	if (probe->radiation == PROBE_NEUTRON)
		scatterer->c_imaginary = -scatterer->c_imaginary;
}

static sonde_status find_scatterers(sonde_context *context, const sonde_atoms *atoms, struct pattern_plan *plan)
{
	if (plan->options.form_factors[0] != '\0')
		CHECK(form_factors_read(plan->options.form_factors, &plan->form_factors));
	for (int c = 0; c < plan->sample.class_count; ++c) {
		struct pattern_class *class = &plan->sample.classes[c];
		const sonde_status status =
		    probe_find_scatterer(&plan->probe, plan->form_factors, class->label, &class->scatterer);
		if (status != SONDE_OK)
			return prefix_class(atoms, class->label, status);
		if (class->scatterer.depends_on_energy)
			context_notef(context,
				      "the scattering length of %s, %.4g %+.4gi fm, is for neutrons of 1.798 "
				      "Angstrom (25.3 meV) and "
				      "differs at other wavelengths",
				      class->label, class->scatterer.c, class->scatterer.c_imaginary);
		use_phase_of_x_rays(&plan->probe, &class->scatterer);
	}
	return SONDE_OK;
}

/* A file of form factors for other labels is of no use. */
static sonde_status note_unused(sonde_context *context, const struct pattern_plan *plan)
{
	bool found = plan->form_factors == NULL;

	for (int c = 0; c < plan->sample.class_count && !found; ++c) {
		struct scatterer scatterer;
		CHECK(form_factors_find(plan->form_factors, plan->sample.classes[c].label, plan->probe.q_first,
					plan->probe.q_last, &scatterer, &found));
	}
	if (!found)
		context_notef(context,
			      "%s: has none of the labels of the sample, whose form factors are those of the table",
			      plan->options.form_factors);
	return SONDE_OK;
}

static void note_overfull(sonde_context *context, const struct pattern_sample *sample)
{
	if (sample->overfull > 0)
		context_notef(context,
			      "occupancies of the alternative locations of %lld residue%s add up to more than 1, at "
			      "most to %.4g",
			      (long long)sample->overfull, sample->overfull == 1 ? "" : "s", sample->fullest);
}

static sonde_status check_phases(const struct pattern_plan *plan)
{
	const double reach = plan->sample.reach, largest = plan->pixels.largest;

	return reach * largest <= LARGEST_PHASE ? SONDE_OK
						: status_fail(SONDE_INVALID,
							      "the sample is too large: q = %.6g at %.4g Angstrom "
							      "from its center is a phase of more than %.0e "
							      "radians",
							      largest, reach, LARGEST_PHASE);
}

/* A tolerance below the rounding of phases. */
static sonde_status check_rounding(sonde_context *context, const struct pattern_plan *plan)
{
	const double tolerance = plan->fast.chosen ? plan->fast.tolerance : plan->options.tolerance,
		     phase = plan->sample.reach * plan->pixels.largest,
		     in_phase = (plan->fast.chosen ? ROUNDING_OF_MESH : ROUNDING_IN_PHASE) * phase *
				sqrt((double)plan->sample.count);

	if (tolerance > 0.0 && ROUNDING * phase > tolerance)
		return status_fail_option(
		    SONDE_INVALID, "tolerance",
		    "%.3g cannot be met: phases q.r are up to %.2g radians, and their rounding alone "
		    "makes errors of %.1g; allow more",
		    tolerance, phase, ROUNDING * phase);
	if (tolerance > 0.0 && in_phase > tolerance)
		context_notef(
		    context,
		    "where many atoms scatter in phase, errors may be up to %.1g, more than the tolerance: phases "
		    "q.r are up to %.2g radians, and rounded",
		    in_phase, phase);
	return SONDE_OK;
}

static sonde_status choose_laue_class(struct pattern_plan *plan)
{
	const char *symbol = plan->options.laue_class;

	if (symbol[0] == '\0')
		return SONDE_OK;
	if (plan->pixels.geometry != SONDE_PATTERN_BOX)
		return status_fail_option(
		    SONDE_INVALID, "laue_class",
		    "is for lines, planes, and volumes of reciprocal space: give `h`, `k`, `l`");
	if (plan->options.amplitude)
		return status_fail_option(SONDE_INVALID, "laue_class",
					  "means are those of I, not of F: leave out `amplitude`");
	CHECK(status_prefix_option(laue_class_of(symbol, &plan->laue), "laue_class"));
	return status_prefix_option(laue_check_basis(&plan->laue, symbol, plan->pixels.basis), "laue_class");
}

/* The file of option `placements`, and the sample at its places. */
static sonde_status place_atoms(sonde_context *context, const sonde_atoms *atoms, struct pattern_plan *plan)
{
	const char *path = plan->options.placements;

	if (plan->placing == NULL && path[0] != '\0' && !plan->placing_borrowed) {
		CHECK(memory_allocate(&plan->placing, 1, sizeof *plan->placing, "the places of the copies"));
		CHECK(placing_read(context, path, atoms, plan->placing));
		CHECK(placing_note_overlap(context, plan->placing, atoms));
	}
	return plan->placing != NULL ? placing_apply(plan->placing, atoms, &plan->placed) : SONDE_OK;
}

/* Sites that depend on each other, tensors that turn with their copies, and parts need atoms one by one. */
static bool needs_all(const sonde_atoms *atoms, const sonde_pattern_options *options)
{
	return atoms->occupancies != NULL || options->copy_atoms != 0 ||
	       options->partials != SONDE_PATTERN_PARTIALS_NONE ||
	       (strcmp(options->displacement, "sample") == 0 && atoms->displacement_size > 1);
}

/* The atoms by their labels, those of copies one by one if need be. */
static sonde_status label_atoms(sonde_context *context, const sonde_atoms *atoms, struct pattern_plan *plan)
{
	CHECK(place_atoms(context, atoms, plan));
	CHECK(relabel_atoms(pattern_plan_atoms(plan, atoms), "labels", plan->options.labels, &plan->relabeled));
	if (plan->relabeled.atoms.placements == NULL || !needs_all(&plan->relabeled.atoms, &plan->options))
		return SONDE_OK;
	relabeled_atoms_free(&plan->relabeled);
	if (plan->placed != NULL)
		CHECK(atoms_expand(context, &plan->placed));
	else
		CHECK(atoms_expanded(context, atoms, &plan->placed));
	return relabel_atoms(plan->placed, "labels", plan->options.labels, &plan->relabeled);
}

static sonde_status take_atoms(sonde_context *context, const sonde_atoms *atoms, struct pattern_plan *plan)
{
	CHECK(label_atoms(context, atoms, plan));
	CHECK(pattern_sample_make(context, &plan->relabeled.atoms, &plan->options, &plan->sample));
	note_overfull(context, &plan->sample);
	CHECK(find_scatterers(context, &plan->relabeled.atoms, plan));
	return check_phases(plan);
}

static sonde_status make(sonde_context *context, const sonde_atoms *atoms, const sonde_pattern_options *options,
			 struct pattern_plan *plan)
{
	double wavelength;

	CHECK(options_complete(&pattern_option_table, options, &plan->options));
	CHECK(options_check(&pattern_option_table, &plan->options));
	CHECK(detector_read_poni(&plan->options));
	CHECK(pattern_resident_choose(context, atoms, &plan->options));
	CHECK(find_wavelength(&plan->options, &wavelength));
	CHECK(pattern_pixels_make(&plan->options, atoms, wavelength, &plan->pixels));
	CHECK(response_check(&plan->options, plan->pixels.geometry));
	CHECK(choose_laue_class(plan));
	plan->probe = pattern_probe(&plan->options, plan->pixels.smallest, plan->pixels.largest);
	plan->probe.q_option = option_of_vectors(&plan->options, plan->pixels.geometry);
	CHECK(probe_choose_table(&plan->probe));
	plan->options.factors = plan->probe.factors;
	CHECK(take_atoms(context, atoms, plan));
	CHECK(note_unused(context, plan));
	return pattern_check_memory(context, plan);
}

sonde_status pattern_plan_make(sonde_context *context, const sonde_atoms *atoms, const sonde_pattern_options *options,
			       struct pattern_plan *plan)
{
	*plan = (struct pattern_plan){.repeats = 1.0};
	return make(context, atoms, options, plan);
}

sonde_status pattern_plan_choose(sonde_context *context, double repeats, struct pattern_plan *plan)
{
	plan->repeats = repeats;
	CHECK(fast_choose(context, plan));
	CHECK(products_choose(context, plan));
	CHECK(pattern_ranks_choose(context, plan));
	return check_rounding(context, plan);
}

static sonde_status follow(sonde_context *context, const sonde_atoms *atoms, const struct pattern_plan *first,
			   struct placing *placing, struct pattern_plan *plan)
{
	*plan = (struct pattern_plan){.options = first->options,
				      .probe = first->probe,
				      .pixels = first->pixels,
				      .laue = first->laue,
				      .turned = first->turned,
				      .placing = placing,
				      .placing_borrowed = true,
				      .repeats = 1.0};
	plan->pixels.borrowed = true;
	CHECK(pattern_resident_choose(context, atoms, &plan->options));
	CHECK(take_atoms(context, atoms, plan));
	CHECK(fast_choose(context, plan));
	CHECK(products_choose(context, plan));
	return pattern_ranks_choose(context, plan);
}

sonde_status pattern_plan_follow(sonde_context *context, const sonde_atoms *atoms, const struct pattern_plan *first,
				 struct pattern_plan *plan)
{
	return follow(context, atoms, first, first->placing, plan);
}

sonde_status pattern_plan_of_part(sonde_context *context, const sonde_atoms *part, const struct pattern_plan *first,
				  struct pattern_plan *plan)
{
	return follow(context, part, first, NULL, plan);
}

const sonde_atoms *pattern_plan_atoms(const struct pattern_plan *plan, const sonde_atoms *atoms)
{
	return plan->placed != NULL ? plan->placed : atoms;
}

void pattern_plan_free(struct pattern_plan *plan)
{
	if (plan->placing != NULL && !plan->placing_borrowed) {
		placing_free(plan->placing);
		free(plan->placing);
	}
	sonde_atoms_free(&plan->placed);
	pattern_pixels_free(&plan->pixels);
	pattern_sample_free(&plan->sample);
	relabeled_atoms_free(&plan->relabeled);
	form_factors_free(&plan->form_factors);
}
