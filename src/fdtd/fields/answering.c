#include "fdtd/fields/answering.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/media/answers.h"
#include "fdtd/media/list_totals.h"
#include "fdtd/media/media_part.h"

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

/* Lists on their way to the device, filled by several threads: some edges, terms or answers, from number `begin` on. */
struct listing {
	const struct fields *fields;
	const struct media *media;
	const struct answers *answers;
	size_t begin, count;
	const struct numbering *numbering;
	uint64_t *places;
	uint32_t *integers;
	void *numbers; /* in the fields' type */
};

/* What is listed here, of which planes, and its numbers among all of all ranks. */
struct numbering {
	struct plane_span listed;
	struct answer_planes here;
	const struct list_totals *totals; /* null: all is here */
	const struct answering *answering;
	size_t planes;
	size_t *first_of_kind; /* here; then their number */
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
static void find_edges(const struct answers *answers, int planes, struct answer_planes *found)
{
	uint32_t n = 0;

	for (int i = 0; i <= planes; ++i) {
		while (n < answers->edge_count && answers->edges[n].node[0] < i)
			++n;
		found->first_of_plane[i] = n;
		while (n < answers->edge_count && answers->edges[n].node[0] == i && answers->edges[n].component != 0)
			++n;
		found->first_along_x[i] = n;
	}
	for (int i = 0; i <= planes; ++i)
		found->first_term[i] = answers->first_terms[found->first_of_plane[i]];
}

/* First answer of each plane, counted from the kind's first one. */
static void find_answers(const struct answers *answers, int planes, uint32_t *first)
{
	size_t begin = 0;

	for (size_t k = 0; k < answers->kind_count; ++k, first += planes + 1) {
		const struct answer *of_kind = answers->answers + begin;
		uint32_t n = 0;
		for (int i = 0; i <= planes; ++i) {
			while (n < answers->kinds[k].answers && of_kind[n].node[0] < i)
				++n;
			first[i] = n;
		}
		begin += answers->kinds[k].answers;
	}
}

sonde_status answering_planes(const struct fdtd_grid *grid, const struct media *media, struct answer_planes *found)
{
	const int planes = grid->cells[0] + 1;
	const size_t count = (size_t)planes + 1;

	CHECK(memory_allocate(&found->first_of_plane, count, sizeof(uint32_t), WHAT));
	CHECK(memory_allocate(&found->first_along_x, count, sizeof(uint32_t), WHAT));
	CHECK(memory_allocate(&found->first_term, count, sizeof(uint32_t), WHAT));
	CHECK(memory_allocate(&found->kinds, media->answers->kind_count * count, sizeof(uint32_t), WHAT));
	find_edges(media->answers, planes, found);
	find_answers(media->answers, planes, found->kinds);
	return SONDE_OK;
}

void answer_planes_free(struct answer_planes *planes)
{
	free(planes->first_of_plane);
	free(planes->first_along_x);
	free(planes->first_term);
	free(planes->kinds);
	*planes = (struct answer_planes){.kinds = NULL};
}

uint32_t answering_plane(const struct answering *answering, uint64_t number)
{
	int kind = answering->kind_count - 1;

	while (kind > 0 && answering->kinds[kind].first > number)
		--kind;
	const struct answering_kind *of = &answering->kinds[kind];
	const uint32_t n = (uint32_t)number - of->first;
	uint32_t begin = 0, end = answering->plane_count;
	while (begin + 1 < end) { /* the last plane whose first answer is not after it */
		const uint32_t middle = begin + (end - begin) / 2;
		if (of->first_of_plane[middle] <= n)
			begin = middle;
		else
			end = middle;
	}
	return begin;
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
		listing->places[n] = place_of(listing->fields, &listing->answers->edges[listing->begin + (size_t)n]);
}

/* The number of an answer among those of all ranks. */
static uint32_t number_of_answer(const struct numbering *numbering, const struct answers *answers, uint32_t number)
{
	const struct answer *answer = &answers->answers[number];
	const size_t at = answer->kind * (numbering->planes + 1) + (size_t)answer->node[0];

	if (numbering->totals == NULL)
		return number;
	return numbering->answering->kinds[answer->kind].first + numbering->totals->kinds[at] + number -
	       (uint32_t)numbering->first_of_kind[answer->kind] - numbering->here.kinds[at];
}

static void list_terms(void *state, int64_t first, int64_t end, int worker)
{
	struct listing *listing = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const struct answer_term *term = &listing->answers->terms[listing->begin + (size_t)n];
		listing->integers[n] = number_of_answer(listing->numbering, listing->answers, term->answer);
		put_number(listing, (size_t)n, term->weight);
	}
}

