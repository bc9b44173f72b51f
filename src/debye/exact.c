/* The Debye sum over every pair of atoms: kernel exact_pairs over pairs of tiles, their partial sums added
 * in the order of the pairs. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "debye/debye.h"
#include "debye/series_layout.h"
#include "parallel/ordered_sum.h"

#define ATOMS_PER_TILE 128
#define GROUPS_PER_WORKER 8 /* of one launch: tens of milliseconds, so that a stop is heard */

/* Everything on the device for one run. */
struct exact_run {
	struct device *device;
	struct device_kernel kernel;
	struct device_buffer x, y, z, tiles, tile_pairs, scratch, partial, coincident;
	uint32_t most_groups;
	struct tile_pair *pairs;
	int *species_pairs; /* of each pair of tiles */
	double *partial_host;
	uint64_t *coincident_host;
	struct stage stage;
	double done;
};

static sonde_status upload(struct device *device, struct device_buffer *buffer, const void *from, size_t bytes,
			   const char *what)
{
	CHECK(device_allocate(device, bytes, what, buffer));
	return device_write(device, buffer, 0, from, bytes);
}

static sonde_status prepare(struct exact_run *run, const struct arranged_atoms *atoms)
{
	struct device *device = run->device;
	size_t coordinates = (size_t)atoms->size * sizeof(double);
	uint32_t workers = device_workers(device);

	run->most_groups = device_launch_groups(device, GROUPS_PER_WORKER);
	CHECK(device_kernel(device, &debye_program, "exact_pairs", &run->kernel));
	CHECK(upload(device, &run->x, atoms->x, coordinates, "the atoms"));
	CHECK(upload(device, &run->y, atoms->y, coordinates, "the atoms"));
	CHECK(upload(device, &run->z, atoms->z, coordinates, "the atoms"));
	CHECK(
	    upload(device, &run->tiles, atoms->tiles, (size_t)atoms->tile_count * sizeof *atoms->tiles, "the tiles"));
	CHECK(device_allocate(device, run->most_groups * sizeof(struct tile_pair), "the tiles", &run->tile_pairs));
	CHECK(device_allocate(device, (size_t)workers * device_work_items(device) * Q_PASS * WIDTH * sizeof(double),
			      "partial sums", &run->scratch));
	CHECK(device_allocate(device, (size_t)run->most_groups * Q_PASS * sizeof(double), "partial sums",
			      &run->partial));
	CHECK(device_allocate(device, run->most_groups * sizeof(uint64_t), "partial sums", &run->coincident));
	CHECK(memory_allocate(&run->species_pairs, run->most_groups, sizeof *run->species_pairs, "the tiles"));
	CHECK(memory_allocate(&run->pairs, run->most_groups, sizeof *run->pairs, "the tiles"));
	CHECK(memory_allocate(&run->partial_host, (size_t)run->most_groups * Q_PASS, sizeof(double), "partial sums"));
	return memory_allocate(&run->coincident_host, run->most_groups, sizeof(uint64_t), "partial sums");
}

static void release(struct exact_run *run)
{
	struct device_buffer *buffers[] = {&run->x,          &run->y,       &run->z,       &run->tiles,
					   &run->tile_pairs, &run->scratch, &run->partial, &run->coincident};

	for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k)
		device_release(run->device, buffers[k]);
	free(run->pairs);
	free(run->species_pairs);
	free(run->partial_host);
	free(run->coincident_host);
}

static sonde_status launch(struct exact_run *run, uint32_t groups, double q_first, double q_step, uint32_t q_count)
{
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->x.memory),
						    DEVICE_ARGUMENT(run->y.memory),
						    DEVICE_ARGUMENT(run->z.memory),
						    DEVICE_ARGUMENT(run->tiles.memory),
						    DEVICE_ARGUMENT(run->tile_pairs.memory),
						    DEVICE_ARGUMENT(q_first),
						    DEVICE_ARGUMENT(q_step),
						    DEVICE_ARGUMENT(q_count),
						    DEVICE_ARGUMENT(run->scratch.memory),
						    DEVICE_ARGUMENT(run->partial.memory),
						    DEVICE_ARGUMENT(run->coincident.memory)};

	CHECK(device_write(run->device, &run->tile_pairs, 0, run->pairs, groups * sizeof *run->pairs));
	CHECK(device_launch(run->device, &run->kernel, groups, arguments, 11));
	CHECK(
	    device_read(run->device, &run->partial, 0, run->partial_host, (size_t)groups * q_count * sizeof(double)));
	return device_read(run->device, &run->coincident, 0, run->coincident_host, groups * sizeof(uint64_t));
}

/* Walks the pairs of tiles of all pairs of species, one pair of species after the other. */
struct species_walk {
	const struct arranged_atoms *atoms;
	int species, a, b;
	struct tile_walk tiles;
};

static struct species_walk species_walk_begin(const struct arranged_atoms *atoms, int species)
{
	return (struct species_walk){atoms, species, 0, 0, tile_walk_begin(atoms, 0, 0)};
}

