/* Debye-Waller factors. Atoms that move independently about the positions of the sample, with the mean square
 * displacement U along any direction, scatter on average (I. Waller, Z. Phys. 17 (1923) 398; B. E. Warren, X-ray
 * Diffraction (1969), ch. 11)
 *
 *     I(q) = sum_i |f_i|^2 + sum_{i != j} Re(f_i f_j*) exp(-q^2 (U_i + U_j)/2) sin(q r_ij)/(q r_ij).
 *
 * If U depends on the class of atoms only, so does the factor: each method sums over atoms at rest. Otherwise the sums contain it
 * (motion.h).
 */
#include "debye/motion/displacement.h"

#include "debye/motion/motion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

#define LARGEST 10.0 /* Angstrom^2; U_iso of atoms in solids is below 0.5 */

static bool parse_displacement(const char *start, const char *end, double *value)
{
	return text_parse_real(start, end, value) && *value >= 0.0 && *value <= LARGEST;
}

static sonde_status fail_value(const char *start, size_t length)
{
	return status_fail_option(SONDE_INVALID, "displacement",
				  "'%.*s' is not a mean square displacement from 0 to %g Angstrom^2, and not "
				  "LABEL=VALUE either",
				  (int)(length < 60 ? length : 60), start, LARGEST);
}

static sonde_status fail_label(const char *label, const struct debye_classes *classes)
{
	struct nearest_word nearest = {.word = label};
	char hint[96];

	for (int c = 0; c < classes->count; ++c)
		nearest_word_offer(&nearest, classes->view.species[c].label);
	return status_fail_option(SONDE_INVALID, "displacement", "the sample has no '%s'%s", label,
				  nearest_word_hint(&nearest, hint, sizeof hint));
}

static void set_label(struct debye_classes *classes, int species, double value)
{
	for (int c = 0; c < classes->count; ++c)
		if (classes->species[c] == species)
			classes->displacement[c] = value;
}

/* One item, LABEL=VALUE; `given` marks the species that have theirs. */
static sonde_status read_item(const char *item, size_t length, struct debye_classes *classes, bool *given)
{
	const char *equals = memchr(item, '=', length);
	char label[SONDE_LABEL_SIZE];
	double value;
	int c = 0;

	if (equals == NULL || !parse_displacement(equals + 1, item + length, &value))
		return fail_value(item, length);
	snprintf(label, sizeof label, "%.*s", (int)(equals - item), item);
	while (c < classes->count && strcmp(classes->view.species[c].label, label) != 0)
		++c;
	if (c == classes->count)
		return fail_label(label, classes);
	if (given[classes->species[c]])
		return status_fail_option(SONDE_INVALID, "displacement", "'%s' is given twice", label);
	given[classes->species[c]] = true;
	set_label(classes, classes->species[c], value);
	return SONDE_OK;
}

/* A species without a value is an oversight: an atom at rest among others that move is stated as LABEL=0. */
static sonde_status check_given(const struct debye_classes *classes, const bool *given)
{
	for (int c = 0; c < classes->count; ++c)
		if (!given[classes->species[c]])
			return status_fail_option(SONDE_INVALID, "displacement",
						  "there is none for '%s'; add %s=VALUE, or %s=0 for atoms at rest",
						  classes->view.species[c].label, classes->view.species[c].label,
						  classes->view.species[c].label);
	return SONDE_OK;
}

static sonde_status read_items(const char *list, struct debye_classes *classes, bool *given)
{
	for (;;) {
		list += strspn(list, " ");
		size_t length = strcspn(list, ",;"), used = length;
		while (used > 0 && list[used - 1] == ' ')
			--used;
		CHECK(read_item(list, used, classes, given));
		if (list[length] == '\0')
			return check_given(classes, given);
		list += length + 1;
	}
}

bool displacements_are_of_sample(const sonde_debye_options *options)
{
	return strcmp(options->displacement, "sample") == 0;
}

static sonde_status read_list(const char *list, struct debye_classes *classes)
{
	bool *given;
	double all;

	CHECK(memory_allocate(&classes->displacement, (size_t)classes->count, sizeof(double), "the displacements"));
	if (parse_displacement(list, list + strlen(list), &all)) {
		for (int c = 0; c < classes->count; ++c)
			classes->displacement[c] = all;
		return SONDE_OK;
	}
	CHECK(memory_allocate(&given, (size_t)classes->species_count, sizeof *given, "the displacements"));
	const sonde_status status = read_items(list, classes, given);
	free(given);
	return status;
}

static bool is_correlated(const sonde_debye_options *options)
{
	return options->delta1 > 0.0 || options->delta2 > 0.0 || options->qbroad > 0.0;
}

sonde_status displacements_read(const sonde_debye_options *options, struct debye_classes *classes)
{
	if (options->displacement[0] == '\0')
		return is_correlated(options)
			   ? status_fail_option(SONDE_INVALID,
						options->delta1 > 0.0   ? "delta1"
						: options->delta2 > 0.0 ? "delta2"
									: "qbroad",
						"has no effect on atoms at rest; give their `displacement`")
			   : SONDE_OK;
	if (!displacements_are_of_sample(options))
		CHECK(read_list(options->displacement, classes));
	if (classes->tensors == NULL && !is_correlated(options))
		return SONDE_OK;
	if (classes->averaged)
		return status_fail_option(SONDE_INVALID, "copies",
					  "`copies averaged` needs displacements that are numbers, the same for all "
					  "atoms of a class, without `delta1`, `delta2`, and `qbroad`; choose "
					  "`copies exact` or `copies independent`");
	classes->law = (struct pair_motion){.delta1 = options->delta1,
					    .delta2 = options->delta2,
					    .qbroad = options->qbroad,
					    .of_species = classes->displacement,
					    .tensors = classes->tensors,
					    .anisotropic = classes->anisotropic};
	classes->motion = &classes->law;
	if (classes->structure_count > 0)
		(void)debye_structure_motion(classes, classes->largest, &classes->law);
	return SONDE_OK;
}

void displacements_damp(const struct debye_classes *classes, const struct amplitudes *amplitudes, int64_t points,
			int64_t stride, struct pair_sums *sums)
{
	if (amplitudes->damping == NULL)
		return;
	for (int a = 0; a < classes->count; ++a) {
		for (int b = a; b < classes->count; ++b) {
			const double *of_a = amplitudes->damping + a * points;
			const double *of_b = amplitudes->damping + b * points;
			double *row = sums->sums + species_pair_index(classes->count, a, b) * sums->q.points;
			for (int64_t k = 0; k < sums->q.points; ++k)
				row[k] *= of_a[k * stride] * of_b[k * stride];
		}
	}
}
