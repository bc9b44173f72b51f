#include "debye/sums/lattice_count.h"

#include "debye/kernels/lattice_words.h"
#include "parallel/parallel.h"

static sonde_status prepare_device(void *user, struct device *device, void *state)
{
	const struct lattice_count *count = user;
	const struct lattice_shape shape = lattice_shape_of(device);

	return lattice_device_prepare(device, &shape, count->lattice, &count->bins, state);
}

static void release_device(void *state)
{
	lattice_device_release(state);
}

static sonde_status count_pieces(void *user, void *state, uint64_t first, uint64_t pieces, double *work)
{
	const struct lattice_count *count = user;

	for (uint64_t k = first; k < first + pieces; ++k) {
		const struct lag_piece *piece = &count->pieces[k];
		CHECK(lattice_device_count(count->context, state, piece->a, piece->b, piece->first, piece->end));
		*work += piece->work;
	}
	return SONDE_OK;
}

static sonde_status collect(void *user, void *state)
{
	const struct lattice_count *count = user;

	return lattice_device_collect(state, count->totals);
}

static sonde_status merge(void *user, struct parallel *ranks)
{
	const struct lattice_count *count = user;

	return parallel_sum(ranks, count->totals, count->bins.count * LATTICE_WORDS);
}

struct shared_work lattice_count_work(struct lattice_count *count)
{
	return (struct shared_work){.user = count,
				    .states = count->devices,
				    .state_size = sizeof *count->devices,
				    .prepare = prepare_device,
				    .release = release_device,
				    .run = count_pieces,
				    .collect = collect,
				    .merge = merge};
}
