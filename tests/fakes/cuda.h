/* The state of the simulated driver cuda.c, whose kernels are in cuda_kernels.c. */
#ifndef TESTS_FAKES_CUDA_H
#define TESTS_FAKES_CUDA_H

#include "fakes/fake.h"

#include <stdint.h>
#include <time.h>

#include "device/cpu_kernel.h"
#include "device/cuda_api.h"

#define MOST_DEVICES 8
#define LOCAL_MEMORY 232448 /* bytes that a work-group may have */
#define LOCAL_WITHOUT_ASKING 49152

/* errors of the driver's manual */
#define INVALID_VALUE 1
#define OUT_OF_MEMORY 2
#define NOT_INITIALIZED 3
#define NO_DEVICE 100
#define INVALID_DEVICE 101
#define INVALID_IMAGE 200
#define INVALID_CONTEXT 201
#define UNSUPPORTED_IMAGE 222
#define INVALID_HANDLE 400
#define NOT_FOUND 500
#define LOST 700
#define DEVICE_UNAVAILABLE 46

struct cuda_context_handle {
	int device, users;
	long allocations, launches_and_waits;
	bool lost;
	uint64_t allocated;
};

struct cuda_stream_handle {
	int device;
};

struct cuda_event_handle {
	int device;
	bool recorded;
	unsigned flags;
	struct timespec time;
};

struct cuda_function_handle {
	int device, local_memory;
	cpu_kernel_entry *entry;
	bool items_are_groups; /* each work-item does what a group of one does */
};

struct cuda_module_handle {
	int device;
	char kernel[64];
	struct cuda_function_handle function;
	unsigned unit_tiles;
};

#define HIDDEN __attribute__((visibility("hidden")))

extern HIDDEN __thread cuda_context cuda_current;

/* A fault that is simulated, and a call that the manual forbids: they are counted, and return the error. */
HIDDEN cuda_result cuda_fault(cuda_result error);
HIDDEN cuda_result cuda_misuse(cuda_result error);
/* At the beginning of all functions that need a context. */
HIDDEN cuda_result cuda_enter(void);
/* Launches and waits of a device that is lost at some time. */
HIDDEN cuda_result cuda_work(void);
/* An object of the current device, marked as such at its beginning. */
HIDDEN void *cuda_create(size_t size);
HIDDEN cuda_result cuda_destroy(void *object);

/* Addresses that are a device's memory from now on, or no longer. */
HIDDEN bool cuda_add_addresses(char *memory, size_t bytes);
HIDDEN bool cuda_remove_addresses(char *memory);
/* cuda_sharing.c: whether memory can be used by other processes; such memory; and the file of an allocation that begins there. */
HIDDEN bool cuda_memory_is_shared(void);
HIDDEN char *cuda_shared_memory(size_t bytes, int *file);
HIDDEN bool cuda_file_of(cuda_pointer pointer, int *file, size_t *bytes);
/* Counts objects that are to be released. */
HIDDEN void cuda_count_left(long change);

static inline bool plays(const char *behaviour)
{
	return fake_plays("FAKE_CUDA", behaviour);
}

static inline bool meant(int device)
{
	return fake_is_meant("FAKE_CUDA_DEVICE", device);
}

#define ENTER()                                \
	do {                                   \
		cuda_result no = cuda_enter(); \
		if (no != 0)                   \
			return no;             \
	} while (0)

#endif