/* A list that is whole, or a window of its planes: of each part `count` entries of some planes, the first of them number
 * `first` of the part. */
static sonde_status upload_list(struct fields *fields, const struct plane_numbers *parts, int part_count,
				const void *from, size_t first, size_t count, struct device_buffer *buffer)
{
	const size_t size = parts->size, bytes = (size_t)part_count * parts->all * size;

	if (bytes == 0) /* kernels need a buffer */
		return device_upload(fields->device, NULL, 0, WHAT, buffer);
	CHECK(streaming_allocate(fields->streaming, fields->device, bytes, parts, part_count, false, WHAT, buffer));
	for (int n = 0; n < part_count && count > 0; ++n)
		CHECK(streaming_write(fields->streaming, fields->device, buffer, parts[n].offset + first * size,
				      (const char *)from + (size_t)n * count * size, count * size));
	return SONDE_OK;
}

/* First term of each edge, and of one more. */
static sonde_status upload_first_terms(struct fields *fields, const struct numbering *numbering,
				       const struct answers *answers, struct answering *answering)
{
	const struct plane_span listed = numbering->listed;
	uint32_t *first_terms;

	if (numbering->totals == NULL)
		return device_upload(fields->device, answers->first_terms,
				     (answers->edge_count + 1) * sizeof *answers->first_terms, WHAT,
				     &answering->first_terms);
	CHECK(memory_allocate(&first_terms, (size_t)answering->edges + 1, sizeof *first_terms, WHAT));
	for (int i = listed.begin; i < listed.end; ++i) {
		const uint32_t here = numbering->here.first_of_plane[i], to = answering->first_of_plane[i];
		for (uint32_t n = 0; n < answering->first_of_plane[i + 1] - to; ++n)
			first_terms[to + n] =
			    answering->first_term[i] + answers->first_terms[here + n] - numbering->here.first_term[i];
	}
	first_terms[answering->first_of_plane[listed.end]] = answering->first_term[listed.end];
	const sonde_status status =
	    device_upload(fields->device, first_terms, ((size_t)answering->edges + 1) * sizeof *first_terms, WHAT,
			  &answering->first_terms);
	free(first_terms);
	return status;
}

static sonde_status upload_edges(struct fields *fields, const struct numbering *numbering,
				 const struct answers *answers, struct answering *answering)
{
	const struct plane_span listed = numbering->listed;
	const struct answer_planes *here = &numbering->here;
	const size_t all_terms = answering->first_term[numbering->planes], edge = here->first_of_plane[listed.begin],
		     edges = here->first_of_plane[listed.end] - edge, term = here->first_term[listed.begin],
		     terms = here->first_term[listed.end] - term, edge_to = answering->first_of_plane[listed.begin],
		     term_to = answering->first_term[listed.begin];
	struct listing listing = {.fields = fields, .answers = answers, .numbering = numbering};
	const struct plane_numbers
	    of_edges = {.size = sizeof(uint64_t), .first = answering->first_of_plane, .all = answering->edges},
	    of_terms = {.size = sizeof(uint32_t), .first = answering->first_term, .all = all_terms},
	    of_weights = {.size = number_size(fields), .first = answering->first_term, .all = all_terms};
	sonde_status status;

	CHECK_GOTO(status, memory_allocate_to_fill(&listing.places, edges, sizeof *listing.places, WHAT), done);
	CHECK_GOTO(status, memory_allocate_to_fill(&listing.integers, terms, sizeof *listing.integers, WHAT), done);
	CHECK_GOTO(status, memory_allocate_to_fill(&listing.numbers, terms, number_size(fields), WHAT), done);
	listing.begin = edge;
	CHECK_GOTO(status, fill(&listing, edges, list_edges), done);
	listing.begin = term;
	CHECK_GOTO(status, fill(&listing, terms, list_terms), done);
	CHECK_GOTO(status, upload_list(fields, &of_edges, 1, listing.places, edge_to, edges, &answering->places),
		   done);
	/* whole: a plane's last terms end where those of the next plane begin */
	CHECK_GOTO(status, upload_first_terms(fields, numbering, answers, answering), done);
	CHECK_GOTO(status, upload_list(fields, &of_terms, 1, listing.integers, term_to, terms, &answering->terms),
		   done);
	status = upload_list(fields, &of_weights, 1, listing.numbers, term_to, terms, &answering->weights);
done:
	free(listing.places);
	free(listing.integers);
	free(listing.numbers);
	return status;
}

