#include "refine/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "debye/debye.h"
#include "refine/smoothing.h"

#define MOST_ATOMS 20000000  /* of the structures of a batch, */
#define MOST_STRUCTURES 4096 /* and their number */
#define KEPT 4096            /* curves that are kept for the next call */

/* The curve of one structure, on the measured points. */
struct kept_curve {
	double values[REFINE_MOST_PARAMETERS];
	double *curve, atoms;
	bool wanted; /* by the present call */
};

/* A structure that is to be computed. */
struct pending {
	size_t kept;    /* its place */
	size_t options; /* in the list of those that differ */
	sonde_atoms *atoms;
};

struct option_list {
	sonde_debye_options *items;
	struct text *texts; /* of these */
	size_t count, capacity, text_capacity;
};

/* Options of debye --------------------------------------------------------------------------------------------------- */

/* G(r), whose transform takes longest, is computed only if it is compared. */
static sonde_status find_options(const struct model *model, const double *values, sonde_debye_options *options)
{
	CHECK(refine_job_debye(model->job, values, options));
	if (model->set.candidates.curve != LIBRARY_G)
		options->r = (sonde_grid){0.0, 0.0, 1};
	return SONDE_OK;
}

static const double *curve_of(const sonde_debye_result *result, enum library_curve curve)
{
	switch (curve) {
	case LIBRARY_S:
		return result->structure_factor;
	case LIBRARY_F:
		return result->reduced_structure_factor;
	case LIBRARY_G:
		return result->pair_distribution;
	default:
		return result->intensity_per_atom;
	}
}

static sonde_status use_options(struct model *model, const sonde_debye_options *options)
{
	return model->many == NULL ? debye_many_begin(model->context, options, &model->many)
				   : debye_many_change(model->many, options);
}

/* Kept curves -------------------------------------------------------------------------------------------------------- */

static sonde_status find_kept(struct model *model, const double *values, size_t *place, bool *is_new)
{
	const size_t bytes = (size_t)model->job->count * sizeof(double);

	*is_new = false;
	for (size_t k = model->kept_count; k-- > 0;)
		if (memcmp(model->kept[k].values, values, bytes) == 0) {
			*place = k;
			return SONDE_OK;
		}
	CHECK(memory_grow(&model->kept, &model->kept_capacity, model->kept_count + 1, sizeof *model->kept, "curves"));
	struct kept_curve *kept = &model->kept[model->kept_count];
	*kept = (struct kept_curve){.atoms = 0.0};
	memcpy(kept->values, values, bytes);
	*place = model->kept_count++;
	*is_new = true;
	return memory_allocate(&kept->curve, (size_t)model->set.measured.count, sizeof *kept->curve, "a curve");
}

/* Between calls: the latest ones remain. */
static void forget(struct model *model, size_t most)
{
	if (model->kept_count <= most)
		return;
	const size_t gone = model->kept_count - most;
	for (size_t k = 0; k < gone; ++k)
		free(model->kept[k].curve);
	memmove(model->kept, model->kept + gone, most * sizeof *model->kept);
	model->kept_count = most;
}

/* Computing ---------------------------------------------------------------------------------------------------------- */

static void take_result(struct model *model, const sonde_debye_result *result, struct kept_curve *kept)
{
	kept->atoms = 0.0;
	for (int s = 0; s < result->species_count; ++s)
		kept->atoms += result->species_present[s];
	data_set_resample_reals(&model->set, 0, curve_of(result, model->set.candidates.curve), kept->curve);
	model->error = fmax(model->error, result->largest_error);
}

/* Structures with the same options, one after another in the list. */
static sonde_status compute_group(struct model *model, const sonde_debye_options *options, struct pending *pending,
				  int count)
{
	const sonde_atoms **atoms = NULL;
	sonde_debye_result **results = NULL;
	sonde_status status;

	CHECK(use_options(model, options));
	CHECK(memory_allocate(&atoms, (size_t)count, sizeof *atoms, "structures"));
	CHECK_GOTO(status, memory_allocate(&results, (size_t)count, sizeof *results, "structures"), done);
	for (int k = 0; k < count; ++k)
		atoms[k] = pending[k].atoms;
	CHECK_GOTO(status, debye_many_run(model->many, atoms, count, results), done);
	for (int k = 0; k < count; ++k)
		take_result(model, results[k], &model->kept[pending[k].kept]);
	model->structures += count;
done:
	for (int k = 0; results != NULL && k < count; ++k)
		sonde_debye_result_free(&results[k]);
	free(results);
	free(atoms);
	return status;
}

