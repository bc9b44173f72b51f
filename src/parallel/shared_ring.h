/* Memory that two ranks of one machine share, through which bytes go from one to the other: a ring of pieces. Copies to it and
 * from it may be made by many threads, and take place at the same time; MPI's own copies are those of one thread. */
#ifndef SONDE_PARALLEL_SHARED_RING_H
#define SONDE_PARALLEL_SHARED_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHARED_RING_PIECES 4u
#define SHARED_RING_PIECE_BYTES ((size_t)4 << 20)

/* One side of a ring; zeroed: there is none. */
struct shared_ring {
	struct shared_ring_head *head;
	int file; /* of the side that offers it, +1; 0: closed */
};

/* What the other rank must know of a ring; zeroed: none is offered. */
struct shared_ring_offer {
	char host[256];
	int64_t process, file;
	uint64_t token;
};

/* Makes a ring for bytes to another rank, and its offer; takes one that was offered, for bytes from that rank. `host`: the
 * name of this machine. False if that is not possible: if the ranks are on different machines, or in separate systems of one
 * (containers), or for lack of memory. To be released by shared_ring_free(). */
bool shared_ring_offer(struct shared_ring *ring, const char *host, struct shared_ring_offer *offer);
bool shared_ring_take(struct shared_ring *ring, const char *host, const struct shared_ring_offer *offer);
/* Once the other rank has taken it, or has failed to do so. */
void shared_ring_close_file(struct shared_ring *ring);
void shared_ring_free(struct shared_ring *ring);

/* The memory of the next piece to be filled, or emptied; null: the other rank is not as far yet. Then *_done() hands it over. */
char *shared_ring_to_fill(const struct shared_ring *ring);
void shared_ring_fill_done(const struct shared_ring *ring);
char *shared_ring_to_empty(const struct shared_ring *ring);
void shared_ring_empty_done(const struct shared_ring *ring);

#endif
