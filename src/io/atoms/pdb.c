#include "io/atoms/pdb.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/constants.h"
#include "base/text.h"
#include "io/text/words.h"

#define LARGEST_COORDINATE 1e7
#define LINES_PER_LOOK 16384

/* Columns first to last of a line, counted from 1, without surrounding blanks. */
static struct word columns(const char *line, int first, int last)
{
	int length = (int)strlen(line);
	struct word word = {line + (first <= length ? first - 1 : length), line + (last <= length ? last : length)};

	while (word.start < word.end && *word.start == ' ')
		++word.start;
	while (word.end > word.start && word.end[-1] == ' ')
		--word.end;
	return word;
}

static void copy(const struct word *word, char *to, size_t size)
{
	size_t length = (size_t)(word->end - word->start);

	length = length < size ? length : size - 1;
	for (size_t k = 0; k < length; ++k)
		to[k] = word->start[k] == '\'' || word->start[k] == '"' ? '*' : word->start[k];
	to[length] = '\0';
}

/* "CA", "Ca" or " C" as the symbol of an element. */
static void find_element(const char *line, char element[4])
{
	struct word word = columns(line, 77, 78);
	int length = (int)strlen(line);

	if (word.start == word.end || !isalpha((unsigned char)*word.start)) {
		/* the element is right-aligned in columns 13 and 14; names of four letters begin in column 13 */
		bool right = length >= 14 && !isalpha((unsigned char)line[12]);
		bool four = length >= 16 && line[12] != ' ' && line[15] != ' ';
		word = right ? columns(line, 14, 14) : four ? columns(line, 13, 13) : columns(line, 13, 14);
		while (word.start < word.end && !isalpha((unsigned char)*word.start))
			++word.start;
		while (word.end > word.start && !isalpha((unsigned char)word.end[-1]))
			--word.end;
	}
	copy(&word, element, 4);
	element[0] = (char)toupper((unsigned char)element[0]);
	for (char *c = element + 1; element[0] != '\0' && *c != '\0'; ++c)
		*c = (char)tolower((unsigned char)*c);
}

/* Occupancies and locations in the lines so far. */
struct occupancies {
	char residue[12];    /* name, chain and number of the residue of the last line */
	uint32_t group;      /* of alternative locations: a number for each residue */
	int64_t atoms, line; /* `line`: the first with something other than an occupancy; 0: none */
	bool located;        /* some atom has alternative locations */
	double smallest, largest;
};

/* Columns 55 to 60; blank means 1. Programs that do not use occupancies write 0 for all atoms, or something other
 * than an occupancy. */
static double find_occupancy(const struct line_reader *reader, const char *line, struct occupancies *known)
{
	struct word word = columns(line, 55, 60);
	double value = 1.0;

	if (word.start != word.end &&
	    !(text_parse_real(word.start, word.end, &value) && value >= 0.0 && value <= 1.0)) {
		known->line = known->line == 0 ? line_reader_number(reader) : known->line;
		value = 1.0;
	}
	known->smallest = known->atoms == 0 ? value : fmin(known->smallest, value);
	known->largest = known->atoms == 0 ? value : fmax(known->largest, value);
	++known->atoms;
	return value;
}

static sonde_status add_occupancy(const struct line_reader *reader, const char *line, const struct atom_sink *sink,
				  struct occupancies *known)
{
	char residue[12] = "", location = strlen(line) >= 17 ? line[16] : ' ';
	double occupancy = find_occupancy(reader, line, known);

	if (sink->occupancy != NULL)
		CHECK(sink->occupancy(sink->user, occupancy));
	/* chain, number and code of insertion; alternatives may be other residues */
	snprintf(residue, sizeof residue, "%.6s", strlen(line) > 21 ? line + 21 : "");
	known->group += known->group == 0 || strcmp(residue, known->residue) != 0;
	strcpy(known->residue, residue);
	if (location == ' ')
		return SONDE_OK;
	known->located = true;
	return sink->location != NULL ? sink->location(sink->user, known->group, location) : SONDE_OK;
}

