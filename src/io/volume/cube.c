#include "io/volume/cube.h"

#include <math.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "io/text/words.h"

#define BLOCK 65536 /* bytes between two writes */
#define ROW 6       /* numbers of a line */
#define MOST_WORDS 64
#define MOST_ATOMS 1000000000

/* The first line, without "#", and a second one. */
static void append_header(const struct volume *volume, struct text *text)
{
	const struct grid *grid = &volume->grid;

	text_append(text, "%s\n lengths in bohr; x, y, z outer to inner loop\n", volume->title);
	text_append(text, "%5" PRId64 " %.12f %.12f %.12f\n", volume->charge_count,
		    grid->origin[0] / BOHR_RADIUS_ANGSTROM, grid->origin[1] / BOHR_RADIUS_ANGSTROM,
		    grid->origin[2] / BOHR_RADIUS_ANGSTROM);
	for (int k = 0; k < 3; ++k)
		text_append(text, "%5" PRId64 " %.12f %.12f %.12f\n", grid->size[k],
			    grid->steps[k][0] / BOHR_RADIUS_ANGSTROM, grid->steps[k][1] / BOHR_RADIUS_ANGSTROM,
			    grid->steps[k][2] / BOHR_RADIUS_ANGSTROM);
}

sonde_status cube_begin(struct volume_output *output)
{
	const struct volume *volume = output->header;
	struct text *text = &output->text.block;

	append_header(volume, text);
	for (int64_t a = 0; a < volume->charge_count; ++a) {
		const double *charge = volume->charges + VOLUME_CHARGE * a;
		text_append(text, "%5d %.6f %.9f %.9f %.9f\n", (int)charge[4], charge[3],
			    charge[0] / BOHR_RADIUS_ANGSTROM, charge[1] / BOHR_RADIUS_ANGSTROM,
			    charge[2] / BOHR_RADIUS_ANGSTROM);
		if (text->size > BLOCK)
			CHECK(text_output_flush(&output->text));
	}
	return text_output_flush(&output->text);
}

struct cube_numbers {
	const double *values;
	int64_t written, row; /* points before these; number of points per group that starts on a new line */
};

static void append_values(const void *user, int64_t first, int64_t end, struct text *text)
{
	const struct cube_numbers *numbers = user;

	for (int64_t n = first; n < end; ++n) {
		int64_t k = (numbers->written + n) % numbers->row;
		double value = volume_shown(numbers->values[n]);
		/* " %16.9E" */
		text_append_byte(text, ' ');
		if (!signbit(value) && fabs(value) < 1e100 && !(value != 0.0 && fabs(value) < 1e-99))
			text_append_byte(text, ' ');
		text_append_scientific(text, value, true);
		if (k % ROW == ROW - 1 || k + 1 == numbers->row)
			text_append_byte(text, '\n');
	}
}

sonde_status cube_add(struct volume_output *output, const double *values, const double *vectors, int64_t count)
{
	const struct cube_numbers numbers = {values, output->written, output->header->grid.size[2]};
	(void)vectors;

	return text_output_numbers(&output->text, output->threads, count, append_values, &numbers);
}

static sonde_status next_line(struct line_reader *reader, const char *what, char **line)
{
	CHECK(line_reader_next(reader, line));
	return *line != NULL ? SONDE_OK
			     : status_fail_file(SONDE_INVALID, line_reader_path(reader), "ends before %s", what);
}

/* A count and a vector. A fifth word may give the number of values per point. */
static sonde_status read_row(struct line_reader *reader, const char *what, int64_t *count, double vector[3],
			     int64_t *values)
{
	struct word words[MOST_WORDS];
	char *line;

	CHECK(next_line(reader, what, &line));
	int found = words_split(line, words, MOST_WORDS);
	if (found != 4 && !(found == 5 && values != NULL))
		return line_fail(reader, "%s: needs a count and three numbers", what);
	CHECK(word_integer(reader, &words[0], what, count));
	for (int k = 0; k < 3; ++k)
		CHECK(word_real(reader, &words[1 + k], what, &vector[k]));
	return found == 5 ? word_integer(reader, &words[4], what, values) : SONDE_OK;
}

