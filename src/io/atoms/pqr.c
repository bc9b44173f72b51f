#include "io/atoms/pqr.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "io/text/words.h"

#define LARGEST_COORDINATE 1e7
#define MOST_WORDS 32
#define NUMBERS 5 /* x y z charge radius */
#define FEWEST 10 /* words of an atom: record, number, name, residue, its number, and the five above */
#define LINES_PER_LOOK 16384

/* The name of an atom may have a prime, which labels may not: it becomes an asterisk, as in older files. */
static void copy_name(const struct word *word, char name[64])
{
	size_t length = (size_t)(word->end - word->start);

	for (size_t k = 0; k < length; ++k)
		name[k] = word->start[k] == '\'' || word->start[k] == '"' ? '*' : word->start[k];
	name[length] = '\0';
}

/* Ions are residues of one atom with the residue's name, which as an atom of a larger residue would be another element (CA, NA, HG):
 * symbols in capitals, and CHARMM's names. */
static const char *label_of_ion(const char *residue, const char *name)
{
	static const char *const ions[][2] = {
	    {"LI", "Li"},  {"LIT", "Li"}, {"NA", "Na"},  {"SOD", "Na"}, {"K", "K"},   {"POT", "K"},  {"RB", "Rb"},
	    {"RUB", "Rb"}, {"CS", "Cs"},  {"CES", "Cs"}, {"MG", "Mg"},  {"CA", "Ca"}, {"CAL", "Ca"}, {"SR", "Sr"},
	    {"BA", "Ba"},  {"BAR", "Ba"}, {"CR", "Cr"},  {"MN", "Mn"},  {"FE", "Fe"}, {"CO", "Co"},  {"NI", "Ni"},
	    {"CU", "Cu"},  {"ZN", "Zn"},  {"CD", "Cd"},  {"HG", "Hg"},  {"PB", "Pb"}, {"AL", "Al"},  {"GA", "Ga"},
	    {"AG", "Ag"},  {"AU", "Au"},  {"PT", "Pt"},  {"TL", "Tl"},  {"Y", "Y"},   {"LA", "La"},  {"EU", "Eu"},
	    {"GD", "Gd"},  {"TB", "Tb"},  {"YB", "Yb"},  {"F", "F"},    {"CL", "Cl"}, {"CLA", "Cl"}, {"BR", "Br"},
	    {"I", "I"},    {"IOD", "I"}};
	/* "ZN2", "NA+" are ZN, NA */
	const size_t of_name = strcspn(name, "0123456789+-"), of_residue = strcspn(residue, "0123456789+-");

	for (size_t k = 0; k < sizeof ions / sizeof *ions; ++k) {
		const char *ion = ions[k][0];
		if (strlen(ion) == of_name && strncasecmp(name, ion, of_name) == 0 &&
		    ((of_residue == of_name && strncasecmp(residue, ion, of_name) == 0) ||
		     strcasecmp(residue, "ION") == 0))
			return ions[k][1];
	}
	return NULL;
}

/* Columns of fixed width, as PDB files have them, leave no blank between large numbers: "-12.345-100.123". From such a word on,
 * counting columns would go wrong. */
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

/* "12", "-3", "52A" with an insertion code, or "A1000" with its chain in front, without a blank when numbers are long. */
static bool is_residue_number(const struct word *word)
{
	const char *c = word->start;

	c += c < word->end && isalpha((unsigned char)*c);
	c += c < word->end && *c == '-';
	const char *digits = c;
	while (c < word->end && isdigit((unsigned char)*c))
		++c;
	bool some = c > digits;
	c += c < word->end && isalpha((unsigned char)*c);
	return some && c == word->end;
}

/* The word before x is the number of the residue, or an insertion code separated from it by a blank. */
static bool has_residue_number(const struct word *words, int count)
{
	const struct word *last = &words[count - NUMBERS - 1];

	return is_residue_number(last) || (count > FEWEST && last->end - last->start == 1 &&
					   isalpha((unsigned char)*last->start) && is_residue_number(last - 1));
}

static bool has_point(const struct word *word)
{
	return memchr(word->start, '.', (size_t)(word->end - word->start)) != NULL;
}

