#include "io/pqr.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "io/words.h"

#define LARGEST_COORDINATE 1e7
#define MOST_WORDS 32
#define NUMBERS 5 /* x y z charge radius */
#define LINES_PER_LOOK 16384

/* A name of an atom may have a prime, which labels may not: it becomes an asterisk, as older files have it. */
static void copy_name(const struct word *word, char name[64])
{
	size_t length = (size_t)(word->end - word->start);

	for (size_t k = 0; k < length; ++k)
		name[k] = word->start[k] == '\'' || word->start[k] == '"' ? '*' : word->start[k];
	name[length] = '\0';
}

/* Columns of fixed width, as PDB files have them, leave no blank between large numbers: "-12.345-100.123". From such a word on,
 * counting columns finds the wrong ones. */
static sonde_status check_blanks(const struct line_reader *reader, const struct word *words, int count)
{
	for (int k = 3; k < count; ++k) {
		const struct word *word = &words[k];
		size_t length = (size_t)(word->end - word->start);
		double value;
		if (strspn(word->start, "0123456789+-.") >= length && memchr(word->start, '.', length) != NULL &&
		    !text_parse_real(word->start, word->end, &value))
			return line_fail(reader,
					 "'%.*s' is more than one number: the columns of a PQR file need blanks "
					 "between them",
					 (int)(length < 60 ? length : 60), word->start);
	}
	return SONDE_OK;
}

static sonde_status read_atom(const struct line_reader *reader, const struct word *words, int count,
			      const struct atom_sink *sink)
{
	static const char *const what[NUMBERS] = {"x", "y", "z", "charge", "radius"};
	double numbers[NUMBERS];
	char name[64], residue[64] = "";

	CHECK(check_blanks(reader, words, count));
	if (count < 3 + NUMBERS)
		return line_fail(reader,
				 "an atom of a PQR file needs its record, number and name, then x y z, charge "
				 "and radius");
	for (int k = 0; k < NUMBERS; ++k) {
		const struct word *word = &words[count - NUMBERS + k];
		CHECK(word_real(reader, word, what[k], &numbers[k]));
		if (k < 3 && fabs(numbers[k]) > LARGEST_COORDINATE)
			return line_fail(reader, "a coordinate is beyond 1e7 Angstrom");
	}
	if (words[2].end - words[2].start >= (ptrdiff_t)sizeof name)
		return line_fail(reader, "the name of the atom is too long");
	copy_name(&words[2], name);
	/* the fourth word, unless x is there already */
	if (count > 3 + NUMBERS && words[3].end - words[3].start < (ptrdiff_t)sizeof residue)
		copy_name(&words[3], residue);
	sonde_status status = sink->atom(sink->user, name, numbers);
	if (status == SONDE_OK && sink->charges != NULL)
		status = sink->charges(sink->user, &numbers[3], 1);
	if (status == SONDE_OK && sink->site != NULL)
		status = sink->site(sink->user, residue, name, numbers[4]);
	return status == SONDE_INVALID
		   ? status_prefix(status, "%s:%lld", line_reader_path(reader), (long long)line_reader_number(reader))
		   : status;
}

static sonde_status read_records(struct line_reader *reader, int64_t frame, const struct atom_sink *sink)
{
	struct word words[MOST_WORDS];
	int64_t models = 0, atoms = 0;
	char *line;

	for (;;) {
		CHECK(line_reader_next(reader, &line));
		if (line == NULL)
			break;
		if (line_reader_number(reader) % LINES_PER_LOOK == 0 && sink->cancelled != NULL &&
		    sink->cancelled(sink->user))
			return status_fail(SONDE_CANCELLED, "stopped while reading %s", line_reader_path(reader));
		int count = words_split(line, words, MOST_WORDS);
		if (count == 0)
			continue;
		if (word_is(&words[0], "MODEL") && ++models > 1) {
			if (frame == 0)
				return line_fail(reader, "a second model begins here; choose one with --frame");
			if (frame == ATOM_ALL_FRAMES)
				CHECK(sink->frame(sink->user));
		}
		if (!word_is(&words[0], "ATOM") && !word_is(&words[0], "HETATM"))
			continue;
		if (frame > 1 ? models != frame : frame == 1 && models > 1)
			continue;
		CHECK(read_atom(reader, words, count, sink));
		++atoms;
	}
	if (atoms == 0)
		return status_fail(SONDE_INVALID, "%s: has no atoms%s", line_reader_path(reader),
				   frame > 1 ? " in this model" : "; a PQR file has records ATOM or HETATM");
	return SONDE_OK;
}

sonde_status pqr_read(const char *path, int64_t frame, const struct atom_sink *sink)
{
	struct line_reader *reader;

	CHECK(line_reader_open(&reader, path));
	sonde_status status = read_records(reader, frame, sink);
	line_reader_close(&reader);
	return status;
}
