/* Fourier sums of fields over points, lines, planes or volumes, and fields at a step. */
#ifndef SONDE_FDTD_MONITORS_FIELD_MONITOR_H
#define SONDE_FDTD_MONITORS_FIELD_MONITOR_H

#include "fdtd/monitors/field_sampling.h"
#include "fdtd/monitors/fourier.h"

struct field_monitor {
	struct field_sampling sampling;
	struct fourier_sums sums;
};

/* Device memory in bytes: for each place 8, 16 samples, and 16 per frequency. */
double field_monitor_bytes(const struct field_sampling *sampling, uint32_t frequencies, bool single);
/* Frequencies in radians per step; see fourier.h for `every` and for times. To be released by
 * field_monitor_release(), also after a failure. SONDE_RESOURCE, with a message, if the device lacks the memory. */
sonde_status field_monitor_make(struct fields *fields, const struct field_region *region,
				const double *angular_frequencies, uint32_t frequencies, uint32_t every,
				struct field_monitor *monitor);
void field_monitor_release(struct fields *fields, struct field_monitor *monitor);
/* The sums of field exp(i omega time), [frequencies][components][points]: components and points of the sampling. */
sonde_status field_monitor_read(struct fields *fields, const struct field_monitor *monitor, double complex *values);

/* Fields at the present step: only the requested places are read from the device's memory. */
struct snapshot {
	struct field_sampling sampling;
	struct observation of[2];
};

/* To be released by snapshot_release(), also after a failure. Takes 8 bytes of device memory per place, and one
 * number. */
sonde_status snapshot_make(struct fields *fields, const struct field_region *region, struct snapshot *snapshot);
void snapshot_release(struct fields *fields, struct snapshot *snapshot);
/* Records the present fields of some planes. */
sonde_status snapshot_gather(struct fields *fields, const struct snapshot *snapshot, uint32_t first, uint32_t count);
/* The recorded values of all planes, [components][points], for complex fields their real part. After n steps E is at time
 * n, H of n - 1/2. */
sonde_status snapshot_read(struct fields *fields, struct snapshot *snapshot, double *values);

#endif
