/* The kernels in their forms as C, each with a name of its own: direct_points_SINGLE FIELD SCREENED, and so on. */
#define SINGLE 0
#define FIELD 0
#define SCREENED 0
#include "coulomb/kernels_of_form.h"
#define SINGLE 0
#define FIELD 1
#define SCREENED 0
#include "coulomb/kernels_of_form.h"
#define SINGLE 1
#define FIELD 0
#define SCREENED 0
#include "coulomb/kernels_of_form.h"
#define SINGLE 1
#define FIELD 1
#define SCREENED 0
#include "coulomb/kernels_of_form.h"
#define SINGLE 0
#define FIELD 0
#define SCREENED 1
#include "coulomb/kernels_of_form.h"
#define SINGLE 0
#define FIELD 1
#define SCREENED 1
#include "coulomb/kernels_of_form.h"
#define SINGLE 0
#define FIELD 0
#define SCREENED 2
#include "coulomb/kernels_of_form.h"
#define SINGLE 0
#define FIELD 1
#define SCREENED 2
#include "coulomb/kernels_of_form.h"
#define SINGLE 0
#define FIELD 0
#define SCREENED 3
#include "coulomb/kernels_of_form.h"
#define SINGLE 0
#define FIELD 1
#define SCREENED 3
#include "coulomb/kernels_of_form.h"
#define FIELD 0
#include "coulomb/kernels_of_field.h"
#define FIELD 1
#include "coulomb/kernels_of_field.h"
