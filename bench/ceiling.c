#include "bench.h"

#include "base/clock.h"

#define SONDE_ISA ceiling
#include "device/kernel.h"

#define REGISTERS 6
#define ROUNDS 20000000L

/* Chains of independent operations in registers, limited only by the arithmetic units. */
double ceiling_multiply_add_and_add(void)
{
	lanes_f64 product[REGISTERS], sum[REGISTERS], factor = LANES_SPLAT(0.5);
	double began, best = 0.0;

	for (int attempt = 0; attempt < 3; ++attempt) {
		for (int k = 0; k < REGISTERS; ++k)
			product[k] = sum[k] = LANES_SPLAT(1.0 + k);
		began = clock_processor_seconds();
		for (long round = 0; round < ROUNDS; ++round) {
#pragma GCC unroll 8
			for (int k = 0; k < REGISTERS; ++k) {
				product[k] = LANES_MULADD(product[k], factor, factor);
				sum[k] = sum[k] + factor;
			}
			__asm__ volatile("" ::: "memory");
		}
		double rate = (double)ROUNDS * REGISTERS * LANES / (clock_processor_seconds() - began);
		volatile double keep = 0.0;
		for (int k = 0; k < REGISTERS; ++k)
			keep += LANES_SUM(product[k]) + LANES_SUM(sum[k]);
		best = rate > best ? rate : best;
	}
	return best;
}

double ceiling_square_roots(void)
{
	lanes_f64 root[REGISTERS];
	double best = 0.0;
	const long rounds = ROUNDS / 8;

	for (int attempt = 0; attempt < 3; ++attempt) {
		for (int k = 0; k < REGISTERS; ++k)
			root[k] = LANES_SPLAT(2.0 + k);
		double began = clock_processor_seconds();
		for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 8
			for (int k = 0; k < REGISTERS; ++k)
				root[k] = LANES_SQRT(root[k]);
			__asm__ volatile("" ::: "memory");
		}
		double rate = (double)rounds * REGISTERS * LANES / (clock_processor_seconds() - began);
		volatile double keep = 0.0;
		for (int k = 0; k < REGISTERS; ++k)
			keep += LANES_SUM(root[k]);
		best = rate > best ? rate : best;
	}
	return best;
}
