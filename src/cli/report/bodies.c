#include "cli/report/bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/option_items.h"
#include "cli/report/page_text.h"
#include "io/volume/voxel_map.h"
#include "matter/shape/body.h"

#define MOST_BODIES 200
#define MOST_TRIANGLES 20000  /* of a body */
#define MOST_FILE (256 << 20) /* bytes: larger ones take too long for a view */
#define MOST_ALONG 48         /* voxels along an edge */
#define FINEST 256            /* cells along the longest edge in which corners are joined */
#define NANOMETERS 1e9

static const struct body_frame in_meters = {.unit = "m", .meter = 1.0, .job_axis = {0, 1, 2}};

/* Files --------------------------------------------------------------------------------------------- */

/* A regular file of moderate size; anything else, as a device, might never end. */
static bool is_readable(const char *path)
{
	struct stat properties;

	return stat(path, &properties) == 0 && S_ISREG(properties.st_mode) && properties.st_size <= MOST_FILE;
}

/* The body's file as the job names it, or next to the result. */
static bool find_file(sonde_body_options *body, const char *result)
{
	const char *slash = strrchr(result, '/');
	const size_t folder = slash != NULL ? (size_t)(slash - result) + 1 : 0;
	char path[OPTION_TEXT_SIZE];

	if (is_readable(body->file))
		return true;
	if (body->file[0] == '/' || folder + strlen(body->file) >= sizeof path)
		return false;
	memcpy(path, result, folder);
	memcpy(path + folder, body->file, strlen(body->file) + 1);
	if (!is_readable(path))
		return false;
	memcpy(body->file, path, strlen(path) + 1);
	return true;
}

/* Surfaces ------------------------------------------------------------------------------------------ */

/* Joins the corners within each of n^3 cells around the surface: `to` becomes the new number of each corner. Returns how many
 * triangles keep three different corners. `first` has room for all cells. */
static uint32_t join_corners(const struct surface *surface, int n, uint32_t *first, uint32_t *to)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, most = 0.0;
	uint32_t kept = 0;

	for (int k = 0; k < 3; ++k) {
		double high = -INFINITY;
		for (uint32_t v = 0; v < surface->vertex_count; ++v) {
			low[k] = fmin(low[k], surface->vertices[3 * (size_t)v + k]);
			high = fmax(high, surface->vertices[3 * (size_t)v + k]);
		}
		most = fmax(most, high - low[k]);
	}
	memset(first, 0xff, (size_t)n * n * n * sizeof *first);
	for (uint32_t v = 0; v < surface->vertex_count; ++v) {
		size_t cell = 0;
		for (int k = 0; k < 3; ++k) {
			const int index = (int)((surface->vertices[3 * (size_t)v + k] - low[k]) / most * n);
			cell = cell * (size_t)n + (size_t)(index < n ? index : n - 1);
		}
		if (first[cell] == UINT32_MAX)
			first[cell] = v;
		to[v] = first[cell];
	}
	for (uint32_t t = 0; t < surface->triangle_count; ++t) {
		const uint32_t *of = surface->triangles + 3 * (size_t)t;
		kept += to[of[0]] != to[of[1]] && to[of[1]] != to[of[2]] && to[of[2]] != to[of[0]];
	}
	return kept;
}

/* Joins corners until few triangles are left. */
static sonde_status reduce(const struct surface *surface, uint32_t *to, uint32_t *kept)
{
	uint32_t *first;

	for (uint32_t v = 0; v < surface->vertex_count; ++v)
		to[v] = v;
	*kept = surface->triangle_count;
	if (*kept <= MOST_TRIANGLES)
		return SONDE_OK;
	CHECK(memory_allocate(&first, (size_t)FINEST * FINEST * FINEST, sizeof *first, "a report"));
	for (int n = FINEST; n >= 4 && *kept > MOST_TRIANGLES; n = n * 3 / 4)
		*kept = join_corners(surface, n, first, to);
	free(first);
	return SONDE_OK;
}

static sonde_status append_surface(const struct surface *surface, struct text *page)
{
	double *corners = NULL, *numbers = NULL;
	uint32_t *to, kept;

	CHECK(memory_allocate(&to, surface->vertex_count, sizeof *to, "a report"));
	sonde_status status = reduce(surface, to, &kept);
	if (status == SONDE_OK)
		status = memory_allocate(&corners, 3 * (size_t)surface->vertex_count, sizeof *corners, "a report");
	if (status == SONDE_OK)
		status = memory_allocate(&numbers, 3 * (size_t)kept, sizeof *numbers, "a report");
	if (status == SONDE_OK) {
		size_t count = 0;
		uint32_t used = 0, *of_new = to; /* corners that stay, numbered anew: to[v] <= v */
		for (uint32_t v = 0; v < surface->vertex_count; ++v) {
			const bool stays = to[v] == v;
			of_new[v] = stays ? used : of_new[to[v]];
			for (int k = 0; k < 3 && stays; ++k)
				corners[3 * (size_t)used + k] = NANOMETERS * surface->vertices[3 * (size_t)v + k];
			used += stays;
		}
		for (uint32_t t = 0; t < surface->triangle_count; ++t) {
			const uint32_t *of = surface->triangles + 3 * (size_t)t;
			const uint32_t a = of_new[of[0]], b = of_new[of[1]], c = of_new[of[2]];
			if (a == b || b == c || c == a)
				continue;
			numbers[count++] = a;
			numbers[count++] = b;
			numbers[count++] = c;
		}
		text_append(page, ",\"all\":%u,\"kept\":%u,\"corners\":", surface->triangle_count, kept);
		page_append_numbers(page, corners, 3 * (int64_t)used, true);
		text_append(page, ",\"triangles\":");
		page_append_numbers(page, numbers, (int64_t)count, true);
	}
	free(corners);
	free(numbers);
	free(to);
	return status;
}

