#include "match/refined/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "run/context.h"

#define LEFT_OUT 0.01 /* of a volume, which is noted */

_Static_assert(MATCH_REFINED == REFINED_KINDS, "kinds of refined parameters");

static double value_of(const struct refinement *refinement, enum refined_kind kind, int item)
{
	for (int p = 0; p < refinement->values.parameter_count; ++p)
		if (refinement->values.parameters[p].kind == kind && refinement->values.parameters[p].item == item)
			return refinement->values.parameters[p].value;
	return NAN;
}

static sonde_status family_entry(const struct refinement *refinement, int item, struct library_entry *entry)
{
	const char *family = refinement->items.items[item].family;
	char **const texts[] = {&entry->source, &entry->parameters, &entry->composition};
	char name[256];

	*entry = (struct library_entry){.size = value_of(refinement, REFINED_MEAN, item)};
	snprintf(name, sizeof name, "%s, log-normal sizes", family);
	sonde_status status = memory_copy_text(name, &entry->name, "a name");
	if (status == SONDE_OK)
		status = memory_copy_text(family, &entry->family, "a name");
	for (int k = 0; k < 3 && status == SONDE_OK; ++k)
		status = memory_copy_text("", texts[k], "a name");
	if (status != SONDE_OK)
		library_entry_free(entry);
	return status;
}

sonde_status match_refined_entry(const struct refinement *refinement, const struct common *common, int64_t candidate,
				 struct library_entry *entry)
{
	if (candidate >= common->count)
		return family_entry(refinement, (int)(candidate - common->count), entry);
	return candidates_entry(&common->sets[0].candidates, common_number(common, 0, candidate), entry);
}

static sonde_status item_entry(const struct refinement *refinement, const struct common *common, int item,
			       struct library_entry *entry)
{
	const struct refined_item *of = &refinement->items.items[item];

	return match_refined_entry(refinement, common, of->family != NULL ? common->count + item : of->candidate,
				   entry);
}

/* Parameters ------------------------------------------------------------------------------------------------------------------ */

/* Whether an item of a parameter has a weight. */
static bool matters(const struct refinement *refinement, const struct mixture *mixture, int item)
{
	for (int k = 0; k < mixture->solution.active_count; ++k)
		if (item < 0 || refinement->chosen[mixture->solution.active[k]] == item)
			return true;
	return false;
}

static sonde_status name_owner(const struct refinement *refinement, const struct common *common,
			       const struct refined_parameter *from, char **of)
{
	struct library_entry entry;

	if (from->item < 0)
		return memory_copy_text(from->set >= 0 ? common->sets[from->set].measured.path : "", of, "a name");
	CHECK(item_entry(refinement, common, from->item, &entry));
	*of = entry.name;
	entry.name = NULL;
	library_entry_free(&entry);
	return SONDE_OK;
}

/* `places` are those of the parameters that are reported, and of the weights in the order of the result. */
static sonde_status report_parameters(const struct refinement *refinement, const struct common *common,
				      const struct mixture *mixture, int *places, struct match_result *result)
{
	for (int p = 0; p < refinement->values.parameter_count; ++p) {
		const struct refined_parameter *from = &refinement->values.parameters[p];
		struct match_parameter *to = &result->parameter[result->parameter_count];
		if (!matters(refinement, mixture, from->item))
			continue;
		*to = (struct match_parameter){.name = refined_kind_names[from->kind],
					       .unit = refined_kind_units[from->kind],
					       .value = from->value,
					       .error = from->error,
					       .low = from->low,
					       .high = from->high,
					       .at_bound = from->at_bound,
					       .interval = {from->interval[0], from->interval[1]}};
		places[result->parameter_count++] = p;
		CHECK(name_owner(refinement, common, from, &to->of));
	}
	for (int n = 0; n < result->weight_count; ++n) {
		int k = 0;
		while (mixture->candidates[mixture->solution.active[k]] != result->weights[n].candidate)
			++k;
		places[result->parameter_count + n] = refinement->values.parameter_count + k;
	}
	return SONDE_OK;
}

static sonde_status report_correlations(const struct refinement *refinement, const struct mixture *mixture,
					const int *places, struct match_result *result)
{
	const int size = result->parameter_count + result->weight_count,
		  all = refinement->values.parameter_count + mixture->solution.active_count;

	CHECK(memory_allocate(&result->correlations, (size_t)size * (size_t)size, sizeof(double), "correlations"));
	for (int i = 0; i < size; ++i)
		for (int j = 0; j < size; ++j)
			result->correlations[i * size + j] =
			    refinement->values.correlations[places[i] * all + places[j]];
	return SONDE_OK;
}

