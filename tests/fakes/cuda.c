/* A libcuda.so.1 without a GPU: memory is main memory, kernels are those of kernels.c, and faults are simulated.
 *
 *     FAKE_CUDA=works      the default: everything is right
 *               ok         all calls succeed, but kernels do nothing: results are wrong
 *               nodevice   there is no GPU               initfail    the driver does not start
 *               old        a GPU of capability 6.0       prohibited  nobody may use the GPU
 *               busy       its context cannot be made    imagefail   compiled kernels are refused (error 222)
 *               oom        memory_allocate fails (error 2)
 *               lost       launches and waits fail (error 700), and then every call
 *     FAKE_CUDA_AFTER=N    number of calls of the kind that succeed before oom or lost sets in
 *     FAKE_CUDA_DEVICE=N   the device that has the fault; default: all
 *     FAKE_CUDA_DEVICES=N  number of devices; default: 1
 *     FAKE_CUDA_MEMORY=N   bytes of each; default: 4 GB
 *     FAKE_CUDA_REPORT=F   file for the last words: "faults N, calls N, wrong N, left N"; wrong are calls that the
 *                          driver's manual forbids, e.g. with another device's memory, left is what nobody released
 *
 * With FAKE_CUDA_OLD the library lacks cuLaunchKernelEx, as drivers before CUDA 11.8 do. */
#include "fakes/fake.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

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

