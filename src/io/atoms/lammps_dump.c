/* https://docs.lammps.org/dump.html: frames of items, each with a title "ITEM: ..." and lines. */
#include "io/atoms/lammps_dump.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "io/atoms/lammps_dump_atom.h"

#define LINES_AT_ONCE 8192
#define PARALLEL_LINES 512 /* fewer are read faster by one thread */

/* Lines in memory. */
struct dump_batch {
	char *lines[LINES_AT_ONCE];
	bool fine[LINES_AT_ONCE];
};

static sonde_status next_line(struct dump_frame *frame, const char *what, char **line)
{
	CHECK(line_reader_next(frame->reader, line));
	if (*line == NULL)
		return line_fail(frame->reader, "the file ends before %s", what);
	return SONDE_OK;
}

static sonde_status read_count(struct dump_frame *frame)
{
	struct word word;
	char *line;

	CHECK(next_line(frame, "the number of atoms", &line));
	if (words_split(line, &word, 1) != 1)
		return line_fail(frame->reader, "the number of atoms is missing");
	CHECK(word_integer(frame->reader, &word, "the number of atoms", &frame->count));
	return frame->count >= 0 ? SONDE_OK : line_fail(frame->reader, "the number of atoms is negative");
}

/* Three lines of `columns` numbers each. */
static sonde_status read_bounds(struct dump_frame *frame, int columns, double numbers[12])
{
	struct word words[5];
	char *line;

	for (int k = 0; k < 3; ++k) {
		CHECK(next_line(frame, "the bounds of the box", &line));
		int count = words_split(line, words, 5);
		if (count != columns)
			return line_fail(frame->reader, "bounds of the box: %d numbers instead of %d", count,
					 columns);
		for (int c = 0; c < columns; ++c)
			CHECK(word_real(frame->reader, &words[c], "a bound of the box", &numbers[columns * k + c]));
	}
	return SONDE_OK;
}

/* Bounds are those of the box that encloses the tilted one: xlo_bound = xlo + min(0, xy, xz, xy + xz), ylo_bound = ylo + min(0, yz)
 * (https://docs.lammps.org/Howto_triclinic.html). */
static void box_of_bounds(const double numbers[9], bool tilted, struct lammps_box *box)
{
	double low[3], high[3], tilt[3] = {0.0};
	int columns = tilted ? 3 : 2;

	for (int k = 0; k < 3; ++k) {
		low[k] = numbers[columns * k];
		high[k] = numbers[columns * k + 1];
		if (tilted)
			tilt[k] = numbers[columns * k + 2];
	}
	low[0] -= fmin(fmin(0.0, tilt[0] + tilt[1]), fmin(tilt[0], tilt[1]));
	high[0] -= fmax(fmax(0.0, tilt[0] + tilt[1]), fmax(tilt[0], tilt[1]));
	low[1] -= fmin(0.0, tilt[2]);
	high[1] -= fmax(0.0, tilt[2]);
	lammps_box_set(low, high, tilt, box);
}

/* "abc origin": edges as vectors, each with a coordinate of the origin. */
static void box_of_vectors(const double numbers[12], struct lammps_box *box)
{
	for (int k = 0; k < 3; ++k) {
		memcpy(box->lattice + (ptrdiff_t)3 * k, numbers + (ptrdiff_t)4 * k, 3 * sizeof *numbers);
		box->origin[k] = numbers[4 * k + 3];
	}
}

/* After "ITEM: BOX BOUNDS": "xy xz yz" or "abc origin", then "pp pp pp", p for periodic; old files lack these. */
static sonde_status read_box(struct dump_frame *frame, const struct word *words, int count)
{
	bool tilted = count >= 3 && word_is(&words[0], "xy"), vectors = count >= 2 && word_is(&words[0], "abc");
	double numbers[12];

	words += tilted ? 3 : vectors ? 2 : 0;
	count -= tilted ? 3 : vectors ? 2 : 0;
	frame->periodic_known = count >= 3;
	for (int k = 0; k < 3; ++k)
		frame->periodic[k] = frame->periodic_known && *words[k].start == 'p';
	CHECK(read_bounds(frame, vectors ? 4 : tilted ? 3 : 2, numbers));
	if (vectors)
		box_of_vectors(numbers, &frame->box);
	else
		box_of_bounds(numbers, tilted, &frame->box);
	frame->boxed = true;
	return lammps_box_check(frame->reader, &frame->box);
}

