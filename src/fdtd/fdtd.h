/* The inner face of the engine of sonde fdtd. */
#ifndef SONDE_FDTD_FDTD_H
#define SONDE_FDTD_FDTD_H

#include "base/options.h"
#include "device/device.h"

extern const struct option_table fdtd_option_table, fdtd_boundary_table, fdtd_material_table, fdtd_body_table,
    fdtd_source_table, fdtd_monitor_table; /* of a job and of the items of its lists */

extern const struct device_program fdtd_program;
sonde_status fdtd_self_test(struct device *device);

#endif
