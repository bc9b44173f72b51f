#include "campaign/table_nexus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/containers/hdf5.h"
#include "sonde/version.h"

#define TABLE "/campaign/table"
#define STUDIES "/campaign/convergence"

/* The name of a column's dataset: '/' has a meaning in paths. */
static void make_name(const char *column, const char *ending, char name[96])
{
	snprintf(name, 96, "%.64s%s", column, ending);
	for (char *c = name; *c != '\0'; ++c)
		if (*c == '/' || *c == ' ')
			*c = '_';
}

static void make_path(const char *group, const char *column, const char *ending, char path[160])
{
	char name[96];

	make_name(column, ending, name);
	snprintf(path, 160, "%s/%s", group, name);
}

/* Texts of equal size in one array. */
static sonde_status write_texts(struct hdf5_writer *writer, const char *path, const char *const *texts, size_t count)
{
	size_t size = 1;
	char *bytes;

	for (size_t k = 0; k < count; ++k)
		size = strlen(texts[k]) + 1 > size ? strlen(texts[k]) + 1 : size;
	CHECK(memory_allocate(&bytes, count, size, "a table"));
	for (size_t k = 0; k < count; ++k)
		strcpy(bytes + k * size, texts[k]);
	hdf5_writer_texts(writer, path, bytes, (int64_t)count, (int64_t)size);
	free(bytes);
	return SONDE_OK;
}

struct columns {
	struct hdf5_writer *writer;
	const struct campaign *campaign;
	const char **texts;
	double *numbers;
};

static sonde_status write_variable(const struct columns *columns, const char *group, int variable, const size_t *rows,
				   size_t count)
{
	const struct campaign *campaign = columns->campaign;
	const int64_t size = (int64_t)count;
	const char *unit, *rest;
	char path[160];

	make_path(group, campaign->variables[variable], "", path);
	for (size_t k = 0; k < count; ++k)
		columns->texts[k] = campaign->jobs[rows[k]].values[variable];
	if (!campaign_is_numeric(campaign, variable, &unit))
		return write_texts(columns->writer, path, columns->texts, count);
	for (size_t k = 0; k < count; ++k)
		(void)campaign_number(columns->texts[k], &columns->numbers[k], &rest);
	hdf5_writer_reals(columns->writer, path, columns->numbers, &size, 1, unit, campaign->variables[variable]);
	return SONDE_OK;
}

static void write_figure(const struct columns *columns, const struct campaign_table *table, int figure, bool errors)
{
	const int64_t size = (int64_t)table->rows;
	char path[160];

	make_path(TABLE, columns->campaign->figures[figure].name, errors ? "_errors" : "", path);
	for (size_t row = 0; row < table->rows; ++row)
		columns->numbers[row] =
		    errors ? campaign_table_error(table, row, figure) : campaign_table_figure(table, row, figure);
	hdf5_writer_reals(columns->writer, path, columns->numbers, &size, 1, table->units[figure],
			  columns->campaign->figures[figure].from);
}

/* NXdata plots the first figure over the first variable that is a number. */
static void choose_plot(const struct columns *columns)
{
	const struct campaign *campaign = columns->campaign;
	const char *unit;
	char name[96];

	if (campaign->figure_count == 0)
		return;
	make_name(campaign->figures[0].name, "", name);
	hdf5_writer_text_attribute(columns->writer, TABLE, "signal", name);
	for (int k = 0; k < campaign->variable_count; ++k)
		if (campaign_is_numeric(campaign, k, &unit) && campaign_varies(campaign, k)) {
			hdf5_writer_texts_attribute(columns->writer, TABLE, "axes", &campaign->variables[k], 1);
			return;
		}
}

static sonde_status write_table(const struct columns *columns, const struct campaign_table *table, size_t *rows)
{
	static const char *const states[] = {"open", "done", "failed"};
	const struct campaign *campaign = columns->campaign;

	hdf5_writer_group(columns->writer, TABLE, "NXdata");
	choose_plot(columns);
	for (size_t k = 0; k < table->rows; ++k) {
		rows[k] = k;
		columns->texts[k] = campaign->jobs[k].name;
	}
	CHECK(write_texts(columns->writer, TABLE "/job", columns->texts, table->rows));
	for (size_t k = 0; k < table->rows; ++k)
		columns->texts[k] = states[table->states[k]];
	CHECK(write_texts(columns->writer, TABLE "/state", columns->texts, table->rows));
	for (int k = 0; k < campaign->variable_count; ++k)
		CHECK(write_variable(columns, TABLE, k, rows, table->rows));
	for (int k = 0; k < table->figures; ++k) {
		write_figure(columns, table, k, false);
		if (table->has_errors[k])
			write_figure(columns, table, k, true);
	}
	return SONDE_OK;
}