static sonde_status read_header(struct line_reader *reader, struct volume *volume, int64_t *atoms)
{
	struct grid *grid = &volume->grid;
	int64_t values = 1;
	double units[3];
	char *line;

	CHECK(next_line(reader, "its header", &line));
	line += strspn(line, " \t");
	snprintf(volume->title, VOLUME_TITLE, "%.*s", VOLUME_TITLE - 1, line);
	CHECK(next_line(reader, "its header", &line));
	CHECK(read_row(reader, "the number of atoms and the origin", atoms, grid->origin, &values));
	if (values != 1)
		return line_fail(reader, "has %lld values per point; only files with one are read",
				 (long long)values);
	if (*atoms < 0)
		return line_fail(
		    reader,
		    "holds orbitals (a negative number of atoms); only files with one value per point are read");
	if (*atoms > MOST_ATOMS)
		return line_fail(reader, "%lld atoms are too many", (long long)*atoms);
	for (int k = 0; k < 3; ++k) {
		CHECK(read_row(reader, "the number of points and the step", &grid->size[k], grid->steps[k], NULL));
		/* a negative number of points: Angstrom instead of bohr */
		units[k] = grid->size[k] < 0 ? 1.0 : BOHR_RADIUS_ANGSTROM;
		grid->size[k] = grid->size[k] < 0 && grid->size[k] > INT64_MIN ? -grid->size[k] : grid->size[k];
		for (int c = 0; c < 3; ++c)
			grid->steps[k][c] *= units[k];
	}
	for (int c = 0; c < 3; ++c)
		grid->origin[c] *= units[0];
	return volume_check_size(line_reader_path(reader), grid->size);
}

static sonde_status read_atoms(struct line_reader *reader, int64_t atoms)
{
	struct word words[MOST_WORDS];
	char *line;

	for (int64_t a = 0; a < atoms; ++a) {
		CHECK(next_line(reader, "all atoms", &line));
		if (words_split(line, words, MOST_WORDS) < 5)
			return line_fail(reader, "an atom needs its atomic number, a charge and x y z");
	}
	return SONDE_OK;
}

static sonde_status read_values(struct line_reader *reader, const struct grid *grid, struct volume_numbers *numbers)
{
	int64_t wanted = grid->size[0] * grid->size[1] * grid->size[2];
	struct word words[MOST_WORDS];
	char *line;

	for (;;) {
		CHECK(line_reader_next(reader, &line));
		if (line == NULL)
			break;
		int count = words_split(line, words, MOST_WORDS);
		for (int k = 0; k < count; ++k) {
			double value;
			CHECK(word_real(reader, &words[k], "value", &value));
			if (numbers->count == wanted)
				return line_fail(reader, "has more than the %lld numbers of the grid",
						 (long long)wanted);
			CHECK(volume_numbers_add(numbers, value));
		}
	}
	if (numbers->count != wanted)
		return status_fail_file(SONDE_INVALID, line_reader_path(reader), "ends after %lld of %lld numbers",
					(long long)numbers->count, (long long)wanted);
	return SONDE_OK;
}

sonde_status cube_read(const char *path, struct volume *volume)
{
	struct volume_numbers numbers = {0};
	struct line_reader *reader;
	int64_t atoms = 0;

	CHECK(line_reader_open(&reader, path));
	sonde_status status = read_header(reader, volume, &atoms);
	if (status == SONDE_OK)
		status = read_atoms(reader, atoms);
	if (status == SONDE_OK)
		status = read_values(reader, &volume->grid, &numbers);
	line_reader_close(&reader);
	if (status == SONDE_OK)
		status = volume_take_reversed(volume, &numbers);
	free(numbers.values);
	return status;
}
