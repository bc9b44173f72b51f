#include "base/room.h"

#include <stdlib.h>

#include "base/memory.h"

sonde_status room_make(void *pointer, size_t *capacity, size_t needed, size_t size, const char *what)
{
	const size_t more = *capacity + *capacity / 2, wanted = more > needed ? more : needed;

	if (needed <= *capacity)
		return SONDE_OK;
	free(*(void **)pointer);
	*capacity = 0;
	CHECK(memory_allocate_to_fill(pointer, wanted, size, what));
	*capacity = wanted;
	return SONDE_OK;
}
