#include "fdtd/monitors/spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/fields/plane_sort.h"

#define LONGEST_INTERVAL 64
#define POINTS_OF_PART 16384
#define FREQUENCIES_OF_BLOCK 4u /* whose powers are added up at once */

int flux_planes_of_box(const struct fdtd_grid *grid, const int low[3], const int high[3], struct flux_plane planes[6])
{
	int count = 0;

	for (int a = 0; a < 3; ++a)
		for (int side = 0; side < 2 && !grid_is_uniform(grid, a); ++side) {
			if (grid_mirrors(grid, a, side) && (side == 0 ? low[a] == 0 : high[a] == grid->cells[a]))
				continue;
			struct flux_plane *plane = &planes[count++];
			*plane = (struct flux_plane){
			    .axis = a, .node = side == 0 ? low[a] : high[a], .sign = side == 0 ? -1.0 : 1.0};
			for (int b = 0; b < 3; ++b) {
				plane->low[b] = low[b];
				plane->high[b] = high[b];
			}
		}
	return count;
}

/* Samples at intervals n do not distinguish frequencies omega and 2 pi/n - omega. */
uint32_t spectrum_interval(double monitored, double present)
{
	double interval = 2.0 * PI / (monitored + fmax(monitored, present));

	return interval < 1.0 ? 1 : interval > LONGEST_INTERVAL ? LONGEST_INTERVAL : (uint32_t)interval;
}

struct builder {
	const struct fields *fields;
	const struct flux_plane *planes;
	size_t count, *first; /* points of each component on each plane, and the first of them */
	struct flux_point *points;
};

/* Whether nodes across that axis end where they began. */
static bool comes_round(const struct fdtd_grid *grid, const struct flux_plane *plane, int axis)
{
	return grid->walls[axis][0] == WALL_PERIODIC && plane->low[axis] == 0 &&
	       plane->high[axis] == grid->cells[axis];
}

static sonde_status check_plane(const struct fdtd_grid *grid, const struct flux_plane *plane)
{
	if (plane->node < 1 || plane->node > grid->cells[plane->axis] - 1)
		return status_fail(SONDE_INVALID, "a monitor's plane at node %d of %c is not within the grid",
				   plane->node, "xyz"[plane->axis]);
	for (int b = 0; b < 3; ++b)
		if (b != plane->axis &&
		    (plane->low[b] < 0 || plane->high[b] > grid->cells[b] || plane->low[b] >= plane->high[b]))
			return status_fail(SONDE_INVALID, "a monitor's plane from node %d to %d of %c is %s the grid",
					   plane->low[b], plane->high[b], "xyz"[b],
					   plane -> low[b] >= plane -> high[b] ? "empty in" : "not within");
	return SONDE_OK;
}

uint64_t flux_plane_points(const struct fdtd_grid *grid, const struct flux_plane *plane)
{
	const int b = (plane->axis + 1) % 3, c = (plane->axis + 2) % 3;
	const uint64_t cells[2] = {(uint64_t)(plane->high[b] - plane->low[b]),
				   (uint64_t)(plane->high[c] - plane->low[c])};

	return cells[0] * (cells[1] + (comes_round(grid, plane, c) ? 0 : 1)) +
	       cells[1] * (cells[0] + (comes_round(grid, plane, b) ? 0 : 1));
}

/* In units of c dt. */
static double edge_length(const struct fdtd_grid *grid, int axis)
{
	return !grid_is_uniform(grid, axis) ? 1.0 / grid->courant[axis] : 1.0;
}

/* Nodes of a component's edges on a plane. */
static void range_of(const struct fdtd_grid *grid, const struct flux_plane *plane, int component, int begin[3],
		     int end[3])
{
	const int across = 3 - plane->axis - component;

	begin[plane->axis] = plane->node;
	end[plane->axis] = plane->node + 1;
	begin[component] = plane->low[component];
	end[component] = plane->high[component];
	begin[across] = plane->low[across];
	end[across] = plane->high[across] + (comes_round(grid, plane, across) ? 0 : 1);
}

