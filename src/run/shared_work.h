/* What an engine says of work in numbered pieces: share.h. */
#ifndef SONDE_RUN_SHARED_WORK_H
#define SONDE_RUN_SHARED_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "parallel/parallel.h"

struct device;

struct shared_work {
	uint64_t pieces;
	void *user;
	/* The engine's states on devices: CONTEXT_MOST_DEVICES consecutive structs of `state_size` bytes, zeroed at
	 * first. Each begins with the pointer to its device, which is null while the state is empty. */
	void *states;
	size_t state_size;
	/* Fills the state of a device before its first piece; after a failure the state is zeroed. */
	sonde_status (*prepare)(void *user, struct device *device, void *state);
	/* Releases and zeroes a state that was prepared. */
	void (*release)(void *state);
	/* Does `count` pieces from `first` on, and reports their work in *work. Called by one thread per device. */
	sonde_status (*run)(void *user, void *state, uint64_t first, uint64_t count, double *work);
	/* Maximum number of consecutive pieces that a device takes at a time: a fast one needs more than a slow one,
	 * for which others would have to wait. The state may not be prepared yet. Null: one. */
	uint64_t (*at_once)(void *user, struct device *device, const void *state);
	/* The last pieces are taken in smaller parts, so that all devices end together. */
	bool equal_ends;
	/* Number of pieces still in progress on a device after run() has returned; null: none. With
	 * `equal_ends` and `finish`. */
	uint64_t (*in_progress)(void *user, const void *state);
	/* Waits for pieces still in progress on a device that gets no more of them, by its thread while others still run; then collect() is
	 * short. Null: collect() waits. After a failure of the device all its pieces are done again. With collect(). */
	sonde_status (*finish)(void *user, void *state);
	/* Fetches the results kept on the device after the last piece; null if run() leaves none. If the device fails
	 * before, all its pieces are done again. */
	sonde_status (*collect)(void *user, void *state);
	/* Releases other data of the engine on a device that is about to be closed; null if it has none. */
	void (*forget)(void *user, struct device *device);
	/* How the results of several ranks become one, the same on all of them; without all of these, each rank does all pieces. Sums: adds those of
	 * all ranks, after collect(), once all pieces are done. */
	sonde_status (*merge)(void *user, struct parallel *ranks);
	/* Results of separate pieces: returns the size of the result of a piece, and its place, which is filled where another rank has done it; null
	 * without memory. merge() follows. */
	size_t (*result_of)(void *user, uint64_t piece, void **bytes);
	/* The same for results of pieces that are not one block of memory, or are large: appends those of a piece that is done, or nothing;
	 * and takes them from another rank, on rank 0 alone unless they are `for_all`. merge() follows. */
	sonde_status (*pack)(void *user, uint64_t piece, struct text *packed);
	sonde_status (*unpack)(void *user, uint64_t piece, const char *bytes, size_t size);
	bool for_all;
	/* With several ranks: after these seconds, or a stop, the pieces that are done are packed, and the others left undone, for a
	 * checkpoint; 0: there is none. */
	double most_seconds;
	/* Whether a device takes part; null: all do. Once none of these is left, the other pieces are left undone. */
	bool (*suits)(void *user, struct device *device);
};

#endif
