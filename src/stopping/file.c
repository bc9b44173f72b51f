#include "stopping/file.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "io/tables/columns.h"
#include "matter/elements/element.h"
#include "matter/elements/label.h"

#define WORDS 10
#define LARGEST 1e15

struct reading {
	struct line_reader *lines;
	struct stopping_file *file;
	int z1;
	bool of_srim;  /* a table of SRIM's SR, */
	bool in_table; /* whose rows have begun */
	struct columns columns;
	double unit; /* of the rows, eV/Angstrom; 0: not yet known */
};

/* The number after `mark` in a line. */
static bool number_after(const char *line, const char *mark, double *number)
{
	const char *at = strstr(line, mark);

	if (at == NULL)
		return false;
	at += strlen(mark);
	at += strspn(at, " ");
	return text_parse_real(at, at + strcspn(at, " ],"), number);
}

/* A line "Si     14    100.00    100.00", an element of the target. */
static void read_element(struct stopping_file *file, const char *line)
{
	struct word words[WORDS];
	char symbol[4] = "";
	double number;

	if (words_split(line, words, WORDS) < 3 || words[0].end - words[0].start >= (int)sizeof symbol)
		return;
	memcpy(symbol, words[0].start, (size_t)(words[0].end - words[0].start));
	int z = element_number(symbol);
	if (z > 0 && text_parse_real(words[1].start, words[1].end, &number) && number == z &&
	    file->element_count < STOPPING_FILE_ELEMENTS)
		file->elements[file->element_count++] = z;
}

/* Ion and material as given in the heading of SR. */
static sonde_status read_heading(struct reading *reading, const char *line)
{
	double number;

	if (strstr(line, "Ion =") != NULL && number_after(line, "[", &number)) {
		if (number != reading->z1)
			return line_fail(reading->lines, "the table is for ions of atomic number %g, not %d", number,
					 reading->z1);
		if (!number_after(line, "Mass =", &reading->file->mass) || !(reading->file->mass >= 0.5))
			return line_fail(reading->lines, "the mass of the ion is missing: 'Mass = NUMBER amu'");
	}
	read_element(reading->file, line);
	/* 1e-21 cm^3 per nm^3 */
	if (number_after(line, "g/cm3 =", &number) && number > 0.0)
		reading->file->atoms = 1e-21 * number;
	if (strstr(line, "Stopping Units =") != NULL) {
		reading->of_srim = true;
		if (strstr(line, "eV / Angstrom") != NULL)
			reading->unit = 1.0;
	}
	return SONDE_OK;
}

/* Columns: energy, optionally its unit, stopping. */
static sonde_status read_row(struct reading *reading, const struct word *words, int count)
{
	struct stopping_file *file = reading->file;
	struct stopping_point point;
	double unit = 1e3;
	int column = 1;

	if (reading->of_srim && (count < 3 || !unit_find(UNIT_ENERGY, words[column].start, words[column].end, &unit)))
		return line_fail(reading->lines, "a row of a SRIM table has energy, unit (eV to GeV), stopping ...");
	column += reading->of_srim;
	if (count < 2)
		return line_fail(reading->lines, "a row has an energy in keV and a stopping in eV/Angstrom");
	CHECK(word_real(reading->lines, &words[0], "the energy", &point.energy));
	CHECK(word_real(reading->lines, &words[column], "the stopping", &point.value));
	point.energy *= unit;
	if (!(point.energy > 0.0 && point.energy < LARGEST) || !(point.value > 0.0 && point.value < LARGEST))
		return line_fail(reading->lines, "energy and stopping must be above 0, and below 1e15");
	if (file->count > 0 && !(point.energy > file->points[file->count - 1].energy))
		return line_fail(reading->lines, "energies must increase from row to row");
	CHECK(memory_grow(&file->points, &file->capacity, file->count + 1, sizeof point, "the stopping"));
	file->points[file->count++] = point;
	return SONDE_OK;
}

static sonde_status read_line(struct reading *reading, char *line, bool *end)
{
	struct word words[WORDS];
	double number;

	int count = words_split(line, words, WORDS);
	if (!reading->of_srim && reading->in_table)
		CHECK(columns_split(&reading->columns, reading->lines, line, words, WORDS, &count));
	if (count == 0 || *words[0].start == '#')
		return SONDE_OK;
	if (reading->of_srim && reading->in_table && *words[0].start == '-') {
		*end = true;
		return SONDE_OK;
	}
	/* a line that does not begin with a number belongs to the heading */
	const char *stop = words[0].start + strcspn(words[0].start, " ,;\t");
	if (!reading->in_table && !text_parse_real(words[0].start, stop, &number))
		return read_heading(reading, line);
	if (!reading->in_table) {
		reading->in_table = true;
		return read_line(reading, line, end);
	}
	return read_row(reading, words, count);
}

