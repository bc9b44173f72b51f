/* Sums in cells. If memory allows, a work-group keeps them until it ends. */
#ifndef SONDE_IONS_TALLIES_H
#define SONDE_IONS_TALLIES_H

#include "ions/kernels/flights.h"

#if WORKGROUP_SHARES_LOCAL
/* after the table of scattering angles */
#define OWN_TALLIES(memory, scratch, numbers) ((memory) + (TABLE_NUMBERS + 1) / 2)
#define GROUPS_OF_OWN(job) 1u
#define OWN_OF_ONE_GROUP
#define LOAD_SCATTERING(run, memory)                                               \
	do {                                                                       \
		(run)->scattering = (LOCAL f32 *)(memory);                         \
		for (u32 n_ = LOCAL_ID; n_ < (u32)TABLE_NUMBERS; n_ += LOCAL_SIZE) \
			(run)->scattering[n_] = (run)->tables[n_];                 \
	} while (0)
#else /* a CPU worker has its own in main memory */
#define OWN_TALLIES(memory, scratch, numbers) ((void)(memory), (scratch) + (u64)WORKER_ID * (numbers))
#define GROUPS_OF_OWN(job) ((job)->groups)
#define LOAD_SCATTERING(run, memory) ((void)0)
#endif

/* All ions of a GPU's work-group, and thus its tallies, belong to one group of ions; those of a CPU worker are for
 * all groups. Needs all work-items of the group. */
#define tallies_begin(run_, memory, all, scratch)                                                                  \
	do {                                                                                                       \
		struct run *const run = (run_);                                                                    \
		const u32 numbers_ = (run)->job->rows * ((run)->job->cell_count + 1u) * GROUPS_OF_OWN((run)->job); \
		(run)->stride = (run)->job->cell_count + 1u;                                                       \
		(run)->tallies = (all);                                                                            \
		(run)->own = OWN_TALLIES(memory, scratch, numbers_);                                               \
		LOAD_SCATTERING(run, memory);                                                                      \
		if (OWN_TALLIES_KEPT)                                                                              \
			for (u32 n_ = LOCAL_ID; n_ < numbers_; n_ += LOCAL_SIZE)                                   \
				(run)->own[n_] = 0;                                                                \
		BARRIER();                                                                                         \
	} while (0)

#define tallies_end(run_)                                                                                       \
	do {                                                                                                    \
		const struct run *const run = (run_);                                                           \
		const u32 one_ = (run)->job->rows * (run)->stride, numbers_ = one_ * GROUPS_OF_OWN((run)->job); \
		const u32 first_ = GROUPS_OF_OWN((run)->job) > 1u ? 0u : (run)->group * one_;                   \
		BARRIER();                                                                                      \
		if (OWN_TALLIES_KEPT)                                                                           \
			for (u32 n_ = LOCAL_ID; n_ < numbers_; n_ += LOCAL_SIZE)                                \
				if ((run)->own[n_] != 0)                                                        \
					ATOMIC_ADD_U64((run)->tallies + first_ + n_, (run)->own[n_]);           \
	} while (0)

/* Four bins per octave, from 1 eV on. */
DEVICE_FUNCTION u32 energy_bin(u64 energy, u32 bins)
{
	const f32 octaves = 4.0f * exact_log2(energy_in_ev(energy) + 1e-6f);

	return octaves < 0.0f ? 0u : (u32)octaves < bins ? (u32)octaves : bins - 1u;
}

/* The start of the tallies of an ion. */
DEVICE_FUNCTION u32 tallies_of_ion(const struct run *run, u64 ion)
{
	const GLOBAL struct ions_job *const job = run->job;

#if defined(OWN_OF_ONE_GROUP)
	if (OWN_TALLIES_KEPT)
		return 0u;
#endif
	return (u32)(ion % job->groups) * job->rows * run->stride;
}

DEVICE_FUNCTION void tally(const struct run *run, const struct flights *f, const u32 h, u32 row, u32 cell, u64 value)
{
	const u32 at = f->base[h] + row * run->stride + cell;

	if (OWN_TALLIES_KEPT)
		LOCAL_ADD_U64(run->own + at, value);
	else
		ATOMIC_ADD_U64(run->tallies + at, value);
}

DEVICE_FUNCTION void tally_kind(const struct run *run, const struct flights *f, const u32 h, u32 kind, u32 row,
				u32 cell, u64 value)
{
	tally(run, f, h, TALLY_ROWS_OF_ALL + (kind - 1u) * TALLY_ROWS_OF_KIND + row, cell, value);
}

