/* How a grid that is larger than the memory of a process' devices goes through several of them. */
#ifndef SONDE_FDTD_STREAMING_DEVICES_H
#define SONDE_FDTD_STREAMING_DEVICES_H

#include "fdtd/job/prepared.h"

/* Of a grid that is streamed, as run->schedule says: the devices through which its planes go one after the other, and
 * their rate. */
sonde_status fdtd_choose_chain(struct fdtd_run *run);
/* Of such a grid: gives planes of its own to each device, in run->on, and finds the most steps of a pass, run->most_height,
 * for fdtd_choose_streaming(). Else it is not *possible, and run->on of no use. */
sonde_status fdtd_share_streaming(struct fdtd_run *run, bool *possible);

#endif
