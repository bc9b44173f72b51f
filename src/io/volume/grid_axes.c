#include "io/volume/grid_axes.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vectors.h"

static const char *const coordinates[] = {"x", "y", "z"}, *const along_steps[] = {"a", "b", "c"};

static bool has_coordinates(const struct grid *grid)
{
	for (int k = 0; k < 3; ++k)
		for (int c = 0; c < 3 && grid->size[k] > 1; ++c)
			if (c != k && grid->steps[k][c] != 0.0)
				return false;
	return true;
}

const char *const *grid_axis_names(const struct grid *grid)
{
	return has_coordinates(grid) ? coordinates : along_steps;
}

bool grid_is_line(const struct grid *grid)
{
	return (grid->size[0] > 1) + (grid->size[1] > 1) + (grid->size[2] > 1) < 2;
}

/* first, first + step, ... */
static sonde_status write_places(struct hdf5_writer *writer, const char *group, const char *name, double first,
				 double step, int64_t count, const char *long_name)
{
	char path[96];
	double *places;

	CHECK(memory_allocate(&places, (size_t)count, sizeof *places, "an axis"));
	for (int64_t n = 0; n < count; ++n)
		places[n] = first + (double)n * step;
	snprintf(path, sizeof path, "%s/%s", group, name);
	hdf5_writer_reals(writer, path, places, &count, 1, "angstrom", long_name);
	free(places);
	return SONDE_OK;
}

static sonde_status write_distances(struct hdf5_writer *writer, const char *group, const struct grid *grid)
{
	for (int k = 0; k < 3; ++k) {
		char name[24];
		snprintf(name, sizeof name, "along step %s", along_steps[k]);
		CHECK(write_places(writer, group, along_steps[k], 0.0, vector_length(grid->steps[k]), grid->size[k],
				   grid_is_line(grid) && grid->size[k] > 1 ? "along the line" : name));
	}
	return SONDE_OK;
}

/* Coordinates of the points of a line. */
static sonde_status write_line(struct hdf5_writer *writer, const char *group, const struct grid *grid)
{
	const int k = grid->size[0] > 1 ? 0 : grid->size[1] > 1 ? 1 : 2;

	for (int c = 0; c < 3; ++c)
		CHECK(write_places(writer, group, coordinates[c], grid->origin[c], grid->steps[k][c], grid->size[k],
				   coordinates[c]));
	return SONDE_OK;
}

sonde_status grid_axes_write(struct hdf5_writer *writer, const char *group, const struct grid *grid)
{
	if (!has_coordinates(grid)) {
		CHECK(write_distances(writer, group, grid));
		return grid_is_line(grid) ? write_line(writer, group, grid) : SONDE_OK;
	}
	for (int k = 0; k < 3; ++k)
		CHECK(write_places(writer, group, coordinates[k], grid->origin[k], grid->steps[k][k], grid->size[k],
				   coordinates[k]));
	return SONDE_OK;
}

const char *grid_axis_path(struct hdf5_reader *reader, const char *group, int k, char path[96])
{
	snprintf(path, 96, "%s/%s", group, along_steps[k]);
	if (!hdf5_reader_has(reader, path))
		snprintf(path, 96, "%s/%s", group, coordinates[k]);
	return path;
}