/* The components of a plane's edges, in the order of the axes. */
static int component_of(const struct flux_plane *plane, int number)
{
	return number < plane->axis ? number : number + 1;
}

/* The edges of one component of a plane, two of which each plane has. */
static void add_edges(const struct builder *builder, size_t number)
{
	const struct fdtd_grid *grid = &builder->fields->grid;
	const struct flux_plane *plane = &builder->planes[number / 2];
	const int component = component_of(plane, (int)(number % 2)), across = 3 - plane->axis - component;
	struct flux_point *point = builder->points + builder->first[number];
	int begin[3], end[3], node[3];
	/* E_b produces power with H_c along the axis, E_c with -H_b: for a, b, c in cyclic order */
	double sign = component == (plane->axis + 1) % 3 ? plane->sign : -plane->sign;
	double weight = sign * edge_length(grid, component) * edge_length(grid, across);

	range_of(grid, plane, component, begin, end);
	for (node[0] = begin[0]; node[0] < end[0]; ++node[0])
		for (node[1] = begin[1]; node[1] < end[1]; ++node[1])
			for (node[2] = begin[2]; node[2] < end[2]; ++node[2]) {
				bool rim = !comes_round(grid, plane, across) &&
					   (node[across] == begin[across] || node[across] == end[across] - 1);
				*point++ = (struct flux_point){.plane = (int)(number / 2),
							       .component = component,
							       .node = {node[0], node[1], node[2]},
							       .weight = rim ? 0.5 * weight : weight};
			}
}

static void add_some_edges(void *state, int64_t first, int64_t end, int worker)
{
	(void)worker;
	for (int64_t n = first; n < end; ++n)
		add_edges(state, (size_t)n);
}

/* Samples, of E (1 for each point) or H (2), in the order of planes: each stores its point. */
struct sample {
	uint32_t plane, number;
	uint64_t place;
};

