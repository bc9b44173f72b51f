/* Many small samples. The pairs of all of them are summed as rows, one for each pair of classes of each sample, on all devices; then each
 * sample is carried out as usual, with its sums given. */
#include "debye/many.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/threads.h"
#include "debye/sums/many_device.h"
#include "debye/sums/prepared.h"
#include "run/share.h"

#define MOST_ATOMS 8192   /* of a sample that is summed with others */
#define MOST_NODES 5600u  /* that the local memory of most GPUs holds, with two counters each */
#define ROWS_OF_GPU 4096  /* of a piece */
#define PAIRS_OF_GPU 2e10 /* of a piece: some tenths of a second */
#define ROWS_OF_CPU 64
#define MOST_SINES 8e6 /* 64 MB */
#define PAIRS_OF_CPU 5e7

/* A sample of a call. It is as large as all options, and kept for the next call. */
struct member {
	const sonde_atoms *atoms;
	struct prepared_sample prepared;
	struct given_sums given;
	struct debye_check check; /* of no point */
	double extent;
	bool together, prepares; /* prepares: `prepared` is to be freed */
	uint32_t first_row, rows, first_atom;
	sonde_status status;
	char message[512];
};

/* Some samples that are done at once. */
struct piece {
	uint32_t first_member, end_member, first_row, rows, first_atom, atoms, nodes;
};

struct debye_many {
	sonde_context *context;
	sonde_debye_options options;
	bool suits; /* the options are those of samples that are summed with others */
	struct many_nodes nodes;
	double *q;     /* of the nodes */
	double *sines; /* of G(r); null: too many, or none */
	int64_t points;
	struct many_device devices[CONTEXT_MOST_DEVICES];
	struct debye_many_times times;
	/* of the present call, in memory that only grows: to give it back and to touch it anew takes the time of the curves */
	struct member *members, **order; /* those that are summed together, by their extent */
	uint32_t together, row_count, atom_count, piece_count;
	double *x, *y, *z; /* within `coordinates` */
	double *coordinates, *sums, *moments;
	uint32_t *words;
	struct piece *pieces;
	size_t member_room, coordinate_room, sum_room, moment_room, word_room, piece_room;
};

static bool options_suit(const sonde_debye_options *options)
{
	return (options->method == SONDE_DEBYE_METHOD_AUTO || options->method == SONDE_DEBYE_METHOD_HISTOGRAM) &&
	       options->precision != SONDE_DEBYE_PRECISION_FLOAT32 && !options->counts && options->bin_width <= 0.0;
}

static sonde_status set_options(struct debye_many *many, const sonde_debye_options *options)
{
	sonde_debye_options complete;

	CHECK(options_complete(&debye_option_table, options, &complete));
	CHECK(options_check(&debye_option_table, &complete));
	many->options = complete;
	many->suits = options_suit(&complete);
	if (many->suits) {
		many->options.method = SONDE_DEBYE_METHOD_HISTOGRAM;
		many->options.precision = SONDE_DEBYE_PRECISION_FLOAT64;
	}
	return SONDE_OK;
}

sonde_status debye_many_begin(sonde_context *context, const sonde_debye_options *options, struct debye_many **many)
{
	CHECK(memory_allocate(many, 1, sizeof **many, "many samples"));
	(*many)->context = context;
	const sonde_status status = set_options(*many, options);
	if (status != SONDE_OK)
		debye_many_free(many);
	return status;
}

/* Nodes and sines depend on the points, but not on displacements. */
static void release_nodes(struct debye_many *many)
{
	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k)
		if (many->devices[k].device != NULL)
			many_device_release(&many->devices[k]);
	many_nodes_free(&many->nodes);
	free(many->q);
	free(many->sines);
	many->q = many->sines = NULL;
}

static sonde_status find_difference(const sonde_debye_options *a, const sonde_debye_options *b, bool *differ)
{
	const struct option_row *displacement = options_find(&debye_option_table, "displacement");

	*differ = false;
	for (size_t k = 0; k < debye_option_table.count && !*differ; ++k) {
		const struct option_row *row = &debye_option_table.rows[k];
		struct text first = {0}, second = {0};
		if (row == displacement)
			continue;
		option_print(row, a, &first);
		option_print(row, b, &second);
		sonde_status status = text_status(&first);
		if (status == SONDE_OK)
			status = text_status(&second);
		*differ = first.size != second.size ||
			  (first.size > 0 && memcmp(first.bytes, second.bytes, first.size) != 0);
		text_free(&first);
		text_free(&second);
		CHECK(status);
	}
	return SONDE_OK;
}

