/* Steps a plane's rows of one field, E if OF_E, else H: E from differences of H behind, H from those of E ahead.
 * Included once for each field and type: typed_steps.h. */
#undef MEDIA_BYTES
#define MEDIA_BYTES ((OF_E != 0u ? f->step.electric : f->step.magnetic) != 0u ? f->step.index_bytes : 0u)
#include "fdtd/kernels/real_lanes.h"
#include "fdtd/kernels/rows.h"
#include "fdtd/kernels/stored.h"

/* Data of the steps of a row. */
struct TYPED(fields) {
	struct fdtd_step step; /* a copy, which no store to the fields can change */
	GLOBAL REAL *stepped, *psi;
	const GLOBAL REAL *turning, *profile, *table;
	const GLOBAL unsigned char *index;
	const GLOBAL unsigned short *segments;
	struct row_place place;
};

/* The difference of a component of the other field along an axis. */
DEVICE_INLINE struct TYPED(difference) TYPED(difference_of)(const struct TYPED(fields) * f, u32 axis, u32 component)
{
	const struct fdtd_step *const step = &f->step;
	const GLOBAL REAL *const here = f->turning + component * step->volume + f->place.at;
	const u64 stride = axis_stride(step, axis);
	const u32 node = axis == 0u ? f->place.i : axis == 1u ? f->place.j : 0u;
	struct TYPED(difference) d;

	d.from = OF_E != 0u ? here - stride : here;
	d.to = OF_E != 0u ? here : here + stride;
	d.profile = f->profile + (OF_E != 0u ? step->node_profile[axis] : step->half_profile[axis]) + node;
	d.length = step->profile_length[axis];
	return d;
}

/* Component a: those of E lie on a wall along the other axes, where they are stepped only at some walls. Null rows
 * have begin = end. */
DEVICE_INLINE struct TYPED(component) TYPED(component_of)(const struct TYPED(fields) * f, u32 a)
{
	const struct fdtd_step *const step = &f->step;
	const u32 at_wall =
	    OF_E != 0u && ((a != 0u && f->place.i < step->first[0]) || (a != 1u && f->place.j < step->first[1])) ? 1u
														 : 0u;
	const u32 stays = (step->components[OF_E != 0u ? 0u : 1u] >> a & 1u) == 0u ? 1u : 0u;
	struct TYPED(component) c;

	c.field = f->stepped + a * step->volume + f->place.at;
	c.index = f->index;
	c.index_at = a * step->volume + f->place.at;
	c.segments =
	    f->segments + ((u64)(a * step->planes + f->place.i + 1u) * step->rows + f->place.j) * step->row_segments;
	c.table = f->table;
	c.index_bytes = step->index_bytes;
	c.sign = OF_E != 0u ? (REAL)1 : (REAL)-1;
	c.begin = OF_E != 0u && a != 2u ? step->first[2] : 0u;
	c.end = at_wall != 0u || stays != 0u ? 0u : step->end[2];
	return c;
}

DEVICE_INLINE void TYPED(absorb_along)(const u32 media, const u32 axis, const struct TYPED(fields) * f)
{
	const struct fdtd_step *const step = &f->step;
	const u32 next = (axis + 1u) % 3u, behind = (axis + 2u) % 3u;
	GLOBAL REAL *const psi =
	    f->psi + (OF_E != 0u ? step->e_psi[axis] : step->h_psi[axis]) + psi_place(step, axis, f->place);

	for (u32 side = 0; side < (axis == 2u ? 2u : 1u); ++side)
		for (u32 which = 0; which < 2u; ++which) {
			const u32 a = which == 0u ? next : behind, other = which == 0u ? behind : next;
			struct TYPED(absorbing) task;
			task.side = which == 0u ? (REAL)-1 : (REAL)1;
			task.c = TYPED(component_of)(f, a);
			task.d = TYPED(difference_of)(f, axis, other);
			task.psi = psi + which * step->psi_size[axis];
			if (axis != 2u) {
				TYPED(absorb_row)(media, &task);
			} else if (side == 0u) {
				task.c.end = task.c.end < step->low[2] ? task.c.end : step->low[2];
				TYPED(absorb_end)(media, &task, 0u);
			} else if (step->high[2] < task.c.end) {
				task.c.begin = task.c.begin > step->high[2] ? task.c.begin : step->high[2];
				task.psi -= step->high[2] - step->low[2];
				TYPED(absorb_end)(media, &task, step->high[2]);
			}
		}
}

DEVICE_INLINE void TYPED(step_row)(const u32 media, const struct TYPED(fields) * f)
{
	const struct fdtd_step *const step = &f->step;

	TYPED(turn)
	(media, 0u, 1u, TYPED(component_of)(f, 0u), TYPED(difference_of)(f, 1u, 2u), TYPED(difference_of)(f, 2u, 1u));
	TYPED(turn)
	(media, 1u, 0u, TYPED(component_of)(f, 1u), TYPED(difference_of)(f, 2u, 0u), TYPED(difference_of)(f, 0u, 2u));
	TYPED(turn)
	(media, 0u, 0u, TYPED(component_of)(f, 2u), TYPED(difference_of)(f, 0u, 1u), TYPED(difference_of)(f, 1u, 0u));
	if (in_layer(step, 0u, f->place.i) != 0u)
		TYPED(absorb_along)(media, 0u, f);
	if (in_layer(step, 1u, f->place.j) != 0u)
		TYPED(absorb_along)(media, 1u, f);
	if (step->psi_size[2] != 0u)
		TYPED(absorb_along)(media, 2u, f);
#if STORED_16
	for (u32 a = 0; a < 3u; ++a) {
		const struct TYPED(component) c = TYPED(component_of)(f, a);
		for (u32 k = 0; k < c.end; k += WORD_CELLS)
			word_round(c.field + k);
	}
#endif
}

/* Rows begin to end - 1 of a plane. */
DEVICE_FUNCTION void TYPED(step_rows)(const struct TYPED(fields) * fields, u32 plane, u32 begin, u32 end)
{
	struct TYPED(fields) task = *fields, *const f = &task;

	for (u32 row = begin; row < end; ++row) {
		f->place = row_place_of(&f->step, plane, row);
		if (MEDIA_BYTES == 0u)
			TYPED(step_row)(0u, f);
		else
			TYPED(step_row)(1u, f);
	}
}
