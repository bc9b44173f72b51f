#include "pattern/fast/shared_patches.h"

#include "base/clock.h"
#include "pattern/fast/gpu_mesh.h"
#include "pattern/ranks.h"
#include "run/share.h"

/* Patches ----------------------------------------------------------------------------------------------------- */

static sonde_status prepare(void *user, struct device *device, void *state)
{
	const struct picture_sums *run = user;

	return patch_worker_begin(&run->of, device, state);
}

static void release(void *state)
{
	patch_worker_end(state);
}

/* The points of a patch. */
struct patch_points {
	const struct fast_sums *of;
	const struct patch *patch;
};

static int64_t point_of(const void *user, int64_t n)
{
	const struct patch_points *points = user;
	const struct fast_axis *axes = points->patch->axes.axis;
	int64_t pixel = 0;

	if (points->of->plan->pixels.geometry != SONDE_PATTERN_BOX)
		return points->of->first + (int64_t)points->of->numbers[points->patch->first + n];
	for (int k = 0; k < 3; ++k) {
		pixel += (axes[k].begin + n % axes[k].count) * axes[k].stride;
		n /= axes[k].count;
	}
	return pixel;
}

/* Unless it was kept by an earlier run, whose points are finished in whole patches. */
static sonde_status sum_patch(struct picture_sums *run, struct patch_worker *worker, size_t k)
{
	const struct patch_points points = {&run->of, &run->list.patches[k]};

	if (run->finished[k] != 0)
		return SONDE_OK;
	if (run->kept == NULL || run->kept->finished[point_of(&points, 0)] == 0) {
		CHECK(patch_worker_sum(worker, points.patch));
		if (run->kept != NULL)
			CHECK(run->kept->after(run->kept->user, points.patch->count, point_of, &points));
	}
	run->finished[k] = 1;
	return SONDE_OK;
}

static sonde_status sum_patches(void *user, void *state, uint64_t first, uint64_t count, double *work)
{
	struct picture_sums *run = user;

	for (uint64_t k = first; k < first + count; ++k) {
		CHECK(sum_patch(run, state, k));
		*work += (double)run->list.patches[k].count;
	}
	return SONDE_OK;
}

/* The sums of a patch for rank 0, whose intensities follow from them. */
static sonde_status pack(void *user, uint64_t k, struct text *packed)
{
	const struct picture_sums *run = user;
	const struct patch_points points = {&run->of, &run->list.patches[k]};

	if (run->finished[k] != 0)
		pattern_pack(context_threads(run->context), run->of.values, PACKED_AMPLITUDES, points.patch->count,
			     point_of, &points, packed);
	return SONDE_OK;
}

static sonde_status unpack(void *user, uint64_t k, const char *bytes, size_t size)
{
	struct picture_sums *run = user;
	const struct patch_points points = {&run->of, &run->list.patches[k]};

	CHECK(pattern_unpack(context_threads(run->context), run->of.values, PACKED_AMPLITUDES, points.patch->count,
			     point_of, &points, bytes, size));
	run->finished[k] = 1;
	return run->kept != NULL ? run->kept->after(run->kept->user, points.patch->count, point_of, &points)
				 : SONDE_OK;
}

static bool is_finished(const struct picture_sums *run)
{
	for (size_t k = 0; k < run->list.count; ++k)
		if (run->finished[k] == 0)
			return false;
	return true;
}

/* Ranks pause for checkpoints, after which they share what is left. */
static sonde_status share_rounds(struct picture_sums *run, const struct shared_work *work)
{
	const double before = run->done;

	CHECK(share_work(run->context, work, &run->stage, &run->done));
	while (pattern_has_ranks(run->context)) {
		CHECK(pattern_ranks_finished(run->context, run->finished, run->list.count));
		if (is_finished(run) || run->kept == NULL)
			break;
		run->done = before; /* what is finished is passed over */
		CHECK(share_work(run->context, work, &run->stage, &run->done));
	}
	return SONDE_OK;
}

/* A device that is dropped takes the atoms of a resident sample with it. */
static void forget_atoms(void *user, struct device *device)
{
	struct picture_sums *run = user;

	if (run->plan->sample.resident.device == device)
		device_release(device, &run->of.records);
}

static struct shared_work work_of_gpus(struct picture_sums *run)
{
	return (struct shared_work){.pieces = run->list.count,
				    .user = run,
				    .states = run->workers,
				    .state_size = sizeof *run->workers,
				    .prepare = prepare,
				    .release = release,
				    .run = sum_patches,
				    .pack = pack,
				    .unpack = unpack,
				    .forget = forget_atoms,
				    .most_seconds = run->kept != NULL ? PATTERN_ROUND : 0.0};
}

static sonde_status test_one(void *gpu)
{
	return gpu_mesh_test(gpu);
}

