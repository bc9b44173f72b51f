/* The measured intensity at position x of an axis, q or 2 theta, is
 *
 *     I_resolved(x) = sum_l part_l integral K(x - X_l(q)) P I(q) (dX_l/dq) dq
 *
 * with the profile K of a line at X_l(q), the position of q for line l of the source, and the factors P of the
 * experiment. The integral is the sum over points of q that are uniform in q and fine enough, whose intensities are
 * computed as all others and not interpolated: the rule converges exponentially with the number of points per width for
 * these smooth functions (L. N. Trefethen & J. A. C. Weideman, SIAM Review 56 (2014) 385). I(q) is an even function of q,
 * and so points q < 0 are those of |q|. */
#include "debye/curves/resolved_curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/threads.h"
#include "debye/curves/compton.h"
#include "debye/curves/derived_curves.h"
#include "debye/curves/resolution.h"

#define POINTS_PER_WIDTH 8.0
#define LARGEST_PHASE_STEP \
	3.0 /* of the oscillations of I(q) between two points: below 2 pi less what the profile transmits */
#define LARGEST_ANGLE 175.0 /* degrees: the points of q become dense toward 180 */
#define ITERATIONS 5        /* widths change little over a width */
#define SAMPLES 1000        /* of the width, to find the smallest */

/* The part of the axis that contributes. */
struct span {
	double first, last; /* of q */
	double step;        /* largest one allowed */
};

static sonde_status fail_width(const struct resolution *resolution, double position)
{
	return status_fail_option(SONDE_INVALID, "resolution", "the width is not above 0 at %s = %.4g%s",
				  resolution->angles ? "2 theta" : "q", position,
				  resolution->angles ? " degrees" : "");
}

/* The user's point k along the axis of the profile. */
static double position_of(const struct debye_points *points, const struct resolution *resolution, int64_t k)
{
	return resolution->angles && points->two_theta != NULL ? points->two_theta[k]
							       : resolution_position(resolution, 0, points->q[k]);
}

/* The largest position whose q can be computed: by the table and by the wavelengths. */
static double largest_q(const struct debye_plan *plan, const struct resolution *resolution)
{
	double q = scattering_table_limit(plan->table);

	for (int l = 0; l < resolution->wavelengths; ++l)
		if (resolution->angles || (intensity_is_corrected(&plan->options) && resolution->wavelength[l] > 0.0))
			q = fmin(q, 4.0 * PI * sin(0.5 * DEGREE * LARGEST_ANGLE) / resolution->wavelength[l]);
	return q;
}

/* The smallest step that the profile of a line of the source needs between two positions. */
static sonde_status find_step(const struct resolution *resolution, int l, double first, double last, double *step)
{
	for (int k = 0; k <= SAMPLES; ++k) {
		const double position = first + (last - first) * k / SAMPLES,
			     q = resolution_q(resolution, l, position);
		const struct profile profile = resolution_profile(resolution, position);
		if (!(profile.fwhm > 0.0) || !isfinite(profile.fwhm))
			return fail_width(resolution, position);
		*step = fmin(*step, profile.fwhm / resolution_slope(resolution, l, q) / POINTS_PER_WIDTH);
	}
	return SONDE_OK;
}

/* The farthest line on one side whose profile reaches a position; widths depend on the line. */
static double find_end(const struct resolution *resolution, double position, double side)
{
	double end = position;

	for (int k = 0; k < ITERATIONS; ++k) {
		const double most = resolution->angles ? fmin(fabs(end), LARGEST_ANGLE) : fabs(end),
			     width = fmax(resolution_profile(resolution, most).fwhm,
					  resolution_profile(resolution, position).fwhm);
		end = position + side * resolution_reach(resolution) * width;
	}
	return end;
}

