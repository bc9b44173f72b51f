/* A libOpenCL.so.1 without any driver, that simulates faults. It has one platform with one GPU, whose memory is main
 * memory and whose kernels do nothing: its results are wrong.
 *
 *     FAKE_OPENCL=ok          the default
 *                 noplatform  no driver is installed (error -1001)
 *                 broken      the platform comes after another one, whose devices cannot be listed (error -6)
 *                 empty       the same, but the other one has no devices (error -1)
 *                 nof64       the GPU has no float64      nocompiler  its driver has no compiler
 *                 offline     the GPU is not available    small       it has 8 kB of local memory
 *                 nocontext   no context can be made on it (error -5)
 *                 buildfail   no kernel can be compiled (error -11, with a log)
 *     FAKE_OPENCL_REPORT=F    file for the last words: "left N", what nobody released */
#include "fakes/fake.h"

#include <pthread.h>

#include "device/opencl_api.h"

#define DEVICE_NOT_FOUND (-1)
#define OUT_OF_RESOURCES (-5)
#define OUT_OF_HOST_MEMORY (-6)
#define BUILD_PROGRAM_FAILURE (-11)
#define INVALID_VALUE (-30)
#define PLATFORM_NOT_FOUND (-1001)

struct opencl_platform_handle {
	const char *name;
};
static struct opencl_platform_handle bad_platform = {"Fake platform that is broken"},
				     good_platform = {"Fake platform"};

struct opencl_device_handle {
	int unused;
};
static struct opencl_device_handle gpu;

/* Contexts, queues, buffers, programs, kernels and events. */
struct object {
	int users;
	size_t bytes;
	char memory[];
};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long left;

static bool plays(const char *behaviour)
{
	return fake_plays("FAKE_OPENCL", behaviour);
}

static void *create(size_t bytes, opencl_result *result)
{
	struct object *object = malloc(sizeof *object + bytes);

	*result = object != NULL ? 0 : OUT_OF_HOST_MEMORY;
	if (object == NULL)
		return NULL;
	*object = (struct object){1, bytes};
	memset(object->memory, 0xA5, bytes);
	pthread_mutex_lock(&mutex);
	++left;
	pthread_mutex_unlock(&mutex);
	return object;
}

static opencl_result release(void *released)
{
	struct object *object = released;

	if (object == NULL)
		return INVALID_VALUE;
	pthread_mutex_lock(&mutex);
	--left;
	pthread_mutex_unlock(&mutex);
	free(object);
	return 0;
}

static __attribute__((destructor)) void say_last_words(void)
{
	char text[64];

	snprintf(text, sizeof text, "left %ld\n", left);
	fake_report("FAKE_OPENCL_REPORT", text);
}

/* Answers a question as OpenCL does: the size, the value, or both. */
static opencl_result answer(const void *bytes, size_t count, size_t size, void *value, size_t *needed)
{
	if (needed != NULL)
		*needed = count;
	if (value == NULL)
		return 0;
	if (size < count)
		return INVALID_VALUE;
	memcpy(value, bytes, count);
	return 0;
}

static opencl_result answer_text(const char *text, size_t size, void *value, size_t *needed)
{
	return answer(text, strlen(text) + 1, size, value, needed);
}

EXPORT(opencl_result, clGetPlatformIDs, uint32_t most, opencl_platform *list, uint32_t *count)
{
	bool two = plays("broken") || plays("empty");
	opencl_platform all[2] = {&bad_platform, &good_platform};

	if (count != NULL)
		*count = plays("noplatform") ? 0 : two ? 2 : 1;
	if (plays("noplatform"))
		return PLATFORM_NOT_FOUND;
	for (uint32_t k = 0; list != NULL && k < most && k < (two ? 2 : 1); ++k)
		list[k] = all[two ? k : 1];
	return 0;
}

EXPORT(opencl_result, clGetPlatformInfo, opencl_platform platform, uint32_t what, size_t size, void *value,
       size_t *needed)
{
	return what == OPENCL_PLATFORM_NAME ? answer_text(platform->name, size, value, needed) : INVALID_VALUE;
}

EXPORT(opencl_result, clGetDeviceIDs, opencl_platform platform, uint64_t type, uint32_t most, opencl_device *list,
       uint32_t *count)
{
	(void)type;
	if (platform == &bad_platform)
		return plays("broken") ? OUT_OF_HOST_MEMORY : DEVICE_NOT_FOUND;
	if (count != NULL)
		*count = 1;
	if (list != NULL && most > 0)
		list[0] = &gpu;
	return 0;
}