static sonde_status report_alone(const struct refinement *refinement, const struct common *common,
				 struct match_result *result)
{
	const double whole = refinement->alone_whole;

	CHECK(memory_allocate(&result->alone, (size_t)refinement->alone_count, sizeof *result->alone, "a ranking"));
	for (int k = 0; k < refinement->alone_count; ++k) {
		const struct refined_alone *from = &refinement->alone[k];
		struct match_alone *to = &result->alone[k];
		to->scale = from->scale;
		to->chi_square = from->chi_square;
		to->rwp = whole > 0.0 ? sqrt(from->chi_square / whole) : NAN;
		for (int n = 0; n < MATCH_REFINED; ++n)
			to->values[n] = from->values[n];
		CHECK(item_entry(refinement, common, from->item, &to->entry));
		++result->alone_count;
	}
	return SONDE_OK;
}

static void add_notes(sonde_context *context, const struct refinement *refinement, const struct mixture *mixture,
		      struct match_result *result)
{
	for (int k = 0; k < refinement->items.count; ++k) {
		const struct refined_item *item = &refinement->items.items[k];
		if (item->family == NULL || !matters(refinement, mixture, k))
			continue;
		result->sizes_left_out = fmax(result->sizes_left_out, item->left_out);
		if (item->left_out > LEFT_OUT)
			context_notef(
			    context,
			    "sizes: %.3g %% of the volume of the distribution of '%.60s' are beyond its sizes, %g to "
			    "%g Angstrom",
			    100.0 * item->left_out, item->family, item->sizes[0],
			    item->sizes[item->member_count - 1]);
	}
	for (int p = 0; p < result->parameter_count; ++p) {
		const struct match_parameter *parameter = &result->parameter[p];
		const char *of = parameter->of[0] != '\0' ? " of " : "";
		if (parameter->at_bound)
			context_notef(context, "%s%s%.60s is at its bound, %g", parameter->name, of, parameter->of,
				      parameter->value);
		else if (!(parameter->error < parameter->high - parameter->low))
			context_notef(context,
				      "%s%s%.60s is not determined: its error exceeds the distance of its bounds",
				      parameter->name, of, parameter->of);
	}
	if (!refinement->converged)
		context_notef(context, "the refinement has not converged in %d steps", refinement->steps);
}

sonde_status match_refined_series(const struct refinement *refinement, const struct common *common,
				  struct match_series *series)
{
	const size_t items = (size_t)refinement->items.count, parameters = (size_t)refinement->all_count;

	CHECK(memory_allocate(&series->entries, items, sizeof *series->entries, "a series"));
	for (int k = 0; k < refinement->items.count; ++k) {
		CHECK(item_entry(refinement, common, k, &series->entries[k]));
		++series->candidates;
		/* the mean size of a family is another one in each curve */
		if (refinement->items.items[k].family != NULL)
			series->entries[k].size = NAN;
	}
	CHECK(memory_allocate(&series->parameter, parameters, sizeof *series->parameter, "a series"));
	for (int p = 0; p < refinement->all_count; ++p) {
		const struct refined_parameter *from = &refinement->all[p];
		const bool squared = from->kind == REFINED_QDAMP || from->kind == REFINED_QBROAD;
		series->parameter[p] = (struct match_parameter){.name = refined_kind_names[from->kind],
								.unit = refined_kind_units[from->kind],
								.low = squared ? sqrt(from->low) : from->low,
								.high = squared ? sqrt(from->high) : from->high};
		++series->parameter_count;
		/* the instrument of one of several sets has the name of its first curve */
		CHECK(from->item < 0 && common->set_count == 1
			  ? memory_copy_text("", &series->parameter[p].of, "a name")
			  : name_owner(refinement, common, from, &series->parameter[p].of));
	}
	return SONDE_OK;
}

sonde_status match_refined_report(sonde_context *context, const struct refinement *refinement,
				  const struct common *common, const struct mixture *mixture,
				  struct match_result *result)
{
	int *places;

	CHECK(memory_allocate(&result->parameter, (size_t)refinement->values.parameter_count,
			      sizeof *result->parameter, "parameters"));
	CHECK(memory_allocate(&places, (size_t)(refinement->values.parameter_count + result->weight_count),
			      sizeof *places, "parameters"));
	sonde_status status = report_parameters(refinement, common, mixture, places, result);
	if (status == SONDE_OK)
		status = report_correlations(refinement, mixture, places, result);
	free(places);
	CHECK(status);
	CHECK(report_alone(refinement, common, result));
	add_notes(context, refinement, mixture, result);
	return SONDE_OK;
}
