/* Results into files: tables of the monitors' one-dimensional data; NeXus HDF5 by result_nexus.c. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fdtd/option_tables.h"
#include "fdtd/fdtd_result.h"
#include "fdtd/job/prepared.h"
#include "run/result_table.h"

/* The only axis along which an array has more than one number, the first one if it has a single number; -1: there are
 * several. */
static int only_axis(const sonde_fdtd_array *array)
{
	int only = 0, longer = 0;

	for (int r = 0; r < array->rank; ++r)
		if (array->sizes[r] != 1) {
			only = r;
			++longer;
		}
	return longer > 1 ? -1 : only;
}

/* Arrays of a monitor that share a table: those on the axis `axis`, and the axis itself. */
static bool is_column(const sonde_fdtd_array *array, const sonde_fdtd_array *axis)
{
	const int only = only_axis(array);

	return array == axis || (array->rank > 0 && only >= 0 && strcmp(array->axes[only], axis->name) == 0);
}

/* Monitors whose tables share an axis. */
struct table {
	const sonde_fdtd_monitor *const *members;
	int count;
	const sonde_fdtd_array *axis; /* of the first one; those of the others are equal */
	bool csv;
};

static bool same_numbers(const sonde_fdtd_array *a, const sonde_fdtd_array *b)
{
	return strcmp(a->name, b->name) == 0 && strcmp(a->unit, b->unit) == 0 && a->rank == 1 && b->rank == 1 &&
	       a->sizes[0] == b->sizes[0] &&
	       memcmp(a->values, b->values, (size_t)a->sizes[0] * sizeof *a->values) == 0;
}

/* Whether all members have a column of that name with equal numbers, which is then written once. */
static bool is_common(const struct table *table, const char *name)
{
	const sonde_fdtd_array *column = sonde_fdtd_find_array(table->members[0], name);

	for (int m = 0; m < table->count; ++m) {
		const sonde_fdtd_array *other = sonde_fdtd_find_array(table->members[m], name);
		if (column == NULL || other == NULL || !same_numbers(column, other))
			return false;
	}
	return true;
}

/* Calls `visit` for each column: `owner` is null for common ones. */
static void visit_columns(const struct table *table,
			  void (*visit)(const struct table *table, const sonde_fdtd_monitor *owner,
					const sonde_fdtd_array *column, bool first, int64_t row, struct text *text),
			  int64_t row, struct text *text)
{
	bool first = true;

	for (int m = 0; m < table->count; ++m) {
		const sonde_fdtd_monitor *monitor = table->members[m];
		const sonde_fdtd_array *axis = sonde_fdtd_find_array(monitor, table->axis->name);
		for (int n = 0; n < monitor->array_count; ++n) {
			const sonde_fdtd_array *column = &monitor->arrays[n];
			const bool common = table->count > 1 && is_common(table, column->name);
			if (!is_column(column, axis) || (common && m > 0))
				continue;
			visit(table, common || table->count == 1 ? NULL : monitor, column, first, row, text);
			first = false;
		}
	}
	text_append_byte(text, '\n');
}

static void append_head(const struct table *table, const sonde_fdtd_monitor *owner, const sonde_fdtd_array *column,
			bool first, int64_t row, struct text *text)
{
	(void)row;
	text_append(text, "%s", first ? (table->csv ? "" : "# ") : table->csv ? "," : "  ");
	if (owner != NULL)
		text_append(text, "%s_", owner->name);
	text_append(text, "%s", column->name);
	if (column->unit[0] != '\0')
		text_append(text, table->csv ? "_%s" : " [%s]", column->unit);
}

static void append_value(const struct table *table, const sonde_fdtd_monitor *owner, const sonde_fdtd_array *column,
			 bool first, int64_t row, struct text *text)
{
	(void)owner;
	if (!first)
		text_append_byte(text, table->csv ? ',' : ' ');
	text_append_real(text, column->values[row]);
}

static void append_table(const struct table *table, struct text *text)
{
	visit_columns(table, append_head, 0, text);
	for (int64_t row = 0; row < table->axis->sizes[0]; ++row)
		visit_columns(table, append_value, row, text);
}

static bool is_axis(const sonde_fdtd_array *array)
{
	return array->rank == 1 && array->axes[0][0] == '\0';
}

/* The axis of a monitor that has one table; null if it has several or none. */
static const sonde_fdtd_array *axis_of(const sonde_fdtd_monitor *monitor)
{
	const sonde_fdtd_array *axis = NULL;

	for (int n = 0; n < monitor->array_count; ++n) {
		if (!is_axis(&monitor->arrays[n]))
			continue;
		if (axis != NULL)
			return NULL;
		axis = &monitor->arrays[n];
	}
	return axis;
}

