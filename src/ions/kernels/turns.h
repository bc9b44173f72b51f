/* Angles and directions in float32 that are bit-identical everywhere: see logarithm.h. */
#ifndef SONDE_IONS_TURNS_H
#define SONDE_IONS_TURNS_H

#include "ions/kernels/logarithm.h"

/* Cosine and sine of 2 pi word/2^32, within 2e-7. */
DEVICE_INLINE void exact_circle(u32 word, f32 *cosine, f32 *sine)
{
	/* relative to the nearest multiple of pi/2, so that |y| <= pi/4 */
	const u32 quarter = (word + 0x20000000u) >> 30;
	const f32 y = (f32)(int)(word - (quarter << 30)) * 1.46291807926715968105e-9f, z = y * y;
	const f32 s3 =
	    FMA_F32(FMA_F32(FMA_F32(2.75573192e-6f, z, -1.98412698e-4f), z, 8.33333333e-3f), z, -0.166666667f);
	const f32 c2 = FMA_F32(FMA_F32(FMA_F32(2.48015873e-5f, z, -1.38888889e-3f), z, 0.0416666667f), z, -0.5f);
	const f32 s = FMA_F32(s3 * z, y, y), c = FMA_F32(c2, z, 1.0f);
	const f32 along = (quarter & 1u) != 0u ? s : c, across = (quarter & 1u) != 0u ? c : s;
	const f32 cosine_sign = ((quarter + 1u) & 2u) != 0u ? -1.0f : 1.0f,
		  sine_sign = (quarter & 2u) != 0u ? -1.0f : 1.0f;

	*cosine = cosine_sign * along;
	*sine = sine_sign * across;
}

/* A unit vector perpendicular to a direction, at an azimuth (Duff et al., J. Comput. Graph. Tech. 6 (2017) 1). */
DEVICE_INLINE void exact_across(f32 x, f32 y, f32 z, f32 cosine, f32 sine, f32 *across_x, f32 *across_y,
				f32 *across_z)
{
	const f32 sign = z < 0.0f ? -1.0f : 1.0f, a = -exact_reciprocal(sign + z), b = x * y * a,
		  signed_cosine = sign * cosine;

	*across_x = FMA_F32(cosine, FMA_F32(sign * x * x, a, 1.0f), sine * b);
	*across_y = FMA_F32(signed_cosine, b, sine * FMA_F32(y * y, a, sign));
	*across_z = -FMA_F32(signed_cosine, x, sine * y);
}

/* A normally distributed number from a word: the inverse of the cumulative distribution, within 4.5e-4 (Abramowitz
 * and Stegun, Handbook of Mathematical Functions (1964), 26.2.23). */
DEVICE_INLINE f32 exact_gaussian(u32 word)
{
	/* the half, and the tail probability */
	const f32 tail = ((f32)(int)((word & 0x7fffffffu) >> 8) + 0.5f) * 5.96046448e-8f;
	const f32 square = -1.38629436f * exact_log2(tail), t = square * exact_rsqrt(square);
	const f32 above = FMA_F32(t, FMA_F32(t, 0.010328f, 0.802853f), 2.515517f);
	const f32 below = FMA_F32(t, FMA_F32(t, FMA_F32(t, 0.001308f, 0.189269f), 1.432788f), 1.0f);
	const f32 x = t - above * exact_reciprocal(below);

	return (word >> 31) != 0u ? x : -x;
}

#endif