struct allocation {
	struct allocation *next;
	char *memory;
	size_t bytes;
	int device;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct cuda_context_handle contexts[MOST_DEVICES];
static struct allocation *allocations;
static bool started;
static long faults, calls, wrong, left; /* left: objects that are not released yet */
static __thread cuda_context current;

static bool plays(const char *behaviour)
{
	return fake_plays("FAKE_CUDA", behaviour);
}

static int count_devices(void)
{
	long count = fake_number("FAKE_CUDA_DEVICES", 1);

	return plays("nodevice") ? 0 : count < MOST_DEVICES ? (int)count : MOST_DEVICES;
}

static void add(long *counter, long number)
{
	pthread_mutex_lock(&mutex);
	*counter += number;
	pthread_mutex_unlock(&mutex);
}

static cuda_result fault(cuda_result error)
{
	add(&faults, 1);
	return error;
}

/* Calls that the manual forbids. */
static cuda_result misuse(cuda_result error)
{
	add(&wrong, 1);
	return error;
}

static bool meant(int device)
{
	return fake_is_meant("FAKE_CUDA_DEVICE", device);
}

/* At the beginning of whatever needs a context. */
static cuda_result enter(void)
{
	add(&calls, 1);
	if (!started)
		return misuse(NOT_INITIALIZED);
	if (current == NULL || current->users == 0)
		return misuse(INVALID_CONTEXT);
	return current->lost ? LOST : 0;
}

#define ENTER()                           \
	do {                              \
		cuda_result no = enter(); \
		if (no != 0)              \
			return no;        \
	} while (0)

/* Launches and waits of a device that is lost at some time. */
static cuda_result work(void)
{
	if (!plays("lost") || !meant(current->device))
		return 0;
	pthread_mutex_lock(&mutex);
	current->lost = current->launches_and_waits++ >= fake_number("FAKE_CUDA_AFTER", 0);
	pthread_mutex_unlock(&mutex);
	return current->lost ? fault(LOST) : 0;
}

static __attribute__((destructor)) void say_last_words(void)
{
	char text[128];

	snprintf(text, sizeof text, "faults %ld, calls %ld, wrong %ld, left %ld\n", faults, calls, wrong, left);
	fake_report("FAKE_CUDA_REPORT", text);
}

/* devices ---------------------------------------------------------------------------------------- */

EXPORT(cuda_result, cuInit, unsigned flags)
{
	started = !plays("initfail");
	return flags != 0 ? misuse(INVALID_VALUE) : started ? 0 : NO_DEVICE;
}

EXPORT(cuda_result, cuDriverGetVersion, int *version)
{
	*version = 12080;
	return 0;
}

EXPORT(cuda_result, cuDeviceGetCount, int *count)
{
	*count = count_devices();
	return started ? 0 : misuse(NOT_INITIALIZED);
}

EXPORT(cuda_result, cuDeviceGet, cuda_device *device, int ordinal)
{
	if (!started)
		return misuse(NOT_INITIALIZED);
	*device = ordinal;
	return ordinal >= 0 && ordinal < count_devices() ? 0 : misuse(INVALID_DEVICE);
}

EXPORT(cuda_result, cuDeviceGetName, char *name, int size, cuda_device device)
{
	snprintf(name, (size_t)size, "Fake GPU %d", device);
	return 0;
}

EXPORT(cuda_result, cuDeviceTotalMem_v2, size_t *bytes, cuda_device device)
{
	(void)device;
	*bytes = (size_t)fake_number("FAKE_CUDA_MEMORY", 4000000000L);
	return 0;
}

EXPORT(cuda_result, cuDeviceGetAttribute, int *value, int attribute, cuda_device device)
{
	bool old = plays("old") && meant(device);

	switch (attribute) {
	case CUDA_MULTIPROCESSORS:
		*value = 2;
		return 0;
	case CUDA_CLOCK_RATE:
	case CUDA_MEMORY_CLOCK_RATE:
		*value = 1000000;
		return 0;
	case CUDA_MEMORY_BUS_WIDTH:
		*value = 1024;
		return 0;
	case CUDA_CAPABILITY_MAJOR:
		*value = old ? 6 : 9;
		return 0;
	case CUDA_CAPABILITY_MINOR:
		*value = 0;
		return 0;
	case CUDA_SHARED_MEMORY_OPTIN:
		*value = LOCAL_MEMORY;
		return 0;
	case CUDA_COMPUTE_MODE:
		*value = plays("prohibited") && meant(device) ? 2 : 0;
		return 0;
	default:
		return misuse(INVALID_VALUE);
	}
}

/* contexts --------------------------------------------------------------------------------------- */

EXPORT(cuda_result, cuDevicePrimaryCtxRetain, cuda_context *context, cuda_device device)
{
	add(&calls, 1);
	if (device < 0 || device >= count_devices())
		return misuse(INVALID_DEVICE);
	if (plays("busy") && meant(device))
		return fault(DEVICE_UNAVAILABLE);
	add(&left, 1);
	contexts[device].device = device;
	contexts[device].users++;
	*context = &contexts[device];
	return 0;
}

EXPORT(cuda_result, cuDevicePrimaryCtxRelease_v2, cuda_device device)
{
	if (device < 0 || device >= count_devices() || contexts[device].users == 0)
		return misuse(INVALID_CONTEXT);
	add(&left, -1);
	if (--contexts[device].users == 0)
		contexts[device] = (struct cuda_context_handle){0};
	return 0;
}

EXPORT(cuda_result, cuCtxSetCurrent, cuda_context context)
{
	if (context != NULL && context->users == 0)
		return misuse(INVALID_CONTEXT);
	current = context;
	return 0;
}

/* memory ----------------------------------------------------------------------------------------- */

/* The allocation that these bytes lie in; the mutex is held. */
static struct allocation **find(cuda_pointer pointer, size_t bytes)
{
	struct allocation **place = &allocations;