/* A GPU that failed is tested again by share_prepare(), or later by those who report it. */
static sonde_status prepare_one(void *user)
{
	struct gpu_preparation *one = user;
	struct picture_sums *run = one->run;
	const struct shared_work work = {.user = run,
					 .states = run->workers,
					 .state_size = sizeof *run->workers,
					 .prepare = prepare,
					 .release = release};
	void *state;

	background_drop(&one->test);
	return share_prepare(&work, one->index, one->gpu, &state);
}

sonde_status patches_test_gpus(struct picture_sums *run, bool (*suits)(void *user, struct device *device))
{
	struct device **devices;
	int count, begun = 0;

	CHECK(context_devices(run->context, &devices, &count));
	for (int k = 0; k < count && begun < run->plan->fast.devices; ++k) {
		struct gpu_preparation *one = &run->preparations[k];
		if (devices[k] == NULL || !suits(run, devices[k]))
			continue;
		++begun;
		*one = (struct gpu_preparation){
		    .run = run, .index = k, .gpu = devices[k], .before = device_kernel_seconds(devices[k])};
		background_start(&one->test, test_one, one->gpu);
	}
	return SONDE_OK;
}

void patches_prepare_gpus(struct picture_sums *run)
{
	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k)
		if (run->preparations[k].gpu != NULL)
			background_start(&run->preparations[k].job, prepare_one, &run->preparations[k]);
}

void patches_wait_for_gpus(struct picture_sums *run)
{
	const double began = clock_seconds();

	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k) {
		struct gpu_preparation *one = &run->preparations[k];
		if (one->gpu == NULL)
			continue;
		background_drop(&one->job);
		background_drop(&one->test); /* unless that has */
		device_count_waited(one->gpu, one->before, clock_seconds() - began);
		one->gpu = NULL;
	}
}

sonde_status patches_sum_on_gpus(struct picture_sums *run, bool (*suits)(void *user, struct device *device))
{
	struct shared_work work = work_of_gpus(run);

	work.suits = suits;
	patches_wait_for_gpus(run);
	const sonde_status status = share_rounds(run, &work);
	run->outcome = status == SONDE_RESOURCE ? NO_DEVICE : run->outcome;
	CHECK(status);
	if (is_finished(run))
		return SONDE_OK;
	run->outcome = NO_GPU;
	return status_fail(SONDE_RESOURCE, "no GPU is left that has room for the meshes");
}

/* The host is the first device, whatever that is. */
static bool is_host(void *user, struct device *device)
{
	const struct picture_sums *run = user;
	struct device **devices;
	int count, first = 0;

	if (context_devices(run->context, &devices, &count) != SONDE_OK)
		return false;
	while (first < count && devices[first] == NULL)
		++first;
	return first < count && devices[first] == device;
}

static sonde_status prepare_host(void *user, struct device *device, void *state)
{
	struct picture_sums *run = user;
	struct host_state *host = state;

	if (run->host.run == NULL)
		CHECK(patch_worker_begin(&run->of, NULL, &run->host));
	host->device = device;
	return SONDE_OK;
}

static void release_host(void *state)
{
	*(struct host_state *)state = (struct host_state){NULL};
}

static sonde_status sum_patches_on_host(void *user, void *state, uint64_t first, uint64_t count, double *work)
{
	struct picture_sums *run = user;

	(void)state;
	return sum_patches(run, &run->host, first, count, work);
}

sonde_status patches_sum_on_hosts(struct picture_sums *run)
{
	const struct shared_work work = {.pieces = run->list.count,
					 .user = run,
					 .states = run->hosts,
					 .state_size = sizeof *run->hosts,
					 .prepare = prepare_host,
					 .release = release_host,
					 .run = sum_patches_on_host,
					 .pack = pack,
					 .unpack = unpack,
					 .most_seconds = run->kept != NULL ? PATTERN_ROUND : 0.0,
					 .suits = is_host};

	CHECK(share_rounds(run, &work));
	return is_finished(run) ? SONDE_OK
				: status_fail(SONDE_RESOURCE, "no rank is left that has room for the meshes");
}

sonde_status patches_sum_on_host(struct picture_sums *run)
{
	struct patch_worker *host = &run->host;

	if (host->run == NULL)
		CHECK(patch_worker_begin(&run->of, NULL, host));
	host->stage = &run->stage;
	for (size_t k = 0; k < run->list.count; ++k) {
		host->done = run->done;
		const sonde_status status = sum_patch(run, host, k);
		run->done += (double)run->list.patches[k].count;
		if (status == SONDE_OK || status == SONDE_CANCELLED) /* with the progress in its message */
			CHECK(stage_advance(&run->stage, run->done));
		CHECK(status);
	}
	return SONDE_OK;
}
