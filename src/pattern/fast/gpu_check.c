/* The error of a result on the GPU that has the atoms, which computes some points again: of the fast method, and of direct sums of
 * resident samples. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "pattern/fast/fast.h"
#include "pattern/fast/gpu_mesh.h"
#include "pattern/resident/resident.h"

struct checked_points {
	double vectors[3 * PATTERN_MOST_CHECKED], sums[2 * PATTERN_MOST_CHECKED], squares[PATTERN_MOST_CHECKED];
	double *amplitudes; /* [point][class] */
};

static void fill_points(const struct pattern_plan *plan, int count, struct checked_points *points)
{
	const struct pattern_sample *sample = &plan->sample;

	for (int p = 0; p < count; ++p) {
		double *vector = points->vectors + 3 * p;
		const double q = pattern_pixel(&plan->pixels, pattern_checked_pixel(plan, p), vector);
		for (int c = 0; c < sample->class_count; ++c) {
			double *f = points->amplitudes + 2 * ((size_t)p * (size_t)sample->class_count + (size_t)c);
			(void)pattern_class_amplitude(&sample->classes[c], vector, q, &f[0], &f[1]);
			points->squares[p] += (double)sample->view.species[c].atoms * (f[0] * f[0] + f[1] * f[1]);
		}
	}
}

static sonde_status compare(struct gpu_mesh *gpu, const struct pattern_plan *plan,
			    const struct pattern_values *values, int count, struct checked_points *points,
			    double *error)
{
	CHECK(memory_allocate(&points->amplitudes, 2 * (size_t)count * (size_t)plan->sample.class_count,
			      sizeof(double), "the check"));
	fill_points(plan, count, points);
	CHECK(
	    gpu_mesh_check(gpu, points->vectors, points->amplitudes, count, plan->sample.class_count, points->sums));
	*error = 0.0;
	for (int p = 0; p < count; ++p) {
		const int64_t n = pattern_checked_pixel(plan, p);
		const double distance =
		    hypot(values->real[n] - points->sums[2 * p], values->imaginary[n] - points->sums[2 * p + 1]);
		const double relative = points->squares[p] > 0.0 ? distance / sqrt(points->squares[p]) : 0.0;
		*error = relative > *error || isnan(relative) ? relative : *error;
	}
	return SONDE_OK;
}

sonde_status fast_check_on_gpu(struct gpu_mesh *gpu, const struct pattern_plan *plan,
			       const struct pattern_values *values, double *error, int64_t *checked)
{
	struct checked_points *points;

	*checked = pattern_checked(plan);
	CHECK(memory_allocate(&points, 1, sizeof *points, "the check"));
	const sonde_status status = compare(gpu, plan, values, (int)*checked, points, error);
	free(points->amplitudes);
	free(points);
	return status;
}

/* Direct sums ----------------------------------------------------------------------------------------------------- */

/* All atoms, in their order. */
static sonde_status make_records(const struct pattern_sample *sample, struct device_buffer *records)
{
	const size_t count = (size_t)sample->view.count;
	uint32_t *numbers = NULL, *classes = NULL;

	sonde_status status = memory_allocate_to_fill(&numbers, count, sizeof *numbers, "the check");
	if (status == SONDE_OK)
		status = memory_allocate_to_fill(&classes, count, sizeof *classes, "the check");
	for (size_t i = 0; i < count && status == SONDE_OK; ++i) {
		numbers[i] = (uint32_t)i;
		classes[i] = sample->view.species_of[i];
	}
	if (status == SONDE_OK)
		status = pattern_resident_records(sample, numbers, classes, records);
	free(numbers);
	free(classes);
	return status;
}

sonde_status fast_error_of_resident(sonde_context *context, const struct pattern_plan *plan,
				    const struct pattern_values *values, double *largest, int64_t *checked)
{
	const struct pattern_sample *sample = &plan->sample;
	struct device *device = sample->resident.device;
	struct device_buffer records = {0};
	struct gpu_mesh *gpu = NULL;

	sonde_status status = make_records(sample, &records);
	const struct fast_atoms atoms = {
	    .records = &records, .count = sample->view.count, .classes = sample->class_count, .largest = 1.0};
	if (status == SONDE_OK)
		status = gpu_mesh_make(context, device, &atoms, &gpu);
	if (status == SONDE_OK)
		status = fast_check_on_gpu(gpu, plan, values, largest, checked);
	gpu_mesh_free(&gpu);
	device_release(device, &records);
	return status;
}
