/* Kernels with FIELD as it is defined, which end in it: for kernels_variants.h. */
#define FIELD_JOIN(name, field) name##_##field
#define FIELD_NAME(name, field) FIELD_JOIN(name, field)
#define WAVES_NAME FIELD_NAME(ewald_waves, FIELD)
#include "coulomb/kernels/ewald_waves.k"
#undef WAVES_NAME
#define INTERPOLATE_NAME FIELD_NAME(block_interpolate, FIELD)
#include "coulomb/kernels/block_interpolate.k"
#undef INTERPOLATE_NAME
#undef FIELD_JOIN
#undef FIELD_NAME
#undef FIELD
