#include "refine/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "debye/debye.h"
#include "refine/smoothing.h"

#define MOST_NODES 64        /* SMOOTHING_NODES^REFINE_MOST_GRIDS */
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
	size_t count, capacity;
};

/* Options of debye --------------------------------------------------------------------------------------------------- */

/* G(r), whose transform takes longest, is computed only if it is compared. */
static sonde_status find_options(const struct model *model, const double *values, sonde_debye_options *options)
{
	memset(options, 0, sizeof *options); /* for comparison by bytes */
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
	if (model->many != NULL && memcmp(&model->debye, options, sizeof *options) == 0)
		return SONDE_OK;
	memcpy(&model->debye, options, sizeof *options);
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

/* The number of the options at some values in the list, which they join if they are new. */
static sonde_status add_options(const struct model *model, const double *values, struct option_list *list,
				size_t *number)
{
	CHECK(memory_grow(&list->items, &list->capacity, list->count + 1, sizeof *list->items, "options"));
	CHECK(find_options(model, values, &list->items[list->count]));
	*number = 0;
	while (memcmp(&list->items[*number], &list->items[list->count], sizeof *list->items) != 0)
		++*number;
	list->count += *number == list->count;
	return SONDE_OK;
}

/* Makes the structures and computes them, many at a time. */
static sonde_status compute(struct model *model, struct pending *pending, int count)
{
	struct option_list list = {NULL, 0, 0};
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
	free(list.items);
	return status;
}

/* Means -------------------------------------------------------------------------------------------------------------- */

/* The structures of a point, with their weights; their number. */
static int find_nodes(const struct refine_job *job, const double *values,
		      double nodes[MOST_NODES][REFINE_MOST_PARAMETERS], double weights[MOST_NODES])
{
	int count = 1;

	memcpy(nodes[0], values, (size_t)job->count * sizeof(double));
	weights[0] = 1.0;
	for (int k = 0; k < job->count; ++k) {
		double along[SMOOTHING_NODES], parts[SMOOTHING_NODES];
		if (!(job->parameters[k].grid > 0.0))
			continue;
		smoothing_nodes(values[k], job->parameters[k].grid, along, parts);
		for (int n = SMOOTHING_NODES * count - 1; n >= 0; --n) {
			const int from = n / SMOOTHING_NODES, part = n % SMOOTHING_NODES;
			memmove(nodes[n], nodes[from], sizeof nodes[n]);
			nodes[n][k] = along[part];
			weights[n] = weights[from] * parts[part];
		}
		count *= SMOOTHING_NODES;
	}
	return count;
}

/* The structures of all points, of which some are known. */
struct request {
	size_t *places; /* [point][node] */
	double *weights;
	struct pending *pending;
	int nodes, pending_count;
};

static sonde_status find_structures(struct model *model, const double *values, int count, struct request *request)
{
	double nodes[MOST_NODES][REFINE_MOST_PARAMETERS] = {{0.0}}, weights[MOST_NODES];

	for (int n = 0; n < count; ++n) {
		request->nodes = find_nodes(model->job, values + n * model->job->count, nodes, weights);
		for (int k = 0; k < request->nodes; ++k) {
			const int at = n * request->nodes + k;
			bool is_new = false;
			request->weights[at] = weights[k];
			/* at a node of the grid itself the last weight is 0 */
			CHECK(find_kept(model, nodes[weights[k] > 0.0 ? k : 0], &request->places[at], &is_new));
			if (is_new)
				request->pending[request->pending_count++].kept = request->places[at];
		}
	}
	return SONDE_OK;
}

/* The mean over particles: curves per atom have the weights of their atoms. */
static void find_mean(const struct model *model, const struct request *request, int n, double *curve, double *atoms)
{
	const int64_t points = model->set.measured.count;
	double sum = 0.0;

	memset(curve, 0, (size_t)points * sizeof *curve);
	for (int k = 0; k < request->nodes; ++k) {
		const int at = n * request->nodes + k;
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
	struct request request = {NULL, NULL, NULL, 1, 0};
	sonde_status status;
	int nodes = 1;

	for (int k = 0; k < model->job->grids; ++k)
		nodes *= SMOOTHING_NODES;
	const size_t most = (size_t)count * (size_t)nodes;
	forget(model, KEPT);
	const size_t before = model->kept_count;
	CHECK_GOTO(status, memory_allocate(&request.places, most, sizeof *request.places, "structures"), done);
	CHECK_GOTO(status, memory_allocate(&request.weights, most, sizeof *request.weights, "structures"), done);
	CHECK_GOTO(status, memory_allocate(&request.pending, most, sizeof *request.pending, "structures"), done);
	CHECK_GOTO(status, find_structures(model, values, count, &request), done);
	CHECK_GOTO(status, compute(model, request.pending, request.pending_count), done);
	for (int n = 0; n < count; ++n)
		find_mean(model, &request, n, curves + n * model->set.measured.count,
			  atoms != NULL ? &atoms[n] : NULL);
done:
	if (status != SONDE_OK) /* some have no curve */
		while (model->kept_count > before)
			free(model->kept[--model->kept_count].curve);
	free(request.places);
	free(request.weights);
	free(request.pending);
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
