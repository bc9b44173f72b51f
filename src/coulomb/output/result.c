/* Result files: volumes, tables, and NeXus HDF5 by result_nexus.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coulomb/output/result.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/standard_output.h"
#include "base/text_rows.h"
#include "coulomb/option_table.h"
#include "coulomb/output/delivery.h"
#include "coulomb/output/units.h"
#include "coulomb/targets/targets.h"
#include "io/volume/volume_formats.h"
#include "run/provenance.h"
#include "run/result_table.h"

const char *coulomb_method_name(const sonde_coulomb_result *result)
{
	if (result->options->method == SONDE_COULOMB_METHOD_REFERENCE)
		return "reference";
	if (result->options->method == SONDE_COULOMB_METHOD_FAST)
		return "fast sum";
	return result->options->boundary == SONDE_COULOMB_BOUNDARY_OPEN ? "direct sum" : "Ewald's sum";
}

const char *coulomb_set_name(const sonde_coulomb_result *result, int set, char name[24])
{
	name[0] = '\0';
	if (result->charge_sets > 1)
		snprintf(name, 24, " of set %d", set + 1);
	return name;
}

void coulomb_append_errors(const sonde_coulomb_result *result, const char *before, struct text *text)
{
	bool all = result->checked_points == result->point_count;
	const char *estimated = all ? "" : "an estimated ", *unit = sonde_coulomb_unit(result);

	if (coulomb_shows_potential(result))
		text_append(text, "%spotential %s%.2g relative (root mean square), %.2g %s at most\n", before,
			    estimated, text_round_up(result->relative_error, 2),
			    text_round_up(result->largest_error, 2), unit);
	if (result->options->quantity != SONDE_COULOMB_QUANTITY_POTENTIAL)
		text_append(text, "%sfield %s%.2g relative (root mean square), %.2g %s/Angstrom at most\n", before,
			    estimated, text_round_up(result->field_error, 2),
			    text_round_up(result->largest_field_error, 2), unit);
	bool by_mesh = result->options->method == SONDE_COULOMB_METHOD_FAST && !result->is_grid;
	text_append(text, "%s%s %d points, by %s\n", before, all ? "of all" : "estimated from",
		    result->checked_points, by_mesh ? "the direct sum in float64" : "the reference");
}

void coulomb_append_header(const sonde_coulomb_result *result, bool complete, struct text *text)
{
	const struct provenance *provenance = &result->provenance->run;
	char name[24];

	provenance_append_origin(text, provenance, "coulomb");
	text_append(text, "# charges: %lld, together %.10g e\n", (long long)result->charge_count,
		    result->total_charge);
	provenance_append_options(text, &coulomb_option_table, result->options);
	text_append(text, "# %s\n", COULOMB_DEFINITIONS);
	if (!complete) {
		text_append(text, "# unit: %s\n", sonde_coulomb_unit(result));
		return;
	}
	provenance_append_device(text, provenance, result->seconds);
	text_append(text, "# unit: %s; %lld points coincide with a charge\n", sonde_coulomb_unit(result),
		    (long long)result->coincident);
	for (int s = 0; result->charge_sets > 1 && s < result->charge_sets; ++s)
		text_append(text, "# set %d of charges: together %.10g e\n", s + 1, result->total_charges[s]);
	for (int s = 0; result->forces != NULL && s < result->charge_sets; ++s)
		text_append(text, "# energy%s: %.15g %s\n", coulomb_set_name(result, s, name), result->energies[s],
			    coulomb_energy_unit(result));
	coulomb_append_errors(result, "# error: ", text);
}

static void find_point(const sonde_coulomb_result *result, int64_t index, double point[3])
{
	struct targets targets = {.is_grid = result->is_grid != 0, .points = result->points};

	memcpy(targets.size, result->size, sizeof targets.size);
	memcpy(targets.origin, result->origin, sizeof targets.origin);
	memcpy(targets.steps, result->steps, sizeof targets.steps);
	targets_point(&targets, index, point);
}

/* Names of the columns; for several sets of charges set by set. */
static void append_columns(const sonde_coulomb_result *result, bool csv, struct text *text)
{
	const char *unit = sonde_coulomb_unit(result);
	char set[16] = "";

	text_append(text, csv ? "x,y,z" : "# x y z [Angstrom]");
	for (int s = 0; s < result->charge_sets; ++s) {
		if (result->charge_sets > 1)
			snprintf(set, sizeof set, "_%d", s + 1);
		if (csv && coulomb_shows_potential(result))
			text_append(text, ",potential%s", set);
		else if (coulomb_shows_potential(result))
			text_append(text, "  potential%s [%s]", set, unit);
		if (csv && result->field != NULL)
			text_append(text, ",Ex%s,Ey%s,Ez%s", set, set, set);
		else if (result->field != NULL)
			text_append(text, "  Ex%s Ey%s Ez%s [%s/Angstrom]", set, set, set, unit);
	}
	text_append(text, "\n");
}

