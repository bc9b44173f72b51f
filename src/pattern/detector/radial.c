#include "pattern/detector/radial.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "pattern/detector/geometry.h"
#include "pattern/detector/response.h"

#define MOST_RINGS 1000000

struct averaging {
	struct response response;
	double first, width;                 /* of the rings of a detector */
	double *factors, *spread, *expected; /* sums of each ring */
	struct radial *radial;
};

static double magnitude(const sonde_pattern_result *result, int64_t n)
{
	double q[3];

	sonde_pattern_vector(result, n, q);
	return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
}

static bool counts_not(const sonde_pattern_result *result, int64_t n)
{
	return result->masked != NULL && result->masked[n] != 0;
}

/* Pixels from the beam, or the point of normal incidence, to the farthest corner. */
static int64_t choose_count(const sonde_pattern_result *result)
{
	const double *const axes[2] = {result->axes[1], result->axes[0]};
	double beam[2] = {0.0, 0.0}, square = 0.0;

	if (result->options->radial_bins > 0)
		return result->options->radial_bins;
	(void)detector_meets_beam(result->basis, result->distance, beam);
	for (int axis = 0; axis < 2; ++axis) {
		const int64_t last = result->sizes[1 - axis] - 1;
		const double size = last > 0 ? fabs(axes[axis][last] - axes[axis][0]) / (double)last : 1.0,
			     far = fmax(fabs(axes[axis][0] - beam[axis]), fabs(axes[axis][last] - beam[axis])) / size;
		square += far * far;
	}
	return (int64_t)fmin(fmax(ceil(sqrt(square)), 1.0), MOST_RINGS);
}

static void find_range(const sonde_pattern_result *result, struct averaging *averaging)
{
	double smallest = INFINITY, largest = 0.0;

	for (int64_t n = 0; n < result->count; ++n) {
		const double q = counts_not(result, n) ? NAN : magnitude(result, n);
		smallest = fmin(smallest, q);
		largest = fmax(largest, q);
	}
	averaging->first = smallest;
	averaging->width = (largest - smallest) / (double)averaging->radial->count;
}

static int64_t ring_of(const struct averaging *averaging, int64_t n)
{
	const sonde_pattern_result *result = averaging->response.result;
	const int64_t last = averaging->radial->count - 1;

	if (result->geometry == SONDE_PATTERN_POLAR)
		return n / result->sizes[1];
	if (!(averaging->width > 0.0))
		return 0;
	const double place = floor((magnitude(result, n) - averaging->first) / averaging->width);
	return (int64_t)fmin(fmax(place, 0.0), (double)last);
}

static void add_point(struct averaging *averaging, int64_t n)
{
	const sonde_pattern_result *result = averaging->response.result;
	const int64_t k = ring_of(averaging, n);
	struct radial_ring *ring = &averaging->radial->rings[k];
	double factor, expected;

	response_at(&averaging->response, n, &factor, &expected);
	++ring->points;
	ring->mean += result->intensity[n];
	averaging->factors[k] += factor;
	averaging->expected[k] += expected;
	if (result->counts != NULL)
		ring->counts += result->counts[n];
}

/* Squares of the residuals I - c mean of points with the factors c. */
static void add_spread(struct averaging *averaging, int64_t n)
{
	const int64_t k = ring_of(averaging, n);
	double factor, expected;

	response_at(&averaging->response, n, &factor, &expected);
	const double residual = averaging->response.result->intensity[n] - factor * averaging->radial->rings[k].mean;
	averaging->spread[k] += residual * residual;
}

static void for_points(struct averaging *averaging, void (*add)(struct averaging *, int64_t))
{
	const sonde_pattern_result *result = averaging->response.result;

	for (int64_t n = 0; n < result->count; ++n)
		if (!counts_not(result, n))
			add(averaging, n);
}

static void average(struct averaging *averaging)
{
	const sonde_pattern_result *result = averaging->response.result;
	const bool polar = result->geometry == SONDE_PATTERN_POLAR;
	struct radial *radial = averaging->radial;

	for_points(averaging, add_point);
	for (int64_t k = 0; k < radial->count; ++k) {
		struct radial_ring *ring = &radial->rings[k];
		ring->q = polar ? result->axes[0][k] : averaging->first + ((double)k + 0.5) * averaging->width;
		ring->mean /= averaging->factors[k];
		ring->measured = (double)ring->counts / averaging->expected[k];
		/* without a count the uncertainty is that of one */
		ring->noise = sqrt(fmax((double)ring->counts, 1.0)) / averaging->expected[k];
	}
	for_points(averaging, add_spread);
	for (int64_t k = 0; k < radial->count; ++k) {
		const double points = (double)radial->rings[k].points;
		radial->rings[k].error =
		    points > 1.0 ? sqrt(averaging->spread[k] * points / (points - 1.0)) / averaging->factors[k] : NAN;
	}
}

static sonde_status make(const sonde_pattern_result *result, struct averaging *averaging)
{
	struct radial *radial = averaging->radial;
	const bool polar = result->geometry == SONDE_PATTERN_POLAR;

	if (!polar && result->geometry != SONDE_PATTERN_DETECTOR)
		return status_fail_option(SONDE_INVALID, "radial", "rings are those of a detector or of circles");
	CHECK(response_make(result, &averaging->response));
	radial->count = polar ? result->sizes[0] : choose_count(result);
	CHECK(memory_allocate(&radial->rings, (size_t)radial->count, sizeof *radial->rings, "the rings"));
	CHECK(memory_allocate(&averaging->factors, (size_t)radial->count, sizeof(double), "the rings"));
	CHECK(memory_allocate(&averaging->spread, (size_t)radial->count, sizeof(double), "the rings"));
	CHECK(memory_allocate(&averaging->expected, (size_t)radial->count, sizeof(double), "the rings"));
	if (!polar)
		find_range(result, averaging);
	average(averaging);
	return SONDE_OK;
}

sonde_status radial_make(const sonde_pattern_result *result, struct radial *radial)
{
	struct averaging averaging = {.radial = radial};

	*radial = (struct radial){.count = 0};
	const sonde_status status = make(result, &averaging);
	free(averaging.factors);
	free(averaging.spread);
	free(averaging.expected);
	return status;
}

void radial_free(struct radial *radial)
{
	free(radial->rings);
	*radial = (struct radial){.count = 0};
}