/* Words are counted from the end of the line, since chains may be omitted. If one of the five numbers were missing, that of the residue
 * would be taken for x; it is recognized only by the word before it, and by lacking a decimal point where all others have one. */
static sonde_status check_columns(const struct line_reader *reader, const struct word *words, int count)
{
	static const char wanted[] =
	    "record, number, name, residue, optional chain, residue number, x y z, charge and "
	    "radius";

	if (count < FEWEST - 1)
		return line_fail(reader, "an atom of a PQR file needs 10 columns, 11 with a chain, and has %d: %s",
				 count, wanted);
	const struct word *x = &words[count - NUMBERS];
	bool others = true;
	for (int k = 1; k < NUMBERS; ++k)
		others = others && has_point(&x[k]);
	bool complete = count >= FEWEST && has_residue_number(words, count);
	if (is_residue_number(x) && others && (!complete || count == FEWEST))
		return line_fail(
		    reader,
		    "'%.*s' would be x, but appears to be the number of the residue: four numbers follow it, "
		    "and x y z, charge and radius are five%s",
		    (int)(x->end - x->start < 40 ? x->end - x->start : 40), x->start,
		    complete ? "; if it is x, write it with a decimal point" : "; is the radius missing?");
	if (!complete)
		return line_fail(reader, "the %s is missing: the columns of a PQR file are %s",
				 count < FEWEST && is_residue_number(&words[3]) ? "name of the residue"
										: "number of the residue",
				 wanted);
	return SONDE_OK;
}

static sonde_status read_atom(const struct line_reader *reader, const struct word *words, int count,
			      const struct atom_sink *sink)
{
	static const char *const what[NUMBERS] = {"x", "y", "z", "charge", "radius"};
	double numbers[NUMBERS];
	char name[64], residue[64] = "";

	CHECK(check_blanks(reader, words, count));
	CHECK(check_columns(reader, words, count));
	for (int k = 0; k < NUMBERS; ++k) {
		const struct word *word = &words[count - NUMBERS + k];
		CHECK(word_real(reader, word, what[k], &numbers[k]));
		if (k < 3 && fabs(numbers[k]) > LARGEST_COORDINATE)
			return line_fail(reader, "a coordinate is beyond 1e7 Angstrom");
	}
	if (words[2].end - words[2].start >= (ptrdiff_t)sizeof name)
		return line_fail(reader, "the name of the atom is too long");
	copy_name(&words[2], name);
	if (words[3].end - words[3].start < (ptrdiff_t)sizeof residue)
		copy_name(&words[3], residue);
	const char *ion = label_of_ion(residue, name);
	sonde_status status = sink->atom(sink->user, ion != NULL ? ion : name, numbers);
	if (status == SONDE_OK && sink->charges != NULL)
		status = sink->charges(sink->user, &numbers[3], 1);
	if (status == SONDE_OK && sink->site != NULL)
		status = sink->site(sink->user, residue, name, numbers[4]);
	return status == SONDE_INVALID
		   ? status_prefix_line(status, line_reader_path(reader), line_reader_number(reader))
		   : status;
}

/* "HETATM10000", from columns of fixed width, becomes two words. */
static int split_record(struct word *words, int count)
{
	static const char *const records[] = {"ATOM", "HETATM"};

	for (size_t k = 0; k < sizeof records / sizeof *records; ++k) {
		size_t length = strlen(records[k]);
		if (count >= MOST_WORDS || words[0].end - words[0].start <= (ptrdiff_t)length ||
		    strncmp(words[0].start, records[k], length) != 0 ||
		    !isdigit((unsigned char)words[0].start[length]))
			continue;
		memmove(&words[1], &words[0], (size_t)count * sizeof *words);
		words[0].end = words[1].start = words[0].start + length;
		return count + 1;
	}
	return count;
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
		count = split_record(words, count);
		if (word_is(&words[0], "MODEL") && ++models > 1) {
			if (frame == 0)
				return line_fail(reader, "a second model begins here; choose one with `frame`");
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
		return status_fail_file(SONDE_INVALID, line_reader_path(reader), "has no atoms%s",
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
