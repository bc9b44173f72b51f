/* The CPU version of the kernel dialect (device/kernel.h): a work-group has one work-item, which carries the LANES of
 * one SIMD register.  SONDE_ISA names the instruction set that this compilation is for; the symbols of its kernels
 * end in that name.  With SONDE_ISA_PLAIN, LANES is 1 as on a GPU: this runs kernels for GPUs where there is none. */
#ifndef SONDE_DEVICE_KERNEL_CPU_H
#define SONDE_DEVICE_KERNEL_CPU_H

#include <math.h>
#include <stdint.h>
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__) /* of the host's code, too, which takes half of its compilation time for the header above */
#include <emmintrin.h>
#endif

#include "device/cpu_kernel.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

typedef double f64;
typedef float f32;
typedef uint64_t u64;
typedef int64_t i64;
typedef uint32_t u32;
typedef struct {
	f64 x, y;
} f64x2;
typedef struct {
	f32 x, y;
} f32x2;
typedef struct {
	f32 x, y, z, w;
} f32x4;

#define DEVICE_FUNCTION static inline
#define DEVICE_APART static inline
#define DEVICE_INLINE static inline __attribute__((always_inline))
#define GLOBAL
#define LOCAL
#define RESTRICT restrict
#define ARGUMENT_OF(type) type
#define UNROLL_BY(n)
#define UNROLL_LONG_BY(n)
#define WORKGROUP_SHARES_LOCAL 0
#define ITEMS_ARE_ADJACENT 0
#define SIMD_LOOP _Pragma("omp simd")
#if defined(SONDE_SANITIZED) /* whose checks of every unrolled access take minutes to compile */
#define UNROLL
#elif defined(__clang__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif
#define LOCAL_MEMORY(type, name) type *name = (type *)cpu_group->local_memory
#define LOCAL_ID 0u
#define LOCAL_SIZE 1u
#define GROUP_ID (cpu_group->id)
#define WORKER_ID (cpu_group->worker)
#define BARRIER() ((void)0)
#define LET_NEXT_BEGIN() ((void)0)
#define WAIT_FOR_EARLIER() ((void)0)
#define STOP_IS_ASKED() (cpu_group->stop != NULL && __atomic_load_n(cpu_group->stop, __ATOMIC_RELAXED) != 0 ? 1u : 0u)
#define ATOMIC_ADD_U64(pointer, value) ((void)__atomic_fetch_add((pointer), (u64)(value), __ATOMIC_RELAXED))

/* local memory belongs to one work-item here */
#define LOCAL_ATOMIC_ADD_U32(pointer, value) ((*(pointer) += (u32)(value)) - (u32)(value))
#define LOCAL_ATOMIC_EXCHANGE_U32(pointer, value) cpu_exchange_u32((pointer), (u32)(value))
#define COUNT_BITS(x) ((u32)__builtin_popcount(x))
#define FMA(a, b, c) cpu_fma((a), (b), (c))
#define FMA_F32(a, b, c) cpu_fma_f32((a), (b), (c))
#define SQRT_IN_RANGE(x) sqrt(x)
#define RSQRT_SEED(x) (1.0 / sqrt(x))
#define SQRT_F32(x) sqrtf(x)
#define ATOMIC_NEXT_U32(pointer) __atomic_fetch_add((pointer), 1u, __ATOMIC_RELAXED)
/* whether this is the last of `count` to come here: all that the other ones have written can be read. Zero before and
 * afterwards. */
#define LAST_OF(pointer, count) cpu_last_of((pointer), (count))
#define LOCAL_ADD_U64(pointer, value) ((void)(*(pointer) += (u64)(value)))
#define RSQRT_F32(x) (1.0f / sqrtf(x))
#define NOT_A_NUMBER ((f64)NAN)
#define MIN_F32(a, b) ((a) < (b) ? (a) : (b))
#define LARGER_F32(a, b) U32_AS_F32(cpu_larger_u32(F32_AS_U32(a) & 0x7fffffffu, F32_AS_U32(b) & 0x7fffffffu))
#define LANES_RSQRT(x) (1.0 / LANES_SQRT(x))

/* fma() for plain code, which is compiled for every x86-64: by the instruction where the processor has it, since a call of
 * the C library's function costs many times as much as what surrounds it. Both round once. */
