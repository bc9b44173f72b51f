/* Tables of an engine's pieces in files, and their description. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "run/pieces.h"
#include "run/result_file.h"
#include "run/result_table.h"

/* Text ------------------------------------------------------------------------------------------------------- */

static void append_rows(const struct pieces_table *table, bool csv, struct text *text)
{
	text_append(text, csv ? "" : "#");
	for (int c = 0; c < table->column_count; ++c) {
		const struct pieces_column *column = &table->columns[c];
		text_append(text, csv ? "%s%s" : "%s %s", csv && c > 0 ? "," : "", column->name);
		if (!csv && column->unit[0] != '\0')
			text_append(text, " [%s]", column->unit);
	}
	text_append(text, "\n");
	for (int64_t k = 0; k < table->rows; ++k)
		for (int c = 0; c < table->column_count; ++c) {
			text_append_real(text, table->columns[c].values[k]);
			text_append(text, "%s", c + 1 == table->column_count ? "\n" : csv ? "," : " ");
		}
}

sonde_status pieces_append_tables(const struct pieces_result *result, bool csv, struct text *text)
{
	const char *name = result->engine->name;

	provenance_append_origin(text, &result->provenance, name);
	provenance_append_options(text, result->engine->options, result->options);
	text_append(text, "# %s\n", result->work.definition);
	provenance_append_device(text, &result->provenance, result->seconds);
	if (isfinite(result->error))
		text_append(text, "# error: %.2g relative, at most (%s)\n", text_round_up(result->error, 2),
			    result->error_origin);
	for (int t = 0; t < result->table_count; ++t) {
		if (result->table_count > 1)
			text_append(text, "%s# table: %s\n", t > 0 ? "\n" : "", result->tables[t].title);
		append_rows(&result->tables[t], csv, text);
	}
	return text_status(text);
}

/* HDF5 ------------------------------------------------------------------------------------------------------- */

static void write_table(struct hdf5_writer *writer, const char *engine, const struct pieces_table *table)
{
	char group[96], path[160];
	const char *axis = table->columns[0].name;

	snprintf(group, sizeof group, "/%.32s/%s", engine, table->name);
	hdf5_writer_group(writer, group, "NXdata");
	hdf5_writer_text_attribute(writer, group, "signal", table->columns[table->column_count > 1].name);
	hdf5_writer_texts_attribute(writer, group, "axes", &axis, 1);
	snprintf(path, sizeof path, "%s/title", group);
	hdf5_writer_text(writer, path, table->title);
	for (int c = 0; c < table->column_count; ++c) {
		const struct pieces_column *column = &table->columns[c];
		snprintf(path, sizeof path, "%s/%s", group, column->name);
		hdf5_writer_reals(writer, path, column->values, &table->rows, 1,
				  column->unit[0] != '\0' ? column->unit : NULL, NULL);
	}
}

sonde_status pieces_contents(const struct pieces_result *result, struct hdf5_writer *writer)
{
	const char *name = result->engine->name;
	char path[96];

	provenance_write_entry(writer, &result->provenance, name, result->engine->summary,
			       result->table_count > 0 ? result->tables[0].name : "");
	if (result->provenance.sample[0] != '\0') {
		snprintf(path, sizeof path, "/%.32s/sample", name);
		provenance_write_sample(writer, &result->provenance, path);
	}
	CHECK(provenance_write_process(writer, &result->provenance, result->engine->options, result->options,
				       result->seconds));
	snprintf(path, sizeof path, "/%.32s/process/definitions", name);
	hdf5_writer_text(writer, path, result->work.definition);
	snprintf(path, sizeof path, "/%.32s/process/relative_error", name);
	hdf5_writer_real(writer, path, result->error, NULL);
	snprintf(path, sizeof path, "/%.32s/process/error_origin", name);
	hdf5_writer_text(writer, path, result->error_origin);
	for (int t = 0; t < result->table_count; ++t)
		write_table(writer, name, &result->tables[t]);
	return SONDE_OK;
}

