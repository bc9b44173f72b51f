/* Exchange of planes between ranks: on CPUs, and on NVIDIA GPUs if there are some (or the simulated ones of tests/fakes), where
 * planes go from GPU to GPU if the driver lets them. To be run under mpirun; a single process has nothing to exchange. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "device/sharing.h"
#include "fdtd/streaming/rank_direct.h"
#include "fdtd/streaming/rank_exchange.h"
#include "parallel/parallel.h"
#include "unit/support.h"

#define PLANES 20u /* of each rank */
#define HEIGHT 3u
#define EXCHANGES 7u
#define ARRAYS 2

static struct parallel *ranks;

/* Two arrays, of which a plane has these many words. */
static const uint32_t words_of_plane[ARRAYS] = {5000, 33};

struct grid_part {
	struct device *device;
	struct streaming streaming;
	struct device_buffer buffers[ARRAYS];
	struct plane_range own;
};

static void must(sonde_status status)
{
	if (status != SONDE_OK)
		fail_msg("%s", status_message());
}

static uint32_t value_of(int array, uint32_t plane, uint32_t word, uint32_t time)
{
	return (((uint32_t)array * 1000u + plane) * 65599u + word) * 65599u + time;
}

/* The GPU of this rank, or null. */
static struct device *open_gpu(void)
{
	const struct device_settings settings = {.launch_limit = 1.0, .kernel_cache = "off"};
	struct device *device = NULL;
	char name[32];

	snprintf(name, sizeof name, "cuda:%d", parallel_local_rank(ranks));
	if (device_open(name, &settings, &device) != SONDE_OK &&
	    device_open("cuda:0", &settings, &device) != SONDE_OK)
		return NULL;
	return device;
}

static struct device *open_cpu(void)
{
	const struct device_settings settings = {.threads = 1, .launch_limit = 1.0, .kernel_cache = "off"};
	struct device *device;

	must(device_open("cpu", &settings, &device));
	return device;
}

static void make(struct device *device, struct grid_part *part)
{
	const uint32_t rank = (uint32_t)parallel_rank(ranks), planes = PLANES * (uint32_t)parallel_size(ranks);
	const struct fdtd_step layout = {.low = {0}, .high = {planes}, .planes = planes + 1};
	const struct schedule schedule = {.planes = planes,
					  .width = PLANES,
					  .height = HEIGHT,
					  .lag = 1,
					  .kept = true,
					  .own = {rank * PLANES, (rank + 1) * PLANES}};

	*part = (struct grid_part){.device = device, .own = schedule.own};
	must(streaming_make(device, &layout, &schedule, &part->streaming));
	part->streaming.ranks = ranks;
	for (int n = 0; n < ARRAYS; ++n) {
		const struct plane_numbers numbers = {
		    .size = words_of_plane[n] * sizeof(uint32_t), .first = part->streaming.planes, .all = planes};
		must(streaming_allocate(&part->streaming, device, numbers.size * planes, &numbers, 1, true, "numbers",
					&part->buffers[n]));
	}
	must(rank_exchange_prepare(&part->streaming));
}

static void release(struct grid_part *part)
{
	rank_exchange_free(&part->streaming);
	for (int n = 0; n < ARRAYS; ++n)
		streaming_release(&part->streaming, part->device, &part->buffers[n]);
	streaming_free(&part->streaming);
}

/* All of the rank's own planes have the numbers of a time. */
static void fill(struct grid_part *part, uint32_t time)
{
	for (int n = 0; n < ARRAYS; ++n) {
		const uint32_t count = words_of_plane[n];
		uint32_t *words = malloc(count * sizeof *words);
		assert_non_null(words);
		for (uint32_t plane = part->own.begin; plane < part->own.end; ++plane) {
			for (uint32_t k = 0; k < count; ++k)
				words[k] = value_of(n, plane, k, time);
			must(device_write(part->device, &part->buffers[n], (size_t)plane * count * sizeof *words,
					  words, count * sizeof *words));
		}
		free(words);
	}
}

/* Whether the copies of a neighbor's planes have the numbers of a time. */
static void check(struct grid_part *part, enum rank_neighbor neighbor, uint32_t time)
{
	const struct plane_range kept = schedule_kept(&part->streaming.schedule),
				 copies = neighbor == RANK_BEFORE ? (struct plane_range){kept.begin, part->own.begin}
								  : (struct plane_range){part->own.end, kept.end};

	for (int n = 0; n < ARRAYS; ++n) {
		const uint32_t count = words_of_plane[n];
		uint32_t *words = malloc(count * sizeof *words), wrong = 0;
		assert_non_null(words);
		for (uint32_t plane = copies.begin; plane < copies.end; ++plane) {
			must(device_read(part->device, &part->buffers[n], (size_t)plane * count * sizeof *words,
					 words, count * sizeof *words));
			for (uint32_t k = 0; k < count; ++k)
				wrong += words[k] != value_of(n, plane, k, time) ? 1u : 0u;
		}
		assert_int_equal(wrong, 0);
		free(words);
	}
}