/* The first kind of positions of which all three columns exist. */
static bool find_positions(const struct word *words, int count, struct dump_columns *columns)
{
	static const char *const names[4][3] = {
	    {"x", "y", "z"}, {"xu", "yu", "zu"}, {"xs", "ys", "zs"}, {"xsu", "ysu", "zsu"}};

	for (columns->kind = 0; columns->kind < 4; ++columns->kind) {
		int found = 0;
		for (int k = 0; k < 3; ++k)
			for (int c = 0; c < count; ++c)
				if (word_is(&words[c], names[columns->kind][k])) {
					columns->position[k] = c;
					++found;
					break;
				}
		if (found == 3)
			return true;
	}
	return false;
}

/* The names of the columns, after "ITEM: ATOMS". */
static sonde_status find_columns(struct dump_frame *frame, const struct word *words, int count)
{
	static const char *const names[NAMED] = {"id", "element", "mass", "q", "type"};
	struct dump_columns *columns = &frame->columns;

	columns->count = count;
	for (int n = 0; n < NAMED; ++n) {
		columns->named[n] = -1;
		for (int c = 0; c < count; ++c)
			if (word_is(&words[c], names[n]))
				columns->named[n] = c;
	}
	if (!find_positions(words, count, columns))
		return line_fail(frame->reader,
				 "columns of positions are missing: x y z, xu yu zu, xs ys zs, or xsu ysu zsu");
	for (int c = 0; c < DUMP_MOST_WORDS; ++c)
		columns->content[c] = -1;
	for (int n = NAMED; n-- > 0;)
		if (columns->named[n] >= 0)
			columns->content[columns->named[n]] = (short)n;
	for (int k = 0; k < 3; ++k)
		columns->content[columns->position[k]] = (short)(NAMED + k);
	if (columns->named[ELEMENT] < 0 && columns->named[MASS] < 0 && !frame->sink->unlabeled)
		return line_fail(frame->reader,
				 "the atoms have types, but no elements: dump a column element (dump ... custom ... "
				 "id element x y z, and dump_modify ... element Si O)");
	return SONDE_OK;
}

struct dump_taking {
	struct dump_frame *frame;
	struct dump_batch *batch;
	struct listed_atom *atoms;
	int64_t number, line; /* of the first atom */
};

static void begin_atom(const struct dump_taking *taking, int64_t k)
{
	taking->atoms[k] = (struct listed_atom){.id = taking->number + k, .line = taking->line + k};
}

static void take_atoms(void *state, int64_t first, int64_t end, int worker)
{
	const struct dump_taking *taking = state;

	(void)worker;
	for (int64_t k = first; k < end; ++k) {
		begin_atom(taking, k);
		taking->batch->fine[k] = dump_take_atom(taking->frame, taking->batch->lines[k], &taking->atoms[k]);
	}
}

static sonde_status fail_early(const struct dump_frame *frame, bool file, int64_t atoms)
{
	return line_fail(frame->reader, "the %s ends after %lld of %lld atoms", file ? "file" : "frame",
			 (long long)atoms, (long long)frame->count);
}

static bool is_item(const char *line)
{
	return line[0] == 'I' && strncmp(line, "ITEM:", 5) == 0;
}

/* The lines in memory: those that are unusual one after the other. */
static sonde_status take_batch(struct dump_frame *frame, struct dump_batch *batch, int64_t got)
{
	const int64_t last = line_reader_number(frame->reader);

	CHECK(atom_list_reserve(&frame->atoms, (size_t)got));
	struct dump_taking taking = {frame, batch, frame->atoms.atoms + frame->atoms.count,
				     (int64_t)frame->atoms.count, last - got + 1};
	threads_for(frame->sink->threads > 1 ? frame->sink->threads : 1, got, PARALLEL_LINES, take_atoms, &taking);
	for (int64_t k = 0; k < got; ++k) {
		if (batch->fine[k])
			continue;
		line_reader_point_at(frame->reader, taking.line + k);
		if (is_item(batch->lines[k]))
			return fail_early(frame, false, taking.number + k);
		begin_atom(&taking, k);
		if (!dump_take_atom(frame, batch->lines[k], &taking.atoms[k])) {
			begin_atom(&taking, k);
			CHECK(dump_read_atom(frame, batch->lines[k], &taking.atoms[k]));
		}
	}
	line_reader_point_at(frame->reader, last);
	frame->atoms.count += (size_t)got;
	return SONDE_OK;
}

