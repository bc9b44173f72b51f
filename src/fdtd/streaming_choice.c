#include "fdtd/streaming_choice.h"

#include <math.h>

#include "fdtd/estimate.h"
#include "fdtd/fields/fields.h"
#include "fdtd/streaming/link.h"
#include "fdtd/streaming/model.h"

/* Rate of half steps relative to that of whole ones, which GPUs take where there is memory for a second window. Measured
 * on an H100 and an H200. */
#define HALF_STEPS_OF_GPU 0.74
#define HALF_LAUNCHES_OF_GPU \
	20e-6 /* s: of a step of one slab, with the groups at its end that leave processors idle */
#define WHOLE_LAUNCHES_OF_GPU 12e-6
#define SMALL_LAUNCH_OF_GPU 10e-6 /* of a source or monitor, each for both fields */
#define LAUNCHES_OF_CPU 10e-6
#define STEPS_OF_SURVEY 64 /* passes end where the fields are surveyed (run.c) */
#define PARTS_OF_SURVEY 16 /* at most: passes of a survey */
#define TERM_BYTES 32.0    /* of a source, at most */
#define RESERVE 0.98       /* of the memory: tables, results of surveys */
#define PINNED_RATE 15e9 /* bytes of the host that are allocated, cleared and pinned per second; on an H100's host */
#define GIGABYTE 1e9

bool fdtd_is_streamed(const struct fdtd_run *run, double needed, double memory)
{
	switch (run->job->options.streaming) {
	case SONDE_FDTD_STREAMING_OFF:
		return false;
	case SONDE_FDTD_STREAMING_AUTO:
		return needed > memory && !run->space.frame.flat[0];
	default:
		return true;
	}
}

/* What is tried, and the best so far. */
struct search {
	const struct fdtd_run *run;
	struct device *device;
	double memory; /* for windows */
	struct streaming_speeds speeds;
	struct schedule best;
	struct fields_streamed_bytes bytes; /* of the best */
	double seconds;                     /* per step of the best; infinite: none fits */
};

/* Lists of bodies' edges with the planes, at worst all within a few of them. */
static sonde_status count_bytes(const struct search *search, const struct schedule *schedule,
				struct fields_streamed_bytes *bytes)
{
	const struct fdtd_run *run = search->run;
	const bool bodies = run->job->bodies.count > 0,
		   single = run->job->options.precision == SONDE_FDTD_PRECISION_FLOAT32;
	const double parts = run->space.grid.bloch ? 2.0 : 1.0,
		     lists = run->space.body_memory.bytes - run->space.body_memory.metals;

	CHECK(fields_streamed_bytes(search->device, &run->space.grid, run->job->bodies.count < 255 ? 2 : 300, bodies,
				    false, single, schedule, bytes));
	const double sources = TERM_BYTES * fdtd_terms_of_wave(run), windows = schedule_windows(schedule),
		     window = fmin(1.0, 2.0 * schedule_window(schedule) / (double)schedule->planes);
	bytes->device = parts * (bytes->device + windows * window * lists + run->space.body_memory.metals) + sources +
			job_memory_of_samples(&run->space, &run->sources, &run->monitors, schedule->height);
	bytes->host = parts * (bytes->host + windows * lists);
	bytes->all = parts * (bytes->all + lists);
	return SONDE_OK;
}

static sonde_status fits(const struct search *search, const struct schedule *schedule, bool *fit,
			 struct fields_streamed_bytes *bytes)
{
	CHECK(count_bytes(search, schedule, bytes));
	*fit = bytes->device <= RESERVE * search->memory;
	return SONDE_OK;
}

/* The widest slabs that fit; 0: none. */
static sonde_status widest(const struct search *search, const struct schedule *tried, uint32_t *width)
{
	struct schedule schedule = *tried;
	uint32_t low = 0, high = schedule.planes;
	struct fields_streamed_bytes bytes;

	while (low < high) {
		bool fit;
		schedule.width = low + (high - low + 1) / 2;
		CHECK(fits(search, &schedule, &fit, &bytes));
		if (fit)
			low = schedule.width;
		else
			high = schedule.width - 1;
	}
	*width = low;
	return SONDE_OK;
}

static sonde_status try_schedule(struct search *search, const struct schedule *schedule)
{
	const double seconds = streaming_seconds(schedule, &search->speeds) / schedule->height;
	struct fields_streamed_bytes bytes;
	bool fit;

	CHECK(fits(search, schedule, &fit, &bytes));
	if (!fit || !(seconds < search->seconds))
		return SONDE_OK;
	search->best = *schedule;
	search->bytes = bytes;
	search->seconds = seconds;
	return SONDE_OK;
}

/* Narrower slabs leave less time before the first and after the last one. */
static sonde_status try_widths(struct search *search, const struct schedule *of, uint32_t height, bool whole)
{
	struct schedule schedule = *of;
	uint32_t most = schedule.width;

	schedule.height = height;
	schedule.whole = whole;
	if (of->width == 0)
		CHECK(widest(search, &schedule, &most));
	for (schedule.width = most; schedule.width > 0; schedule.width = of->width > 0 ? 0 : schedule.width / 2)
		CHECK(try_schedule(search, &schedule));
	return SONDE_OK;
}