sonde_status debye_many_change(struct debye_many *many, const sonde_debye_options *options)
{
	sonde_debye_options *before;
	bool differ = true;

	CHECK(memory_allocate(&before, 1, sizeof *before, "options"));
	*before = many->options;
	sonde_status status = set_options(many, options);
	if (status == SONDE_OK)
		status = find_difference(before, &many->options, &differ);
	free(before);
	if (differ)
		release_nodes(many);
	return status;
}

const struct debye_many_times *debye_many_times(const struct debye_many *many)
{
	return &many->times;
}

/* Members ---------------------------------------------------------------------------------------------------------- */

/* An upper limit of the distances: the diameter of a ball around the middle of the bounding box, or the diagonal of the box. */
static double extent_of(const sonde_atoms *atoms, double diagonal)
{
	double low[3], high[3], largest = 0.0;

	for (int k = 0; k < 3; ++k)
		low[k] = high[k] = atoms->positions[k];
	for (int64_t i = 0; i < 3 * atoms->count; ++i) {
		low[i % 3] = fmin(low[i % 3], atoms->positions[i]);
		high[i % 3] = fmax(high[i % 3], atoms->positions[i]);
	}
	for (int64_t i = 0; i < atoms->count; ++i) {
		double square = 0.0;
		for (int k = 0; k < 3; ++k) {
			const double d = atoms->positions[3 * i + k] - 0.5 * (low[k] + high[k]);
			square += d * d;
		}
		largest = fmax(largest, square);
	}
	return fmin(diagonal, 2.0 * sqrt(largest) * (1.0 + 1e-12));
}

/* Whether the sample is summed with others. */
static bool is_small(const struct prepared_sample *prepared)
{
	const struct debye_plan *plan = &prepared->plan;
	const struct debye_classes *classes = &prepared->classes;

	return plan->options.method == SONDE_DEBYE_METHOD_HISTOGRAM && !plan->periodic.on && plan->motion == NULL &&
	       /* points of a convolution with a resolution follow those of the user, and do not increase */
	       plan->points.count == plan->options.q.points && classes->structure_count == 0 &&
	       classes->copies == 1 && classes->summed.positions != NULL && classes->summed.count <= MOST_ATOMS &&
	       plan->extent * SPREAD_OVERSAMPLING * plan->points.q[plan->options.q.points - 1] <
		   3.0 * (double)MOST_NODES;
}

static void keep_failure(struct member *member, sonde_status status)
{
	member->status = status;
	if (status != SONDE_OK)
		snprintf(member->message, sizeof member->message, "%s", status_message());
}

/* The failure of a member, whose message another thread may have. */
static sonde_status failure_of(const struct member *member)
{
	return member->status != SONDE_OK ? status_fail(member->status, "%s", member->message) : SONDE_OK;
}

static void prepare_members(void *state, int64_t first, int64_t end, int worker)
{
	struct debye_many *many = state;

	(void)worker;
	for (int64_t k = first; k < end; ++k) {
		struct member *member = &many->members[k];
		struct prepared_sample *prepared = &member->prepared;
		member->prepares = true;
		keep_failure(member, debye_prepare(many->context, member->atoms, NULL, &many->options, true,
						   &prepared->classes, &prepared->plan));
		if (member->status != SONDE_OK || !many->suits || !is_small(prepared))
			continue;
		member->together = true;
		member->extent = extent_of(&prepared->classes.summed, prepared->plan.extent);
		prepared->plan.bin_width = 0.0;
		prepared->plan.bin_count = 0;
	}
}

static int by_extent(const void *a, const void *b)
{
	const struct member *const *first = a, *const *second = b;
	const double x = (*first)->extent, y = (*second)->extent;

	return x != y ? (x < y ? -1 : 1) : (*first < *second ? -1 : *first > *second);
}

/* Nodes for the points of the first member, and for the largest distance. */
static sonde_status make_nodes(struct debye_many *many)
{
	const struct debye_plan *plan = &many->order[0]->prepared.plan;
	const double extent = many->order[many->together - 1]->extent;
	const bool known = many->q != NULL && extent <= many->nodes.reach;

	if (known)
		return SONDE_OK;
	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k)
		if (many->devices[k].device != NULL)
			many_device_release(&many->devices[k]);
	many->points = plan->options.q.points;
	if (many->q == NULL) {
		CHECK(memory_allocate(&many->q, (size_t)many->points, sizeof *many->q, "the matrix"));
		memcpy(many->q, plan->points.q, (size_t)many->points * sizeof *many->q);
		if (many->options.r.points > 1 && (double)many->options.r.points * (double)many->points < MOST_SINES)
			CHECK(debye_sines(many->context, many->q, many->points, &many->options.r, &many->sines));
	}
	many_nodes_free(&many->nodes);
	/* somewhat more, for the next call */
	return many_nodes_make(many->q, many->points, 1.25 * extent + 2.0, context_threads(many->context),
			       &many->nodes);
}