static int by_options(const void *a, const void *b)
{
	const struct pending *first = a, *second = b;
	const int order = (first->options > second->options) - (first->options < second->options);

	return order != 0 ? order : (first->kept > second->kept) - (first->kept < second->kept);
}

static sonde_status compute_batch(struct model *model, const struct option_list *list, struct pending *pending,
				  int count)
{
	const double began = clock_seconds();
	sonde_status status = SONDE_OK;

	qsort(pending, (size_t)count, sizeof *pending, by_options);
	for (int first = 0, end; first < count && status == SONDE_OK; first = end) {
		end = first + 1;
		while (end < count && pending[end].options == pending[first].options)
			++end;
		status = compute_group(model, &list->items[pending[first].options], pending + first, end - first);
	}
	for (int k = 0; k < count; ++k)
		sonde_atoms_free(&pending[k].atoms);
	model->computing += clock_seconds() - began;
	return status;
}

static void free_list(struct option_list *list)
{
	for (size_t k = 0; k < list->count; ++k)
		text_free(&list->texts[k]);
	free(list->texts);
	free(list->items);
}

static bool is_same_text(const struct text *a, const struct text *b)
{
	return a->size == b->size && a->bytes != NULL && b->bytes != NULL && memcmp(a->bytes, b->bytes, a->size) == 0;
}

/* The number of the options at some values in the list, which they join if they are new. */
static sonde_status add_options(const struct model *model, const double *values, struct option_list *list,
				size_t *number)
{
	CHECK(memory_grow(&list->items, &list->capacity, list->count + 1, sizeof *list->items, "options"));
	CHECK(memory_grow(&list->texts, &list->text_capacity, list->count + 1, sizeof *list->texts, "options"));
	sonde_debye_options *options = &list->items[list->count];
	struct text *text = &list->texts[list->count];
	*text = (struct text){0};
	CHECK(find_options(model, values, options));
	for (size_t k = 0; k < debye_option_table.count; ++k) {
		option_print(&debye_option_table.rows[k], options, text);
		text_append_byte(text, '\n');
	}
	const sonde_status status = text_status(text);
	*number = 0;
	while (status == SONDE_OK && *number < list->count && !is_same_text(&list->texts[*number], text))
		++*number;
	if (status != SONDE_OK || *number < list->count)
		text_free(text);
	else
		++list->count;
	return status;
}

/* Makes the structures and computes them, many at a time. */
static sonde_status compute(struct model *model, struct pending *pending, int count)
{
	struct option_list list = {.count = 0};
	int first = 0;
	int64_t atoms = 0;
	sonde_status status = SONDE_OK;

	for (int k = 0; k < count && status == SONDE_OK; ++k) {
		const double began = clock_seconds(), *values = model->kept[pending[k].kept].values;
		status = add_options(model, values, &list, &pending[k].options);
		if (status == SONDE_OK)
			status = refine_job_make(model->context, model->job, values, &pending[k].atoms);
		model->building += clock_seconds() - began;
		atoms += status == SONDE_OK ? sonde_atoms_count(pending[k].atoms) : 0;
		if (status == SONDE_OK && (atoms > MOST_ATOMS || k + 1 - first == MOST_STRUCTURES)) {
			status = compute_batch(model, &list, pending + first, k + 1 - first);
			first = k + 1;
			atoms = 0;
		}
	}
	if (status == SONDE_OK && first < count)
		status = compute_batch(model, &list, pending + first, count - first);
	for (int k = 0; k < count; ++k)
		sonde_atoms_free(&pending[k].atoms);
	free_list(&list);
	return status;
}

/* Means -------------------------------------------------------------------------------------------------------------- */

/* A mean over structures: rows of values, and their weights. */
struct mean {
	double *values, *weights;
	size_t count;
};

static void free_mean(struct mean *mean)
{
	free(mean->values);
	free(mean->weights);
	*mean = (struct mean){NULL, NULL, 0};
}

static sonde_status begin_mean(const struct refine_job *job, const double *values, struct mean *mean)
{
	const size_t n = (size_t)job->count;

	*mean = (struct mean){NULL, NULL, 1};
	CHECK(memory_allocate(&mean->values, n, sizeof(double), "structures"));
	CHECK(memory_allocate(&mean->weights, 1, sizeof(double), "structures"));
	memcpy(mean->values, values, n * sizeof(double));
	mean->weights[0] = 1.0;
	return SONDE_OK;
}

