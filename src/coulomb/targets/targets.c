/* The points at which the potential is computed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coulomb/targets/targets.h"

#include "base/memory.h"
#include "base/text.h"

#define MOST_POINTS 1e11

static double component(const sonde_vector *vector, int k)
{
	return k == 0 ? vector->x : k == 1 ? vector->y : vector->z;
}

static bool is_zero(const sonde_vector *vector)
{
	return vector->x == 0.0 && vector->y == 0.0 && vector->z == 0.0;
}

static sonde_status count_points(struct targets *targets)
{
	double count = (double)targets->size[0] * (double)targets->size[1] * (double)targets->size[2];

	if (count > MOST_POINTS)
		return status_fail(
		    SONDE_INVALID,
		    "a grid of %lld x %lld x %lld = %.3g points would take %.3g GB; at most %g points are "
		    "possible; use a larger `spacing` or a smaller `padding`",
		    (long long)targets->size[0], (long long)targets->size[1], (long long)targets->size[2], count,
		    8e-9 * count, MOST_POINTS);
	targets->count = targets->size[0] * targets->size[1] * targets->size[2];
	return SONDE_OK;
}

/* Axes given by the options, with the origin and the size. */
static sonde_status make_given(const sonde_coulomb_options *options, struct targets *targets)
{
	const sonde_vector *steps[] = {&options->step_a, &options->step_b, &options->step_c};
	int given = !is_zero(steps[0]) + !is_zero(steps[1]) + !is_zero(steps[2]);

	if (given != 0 && given != 3)
		return status_fail(SONDE_INVALID, "step-a, step-b and step-c are given together or not at all");
	for (int k = 0; k < 3; ++k) {
		double points = component(&options->size, k);
		if (points < 1.0 || points != floor(points))
			return status_fail_option(SONDE_INVALID, "size",
						  "%g points; a whole number of at least 1 is needed", points);
		targets->size[k] = (int64_t)points;
		targets->origin[k] = component(&options->origin, k);
		for (int c = 0; c < 3; ++c)
			targets->steps[k][c] = given == 3 ? component(steps[k], c)
					       : k == c   ? component(&options->spacing, k)
							  : 0.0;
	}
	const double(*s)[3] = (const double(*)[3])targets->steps;
	double volume = s[0][0] * (s[1][1] * s[2][2] - s[1][2] * s[2][1]) -
			s[0][1] * (s[1][0] * s[2][2] - s[1][2] * s[2][0]) +
			s[0][2] * (s[1][0] * s[2][1] - s[1][1] * s[2][0]);
	if (volume == 0.0)
		return status_fail(SONDE_INVALID,
				   "step-a, step-b and step-c lie in one plane: the grid has no thickness");
	targets->is_orthogonal =
	    s[0][1] == 0 && s[0][2] == 0 && s[1][0] == 0 && s[1][2] == 0 && s[2][0] == 0 && s[2][1] == 0;
	return SONDE_OK;
}

/* The bounding box of the atoms; with whole steps and equal margins on both sides. */
static sonde_status make_round(const sonde_atoms *atoms, const sonde_coulomb_options *options,
			       struct targets *targets)
{
	if (atoms->count == 0)
		return status_fail(SONDE_INVALID, "there are no atoms to place the grid around; give `origin` and "
						  "`size`");
	for (int k = 0; k < 3; ++k) {
		double low = atoms->positions[k], high = low, step = component(&options->spacing, k);
		for (int64_t i = 1; i < atoms->count; ++i) {
			low = fmin(low, atoms->positions[3 * i + k]);
			high = fmax(high, atoms->positions[3 * i + k]);
		}
		double steps = ceil((high - low + 2.0 * options->padding) / step * (1.0 - 1e-12));
		if (steps > MOST_POINTS)
			return status_fail_option(SONDE_INVALID, "spacing",
						  "%g Angstrom across %g Angstrom are too many points; use a larger "
						  "one",
						  step, high - low + 2.0 * options->padding);
		targets->size[k] = (int64_t)steps + 1;
		targets->origin[k] = 0.5 * (low + high - steps * step);
		targets->steps[k][k] = step;
	}
	targets->is_orthogonal = true;
	return SONDE_OK;
}

static sonde_status make_grid(const sonde_atoms *atoms, const sonde_coulomb_options *options, struct targets *targets)
{
	targets->is_grid = true;
	if (is_zero(&options->size)) {
		if (!is_zero(&options->step_a) || !is_zero(&options->step_b) || !is_zero(&options->step_c))
			return status_fail(SONDE_INVALID, "`step_a`, `step_b` and `step_c` need `origin` and `size`");
		return make_round(atoms, options, targets);
	}
	return make_given(options, targets);
}

