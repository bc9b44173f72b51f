/* Fields larger than the device's memory: cells times steps per second with all planes on the device, and with windows
 * of planes in less memory. Run by hand or by make bench.
 *
 *     bench_streaming [DEVICE [CELLS [STEPS]]]
 *     bench_streaming DEVICE CELLS STEPS skew|whole|pyramid WIDTH HEIGHT [disk:PATH [STAGING]]
 *
 * CELLS: of an edge of the cube. disk: the numbers are in a scratch file at PATH, with at most STAGING bytes of the
 * host's memory; also the time that the disk alone would take. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "fdtd/simulation/simulation.h"
#include "fdtd_scene.h"
#include "fdtd/streaming/scratch_file.h"
#include "fdtd/streaming/store.h"
#include "sonde/sonde.h"

#define DISK_SECONDS 3.0 /* of a measurement of the disk's speed */

/* Cells times steps per second; `in_place`: by half steps, as streamed fields. */
static double measure(struct device *device, int cells, uint32_t steps, bool in_place,
		      const struct schedule *schedule)
{
	struct simulation simulation;
	struct fdtd_grid grid;
	struct media media;
	const double began = clock_seconds();

	scene_make_grid(cells, cells, cells, &grid);
	scene_make_media(&grid, &media);
	const sonde_status status = simulation_make_streamed(device, &grid, &media, true, schedule, &simulation);
	if (status != SONDE_OK) {
		printf("  %s\n", sonde_status_message());
		simulation_release(&simulation);
		media_free(&media);
		return 0.0;
	}
	simulation.in_place |= in_place;
	scene_add_dipole(&simulation, &media);
	media_free(&media);
	scene_must(simulation_run(&simulation, schedule != NULL ? schedule->height : 16, NULL));
	scene_must(device_wait(device));
	const double ready = clock_seconds();
	scene_must(simulation_run(&simulation, steps, NULL));
	scene_must(device_wait(device));
	const double seconds = clock_seconds() - ready, rate = (double)cells * cells * cells * steps / seconds;
	if (schedule == NULL) {
		printf("  all planes on the device, %s: %.2f Gcells/s (%.1f s before)\n",
		       simulation.both ? "whole steps" : "half steps", 1e-9 * rate, ready - began);
	} else {
		const struct streaming *streaming = simulation.fields.streaming;
		const struct schedule_work *done = &streaming->done;
		double memory = 0.0;
		for (int n = 0; n < streaming->count; ++n)
			for (int k = 0; k < MOST_WINDOWS; ++k)
				if (streaming->arrays[n].windows[k].window != NULL)
					memory += (double)streaming->arrays[n].windows[k].window->memory_chunks *
						  (double)streaming->arrays[n].windows[k].window->chunk;
		printf("  %s, r = %u, n = %u: %.2f Gcells/s; %.2f GB on the device, %.0f planes in, %.0f out, "
		       "%.1f + %.1f GB (%.1f s before)\n",
		       schedule->method == STREAMING_PYRAMID ? "pyramids"
		       : simulation.both                     ? "skewed, whole steps"
							     : "skewed, half steps",
		       schedule->width, schedule->height, 1e-9 * rate, 1e-9 * memory, done->loaded, done->stored,
		       1e-9 * streaming->bytes_loaded, 1e-9 * streaming->bytes_stored, ready - began);
	}
	fflush(stdout);
	simulation_release(&simulation);
	return rate;
}

/* A scratch file: the time of a run relative to that which its bytes take at the speed of the disk, measured before and
 * after it. */
