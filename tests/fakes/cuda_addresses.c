/* Virtual addresses of the simulated driver cuda.c: memory is an anonymous file, mapped where it is asked for. */
#include "fakes/cuda.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define GRANULARITY 65536u

struct memory {
	int file;
	size_t bytes;
};

static bool is_right(const struct cuda_memory_properties *properties)
{
	return properties->type == CUDA_MEMORY_PINNED && properties->location == CUDA_LOCATION_DEVICE &&
	       properties->device == cuda_current->device;
}

EXPORT(cuda_result, cuMemGetAllocationGranularity, size_t *bytes, const struct cuda_memory_properties *properties,
       int option)
{
	ENTER();
	if (!is_right(properties) || option != CUDA_GRANULARITY_MINIMUM)
		return cuda_misuse(INVALID_VALUE);
	*bytes = GRANULARITY;
	return 0;
}

/* Addresses that begin at a multiple of the granularity; null if there are none. */
static char *reserve(size_t bytes)
{
	char *all = mmap(NULL, bytes + GRANULARITY, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (all == MAP_FAILED)
		return NULL;
	const size_t before = (GRANULARITY - (uintptr_t)all % GRANULARITY) % GRANULARITY;
	if (before > 0)
		(void)munmap(all, before);
	(void)munmap(all + before + bytes, GRANULARITY - before);
	return all + before;
}

EXPORT(cuda_result, cuMemAddressReserve, cuda_pointer *pointer, size_t bytes, size_t alignment, cuda_pointer wanted,
       unsigned long long flags)
{
	ENTER();
	if (bytes == 0 || bytes % GRANULARITY != 0 || alignment != 0 || wanted != 0 || flags != 0)
		return cuda_misuse(INVALID_VALUE);
	char *base = reserve(bytes);
	if (base == NULL || !cuda_add_addresses(base, bytes))
		return OUT_OF_MEMORY;
	cuda_count_left(1);
	*pointer = (cuda_pointer)(uintptr_t)base;
	return 0;
}

EXPORT(cuda_result, cuMemAddressFree, cuda_pointer pointer, size_t bytes)
{
	char *base = (char *)(uintptr_t)pointer;

	if (!cuda_remove_addresses(base))
		return cuda_misuse(INVALID_VALUE);
	cuda_count_left(-1);
	return munmap(base, bytes) == 0 ? 0 : cuda_misuse(INVALID_VALUE);
}

EXPORT(cuda_result, cuMemCreate, cuda_memory *handle, size_t bytes, const struct cuda_memory_properties *properties,
       unsigned long long flags)
{
	ENTER();
	if (!is_right(properties) || bytes == 0 || bytes % GRANULARITY != 0 || flags != 0)
		return cuda_misuse(INVALID_VALUE);
	if (plays("oom") && meant(cuda_current->device) &&
	    cuda_current->allocations++ >= fake_number("FAKE_CUDA_AFTER", 0))
		return cuda_fault(OUT_OF_MEMORY);
	struct memory *memory = malloc(sizeof *memory);
	if (memory == NULL)
		return OUT_OF_MEMORY;
	*memory = (struct memory){memfd_create("fake", MFD_CLOEXEC), bytes};
	if (memory->file < 0 || ftruncate(memory->file, (off_t)bytes) != 0) {
		free(memory);
		return OUT_OF_MEMORY;
	}
	cuda_count_left(1);
	*handle = (cuda_memory)(uintptr_t)memory;
	return 0;
}

EXPORT(cuda_result, cuMemRelease, cuda_memory handle)
{
	struct memory *memory = (struct memory *)(uintptr_t)handle;

	(void)close(memory->file);
	free(memory);
	cuda_count_left(-1);
	return 0;
}

EXPORT(cuda_result, cuMemMap, cuda_pointer pointer, size_t bytes, size_t offset, cuda_memory handle,
       unsigned long long flags)
{
	ENTER();
	const struct memory *memory = (const struct memory *)(uintptr_t)handle;
	if (pointer % GRANULARITY != 0 || bytes != memory->bytes || offset != 0 || flags != 0)
		return cuda_misuse(INVALID_VALUE);
	return mmap((void *)(uintptr_t)pointer, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, memory->file, 0) ==
		       MAP_FAILED
		   ? cuda_misuse(INVALID_VALUE)
		   : 0;
}

EXPORT(cuda_result, cuMemSetAccess, cuda_pointer pointer, size_t bytes, const struct cuda_memory_access *access,
       size_t count)
{
	ENTER();
	if (count != 1 || access->location != CUDA_LOCATION_DEVICE || access->device != cuda_current->device ||
	    access->access != CUDA_ACCESS_READ_WRITE)
		return cuda_misuse(INVALID_VALUE);
	return mprotect((void *)(uintptr_t)pointer, bytes, PROT_READ | PROT_WRITE) == 0 ? 0
											: cuda_misuse(INVALID_VALUE);
}

EXPORT(cuda_result, cuMemUnmap, cuda_pointer pointer, size_t bytes)
{
	return mmap((void *)(uintptr_t)pointer, bytes, PROT_NONE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED
		   ? cuda_misuse(INVALID_VALUE)
		   : 0;
}

EXPORT(cuda_result, cuMemHostRegister_v2, void *memory, size_t bytes, unsigned flags)
{
	ENTER();
	if (memory == NULL || bytes == 0 || flags != 1)
		return cuda_misuse(INVALID_VALUE);
	cuda_count_left(1);
	return 0;
}

EXPORT(cuda_result, cuMemHostUnregister, void *memory)
{
	if (memory == NULL)
		return cuda_misuse(INVALID_VALUE);
	cuda_count_left(-1);
	return 0;
}

EXPORT(cuda_result, cuStreamWaitEvent, cuda_stream stream, cuda_event event, unsigned flags)
{
	ENTER();
	if (stream->device != cuda_current->device || (!event->recorded && event->flags == 0) || flags != 0)
		return cuda_misuse(INVALID_HANDLE);
	return 0;
}
