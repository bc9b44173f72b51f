/* The scattering angle from the table of scattering_table.h, for kernels and the host: the same bits everywhere. */
#ifndef SONDE_IONS_SCATTERING_LOOKUP_H
#define SONDE_IONS_SCATTERING_LOOKUP_H

#include "ions/kernels/logarithm.h"
#include "ions/scattering_layout.h"

/* Of four nodes at -1, 0, 1 and 2 the cubic at t: Lagrange's weights. */
DEVICE_FUNCTION void scattering_weights(f32 t, f32 *weights)
{
	const f32 before = t + 1.0f, after = t - 1.0f, last = t - 2.0f;

	weights[0] = -0.16666667f * t * after * last;
	weights[1] = 0.5f * before * after * last;
	weights[2] = -0.5f * before * t * last;
	weights[3] = 0.16666667f * before * t * after;
}

/* tan^2(theta/2) for the logarithms of 2 of reduced energy and impact parameter.
 *
 * -log2 tan^2(theta/2) is what the table has: 2 log2(2 epsilon s) for bare charges, linear, and nearly so where screening
 * does little: at high energies and small impact parameters, where it goes on linearly beyond the table. Beyond the
 * largest impact parameter, 32, nothing is left: 0. */
DEVICE_FUNCTION f32 scattering_tan2(const GLOBAL f32 *table, f32 log2_energy, f32 log2_impact)
{
	const f32 high = (f32)TABLE_ENERGY_LAST, low = (f32)TABLE_ENERGY_FIRST, small = (f32)TABLE_IMPACT_FIRST;
	/* beyond the corners of low energies the angle no longer changes much: that of the lowest */
	const f32 energy = log2_energy < low ? low : log2_energy > high ? high : log2_energy;
	const f32 impact = log2_impact < small ? small : log2_impact;
	const f32 beyond = 2.0f * ((log2_energy > high ? log2_energy - high : 0.0f) +
				   (log2_impact < small ? log2_impact - small : 0.0f));
	f32 across[4], along[4], sum = 0.0f;

	if (!(impact < (f32)TABLE_IMPACT_LAST))
		return 0.0f;
	const f32 a = (energy - low) * (f32)TABLE_AN_OCTAVE, b = (impact - small) * (f32)TABLE_AN_OCTAVE;
	/* the last node belongs to the interval before it */
	const u32 most = (u32)(TABLE_ENERGIES - 4), row = (u32)a < most ? (u32)a : most, column = (u32)b;
	scattering_weights(a - (f32)row, along);
	scattering_weights(b - (f32)column, across);
	for (u32 i = 0; i < 4u; ++i) {
		const GLOBAL f32 *const from = table + (row + i) * (u32)TABLE_IMPACTS + column;
		const f32 here =
		    across[0] * from[0] + across[1] * from[1] + across[2] * from[2] + across[3] * from[3];
		sum = sum + along[i] * here;
	}
	return exact_exp2(-(sum + beyond));
}

#endif
