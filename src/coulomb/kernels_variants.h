/* The kernels in their forms as C, each with a name of its own: SINGLE, FIELD, and SCREENED or 3 for EWALD. */
#define SINGLE 0
#define FIELD 0
#define SCREENED 0
#define EWALD 0
#define DIRECT_NAME direct_points_000
#include "coulomb/kernels/direct_points.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef EWALD
#undef DIRECT_NAME
#define SINGLE 0
#define FIELD 1
#define SCREENED 0
#define EWALD 0
#define DIRECT_NAME direct_points_010
#include "coulomb/kernels/direct_points.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef EWALD
#undef DIRECT_NAME
#define SINGLE 1
#define FIELD 0
#define SCREENED 0
#define EWALD 0
#define DIRECT_NAME direct_points_100
#include "coulomb/kernels/direct_points.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef EWALD
#undef DIRECT_NAME
#define SINGLE 1
#define FIELD 1
#define SCREENED 0
#define EWALD 0
#define DIRECT_NAME direct_points_110
#include "coulomb/kernels/direct_points.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef EWALD
#undef DIRECT_NAME
#define SINGLE 0
#define FIELD 0
#define SCREENED 1
#define EWALD 0
#define DIRECT_NAME direct_points_001
#include "coulomb/kernels/direct_points.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef EWALD
#undef DIRECT_NAME
#define SINGLE 0
#define FIELD 1
#define SCREENED 1
#define EWALD 0
#define DIRECT_NAME direct_points_011
#include "coulomb/kernels/direct_points.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef EWALD
#undef DIRECT_NAME
#define SINGLE 0
#define FIELD 0
#define SCREENED 0
#define EWALD 1
#define DIRECT_NAME direct_points_003
#include "coulomb/kernels/direct_points.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef EWALD
#undef DIRECT_NAME
#define SINGLE 0
#define FIELD 1
#define SCREENED 0
#define EWALD 1
#define DIRECT_NAME direct_points_013
#include "coulomb/kernels/direct_points.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef EWALD
#undef DIRECT_NAME
#define SINGLE 0
#define FIELD 0
#define SCREENED 2
#define EWALD 0
#define DIRECT_NAME direct_points_002
#include "coulomb/kernels/direct_points.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef EWALD
#undef DIRECT_NAME
#define SINGLE 0
#define FIELD 1
#define SCREENED 2
#define EWALD 0
#define DIRECT_NAME direct_points_012
#include "coulomb/kernels/direct_points.k"
#undef FIELD
#define FIELD 0
#define WAVES_NAME ewald_waves_0
#include "coulomb/kernels/ewald_waves.k"
#undef FIELD
#undef WAVES_NAME
#define FIELD 1
#define WAVES_NAME ewald_waves_1
#include "coulomb/kernels/ewald_waves.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#define SINGLE 0
#define FIELD 0
#define SCREENED 0
#define BLOCK_SUMS_NAME block_sums_000
#include "coulomb/kernels/block_sums.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef BLOCK_SUMS_NAME
#define SINGLE 0
#define FIELD 1
#define SCREENED 0
#define BLOCK_SUMS_NAME block_sums_010
#include "coulomb/kernels/block_sums.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef BLOCK_SUMS_NAME
#define SINGLE 1
#define FIELD 0
#define SCREENED 0
#define BLOCK_SUMS_NAME block_sums_100
#include "coulomb/kernels/block_sums.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef BLOCK_SUMS_NAME
#define SINGLE 1
#define FIELD 1
#define SCREENED 0
#define BLOCK_SUMS_NAME block_sums_110
#include "coulomb/kernels/block_sums.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef BLOCK_SUMS_NAME
#define SINGLE 0
#define FIELD 0
#define SCREENED 1
#define BLOCK_SUMS_NAME block_sums_001
#include "coulomb/kernels/block_sums.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef BLOCK_SUMS_NAME
#define SINGLE 0
#define FIELD 1
#define SCREENED 1
#define BLOCK_SUMS_NAME block_sums_011
#include "coulomb/kernels/block_sums.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef BLOCK_SUMS_NAME
#define SINGLE 0
#define FIELD 0
#define SCREENED 2
#define BLOCK_SUMS_NAME block_sums_002
#include "coulomb/kernels/block_sums.k"
#undef SINGLE
#undef FIELD
#undef SCREENED
#undef BLOCK_SUMS_NAME
#define SINGLE 0
#define FIELD 1
#define SCREENED 2
#define BLOCK_SUMS_NAME block_sums_012
#include "coulomb/kernels/block_sums.k"
#undef FIELD
#define FIELD 0
#define INTERPOLATE_NAME block_interpolate_0
#include "coulomb/kernels/block_interpolate.k"
#undef FIELD
#undef INTERPOLATE_NAME
#define FIELD 1
#define INTERPOLATE_NAME block_interpolate_1
#include "coulomb/kernels/block_interpolate.k"
