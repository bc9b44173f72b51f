/* The geometry of a job before it runs: bodies in sections through the center, sources, monitors, layers. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cli/plot/axes.h"
#include "cli/plot/drawings.h"
#include "cli/plot/fdtd_drawing.h"
#include "fdtd/geometry.h"

#define MOST_LABELS 24 /* of marks in a panel */
#define ARROW 0.12     /* relative to the longest edge */
#define STRIP 0.2      /* height of a line's panel relative to its length */
#define SOURCE_COLOR 0xc0392b
#define MONITOR_COLOR 0x1f4e9a
#define LAYER_COLOR 0x888888

static const uint32_t material_colors[] = {0xf4f1ea, 0x8fb8de, 0xe3b24c, 0x9cc7a1, 0xc9a0dc,
					   0xd98c7a, 0x7fc4c4, 0xb3b36b, 0xa0a0b8};
#define MATERIAL_COLORS ((int)(sizeof material_colors / sizeof *material_colors))

struct view {
	const struct fdtd_geometry *geometry;
	const struct geometry_section *section;
	struct figure *figure;
	struct scale scale;
	double low, high; /* vertical limits: for a line, those of its strip */
};

static double scaled(const struct view *view, double place)
{
	return view->scale.factor * place;
}

static double longest_edge(const struct fdtd_geometry *geometry)
{
	double longest = 0.0;

	for (int u = 0; u < 3; ++u)
		longest = fmax(longest, geometry->high[u] - geometry->low[u]);
	return longest;
}

static struct color color_of(int material)
{
	/* with more materials than colors these repeat */
	const uint32_t color = material_colors[material == 0 ? 0 : 1 + (material - 1) % (MATERIAL_COLORS - 1)];

	return (struct color){(unsigned char)(color >> 16), (unsigned char)(color >> 8), (unsigned char)color};
}

/* The materials as pixels; a line is one row of them. */
static sonde_status add_pixels(const struct view *view)
{
	const struct geometry_section *section = view->section;
	const int columns = (int)section->count[0], rows = (int)section->count[1];
	struct picture picture;
	double low[2] = {scaled(view, section->low[0] - 0.5 * section->step[0]), view->low},
	       high[2] = {0.0, view->high};

	high[0] = low[0] + columns * scaled(view, section->step[0]);
	if (section->axes[1] >= 0) {
		low[1] = scaled(view, section->low[1] - 0.5 * section->step[1]);
		high[1] = low[1] + rows * scaled(view, section->step[1]);
	}
	const sonde_status status = picture_make(columns, rows, &picture);
	for (int j = 0; j < rows && status == SONDE_OK; ++j)
		for (int i = 0; i < columns; ++i)
			picture.pixels[(ptrdiff_t)(rows - 1 - j) * columns + i] =
			    color_of(section->materials[(ptrdiff_t)j * columns + i]);
	if (status == SONDE_OK)
		figure_picture(view->figure, &picture, low, high);
	picture_free(&picture);
	return status;
}

/* Lower and upper limit along the panel's two axes. */
static void project(const struct view *view, const double low[3], const double high[3], double from[2], double to[2])
{
	from[0] = scaled(view, low[view->section->axes[0]]);
	to[0] = scaled(view, high[view->section->axes[0]]);
	from[1] = view->low;
	to[1] = view->high;
	if (view->section->axes[1] < 0)
		return;
	from[1] = scaled(view, low[view->section->axes[1]]);
	to[1] = scaled(view, high[view->section->axes[1]]);
}

/* A rectangle that may be a line or a point. */
static void add_rectangle(const struct view *view, const double from[2], const double to[2],
			  const struct figure_style *style)
{
	struct figure_style line = *style;

	line.width = 2.0;
	if (from[0] == to[0] && from[1] == to[1])
		figure_curve(view->figure, (struct figure_style){.color = style->color, .marker = 9.0}, NULL,
			     &from[0], &from[1], 1);
	else if (from[0] == to[0] || from[1] == to[1])
		figure_segment(view->figure, line, from, to);
	else
		figure_rectangle(view->figure, *style, from, to, NULL);
}

static void add_direction(const struct view *view, const struct geometry_mark *mark, const double from[2],
			  const double to[2])
{
	const struct geometry_section *section = view->section;
	const double length = ARROW * scaled(view, longest_edge(view->geometry)),
		     right = length * mark->direction[section->axes[0]],
		     up = section->axes[1] >= 0 ? length * mark->direction[section->axes[1]] : 0.0;
	const double middle[2] = {0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])};

	/* a plane wave enters at the start of its box */
	const bool box = from[0] < to[0] && from[1] < to[1];
	const double begin[2] = {
	    middle[0] - (box && right != 0.0 ? copysign(0.5 * (to[0] - from[0]), right) : 0.0),
	    middle[1] - (box && right == 0.0 && up != 0.0 ? copysign(0.5 * (to[1] - from[1]), up) : 0.0)};
	if (hypot(right, up) < 0.1 * length)
		return;
	figure_arrow(view->figure, (struct figure_style){.color = SOURCE_COLOR, .width = 2.0}, begin,
		     (const double[2]){begin[0] + right, begin[1] + up});
}

