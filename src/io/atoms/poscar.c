/* https://www.vasp.at/wiki/index.php/POSCAR: a comment; a scale factor, the volume if negative; three edges; names of
 * species; numbers of their atoms; possibly "Selective dynamics"; "Direct" or "Cartesian"; the atoms. */
#include "io/atoms/poscar.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "io/atoms/atom_list.h"

#define MOST_SPECIES 200
#define MOST_WORDS (MOST_SPECIES + 1)

struct poscar {
	double scale[3], lattice[9];
	char labels[MOST_SPECIES][ATOM_LIST_LABEL];
	int64_t counts[MOST_SPECIES];
	int species;
	bool direct, selective;
};

/* The next line in words; fails at the end of the file. */
static sonde_status next(struct line_reader *reader, const char *what, struct word *words, int *count)
{
	char *line;

	*count = 0;
	CHECK(line_reader_next(reader, &line));
	if (line == NULL)
		return line_fail(reader, "the file ends before %s", what);
	*count = words_split(line, words, MOST_WORDS);
	return SONDE_OK;
}

/* Words that are numbers, from the first on; at most `most`. */
static int numbers(const struct word *words, int count, double *values, int most)
{
	int k = 0;

	while (k < count && k < most && text_parse_real(words[k].start, words[k].end, &values[k]))
		++k;
	return k;
}

static double determinant(const double m[9])
{
	return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
	       m[2] * (m[3] * m[7] - m[4] * m[6]);
}

/* Line 2: one factor, or one for each of x, y, z. */
static sonde_status read_scale(struct line_reader *reader, struct poscar *poscar)
{
	struct word words[MOST_WORDS];
	int count;

	CHECK(next(reader, "the scale factor", words, &count));
	int found = numbers(words, count, poscar->scale, 3);
	if (found == 0)
		return line_fail(reader, "the second line of a POSCAR file is the scale factor, a number");
	if (found < 3)
		poscar->scale[1] = poscar->scale[2] = poscar->scale[0];
	for (int k = 0; k < 3; ++k)
		if (poscar->scale[k] == 0.0 || (found == 3 && poscar->scale[k] < 0.0))
			return line_fail(reader,
					 "the scale factor is %g: it must be positive, or one negative number, "
					 "the volume",
					 poscar->scale[k]);
	return SONDE_OK;
}

/* The scaled edges: a negative factor is the volume of the cell. */
static sonde_status read_lattice(struct line_reader *reader, struct poscar *poscar)
{
	struct word words[MOST_WORDS];
	int count;

	for (int row = 0; row < 3; ++row) {
		CHECK(next(reader, "the edges of the cell", words, &count));
		if (numbers(words, count, poscar->lattice + 3 * row, 3) < 3)
			return line_fail(reader,
					 "lines 3 to 5 of a POSCAR file are the edges of the cell, three numbers "
					 "each");
	}
	double volume = fabs(determinant(poscar->lattice));
	if (poscar->scale[0] < 0.0)
		poscar->scale[0] = poscar->scale[1] = poscar->scale[2] = cbrt(-poscar->scale[0] / volume);
	for (int k = 0; k < 9; ++k)
		poscar->lattice[k] *= poscar->scale[k % 3];
	if (!(fabs(determinant(poscar->lattice)) > 0.0))
		return line_fail(reader, "the volume of the cell is zero");
	for (int k = 0; k < 9; ++k)
		if (!(fabs(poscar->lattice[k]) <= ATOM_LARGEST_COORDINATE))
			return line_fail(reader, "an edge of the cell is beyond %g Angstrom",
					 ATOM_LARGEST_COORDINATE);
	return SONDE_OK;
}

/* "Fe", also as "Fe_pv" and "Fe/0123abcd", which name the potential. */
static sonde_status read_names(struct line_reader *reader, struct poscar *poscar)
{
	struct word words[MOST_WORDS];
	double value;

	CHECK(next(reader, "the names of the species", words, &poscar->species));
	if (poscar->species == 0)
		return line_fail(reader, "the names of the species are missing");
	if (poscar->species > MOST_SPECIES)
		return line_fail(reader, "more than %d species", MOST_SPECIES);
	if (numbers(words, 1, &value, 1) == 1)
		return line_fail(reader,
				 "the names of the species are missing (a file of VASP 4): add a line before this "
				 "one, such as 'Na Cl'");
	for (int s = 0; s < poscar->species; ++s) {
		struct word name = words[s];
		for (const char *c = name.start; c < words[s].end; ++c)
			if ((*c == '_' || *c == '/') && name.end == words[s].end)
				name.end = c;
		CHECK(atom_list_copy_label(reader, &name, poscar->labels[s]));
	}
	return SONDE_OK;
}

