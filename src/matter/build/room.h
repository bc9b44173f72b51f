/* Room for the atoms of a sample. */
#ifndef SONDE_MATTER_BUILD_ROOM_H
#define SONDE_MATTER_BUILD_ROOM_H

#include "matter/atoms/atoms.h"
#include "run/context.h"

#define ROOM_MOST_ATOMS 4e9

/* Refuses more atoms than the limit. */
sonde_status room_check_limit(double count);
/* Reserves room for `count` atoms in total; refuses more than the limit, or than memory is allowed for. */
sonde_status room_reserve(sonde_context *context, int64_t count, sonde_atoms *atoms);

#endif
