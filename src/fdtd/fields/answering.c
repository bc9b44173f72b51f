#include "fdtd/fields/answering.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/media/answers.h"

#define WHAT "surfaces of metals"
#define NUMBERS_OF_PART 4096

/* Counted for balls with radii of 4 to 100 cells: a cell of the surface has 9 answers, of which two thirds are of
 * media with poles, 6 edges, and 33 terms. */
#define ANSWERS_OF_CELL 9.0
#define WITH_POLES 0.67
#define EDGES_OF_CELL 6.0
#define TERMS_OF_CELL 33.0

double answering_bytes(int poles, bool single)
{
	const double number = single ? sizeof(float) : sizeof(double);

	return ANSWERS_OF_CELL *
		   (EDGES_OF_ANSWER * (sizeof(uint64_t) + number) + (4.0 + WITH_POLES * 2.0 * poles) * number) +
	       EDGES_OF_CELL * (sizeof(uint64_t) + sizeof(uint32_t)) + TERMS_OF_CELL * (sizeof(uint32_t) + number);
}

double answering_whole_bytes(void)
{
	return EDGES_OF_CELL * sizeof(uint32_t);
}

static size_t number_size(const struct fields *fields)
{
	return fields->single ? sizeof(float) : sizeof(double);
}

/* Lists on their way to the device, filled by several threads. */
struct listing {
	const struct fields *fields;
	const struct media *media;
	const struct answers *answers;
	const struct answering_kind *kind;
	uint64_t *places;
	uint32_t *integers;
	void *numbers; /* in the fields' type */
};

static void put_number(const struct listing *listing, size_t n, double number)
{
	if (listing->fields->single)
		((float *)listing->numbers)[n] = (float)number;
	else
		((double *)listing->numbers)[n] = number;
}

static sonde_status fill(struct listing *listing, size_t count, threads_body *body)
{
	threads_for(listing->fields->threads, (int64_t)count, NUMBERS_OF_PART, body, listing);
	return threads_completed();
}

/* First edge of each plane, and first of its edges along x. */
static sonde_status find_edges(const struct fields *fields, const struct answers *answers,
			       struct answering *answering)
{
	const int planes = fields->grid.cells[0] + 1;
	uint32_t n = 0;

	CHECK(memory_allocate(&answering->first_of_plane, (size_t)planes + 1, sizeof(uint32_t), WHAT));
	CHECK(memory_allocate(&answering->first_along_x, (size_t)planes + 1, sizeof(uint32_t), WHAT));
	for (int i = 0; i <= planes; ++i) {
		while (n < answers->edge_count && answers->edges[n].node[0] < i)
			++n;
		answering->first_of_plane[i] = n;
		while (n < answers->edge_count && answers->edges[n].node[0] == i && answers->edges[n].component != 0)
			++n;
		answering->first_along_x[i] = n;
	}
	return SONDE_OK;
}

static uint64_t place_of(const struct fields *fields, const struct answered_edge *edge)
{
	return fields_place(fields, edge->component, edge->node[0], edge->node[1], edge->node[2]);
}

static void list_edges(void *state, int64_t first, int64_t end, int worker)
{
	struct listing *listing = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n)
		listing->places[n] = place_of(listing->fields, &listing->answers->edges[n]);
}

static void list_terms(void *state, int64_t first, int64_t end, int worker)
{
	struct listing *listing = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		listing->integers[n] = listing->answers->terms[n].answer;
		put_number(listing, (size_t)n, listing->answers->terms[n].weight);
	}
}

/* A list that is whole, or a window of its planes. */
static sonde_status upload_list(struct fields *fields, const struct plane_numbers *parts, int part_count,
				const void *from, struct device_buffer *buffer)
{
	const size_t bytes = (size_t)part_count * parts->all * parts->size;

	if (bytes == 0) /* kernels need a buffer */
		return device_upload(fields->device, NULL, 0, WHAT, buffer);
	CHECK(streaming_allocate(fields->streaming, fields->device, bytes, parts, part_count, false, WHAT, buffer));
	return streaming_write(fields->streaming, fields->device, buffer, 0, from, bytes);
}

