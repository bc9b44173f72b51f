/* Work in numbered pieces that devices share: each takes the next piece when it has done one. A device that fails is
 * named and closed, and the others do its pieces again. */
#ifndef SONDE_RUN_SHARE_H
#define SONDE_RUN_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "run/context.h"

/* Releases what the engine has on a device before the device is closed. */
typedef void share_release(void *user, int index, struct device *device);

struct shared_work {
	uint64_t pieces;
	void *user;
	/* Does `count` pieces from `first` on on device `index`, and says how much work that was. Called by one thread a
	 * device. */
	sonde_status (*run)(void *user, int index, struct device *device, uint64_t first, uint64_t count,
			    double *work);
	/* How many pieces side by side a device takes at a time, at most: a fast one wants more of them than a slow one,
	 * which others would have to wait for. Null: one. */
	uint64_t (*at_once)(void *user, struct device *device);
	/* Fetches what the device has kept of its pieces, after the last one; null where run() leaves nothing. If the
	 * device fails before, all its pieces are done again. */
	sonde_status (*collect)(void *user, int index, struct device *device);
	share_release *release;
};

/* Does all pieces on all devices of the context. *done grows by the work that is done, and `stage` is told. */
sonde_status share_work(sonde_context *context, const struct shared_work *work, struct stage *stage, double *done);

/* For work that one device does alone: closes device `index`, which has failed with `status` and the thread's message.
 * SONDE_OK while another device is left. */
sonde_status share_drop_device(sonde_context *context, int index, sonde_status status, share_release *release,
			       void *user);

#endif
