/* A libOpenCL.so.1 between the program and the real one: everything works as it does there, until a fault sets in.
 *
 *     FAKE_OPENCL_REAL=PATH     the real library
 *     FAKE_OPENCL_FAULT=launch  clEnqueueNDRangeKernel fails (error -5)
 *                       buffer  clCreateBuffer fails (-4)      read  clEnqueueReadBuffer fails (-5)
 *                       write   clEnqueueWriteBuffer (-5)      fill  clEnqueueFillBuffer (-5)
 *                       wait    clFinish and clWaitForEvents (-5)
 *                       context clCreateContext (-5)           queue clCreateCommandQueue (-6)
 *                       build   clBuildProgram fails (-11)     kernel clCreateKernel (-6)
 *                       source  clCreateProgramWithSource fails (-6): nothing can be compiled anew
 *                       wrong   launches do nothing, but report success
 *     FAKE_OPENCL_AFTER=N       number of calls of that kind that succeed before, counted for each device
 *     FAKE_OPENCL_DEVICE=N      the device that has the fault, by number over all platforms; default: all
 *     FAKE_OPENCL_GPU=1         processors report that they are GPUs
 *     FAKE_OPENCL_PLATFORM=NAME platforms report this name
 *     FAKE_OPENCL_REPORT=F      file for the last words: "faults N, calls N, left N" (left: what nobody released) */
#include "fakes/fake.h"

#include <dlfcn.h>
#include <pthread.h>

#include "device/opencl_api.h"

#define OUT_OF_DEVICE_MEMORY (-4)
#define OUT_OF_RESOURCES (-5)
#define OUT_OF_HOST_MEMORY (-6)
#define BUILD_PROGRAM_FAILURE (-11)
#define PROGRAM_CONTEXT 0x1161
#define EVENT_COMMAND_QUEUE 0x11D0
#define MOST 64

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static opencl_device devices[MOST];
static int device_count;
static long calls_of[MOST]; /* of the kind that fails */
static struct owned {
	const void *object; /* a context or a queue */
	int device;
} owned[MOST];
static int owned_count;
static long faults, calls, left;

static __attribute__((destructor)) void say_last_words(void)
{
	char text[96];

	snprintf(text, sizeof text, "faults %ld, calls %ld, left %ld\n", faults, calls, left);
	fake_report("FAKE_OPENCL_REPORT", text);
}

static void *find(const char *name)
{
	static void *library;

	pthread_mutex_lock(&mutex);
	if (library == NULL) {
		const char *path = getenv("FAKE_OPENCL_REAL");
		library = path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	}
	void *address = library != NULL ? dlsym(library, name) : NULL;
	pthread_mutex_unlock(&mutex);
	if (address == NULL) {
		fprintf(stderr, "fake OpenCL: FAKE_OPENCL_REAL has no %s\n", name);
		abort();
	}
	return address;
}

/* Calls function `name` of the real library, with the prototype of struct opencl_api. */
#define REAL(member, name, ...) (((struct opencl_api){.member = find(#name)}).member(__VA_ARGS__))

static int number_of_device(opencl_device device)
{
	for (int k = 0; k < device_count; ++k)
		if (devices[k] == device)
			return k;
	return -1;
}

static void own(const void *object, opencl_device device)
{
	pthread_mutex_lock(&mutex);
	if (object != NULL && owned_count < MOST)
		owned[owned_count++] = (struct owned){object, number_of_device(device)};
	pthread_mutex_unlock(&mutex);
}

/* The device of a context or a queue: the newest one at that address. */
static int owner_of(const void *object)
{
	for (int k = owned_count; k-- > 0;)
		if (owned[k].object == object)
			return owned[k].device;
	return -1;
}

static void count(long *counter, long number)
{
	pthread_mutex_lock(&mutex);
	*counter += number;
	pthread_mutex_unlock(&mutex);
}

/* An object that was made has to be released. */
#define MADE(object) ((object) != NULL ? count(&left, 1) : (void)0)

/* Whether this call, of a kind and a device, fails. */
static bool fails(const char *kind, int device)
{
	pthread_mutex_lock(&mutex);
	++calls;
	bool failing = fake_plays("FAKE_OPENCL_FAULT", kind) && device >= 0 &&
		       fake_is_meant("FAKE_OPENCL_DEVICE", device) &&
		       calls_of[device]++ >= fake_number("FAKE_OPENCL_AFTER", 0);
	faults += failing;
	pthread_mutex_unlock(&mutex);
	return failing;
}

/* programs and kernels belong to a context, but each context has one device here */
static int program_device(opencl_program program)
{
	opencl_context context = NULL;

	(void)REAL(program_info, clGetProgramInfo, program, PROGRAM_CONTEXT, sizeof context, &context, NULL);
	return owner_of(context);
}

