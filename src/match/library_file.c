#include "match/library_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/containers/hdf5_places.h"
#include "io/containers/hdf5_rows.h"

const char *const library_radiation_names[LIBRARY_RADIATIONS] = {"x-ray", "neutron", "electron"};
const char *const library_curve_names[LIBRARY_CURVES] = {"I_per_atom", "S", "F", "G"};

#define LIBRARY_PIECE 2048 /* candidates that are read at once */

const struct library_text library_texts[LIBRARY_TEXTS] = {
    {"/library/name", offsetof(struct library_candidate, name)},
    {"/library/source", offsetof(struct library_candidate, source)},
    {"/library/family", offsetof(struct library_candidate, family)},
    {"/library/parameters", offsetof(struct library_candidate, parameters)},
    {"/library/composition", offsetof(struct library_candidate, composition)}};

int64_t library_points(const struct library_head *head, enum library_curve curve)
{
	return curve == LIBRARY_G ? head->r_count : head->q_count;
}

const double *library_axis(const struct library_head *head, enum library_curve curve)
{
	return curve == LIBRARY_G ? head->r : head->q;
}

void library_head_free(struct library_head *head)
{
	free(head->physics);
	free(head->q);
	free(head->r);
	*head = (struct library_head){0};
}

void library_curve_path(enum library_curve curve, bool errors, char path[LIBRARY_PATH])
{
	snprintf(path, LIBRARY_PATH, "/library/curves/%s%s", library_curve_names[curve], errors ? "_error" : "");
}

bool library_is_one(const char *path)
{
	struct hdf5_reader *reader;

	if (hdf5_reader_open(&reader, path) != SONDE_OK)
		return false;
	const bool is = hdf5_reader_has(reader, "/library");
	hdf5_reader_close(&reader);
	return is;
}

static sonde_status damaged(const struct library *library, const char *what)
{
	return status_fail_file(SONDE_INVALID, library->path, "is a damaged library: %s", what);
}

static sonde_status read_radiation(struct library *library)
{
	char *text;

	CHECK(hdf5_reader_attribute(library->reader, "/library", "radiation", &text));
	int k = 0;
	while (k < LIBRARY_RADIATIONS && strcmp(text, library_radiation_names[k]) != 0)
		++k;
	free(text);
	if (k == LIBRARY_RADIATIONS)
		return damaged(library, "its radiation is not x-ray, neutron or electron");
	library->head.radiation = (enum library_radiation)k;
	return SONDE_OK;
}

static sonde_status check_format(struct library *library)
{
	char *text;

	if (!hdf5_reader_has(library->reader, "/library"))
		return status_fail_file(SONDE_INVALID, library->path, "is not a library: it has no group /library");
	CHECK(hdf5_reader_attribute(library->reader, "/library", "format", &text));
	const bool same = strcmp(text, LIBRARY_FORMAT) == 0;
	free(text);
	if (!same)
		return damaged(library, "its format is not '" LIBRARY_FORMAT "'");
	CHECK(hdf5_reader_attribute(library->reader, "/library", "version", &text));
	const bool known = strcmp(text, LIBRARY_VERSION) == 0;
	sonde_status status =
	    known
		? SONDE_OK
		: status_fail_file(SONDE_INVALID, library->path,
				   "is a library of version '%.16s', and this program reads version " LIBRARY_VERSION,
				   text);
	free(text);
	return status;
}

static sonde_status check_axis(const struct library *library, const double *axis, int64_t count)
{
	for (int64_t k = 0; k < count; ++k)
		if (!isfinite(axis[k]) || (k > 0 && !(axis[k] > axis[k - 1])))
			return damaged(library, "its axis does not increase");
	return count > 0 ? SONDE_OK : damaged(library, "its axis is empty");
}

static sonde_status read_axes(struct library *library)
{
	struct library_head *head = &library->head;
	char unit[32];

	hdf5_reader_unit(library->reader, "/library/axis", unit, sizeof unit);
	const bool of_r = strcmp(unit, "angstrom") == 0;
	if (!of_r && strcmp(unit, "1/angstrom") != 0)
		return damaged(library, "the unit of its axis is not 1/angstrom or angstrom");
	CHECK(hdf5_reader_reals(library->reader, "/library/axis", of_r ? &head->r : &head->q,
				of_r ? &head->r_count : &head->q_count));
	CHECK(check_axis(library, of_r ? head->r : head->q, of_r ? head->r_count : head->q_count));
	if (of_r || !hdf5_reader_has(library->reader, "/library/axis_r"))
		return SONDE_OK;
	CHECK(hdf5_reader_reals(library->reader, "/library/axis_r", &head->r, &head->r_count));
	return check_axis(library, head->r, head->r_count);
}

static sonde_status check_rows(const struct library *library, const char *path, int64_t columns)
{
	int64_t there;

	if (hdf5_reader_row_count(library->reader, path, &there) == library->count && there == columns)
		return SONDE_OK;
	return status_fail_file(SONDE_INVALID, library->path,
				"is a damaged library: %s is missing or has other sizes", path);
}

static sonde_status find_curves(struct library *library)
{
	struct library_head *head = &library->head;
	char path[LIBRARY_PATH];
	bool any = false;

	for (int k = 0; k < LIBRARY_CURVES; ++k) {
		library_curve_path((enum library_curve)k, false, path);
		head->has[k] = hdf5_reader_has(library->reader, path);
		any = any || head->has[k];
		if (!head->has[k])
			continue;
		if (library_points(head, (enum library_curve)k) == 0)
			return damaged(library, "a curve has no axis");
		CHECK(check_rows(library, path, library_points(head, (enum library_curve)k)));
		library_curve_path((enum library_curve)k, true, path);
		head->errors[k] = hdf5_reader_has(library->reader, path);
		if (head->errors[k])
			CHECK(check_rows(library, path, library_points(head, (enum library_curve)k)));
		library_curve_path((enum library_curve)k, false, path);
		CHECK(hdf5_places_find(library->reader, path, library_points(head, (enum library_curve)k),
				       &library->places[k]));
	}
	return any ? SONDE_OK : damaged(library, "it has no curves");
}