/* First term of the edges of each plane. */
static sonde_status find_terms(const struct fields *fields, const struct answers *answers,
			       struct answering *answering)
{
	const int planes = fields->grid.cells[0] + 1;

	CHECK(memory_allocate(&answering->first_term, (size_t)planes + 1, sizeof(uint32_t), WHAT));
	for (int i = 0; i <= planes; ++i)
		answering->first_term[i] = answers->first_terms[answering->first_of_plane[i]];
	return SONDE_OK;
}

static sonde_status upload_edges(struct fields *fields, const struct answers *answers, struct answering *answering)
{
	const size_t edges = answers->edge_count, terms = answers->first_terms[edges];
	struct listing listing = {.fields = fields, .answers = answers};
	sonde_status status;

	CHECK(find_terms(fields, answers, answering));
	const struct plane_numbers
	    of_edges = {.size = sizeof(uint64_t), .first = answering->first_of_plane, .all = edges},
	    of_terms = {.size = sizeof(uint32_t), .first = answering->first_term, .all = terms},
	    of_weights = {.size = number_size(fields), .first = answering->first_term, .all = terms};
	CHECK_GOTO(status, memory_allocate_to_fill(&listing.places, edges, sizeof *listing.places, WHAT), done);
	CHECK_GOTO(status, memory_allocate_to_fill(&listing.integers, terms, sizeof *listing.integers, WHAT), done);
	CHECK_GOTO(status, memory_allocate_to_fill(&listing.numbers, terms, number_size(fields), WHAT), done);
	CHECK_GOTO(status, fill(&listing, edges, list_edges), done);
	CHECK_GOTO(status, fill(&listing, terms, list_terms), done);
	CHECK_GOTO(status, upload_list(fields, &of_edges, 1, listing.places, &answering->places), done);
	/* whole: a plane's last terms end where those of the next plane begin */
	CHECK_GOTO(status,
		   device_upload(fields->device, answers->first_terms, (edges + 1) * sizeof *answers->first_terms,
				 WHAT, &answering->first_terms),
		   done);
	CHECK_GOTO(status, upload_list(fields, &of_terms, 1, listing.integers, &answering->terms), done);
	status = upload_list(fields, &of_weights, 1, listing.numbers, &answering->weights);
done:
	free(listing.places);
	free(listing.integers);
	free(listing.numbers);
	return status;
}

/* First answer of each plane, counted from the kind's first one. */
static sonde_status find_planes(const struct fields *fields, const struct answer *answers,
				struct answering_kind *kind)
{
	const int planes = fields->grid.cells[0] + 1;
	uint32_t n = 0;

	CHECK(memory_allocate(&kind->first_of_plane, (size_t)planes + 1, sizeof(uint32_t), WHAT));
	for (int i = 0; i <= planes; ++i) {
		while (n < kind->count && answers[n].node[0] < i)
			++n;
		kind->first_of_plane[i] = n;
	}
	return SONDE_OK;
}

static void list_places(void *state, int64_t first, int64_t end, int worker)
{
	struct listing *listing = state;
	const struct answers *answers = listing->answers;
	const size_t count = listing->kind->count;

	(void)worker;
	for (size_t n = (size_t)first; n < (size_t)end; ++n) {
		const struct answer *answer = &answers->answers[listing->kind->first + n];
		for (size_t m = 0; m < EDGES_OF_ANSWER; ++m)
			listing->places[m * count + n] = place_of(listing->fields, &answers->edges[answer->edges[m]]);
	}
}

