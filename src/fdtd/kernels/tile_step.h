/* Half steps of a work-item's cells in a tile (tile.h), with layers and conductors. */
#ifndef SONDE_FDTD_TILE_STEP_H
#define SONDE_FDTD_TILE_STEP_H

#include "fdtd/kernels/tile.h"

#if !defined(E_BYTES)
#define E_BYTES 1u
#endif
#if !defined(H_BYTES)
#define H_BYTES 0u
#endif
#if !defined(SCALED)
#define SCALED 1u /* whether layers scale differences: kappa is not 1 */
#endif

struct task {
	const STEP_SPACE struct fdtd_step *step;
	const GLOBAL STORED *e, *h;
	const GLOBAL REAL *psi, *profile;
	GLOBAL STORED *e_new, *h_new;
	GLOBAL REAL *psi_new;
	GLOBAL REAL *between; /* convolutions of the group's cells after the first step */
	GLOBAL REAL *walls;   /* room for values on conductors */
	struct media_of_field e_media, h_media;
	const GLOBAL u32 *kinds; /* media of E in tiles, by planes */
};

/* Data that a work-item keeps of its cells: E and H after one step, of this plane and of the plane before; H after two
 * steps of the plane before that. */
struct kept {
	REAL e[3][CELLS_], h[3][CELLS_], e_one[3][CELLS_], h_one[3][CELLS_], hy_two[CELLS_], hz_two[CELLS_];
#if STORED_16
	REAL y_next[CELLS_]; /* E of the next plane */
	u64 e_ahead[3],
	    h_ahead[3]; /* words that are being loaded: E of the plane after the next one, H of the next one */
#endif
};

/* Fields in words are rounded after each half step. */
DEVICE_INLINE void round_fields(REAL field[3][CELLS_])
{
	UNROLL
	for (u32 a = 0; a < 3u; ++a)
		round_field(field[a]);
}

/* Where a convolution along z of a unit is in local memory: those of H, then those of E. */
DEVICE_INLINE u32 convolution_of(const STEP_SPACE struct fdtd_step *step, struct unit unit, u32 number)
{
	return number * Z_CONVOLUTION + CELLS_ * unit.row * Z_ITEMS + layer_slot(step, 2u, unit.k);
}

/* Begins to copy those of a plane. */
DEVICE_INLINE void copy_convolutions(const struct task *task, u32 i, struct unit unit, LOCAL REAL *z)
{
	const STEP_SPACE struct fdtd_step *const step = task->step;
	const struct row_place place = {i, unit.j, 0};

	if (Z_ITEMS == 0u || unit.stepped == 0u || in_layer(step, 2u, unit.k) == 0u)
		return;
	const u64 at = psi_place(step, 2u, place) + layer_slot(step, 2u, unit.k);
	UNROLL
	for (u32 n = 0; n < 4u; ++n)
		COPY_TO_LOCAL(REAL_CELLS, z + convolution_of(step, unit, n),
			      task->psi + (n >= 2u ? step->e_psi[2] : step->h_psi[2]) + at +
				  n % 2u * step->psi_size[2]);
}

/* The convolutions along one axis of both components across it, from their differences. Those of the first step begin
 * with the stored ones, and are kept for the second step, which stores the results. */