EXPORT(opencl_result, clGetDeviceInfo, opencl_device device, uint32_t what, size_t size, void *value, size_t *needed)
{
	uint32_t word = 0;
	uint64_t wide = 0;
	(void)device;

	switch (what) {
	case OPENCL_DEVICE_NAME:
		return answer_text("Fake GPU", size, value, needed);
	case OPENCL_DRIVER_VERSION:
		return answer_text("1.0", size, value, needed);
	case OPENCL_DEVICE_VERSION:
		return answer_text("OpenCL 1.2 fake", size, value, needed);
	case OPENCL_DEVICE_EXTENSIONS:
		return answer_text(plays("nof64") ? "" : "cl_khr_fp64", size, value, needed);
	case OPENCL_DEVICE_TYPE:
		wide = OPENCL_DEVICE_TYPE_GPU;
		return answer(&wide, sizeof wide, size, value, needed);
	case OPENCL_DEVICE_F64:
		wide = plays("nof64") ? 0 : 63;
		return answer(&wide, sizeof wide, size, value, needed);
	case OPENCL_DEVICE_MEMORY:
		wide = 1000000000;
		return answer(&wide, sizeof wide, size, value, needed);
	case OPENCL_DEVICE_MOST_ALLOCATION:
		wide = 500000000;
		return answer(&wide, sizeof wide, size, value, needed);
	case OPENCL_DEVICE_LOCAL_MEMORY:
		wide = plays("small") ? 8192 : 49152;
		return answer(&wide, sizeof wide, size, value, needed);
	case OPENCL_DEVICE_WORK_GROUP_SIZE: {
		size_t most = 1024;
		return answer(&most, sizeof most, size, value, needed);
	}
	case OPENCL_DEVICE_COMPUTE_UNITS:
		word = 2;
		return answer(&word, sizeof word, size, value, needed);
	case OPENCL_DEVICE_CLOCK:
		word = 1000;
		return answer(&word, sizeof word, size, value, needed);
	case OPENCL_DEVICE_AVAILABLE:
		word = !plays("offline");
		return answer(&word, sizeof word, size, value, needed);
	case OPENCL_DEVICE_COMPILER:
		word = !plays("nocompiler");
		return answer(&word, sizeof word, size, value, needed);
	default:
		return INVALID_VALUE;
	}
}

EXPORT(opencl_context, clCreateContext, const intptr_t *properties, uint32_t count, const opencl_device *devices,
       void *notify, void *user, opencl_result *result)
{
	(void)properties;
	(void)count;
	(void)devices;
	(void)notify;
	(void)user;
	*result = OUT_OF_RESOURCES;
	return plays("nocontext") ? NULL : create(0, result);
}

EXPORT(opencl_result, clReleaseContext, opencl_context context)
{
	return release(context);
}

EXPORT(opencl_queue, clCreateCommandQueue, opencl_context context, opencl_device device, uint64_t properties,
       opencl_result *result)
{
	(void)context;
	(void)device;
	(void)properties;
	return create(0, result);
}

EXPORT(opencl_result, clReleaseCommandQueue, opencl_queue queue)
{
	return release(queue);
}

EXPORT(opencl_memory, clCreateBuffer, opencl_context context, uint64_t flags, size_t bytes, void *host,
       opencl_result *result)
{
	(void)context;
	(void)flags;
	(void)host;
	return create(bytes, result);
}

EXPORT(opencl_result, clReleaseMemObject, opencl_memory memory)
{
	return release(memory);
}

/* The bytes of a buffer; null if it does not have them all. */
static char *bytes_of(opencl_memory memory, size_t offset, size_t bytes)
{
	struct object *object = (struct object *)memory;

	return offset <= object->bytes && bytes <= object->bytes - offset ? object->memory + offset : NULL;
}

/* An event, where one is asked for. */
static opencl_result done(opencl_event *event)
{
	opencl_result result = 0;

	if (event != NULL)
		*event = create(0, &result);
	return result;
}

EXPORT(opencl_result, clEnqueueWriteBuffer, opencl_queue queue, opencl_memory memory, uint32_t blocking,
       size_t offset, size_t bytes, const void *from, uint32_t waits, const opencl_event *wait, opencl_event *event)
{
	char *to = bytes_of(memory, offset, bytes);
	(void)queue;
	(void)blocking;
	(void)waits;
	(void)wait;

	if (to == NULL)
		return INVALID_VALUE;
	memcpy(to, from, bytes);
	return done(event);
}

EXPORT(opencl_result, clEnqueueReadBuffer, opencl_queue queue, opencl_memory memory, uint32_t blocking, size_t offset,
       size_t bytes, void *to, uint32_t waits, const opencl_event *wait, opencl_event *event)
{
	const char *from = bytes_of(memory, offset, bytes);
	(void)queue;
	(void)blocking;
	(void)waits;
	(void)wait;

	if (from == NULL)
		return INVALID_VALUE;
	memcpy(to, from, bytes);
	return done(event);
}

EXPORT(opencl_result, clEnqueueFillBuffer, opencl_queue queue, opencl_memory memory, const void *pattern,
       size_t pattern_bytes, size_t offset, size_t bytes, uint32_t waits, const opencl_event *wait,
       opencl_event *event)
{
	char *to = bytes_of(memory, offset, bytes);
	(void)queue;
	(void)waits;
	(void)wait;

	if (to == NULL || offset % pattern_bytes != 0 || bytes % pattern_bytes != 0)
		return INVALID_VALUE;
	for (size_t k = 0; k < bytes; k += pattern_bytes)
		memcpy(to + k, pattern, pattern_bytes);
	return done(event);
}