/* Lists the first and second coefficients, the parts, and the shares. */
static void list_numbers(void *state, int64_t first, int64_t end, int worker)
{
	struct listing *listing = state;
	const struct answers *answers = listing->answers;
	const size_t count = listing->kind->count;

	(void)worker;
	for (size_t n = (size_t)first; n < (size_t)end; ++n) {
		const struct answer *answer = &answers->answers[listing->kind->first + n];
		const struct medium_step step = answer_step(listing->media, answer);
		const size_t shares = (size_t)answers->kinds[answer->kind].count;
		put_number(listing, n, step.first);
		put_number(listing, count + n, step.second);
		for (size_t m = 0; m < EDGES_OF_ANSWER; ++m)
			put_number(listing, (2 + m) * count + n, answer->parts[m]);
		for (size_t m = 0; m < shares; ++m)
			put_number(listing, (2 + EDGES_OF_ANSWER + m) * count + n, answer->shares[m]);
	}
}

/* As many numbers of each answer, first those of one kind of all answers. */
static void set_rows(const struct answering_kind *kind, size_t size, size_t count, struct plane_numbers *parts)
{
	for (size_t n = 0; n < count; ++n)
		parts[n] = (struct plane_numbers){.offset = n * kind->count * size,
						  .size = size,
						  .first = kind->first_of_plane,
						  .all = kind->count};
}

static sonde_status upload_answers(struct fields *fields, const struct media *media, int shares,
				   struct answering_kind *kind)
{
	const size_t count = kind->count, rows = 2 + EDGES_OF_ANSWER + (size_t)shares;
	struct plane_numbers parts[2 + EDGES_OF_ANSWER + MOST_MIXED];
	struct listing listing = {.fields = fields, .media = media, .answers = media->answers, .kind = kind};
	sonde_status status;

	CHECK_GOTO(status,
		   memory_allocate_to_fill(&listing.places, EDGES_OF_ANSWER * count, sizeof *listing.places, WHAT),
		   done);
	CHECK_GOTO(status, memory_allocate_to_fill(&listing.numbers, rows * count, number_size(fields), WHAT), done);
	CHECK_GOTO(status, fill(&listing, count, list_places), done);
	CHECK_GOTO(status, fill(&listing, count, list_numbers), done);
	set_rows(kind, sizeof *listing.places, EDGES_OF_ANSWER, parts);
	CHECK_GOTO(status, upload_list(fields, parts, EDGES_OF_ANSWER, listing.places, &kind->places), done);
	set_rows(kind, number_size(fields), rows, parts);
	status = upload_list(fields, parts, (int)rows, listing.numbers, &kind->numbers);
done:
	free(listing.places);
	free(listing.numbers);
	return status;
}

/* Flows and polarizations of the answers, for each pole. */
static sonde_status allocate_state(struct fields *fields, uint32_t poles, struct answering_kind *kind)
{
	const size_t size = number_size(fields), count = kind->count;
	struct plane_numbers parts[2 * MOST_MIXED * MOST_POLES];

	set_rows(kind, size, 2 * (size_t)poles, parts);
	if (poles == 0 || count == 0)
		return device_upload(fields->device, NULL, 0, WHAT, &kind->state);
	return streaming_allocate(fields->streaming, fields->device, 2 * poles * count * size, parts, 2 * (int)poles,
				  true, WHAT, &kind->state);
}

/* Present values of all answers, those of each kind by planes. */
static sonde_status allocate_values(struct fields *fields, struct answering *answering)
{
	const size_t size = number_size(fields);
	struct plane_numbers *parts;

	CHECK(memory_allocate(&parts, (size_t)answering->kind_count, sizeof *parts, WHAT));
	for (int n = 0; n < answering->kind_count; ++n) {
		const struct answering_kind *kind = &answering->kinds[n];
		parts[n] = (struct plane_numbers){
		    .offset = kind->first * size, .size = size, .first = kind->first_of_plane, .all = kind->count};
	}
	const sonde_status status = streaming_allocate(fields->streaming, fields->device, answering->count * size,
						       parts, answering->kind_count, true, WHAT, &answering->values);
	free(parts);
	return status;
}

