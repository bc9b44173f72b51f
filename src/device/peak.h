/* Theoretical peak rates of a device, from its clock and its units, for comparison with measured rates. FLOP/s, a
 * fused multiply-add counting as two; 0 if unknown. */
#ifndef SONDE_DEVICE_PEAK_H
#define SONDE_DEVICE_PEAK_H

#include <stdint.h>

struct peak {
	double f64, f32, matrix_f64;
};

/* NVIDIA GPUs: `capability` is 90 for 9.0, the clock in Hz. */
struct peak peak_of_nvidia(int capability, double multiprocessors, double clock);

/* The machine's processor: `threads` of it with the instruction set "sse2", "avx2" or "avx512", or the best it has. Two
 * units per core are assumed, as in all x86-64 processors for PCs and servers of the last ten years, except a few with
 * one for 512 bits; two threads of a core count once. The clock is measured, which takes a few milliseconds. */
struct peak peak_of_processor(uint32_t threads, const char *instruction_set);

#endif
