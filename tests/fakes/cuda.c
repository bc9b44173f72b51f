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
#include "fakes/cuda.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct allocation {
	struct allocation *next;
	char *memory;
	size_t bytes;
	int device;
	int file; /* not 0: the memory is that of a file, of which other processes know the number */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct cuda_context_handle contexts[MOST_DEVICES];
static struct allocation *allocations;
static bool started;
static long faults, calls, wrong, left; /* left: objects that are not released yet */
__thread cuda_context cuda_current;
/* contexts below the current one */
#define MOST_COVERED 8
static __thread cuda_context covered[MOST_COVERED];
static __thread int covered_count;

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

cuda_result cuda_fault(cuda_result error)
{
	add(&faults, 1);
	return error;
}

cuda_result cuda_misuse(cuda_result error)
{
	add(&wrong, 1);
	return error;
}

cuda_result cuda_enter(void)
{
	add(&calls, 1);
	if (!started)
		return cuda_misuse(NOT_INITIALIZED);
	if (cuda_current == NULL || cuda_current->users == 0)
		return cuda_misuse(INVALID_CONTEXT);
	return cuda_current->lost ? LOST : 0;
}

cuda_result cuda_work(void)
{
	if (!plays("lost") || !meant(cuda_current->device))
		return 0;
	pthread_mutex_lock(&mutex);
	cuda_current->lost = cuda_current->launches_and_waits++ >= fake_number("FAKE_CUDA_AFTER", 0);
	pthread_mutex_unlock(&mutex);
	return cuda_current->lost ? cuda_fault(LOST) : 0;
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
	return flags != 0 ? cuda_misuse(INVALID_VALUE) : started ? 0 : NO_DEVICE;
}

EXPORT(cuda_result, cuDriverGetVersion, int *version)
{
	*version = 12080;
	return 0;
}

EXPORT(cuda_result, cuDeviceGetCount, int *count)
{
	*count = count_devices();
	return started ? 0 : cuda_misuse(NOT_INITIALIZED);
}

EXPORT(cuda_result, cuDeviceGet, cuda_device *device, int ordinal)
{
	if (!started)
		return cuda_misuse(NOT_INITIALIZED);
	*device = ordinal;
	return ordinal >= 0 && ordinal < count_devices() ? 0 : cuda_misuse(INVALID_DEVICE);
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
		return cuda_misuse(INVALID_VALUE);
	}
}

/* contexts --------------------------------------------------------------------------------------- */

EXPORT(cuda_result, cuDevicePrimaryCtxRetain, cuda_context *context, cuda_device device)
{
	add(&calls, 1);
	if (device < 0 || device >= count_devices())
		return cuda_misuse(INVALID_DEVICE);
	if (plays("busy") && meant(device))
		return cuda_fault(DEVICE_UNAVAILABLE);
	add(&left, 1);
	contexts[device].device = device;
	contexts[device].users++;
	*context = &contexts[device];
	return 0;
}

EXPORT(cuda_result, cuDevicePrimaryCtxRelease_v2, cuda_device device)
{
	if (device < 0 || device >= count_devices() || contexts[device].users == 0)
		return cuda_misuse(INVALID_CONTEXT);
	add(&left, -1);
	if (--contexts[device].users == 0)
		contexts[device] = (struct cuda_context_handle){0};
	return 0;
}

EXPORT(cuda_result, cuCtxSetCurrent, cuda_context context)
{
	if (context != NULL && context->users == 0)
		return cuda_misuse(INVALID_CONTEXT);
	cuda_current = context;
	return 0;
}

/* Also for tests, which ask whether the context of their thread was put back. */
EXPORT(cuda_result, cuCtxGetCurrent, cuda_context *context)
{
	*context = cuda_current;
	return 0;
}

EXPORT(cuda_result, cuCtxPushCurrent_v2, cuda_context context)
{
	if (context == NULL || context->users == 0 || covered_count == MOST_COVERED)
		return cuda_misuse(INVALID_CONTEXT);
	covered[covered_count++] = cuda_current;
	cuda_current = context;
	return 0;
}

