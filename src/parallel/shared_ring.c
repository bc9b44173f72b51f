#include "parallel/shared_ring.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define HEAD_BYTES 4096
#define RING_BYTES (HEAD_BYTES + SHARED_RING_PIECES * SHARED_RING_PIECE_BYTES)
#define CACHE_LINE 64

/* At the beginning of the memory: pieces that have been filled and emptied, each in a cache line of its own. */
struct shared_ring_head {
	_Alignas(CACHE_LINE) _Atomic uint64_t filled;
	_Alignas(CACHE_LINE) _Atomic uint64_t emptied;
	uint64_t token; /* read once */
};

_Static_assert(sizeof(struct shared_ring_head) <= HEAD_BYTES, "a page");

static bool map(struct shared_ring *ring, int file)
{
	void *memory = mmap(NULL, RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

	ring->head = memory == MAP_FAILED ? NULL : memory;
	return ring->head != NULL;
}

/* Memory, not just addresses: its lack would end the process later. */
static int make_file(void)
{
	const int file = memfd_create("sonde-ring", MFD_CLOEXEC);

	if (file >= 0 && posix_fallocate(file, 0, (off_t)RING_BYTES) == 0)
		return file;
	if (file >= 0)
		close(file);
	return -1;
}

static uint64_t make_token(const struct shared_ring *ring)
{
	struct timespec now = {0};

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return ((uint64_t)now.tv_sec << 32 ^ (uint64_t)now.tv_nsec << 2 ^ (uint64_t)getpid() << 40 ^
		(uint64_t)(uintptr_t)ring) |
	       1u;
}

bool shared_ring_offer(struct shared_ring *ring, const char *host, struct shared_ring_offer *offer)
{
	const int file = make_file();

	*ring = (struct shared_ring){0};
	*offer = (struct shared_ring_offer){.token = 0};
	if (file < 0)
		return false;
	ring->file = file + 1;
	if (!map(ring, file)) {
		shared_ring_close_file(ring);
		return false;
	}
	ring->head->token = make_token(ring);
	*offer = (struct shared_ring_offer){.process = getpid(), .file = file, .token = ring->head->token};
	snprintf(offer->host, sizeof offer->host, "%s", host);
	return true;
}

/* The number of a process may be that of another one in another container: only the token tells. */
static bool is_ring(int file, uint64_t token)
{
	struct stat about;
	uint64_t there = 0;

	return fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size == (off_t)RING_BYTES &&
	       pread(file, &there, sizeof there, offsetof(struct shared_ring_head, token)) == (ssize_t)sizeof there &&
	       there == token;
}

bool shared_ring_take(struct shared_ring *ring, const char *host, const struct shared_ring_offer *offer)
{
	char path[64];
	bool taken = false;

	*ring = (struct shared_ring){0};
	if (offer->token == 0 || strcmp(offer->host, host) != 0)
		return false;
	snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)offer->process, (long long)offer->file);
	const int file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (file < 0)
		return false;
	if (is_ring(file, offer->token))
		taken = map(ring, file);
	close(file);
	return taken;
}

void shared_ring_close_file(struct shared_ring *ring)
{
	if (ring->file > 0)
		close(ring->file - 1);
	ring->file = 0;
}

void shared_ring_free(struct shared_ring *ring)
{
	shared_ring_close_file(ring);
	if (ring->head != NULL)
		(void)munmap(ring->head, RING_BYTES);
	ring->head = NULL;
}

static char *piece(const struct shared_ring *ring, uint64_t number)
{
	return (char *)ring->head + HEAD_BYTES + number % SHARED_RING_PIECES * SHARED_RING_PIECE_BYTES;
}

char *shared_ring_to_fill(const struct shared_ring *ring)
{
	const uint64_t filled = atomic_load_explicit(&ring->head->filled, memory_order_relaxed),
		       emptied = atomic_load_explicit(&ring->head->emptied, memory_order_acquire);

	return filled - emptied < SHARED_RING_PIECES ? piece(ring, filled) : NULL;
}

void shared_ring_fill_done(const struct shared_ring *ring)
{
	atomic_fetch_add_explicit(&ring->head->filled, 1, memory_order_release);
}

char *shared_ring_to_empty(const struct shared_ring *ring)
{
	const uint64_t emptied = atomic_load_explicit(&ring->head->emptied, memory_order_relaxed),
		       filled = atomic_load_explicit(&ring->head->filled, memory_order_acquire);

	return emptied < filled ? piece(ring, emptied) : NULL;
}

void shared_ring_empty_done(const struct shared_ring *ring)
{
	atomic_fetch_add_explicit(&ring->head->emptied, 1, memory_order_release);
}
