/* The scattering angle from the table of scattering_table.h, for kernels and the host: bit-identical everywhere. */
#ifndef SONDE_IONS_SCATTERING_LOOKUP_H
#define SONDE_IONS_SCATTERING_LOOKUP_H

#include "ions/kernels/logarithm.h"
#include "ions/kernels/scattering_layout.h"

/* Lagrange weights at t of the cubic through four nodes at -1, 0, 1 and 2. */
DEVICE_INLINE void scattering_weights(f32 t, f32 *weights)
{
	const f32 before = t + 1.0f, after = t - 1.0f, last = t - 2.0f;
	const f32 inner = t * after, outer = before * last;

	weights[0] = -0.16666667f * inner * last;
	weights[1] = 0.5f * outer * after;
	weights[2] = -0.5f * outer * t;
	weights[3] = 0.16666667f * inner * before;
}

#define SCATTERING_ROW(table, from, weights)               \
	FMA_F32((weights)[3], (table)[(from) + 3],         \
		FMA_F32((weights)[2], (table)[(from) + 2], \
			FMA_F32((weights)[1], (table)[(from) + 1], (weights)[0] * (table)[from])))

/* SCATTERING_CUBIC(MEMORY, name): name(table, log2_energy, log2_impact), cubic interpolation in a table in this
 * memory, for arguments within it. */
#define SCATTERING_CUBIC(MEMORY, name)                                                                          \
	DEVICE_INLINE f32 name(const MEMORY f32 *table, f32 log2_energy, f32 log2_impact)                       \
	{                                                                                                       \
		const f32 energy = log2_energy - TABLE_ENERGY_FIRST, impact = log2_impact - TABLE_IMPACT_FIRST; \
		const f32 a = energy * FMA_F32(TABLE_ENERGY_GROWTH, energy, TABLE_ENERGY_DENSITY);              \
		const f32 b = impact * FMA_F32(TABLE_IMPACT_GROWTH, impact, TABLE_IMPACT_DENSITY);              \
		/* the last node belongs to the interval before it */                                           \
		const int last_row = TABLE_ENERGIES - 4, last_column = TABLE_IMPACTS - 4;                       \
		const int row = (int)a < last_row ? (int)a : last_row;                                          \
		const int column = (int)b < last_column ? (int)b : last_column;                                 \
		const int at = row * TABLE_IMPACTS + column;                                                    \
		f32 across[4], along[4];                                                                        \
		scattering_weights(a - (f32)row, along);                                                        \
		scattering_weights(b - (f32)column, across);                                                    \
		return FMA_F32(along[3], SCATTERING_ROW(table, at + 3 * TABLE_IMPACTS, across),                 \
			       FMA_F32(along[2], SCATTERING_ROW(table, at + 2 * TABLE_IMPACTS, across),         \
				       FMA_F32(along[1], SCATTERING_ROW(table, at + TABLE_IMPACTS, across),     \
					       along[0] * SCATTERING_ROW(table, at, across))));                 \
	}

DEVICE_INLINE f32 scattering_energy_inside(f32 log2_energy)
{
	const f32 high = TABLE_ENERGY_LAST, low = TABLE_ENERGY_FIRST;

	return log2_energy < low ? low : log2_energy > high ? high : log2_energy;
}

DEVICE_INLINE f32 scattering_impact_inside(f32 log2_impact)
{
	const f32 small = TABLE_IMPACT_FIRST, large = TABLE_IMPACT_LAST;

	return log2_impact < small ? small : log2_impact > large ? large : log2_impact;
}

/* SCATTERING_LOG2_TAN2(MEMORY): log2 tan^2(theta/2) for the logarithms of 2 of reduced energy and impact
 * parameter.
 *
 * The table has -log2 tan^2(theta/2): 2 log2(2 epsilon s) for bare charges, linear, and nearly so where screening is
 * weak: at high energies and small impact parameters, where it is extrapolated linearly beyond the table. No atom has
 * less than the lowest energy. Beyond the largest impact parameter atoms are not deflected: the result is below -200.
 */
#define SCATTERING_LOG2_TAN2(MEMORY)                                                                       \
	SCATTERING_CUBIC(MEMORY, scattering_cubic)                                                         \
	DEVICE_INLINE f32 scattering_log2_tan2(const MEMORY f32 *table, f32 log2_energy, f32 log2_impact)  \
	{                                                                                                  \
		const f32 high = TABLE_ENERGY_LAST, small = TABLE_IMPACT_FIRST, large = TABLE_IMPACT_LAST; \
		const f32 beyond = 2.0f * ((log2_energy > high ? log2_energy - high : 0.0f) +              \
					   (log2_impact < small ? log2_impact - small : 0.0f));            \
		const f32 sum = scattering_cubic(table, scattering_energy_inside(log2_energy),             \
						 scattering_impact_inside(log2_impact));                   \
		return -(sum + beyond) - (log2_impact < large ? 0.0f : 200.0f);                            \
	}

#endif
