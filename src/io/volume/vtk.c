#include "io/volume/vtk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/text.h"
#include "io/containers/bytes.h"

#define BLOCK 4096 /* numbers between two writes */
#define LINE 512
#define WORD 64
#define LENGTHS "lengths in " /* in the title, since the format has no place for units */

/* Legacy files are big-endian. */
static uint64_t swapped(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	bits = __builtin_bswap64(bits);
#endif
	return bits;
}

static bool write_numbers(FILE *stream, const double *values, int64_t count)
{
	uint64_t block[BLOCK] = {0};

	for (int64_t done = 0; done < count; done += BLOCK) {
		size_t now = count - done < BLOCK ? (size_t)(count - done) : BLOCK;
		for (size_t k = 0; k < now; ++k)
			block[k] = swapped(values[done + (int64_t)k]);
		if (fwrite(block, sizeof *block, now, stream) != now)
			return false;
	}
	return true;
}

/* The offsets of values and vectors are known in advance. */
sonde_status vtk_begin(struct volume_output *output)
{
	const struct grid *grid = &output->header->grid;
	FILE *stream = output->binary.stream;
	int64_t count = grid->size[0] * grid->size[1] * grid->size[2];
	const char *title = output->header->title,
		   *lengths = title[0] != '\0' ? ", " LENGTHS "Angstrom" : LENGTHS "Angstrom";
	struct text header = {0};

	/* text_append() writes decimal points in any locale */
	text_append(&header,
		    "# vtk DataFile Version 3.0\n%s%s\nBINARY\nDATASET STRUCTURED_POINTS\n"
		    "DIMENSIONS %lld %lld %lld\nORIGIN %.17g %.17g %.17g\nSPACING %.17g %.17g %.17g\n"
		    "POINT_DATA %lld\n",
		    title, strstr(title, LENGTHS) == NULL ? lengths : "", (long long)grid->size[0],
		    (long long)grid->size[1], (long long)grid->size[2], grid->origin[0], grid->origin[1],
		    grid->origin[2], grid->steps[0][0], grid->steps[1][1], grid->steps[2][2], (long long)count);
	bool written = !header.failed && fwrite(header.bytes, 1, header.size, stream) == header.size;
	text_free(&header);
	if (output->values) {
		written = written && fprintf(stream, "SCALARS potential double 1\nLOOKUP_TABLE default\n") > 0;
		output->values_at = ftello(stream);
		written = written &&
			  fseeko(stream, output->values_at + count * (int64_t)sizeof(double), SEEK_SET) == 0 &&
			  fputc('\n', stream) != EOF;
	}
	if (output->vectors) {
		written = written && fprintf(stream, "VECTORS field double\n") > 0;
		output->vectors_at = ftello(stream);
		written = written &&
			  fseeko(stream, output->vectors_at + 3 * count * (int64_t)sizeof(double), SEEK_SET) == 0 &&
			  fputc('\n', stream) != EOF;
	}
	return written ? SONDE_OK : volume_output_fail(output);
}

sonde_status vtk_add(struct volume_output *output, const double *values, const double *vectors, int64_t count)
{
	FILE *stream = output->binary.stream;
	int64_t at = output->written * (int64_t)sizeof(double);

	if (output->values &&
	    (fseeko(stream, output->values_at + at, SEEK_SET) != 0 || !write_numbers(stream, values, count)))
		return volume_output_fail(output);
	if (output->vectors && (fseeko(stream, output->vectors_at + 3 * at, SEEK_SET) != 0 ||
				!write_numbers(stream, vectors, 3 * count)))
		return volume_output_fail(output);
	return SONDE_OK;
}

/* A file that is being read, and its header. */
struct vtk_reading {
	struct byte_reader *reader;
	const char *path;
	struct volume *volume;
	bool binary, has_size, has_origin, has_spacing;
	int64_t points;
	char title[LINE], word[WORD];
};

static sonde_status next_word(struct vtk_reading *reading)
{
	return byte_reader_word(reading->reader, reading->word, sizeof reading->word);
}

static bool word_is_any(const char *word, const char *a, const char *b)
{
	return strcasecmp(word, a) == 0 || strcasecmp(word, b) == 0;
}

static sonde_status next_real(struct vtk_reading *reading, const char *what, double *value)
{
	CHECK(next_word(reading));
	if (!text_parse_real(reading->word, reading->word + strlen(reading->word), value))
		return status_fail_file(SONDE_INVALID, reading->path, "%s = '%.40s' is not a finite number", what,
					reading->word);
	return SONDE_OK;
}

static sonde_status next_integer(struct vtk_reading *reading, const char *what, int64_t *value)
{
	CHECK(next_word(reading));
	if (!text_parse_integer(reading->word, reading->word + strlen(reading->word), value))
		return status_fail_file(SONDE_INVALID, reading->path, "%s = '%.40s' is not a whole number", what,
					reading->word);
	return SONDE_OK;
}

static sonde_status read_binary(struct vtk_reading *reading, size_t each, int64_t wanted,
				struct volume_numbers *numbers)
{
	unsigned char block[8 * BLOCK];

