/* State shared by all steps of a mesh sum. */
#include "coulomb/mesh/mesh_run.h"

#include "base/clock.h"
#include "coulomb/plan.h"
#include "device/device.h"

const char *const mesh_stage_names[MESH_STAGES] = {
    [MESH_PREPARE] = "prepare", [MESH_SORT] = "sort",         [MESH_COPY] = "copy", [MESH_NEAR] = "near",
    [MESH_SPREAD] = "spread",   [MESH_CONVOLVE] = "convolve", [MESH_READ] = "read", [MESH_PARTS] = "parts"};

uint32_t mesh_components(const struct mesh_run *run)
{
	return run->plan->field ? 4 : 1;
}

sonde_status mesh_upload(struct mesh_run *run, const void *from, size_t bytes, const char *what,
			 struct device_buffer *buffer)
{
	device_release(run->device, buffer);
	return device_upload(run->device, from, bytes, what, buffer);
}

sonde_status mesh_clock(struct mesh_run *run, enum mesh_stage stage)
{
	if (run->times == NULL)
		return SONDE_OK;
	CHECK(device_wait(run->device));
	double now = clock_seconds();
	run->times->seconds[stage] += now - run->since;
	run->since = now;
	return SONDE_OK;
}
