#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define ALIGNMENT 64
#define LARGE (UINT64_C(1) << 26) /* above this the allocator maps pages, which are 0, on demand */
#define HUGE_PAGE ((size_t)1 << 21)
#define LEAST_HUGE (2 * HUGE_PAGE)

static _Thread_local int64_t allocations_left;

void memory_fail_after(int64_t allocations)
{
	allocations_left = allocations;
}

static int this_one_fails(void)
{
	return allocations_left > 0 && --allocations_left == 0;
}

static sonde_status out_of_memory(const char *what, size_t count, size_t size)
{
	return status_fail(SONDE_RESOURCE, "not enough memory for %s (%zu x %zu bytes)", what, count, size);
}

/* Large pages: a sweep over several arrays with small ones misses translations of addresses all the time. */
static void prefer_huge(void *memory, size_t bytes)
{
#ifdef MADV_HUGEPAGE
	const uintptr_t begin = ((uintptr_t)memory + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE,
			end = ((uintptr_t)memory + bytes) / HUGE_PAGE * HUGE_PAGE;

	if (end > begin)
		(void)madvise((char *)memory + (begin - (uintptr_t)memory), end - begin, MADV_HUGEPAGE);
#else
	(void)memory;
	(void)bytes;
#endif
}

/* In large pages where the system has them: touching memory for the first time takes most of the time of filling it. */
static void *allocate_huge(size_t bytes)
{
	void *memory;

	if (posix_memalign(&memory, HUGE_PAGE, bytes) != 0)
		return NULL;
	prefer_huge(memory, bytes);
	return memory;
}

static sonde_status allocate(void *pointer, size_t count, size_t size, bool clear, const char *what)
{
	size_t bytes;
	void *memory = NULL;

	*(void **)pointer = NULL;
	if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX || this_one_fails())
		return out_of_memory(what, count, size);
	if (bytes == 0)
		bytes = 1;
	if (!clear && bytes >= LEAST_HUGE) {
		memory = allocate_huge(bytes);
	} else if (clear && bytes >= LARGE) {
		memory =
		    calloc(bytes, 1); /* cleared by the threads that use it: clearing takes seconds per gigabyte */
	} else if (posix_memalign(&memory, ALIGNMENT, bytes) != 0) {
		memory = NULL;
	} else if (clear) {
		memset(memory, 0, bytes);
	}
	if (memory == NULL)
		return out_of_memory(what, count, size);
	*(void **)pointer = memory;
	return SONDE_OK;
}

sonde_status memory_allocate(void *pointer, size_t count, size_t size, const char *what)
{
	return allocate(pointer, count, size, true, what);
}

sonde_status memory_allocate_to_fill(void *pointer, size_t count, size_t size, const char *what)
{
	return allocate(pointer, count, size, false, what);
}

/* Lies before a buffer's first byte. */
struct pages {
	void *begin;  /* of the allocation */
	size_t bytes; /* that are mapped; 0: allocated */
	size_t wanted;
};
#define LEAST_MAPPED ((size_t)4 << 20)
#define BEFORE_MAPPED ((size_t)4096)

static void *after_header(void *begin, size_t before, size_t bytes, size_t wanted)
{
	char *memory = (char *)begin + before;
	const struct pages pages = {begin, bytes, wanted};

	memcpy(memory - sizeof pages, &pages, sizeof pages);
	return memory;
}

/* From the allocator, as all memory is that cannot be mapped. */
static sonde_status allocate_after_header(void *pointer, size_t bytes, const char *what)
{
	void *memory;

	CHECK(memory_allocate(&memory, bytes + ALIGNMENT, 1, what));
	*(void **)pointer = after_header(memory, ALIGNMENT, 0, bytes);
	return SONDE_OK;
}

