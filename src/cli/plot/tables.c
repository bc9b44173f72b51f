/* Pictures of tables: the columns of the first table against its first column. */
#include <math.h>

#include "cli/plot/drawings.h"
#include "cli/plot/gnuplot.h"
#include "run/pieces.h"

static const char *const colors[] = {"#1f4e9a", "#a83232", "#2e7d32", "#8e5a00", "#5b3a8c"};
#define COLORS (sizeof colors / sizeof *colors)

static void append_data(const struct pieces_table *table, struct text *script)
{
	text_append(script, "$table << EOD\n");
	for (int64_t k = 0; k < table->rows; ++k)
		for (int c = 0; c < table->column_count; ++c) {
			const double value = table->columns[c].values[k];
			text_append(script, isfinite(value) ? "%.8g" : "NaN", value);
			text_append_byte(script, c + 1 < table->column_count ? ' ' : '\n');
		}
	text_append(script, "EOD\n");
}

static void append_name(const struct pieces_column *column, struct text *script)
{
	gnuplot_append_label(script, column->name);
	if (column->unit[0] != '\0') {
		text_append(script, " (");
		gnuplot_append_label(script, column->unit);
		text_append(script, ")");
	}
}

static void append_curves(const struct pieces_table *table, struct text *script)
{
	text_append(script, "set xlabel '");
	append_name(&table->columns[0], script);
	text_append(script, "' noenhanced\nplot ");
	for (int c = 1; c < table->column_count; ++c) {
		text_append(script, "%s$table using 1:%d with linespoints pt 7 ps 0.4 lc rgb '%s' title '",
			    c > 1 ? ", " : "", c + 1, colors[(size_t)(c - 1) % COLORS]);
		append_name(&table->columns[c], script);
		text_append(script, "' noenhanced");
	}
	text_append(script, "\nset output\nexit\n");
}

sonde_status plot_tables(sonde_context *context, const struct pieces_result *result,
			 const sonde_program_options *program)
{
	const struct pieces_table *table = &result->tables[0];
	struct text script = {0};

	if (result->table_count == 0 || table->column_count < 2)
		return status_fail(SONDE_INVALID, "plot: the result has no curve");
	append_data(table, &script);
	text_append(&script, "set terminal pngcairo size 1200,500 font 'Sans,13'\n"
			     "set grid lc rgb '#dddddd'\nset border lc rgb '#444444'\n");
	gnuplot_append_axes(&script, program->plot_axes, false, true, "[*:*]");
	append_curves(table, &script);
	sonde_status status = text_status(&script);
	if (status == SONDE_OK)
		status = gnuplot_draw(context, &script, program->plot, program->force != 0);
	text_free(&script);
	return status;
}