/* After the last atom. */
static sonde_status end_occupancies(const struct line_reader *reader, const struct atom_sink *sink,
				    const struct occupancies *known)
{
	const char *path = line_reader_path(reader);
	bool none = known->largest == 0.0;
	char line[400];

	if (sink->occupancy == NULL || (known->line == 0 && !none))
		return SONDE_OK;
	if (known->located)
		return status_fail_file(SONDE_INVALID, path,
					"has alternative locations, so that columns 55 to 60 must be occupancies; %s",
					none ? "all are 0" : "some are not from 0 to 1");
	if (none)
		snprintf(line, sizeof line, "%.250s: all occupancies are 0: they are ignored", path);
	else
		snprintf(
		    line, sizeof line,
		    "%.250s: columns 55 to 60 of line %lld are not an occupancy from 0 to 1: occupancies are ignored",
		    path, (long long)known->line);
	if (sink->remark != NULL)
		sink->remark(sink->user, line);
	return sink->occupancy(sink->user, NAN);
}

/* The chain, "A", and the residue, "GLY12:A", with its code of insertion, "GLY12B:A"; blanks are left out. */
static sonde_status add_groups(const char *line, const char *residue, const struct atom_sink *sink)
{
	const struct word chain = columns(line, 22, 22), number = columns(line, 23, 27);
	char name[ATOM_GROUP_NAME], letter[2];

	copy(&chain, letter, sizeof letter);
	CHECK(sink->group(sink->user, ATOM_CHAIN, letter[0] != '\0' ? letter : "-"));
	snprintf(name, sizeof name, "%.3s%.*s:%s", residue, (int)(number.end - number.start), number.start,
		 letter[0] != '\0' ? letter : "-");
	return sink->group(sink->user, ATOM_RESIDUE, name);
}

#define LARGEST_DISPLACEMENT 10.0 /* Angstrom^2; other numbers in these columns are not displacements */

/* B = 8 pi^2 U in columns 61 to 66. */
static sonde_status add_displacement(const char *line, const struct atom_sink *sink)
{
	const struct word word = columns(line, 61, 66);
	double value;
	const bool known = word.start != word.end && text_parse_real(word.start, word.end, &value) && value >= 0.0 &&
			   value <= LARGEST_DISPLACEMENT * 8.0 * PI * PI;
	const double u = known ? value / (8.0 * PI * PI) : 0.0;

	return sink->displacement != NULL ? sink->displacement(sink->user, &u, known ? 1 : 0) : SONDE_OK;
}

/* ANISOU follows its atom: 10^4 U_11, U_22, U_33, U_12, U_13, U_23 in columns 29 to 70, in the axes of the positions
 * (PDB format 3.3). Files that have something else there are read; the displacements of such an atom are unknown. */
static sonde_status read_tensor(const char *line, const struct atom_sink *sink)
{
	static const int place[6] = {0, 1, 2, 5, 4, 3};
	double u[6] = {0.0};
	bool known = true;

	if (sink->displacement == NULL)
		return SONDE_OK;
	for (int k = 0; k < 6; ++k) {
		const struct word word = columns(line, 29 + 7 * k, 35 + 7 * k);
		double value;
		known = known && word.start != word.end && text_parse_real(word.start, word.end, &value) &&
			fabs(1e-4 * value) <= LARGEST_DISPLACEMENT;
		u[place[k]] = known ? 1e-4 * value : 0.0;
	}
	return sink->displacement(sink->user, u, known ? 6 : 0);
}

static sonde_status read_atom(const struct line_reader *reader, const char *line, const struct atom_sink *sink,
			      struct occupancies *known)
{
	static const char *const what[] = {"x", "y", "z"};
	double position[3];
	char element[4] = "", residue[8], name[8];

	for (int k = 0; k < 3; ++k) {
		struct word word = columns(line, 31 + 8 * k, 38 + 8 * k);
		if (word.start == word.end)
			return line_fail(reader, "%s is missing in columns %d to %d", what[k], 31 + 8 * k,
					 38 + 8 * k);
		CHECK(word_real(reader, &word, what[k], &position[k]));
		if (fabs(position[k]) > LARGEST_COORDINATE)
			return line_fail(reader, "a coordinate is beyond 1e7 Angstrom");
	}
	find_element(line, element);
	if (element[0] == '\0')
		return line_fail(reader, "the element is missing, in columns 77 and 78 or at the start of the name");
	struct word word = columns(line, 18, 20);
	copy(&word, residue, sizeof residue);
	word = columns(line, 13, 16);
	copy(&word, name, sizeof name);
	sonde_status status = sink->atom(sink->user, element, position);
	if (status == SONDE_OK && sink->site != NULL)
		status = sink->site(sink->user, residue, name, 0.0);
	if (status == SONDE_OK && sink->group != NULL)
		status = add_groups(line, residue, sink);
	if (status == SONDE_OK)
		status = add_displacement(line, sink);
	if (status == SONDE_OK)
		status = add_occupancy(reader, line, sink, known);
	return status == SONDE_INVALID
		   ? status_prefix_line(status, line_reader_path(reader), line_reader_number(reader))
		   : status;
}

