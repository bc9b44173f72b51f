/* How a grid that is larger than the device's memory goes through it. */
#ifndef SONDE_FDTD_STREAMING_CHOICE_H
#define SONDE_FDTD_STREAMING_CHOICE_H

#include "fdtd/job/prepared.h"

/* Whether the job asks for streaming, or needs it: `needed` bytes of the device, which may be used up to `memory`. */
bool fdtd_is_streamed(const struct fdtd_run *run, double needed, double memory);
/* What windows of the device, and buffers or all planes on the host, may take; bytes. */
struct fdtd_streaming_room {
	double device, host;
	double part; /* of the memory that is left, for windows */
};
/* Chooses slabs and passes, unless the job gives them, so that windows fit: those of the shortest predicted time. Fills
 * run->schedule, and in run->plan memory, rate and duration. SONDE_RESOURCE with the smallest memory that would do. */
sonde_status fdtd_choose_streaming(struct fdtd_run *run, struct device *device,
				   const struct fdtd_streaming_room *room);
/* The folder or file of option `store`; null: the host's memory. SONDE_INVALID for other values. */
sonde_status fdtd_store_path(const sonde_fdtd_options *options, const char **path);
/* Whether the thread's last failure is one of the scratch file. */
bool fdtd_failed_to_store(void);

#endif