/* Each axis on which others depend, with these. */
static void append_monitor(const sonde_fdtd_monitor *monitor, bool csv, struct text *text)
{
	bool left_out = false;

	text_append(text, "# monitor %s: %s\n", monitor->name, monitor->kind);
	for (int n = 0; n < monitor->array_count; ++n) {
		left_out |= only_axis(&monitor->arrays[n]) < 0;
		if (is_axis(&monitor->arrays[n]))
			append_table(&(struct table){&monitor, 1, &monitor->arrays[n], csv}, text);
	}
	if (left_out)
		text_append(text, "# its arrays on several axes are in HDF5 files (.h5)\n");
}

/* Monitors from number `first` on, not yet written, whose axes have equal numbers; marks them as written, and returns
 * their number. */
static int find_members(const sonde_fdtd_result *result, int first, bool *written, const sonde_fdtd_monitor **members)
{
	const sonde_fdtd_array *axis = axis_of(&result->monitors[first]);
	int count = 0;

	for (int n = first; n < result->monitor_count; ++n) {
		const sonde_fdtd_array *other = axis_of(&result->monitors[n]);
		if (written[n] || (n > first && (axis == NULL || other == NULL || !same_numbers(axis, other))))
			continue;
		written[n] = true;
		members[count++] = &result->monitors[n];
	}
	return count;
}

static void append_members(const struct table *table, struct text *text)
{
	if (table->count == 1) {
		append_monitor(table->members[0], table->csv, text);
		return;
	}
	for (int m = 0; m < table->count; ++m)
		text_append(text, "%s %s: %s%s", m == 0 ? "# monitors" : ",", table->members[m]->name,
			    table->members[m]->kind, m + 1 == table->count ? "\n" : "");
	append_table(table, text);
}

static sonde_status append_monitors(const sonde_fdtd_result *result, bool csv, struct text *text)
{
	const size_t count = (size_t)result->monitor_count;
	const sonde_fdtd_monitor **members = NULL;
	bool *written = NULL;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&members, count, sizeof *members, "a table"), done);
	CHECK_GOTO(status, memory_allocate(&written, count, sizeof *written, "a table"), done);
	for (int n = 0; n < result->monitor_count; ++n) {
		if (written[n])
			continue;
		struct table table = {members, find_members(result, n, written, members),
				      axis_of(&result->monitors[n]), csv};
		text_append(text, "%s", n > 0 ? "\n\n" : "");
		append_members(&table, text);
	}
done:
	free(members);
	free(written);
	return status;
}

static void append_summary(const sonde_fdtd_result *result, struct text *text)
{
	const sonde_fdtd_plan *plan = result->plan;

	text_append(text, "# cells: %lld x %lld x %lld with layers; step %.10g s\n", (long long)plan->cells[0],
		    (long long)plan->cells[1], (long long)plan->cells[2], plan->time_step);
	text_append(text, "# steps: %lld, %.10g s; largest E at the end %.3g of its peak; %.4g cells/s\n",
		    (long long)result->steps, result->time, result->left, result->rate);
	text_append(text, "# spectra are integrals over time of fields times exp(i 2 pi f t)\n");
}

sonde_status fdtd_table_text(const sonde_fdtd_result *result, bool csv, struct text *text)
{
	const struct provenance *provenance = &result->provenance->run;

	provenance_append_origin(text, provenance, "fdtd");
	provenance_append_options(text, &fdtd_option_table, result->options);
	provenance_append_device(text, provenance, result->seconds);
	append_summary(result, text);
	CHECK(append_monitors(result, csv, text));
	return text_status(text);
}

static sonde_status append_text(const void *result, bool csv, struct text *text)
{
	return fdtd_table_text(result, csv, text);
}

static sonde_status write_nexus(const void *result, const char *path, bool overwrite)
{
	return fdtd_write_nexus(result, path, overwrite);
}

static const struct result_format formats[] = {
    {RESULT_NEXUS_ENDINGS, write_nexus, NULL}, {RESULT_TABLE_ENDINGS, NULL, append_text}, {NULL, NULL, NULL}};

sonde_status fdtd_check_format(const char *path)
{
	return result_format_check(formats, path);
}

sonde_status sonde_fdtd_result_write(const sonde_fdtd_result *result, const char *path, int overwrite)
{
	if (result == NULL || path == NULL)
		return status_fail(SONDE_INVALID, "result and file are needed, one of them is null");
	return result_write(formats, result, path, overwrite != 0);
}