/* CRYST1: a, b, c and the angles between them; a is along x, b in the xy plane. The cell of 1 Angstrom of structures without a
 * crystal is ignored. Nearly every file has a cell, and the atoms are those of its asymmetric unit, of a molecule taken out of
 * a crystal, or of a simulation: the cell does not determine whether the sample is periodic. */
static sonde_status read_cell(const struct line_reader *reader, const char *line, const struct atom_sink *sink)
{
	static const int first[] = {7, 16, 25, 34, 41, 48}, last[] = {15, 24, 33, 40, 47, 54};
	double numbers[6], cosine[3];

	for (int k = 0; k < 6; ++k) {
		struct word word = columns(line, first[k], last[k]);
		if (word.start == word.end)
			return SONDE_OK;
		CHECK(word_real(reader, &word, "CRYST1", &numbers[k]));
	}
	if (numbers[0] <= 1.0 && numbers[1] <= 1.0 && numbers[2] <= 1.0)
		return SONDE_OK;
	for (int k = 0; k < 3; ++k) {
		if (!(numbers[k] > 0.0 && numbers[3 + k] > 0.0 && numbers[3 + k] < 180.0))
			return line_fail(reader, "CRYST1: edges must be positive, and angles between 0 and 180");
		cosine[k] = numbers[3 + k] == 90.0 ? 0.0 : cos(numbers[3 + k] * DEGREE);
	}
	double sine = sqrt(1.0 - cosine[2] * cosine[2]), along = (cosine[0] - cosine[1] * cosine[2]) / sine,
	       square = 1.0 - cosine[1] * cosine[1] - along * along;
	if (!(square > 0.0))
		return line_fail(reader, "CRYST1: these angles are impossible");
	const double lattice[9] = {numbers[0],
				   0.0,
				   0.0,
				   numbers[1] * cosine[2],
				   numbers[1] * sine,
				   0.0,
				   numbers[2] * cosine[1],
				   numbers[2] * along,
				   numbers[2] * sqrt(square)};
	return sink->lattice != NULL ? sink->lattice(sink->user, lattice, NULL) : SONDE_OK;
}

static sonde_status read_records(struct line_reader *reader, int64_t frame, const struct atom_sink *sink)
{
	struct occupancies known = {.group = 0};
	int64_t models = 0, atoms = 0;
	char *line;

	for (;;) {
		CHECK(line_reader_next(reader, &line));
		if (line == NULL)
			break;
		if (line_reader_number(reader) % LINES_PER_LOOK == 0 && sink->cancelled != NULL &&
		    sink->cancelled(sink->user))
			return status_fail(SONDE_CANCELLED, "stopped while reading %s", line_reader_path(reader));
		if (strncmp(line, "MODEL", 5) == 0 && ++models == 2 && frame <= 0)
			return line_fail(reader, "a second model begins here; choose one with `frame`");
		if (strncmp(line, PDB_COPIES, strlen(PDB_COPIES)) == 0 && sink->copies != NULL)
			CHECK(sink->copies(sink->user, line + strlen(PDB_COPIES),
					   strcspn(line + strlen(PDB_COPIES), " ")));
		if (strncmp(line, "CRYST1", 6) == 0 && atoms == 0)
			CHECK(read_cell(reader, line, sink));
		const bool tensor = strncmp(line, "ANISOU", 6) == 0 && atoms > 0;
		if (!tensor && strncmp(line, "ATOM  ", 6) != 0 && strncmp(line, "HETATM", 6) != 0)
			continue;
		if (frame > 1 ? models != frame : frame == 1 && models > 1)
			continue;
		if (tensor) {
			CHECK(read_tensor(line, sink));
			continue;
		}
		CHECK(read_atom(reader, line, sink, &known));
		++atoms;
	}
	if (atoms == 0)
		return status_fail_file(SONDE_INVALID, line_reader_path(reader), "has no atoms%s",
					frame > 1 ? " in this model" : "; a PDB file has records ATOM or HETATM");
	return end_occupancies(reader, sink, &known);
}

sonde_status pdb_read(const char *path, int64_t frame, const struct atom_sink *sink)
{
	struct line_reader *reader;

	CHECK(line_reader_open(&reader, path));
	sonde_status status = read_records(reader, frame, sink);
	line_reader_close(&reader);
	return status;
}
