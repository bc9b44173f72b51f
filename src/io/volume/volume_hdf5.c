#include "io/volume/volume_hdf5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/containers/hdf5.h"
#include "io/volume/grid_axes.h"

/* Paths of volumes: in volume files, and in results. */
static const struct place {
	const char *group, *values, *vectors;
} places[] = {{"/volume/data", "values", "vectors"}, {"/coulomb/potential", "potential", "field"}};

static const char *in(const struct place *place, const char *name, char path[96])
{
	snprintf(path, 96, "%s/%s", place->group, name);
	return path;
}

/* NeXus uses the UDUNITS spelling, "V/angstrom"; everywhere else it is V/Angstrom. */
static void spell_angstrom(char *unit, const char *from, const char *to)
{
	size_t length = strlen(unit), end = strlen(from);

	if (length >= end && strcmp(unit + length - end, from) == 0)
		memcpy(unit + length - end, to, end);
}

sonde_status volume_hdf5_write(const char *path, const struct volume *volume, bool overwrite)
{
	const struct grid *grid = &volume->grid;
	const char *const *names = grid_axis_names(grid), *const axes[] = {names[2], names[1], names[0], "."};
	/* the last index of a dataset is the fastest */
	const int64_t sizes[4] = {grid->size[2], grid->size[1], grid->size[0], 3}, three = 3, steps[2] = {3, 3};
	struct hdf5_writer *writer;

	CHECK(hdf5_writer_create(&writer));
	hdf5_writer_text_attribute(writer, "/", "default", "volume");
	hdf5_writer_group(writer, "/volume", "NXentry");
	hdf5_writer_text_attribute(writer, "/volume", "default", "data");
	hdf5_writer_text(writer, "/volume/title", volume->title);
	hdf5_writer_group(writer, "/volume/data", "NXdata");
	hdf5_writer_text_attribute(writer, "/volume/data", "signal", volume->values != NULL ? "values" : "vectors");
	hdf5_writer_texts_attribute(writer, "/volume/data", "axes", axes, volume->values != NULL ? 3 : 4);
	const sonde_status status = grid_axes_write(writer, "/volume/data", grid);
	if (status != SONDE_OK) {
		hdf5_writer_discard(&writer);
		return status;
	}
	hdf5_writer_reals(writer, "/volume/data/origin", grid->origin, &three, 1, "angstrom", NULL);
	hdf5_writer_reals(writer, "/volume/data/steps", grid->steps[0], steps, 2, "angstrom", NULL);
	if (volume->values != NULL)
		hdf5_writer_reals(writer, "/volume/data/values", volume->values, sizes, 3,
				  volume->unit[0] != '\0' ? volume->unit : NULL, volume->title);
	char vector_unit[sizeof volume->vector_unit];
	memcpy(vector_unit, volume->vector_unit, sizeof vector_unit);
	spell_angstrom(vector_unit, "/Angstrom", "/angstrom");
	if (volume->vectors != NULL)
		hdf5_writer_reals(writer, "/volume/data/vectors", volume->vectors, sizes, 4,
				  vector_unit[0] != '\0' ? vector_unit : NULL, volume->title);
	return hdf5_writer_finish(&writer, path, overwrite);
}

/* Numbers at `name`, of count `wanted` unless that is 0. */
static sonde_status read_numbers(struct hdf5_reader *reader, const char *path, const char *name, int64_t wanted,
				 double **values, int64_t *count)
{
	*values = NULL;
	CHECK(hdf5_reader_reals(reader, name, values, count));
	if (*count > 0 && (wanted == 0 || *count == wanted))
		return SONDE_OK;
	free(*values);
	*values = NULL;
	bool sets = wanted > 9 && *count > wanted && *count % wanted == 0;
	return status_fail_file(
	    SONDE_INVALID, path, "%s has %lld numbers instead of %lld%s", name, (long long)*count, (long long)wanted,
	    sets ? "; for several sets of charges 'sonde coulomb' writes volumes itself, as with -o phi.dx" : "");
}

static sonde_status read_vector(struct hdf5_reader *reader, const char *path, const char *name, int count, double *to)
{
	double *values;
	int64_t found;

	CHECK(read_numbers(reader, path, name, count, &values, &found));
	memcpy(to, values, (size_t)count * sizeof *to);
	free(values);
	return SONDE_OK;
}

static sonde_status read_place(struct hdf5_reader *reader, const char *path, const struct place *place,
			       struct volume *volume)
{
	struct grid *grid = &volume->grid;
	char name[96];
	int64_t found;

	for (int k = 0; k < 3; ++k) {
		double *axis;
		CHECK(read_numbers(reader, path, grid_axis_path(reader, place->group, k, name), 0, &axis,
				   &grid->size[k]));
		free(axis);
	}
	CHECK(volume_check_size(path, grid->size));
	int64_t points = grid->size[0] * grid->size[1] * grid->size[2];
	CHECK(read_vector(reader, path, in(place, "origin", name), 3, grid->origin));
	CHECK(read_vector(reader, path, in(place, "steps", name), 9, grid->steps[0]));
	if (hdf5_reader_has(reader, in(place, place->values, name))) {
		CHECK(read_numbers(reader, path, name, points, &volume->values, &found));
		hdf5_reader_unit(reader, name, volume->unit, sizeof volume->unit);
	}
	if (hdf5_reader_has(reader, in(place, place->vectors, name))) {
		CHECK(read_numbers(reader, path, name, 3 * points, &volume->vectors, &found));
		hdf5_reader_unit(reader, name, volume->vector_unit, sizeof volume->vector_unit);
		spell_angstrom(volume->vector_unit, "/angstrom", "/Angstrom");
	}
	if (volume->values == NULL && volume->vectors == NULL)
		return status_fail_file(SONDE_INVALID, path, "%s has no values", place->group);
	return SONDE_OK;
}

static sonde_status read_title(struct hdf5_reader *reader, const char *name, struct volume *volume)
{
	char *title;

	if (!hdf5_reader_has(reader, name))
		return SONDE_OK;
	CHECK(hdf5_reader_text(reader, name, &title));
	snprintf(volume->title, VOLUME_TITLE, "%.*s", (int)strcspn(title, "\r\n"), title);
	free(title);
	return SONDE_OK;
}

sonde_status volume_hdf5_read(const char *path, struct volume *volume)
{
	struct hdf5_reader *reader;
	sonde_status status = SONDE_INVALID;
	char name[96];
	size_t p = 0;

	CHECK(hdf5_reader_open(&reader, path));
	while (p < sizeof places / sizeof *places && !hdf5_reader_has(reader, in(&places[p], "steps", name)))
		++p;
	if (p == sizeof places / sizeof *places)
		status = status_fail_file(
		    SONDE_INVALID, path, "contains no volume: neither /volume/data nor /coulomb/potential on a grid");
	else
		status = read_place(reader, path, &places[p], volume);
	if (status == SONDE_OK)
		status = read_title(reader, p == 0 ? "/volume/title" : "/coulomb/title", volume);
	hdf5_reader_close(&reader);
	return status;
}
