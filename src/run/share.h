/* Work in numbered pieces that devices share: each takes the next piece when it has done one. A device that fails is
 * named and closed, and the others do its pieces again. */
#ifndef SONDE_RUN_SHARE_H
#define SONDE_RUN_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "run/context.h"

struct shared_work {
	uint64_t pieces;
	void *user;
	/* What the engine has on devices: CONTEXT_MOST_DEVICES structs of `state_size` bytes, one after the other, zeroed at first. Each
	 * begins with the pointer to its device, which is null while nothing is there. */
	void *states;
	size_t state_size;
	/* Fills the state of a device before its first piece; after a failure the state is zeroed. */
	sonde_status (*prepare)(void *user, struct device *device, void *state);
	/* Releases and zeroes a state that was prepared. */
	void (*release)(void *state);
	/* Does `count` pieces from `first` on, and reports in *work how much work that was. Called by one thread a device. */
	sonde_status (*run)(void *user, void *state, uint64_t first, uint64_t count, double *work);
	/* Number of pieces side by side that a device takes at a time, at most: a fast one wants more of them than a slow one,
	 * which others would have to wait for. The state may not be prepared yet. Null: one. */
	uint64_t (*at_once)(void *user, struct device *device, const void *state);
	/* Fetches what the device has kept of its pieces, after the last one; null where run() leaves nothing. If the
	 * device fails before, all its pieces are done again. */
	sonde_status (*collect)(void *user, void *state);
	/* Releases what else the engine has on a device that is about to be closed; null where it has nothing. */
	void (*forget)(void *user, struct device *device);
};

/* Does all pieces on all devices of the context. *done grows by the work that is done, and `stage` is informed. What is on the devices stays
 * there for the next call. */
sonde_status share_work(sonde_context *context, const struct shared_work *work, struct stage *stage, double *done);

/* Prepares the state of device `index`, unless it is prepared: for work that one device does alone. */
sonde_status share_prepare(const struct shared_work *work, int index, struct device *device, void **state);
/* For such work, too: closes device `index`, which has failed with `status` and the thread's message. SONDE_OK while another device is left. */
sonde_status share_drop_device(sonde_context *context, const struct shared_work *work, int index,
			       sonde_status status);
/* Releases what is on all devices. */
void share_release(const struct shared_work *work);

#endif
