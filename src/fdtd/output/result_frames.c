/* Snapshots as pictures, one per time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/memory.h"
#include "run/context.h"
#include "fdtd/output/result_folders.h"
#include "fdtd/output/result_layer.h"
#include "io/picture/picture.h"

#define LONG_EDGE 640    /* maximum size in pixels to which smaller grids are magnified, by an integer factor */
#define MOST_PIXELS 4096 /* along an edge */
#define LEAST_PIXELS 16
#define CURVE_WIDTH 960
#define CURVE_HEIGHT 480
#define WEAK 1e-4 /* components that are nowhere stronger than this fraction of the strongest are left out */
#define COLORS 1024
#define SECONDS_OF_FRAME 0.04
#define OUTLINE_WIDTH 1.2 /* pixels */
#define OUTLINE_STRENGTH 0.7

static const struct color outline_color = {40, 40, 40}, curve_color = {31, 78, 154}, zero_color = {190, 190, 190};

/* Common data of all pictures of a component. */
struct film {
	const struct result_layer *layer;
	const sonde_fdtd_array *array, *permittivity;
	double range;
	int width, height;
	double pixel;    /* m */
	float *outlines; /* their coverage of each pixel; or null */
	struct color colors[COLORS + 1];
};

/* Pixels ------------------------------------------------------------------------------------ */

/* Chooses square pixels: for unequal cells the shorter edge counts. Their number is even, as films require. */
static void choose_pixels(struct film *film)
{
	const struct result_layer *layer = film->layer;
	double shorter = fmin(layer->step[0], layer->step[1]), extent[2], longest;

	for (int k = 0; k < 2; ++k)
		extent[k] = (double)layer->count[k] * layer->step[k];
	longest = fmax(extent[0], extent[1]) / shorter;
	film->pixel = shorter / fmax(1.0, floor(LONG_EDGE / longest));
	film->pixel = fmax(film->pixel, longest * shorter / MOST_PIXELS);
	film->width = (int)fmax(LEAST_PIXELS, 2.0 * ceil(0.5 * extent[0] / film->pixel - 1e-9));
	film->height = (int)fmax(LEAST_PIXELS, 2.0 * ceil(0.5 * extent[1] / film->pixel - 1e-9));
}

/* Conversion of a point of the picture to nodes, and back. A node is in the middle of its pixels. */
static double node_of(const struct film *film, int k, double point)
{
	double from_low = k == 0 ? point : film->height - point;

	return from_low * film->pixel / film->layer->step[k] - 0.5;
}

static double point_of(const struct film *film, int k, double node)
{
	double from_low = (node + 0.5) * film->layer->step[k] / film->pixel;

	return k == 0 ? from_low : film->height - from_low;
}

/* Between two nodes, by the distance from the first one. */
struct between {
	int64_t first, second;
	double part;
};

static struct between between_nodes(const struct film *film, int k, int pixel)
{
	double node = fmin(fmax(node_of(film, k, pixel + 0.5), 0.0), (double)(film->layer->count[k] - 1));
	int64_t first = (int64_t)node;

	return (struct between){first, first + 1 < film->layer->count[k] ? first + 1 : first, node - (double)first};
}

static struct color color_of(const struct film *film, double value)
{
	double part = 0.5 * COLORS * (1.0 + fmin(fmax(value / film->range, -1.0), 1.0));

	return film->colors[isnan(part) ? COLORS / 2 : (int)lround(part)];
}

static void fill_picture(const struct film *film, int64_t frame, const struct between *columns,
			 struct picture *picture)
{
	const struct result_layer *layer = film->layer;