static int compare_samples(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	if (x->plane != y->plane)
		return x->plane < y->plane ? -1 : 1;
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static uint32_t plane_of_sample(const void *item)
{
	return ((const struct sample *)item)->plane;
}

/* Samples of one field of all points, by several threads. */
struct sampling {
	const struct fields *fields;
	struct spectrum *spectrum;
	enum field field;
	struct sample *samples;
	uint64_t *places;
};

static void make_samples(void *state, int64_t begin, int64_t end, int worker)
{
	const struct sampling *sampling = state;
	const enum field field = sampling->field;
	const uint32_t each = field == FIELD_E ? 1 : 2;

	(void)worker;
	for (uint32_t n = (uint32_t)begin; n < (uint32_t)end; ++n) {
		const struct flux_point *point = &sampling->spectrum->points[n / each];
		int axis = sampling->spectrum->planes[point->plane].axis;
		int node[3] = {point->node[0], point->node[1], point->node[2]};
		int component = field == FIELD_E ? point->component : 3 - axis - point->component;
		if (field == FIELD_H && n % 2 == 0)
			--node[axis];
		/* first one side of all points, then the other one: then they are almost in the order of places */
		const size_t at = (size_t)(n % each) * sampling->spectrum->count + n / each;
		sampling->samples[at] = (struct sample){
		    (uint32_t)node[0], n, fields_place(sampling->fields, component, node[0], node[1], node[2])};
	}
}

/* Each point has samples of its own. */
static void number_samples(void *state, int64_t begin, int64_t end, int worker)
{
	const struct sampling *sampling = state;
	const uint32_t each = sampling->field == FIELD_E ? 1 : 2;

	(void)worker;
	for (uint32_t n = (uint32_t)begin; n < (uint32_t)end; ++n) {
		const struct sample *sample = &sampling->samples[n];
		struct flux_point *point = &sampling->spectrum->points[sample->number / each];
		sampling->places[n] = sample->place;
		if (sampling->field == FIELD_E)
			point->e = n;
		else
			point->h[sample->number % 2] = n;
	}
}

/* Places of the samples of one field, to be freed; points store the numbers of theirs. */
static sonde_status find_samples(const struct fields *fields, struct spectrum *spectrum, enum field field,
				 uint64_t **places)
{
	uint32_t each = field == FIELD_E ? 1 : 2, count = each * spectrum->count;
	const struct plane_order order = {(uint32_t)fields->grid.cells[0] + 1, fields->threads, plane_of_sample,
					  compare_samples};
	struct sample *samples;

	CHECK(memory_allocate_to_fill(places, count, sizeof **places, "a monitor"));
	CHECK(memory_allocate_to_fill(&samples, count, sizeof *samples, "a monitor"));
	struct sampling sampling = {fields, spectrum, field, samples, *places};
	threads_for(fields->threads, count, POINTS_OF_PART, make_samples, &sampling);
	sonde_status status = threads_completed();
	if (status == SONDE_OK)
		status = plane_sort(&order, samples, count, sizeof *samples);
	if (status == SONDE_OK)
		threads_for(fields->threads, count, POINTS_OF_PART, number_samples, &sampling);
	if (status == SONDE_OK)
		status = threads_completed();
	free(samples);
	return status;
}

/* Counts the points of all planes. */
static sonde_status count_points(struct builder *builder, int plane_count)
{
	const struct fdtd_grid *grid = &builder->fields->grid;

	CHECK(memory_allocate(&builder->first, 2 * (size_t)plane_count, sizeof *builder->first, "a monitor"));
	for (int n = 0; n < 2 * plane_count; ++n) {
		const struct flux_plane *plane = &builder->planes[n / 2];
		int begin[3], end[3];
		size_t count = 1;
		CHECK(check_plane(grid, plane));
		range_of(grid, plane, component_of(plane, n % 2), begin, end);
		for (int a = 0; a < 3; ++a)
			count *= (size_t)(end[a] - begin[a]);
		builder->first[n] = builder->count;
		builder->count += count;
	}
	return builder->count <= UINT32_MAX / 2
		   ? SONDE_OK
		   : status_fail(SONDE_INVALID, "a monitor has %zu places, at most %u are possible", builder->count,
				 UINT32_MAX / 2);
}

static sonde_status find_points(struct fields *fields, const struct flux_plane *planes, int plane_count,
				struct spectrum *spectrum)
{
	struct builder builder = {.fields = fields, .planes = planes};
	sonde_status status;

	CHECK_GOTO(status, count_points(&builder, plane_count), done);
	CHECK_GOTO(status,
		   memory_allocate_to_fill(&builder.points, builder.count, sizeof *builder.points, "a monitor"),
		   done);
	spectrum->points = builder.points;
	spectrum->count = (uint32_t)builder.count;
	threads_for(fields->threads, 2 * (int64_t)plane_count, 1, add_some_edges, &builder);
	CHECK_GOTO(status, threads_completed(), done);
	CHECK_GOTO(status, memory_allocate(&spectrum->planes, (size_t)plane_count, sizeof *planes, "a monitor"),
		   done);
	memcpy(spectrum->planes, planes, (size_t)plane_count * sizeof *planes);
	spectrum->plane_count = plane_count;
done:
	free(builder.first);
	return status;
}

sonde_status spectrum_make(struct fields *fields, const struct flux_plane *planes, int plane_count,
			   const double *angular_frequencies, uint32_t frequencies, uint32_t every,
			   struct spectrum *spectrum)
{
	uint64_t *of_e = NULL, *of_h = NULL;
	sonde_status status;

	*spectrum = (struct spectrum){0};
	CHECK_GOTO(status, find_points(fields, planes, plane_count, spectrum), done);
	CHECK_GOTO(status, find_samples(fields, spectrum, FIELD_E, &of_e), done);
	CHECK_GOTO(status, find_samples(fields, spectrum, FIELD_H, &of_h), done);
	const struct fourier_places places[FIELDS_OBSERVED] = {{of_e, spectrum->count}, {of_h, 2 * spectrum->count}};
	status = fourier_make(fields, places, angular_frequencies, frequencies, every, &spectrum->sums);
done:
	free(of_e);
	free(of_h);
	return status;
}

void spectrum_release(struct fields *fields, struct spectrum *spectrum)
{
	fourier_release(fields, &spectrum->sums);
	free(spectrum->points);
	free(spectrum->planes);
	*spectrum = (struct spectrum){0};
}

/* Sums of samples to those of points. */
struct pointing {
	const struct spectrum *spectrum;
	uint32_t block;
	const double complex *of_e, *of_h;
	double complex *e, *h;
};

static void sums_at_points(void *state, int64_t begin, int64_t end, int worker)
{
	const struct pointing *pointing = state;
	const size_t count = pointing->spectrum->count;

	(void)worker;
	for (size_t f = 0; f < pointing->block; ++f)
		for (size_t n = (size_t)begin; n < (size_t)end; ++n) {
			const struct flux_point *point = &pointing->spectrum->points[n];
			const double complex *both = pointing->of_h + 2 * f * count;
			pointing->e[f * count + n] = pointing->of_e[f * count + point->e];
			pointing->h[f * count + n] = 0.5 * (both[point->h[0]] + both[point->h[1]]);
		}
}

sonde_status spectrum_some_sums(struct fields *fields, const struct spectrum *spectrum, uint32_t first,
				uint32_t block, double complex *e, double complex *h)
{
	size_t count = spectrum->count;
	double complex *of_e = NULL, *of_h = NULL;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate_to_fill(&of_e, block * count, sizeof *of_e, "the sums of a monitor"),
		   done);
	CHECK_GOTO(status, memory_allocate_to_fill(&of_h, 2 * block * count, sizeof *of_h, "the sums of a monitor"),
		   done);
	CHECK_GOTO(status, fourier_read(fields, &spectrum->sums, FIELD_E, first, block, of_e), done);
	CHECK_GOTO(status, fourier_read(fields, &spectrum->sums, FIELD_H, first, block, of_h), done);
	struct pointing pointing = {spectrum, block, of_e, of_h, e, h};
	threads_for(fields->threads, spectrum->count, POINTS_OF_PART, sums_at_points, &pointing);
done:
	free(of_e);
	free(of_h);
	return status;
}

