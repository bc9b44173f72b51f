/* The kernels in their forms as C, each with its own name: direct_points_SINGLE FIELD SCREENED SETS, and so on. */
#define SINGLE 0
#define FIELD 0
#define SCREENED 0
#define SETS 1
#include "coulomb/kernels/kernels_of_form.h"
#define SINGLE 0
#define FIELD 1
#define SCREENED 0
#define SETS 1
#include "coulomb/kernels/kernels_of_form.h"
#define SINGLE 1
#define FIELD 0
#define SCREENED 0
#define SETS 1
#include "coulomb/kernels/kernels_of_form.h"
#define SINGLE 1
#define FIELD 1
#define SCREENED 0
#define SETS 1
#include "coulomb/kernels/kernels_of_form.h"
#define SINGLE 0
#define FIELD 0
#define SCREENED 1
#define SETS 1
#include "coulomb/kernels/kernels_of_form.h"
#define SINGLE 0
#define FIELD 1
#define SCREENED 1
#define SETS 1
#include "coulomb/kernels/kernels_of_form.h"
#define SINGLE 0
#define FIELD 0
#define SCREENED 2
#define SETS 1
#include "coulomb/kernels/kernels_of_form.h"
#define SINGLE 0
#define FIELD 1
#define SCREENED 2
#define SETS 1
#include "coulomb/kernels/kernels_of_form.h"
#define SINGLE 0
#define FIELD 0
#define SCREENED 3
#define SETS 1
#include "coulomb/kernels/kernels_of_form.h"
#define SINGLE 0
#define FIELD 1
#define SCREENED 3
#define SETS 1
#include "coulomb/kernels/kernels_of_form.h"
#define SINGLE 0
#define FIELD 0
#define SCREENED 0
#define SETS 4
#include "coulomb/kernels/kernels_of_form.h"
#define SINGLE 0
#define FIELD 1
#define SCREENED 0
#define SETS 4
#include "coulomb/kernels/kernels_of_form.h"
#define SINGLE 1
#define FIELD 0
#define SCREENED 0
#define SETS 4
#include "coulomb/kernels/kernels_of_form.h"
#define SINGLE 1
#define FIELD 1
#define SCREENED 0
#define SETS 4
#include "coulomb/kernels/kernels_of_form.h"
#define SINGLE 0
#define FIELD 0
#define SCREENED 1
#define SETS 4
#include "coulomb/kernels/kernels_of_form.h"
#define SINGLE 0
#define FIELD 1
#define SCREENED 1
#define SETS 4
#include "coulomb/kernels/kernels_of_form.h"
#define SINGLE 0
#define FIELD 0
#define SCREENED 2
#define SETS 4
#include "coulomb/kernels/kernels_of_form.h"
#define SINGLE 0
#define FIELD 1
#define SCREENED 2
#define SETS 4
#include "coulomb/kernels/kernels_of_form.h"
#define WAVES_NAME ewald_waves_0
#define FIELD 0
#include "coulomb/kernels/ewald_waves.k"
#undef FIELD
#undef WAVES_NAME
#define WAVES_NAME ewald_waves_1
#define FIELD 1
#include "coulomb/kernels/ewald_waves.k"
#undef FIELD
#undef WAVES_NAME
#include "coulomb/kernels/block_interpolate.k"
#include "coulomb/kernels/mesh_columns.k"
#include "coulomb/kernels/mesh_interpolate.k"
#include "coulomb/kernels/mesh_product.k"
#include "coulomb/kernels/mesh_spread.k"