	for (int y = 0; y < film->height; ++y) {
		struct between row = between_nodes(film, 1, y);
		struct color *pixels = picture->pixels + (size_t)y * (size_t)film->width;
		for (int x = 0; x < film->width; ++x) {
			struct between column = columns[x];
			double low = result_layer_value(layer, film->array, frame, column.first, row.first) *
					 (1.0 - column.part) +
				     result_layer_value(layer, film->array, frame, column.second, row.first) *
					 column.part,
			       high = result_layer_value(layer, film->array, frame, column.first, row.second) *
					  (1.0 - column.part) +
				      result_layer_value(layer, film->array, frame, column.second, row.second) *
					  column.part;
			pixels[x] = color_of(film, low * (1.0 - row.part) + high * row.part);
		}
	}
	if (film->outlines != NULL)
		picture_lay_over(picture, film->outlines, OUTLINE_STRENGTH, outline_color);
}

/* Outlines ------------------------------------------------------------------------------------ */

static sonde_status draw_outlines(const sonde_fdtd_monitor *monitor, struct film *film)
{
	struct outline *lines = NULL;
	size_t count = 0;
	sonde_status status = result_layer_outlines(film->layer, monitor, &lines, &count);

	if (status == SONDE_OK && count > 0)
		status = memory_allocate(&film->outlines, (size_t)film->width * (size_t)film->height,
					 sizeof *film->outlines, "a picture");
	for (size_t n = 0; n < count && status == SONDE_OK; ++n) {
		const double from[2] = {point_of(film, 0, lines[n].from[0]), point_of(film, 1, lines[n].from[1])},
			     to[2] = {point_of(film, 0, lines[n].to[0]), point_of(film, 1, lines[n].to[1])};
		picture_cover_line(film->width, film->height, film->outlines, from, to, OUTLINE_WIDTH);
	}
	free(lines);
	return status;
}

/* Curves of fields along a line --------------------------------------------------------------- */

static void curve_point(const struct film *film, int64_t frame, int64_t i, double point[2])
{
	point[0] = ((double)i + 0.5) * film->width / (double)film->layer->count[0];
	point[1] = 0.5 * film->height *
		   (1.0 - 0.95 * result_layer_value(film->layer, film->array, frame, i, 0) / film->range);
}

/* Darker gray where the permittivity is larger. */
static void fill_background(const struct film *film, struct picture *picture)
{
	double least = INFINITY, most = 1.0;

	if (film->permittivity == NULL)
		return;
	for (int64_t i = 0; i < film->layer->count[0]; ++i) {
		double value = result_layer_value(film->layer, film->permittivity, 0, i, 0);
		least = fmin(least, value);
		if (isfinite(value))
			most = fmax(most, value);
	}
	for (int x = 0; x < film->width && most > least; ++x) {
		int64_t i = x * film->layer->count[0] / film->width;
		double value = result_layer_value(film->layer, film->permittivity, 0, i, 0),
		       part = fmin((value - least) / (most - least), 1.0);
		unsigned char gray = (unsigned char)lround(255.0 - 35.0 * part - (isinf(value) ? 40.0 : 0.0));
		for (int y = 0; y < film->height; ++y)
			picture->pixels[(size_t)y * (size_t)film->width + (size_t)x] =
			    (struct color){gray, gray, gray};
	}
}

static sonde_status draw_curve(const struct film *film, int64_t frame, struct picture *picture)
{
	const double zero[2][2] = {{0.0, 0.5 * film->height}, {film->width, 0.5 * film->height}};
	float *coverage;

	CHECK(memory_allocate(&coverage, (size_t)film->width * (size_t)film->height, sizeof *coverage, "a picture"));
	memset(picture->pixels, 255, (size_t)film->width * (size_t)film->height * sizeof *picture->pixels);
	fill_background(film, picture);
	picture_cover_line(film->width, film->height, coverage, zero[0], zero[1], 1.0);
	picture_lay_over(picture, coverage, 1.0, zero_color);
	memset(coverage, 0, (size_t)film->width * (size_t)film->height * sizeof *coverage);
	for (int64_t i = 0; i + 1 < film->layer->count[0]; ++i) {
		double from[2], to[2];
		curve_point(film, frame, i, from);
		curve_point(film, frame, i + 1, to);
		picture_cover_line(film->width, film->height, coverage, from, to, 2.0);
	}
	picture_lay_over(picture, coverage, 1.0, curve_color);
	free(coverage);
	return SONDE_OK;
}