	for (; *place != NULL; place = &(*place)->next) {
		uintptr_t begin = (uintptr_t)(*place)->memory;
		if (pointer >= begin && pointer - begin <= (*place)->bytes &&
		    bytes <= (*place)->bytes - (pointer - begin))
			break;
	}
	return place;
}

static cuda_result check_range(cuda_pointer pointer, size_t bytes, cuda_stream stream)
{
	pthread_mutex_lock(&mutex);
	const struct allocation *allocation = *find(pointer, bytes);
	bool right = allocation != NULL && allocation->device == current->device;
	pthread_mutex_unlock(&mutex);
	return !right ? misuse(INVALID_VALUE) : stream->device != current->device ? misuse(INVALID_HANDLE) : 0;
}

EXPORT(cuda_result, cuMemGetInfo_v2, size_t *free_bytes, size_t *total)
{
	ENTER();
	(void)cuDeviceTotalMem_v2(total, current->device);
	*free_bytes = *total - current->allocated;
	return 0;
}

EXPORT(cuda_result, cuMemAlloc_v2, cuda_pointer *pointer, size_t bytes)
{
	ENTER();
	if (plays("oom") && meant(current->device) && current->allocations++ >= fake_number("FAKE_CUDA_AFTER", 0))
		return fault(OUT_OF_MEMORY);
	size_t total, free_bytes;
	if (bytes == 0)
		return misuse(INVALID_VALUE);
	(void)cuMemGetInfo_v2(&free_bytes, &total);
	if (bytes > free_bytes)
		return OUT_OF_MEMORY;
	struct allocation *allocation = malloc(sizeof *allocation);
	char *memory = malloc(bytes);
	if (allocation == NULL || memory == NULL) {
		free(allocation);
		free(memory);
		return OUT_OF_MEMORY;
	}
	memset(memory, 0xA5, bytes < 65536 ? bytes : 65536); /* whatever was there before */
	pthread_mutex_lock(&mutex);
	*allocation = (struct allocation){allocations, memory, bytes, current->device};
	allocations = allocation;
	current->allocated += bytes;
	pthread_mutex_unlock(&mutex);
	add(&left, 1);
	*pointer = (cuda_pointer)(uintptr_t)memory;
	return 0;
}

EXPORT(cuda_result, cuMemFree_v2, cuda_pointer pointer)
{
	cuda_result entered = enter();

	if (current == NULL)
		return entered;
	pthread_mutex_lock(&mutex);
	struct allocation **place = find(pointer, 0), *found = *place;
	bool right =
	    found != NULL && (uintptr_t)found->memory == (uintptr_t)pointer && found->device == current->device;
	if (right) {
		*place = found->next;
		current->allocated -= found->bytes;
	}
	pthread_mutex_unlock(&mutex);
	if (!right)
		return misuse(INVALID_VALUE);
	add(&left, -1);
	free(found->memory);
	free(found);
	return entered;
}

EXPORT(cuda_result, cuMemcpyHtoDAsync_v2, cuda_pointer to, const void *from, size_t bytes, cuda_stream stream)
{
	ENTER();
	cuda_result result = check_range(to, bytes, stream);
	if (result == 0)
		memcpy((void *)(uintptr_t)to, from, bytes);
	return result;
}

EXPORT(cuda_result, cuMemcpyDtoHAsync_v2, void *to, cuda_pointer from, size_t bytes, cuda_stream stream)
{
	ENTER();
	cuda_result result = check_range(from, bytes, stream);
	if (result == 0)
		memcpy(to, (const void *)(uintptr_t)from, bytes);
	return result;
}

/* Whole pages are given back, and are zero when they are touched again: a histogram has 256 MB, most of them untouched. */
static void clear(char *memory, size_t bytes)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)memory;
	const uintptr_t first = (begin + page - 1) / page * page, last = (begin + bytes) / page * page;

	if (bytes < 1048576 || madvise((void *)first, last - first, MADV_DONTNEED) != 0) {
		memset(memory, 0, bytes);
		return;
	}
	memset(memory, 0, first - begin);
	memset((void *)last, 0, begin + bytes - last);
}

EXPORT(cuda_result, cuMemsetD8Async, cuda_pointer to, unsigned char value, size_t bytes, cuda_stream stream)
{
	ENTER();
	cuda_result result = check_range(to, bytes, stream);
	if (result == 0 && value == 0)
		clear((char *)(uintptr_t)to, bytes);
	else if (result == 0)
		memset((void *)(uintptr_t)to, value, bytes);
	return result;
}

/* streams and events ----------------------------------------------------------------------------- */

/* An object of the current device, marked as such at its beginning. */
static void *create(size_t size)
{
	int *object = calloc(1, size);

	if (object == NULL)
		abort();
	*object = current->device;
	add(&left, 1);
	return object;
}

static cuda_result destroy(void *object)
{
	cuda_result entered = enter();

	if (object == NULL || current == NULL || *(int *)object != current->device)
		return misuse(INVALID_HANDLE);
	free(object);
	add(&left, -1);
	return entered;
}

EXPORT(cuda_result, cuStreamCreate, cuda_stream *stream, unsigned flags)
{
	(void)flags;
	ENTER();
	*stream = create(sizeof **stream);
	return 0;
}

EXPORT(cuda_result, cuStreamDestroy_v2, cuda_stream stream)
{
	return destroy(stream);
}

EXPORT(cuda_result, cuStreamSynchronize, cuda_stream stream)
{
	ENTER();
	return stream->device != current->device ? misuse(INVALID_HANDLE) : work();
}

EXPORT(cuda_result, cuEventCreate, cuda_event *event, unsigned flags)
{
	(void)flags;
	ENTER();
	*event = create(sizeof **event);
	return 0;
}

