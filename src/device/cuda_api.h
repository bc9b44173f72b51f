/* The part of NVIDIA's driver interface that Sonde uses, with our own prototypes, after the CUDA Driver API Reference
 * Manual (docs.nvidia.com/cuda/cuda-driver-api). */
#ifndef SONDE_DEVICE_CUDA_API_H
#define SONDE_DEVICE_CUDA_API_H

#include <stddef.h>
#include <stdint.h>

typedef int cuda_result; /* CUresult */
typedef int cuda_device;
typedef uint64_t cuda_pointer; /* CUdeviceptr */
typedef struct cuda_context_handle *cuda_context;
typedef struct cuda_stream_handle *cuda_stream;
typedef struct cuda_event_handle *cuda_event;
typedef struct cuda_module_handle *cuda_module;
typedef struct cuda_function_handle *cuda_function;

/* CUstream_flags, and a priority beyond all that a device has, which stands for the highest */
#define CUDA_STREAM_ALONE 1u /* does not wait for the default stream */
#define CUDA_PRIORITY_HIGHEST (-1000)

#define CUDA_OUT_OF_MEMORY 2
#define CUDA_NO_DEVICE 100
#define CUDA_NOT_READY 600

/* CUdevice_attribute */
#define CUDA_MULTIPROCESSORS 16
#define CUDA_CLOCK_RATE 13
#define CUDA_MEMORY_CLOCK_RATE 36
#define CUDA_MEMORY_BUS_WIDTH 37
#define CUDA_CAPABILITY_MAJOR 75
#define CUDA_CAPABILITY_MINOR 76
#define CUDA_SHARED_MEMORY_OPTIN 97
#define CUDA_COMPUTE_MODE 20
/* CUfunction_attribute */
#define CUDA_FUNCTION_LOCAL_BYTES 3
#define CUDA_FUNCTION_REGISTERS 4
#define CUDA_FUNCTION_MAX_DYNAMIC_SHARED 8

/* CUlaunchConfig */
/* CUlaunchAttribute; the value is a union of 64 bytes. */
#define CUDA_LAUNCH_OVERLAPPING 6 /* programmatic stream serialization */
struct cuda_launch_attribute {
	unsigned id, padding;
	union {
		int on;
		char bytes[64];
	} value;
};
struct cuda_launch {
	unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
	cuda_stream stream;
	void *attributes;
	unsigned attribute_count;
};

/* CUmemAllocationProp and CUmemAccessDesc: memory of a device, for reading and writing */
#define CUDA_MEMORY_PINNED 1
#define CUDA_LOCATION_DEVICE 1
#define CUDA_ACCESS_READ_WRITE 3
#define CUDA_GRANULARITY_MINIMUM 0
typedef uint64_t cuda_memory; /* CUmemGenericAllocationHandle */
struct cuda_memory_properties {
	int type, handle_types, location, device;
	void *security;
	unsigned char flags[8];
};
struct cuda_memory_access {
	int location, device, access;
};

/* CUipcMemHandle and CUipcEventHandle, flags of events, and one of taken memory */
struct cuda_ticket {
	char bytes[64];
};
#define CUDA_EVENT_WITHOUT_TIME 2u
#define CUDA_EVENT_BETWEEN_PROCESSES 4u
#define CUDA_TAKEN_MEMORY_OF_PEERS 1u /* direct access to another device is enabled if need be */

