/* Sums of fields to absorbed powers. */
#include "base/threads.h"
#include "fdtd/monitors/absorption.h"
#include "fdtd/monitors/absorption_cells.h"

#define NUMBERS_AT_ONCE (1u << 22) /* complex */
#define LEAST_AT_ONCE 1024u        /* places */

/* Sums of some places of a field, from number `begin` on, whose losses are added to those of cells, or all of them to
 * one number for each frequency: each frequency in the order of the places, whatever the number of threads. */
struct adding {
	const struct fdtd_grid *grid;
	const struct absorption *absorption;
	enum field field;
	uint32_t begin, count;
	uint32_t first_row; /* with one of the places */
	const double *sums; /* [frequencies][real, imaginary][count] */
	size_t cell_count;
	double *power;
};

/* The cells of the box that share an edge or a face, along each axis. */
struct sharing {
	int found[3], cells[3][2];
};

/* Adds a loss to every one of them. */
static void add_to_cells(const struct absorption *absorption, const struct sharing *sharing, double lost,
			 double *power)
{
	const size_t rows = (size_t)(absorption->high[1] - absorption->low[1]),
		     row = (size_t)(absorption->high[2] - absorption->low[2]);

	for (int x = 0; x < sharing->found[0]; ++x)
		for (int y = 0; y < sharing->found[1]; ++y)
			for (int z = 0; z < sharing->found[2]; ++z)
				power[((size_t)sharing->cells[0][x] * rows + (size_t)sharing->cells[1][y]) * row +
				      (size_t)sharing->cells[2][z]] += lost;
}

static void share_along(const struct adding *adding, int field, int component, int axis, int node,
			struct sharing *sharing)
{
	sharing->found[axis] =
	    absorption_cells(adding->grid, adding->absorption->low, adding->absorption->high,
			     absorption_is_half(field, component, axis), axis, node, sharing->cells[axis]);
}

/* Squared magnitudes of sums. */
static double square_of(const double *real, const double *imaginary, size_t n)
{
	return real[n] * real[n] + imaginary[n] * imaginary[n];
}

/* Adds losses of places begin to end - 1, each to `times` cells, to one sum: most are shared by four cells. */
static double add_to_sum(const double *real, const double *imaginary, size_t begin, size_t end, double loss,
			 int times, double sum)
{
	for (size_t n = begin; n < end && times == 4; ++n) {
		const double lost = loss * square_of(real, imaginary, n);
		sum += lost;
		sum += lost;
		sum += lost;
		sum += lost;
	}
	for (size_t n = begin; n < end && times != 4; ++n) {
		const double lost = loss * square_of(real, imaginary, n);
		for (int c = 0; c < times; ++c)
			sum += lost;
	}
	return sum;
}

/* The place after `n`, at a node of z, from which on the number of the box's cells that share one is another. */
static uint32_t end_of_same(const struct adding *adding, const struct lossy_row *row, uint32_t n, int node)
{
	const int low = adding->absorption->low[2], high = adding->absorption->high[2];

	if (absorption_is_half((int)adding->field, row->component, 2))
		return UINT32_MAX;
	return node > low && node < high ? n + (uint32_t)(high - node) : n + 1;
}

/* The places of a row, at frequency number f of these. */
static void add_row_losses(const struct adding *adding, const struct lossy_row *row, size_t f, double *power)
{
	const struct absorption *absorption = adding->absorption;
	const int field = (int)adding->field;
	const double *real = adding->sums + 2 * f * adding->count, *imaginary = real + adding->count,
		     loss = absorption->volume / (field == FIELD_E ? 4.0 : 2.0) *
			    absorption->losses[field][row->medium * absorption->sums.frequencies + f];
	const uint32_t from = row->first > adding->begin ? row->first : adding->begin, end = row->first + row->count,
		       behind = adding->begin + adding->count < end ? adding->begin + adding->count : end;
	struct sharing sharing = {.found = {0}};

	for (int a = 0; a < 2; ++a)
		share_along(adding, field, row->component, a, row->node[a], &sharing);
	for (uint32_t n = from; n < behind;) {
		const int node = row->node[2] + (int)(n - row->first);
		const uint32_t same = adding->cell_count > 1 ? n + 1 : end_of_same(adding, row, n, node),
			       next = same < behind ? same : behind;
		share_along(adding, field, row->component, 2, node, &sharing);
		if (adding->cell_count > 1)
			add_to_cells(absorption, &sharing, loss * square_of(real, imaginary, n - adding->begin),
				     power);
		else
			*power = add_to_sum(real, imaginary, n - adding->begin, next - adding->begin, loss,
					    sharing.found[0] * sharing.found[1] * sharing.found[2], *power);
		n = next;
	}
}