/* Films --------------------------------------------------------------------------------------- */

static sonde_status make_film(const struct result_layer *layer, const sonde_fdtd_monitor *monitor,
			      const sonde_fdtd_array *array, struct film *film)
{
	double largest = result_layer_largest(layer, array);

	*film = (struct film){.layer = layer,
			      .array = array,
			      .permittivity = sonde_fdtd_find_array(monitor, "permittivity"),
			      .width = CURVE_WIDTH,
			      .height = CURVE_HEIGHT,
			      .range = largest > 0.0 ? largest : 1.0};
	for (int n = 0; n <= COLORS; ++n)
		film->colors[n] = color_diverging(2.0 * n / COLORS - 1.0);
	if (layer->axes[1] < 0)
		return SONDE_OK;
	film->range = result_layer_range(layer, array);
	choose_pixels(film);
	return draw_outlines(monitor, film);
}

static sonde_status frame_path(const sonde_fdtd_monitor *monitor, const sonde_fdtd_array *array, int64_t frame,
			       char name[128])
{
	int length = frame < 0
			 ? snprintf(name, 128, "%s-%s.ffconcat", monitor->name, array->name)
			 : snprintf(name, 128, "%s-%s-%04lld.png", monitor->name, array->name, (long long)frame);

	return length < 128 ? SONDE_OK : status_fail(SONDE_INVALID, "%s: the name is too long", monitor->name);
}

static sonde_status write_pictures(const sonde_context *context, const struct film *film,
				   const sonde_fdtd_monitor *monitor, struct folder_files *files, bool overwrite,
				   struct fdtd_folder_report *report)
{
	struct picture picture = {0};
	struct between *columns = NULL;
	char name[128], path[PATH_MAX];
	sonde_status status;

	CHECK_GOTO(status, picture_make(film->width, film->height, &picture), done);
	CHECK_GOTO(status, memory_allocate(&columns, (size_t)film->width, sizeof *columns, "a picture"), done);
	for (int x = 0; x < film->width; ++x)
		columns[x] = between_nodes(film, 0, x);
	for (int64_t f = 0; f < film->layer->frames; ++f) {
		if (context_cancelled(context)) {
			status = status_fail(SONDE_CANCELLED, "stopped on request while drawing pictures");
			goto done;
		}
		if (film->layer->axes[1] >= 0)
			fill_picture(film, f, columns, &picture);
		else
			CHECK_GOTO(status, draw_curve(film, f, &picture), done);
		CHECK_GOTO(status, frame_path(monitor, film->array, f, name), done);
		CHECK_GOTO(status, folder_files_add(files, name, path), done);
		CHECK_GOTO(status, picture_write(&picture, path, overwrite), done);
		++report->files;
	}
done:
	free(columns);
	picture_free(&picture);
	return status;
}

/* A name within quotes of ffconcat, or of a shell: a quote ends them, is written after a backslash, and begins new
 * ones. */
static void append_quoted(struct text *text, const char *name)
{
	text_append_byte(text, '\'');
	for (; *name != '\0'; ++name)
		if (*name == '\'')
			text_append(text, "'\\''");
		else
			text_append_byte(text, *name);
	text_append_byte(text, '\'');
}