EXPORT(cuda_result, cuCtxPopCurrent_v2, cuda_context *context)
{
	if (covered_count == 0)
		return cuda_misuse(INVALID_CONTEXT);
	*context = cuda_current;
	cuda_current = covered[--covered_count];
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

/* The null stream is the default one of the current context. */
static bool is_other_device(cuda_stream stream)
{
	return stream != NULL && stream->device != cuda_current->device;
}

static cuda_result check_range(cuda_pointer pointer, size_t bytes, cuda_stream stream)
{
	pthread_mutex_lock(&mutex);
	const struct allocation *allocation = *find(pointer, bytes);
	bool right = allocation != NULL && allocation->device == cuda_current->device;
	pthread_mutex_unlock(&mutex);
	return !right ? cuda_misuse(INVALID_VALUE) : is_other_device(stream) ? cuda_misuse(INVALID_HANDLE) : 0;
}

EXPORT(cuda_result, cuMemGetInfo_v2, size_t *free_bytes, size_t *total)
{
	ENTER();
	(void)cuDeviceTotalMem_v2(total, cuda_current->device);
	*free_bytes = *total - cuda_current->allocated;
	return 0;
}

static void release_memory(char *memory, size_t bytes, int file)
{
	if (file == 0) {
		free(memory);
		return;
	}
	if (memory != NULL)
		(void)munmap(memory, bytes);
	(void)close(file);
}

bool cuda_file_of(cuda_pointer pointer, int *file, size_t *bytes)
{
	pthread_mutex_lock(&mutex);
	const struct allocation *found = *find(pointer, 0);
	const bool right = found != NULL && (uintptr_t)found->memory == (uintptr_t)pointer && found->file != 0 &&
			   found->device == cuda_current->device;
	if (right) {
		*file = found->file;
		*bytes = found->bytes;
	}
	pthread_mutex_unlock(&mutex);
	return right;
}

EXPORT(cuda_result, cuMemAlloc_v2, cuda_pointer *pointer, size_t bytes)
{
	ENTER();
	if (plays("oom") && meant(cuda_current->device) &&
	    cuda_current->allocations++ >= fake_number("FAKE_CUDA_AFTER", 0))
		return cuda_fault(OUT_OF_MEMORY);
	size_t total, free_bytes;
	if (bytes == 0)
		return cuda_misuse(INVALID_VALUE);
	(void)cuMemGetInfo_v2(&free_bytes, &total);
	if (bytes > free_bytes)
		return OUT_OF_MEMORY;
	struct allocation *allocation = malloc(sizeof *allocation);
	int file = 0;
	char *memory = cuda_memory_is_shared() ? cuda_shared_memory(bytes, &file) : malloc(bytes);
	if (allocation == NULL || memory == NULL) {
		free(allocation);
		release_memory(memory, bytes, file);
		return OUT_OF_MEMORY;
	}
	memset(memory, 0xA5, bytes < 65536 ? bytes : 65536); /* whatever was there before */
	pthread_mutex_lock(&mutex);
	*allocation = (struct allocation){allocations, memory, bytes, cuda_current->device, file};
	allocations = allocation;
	cuda_current->allocated += bytes;
	pthread_mutex_unlock(&mutex);
	add(&left, 1);
	*pointer = (cuda_pointer)(uintptr_t)memory;
	return 0;
}

EXPORT(cuda_result, cuMemFree_v2, cuda_pointer pointer)
{
	cuda_result entered = cuda_enter();

	if (cuda_current == NULL)
		return entered;
	pthread_mutex_lock(&mutex);
	struct allocation **place = find(pointer, 0), *found = *place;
	bool right =
	    found != NULL && (uintptr_t)found->memory == (uintptr_t)pointer && found->device == cuda_current->device;
	if (right) {
		*place = found->next;
		cuda_current->allocated -= found->bytes;
	}
	pthread_mutex_unlock(&mutex);
	if (!right)
		return cuda_misuse(INVALID_VALUE);
	add(&left, -1);
	release_memory(found->memory, found->bytes, found->file);
	free(found);
	return entered;
}

bool cuda_add_addresses(char *memory, size_t bytes)
{
	struct allocation *allocation = malloc(sizeof *allocation);

	if (allocation == NULL)
		return false;
	pthread_mutex_lock(&mutex);
	*allocation = (struct allocation){allocations, memory, bytes, cuda_current->device, 0};
	allocations = allocation;
	pthread_mutex_unlock(&mutex);
	return true;
}

bool cuda_remove_addresses(char *memory)
{
	pthread_mutex_lock(&mutex);
	struct allocation **place = find((cuda_pointer)(uintptr_t)memory, 0), *found = *place;
	const bool right = found != NULL && found->memory == memory;
	if (right)
		*place = found->next;
	pthread_mutex_unlock(&mutex);
	if (right)
		free(found);
	return right;
}

void cuda_count_left(long change)
{
	add(&left, change);
}

EXPORT(cuda_result, cuMemcpyHtoDAsync_v2, cuda_pointer to, const void *from, size_t bytes, cuda_stream stream)
{
	ENTER();
	cuda_result result = check_range(to, bytes, stream);
	if (result == 0)
		memcpy((void *)(uintptr_t)to, from, bytes);
	return result;
}

EXPORT(cuda_result, cuMemcpyDtoDAsync_v2, cuda_pointer to, cuda_pointer from, size_t bytes, cuda_stream stream)
{
	ENTER();
	cuda_result result = check_range(from, bytes, stream);
	if (result == 0)
		result = check_range(to, bytes, stream);
	if (result == 0)
		memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
	return result;
}

/* Whether all of these bytes are memory of a device. */
static bool has(int device, cuda_pointer pointer, size_t bytes)
{
	pthread_mutex_lock(&mutex);
	const struct allocation *allocation = *find(pointer, bytes);
	const bool right = allocation != NULL && allocation->device == device;
	pthread_mutex_unlock(&mutex);
	return right;
}

EXPORT(cuda_result, cuMemcpyPeerAsync, cuda_pointer to, cuda_context there, cuda_pointer from, cuda_context here,
       size_t bytes, cuda_stream stream)
{
	ENTER();
	if (there->users == 0 || here->users == 0)
		return cuda_misuse(INVALID_CONTEXT);
	if (stream->device != cuda_current->device || !has(there->device, to, bytes) ||
	    !has(here->device, from, bytes))
		return cuda_misuse(INVALID_VALUE);
	memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
	return 0;
}

EXPORT(cuda_result, cuCtxEnablePeerAccess, cuda_context peer, unsigned flags)
{
	ENTER();
	return flags != 0 || peer == cuda_current ? cuda_misuse(INVALID_VALUE) : 0;
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

	if (bytes < 1048576 || cuda_memory_is_shared() || madvise((void *)first, last - first, MADV_DONTNEED) != 0) {
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

void *cuda_create(size_t size)
{
	int *object = calloc(1, size);

	if (object == NULL)
		abort();
	*object = cuda_current->device;
	add(&left, 1);
	return object;
}

cuda_result cuda_destroy(void *object)
{
	cuda_result entered = cuda_enter();

	if (object == NULL || cuda_current == NULL || *(int *)object != cuda_current->device)
		return cuda_misuse(INVALID_HANDLE);
	free(object);
	add(&left, -1);
	return entered;
}

EXPORT(cuda_result, cuStreamCreateWithPriority, cuda_stream *stream, unsigned flags, int priority)
{
	(void)flags;
	(void)priority;
	ENTER();
	*stream = cuda_create(sizeof **stream);
	return 0;
}

EXPORT(cuda_result, cuStreamDestroy_v2, cuda_stream stream)
{
	return cuda_destroy(stream);
}

EXPORT(cuda_result, cuStreamSynchronize, cuda_stream stream)
{
	ENTER();
	return is_other_device(stream) ? cuda_misuse(INVALID_HANDLE) : cuda_work();
}

EXPORT(cuda_result, cuEventCreate, cuda_event *event, unsigned flags)
{
	ENTER();
	*event = cuda_create(sizeof **event);
	(*event)->flags = flags;
	return 0;
}

EXPORT(cuda_result, cuEventDestroy_v2, cuda_event event)
{
	return cuda_destroy(event);
}

EXPORT(cuda_result, cuEventRecord, cuda_event event, cuda_stream stream)
{
	ENTER();
	if (event->device != cuda_current->device || stream->device != cuda_current->device)
		return cuda_misuse(INVALID_HANDLE);
	if (event->flags & CUDA_EVENT_WITHOUT_TIME)
		return 0;
	clock_gettime(CLOCK_MONOTONIC, &event->time);
	event->recorded = true;
	return 0;
}

EXPORT(cuda_result, cuEventQuery, cuda_event event)
{
	(void)event;
	return 0;
}

EXPORT(cuda_result, cuEventSynchronize, cuda_event event)
{
	ENTER();
	return event->device != cuda_current->device ? cuda_misuse(INVALID_HANDLE) : cuda_work();
}

EXPORT(cuda_result, cuEventElapsedTime, float *milliseconds, cuda_event from, cuda_event to)
{
	ENTER();
	if (!from->recorded || !to->recorded)
		return cuda_misuse(INVALID_HANDLE);
	*milliseconds = (float)(1e3 * (double)(to->time.tv_sec - from->time.tv_sec) +
				1e-6 * (double)(to->time.tv_nsec - from->time.tv_nsec));
	return 0;
}

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
