/* The functions of steps.h for the field OF_E and the type of the fields, REAL_F32 and STORED_16, with names made by
 * TYPED(). Kernels that are compiled together share them: the first one that needs a field in a type includes them.
 * No include guard. */
#undef STEP_SPACE
#define STEP_SPACE /* a copy of each work-item */
#include "fdtd/kernels/cells.h"
#include "fdtd/kernels/real.h"

#undef TYPED
#undef TYPED_E
#undef TYPED_H
#if STORED_16
#define TYPED_E(name) name##_of_e_f16
#define TYPED_H(name) name##_of_h_f16
#elif REAL_F32
#define TYPED_E(name) name##_of_e_f32
#define TYPED_H(name) name##_of_h_f32
#else
#define TYPED_E(name) name##_of_e_f64
#define TYPED_H(name) name##_of_h_f64
#endif

#if OF_E
#define TYPED(name) TYPED_E(name)
#if STORED_16 && !defined(SONDE_FDTD_STEPS_OF_E_F16)
#define SONDE_FDTD_STEPS_OF_E_F16
#include "fdtd/kernels/steps.h"
#elif !STORED_16 && REAL_F32 && !defined(SONDE_FDTD_STEPS_OF_E_F32)
#define SONDE_FDTD_STEPS_OF_E_F32
#include "fdtd/kernels/steps.h"
#elif !STORED_16 && !REAL_F32 && !defined(SONDE_FDTD_STEPS_OF_E_F64)
#define SONDE_FDTD_STEPS_OF_E_F64
#include "fdtd/kernels/steps.h"
#endif
#else
#define TYPED(name) TYPED_H(name)
#if STORED_16 && !defined(SONDE_FDTD_STEPS_OF_H_F16)
#define SONDE_FDTD_STEPS_OF_H_F16
#include "fdtd/kernels/steps.h"
#elif !STORED_16 && REAL_F32 && !defined(SONDE_FDTD_STEPS_OF_H_F32)
#define SONDE_FDTD_STEPS_OF_H_F32
#include "fdtd/kernels/steps.h"
#elif !STORED_16 && !REAL_F32 && !defined(SONDE_FDTD_STEPS_OF_H_F64)
#define SONDE_FDTD_STEPS_OF_H_F64
#include "fdtd/kernels/steps.h"
#endif
#endif
