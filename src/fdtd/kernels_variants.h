/* The kernels in their forms as C, each with a name of its own. */
#define REAL f32
#define TYPED(name) name##_f32
#define TYPED_STEPS 1
#define STEP_NAME step_e_f32
#define OF_E 1u
#include "fdtd/kernels/step_fields.k"
#undef TYPED_STEPS
#undef STEP_NAME
#undef OF_E
#define TYPED_STEPS 0
#define STEP_NAME step_h_f32
#define OF_E 0u
#include "fdtd/kernels/step_fields.k"
#undef TYPED_STEPS
#undef STEP_NAME
#undef OF_E
#undef REAL
#undef TYPED
#define REAL f64
#define TYPED(name) name##_f64
#define TYPED_STEPS 1
#define STEP_NAME step_e_f64
#define OF_E 1u
#include "fdtd/kernels/step_fields.k"
#undef TYPED_STEPS
#undef STEP_NAME
#undef OF_E
#define TYPED_STEPS 0
#define STEP_NAME step_h_f64
#define OF_E 0u
#include "fdtd/kernels/step_fields.k"
#undef TYPED_STEPS
#undef STEP_NAME
#undef OF_E
#undef TYPED
#define FILL_NAME fill_walls_f64
#include "fdtd/kernels/fill_walls.k"
#undef FILL_NAME
#undef REAL
#define REAL f32
#define FILL_NAME fill_walls_f32
#include "fdtd/kernels/fill_walls.k"