/* The pictures' list, which ffmpeg reads, and its description for the user. */
static sonde_status write_list(const struct film *film, const sonde_fdtd_monitor *monitor, struct folder_files *files,
			       bool overwrite, struct fdtd_folder_report *report)
{
	struct text list = {0};
	char name[128], path[PATH_MAX], film_name[PATH_MAX];

	text_append(
	    &list,
	    "ffconcat version 1.0\n# %s of monitor %s: colors from %.6g to %.6g %s; pictures of %d x %d pixels\n",
	    film->array->name, monitor->name, -film->range, film->range, film->array->unit, film->width,
	    film->height);
	for (int64_t f = 0; f < film->layer->frames; ++f) {
		CHECK(frame_path(monitor, film->array, f, name));
		text_append(&list, "# t = %.9g s\nfile ", film->layer->at[f]);
		append_quoted(&list, name);
		text_append(&list, "\nduration %g\n", SECONDS_OF_FRAME);
	}
	CHECK(frame_path(monitor, film->array, -1, name));
	sonde_status status = text_status(&list);
	if (status == SONDE_OK)
		status = folder_files_add(files, name, path);
	if (status == SONDE_OK)
		status = file_write(path, list.bytes, list.size, overwrite);
	text_free(&list);
	if (status != SONDE_OK)
		return status;
	snprintf(film_name, sizeof film_name, "%.*s.mp4", (int)(strlen(path) - strlen(".ffconcat")), path);
	text_append(&report->films, "ffmpeg -safe 0 -i ");
	append_quoted(&report->films, path);
	text_append(&report->films, " -pix_fmt yuv420p ");
	append_quoted(&report->films, film_name);
	text_append_byte(&report->films, '\n');
	return text_status(&report->films);
}

static sonde_status write_film(const sonde_context *context, const struct result_layer *layer,
			       const sonde_fdtd_monitor *monitor, const sonde_fdtd_array *array,
			       struct folder_files *files, bool overwrite, struct fdtd_folder_report *report)
{
	struct film film = {0};
	sonde_status status;

	CHECK_GOTO(status, make_film(layer, monitor, array, &film), done);
	CHECK_GOTO(status, write_pictures(context, &film, monitor, files, overwrite, report), done);
	status = write_list(&film, monitor, files, overwrite, report);
done:
	free(film.outlines);
	return status;
}

/* Its components except those that consist of rounding errors only. */
static sonde_status write_monitor(const sonde_context *context, const sonde_fdtd_monitor *monitor,
				  struct folder_files *files, bool overwrite, struct fdtd_folder_report *report)
{
	struct result_layer layer;
	double strongest[2] = {0.0, 0.0};

	if (!result_layer_of(monitor, &layer) || !layer.snapshot)
		return SONDE_OK;
	for (int n = 0; n < monitor->array_count; ++n) {
		const sonde_fdtd_array *array = &monitor->arrays[n];
		double *of = &strongest[array->name[0] == 'H'];
		if (result_is_field(array))
			*of = fmax(*of, result_layer_largest(&layer, array));
	}
	for (int n = 0; n < monitor->array_count; ++n) {
		const sonde_fdtd_array *array = &monitor->arrays[n];
		if (!result_is_field(array) ||
		    result_layer_largest(&layer, array) < WEAK * strongest[array->name[0] == 'H'])
			continue;
		CHECK(write_film(context, &layer, monitor, array, files, overwrite, report));
	}
	return SONDE_OK;
}

static sonde_status write_monitors(const sonde_context *context, const sonde_fdtd_result *result,
				   struct folder_files *files, bool overwrite, struct fdtd_folder_report *report)
{
	for (int n = 0; n < result->monitor_count; ++n)
		CHECK(write_monitor(context, &result->monitors[n], files, overwrite, report));
	return SONDE_OK;
}

sonde_status fdtd_write_frames(const sonde_context *context, const sonde_fdtd_result *result, bool overwrite,
			       struct fdtd_folder_report *report)
{
	const char *folder = result->options->frames;
	struct folder_files files;

	if (folder[0] == '\0')
		return SONDE_OK;
	CHECK(folder_check(folder));
	CHECK(folder_files_begin(&files, folder));
	return folder_files_end(&files, write_monitors(context, result, &files, overwrite, report));
}