/* The factor to eV/Angstrom is below SR's table. */
static sonde_status read_unit(struct reading *reading)
{
	struct word words[WORDS];
	char *line;

	for (;;) {
		CHECK(line_reader_next(reading->lines, &line));
		if (line == NULL)
			return reading->unit > 0.0
				   ? SONDE_OK
				   : status_fail_file(
					 SONDE_INVALID, line_reader_path(reading->lines),
					 "has no line 'NUMBER eV / Angstrom' below its table, so that the "
					 "unit is unknown");
		if (strstr(line, "eV / Angstrom") == NULL || words_split(line, words, WORDS) < 1)
			continue;
		CHECK(word_real(reading->lines, &words[0], "the factor to eV/Angstrom", &reading->unit));
		return reading->unit > 0.0 && reading->unit < LARGEST
			   ? SONDE_OK
			   : line_fail(reading->lines, "the factor to eV/Angstrom must be above 0");
	}
}

static sonde_status read_all(struct reading *reading)
{
	struct stopping_file *file = reading->file;
	bool end = false;
	char *line;

	while (!end) {
		CHECK(line_reader_next(reading->lines, &line));
		if (line == NULL)
			break;
		CHECK(read_line(reading, line, &end));
	}
	if (file->count < 2)
		return status_fail_file(
		    SONDE_INVALID, line_reader_path(reading->lines),
		    "has %zu rows of energy and stopping; at least two are needed, as written by SRIM's SR "
		    "or as columns of keV and eV/Angstrom",
		    file->count);
	if (reading->of_srim)
		CHECK(read_unit(reading));
	else
		reading->unit = 1.0;
	/* 1 eV/Angstrom = 10 eV/nm */
	for (size_t k = 0; k < file->count; ++k) {
		file->points[k].energy /= file->mass;
		file->points[k].value *= 10.0 * reading->unit;
	}
	return SONDE_OK;
}

sonde_status stopping_file_read(const char *path, int z1, struct stopping_file **file)
{
	struct reading reading = {.z1 = z1, .columns.needed = 2};
	sonde_status status;

	*file = NULL;
	CHECK(line_reader_open(&reading.lines, path));
	CHECK_GOTO(status, memory_allocate(file, 1, sizeof **file, "the stopping"), done);
	reading.file = *file;
	(*file)->mass = element_of(z1).isotope_mass;
	status = read_all(&reading);
	if (status != SONDE_OK)
		stopping_file_free(file);
done:
	line_reader_close(&reading.lines);
	return status;
}

void stopping_file_free(struct stopping_file **file)
{
	if (*file != NULL)
		free((*file)->points);
	free(*file);
	*file = NULL;
}

/* The row of an energy between the first and the last one, with the energy of the next row above it. */
static size_t find_row(const struct stopping_file *file, double energy)
{
	size_t low = 0, high = file->count - 1;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (file->points[middle].energy <= energy)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* ln S, relative to that of row `low`, linear in ln E. */
static double between(const struct stopping_file *file, size_t low, double energy)
{
	const struct stopping_point *points = file->points + low;

	return log(points[1].value / points[0].value) * log(energy / points[0].energy) /
	       log(points[1].energy / points[0].energy);
}

double stopping_file_value(const struct stopping_file *file, double energy, double atoms)
{
	const struct stopping_point *points = file->points;
	const size_t high = file->count - 1;
	double scale = file->atoms > 0.0 ? atoms / file->atoms : 1.0;

	if (energy <= points[0].energy)
		return scale * points[0].value * sqrt(energy / points[0].energy);
	if (energy >= points[high].energy)
		return scale * points[high].value;
	const size_t low = find_row(file, energy);
	const double share = log(energy / points[low].energy) / log(points[low + 1].energy / points[low].energy);
	return scale * points[low].value * pow(points[low + 1].value / points[low].value, share);
}

/* The same by a polynomial through `rows` rows from `first` on. */
static double by_polynomial(const struct stopping_file *file, size_t first, size_t rows, size_t low, double energy)
{
	const struct stopping_point *points = file->points + first;
	double sum = 0.0;

	for (size_t j = 0; j < rows; ++j) {
		double weight = 1.0;
		for (size_t k = 0; k < rows; ++k)
			weight *=
			    k == j ? 1.0 : log(energy / points[k].energy) / log(points[j].energy / points[k].energy);
		sum += weight * log(points[j].value / file->points[low].value);
	}
	return sum;
}

double stopping_file_error(const struct stopping_file *file, double energy)
{
	enum { ROWS = 4 };
	const struct stopping_point *points = file->points;

	if (energy <= points[0].energy || energy >= points[file->count - 1].energy)
		return 0.0;
	const size_t low = find_row(file, energy), rows = file->count < ROWS ? file->count : ROWS,
		     last = file->count - rows;
	const double line = between(file, low, energy);
	if (rows == 2) {
		const double share = (energy - points[0].energy) / (points[1].energy - points[0].energy);
		return fabs((1.0 + share * (points[1].value / points[0].value - 1.0)) / exp(line) - 1.0);
	}
	const size_t first = low < 1 ? 0 : low - 1 > last ? last : low - 1;
	return fabs(expm1(by_polynomial(file, first, rows, low, energy) - line));
}