static sonde_status read_counts(struct line_reader *reader, struct poscar *poscar)
{
	struct word words[MOST_WORDS];
	int count, known = 0;

	CHECK(next(reader, "the numbers of atoms", words, &count));
	while (known < count && known < poscar->species && isdigit((unsigned char)*words[known].start)) {
		CHECK(word_integer(reader, &words[known], "the number of atoms", &poscar->counts[known]));
		++known;
	}
	if (known < poscar->species || (known < count && isdigit((unsigned char)*words[known].start)))
		return line_fail(reader, "a line of numbers of atoms, one for each of the %d species, is needed here",
				 poscar->species);
	return SONDE_OK;
}

/* "Selective dynamics", of which the first letter counts, and the kind of coordinates. */
static sonde_status read_mode(struct line_reader *reader, struct poscar *poscar)
{
	struct word words[MOST_WORDS];
	int count;

	CHECK(next(reader, "'Direct' or 'Cartesian'", words, &count));
	poscar->selective = count > 0 && toupper((unsigned char)*words[0].start) == 'S';
	if (poscar->selective)
		CHECK(next(reader, "'Direct' or 'Cartesian'", words, &count));
	int letter = count > 0 ? toupper((unsigned char)*words[0].start) : 0;
	poscar->direct = letter == 'D';
	if (letter != 'D' && letter != 'C' && letter != 'K')
		return line_fail(reader, "'Direct' or 'Cartesian' is needed here");
	return SONDE_OK;
}

static void place(const struct poscar *poscar, const double given[3], double position[3])
{
	for (int k = 0; k < 3; ++k)
		position[k] = poscar->direct ? given[0] * poscar->lattice[k] + given[1] * poscar->lattice[3 + k] +
						   given[2] * poscar->lattice[6 + k]
					     : given[k] * poscar->scale[k];
}

static sonde_status read_atom(struct line_reader *reader, const struct poscar *poscar, const char *label,
			      const struct atom_sink *sink)
{
	struct word words[MOST_WORDS];
	double given[3], position[3];
	int count;

	CHECK(next(reader, "the last atom", words, &count));
	CHECK(atom_list_check_cancelled(reader, sink));
	if (count < 3)
		return line_fail(reader, "an atom needs three coordinates, this line has %d words", count);
	if (poscar->selective && count < 6)
		return line_fail(reader,
				 "after 'Selective dynamics' an atom needs three coordinates and three of T and F");
	for (int k = 0; k < 3; ++k)
		CHECK(atom_list_coordinate(reader, &words[k], k, &given[k]));
	place(poscar, given, position);
	CHECK(atom_list_check_position(reader, position));
	sonde_status status = sink->atom(sink->user, label, position);
	return status == SONDE_INVALID
		   ? status_prefix_line(status, line_reader_path(reader), line_reader_number(reader))
		   : status;
}

static sonde_status read_structure(struct line_reader *reader, const struct atom_sink *sink)
{
	const bool periodic[3] = {true, true, true};
	struct poscar poscar = {.species = 0};
	struct word words[MOST_WORDS];
	int count;

	CHECK(next(reader, "the comment in its first line", words, &count));
	CHECK(read_scale(reader, &poscar));
	CHECK(read_lattice(reader, &poscar));
	CHECK(read_names(reader, &poscar));
	CHECK(read_counts(reader, &poscar));
	CHECK(read_mode(reader, &poscar));
	if (sink->lattice != NULL)
		CHECK(sink->lattice(sink->user, poscar.lattice, periodic));
	for (int s = 0; s < poscar.species; ++s)
		for (int64_t k = 0; k < poscar.counts[s]; ++k)
			CHECK(read_atom(reader, &poscar, poscar.labels[s], sink));
	return SONDE_OK;
}

sonde_status poscar_read(const char *path, int64_t frame, const struct atom_sink *sink)
{
	struct line_reader *reader;

	if (frame > 1)
		return status_fail_file(SONDE_INVALID, path, "has one frame; frame %lld does not exist",
					(long long)frame);
	CHECK(line_reader_open(&reader, path));
	sonde_status status = read_structure(reader, sink);
	line_reader_close(&reader);
	return status;
}