sonde_status spectrum_sums(struct fields *fields, const struct spectrum *spectrum, double complex *e,
			   double complex *h)
{
	const uint32_t frequencies = spectrum->sums.frequencies, at_once = fourier_block(&spectrum->sums, 0);

	for (uint32_t first = 0; first < frequencies; first += at_once) {
		const uint32_t block = fourier_block(&spectrum->sums, first);
		const size_t at = (size_t)first * spectrum->count;
		CHECK(spectrum_some_sums(fields, spectrum, first, block, e + at, h + at));
	}
	return SONDE_OK;
}

/* Powers at some points, from the sums of samples at one frequency. */
struct powering {
	const struct spectrum *spectrum;
	const double *of_e, *of_h; /* real and imaginary parts of all samples */
	double *power, *gross;     /* of each point */
};

static void find_powers(void *state, int64_t begin, int64_t end, int worker)
{
	const struct powering *powering = state;
	const struct spectrum *spectrum = powering->spectrum;
	const size_t count = spectrum->count;

	(void)worker;
	for (size_t n = (size_t)begin; n < (size_t)end; ++n) {
		const struct flux_point *point = &spectrum->points[n];
		const double complex e = powering->of_e[point->e] + I * powering->of_e[count + point->e],
				     first =
					 powering->of_h[point->h[0]] + I * powering->of_h[2 * count + point->h[0]],
				     second =
					 powering->of_h[point->h[1]] + I * powering->of_h[2 * count + point->h[1]],
				     h = 0.5 * (first + second);
		powering->power[n] = 0.5 * point->weight * creal(e * conj(h));
		if (powering->gross != NULL)
			powering->gross[n] = 0.5 * fabs(point->weight) * cabs(e) * cabs(h);
	}
}

/* Lists of numbers, each of which is added up in its order. */
struct summing {
	size_t count;
	const double *numbers;
	double *sums;
};