static sonde_status write_nexus(const void *result, const char *path, bool overwrite)
{
	struct hdf5_writer *writer;

	CHECK(hdf5_writer_create(&writer));
	const sonde_status status = pieces_contents(result, writer);
	if (status == SONDE_OK)
		return hdf5_writer_finish(&writer, path, overwrite);
	hdf5_writer_discard(&writer);
	return status;
}

static sonde_status append_text(const void *result, bool csv, struct text *text)
{
	return pieces_append_tables(result, csv, text);
}

static const struct result_format formats[] = {{.endings = RESULT_NEXUS_ENDINGS, .write = write_nexus},
					       {.endings = RESULT_TABLE_ENDINGS, .append = append_text},
					       {.endings = NULL}};

sonde_status pieces_check_format(const char *path)
{
	return result_format_check(formats, path);
}

sonde_status pieces_write(const struct pieces_result *result, const char *path, bool overwrite)
{
	return result_write(formats, result, path, overwrite);
}

/* Reports ---------------------------------------------------------------------------------------------------- */

void pieces_summarize(const struct pieces_result *result, struct report *report)
{
	const double amount = result->work.amount_of_piece * (double)(result->work.count - result->resumed);

	report_print(report, "%.6g %s, %.3g per second, %.2f s\n", amount, result->work.unit,
		     amount / result->seconds, result->seconds);
	report_number(report, result->work.unit, amount);
	report_decimal(report, "seconds", result->seconds, 6);
	if (isfinite(result->error))
		report_print(report, "error: %.2g relative, at most (%s)\n", text_round_up(result->error, 2),
			     result->error_origin);
	report_number(report, "relative_error", result->error);
}

/* A table in the file: a group with columns. */
struct listing {
	struct hdf5_reader *reader;
	struct report *report;
	const char *group;
	int printed;
};

static sonde_status list_column(void *user, const char *name)
{
	struct listing *listing = user;
	char path[256];
	int64_t size;
	int rank;

	snprintf(path, sizeof path, "%s/%.64s", listing->group, name);
	if (hdf5_reader_sizes(listing->reader, path, 1, &size, &rank) != SONDE_OK || rank != 1)
		return SONDE_OK;
	report_print(listing->report, "%s%s", listing->printed++ > 0 ? ", " : "", name);
	report_integer(listing->report, name, size);
	return SONDE_OK;
}

static sonde_status list_table(void *user, const char *name)
{
	struct listing *listing = user;
	char group[128];

	if (strcmp(name, "process") == 0 || strcmp(name, "sample") == 0 || strcmp(name, "title") == 0 ||
	    strcmp(name, "start_time") == 0)
		return SONDE_OK;
	snprintf(group, sizeof group, "%s/%.64s", listing->group, name);
	struct listing columns = {.reader = listing->reader, .report = listing->report, .group = group};
	report_print(listing->report, "%-12s ", name);
	report_open_object(listing->report, name);
	const sonde_status status = hdf5_reader_members(listing->reader, group, list_column, &columns);
	report_close(listing->report);
	report_print(listing->report, "\n");
	return status;
}

sonde_status pieces_describe(const struct engine *engine, struct hdf5_reader *reader, struct report *report)
{
	char entry[64], path[96];
	struct listing listing = {.reader = reader, .report = report, .group = entry};

	snprintf(entry, sizeof entry, "/%.32s", engine->name);
	snprintf(path, sizeof path, "%s/process/device", entry);
	result_file_text(reader, report, "device", path);
	CHECK(hdf5_reader_members(reader, entry, list_table, &listing));
	CHECK(result_file_options(reader, report, engine->name));
	result_file_time(reader, report, engine->name);
	snprintf(path, sizeof path, "%s/process/relative_error", entry);
	const double error = result_file_number(reader, path);
	if (isfinite(error))
		report_line(report, "error", "%.2g relative", text_round_up(error, 2));
	report_number(report, "relative_error", error);
	return SONDE_OK;
}
