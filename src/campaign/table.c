#include "campaign/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "campaign/collect.h"

static sonde_status allocate(const struct campaign *campaign, struct campaign_table *table)
{
	const size_t count = campaign->job_count * (size_t)campaign->figure_count,
		     figures = (size_t)campaign->figure_count;

	table->rows = campaign->job_count;
	table->figures = campaign->figure_count;
	CHECK(memory_allocate(&table->values, count, sizeof *table->values, "a table"));
	CHECK(memory_allocate(&table->errors, count, sizeof *table->errors, "a table"));
	CHECK(memory_allocate(&table->has_errors, figures, sizeof *table->has_errors, "a table"));
	CHECK(memory_allocate(&table->units, figures, sizeof *table->units, "a table"));
	for (size_t k = 0; k < count; ++k)
		table->values[k] = table->errors[k] = NAN;
	return SONDE_OK;
}

/* Figures that some, or all, of the results lack. */
static sonde_status note_missing(const struct campaign *campaign, const char *folder,
				 const struct campaign_table *table, struct text *notes)
{
	for (int figure = 0; figure < table->figures; ++figure) {
		size_t done = 0, missing = 0, first = 0;
		for (size_t row = table->rows; row-- > 0;) {
			if (table->states[row] != CAMPAIGN_DONE)
				continue;
			++done;
			if (isnan(campaign_table_figure(table, row, figure))) {
				first = row;
				++missing;
			}
		}
		if (missing == 0)
			continue;
		text_append(notes, "'%s' is not a number in %zu of %zu results", campaign->figures[figure].from,
			    missing, done);
		CHECK(collect_hint(campaign, folder, first, figure, notes));
		text_append(notes, "\n");
	}
	return text_status(notes);
}

/* From the first job that has the figure. */
static sonde_status find_unit(const struct campaign *campaign, const char *folder, struct campaign_table *table,
			      int figure)
{
	size_t row = 0;

	while (row < table->rows && !isfinite(campaign_table_figure(table, row, figure)))
		++row;
	return row < table->rows ? collect_unit(campaign, folder, row, figure,
						campaign_table_figure(table, row, figure), table->units[figure])
				 : SONDE_OK;
}

sonde_status campaign_table_make(const struct campaign *campaign, const char *folder,
				 const enum campaign_state *states, struct campaign_table *table, struct text *notes)
{
	*table = (struct campaign_table){.states = states};
	CHECK(allocate(campaign, table));
	for (size_t row = 0; row < table->rows; ++row) {
		const size_t first = row * (size_t)table->figures;
		const struct collected collected = {table->values + first, table->errors + first, table->units};
		if (states[row] == CAMPAIGN_DONE && table->figures > 0)
			CHECK(collect_job(campaign, folder, row, &collected));
	}
	for (int figure = 0; figure < table->figures; ++figure)
		CHECK(find_unit(campaign, folder, table, figure));
	for (size_t k = 0; k < table->rows * (size_t)table->figures; ++k)
		if (isfinite(table->errors[k]))
			table->has_errors[k % (size_t)table->figures] = true;
	return note_missing(campaign, folder, table, notes);
}

void campaign_table_free(struct campaign_table *table)
{
	free(table->values);
	free(table->errors);
	free(table->has_errors);
	free(table->units);
	*table = (struct campaign_table){0};
}

double campaign_table_figure(const struct campaign_table *table, size_t row, int figure)
{
	return table->values[row * (size_t)table->figures + (size_t)figure];
}

double campaign_table_error(const struct campaign_table *table, size_t row, int figure)
{
	return table->errors[row * (size_t)table->figures + (size_t)figure];
}

/* Text ---------------------------------------------------------------------------------------------------- */

static void append_word(const char *word, struct text *text)
{
	if (word[strcspn(word, ",\"\n")] == '\0') {
		text_append(text, "%s", word);
		return;
	}
	text_append(text, "\"");
	for (const char *c = word; *c != '\0'; ++c)
		text_append(text, *c == '"' ? "\"\"" : "%c", *c);
	text_append(text, "\"");
}

void campaign_table_append_head(const struct campaign *campaign, int variable, struct text *text)
{
	const char *unit;

	text_append(text, "%s", campaign->variables[variable]);
	if (campaign_is_numeric(campaign, variable, &unit) && unit[0] != '\0')
		text_append(text, "_%s", unit);
	text_append(text, ",");
}

void campaign_table_append_value(const struct campaign *campaign, size_t row, int variable, struct text *text)
{
	const char *value = campaign->jobs[row].values[variable], *unit;
	double number;

	if (campaign_is_numeric(campaign, variable, &unit) && campaign_number(value, &number, &unit))
		text_append_real(text, number);
	else
		append_word(value, text);
}

void campaign_table_append_real(double x, struct text *text)
{
	if (isfinite(x))
		text_append_real(text, x);
}

sonde_status campaign_table_text(const struct campaign *campaign, const struct campaign_table *table,
				 struct text *text)
{
	static const char *const states[] = {"open", "done", "failed"};

	text_append(text, "job,");
	for (int k = 0; k < campaign->variable_count; ++k)
		campaign_table_append_head(campaign, k, text);
	text_append(text, "state");
	for (int k = 0; k < table->figures; ++k) {
		text_append(text, ",%s", campaign->figures[k].name);
		if (table->has_errors[k])
			text_append(text, ",%s_error", campaign->figures[k].name);
	}
	text_append(text, "\n");
	for (size_t row = 0; row < table->rows; ++row) {
		text_append(text, "%s,", campaign->jobs[row].name);
		for (int k = 0; k < campaign->variable_count; ++k) {
			campaign_table_append_value(campaign, row, k, text);
			text_append(text, ",");
		}
		text_append(text, "%s", states[table->states[row]]);
		for (int k = 0; k < table->figures; ++k) {
			text_append(text, ",");
			campaign_table_append_real(campaign_table_figure(table, row, k), text);
			if (!table->has_errors[k])
				continue;
			text_append(text, ",");
			campaign_table_append_real(campaign_table_error(table, row, k), text);
		}
		text_append(text, "\n");
	}
	return text_status(text);
}
