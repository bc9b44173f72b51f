/* A set of keys of candidates: which structures are there already. */
#ifndef SONDE_MATCH_LIBRARY_KEYS_H
#define SONDE_MATCH_LIBRARY_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "match/library_file.h"

/* In the order in which they were added, and a table of their places by a hash. Begins as {0}. */
struct library_keys {
	char *keys; /* LIBRARY_KEY bytes each */
	int64_t count;
	size_t capacity, place_count;
	int64_t *places;
};

/* Takes `count` keys over, which a former call of library_read_keys() has allocated. */
sonde_status library_keys_take(struct library_keys *set, char *keys, int64_t count);
bool library_keys_have(const struct library_keys *set, const char *key);
/* Adds a key that is not there. */
sonde_status library_keys_add(struct library_keys *set, const char *key);
void library_keys_free(struct library_keys *set);

#endif
