/* The geometry of a job before it runs: bodies in sections through the center, sources, monitors, layers. */
#include <math.h>
#include <stdio.h>

#include "cli/plot/gnuplot.h"
#include "cli/plot/drawings.h"
#include "cli/plot/fdtd_drawing.h"
#include "fdtd/geometry.h"

#define MOST_LABELS 24 /* of marks in a panel */
#define ARROW 0.12     /* relative to the longest edge */
#define STRIP 0.2      /* height of a line's panel relative to its length */
/* Pixels of the picture, and the space for titles and axis numbers in a panel. */
#define PICTURE_WIDTH 1400
#define BESIDE 130.0
#define ABOVE 110.0
#define NUMBER_WIDTH 44.0
#define NUMBER_HEIGHT 30.0
#define GNUPLOTS_TICS 10.0
#define SOURCE_COLOR "#c0392b"
#define MONITOR_COLOR "#1f4e9a"
#define LAYER_COLOR "#888888"

static const char *const material_colors[] = {"#f4f1ea", "#8fb8de", "#e3b24c", "#9cc7a1", "#c9a0dc",
					      "#d98c7a", "#7fc4c4", "#b3b36b", "#a0a0b8"};
#define MATERIAL_COLORS ((int)(sizeof material_colors / sizeof *material_colors))

