/* The order of atoms in space: by a GPU, from positions of the host and from those that it has, and by the threads of the host, which is the
 * baseline.
 *
 *     bench_order [DEVICE [ATOMS ...]]
 *
 * The floor is the traffic of memory at the measured bandwidth: positions are read and written, 48 bytes of an atom, in each of the
 * levels of cuts they are read for boxes, one coordinate is read for digits, and one more and all positions for the move, 24 + 8 + 8 + 48,
 * and at the end read and written, 48. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "matter/atoms/compact_atoms.h"
#include "matter/atoms/device_order.h"
#include "run/context.h"

#define RUNS 5
#define DENSITY 0.1 /* atoms per cubic Angstrom */

static void must(sonde_status status)
{
	if (status == SONDE_OK)
		return;
	fprintf(stderr, "bench_order: %s\n", sonde_status_message());
	exit(1);
}

static double uniform(void)
{
	static uint64_t state = 88172645463325252U;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (double)(state >> 11) / 9007199254740992.0;
}

static sonde_atoms *make_sample(int64_t count)
{
	const double edge = cbrt((double)count / DENSITY);
	sonde_atoms *atoms;

	must(sonde_atoms_create(&atoms));
	for (int64_t i = 0; i < count; ++i) {
		const double r[3] = {edge * uniform(), edge * uniform(), edge * uniform()};
		must(sonde_atoms_add(atoms, i < count / 3 ? "O" : "H", r));
	}
	return atoms;
}

static double floor_bytes(const sonde_atoms *atoms)
{
	double bytes = 96.0 * (double)atoms->count;

	for (int s = 0; s < atoms->species_count; ++s) {
		const double own = (double)atoms->species[s].atoms;
		bytes += 88.0 * own * fmax(0.0, ceil(log2(own / ORDER_FINISHED)));
	}
	return bytes;
}

/* Seconds of the fastest of some runs. */
static double time_device(struct device *device, const sonde_atoms *atoms, const struct device_positions *from)
{
	const uint32_t places[] = {0, (uint32_t)atoms->species[0].atoms + 16};
	const struct device_order_form form = {.places = places, .size = (uint32_t)atoms->count + 64, .factor = 1.0};
	double best = INFINITY;

	for (int run = 0; run < RUNS; ++run) {
		struct device_order order;
		must(device_wait(device));
		const double began = clock_seconds();
		must(device_order_find(device, atoms, from, &form, &order));
		best = fmin(best, clock_seconds() - began);
		device_order_release(&order);
	}
	return best;
}

static double time_host(const sonde_context *context, const sonde_atoms *atoms)
{
	double best = INFINITY;

	for (int run = 0; run < RUNS; ++run) {
		struct compact_atom *entries;
		const double began = clock_seconds();
		must(compact_atoms_sort(context, atoms, ORDER_TILE, ORDER_UNIT / ORDER_TILE, &entries));
		best = fmin(best, clock_seconds() - began);
		free(entries);
	}
	return best;
}

static void bench(const sonde_context *context, struct device *device, double bandwidth, int64_t count)
{
	sonde_atoms *atoms = make_sample(count);
	struct device_positions there = {.row_step = 3, .column_step = 1};

	must(
	    device_upload(device, atoms->positions, 3 * (size_t)count * sizeof(double), "positions", &there.numbers));
	const double host = time_host(context, atoms), from_host = time_device(device, atoms, NULL),
		     from_there = time_device(device, atoms, &there), floor_seconds = floor_bytes(atoms) / bandwidth;
	printf(
	    "%9lld atoms: %s %8.3f ms from positions of the host, %8.3f from its own (%.3g atoms/s, %4.1f %% of the "
	    "bandwidth); host, %d threads: %8.3f ms, %.1f times as long\n",
	    (long long)count, device_name(device), 1e3 * from_host, 1e3 * from_there, (double)count / from_there,
	    100.0 * floor_seconds / from_there, context_threads(context), 1e3 * host, host / from_there);
	device_release(device, &there.numbers);
	sonde_atoms_free(&atoms);
}

int main(int argc, char **argv)
{
	static const int64_t counts[] = {10000, 100000, 1000000, 10000000};
	sonde_device_speed speed;
	sonde_context *context;
	struct device *device;

	must(sonde_context_create(&context));
	must(sonde_context_set_device(context, argc > 1 ? argv[1] : "gpu"));
	must(context_device(context, &device));
	if (!device_properties(device)->gpu_kernels) {
		printf("the order of atoms by a device is for GPUs; there is none\n");
	} else {
		must(sonde_context_measure_device(context, device_name(device), &speed));
		device_keep_buffers(device, UINT64_MAX);
		for (int k = 2; k < argc; ++k)
			bench(context, device, speed.bandwidth, atoll(argv[k]));
		for (size_t k = 0; argc < 3 && k < sizeof counts / sizeof *counts; ++k)
			bench(context, device, speed.bandwidth, counts[k]);
	}
	sonde_context_free(&context);
	return 0;
}
