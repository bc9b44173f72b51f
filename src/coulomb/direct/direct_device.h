/* The direct sum on one device. */
#ifndef SONDE_COULOMB_DIRECT_DIRECT_DEVICE_H
#define SONDE_COULOMB_DIRECT_DIRECT_DEVICE_H

#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "device/device.h"

/* State on the device for one run. */
struct direct_device {
	struct device *device;
	int threads; /* of the host */
	const struct charges *charges;
	bool single, field;
	uint32_t sets, components; /* components: values per point */
	enum charge_form form;
	double softening, kappa;
	const struct ewald *ewald; /* of periodic charges; null: open boundaries */
	uint32_t lanes;            /* lanes in which waves are summed */
	struct device_kernel points, careful, grid, segments, waves_kernel; /* `careful`: points in float64 */
	double *on_host;                                                    /* sums of a piece */
	size_t on_host_capacity;
	double seconds; /* of the kernels */
	struct device_buffer x, y, z, q, px, py, pz, frame, values, coincident, waves;
};

sonde_status direct_device_prepare(const sonde_context *context, struct device *device, const struct charges *charges,
				   const struct coulomb_plan *plan, struct direct_device *run);
void direct_device_release(struct direct_device *run);
/* Sums at the points of a range, whole planes of a grid or rows of one plane, into `values`; *coincident grows by
 * the number of omitted pairs. */
sonde_status direct_device_sum(struct direct_device *run, const struct targets *targets,
			       const struct target_range *range, struct values *values, uint64_t *coincident);

#endif
