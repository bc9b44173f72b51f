#include "fdtd/spectrum.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define PI 3.14159265358979323846
#define LONGEST_INTERVAL 64

int flux_planes_of_box(const struct fdtd_grid *grid, const int low[3], const int high[3], struct flux_plane planes[6])
{
	int count = 0;

	for (int a = 0; a < 3; ++a)
		for (int side = 0; side < 2 && grid->courant[a] > 0.0; ++side) {
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

/* Samples at intervals n have frequency omega and 2 pi/n - omega alike. */
uint32_t spectrum_interval(double monitored, double present)
{
	double interval = 2.0 * PI / (monitored + fmax(monitored, present));

	return interval < 1.0 ? 1 : interval > LONGEST_INTERVAL ? LONGEST_INTERVAL : (uint32_t)interval;
}

struct builder {
	const struct fields *fields;
	size_t capacity;
	uint32_t count;
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

/* In units of c dt. */
static double edge_length(const struct fdtd_grid *grid, int axis)
{
	return grid->courant[axis] > 0.0 ? 1.0 / grid->courant[axis] : 1.0;
}

/* The edges of one component. */
static sonde_status add_edges(struct builder *builder, const struct flux_plane *plane, int number, int component)
{
	const struct fdtd_grid *grid = &builder->fields->grid;
	int begin[3], end[3], node[3], across = 3 - plane->axis - component;
	/* E_b makes power with H_c along the axis, E_c with -H_b: for a, b, c in their order */
	double sign = component == (plane->axis + 1) % 3 ? plane->sign : -plane->sign;
	double weight = sign * edge_length(grid, component) * edge_length(grid, across);

	begin[plane->axis] = plane->node;
	end[plane->axis] = plane->node + 1;
	begin[component] = plane->low[component];
	end[component] = plane->high[component];
	begin[across] = plane->low[across];
	end[across] = plane->high[across] + (comes_round(grid, plane, across) ? 0 : 1);
	for (node[0] = begin[0]; node[0] < end[0]; ++node[0])
		for (node[1] = begin[1]; node[1] < end[1]; ++node[1])
			for (node[2] = begin[2]; node[2] < end[2]; ++node[2]) {
				bool rim = !comes_round(grid, plane, across) &&
					   (node[across] == begin[across] || node[across] == end[across] - 1);
				CHECK(memory_grow(&builder->points, &builder->capacity, builder->count + 1,
						  sizeof *builder->points, "a monitor"));
				builder->points[builder->count++] =
				    (struct flux_point){.plane = number,
							.component = component,
							.node = {node[0], node[1], node[2]},
							.weight = rim ? 0.5 * weight : weight};
			}
	return SONDE_OK;
}

/* Samples, of E (1 for each point) or H (2), in the order of planes: each knows its point. */
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

static sonde_status observe(struct fields *fields, const struct flux_plane *planes, struct spectrum *spectrum,
			    enum field field, struct observation *observation)
{
	uint32_t each = field == FIELD_E ? 1 : 2, count = each * spectrum->count;
	struct sample *samples = NULL;
	uint64_t *places = NULL;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&samples, count, sizeof *samples, "a monitor"), done);
	CHECK_GOTO(status, memory_allocate(&places, count, sizeof *places, "a monitor"), done);
	for (uint32_t n = 0; n < count; ++n) {
		const struct flux_point *point = &spectrum->points[n / each];
		int axis = planes[point->plane].axis;
		int node[3] = {point->node[0], point->node[1], point->node[2]};
		int component = field == FIELD_E ? point->component : 3 - axis - point->component;
		if (field == FIELD_H && n % 2 == 0)
			--node[axis];
		samples[n] =
		    (struct sample){(uint32_t)node[0], n, fields_place(fields, component, node[0], node[1], node[2])};
	}
	qsort(samples, count, sizeof *samples, compare_samples);
	for (uint32_t n = 0; n < count; ++n) {
		struct flux_point *point = &spectrum->points[samples[n].number / each];
		places[n] = samples[n].place;
		if (field == FIELD_E)
			point->e = n;
		else
			point->h[samples[n].number % 2] = n;
	}
	status = observation_make(fields, field, places, count, spectrum->frequencies, observation);
done:
	free(samples);
	free(places);
	return status;
}

sonde_status spectrum_make(struct fields *fields, const struct flux_plane *planes, int plane_count,
			   const double *angular_frequencies, uint32_t frequencies, uint32_t every,
			   struct spectrum *spectrum)
{
	struct builder builder = {.fields = fields};
	sonde_status status = SONDE_OK;

	*spectrum = (struct spectrum){.frequencies = frequencies, .every = every};
	for (int n = 0; n < plane_count && status == SONDE_OK; ++n) {
		status = check_plane(&fields->grid, &planes[n]);
		for (int b = 0; b < 3 && status == SONDE_OK; ++b)
			if (b != planes[n].axis)
				status = add_edges(&builder, &planes[n], n, b);
	}
	spectrum->points = builder.points;
	spectrum->count = builder.count;
	CHECK(status);
	CHECK(memory_allocate(&spectrum->angular_frequencies, frequencies, sizeof *angular_frequencies, "a monitor"));
	for (uint32_t f = 0; f < frequencies; ++f)
		spectrum->angular_frequencies[f] = angular_frequencies[f];
	CHECK(observe(fields, planes, spectrum, FIELD_E, &spectrum->of_e));
	return observe(fields, planes, spectrum, FIELD_H, &spectrum->of_h);
}

void spectrum_release(struct fields *fields, struct spectrum *spectrum)
{
	observation_release(fields, &spectrum->of_e);
	observation_release(fields, &spectrum->of_h);
	free(spectrum->points);
	free(spectrum->angular_frequencies);
	*spectrum = (struct spectrum){0};
}

/* Multiples of `every` among the steps. */
uint32_t spectrum_looks(const struct spectrum *spectrum, uint64_t step, uint32_t steps)
{
	uint64_t every = spectrum->every;

	return (uint32_t)((step + steps + every - 1) / every - (step + every - 1) / every);
}

sonde_status spectrum_prepare(struct fields *fields, struct spectrum *spectrum, uint64_t step, uint32_t steps)
{
	uint64_t every = spectrum->every;

	if (spectrum->of_e.times + spectrum_looks(spectrum, step, steps) > MOST_SAMPLES)
		CHECK(spectrum_transform(fields, spectrum));
	if (spectrum->of_e.times == 0)
		spectrum->first = (step + every - 1) / every * every;
	return SONDE_OK;
}

sonde_status spectrum_gather(struct fields *fields, const struct spectrum *spectrum, enum field field, uint64_t step,
			     uint32_t time, uint32_t first, uint32_t count)
{
	const struct observation *observation = field == FIELD_E ? &spectrum->of_e : &spectrum->of_h;

	if ((step + time) % spectrum->every != 0)
		return SONDE_OK;
	return observation_gather(fields, observation, observation->times + spectrum_looks(spectrum, step, time),
				  first, count);
}

void spectrum_done(struct spectrum *spectrum, uint64_t step, uint32_t steps)
{
	spectrum->of_e.times += spectrum_looks(spectrum, step, steps);
	spectrum->of_h.times = spectrum->of_e.times;
}

/* Step n takes H to the time n + 1/2 and E to n + 1. */
static sonde_status transform(struct fields *fields, struct spectrum *spectrum, enum field field)
{
	struct observation *observation = field == FIELD_E ? &spectrum->of_e : &spectrum->of_h;
	double waves[2 * MOST_SAMPLES * 64], *all = waves;
	uint32_t frequencies = spectrum->frequencies, times = observation->times;
	sonde_status status;

	if (frequencies > 64)
		CHECK(memory_allocate(&all, 2 * (size_t)times * frequencies, sizeof *all, "the waves of a monitor"));
	for (uint32_t t = 0; t < times; ++t)
		for (uint32_t f = 0; f < frequencies; ++f) {
			double time = (double)(spectrum->first + (uint64_t)t * spectrum->every) +
				      (field == FIELD_E ? 1.0 : 0.5),
			       phase = spectrum->angular_frequencies[f] * time;
			all[2 * (t * frequencies + f)] = spectrum->every * cos(phase);
			all[2 * (t * frequencies + f) + 1] = spectrum->every * sin(phase);
		}
	status = observation_transform(fields, observation, all);
	if (all != waves)
		free(all);
	return status;
}

sonde_status spectrum_transform(struct fields *fields, struct spectrum *spectrum)
{
	CHECK(transform(fields, spectrum, FIELD_E));
	return transform(fields, spectrum, FIELD_H);
}

static double complex sum_of(const double *sums, const struct observation *observation, uint32_t frequency,
			     uint32_t sample)
{
	const double *real = sums + 2 * (size_t)frequency * observation->count + sample;

	return real[0] + I * real[observation->count];
}

sonde_status spectrum_sums(struct fields *fields, const struct spectrum *spectrum, double complex *e,
			   double complex *h)
{
	size_t frequencies = spectrum->frequencies;
	double *of_e = NULL, *of_h = NULL;
	sonde_status status;

	CHECK_GOTO(
	    status,
	    memory_allocate(&of_e, 2 * frequencies * spectrum->of_e.count, sizeof *of_e, "the sums of a monitor"),
	    done);
	CHECK_GOTO(
	    status,
	    memory_allocate(&of_h, 2 * frequencies * spectrum->of_h.count, sizeof *of_h, "the sums of a monitor"),
	    done);
	CHECK_GOTO(status, observation_sums(fields, &spectrum->of_e, of_e), done);
	CHECK_GOTO(status, observation_sums(fields, &spectrum->of_h, of_h), done);
	for (uint32_t f = 0; f < spectrum->frequencies; ++f)
		for (uint32_t n = 0; n < spectrum->count; ++n) {
			const struct flux_point *point = &spectrum->points[n];
			size_t at = (size_t)f * spectrum->count + n;
			e[at] = sum_of(of_e, &spectrum->of_e, f, point->e);
			h[at] = 0.5 * (sum_of(of_h, &spectrum->of_h, f, point->h[0]) +
				       sum_of(of_h, &spectrum->of_h, f, point->h[1]));
		}
done:
	free(of_e);
	free(of_h);
	return status;
}

sonde_status spectrum_power(struct fields *fields, const struct spectrum *spectrum, double *power)
{
	size_t count = (size_t)spectrum->frequencies * spectrum->count;
	double complex *e = NULL, *h = NULL;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&e, count, sizeof *e, "the sums of a monitor"), done);
	CHECK_GOTO(status, memory_allocate(&h, count, sizeof *h, "the sums of a monitor"), done);
	CHECK_GOTO(status, spectrum_sums(fields, spectrum, e, h), done);
	for (uint32_t f = 0; f < spectrum->frequencies; ++f) {
		power[f] = 0.0;
		for (uint32_t n = 0; n < spectrum->count; ++n) {
			size_t at = (size_t)f * spectrum->count + n;
			power[f] += 0.5 * spectrum->points[n].weight * creal(e[at] * conj(h[at]));
		}
		power[f] *= cos(0.5 * spectrum->angular_frequencies[f]);
	}
done:
	free(e);
	free(h);
	return status;
}
