/* A CUDA device: shared by the files of the back end. */
#ifndef SONDE_DEVICE_CUDA_H
#define SONDE_DEVICE_CUDA_H

#include "device/backend.h"
#include "device/cuda_ahead.h"
#include "device/cuda_api.h"

struct cuda {
	const struct cuda_api *api;
	cuda_device device;
	cuda_context context;
	cuda_stream streams[DEVICE_ALL_QUEUES];
	int major, minor, driver_version;
	bool overlaps;            /* kernels are compiled with WAIT_FOR_EARLIER() */
	unsigned asked_for_peers; /* devices to which direct access has been asked for, one bit each */
	char no_compiler[256];    /* the reason for using PTX; empty: NVRTC compiles the kernels */
	struct cuda_ahead *ahead; /* kernels that are compiled in the background */
	cuda_module *modules;
	size_t module_count, module_capacity;
};

/* cuda_current.c */
sonde_status cuda_make_current(const struct cuda *cuda);
void cuda_enter_thread(void);
void cuda_leave_thread(void);
/* SONDE_RESOURCE with the driver's text. */
sonde_status cuda_failed(const struct cuda_api *api, cuda_result result, const char *doing);

#define CUDA_CHECK(api, call, doing)                                    \
	do {                                                            \
		cuda_result cuda_result_ = (call);                      \
		if (cuda_result_ != 0)                                  \
			return cuda_failed((api), cuda_result_, doing); \
	} while (0)

/* cuda_window.c: windows of buffers, and copies beside kernels */
size_t cuda_window_chunk(const struct device *device);
sonde_status cuda_window_map(struct device *device, struct device_window *window, const char *what, void **memory);
void cuda_window_unmap(struct device *device, struct device_window *window, void *memory);
sonde_status cuda_host_pin(struct device *device, void *memory, size_t bytes);
void cuda_host_unpin(struct device *device, void *memory);
sonde_status cuda_fetch(struct device *device, void *memory, size_t offset, void *to, size_t bytes);
sonde_status cuda_begin_after(struct device *device, const struct device_event *event);
sonde_status cuda_event_wait(struct device *device, const struct device_event *event);

/* cuda_peers.c: copies to other devices */
#define CUDA_MOST_PEERS 32
sonde_status cuda_copy(struct device *device, const void *from, struct device *other, void *to, size_t bytes);

/* cuda_sharing.c: for other processes */
extern const struct backend_sharing cuda_sharing;

#endif