/* Rows and coordinates ---------------------------------------------------------------------------------------------- */

/* The atoms of a sample, class by class, and its rows. */
static sonde_status lay_out(struct debye_many *many, struct member *member)
{
	const sonde_atoms *atoms = &member->prepared.classes.summed;
	const int classes = atoms->species_count;
	uint32_t *first;

	CHECK(memory_allocate(&first, (size_t)classes + 1, sizeof *first, "many samples"));
	for (int c = 0; c < classes; ++c)
		first[c + 1] = first[c] + (uint32_t)atoms->species[c].atoms;
	uint32_t *word = many->words + (size_t)MANY_WORDS * member->first_row;
	for (int a = 0; a < classes; ++a)
		for (int b = a; b < classes; ++b, word += MANY_WORDS) {
			word[0] = member->first_atom + first[a];
			word[1] = member->first_atom + first[a + 1];
			word[2] = member->first_atom + first[b];
			word[3] = member->first_atom + first[b + 1];
			word[4] = a == b;
		}
	for (int64_t i = 0; i < atoms->count; ++i) {
		const uint32_t to = member->first_atom + first[atoms->species_of[i]]++;
		many->x[to] = atoms->positions[3 * i];
		many->y[to] = atoms->positions[3 * i + 1];
		many->z[to] = atoms->positions[3 * i + 2];
	}
	free(first);
	return SONDE_OK;
}

/* Pieces of samples that follow each other in the order of their extents. Words of a piece count its atoms from 0. */
static sonde_status make_pieces(struct debye_many *many, bool gpus)
{
	const double most_pairs = gpus ? PAIRS_OF_GPU : PAIRS_OF_CPU;
	const uint32_t most_rows = gpus ? ROWS_OF_GPU : ROWS_OF_CPU;
	struct piece *piece = NULL;
	double pairs = 0.0;

	CHECK(memory_grow(&many->pieces, &many->piece_room, many->together, sizeof *many->pieces, "many samples"));
	many->piece_count = 0;
	for (uint32_t k = 0; k < many->together; ++k) {
		const struct member *member = many->order[k];
		const double count = (double)member->prepared.classes.summed.count;
		if (piece == NULL || piece->rows + member->rows > most_rows ||
		    pairs + 0.5 * count * count > most_pairs) {
			piece = &many->pieces[many->piece_count++];
			*piece = (struct piece){
			    .first_member = k, .first_row = member->first_row, .first_atom = member->first_atom};
			pairs = 0.0;
		}
		pairs += 0.5 * count * count;
		piece->end_member = k + 1;
		piece->rows += member->rows;
		piece->atoms += (uint32_t)count;
		piece->nodes = many_nodes_for(&many->nodes, member->extent);
		for (uint32_t row = member->first_row; row < member->first_row + member->rows; ++row)
			for (int word = 0; word < 4; ++word)
				many->words[(size_t)row * MANY_WORDS + (size_t)word] -= piece->first_atom;
	}
	return SONDE_OK;
}

static sonde_status lay_out_all(struct debye_many *many, bool gpus)
{
	uint64_t atoms = 0, rows = 0;

	for (uint32_t k = 0; k < many->together; ++k) {
		struct member *member = many->order[k];
		member->first_atom = (uint32_t)atoms;
		member->first_row = (uint32_t)rows;
		member->rows = (uint32_t)species_pair_count(member->prepared.classes.summed.species_count);
		atoms += (uint64_t)member->prepared.classes.summed.count;
		rows += member->rows;
	}
	if (atoms > UINT32_MAX || rows > UINT32_MAX)
		return status_fail(SONDE_INVALID, "too many samples at once");
	many->atom_count = (uint32_t)atoms;
	many->row_count = (uint32_t)rows;
	CHECK(memory_grow(&many->coordinates, &many->coordinate_room, 3 * atoms, sizeof(double), "many samples"));
	CHECK(memory_grow(&many->words, &many->word_room, rows * MANY_WORDS, sizeof *many->words, "many samples"));
	CHECK(memory_grow(&many->sums, &many->sum_room, rows * many->nodes.columns, sizeof(double), "the sums"));
	CHECK(memory_grow(&many->moments, &many->moment_room, rows * MANY_MOMENTS, sizeof(double), "the sums"));
	many->x = many->coordinates;
	many->y = many->x + atoms;
	many->z = many->y + atoms;
	for (uint32_t k = 0; k < many->together; ++k)
		CHECK(lay_out(many, many->order[k]));
	return make_pieces(many, gpus);
}

