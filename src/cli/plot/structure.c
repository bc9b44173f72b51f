#include "cli/plot/structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/plot/element_color.h"
#include "cli/plot/gnuplot.h"
#include "io/picture/balls.h"
#include "matter/elements/label.h"
#include "matter/atoms/radius.h"
#include "run/context.h"

#define PANEL 540           /* pixels of a view's side */
#define MOST_BALLS 20000000 /* in a view: two seconds */
#define MOST_LABELS 14      /* in the legend */
#define PART_OF_RADIUS 0.5  /* of the van der Waals radius: bonded atoms touch */
#define USUAL_RADIUS 2.0    /* Angstrom, of elements without one */

/* From x to the right, seen from above by 20 degrees and turned by 30. */
static const struct panel {
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
	struct text script;
};

/* The atoms of a view, as pixels that follow the command in binary, rows from below. */
static sonde_status append_pixels(struct drawing *drawing, const struct balls_view *view)
{
	struct text *script = &drawing->script;
	struct picture picture;
	sonde_status status;

	CHECK_GOTO(status, picture_make(PANEL, PANEL, &picture), done);
	CHECK_GOTO(status, balls_draw(&drawing->balls, view, &picture), done);
	text_append(script,
		    "plot '-' binary array=(%d,%d) format='%%uchar%%uchar%%uchar' origin=(%.10g,%.10g) dx=%.10g "
		    "dy=%.10g with rgbimage notitle\n",
		    PANEL, PANEL, view->middle[0] - view->half * (1.0 - 1.0 / PANEL),
		    view->middle[1] - view->half * (1.0 - 1.0 / PANEL), 2.0 * view->half / PANEL,
		    2.0 * view->half / PANEL);
	for (int y = PANEL - 1; y >= 0; --y)
		text_append_bytes(script, (const char *)(picture.pixels + (size_t)y * PANEL),
				  PANEL * sizeof *picture.pixels);
	status = text_status(script);
done:
	picture_free(&picture);
	return status;
}

static void project(const struct panel *panel, const double r[3], double to[2])
{
	for (int k = 0; k < 2; ++k)
		to[k] = panel->axes[k][0] * r[0] + panel->axes[k][1] * r[1] + panel->axes[k][2] * r[2];
}

/* The twelve edges of the cell. */
static void append_cell(const struct panel *panel, const double *cell, struct text *script)
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
		text_append(script, "set arrow from %.8g,%.8g to %.8g,%.8g nohead front lc rgb '#888888' lw 0.8\n",
			    ends[0][0], ends[0][1], ends[1][0], ends[1][1]);
	}
}

/* Directions of the axes in the lower left corner. */
static void append_directions(const struct panel *panel, const struct balls_view *view, struct text *script)
{
	const double length = 0.16 * view->half,
		     at[2] = {view->middle[0] - 0.82 * view->half, view->middle[1] - 0.82 * view->half};

	for (int k = 0; k < 3; ++k) {
		double axis[3] = {0.0}, end[2];
		axis[k] = length;
		project(panel, axis, end);
		text_append(script,
			    "set arrow from %.8g,%.8g to %.8g,%.8g front size screen 0.006,20 lc rgb '#222222'\n",
			    at[0], at[1], at[0] + end[0], at[1] + end[1]);
		text_append(script, "set label '%c' at %.8g,%.8g center front\n", "xyz"[k], at[0] + 1.3 * end[0],
			    at[1] + 1.3 * end[1]);
	}
}

static void append_legend(const struct drawing *drawing, struct text *script)
{
	const int count = sonde_atoms_species_count(drawing->atoms);

	for (int s = 0; s < count && s < MOST_LABELS; ++s) {
		text_append(script, "set label '");
		if (s + 1 == MOST_LABELS && count > MOST_LABELS) {
			text_append(script, "and %d more", count - s);
		} else {
			gnuplot_append_label(script, sonde_atoms_species_label(drawing->atoms, s));
			text_append(script, ": %lld", (long long)sonde_atoms_species_atoms(drawing->atoms, s));
		}
		text_append(script,
			    "' at graph 0.05,%.4g left front point pt 7 ps 1.8 lc rgb '#%02x%02x%02x' offset 1,0\n",
			    0.95 - 0.045 * s, drawing->balls.colors[s].red, drawing->balls.colors[s].green,
			    drawing->balls.colors[s].blue);
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

static sonde_status append_panel(struct drawing *drawing, const struct panel *panel)
{
	struct text *script = &drawing->script;
	const double *cell = sonde_atoms_cell(drawing->atoms);
	struct balls_view view;
	double corners[8][3];

	memcpy(view.right, panel->axes[0], sizeof view.right);
	memcpy(view.up, panel->axes[1], sizeof view.up);
	memcpy(view.toward, panel->axes[2], sizeof view.toward);
	find_corners(cell, corners);
	balls_find_view(&drawing->balls, (const double(*)[3])corners, cell != NULL ? 8 : 0, &view);
	text_append(script, "unset arrow\nunset label\n");
	if (cell != NULL)
		append_cell(panel, cell, script);
	if (panel->right != NULL) {
		text_append(script, "set xlabel '%s (Å)'\nset ylabel '%s (Å)' offset 1,0\n", panel->right, panel->up);
	} else {
		text_append(script, "unset xtics\nunset ytics\nunset border\nset xlabel ''\nset ylabel ''\n");
		append_directions(panel, &view, script);
		append_legend(drawing, script);
	}
	text_append(script, "set xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\n", view.middle[0] - view.half,
		    view.middle[0] + view.half, view.middle[1] - view.half, view.middle[1] + view.half);
	return append_pixels(drawing, &view);
}

static sonde_status draw(struct drawing *drawing, const sonde_program_options *program)
{
	struct text *script = &drawing->script;

	text_append(script, "set terminal pngcairo size 1240,1240 font 'Sans,13'\n"
			    "set multiplot layout 2,2 margins 0.07,0.985,0.06,0.985 spacing 0.08,0.075\n"
			    "set size square\nset border lc rgb '#444444'\nunset key\nset tics out\n");
	for (int k = 0; k < 4; ++k)
		CHECK(append_panel(drawing, &panels[k]));
	text_append(script, "unset multiplot\nset output\nexit\n");
	CHECK(text_status(script));
	return gnuplot_draw(drawing->context, script, program->plot, program->force != 0);
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
	struct drawing drawing = {context, atoms, {0}, {0}};
	drawing.balls = (struct balls){.count = sonde_atoms_count(atoms),
				       .stride = *stride,
				       .centers = sonde_atoms_positions(atoms),
				       .kinds = sonde_atoms_species(atoms),
				       .radii = radii,
				       .colors = colors,
				       .cancelled = is_cancelled,
				       .user = context};
	status = draw(&drawing, program);
	text_free(&drawing.script);
done:
	free(radii);
	free(colors);
	return status;
}