static inline f64 cpu_fma(f64 a, f64 b, f64 c)
{
#if defined(SONDE_ISA_PLAIN) && defined(__x86_64__) && !defined(__FMA__)
	if (__builtin_cpu_supports("fma")) {
		__asm__("vfmadd231sd %2, %1, %0" : "+x"(c) : "x"(a), "x"(b));
		return c;
	}
#endif
	return fma(a, b, c);
}

static inline f32 cpu_fma_f32(f32 a, f32 b, f32 c)
{
#if defined(SONDE_ISA_PLAIN) && defined(__x86_64__) && !defined(__FMA__)
	if (__builtin_cpu_supports("fma")) {
		__asm__("vfmadd231ss %2, %1, %0" : "+x"(c) : "x"(a), "x"(b));
		return c;
	}
#endif
	return fmaf(a, b, c);
}

static inline int cpu_last_of(u32 *counter, u32 count)
{
	if (__atomic_add_fetch(counter, 1u, __ATOMIC_ACQ_REL) < count)
		return 0;
	__atomic_store_n(counter, 0u, __ATOMIC_RELAXED);
	return 1;
}

static inline u32 cpu_bits_of_f32(f32 x)
{
	u32 bits;

	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static inline f32 cpu_f32_of_bits(u32 bits)
{
	f32 x;

	memcpy(&x, &bits, sizeof x);
	return x;
}
#define F32_AS_U32(x) cpu_bits_of_f32(x)
#define U32_AS_F32(x) cpu_f32_of_bits(x)

static inline u32 cpu_larger_u32(u32 a, u32 b)
{
	return a > b ? a : b;
}

static inline u32 cpu_exchange_u32(u32 *pointer, u32 value)
{
	u32 old = *pointer;

	*pointer = value;
	return old;
}

#if defined(SONDE_ISA_PLAIN)

typedef f64 lanes_f64;
typedef u64 lanes_u64;
#define LANES 1u
#define LANES_SPLAT(x) (x)
#define LANES_SPLAT_U64(x) (x)
#define LANES_LOAD(pointer) (*(pointer))
#define LANES_STORE(pointer, value) (*(pointer) = (value))
#define LANES_STORE_U64(pointer, value) (*(pointer) = (value))
#define LANES_AS_U64(x) cpu_bits_of(x)
#define LANES_AS_F64(x) cpu_number_of(x)
#define LANES_SQRT(x) sqrt(x)
#define LANES_MULADD(a, b, c) cpu_fma((a), (b), (c))
#define LANES_MULADD_ROUNDS_ONCE 1
#define LANES_LESS_MASK(a, b) ((a) < (b) ? ~(u64)0 : (u64)0)
#define LANES_FIRST(x) (x)
#define LANES_ZERO_MASK(x) ((x) == 0.0 ? ~(u64)0 : (u64)0)
#define LANES_FIRST_MASK(count) ((count) > 0 ? ~(u64)0 : (u64)0)
#define LANES_SUM_U64(x) (x)
typedef f32 lanes_f32;
#define LANES_F32 1u
#define LANES_SPLAT_F32(x) (x)
#define LANES_LOAD_F32(pointer) (*(pointer))
#define LANES_STORE_F32(pointer, value) (*(pointer) = (value))
#define LANES_MULADD_F32(a, b, c) cpu_fma_f32((a), (b), (c))
#define LANES_RSQRT_F32(x) RSQRT_F32(x)
#define LANES_MIN_F32(a, b) MIN_F32((a), (b))
#define LANES_CHOOSE(begin, end, inside, outside) ((begin) <= 0 && (end) > 0 ? (inside) : (outside))
#define LANES_CHOOSE_F32(begin, end, inside, outside) LANES_CHOOSE(begin, end, inside, outside)

static inline u64 cpu_bits_of(f64 x)
{
	u64 bits;

	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static inline f64 cpu_number_of(u64 bits)
{
	f64 x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

#else

#if defined(__AVX512F__)
#define LANES 8u
#define LANES_MULADD_ROUNDS_ONCE 1
#elif defined(__AVX2__)
#define LANES 4u
#define LANES_MULADD_ROUNDS_ONCE 1
#else
#define LANES 2u
#define LANES_MULADD_ROUNDS_ONCE 0
#endif
typedef f64 lanes_f64 __attribute__((vector_size(8 * LANES)));
typedef f32 lanes_f32 __attribute__((vector_size(8 * LANES))); /* 2 LANES of these */
typedef u64 lanes_u64 __attribute__((vector_size(8 * LANES)));
typedef f64 lanes_f64_anywhere __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef u64 lanes_u64_anywhere __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef u64 pair_u64_anywhere __attribute__((vector_size(16), aligned(8), may_alias));

#define LANES_SPLAT(x) ((x) - (lanes_f64){0})
#define LANES_SPLAT_U64(x) ((x) | (lanes_u64){0})
#define LANES_SPLAT_F32(x) ((x) - (lanes_f32){0})
typedef f32 lanes_f32_anywhere __attribute__((vector_size(8 * LANES), aligned(4), may_alias));
#define LANES_F32 (2u * LANES)
#define LANES_LOAD_F32(pointer) (*(const lanes_f32_anywhere *)(pointer))
#define LANES_STORE_F32(pointer, value) (*(lanes_f32_anywhere *)(pointer) = (value))
/* 1/sqrt(x) within 1.5e-7: the hardware's estimate, of 11 to 14 bits, and a step of third order. NaN for 0. The estimate,
 * and with it the last bit, differs between manufacturers. */
#define LANES_RSQRT_F32(x) cpu_lanes_rsqrt_f32(x)
#define LANES_LOAD(pointer) (*(const lanes_f64_anywhere *)(pointer))
#define LANES_STORE(pointer, value) (*(lanes_f64_anywhere *)(pointer) = (value))
#define LANES_STORE_U64(pointer, value) (*(lanes_u64_anywhere *)(pointer) = (value))
#define LANES_AS_U64(x) ((lanes_u64)(x))
#define LANES_AS_F64(x) ((lanes_f64)(x))
#define LANES_LESS_MASK(a, b) ((lanes_u64)((a) < (b)))
#define LANES_FIRST(x) ((x)[0])
#define LANES_ZERO_MASK(x) ((lanes_u64)((x) == 0.0))

#if defined(__AVX512F__)
#define LANES_SQRT(x) ((lanes_f64)_mm512_sqrt_pd((__m512d)(x)))
#define LANES_MULADD(a, b, c) ((lanes_f64)_mm512_fmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#define LANES_MULADD_F32(a, b, c) ((lanes_f32)_mm512_fmadd_ps((__m512)(a), (__m512)(b), (__m512)(c)))
#define LANES_MUL_U32(a, b) ((lanes_u64)_mm512_mul_epu32((__m512i)(a), (__m512i)(b)))
#define LANES_INDEX ((lanes_u64){0, 1, 2, 3, 4, 5, 6, 7})
#define LANES_INDEX_I32 ((lanes_i32){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
#define LANES_INTERLEAVE_EVEN(a, b) ((lanes_u64)_mm512_unpacklo_epi64((__m512i)(a), (__m512i)(b)))
#define LANES_INTERLEAVE_ODD(a, b) ((lanes_u64)_mm512_unpackhi_epi64((__m512i)(a), (__m512i)(b)))
#elif defined(__AVX2__)
#define LANES_SQRT(x) ((lanes_f64)_mm256_sqrt_pd((__m256d)(x)))
#define LANES_MULADD(a, b, c) ((lanes_f64)_mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#define LANES_MULADD_F32(a, b, c) ((lanes_f32)_mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c)))
#define LANES_MUL_U32(a, b) ((lanes_u64)_mm256_mul_epu32((__m256i)(a), (__m256i)(b)))
#define LANES_INDEX ((lanes_u64){0, 1, 2, 3})
#define LANES_INDEX_I32 ((lanes_i32){0, 1, 2, 3, 4, 5, 6, 7})
#define LANES_INTERLEAVE_EVEN(a, b) ((lanes_u64)_mm256_unpacklo_epi64((__m256i)(a), (__m256i)(b)))
#define LANES_INTERLEAVE_ODD(a, b) ((lanes_u64)_mm256_unpackhi_epi64((__m256i)(a), (__m256i)(b)))
#else
#if defined(__SSE2__)
#define LANES_SQRT(x) ((lanes_f64)_mm_sqrt_pd((__m128d)(x)))
#define LANES_MUL_U32(a, b) ((lanes_u64)_mm_mul_epu32((__m128i)(a), (__m128i)(b)))
#else
#define LANES_SQRT(x) ((lanes_f64){sqrt((x)[0]), sqrt((x)[1])})
#define LANES_MUL_U32(a, b) (((a)&0xFFFFFFFFu) * ((b)&0xFFFFFFFFu))
#endif
#define LANES_MULADD(a, b, c) ((a) * (b) + (c))
#define LANES_MULADD_F32(a, b, c) ((a) * (b) + (c))
#define LANES_INDEX ((lanes_u64){0, 1})
#define LANES_INDEX_I32 ((lanes_i32){0, 1, 2, 3})
#define LANES_INTERLEAVE_EVEN(a, b) ((lanes_u64){(a)[0], (b)[0]})
#define LANES_INTERLEAVE_ODD(a, b) ((lanes_u64){(a)[1], (b)[1]})
#endif

#if defined(__AVX512F__)
#define CPU_RSQRT_GUESS(x) ((lanes_f32)_mm512_rsqrt14_ps((__m512)(x)))
#define LANES_MIN_F32(a, b) ((lanes_f32)_mm512_min_ps((__m512)(a), (__m512)(b)))
#elif defined(__AVX2__)
#define CPU_RSQRT_GUESS(x) ((lanes_f32)_mm256_rsqrt_ps((__m256)(x)))
#define LANES_MIN_F32(a, b) ((lanes_f32)_mm256_min_ps((__m256)(a), (__m256)(b)))
#elif defined(__SSE2__)
/* not rsqrtps, whose bits depend on the maker of the processor: these are the instructions of which results are recorded */
#define CPU_RSQRT_GUESS(x) ((lanes_f32)_mm_div_ps(_mm_set1_ps(1.0f), _mm_sqrt_ps((__m128)(x))))
#define LANES_MIN_F32(a, b) ((lanes_f32)_mm_min_ps((__m128)(a), (__m128)(b)))
#else
#define CPU_RSQRT_GUESS(x) (1.0f / (lanes_f32){sqrtf((x)[0]), sqrtf((x)[1]), sqrtf((x)[2]), sqrtf((x)[3])})
#define LANES_MIN_F32(a, b) \
	((lanes_f32){fminf((a)[0], (b)[0]), fminf((a)[1], (b)[1]), fminf((a)[2], (b)[2]), fminf((a)[3], (b)[3])})
#endif

static inline lanes_f32 cpu_lanes_rsqrt_f32(lanes_f32 x)
{
	const lanes_f32 y = CPU_RSQRT_GUESS(x);
	/* y (1 + e/2 + 3 e^2/8), e = 1 - x y^2 */
	const lanes_f32 e = LANES_MULADD_F32(-(x * y), y, LANES_SPLAT_F32(1.0f));
	const lanes_f32 half = LANES_MULADD_F32(e, LANES_SPLAT_F32(0.375f), LANES_SPLAT_F32(0.5f));

	return LANES_MULADD_F32(half * e, y, y);
}

typedef i64 lanes_i64 __attribute__((vector_size(8 * LANES)));
typedef int32_t lanes_i32 __attribute__((vector_size(8 * LANES)));
/* Lanes begin to end - 1 of one register, the other ones of another; signed numbers. */
#define LANES_CHOOSE(begin, end, inside, outside) cpu_lanes_choose((i64)(begin), (i64)(end), (inside), (outside))
#define LANES_CHOOSE_F32(begin, end, inside, outside) \
	cpu_lanes_choose_f32((int32_t)(begin), (int32_t)(end), (inside), (outside))

static inline lanes_f64 cpu_lanes_choose(i64 begin, i64 end, lanes_f64 inside, lanes_f64 outside)
{
	const lanes_i64 lane = (lanes_i64)LANES_INDEX, mask = (lane >= begin) & (lane < end);

	return (lanes_f64)(((lanes_i64)inside & mask) | ((lanes_i64)outside & ~mask));
}

static inline lanes_f32 cpu_lanes_choose_f32(int32_t begin, int32_t end, lanes_f32 inside, lanes_f32 outside)
{
	const lanes_i32 lane = LANES_INDEX_I32, mask = (lane >= begin) & (lane < end);

	return (lanes_f32)(((lanes_i32)inside & mask) | ((lanes_i32)outside & ~mask));
}

/* all ones in the first `count` lanes, zero in the rest */
#define LANES_FIRST_MASK(count) ((lanes_u64)(LANES_INDEX < (u64)(count)))
/* the sum of the lanes, in the order of the lanes */
#define LANES_SUM(x) cpu_lanes_sum(x)
#define LANES_SUM_U64(x) cpu_lanes_sum_u64(x)
#define LANES_SUM_F32(x) cpu_lanes_sum_f32(x)
/* The pairs a, b of all lanes to 2 LANES consecutive u64: even lanes, then odd ones, as SIMD
 * registers interleave at no cost.  The pair of lane l is number LANES_PAIR(l) there. */
#define LANES_STORE_PAIRS(pointer, a, b)                                            \
	do {                                                                        \
		LANES_STORE_U64((pointer), LANES_INTERLEAVE_EVEN((a), (b)));        \
		LANES_STORE_U64((pointer) + LANES, LANES_INTERLEAVE_ODD((a), (b))); \
	} while (0)
#define LANES_PAIR(l) ((l) / 2 + (l) % 2 * (LANES / 2))
/* Distance of the stages of a software pipeline in steps: large enough that the stores of one stage have left the
 * store queue for the cache when the next reads them. */
#define LANES_DELAY (64 / LANES)

static inline f64 cpu_lanes_sum(lanes_f64 x)
{
	f64 sum = x[0];
	for (u32 l = 1; l < LANES; ++l)
		sum += x[l];
	return sum;
}

static inline f32 cpu_lanes_sum_f32(lanes_f32 x)
{
	f32 sum = x[0];
	for (u32 l = 1; l < 2 * LANES; ++l)
		sum += x[l];
	return sum;
}

static inline u64 cpu_lanes_sum_u64(lanes_u64 x)
{
	u64 sum = x[0];
	for (u32 l = 1; l < LANES; ++l)
		sum += x[l];
	return sum;
}

/* 16 bytes of a histogram at once: counts[0] += add[0], counts[1] += add[1]; owned by the caller */
#define PRIVATE_ADD_PAIR(counts, add) (*(pair_u64_anywhere *)(counts) += *(const pair_u64_anywhere *)(add))

#endif

/* A kernel becomes a function on unpacked arguments and, named with its instruction set, one
 * that unpacks them: the entry in the table of cpu_kernel.h. */
#define SONDE_JOIN_(a, b) a##_##b
#define SONDE_JOIN(a, b) SONDE_JOIN_(a, b)
#define CPU_ENTRY(name) SONDE_JOIN(SONDE_JOIN(sonde_kernel, name), SONDE_ISA)
#define CPU_ARGUMENT(T, k) (*(T const *)cpu_arguments[k])
#define CPU_STRIP(...) __VA_ARGS__
#define CPU_KERNEL(name, parameters, unpacked)                                               \
	static void name(const struct cpu_group *cpu_group, CPU_STRIP parameters);           \
	void CPU_ENTRY(name)(const struct cpu_group *cpu_group, void *const *cpu_arguments); \
	void CPU_ENTRY(name)(const struct cpu_group *cpu_group, void *const *cpu_arguments)  \
	{                                                                                    \
		name(cpu_group, CPU_STRIP unpacked);                                         \
	}                                                                                    \
	static void name(const struct cpu_group *cpu_group, CPU_STRIP parameters)

#define KERNEL_2(name, T1, a1, T2, a2) CPU_KERNEL(name, (T1 a1, T2 a2), (CPU_ARGUMENT(T1, 0), CPU_ARGUMENT(T2, 1)))
#define KERNEL_3(name, T1, a1, T2, a2, T3, a3) \
	CPU_KERNEL(name, (T1 a1, T2 a2, T3 a3), (CPU_ARGUMENT(T1, 0), CPU_ARGUMENT(T2, 1), CPU_ARGUMENT(T3, 2)))
#define KERNEL_4(name, T1, a1, T2, a2, T3, a3, T4, a4) \
	CPU_KERNEL(name, (T1 a1, T2 a2, T3 a3, T4 a4), \
		   (CPU_ARGUMENT(T1, 0), CPU_ARGUMENT(T2, 1), CPU_ARGUMENT(T3, 2), CPU_ARGUMENT(T4, 3)))
#define KERNEL_5(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5)                                          \
	CPU_KERNEL(name, (T1 a1, T2 a2, T3 a3, T4 a4, T5 a5),                                           \
		   (CPU_ARGUMENT(T1, 0), CPU_ARGUMENT(T2, 1), CPU_ARGUMENT(T3, 2), CPU_ARGUMENT(T4, 3), \
		    CPU_ARGUMENT(T5, 4)))
#define KERNEL_6(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6)                                  \
	CPU_KERNEL(name, (T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6),                                    \
		   (CPU_ARGUMENT(T1, 0), CPU_ARGUMENT(T2, 1), CPU_ARGUMENT(T3, 2), CPU_ARGUMENT(T4, 3), \
		    CPU_ARGUMENT(T5, 4), CPU_ARGUMENT(T6, 5)))
#define KERNEL_7(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7)                          \
	CPU_KERNEL(name, (T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7),                             \
		   (CPU_ARGUMENT(T1, 0), CPU_ARGUMENT(T2, 1), CPU_ARGUMENT(T3, 2), CPU_ARGUMENT(T4, 3), \
		    CPU_ARGUMENT(T5, 4), CPU_ARGUMENT(T6, 5), CPU_ARGUMENT(T7, 6)))
#define KERNEL_8(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8)                  \
	CPU_KERNEL(name, (T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8),                      \
		   (CPU_ARGUMENT(T1, 0), CPU_ARGUMENT(T2, 1), CPU_ARGUMENT(T3, 2), CPU_ARGUMENT(T4, 3), \
		    CPU_ARGUMENT(T5, 4), CPU_ARGUMENT(T6, 5), CPU_ARGUMENT(T7, 6), CPU_ARGUMENT(T8, 7)))
#define KERNEL_9(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9)          \
	CPU_KERNEL(name, (T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9),               \
		   (CPU_ARGUMENT(T1, 0), CPU_ARGUMENT(T2, 1), CPU_ARGUMENT(T3, 2), CPU_ARGUMENT(T4, 3), \
		    CPU_ARGUMENT(T5, 4), CPU_ARGUMENT(T6, 5), CPU_ARGUMENT(T7, 6), CPU_ARGUMENT(T8, 7), \
		    CPU_ARGUMENT(T9, 8)))
#define KERNEL_10(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10) \
	CPU_KERNEL(name, (T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10),        \
		   (CPU_ARGUMENT(T1, 0), CPU_ARGUMENT(T2, 1), CPU_ARGUMENT(T3, 2), CPU_ARGUMENT(T4, 3),   \
		    CPU_ARGUMENT(T5, 4), CPU_ARGUMENT(T6, 5), CPU_ARGUMENT(T7, 6), CPU_ARGUMENT(T8, 7),   \
		    CPU_ARGUMENT(T9, 8), CPU_ARGUMENT(T10, 9)))
#define KERNEL_11(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11) \
	CPU_KERNEL(name, (T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11),         \
		   (CPU_ARGUMENT(T1, 0), CPU_ARGUMENT(T2, 1), CPU_ARGUMENT(T3, 2), CPU_ARGUMENT(T4, 3),             \
		    CPU_ARGUMENT(T5, 4), CPU_ARGUMENT(T6, 5), CPU_ARGUMENT(T7, 6), CPU_ARGUMENT(T8, 7),             \
		    CPU_ARGUMENT(T9, 8), CPU_ARGUMENT(T10, 9), CPU_ARGUMENT(T11, 10)))
#define KERNEL_12(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11,  \
		  T12, a12)                                                                                          \
	CPU_KERNEL(name, (T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11, T12 a12), \
		   (CPU_ARGUMENT(T1, 0), CPU_ARGUMENT(T2, 1), CPU_ARGUMENT(T3, 2), CPU_ARGUMENT(T4, 3),              \
		    CPU_ARGUMENT(T5, 4), CPU_ARGUMENT(T6, 5), CPU_ARGUMENT(T7, 6), CPU_ARGUMENT(T8, 7),              \
		    CPU_ARGUMENT(T9, 8), CPU_ARGUMENT(T10, 9), CPU_ARGUMENT(T11, 10), CPU_ARGUMENT(T12, 11)))
#define KERNEL_13(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11, \
		  T12, a12, T13, a13)                                                                               \
	CPU_KERNEL(                                                                                                 \
	    name,                                                                                                   \
	    (T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11, T12 a12, T13 a13),    \
	    (CPU_ARGUMENT(T1, 0), CPU_ARGUMENT(T2, 1), CPU_ARGUMENT(T3, 2), CPU_ARGUMENT(T4, 3),                    \
	     CPU_ARGUMENT(T5, 4), CPU_ARGUMENT(T6, 5), CPU_ARGUMENT(T7, 6), CPU_ARGUMENT(T8, 7),                    \
	     CPU_ARGUMENT(T9, 8), CPU_ARGUMENT(T10, 9), CPU_ARGUMENT(T11, 10), CPU_ARGUMENT(T12, 11),               \
	     CPU_ARGUMENT(T13, 12)))
#define KERNEL_14(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11, \
		  T12, a12, T13, a13, T14, a14)                                                                     \
	CPU_KERNEL(name,                                                                                            \
		   (T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11, T12 a12,       \
		    T13 a13, T14 a14),                                                                              \
		   (CPU_ARGUMENT(T1, 0), CPU_ARGUMENT(T2, 1), CPU_ARGUMENT(T3, 2), CPU_ARGUMENT(T4, 3),             \
		    CPU_ARGUMENT(T5, 4), CPU_ARGUMENT(T6, 5), CPU_ARGUMENT(T7, 6), CPU_ARGUMENT(T8, 7),             \
		    CPU_ARGUMENT(T9, 8), CPU_ARGUMENT(T10, 9), CPU_ARGUMENT(T11, 10), CPU_ARGUMENT(T12, 11),        \
		    CPU_ARGUMENT(T13, 12), CPU_ARGUMENT(T14, 13)))
