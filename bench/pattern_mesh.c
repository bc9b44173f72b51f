#include "pattern_mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "pattern/fast/gpu_mesh.h"
#include "pattern/fast/mesh.h"

#define WIDTH 6 /* of the window: for a tolerance of 10^-3 */
#define OVERSAMPLING 1.5
#define HALF 100.0 /* of the atoms, Angstrom */
#define ATOMS_OF_POINT 1000
#define REPEATS 3

/* A patch of a sphere, which is flat along the third axis; for 1024 points. */
static const double extents[3] = {7.0, 7.0, 0.7};
#define POINTS 1024.0

static double coordinate(uint64_t k)
{
	return HALF * ((double)(k * 2654435761u % 4294967296u) / 2147483648.0 - 1.0);
}

static sonde_status make_atoms(int64_t count, struct fast_atom **atoms)
{
	CHECK(memory_allocate(atoms, (size_t)count, sizeof **atoms, "the atoms"));
	for (uint64_t i = 0; i < (uint64_t)count; ++i)
		for (uint64_t k = 0; k < 3; ++k)
			(*atoms)[i].r[k] = coordinate(7 * i + 1000003 * k);
	return SONDE_OK;
}

/* The shortest time of a transform of the first atoms, until the device has ended it. */
static sonde_status time_transform(struct fast_mesh *mesh, struct device *gpu, int64_t atoms, double *seconds)
{
	static const double weight = 1.0, middle[3] = {1.0, 2.0, 3.0};

	*seconds = INFINITY;
	for (int repeat = 0; repeat < REPEATS; ++repeat) {
		const double began = clock_seconds();
		CHECK(fast_mesh_transform(mesh, 0, atoms, &weight, 0, middle));
		CHECK(device_wait(gpu));
		*seconds = fmin(*seconds, clock_seconds() - began);
	}
	return SONDE_OK;
}

static sonde_status time_mesh(struct fast_mesh *mesh, struct device *gpu, const struct window *window, double part,
			      double bandwidth)
{
	struct fast_axes axes = {0};
	const int64_t atoms = mesh->atoms.count;
	double sizes[4], lines, all;

	for (int k = 0; k < 3; ++k) {
		axes.axis[k].direction[k] = 1.0;
		fast_axis_of_points(window, 0.0, HALF, part * extents[k], 0.0, &axes.axis[k]);
	}
	CHECK(fast_mesh_shape(mesh, &axes, (size_t)atoms));
	CHECK(time_transform(mesh, gpu, 0, &lines));
	CHECK(time_transform(mesh, gpu, atoms, &all));
	fast_axes_sizes(&axes, sizes);
	const double bytes = 16.0 * (2.0 * sizes[0] + 2.0 * sizes[1] + 2.0 * sizes[2] + sizes[3]), /* cleared, too */
	    adds = 2.0 * pow(WIDTH, 3.0) * (double)atoms;
	printf("mesh, %lld x %lld x %lld nodes: transforms %.3g s  %.3g TB/s", (long long)axes.axis[0].nodes,
	       (long long)axes.axis[1].nodes, (long long)axes.axis[2].nodes, lines, 1e-12 * bytes / lines);
	if (bandwidth > 0.0)
		printf("  %.0f %% of a copy's", 100.0 * bytes / lines / bandwidth);
	printf("\nmesh, %lld random atoms: deposits %.3g s  %.3g additions of integers/s", (long long)atoms,
	       all - lines, adds / (all - lines));
	if (bandwidth > 0.0)
		printf("  %.0f %% of a copy's bytes", 100.0 * 16.0 * adds / (all - lines) / bandwidth);
	printf("\n");
	return SONDE_OK;
}

static sonde_status bench_atoms(sonde_context *context, struct device *gpu, int64_t points, double bandwidth,
				const struct fast_atom *atoms)
{
	const struct fast_atoms all = {
	    .atoms = atoms, .count = ATOMS_OF_POINT * points, .classes = 1, .largest = 1.0};
	struct fast_mesh mesh;
	struct window *window;

	CHECK(memory_allocate(&window, 1, sizeof *window, "the window"));
	window_make(WIDTH, OVERSAMPLING, window);
	sonde_status status = fast_mesh_make(context, gpu, &all, window, &mesh);
	if (status == SONDE_OK)
		status = time_mesh(&mesh, gpu, window, (double)points / POINTS, bandwidth);
	fast_mesh_free(&mesh);
	free(window);
	return status;
}

sonde_status bench_mesh(sonde_context *context, struct device *gpu, int64_t points, double bandwidth)
{
	struct fast_atom *atoms;

	CHECK(make_atoms(ATOMS_OF_POINT * points, &atoms));
	const sonde_status status = bench_atoms(context, gpu, points, bandwidth, atoms);
	free(atoms);
	return status;
}