DEVICE_INLINE void absorb_along(const struct task *task, LOCAL REAL *z, const u32 of_e, const u32 second,
				const u32 axis, u32 i, struct unit unit, struct media_here media, const REAL *of_next,
				const REAL *of_behind, REAL field[3][CELLS_])
{
	const STEP_SPACE struct fdtd_step *const step = task->step;
	const u32 node = axis == 0u ? i : axis == 1u ? unit.j : unit.k;
	const struct row_place place = {i, unit.j, 0};
	const u64 at = (of_e != 0u ? step->e_psi[axis] : step->h_psi[axis]) + psi_place(step, axis, place) +
		       (axis == 2u ? layer_slot(step, 2u, unit.k) : unit.k);
	GLOBAL REAL *const between =
	    task->between + TILE_AREA * (((i & 1u) * 2u + of_e) * 3u + axis) * 2u + CELLS_ * unit.number;
	const GLOBAL REAL *const from =
	    profile_of(step, task->profile, of_e, axis) + PROFILE_B * step->profile_length[axis] + node;
	REAL b[CELLS_], c[CELLS_];

	if (axis == 2u) {
		load(b, from);
		load(c, from + (PROFILE_C - PROFILE_B) * step->profile_length[axis]);
	} else {
		UNROLL
		for (u32 v = 0; v < CELLS_; ++v) {
			b[v] = from[0];
			c[v] = from[(PROFILE_C - PROFILE_B) * step->profile_length[axis]];
		}
	}
	/* as in item_layers.h: first the component along the next axis, from the difference of the one behind */
	const u32 is_ahead = Z_ITEMS != 0u && axis == 2u ? 1u : 0u;
	LOCAL REAL *const ahead = is_ahead != 0u ? z + convolution_of(step, unit, 2u * of_e) : z;
	UNROLL
	for (u32 which = 0; which < 2u; ++which) {
		const u32 component = (axis + (which == 0u ? 1u : 2u)) % 3u;
		const REAL *const difference = which == 0u ? of_behind : of_next;
		REAL psi[CELLS_], first[CELLS_], factor[CELLS_];
		media_numbers(of_e != 0u ? E_BYTES : H_BYTES, CELLS_, step,
			      of_e != 0u ? &task->e_media : &task->h_media, media.of[component], component, i, unit.j,
			      unit.k, first, factor);
		if (is_ahead != 0u)
			fetch(psi, ahead + which * Z_CONVOLUTION);
		else if (second == 0u)
			load(psi, task->psi + at + which * step->psi_size[axis]);
		else
			load(psi, between + which * TILE_AREA);
		UNROLL
		for (u32 v = 0; v < CELLS_; ++v) {
			psi[v] = b[v] * psi[v] + c[v] * difference[v];
			field[component][v] = field[component][v] + (which == 0u ? -factor[v] : factor[v]) * psi[v];
		}
		if (second == 0u) {
			if (is_ahead != 0u)
				share(ahead + which * Z_CONVOLUTION, psi);
			else
				store(between + which * TILE_AREA, psi);
		} else if (unit.kept != 0u) {
			store(task->psi_new + at + which * step->psi_size[axis], psi);
		}
	}
}

/* Places on conductors keep their values, which have been stored. */
DEVICE_INLINE void keep_conductors(const struct task *task, const u32 of_e, u32 i, struct unit unit,
				   REAL field[3][CELLS_])
{
	const STEP_SPACE struct fdtd_step *const step = task->step;

	UNROLL
	for (u32 a = 0; a < 3u; ++a) {
		const u32 at_wall =
		    of_e != 0u && ((a != 0u && i < step->first[0]) || (a != 1u && unit.j < step->first[1])) ? 1u : 0u;
		const u32 begin = of_e != 0u && a != 2u ? step->first[2] : 0u,
			  end = at_wall != 0u ? 0u : step->end[2];
		REAL old[CELLS_];
		load(old, task->walls + a * TILE_AREA + CELLS_ * unit.number);
		UNROLL
		for (u32 v = 0; v < CELLS_; ++v)
			if (unit.k + v < begin || unit.k + v >= end)
				field[a][v] = old[v];
	}
}

/* One component of a unit's cells. */
DEVICE_INLINE void step_component(const struct task *task, const u32 of_e, const u32 bytes, const u32 component,
				  u32 medium, u32 i, struct unit unit, const struct scales *scales,
				  const struct differences *d, REAL *field)
{
	struct stepped_cells cells;

	copy(cells.field, field);
	turn_component(bytes, CELLS_, component, task->step, of_e != 0u ? &task->e_media : &task->h_media, medium, i,
		       unit.j, unit.k, scales, d, &cells);
	copy(field, cells.field);
}

DEVICE_INLINE struct scales scales_at(const struct task *task, const u32 of_e, u32 i, struct unit unit)
{
	const STEP_SPACE struct fdtd_step *const step = task->step;
	struct scales scales;

	scales.x = profile_of(step, task->profile, of_e, 0u)[i];
	scales.y = profile_of(step, task->profile, of_e, 1u)[unit.j];
	load(scales.z, profile_of(step, task->profile, of_e, 2u) + unit.k);
	return scales;
}

