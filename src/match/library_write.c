/* Writing and extending libraries: to a file next to the final one, which it replaces when it is complete. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "io/containers/hdf5_rows.h"
#include "match/library_file.h"
#include "match/library_keys.h"
#include "sonde/version.h"

struct library_writer {
	struct hdf5_rows *rows;
	struct file_output output;
	struct library_head head;
	struct library_keys keys;
	/* coordinates */
	uint64_t atoms;
	char **labels;
	size_t label_count, label_capacity;
	float *curve; /* room for one */
	size_t curve_capacity;
};

static sonde_status copy_numbers(const double *from, int64_t count, double **to)
{
	*to = NULL;
	if (count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(to, (size_t)count, sizeof **to, "a library's axis"));
	memcpy(*to, from, (size_t)count * sizeof **to);
	return SONDE_OK;
}

static sonde_status copy_head(const struct library_head *from, struct library_head *to)
{
	*to = *from;
	to->physics = NULL;
	to->q = to->r = NULL;
	CHECK(memory_copy_text(from->physics, &to->physics, "a library"));
	CHECK(copy_numbers(from->q, from->q_count, &to->q));
	return copy_numbers(from->r, from->r_count, &to->r);
}

static sonde_status check_axis(const double *axis, int64_t count)
{
	for (int64_t k = 0; k < count; ++k)
		if (!isfinite(axis[k]) || (k > 0 && !(axis[k] > axis[k - 1])))
			return status_fail(SONDE_INVALID,
					   "the axis of a library must increase, and point %lld does not",
					   (long long)k + 1);
	return SONDE_OK;
}

static sonde_status check_head(const struct library_head *head)
{
	bool any = false;

	for (int k = 0; k < LIBRARY_CURVES; ++k) {
		any = any || head->has[k];
		if (head->has[k] && library_points(head, (enum library_curve)k) == 0)
			return status_fail(SONDE_INVALID, "a library with %s needs its axis", library_curve_names[k]);
	}
	if (!any)
		return status_fail(SONDE_INVALID, "a library needs curves");
	CHECK(check_axis(head->q, head->q_count));
	return check_axis(head->r, head->r_count);
}

static void write_axis(struct hdf5_rows *rows, const char *path, const double *axis, int64_t count, const char *unit)
{
	hdf5_rows_dataset(rows, path, HDF5_ROW_REAL, 0, unit);
	hdf5_rows_append(rows, path, HDF5_ROW_REAL, 0, count, axis);
}

static void write_curves(struct hdf5_rows *rows, const struct library_head *head, enum library_curve curve)
{
	static const char *const units[] = {NULL, "1", "1/angstrom", "1/angstrom^2"};
	char path[LIBRARY_PATH];

	for (int errors = 0; errors < 2; ++errors) {
		if (errors ? !head->errors[curve] : !head->has[curve])
			continue;
		library_curve_path(curve, errors != 0, path);
		hdf5_rows_dataset(rows, path, HDF5_ROW_SINGLE, library_points(head, curve), units[curve]);
	}
}

/* Groups and empty datasets. */
static void write_layout(struct hdf5_rows *rows, const struct library_head *head)
{
	hdf5_rows_group(rows, "/", "NXroot");
	hdf5_rows_attribute(rows, "/", "default", "library");
	hdf5_rows_attribute(rows, "/", "creator", "sonde " SONDE_VERSION);
	hdf5_rows_group(rows, "/library", "NXcollection");
	hdf5_rows_attribute(rows, "/library", "format", LIBRARY_FORMAT);
	hdf5_rows_attribute(rows, "/library", "version", LIBRARY_VERSION);
	hdf5_rows_attribute(rows, "/library", "radiation", library_radiation_names[head->radiation]);
	hdf5_rows_attribute(rows, "/library", "physics", head->physics);
	if (head->q_count > 0)
		write_axis(rows, "/library/axis", head->q, head->q_count, "1/angstrom");
	if (head->r_count > 0)
		write_axis(rows, head->q_count > 0 ? "/library/axis_r" : "/library/axis", head->r, head->r_count,
			   "angstrom");
	hdf5_rows_group(rows, "/library/curves", "NXcollection");
	for (int k = 0; k < LIBRARY_CURVES; ++k)
		write_curves(rows, head, (enum library_curve)k);
	for (size_t k = 0; k < LIBRARY_TEXTS; ++k)
		hdf5_rows_dataset(rows, library_texts[k].path, HDF5_ROW_TEXT, 0, NULL);
	hdf5_rows_dataset(rows, "/library/key", HDF5_ROW_DIGEST, 0, NULL);
	hdf5_rows_dataset(rows, "/library/atoms", HDF5_ROW_INTEGER, 0, NULL);
	hdf5_rows_dataset(rows, "/library/size", HDF5_ROW_REAL, 0, "angstrom");
	if (!head->coordinates)
		return;
	hdf5_rows_group(rows, "/library/coordinates", "NXcollection");
	hdf5_rows_dataset(rows, "/library/coordinates/positions", HDF5_ROW_SINGLE, 3, "angstrom");
	hdf5_rows_dataset(rows, "/library/coordinates/species", HDF5_ROW_INDEX, 0, NULL);
	hdf5_rows_dataset(rows, "/library/coordinates/labels", HDF5_ROW_TEXT, 0, NULL);
	hdf5_rows_dataset(rows, "/library/coordinates/first", HDF5_ROW_INTEGER, 0, NULL);
}