#define KERNEL_15(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11, \
		  T12, a12, T13, a13, T14, a14, T15, a15)                                                           \
	CPU_KERNEL(name,                                                                                            \
		   (T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11, T12 a12,       \
		    T13 a13, T14 a14, T15 a15),                                                                     \
		   (CPU_ARGUMENT(T1, 0), CPU_ARGUMENT(T2, 1), CPU_ARGUMENT(T3, 2), CPU_ARGUMENT(T4, 3),             \
		    CPU_ARGUMENT(T5, 4), CPU_ARGUMENT(T6, 5), CPU_ARGUMENT(T7, 6), CPU_ARGUMENT(T8, 7),             \
		    CPU_ARGUMENT(T9, 8), CPU_ARGUMENT(T10, 9), CPU_ARGUMENT(T11, 10), CPU_ARGUMENT(T12, 11),        \
		    CPU_ARGUMENT(T13, 12), CPU_ARGUMENT(T14, 13), CPU_ARGUMENT(T15, 14)))
#define KERNEL_16(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11, \
		  T12, a12, T13, a13, T14, a14, T15, a15, T16, a16)                                                 \
	CPU_KERNEL(name,                                                                                            \
		   (T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11, T12 a12,       \
		    T13 a13, T14 a14, T15 a15, T16 a16),                                                            \
		   (CPU_ARGUMENT(T1, 0), CPU_ARGUMENT(T2, 1), CPU_ARGUMENT(T3, 2), CPU_ARGUMENT(T4, 3),             \
		    CPU_ARGUMENT(T5, 4), CPU_ARGUMENT(T6, 5), CPU_ARGUMENT(T7, 6), CPU_ARGUMENT(T8, 7),             \
		    CPU_ARGUMENT(T9, 8), CPU_ARGUMENT(T10, 9), CPU_ARGUMENT(T11, 10), CPU_ARGUMENT(T12, 11),        \
		    CPU_ARGUMENT(T13, 12), CPU_ARGUMENT(T14, 13), CPU_ARGUMENT(T15, 14), CPU_ARGUMENT(T16, 15)))
#define KERNEL_17(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11, \
		  T12, a12, T13, a13, T14, a14, T15, a15, T16, a16, T17, a17)                                       \
	CPU_KERNEL(name,                                                                                            \
		   (T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11, T12 a12,       \
		    T13 a13, T14 a14, T15 a15, T16 a16, T17 a17),                                                   \
		   (CPU_ARGUMENT(T1, 0), CPU_ARGUMENT(T2, 1), CPU_ARGUMENT(T3, 2), CPU_ARGUMENT(T4, 3),             \
		    CPU_ARGUMENT(T5, 4), CPU_ARGUMENT(T6, 5), CPU_ARGUMENT(T7, 6), CPU_ARGUMENT(T8, 7),             \
		    CPU_ARGUMENT(T9, 8), CPU_ARGUMENT(T10, 9), CPU_ARGUMENT(T11, 10), CPU_ARGUMENT(T12, 11),        \
		    CPU_ARGUMENT(T13, 12), CPU_ARGUMENT(T14, 13), CPU_ARGUMENT(T15, 14), CPU_ARGUMENT(T16, 15),     \
		    CPU_ARGUMENT(T17, 16)))

#endif
