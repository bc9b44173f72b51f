#include "match/fit_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "match/match_columns.h"
#include "run/result_table.h"

/* A result with what writes it, as formats see it. */
struct written {
	const struct fit_file *file;
	const void *result;
	const struct provenance *provenance;
};

static sonde_status write_nexus(const void *from, const char *path, bool overwrite)
{
	const struct written *written = from;
	struct hdf5_writer *writer;

	CHECK(hdf5_writer_create(&writer));
	const sonde_status status = written->file->write(writer, written->result, written->provenance);
	if (status == SONDE_OK)
		return hdf5_writer_finish(&writer, path, overwrite);
	hdf5_writer_discard(&writer);
	return status;
}

static sonde_status append_table(const void *from, bool csv, struct text *text)
{
	const struct written *written = from;

	return written->file->append(written->result, written->provenance, csv, text);
}

static const struct result_format formats[] = {
    {RESULT_NEXUS_ENDINGS, write_nexus, NULL}, {RESULT_TABLE_ENDINGS, NULL, append_table}, {0}};

sonde_status fit_file_check(const char *path)
{
	return result_format_check(formats, path);
}

sonde_status fit_file_write(const struct fit_file *file, const void *result, const struct provenance *provenance,
			    const char *path, bool overwrite)
{
	const struct written written = {file, result, provenance};

	return result_write(formats, &written, path, overwrite);
}

/* Arrays of items ------------------------------------------------------------------------------------------------------------- */

sonde_status fit_file_write_column(struct hdf5_writer *writer, const char *path, const void *items, int64_t count,
				   size_t stride, size_t offset, const char *unit)
{
	double *values;

	CHECK(memory_allocate(&values, (size_t)count, sizeof *values, "a table"));
	for (int64_t k = 0; k < count; ++k)
		memcpy(&values[k], (const char *)items + (size_t)k * stride + offset, sizeof *values);
	hdf5_writer_reals(writer, path, values, &count, 1, unit, NULL);
	free(values);
	return SONDE_OK;
}

sonde_status fit_file_write_texts(struct hdf5_writer *writer, const char *path, const void *items, int64_t count,
				  fit_file_text *text)
{
	size_t size = 1;
	char *bytes;

	if (count == 0)
		return SONDE_OK;
	for (int64_t k = 0; k < count; ++k)
		size = strlen(text(items, k)) + 1 > size ? strlen(text(items, k)) + 1 : size;
	CHECK(memory_allocate(&bytes, (size_t)count, size, "a table"));
	for (int64_t k = 0; k < count; ++k)
		strcpy(bytes + (size_t)k * size, text(items, k));
	hdf5_writer_texts(writer, path, bytes, count, (int64_t)size);
	free(bytes);
	return SONDE_OK;
}

/* Curves ---------------------------------------------------------------------------------------------------------------------- */

struct group {
	struct hdf5_writer *writer;
	const char *root;
	int number;
	char path[96];
};

/* /ROOT/curve_N/name, or the group itself; valid until the next call. */
static const char *in(struct group *group, const char *name)
{
	char number[16] = "";

	if (group->number > 0)
		snprintf(number, sizeof number, "_%d", group->number + 1);
	snprintf(group->path, sizeof group->path, "/%s/curve%s%s%s", group->root, number, name[0] != '\0' ? "/" : "",
		 name);
	return group->path;
}

static void write_array(struct group *group, const char *name, const double *values, int64_t count, const char *unit)
{
	hdf5_writer_reals(group->writer, in(group, name), values, &count, 1, unit, name);
}

static sonde_status write_peaks(struct group *group, const struct match_curve *curve)
{
	char name[64];

	if (curve->peak_count == 0)
		return SONDE_OK;
	hdf5_writer_group(group->writer, in(group, "unexplained"), "NXcollection");
	for (const struct match_column *column = match_peak_columns; column->name != NULL; ++column) {
		snprintf(name, sizeof name, "unexplained/%s", column->name);
		CHECK(fit_file_write_column(group->writer, in(group, name), curve->peaks, curve->peak_count,
					    sizeof *curve->peaks, column->offset, column->unit));
	}
	return SONDE_OK;
}

sonde_status fit_file_write_curve(struct hdf5_writer *writer, const char *root, int number,
				  const struct match_curve *curve, int64_t contributions)
{
	struct group group = {.writer = writer, .root = root, .number = number};
	const char *axis = curve->curve == LIBRARY_G ? "r" : "q",
		   *unit = curve->curve == LIBRARY_G ? "angstrom" : "1/angstrom";
	const int64_t sizes[2] = {contributions, curve->count};
	const char *const auxiliary[] = {"fit", "background", "residual"};

	hdf5_writer_group(writer, in(&group, ""), "NXdata");
	hdf5_writer_text_attribute(writer, in(&group, ""), "signal", "measured");
	hdf5_writer_texts_attribute(writer, in(&group, ""), "auxiliary_signals", auxiliary, 3);
	hdf5_writer_texts_attribute(writer, in(&group, ""), "axes", &axis, 1);
	hdf5_writer_text(writer, in(&group, "file"), curve->path);
	hdf5_writer_text(writer, in(&group, "kind"), library_curve_names[curve->curve]);
	hdf5_writer_text(writer, in(&group, "radiation"), library_radiation_names[curve->radiation]);
	hdf5_writer_text(writer, in(&group, "weights"), match_weights_names[curve->weights]);
	hdf5_writer_integers(writer, in(&group, "points_left_out"), &curve->left_out, 1);
	hdf5_writer_integers(writer, in(&group, "independent_points"), &curve->independent, 1);
	if (curve->qmax > 0.0)
		hdf5_writer_real(writer, in(&group, "qmax"), curve->qmax, "1/angstrom");
	write_array(&group, axis, curve->x, curve->count, unit);
	write_array(&group, "measured", curve->measured, curve->count, NULL);
	write_array(&group, "measured_errors", curve->sigma, curve->count, NULL);
	write_array(&group, "fit", curve->fitted, curve->count, NULL);
	write_array(&group, "background", curve->background, curve->count, NULL);
	write_array(&group, "residual", curve->residual, curve->count, NULL);
	if (contributions > 0)
		hdf5_writer_reals(writer, in(&group, "contributions"), curve->contributions, sizes, 2, NULL,
				  "weight times curve of each candidate");
	hdf5_writer_real(writer, in(&group, "scale"), curve->scale, NULL);
	hdf5_writer_real(writer, in(&group, "Rwp"), curve->rwp, "1");
	hdf5_writer_real(writer, in(&group, "Rexp"), curve->rexp, "1");
	hdf5_writer_real(writer, in(&group, "chi_square"), curve->chi_square, "1");
	hdf5_writer_real(writer, in(&group, "interpolation_error"), curve->interpolation_error, "1");
	return write_peaks(&group, curve);
}