sonde_status memory_allocate_pages(void *pointer, size_t bytes, const char *what)
{
	*(void **)pointer = NULL;
	if (bytes < LEAST_MAPPED)
		return allocate_after_header(pointer, bytes, what);
	if (bytes > PTRDIFF_MAX - BEFORE_MAPPED || this_one_fails())
		return out_of_memory(what, bytes, 1);
	const size_t all = bytes + BEFORE_MAPPED;
	void *memory = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return allocate_after_header(pointer, bytes, what);
	prefer_huge(memory, all);
	*(void **)pointer = after_header(memory, BEFORE_MAPPED, all, bytes);
	return SONDE_OK;
}

size_t memory_size_of_pages(const void *pointer)
{
	struct pages pages;

	memcpy(&pages, (const char *)pointer - sizeof pages, sizeof pages);
	return pages.wanted;
}

void memory_release_pages(void *pointer)
{
	struct pages pages;

	if (pointer == NULL)
		return;
	memcpy(&pages, (char *)pointer - sizeof pages, sizeof pages);
	if (pages.bytes > 0)
		(void)munmap(pages.begin, pages.bytes);
	else
		free(pages.begin);
}

void memory_report_missing(const char *what)
{
	(void)status_fail(SONDE_RESOURCE, "not enough memory for %s", what);
}

sonde_status memory_copy_text(const char *from, char **to, const char *what)
{
	*to = strdup(from != NULL ? from : "");
	return *to != NULL ? SONDE_OK : memory_missing(what);
}

sonde_status memory_grow(void *pointer, size_t *capacity, size_t needed, size_t size, const char *what)
{
	size_t wanted = *capacity + *capacity / 2, bytes;
	void *memory;

	if (needed <= *capacity)
		return SONDE_OK;
	if (wanted < needed)
		wanted = needed;
	if (wanted < 16)
		wanted = 16;
	if (__builtin_mul_overflow(wanted, size, &bytes) || bytes > PTRDIFF_MAX || this_one_fails())
		return out_of_memory(what, wanted, size);
	memory = realloc(*(void **)pointer, bytes);
	if (memory == NULL)
		return out_of_memory(what, wanted, size);
	*(void **)pointer = memory;
	*capacity = wanted;
	return SONDE_OK;
}

/* The first number in a file of /proc or /sys. */
static bool read_number(const char *path, uint64_t *value)
{
	FILE *file = fopen(path, "re");
	unsigned long long number;
	bool read = file != NULL && fscanf(file, "%llu", &number) == 1; /* "max": no limit */

	if (read)
		*value = number;
	if (file != NULL)
		fclose(file);
	return read;
}

/* Address space left by its limit (ulimit -v) beyond the mapped part. */
static uint64_t address_space_left(void)
{
	struct rlimit limit;
	uint64_t pages = 0;

	if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	read_number("/proc/self/statm", &pages); /* its first number: pages of the address space */
	uint64_t used = pages * (uint64_t)sysconf(_SC_PAGESIZE);
	return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

bool memory_is_left(size_t bytes)
{
	void *volatile memory =
	    malloc(bytes); /* volatile: compilers may remove an allocation that is only compared */
	const bool left = memory != NULL;

	free(memory);
	return left;
}

uint64_t memory_available(void)
{
	uint64_t group_limit, group_used;
	FILE *file = fopen("/proc/meminfo", "re");
	char line[256];
	unsigned long long kilobytes;
	uint64_t available = UINT64_MAX;

	if (file == NULL)
		return available;
	while (available == UINT64_MAX && fgets(line, sizeof line, file) != NULL)
		if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1)
			available = (uint64_t)kilobytes * 1024;
	fclose(file);

	/* limits on the control group (version 2), set by containers and batch systems, and on the address space may
	 * be tighter */
	if (read_number("/sys/fs/cgroup/memory.max", &group_limit) &&
	    read_number("/sys/fs/cgroup/memory.current", &group_used) &&
	    (group_limit > group_used ? group_limit - group_used : 0) < available)
		available = group_limit > group_used ? group_limit - group_used : 0;
	uint64_t limit = address_space_left();
	return limit < available ? limit : available;
}

uint64_t memory_installed(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

	return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

uint64_t memory_peak(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) != 0)
		return 0;
	return (uint64_t)usage.ru_maxrss * 1024;
}