static sonde_status find_span(const struct debye_plan *plan, const struct resolution *resolution, struct span *span)
{
	const struct debye_points *points = &plan->points;
	const double low = position_of(points, resolution, 0),
		     high = position_of(points, resolution, points->count - 1), most = largest_q(plan, resolution),
		     below = find_end(resolution, low, -1.0), above = find_end(resolution, high, 1.0);

	*span = (struct span){INFINITY, 0.0, LARGEST_PHASE_STEP / fmax(plan->extent, 1e-3)};
	if (!isfinite(below) || !isfinite(above))
		return fail_width(resolution, isfinite(below) ? high : low);
	if (points->q[points->count - 1] > most && resolution->angles)
		return status_fail_option(SONDE_INVALID, "resolution",
					  "applies to scattering angles up to %g degrees", LARGEST_ANGLE);
	if (below <= 0.0 && plan->options.lorentz != SONDE_DEBYE_LORENTZ_NONE)
		return status_fail_option(
		    SONDE_INVALID, "resolution",
		    "reaches q = 0, where the factor of `lorentz` is infinite; begin at larger q");
	for (int l = 0; l < resolution->wavelengths; ++l) {
		const double highest = fmin(above, resolution_position(resolution, l, most)),
			     lowest = fmax(below, 0.0);
		CHECK(find_step(resolution, l, lowest, highest, &span->step));
		span->first = fmin(span->first, resolution_q(resolution, l, lowest));
		span->last = fmax(span->last, fmin(most, resolution_q(resolution, l, highest)));
	}
	return SONDE_OK;
}

sonde_status resolved_curve_plan(struct debye_plan *plan)
{
	struct resolution resolution;
	struct span span;

	CHECK(resolution_read(&plan->options, &resolution));
	if (!resolution.wanted)
		return SONDE_OK;
	CHECK(find_span(plan, &resolution, &span));
	/* half steps from 0, so that the points of negative q are those of positive q */
	const double before = floor(span.first / span.step), after = fmax(before + 1.0, floor(span.last / span.step));
	if (after - before > OPTION_GRID_POINTS)
		return status_fail_option(
		    SONDE_INVALID, "resolution",
		    "takes %.3g points of q, %.2g 1/Angstrom apart, for a sample of %.4g Angstrom "
		    "and this width; at most %d are possible",
		    after - before, span.step, plan->extent, OPTION_GRID_POINTS);
	const sonde_grid fine = {(before + 0.5) * span.step, (after - 0.5) * span.step, (int64_t)(after - before)};
	CHECK(debye_points_append(&fine, &plan->points));
	plan->options.q.first = fmin(plan->options.q.first, fine.first);
	plan->options.q.last = fmax(plan->options.q.last, fine.last);
	plan->options.q.points = plan->points.all;
	return SONDE_OK;
}

/* The integral ------------------------------------------------------------------------------------------- */

/* A point of the integral for one line of the source. */
struct node {
	double position;
	double weight;    /* part_l dX/dq */
	double width;     /* of its part of the axis */
	double intensity; /* with the factors of the experiment */
	double error;     /* of it */
	struct profile profile;
};

struct convolution {
	const struct debye_plan *plan;
	const struct resolution *resolution;
	sonde_debye_result *result;
	struct node *nodes; /* line by line, sorted by position */
	int64_t count;      /* per line */
	double widest;      /* where profiles end, from their lines */
};

static sonde_status make_nodes(const struct debye_plan *plan, const sonde_debye_result *result,
			       const struct resolution *resolution, struct convolution *convolution)
{
	const int64_t first = plan->points.count, last = plan->points.all - 1;
	const double step = last > first ? (result->q[last] - result->q[first]) / (double)(last - first) : 1.0;

	convolution->count = plan->points.all - first;
	CHECK(memory_allocate(&convolution->nodes, (size_t)convolution->count * (size_t)resolution->wavelengths,
			      sizeof *convolution->nodes, "the convolution"));
	for (int l = 0; l < resolution->wavelengths; ++l)
		for (int64_t k = 0; k < convolution->count; ++k) {
			const double q = result->q[first + k];
			struct node *node = &convolution->nodes[l * convolution->count + k];
			/* of two wavelengths, the longer one does not scatter to the largest q */
			if (resolution->angles && !(q * resolution->wavelength[l] < 4.0 * PI)) {
				node->position = INFINITY;
				continue;
			}
			node->position = resolution_position(resolution, l, q);
			node->weight = resolution->part[l] * resolution_slope(resolution, l, q);
			node->width = step * resolution_slope(resolution, l, q);
			const double factor =
			    intensity_factor(&plan->options, resolution->wavelength[l] * q / (4.0 * PI));
			node->intensity = compton_total(result)[first + k] * factor;
			node->error = result->atoms_present * result->error_estimate[first + k] * factor;
			node->profile = resolution_profile(resolution, node->position);
			convolution->widest = fmax(convolution->widest,
						   resolution_reach(resolution) * node->profile.fwhm + node->width);
		}
	return SONDE_OK;
}

