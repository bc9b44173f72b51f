/* The Debye sum from a histogram of pairs whose motion is correlated: kernel list_motion, its partial sums added in the order of
 * the list. */
#include <stdlib.h>

#include "base/memory.h"
#include "debye/motion/motion.h"
#include "debye/kernels/motion_layout.h"
#include "debye/kernels/series_layout.h"
#include "debye/sums/shape.h"
#include "run/ordered_sum.h"

#define ENTRIES_PER_GROUP 512 /* a constant, so that sums do not depend on the device */
#define MOST_GROUPS 4096      /* of a launch */

struct motion_list {
	sonde_context *context;
	struct device *device;
	struct device_kernel kernel;
	struct device_buffer r, weight_over_r, s, q, partial;
	double *partial_host;
	uint32_t count, groups; /* entries, and groups of a launch */
};

static sonde_status prepare(struct motion_list *list, const double *r, const double *weight_over_r, const double *s)
{
	const size_t bytes = ((size_t)list->count + LIST_PADDING) * sizeof(double),
		     partial = (size_t)list->groups * Q_PASS;

	CHECK(shape_motion(list->device, "list_motion", &list->kernel));
	CHECK(device_upload(list->device, r, bytes, "the distances", &list->r));
	CHECK(device_upload(list->device, weight_over_r, bytes, "the distances", &list->weight_over_r));
	CHECK(device_upload(list->device, s, bytes, "the distances", &list->s));
	CHECK(device_allocate(list->device, Q_PASS * sizeof(double), "the points of q", &list->q));
	CHECK(device_allocate(list->device, partial * sizeof(double), "partial sums", &list->partial));
	return memory_allocate(&list->partial_host, partial, sizeof(double), "partial sums");
}

static void release(struct motion_list *list)
{
	struct device_buffer *buffers[] = {&list->r, &list->weight_over_r, &list->s, &list->q, &list->partial};

	for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k)
		device_release(list->device, buffers[k]);
	free(list->partial_host);
}

/* Points of q from number `first` on, padded, and their step, 0 if they are not uniform. Returns the number of sums. */
static uint32_t find_points(const struct pair_sums *sums, int64_t first, double q[Q_PASS], double *step)
{
	const int64_t left = sums->q.points - first, count = left < Q_PASS ? left : Q_PASS;

	*step = sums->q_values == NULL && sums->q.points > 1
		    ? (sums->q.last - sums->q.first) / (double)(sums->q.points - 1)
		    : 0.0;
	q[0] = pair_sums_q(sums, first);
	for (int64_t k = 1; k < Q_PASS; ++k)
		q[k] = k < count ? pair_sums_q(sums, first + k) : q[k - 1] + *step;
	return (uint32_t)((count + MOTION_COLUMNS - 1) / MOTION_COLUMNS * MOTION_COLUMNS);
}

static sonde_status advance(const struct motion_list *list, struct stage *stage, double points)
{
	if (stage != NULL)
		return stage_advance(stage, points);
	return context_cancelled(list->context)
		   ? status_fail(SONDE_CANCELLED, "stopped on request at the sums over distances")
		   : SONDE_OK;
}

static sonde_status run_pass(struct motion_list *list, const struct pair_sums *sums, int64_t first,
			     struct stage *stage, double *totals)
{
	struct ordered_sum total[Q_PASS] = {0};
	double q[Q_PASS], step;
	const uint32_t q_count = find_points(sums, first, q, &step), chunk = ENTRIES_PER_GROUP,
		       chunks = (list->count + chunk - 1) / chunk;

	CHECK(device_write(list->device, &list->q, 0, q, sizeof q));
	for (uint32_t done = 0; done < chunks; done += list->groups) {
		const uint32_t now = chunks - done < list->groups ? chunks - done : list->groups;
		const struct device_argument arguments[] = {
		    DEVICE_ARGUMENT(list->r.memory), DEVICE_ARGUMENT(list->weight_over_r.memory),
		    DEVICE_ARGUMENT(list->s.memory), DEVICE_ARGUMENT(list->count),
		    DEVICE_ARGUMENT(chunk),          DEVICE_ARGUMENT(done),
		    DEVICE_ARGUMENT(list->q.memory), DEVICE_ARGUMENT(step),
		    DEVICE_ARGUMENT(q_count),        DEVICE_ARGUMENT(list->partial.memory)};
		CHECK(device_launch(list->device, &list->kernel, now, arguments, 10));
		CHECK(device_read(list->device, &list->partial, 0, list->partial_host,
				  (size_t)now * q_count * sizeof(double)));
		ordered_sum_add_arrays(total, list->partial_host, now, q_count);
		CHECK(advance(list, stage, (double)first + (double)q_count * (done + now) / chunks));
	}
	for (int64_t k = 0; k < Q_PASS && first + k < sums->q.points; ++k)
		totals[first + k] += ordered_sum_value(&total[k]) / q[k];
	return SONDE_OK;
}

sonde_status motion_list_add(sonde_context *context, struct device *device, const double *r,
			     const double *weight_over_r, const double *s, uint32_t count,
			     const struct pair_sums *sums, struct stage *stage, double *totals)
{
	struct motion_list list = {.context = context,
				   .device = device,
				   .count = count,
				   .groups = device_launch_groups(device, MOST_GROUPS)};
	sonde_status status;

	if (count == 0)
		return SONDE_OK;
	const uint32_t chunks = (count + ENTRIES_PER_GROUP - 1) / ENTRIES_PER_GROUP,
		       most = chunks < MOST_GROUPS ? chunks : MOST_GROUPS;
	list.groups = list.groups < most ? list.groups : most;
	CHECK_GOTO(status, prepare(&list, r, weight_over_r, s), done);
	for (int64_t first = 0; first < sums->q.points; first += Q_PASS)
		CHECK_GOTO(status, run_pass(&list, sums, first, stage, totals), done);
done:
	release(&list);
	return status;
}
