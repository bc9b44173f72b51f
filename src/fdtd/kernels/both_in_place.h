/* The steps of both fields in place, of one variant of a kernel on CPUs: the functions of steps.h for H and for E, and
 * what they need. */
#undef STEP_SPACE
#define STEP_SPACE /* a copy of each work-item */
#include "fdtd/kernels/cells.h"
#include "fdtd/kernels/real.h"

/* functions and structures of this variant, for either field */
#define TYPED_JOIN(name, kernel) name##_of_##kernel
#define TYPED_NAME(name, kernel) TYPED_JOIN(name, kernel)
#undef TYPED
#undef OF_E
#define OF_E 0u
#define TYPED(name) TYPED_NAME(name##_h, KERNEL_NAME)
#include "fdtd/kernels/steps.h"
#undef OF_E
#undef TYPED
#define OF_E 1u
#define TYPED(name) TYPED_NAME(name##_e, KERNEL_NAME)
#include "fdtd/kernels/steps.h"
#undef TYPED
#undef OF_E
#undef PREPARE_IN_PLACE
#undef TYPED_H
#undef TYPED_E
#define TYPED_H(name) TYPED_NAME(name##_h, KERNEL_NAME)
#define TYPED_E(name) TYPED_NAME(name##_e, KERNEL_NAME)

/* Tasks of H and E from a kernel's arguments. */
#define PREPARE_IN_PLACE(h_task, e_task)      \
	do {                                  \
		h_task.step = *step;          \
		h_task.stepped = h;           \
		h_task.turning = e;           \
		h_task.psi = psi;             \
		h_task.profile = profile;     \
		h_task.table = h_table;       \
		h_task.index = h_index;       \
		h_task.segments = h_segments; \
		e_task.step = *step;          \
		e_task.stepped = e;           \
		e_task.turning = h;           \
		e_task.psi = psi;             \
		e_task.profile = profile;     \
		e_task.table = e_table;       \
		e_task.index = e_index;       \
		e_task.segments = e_segments; \
	} while (0)