struct rows {
	const sonde_coulomb_result *result;
	char separator;
};

static void append_rows(const void *user, int64_t first, int64_t end, struct text *text)
{
	const struct rows *rows = user;
	const sonde_coulomb_result *result = rows->result;
	const char separator = rows->separator;

	for (int64_t n = first; n < end; ++n) {
		double point[3];
		find_point(result, n, point);
		for (int k = 0; k < 3; ++k) {
			if (k > 0)
				text_append_byte(text, separator);
			text_append_real(text, point[k]);
		}
		for (int64_t at = n; at < result->charge_sets * result->point_count; at += result->point_count) {
			if (coulomb_shows_potential(result))
				text_append(text, "%c%.15g", separator, result->potential[at]);
			for (int k = 0; result->field != NULL && k < 3; ++k)
				text_append(text, "%c%.15g", separator, result->field[3 * at + k]);
		}
		text_append_byte(text, '\n');
	}
}

sonde_status coulomb_table_text(const sonde_coulomb_result *result, bool csv, struct text *text)
{
	const struct rows rows = {result, csv ? ',' : ' '};

	coulomb_append_header(result, true, text);
	append_columns(result, csv, text);
	text_append_rows(text, result->provenance->threads, 0, result->point_count, append_rows, &rows);
	return text_status(text);
}

void coulomb_describe_volume(const sonde_coulomb_result *result, struct volume *volume)
{
	const char *unit = sonde_coulomb_unit(result);
	bool field = result->options->quantity != SONDE_COULOMB_QUANTITY_POTENTIAL;

	*volume = (struct volume){0};
	/* volume_read() recognizes the units by these words */
	if (!coulomb_shows_potential(result))
		snprintf(volume->title, sizeof volume->title,
			 "sonde %s: electric field in %s/Angstrom, lengths in Angstrom", sonde_version(), unit);
	else
		snprintf(volume->title, sizeof volume->title,
			 "sonde %s: electrostatic potential in %s%s, lengths in Angstrom", sonde_version(), unit,
			 field ? ", with its field" : "");
	memcpy(volume->grid.size, result->size, sizeof volume->grid.size);
	memcpy(volume->grid.origin, result->origin, sizeof volume->grid.origin);
	memcpy(volume->grid.steps, result->steps, sizeof volume->grid.steps);
}

sonde_status coulomb_charges_of_set(const sonde_coulomb_result *result, int set, double **charges)
{
	size_t each = 3 + (size_t)result->charge_sets;

	CHECK(memory_allocate(charges, VOLUME_CHARGE * (size_t)result->charge_count + 1, sizeof **charges,
			      "the charges"));
	for (size_t j = 0; j < (size_t)result->charge_count; ++j) {
		const double *row = result->provenance->charges + each * j;
		double *to = *charges + VOLUME_CHARGE * j;
		memcpy(to, row, 3 * sizeof *row);
		to[3] = row[3 + set];
		to[4] = result->provenance->elements[j];
	}
	return SONDE_OK;
}