EXPORT(opencl_result, clGetPlatformIDs, uint32_t most, opencl_platform *list, uint32_t *found)
{
	return REAL(platforms, clGetPlatformIDs, most, list, found);
}

EXPORT(opencl_result, clGetPlatformInfo, opencl_platform platform, uint32_t what, size_t size, void *value,
       size_t *needed)
{
	const char *name = getenv("FAKE_OPENCL_PLATFORM");

	if (what != OPENCL_PLATFORM_NAME || name == NULL)
		return REAL(platform_info, clGetPlatformInfo, platform, what, size, value, needed);
	if (needed != NULL)
		*needed = strlen(name) + 1;
	if (value != NULL)
		snprintf(value, size, "%s", name);
	return 0;
}

EXPORT(opencl_result, clGetDeviceIDs, opencl_platform platform, uint64_t type, uint32_t most, opencl_device *list,
       uint32_t *found)
{
	uint32_t here = 0;
	opencl_result result = REAL(devices, clGetDeviceIDs, platform, type, most, list, &here);

	if (found != NULL)
		*found = here;
	for (uint32_t k = 0; result == 0 && list != NULL && k < here && k < most && device_count < MOST; ++k)
		if (number_of_device(list[k]) < 0)
			devices[device_count++] = list[k];
	return result;
}

EXPORT(opencl_result, clGetDeviceInfo, opencl_device device, uint32_t what, size_t size, void *value, size_t *needed)
{
	opencl_result result = REAL(device_info, clGetDeviceInfo, device, what, size, value, needed);

	if (result == 0 && what == OPENCL_DEVICE_TYPE && value != NULL && fake_number("FAKE_OPENCL_GPU", 0) != 0)
		*(uint64_t *)value = OPENCL_DEVICE_TYPE_GPU;
	return result;
}

EXPORT(opencl_context, clCreateContext, const intptr_t *properties, uint32_t number, const opencl_device *list,
       void *notify, void *user, opencl_result *result)
{
	*result = OUT_OF_RESOURCES;
	if (fails("context", number_of_device(list[0])))
		return NULL;
	opencl_context context =
	    REAL(context_create, clCreateContext, properties, number, list, notify, user, result);
	own(context, list[0]);
	MADE(context);
	return context;
}

EXPORT(opencl_queue, clCreateCommandQueue, opencl_context context, opencl_device device, uint64_t properties,
       opencl_result *result)
{
	*result = OUT_OF_HOST_MEMORY;
	if (fails("queue", number_of_device(device)))
		return NULL;
	opencl_queue queue = REAL(queue_create, clCreateCommandQueue, context, device, properties, result);
	own(queue, device);
	MADE(queue);
	return queue;
}

EXPORT(opencl_memory, clCreateBuffer, opencl_context context, uint64_t flags, size_t bytes, void *host,
       opencl_result *result)
{
	*result = OUT_OF_DEVICE_MEMORY;
	if (fails("buffer", owner_of(context)))
		return NULL;
	opencl_memory memory = REAL(buffer_create, clCreateBuffer, context, flags, bytes, host, result);
	MADE(memory);
	return memory;
}

EXPORT(opencl_result, clEnqueueWriteBuffer, opencl_queue queue, opencl_memory memory, uint32_t blocking,
       size_t offset, size_t bytes, const void *from, uint32_t waits, const opencl_event *wait, opencl_event *event)
{
	if (fails("write", owner_of(queue)))
		return OUT_OF_RESOURCES;
	return REAL(write, clEnqueueWriteBuffer, queue, memory, blocking, offset, bytes, from, waits, wait, event);
}

EXPORT(opencl_result, clEnqueueReadBuffer, opencl_queue queue, opencl_memory memory, uint32_t blocking, size_t offset,
       size_t bytes, void *to, uint32_t waits, const opencl_event *wait, opencl_event *event)
{
	if (fails("read", owner_of(queue)))
		return OUT_OF_RESOURCES;
	return REAL(read, clEnqueueReadBuffer, queue, memory, blocking, offset, bytes, to, waits, wait, event);
}

EXPORT(opencl_result, clEnqueueFillBuffer, opencl_queue queue, opencl_memory memory, const void *pattern,
       size_t pattern_bytes, size_t offset, size_t bytes, uint32_t waits, const opencl_event *wait,
       opencl_event *event)
{
	if (fails("fill", owner_of(queue)))
		return OUT_OF_RESOURCES;
	return REAL(fill, clEnqueueFillBuffer, queue, memory, pattern, pattern_bytes, offset, bytes, waits, wait,
		    event);
}

EXPORT(opencl_program, clCreateProgramWithSource, opencl_context context, uint32_t number, const char **texts,
       const size_t *sizes, opencl_result *result)
{
	*result = OUT_OF_HOST_MEMORY;
	if (fails("source", owner_of(context)))
		return NULL;
	opencl_program program =
	    REAL(program_from_source, clCreateProgramWithSource, context, number, texts, sizes, result);
	MADE(program);
	return program;
}

