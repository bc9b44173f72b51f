#include "io/volume/volume_formats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "io/text/text_output.h"
#include "io/volume/cube.h"
#include "io/volume/dx.h"
#include "io/volume/mrc.h"
#include "io/volume/volume_hdf5.h"
#include "io/volume/volume_output.h"
#include "io/volume/vtk.h"
#include "sonde/volume.h"

#define BLOCK 65536 /* bytes between two writes */
#define POINTS_AT_ONCE (1 << 20)
#define THREADS_OF_CONVERSION 4
#define UNIT "unit: "
#define FIELD_UNIT "field unit: "
#define PER_ANGSTROM "/Angstrom"

static sonde_status append_table(const struct volume *volume, bool csv, struct text_output *file)
{
	const struct grid *grid = &volume->grid;
	char separator = csv ? ',' : ' ';

	if (volume->comments != NULL)
		text_append(&file->block, "%s", volume->comments);
	else
		text_append(&file->block, "# %s\n", volume->title);
	text_append(&file->block, csv ? "x,y,z%s%s\n" : "# x y z [Angstrom]%s%s\n",
		    volume->values == NULL ? ""
		    : csv                  ? ",value"
					   : " value",
		    volume->vectors == NULL ? ""
		    : csv                   ? ",vector_x,vector_y,vector_z"
					    : " vector");
	for (int64_t n = 0; n < grid->size[0] * grid->size[1] * grid->size[2]; ++n) {
		const int64_t rows = n / grid->size[0];
		const double index[3] = {(double)(n % grid->size[0]), (double)(rows % grid->size[1]),
					 floor((double)rows / (double)grid->size[1])};
		for (int c = 0; c < 3; ++c) {
			double place = grid->origin[c];
			for (int k = 0; k < 3; ++k)
				place += index[k] * grid->steps[k][c];
			if (c > 0)
				text_append(&file->block, "%c", separator);
			text_append_real(&file->block, place);
		}
		if (volume->values != NULL)
			text_append(&file->block, "%c%.15g", separator, volume->values[n]);
		for (int c = 0; volume->vectors != NULL && c < 3; ++c)
			text_append(&file->block, "%c%.15g", separator, volume->vectors[3 * n + c]);
		text_append(&file->block, "\n");
		if (file->block.size > BLOCK)
			CHECK(text_output_flush(file));
	}
	return SONDE_OK;
}

static sonde_status write_table(const char *path, const struct volume *volume, bool overwrite)
{
	struct text_output file;

	CHECK(text_output_open(&file, path, overwrite));
	return text_output_close(&file, append_table(volume, file_has_suffix(path, ".csv"), &file));
}

static const struct volume_format formats[] = {
    {.suffixes = {".dx", ".dx.gz"},
     .name = "OpenDX",
     .any_steps = true,
     .text = true,
     .reversed = true,
     .begin = dx_begin,
     .add = dx_add,
     .end = dx_end,
     .read = dx_read},
    {.suffixes = {".cube", ".cub", ".cube.gz"},
     .name = "cube",
     .any_steps = true,
     .text = true,
     .reversed = true,
     .begin = cube_begin,
     .add = cube_add,
     .read = cube_read},
    {.suffixes = {".mrc", ".map", ".ccp4"},
     .name = "MRC",
     .begin = mrc_begin,
     .add = mrc_add,
     .end = mrc_end,
     .read = mrc_read},
    {.suffixes = {".vtk"}, .name = "VTK", .vectors = true, .begin = vtk_begin, .add = vtk_add, .read = vtk_read},
    {.suffixes = {".h5", ".hdf5", ".nxs"},
     .name = "HDF5",
     .vectors = true,
     .any_steps = true,
     .write = volume_hdf5_write,
     .read = volume_hdf5_read},
    {.suffixes = {".xy", ".dat", ".txt", ".csv"},
     .name = "table",
     .vectors = true,
     .any_steps = true,
     .write = write_table},
};

