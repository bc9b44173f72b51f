/* The kernels beside the steps, for one type of the fields. No guard: see kernels_variants.h. */
#include "fdtd/kernels/fill_walls.k"
#include "fdtd/kernels/gather.k"
#include "fdtd/kernels/inject.k"
#include "fdtd/kernels/polarise.k"
#include "fdtd/kernels/survey.k"
#include "fdtd/kernels/transform.k"
#include "fdtd/kernels/turn_walls.k"
#undef FILL_NAME
#undef GATHER_NAME
#undef INJECT_NAME
#undef POLARISE_NAME
#undef SURVEY_NAME
#undef WORD
#undef TRANSFORM_NAME
#undef TURN_NAME
