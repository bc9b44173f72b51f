#include "fdtd/streaming_choice.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "fdtd/estimate.h"
#include "fdtd/fields/fields.h"
#include "fdtd/streaming/link.h"
#include "fdtd/streaming/model.h"
#include "fdtd/streaming/scratch_file.h"
#include "parallel/parallel.h"

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
#define SURELY 0.75      /* of a memory that is advised: what is counted above is not all */
#define GIGABYTE 1e9
#define MOST_STEPS_OF_FILE 1024 /* of a pass from a scratch file: disks are slow */
#define LEAST_SURVEYS 8.0
#define MEASURED_BYTES 32e6 /* of the scratch file whose speed is measured */
#define MEASURED_SECONDS 0.12
/* per second between ranks, each way: as in device_choice.c; and between those of one machine, which share memory */
#define BYTES_OF_RANKS 2.5e9
#define BYTES_OF_NEIGHBORS 15e9 /* follows from times of two ranks with an H200 each */
#define SLAB_OF_FILE 5e-3       /* s: some 30 requests of a slab in each direction, two at a time */
#define STORE_IS_DISK "disk:"

sonde_status fdtd_store_path(const sonde_fdtd_options *options, const char **path)
{
	const size_t before = strlen(STORE_IS_DISK);
	const char *store = options->store;

	*path = strncmp(store, STORE_IS_DISK, before) == 0 ? store + before : NULL;
	return strcmp(store, "host") == 0 || (*path != NULL && **path != '\0')
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, "store", "\"%s\" is neither host nor disk:PATH", store);
}

bool fdtd_failed_to_store(void)
{
	return strcmp(status_place()->key, "store") == 0;
}

bool fdtd_is_streamed(const struct fdtd_run *run, double needed, double memory)
{
	switch (run->job->options.streaming) {
	case SONDE_FDTD_STREAMING_OFF:
		return false;
	case SONDE_FDTD_STREAMING_AUTO:
		return needed > memory;
	default:
		return true;
	}
}

/* What is tried, and the best so far. */
struct search {
	const struct fdtd_run *run;
	struct device *device;
	struct fdtd_streaming_room room;
	struct streaming_speeds speeds;
	struct schedule best;
	struct fields_streamed_bytes bytes; /* of the best */
	double seconds;                     /* per step of the best; infinite: none fits */
};

/* Whether devices have planes of their own, with copies of their neighbors': those of several ranks, or of this process. */
static bool is_shared(const struct fdtd_run *run)
{
	return run->on.ranks != NULL || run->on.count > 1;
}

static struct plane_range own_planes(const struct fdtd_run *run, int n)
{
	return (struct plane_range){n > 0 ? run->on.end[n - 1] : run->on.begin, run->on.end[n]};
}

/* Lists of bodies' edges with the planes, at worst all within a few of them. */
static sonde_status count_bytes(const struct search *search, const struct schedule *schedule,
				struct fields_streamed_bytes *bytes)
{
	const struct fdtd_run *run = search->run;
	const bool bodies = run->job->bodies.count > 0,
		   single = run->job->options.precision != SONDE_FDTD_PRECISION_FLOAT64;
	const double parts = run->space.grid.bloch ? 2.0 : 1.0,
		     lists = run->space.body_memory.bytes - run->space.body_memory.whole,
		     planes = schedule_window(schedule);

	CHECK(fields_streamed_bytes(search->device, &run->space.grid, run->job->bodies.count < 255 ? 2 : 300, bodies,
				    false, single, schedule, bytes));
	const double sources = TERM_BYTES * fdtd_terms_of_wave(run), windows = schedule_windows(schedule),
		     copies = schedule_copies(schedule),
		     listed = fmin(lists, fmax(2.0 * planes / (double)schedule->planes * lists,
					       planes * run->space.body_memory.plane));
	bytes->device =
	    parts * (bytes->device + windows * listed + run->space.body_memory.whole) + sources +
	    job_memory_of_samples(&run->space, &run->sources, &run->monitors,
				  schedule->shared && schedule->height < STEPS_OF_SURVEY ? STEPS_OF_SURVEY
											 : schedule->height);
	/* both parts of complex fields are in one file, with one set of buffers */
	bytes->host =
	    schedule->store == NULL
		? parts * (bytes->host + copies * lists)
		: fmax(bytes->least_host,
		       schedule->staging > 0.0 ? fmin(parts * bytes->host, schedule->staging) : parts * bytes->host);
	bytes->file = schedule->store == NULL ? 0.0 : parts * (bytes->file + copies * lists);
	bytes->all = parts * (bytes->all + lists);
	return SONDE_OK;
}

