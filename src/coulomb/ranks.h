/* Several ranks of a job of MPI (parallel/parallel.h) share the pieces of a sum, and rank 0 gets the values of all, or those that it needs: on others only those of
 * their own pieces are filled, unless the values are for all ranks. */
#ifndef SONDE_COULOMB_RANKS_H
#define SONDE_COULOMB_RANKS_H

#include "base/status.h"
#include "base/text.h"
#include "coulomb/values.h"

/* The values of `count` points of the targets from number `first` on, of all sets, and those from another rank: of these points, those
 * that are wanted. */
void coulomb_pack(const struct values *values, int64_t first, int64_t count, struct text *packed);
/* Returns the bytes that follow. */
const char *coulomb_unpack(const struct values *values, int64_t first, int64_t count, const char *bytes);
/* Their number. */
size_t coulomb_packed(const struct values *values, int64_t first, int64_t count);

/* Notes, if values->own is asked for, that this rank has the values of these points. One thread at a time. */
sonde_status coulomb_have(const struct values *values, int64_t first, int64_t count);

#endif