/* The longest known ending of the name; null if there is none. */
static const char *find_suffix(const char *path, const struct volume_format **format)
{
	const char *longest = NULL;

	*format = NULL;
	for (size_t f = 0; f < sizeof formats / sizeof *formats; ++f) {
		for (size_t k = 0; formats[f].suffixes[k] != NULL; ++k) {
			const char *suffix = formats[f].suffixes[k];
			if (!file_has_suffix(path, suffix) || (longest != NULL && strlen(longest) > strlen(suffix)))
				continue;
			longest = suffix;
			*format = &formats[f];
		}
	}
	return longest;
}

const struct volume_format *volume_format(const char *path)
{
	const struct volume_format *format;

	(void)find_suffix(path, &format);
	return format;
}

const char *volume_suffix(const char *path)
{
	const struct volume_format *format;
	const char *suffix = find_suffix(path, &format);

	return suffix != NULL ? suffix : "";
}

static sonde_status find_format(const char *path, const struct volume_format **format)
{
	char endings[200] = "";

	*format = volume_format(path);
	if (*format != NULL)
		return SONDE_OK;
	for (size_t f = 0; f < sizeof formats / sizeof *formats; ++f)
		for (size_t k = 0; formats[f].suffixes[k] != NULL; ++k)
			snprintf(endings + strlen(endings), sizeof endings - strlen(endings), " %s",
				 formats[f].suffixes[k]);
	return status_fail_file(SONDE_INVALID, path, "not a volume by its name; the possible endings are%s", endings);
}

/* The word that follows `before` in a text, up to a blank, comma or semicolon. */
static void find_word(const char *text, const char *before, char *word, size_t size)
{
	const char *found = text != NULL ? strstr(text, before) : NULL;

	if (word[0] != '\0' || found == NULL)
		return;
	found += strlen(before);
	snprintf(word, size, "%.*s", (int)strcspn(found, " ,;\r\n"), found);
}

struct unit_names {
	char values[32], vectors[48];
};

/* Units in titles written by name_units() and `sonde coulomb`; titles of other programs may contain the same words
 * with another meaning. */
static void find_units_in_title(const char *title, struct unit_names *units)
{
	if (strncmp(title, UNIT, strlen(UNIT)) == 0)
		find_word(title, UNIT, units->values, sizeof units->values);
	if (strncmp(title, UNIT, strlen(UNIT)) == 0 || strncmp(title, FIELD_UNIT, strlen(FIELD_UNIT)) == 0)
		find_word(title, FIELD_UNIT, units->vectors, sizeof units->vectors);
	if (strstr(title, "sonde ") == NULL)
		return;
	find_word(title, "potential in ", units->values, sizeof units->values);
	find_word(title, "field in ", units->vectors, sizeof units->vectors);
}

/* The unit of the field whose potential has the unit `values`. */
static void derive_unit(struct unit_names *units)
{
	if (units->vectors[0] == '\0' && units->values[0] != '\0')
		snprintf(units->vectors, sizeof units->vectors, "%s" PER_ANGSTROM, units->values);
}

/* Formats without a place for units have them in a comment or in the title. */
static void find_units(struct volume *volume)
{
	struct unit_names units;

	memcpy(units.values, volume->unit, sizeof units.values);
	memcpy(units.vectors, volume->vector_unit, sizeof units.vectors);
	find_word(volume->comments, "# " UNIT, units.values, sizeof units.values);
	find_units_in_title(volume->title, &units);
	derive_unit(&units);
	snprintf(volume->unit, sizeof volume->unit, "%s", volume->values != NULL ? units.values : "");
	snprintf(volume->vector_unit, sizeof volume->vector_unit, "%s", volume->vectors != NULL ? units.vectors : "");
}

#define FLATTEST 1e-9 /* volume spanned by unit vectors along the steps */

