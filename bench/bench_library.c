/* Many small samples at once, as libraries are made of them: time by stage, and a few of them compared with exact sums.
 *     bench_library [SAMPLES [ATOMS [POINTS [DEVICE]]]]      default: 200 clusters of up to 2000 atoms, 1000 points of q, cpu
 * A third of the clusters are spheres of a crystal, a third of one with small displacements, a third balls of random places. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/threads.h"
#include "debye/many.h"
#include "sonde/sonde.h"

#define AT_ONCE 4096
#define COMPARED 6

static void must(sonde_status status)
{
	if (status == SONDE_OK)
		return;
	fprintf(stderr, "bench_library: %s\n", sonde_status_message());
	exit(1);
}

static double draw(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(*state >> 11) * 0x1p-53;
}

/* Cluster `number` of at most `most` atoms: a cubic face-centered crystal's, cut by a ball, or random. */
static sonde_atoms *make_cluster(int number, int most)
{
	const int wanted = most / 2 + (int)((long long)number * 7919 % (most / 2 + 1));
	const double a = 4.08, radius = cbrt(wanted * a * a * a / 4.0 / (4.0 / 3.0 * 3.14159265358979));
	const int cells = (int)(radius / a) + 2;
	uint64_t state = (uint64_t)number + 1;
	const double jitter = number % 3 == 0 ? 0.0 : 0.15, shift[3] = {draw(&state), draw(&state), draw(&state)};
	sonde_atoms *atoms;
	int count = 0;

	must(sonde_atoms_create(&atoms));
	for (int n = 0; number % 3 == 2 && n < wanted; ++n) {
		const double r[3] = {2 * radius * draw(&state), 2 * radius * draw(&state), 2 * radius * draw(&state)};
		must(sonde_atoms_add(atoms, "Au", r));
	}
	for (int i = -2 * cells; number % 3 != 2 && i <= 2 * cells; ++i)
		for (int j = -2 * cells; j <= 2 * cells; ++j)
			for (int k = -2 * cells + (i + j) % 2; k <= 2 * cells && count < most; k += 2) {
				double r[3] = {0.5 * a * (i + shift[0]), 0.5 * a * (j + shift[1]),
					       0.5 * a * (k + shift[2])};
				if (r[0] * r[0] + r[1] * r[1] + r[2] * r[2] > radius * radius || (i + j + k) % 2 != 0)
					continue;
				for (int c = 0; c < 3; ++c)
					r[c] += jitter * (draw(&state) - 0.5);
				must(sonde_atoms_add(atoms, "Au", r));
				++count;
			}
	return atoms;
}

/* Largest difference from exact sums, over <f^2> + I/N, and the largest error that is stated. */
static void compare(sonde_context *context, const sonde_debye_options *options, const sonde_atoms *atoms,
		    const sonde_debye_result *result, double *difference, double *times)
{
	sonde_debye_options exact = *options;
	sonde_debye_result *other;

	exact.method = SONDE_DEBYE_METHOD_EXACT;
	exact.precision = SONDE_DEBYE_PRECISION_FLOAT64;
	must(sonde_debye_run(context, atoms, &exact, &other));
	for (int64_t k = 0; k < other->q_count; ++k) {
		const double error = fabs(result->intensity_per_atom[k] - other->intensity_per_atom[k]);
		*difference =
		    fmax(*difference, error / (other->mean_square_amplitude[k] + other->intensity_per_atom[k]));
		*times = fmax(*times, error / result->error_estimate[k]);
	}
	sonde_debye_result_free(&other);
}

struct batch {
	int first, most;
	const sonde_atoms **atoms;
};

static void make_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct batch *batch = state;

	(void)worker;
	for (int64_t k = first; k < end; ++k)
		batch->atoms[k] = make_cluster(batch->first + (int)k, batch->most);
}

int main(int argc, char **argv)
{
	const int samples = argc > 1 ? atoi(argv[1]) : 200, most = argc > 2 ? atoi(argv[2]) : 2000;
	static const sonde_atoms *batch[AT_ONCE];
	static sonde_debye_result *results[AT_ONCE];
	double making = 0.0, difference = 0.0, times = 0.0, stated = 0.0, atoms = 0.0, pairs = 0.0;
	sonde_debye_options options;
	sonde_context *context;
	struct debye_many *many;

	must(sonde_context_create(&context));
	must(sonde_context_set_device(context, argc > 4 ? argv[4] : "cpu"));
	sonde_debye_options_init(&options);
	options.q = (sonde_grid){0.1, 20.08, argc > 3 ? atoi(argv[3]) : 1000};
	options.r = (sonde_grid){0.0, 0.0, 1}; /* no G(r) */
	must(debye_many_begin(context, &options, &many));
	const double began = clock_seconds();
	for (int first = 0; first < samples; first += AT_ONCE) {
		const int count = samples - first < AT_ONCE ? samples - first : AT_ONCE;
		const double now = clock_seconds();
		struct batch made = {first, most, batch};
		threads_for(threads_available(), count, 1, make_some, &made);
		for (int k = 0; k < count; ++k) {
			const double n = (double)sonde_atoms_count(batch[k]);
			atoms += n;
			pairs += 0.5 * n * (n - 1.0);
		}
		making += clock_seconds() - now;
		must(debye_many_run(many, batch, count, results));
		for (int k = 0; k < count; ++k) {
			stated = fmax(stated, results[k]->largest_error);
			if (first == 0 && k < COMPARED)
				compare(context, &options, batch[k], results[k], &difference, &times);
			sonde_debye_result_free(&results[k]);
			sonde_atoms_free((sonde_atoms **)&batch[k]);
		}
	}
	const double all = clock_seconds() - began - making;
	const struct debye_many_times *spent = debye_many_times(many);
	printf("%d clusters, %.0f atoms on average, %.3g pairs, %lld points: %.2f s (%.0f /s, %.3g pairs/s)\n",
	       samples, atoms / samples, pairs, (long long)options.q.points, all, samples / all, pairs / all);
	printf("  preparing %.2f s, sums over pairs %.2f s (%.3g pairs/s), curves %.2f s; %lld together, %lld alone; "
	       "clusters made in %.2f s\n",
	       spent->preparing, spent->summing, pairs / spent->summing, spent->finishing, (long long)spent->together,
	       (long long)spent->alone, making);
	printf("  differs from exact sums by %.2g (<f^2> + I/N), %.2g of the stated error, which is %.2g at most\n",
	       difference, times, stated);
	debye_many_free(&many);
	sonde_context_free(&context);
	return 0;
}