static sonde_status upload_poles(struct fields *fields, const struct media *media, const struct answer_kind *from,
				 struct answering_kind *kind)
{
	double numbers[4 * MOST_MIXED * MOST_POLES], typed[4 * MOST_MIXED * MOST_POLES];
	uint32_t shape[ANSWER_OWNERS + MOST_MIXED * MOST_POLES], poles = 0;

	for (int m = 0; m < from->count; ++m)
		for (int p = 0; p < media->media[from->media[m]].poles; ++p) {
			const struct medium_pole *pole = &media->media[from->media[m]].pole[p];
			numbers[4 * poles] = pole->a;
			numbers[4 * poles + 1] = pole->b;
			numbers[4 * poles + 2] = pole->c;
			numbers[4 * poles + 3] = pole->d;
			shape[ANSWER_OWNERS + poles++] = (uint32_t)m;
		}
	shape[ANSWER_POLES] = poles;
	shape[ANSWER_ALL] = kind->count;
	shape[ANSWER_FIRST] = kind->first;
	CHECK(device_upload(fields->device, shape, (ANSWER_OWNERS + poles) * sizeof *shape, WHAT, &kind->shape));
	struct listing listing = {.fields = fields, .numbers = typed};
	for (size_t n = 0; n < 4 * (size_t)poles; ++n)
		put_number(&listing, n, numbers[n]);
	CHECK(device_upload(fields->device, typed, 4 * (size_t)poles * number_size(fields), WHAT, &kind->poles));
	return allocate_state(fields, poles, kind);
}

static sonde_status make_kind(struct fields *fields, const struct media *media, const struct answer_kind *from,
			      struct answering_kind *kind)
{
	const struct answers *answers = media->answers;

	kind->count = from->answers;
	CHECK(find_planes(fields, answers->answers + kind->first, kind));
	CHECK(upload_answers(fields, media, from->count, kind));
	return upload_poles(fields, media, from, kind);
}

static void list_planes(void *state, int64_t first, int64_t end, int worker)
{
	struct listing *listing = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n)
		listing->integers[n] = (uint32_t)listing->answers->answers[n].node[0];
}

static void list_rows(void *state, int64_t first, int64_t end, int worker)
{
	struct listing *listing = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n)
		listing->integers[n] = (uint32_t)listing->answers->answers[n].node[1];
}

sonde_status answering_make(struct fields *fields, const struct media *media)
{
	const struct answers *answers = media->answers;

	if (answers == NULL || answers->count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&fields->answering, 1, sizeof *fields->answering, WHAT));
	struct answering *answering = fields->answering;
	answering->edges = (uint32_t)answers->edge_count;
	CHECK(fields_find_kernel(fields, "answer", &answering->answer));
	CHECK(fields_find_kernel(fields, "assemble", &answering->assemble));
	CHECK(fields_find_kernel_of_numbers(fields, "gather", &answering->gather));
	CHECK(find_edges(fields, answers, answering));
	CHECK(memory_allocate_to_fill(&answering->planes, answers->count, sizeof *answering->planes, WHAT));
	struct listing planes = {.fields = fields, .answers = answers, .integers = answering->planes};
	CHECK(fill(&planes, answers->count, list_planes));
	CHECK(memory_allocate_to_fill(&answering->rows, answers->count, sizeof *answering->rows, WHAT));
	struct listing rows = {.fields = fields, .answers = answers, .integers = answering->rows};
	CHECK(fill(&rows, answers->count, list_rows));
	CHECK(upload_edges(fields, answers, answering));
	CHECK(memory_allocate(&answering->kinds, answers->kind_count, sizeof *answering->kinds, WHAT));
	for (size_t n = 0; n < answers->kind_count; ++n) {
		struct answering_kind *kind = &answering->kinds[answering->kind_count++];
		kind->first = answering->count;
		CHECK(make_kind(fields, media, &answers->kinds[n], kind));
		answering->count += kind->count;
	}
	return allocate_values(fields, answering);
}