static void add_mark(const struct view *view, const struct geometry_mark *mark, bool labeled)
{
	const bool source = mark->kind == GEOMETRY_SOURCE;
	const struct figure_style style = {.color = source ? SOURCE_COLOR : MONITOR_COLOR,
					   .width = 1.5,
					   .dash = source ? FIGURE_SOLID : FIGURE_DASHED};
	double from[2], to[2];

	project(view, mark->low, mark->high, from, to);
	add_rectangle(view, from, to, &style);
	if (source)
		add_direction(view, mark, from, to);
	if (labeled)
		figure_text(view->figure,
			    &(struct figure_text){.at = {from[0], source ? to[1] : from[1]},
						  .offset = {4.0, 9.0},
						  .size = 0.75,
						  .color = style.color},
			    "%s", mark->label);
}

static sonde_status add_panel(const struct view *view)
{
	const struct fdtd_geometry *geometry = view->geometry;
	const struct geometry_section *section = view->section;
	const bool line = section->axes[1] < 0;
	double from[2], to[2];

	figure_panel(view->figure);
	figure_grid(view->figure, false);
	figure_equal_units(view->figure, 1.0);
	if (section->across >= 0)
		figure_title(view->figure, "%c = 0", "xyz"[section->across]);
	figure_label(view->figure, FIGURE_X, "%c (%s)", "xyz"[section->axes[0]], view -> scale.name);
	if (line)
		figure_hide_numbers(view->figure, FIGURE_Y);
	else
		figure_label(view->figure, FIGURE_Y, "%c (%s)", "xyz"[section->axes[1]], view -> scale.name);
	project(view, geometry->low, geometry->high, from, to);
	figure_range(view->figure, FIGURE_X, from[0], to[0]);
	figure_range(view->figure, FIGURE_Y, from[1], to[1]);
	CHECK(add_pixels(view));
	project(view, geometry->inner_low, geometry->inner_high, from, to);
	add_rectangle(view, from, to,
		      &(struct figure_style){.color = LAYER_COLOR, .width = 1.5, .dash = FIGURE_DOTTED});
	for (size_t n = 0; n < geometry->mark_count; ++n)
		add_mark(view, &geometry->marks[n], n < MOST_LABELS);
	return SONDE_OK;
}

/* The legend, in a panel of its own. */
static void add_legend(const struct view *view)
{
	static const struct {
		const char *name;
		uint32_t color;
	} marks[] = {{"sources", SOURCE_COLOR},
		     {"monitors", MONITOR_COLOR},
		     {"inner side of the absorbing layers", LAYER_COLOR}};
	const struct fdtd_geometry *geometry = view->geometry;
	struct figure_text place = {.at = {0.15, 0.0}};
	double y = 0.95;

	figure_panel(view->figure);
	figure_hide_axes(view->figure);
	figure_range(view->figure, FIGURE_X, 0.0, 1.0);
	figure_range(view->figure, FIGURE_Y, 0.0, 1.0);
	for (size_t n = 0; n < geometry->material_count && (int)n < MATERIAL_COLORS - 1; ++n, y -= 0.07) {
		figure_rectangle(view->figure, (struct figure_style){.color = 0x444444, .width = 1.0},
				 (const double[2]){0.05, y - 0.05}, (const double[2]){0.12, y},
				 &material_colors[n + 1]);
		place.at[1] = y - 0.025;
		place.color = 0x222222;
		figure_text(view->figure, &place, "%s", geometry->materials[n]);
	}
	for (size_t n = 0; n < sizeof marks / sizeof *marks; ++n, y -= 0.07) {
		place.at[1] = y - 0.025;
		place.color = marks[n].color;
		figure_text(view->figure, &place, "%s", marks[n].name);
	}
}

static sonde_status add_geometry(const struct fdtd_geometry *geometry, struct figure *figure)
{
	struct view view = {.geometry = geometry, .figure = figure, .scale = scale_of_length(longest_edge(geometry))};

	view.high = 0.5 * STRIP * scaled(&view, longest_edge(geometry));
	view.low = -view.high;
	for (int n = 0; n < geometry->section_count; ++n) {
		view.section = &geometry->sections[n];
		CHECK(add_panel(&view));
	}
	add_legend(&view);
	return SONDE_OK;
}

sonde_status plot_fdtd_geometry(sonde_context *context, const sonde_fdtd_job *job, const char *path, bool overwrite)
{
	struct fdtd_geometry geometry;
	struct figure *figure = NULL;
	sonde_status status = fdtd_geometry_make(context, job, &geometry);

	if (status == SONDE_OK) {
		const int panels = geometry.section_count + 1, columns = panels > 2 ? 2 : panels;
		figure = figure_create(1400, panels > 2 ? 1200 : 640, (panels + columns - 1) / columns, columns);
		status = figure != NULL ? add_geometry(&geometry, figure) : memory_missing("the picture");
	}
	fdtd_geometry_free(&geometry);
	return plot_finish(context, status, &figure, path, overwrite);
}