/* Each structure becomes those at all nodes of parameter k. */
static sonde_status spread_out(const struct refine_job *job, int k, double spread, struct mean *mean)
{
	const struct refine_parameter *parameter = &job->parameters[k];
	const size_t n = (size_t)job->count;
	double along[SMOOTHING_MOST], parts[SMOOTHING_MOST];
	const size_t nodes = (size_t)smoothing_nodes(mean->values[k], parameter->grid, spread, along, parts);
	struct mean all = {NULL, NULL, mean->count * nodes};

	if (nodes == 0 || all.count > REFINE_MOST_NODES)
		return yaml_tree_fail(job->path, parameter->line, parameter->column, NULL,
				      "%s: the mean is over more than %d structures; the grid is too fine",
				      parameter->name, REFINE_MOST_NODES);
	sonde_status status = memory_allocate(&all.values, all.count * n, sizeof(double), "structures");
	if (status == SONDE_OK)
		status = memory_allocate(&all.weights, all.count, sizeof(double), "structures");
	for (size_t at = 0; at < all.count && status == SONDE_OK; ++at) {
		const size_t from = at / nodes, node = at % nodes;
		memcpy(all.values + at * n, mean->values + from * n, n * sizeof(double));
		all.values[at * n + (size_t)k] = along[node];
		all.weights[at] = mean->weights[from] * parts[node];
	}
	free_mean(mean);
	*mean = all;
	return status;
}

static sonde_status make_mean(const struct refine_job *job, const double *values, struct mean *mean)
{
	sonde_status status = begin_mean(job, values, mean);

	for (int k = 0; k < job->count && status == SONDE_OK; ++k) {
		double spread;
		if (!(job->parameters[k].grid > 0.0))
			continue;
		status = refine_job_spread(job, k, values, &spread);
		if (status == SONDE_OK)
			status = spread_out(job, k, spread, mean);
	}
	if (status != SONDE_OK)
		free_mean(mean);
	return status;
}

sonde_status model_count(const struct refine_job *job, const double *values, int64_t *count)
{
	struct mean mean;

	CHECK(make_mean(job, values, &mean));
	*count = (int64_t)mean.count;
	free_mean(&mean);
	return SONDE_OK;
}

/* The structures of all points, of which some are known. */
struct request {
	size_t *begin;  /* [point + 1]: its structures, */
	size_t *places; /* which are kept here, */
	double *weights;
	struct pending *pending;
	size_t count, capacity[3], pending_count;
};

static void free_request(struct request *request)
{
	free(request->begin);
	free(request->places);
	free(request->weights);
	free(request->pending);
}

static sonde_status add_structure(struct model *model, const double *values, double weight, struct request *request)
{
	const size_t at = request->count;
	bool is_new = false;

	CHECK(memory_grow(&request->places, &request->capacity[0], at + 1, sizeof *request->places, "structures"));
	CHECK(memory_grow(&request->weights, &request->capacity[1], at + 1, sizeof *request->weights, "structures"));
	CHECK(memory_grow(&request->pending, &request->capacity[2], at + 1, sizeof *request->pending, "structures"));
	request->weights[at] = weight;
	CHECK(find_kept(model, values, &request->places[at], &is_new));
	++request->count;
	if (is_new)
		request->pending[request->pending_count++] = (struct pending){.kept = request->places[at]};
	return SONDE_OK;
}

static sonde_status find_structures(struct model *model, const double *values, int count, struct request *request)
{
	const int n = model->job->count;

	CHECK(memory_allocate(&request->begin, (size_t)count + 1, sizeof *request->begin, "structures"));
	for (int point = 0; point < count; ++point) {
		struct mean mean;
		sonde_status status = make_mean(model->job, values + point * n, &mean);
		for (size_t k = 0; status == SONDE_OK && k < mean.count; ++k)
			status = add_structure(model, mean.values + k * (size_t)n, mean.weights[k], request);
		free_mean(&mean);
		CHECK(status);
		request->begin[point + 1] = request->count;
	}
	return SONDE_OK;
}

/* The mean over particles: curves per atom have the weights of their atoms. */
static void find_mean(const struct model *model, const struct request *request, int n, double *curve, double *atoms)
{
	const int64_t points = model->set.measured.count;
	double sum = 0.0;

	memset(curve, 0, (size_t)points * sizeof *curve);
	for (size_t at = request->begin[n]; at < request->begin[n + 1]; ++at) {
		const struct kept_curve *kept = &model->kept[request->places[at]];
		const double weight = request->weights[at] * kept->atoms;
		sum += weight;
		for (int64_t p = 0; p < points; ++p)
			curve[p] += weight * kept->curve[p];
	}
	for (int64_t p = 0; p < points; ++p)
		curve[p] /= sum;
	if (atoms != NULL)
		*atoms = sum;
}

