/* The Debye sum from a histogram: kernel sinc_sum over a list of distances, its partial sums added in the order of
 * the list. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "debye/debye.h"
#include "debye/points/resampling.h"
#include "debye/kernels/series_layout.h"
#include "debye/sums/condensed_list.h"
#include "debye/sums/shape.h"
#include "run/ordered_sum.h"

#define GROUPS_PER_WORKER 64 /* of one launch: tens of milliseconds, so that a cancellation takes effect */
#define MOST_GPU_GROUPS 128
#define ENTRIES_PER_CHUNK 512 /* for a work-item */

struct sinc_list {
	sonde_context *context;
	struct device *device;
	struct device_kernel kernel;
	struct device_buffer r, weight_over_r, scratch, partial;
	double *partial_host;
	size_t partial_capacity;     /* of the host */
	uint32_t items, most_chunks; /* of a launch */
	bool quiet;                  /* without a stage of its own */
	struct condensed_list condensed;
};

sonde_status sinc_list_create(sonde_context *context, struct device *device, struct sinc_list **created)
{
	struct sinc_list *list;
	sonde_status status;

	CHECK(memory_allocate(created, 1, sizeof **created, "the distances"));
	list = *created;
	list->context = context;
	list->device = device;
	const struct device_properties *has = device_properties(list->device);
	struct debye_shape shape = debye_shape_of(list->device);
	bool groups_are_workers = has->gpu_kernels && has->most_work_items > 1;
	uint32_t groups = device_launch_groups(list->device, GROUPS_PER_WORKER);
	if (groups_are_workers) {
		/* every group has scratch memory: the number of groups is limited to a fraction of the device's
		 * memory */
		uint64_t each = (uint64_t)shape.list_items * Q_PASS * WIDTH * sizeof(double);
		uint64_t fitting = has->memory / 8 / each;
		groups = fitting < MOST_GPU_GROUPS ? (fitting > 1 ? (uint32_t)fitting : 1) : MOST_GPU_GROUPS;
	}
	list->items = shape.list_items;
	list->most_chunks = groups * list->items;
	size_t scratch =
	    (size_t)(groups_are_workers ? groups : device_workers(list->device)) * list->items * Q_PASS * WIDTH;
	CHECK_GOTO(status, shape_sinc_sum(list->device, &shape, &list->kernel), failed);
	CHECK_GOTO(status, device_allocate(list->device, scratch * sizeof(double), "partial sums", &list->scratch),
		   failed);
	return SONDE_OK;
failed:
	sinc_list_free(created);
	return status;
}

void sinc_list_prepare(sonde_context *context)
{
	struct sinc_list *list;
	struct device *host;

	if (context_threads(context) == 1 || context_host_device(context, &host) != SONDE_OK)
		return;
	if (sinc_list_create(context, host, &list) == SONDE_OK)
		sinc_list_free(&list);
}

void sinc_list_free(struct sinc_list **freed)
{
	struct sinc_list *list = *freed;

	if (list == NULL)
		return;
	device_release(list->device, &list->r);
	device_release(list->device, &list->weight_over_r);
	device_release(list->device, &list->scratch);
	device_release(list->device, &list->partial);
	condensed_list_free(&list->condensed);
	free(list->partial_host);
	free(list);
	*freed = NULL;
}

bool sinc_list_is_on(const struct sinc_list *list, const struct device *device)
{
	return list->device == device;
}

static sonde_status upload(struct sinc_list *list, struct device_buffer *buffer, const double *values, uint32_t count)
{
	size_t bytes = ((size_t)count + LIST_PADDING) * sizeof(double);

	if (buffer->bytes < bytes) {
		device_release(list->device, buffer);
		CHECK(device_allocate(list->device, bytes, "the distances", buffer));
	}
	return device_write(list->device, buffer, 0, values, bytes);
}

void sinc_list_be_quiet(struct sinc_list *list)
{
	list->quiet = true;
}

static void begin(const struct sinc_list *list, struct stage *stage, int64_t points)
{
	if (!list->quiet)
		stage_begin(stage, list->context, "histogram to pattern", "points", (double)points);
}

static sonde_status advance(const struct sinc_list *list, struct stage *stage, double points)
{
	if (!list->quiet)
		return stage_advance(stage, points);
	return context_cancelled(list->context)
		   ? status_fail(SONDE_CANCELLED, "stopped on request at the sums over distances")
		   : SONDE_OK;
}

/* Room for the sums of some chunks at q_count points. */
static sonde_status reserve_partial(struct sinc_list *list, uint32_t chunks, uint32_t q_count)
{
	const size_t count = (size_t)(chunks < list->most_chunks ? chunks : list->most_chunks) * q_count,
		     bytes = count * sizeof(double);

	CHECK(memory_grow(&list->partial_host, &list->partial_capacity, count, sizeof(double), "partial sums"));
	if (bytes <= list->partial.bytes)
		return SONDE_OK;
	device_release(list->device, &list->partial);
	return device_allocate(list->device, bytes, "partial sums", &list->partial);
}