/* Adds the pending contributions of an atom to its cell. */
DEVICE_FUNCTION void flush(const struct run *run, struct flights *f, const u32 h)
{
	const u32 recoil = f->kind[h] != 0u ? 1u : 0u;

	if (f->electronic[h] != 0)
		tally(run, f, h, TALLY_IONIZATION_BY_IONS + recoil, f->cell[h], (u64)f->electronic[h]);
	if (f->phonons[h] != 0)
		tally(run, f, h, TALLY_PHONONS_BY_IONS + recoil, f->cell[h], (u64)f->phonons[h]);
	if (f->collisions[h] != 0u)
		tally(run, f, h, TALLY_COLLISIONS_OF_IONS + recoil, run->job->cell_count, f->collisions[h]);
	f->electronic[h] = f->phonons[h] = 0;
	f->collisions[h] = 0;
}

/* Index of the cell along an axis, -1 before the first and `count` after the last. In y and z a single cell is
 * unlimited. */
DEVICE_FUNCTION int cell_along(const GLOBAL struct ions_job *job, const u32 axis, f64 place)
{
	const int count = (int)job->cells[axis];
	const f64 number = (place - job->cell_first[axis]) * job->cells_per_nm[axis];

	if (axis > 0u && count == 1)
		return 0;
	return number < 0.0 ? -1 : number >= (f64)count ? count : (int)number;
}

DEVICE_FUNCTION u32 cell_number(const GLOBAL struct ions_job *job, int i, int j, int k)
{
	const int x = (int)job->cells[0], y = (int)job->cells[1], z = (int)job->cells[2];

	if (i < 0 || j < 0 || k < 0 || i >= x || j >= y || k >= z)
		return job->cell_count;
	return (u32)((k * y + j) * x + i);
}

DEVICE_FUNCTION u32 cell_of(const struct run *run, f64 x, f64 y, f64 z)
{
	const GLOBAL struct ions_job *const job = run->job;
	const int i = cell_along(job, 0, x);

	if (ONLY_DEPTH)
		return cell_number(job, i, 0, 0);
	return cell_number(job, i, cell_along(job, 1, y), cell_along(job, 2, z));
}

/* The end of a cell along an axis, as a fraction of the way from one position to another; above 1 if not reached. */
DEVICE_FUNCTION f64 end_of_cell(const GLOBAL struct ions_job *job, const u32 axis, int cell, int last, f64 from,
				f64 to)
{
	if (cell == last)
		return 2.0;
	const f64 wall = job->cell_first[axis] + (f64)(cell + (last > cell ? 1 : 0)) * job->cell_nm[axis];
	return (wall - from) / (to - from);
}

/* Distributes the losses of this step to electrons and soft collisions over the cells that it crosses; the last part
 * remains pending with the atom. */
DEVICE_FUNCTION void distribute(const struct run *run, struct flights *f, const u32 h, i64 loss, i64 soft)
{
	const GLOBAL struct ions_job *const job = run->job;
	const u32 recoil = f->kind[h] != 0u ? 1u : 0u;
	int i = cell_along(job, 0, f->x[h]), j = cell_along(job, 1, f->y[h]), k = cell_along(job, 2, f->z[h]);
	const int i_last = cell_along(job, 0, f->next_x[h]), j_last = cell_along(job, 1, f->next_y[h]),
		  k_last = cell_along(job, 2, f->next_z[h]);
	f64 done = 0.0;

	flush(run, f, h);
	while (i != i_last || j != j_last || k != k_last) {
		const f64 x = end_of_cell(job, 0, i, i_last, f->x[h], f->next_x[h]),
			  y = end_of_cell(job, 1, j, j_last, f->y[h], f->next_y[h]),
			  z = end_of_cell(job, 2, k, k_last, f->z[h], f->next_z[h]);
		const f64 end = x <= y && x <= z ? x : y <= z ? y : z;
		/* rounding may place a wall just before the start, or beyond the end */
		const f64 inside = end < done ? done : end > 1.0 ? 1.0 : end;
		const i64 part = (i64)((f64)loss * inside) - (i64)((f64)loss * done);
		if (part != 0)
			tally(run, f, h, TALLY_IONIZATION_BY_IONS + recoil, cell_number(job, i, j, k), (u64)part);
		if (MULTIPLE) {
			const i64 heat = (i64)((f64)soft * inside) - (i64)((f64)soft * done);
			if (heat != 0)
				tally(run, f, h, TALLY_PHONONS_BY_IONS + recoil, cell_number(job, i, j, k),
				      (u64)heat);
		}
		done = inside;
		if (x <= y && x <= z)
			i += i_last > i ? 1 : -1;
		else if (y <= z)
			j += j_last > j ? 1 : -1;
		else
			k += k_last > k ? 1 : -1;
	}
	f->electronic[h] += loss - (i64)((f64)loss * done);
	if (MULTIPLE)
		f->phonons[h] += soft - (i64)((f64)soft * done);
	f->cell[h] = cell_number(job, i, j, k);
}

#endif