static sonde_status write_set(const sonde_coulomb_result *result, int set, const char *path, bool overwrite)
{
	int64_t at = set * result->point_count;
	struct text comments = {0};
	struct volume volume;
	sonde_status status;

	coulomb_describe_volume(result, &volume);
	volume.values = coulomb_shows_potential(result) ? result->potential + at : NULL;
	volume.vectors = result->field != NULL ? result->field + 3 * at : NULL;
	coulomb_append_header(result, true, &comments);
	CHECK_GOTO(status, text_status(&comments), done);
	volume.comments = comments.bytes;
	volume.charge_count = result->charge_count;
	/* files do not have the charges, unless forces were requested */
	if (result->provenance->charges == NULL)
		volume.charge_count = 0;
	else
		CHECK_GOTO(status, coulomb_charges_of_set(result, set, &volume.charges), done);
	status = volume_write(path, &volume, result->provenance->threads, overwrite);
done:
	free(volume.charges);
	text_free(&comments);
	return status;
}

/* phi.dx.gz becomes phi_2.dx.gz for set 2. To be freed. */
static sonde_status name_of_set(const char *path, int set, char **name)
{
	size_t size = strlen(path) + 16, suffix = strlen(volume_suffix(path)), stem = strlen(path) - suffix;

	if (standard_output_is(path))
		return status_fail(
		    SONDE_INVALID,
		    "several sets of charges need one file each, so that the standard output is not possible; name "
		    "a file by `output`, or write a table");
	CHECK(memory_allocate(name, size, 1, "a name"));
	snprintf(*name, size, "%.*s_%d%s", (int)stem, path, set + 1, path + stem);
	return SONDE_OK;
}

/* One file, or one for each set of charges. */
static sonde_status write_volume(const void *of, const char *path, bool overwrite)
{
	const sonde_coulomb_result *result = of;
	sonde_status status = SONDE_OK;

	if (!result->is_grid)
		return status_fail_file(SONDE_INVALID, path, "holds a grid; write points of a list as .h5 or .csv");
	if (result->charge_sets == 1)
		return write_set(result, 0, path, overwrite);
	CHECK(coulomb_check_files(path, result->charge_sets, overwrite));
	for (int s = 0; s < result->charge_sets && status == SONDE_OK; ++s) {
		char *name;
		CHECK(name_of_set(path, s, &name));
		status = write_set(result, s, name, overwrite);
		free(name);
	}
	return status;
}

static sonde_status append_table(const void *result, bool csv, struct text *text)
{
	return coulomb_table_text(result, csv, text);
}

static sonde_status write_nexus(const void *result, const char *path, bool overwrite)
{
	return coulomb_write_nexus(result, path, overwrite);
}

static const struct result_format formats[] = {{VOLUME_FILES, write_volume, NULL},
					       {RESULT_NEXUS_ENDINGS, write_nexus, NULL},
					       {RESULT_TABLE_ENDINGS, NULL, append_table},
					       {NULL, NULL, NULL}};

sonde_status coulomb_check_format(const char *path)
{
	return result_format_check(formats, path);
}

bool coulomb_file_for_each_set(const char *path, int sets)
{
	const struct result_format *format = result_format_find(formats, path);

	return sets > 1 && format != NULL && format->write == write_volume;
}

sonde_status coulomb_check_files(const char *path, int sets, bool overwrite)
{
	sonde_status status = SONDE_OK;

	if (!coulomb_file_for_each_set(path, sets))
		return file_check_output(path, overwrite);
	for (int s = 0; s < sets && status == SONDE_OK; ++s) {
		char *name;
		CHECK(name_of_set(path, s, &name));
		status = file_check_output(name, overwrite);
		free(name);
	}
	return status;
}

sonde_status sonde_coulomb_result_write(const sonde_coulomb_result *result, const char *path, int overwrite)
{
	CHECK(coulomb_check_format(path));
	if (result->potential == NULL)
		return status_fail(SONDE_INVALID,
				   "the values are in the file written by the run; read them from there");
	return result_write(formats, result, path, overwrite != 0);
}