/* Keys --------------------------------------------------------------------------------------------------------------------- */

static bool is_key(const char *key)
{
	return key != NULL && strlen(key) == LIBRARY_KEY && strspn(key, "0123456789abcdef") == LIBRARY_KEY;
}

bool library_writer_has(const struct library_writer *writer, const char *key)
{
	return is_key(key) && library_keys_have(&writer->keys, key);
}

int64_t library_writer_count(const struct library_writer *writer)
{
	return writer->keys.count;
}

/* Candidates --------------------------------------------------------------------------------------------------------------- */

static sonde_status check_candidate(const struct library_writer *writer, const struct library_candidate *candidate)
{
	const char *name = candidate->name != NULL ? candidate->name : "";

	if (!is_key(candidate->key))
		return status_fail(SONDE_INVALID, "candidate '%.64s': its key is not 64 hexadecimal digits", name);
	if (library_writer_has(writer, candidate->key))
		return status_fail(SONDE_INVALID, "candidate '%.64s' is in the library already", name);
	for (int k = 0; k < LIBRARY_CURVES; ++k) {
		const int64_t points = library_points(&writer->head, (enum library_curve)k);
		const double *const of[] = {writer->head.has[k] ? candidate->curves[k] : NULL,
					    writer->head.errors[k] ? candidate->errors[k] : NULL};
		if ((writer->head.has[k] && of[0] == NULL) || (writer->head.errors[k] && of[1] == NULL))
			return status_fail(SONDE_INVALID, "candidate '%.64s' has no %s", name,
					   library_curve_names[k]);
		for (int which = 0; which < 2; ++which)
			for (int64_t n = 0; of[which] != NULL && n < points; ++n)
				if (!isfinite((float)of[which][n]))
					return status_fail(SONDE_INVALID,
							   "candidate '%.64s': %s is not finite at point %lld", name,
							   library_curve_names[k], (long long)n + 1);
	}
	return SONDE_OK;
}

static sonde_status add_curve(struct library_writer *writer, enum library_curve curve, bool errors,
			      const double *values)
{
	const int64_t points = library_points(&writer->head, curve);
	char path[LIBRARY_PATH];

	CHECK(memory_grow(&writer->curve, &writer->curve_capacity, (size_t)points, sizeof *writer->curve, "a curve"));
	for (int64_t k = 0; k < points; ++k)
		writer->curve[k] = (float)values[k];
	library_curve_path(curve, errors, path);
	hdf5_rows_append(writer->rows, path, HDF5_ROW_SINGLE, points, 1, writer->curve);
	return SONDE_OK;
}

/* The row of a label, which is added if it is new. */
static sonde_status find_label(struct library_writer *writer, const char *label, uint16_t *row)
{
	for (size_t k = 0; k < writer->label_count; ++k)
		if (strcmp(writer->labels[k], label) == 0) {
			*row = (uint16_t)k;
			return SONDE_OK;
		}
	if (writer->label_count > UINT16_MAX)
		return status_fail(SONDE_INVALID, "a library has at most %d species", UINT16_MAX + 1);
	CHECK(memory_grow(&writer->labels, &writer->label_capacity, writer->label_count + 1, sizeof *writer->labels,
			  "species"));
	CHECK(memory_copy_text(label, &writer->labels[writer->label_count], "species"));
	*row = (uint16_t)writer->label_count++;
	hdf5_rows_append(writer->rows, "/library/coordinates/labels", HDF5_ROW_TEXT, 0, 1, &label);
	return SONDE_OK;
}