static sonde_status try_height(struct search *search, const struct schedule *of, uint32_t height)
{
	CHECK(try_widths(search, of, height, false));
	return device_properties(search->device)->gpu_kernels && of->method == STREAMING_SKEW
		   ? try_widths(search, of, height, true)
		   : SONDE_OK;
}

static sonde_status try_all(struct search *search, const struct schedule *schedule)
{
	if (schedule->height > 0)
		return try_height(search, schedule, schedule->height);
	for (uint32_t part = PARTS_OF_SURVEY; part >= 1; --part)
		CHECK(try_height(search, schedule, (STEPS_OF_SURVEY + part - 1) / part));
	for (uint32_t height = STEPS_OF_SURVEY / PARTS_OF_SURVEY; height-- > 1;)
		CHECK(try_height(search, schedule, height));
	return SONDE_OK;
}

static double cells_of_plane(const struct fdtd_run *run)
{
	return (double)run->space.grid.cells[1] * run->space.grid.cells[2];
}

static sonde_status find_speeds(struct fdtd_run *run, struct search *search, const struct schedule *schedule)
{
	const bool gpu = device_properties(search->device)->gpu_kernels;
	struct fields_streamed_bytes bytes;
	struct schedule one = *schedule;
	double link;

	CHECK(fdtd_estimate(run));
	CHECK(link_measure(search->device, &link));
	one.width = one.height = 1;
	CHECK(count_bytes(search, &one, &bytes));
	const double rate = run->plan.rate / cells_of_plane(run);
	search->speeds.plane_steps[0] = (gpu ? HALF_STEPS_OF_GPU : 1.0) * rate;
	search->speeds.plane_steps[1] = rate;
	const double small = 2.0 * SMALL_LAUNCH_OF_GPU * (double)(run->sources.count + run->monitors.count);
	search->speeds.launches[0] = gpu ? HALF_LAUNCHES_OF_GPU + small : LAUNCHES_OF_CPU;
	search->speeds.launches[1] = WHOLE_LAUNCHES_OF_GPU + small;
	search->speeds.in = search->speeds.out = bytes.all / (double)one.planes / link;
	return SONDE_OK;
}

static sonde_status none_fits(const struct search *search, const struct schedule *schedule)
{
	struct schedule least = *schedule;
	struct fields_streamed_bytes bytes;

	least.width = least.width > 0 ? least.width : 1;
	least.height = least.height > 0 ? least.height : 1;
	CHECK(count_bytes(search, &least, &bytes));
	return status_fail_option(SONDE_RESOURCE, "streaming",
				  "windows for a width of %u and a height of %u take %.3g GB of %s, but only %.3g GB "
				  "are available%s",
				  least.width, least.height, bytes.device / GIGABYTE, device_name(search->device),
				  RESERVE * search->memory / GIGABYTE,
				  schedule->width > 0 || schedule->height > 0 ? "; smaller numbers need less" : "");
}

sonde_status fdtd_choose_streaming(struct fdtd_run *run, struct device *device, double memory, double *host)
{
	const sonde_fdtd_options *options = &run->job->options;
	struct search search = {.run = run, .device = device, .memory = memory, .seconds = INFINITY};
	const struct schedule given = {
	    .method = options->streaming == SONDE_FDTD_STREAMING_PYRAMID ? STREAMING_PYRAMID : STREAMING_SKEW,
	    .planes = (uint32_t)grid_end_node(&run->space.grid, 0),
	    .width = (uint32_t)options->width,
	    .height = (uint32_t)options->height,
	    .lag = 1};

	CHECK(find_speeds(run, &search, &given));
	CHECK(try_all(&search, &given));
	if (!isfinite(search.seconds))
		return none_fits(&search, &given);
	run->schedule = search.best;
	run->streamed = true;
	*host = search.bytes.host;
	sonde_fdtd_plan *plan = &run->plan;
	const bool gpu = device_properties(device)->gpu_kernels;
	const double cells = cells_of_plane(run) * run->space.grid.cells[0], whole_rate = plan->rate;
	plan->streaming = given.method == STREAMING_SKEW ? SONDE_FDTD_STREAMING_SKEW : SONDE_FDTD_STREAMING_PYRAMID;
	plan->slab_width = search.best.width;
	plan->pass_height = search.best.height;
	plan->planes = search.best.planes;
	plan->streamed_memory = search.bytes.host;
	plan->link_rate = search.bytes.all / (double)given.planes / search.speeds.in;
	plan->whole_rate = whole_rate;
	plan->rate = cells / search.seconds;
	plan->device_memory = search.bytes.device;
	if (plan->steps > 0)
		plan->seconds +=
		    (double)plan->runs * ((double)plan->steps * (cells / plan->rate - cells / whole_rate) +
					  (gpu ? search.bytes.host / PINNED_RATE : 0.0));
	return SONDE_OK;
}
