/* Arrays that several threads fill again and again, each time with new numbers. */
#ifndef SONDE_BASE_ROOM_H
#define SONDE_BASE_ROOM_H

#include <stddef.h>

#include "base/status.h"

/* Makes the array *pointer hold at least `needed` elements, as memory_grow() does; its elements are lost then. The memory is that of
 * memory_allocate_to_fill(). Null after a failure, with a capacity of 0. */
sonde_status room_make(void *pointer, size_t *capacity, size_t needed, size_t size, const char *what);

#endif
