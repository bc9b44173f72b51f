/* Pictures of tables: the columns of the first table against its first column. */
#include <stdio.h>

#include "cli/plot/axes.h"
#include "cli/plot/drawings.h"
#include "run/pieces.h"

static void add_curves(struct figure *figure, const struct pieces_table *table)
{
	const struct pieces_column *columns = table->columns;
	char title[160];

	plot_label(figure, FIGURE_X, columns[0].name, columns[0].unit);
	for (int c = 1; c < table->column_count; ++c) {
		snprintf(title, sizeof title, columns[c].unit[0] != '\0' ? "%s (%s)" : "%s%s", columns[c].name,
			 columns[c].unit);
		figure_curve(figure,
			     (struct figure_style){.color = figure_colors[(c - 1) % 8], .width = 1.5, .marker = 5.0},
			     title, columns[0].values, columns[c].values, table->rows);
	}
}

sonde_status plot_tables(sonde_context *context, const struct pieces_result *result,
			 const sonde_program_options *program)
{
	const struct pieces_table *table = &result->tables[0];

	if (result->table_count == 0 || table->column_count < 2)
		return status_fail(SONDE_INVALID, "plot: the result has no curve");
	struct figure *figure = figure_create(1200, 500, 1, 1);
	if (figure != NULL) {
		figure_panel(figure);
		plot_axes_set(figure, program->plot_axes, false, true, false);
		add_curves(figure, table);
	}
	return plot_finish(context, SONDE_OK, &figure, program->plot, program->force != 0);
}