struct view {
	const struct fdtd_geometry *geometry;
	const struct geometry_section *section;
	struct text *script;
	struct scale scale;
	int number;       /* index of the panel, from 0 */
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

static void append_row(const struct view *view, int64_t j)
{
	const struct geometry_section *section = view->section;

	for (int64_t i = 0; i < section->count[0]; ++i) {
		const int material = section->materials[j * section->count[0] + i];
		/* with more materials than colors these repeat */
		text_append(view->script, "%d ", material == 0 ? 0 : 1 + (material - 1) % (MATERIAL_COLORS - 1));
	}
	text_append(view->script, "\n");
}

/* A line has two rows, since an image needs at least two. */
static void append_pixels(const struct view *view)
{
	const int64_t rows = view->section->count[1];

	text_append(view->script, "$s%d << EOD\n", view->number);
	for (int64_t j = 0; j < rows; ++j)
		append_row(view, j);
	if (rows == 1)
		append_row(view, 0);
	text_append(view->script, "EOD\n");
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
static void append_rectangle(const struct view *view, const double from[2], const double to[2], const char *style,
			     const char *color)
{
	if (from[0] == to[0] && from[1] == to[1])
		text_append(view->script, "set label at %.8g,%.8g point pt 7 ps 1.2 lc rgb '%s' front\n", from[0],
			    from[1], color);
	else if (from[0] == to[0] || from[1] == to[1])
		text_append(view->script, "set arrow from %.8g,%.8g to %.8g,%.8g nohead front lw 2 %s lc rgb '%s'\n",
			    from[0], from[1], to[0], to[1], style, color);
	else
		text_append(
		    view->script,
		    "set object rectangle from %.8g,%.8g to %.8g,%.8g front fs empty border lc rgb '%s' lw 1.5 "
		    "%s\n",
		    from[0], from[1], to[0], to[1], color, style);
}

static void append_direction(const struct view *view, const struct geometry_mark *mark, const double from[2],
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
	text_append(view->script,
		    "set arrow from %.8g,%.8g to %.8g,%.8g head filled front lw 2 lc rgb '" SOURCE_COLOR "'\n",
		    begin[0], begin[1], begin[0] + right, begin[1] + up);
}

static void append_mark(const struct view *view, const struct geometry_mark *mark, bool labeled)
{
	const bool source = mark->kind == GEOMETRY_SOURCE;
	double from[2], to[2];

	project(view, mark->low, mark->high, from, to);
	append_rectangle(view, from, to, source ? "" : "dt 2", source ? SOURCE_COLOR : MONITOR_COLOR);
	if (source)
		append_direction(view, mark, from, to);
	if (!labeled)
		return;
	text_append(view->script, "set label '");
	gnuplot_append_label(view->script, mark->label);
	text_append(view->script, "' at %.8g,%.8g left offset 0.4,0.6 front font ',9' tc rgb '%s' noenhanced\n",
		    from[0], source ? to[1] : from[1], source ? SOURCE_COLOR : MONITOR_COLOR);
}

static int picture_height(int panels)
{
	return panels > 2 ? 1200 : 640;
}

/* Numbers along an axis of `length` that has `pixels`: gnuplot chooses, unless there would be too many; then their spacing is 1, 2 or 5 times
 * a power of ten. */
static void append_tics(const struct view *view, char axis, double length, double pixels, double number)
{
	const double room = fmax(1.0, pixels / number);
	double step = pow(10.0, floor(log10(length / room)));

	if (room >= GNUPLOTS_TICS || !(length > 0.0)) {
		text_append(view->script, "set %ctics autofreq\n", axis);
		return;
	}
	step *= length / room <= step         ? 1.0
		: length / room <= 2.0 * step ? 2.0
		: length / room <= 5.0 * step ? 5.0
					      : 10.0;
	text_append(view->script, "set %ctics %.6g\n", axis, step);
}

/* The scale is the same along both axes, so that one of them may be short. */
static void append_both_tics(const struct view *view, double width, double height, bool line)
{
	const int panels = view->geometry->section_count + 1, columns = panels > 2 ? 2 : panels,
		  rows = (panels + columns - 1) / columns;
	const double scale = fmin((PICTURE_WIDTH / (double)columns - BESIDE) / width,
				  (picture_height(panels) / (double)rows - ABOVE) / height);

	append_tics(view, 'x', width, scale * width, NUMBER_WIDTH);
	if (!line)
		append_tics(view, 'y', height, scale * height, NUMBER_HEIGHT);
}

static void append_panel(const struct view *view)
{
	const struct fdtd_geometry *geometry = view->geometry;
	const struct geometry_section *section = view->section;
	const bool line = section->axes[1] < 0;
	double from[2], to[2];

	append_pixels(view);
	text_append(view->script, "unset label\nunset arrow\nunset object\n");
	project(view, geometry->inner_low, geometry->inner_high, from, to);
	append_rectangle(view, from, to, "dt 3", LAYER_COLOR);
	for (size_t n = 0; n < geometry->mark_count; ++n)
		append_mark(view, &geometry->marks[n], n < MOST_LABELS);
	if (section->across >= 0)
		text_append(view->script, "set title '%c = 0'\n", "xyz"[section->across]);
	else
		text_append(view->script, "unset title\n");
	text_append(view->script, "set xlabel '%c (%s)'\n", "xyz"[section->axes[0]], view -> scale.name);
	text_append(view->script, line ? "unset ylabel\nunset ytics\n" : "set ylabel '%c (%s)'\nset ytics\n",
		    line ? 0 : "xyz"[section->axes[1]], view -> scale.name);
	const double low = scaled(view, geometry->low[section->axes[0]]),
		     high = scaled(view, geometry->high[section->axes[0]]),
		     bottom = line ? view->low : scaled(view, geometry->low[section->axes[1]]),
		     top = line ? view->high : scaled(view, geometry->high[section->axes[1]]);
	append_both_tics(view, high - low, top - bottom, line);
	text_append(view->script,
		    "set size ratio -1\nset xrange [%.8g:%.8g]\nset yrange [%.8g:%.8g]\n"
		    "plot $s%d matrix using (%.10g+$1*%.10g):(%.10g+$2*%.10g):3 with image notitle\n",
		    low, high, bottom, top, view->number, scaled(view, section->low[0]),
		    scaled(view, section->step[0]), line ? 0.75 * bottom + 0.25 * top : scaled(view, section->low[1]),
		    line ? 0.5 * (top - bottom) : scaled(view, section->step[1]));
}

/* The legend, in a panel of its own. */
static void append_legend(const struct fdtd_geometry *geometry, struct text *script)
{
	double y = 0.95;

	text_append(script,
		    "unset label\nunset arrow\nunset object\nunset title\nunset xlabel\nunset ylabel\nunset tics\n"
		    "unset border\nset size noratio\nset xrange [0:1]\nset yrange [0:1]\n");
	for (size_t n = 0; n < geometry->material_count && (int)n < MATERIAL_COLORS - 1; ++n, y -= 0.07) {
		text_append(
		    script,
		    "set object rectangle from 0.05,%.4g to 0.12,%.4g front fc rgb '%s' fs solid border lc rgb "
		    "'#444444'\nset label '",
		    y - 0.05, y, material_colors[n + 1]);
		gnuplot_append_label(script, geometry->materials[n]);
		text_append(script, "' at 0.15,%.4g noenhanced\n", y - 0.025);
	}
	text_append(script,
		    "set label 'sources' at 0.15,%.4g tc rgb '" SOURCE_COLOR "'\n"
		    "set label 'monitors' at 0.15,%.4g tc rgb '" MONITOR_COLOR "'\n"
		    "set label 'inner side of the absorbing layers' at 0.15,%.4g tc rgb '" LAYER_COLOR "'\n"
		    "plot NaN notitle\n",
		    y - 0.025, y - 0.095, y - 0.165);
}

static void append_geometry(const struct fdtd_geometry *geometry, struct text *script)
{
	const int panels = geometry->section_count + 1, columns = panels > 2 ? 2 : panels;
	struct view view = {.geometry = geometry, .script = script, .scale = scale_of_length(longest_edge(geometry))};

	view.high = 0.5 * STRIP * scaled(&view, longest_edge(geometry));
	view.low = -view.high;
	text_append(
	    script,
	    "set terminal pngcairo size %d,%d font 'Sans,12'\nset encoding utf8\n"
	    "set multiplot layout %d,%d\nset border lc rgb '#444444'\nset tics out\nunset key\nunset colorbox\n"
	    "set format x '%%g'\nset format y '%%g'\nset palette maxcolors %d defined (",
	    PICTURE_WIDTH, picture_height(panels), (panels + columns - 1) / columns, columns, MATERIAL_COLORS);
	for (int n = 0; n < MATERIAL_COLORS; ++n)
		text_append(script, "%s%d '%s'", n > 0 ? ", " : "", n, material_colors[n]);
	text_append(script, ")\nset cbrange [-0.5:%g]\n", MATERIAL_COLORS - 0.5);
	for (; view.number < geometry->section_count; ++view.number) {
		view.section = &geometry->sections[view.number];
		append_panel(&view);
	}
	append_legend(geometry, script);
	text_append(script, "unset multiplot\nset output\nexit\n");
}

sonde_status plot_fdtd_geometry(sonde_context *context, const sonde_fdtd_job *job, const char *path, bool overwrite)
{
	struct fdtd_geometry geometry;
	struct text script = {0};
	sonde_status status = fdtd_geometry_make(context, job, &geometry);

	if (status == SONDE_OK) {
		append_geometry(&geometry, &script);
		status = text_status(&script);
	}
	fdtd_geometry_free(&geometry);
	if (status == SONDE_OK)
		status = gnuplot_draw(context, &script, path, overwrite);
	text_free(&script);
	return status;
}
