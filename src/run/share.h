/* Work in numbered pieces shared by devices: each takes the next piece when it has completed one. A device that fails
 * is reported and closed, and the others do its pieces again. */
#ifndef SONDE_RUN_SHARE_H
#define SONDE_RUN_SHARE_H

#include "run/context.h"
#include "run/shared_work.h"

/* Does all pieces on all devices of the context, and of all ranks (deal.h), which come to this together. *done grows by the work done, and `stage` is updated. States on the devices are kept for
 * the next call. */
sonde_status share_work(sonde_context *context, const struct shared_work *work, struct stage *stage, double *done);

/* Prepares the state of device `index`, unless it is prepared: for work done by one device alone. */
sonde_status share_prepare(const struct shared_work *work, int index, struct device *device, void **state);
/* Also for such work: closes device `index`, which has failed with `status` and the thread's message. SONDE_OK while
 * another device is left. */
sonde_status share_drop_device(sonde_context *context, const struct shared_work *work, int index,
			       sonde_status status);
/* Releases the states on all devices. */
void share_release(const struct shared_work *work);

#endif