EXPORT(opencl_program, clCreateProgramWithSource, opencl_context context, uint32_t count, const char **texts,
       const size_t *sizes, opencl_result *result)
{
	(void)context;
	(void)count;
	(void)texts;
	(void)sizes;
	return create(0, result);
}

EXPORT(opencl_program, clCreateProgramWithBinary, opencl_context context, uint32_t count,
       const opencl_device *devices, const size_t *sizes, const unsigned char **binaries, opencl_result *statuses,
       opencl_result *result)
{
	(void)context;
	(void)count;
	(void)devices;
	(void)sizes;
	(void)binaries;
	if (statuses != NULL)
		*statuses = 0;
	return create(0, result);
}

EXPORT(opencl_result, clBuildProgram, opencl_program program, uint32_t count, const opencl_device *devices,
       const char *options, void *notify, void *user)
{
	(void)program;
	(void)count;
	(void)devices;
	(void)options;
	(void)notify;
	(void)user;
	return plays("buildfail") ? BUILD_PROGRAM_FAILURE : 0;
}

EXPORT(opencl_result, clGetProgramBuildInfo, opencl_program program, opencl_device device, uint32_t what, size_t size,
       void *value, size_t *needed)
{
	(void)program;
	(void)device;
	return what == OPENCL_BUILD_LOG
		   ? answer_text(
			 "kernel.cl:3:7: warning: unused variable\n"
			 "kernel.cl:12:5: error: use of undeclared identifier 'nonsense'\n1 error generated.\n",
			 size, value, needed)
		   : INVALID_VALUE;
}

EXPORT(opencl_result, clGetProgramInfo, opencl_program program, uint32_t what, size_t size, void *value,
       size_t *needed)
{
	static const char binary[] = "fake binary";
	size_t bytes = sizeof binary;
	(void)program;

	if (what == OPENCL_PROGRAM_BINARY_SIZES)
		return answer(&bytes, sizeof bytes, size, value, needed);
	if (what != OPENCL_PROGRAM_BINARIES || value == NULL || size < sizeof(char *))
		return INVALID_VALUE;
	memcpy(*(char **)value, binary, sizeof binary);
	return 0;
}

EXPORT(opencl_result, clReleaseProgram, opencl_program program)
{
	return release(program);
}

EXPORT(opencl_kernel, clCreateKernel, opencl_program program, const char *name, opencl_result *result)
{
	(void)program;
	(void)name;
	return create(0, result);
}

EXPORT(opencl_result, clReleaseKernel, opencl_kernel kernel)
{
	return release(kernel);
}

EXPORT(opencl_result, clGetKernelWorkGroupInfo, opencl_kernel kernel, opencl_device device, uint32_t what,
       size_t size, void *value, size_t *needed)
{
	size_t most = 1024;
	(void)kernel;
	(void)device;

	return what == OPENCL_KERNEL_WORK_GROUP_SIZE ? answer(&most, sizeof most, size, value, needed)
						     : INVALID_VALUE;
}

EXPORT(opencl_result, clSetKernelArg, opencl_kernel kernel, uint32_t index, size_t size, const void *value)
{
	(void)kernel;
	(void)index;
	(void)size;
	(void)value;
	return 0;
}

EXPORT(opencl_result, clEnqueueNDRangeKernel, opencl_queue queue, opencl_kernel kernel, uint32_t dimensions,
       const size_t *offset, const size_t *global, const size_t *local, uint32_t waits, const opencl_event *wait,
       opencl_event *event)
{
	(void)queue;
	(void)kernel;
	(void)offset;
	(void)waits;
	(void)wait;
	return dimensions != 1 || local[0] == 0 || global[0] % local[0] != 0 ? INVALID_VALUE : done(event);
}

EXPORT(opencl_result, clEnqueueMarkerWithWaitList, opencl_queue queue, uint32_t waits, const opencl_event *wait,
       opencl_event *event)
{
	(void)queue;
	(void)waits;
	(void)wait;
	return done(event);
}

EXPORT(opencl_result, clWaitForEvents, uint32_t count, const opencl_event *events)
{
	(void)count;
	(void)events;
	return 0;
}

EXPORT(opencl_result, clGetEventProfilingInfo, opencl_event event, uint32_t what, size_t size, void *value,
       size_t *needed)
{
	static uint64_t time = 0;
	(void)event;
	(void)what;

	time += 1000;
	return answer(&time, sizeof time, size, value, needed);
}

EXPORT(opencl_result, clReleaseEvent, opencl_event event)
{
	return release(event);
}

EXPORT(opencl_result, clFinish, opencl_queue queue)
{
	(void)queue;
	return 0;
}
