/* The kernel of two time steps at once (fdtd/fields/two_steps.h) by itself: cells times steps per second, without layers,
 * with layers along z, and on six sides; in a vacuum, and with a slab of glass across x in a tenth of the cells; in
 * float32 and in 16 bits. Run by hand; also for profilers, which count a single launch.
 *
 *     bench_fdtd_pairs [DEVICE [X Y Z [STORAGE [LAYERS [LAUNCHES]]]]]
 *
 * X, Y, Z: cells. STORAGE: 32 or 16. LAYERS: none, z, or all. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "fdtd/fields/two_steps.h"
#include "fdtd_scene.h"
#include "sonde/sonde.h"

#define TURNS 3

static const char *const layers_of[] = {"none", "z", "all"};

static void measure(struct device *device, const int cells[3], bool in_words, int layers, bool glass, int launches)
{
	struct fields fields = {0};
	struct fdtd_grid grid;
	struct two_steps two;
	struct media media;
	double best = INFINITY;

	scene_make_grid(cells[0], cells[1], cells[2], &grid);
	for (int a = 0; a < 3; ++a)
		for (int side = 0; side < 2; ++side)
			if (layers == 0 || (layers == 1 && a != 2))
				grid.layers[a][side].cells = 0;
	grid.in_words = in_words;
	if (glass)
		scene_make_media(&grid, &media);
	else
		scene_must(media_make(&grid, 0, 0, &media));
	scene_must(fields_make(device, &grid, &media, true, &fields));
	media_free(&media);
	const struct tile_shape shape = two_steps_shape(&fields);
	scene_must(two_steps_make(&fields, &shape, &two));
	for (int turn = 0; turn < TURNS; ++turn) {
		scene_must(device_wait(device));
		const double began = clock_seconds();
		for (int n = 0; n < launches; ++n)
			scene_must(two_steps_take(&fields, &two));
		scene_must(device_wait(device));
		best = fmin(best, (clock_seconds() - began) / launches);
	}
	printf("%d x %d x %d, %d bits, layers: %-4s %-7s tiles of %u rows, %u x %u x %u planes: %7.3f ms, %.1f "
	       "Gcells/s\n",
	       cells[0], cells[1], cells[2], in_words ? 16 : 32, layers_of[layers], glass ? "glass" : "vacuum",
	       two.shape.rows, two.tiles.along_y, two.tiles.along_z, two.tiles.planes, 1e3 * best,
	       2e-9 * cells[0] * cells[1] * cells[2] / best);
	fflush(stdout);
	two_steps_release(&fields, &two);
	fields_release(&fields);
}

int main(int argc, char **argv)
{
	const struct device_settings settings = {.kernel_cache = ""};
	int cells[3] = {512, 512, 512};
	struct device *device;

	scene_must(device_open(argc > 1 ? argv[1] : "cuda:0", &settings, &device));
	for (int a = 0; a < 3 && argc > 4; ++a)
		cells[a] = atoi(argv[2 + a]);
	for (int in_words = 0; in_words < 2; ++in_words)
		for (int glass = 0; glass < 2; ++glass)
			for (int layers = 0; layers < 3; ++layers)
				if ((argc <= 5 || atoi(argv[5]) == (in_words != 0 ? 16 : 32)) &&
				    (argc <= 6 || strcmp(argv[6], layers_of[layers]) == 0))
					measure(device, cells, in_words != 0, layers, glass != 0,
						argc > 7 ? atoi(argv[7]) : 8);
	device_close(&device);
	return 0;
}