	while (numbers->count < wanted) {
		size_t now = wanted - numbers->count < BLOCK ? (size_t)(wanted - numbers->count) : BLOCK;
		CHECK(byte_reader_take(reading->reader, block, now * each));
		for (size_t k = 0; k < now; ++k) {
			uint64_t bits = 0;
			double value;
			float single;
			for (size_t b = 0; b < each; ++b)
				bits = bits << 8 | block[k * each + b];
			uint32_t half = (uint32_t)bits;
			memcpy(&value, &bits, sizeof value);
			memcpy(&single, &half, sizeof single);
			value = each == 8 ? value : (double)single;
			if (!isfinite(value))
				return status_fail_file(SONDE_INVALID, reading->path,
							"value %lld is not a finite number",
							(long long)numbers->count + 1);
			CHECK(volume_numbers_add(numbers, value));
		}
	}
	return SONDE_OK;
}

/* The numbers of an array of `type`, with `components` per point. */
static sonde_status read_numbers(struct vtk_reading *reading, const char *type, int64_t components, double **to)
{
	size_t each = strcasecmp(type, "double") == 0 ? 8 : strcasecmp(type, "float") == 0 ? 4 : 0;
	int64_t wanted = components * reading->points;
	struct volume_numbers numbers = {0};
	sonde_status status = SONDE_OK;

	if (each == 0)
		return status_fail_file(SONDE_INVALID, reading->path,
					"numbers of type '%.40s' are not supported; double and float are", type);
	if (reading->binary) {
		status = read_binary(reading, each, wanted, &numbers);
	} else {
		while (numbers.count < wanted && status == SONDE_OK) {
			double value = 0.0;
			status = next_real(reading, "value", &value);
			if (status == SONDE_OK)
				status = volume_numbers_add(&numbers, value);
		}
	}
	if (status == SONDE_OK && *to == NULL)
		*to = numbers.values;
	else
		free(numbers.values); /* a second array: the first one is kept */
	return status;
}

/* Unit from the title of a file of `sonde fdtd`: "E in V/m, H in A/m"; `name` is that of the array, as E or Hx_real.
 * */
static void find_unit(const struct vtk_reading *reading, const char *name, char *unit, size_t size)
{
	const char before[] = {' ', name[0], ' ', 'i', 'n', ' ', '\0'};
	const char *found = strncmp(reading->title, "sonde fdtd, ", 12) == 0 && (name[0] == 'E' || name[0] == 'H')
				? strstr(reading->title, before)
				: NULL;

	if (found != NULL)
		snprintf(unit, size, "%.*s", (int)strcspn(found + 6, ","), found + 6);
}

/* "SCALARS potential double 1", then "LOOKUP_TABLE default" on a line of its own. */
static sonde_status read_scalars(struct vtk_reading *reading)
{
	char line[LINE], name[WORD], type[WORD], unused[WORD];
	int components = 1;

	CHECK(byte_reader_line(reading->reader, line, sizeof line));
	int found = sscanf(line, "%63s %63s %d", name, type, &components);
	if (found < 2 || components != 1)
		return status_fail_file(SONDE_INVALID, reading->path,
					"scalars need a name, a type and one number per point");
	CHECK(byte_reader_line(reading->reader, line, sizeof line));
	if (sscanf(line, "%63s", unused) != 1 || strcasecmp(unused, "LOOKUP_TABLE") != 0)
		return status_fail_file(SONDE_INVALID, reading->path, "scalars need a LOOKUP_TABLE");
	if (reading->volume->values == NULL)
		find_unit(reading, name, reading->volume->unit, sizeof reading->volume->unit);
	return read_numbers(reading, type, 1, &reading->volume->values);
}

static sonde_status read_vectors(struct vtk_reading *reading)
{
	char line[LINE], name[WORD], type[WORD];

	CHECK(byte_reader_line(reading->reader, line, sizeof line));
	if (sscanf(line, "%63s %63s", name, type) != 2)
		return status_fail_file(SONDE_INVALID, reading->path, "vectors need a name and a type");
	if (reading->volume->vectors == NULL)
		find_unit(reading, name, reading->volume->vector_unit, sizeof reading->volume->vector_unit);
	return read_numbers(reading, type, 3, &reading->volume->vectors);
}