/* The q_count points of q from `first` on; `reported` are done before. */
static sonde_status run_pass(struct sinc_list *list, uint32_t count, const sonde_grid *q, int64_t first,
			     uint32_t q_count, struct stage *stage, double reported, double *totals)
{
	struct ordered_sum sums[Q_PASS] = {0};
	uint32_t chunk = ENTRIES_PER_CHUNK, chunks = (count + chunk - 1) / chunk;
	double q_first = grid_value(q, first);
	double q_step = q->points > 1 ? (q->last - q->first) / (double)(q->points - 1) : 0.0;

	CHECK(reserve_partial(list, chunks, q_count));
	for (uint32_t done = 0; done < chunks; done += list->most_chunks) {
		uint32_t now = chunks - done < list->most_chunks ? chunks - done : list->most_chunks;
		const struct device_argument arguments[] = {DEVICE_ARGUMENT(list->r.memory),
							    DEVICE_ARGUMENT(list->weight_over_r.memory),
							    DEVICE_ARGUMENT(count),
							    DEVICE_ARGUMENT(chunk),
							    DEVICE_ARGUMENT(done),
							    DEVICE_ARGUMENT(q_first),
							    DEVICE_ARGUMENT(q_step),
							    DEVICE_ARGUMENT(q_count),
							    DEVICE_ARGUMENT(list->scratch.memory),
							    DEVICE_ARGUMENT(list->partial.memory)};
		CHECK(
		    device_launch(list->device, &list->kernel, (now + list->items - 1) / list->items, arguments, 10));
		CHECK(device_read(list->device, &list->partial, 0, list->partial_host,
				  (size_t)now * q_count * sizeof(double)));
		ordered_sum_add_arrays(sums, list->partial_host, now, q_count);
		CHECK(advance(list, stage, reported + (double)q_count * (done + now) / chunks));
	}
	for (uint32_t k = 0; k < q_count; ++k)
		totals[first + k] += ordered_sum_value(&sums[k]) / grid_value(q, first + k);
	return SONDE_OK;
}

sonde_status sinc_list_add(struct sinc_list *list, const double *r, const double *weight_over_r, uint32_t count,
			   const sonde_grid *q, double *totals)
{
	struct stage stage;

	CHECK(upload(list, &list->r, r, count));
	CHECK(upload(list, &list->weight_over_r, weight_over_r, count));
	begin(list, &stage, q->points);
	for (int64_t first = 0; first < q->points; first += Q_PASS) {
		int64_t left = q->points - first;
		CHECK(run_pass(list, count, q, first, (uint32_t)(left < Q_PASS ? left : Q_PASS), &stage,
			       (double)first, totals));
	}
	return SONDE_OK;
}

static sonde_status add_resampled(struct sinc_list *list, const double *r, const double *weight_over_r,
				  uint32_t count, const struct resampling *resampling, const double *q,
				  int64_t points, double *totals)
{
	double *uniform;

	CHECK(memory_allocate(&uniform, (size_t)resampling->grid.points, sizeof *uniform, "the sums"));
	const sonde_status status = sinc_list_add(list, r, weight_over_r, count, &resampling->grid, uniform);
	if (status == SONDE_OK)
		resampling_add(resampling, uniform, q, points, totals);
	free(uniform);
	return status;
}

static double largest_of(const double *values, uint32_t count)
{
	double largest = 0.0;

	for (uint32_t k = 0; k < count; ++k)
		largest = fmax(largest, values[k]);
	return largest;
}

sonde_status sinc_list_add_at(struct sinc_list *list, const double *r, const double *weight_over_r, uint32_t count,
			      const double *q, int64_t points, double *totals)
{
	struct resampling resampling;

	if (resampling_choose(q, points, largest_of(r, count), &resampling))
		return add_resampled(list, r, weight_over_r, count, &resampling, q, points, totals);
	struct stage stage;

	CHECK(upload(list, &list->r, r, count));
	CHECK(upload(list, &list->weight_over_r, weight_over_r, count));
	begin(list, &stage, points);
	for (int64_t k = 0, pass; k < points; k += pass) {
		pass = uniform_points(q + k, points - k, Q_PASS);
		const sonde_grid uniform = {q[k], q[k + pass - 1], pass};
		CHECK(run_pass(list, count, &uniform, 0, (uint32_t)pass, &stage, (double)k, totals + k));
	}
	return SONDE_OK;
}

sonde_status sinc_list_add_ordered(struct sinc_list *list, const double *r, const double *weight_over_r,
				   uint32_t count, const struct pair_sums *sums, double *totals)
{
	const int64_t points = sums->q.points;
	struct device *processor = list->device;
	double q_last = sums->q.last;

	for (int64_t k = 0; sums->q_values != NULL && k < points; ++k)
		q_last = k == 0 ? sums->q_values[0] : fmax(q_last, sums->q_values[k]);
	if (device_properties(processor)->gpu_kernels)
		CHECK(context_host_device(list->context, &processor));
	CHECK(condensed_list_make(list->context, processor, r, weight_over_r, count, q_last, &list->condensed));
	const struct condensed_list *condensed = &list->condensed;
	return sums->q_values != NULL
		   ? sinc_list_add_at(list, condensed->r, condensed->weight_over_r, condensed->count, sums->q_values,
				      points, totals)
		   : sinc_list_add(list, condensed->r, condensed->weight_over_r, condensed->count, &sums->q, totals);
}
