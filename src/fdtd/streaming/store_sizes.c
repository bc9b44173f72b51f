/* Sizes of a scratch file and of the memory for it. */
#include <math.h>

#include "fdtd/streaming/scratch_file.h"
#include "fdtd/streaming/store.h"

#define PIECE ((size_t)4 << 20) /* bytes of a transfer, at most, unless a plane has more */
#define PIECES_OF_RING 4        /* at least, of `staging` bytes */
#define MARGIN 1.25             /* of rings, for what their ends waste */
/* Slabs in a ring: while one of them is copied, the next one is read; a device whose copies are complete at once needs
 * room for that one only. */
#define SLABS_OF_RING 2.0

size_t store_round_up(size_t bytes)
{
	return (bytes + SCRATCH_BLOCK - 1) / SCRATCH_BLOCK * SCRATCH_BLOCK;
}

void store_count(const struct streaming *streaming, const struct streamed_array *array, double *bytes,
		 size_t *largest)
{
	const struct plane_range here = schedule_here(&streaming->schedule);

	for (int k = 0; k < array->part_count; ++k)
		for (uint32_t p = here.begin; p < here.end; ++p) {
			const size_t plane =
			    store_round_up(streaming_bytes_before(streaming, &array->parts[k], p + 1) -
					   streaming_bytes_before(streaming, &array->parts[k], p));
			*bytes += (double)plane;
			*largest = plane > *largest ? plane : *largest;
		}
}

static size_t piece_bytes(const struct streaming *streaming)
{
	const double staging = streaming->schedule.staging;
	const size_t usual = staging > 0.0 && staging / (2 * PIECES_OF_RING + 1) < (double)PIECE
				 ? store_round_up((size_t)staging / (2 * PIECES_OF_RING + 1))
				 : PIECE;

	return usual > streaming->largest_record ? usual : streaming->largest_record;
}

/* Bytes of a ring for some planes of arrays with as many bytes in the file. */
static double ring_bytes(const struct streaming *streaming, double bytes, uint32_t planes)
{
	const struct plane_range here = schedule_here(&streaming->schedule);
	const double all = here.end - here.begin,
		     slabs = device_copies_at_once(streaming->device) ? 1.0 : SLABS_OF_RING;

	return MARGIN * slabs * bytes * fmin(1.0, planes / all) + 2.0 * (double)piece_bytes(streaming);
}

struct store_sizes store_sizes(const struct streaming *streaming)
{
	const struct schedule *schedule = &streaming->schedule;
	const size_t piece = piece_bytes(streaming);
	const uint32_t loaded = schedule->method == STREAMING_SKEW ? schedule->width + 1 : schedule_window(schedule);
	double reads = ring_bytes(streaming, streaming->record_bytes, loaded),
	       writes = ring_bytes(streaming, streaming->changing_bytes, schedule->width);
	const double part = (schedule->staging - (double)piece) / (reads + writes);

	if (schedule->staging > 0.0 && part < 1.0) {
		reads = fmax(part * reads, 2.0 * (double)piece);
		writes = fmax(part * writes, 2.0 * (double)piece);
	}
	return (struct store_sizes){piece, store_round_up((size_t)reads), store_round_up((size_t)writes)};
}

double store_memory(const struct streaming *streaming)
{
	const struct store_sizes sizes = store_sizes(streaming);

	return (double)sizes.reads + (double)sizes.writes + (double)sizes.piece;
}

double store_least_memory(const struct streaming *streaming)
{
	return 5.0 * (double)(streaming->largest_record > SCRATCH_BLOCK ? streaming->largest_record : SCRATCH_BLOCK);
}