static void add_up(void *state, int64_t first, int64_t end, int worker)
{
	const struct summing *summing = state;

	(void)worker;
	for (size_t list = (size_t)first; list < (size_t)end; ++list) {
		const double *numbers = summing->numbers + list * summing->count;
		double sum = 0.0;
		for (size_t n = 0; n < summing->count; ++n)
			sum += numbers[n];
		summing->sums[list] = sum;
	}
}

/* Memory for the powers of some frequencies. */
struct power_buffers {
	double *of_e, *of_h;
	double *numbers; /* of each point: [frequency][power, gross] */
};

static sonde_status make_buffers(struct fields *fields, size_t count, uint32_t frequencies,
				 struct power_buffers *buffers)
{
	*buffers = (struct power_buffers){NULL, NULL, NULL};
	CHECK(observation_buffer_make(fields, 2 * count, &buffers->of_e));
	CHECK(observation_buffer_make(fields, 4 * count, &buffers->of_h));
	return memory_allocate_to_fill(&buffers->numbers, 2 * frequencies * count, sizeof(double), "a monitor");
}

static void free_buffers(struct fields *fields, struct power_buffers *buffers)
{
	observation_buffer_release(fields, buffers->of_e);
	observation_buffer_release(fields, buffers->of_h);
	free(buffers->numbers);
}

/* Those of one frequency at all points. */
static sonde_status find_power(struct fields *fields, const struct spectrum *spectrum, uint32_t frequency, bool gross,
			       const struct power_buffers *buffers, double *numbers)
{
	const struct fourier_sums *sums = &spectrum->sums;
	struct powering powering = {spectrum, buffers->of_e, buffers->of_h, numbers,
				    gross ? numbers + spectrum->count : NULL};

	CHECK(observation_sums(fields, &sums->of[FIELD_E], frequency, 1, 0, spectrum->count, buffers->of_e));
	CHECK(observation_sums(fields, &sums->of[FIELD_H], frequency, 1, 0, 2 * spectrum->count, buffers->of_h));
	threads_for(fields->threads, spectrum->count, POINTS_OF_PART, find_powers, &powering);
	return SONDE_OK;
}

static sonde_status find_block(struct fields *fields, const struct spectrum *spectrum, uint32_t first, uint32_t block,
			       const struct power_buffers *buffers, double *power, double *gross)
{
	const size_t count = spectrum->count, lists = gross != NULL ? 2 : 1;
	double sums[2 * FREQUENCIES_OF_BLOCK];

	for (uint32_t f = 0; f < block; ++f)
		CHECK(find_power(fields, spectrum, first + f, gross != NULL, buffers,
				 buffers->numbers + f * lists * count));
	struct summing summing = {count, buffers->numbers, sums};
	threads_for(fields->threads, (int64_t)(block * lists), 1, add_up, &summing);
	for (uint32_t f = 0; f < block; ++f) {
		const double mean = cos(0.5 * spectrum->sums.angular_frequencies[first + f]);
		power[first + f] = sums[f * lists] * mean;
		if (gross != NULL)
			gross[first + f] = sums[f * lists + 1] * mean;
	}
	return SONDE_OK;
}

sonde_status spectrum_powers(struct fields *fields, const struct spectrum *spectrum, double *power, double *gross)
{
	const uint32_t frequencies = spectrum->sums.frequencies,
		       at_once = frequencies < FREQUENCIES_OF_BLOCK ? frequencies : FREQUENCIES_OF_BLOCK;
	struct power_buffers buffers;
	sonde_status status = make_buffers(fields, spectrum->count, at_once, &buffers);

	for (uint32_t first = 0; first < frequencies && status == SONDE_OK; first += at_once)
		status =
		    find_block(fields, spectrum, first, frequencies - first < at_once ? frequencies - first : at_once,
			       &buffers, power, gross);
	free_buffers(fields, &buffers);
	return status;
}

sonde_status spectrum_power(struct fields *fields, const struct spectrum *spectrum, double *power)
{
	return spectrum_powers(fields, spectrum, power, NULL);
}