/* Devices ----------------------------------------------------------------------------------------------------------- */

static sonde_status prepare_device(void *user, struct device *device, void *state)
{
	const struct debye_many *many = user;

	return many_device_prepare(device, &many->nodes, state);
}

static void release_device(void *state)
{
	many_device_release(state);
}

static sonde_status run_pieces(void *user, void *state, uint64_t first, uint64_t count, double *work)
{
	struct debye_many *many = user;

	for (uint64_t p = first; p < first + count; ++p) {
		const struct piece *piece = &many->pieces[p];
		const struct many_rows rows = {.x = many->x + piece->first_atom,
					       .y = many->y + piece->first_atom,
					       .z = many->z + piece->first_atom,
					       .atoms = piece->atoms,
					       .words = many->words + (size_t)MANY_WORDS * piece->first_row,
					       .count = piece->rows,
					       .nodes = piece->nodes};
		CHECK(many_device_sum(state, &rows, many->sums + (size_t)piece->first_row * many->nodes.columns,
				      many->moments + (size_t)MANY_MOMENTS * piece->first_row));
		*work += (double)(piece->end_member - piece->first_member);
	}
	return SONDE_OK;
}

static bool device_suits(void *user, struct device *device)
{
	const struct debye_many *many = user;

	return many_device_holds(device, many->nodes.count);
}

static sonde_status sum_together(struct debye_many *many)
{
	const struct shared_work work = {.pieces = many->piece_count,
					 .user = many,
					 .states = many->devices,
					 .state_size = sizeof *many->devices,
					 .prepare = prepare_device,
					 .release = release_device,
					 .run = run_pieces,
					 .suits = device_suits};
	struct stage stage;
	double done = 0.0;

	stage_begin(&stage, many->context, "many samples", "samples", (double)many->together);
	return share_work(many->context, &work, &stage, &done);
}

/* Results ----------------------------------------------------------------------------------------------------------- */

/* The sums of a sample as debye_carry_out() takes them. */
static sonde_status give_sums(const struct debye_many *many, struct member *member)
{
	const int64_t points = many->points;
	const struct many_nodes *nodes = &many->nodes;
	const double rounding = nodes->rounding * nodes->rounding, systematic = nodes->error * nodes->error;

	CHECK(
	    memory_allocate(&member->given.sums, (size_t)member->rows * (size_t)points, sizeof(double), "the sums"));
	CHECK(
	    memory_allocate(&member->given.errors, member->rows, sizeof *member->given.errors, "the error estimate"));
	for (uint32_t row = 0; row < member->rows; ++row) {
		const size_t from = member->first_row + row;
		const uint32_t *word = many->words + from * MANY_WORDS;
		const double a = (double)(word[1] - word[0]), b = (double)(word[3] - word[2]),
			     pairs = word[4] != 0 ? 0.5 * a * (a - 1.0) : a * b;
		double *sums = member->given.sums + (int64_t)row * points;
		memcpy(sums, many->sums + from * nodes->columns, (size_t)points * sizeof *sums);
		if (many->q[0] == 0.0)
			sums[0] = pairs;
		const double *moments = many->moments + from * MANY_MOMENTS;
		struct histogram_error *error = &member->given.errors[row];
		error->spread = rounding * moments[0] + systematic * moments[2];
		error->spread_over_r = rounding * moments[1] + systematic * moments[3];
		error->spread_bound = nodes->largest_error * pairs;
	}
	return SONDE_OK;
}

struct finishing {
	struct debye_many *many;
	debye_many_take *take;
	void *user;
};

/* What a sample had for its sums. */
static void release_member(struct member *member)
{
	if (member->prepares)
		debye_prepared_free(&member->prepared);
	member->prepares = false;
	free(member->given.sums);
	free(member->given.errors);
	member->given = (struct given_sums){0};
}

static sonde_status carry_out(const struct finishing *finishing, struct member *member)
{
	struct debye_many *many = finishing->many;
	sonde_debye_result *result = NULL;

	sonde_status status = debye_carry_out(many->context, &member->prepared, clock_seconds(), &result);
	if (status == SONDE_OK)
		status = finishing->take(finishing->user, (int)(member - many->members), &result);
	sonde_debye_result_free(&result);
	return status;
}