static void write_numbers(const struct columns *columns, const struct studies *studies, const char *name, int which)
{
	const int64_t size = (int64_t)studies->count;
	char path[160];

	for (size_t k = 0; k < studies->count; ++k) {
		const struct study *study = &studies->studies[k];
		const double of[] = {(double)study->count, study->last,         study->result.value,
				     study->result.error,  study->result.order, study->result.deviation};
		columns->numbers[k] = of[which];
	}
	make_path(STUDIES, name, "", path);
	hdf5_writer_reals(columns->writer, path, columns->numbers, &size, 1, NULL, NULL);
}

static sonde_status write_studies(const struct columns *columns, const struct studies *studies, size_t *rows)
{
	const struct campaign *campaign = columns->campaign;
	const bool histories = campaign->convergence == CAMPAIGN_HISTORIES;

	hdf5_writer_group(columns->writer, STUDIES, "NXcollection");
	for (size_t k = 0; k < studies->count; ++k) {
		rows[k] = studies->studies[k].job;
		columns->texts[k] = campaign->figures[studies->studies[k].figure].name;
	}
	CHECK(write_texts(columns->writer, STUDIES "/figure", columns->texts, studies->count));
	for (int k = 0; k < campaign->variable_count; ++k)
		if (k != campaign->over)
			CHECK(write_variable(columns, STUDIES, k, rows, studies->count));
	write_numbers(columns, studies, "jobs", 0);
	write_numbers(columns, studies, "last", 1);
	write_numbers(columns, studies, "value", 2);
	write_numbers(columns, studies, "error", 3);
	write_numbers(columns, studies, histories ? "power" : "order", 4);
	if (histories)
		write_numbers(columns, studies, "deviation", 5);
	return SONDE_OK;
}

static sonde_status write_all(const struct columns *columns, const struct campaign_table *table,
			      const struct studies *studies, size_t *rows)
{
	struct hdf5_writer *writer = columns->writer;

	hdf5_writer_group(writer, "/", "NXroot");
	hdf5_writer_text_attribute(writer, "/", "default", "campaign");
	hdf5_writer_text_attribute(writer, "/", "creator", "sonde " SONDE_VERSION);
	hdf5_writer_group(writer, "/campaign", "NXentry");
	hdf5_writer_text_attribute(writer, "/campaign", "default", "table");
	hdf5_writer_text(writer, "/campaign/title", columns->campaign->title);
	hdf5_writer_group(writer, "/campaign/process", "NXcollection");
	hdf5_writer_text(writer, "/campaign/process/program", "sonde campaign");
	hdf5_writer_text(writer, "/campaign/process/version", SONDE_VERSION);
	hdf5_writer_text(writer, "/campaign/process/file", columns->campaign->bytes);
	hdf5_writer_text(writer, "/campaign/process/sha256", columns->campaign->digest);
	CHECK(write_table(columns, table, rows));
	return studies->count > 0 ? write_studies(columns, studies, rows) : SONDE_OK;
}

sonde_status campaign_write_nexus(const struct campaign *campaign, const struct campaign_table *table,
				  const struct studies *studies, const char *path)
{
	const size_t most = table->rows > studies->count ? table->rows : studies->count;
	struct columns columns = {.campaign = campaign};
	size_t *rows = NULL;

	CHECK(memory_allocate(&columns.texts, most, sizeof *columns.texts, "a table"));
	sonde_status status = memory_allocate(&columns.numbers, most, sizeof *columns.numbers, "a table");
	if (status == SONDE_OK)
		status = memory_allocate(&rows, most, sizeof *rows, "a table");
	if (status == SONDE_OK)
		status = hdf5_writer_create(&columns.writer);
	if (status == SONDE_OK)
		status = write_all(&columns, table, studies, rows);
	if (status == SONDE_OK)
		status = hdf5_writer_finish(&columns.writer, path, true);
	else if (columns.writer != NULL)
		hdf5_writer_discard(&columns.writer);
	free(rows);
	free(columns.numbers);
	free(columns.texts);
	return status;
}