static sonde_status skip_batch(const struct dump_frame *frame, const struct dump_batch *batch, int64_t got,
			       int64_t done)
{
	const int64_t last = line_reader_number(frame->reader);

	for (int64_t k = 0; k < got; ++k) {
		if (!is_item(batch->lines[k]))
			continue;
		line_reader_point_at(frame->reader, last - got + 1 + k);
		return fail_early(frame, false, done + k);
	}
	return SONDE_OK;
}

static sonde_status read_batches(struct dump_frame *frame, bool skip, struct dump_batch *batch)
{
	const struct atom_sink *sink = frame->sink;

	for (int64_t left = frame->count, got; left > 0; left -= got) {
		CHECK(line_reader_next_lines(frame->reader, batch->lines, left < LINES_AT_ONCE ? left : LINES_AT_ONCE,
					     &got));
		if (got == 0)
			return fail_early(frame, true, frame->count - left);
		if (sink->cancelled != NULL && sink->cancelled(sink->user))
			return status_fail(SONDE_CANCELLED, "stopped while reading %s",
					   line_reader_path(frame->reader));
		CHECK(skip ? skip_batch(frame, batch, got, frame->count - left) : take_batch(frame, batch, got));
	}
	return SONDE_OK;
}

static sonde_status read_atoms(struct dump_frame *frame, bool skip)
{
	struct dump_batch *batch;

	CHECK(memory_allocate(&batch, 1, sizeof *batch, "a file buffer"));
	const sonde_status status = read_batches(frame, skip, batch);
	free(batch);
	return status;
}

static sonde_status deliver(struct dump_frame *frame)
{
	const struct atom_sink *sink = frame->sink;

	if (sink->lattice != NULL)
		CHECK(sink->lattice(sink->user, frame->box.lattice, frame->periodic_known ? frame->periodic : NULL));
	return atom_list_deliver(&frame->atoms, line_reader_path(frame->reader),
				 (const char(*)[ATOM_LIST_LABEL])frame->labels, frame->columns.named[CHARGE] >= 0,
				 sink);
}

/* "ITEM: ATOMS id ...", the last item of a frame. */
static sonde_status read_last_item(struct dump_frame *frame, const struct word *words, int count, bool skip)
{
	if (frame->count < 0 || !frame->boxed)
		return line_fail(frame->reader, "ITEM: %s is missing before ITEM: ATOMS",
				 frame->count < 0 ? "NUMBER OF ATOMS" : "BOX BOUNDS");
	if (!skip)
		CHECK(find_columns(frame, words, count));
	if (!skip && frame->sink->count != NULL) {
		const sonde_status status = frame->sink->count(frame->sink->user, frame->count);
		if (status != SONDE_OK)
			return status_prefix_line(status, line_reader_path(frame->reader),
						  line_reader_number(frame->reader));
	}
	CHECK(read_atoms(frame, skip));
	return skip ? SONDE_OK : deliver(frame);
}

/* The lines of an item other than the last. */
static sonde_status read_item(struct dump_frame *frame, const struct word *words, int count)
{
	struct word units;
	char *line;

	if (count >= 4 && word_is(&words[1], "NUMBER") && word_is(&words[3], "ATOMS"))
		return read_count(frame);
	if (count >= 3 && word_is(&words[1], "BOX") && word_is(&words[2], "BOUNDS"))
		return read_box(frame, words + 3, count - 3);
	if (count == 2 && word_is(&words[1], "UNITS")) {
		CHECK(next_line(frame, "the units", &line));
		return words_split(line, &units, 1) == 1 ? lammps_check_units(frame->reader, &units) : SONDE_OK;
	}
	if (count == 2 && (word_is(&words[1], "TIMESTEP") || word_is(&words[1], "TIME")))
		return next_line(frame, "the number of the time step", &line);
	return line_fail(frame->reader,
			 "an unknown item; a dump of atoms has TIMESTEP, NUMBER OF ATOMS, BOX BOUNDS and ATOMS");
}

