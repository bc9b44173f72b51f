/* Functions in float32 that are bit-identical everywhere: sums, products and fused multiply-adds, each rounded
 * once, and bit operations. On CPUs without fused multiply-adds they are calls, and slow. For kernels and the
 * host. */
#ifndef SONDE_IONS_LOGARITHM_H
#define SONDE_IONS_LOGARITHM_H

#include "device/kernel.h"

/* log2 of a positive, normal number: within 2e-7, or a relative error of 1e-7 where this is more. */
DEVICE_INLINE f32 exact_log2(f32 x)
{
	/* 2^e (1 + z), z from sqrt(1/2) - 1 to sqrt(2) - 1 */
	const u32 shifted = F32_AS_U32(x) - 0x3f3504f3u;
	const f32 exponent = (f32)((int)shifted >> 23);
	const f32 z = U32_AS_F32((shifted & 0x007fffffu) + 0x3f3504f3u) - 1.0f;
	/* (log2(1 + z))/z by a polynomial of degree 8: 4e-8 */
	f32 p = FMA_F32(0.129261159f, z, -0.208932388f);
	p = FMA_F32(p, z, 0.215212754f);
	p = FMA_F32(p, z, -0.238675913f);
	p = FMA_F32(p, z, 0.287939068f);
	p = FMA_F32(p, z, -0.360716253f);
	p = FMA_F32(p, z, 0.48091028f);
	p = FMA_F32(p, z, -0.721347199f);
	p = FMA_F32(p, z, 1.442695f);
	return FMA_F32(p, z, exponent);
}

/* 2^x for x from -126 to 127: relative error 3e-7. Beyond, to -4000 and 4000, it stays within a factor of two of
 * the ends. */
DEVICE_INLINE f32 exact_exp2(f32 x)
{
	const int whole = (int)(x + 4096.0f) - 4096, above = whole > -126 ? whole : -126,
		  exponent = above < 127 ? above : 127;
	const f32 f = x - (f32)whole;
	f32 p = FMA_F32(0.00021889217f, f, 0.00123843071f);
	p = FMA_F32(p, f, 0.00968497591f);
	p = FMA_F32(p, f, 0.0554802212f);
	p = FMA_F32(p, f, 0.24023055f);
	p = FMA_F32(p, f, 0.693146925f);
	p = FMA_F32(p, f, 1.0f);
	return p * U32_AS_F32((u32)(exponent + 127) << 23);
}

/* 1/x for x from 2^-100 to 2^100, of either sign, by Newton steps from an estimate by the bits, accurate to 1/8:
 * within 1.2e-7. */
DEVICE_INLINE f32 exact_reciprocal(f32 x)
{
	f32 y = U32_AS_F32(0x7ef311c7u - F32_AS_U32(x));

	y = FMA_F32(FMA_F32(-x, y, 1.0f), y, y);
	y = FMA_F32(FMA_F32(-x, y, 1.0f), y, y);
	y = FMA_F32(FMA_F32(-x, y, 1.0f), y, y);
	return FMA_F32(FMA_F32(-x, y, 1.0f), y, y);
}

/* 1/sqrt(x) for x from 2^-100 to 2^100, in the same way from an estimate accurate to 3.5 %: within 1.2e-7. */
DEVICE_INLINE f32 exact_rsqrt(f32 x)
{
	const f32 halved = 0.5f * x;
	f32 y = U32_AS_F32(0x5f375a86u - (F32_AS_U32(x) >> 1));

	y = y * FMA_F32(-halved * y, y, 1.5f);
	y = y * FMA_F32(-halved * y, y, 1.5f);
	return FMA_F32(y, FMA_F32(-halved * y, y, 0.5f), y);
}

#endif