void answering_release(struct fields *fields)
{
	struct answering *answering = fields->answering;

	if (answering == NULL)
		return;
	struct device_buffer *const all[] = {&answering->values, &answering->places, &answering->terms,
					     &answering->weights};
	for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
		streaming_release(fields->streaming, fields->device, all[k]);
	device_release(fields->device, &answering->first_terms);
	for (int n = 0; n < answering->kind_count; ++n) {
		struct answering_kind *kind = &answering->kinds[n];
		struct device_buffer *const by_planes[] = {&kind->places, &kind->numbers, &kind->state};
		for (size_t k = 0; k < sizeof by_planes / sizeof *by_planes; ++k)
			streaming_release(fields->streaming, fields->device, by_planes[k]);
		device_release(fields->device, &kind->poles);
		device_release(fields->device, &kind->shape);
		free(kind->first_of_plane);
	}
	free(answering->kinds);
	free(answering->first_of_plane);
	free(answering->first_along_x);
	free(answering->first_term);
	free(answering->planes);
	free(answering->rows);
	free(answering);
	fields->answering = NULL;
}

static uint32_t groups_of(const struct device_kernel *kernel, uint32_t count)
{
	const uint32_t group = kernel->work_items > 1 ? kernel->work_items : PLACES_OF_CPU_ITEM;

	return (count + group - 1) / group;
}

sonde_status answering_answer(struct fields *fields, const struct answering_kind *kind, uint32_t begin,
			      uint32_t count)
{
	const struct answering *answering = fields->answering;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(fields->buffers[FIELD_E].memory),
						    DEVICE_ARGUMENT(kind->places.memory),
						    DEVICE_ARGUMENT(kind->numbers.memory),
						    DEVICE_ARGUMENT(kind->poles.memory),
						    DEVICE_ARGUMENT(kind->shape.memory),
						    DEVICE_ARGUMENT(kind->state.memory),
						    DEVICE_ARGUMENT(answering->values.memory),
						    DEVICE_ARGUMENT(begin),
						    DEVICE_ARGUMENT(count)};

	return count == 0 ? SONDE_OK
			  : device_launch(fields->device, &answering->answer, groups_of(&answering->answer, count),
					  arguments, 9);
}

sonde_status answering_assemble(struct fields *fields, uint32_t begin, uint32_t count)
{
	const struct answering *answering = fields->answering;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(fields->buffers[FIELD_E].memory),
						    DEVICE_ARGUMENT(answering->places.memory),
						    DEVICE_ARGUMENT(answering->first_terms.memory),
						    DEVICE_ARGUMENT(answering->terms.memory),
						    DEVICE_ARGUMENT(answering->weights.memory),
						    DEVICE_ARGUMENT(answering->values.memory),
						    DEVICE_ARGUMENT(begin),
						    DEVICE_ARGUMENT(count)};

	return count == 0 ? SONDE_OK
			  : device_launch(fields->device, &answering->assemble,
					  groups_of(&answering->assemble, count), arguments, 8);
}

sonde_status answering_step(struct fields *fields, uint32_t first, uint32_t count)
{
	const struct answering *answering = fields->answering;
	const uint32_t behind = first + count;

	if (answering == NULL)
		return SONDE_OK;
	const bool last = behind >= fields->layout.end[0];
	for (int n = 0; n < answering->kind_count; ++n) {
		const struct answering_kind *kind = &answering->kinds[n];
		const uint32_t begin = kind->first_of_plane[first],
			       end = last ? kind->count : kind->first_of_plane[behind];
		CHECK(answering_answer(fields, kind, begin, end - begin));
	}
	const uint32_t begin = first > 0 ? answering->first_along_x[first - 1] : 0,
		       end = last ? answering->edges : answering->first_along_x[behind - 1];
	return answering_assemble(fields, begin, end - begin);
}
