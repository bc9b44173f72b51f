#include "cli/plot/structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/plot/axes.h"
#include "cli/plot/element_color.h"
#include "io/picture/balls.h"
#include "matter/elements/label.h"
#include "matter/atoms/radius.h"
#include "run/context.h"

#define PANEL 1080 /* pixels of a view's side: twice as many as in the picture, for vectors and smooth edges */
#define MOST_BALLS 20000000 /* in a view: two seconds */
#define MOST_LABELS 14      /* in the legend */
#define PART_OF_RADIUS 0.5  /* of the van der Waals radius: bonded atoms touch */
#define USUAL_RADIUS 2.0    /* Angstrom, of elements without one */

/* From x to the right, seen from above by 20 degrees and turned by 30. */
static const struct panel_view {
	const char *right, *up;
	double axes[3][3]; /* right, up, toward the viewer */
} panels[4] = {{"x", "y", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
	       {"x", "z", {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}},
	       {"y", "z", {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}},
	       {NULL,
		NULL,
		{{0.86602540378443865, 0.5, 0},
		 {-0.17101007166283436, 0.29619813272602386, 0.93969262078590838},
		 {0.46984631039295419, -0.81379768134937369, 0.34202014332566873}}}};

struct drawing {
	sonde_context *context;
	const sonde_atoms *atoms;
	struct balls balls;
	struct figure *figure;
};

/* The atoms of a view, as pixels. */
static sonde_status add_pixels(struct drawing *drawing, const struct balls_view *view)
{
	const double low[2] = {view->middle[0] - view->half, view->middle[1] - view->half},
		     high[2] = {view->middle[0] + view->half, view->middle[1] + view->half};
	struct picture picture;
	sonde_status status;

	CHECK_GOTO(status, picture_make(PANEL, PANEL, &picture), done);
	CHECK_GOTO(status, balls_draw(&drawing->balls, view, &picture), done);
	figure_picture(drawing->figure, &picture, low, high);
done:
	picture_free(&picture);
	return status;
}

static void project(const struct panel_view *panel, const double r[3], double to[2])
{
	for (int k = 0; k < 2; ++k)
		to[k] = panel->axes[k][0] * r[0] + panel->axes[k][1] * r[1] + panel->axes[k][2] * r[2];
}

/* The twelve edges of the cell. */
static void add_cell(struct figure *figure, const struct panel_view *panel, const double *cell)
{
	for (int edge = 0; edge < 12; ++edge) {
		const int along = edge / 4, first = (along + 1) % 3, second = (along + 2) % 3;
		double from[3] = {0.0}, to[3], ends[2][2];
		for (int m = 0; m < 3; ++m) {
			from[m] += edge & 1 ? cell[3 * first + m] : 0.0;
			from[m] += edge & 2 ? cell[3 * second + m] : 0.0;
			to[m] = from[m] + cell[3 * along + m];
		}
		project(panel, from, ends[0]);
		project(panel, to, ends[1]);
		figure_segment(figure, (struct figure_style){.color = 0x888888, .width = 1.0}, ends[0], ends[1]);
	}
}

/* Directions of the axes in the lower left corner. */
static void add_directions(struct figure *figure, const struct panel_view *panel, const struct balls_view *view)
{
	const double length = 0.16 * view->half,
		     at[2] = {view->middle[0] - 0.82 * view->half, view->middle[1] - 0.82 * view->half};

	for (int k = 0; k < 3; ++k) {
		double axis[3] = {0.0}, end[2];
		axis[k] = length;
		project(panel, axis, end);
		figure_arrow(figure, (struct figure_style){.color = 0x222222, .width = 1.2}, at,
			     (const double[2]){at[0] + end[0], at[1] + end[1]});
		figure_text(figure,
			    &(struct figure_text){.at = {at[0] + 1.3 * end[0], at[1] + 1.3 * end[1]},
						  .color = 0x222222,
						  .align = FIGURE_CENTER},
			    "%c", "xyz"[k]);
	}
}

static void add_legend(const struct drawing *drawing)
{
	const int count = sonde_atoms_species_count(drawing->atoms);

	for (int s = 0; s < count && s < MOST_LABELS; ++s) {
		struct figure_text place = {.at = {0.04, 0.96 - 0.045 * s}, .relative = true, .size = 2.2};
		const struct color color = drawing->balls.colors[s];
		place.color = (uint32_t)color.red << 16 | (uint32_t)color.green << 8 | color.blue;
		figure_text(drawing->figure, &place, "•");
		place = (struct figure_text){.at = {0.07, 0.96 - 0.045 * s}, .relative = true, .color = 0x222222};
		if (s + 1 == MOST_LABELS && count > MOST_LABELS)
			figure_text(drawing->figure, &place, "and %d more", count - s);
		else
			figure_text(drawing->figure, &place, "%s: %lld", sonde_atoms_species_label(drawing->atoms, s),
				    (long long)sonde_atoms_species_atoms(drawing->atoms, s));
	}
}

static void find_corners(const double *cell, double corners[8][3])
{
	for (int corner = 0; corner < 8; ++corner)
		for (int m = 0; m < 3; ++m) {
			corners[corner][m] = 0.0;
			for (int k = 0; k < 3; ++k)
				corners[corner][m] += cell != NULL && (corner >> k & 1) ? cell[3 * k + m] : 0.0;
		}
}

static bool is_cancelled(const void *user)
{
	return context_cancelled(user);
}

static sonde_status add_panel(struct drawing *drawing, const struct panel_view *panel)
{
	struct figure *figure = drawing->figure;
	const double *cell = sonde_atoms_cell(drawing->atoms);
	struct balls_view view;
	double corners[8][3];

	figure_panel(figure);
	figure_grid(figure, false);
	figure_equal_units(figure, 1.0);
	memcpy(view.right, panel->axes[0], sizeof view.right);
	memcpy(view.up, panel->axes[1], sizeof view.up);
	memcpy(view.toward, panel->axes[2], sizeof view.toward);
	find_corners(cell, corners);
	balls_find_view(&drawing->balls, (const double(*)[3])corners, cell != NULL ? 8 : 0, &view);
	CHECK(add_pixels(drawing, &view));
	if (cell != NULL)
		add_cell(figure, panel, cell);
	if (panel->right != NULL) {
		figure_label(figure, FIGURE_X, "%s (Å)", panel->right);
		figure_label(figure, FIGURE_Y, "%s (Å)", panel->up);
	} else {
		figure_hide_axes(figure);
		add_directions(figure, panel, &view);
		add_legend(drawing);
	}
	figure_range(figure, FIGURE_X, view.middle[0] - view.half, view.middle[0] + view.half);
	figure_range(figure, FIGURE_Y, view.middle[1] - view.half, view.middle[1] + view.half);
	return SONDE_OK;
}

/* Balls and colors of the species. */
static void choose_looks(const sonde_atoms *atoms, double *radii, struct color *colors)
{
	for (int s = 0; s < sonde_atoms_species_count(atoms); ++s) {
		struct label label;
		const bool known = label_parse(sonde_atoms_species_label(atoms, s), &label) == SONDE_OK;
		const double radius = radius_of_label(sonde_atoms_species_label(atoms, s));
		radii[s] = PART_OF_RADIUS * (radius > 0.0 ? radius : USUAL_RADIUS);
		colors[s] = element_color(known ? label.atomic_number : 0);
	}
}

sonde_status plot_structure(sonde_context *context, const sonde_atoms *atoms, const sonde_program_options *program,
			    int64_t *stride)
{
	const size_t species = (size_t)sonde_atoms_species_count(atoms);
	double *radii = NULL;
	struct color *colors = NULL;
	sonde_status status;

	*stride = (sonde_atoms_count(atoms) + MOST_BALLS - 1) / MOST_BALLS;
	if (sonde_atoms_count(atoms) == 0)
		return status_fail(SONDE_INVALID, "plot: the sample has no atoms");
	CHECK_GOTO(status, memory_allocate(&radii, species, sizeof *radii, "the picture"), done);
	CHECK_GOTO(status, memory_allocate(&colors, species, sizeof *colors, "the picture"), done);
	choose_looks(atoms, radii, colors);
	struct drawing drawing = {context, atoms, {0}, figure_create(1240, 1240, 2, 2)};
	drawing.balls = (struct balls){.count = sonde_atoms_count(atoms),
				       .stride = *stride,
				       .centers = sonde_atoms_positions(atoms),
				       .kinds = sonde_atoms_species(atoms),
				       .radii = radii,
				       .colors = colors,
				       .cancelled = is_cancelled,
				       .user = context};
	for (int k = 0; k < 4 && status == SONDE_OK && drawing.figure != NULL; ++k)
		status = add_panel(&drawing, &panels[k]);
	status = plot_finish(context, status, &drawing.figure, program->plot, program->force != 0);
done:
	free(radii);
	free(colors);
	return status;
}