/* Where a half step of a unit is simple; elsewhere there may be layers, conductors, or no step at all. */
DEVICE_INLINE u32 is_simple(const struct task *task, u32 i, struct unit unit)
{
	return unit.inside != 0u && is_inside(task->step, 0u, i) != 0u ? 1u : 0u;
}

DEVICE_INLINE u32 is_stepped_in(const struct task *task, u32 i, struct unit unit)
{
	return unit.stepped != 0u && i < task->step->end[0] ? 1u : 0u;
}

/* Whether some of the cells may be on a conductor. */
DEVICE_INLINE u32 is_at_wall(const struct task *task, u32 i, struct unit unit)
{
	return i == 0u || unit.j == 0u || unit.k == 0u || unit.k + CELLS_ > task->step->end[2] ? 1u : 0u;
}

/* The media of a unit's cells for E: that of all cells of the tile, or each row's. */
DEVICE_INLINE struct media_here media_of_tile(const struct task *task, u32 kind, u32 i, struct unit unit)
{
	const u32 medium = kind & TILE_MEDIUM;
	struct media_here media = {{medium, medium, medium}};

	if (E_BYTES != 0u && kind == MIXED)
		media = media_here(E_BYTES, task->step, &task->e_media, i, unit.j, unit.k);
	return media;
}

/* H of plane i from E there and of the next plane. `shared`: E of the plane, of all units. All work-items of a row call
 * this together. */
DEVICE_INLINE void step_h(const struct task *task, LOCAL REAL *z, const u32 second, u32 i, struct unit unit,
			  const LOCAL REAL *shared, const struct scales *inside, REAL e[3][CELLS_],
			  const REAL *y_next, const REAL *z_next, REAL h[3][CELLS_])
{
	const LOCAL REAL *const above = shared + CELLS_ * unit.number + TILE_CELLS;
	const REAL x_edge = cell_ahead(shared + SHARED_X, CELLS_, unit, e[0]),
		   y_edge = cell_ahead(shared + SHARED_Y, CELLS_, unit, e[1]);
	const u32 simple = is_simple(task, i, unit);
	struct scales scales = *inside;
	REAL x_up[CELLS_], z_up[CELLS_];
	struct differences d;

	if (simple == 0u && is_stepped_in(task, i, unit) == 0u)
		return;
	if (simple == 0u) {
		if (SCALED != 0u)
			scales = scales_at(task, 0u, i, unit);
		if (is_at_wall(task, i, unit) != 0u)
			for (u32 a = 0; a < 3u; ++a)
				store(task->walls + a * TILE_AREA + CELLS_ * unit.number, h[a]);
	}
	const struct media_here media = media_here(H_BYTES, task->step, &task->h_media, i, unit.j, unit.k);
	fetch(z_up, above + SHARED_Z);
	fetch(x_up, above + SHARED_X);
	subtract(CELLS_, d.zy, z_up, e[2]);
	differences_ahead(d.yz, e[1], y_edge);
	step_component(task, 0u, H_BYTES, 0u, media.of[0], i, unit, &scales, &d, h[0]);
	differences_ahead(d.xz, e[0], x_edge);
	subtract(CELLS_, d.zx, z_next, e[2]);
	step_component(task, 0u, H_BYTES, 1u, media.of[1], i, unit, &scales, &d, h[1]);
	subtract(CELLS_, d.yx, y_next, e[1]);
	subtract(CELLS_, d.xy, x_up, e[0]);
	step_component(task, 0u, H_BYTES, 2u, media.of[2], i, unit, &scales, &d, h[2]);
	if (simple != 0u)
		return;
	if (in_layer(task->step, 0u, i) != 0u) {
		subtract(CELLS_, d.zx, z_next, e[2]);
		subtract(CELLS_, d.yx, y_next, e[1]);
		absorb_along(task, z, 0u, second, 0u, i, unit, media, d.yx, d.zx, h);
	}
	if (in_layer(task->step, 1u, unit.j) != 0u) {
		fetch(z_up, above + SHARED_Z);
		fetch(x_up, above + SHARED_X);
		subtract(CELLS_, d.zy, z_up, e[2]);
		subtract(CELLS_, d.xy, x_up, e[0]);
		absorb_along(task, z, 0u, second, 1u, i, unit, media, d.zy, d.xy, h);
	}
	if (in_layer(task->step, 2u, unit.k) != 0u) {
		differences_ahead(d.yz, e[1], y_edge);
		differences_ahead(d.xz, e[0], x_edge);
		absorb_along(task, z, 0u, second, 2u, i, unit, media, d.xz, d.yz, h);
	}
	if (is_at_wall(task, i, unit) != 0u)
		keep_conductors(task, 0u, i, unit, h);
}

