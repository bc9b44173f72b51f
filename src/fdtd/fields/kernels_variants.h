/* The kernel variants as C, each with a name of its own. */
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
#define TURN_NAME turn_walls_f64
#define INJECT_NAME inject_f64
#define POLARISE_NAME polarise_f64
#define GATHER_NAME gather_f64
#define TRANSFORM_NAME transform_f64
#define SURVEY_NAME survey_f64
#define WORD u64
#define DISPLACE_NAME displace_f64
#define SMOOTH_NAME smooth_f64
#define ANSWER_NAME answer_f64
#define ASSEMBLE_NAME assemble_f64
#include "fdtd/fields/kernels_of_lists.h"
#undef REAL
#define REAL f32
#define FILL_NAME fill_walls_f32
#define TURN_NAME turn_walls_f32
#define INJECT_NAME inject_f32
#define POLARISE_NAME polarise_f32
#define GATHER_NAME gather_f32
#define TRANSFORM_NAME transform_f32
#define SURVEY_NAME survey_f32
#define WORD u32
#define DISPLACE_NAME displace_f32
#define SMOOTH_NAME smooth_f32
#define ANSWER_NAME answer_f32
#define ASSEMBLE_NAME assemble_f32
#include "fdtd/fields/kernels_of_lists.h"
