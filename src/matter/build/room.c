#include "matter/build/room.h"

#define BYTES_PER_ATOM 26.0 /* position and species */

sonde_status room_check_limit(double count)
{
	if (count > ROOM_MOST_ATOMS)
		return status_fail(SONDE_INVALID, "the shape is too large: about %.2g atoms; the limit is %.0g",
				   count, ROOM_MOST_ATOMS);
	return SONDE_OK;
}

sonde_status room_reserve(sonde_context *context, int64_t count, sonde_atoms *atoms)
{
	const double needed = BYTES_PER_ATOM * (double)count;

	CHECK(room_check_limit((double)count));
	if (!context_may_allocate(context, needed))
		return status_fail(
		    SONDE_INVALID,
		    "not enough memory: the shape has about %.2g atoms, which need %.1f GB and %.1f GB "
		    "are allowed; a smaller shape would fit",
		    (double)count, needed * 1e-9, (double)context_memory(context) * 1e-9);
	return atoms_reserve(atoms, count);
}