/* One layer of the grid: "z=3.5". */
static sonde_status cut_plane(const char *plane, struct targets *targets)
{
	const char *axis = strchr("xyz", plane[0]);
	double place;

	if (axis == NULL || *axis == '\0' || plane[1] != '=' ||
	    !text_parse_real(plane + 2, plane + strlen(plane), &place) || fabs(place) > COULOMB_LARGEST_COORDINATE)
		return status_fail_option(SONDE_INVALID, "plane", "'%.40s' is not x=NUMBER, y=NUMBER or z=NUMBER",
					  plane);
	if (!targets->is_orthogonal)
		return status_fail_option(SONDE_INVALID, "plane",
					  "cannot be used with `step_a`, `step_b` and `step_c`; use `size N,M,1`");
	targets->size[axis - "xyz"] = 1;
	targets->origin[axis - "xyz"] = place;
	return SONDE_OK;
}

const char *targets_read_point(const char *text, double point[3], char end)
{
	for (int k = 0; k < 3; ++k) {
		size_t length = strcspn(text, ",:");
		if (!text_parse_real(text, text + length, &point[k]) || fabs(point[k]) > COULOMB_LARGEST_COORDINATE ||
		    text[length] != (k < 2 ? ',' : end))
			return NULL;
		text += text[length] != '\0' ? length + 1 : length;
	}
	return text;
}

static sonde_status make_line(const char *line, struct targets *targets)
{
	double from[3], to[3];
	int64_t points = 0;
	const char *rest = targets_read_point(line, from, ':');

	rest = rest != NULL ? targets_read_point(rest, to, ':') : NULL;
	if (rest == NULL || !text_parse_whole(rest, rest + strlen(rest), &points) || points < 1 ||
	    points > 1000000000)
		return status_fail_option(SONDE_INVALID, "line", "'%.60s' is not x,y,z:x,y,z:points", line);
	targets->is_grid = true;
	targets->is_orthogonal = false;
	for (int k = 0; k < 3; ++k) {
		targets->origin[k] = from[k];
		targets->steps[0][k] = points > 1 ? (to[k] - from[k]) / (double)(points - 1) : 0.0;
		targets->size[k] = k == 0 ? points : 1;
	}
	return SONDE_OK;
}

sonde_status targets_make(const sonde_atoms *atoms, const sonde_coulomb_options *options, int threads,
			  struct targets *targets)
{
	bool plane = options->plane[0] != '\0', line = options->line[0] != '\0', points = options->points[0] != '\0';
	bool surface = options->surface > 0.0;
	sonde_status status;

	*targets = (struct targets){0};
	if (plane + line + points + surface > 1)
		return status_fail(SONDE_INVALID, "plane, line, points and surface exclude one another");
	if (surface) {
		status = targets_on_surface(atoms, options->surface, options->probe, targets);
	} else if (points) {
		status = targets_read(options->points, threads, targets);
	} else if (line) {
		status = make_line(options->line, targets);
	} else {
		status = make_grid(atoms, options, targets);
		if (status == SONDE_OK && plane)
			status = cut_plane(options->plane, targets);
	}
	if (status == SONDE_OK && !points && !surface)
		status = count_points(targets);
	if (status != SONDE_OK)
		targets_free(targets);
	return status;
}

void targets_free(struct targets *targets)
{
	free(targets->points);
	*targets = (struct targets){0};
}

void targets_point(const struct targets *targets, int64_t index, double point[3])
{
	if (!targets->is_grid) {
		memcpy(point, targets->points + 3 * index, 3 * sizeof *point);
		return;
	}
	const int64_t row = index / targets->size[0], plane = row / targets->size[1];
	const double i = (double)(index % targets->size[0]), j = (double)(row % targets->size[1]), k = (double)plane;
	for (int c = 0; c < 3; ++c)
		point[c] = targets->origin[c] + i * targets->steps[0][c] + j * targets->steps[1][c] +
			   k * targets->steps[2][c];
}

int targets_slow(const struct targets *targets)
{
	int slow = 0;

	for (int k = 1; k < 3; ++k)
		if (targets->is_grid && targets->size[k] > 1)
			slow = k;
	return slow;
}

struct target_range targets_planes(const struct targets *targets, int64_t first, int64_t count)
{
	int64_t plane = targets->is_grid ? targets->count / targets->size[targets_slow(targets)] : 1;

	return (struct target_range){first * plane, count * plane};
}

struct targets targets_mirrored(const struct targets *targets)
{
	struct targets mirrored = *targets;

	for (int k = 0; k < 3; ++k) {
		mirrored.size[k] = targets->size[2 - k];
		mirrored.origin[k] = targets->origin[2 - k];
		for (int c = 0; c < 3; ++c)
			mirrored.steps[k][c] = targets->steps[2 - k][2 - c];
	}
	return mirrored;
}
