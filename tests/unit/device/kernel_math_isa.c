/* Compiled once per instruction set, with SONDE_ISA naming it. */
#include "device/kernel.h"

#include "device/kernel_math.h"
#include "unit/device/kernel_math_isa.h"

#define SINCOS(name, fused)                                                                           \
	void SONDE_JOIN(name, SONDE_ISA)(const double *x, double *sine, double *cosine, size_t count) \
	{                                                                                             \
		for (size_t k = 0; k < count; k += LANES) {                                           \
			lanes_f64 s, c;                                                               \
			lanes_sincos(LANES_LOAD(x + k), &s, &c, fused);                               \
			LANES_STORE(sine + k, s);                                                     \
			LANES_STORE(cosine + k, c);                                                   \
		}                                                                                     \
	}

SINCOS(sincos, 0)
SINCOS(sincos_fused, 1)

void SONDE_JOIN(sincos_of_sum, SONDE_ISA)(const double *a, const double *b, double *first, double *second,
					  size_t count)
{
	for (size_t k = 0; k < count; k += LANES) {
		lanes_f64 s, c;
		lanes_sincos_of_sum(LANES_LOAD(a + k), LANES_LOAD(b + k), &s, &c);
		LANES_STORE(first + k, s);
		LANES_STORE(second + k, c);
	}
}

void SONDE_JOIN(lost, SONDE_ISA)(const double *a, const double *b, double *first, double *second, size_t count)
{
	for (size_t k = 0; k < count; k += LANES) {
		const lanes_f64 x = LANES_LOAD(a + k), y = LANES_LOAD(b + k);
		LANES_STORE(first + k, lanes_lost_by_product(x, y, x * y));
		LANES_STORE(second + k, lanes_lost_by_sum(x, y, x + y));
	}
}

void SONDE_JOIN(decays, SONDE_ISA)(const double *x, double *exponential, double *complement, size_t count)
{
	for (size_t k = 0; k < count; k += LANES) {
		LANES_STORE(exponential + k, lanes_exp(-LANES_LOAD(x + k), 1));
		LANES_STORE(complement + k, lanes_erfc(LANES_LOAD(x + k), 1));
	}
}
