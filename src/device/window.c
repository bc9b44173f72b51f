#include "device/window.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"

/* Chunks wholly inside a part, which take turns on as much memory as a window of any position touches. */
struct ring {
	size_t begin, end, memory; /* chunks */
};

static struct ring ring_of(size_t chunk, const struct device_part *part)
{
	const size_t begin = (part->offset + chunk - 1) / chunk, end = (part->offset + part->bytes) / chunk,
		     all = end > begin ? end - begin : 0, touched = (part->window + chunk - 1) / chunk + 1;

	return (struct ring){begin, begin + all, touched < all ? touched : all};
}

static void map_part(struct device_window *window, const struct device_part *part)
{
	const struct ring ring = ring_of(window->chunk, part);

	for (size_t n = ring.begin; n < ring.end; ++n)
		window->memory_of_chunk[n] = window->memory_chunks + (uint32_t)((n - ring.begin) % ring.memory);
	window->memory_chunks += (uint32_t)ring.memory;
}

uint64_t device_window_memory(size_t bytes, size_t chunk, const struct device_part *parts, int count)
{
	size_t chunks = (bytes + chunk - 1) / chunk;

	for (int k = 0; k < count; ++k) {
		const struct ring ring = ring_of(chunk, &parts[k]);
		chunks -= ring.end - ring.begin - ring.memory;
	}
	return (uint64_t)chunks * chunk;
}

sonde_status device_window_make(size_t bytes, size_t chunk, const struct device_part *parts, int count,
				const char *what, struct device_window *window)
{
	const size_t chunks = (bytes + chunk - 1) / chunk;

	*window = (struct device_window){.chunk = chunk, .chunks = (uint32_t)chunks};
	if (chunks > UINT32_MAX - 1)
		return memory_missing(what);
	CHECK(memory_allocate(&window->memory_of_chunk, chunks, sizeof *window->memory_of_chunk, what));
	for (uint32_t n = 0; n < window->chunks; ++n)
		window->memory_of_chunk[n] = UINT32_MAX;
	for (int k = 0; k < count; ++k)
		map_part(window, &parts[k]);
	for (uint32_t n = 0; n < window->chunks; ++n)
		if (window->memory_of_chunk[n] == UINT32_MAX)
			window->memory_of_chunk[n] = window->memory_chunks++;
	return SONDE_OK;
}

void device_window_free(struct device_window *window)
{
	free(window->memory_of_chunk);
	*window = (struct device_window){0};
}

uint32_t device_window_run(const struct device_window *window, uint32_t chunk)
{
	uint32_t count = 1;

	while (chunk + count < window->chunks &&
	       window->memory_of_chunk[chunk + count] == window->memory_of_chunk[chunk] + count)
		++count;
	return count;
}

size_t device_window_page(void)
{
	const long page = sysconf(_SC_PAGESIZE);

	return page > 0 ? (size_t)page : 4096;
}

static sonde_status map_all(const struct device_window *window, int file, char *base)
{
	for (uint32_t n = 0, count; n < window->chunks; n += count) {
		count = device_window_run(window, n);
		if (mmap(base + (size_t)n * window->chunk, (size_t)count * window->chunk, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_FIXED, file,
			 (off_t)((size_t)window->memory_of_chunk[n] * window->chunk)) == MAP_FAILED)
			return status_fail(SONDE_RESOURCE, "memory cannot be mapped: %s", strerror(errno));
	}
	return SONDE_OK;
}

sonde_status device_window_map(struct device_window *window, const char *what, void **memory)
{
	const size_t bytes = (size_t)window->chunks * window->chunk;
	const int file = memfd_create("sonde", MFD_CLOEXEC);
	sonde_status status;

	*memory = NULL;
	if (file < 0)
		return status_fail(SONDE_RESOURCE, "memory for %s cannot be shared: %s", what, strerror(errno));
	if (ftruncate(file, (off_t)((size_t)window->memory_chunks * window->chunk)) != 0) {
		(void)close(file);
		return memory_missing(what);
	}
	/* the addresses, without memory */
	void *base = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (base == MAP_FAILED) {
		(void)close(file);
		return memory_missing(what);
	}
	status = map_all(window, file, base);
	(void)close(file);
	if (status != SONDE_OK)
		(void)munmap(base, bytes);
	else
		*memory = base;
	return status;
}

void device_window_unmap(const struct device_window *window, void *memory)
{
	(void)munmap(memory, (size_t)window->chunks * window->chunk);
}