static sonde_status fits(const struct search *search, const struct schedule *schedule, bool *fit,
			 struct fields_streamed_bytes *bytes)
{
	CHECK(count_bytes(search, schedule, bytes));
	*fit = bytes->device <= RESERVE * search->room.device;
	/* buffers for all of a slab, so that the disk never rests, if that is possible */
	if (schedule->store != NULL && schedule->staging == 0.0)
		*fit = *fit && bytes->host <= search->room.host;
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
	struct schedule alone = *of;

	if (of->shared && height > search->run->most_height)
		return SONDE_OK;
	CHECK(try_widths(search, of, height, false));
	alone.alone = of->method == STREAMING_PYRAMID;
	if (alone.alone)
		CHECK(try_widths(search, &alone, height, false));
	return device_properties(search->device)->gpu_kernels && of->method == STREAMING_SKEW
		   ? try_widths(search, of, height, true)
		   : SONDE_OK;
}

static sonde_status try_all(struct search *search, const struct schedule *schedule)
{
	if (schedule->height > 0)
		return try_height(search, schedule, schedule->height);
	/* a run that ends by itself is surveyed at steps that do not depend on the disk; others need some surveys, which
	 * passes end with, to know how much of the field is left at the end */
	const bool long_passes = schedule->store != NULL && !(search->run->job->options.until > 0.0);
	const double longest = fmin(MOST_STEPS_OF_FILE, (double)search->run->plan.steps / LEAST_SURVEYS);
	for (uint32_t height = 2 * STEPS_OF_SURVEY; long_passes && height <= longest; height *= 2)
		CHECK(try_height(search, schedule, height));
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

static bool of_one_machine(const struct fdtd_run *run)
{
	return parallel_local_size(run->on.ranks) == parallel_size(run->on.ranks);
}

/* Measures the link and the disk, which the devices of this process share: once, so that several ways of streaming are
 * compared by the same speeds. */
static sonde_status measure_speeds(struct fdtd_run *run, struct device *device, const struct schedule *schedule)
{
	sonde_fdtd_plan *plan = &run->plan;

	if (plan->link_rate == 0.0)
		CHECK(link_measure(device, &plan->link_rate));
	if (schedule->store != NULL && plan->disk_rate == 0.0)
		CHECK(scratch_file_measure(schedule->store, MEASURED_BYTES, MEASURED_SECONDS, &plan->disk_rate));
	return SONDE_OK;
}

static sonde_status find_speeds(struct fdtd_run *run, struct search *search, const struct schedule *schedule)
{
	const bool gpu = device_properties(search->device)->gpu_kernels;
	struct fields_streamed_bytes bytes;
	struct schedule one = *schedule;

	CHECK(fdtd_estimate(run));
	CHECK(measure_speeds(run, search->device, schedule));
	const double link = run->plan.link_rate,
		     disk = schedule->store != NULL ? run->plan.disk_rate / run->on.count : INFINITY;
	one.width = one.height = 1;
	CHECK(count_bytes(search, &one, &bytes));
	const struct plane_range here = schedule_here(&one);
	const double rate = run->plan.rate / run->on.count / cells_of_plane(run); /* of a device */
	search->speeds.plane_steps[0] = (gpu ? HALF_STEPS_OF_GPU : 1.0) * rate;
	search->speeds.plane_steps[1] = rate;
	const double small = 2.0 * SMALL_LAUNCH_OF_GPU * (double)(run->sources.count + run->monitors.count);
	search->speeds.launches[0] = gpu ? HALF_LAUNCHES_OF_GPU + small : LAUNCHES_OF_CPU;
	search->speeds.launches[1] = WHOLE_LAUNCHES_OF_GPU + small;
	search->speeds.slab = schedule->store != NULL ? SLAB_OF_FILE : 0.0;
	search->speeds.in = search->speeds.out =
	    fmax(bytes.all / link, bytes.file / disk / schedule_copies(schedule)) / (double)(here.end - here.begin);
	search->speeds.message =
	    bytes.all / (double)(here.end - here.begin) / (of_one_machine(run) ? BYTES_OF_NEIGHBORS : BYTES_OF_RANKS);
	return SONDE_OK;
}

static sonde_status none_fits(const struct search *search, const struct schedule *schedule)
{
	struct schedule least = *schedule;
	struct fields_streamed_bytes bytes;

	const bool of_host = device_properties(search->device)->memory == UINT64_MAX;

	least.width = least.width > 0 ? least.width : 1;
	least.height = least.height > 0 ? least.height : 1;
	least.alone = least.method == STREAMING_PYRAMID;
	CHECK(count_bytes(search, &least, &bytes));
	const struct job_monitor_memory *monitors = &search->run->monitor_memory;
	const double host = of_host ? search->run->host_memory + monitors->host : 0.0,
		     enough = bytes.device / RESERVE / search->room.part / SURELY + fmax(monitors->device, host);
	return status_fail_option(SONDE_RESOURCE, "streaming",
				  "windows for a width of %u and a height of %u take %.3g GB of %s, but only %.3g GB "
				  "are available%s; they fit "
				  "with %s %.0f",
				  least.width, least.height, bytes.device / GIGABYTE, device_name(search->device),
				  RESERVE * fmax(search->room.device, 0.0) / GIGABYTE,
				  schedule->width > 0 || schedule->height > 0 ? "; smaller numbers need less" : "",
				  of_host ? OPTION_NAME("host_memory") : OPTION_NAME("memory"),
				  text_round_up(enough, 3));
}

/* All planes, or buffers and the file, of the best schedule. */
static sonde_status check_places(const struct search *search)
{
	const struct fields_streamed_bytes *bytes = &search->bytes;
	const char *store = search->best.store;
	struct schedule filed = search->best;
	struct fields_streamed_bytes of_file;

	if (store != NULL && bytes->file > scratch_file_free_bytes(store))
		return status_fail_option(SONDE_RESOURCE, "store",
					  "the scratch file at %s needs %.4g GB, but only %.4g GB are free", store,
					  bytes->file / GIGABYTE, scratch_file_free_bytes(store) / GIGABYTE);
	const double room = search->room.host * search->run->on.count;
	if (bytes->host <= room)
		return SONDE_OK;
	if (store != NULL)
		return status_fail(
		    SONDE_RESOURCE,
		    OPTION_NAME("host_memory") ": buffers for the scratch file need at least %.3g GB, but "
					       "only %.3g GB are left by the rest of the job",
		    bytes->host / GIGABYTE, fmax(room, 0.0) / GIGABYTE);
	filed.store = "";
	filed.staging = 1.0;
	CHECK(count_bytes(search, &filed, &of_file));
	return status_fail(
	    SONDE_RESOURCE,
	    OPTION_NAME("host_memory") ": all planes of the grid need %.3g GB, but only %.3g GB are left "
				       "by the rest of the job; in a scratch file, with " OPTION_NAME(
					   "store") " disk:PATH, %.3g GB of memory and %.3g GB of the disk suffice",
	    bytes->host / GIGABYTE, fmax(room, 0.0) / GIGABYTE, search->run->on.count * of_file.least_host / GIGABYTE,
	    search->run->on.count * of_file.file / GIGABYTE);
}

/* All ranks take passes of the same steps, those of the rank that can take fewest, and each slabs of its own. Without ranks
 * that of this process remains. */
static sonde_status agree_on_height(struct search *search, const struct schedule *given)
{
	struct fdtd_run *run = (struct fdtd_run *)search->run;
	double height = search->best.height, slowest;

	CHECK(parallel_agree(run->on.ranks, isfinite(search->seconds) ? SONDE_OK : none_fits(search, given)));
	CHECK(parallel_least(run->on.ranks, &height));
	if ((uint32_t)height != search->best.height) {
		search->seconds = INFINITY;
		CHECK(try_height(search, given, (uint32_t)height));
	}
	CHECK(parallel_agree(run->on.ranks, isfinite(search->seconds) ? SONDE_OK : none_fits(search, given)));
	slowest = search->seconds;
	CHECK(parallel_largest(run->on.ranks, &slowest, 1));
	search->seconds = slowest;
	run->on.height = search->best.height;
	return SONDE_OK;
}

/* Of a job's height what the planes of the ranks allow. */
static void limit_height(const struct fdtd_run *run, struct schedule *schedule)
{
	if (!is_shared(run) || schedule->height <= run->most_height)
		return;
	schedule->height = run->most_height;
	if (!run->is_companion)
		context_notef(run->context,
			      "passes of %lld steps need more planes than each of %d devices has: they have %u steps",
			      (long long)run->job->options.height,
			      run->on.ranks != NULL ? run->on.all : run->on.count, run->most_height);
}

/* The planes of the device that has most of them here, with copies of its neighbors', if devices share the grid. */
static void give_own_planes(const struct fdtd_run *run, struct schedule *schedule)
{
	struct schedule tried = *schedule;
	uint32_t most = 0;

	schedule->shared = tried.shared = is_shared(run);
	tried.height = run->most_height;
	for (int n = 0; n < run->on.count && tried.shared; ++n) {
		tried.own = own_planes(run, n);
		const struct plane_range here = schedule_here(&tried);
		if (here.end - here.begin > most)
			schedule->own = tried.own;
		most = here.end - here.begin > most ? here.end - here.begin : most;
	}
}

/* Those of all devices of this process: the most of one, and the sums of the hosts' memory and of files. */
static sonde_status count_all_bytes(struct search *search)
{
	const struct fdtd_run *run = search->run;
	struct schedule schedule = search->best;
	struct fields_streamed_bytes all = {.host = 0.0}, of_device;

	if (!schedule.shared)
		return SONDE_OK;
	for (int n = 0; n < run->on.count; ++n) {
		schedule.own = own_planes(run, n);
		CHECK(count_bytes(search, &schedule, &of_device));
		all.device = fmax(all.device, of_device.device);
		all.host += of_device.host;
		all.file += of_device.file;
		all.all += of_device.all;
		all.least_host += of_device.least_host;
	}
	search->bytes = all;
	return SONDE_OK;
}

sonde_status fdtd_choose_streaming(struct fdtd_run *run, struct device *device,
				   const struct fdtd_streaming_room *room)
{
	const sonde_fdtd_options *options = &run->job->options;
	struct search search = {.run = run, .device = device, .room = *room, .seconds = INFINITY};
	struct schedule given = {.method = options->streaming == SONDE_FDTD_STREAMING_PYRAMID ? STREAMING_PYRAMID
											      : STREAMING_SKEW,
				 .planes = (uint32_t)grid_end_node(&run->space.grid, 0),
				 .width = (uint32_t)options->width,
				 .height = (uint32_t)options->height,
				 .lag = 1};

	CHECK(fdtd_store_path(options, &given.store));
	limit_height(run, &given);
	give_own_planes(run, &given);
	CHECK(find_speeds(run, &search, &given));
	CHECK(try_all(&search, &given));
	if (given.store != NULL && !isfinite(search.seconds)) {
		given.staging = fmax(room->host, 1.0);
		CHECK(try_all(&search, &given));
	}
	if (given.shared)
		CHECK(agree_on_height(&search, &given));
	else if (!isfinite(search.seconds))
		return none_fits(&search, &given);
	const double largest_file = search.bytes.file;
	CHECK(count_all_bytes(&search));
	CHECK(check_places(&search));
	run->schedule = search.best;
	run->schedule.store_bytes = largest_file;
	run->schedule.staging = given.store != NULL ? room->host : 0.0;
	run->streamed = true;
	sonde_fdtd_plan *plan = &run->plan;
	const bool gpu = device_properties(device)->gpu_kernels;
	const double cells = cells_of_plane(run) * run->space.grid.cells[0], one_rate = plan->rate,
		     whole_rate = one_rate * (run->on.ranks != NULL ? run->on.speedup : 1.0);
	plan->streaming = given.method == STREAMING_SKEW ? SONDE_FDTD_STREAMING_SKEW : SONDE_FDTD_STREAMING_PYRAMID;
	plan->slab_width = search.best.width;
	plan->pass_height = search.best.height;
	plan->planes = search.best.planes;
	plan->streamed_memory = search.bytes.host;
	plan->scratch_bytes = search.bytes.file;
	plan->whole_rate = whole_rate;
	plan->rate = cells / search.seconds;
	plan->device_memory = search.bytes.device;
	if (plan->steps > 0)
		plan->seconds += (double)plan->runs * ((double)plan->steps * (cells / plan->rate - cells / one_rate) +
						       (gpu ? search.bytes.host / PINNED_RATE : 0.0));
	return SONDE_OK;
}
