#include "refine/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "debye/debye.h"
#include "match/dot_product.h"
#include "refine/smoothing.h"

#define MOST_ATOMS 20000000  /* of the structures of a batch, */
#define MOST_STRUCTURES 4096 /* and their number */
#define KEPT 4096            /* curves that are kept for the next call */

/* The curves of one structure, on the measured points. */
struct kept_curve {
	double values[REFINE_MOST_PARAMETERS];
	double *curve, atoms;
	bool wanted; /* by the present call */
};

/* A structure that is to be computed. */
struct pending {
	size_t kept;                        /* its place */
	size_t options[REFINE_MOST_CURVES]; /* of each run, in the list of those that differ */
	size_t order;                       /* options of the present run */
	sonde_atoms *atoms;
};

struct option_list {
	sonde_debye_options *items;
	struct text *texts; /* of these */
	size_t count, capacity, text_capacity;
};

/* Options of debye --------------------------------------------------------------------------------------------------- */

/* G(r) is computed only if it is compared. */
static sonde_status find_options(const struct model *model, int run, const double *values,
				 sonde_debye_options *options)
{
	CHECK(refine_job_debye(model->job, run, values, options));
	if (!model->pairs[run])
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

static sonde_status use_options(struct model *model, int run, const sonde_debye_options *options)
{
	return model->many[run] == NULL ? debye_many_begin(model->context, options, &model->many[run])
					: debye_many_change(model->many[run], options);
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
	return memory_allocate(&kept->curve, (size_t)model_points(model), sizeof *kept->curve, "a curve");
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

static void take_result(struct model *model, int run, const sonde_debye_result *result, struct kept_curve *kept)
{
	kept->atoms = 0.0;
	for (int s = 0; s < result->species_count; ++s)
		kept->atoms += result->species_present[s];
	for (int d = 0; d < model->set_count; ++d)
		if (model->job->curves[d].run == run)
			data_set_resample_reals(&model->sets[d], 0, curve_of(result, model->sets[d].candidates.curve),
						kept->curve + model->begin[d]);
	model->error = fmax(model->error, result->largest_error);
}

/* Structures with the same options, one after another in the list. */
static sonde_status compute_group(struct model *model, int run, const sonde_debye_options *options,
				  struct pending *pending, int count)
{
	const sonde_atoms **atoms = NULL;
	sonde_debye_result **results = NULL;
	sonde_status status;

	CHECK(use_options(model, run, options));
	CHECK(memory_allocate(&atoms, (size_t)count, sizeof *atoms, "structures"));
	CHECK_GOTO(status, memory_allocate(&results, (size_t)count, sizeof *results, "structures"), done);
	for (int k = 0; k < count; ++k)
		atoms[k] = pending[k].atoms;
	CHECK_GOTO(status, debye_many_run(model->many[run], atoms, count, results), done);
	for (int k = 0; k < count; ++k)
		take_result(model, run, results[k], &model->kept[pending[k].kept]);
done:
	for (int k = 0; results != NULL && k < count; ++k)
		sonde_debye_result_free(&results[k]);
	free(results);
	free(atoms);
	return status;
}

static int by_order(const void *a, const void *b)
{
	const struct pending *first = a, *second = b;
	const int order = (first->order > second->order) - (first->order < second->order);

	return order != 0 ? order : (first->kept > second->kept) - (first->kept < second->kept);
}

static sonde_status compute_run(struct model *model, int run, const struct option_list *list, struct pending *pending,
				int count)
{
	sonde_status status = SONDE_OK;

	for (int k = 0; k < count; ++k)
		pending[k].order = pending[k].options[run];
	qsort(pending, (size_t)count, sizeof *pending, by_order);
	for (int first = 0, end; first < count && status == SONDE_OK; first = end) {
		end = first + 1;
		while (end < count && pending[end].order == pending[first].order)
			++end;
		status = compute_group(model, run, &list->items[pending[first].order], pending + first, end - first);
	}
	return status;
}

static sonde_status compute_batch(struct model *model, const struct option_list *list, struct pending *pending,
				  int count)
{
	const double began = clock_seconds();
	sonde_status status = SONDE_OK;

	for (int run = 0; run < model->job->run_count && status == SONDE_OK; ++run)
		status = compute_run(model, run, list, pending, count);
	for (int k = 0; k < count; ++k)
		sonde_atoms_free(&pending[k].atoms);
	model->structures += count;
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
static sonde_status add_options(const struct model *model, int run, const double *values, struct option_list *list,
				size_t *number)
{
	CHECK(memory_grow(&list->items, &list->capacity, list->count + 1, sizeof *list->items, "options"));
	CHECK(memory_grow(&list->texts, &list->text_capacity, list->count + 1, sizeof *list->texts, "options"));
	sonde_debye_options *options = &list->items[list->count];
	struct text *text = &list->texts[list->count];
	*text = (struct text){0};
	CHECK(find_options(model, run, values, options));
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
		for (int run = 0; run < model->job->run_count && status == SONDE_OK; ++run)
			status = add_options(model, run, values, &list, &pending[k].options[run]);
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
	const int64_t points = model_points(model);
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
		find_mean(model, &request, n, curves + n * model_points(model), atoms != NULL ? &atoms[n] : NULL);
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

/* The pattern of a run at the start. */
static sonde_status compute_first(struct model *model, int run)
{
	const double *values = model->job->starts;
	sonde_debye_options *options;
	sonde_atoms *atoms = NULL;
	sonde_status status;

	sonde_debye_result_free(&model->first[run]);
	CHECK(memory_allocate(&options, 1, sizeof *options, "options"));
	CHECK_GOTO(status, find_options(model, run, values, options), done);
	CHECK_GOTO(status, refine_job_make(model->context, model->job, values, &atoms), done);
	model->atoms = sonde_atoms_count(atoms);
	CHECK_GOTO(status, use_options(model, run, options), done);
	status = debye_many_run(model->many[run], (const sonde_atoms *const[]){atoms}, 1, &model->first[run]);
done:
	sonde_atoms_free(&atoms);
	free(options);
	return status;
}

static enum library_radiation radiation_of(int radiation)
{
	return radiation == SONDE_DEBYE_RADIATION_NEUTRON    ? LIBRARY_NEUTRON
	       : radiation == SONDE_DEBYE_RADIATION_ELECTRON ? LIBRARY_ELECTRON
							     : LIBRARY_XRAY;
}

struct opening {
	struct model *model;
	int number; /* of the curve */
};

/* The axis of a curve is that of a pattern at the start. */
static sonde_status open_axis(void *user, int curve, bool of_r, struct candidates *candidates)
{
	const struct opening *opening = user;
	struct model *model = opening->model;
	const int run = model->job->curves[opening->number].run;
	enum library_curve chosen;

	CHECK(choose_curve(curve, of_r, &chosen));
	if (model->first[run] == NULL || (chosen == LIBRARY_G && !model->pairs[run])) {
		model->pairs[run] = model->pairs[run] || chosen == LIBRARY_G;
		CHECK(compute_first(model, run));
	}
	const sonde_debye_result *result = model->first[run];
	return candidates_on_axis(chosen, radiation_of(result->options->radiation), of_r ? result->r : result->q,
				  of_r ? result->r_count : result->q_count, candidates);
}

/* How coarse the computed points of a curve are. */
static sonde_status find_interpolation_error(struct model *model, int d)
{
	const struct data_set *set = &model->sets[d];
	const struct candidate_source *source = &set->candidates.sources[0];
	const double *curve = curve_of(model->first[model->job->curves[d].run], set->candidates.curve);
	float *single;

	CHECK(memory_allocate(&single, (size_t)source->points, sizeof *single, "a curve"));
	for (int64_t k = 0; k < source->points; ++k)
		single[k] = (float)curve[k];
	model->interpolation_errors[d] = resampling_error(&set->resamplings[0], single);
	free(single);
	return SONDE_OK;
}

/* Sets with uniform weights among others: the first standard deviations are those of the curves themselves. */
static sonde_status set_level(struct model *model, int d)
{
	struct data_set *set = &model->sets[d];
	const int64_t points = set->measured.count;

	if (model->job->curve_count == 1 || set->weights != SONDE_MATCH_WEIGHTS_UNIFORM)
		return SONDE_OK;
	const double square = dot_product(set->y, set->y, points) / (double)points;
	set->level = square > 0.0 ? set->level * sqrt(square) : 1.0;
	return data_set_weigh(set, NULL);
}

sonde_status model_make(sonde_context *context, const struct refine_job *job, struct model *model)
{
	*model = (struct model){.context = context, .job = job};
	for (int d = 0; d < job->curve_count; ++d) {
		const struct refine_curve *curve = &job->curves[d];
		struct opening opening = {model, d};
		CHECK(data_set_make_with(curve->measured, open_axis, &opening, &curve->fit, &model->sets[d]));
		++model->set_count;
		model->begin[d + 1] = model->begin[d] + model->sets[d].measured.count;
		CHECK(find_interpolation_error(model, d));
		CHECK(set_level(model, d));
	}
	for (int run = 0; run < job->run_count; ++run)
		sonde_debye_result_free(&model->first[run]);
	return SONDE_OK;
}

void model_free(struct model *model)
{
	for (size_t k = 0; k < model->kept_count; ++k)
		free(model->kept[k].curve);
	free(model->kept);
	for (int k = 0; k < REFINE_MOST_CURVES; ++k) {
		debye_many_free(&model->many[k]);
		sonde_debye_result_free(&model->first[k]);
	}
	for (int d = 0; d < model->set_count; ++d)
		data_set_free(&model->sets[d]);
}

int64_t model_points(const struct model *model)
{
	return model->begin[model->set_count];
}

int64_t model_independent(const struct model *model)
{
	int64_t count = 0;

	for (int d = 0; d < model->set_count; ++d)
		count += model->sets[d].independent;
	return count;
}

void model_project(const struct model *model, double *curves)
{
	for (int d = 0; d < model->set_count; ++d)
		data_set_project(&model->sets[d], curves + model->begin[d]);
}