static void receive(struct grid_part *part, enum rank_neighbor neighbor, uint32_t time)
{
	if (!rank_exchange_has(&part->streaming, neighbor))
		return;
	must(rank_exchange_receive(&part->streaming, neighbor, SONDE_OK));
	check(part, neighbor, time);
}

static void send(struct grid_part *part, enum rank_neighbor neighbor)
{
	if (rank_exchange_has(&part->streaming, neighbor))
		must(rank_exchange_send(&part->streaming, neighbor, SONDE_OK));
}

/* In the order of fdtd/simulation/kept_steps.c: planes are received after later ones have been sent. */
static void exchange(struct grid_part *part, uint32_t first, uint32_t count, bool is_new, bool last)
{
	rank_exchange_begin(&part->streaming, count);
	for (uint32_t time = first; time < first + count; ++time, is_new = false) {
		if (!is_new)
			receive(part, RANK_BEFORE, time - 1);
		fill(part, time);
		send(part, RANK_BEFORE);
		if (!is_new)
			receive(part, RANK_AFTER, time - 1);
		send(part, RANK_AFTER);
	}
	assert_true(rank_exchange_continues(&part->streaming));
	if (!last)
		return;
	receive(part, RANK_BEFORE, first + count - 1);
	receive(part, RANK_AFTER, first + count - 1);
	must(rank_exchange_end(&part->streaming, SONDE_OK));
}

static void exchange_on(struct device *device)
{
	struct grid_part part;

	for (int turn = 0; turn < 2; ++turn) {
		make(device, &part);
		exchange(&part, 1, 1, true, true);
		exchange(&part, 2, EXCHANGES, true, false);
		exchange(&part, 2 + EXCHANGES, EXCHANGES, false, true);
		release(&part);
	}
	/* a stop after planes have been sent, and a failure of one rank that the others learn of later */
	make(device, &part);
	exchange(&part, 1, 2, true, false);
	release(&part);
	make(device, &part);
	sonde_status own = parallel_rank(ranks) == 0 ? status_fail(SONDE_RESOURCE, "a device is lost") : SONDE_OK;
	rank_exchange_begin(&part.streaming, 2);
	for (int n = 0; n < 2; ++n)
		for (enum rank_neighbor side = RANK_BEFORE; side <= RANK_AFTER; ++side) {
			if (n > 0 && rank_exchange_has(&part.streaming, side))
				own = rank_exchange_receive(&part.streaming, side, own);
			if (rank_exchange_has(&part.streaming, side))
				own = rank_exchange_send(&part.streaming, side, own);
		}
	assert_int_equal(own, parallel_rank(ranks) == 0 ? SONDE_RESOURCE : SONDE_OK);
	release(&part);
}

static void test_planes_of_cpus_are_exchanged(void **state)
{
	struct device *device;
	bool direct;

	(void)state;
	if (parallel_size(ranks) < 2)
		skip();
	device = open_cpu();
	must(rank_direct_probe(ranks, device, device, &direct));
	assert_false(direct);
	exchange_on(device);
	device_close(&device);
}

/* Whether GPUs are connected: known of the simulated ones. */
static void check_way(struct device *device)
{
	const char *played = getenv("FAKE_CUDA_SHARING");
	bool direct;

	must(rank_direct_probe(ranks, device, device, &direct));
	print_message("%s: planes go %s\n", device_name(device), direct ? "from GPU to GPU" : "by way of the host");
	if (played != NULL)
		assert_true(direct == (strcmp(played, "works") == 0 && device_shares(device)));
}

static void test_planes_of_gpus_are_exchanged(void **state)
{
	struct device *device;
	double missing;

	(void)state;
	if (parallel_size(ranks) < 2)
		skip();
	device = open_gpu();
	missing = device == NULL ? 1.0 : 0.0;
	must(parallel_largest(ranks, &missing, 1));
	if (missing == 0.0) {
		check_way(device);
		exchange_on(device);
		assert_int_equal(setenv("SONDE_SHARING", "off", 1), 0);
		check_way(device);
		exchange_on(device);
		assert_int_equal(unsetenv("SONDE_SHARING"), 0);
	}
	device_close(&device);
	if (missing != 0.0)
		skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_planes_of_cpus_are_exchanged),
	    cmocka_unit_test(test_planes_of_gpus_are_exchanged),
	};
	int failed;

	if (parallel_start("test", &ranks) != SONDE_OK)
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	(void)parallel_end(ranks, failed == 0 ? SONDE_OK : status_fail(SONDE_INTERNAL, "a test has failed"));
	return parallel_finish(&ranks, failed) != 0 || failed != 0;
}