/* An answer. */
static void add_answer_losses(const struct adding *adding, uint32_t n, size_t f, double *power)
{
	const struct absorption *absorption = adding->absorption;
	const double *real = adding->sums + 2 * f * adding->count, *imaginary = real + adding->count,
		     square = square_of(real, imaginary, n - adding->begin),
		     loss = absorption->answer_losses[f * absorption->count[FIELD_ANSWERS] + n];

	for (uint32_t m = absorption->first_edges[n]; m < absorption->first_edges[n + 1]; ++m) {
		const struct lossy_edge *edge = &absorption->edges[m];
		const double lost = 0.25 * absorption->volume * edge->share * loss * square;
		struct sharing sharing = {.found = {0}};
		for (int a = 0; a < 3; ++a)
			share_along(adding, FIELD_E, edge->component, a, edge->node[a], &sharing);
		if (adding->cell_count > 1)
			add_to_cells(absorption, &sharing, lost, power);
		else
			for (int c = sharing.found[0] * sharing.found[1] * sharing.found[2]; c > 0; --c)
				*power += lost;
	}
}

static void add_frequencies(void *state, int64_t first, int64_t end, int worker)
{
	const struct adding *adding = state;
	const struct absorption *absorption = adding->absorption;
	const uint32_t behind = adding->begin + adding->count;

	(void)worker;
	for (size_t f = (size_t)first; f < (size_t)end; ++f) {
		/* a sum of its own: those of all frequencies are in a line of the cache */
		double *const of_cells = adding->power + f * adding->cell_count, sum = of_cells[0],
			      *power = adding->cell_count > 1 ? of_cells : &sum;
		if (adding->field == FIELD_ANSWERS) {
			for (uint32_t n = adding->begin; n < behind; ++n)
				add_answer_losses(adding, n, f, power);
		} else {
			const struct lossy_row *rows = absorption->rows[adding->field];
			for (uint32_t r = adding->first_row;
			     r < absorption->row_count[adding->field] && rows[r].first < behind; ++r)
				add_row_losses(adding, &rows[r], f, power);
		}
		if (adding->cell_count == 1)
			of_cells[0] = sum;
	}
}

/* The losses of a field: some places after others at all frequencies, so that their sums take little memory. */
static sonde_status add_field(struct fields *fields, const struct absorption *absorption, enum field field,
			      size_t cell_count, double *power)
{
	const uint32_t frequencies = absorption->sums.frequencies, count = absorption->count[field],
		       most = NUMBERS_AT_ONCE / frequencies > LEAST_AT_ONCE ? NUMBERS_AT_ONCE / frequencies
									    : LEAST_AT_ONCE,
		       at_once = count < most ? count : most;
	struct adding adding = {.grid = &fields->grid,
				.absorption = absorption,
				.field = field,
				.cell_count = cell_count,
				.power = power};
	double *sums;
	sonde_status status = SONDE_OK;

	if (count == 0)
		return SONDE_OK;
	CHECK(observation_buffer_make(fields, 2 * (size_t)at_once * frequencies, &sums));
	adding.sums = sums;
	for (uint32_t begin = 0; begin < count && status == SONDE_OK; begin += adding.count) {
		adding.begin = begin;
		adding.count = count - begin < at_once ? count - begin : at_once;
		status =
		    observation_sums(fields, &absorption->sums.of[field], 0, frequencies, begin, adding.count, sums);
		while (field != FIELD_ANSWERS && absorption->rows[field][adding.first_row].first +
							 absorption->rows[field][adding.first_row].count <=
						     begin)
			++adding.first_row;
		if (status == SONDE_OK)
			threads_for(fields->threads, frequencies, 1, add_frequencies, &adding);
	}
	observation_buffer_release(fields, sums);
	return status;
}

static sonde_status add_all(struct fields *fields, const struct absorption *absorption, size_t cell_count,
			    double *power)
{
	for (size_t n = 0; n < cell_count * absorption->sums.frequencies; ++n)
		power[n] = 0.0;
	CHECK(add_field(fields, absorption, FIELD_E, cell_count, power));
	CHECK(add_field(fields, absorption, FIELD_ANSWERS, cell_count, power));
	return add_field(fields, absorption, FIELD_H, cell_count, power);
}

sonde_status absorption_power(struct fields *fields, const struct absorption *absorption, double *power)
{
	return add_all(fields, absorption, 1, power);
}

sonde_status absorption_map(struct fields *fields, const struct absorption *absorption, double *map)
{
	size_t cells = 1;

	for (int a = 0; a < 3; ++a)
		cells *= (size_t)(absorption->high[a] - absorption->low[a]);
	return add_all(fields, absorption, cells, map);
}
