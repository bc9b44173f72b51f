#include "match/refine_choice.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const char *const refined_kind_names[REFINED_KINDS] = {"strain", "B", "qdamp", "qbroad", "mean_size", "width"},
		  *const refined_kind_units[REFINED_KINDS] = {"1", "angstrom^2", "1/angstrom", "1", "angstrom", "1"};

bool refined_parameter_is(const struct refined_parameter *a, const struct refined_parameter *b)
{
	return a->kind == b->kind && a->item == b->item && a->set == b->set;
}

static sonde_status choose(const char *name, struct refine_choice *choice)
{
	const struct {
		const char *name;
		bool *wanted;
	} names[] = {
	    {"strain", &choice->strain}, {"B", &choice->b}, {"qdamp", &choice->qdamp}, {"qbroad", &choice->qbroad}};

	for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
		if (strcmp(names[k].name, name) == 0) {
			if (*names[k].wanted)
				return status_fail_option(SONDE_INVALID, "refine", "names %s twice", name);
			*names[k].wanted = true;
			return SONDE_OK;
		}
	return status_fail_option(SONDE_INVALID, "refine", "has '%.40s'; there are strain, B, qdamp, and qbroad",
				  name);
}

sonde_status refine_choice_read(const sonde_match_options *options, struct refine_choice *choice)
{
	char *list, *rest;

	*choice = (struct refine_choice){.sizes = options->sizes[0] != '\0'};
	CHECK(memory_copy_text(options->refine, &list, "text"));
	sonde_status status = SONDE_OK;
	for (char *name = strtok_r(list, ", ", &rest); name != NULL && status == SONDE_OK;
	     name = strtok_r(NULL, ", ", &rest))
		status = choose(name, choice);
	free(list);
	CHECK(status);
	choice->any = choice->strain || choice->b || choice->qdamp || choice->qbroad || choice->sizes;
	if (!choice->any)
		return SONDE_OK;
	if (options->sparsity == SONDE_MATCH_SPARSITY_L1)
		return status_fail_option(SONDE_INVALID, "sparsity",
					  "l1 is not available for fits with refined parameters; `sparsity bic` is");
	return SONDE_OK;
}

void refine_choice_limits(const struct refine_choice *choice, const sonde_match_options *options,
			  struct deformation *largest)
{
	*largest =
	    (struct deformation){.strain = choice->strain ? options->strain_limit : 0.0,
				 .b = choice->b ? options->b_limit : 0.0,
				 .qbroad_2 = choice->qbroad ? options->qbroad_limit * options->qbroad_limit : 0.0};
}
