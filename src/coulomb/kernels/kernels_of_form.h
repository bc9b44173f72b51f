/* Kernels with the current SINGLE, FIELD, SCREENED and SETS, with names that end in these: for kernels_variants.h. */
#define FORM_JOIN(name, single, field, screened, sets) name##_##single##field##screened##sets
#define FORM_NAME(name, single, field, screened, sets) FORM_JOIN(name, single, field, screened, sets)
#define DIRECT_NAME FORM_NAME(direct_points, SINGLE, FIELD, SCREENED, SETS)
#include "coulomb/kernels/direct_points.k"
#undef DIRECT_NAME
/* Ewald's form is used by the direct sum only */
#if SCREENED != 3
#define BLOCK_SUMS_NAME FORM_NAME(block_sums, SINGLE, FIELD, SCREENED, SETS)
#include "coulomb/kernels/block_sums.k"
#undef BLOCK_SUMS_NAME
#define NEAR_NAME FORM_NAME(mesh_near, SINGLE, FIELD, SCREENED, SETS)
#include "coulomb/kernels/mesh_near.k"
#undef NEAR_NAME
#endif
#undef FORM_JOIN
#undef FORM_NAME
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef SETS
