/* Memory of the host for copies beside kernels: in huge pages where the system offers them, touched by all threads, and
 * pinned by all threads, piece by piece, which takes a fifth of the time of one call for all. The driver would find and
 * clear small pages one after the other: 13 s for 27 GB. A copy is within one piece, as drivers demand. */
#include <sys/mman.h>

#include "base/memory.h"
#include "base/threads.h"
#include "device/backend.h"
#include "device/device.h"
#include "device/host_pieces.h"

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

struct pinning {
	struct device *device;
	char *bytes;
	size_t count;
	bool release;
};

static void pin(void *state, int64_t first, int64_t end, int worker)
{
	const struct pinning *pinning = state;
	const size_t before = host_piece_end(pinning->bytes, pinning->count);

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const size_t begin = n > 0 ? before + (size_t)(n - 1) * HOST_PIECE : 0;
		if (pinning->release)
			pinning->device->backend->host_unpin(pinning->device, pinning->bytes + begin);
		else
			/* copies of memory that cannot be pinned are slower, but right */
			(void)pinning->device->backend->host_pin(
			    pinning->device, pinning->bytes + begin,
			    host_piece_end(pinning->bytes + begin, pinning->count - begin));
	}
}

static void pin_pieces(struct device *device, char *bytes, size_t count, bool release)
{
	struct pinning pinning = {device, bytes, count, release};
	const size_t before = host_piece_end(bytes, count);

	threads_for(device->properties.host_threads, 1 + (int64_t)((count - before + HOST_PIECE - 1) / HOST_PIECE), 1,
		    pin, &pinning);
}

sonde_status device_host_allocate(struct device *device, size_t bytes, const char *what, void **memory)
{
	CHECK(memory_allocate_pages(memory, bytes, what));
	if (device->backend->host_pin == NULL)
		return SONDE_OK;
	prepare(device, *memory, bytes);
	pin_pieces(device, *memory, bytes, false);
	return SONDE_OK;
}

void device_host_release(struct device *device, void *memory)
{
	if (memory != NULL && device->backend->host_unpin != NULL)
		pin_pieces(device, memory, memory_size_of_pages(memory), true);
	memory_release_pages(memory);
}