EXPORT(cuda_result, cuEventDestroy_v2, cuda_event event)
{
	return destroy(event);
}

EXPORT(cuda_result, cuEventRecord, cuda_event event, cuda_stream stream)
{
	ENTER();
	if (event->device != current->device || stream->device != current->device)
		return misuse(INVALID_HANDLE);
	clock_gettime(CLOCK_MONOTONIC, &event->time);
	event->recorded = true;
	return 0;
}

EXPORT(cuda_result, cuEventSynchronize, cuda_event event)
{
	ENTER();
	return event->device != current->device ? misuse(INVALID_HANDLE) : work();
}

EXPORT(cuda_result, cuEventElapsedTime, float *milliseconds, cuda_event from, cuda_event to)
{
	ENTER();
	if (!from->recorded || !to->recorded)
		return misuse(INVALID_HANDLE);
	*milliseconds = (float)(1e3 * (double)(to->time.tv_sec - from->time.tv_sec) +
				1e-6 * (double)(to->time.tv_nsec - from->time.tv_nsec));
	return 0;
}

/* kernels ---------------------------------------------------------------------------------------- */

/* The kernels of debye that GPUs have and that kernels.c has as plain C; the work-items of those for SIMD registers are
 * independent. Kernel exact_matrix gives the sums of exact_products, and has no form for one work-item. */
#define SHAPE(...)
#define RUN_TIME_SHAPE(...)
#define VARIANT(...)
#define KERNEL(name, text, simd, plain) text##_##simd##_##plain(name)
#define NONE_SIMD_NONE(name)
#define TEXT_NONE_NONE(name)

#define DECLARE(name, unit) cpu_kernel_entry sonde_kernel_##name##_unit##unit;
#define TEXT_SIMD_NONE(name) DECLARE(name, 1) DECLARE(name, 2) DECLARE(name, 4) DECLARE(name, 8)
#define TEXT_NONE_PLAIN(name) TEXT_SIMD_NONE(name)
#define TEXT_SIMD_PLAIN(name) TEXT_SIMD_NONE(name)
#include "debye/kernels.def"
#undef TEXT_SIMD_NONE
#undef TEXT_NONE_PLAIN
#undef TEXT_SIMD_PLAIN

#define ROW(name, unit, items) {#name, unit, items, sonde_kernel_##name##_unit##unit},
#define ROWS(name, items) ROW(name, 1, items) ROW(name, 2, items) ROW(name, 4, items) ROW(name, 8, items)
#define TEXT_SIMD_NONE(name) ROWS(name, true)
#define TEXT_NONE_PLAIN(name) ROWS(name, false)
#define TEXT_SIMD_PLAIN(name) ROWS(name, false)
static const struct {
	const char *name;
	unsigned unit_tiles;
	bool items_are_groups;
	cpu_kernel_entry *entry;
} kernels[] = {
#include "debye/kernels.def"
    {"exact_matrix", 4, false, sonde_kernel_exact_products_unit4}};

/* The kernel of PTX: ".visible .entry NAME(". */
static bool read_ptx(const char *image, char kernel[64])
{
	const char *entry = strstr(image, ".version 7.8");

	return entry != NULL && (entry = strstr(entry, ".visible .entry ")) != NULL &&
	       sscanf(entry, ".visible .entry %63[a-z_0-9](", kernel) == 1;
}

/* Machine code here is what the fake of NVRTC writes, "fake cubin NAME OPTION ...", or PTX for units of four tiles. */
EXPORT(cuda_result, cuModuleLoadDataEx, cuda_module *module, const void *image, unsigned options, int *names,
       void **values)
{
	char kernel[64];
	(void)names;
	(void)values;

	ENTER();
	if (plays("imagefail") && meant(current->device))
		return fault(UNSUPPORTED_IMAGE);
	if (fake_plays("FAKE_NVRTC", "newer") && strncmp(image, "fake cubin", 10) == 0)
		return UNSUPPORTED_IMAGE;
	if (options != 0 || (sscanf(image, "fake cubin %63s", kernel) != 1 && !read_ptx(image, kernel)))
		return INVALID_IMAGE;
	const char *unit_tiles = strstr(image, " -DUNIT_TILES=");
	*module = create(sizeof **module);
	strcpy((*module)->kernel, kernel);
	(*module)->unit_tiles = unit_tiles != NULL ? (unsigned)strtoul(unit_tiles + 14, NULL, 10) : 4;
	return 0;
}