/* The outer surface about the origin. */
static sonde_status make_surface(const sonde_body_options *body, struct surface *surface)
{
	const double origin[3] = {0.0, 0.0, 0.0};
	sonde_body_options outer = *body;
	struct shape *shape;

	outer.hollow = 0.0;
	CHECK(body_make_shape(&in_meters, &outer, origin, 0.0, &shape));
	const sonde_status status = shape_make_surface(shape, surface);
	shape_free(&shape);
	return status;
}

/* Voxels -------------------------------------------------------------------------------------------- */

/* One of so many along each axis. */
static sonde_status append_values(const struct voxel_map *map, const int64_t each[3], const int64_t reduced[3],
				  struct text *page)
{
	double *values;
	int64_t n = 0;

	CHECK(memory_allocate(&values, (size_t)(reduced[0] * reduced[1] * reduced[2]), sizeof *values, "a report"));
	for (int64_t z = 0; z < map->counts[2]; z += each[2])
		for (int64_t y = 0; y < map->counts[1]; y += each[1])
			for (int64_t x = 0; x < map->counts[0]; x += each[0]) {
				const int64_t from = (z * map->counts[1] + y) * map->counts[0] + x;
				values[n++] =
				    map->materials != NULL ? (double)map->materials[from] : map->permittivities[from];
			}
	page_append_numbers(page, values, n, true);
	free(values);
	return SONDE_OK;
}

static sonde_status append_voxels(const sonde_body_options *body, const struct voxel_map *map, struct text *page)
{
	const double scale = body->scale > 0.0 ? body->scale : 1e-10, middle[3] = {0.0, 0.0, 0.0};
	double origin[3], spacing[3];
	int64_t each[3], reduced[3];

	voxel_map_place(map, scale, middle, origin, spacing);
	for (int k = 0; k < 3; ++k) {
		each[k] = (map->counts[k] + MOST_ALONG - 1) / MOST_ALONG;
		reduced[k] = (map->counts[k] + each[k] - 1) / each[k];
	}
	text_append(page, ",\"permittivities\":%s", map->permittivities != NULL ? "true" : "false");
	for (int k = 0; k < 3; ++k) {
		text_append(page, ",\"%c\":[%lld,%lld,", "xyz"[k], (long long)map -> counts[k],
			    (long long)reduced[k]);
		page_append_number(page, NANOMETERS * origin[k]);
		text_append(page, ",");
		page_append_number(page, NANOMETERS * spacing[k] * (double)each[k]);
		text_append(page, "]");
	}
	text_append(page, ",\"values\":");
	return append_values(map, each, reduced, page);
}

/* Bodies -------------------------------------------------------------------------------------------- */

static void begin_body(int64_t number, const sonde_body_options *body, const char *named, struct text *page)
{
	text_append(page, ",\n{\"path\":\"/fdtd/process/job\",\"kind\":\"body\",\"number\":%lld", (long long)number);
	if (body->shape != SONDE_BODY_SHAPE_WULFF) {
		text_append(page, ",\"file\":");
		page_append_text(page, named);
	}
}

static sonde_status append_body(int64_t number, const sonde_body_options *given, const char *path, struct text *page)
{
	const bool voxels = given->shape == SONDE_BODY_SHAPE_VOXELS;
	struct surface surface = {0};
	struct voxel_map map = {.counts = {0}};
	sonde_body_options body = *given;
	sonde_status status;

	if (body.shape != SONDE_BODY_SHAPE_STL && body.shape != SONDE_BODY_SHAPE_WULFF && !voxels)
		return SONDE_OK;
	if (body.shape != SONDE_BODY_SHAPE_WULFF && !find_file(&body, path))
		return SONDE_OK;
	status = voxels ? voxel_map_read(body.file, true, true, &map) : make_surface(&body, &surface);
	if (status == SONDE_OK) {
		begin_body(number, &body, given->file, page);
		status = voxels ? append_voxels(&body, &map, page) : append_surface(&surface, page);
		text_append(page, "}");
	}
	surface_free(&surface);
	voxel_map_free(&map);
	return status == SONDE_RESOURCE ? status : SONDE_OK;
}

sonde_status bodies_append(const char *job, const char *path, struct text *page)
{
	void *items = NULL;
	int64_t count = 0;
	sonde_status status = option_items_read(&body_table_in_meters, job, &count, &items);
	const sonde_body_options *bodies = items;

	for (int64_t n = 0; n < count && n < MOST_BODIES && status == SONDE_OK; ++n)
		status = append_body(n, &bodies[n], path, page);
	free(items);
	return status == SONDE_RESOURCE ? status : SONDE_OK;
}