/* Steps must be nonzero and linearly independent; along a direction with one point any step is allowed. */
static sonde_status check_steps(const char *path, const struct grid *grid)
{
	static const char axis[] = "abc";
	double u[3][3] = {{0.0}};

	for (int k = 0; k < 3; ++k) {
		const double *s = grid->steps[k];
		double length = sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
		if (grid->size[k] < 2)
			continue;
		if (!(length > 0.0 && length < INFINITY))
			return status_fail_file(SONDE_INVALID, path,
						"step %c of the grid is %g %g %g Angstrom, with %lld points along it",
						axis[k], s[0], s[1], s[2], (long long)grid->size[k]);
		for (int c = 0; c < 3; ++c)
			u[k][c] = s[c] / length;
	}
	for (int k = 0; k < 3; ++k) {
		const double *v = u[(k + 1) % 3], *w = u[(k + 2) % 3];
		double n[3] = {v[1] * w[2] - v[2] * w[1], v[2] * w[0] - v[0] * w[2], v[0] * w[1] - v[1] * w[0]};
		bool both = grid->size[(k + 1) % 3] > 1 && grid->size[(k + 2) % 3] > 1;
		double area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
		double volume = fabs(n[0] * u[k][0] + n[1] * u[k][1] + n[2] * u[k][2]);
		if (both && (area < FLATTEST || (grid->size[k] > 1 && volume < FLATTEST)))
			return status_fail_file(SONDE_INVALID, path, "the steps of the grid lie in one %s",
						area < FLATTEST ? "line" : "plane");
	}
	return SONDE_OK;
}

sonde_status volume_read(const char *path, struct volume *volume)
{
	const struct volume_format *format;

	*volume = (struct volume){0};
	CHECK(find_format(path, &format));
	if (format->read == NULL)
		return status_fail_file(SONDE_INVALID, path, "tables can be written, but not read");
	sonde_status status = format->read(path, volume);
	if (status == SONDE_OK)
		status = check_steps(path, &volume->grid);
	if (status != SONDE_OK)
		volume_free(volume);
	else
		find_units(volume);
	return status;
}

static bool is_along_axes(const struct grid *grid)
{
	for (int k = 0; k < 3; ++k)
		for (int c = 0; c < 3; ++c)
			if (c == k ? !(grid->steps[k][c] > 0.0) : grid->steps[k][c] != 0.0)
				return false;
	return true;
}

sonde_status volume_check(const char *path, const struct grid *grid, bool values, bool vectors)
{
	const struct volume_format *format;

	CHECK(find_format(path, &format));
	if (!values && !format->vectors)
		return status_fail_file(SONDE_INVALID, path,
					"holds one number per point; write vectors as .vtk, .h5 or .csv");
	if (vectors && !format->vectors)
		return status_fail_file(
		    SONDE_INVALID, path,
		    "holds one number per point, and no field in addition to the potential; write both as "
		    ".vtk, .h5 or .csv, or one of them");
	if (!format->any_steps && !is_along_axes(grid))
		return status_fail_file(SONDE_INVALID, path,
					"holds grids along x, y and z; write this one as .dx, .cube, .h5 or .csv");
	return SONDE_OK;
}

/* Planes of constant first index, the last index being the fastest, in groups sized for memory and threads. */
static sonde_status add_reversed(struct volume_output *output, const struct volume *volume)
{
	const int64_t *size = volume->grid.size, plane = size[1] * size[2];
	int64_t together = plane < POINTS_AT_ONCE ? (POINTS_AT_ONCE + plane - 1) / plane : 1;
	sonde_status status = SONDE_OK;
	double *values;

	CHECK(memory_allocate(&values, (size_t)(together * plane), sizeof *values, "the volume"));
	for (int64_t first = 0; first < size[0] && status == SONDE_OK; first += together) {
		int64_t end = first + together < size[0] ? first + together : size[0];
		double *to = values;
		for (int64_t i = first; i < end; ++i)
			for (int64_t j = 0; j < size[1]; ++j)
				for (int64_t k = 0; k < size[2]; ++k)
					*to++ = volume->values[i + size[0] * (j + size[1] * k)];
		status = volume_output_add(output, values, NULL, (end - first) * plane);
	}
	free(values);
	return status;
}

sonde_status volume_write(const char *path, const struct volume *volume, int threads, bool overwrite)
{
	const struct grid *grid = &volume->grid;
	const struct volume_format *format = volume_format(path);
	struct volume_output output;
	sonde_status status;

	CHECK(volume_check(path, grid, volume->values != NULL, volume->vectors != NULL));
	if (format->begin == NULL)
		return format->write(path, volume, overwrite);
	CHECK(volume_output_open(&output, path, volume, volume->values != NULL, volume->vectors != NULL, threads,
				 overwrite));
	if (format->reversed && volume->values != NULL)
		status = add_reversed(&output, volume);
	else
		status = volume_output_add(&output, volume->values, volume->vectors,
					   grid->size[0] * grid->size[1] * grid->size[2]);
	return volume_output_close(&output, status);
}