/* The first line of the next frame; *ended if there is none. */
static sonde_status begin_frame(struct dump_frame *frame, bool *ended)
{
	const char *wrong = line_reader_number(frame->reader) == 0
				? "a dump of LAMMPS begins with ITEM:"
				: "ITEM: is needed here; are there more atoms than the frame's number?";
	char *line;

	frame->count = -1;
	frame->boxed = false;
	frame->atoms.count = 0;
	do {
		CHECK(line_reader_next(frame->reader, &line));
		*ended = line == NULL;
		if (*ended)
			return SONDE_OK;
		frame->title_words = words_split(line, frame->title, DUMP_MOST_WORDS);
	} while (frame->title_words == 0);
	return word_is(&frame->title[0], "ITEM:") ? SONDE_OK : line_fail(frame->reader, "%s", wrong);
}

/* Reads, or skips, the frame whose first line has been read. */
static sonde_status read_frame(struct dump_frame *frame, bool skip)
{
	char *line;

	for (;;) {
		if (frame->title_words < 1 || !word_is(&frame->title[0], "ITEM:"))
			return line_fail(frame->reader, "ITEM: is needed here");
		if (frame->title_words >= 2 && word_is(&frame->title[1], "ATOMS"))
			return read_last_item(frame, frame->title + 2, frame->title_words - 2, skip);
		CHECK(read_item(frame, frame->title, frame->title_words));
		CHECK(next_line(frame, "ITEM: ATOMS", &line));
		frame->title_words = words_split(line, frame->title, DUMP_MOST_WORDS);
	}
}

static sonde_status create(struct line_reader *reader, const struct atom_sink *sink, struct dump_frame **frame)
{
	CHECK(memory_allocate(frame, 1, sizeof **frame, "a frame"));
	(*frame)->reader = reader;
	(*frame)->sink = sink;
	return SONDE_OK;
}

static void release(struct dump_frame *frame)
{
	atom_list_free(&frame->atoms);
	free(frame);
}

static sonde_status next_or_skip(struct line_reader *reader, const struct atom_sink *sink, bool skip, bool *ended)
{
	struct dump_frame *frame;

	CHECK(create(reader, sink, &frame));
	sonde_status status = begin_frame(frame, ended);
	if (status == SONDE_OK && !*ended)
		status = read_frame(frame, skip);
	release(frame);
	return status;
}

sonde_status lammps_dump_next(struct line_reader *reader, const struct atom_sink *sink, bool *ended)
{
	return next_or_skip(reader, sink, false, ended);
}

sonde_status lammps_dump_skip(struct line_reader *reader, const struct atom_sink *sink, bool *ended)
{
	return next_or_skip(reader, sink, true, ended);
}

static sonde_status read_chosen(struct dump_frame *frame, int64_t number)
{
	const struct atom_sink *sink = frame->sink;
	const char *path = line_reader_path(frame->reader);
	bool ended;

	CHECK(begin_frame(frame, &ended));
	if (ended)
		return status_fail_file(SONDE_INVALID, path, "is empty");
	for (int64_t k = 1; k < number; ++k) {
		CHECK(read_frame(frame, true));
		CHECK(begin_frame(frame, &ended));
		if (ended)
			return status_fail_file(SONDE_INVALID, path, "has %lld frames; frame %lld does not exist",
						(long long)k, (long long)number);
	}
	CHECK(read_frame(frame, false));
	if (number > 0)
		return SONDE_OK;
	for (;;) {
		CHECK(begin_frame(frame, &ended));
		if (ended)
			return SONDE_OK;
		if (number == 0)
			return line_fail(frame->reader,
					 "a second frame begins here; choose one with " OPTION_NAME("frame"));
		CHECK(sink->frame(sink->user));
		CHECK(read_frame(frame, false));
	}
}

sonde_status lammps_dump_read(const char *path, int64_t number, const struct atom_sink *sink)
{
	struct line_reader *reader;
	struct dump_frame *frame;

	CHECK(line_reader_open(&reader, path));
	sonde_status status = create(reader, sink, &frame);
	if (status == SONDE_OK) {
		status = read_chosen(frame, number);
		release(frame);
	}
	line_reader_close(&reader);
	return status;
}
