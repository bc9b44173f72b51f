/* Numbers of streamed planes in a scratch file instead of the host's memory. They are read ahead of the slab that is
 * loaded, into a ring of pinned memory from which the device copies them, and come back through another one: disk, link
 * and kernels work at the same time.
 *
 * In the file the numbers of each plane of a part begin with a block of their own, so that slabs, whose faces lie
 * anywhere, never share one. */
#ifndef SONDE_FDTD_STREAMING_STORE_H
#define SONDE_FDTD_STREAMING_STORE_H

#include "fdtd/streaming/streamed_arrays.h"

/* Makes room in the file for as many copies of an array as it has, zeroed, and the file first if it is missing. */
sonde_status store_add(struct streaming *streaming, struct streamed_array *array, int copies, const char *what);
/* The array's strips; its place in the file is not used again. */
void store_remove(struct streaming *streaming, struct streamed_array *array);
void store_close(struct streaming *streaming);

/* Whole blocks. */
size_t store_round_up(size_t bytes);
/* Bytes of the parts of an array in the file, and the largest plane of them. */
void store_count(const struct streaming *streaming, const struct streamed_array *array, double *bytes,
		 size_t *largest);
/* Bytes of the host that rings for the arrays counted so far take, at most schedule->staging; and the smallest number
 * that suffices. */
struct store_sizes {
	size_t piece, reads, writes; /* of a transfer, at most; of the rings */
};
struct store_sizes store_sizes(const struct streaming *streaming);
double store_memory(const struct streaming *streaming);
double store_least_memory(const struct streaming *streaming);

/* Before the first slab of a pass, and before each. All of them do nothing without a file. */
sonde_status store_begin(struct streaming *streaming, uint32_t steps, uint32_t slabs);
sonde_status store_reach(struct streaming *streaming, uint32_t slab);
/* The copies of planes to and from a window, added to the selected queue of the device. */
sonde_status store_load(struct streaming *streaming, struct streamed_array *array, struct plane_range planes,
			int window);
sonde_status store_keep(struct streaming *streaming, struct streamed_array *array, struct plane_range planes,
			int window);
/* Waits until everything is in the file. */
sonde_status store_settle(struct streaming *streaming);
/* After a failure: gives up what is on its way. The device must be at rest. */
void store_forget(struct streaming *streaming);

/* Bytes of an array between passes, as if it were all in memory. */
sonde_status store_read(struct streaming *streaming, const struct streamed_array *array, size_t offset, void *to,
			size_t bytes);
sonde_status store_write(struct streaming *streaming, const struct streamed_array *array, size_t offset,
			 const void *from, size_t bytes);

#endif
