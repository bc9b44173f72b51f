#include "io/atoms/lammps_dump_atom.h"

#include <math.h>
#include <string.h>

#define MASS_TOLERANCE 1e-3 /* u; masses are written with few digits */

static sonde_status add_label(struct dump_frame *frame, const char *label, double mass, int *index)
{
	if (frame->label_count == ATOM_LIST_MOST_LABELS)
		return line_fail(frame->reader, "more than %d different elements", ATOM_LIST_MOST_LABELS);
	*index = frame->label_count++;
	strcpy(frame->labels[*index], label);
	frame->masses[*index] = mass;
	return SONDE_OK;
}

static sonde_status label_of_word(struct dump_frame *frame, const struct word *word, int *index)
{
	char label[ATOM_LIST_LABEL];

	for (int k = 0; k < frame->label_count; ++k) {
		if (word_is(word, frame->labels[k])) {
			*index = k;
			return SONDE_OK;
		}
	}
	CHECK(atom_list_copy_label(frame->reader, word, label));
	return add_label(frame, label, 0.0, index);
}

static sonde_status label_of_mass(struct dump_frame *frame, const struct word *word, int *index)
{
	const struct atom_sink *sink = frame->sink;
	double mass;

	CHECK(word_real(frame->reader, word, "the mass", &mass));
	for (int k = 0; k < frame->label_count; ++k) {
		if (fabs(frame->masses[k] - mass) <= MASS_TOLERANCE) {
			*index = k;
			return SONDE_OK;
		}
	}
	const char *label = sink->element != NULL ? sink->element(sink->user, "", mass) : NULL;
	if (label == NULL && !sink->unlabeled)
		return line_fail(frame->reader, "no element has the mass %g; dump a column element", mass);
	return add_label(frame, label != NULL ? label : "", mass, index);
}

static sonde_status find_label(struct dump_frame *frame, const struct word *words, int *index)
{
	const int *named = frame->columns.named;

	if (named[ELEMENT] >= 0)
		return label_of_word(frame, &words[named[ELEMENT]], index);
	if (named[MASS] >= 0)
		return label_of_mass(frame, &words[named[MASS]], index);
	*index = 0; /* "" */
	return SONDE_OK;
}

/* Scaled positions are fractions of the edges from the origin of the box. */
static void place_in_box(const struct dump_frame *frame, const double given[3], double position[3])
{
	const double *lattice = frame->box.lattice;

	for (int k = 0; k < 3; ++k)
		position[k] = frame->columns.kind < 2 ? given[k]
						      : frame->box.origin[k] + given[0] * lattice[k] +
							    given[1] * lattice[3 + k] + given[2] * lattice[6 + k];
}

static sonde_status find_position(const struct dump_frame *frame, const struct word *words, double position[3])
{
	double given[3];

	for (int k = 0; k < 3; ++k)
		CHECK(atom_list_coordinate(frame->reader, &words[frame->columns.position[k]], k, &given[k]));
	place_in_box(frame, given, position);
	return atom_list_check_position(frame->reader, position);
}

/* A line in all detail: adds labels that are new, and explains what is wrong. */
sonde_status dump_read_atom(struct dump_frame *frame, const char *line, struct listed_atom *atom)
{
	const struct dump_columns *columns = &frame->columns;
	struct word words[DUMP_MOST_WORDS];
	int count = words_split(line, words, DUMP_MOST_WORDS);

	if (count != columns->count)
		return line_fail(frame->reader, "an atom needs %d columns, this line has %d", columns->count, count);
	if (columns->named[ID] >= 0)
		CHECK(word_integer(frame->reader, &words[columns->named[ID]], "id", &atom->id));
	if (columns->named[CHARGE] >= 0)
		CHECK(word_real(frame->reader, &words[columns->named[CHARGE]], "q", &atom->charge));
	CHECK(find_label(frame, words, &atom->label));
	return find_position(frame, words, atom->position);
}

/* A label that is known already. */
static bool take_label(const struct dump_frame *frame, int content, const struct word *word, int *index)
{
	double mass;

	if (content == MASS && frame->columns.named[ELEMENT] >= 0)
		return true;
	if (content == MASS && !text_parse_real(word->start, word->end, &mass))
		return false;
	for (*index = 0; *index < frame->label_count; ++*index)
		if (content == ELEMENT ? word_is(word, frame->labels[*index])
				       : fabs(frame->masses[*index] - mass) <= MASS_TOLERANCE)
			return true;
	return false;
}

/* The content of a column other than a position. */
static bool take_word(const struct dump_frame *frame, int content, const struct word *word, struct listed_atom *atom)
{
	switch (content) {
	case ID:
		return text_parse_integer(word->start, word->end, &atom->id);
	case CHARGE:
		return text_parse_real(word->start, word->end, &atom->charge);
	case ELEMENT:
	case MASS:
		return take_label(frame, content, word, &atom->label);
	default:
		return true;
	}
}

static const char *skip_blanks(const char *c)
{
	while (*c == ' ' || *c == '\t')
		++c;
	return c;
}

static const char *skip_word(const char *c)
{
	while (*c != ' ' && *c != '\t' && *c != '\0')
		++c;
	return c;
}

/* The same as read_atom() for nearly all lines, many times faster: false if anything is unusual. May be called by
 * several threads at once. */
bool dump_take_atom(const struct dump_frame *frame, const char *line, struct listed_atom *atom)
{
	const struct dump_columns *columns = &frame->columns;
	double given[3] = {0.0};

	for (int column = 0; column < columns->count; ++column) {
		const int content = columns->content[column];
		line = skip_blanks(line);
		if (content >= NAMED && text_take_short_real(&line, &given[content - NAMED]))
			continue;
		const struct word word = {line, skip_word(line)};
		line = word.end;
		if (word.start == word.end ||
		    !(content >= NAMED ? text_parse_real(word.start, word.end, &given[content - NAMED])
				       : take_word(frame, content, &word, atom)))
			return false;
	}
	place_in_box(frame, given, atom->position);
	for (int k = 0; k < 3; ++k)
		if (!(fabs(atom->position[k]) <= ATOM_LARGEST_COORDINATE))
			return false;
	return *skip_blanks(line) == '\0';
}