static sonde_status read_part(struct vtk_reading *reading)
{
	struct grid *grid = &reading->volume->grid;

	if (word_is_any(reading->word, "DIMENSIONS", "DIMENSIONS")) {
		for (int k = 0; k < 3; ++k)
			CHECK(next_integer(reading, "DIMENSIONS", &grid->size[k]));
		reading->has_size = true;
		return volume_check_size(reading->path, grid->size);
	}
	if (word_is_any(reading->word, "ORIGIN", "ORIGIN")) {
		for (int k = 0; k < 3; ++k)
			CHECK(next_real(reading, "ORIGIN", &grid->origin[k]));
		reading->has_origin = true;
		return SONDE_OK;
	}
	if (word_is_any(reading->word, "SPACING", "ASPECT_RATIO")) {
		for (int k = 0; k < 3; ++k) {
			CHECK(next_real(reading, "SPACING", &grid->steps[k][k]));
			if (!(grid->steps[k][k] > 0.0))
				return status_fail_file(SONDE_INVALID, reading->path, "SPACING = %g is not positive",
							grid->steps[k][k]);
		}
		reading->has_spacing = true;
		return SONDE_OK;
	}
	if (word_is_any(reading->word, "POINT_DATA", "POINT_DATA")) {
		CHECK(next_integer(reading, "POINT_DATA", &reading->points));
		if (!reading->has_size || reading->points != grid->size[0] * grid->size[1] * grid->size[2])
			return status_fail_file(SONDE_INVALID, reading->path,
						"POINT_DATA = %lld does not fill the grid",
						(long long)reading->points);
		return SONDE_OK;
	}
	if (reading->points > 0 && word_is_any(reading->word, "SCALARS", "SCALARS"))
		return read_scalars(reading);
	if (reading->points > 0 && word_is_any(reading->word, "VECTORS", "VECTORS"))
		return read_vectors(reading);
	return status_fail_file(
	    SONDE_INVALID, reading->path,
	    "'%.40s' is not supported; points of DATASET STRUCTURED_POINTS with SCALARS and VECTORS are",
	    reading->word);
}

/* Whether there is another word. */
static bool has_more(struct vtk_reading *reading)
{
	return !byte_reader_ended(reading->reader) && next_word(reading) == SONDE_OK;
}

/* Converts lengths, and their unit in the title, to Angstrom. */
static void convert_lengths(struct vtk_reading *reading)
{
	static const struct {
		const char *name;
		double angstrom;
	} units[] = {{"Angstrom", 1.0}, {"nanometres", 10.0}, {"micrometres", 1e4}, {"metres", 1e10}};
	struct volume *volume = reading->volume;
	char *title = reading->title, *found = strstr(title, LENGTHS);
	double factor = 0.0;

	for (size_t u = 0; found != NULL && u < sizeof units / sizeof *units && factor == 0.0; ++u) {
		const char *unit = found + strlen(LENGTHS), *end = unit + strlen(units[u].name);
		if (strncmp(unit, units[u].name, strlen(units[u].name)) != 0)
			continue;
		factor = units[u].angstrom;
		snprintf(volume->title, VOLUME_TITLE, "%.*s%s%s", (int)(unit - title), title, units[0].name, end);
	}
	if (factor == 0.0)
		snprintf(volume->title, VOLUME_TITLE, "%.*s", VOLUME_TITLE - 1, title);
	/* the text added by vtk_begin() is not part of the title */
	size_t length = strlen(volume->title), added = strlen(LENGTHS "Angstrom");
	if (length >= added && strcmp(volume->title + length - added, LENGTHS "Angstrom") == 0) {
		length -= added;
		length -= length >= 2 && strncmp(volume->title + length - 2, ", ", 2) == 0 ? 2 : 0;
		volume->title[length] = '\0';
	}
	volume->lengths_assumed = factor == 0.0;
	for (int k = 0; k < 3 && factor > 0.0; ++k) {
		volume->grid.origin[k] *= factor;
		volume->grid.steps[k][k] *= factor;
	}
}

static sonde_status read_all(struct vtk_reading *reading)
{
	char line[LINE];

	CHECK(byte_reader_line(reading->reader, line, sizeof line));
	if (strncasecmp(line, "# vtk DataFile", 14) != 0)
		return status_fail_file(SONDE_INVALID, reading->path, "is not a VTK file of the legacy format");
	CHECK(byte_reader_line(reading->reader, line, sizeof line));
	memcpy(reading->title, line, sizeof line);
	CHECK(next_word(reading));
	reading->binary = strcasecmp(reading->word, "BINARY") == 0;
	if (!reading->binary && strcasecmp(reading->word, "ASCII") != 0)
		return status_fail_file(SONDE_INVALID, reading->path, "is neither ASCII nor BINARY");
	CHECK(next_word(reading));
	CHECK(next_word(reading));
	if (strcasecmp(reading->word, "STRUCTURED_POINTS") != 0)
		return status_fail_file(SONDE_INVALID, reading->path, "is not an image (DATASET STRUCTURED_POINTS)");
	while (has_more(reading))
		CHECK(read_part(reading));
	if (reading->volume->values == NULL && reading->volume->vectors == NULL)
		return status_fail_file(SONDE_INVALID, reading->path, "has neither SCALARS nor VECTORS");
	if (!reading->has_origin || !reading->has_spacing)
		return status_fail_file(SONDE_INVALID, reading->path, "needs ORIGIN and SPACING");
	convert_lengths(reading);
	return SONDE_OK;
}

sonde_status vtk_read(const char *path, struct volume *volume)
{
	struct vtk_reading reading = {.path = path, .volume = volume};

	CHECK(byte_reader_open(&reading.reader, path));
	sonde_status status = read_all(&reading);
	byte_reader_close(&reading.reader);
	return status;
}