static void list_places(void *state, int64_t first, int64_t end, int worker)
{
	struct listing *listing = state;
	const struct answers *answers = listing->answers;
	const size_t count = listing->count;

	(void)worker;
	for (size_t n = (size_t)first; n < (size_t)end; ++n) {
		const struct answer *answer = &answers->answers[listing->begin + n];
		for (size_t m = 0; m < EDGES_OF_ANSWER; ++m)
			listing->places[m * count + n] = place_of(listing->fields, &answers->edges[answer->edges[m]]);
	}
}

/* Lists the first and second coefficients, the parts, and the shares. */
static void list_numbers(void *state, int64_t first, int64_t end, int worker)
{
	struct listing *listing = state;
	const struct answers *answers = listing->answers;
	const size_t count = listing->count;

	(void)worker;
	for (size_t n = (size_t)first; n < (size_t)end; ++n) {
		const struct answer *answer = &answers->answers[listing->begin + n];
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

static sonde_status upload_answers(struct fields *fields, const struct media *media,
				   const struct numbering *numbering, size_t number, struct answering_kind *kind)
{
	const size_t shares = (size_t)media->answers->kinds[number].count, rows = 2 + EDGES_OF_ANSWER + shares;
	struct plane_numbers parts[2 + EDGES_OF_ANSWER + MOST_MIXED];
	const uint32_t *const here = numbering->here.kinds + number * (numbering->planes + 1);
	const size_t begin = here[numbering->listed.begin], count = here[numbering->listed.end] - begin,
		     to = kind->first_of_plane[numbering->listed.begin];
	struct listing listing = {.fields = fields,
				  .media = media,
				  .answers = media->answers,
				  .begin = numbering->first_of_kind[number] + begin,
				  .count = count};
	sonde_status status;

	CHECK_GOTO(status,
		   memory_allocate_to_fill(&listing.places, EDGES_OF_ANSWER * count, sizeof *listing.places, WHAT),
		   done);
	CHECK_GOTO(status, memory_allocate_to_fill(&listing.numbers, rows * count, number_size(fields), WHAT), done);
	CHECK_GOTO(status, fill(&listing, count, list_places), done);
	CHECK_GOTO(status, fill(&listing, count, list_numbers), done);
	set_rows(kind, sizeof *listing.places, EDGES_OF_ANSWER, parts);
	CHECK_GOTO(status, upload_list(fields, parts, EDGES_OF_ANSWER, listing.places, to, count, &kind->places),
		   done);
	set_rows(kind, number_size(fields), rows, parts);
	status = upload_list(fields, parts, (int)rows, listing.numbers, to, count, &kind->numbers);
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

/* First of each plane: here, or of all ranks. */
static sonde_status copy_planes(const uint32_t *here, const uint32_t *total, size_t planes, uint32_t **first)
{
	CHECK(memory_allocate(first, planes + 1, sizeof **first, WHAT));
	memcpy(*first, total != NULL ? total : here, (planes + 1) * sizeof **first);
	return SONDE_OK;
}

static sonde_status number_kind(const struct numbering *numbering, size_t number, struct answering *answering)
{
	const size_t at = number * (numbering->planes + 1);
	struct answering_kind *kind = &answering->kinds[answering->kind_count++];

	kind->first = answering->count;
	CHECK(copy_planes(numbering->here.kinds + at,
			  numbering->totals != NULL ? numbering->totals->kinds + at : NULL, numbering->planes,
			  &kind->first_of_plane));
	kind->count = kind->first_of_plane[numbering->planes];
	answering->count += kind->count;
	return SONDE_OK;
}

/* What is here, and the numbers of all. */
static sonde_status find_numbers(const struct fields *fields, const struct media *media, struct answering *answering,
				 struct numbering *numbering)
{
	const struct answers *answers = media->answers;
	const struct list_totals *totals = media->totals;
	const size_t planes = (size_t)fields->grid.cells[0] + 1;

	numbering->planes = planes;
	numbering->totals = totals;
	numbering->answering = answering;
	numbering->listed =
	    totals != NULL ? media_part_listed(&fields->grid, &media->part) : (struct plane_span){0, (int)planes};
	answering->plane_count = (uint32_t)planes;
	CHECK(answering_planes(&fields->grid, media, &numbering->here));
	CHECK(
	    memory_allocate(&numbering->first_of_kind, answers->kind_count, sizeof *numbering->first_of_kind, WHAT));
	for (size_t n = 1; n < answers->kind_count; ++n)
		numbering->first_of_kind[n] = numbering->first_of_kind[n - 1] + answers->kinds[n - 1].answers;
	CHECK(copy_planes(numbering->here.first_of_plane, totals != NULL ? totals->edges : NULL, planes,
			  &answering->first_of_plane));
	CHECK(copy_planes(numbering->here.first_along_x, totals != NULL ? totals->edges_x : NULL, planes,
			  &answering->first_along_x));
	CHECK(copy_planes(numbering->here.first_term, totals != NULL ? totals->terms : NULL, planes,
			  &answering->first_term));
	answering->edges = answering->first_of_plane[planes];
	CHECK(memory_allocate(&answering->kinds, answers->kind_count, sizeof *answering->kinds, WHAT));
	for (size_t n = 0; n < answers->kind_count; ++n)
		CHECK(number_kind(numbering, n, answering));
	return SONDE_OK;
}

static void list_rows(void *state, int64_t first, int64_t end, int worker)
{
	struct listing *listing = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n)
		listing->integers[n] = (uint32_t)listing->answers->answers[n].node[1];
}

static sonde_status make(struct fields *fields, const struct media *media, struct numbering *numbering)
{
	const struct answers *answers = media->answers;
	struct answering *answering = fields->answering;

	CHECK(fields_find_kernel(fields, "answer", &answering->answer));
	CHECK(fields_find_kernel(fields, "assemble", &answering->assemble));
	CHECK(fields_find_kernel_of_numbers(fields, "gather", &answering->gather));
	CHECK(find_numbers(fields, media, answering, numbering));
	if (numbering->totals == NULL) {
		CHECK(memory_allocate_to_fill(&answering->rows, answers->count, sizeof *answering->rows, WHAT));
		struct listing rows = {.fields = fields, .answers = answers, .integers = answering->rows};
		CHECK(fill(&rows, answers->count, list_rows));
	}
	CHECK(upload_edges(fields, numbering, answers, answering));
	for (size_t n = 0; n < answers->kind_count; ++n) {
		CHECK(upload_answers(fields, media, numbering, n, &answering->kinds[n]));
		CHECK(upload_poles(fields, media, &answers->kinds[n], &answering->kinds[n]));
	}
	return allocate_values(fields, answering);
}

sonde_status answering_numbers(const struct fields *fields, const struct media *media, uint32_t **numbers)
{
	const struct answers *answers = media->answers;
	const size_t rows = (size_t)fields->grid.cells[0] + 2;
	struct answer_planes here = {.kinds = NULL};
	size_t first = 0;

	CHECK(memory_allocate(numbers, answers->count, sizeof **numbers, WHAT));
	const sonde_status status = answering_planes(&fields->grid, media, &here);
	for (size_t k = 0; k < answers->kind_count && status == SONDE_OK; first += answers->kinds[k++].answers)
		for (size_t n = 0; n < answers->kinds[k].answers; ++n) {
			const struct answering_kind *kind = &fields->answering->kinds[k];
			const size_t plane = (size_t)answers->answers[first + n].node[0];
			(*numbers)[first + n] =
			    kind->first + kind->first_of_plane[plane] + (uint32_t)n - here.kinds[k * rows + plane];
		}
	answer_planes_free(&here);
	return status;
}

sonde_status answering_make(struct fields *fields, const struct media *media)
{
	struct numbering numbering = {.planes = 0};

	if (media->answers == NULL || (media->answers->count == 0 && media->totals == NULL))
		return SONDE_OK;
	CHECK(memory_allocate(&fields->answering, 1, sizeof *fields->answering, WHAT));
	const sonde_status status = make(fields, media, &numbering);
	answer_planes_free(&numbering.here);
	free(numbering.first_of_kind);
	return status;
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
	const uint32_t begin =
			   fields_first_along_x(fields, first, answering->first_of_plane, answering->first_along_x),
		       end = last ? answering->edges : answering->first_along_x[behind - 1];
	return answering_assemble(fields, begin, end - begin);
}
