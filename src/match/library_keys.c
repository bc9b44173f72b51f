#include "match/library_keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define NO_KEY (-1)
#define FIRST_PLACES ((size_t)1024)

/* FNV-1a of the digits. */
static uint64_t number_of(const char *key)
{
	uint64_t number = 0xcbf29ce484222325U;

	for (int k = 0; k < LIBRARY_KEY; ++k)
		number = (number ^ (unsigned char)key[k]) * 0x100000001b3U;
	return number ^ number >> 32;
}

/* The place of a key in the table, or the one where it belongs. */
static size_t find_place(const struct library_keys *set, const char *key)
{
	size_t place = (size_t)number_of(key) & (set->place_count - 1);

	while (set->places[place] != NO_KEY &&
	       memcmp(set->keys + set->places[place] * LIBRARY_KEY, key, LIBRARY_KEY) != 0)
		place = (place + 1) & (set->place_count - 1);
	return place;
}

/* A table with room for twice as many keys. */
static sonde_status grow_places(struct library_keys *set, int64_t needed)
{
	size_t count = set->place_count > 0 ? set->place_count : FIRST_PLACES;

	while ((int64_t)count < 2 * needed)
		count *= 2;
	if (count == set->place_count)
		return SONDE_OK;
	free(set->places);
	set->place_count = 0;
	CHECK(memory_allocate(&set->places, count, sizeof *set->places, "a library's keys"));
	set->place_count = count;
	for (size_t k = 0; k < count; ++k)
		set->places[k] = NO_KEY;
	for (int64_t k = 0; k < set->count; ++k)
		set->places[find_place(set, set->keys + k * LIBRARY_KEY)] = k;
	return SONDE_OK;
}

sonde_status library_keys_take(struct library_keys *set, char *keys, int64_t count)
{
	library_keys_free(set);
	set->keys = keys;
	set->count = count;
	set->capacity = (size_t)count;
	return grow_places(set, count);
}

bool library_keys_have(const struct library_keys *set, const char *key)
{
	return set->place_count > 0 && set->places[find_place(set, key)] != NO_KEY;
}

sonde_status library_keys_add(struct library_keys *set, const char *key)
{
	CHECK(memory_grow(&set->keys, &set->capacity, (size_t)(set->count + 1), LIBRARY_KEY, "a library's keys"));
	CHECK(grow_places(set, set->count + 1));
	memcpy(set->keys + set->count * LIBRARY_KEY, key, LIBRARY_KEY);
	set->places[find_place(set, key)] = set->count++;
	return SONDE_OK;
}

void library_keys_free(struct library_keys *set)
{
	free(set->keys);
	free(set->places);
	*set = (struct library_keys){0};
}