EXPORT(cuda_result, cuModuleUnload, cuda_module module)
{
	return destroy(module);
}

EXPORT(cuda_result, cuModuleGetFunction, cuda_function *function, cuda_module module, const char *name)
{
	ENTER();
	for (size_t k = 0; k < sizeof kernels / sizeof *kernels; ++k) {
		if (strcmp(module->kernel, name) != 0 || strcmp(kernels[k].name, name) != 0 ||
		    kernels[k].unit_tiles != module->unit_tiles)
			continue;
		module->function = (struct cuda_function_handle){.device = module->device,
								 .entry = kernels[k].entry,
								 .items_are_groups = kernels[k].items_are_groups};
		*function = &module->function;
		return 0;
	}
	return misuse(NOT_FOUND);
}

EXPORT(cuda_result, cuFuncGetAttribute, int *value, int attribute, cuda_function function)
{
	ENTER();
	(void)function;
	*value = attribute == CUDA_FUNCTION_REGISTERS ? 64 : 0;
	return 0;
}

EXPORT(cuda_result, cuFuncSetAttribute, cuda_function function, int attribute, int value)
{
	ENTER();
	if (attribute != CUDA_FUNCTION_MAX_DYNAMIC_SHARED || value > LOCAL_MEMORY)
		return misuse(INVALID_VALUE);
	function->local_memory = value;
	return 0;
}

#if !defined(FAKE_CUDA_OLD)
/* The group's work-items: kernels as plain C have one, and need no more local memory than on a GPU. */
static void run(const struct cuda_launch *config, const struct cuda_function_handle *function, void **arguments)
{
	unsigned groups = config->grid_x * (function->items_are_groups ? config->block_x : 1);
	void *local_memory = malloc(LOCAL_MEMORY);

	if (local_memory == NULL)
		abort();
	for (unsigned id = 0; id < groups; ++id) {
		struct cpu_group group = {.id = id, .worker = id, .local_memory = local_memory};
		function->entry(&group, arguments);
	}
	free(local_memory);
}

EXPORT(cuda_result, cuLaunchKernelEx, const struct cuda_launch *config, cuda_function function, void **arguments,
       void **extra)
{
	ENTER();
	unsigned allowed =
	    function->local_memory > LOCAL_WITHOUT_ASKING ? (unsigned)function->local_memory : LOCAL_WITHOUT_ASKING;
	if (function->device != current->device || config->stream->device != current->device)
		return misuse(INVALID_HANDLE);
	if (extra != NULL || config->attribute_count != 0 || config->grid_x == 0 || config->grid_y != 1 ||
	    config->grid_z != 1 || config->block_x == 0 || config->block_x > 1024 || config->block_y != 1 ||
	    config->block_z != 1 || config->shared_bytes > allowed)
		return misuse(INVALID_VALUE);
	cuda_result result = work();
	if (result == 0 && plays("ok") && meant(current->device))
		add(&faults, 1);
	else if (result == 0)
		run(config, function, arguments);
	return result;
}
#endif

EXPORT(cuda_result, cuGetErrorString, cuda_result error, const char **text)
{
	static const struct {
		cuda_result error;
		const char *text;
	} texts[] = {{INVALID_VALUE, "invalid argument"},
		     {OUT_OF_MEMORY, "out of memory"},
		     {NOT_INITIALIZED, "initialization error"},
		     {DEVICE_UNAVAILABLE, "CUDA-capable device(s) is/are busy or unavailable"},
		     {NO_DEVICE, "no CUDA-capable device is detected"},
		     {INVALID_DEVICE, "invalid device ordinal"},
		     {INVALID_IMAGE, "device kernel image is invalid"},
		     {INVALID_CONTEXT, "invalid device context"},
		     {UNSUPPORTED_IMAGE, "the provided PTX was compiled with an unsupported toolchain."},
		     {INVALID_HANDLE, "invalid resource handle"},
		     {NOT_FOUND, "named symbol not found"},
		     {LOST, "an illegal memory access was encountered"}};

	for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
		if (texts[k].error == error) {
			*text = texts[k].text;
			return 0;
		}
	}
	*text = NULL;
	return INVALID_VALUE;
}
