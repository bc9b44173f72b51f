/* A grid on several devices: cells times steps per second of a slab on the first device alone, and of a grid with such a
 * slab on each of them. Run by hand.
 *
 *     bench_fdtd_devices [DEVICE,DEVICE... [CELLS [STEPS [HEIGHT...]]]]
 *     bench_fdtd_devices DEVICE,DEVICE... CELLS STEPS half|whole WIDTH HEIGHT
 *
 * CELLS: of an edge of the cube that each device has. The same device may be named twice. Second form: a cube that goes
 * through the first device, and through all of them. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "fdtd/simulation/simulation.h"
#include "fdtd_scene.h"
#include "sonde/sonde.h"

/* The best of three. */
static double rate_of(struct simulation *simulation, uint32_t steps)
{
	const int *cells = simulation->fields.grid.cells;
	double best = 0.0;

	scene_must(simulation_run(simulation, 16, NULL));
	for (int n = 0; n < 3; ++n) {
		const double began = clock_seconds();
		scene_must(simulation_run(simulation, steps, NULL));
		const double rate = (double)cells[0] * cells[1] * cells[2] * steps / (clock_seconds() - began);
		best = rate > best ? rate : best;
	}
	return best;
}

static double measure(const struct fields_devices *on, int cells, uint32_t steps, double one)
{
	struct fields_devices now = *on;
	struct simulation simulation;
	struct fdtd_grid grid;
	struct media media;
	const double began = clock_seconds();

	scene_make_grid(on->count * cells, cells, cells, &grid);
	scene_make_media(&grid, &media);
	now.end[on->count - 1] = (uint32_t)grid_end_node(&grid, 0);
	scene_must(simulation_make_on(&now, &grid, &media, true, &simulation));
	scene_add_dipole(&simulation, &media);
	media_free(&media);
	const double ready = clock_seconds(), rate = rate_of(&simulation, steps);
	if (on->count == 1)
		printf("  %d x %d x %d on one device, %s: %.2f Gcells/s (%.1f s before)\n", grid.cells[0],
		       grid.cells[1], grid.cells[2], simulation.both ? "whole steps" : "half steps", 1e-9 * rate,
		       ready - began);
	else
		printf("  %d x %d x %d on %d devices, %s, exchanges after %u steps: %.2f Gcells/s, %.3f times one "
		       "(%.1f s before)\n",
		       grid.cells[0], grid.cells[1], grid.cells[2], on->count,
		       simulation.both ? "whole steps" : "half steps", on->height, 1e-9 * rate, rate / one,
		       ready - began);
	fflush(stdout);
	simulation_release(&simulation);
	return rate;
}

/* In slabs, through the devices one after the other. */
static double measure_chain(const struct fields_devices *on, int cells, uint32_t steps, double one)
{
	const struct schedule schedule = {
	    .method = STREAMING_SKEW, .width = on->width, .height = on->height, .whole = on->whole};
	struct simulation simulation;
	struct fdtd_grid grid;
	struct media media;
	const double began = clock_seconds();

	scene_make_grid(cells, cells, cells, &grid);
	scene_make_media(&grid, &media);
	scene_must(on->count > 1
		       ? simulation_make_on(on, &grid, &media, true, &simulation)
		       : simulation_make_streamed(on->devices[0], &grid, &media, true, &schedule, &simulation));
	scene_add_dipole(&simulation, &media);
	media_free(&media);
	const double ready = clock_seconds(), rate = rate_of(&simulation, steps);
	printf("  %d^3 through %d devices, %s steps, r = %u, n = %u: %.2f Gcells/s", cells, on->count,
	       simulation.both ? "whole" : "half", on->width, on->height, 1e-9 * rate);
	if (on->count > 1)
		printf(", %.3f times one", rate / one);
	printf(" (%.1f s before)\n", ready - began);
	fflush(stdout);
	simulation_release(&simulation);
	return rate;
}

int main(int argc, char **argv)
{
	const struct device_settings settings = {.launch_limit = 10.0, .kernel_cache = ""};
	const char *list = argc > 1 ? argv[1] : "cpu,cpu";
	struct fields_devices on = {.count = 0}, one;

	for (const char *name = list; *name != '\0' && on.count < FIELDS_MOST_DEVICES; ++on.count) {
		const size_t length = strcspn(name, ",");
		char text[64];
		snprintf(text, sizeof text, "%.*s", (int)length, name);
		scene_must(device_open(text, &settings, &on.devices[on.count]));
		name += length + (name[length] == ',' ? 1 : 0);
	}
	const bool gpu = device_properties(on.devices[0])->gpu_kernels;
	const int cells = argc > 2 ? atoi(argv[2]) : gpu ? 512 : 96;
	const uint32_t steps = argc > 3 ? (uint32_t)atoi(argv[3]) : 64;
	if (argc > 6 && (strcmp(argv[4], "half") == 0 || strcmp(argv[4], "whole") == 0)) {
		on.whole = strcmp(argv[4], "whole") == 0;
		on.width = (uint32_t)atoi(argv[5]);
		on.height = (uint32_t)atoi(argv[6]);
		one = on;
		one.count = 1;
		(void)measure_chain(&on, cells, steps, measure_chain(&one, cells, steps, 0.0));
		for (int n = 0; n < on.count; ++n)
			device_close(&on.devices[n]);
		return 0;
	}
	static const char *const usual[] = {"1", "2", "4", "8"};
	const int heights = argc > 4 ? argc - 4 : 4;
	printf("%s, float32, layers of %d cells, %u steps:\n", list, SCENE_LAYER, steps);
	for (int n = 0; n < on.count; ++n)
		on.end[n] = (uint32_t)((n + 1) * cells);
	one = on;
	one.count = 1;
	const double rate = measure(&one, cells, steps, 0.0);
	for (int n = 0; n < heights; ++n) {
		on.height = (uint32_t)atoi(argc > 4 ? argv[4 + n] : usual[n]);
		(void)measure(&on, cells, steps, rate);
	}
	for (int n = 0; n < on.count; ++n)
		device_close(&on.devices[n]);
	return 0;
}
