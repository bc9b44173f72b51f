/* The part of OpenCL 1.2 that Sonde uses, with our own prototypes, after the Khronos OpenCL 1.2 specification. */
#ifndef SONDE_DEVICE_OPENCL_API_H
#define SONDE_DEVICE_OPENCL_API_H

#include <stddef.h>
#include <stdint.h>

typedef int32_t opencl_result;
typedef struct opencl_platform_handle *opencl_platform;
typedef struct opencl_device_handle *opencl_device;
typedef struct opencl_context_handle *opencl_context;
typedef struct opencl_queue_handle *opencl_queue;
typedef struct opencl_memory_handle *opencl_memory;
typedef struct opencl_program_handle *opencl_program;
typedef struct opencl_kernel_handle *opencl_kernel;
typedef struct opencl_event_handle *opencl_event;

#define OPENCL_DEVICE_TYPE_ALL 0xFFFFFFFFu
#define OPENCL_DEVICE_TYPE_GPU 4u
#define OPENCL_PLATFORM_NAME 0x0902
#define OPENCL_DEVICE_TYPE 0x1000
#define OPENCL_DEVICE_COMPUTE_UNITS 0x1002
#define OPENCL_DEVICE_WORK_GROUP_SIZE 0x1004
#define OPENCL_DEVICE_CLOCK 0x100C
#define OPENCL_DEVICE_MOST_ALLOCATION 0x1010
#define OPENCL_DEVICE_MEMORY 0x101F
#define OPENCL_DEVICE_LOCAL_MEMORY 0x1023
#define OPENCL_DEVICE_AVAILABLE 0x1027
#define OPENCL_DEVICE_COMPILER 0x1028
#define OPENCL_DEVICE_NAME 0x102B
#define OPENCL_DRIVER_VERSION 0x102D
#define OPENCL_DEVICE_VERSION 0x102F
#define OPENCL_DEVICE_EXTENSIONS 0x1030
#define OPENCL_DEVICE_F64 0x1032
#define OPENCL_NVIDIA_CAPABILITY_MAJOR 0x4000 /* cl_nv_device_attribute_query */
#define OPENCL_NVIDIA_CAPABILITY_MINOR 0x4001
#define OPENCL_AMD_SIMDS 0x4040 /* per compute unit: cl_amd_device_attribute_query */
#define OPENCL_AMD_SIMD_WIDTH 0x4041
#define OPENCL_MEMORY_READ_WRITE 1u
#define OPENCL_MEMORY_USE_HOST 8u /* the host's memory is that of the buffer */
#define OPENCL_QUEUE_PROFILING 2u
#define OPENCL_PROGRAM_BINARY_SIZES 0x1165
#define OPENCL_PROGRAM_BINARIES 0x1166
#define OPENCL_BUILD_LOG 0x1183
#define OPENCL_KERNEL_WORK_GROUP_SIZE 0x11B0
#define OPENCL_PROFILING_END 0x1283

struct opencl_api {
	opencl_result (*platforms)(uint32_t most, opencl_platform *list, uint32_t *count);
	opencl_result (*platform_info)(opencl_platform platform, uint32_t what, size_t size, void *value,
				       size_t *needed);
	opencl_result (*devices)(opencl_platform platform, uint64_t type, uint32_t most, opencl_device *list,
				 uint32_t *count);
	opencl_result (*device_info)(opencl_device device, uint32_t what, size_t size, void *value, size_t *needed);
	opencl_context (*context_create)(const intptr_t *properties, uint32_t count, const opencl_device *devices,
					 void *notify, void *user, opencl_result *result);
	opencl_result (*context_release)(opencl_context context);
	opencl_queue (*queue_create)(opencl_context context, opencl_device device, uint64_t properties,
				     opencl_result *result);
	opencl_result (*queue_release)(opencl_queue queue);
	opencl_memory (*buffer_create)(opencl_context context, uint64_t flags, size_t bytes, void *host,
				       opencl_result *result);
	opencl_result (*memory_release)(opencl_memory memory);
	opencl_result (*write)(opencl_queue queue, opencl_memory memory, uint32_t blocking, size_t offset,
			       size_t bytes, const void *from, uint32_t waits, const opencl_event *wait,
			       opencl_event *event);
	opencl_result (*read)(opencl_queue queue, opencl_memory memory, uint32_t blocking, size_t offset,
			      size_t bytes, void *to, uint32_t waits, const opencl_event *wait, opencl_event *event);
	opencl_result (*fill)(opencl_queue queue, opencl_memory memory, const void *pattern, size_t pattern_bytes,
			      size_t offset, size_t bytes, uint32_t waits, const opencl_event *wait,
			      opencl_event *event);
	opencl_program (*program_from_source)(opencl_context context, uint32_t count, const char **texts,
					      const size_t *sizes, opencl_result *result);
	opencl_program (*program_from_binary)(opencl_context context, uint32_t count, const opencl_device *devices,
					      const size_t *sizes, const unsigned char **binaries,
					      opencl_result *statuses, opencl_result *result);
	opencl_result (*program_build)(opencl_program program, uint32_t count, const opencl_device *devices,
				       const char *options, void *notify, void *user);
	opencl_result (*build_info)(opencl_program program, opencl_device device, uint32_t what, size_t size,
				    void *value, size_t *needed);
	opencl_result (*program_info)(opencl_program program, uint32_t what, size_t size, void *value,
				      size_t *needed);
	opencl_result (*program_release)(opencl_program program);
	opencl_kernel (*kernel_create)(opencl_program program, const char *name, opencl_result *result);
	opencl_result (*kernel_release)(opencl_kernel kernel);
	opencl_result (*kernel_info)(opencl_kernel kernel, opencl_device device, uint32_t what, size_t size,
				     void *value, size_t *needed);
	opencl_result (*kernel_argument)(opencl_kernel kernel, uint32_t index, size_t size, const void *value);
	opencl_result (*launch)(opencl_queue queue, opencl_kernel kernel, uint32_t dimensions, const size_t *offset,
				const size_t *global, const size_t *local, uint32_t waits, const opencl_event *wait,
				opencl_event *event);
	opencl_result (*marker)(opencl_queue queue, uint32_t waits, const opencl_event *wait, opencl_event *event);
	opencl_result (*wait_for_events)(uint32_t count, const opencl_event *events);
	opencl_result (*profiling)(opencl_event event, uint32_t what, size_t size, void *value, size_t *needed);
	opencl_result (*event_release)(opencl_event event);
	opencl_result (*finish)(opencl_queue queue);
};

/* The loader, opened once; null with a reason if there is none. */
const struct opencl_api *opencl_api_get(const char **reason);

#endif