/* The next pair of tiles and the index of its pair of species; false after the last one. */
static bool species_walk_next(struct species_walk *walk, struct tile_pair *pair, int *species_pair)
{
	while (!tile_walk_next(&walk->tiles, pair)) {
		if (++walk->b == walk->species) {
			if (++walk->a == walk->species)
				return false;
			walk->b = walk->a;
		}
		walk->tiles = tile_walk_begin(walk->atoms, walk->a, walk->b);
	}
	*species_pair = species_pair_index(walk->species, walk->a, walk->b);
	return true;
}

/* Points first to first + q_count - 1, and the sums of the pair of species that is being added up. */
struct exact_pass {
	const sonde_grid *q;
	int64_t first;
	uint32_t q_count;
	int species_pair; /* -1 before the first */
	struct ordered_sum sums[Q_PASS];
	uint64_t coincident;
};

/* Delivers the sums of one pair of species and begins those of another. */
static void turn_to(struct exact_pass *pass, int species_pair, struct pair_sums *sums)
{
	if (pass->species_pair >= 0) {
		double *row = sums->sums + (int64_t)pass->species_pair * pass->q->points + pass->first;
		for (uint32_t k = 0; k < pass->q_count; ++k)
			row[k] = ordered_sum_value(&pass->sums[k]) / grid_value(pass->q, pass->first + k) +
				 (double)pass->coincident;
	}
	memset(pass->sums, 0, sizeof pass->sums);
	pass->coincident = 0;
	pass->species_pair = species_pair;
}

static sonde_status run_pass(struct exact_run *run, const struct arranged_atoms *atoms, struct exact_pass *pass,
			     double q_step, struct pair_sums *sums)
{
	struct species_walk walk = species_walk_begin(atoms, sums->species);
	uint32_t groups;

	do {
		double pairs = 0.0;
		for (groups = 0; groups < run->most_groups &&
				 species_walk_next(&walk, &run->pairs[groups], &run->species_pairs[groups]);
		     ++groups)
			pairs += tile_pair_pairs(atoms, &run->pairs[groups]);
		if (groups == 0)
			break;
		CHECK(launch(run, groups, grid_value(pass->q, pass->first), q_step, pass->q_count));
		for (uint32_t g = 0; g < groups; ++g) {
			if (run->species_pairs[g] != pass->species_pair)
				turn_to(pass, run->species_pairs[g], sums);
			ordered_sum_add_arrays(pass->sums, run->partial_host + (size_t)g * pass->q_count, 1,
					       pass->q_count);
			pass->coincident += run->coincident_host[g];
		}
		run->done += pairs * pass->q_count;
		CHECK(stage_advance(&run->stage, run->done));
	} while (groups == run->most_groups);
	turn_to(pass, -1, sums);
	return SONDE_OK;
}

static sonde_status all_passes(struct exact_run *run, const struct arranged_atoms *atoms, struct pair_sums *sums)
{
	const sonde_grid *q = &sums->q;
	double q_step = q->points > 1 ? (q->last - q->first) / (double)(q->points - 1) : 0.0;

	for (int64_t first = 0; first < q->points; first += Q_PASS) {
		int64_t left = q->points - first;
		struct exact_pass pass = {
		    .q = q, .first = first, .q_count = (uint32_t)(left < Q_PASS ? left : Q_PASS), .species_pair = -1};
		CHECK(run_pass(run, atoms, &pass, q_step, sums));
	}
	return SONDE_OK;
}

/* sin(q r)/(q r) is 1 at q = 0, where the kernels' sum over q is 0/0: the number of pairs. */
static void set_forward_point(const sonde_atoms *atoms, struct pair_sums *sums)
{
	if (sums->q.first != 0.0)
		return;
	for (int a = 0; a < sums->species; ++a) {
		for (int b = a; b < sums->species; ++b) {
			double m = (double)atoms->species[a].atoms, n = (double)atoms->species[b].atoms;
			sums->sums[(int64_t)species_pair_index(sums->species, a, b) * sums->q.points] =
			    a == b ? m * (m - 1) / 2 : m * n;
		}
	}
}

sonde_status exact_pair_sums(sonde_context *context, const sonde_atoms *atoms, struct pair_sums *sums)
{
	struct exact_run run = {0};
	struct arranged_atoms arranged = {0};
	double pairs = 0.5 * (double)atoms->count * (double)(atoms->count - 1);
	sonde_status status;

	CHECK(context_device(context, &run.device));
	stage_begin(&run.stage, context, "pairs (exact)", "sin(qr)/qr", pairs * (double)sums->q.points);
	CHECK_GOTO(status, arrange_atoms(context, atoms, ATOMS_PER_TILE, &arranged), done);
	CHECK_GOTO(status, prepare(&run, &arranged), done);
	CHECK_GOTO(status, all_passes(&run, &arranged, sums), done);
	set_forward_point(atoms, sums);
done:
	release(&run);
	arranged_atoms_free(&arranged);
	return status;
}