/* For formats without a place for units: they are put at the start of a title that lacks them, since MRC files truncate titles.
 * */
static void name_units(struct volume *volume)
{
	struct unit_names units = {"", ""};
	char names[sizeof volume->unit + sizeof volume->vector_unit + 24] = "";

	find_units_in_title(volume->title, &units);
	if (volume->unit[0] != '\0' && strcmp(volume->unit, units.values) != 0) {
		snprintf(names, sizeof names, UNIT "%s; ", volume->unit);
		memcpy(units.values, volume->unit, sizeof units.values);
	}
	derive_unit(&units);
	if (volume->vector_unit[0] != '\0' && strcmp(volume->vector_unit, units.vectors) != 0) {
		size_t length = strlen(names);
		snprintf(names + length, sizeof names - length, FIELD_UNIT "%s; ", volume->vector_unit);
	}
	size_t used = strlen(names), kept = strnlen(volume->title, sizeof volume->title - 1 - used);
	memmove(volume->title + used, volume->title, kept);
	memcpy(volume->title, names, used);
	volume->title[used + kept] = '\0';
}

sonde_status volume_convert(const char *from, const char *to, bool overwrite, struct volume_conversion *conversion)
{
	const struct volume_format *format;
	struct volume volume;

	*conversion = (struct volume_conversion){.note = ""};
	char *note = conversion->note;
	CHECK(find_format(to, &format));
	CHECK(file_check_output(to, overwrite));
	CHECK(volume_read(from, &volume));
	name_units(&volume);
	if (volume.values != NULL && volume.vectors != NULL && !format->vectors) {
		free(volume.vectors);
		volume.vectors = NULL;
		snprintf(note, VOLUME_TITLE, "%s files hold one number per point: the field was left out",
			 format->name);
	}
	if (volume.lengths_assumed) {
		size_t length = strlen(note);
		snprintf(note + length, VOLUME_TITLE - length, "%sno unit of lengths in the title: taken as Angstrom",
			 length > 0 ? "; " : "");
	}
	conversion->from = volume_format(from)->name;
	conversion->to = format->name;
	conversion->grid = volume.grid;
	conversion->values = volume.values != NULL;
	conversion->vectors = volume.vectors != NULL;
	memcpy(conversion->unit, volume.unit, sizeof conversion->unit);
	memcpy(conversion->vector_unit, volume.vector_unit, sizeof conversion->vector_unit);
	sonde_status status = volume_write(to, &volume, THREADS_OF_CONVERSION, overwrite);
	volume_free(&volume);
	return status;
}

sonde_status sonde_volume_convert(const char *from, const char *to, int overwrite)
{
	struct volume_conversion conversion = {.note = ""};

	if (from == NULL || to == NULL)
		return status_fail(SONDE_INVALID, "two names are needed, one of them is null");
	return volume_convert(from, to, overwrite != 0, &conversion);
}

sonde_status volume_output_open(struct volume_output *output, const char *path, const struct volume *header,
				bool values, bool vectors, int threads, bool overwrite)
{
	const struct volume_format *format = volume_format(path);
	sonde_status status;

	*output = (struct volume_output){0};
	CHECK(volume_check(path, &header->grid, values, vectors));
	if (format->begin == NULL)
		return status_fail_file(SONDE_INVALID, path, "cannot be written in parts");
	*output = (struct volume_output){.format = format,
					 .header = header,
					 .values = values,
					 .vectors = vectors && format->vectors,
					 .threads = threads};
	if (format->text)
		status = text_output_open(&output->text, path, overwrite);
	else
		status = file_output_open(&output->binary, path, overwrite);
	if (status == SONDE_OK)
		status = format->begin(output);
	return status == SONDE_OK ? SONDE_OK : volume_output_close(output, status);
}
