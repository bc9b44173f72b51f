/* The steps of both fields in place, of one variant of a kernel on CPUs: TYPED_H(step_rows) and TYPED_E(step_rows). */
#undef OF_E
#define OF_E 0u
#include "fdtd/kernels/typed_steps.h"
#undef OF_E
#define OF_E 1u
#include "fdtd/kernels/typed_steps.h"
#undef OF_E
#undef PREPARE_IN_PLACE

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