static sonde_status read_head(struct library *library)
{
	int64_t columns;

	CHECK(check_format(library));
	CHECK(read_radiation(library));
	CHECK(hdf5_reader_attribute(library->reader, "/library", "physics", &library->head.physics));
	library->count = hdf5_reader_row_count(library->reader, "/library/name", &columns);
	if (library->count < 0 || columns != 0)
		return damaged(library, "it has no names");
	CHECK(read_axes(library));
	CHECK(find_curves(library));
	for (size_t k = 0; k < LIBRARY_TEXTS; ++k)
		CHECK(check_rows(library, library_texts[k].path, 0));
	CHECK(check_rows(library, "/library/key", 0));
	CHECK(check_rows(library, "/library/atoms", 0));
	CHECK(check_rows(library, "/library/size", 0));
	library->head.coordinates = hdf5_reader_has(library->reader, "/library/coordinates");
	return SONDE_OK;
}

sonde_status library_open_any(const char *path, struct library *library)
{
	*library = (struct library){0};
	sonde_status status = memory_copy_text(path, &library->path, "a path");
	if (status == SONDE_OK)
		status = hdf5_reader_open(&library->reader, path);
	if (status == SONDE_OK)
		status = read_head(library);
	if (status != SONDE_OK)
		library_close(library);
	return status;
}

sonde_status library_open(const char *path, struct library *library)
{
	CHECK(library_open_any(path, library));
	if (library->count > 0)
		return SONDE_OK;
	library_close(library);
	return status_fail_file(SONDE_INVALID, path, "is an empty library");
}

void library_close(struct library *library)
{
	for (int k = 0; k < LIBRARY_CURVES; ++k)
		hdf5_places_free(&library->places[k]);
	hdf5_reader_close(&library->reader);
	library_head_free(&library->head);
	free(library->path);
	*library = (struct library){0};
}

static sonde_status read_rows(struct library *library, enum library_curve curve, bool errors, int64_t first,
			      int64_t count, float *rows)
{
	char path[LIBRARY_PATH];

	library_curve_path(curve, errors, path);
	const int64_t points = library_points(&library->head, curve);
	if (errors || library->places[curve] == NULL || !hdf5_places_read(library->places[curve], first, count, rows))
		CHECK(hdf5_reader_rows(library->reader, path, HDF5_ROW_SINGLE, points, first, count, rows));
	for (int64_t k = 0; k < count * points; ++k)
		if (!isfinite(rows[k]))
			return status_fail_file(SONDE_INVALID, library->path,
						"is a damaged library: a number of candidate %lld is not finite",
						(long long)(first + k / points + 1));
	return SONDE_OK;
}

sonde_status library_read_curves(struct library *library, enum library_curve curve, int64_t first, int64_t count,
				 float *rows)
{
	return read_rows(library, curve, false, first, count, rows);
}

sonde_status library_read_errors(struct library *library, enum library_curve curve, int64_t first, int64_t count,
				 float *rows)
{
	return read_rows(library, curve, true, first, count, rows);
}

int64_t library_piece(const struct library *library, enum library_curve curve)
{
	const int64_t rows = hdf5_rows_of_chunk(HDF5_ROW_SINGLE, library_points(&library->head, curve));

	return rows < LIBRARY_PIECE ? (LIBRARY_PIECE + rows - 1) / rows * rows : rows;
}

sonde_status library_read_entry(struct library *library, int64_t candidate, struct library_entry *entry)
{
	char **const texts[LIBRARY_TEXTS] = {&entry->name, &entry->source, &entry->family, &entry->parameters,
					     &entry->composition};
	struct hdf5_reader *reader = library->reader;

	*entry = (struct library_entry){0};
	sonde_status status = hdf5_reader_rows(reader, "/library/key", HDF5_ROW_DIGEST, 0, candidate, 1, entry->key);
	for (size_t k = 0; status == SONDE_OK && k < LIBRARY_TEXTS; ++k)
		status = hdf5_reader_row_text(reader, library_texts[k].path, candidate, texts[k]);
	if (status == SONDE_OK)
		status = hdf5_reader_rows(reader, "/library/atoms", HDF5_ROW_INTEGER, 0, candidate, 1, &entry->atoms);
	if (status == SONDE_OK)
		status = hdf5_reader_rows(reader, "/library/size", HDF5_ROW_REAL, 0, candidate, 1, &entry->size);
	if (status != SONDE_OK)
		library_entry_free(entry);
	return status;
}

void library_entry_free(struct library_entry *entry)
{
	free(entry->name);
	free(entry->source);
	free(entry->family);
	free(entry->parameters);
	free(entry->composition);
	*entry = (struct library_entry){0};
}

sonde_status library_read_keys(struct library *library, char **keys)
{
	CHECK(memory_allocate(keys, (size_t)library->count * LIBRARY_KEY, 1, "a library's keys"));
	const sonde_status status =
	    hdf5_reader_rows(library->reader, "/library/key", HDF5_ROW_DIGEST, 0, 0, library->count, *keys);
	if (status != SONDE_OK) {
		free(*keys);
		*keys = NULL;
	}
	return status;
}