/* E of plane i from H there, and from its components along y and z in the plane before. `shared`: H of the plane. */
DEVICE_INLINE void step_e(const struct task *task, LOCAL REAL *z, const u32 second, u32 i, struct unit unit,
			  const LOCAL REAL *shared, const struct scales *inside, u32 kind, REAL h[3][CELLS_],
			  const REAL *hy_before, const REAL *hz_before, REAL e[3][CELLS_])
{
	const LOCAL REAL *const below = shared + CELLS_ * unit.number - TILE_CELLS;
	const REAL x_edge = cell_behind(shared + SHARED_X, CELLS_, unit, h[0]),
		   y_edge = cell_behind(shared + SHARED_Y, second != 0u ? 1u : CELLS_, unit, h[1]);
	const u32 simple = is_simple(task, i, unit);
	struct scales scales = *inside;
	REAL x_down[CELLS_], z_down[CELLS_];
	struct differences d;

	if (simple == 0u && is_stepped_in(task, i, unit) == 0u)
		return;
	const struct media_here media = media_of_tile(task, kind, i, unit);
	if (simple == 0u) {
		if (SCALED != 0u)
			scales = scales_at(task, 1u, i, unit);
		if (is_at_wall(task, i, unit) != 0u)
			for (u32 a = 0; a < 3u; ++a)
				store(task->walls + a * TILE_AREA + CELLS_ * unit.number, e[a]);
	}
	fetch(z_down, below + SHARED_Z);
	fetch(x_down, below + SHARED_X);
	subtract(CELLS_, d.zy, h[2], z_down);
	differences_behind(d.yz, h[1], y_edge);
	differences_behind(d.xz, h[0], x_edge);
	subtract(CELLS_, d.zx, h[2], hz_before);
	subtract(CELLS_, d.yx, h[1], hy_before);
	subtract(CELLS_, d.xy, h[0], x_down);
	if (E_BYTES == 0u || (kind & TILE_VACUUM) != 0u) {
		step_component(task, 1u, 0u, 0u, 0u, i, unit, &scales, &d, e[0]);
		step_component(task, 1u, 0u, 1u, 0u, i, unit, &scales, &d, e[1]);
		step_component(task, 1u, 0u, 2u, 0u, i, unit, &scales, &d, e[2]);
	} else {
		step_component(task, 1u, E_BYTES, 0u, media.of[0], i, unit, &scales, &d, e[0]);
		step_component(task, 1u, E_BYTES, 1u, media.of[1], i, unit, &scales, &d, e[1]);
		step_component(task, 1u, E_BYTES, 2u, media.of[2], i, unit, &scales, &d, e[2]);
	}
	if (simple != 0u)
		return;
	if (in_layer(task->step, 0u, i) != 0u) {
		subtract(CELLS_, d.zx, h[2], hz_before);
		subtract(CELLS_, d.yx, h[1], hy_before);
		absorb_along(task, z, 1u, second, 0u, i, unit, media, d.yx, d.zx, e);
	}
	if (in_layer(task->step, 1u, unit.j) != 0u) {
		fetch(z_down, below + SHARED_Z);
		fetch(x_down, below + SHARED_X);
		subtract(CELLS_, d.zy, h[2], z_down);
		subtract(CELLS_, d.xy, h[0], x_down);
		absorb_along(task, z, 1u, second, 1u, i, unit, media, d.zy, d.xy, e);
	}
	if (in_layer(task->step, 2u, unit.k) != 0u) {
		differences_behind(d.yz, h[1], y_edge);
		differences_behind(d.xz, h[0], x_edge);
		absorb_along(task, z, 1u, second, 2u, i, unit, media, d.xz, d.yz, e);
	}
	if (is_at_wall(task, i, unit) != 0u)
		keep_conductors(task, 1u, i, unit, e);
}

#endif