EXPORT(opencl_program, clCreateProgramWithBinary, opencl_context context, uint32_t number, const opencl_device *list,
       const size_t *sizes, const unsigned char **binaries, opencl_result *statuses, opencl_result *result)
{
	opencl_program program = REAL(program_from_binary, clCreateProgramWithBinary, context, number, list, sizes,
				      binaries, statuses, result);

	MADE(program);
	return program;
}

EXPORT(opencl_result, clBuildProgram, opencl_program program, uint32_t number, const opencl_device *list,
       const char *options, void *notify, void *user)
{
	if (fails("build", number_of_device(list[0])))
		return BUILD_PROGRAM_FAILURE;
	return REAL(program_build, clBuildProgram, program, number, list, options, notify, user);
}

EXPORT(opencl_result, clGetProgramBuildInfo, opencl_program program, opencl_device device, uint32_t what, size_t size,
       void *value, size_t *needed)
{
	return REAL(build_info, clGetProgramBuildInfo, program, device, what, size, value, needed);
}

EXPORT(opencl_result, clGetProgramInfo, opencl_program program, uint32_t what, size_t size, void *value,
       size_t *needed)
{
	return REAL(program_info, clGetProgramInfo, program, what, size, value, needed);
}

EXPORT(opencl_kernel, clCreateKernel, opencl_program program, const char *name, opencl_result *result)
{
	*result = OUT_OF_HOST_MEMORY;
	if (fails("kernel", program_device(program)))
		return NULL;
	opencl_kernel kernel = REAL(kernel_create, clCreateKernel, program, name, result);
	MADE(kernel);
	return kernel;
}

EXPORT(opencl_result, clGetKernelWorkGroupInfo, opencl_kernel kernel, opencl_device device, uint32_t what,
       size_t size, void *value, size_t *needed)
{
	return REAL(kernel_info, clGetKernelWorkGroupInfo, kernel, device, what, size, value, needed);
}

EXPORT(opencl_result, clSetKernelArg, opencl_kernel kernel, uint32_t index, size_t size, const void *value)
{
	return REAL(kernel_argument, clSetKernelArg, kernel, index, size, value);
}

EXPORT(opencl_result, clEnqueueNDRangeKernel, opencl_queue queue, opencl_kernel kernel, uint32_t dimensions,
       const size_t *offset, const size_t *global, const size_t *local, uint32_t waits, const opencl_event *wait,
       opencl_event *event)
{
	int device = owner_of(queue);

	if (fails("launch", device))
		return OUT_OF_RESOURCES;
	if (event == NULL && fake_plays("FAKE_OPENCL_FAULT", "wrong") && fails("wrong", device))
		return 0;
	return REAL(launch, clEnqueueNDRangeKernel, queue, kernel, dimensions, offset, global, local, waits, wait,
		    event);
}

EXPORT(opencl_result, clEnqueueMarkerWithWaitList, opencl_queue queue, uint32_t waits, const opencl_event *wait,
       opencl_event *event)
{
	opencl_result result = REAL(marker, clEnqueueMarkerWithWaitList, queue, waits, wait, event);

	if (result == 0 && event != NULL)
		MADE(*event);
	return result;
}

EXPORT(opencl_result, clWaitForEvents, uint32_t number, const opencl_event *events)
{
	opencl_result (*about)(opencl_event, uint32_t, size_t, void *, size_t *) = find("clGetEventInfo");
	opencl_queue queue = NULL;

	if (number > 0 && about(events[0], EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL) == 0 &&
	    fails("wait", owner_of(queue)))
		return OUT_OF_RESOURCES;
	return REAL(wait_for_events, clWaitForEvents, number, events);
}

EXPORT(opencl_result, clGetEventProfilingInfo, opencl_event event, uint32_t what, size_t size, void *value,
       size_t *needed)
{
	return REAL(profiling, clGetEventProfilingInfo, event, what, size, value, needed);
}

EXPORT(opencl_result, clFinish, opencl_queue queue)
{
	if (fails("wait", owner_of(queue)))
		return OUT_OF_RESOURCES;
	return REAL(finish, clFinish, queue);
}

#define RELEASE(name, member, type)                \
	EXPORT(opencl_result, name, type object)   \
	{                                          \
		count(&left, -1);                  \
		return REAL(member, name, object); \
	}
RELEASE(clReleaseContext, context_release, opencl_context)
RELEASE(clReleaseCommandQueue, queue_release, opencl_queue)
RELEASE(clReleaseMemObject, memory_release, opencl_memory)
RELEASE(clReleaseProgram, program_release, opencl_program)
RELEASE(clReleaseKernel, kernel_release, opencl_kernel)
RELEASE(clReleaseEvent, event_release, opencl_event)
