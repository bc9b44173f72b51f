/* Atoms whose positions are in the memory of a device alone, as those of CUDA arrays. */
#ifndef TESTS_UNIT_RESIDENT_ATOMS_H
#define TESTS_UNIT_RESIDENT_ATOMS_H

#include "unit/support.h"

#include <stdlib.h>

#include "matter/atoms/atoms_gpu.h"
#include "run/context.h"

/* A context with this device alone; null, with a message, if there is none. */
static inline sonde_context *context_with(const char *name)
{
	const struct device_settings settings = {.threads = 2, .launch_limit = 10.0, .kernel_cache = "off"};
	sonde_context *context;
	struct device *device;

	if (device_open(name, &settings, &device) != SONDE_OK) {
		print_message("%s: %s\n", name, sonde_status_message());
		return NULL;
	}
	device_close(&device);
	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_context_set_device(context, name));
	return context;
}

/* Moves the positions to the device of the context, which is to be freed after the atoms. */
static inline void move_to_device(sonde_context *context, sonde_atoms *atoms)
{
	struct device *device;

	assert_status(SONDE_OK, context_device(context, &device));
	assert_status(SONDE_OK, atoms_gpu_upload(device, atoms->positions, atoms->count, &atoms->owner));
	free(atoms->positions);
	atoms->positions = NULL;
	atoms->positions_capacity = 0;
	assert_true(sonde_atoms_on_gpu(atoms) == 1);
}

#endif
