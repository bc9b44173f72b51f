/* Kernel direct_points in its four forms as C, each with a name of its own: direct_points_SINGLE_FIELD. */
#define SINGLE 0
#define FIELD 0
#define DIRECT_NAME direct_points_00
#include "coulomb/kernels/direct_points.k"
#undef FIELD
#undef DIRECT_NAME
#define FIELD 1
#define DIRECT_NAME direct_points_01
#include "coulomb/kernels/direct_points.k"
#undef FIELD
#undef DIRECT_NAME
#undef SINGLE
#define SINGLE 1
#define FIELD 0
#define DIRECT_NAME direct_points_10
#include "coulomb/kernels/direct_points.k"
#undef FIELD
#undef DIRECT_NAME
#define FIELD 1
#define DIRECT_NAME direct_points_11
#include "coulomb/kernels/direct_points.k"