sonde_status model_curves(struct model *model, const double *values, int count, double *curves, double *atoms)
{
	struct request request = {.count = 0};

	forget(model, KEPT);
	const size_t before = model->kept_count;
	sonde_status status = find_structures(model, values, count, &request);
	if (status == SONDE_OK)
		status = compute(model, request.pending, (int)request.pending_count);
	for (int n = 0; n < count && status == SONDE_OK; ++n)
		find_mean(model, &request, n, curves + n * model->set.measured.count,
			  atoms != NULL ? &atoms[n] : NULL);
	if (status != SONDE_OK) /* some have no curve */
		while (model->kept_count > before)
			free(model->kept[--model->kept_count].curve);
	free_request(&request);
	return status;
}

/* The beginning ------------------------------------------------------------------------------------------------------ */

static sonde_status choose_curve(int curve, bool of_r, enum library_curve *chosen)
{
	*chosen = curve >= 0 ? (enum library_curve)curve : of_r ? LIBRARY_G : LIBRARY_I_PER_ATOM;
	return of_r == (*chosen == LIBRARY_G)
		   ? SONDE_OK
		   : status_fail(SONDE_INVALID, "curve: %s is a function of %s, and the measured curve one of %s",
				 library_curve_names[*chosen], *chosen == LIBRARY_G ? "r" : "q", of_r ? "r" : "q");
}

/* The axis of the curves is that of a pattern at the start. */
static sonde_status open_axis(void *user, int curve, bool of_r, struct candidates *candidates)
{
	struct model *model = user;
	sonde_debye_options *options;
	sonde_atoms *atoms = NULL;
	sonde_debye_result *result = NULL;
	enum library_curve chosen;
	sonde_status status;

	CHECK(choose_curve(curve, of_r, &chosen));
	model->set.candidates.curve = chosen;
	CHECK(memory_allocate(&options, 1, sizeof *options, "options"));
	CHECK_GOTO(status, find_options(model, model->job->starts, options), done);
	CHECK_GOTO(status, refine_job_make(model->context, model->job, model->job->starts, &atoms), done);
	model->atoms = sonde_atoms_count(atoms);
	CHECK_GOTO(status, use_options(model, options), done);
	CHECK_GOTO(status, debye_many_run(model->many, (const sonde_atoms *const[]){atoms}, 1, &result), done);
	const enum library_radiation radiation = options->radiation == SONDE_DEBYE_RADIATION_NEUTRON ? LIBRARY_NEUTRON
						 : options->radiation == SONDE_DEBYE_RADIATION_ELECTRON
						     ? LIBRARY_ELECTRON
						     : LIBRARY_XRAY;
	status = candidates_on_axis(chosen, radiation, of_r ? result->r : result->q,
				    of_r ? result->r_count : result->q_count, candidates);
done:
	model->first = result;
	sonde_atoms_free(&atoms);
	free(options);
	return status;
}

/* How coarse the computed points are. */
static sonde_status find_interpolation_error(struct model *model, const sonde_debye_result *result)
{
	const struct candidate_source *source = &model->set.candidates.sources[0];
	const double *curve = curve_of(result, model->set.candidates.curve);
	float *single;

	CHECK(memory_allocate(&single, (size_t)source->points, sizeof *single, "a curve"));
	for (int64_t k = 0; k < source->points; ++k)
		single[k] = (float)curve[k];
	model->interpolation_error = resampling_error(&model->set.resamplings[0], single);
	free(single);
	return SONDE_OK;
}

sonde_status model_make(sonde_context *context, const struct refine_job *job, struct model *model)
{
	*model = (struct model){.context = context, .job = job};
	CHECK(data_set_make_with(job->measured, open_axis, model, &job->fit, &model->set));
	const sonde_status status = find_interpolation_error(model, model->first);
	sonde_debye_result_free(&model->first);
	return status;
}

void model_free(struct model *model)
{
	for (size_t k = 0; k < model->kept_count; ++k)
		free(model->kept[k].curve);
	free(model->kept);
	debye_many_free(&model->many);
	sonde_debye_result_free(&model->first);
	data_set_free(&model->set);
}