static sonde_status add_coordinates(struct library_writer *writer, const struct library_candidate *candidate)
{
	const size_t atoms = (size_t)candidate->atoms;
	uint16_t *rows = NULL, *species = NULL;

	CHECK(memory_allocate(&rows, (size_t)candidate->label_count, sizeof *rows, "species"));
	sonde_status status = memory_allocate(&species, atoms, sizeof *species, "species");
	for (int k = 0; status == SONDE_OK && k < candidate->label_count; ++k)
		status = find_label(writer, candidate->labels[k], &rows[k]);
	for (size_t k = 0; status == SONDE_OK && k < atoms; ++k) {
		if (candidate->species[k] < candidate->label_count)
			species[k] = rows[candidate->species[k]];
		else
			status = status_fail(SONDE_INVALID, "an atom of a candidate has no species");
	}
	if (status == SONDE_OK) {
		hdf5_rows_append(writer->rows, "/library/coordinates/positions", HDF5_ROW_SINGLE, 3, (int64_t)atoms,
				 candidate->positions);
		hdf5_rows_append(writer->rows, "/library/coordinates/species", HDF5_ROW_INDEX, 0, (int64_t)atoms,
				 species);
		hdf5_rows_append(writer->rows, "/library/coordinates/first", HDF5_ROW_INTEGER, 0, 1, &writer->atoms);
		writer->atoms += candidate->atoms;
	}
	free(rows);
	free(species);
	return status;
}

sonde_status library_add(struct library_writer *writer, const struct library_candidate *candidate)
{
	CHECK(check_candidate(writer, candidate));
	if (writer->head.coordinates)
		CHECK(add_coordinates(writer, candidate));
	for (int k = 0; k < LIBRARY_CURVES; ++k) {
		if (writer->head.has[k])
			CHECK(add_curve(writer, (enum library_curve)k, false, candidate->curves[k]));
		if (writer->head.errors[k])
			CHECK(add_curve(writer, (enum library_curve)k, true, candidate->errors[k]));
	}
	for (size_t k = 0; k < LIBRARY_TEXTS; ++k) {
		const char *text;
		memcpy(&text, (const char *)candidate + library_texts[k].offset, sizeof text);
		text = text != NULL ? text : "";
		hdf5_rows_append(writer->rows, library_texts[k].path, HDF5_ROW_TEXT, 0, 1, &text);
	}
	hdf5_rows_append(writer->rows, "/library/key", HDF5_ROW_DIGEST, 0, 1, candidate->key);
	hdf5_rows_append(writer->rows, "/library/atoms", HDF5_ROW_INTEGER, 0, 1, &candidate->atoms);
	hdf5_rows_append(writer->rows, "/library/size", HDF5_ROW_REAL, 0, 1, &candidate->size);
	return library_keys_add(&writer->keys, candidate->key);
}

/* The file ----------------------------------------------------------------------------------------------------------------- */

void library_writer_discard(struct library_writer **writer)
{
	struct library_writer *old = *writer;

	*writer = NULL;
	if (old == NULL)
		return;
	(void)hdf5_rows_close(&old->rows, "");
	file_output_discard(&old->output);
	library_head_free(&old->head);
	for (size_t k = 0; k < old->label_count; ++k)
		free(old->labels[k]);
	free(old->labels);
	library_keys_free(&old->keys);
	free(old->curve);
	free(old);
}

static sonde_status begin(const char *path, bool overwrite, const struct library_head *head,
			  struct library_writer *writer)
{
	CHECK(check_head(head));
	CHECK(copy_head(head, &writer->head));
	CHECK(file_output_open(&writer->output, path, overwrite));
	return file_output_give_name(&writer->output);
}

sonde_status library_create(const char *path, bool overwrite, const struct library_head *head,
			    struct library_writer **writer)
{
	CHECK(memory_allocate(writer, 1, sizeof **writer, "a library"));
	sonde_status status = begin(path, overwrite, head, *writer);
	if (status == SONDE_OK)
		status = hdf5_rows_open(&(*writer)->rows, (*writer)->output.temporary, false);
	if (status == SONDE_OK)
		write_layout((*writer)->rows, head);
	else
		library_writer_discard(writer);
	return status;
}

static bool same_axis(const double *a, int64_t count, const double *b, int64_t other)
{
	return count == other && (count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0);
}

static sonde_status compare_heads(const char *path, const struct library_head *there, const struct library_head *head)
{
	const char *what = there->radiation != head->radiation                             ? "radiation"
			   : strcmp(there->physics, head->physics) != 0                    ? "options"
			   : !same_axis(there->q, there->q_count, head->q, head->q_count)  ? "axis of q"
			   : !same_axis(there->r, there->r_count, head->r, head->r_count)  ? "axis of r"
			   : memcmp(there->has, head->has, sizeof head->has) != 0          ? "set of curves"
			   : memcmp(there->errors, head->errors, sizeof head->errors) != 0 ? "set of errors"
			   : there->coordinates != head->coordinates                       ? "choice of coordinates"
											   : NULL;

	return what == NULL ? SONDE_OK
			    : status_fail_file(SONDE_INVALID, path, "has candidates with another %s", what);
}