/* The first of sorted nodes at `position` or beyond. */
static int64_t find_node(const struct node *nodes, int64_t count, double position)
{
	int64_t low = 0, high = count;

	while (low < high) {
		const int64_t middle = low + (high - low) / 2;
		if (nodes[middle].position < position)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Adds the nodes near `position`, those of q or, by the mirrored position, those of -q. */
static void add_nodes(const struct convolution *convolution, const struct node *nodes, double position, double *sum,
		      double *error, double *covered)
{
	const double reach = resolution_reach(convolution->resolution);

	for (int64_t k = find_node(nodes, convolution->count, position - convolution->widest);
	     k < convolution->count && nodes[k].position <= position + convolution->widest; ++k) {
		const double distance = position - nodes[k].position,
			     inside = reach * nodes[k].profile.fwhm - fabs(distance);
		/* the part of the node's interval before the end of the profile */
		if (inside < -0.5 * nodes[k].width)
			continue;
		const double part = fmin(1.0, inside / nodes[k].width + 0.5),
			     weight = part * nodes[k].weight * profile_value(&nodes[k].profile, distance);
		*sum += weight * nodes[k].intensity;
		*error += fabs(weight) * nodes[k].error;
		*covered += weight;
	}
}

static void convolve(void *state, int64_t first, int64_t end, int worker)
{
	const struct convolution *convolution = state;
	const struct resolution *resolution = convolution->resolution;

	(void)worker;
	for (int64_t k = first; k < end; ++k) {
		const double position = position_of(&convolution->plan->points, resolution, k);
		double sum = 0.0, error = 0.0, covered = 0.0;
		for (int l = 0; l < resolution->wavelengths; ++l) {
			const struct node *nodes = convolution->nodes + l * convolution->count;
			add_nodes(convolution, nodes, position, &sum, &error, &covered);
			add_nodes(convolution, nodes, -position, &sum, &error, &covered);
		}
		/* what the integral does not cover, at the ends of tables, is left out; a constant stays the same */
		convolution->result->intensity_resolved[k] = sum / covered;
		convolution->result->intensity_resolved_error[k] = error / fabs(covered);
	}
}

sonde_status resolved_curve_make(sonde_context *context, const struct debye_plan *plan, sonde_debye_result *result)
{
	struct resolution resolution;
	struct convolution convolution = {.plan = plan, .resolution = &resolution, .result = result};

	CHECK(resolution_read(&plan->options, &resolution));
	if (!resolution.wanted)
		return SONDE_OK;
	CHECK(memory_allocate(&result->intensity_resolved, (size_t)plan->points.count, sizeof(double), "the result"));
	CHECK(memory_allocate(&result->intensity_resolved_error, (size_t)plan->points.count, sizeof(double),
			      "the result"));
	const sonde_status status = make_nodes(plan, result, &resolution, &convolution);
	if (status == SONDE_OK)
		threads_for(context_threads(context), plan->points.count,
			    threads_grain(context_threads(context), plan->points.count), convolve, &convolution);
	free(convolution.nodes);
	return status;
}

/* Rows of `all` points become rows of `count` points. */
static void trim_rows(double *rows, int64_t row_count, int64_t all, int64_t count)
{
	for (int64_t row = 1; row < row_count; ++row)
		memmove(rows + row * count, rows + row * all, (size_t)count * sizeof *rows);
}

void resolved_curve_trim(const struct debye_plan *plan, sonde_debye_result *result)
{
	const struct debye_points *points = &plan->points;

	if (points->all == points->count)
		return;
	trim_rows(result->partial_intensity, result->pair_count, points->all, points->count);
	trim_rows(result->partial_structure_factor, result->pair_count, points->all, points->count);
	trim_rows(result->partial_intensity_error, result->pair_count, points->all, points->count);
	trim_rows(result->partial_structure_factor_error, result->pair_count, points->all, points->count);
	trim_rows(result->block_intensity, species_pair_count(result->block_count), points->all, points->count);
	trim_rows(result->block_intensity_error, species_pair_count(result->block_count), points->all, points->count);
	result->q_count = points->count;
	result->provenance->options.q = points->range;
}
