/* Powers and logarithms of 2 in float32 that have the same bits everywhere: sums and products only, each rounded by itself,
 * and bits. For kernels and the host. */
#ifndef SONDE_IONS_LOGARITHM_H
#define SONDE_IONS_LOGARITHM_H

#include "device/kernel.h"

/* log2 of a positive, normal number: within 2e-7, or 1e-7 of itself where that is more. */
DEVICE_FUNCTION f32 exact_log2(f32 x)
{
	/* 2^e (1 + z), z from sqrt(1/2) - 1 to sqrt(2) - 1 */
	const u32 bits = F32_AS_U32(x), shifted = bits - 0x3f3504f3u;
	const f32 exponent = (f32)(shifted >> 23) - (shifted > 0x7fffffffu ? 512.0f : 0.0f);
	const f32 z = U32_AS_F32((shifted & 0x007fffffu) + 0x3f3504f3u) - 1.0f;
	/* (log2(1 + z))/z by a polynomial of degree 8: 4e-8 */
	f32 p = 0.129261159f;
	p = p * z - 0.208932388f;
	p = p * z + 0.215212754f;
	p = p * z - 0.238675913f;
	p = p * z + 0.287939068f;
	p = p * z - 0.360716253f;
	p = p * z + 0.48091028f;
	p = p * z - 0.721347199f;
	p = p * z + 1.442695f;
	return exponent + p * z;
}

/* 2^x: within 3e-7 of itself; 0 below -126, and 2^127 above 127. */
DEVICE_FUNCTION f32 exact_exp2(f32 x)
{
	const f32 inside = x < -126.0f ? -126.0f : x > 127.0f ? 127.0f : x;
	const u32 whole = (u32)(inside + 127.0f);
	const f32 f = inside - ((f32)whole - 127.0f);
	f32 p = 0.00021889217f;
	p = p * f + 0.00123843071f;
	p = p * f + 0.00968497591f;
	p = p * f + 0.0554802212f;
	p = p * f + 0.24023055f;
	p = p * f + 0.693146925f;
	p = p * f + 1.0f;
	return x < -126.0f ? 0.0f : p * U32_AS_F32(whole << 23);
}

#endif