static sonde_status copy_file(const char *path, struct file_output *output)
{
	char *block;
	size_t got;
	FILE *from = fopen(path, "rbe");
	sonde_status status;

	if (from == NULL)
		return status_fail_file(SONDE_INVALID, path, "cannot be read: %s", strerror(errno));
	status = memory_allocate(&block, 1 << 20, 1, "a library");
	while (status == SONDE_OK && (got = fread(block, 1, 1 << 20, from)) > 0)
		if (!file_output_put(output, block, got))
			status = file_output_fail(output);
	if (status == SONDE_OK && (ferror(from) != 0 || fflush(output->stream) != 0))
		status = file_output_fail(output);
	free(block);
	fclose(from);
	return status;
}

/* Labels and the number of atoms of an earlier library. */
static sonde_status read_species(struct library *library, struct library_writer *writer)
{
	int64_t columns, labels = hdf5_reader_row_count(library->reader, "/library/coordinates/labels", &columns),
			 atoms = hdf5_reader_row_count(library->reader, "/library/coordinates/positions", &columns);

	if (labels < 0 || labels > UINT16_MAX + 1 || atoms < 0)
		return status_fail_file(SONDE_INVALID, library->path,
					"is a damaged library: its coordinates are incomplete");
	CHECK(memory_grow(&writer->labels, &writer->label_capacity, (size_t)labels + 1, sizeof *writer->labels,
			  "species"));
	for (int64_t k = 0; k < labels; ++k) {
		CHECK(hdf5_reader_row_text(library->reader, "/library/coordinates/labels", k, &writer->labels[k]));
		++writer->label_count;
	}
	writer->atoms = (uint64_t)atoms;
	return SONDE_OK;
}

static sonde_status take_over(struct library *library, const struct library_head *head, struct library_writer *writer)
{
	char *keys;

	CHECK(compare_heads(library->path, &library->head, head));
	CHECK(library_read_keys(library, &keys));
	CHECK(library_keys_take(&writer->keys, keys, library->count));
	return head->coordinates ? read_species(library, writer) : SONDE_OK;
}

/* Reads all curves, whose checksums the reader compares: what is damaged is not carried on. */
static sonde_status check_curves(struct library *library)
{
	float *rows = NULL;
	size_t capacity = 0;
	sonde_status status = SONDE_OK;

	for (int curve = 0; curve < LIBRARY_CURVES; ++curve) {
		const int64_t piece = library_piece(library, (enum library_curve)curve),
			      points = library_points(&library->head, (enum library_curve)curve);
		for (int64_t first = 0; library->head.has[curve] && status == SONDE_OK && first < library->count;
		     first += piece) {
			const int64_t left = library->count - first, count = left < piece ? left : piece;
			status = memory_grow(&rows, &capacity, (size_t)(count * points), sizeof *rows, "a library");
			if (status == SONDE_OK)
				status = library_read_curves(library, (enum library_curve)curve, first, count, rows);
		}
	}
	free(rows);
	return status;
}

sonde_status library_extend(const char *path, const struct library_head *head, struct library_writer **writer)
{
	struct library library = {0};

	CHECK(memory_allocate(writer, 1, sizeof **writer, "a library"));
	sonde_status status = library_open_any(path, &library);
	if (status == SONDE_OK)
		status = begin(path, true, head, *writer);
	if (status == SONDE_OK)
		status = take_over(&library, head, *writer);
	if (status == SONDE_OK)
		status = check_curves(&library);
	library_close(&library);
	if (status == SONDE_OK)
		status = copy_file(path, &(*writer)->output);
	if (status == SONDE_OK)
		status = hdf5_rows_open(&(*writer)->rows, (*writer)->output.temporary, true);
	if (status != SONDE_OK)
		library_writer_discard(writer);
	return status;
}

sonde_status library_writer_finish(struct library_writer **writer)
{
	sonde_status status = hdf5_rows_close(&(*writer)->rows, (*writer)->output.path);
	if (status == SONDE_OK)
		status = file_output_commit(&(*writer)->output);
	library_writer_discard(writer);
	return status;
}

sonde_status library_writer_save(struct library_writer *writer)
{
	struct file_output copy = {0};

	if (!hdf5_rows_save(writer->rows))
		return status_fail_file(SONDE_RESOURCE, writer->output.path, "cannot be written: is the disk full?");
	sonde_status status = file_output_open(&copy, writer->output.path, writer->output.overwrite);
	if (status == SONDE_OK)
		status = copy_file(writer->output.temporary, &copy);
	if (status == SONDE_OK)
		status = file_output_commit(&copy);
	file_output_discard(&copy);
	writer->output.overwrite = writer->output.overwrite || status == SONDE_OK;
	return status;
}
