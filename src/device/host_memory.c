/* Memory of the host for copies beside kernels: in huge pages where the system offers them, touched by all threads, and
 * pinned. The driver would find and clear small pages one after the other: 13 s for 27 GB. */
#include <sys/mman.h>

#include "base/memory.h"
#include "base/threads.h"
#include "device/backend.h"
#include "device/device.h"

#define HUGE_PAGE ((size_t)2 << 20)
#define PAGE ((size_t)4096)

struct touching {
	char *bytes;
	size_t count;
};

static void touch(void *state, int64_t first, int64_t end, int worker)
{
	const struct touching *touching = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const size_t begin = (size_t)n * HUGE_PAGE,
			     behind = begin + HUGE_PAGE < touching->count ? begin + HUGE_PAGE : touching->count;
		for (size_t at = begin; at < behind; at += PAGE)
			*(volatile char *)(touching->bytes + at) = 0;
	}
}

static void prepare(const struct device *device, char *bytes, size_t count)
{
	struct touching touching = {bytes, count};
	const size_t first = (HUGE_PAGE - (uintptr_t)bytes % HUGE_PAGE) % HUGE_PAGE;

	if (count > first + HUGE_PAGE)
		(void)madvise(bytes + first, (count - first) / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
	threads_for(device->properties.host_threads, (int64_t)((count + HUGE_PAGE - 1) / HUGE_PAGE), 1, touch,
		    &touching);
}

sonde_status device_host_allocate(struct device *device, size_t bytes, const char *what, void **memory)
{
	CHECK(memory_allocate_pages(memory, bytes, what));
	if (device->backend->host_pin == NULL)
		return SONDE_OK;
	prepare(device, *memory, bytes);
	/* copies of memory that cannot be pinned are slower, but right */
	(void)device->backend->host_pin(device, *memory, bytes);
	return SONDE_OK;
}

void device_host_release(struct device *device, void *memory)
{
	if (memory != NULL && device->backend->host_unpin != NULL)
		device->backend->host_unpin(device, memory);
	memory_release_pages(memory);
}
