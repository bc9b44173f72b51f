/* Kernel direct_points in its forms as C, each with a name of its own: SINGLE, FIELD and SCREENED say which. */
#define SINGLE 0
#define FIELD 0
#define SCREENED 0
#define DIRECT_NAME direct_points_000
#include "coulomb/kernels/direct_points.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef DIRECT_NAME
#define SINGLE 0
#define FIELD 1
#define SCREENED 0
#define DIRECT_NAME direct_points_010
#include "coulomb/kernels/direct_points.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef DIRECT_NAME
#define SINGLE 1
#define FIELD 0
#define SCREENED 0
#define DIRECT_NAME direct_points_100
#include "coulomb/kernels/direct_points.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef DIRECT_NAME
#define SINGLE 1
#define FIELD 1
#define SCREENED 0
#define DIRECT_NAME direct_points_110
#include "coulomb/kernels/direct_points.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef DIRECT_NAME
#define SINGLE 0
#define FIELD 0
#define SCREENED 1
#define DIRECT_NAME direct_points_001
#include "coulomb/kernels/direct_points.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef DIRECT_NAME
#define SINGLE 0
#define FIELD 1
#define SCREENED 1
#define DIRECT_NAME direct_points_011
#include "coulomb/kernels/direct_points.k"
