/* How a grid that is larger than the device's memory goes through it. */
#ifndef SONDE_FDTD_STREAMING_CHOICE_H
#define SONDE_FDTD_STREAMING_CHOICE_H

#include "fdtd/job/prepared.h"

/* Whether the job asks for streaming, or needs it: `needed` bytes of the device, which may be used up to `memory`. */
bool fdtd_is_streamed(const struct fdtd_run *run, double needed, double memory);
/* Chooses slabs and passes, unless the job gives them, so that windows fit into `memory` bytes of the device: those of
 * the shortest predicted time. Fills run->schedule, and in run->plan memory, rate and duration; *host: bytes of the host
 * for all planes. SONDE_RESOURCE with the smallest memory that would do. */
sonde_status fdtd_choose_streaming(struct fdtd_run *run, struct device *device, double memory, double *host);

#endif