static void finish_members(void *state, int64_t first, int64_t end, int worker)
{
	const struct finishing *finishing = state;
	struct debye_many *many = finishing->many;

	(void)worker;
	for (int64_t k = first; k < end; ++k) {
		struct member *member = &many->members[k];
		if (!member->together || member->status != SONDE_OK)
			continue;
		sonde_status status = give_sums(many, member);
		member->prepared.given = &member->given;
		member->prepared.sines = many->sines;
		member->prepared.plan.check = &member->check;
		if (status == SONDE_OK)
			status = carry_out(finishing, member);
		keep_failure(member, status);
		release_member(member);
	}
}

/* The others, one by one. */
static sonde_status run_alone(const struct finishing *finishing, int count)
{
	struct debye_many *many = finishing->many;

	for (int k = 0; k < count; ++k) {
		struct member *member = &many->members[k];
		if (member->together)
			continue;
		CHECK(failure_of(member));
		CHECK(carry_out(finishing, member));
		++many->times.alone;
	}
	return SONDE_OK;
}

static void release_call(struct debye_many *many, int count)
{
	for (int k = 0; k < count; ++k)
		release_member(&many->members[k]);
	many->together = 0;
}

static void free_members(struct debye_many *many)
{
	free(many->members);
	free(many->order);
	many->members = NULL;
	many->order = NULL;
	many->member_room = 0;
}

/* Members of a call, all of them released. */
static sonde_status begin_call(struct debye_many *many, const sonde_atoms *const *samples, int count)
{
	if ((size_t)count > many->member_room) {
		free_members(many);
		CHECK(memory_allocate(&many->members, (size_t)count, sizeof *many->members, "many samples"));
		CHECK(memory_allocate(&many->order, (size_t)count, sizeof *many->order, "many samples"));
		many->member_room = (size_t)count;
	}
	for (int k = 0; k < count; ++k) {
		struct member *member = &many->members[k];
		member->atoms = samples[k];
		member->together = false;
		member->check = (struct debye_check){0};
		member->status = SONDE_OK;
	}
	return SONDE_OK;
}

static sonde_status sum_members(struct debye_many *many, int count)
{
	struct device_count devices;

	for (int k = 0; k < count; ++k)
		if (many->members[k].together)
			many->order[many->together++] = &many->members[k];
	if (many->together == 0)
		return SONDE_OK;
	qsort(many->order, many->together, sizeof *many->order, by_extent);
	CHECK(context_count_devices(many->context, &devices));
	CHECK(make_nodes(many));
	CHECK(lay_out_all(many, devices.gpus > 0));
	many->times.together += many->together;
	return sum_together(many);
}

static sonde_status run(const struct finishing *finishing, int count)
{
	struct debye_many *many = finishing->many;
	const int threads = context_threads(many->context);
	double began = clock_seconds(), now;

	threads_for(threads, count, 1, prepare_members, many);
	for (int k = 0; k < count; ++k)
		CHECK(failure_of(&many->members[k]));
	many->times.preparing += (now = clock_seconds()) - began;
	began = now;
	CHECK(sum_members(many, count));
	many->times.summing += (now = clock_seconds()) - began;
	began = now;
	threads_for(threads, count, 1, finish_members, (void *)finishing);
	for (int k = 0; k < count; ++k)
		CHECK(failure_of(&many->members[k]));
	many->times.finishing += (now = clock_seconds()) - began;
	return run_alone(finishing, count);
}

sonde_status debye_many_run_each(struct debye_many *many, const sonde_atoms *const *samples, int count,
				 debye_many_take *take, void *user)
{
	const struct finishing finishing = {many, take, user};

	CHECK(begin_call(many, samples, count));
	const sonde_status status = run(&finishing, count);
	release_call(many, count);
	return status;
}

static sonde_status keep_result(void *user, int number, sonde_debye_result **result)
{
	sonde_debye_result **results = user;

	results[number] = *result;
	*result = NULL;
	return SONDE_OK;
}

sonde_status debye_many_run(struct debye_many *many, const sonde_atoms *const *samples, int count,
			    sonde_debye_result **results)
{
	for (int k = 0; k < count; ++k)
		results[k] = NULL;
	const sonde_status status = debye_many_run_each(many, samples, count, keep_result, results);
	for (int k = 0; k < count && status != SONDE_OK; ++k)
		sonde_debye_result_free(&results[k]);
	return status;
}

void debye_many_free(struct debye_many **freed)
{
	struct debye_many *many = *freed;

	if (many == NULL)
		return;
	release_nodes(many);
	free_members(many);
	free(many->coordinates);
	free(many->words);
	free(many->sums);
	free(many->moments);
	free(many->pieces);
	free(many);
	*freed = NULL;
}