static void measure_disk(struct device *device, int cells, uint32_t steps, const struct schedule *schedule)
{
	struct simulation simulation;
	struct fdtd_grid grid;
	struct media media;
	double rates[2], began = clock_seconds();

	scene_make_grid(cells, cells, cells, &grid);
	scene_make_media(&grid, &media);
	scene_must(simulation_make_streamed(device, &grid, &media, true, schedule, &simulation));
	scene_add_dipole(&simulation, &media);
	media_free(&media);
	scene_must(simulation_run(&simulation, schedule->height, NULL));
	struct streaming *streaming = simulation.fields.streaming;
	scene_must(store_settle(streaming));
	const double passes = ceil((double)steps / schedule->height), each = streaming->record_bytes,
		     kept = streaming->changing_bytes, ready = clock_seconds() - began;
	scene_must(scratch_file_measure(schedule->store, each, DISK_SECONDS, &rates[0]));
	began = clock_seconds();
	scene_must(simulation_run(&simulation, steps, NULL));
	scene_must(store_settle(streaming));
	const double seconds = clock_seconds() - began;
	scene_must(scratch_file_measure(schedule->store, each, DISK_SECONDS, &rates[1]));
	/* both directions at once; what is left is only read */
	const double predicted = passes * each / (0.5 * (rates[0] + rates[1]));
	printf(
	    "  %s, r = %u, n = %u: %.2f Gcells/s; file %.2f GB, memory of the host %.2f GB; %.1f s of steps (%.1f s "
	    "before)\n  disk %.2f and %.2f GB/s each way: %.1f GB read, %.1f GB written, %.1f s predicted: %.2f of "
	    "its speed\n",
	    schedule->method == STREAMING_PYRAMID ? "pyramids" : "skewed", schedule->width, schedule->height,
	    1e-9 * (double)cells * cells * cells * steps / seconds, 1e-9 * streaming->host_bytes,
	    1e-9 * store_memory(streaming), seconds, ready, 1e-9 * rates[0], 1e-9 * rates[1], 1e-9 * passes * each,
	    1e-9 * passes * kept, predicted, predicted / seconds);
	simulation_release(&simulation);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "cpu";
	const struct device_settings settings = {.launch_limit = 10.0, .kernel_cache = ""};
	struct device *device;

	scene_must(device_open(name, &settings, &device));
	const bool gpu = device_properties(device)->gpu_kernels;
	const int cells = argc > 2 ? atoi(argv[2]) : gpu ? 512 : 128;
	const uint32_t steps = argc > 3 ? (uint32_t)atoi(argv[3]) : 64;
	printf("%s, %d^3 cells, float32, layers of %d cells, %u steps:\n", name, cells, SCENE_LAYER, steps);
	if (argc > 6) {
		struct schedule schedule = {.method =
						strcmp(argv[4], "pyramid") == 0 ? STREAMING_PYRAMID : STREAMING_SKEW,
					    .whole = strcmp(argv[4], "whole") == 0,
					    .width = (uint32_t)atoi(argv[5]),
					    .height = (uint32_t)atoi(argv[6])};
		if (argc > 7 && strncmp(argv[7], "disk:", 5) == 0) {
			schedule.store = argv[7] + 5;
			schedule.staging = argc > 8 ? atof(argv[8]) : 0.0;
			measure_disk(device, cells, steps, &schedule);
		} else {
			(void)measure(device, cells, steps, !schedule.whole, &schedule);
		}
		device_close(&device);
		return 0;
	}
	(void)measure(device, cells, steps, false, NULL);
	(void)measure(device, cells, steps, true, NULL);
	static const uint32_t shapes[][2] = {{8, 16}, {16, 16}, {8, 32}, {16, 32}, {32, 32}, {16, 64}, {32, 64}};
	for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k) {
		const struct schedule skew = {
		    .method = STREAMING_SKEW, .width = shapes[k][0], .height = shapes[k][1]};
		const struct schedule whole = {
		    .method = STREAMING_SKEW, .width = shapes[k][0], .height = shapes[k][1], .whole = true};
		(void)measure(device, cells, steps, true, &skew);
		if (gpu)
			(void)measure(device, cells, steps, false, &whole);
	}
	const struct schedule pyramid = {.method = STREAMING_PYRAMID, .width = 64, .height = 16},
			      trivial = {.method = STREAMING_PYRAMID, .width = 16, .height = 1};
	(void)measure(device, cells, steps, true, &pyramid);
	(void)measure(device, cells, steps, true, &trivial);
	device_close(&device);
	return 0;
}