struct cuda_api {
	cuda_result (*init)(unsigned flags);
	cuda_result (*driver_version)(int *version);
	cuda_result (*device_count)(int *count);
	cuda_result (*device_get)(cuda_device *device, int ordinal);
	cuda_result (*device_name)(char *name, int size, cuda_device device);
	cuda_result (*device_memory)(size_t *bytes, cuda_device device);
	cuda_result (*device_attribute)(int *value, int attribute, cuda_device device);
	cuda_result (*context_retain)(cuda_context *context, cuda_device device);
	cuda_result (*context_release)(cuda_device device);
	cuda_result (*context_set)(cuda_context context);
	cuda_result (*context_get)(cuda_context *context);
	cuda_result (*context_push)(cuda_context context);
	cuda_result (*context_pop)(cuda_context *context);
	cuda_result (*memory_info)(size_t *free, size_t *total);
	cuda_result (*memory_allocate)(cuda_pointer *pointer, size_t bytes);
	cuda_result (*memory_free)(cuda_pointer pointer);
	cuda_result (*copy_to_device)(cuda_pointer to, const void *from, size_t bytes, cuda_stream stream);
	cuda_result (*copy_to_host)(void *to, cuda_pointer from, size_t bytes, cuda_stream stream);
	cuda_result (*copy_within)(cuda_pointer to, cuda_pointer from, size_t bytes, cuda_stream stream);
	cuda_result (*copy_to_peer)(cuda_pointer to, cuda_context there, cuda_pointer from, cuda_context here,
				    size_t bytes, cuda_stream stream);
	cuda_result (*peer_enable)(cuda_context peer, unsigned flags);
	cuda_result (*offer_memory)(struct cuda_ticket *ticket, cuda_pointer pointer);
	cuda_result (*take_memory)(cuda_pointer *pointer, struct cuda_ticket ticket, unsigned flags);
	cuda_result (*return_memory)(cuda_pointer pointer);
	cuda_result (*offer_event)(struct cuda_ticket *ticket, cuda_event event);
	cuda_result (*take_event)(cuda_event *event, struct cuda_ticket ticket);
	cuda_result (*memory_set)(cuda_pointer to, unsigned char value, size_t bytes, cuda_stream stream);
	cuda_result (*memory_granularity)(size_t *bytes, const struct cuda_memory_properties *properties, int option);
	cuda_result (*addresses_reserve)(cuda_pointer *pointer, size_t bytes, size_t alignment, cuda_pointer wanted,
					 unsigned long long flags);
	cuda_result (*addresses_free)(cuda_pointer pointer, size_t bytes);
	cuda_result (*memory_create)(cuda_memory *memory, size_t bytes,
				     const struct cuda_memory_properties *properties, unsigned long long flags);
	cuda_result (*memory_release)(cuda_memory memory);
	cuda_result (*memory_map)(cuda_pointer pointer, size_t bytes, size_t offset, cuda_memory memory,
				  unsigned long long flags);
	cuda_result (*memory_unmap)(cuda_pointer pointer, size_t bytes);
	cuda_result (*memory_access)(cuda_pointer pointer, size_t bytes, const struct cuda_memory_access *access,
				     size_t count);
	cuda_result (*host_register)(void *memory, size_t bytes, unsigned flags);
	cuda_result (*host_unregister)(void *memory);
	cuda_result (*stream_begin_after)(cuda_stream stream, cuda_event event, unsigned flags);
	cuda_result (*stream_create)(cuda_stream *stream, unsigned flags, int priority);
	cuda_result (*stream_destroy)(cuda_stream stream);
	cuda_result (*stream_wait)(cuda_stream stream);
	cuda_result (*event_create)(cuda_event *event, unsigned flags);
	cuda_result (*event_destroy)(cuda_event event);
	cuda_result (*event_record)(cuda_event event, cuda_stream stream);
	cuda_result (*event_wait)(cuda_event event);
	cuda_result (*event_query)(cuda_event event);
	cuda_result (*event_elapsed)(float *milliseconds, cuda_event from, cuda_event to);
	cuda_result (*module_load)(cuda_module *module, const void *image, unsigned options, int *names,
				   void **values);
	cuda_result (*module_unload)(cuda_module module);
	cuda_result (*module_function)(cuda_function *function, cuda_module module, const char *name);
	cuda_result (*function_attribute)(int *value, int attribute, cuda_function function);
	cuda_result (*function_set)(cuda_function function, int attribute, int value);
	cuda_result (*launch)(const struct cuda_launch *config, cuda_function function, void **arguments,
			      void **extra);
	cuda_result (*error_text)(cuda_result error, const char **text);
};

/* The driver, opened and started once; null with a reason if there is none. */
const struct cuda_api *cuda_api_get(const char **reason);

#endif
