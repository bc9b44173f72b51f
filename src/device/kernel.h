/* The kernel dialect: one text for every device.
 *
 * A kernel (.k file) is plain C that uses KERNEL_n, GLOBAL, LOCAL_ID, GROUP_ID, BARRIER, ATOMIC_ADD_U64 ... and is
 * compiled
 *   - as C for the CPU, ahead of time, once per instruction set (work-group of one): kernel_cpu.h,
 *   - as CUDA C++ by NVRTC and as OpenCL C 1.2 by a driver's compiler, at run time: below.
 * The types f64, f32, u64, u32 have the same width everywhere.  A work-item carries LANES values at once in lanes_f64 /
 * lanes_u64: a SIMD register on the CPU, a plain scalar on a GPU.  Both understand + - * & | ^ ~ << >>; everything else
 * has a name below.
 *
 * Nothing here contracts a*b + c by itself: MULADD and LANES_MULADD mark where
 * that is allowed (one rounding where the hardware has a fused multiply-add, else
 * two), and a kernel that guarantees the same bits everywhere does not use them.
 *
 * Where a kernel has to differ, it asks for a capability, never for the compiler. Each is a number that #if can test:
 *   WORKGROUP_SHARES_LOCAL  1: the work-items of a group run together and share local memory. 0: a group is one work-item,
 *                           and its local memory is main memory like any other.
 *   ITEMS_ARE_ADJACENT      1: adjacent work-items read adjacent numbers at the same time, so that each takes one of them.
 *                           0: a work-item takes many, in a loop marked SIMD_LOOP.
 *   LANES                   numbers of float64 in a lanes_f64; LANES_F32 of float32 in a lanes_f32.
 *   LANES_MULADD_ROUNDS_ONCE  1: LANES_MULADD is a fused multiply-add. 0: it rounds twice.
 *   SINE_UNIT               1: a unit of the device computes sines and cosines in float32, SINE_BY_UNIT_F32(x) and
 *                           COSINE_BY_UNIT_F32(x), x in radians, with an absolute error of 7e-7 for |x| <= 2 pi, and as
 *                           that of x/2 pi rounded beyond. 0: the kernel has to compute them.
 *   WARP_SIZE               work-items that run in lockstep and can exchange values; 1: none can.
 * This file and those that it includes are the only ones to test which compiler reads them (`make lint`).
 */
#ifndef SONDE_DEVICE_KERNEL_H
#define SONDE_DEVICE_KERNEL_H

#include "device/matrix_layout.h"

#if defined(__CUDACC__) || defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)

#if defined(__CUDACC__)

typedef double f64;
typedef float f32;
typedef unsigned long long u64;
typedef long long i64;
typedef unsigned int u32;
typedef double2 f64x2;
typedef float2 f32x2;
typedef float4 f32x4;

extern __shared__ __align__(16) u64 sonde_local_memory[];
#define DEVICE_FUNCTION static __device__ __forceinline__
#define DEVICE_APART \
	static __device__ __noinline__ /* for rare cases, so that they take no registers from common ones */
#define DEVICE_INLINE DEVICE_FUNCTION  /* for small functions in loops to be vectorized on CPUs */
#define GLOBAL
#define LOCAL
#define RESTRICT __restrict__
#define ARGUMENT_OF(type) const __grid_constant__ type /* a structure; its address may be taken */
/* Values derived from the integer are computed here, not kept in registers from before a loop: for rarely needed
 * ones. */
#define FORGET(integer) asm volatile("" : "+r"(integer))
#define PREFETCH(pointer) asm volatile("prefetch.global.L2 [%0];" ::"l"(pointer)) /* for a later load */
/* For kernels that are launched early (device.h): LET_NEXT_BEGIN() allows the next one to begin, if it is launched early, when all
 * groups of this one have called it; WAIT_FOR_EARLIER() returns when earlier launches have ended and their results can be read.
 * NVIDIA's programmatic dependent launch (PTX ISA, griddepcontrol). */
#if __CUDA_ARCH__ >= 900
#define LET_NEXT_BEGIN() asm volatile("griddepcontrol.launch_dependents;")
#define WAIT_FOR_EARLIER() asm volatile("griddepcontrol.wait;" ::: "memory")
#else
#define LET_NEXT_BEGIN() ((void)0)
#define WAIT_FOR_EARLIER() ((void)0)
#endif
/* A number or vector that is written to memory and not read again soon: it need not stay in the cache. */
#define STORE_ONCE(pointer, value) __stcs((pointer), (value))
/* Copies a vector of 16 bytes to local memory without waiting for it. COPIES_END() ends a set of copies; COPIES_WAIT(n) waits for
 * the work-item's own sets but the last n, a constant. NVIDIA's asynchronous copies (PTX ISA, cp.async). */
#if __CUDA_ARCH__ >= 800
#define COPY_TO_LOCAL(type, to, from)                                                                        \
	asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((u32)__cvta_generic_to_shared((to))), \
		     "l"((from))                                                                             \
		     : "memory")
#define COPIES_END() asm volatile("cp.async.commit_group;" ::: "memory")
#define COPIES_WAIT(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
#else
#define COPY_TO_LOCAL(type, to, from) (*(type *)(to) = *(const type *)(from))
#define COPIES_END() ((void)0)
#define COPIES_WAIT(n) ((void)0)
#endif
#define UNROLL_LONG_BY(n) UNROLL_BY(n)
#define LOCAL_MEMORY(type, name) type *name = (type *)sonde_local_memory
#define LOCAL_ID ((u32)threadIdx.x)
#define GROUP_ID ((u32)blockIdx.x)
#define BARRIER() __syncthreads()
#define ATOMIC_ADD_U64(pointer, value) ((void)atomicAdd((pointer), (u64)(value)))
#define LOCAL_ATOMIC_ADD_U32(pointer, value) atomicAdd((pointer), (u32)(value))
#define ATOMIC_NEXT_U32(pointer) atomicAdd((pointer), 1u) /* the previous value */
/* Whether this is the last of `count` to come here: all that the other ones have written can be read. Zero before and
 * afterwards. */
DEVICE_INLINE u32 sonde_last_of(u32 *counter, u32 count)
{
	__threadfence();
	if (atomicAdd(counter, 1u) + 1u < count)
		return 0u;
	*counter = 0u;
	__threadfence();
	return 1u;
}
#define LAST_OF(pointer, count) sonde_last_of((pointer), (count))
#define LOCAL_ATOMIC_EXCHANGE_U32(pointer, value) atomicExch((pointer), (u32)(value))
/* Additions to words[n - origin] of local memory, `origin` a constant, with few instructions for the address: LOCAL_PLACES() is
 * computed once. LOCAL_PLACE_NEXT() gives the previous value. */
typedef u32 local_places;
#define LOCAL_PLACES(words, origin) ((u32)__cvta_generic_to_shared(words) - 4u * (origin))
#define LOCAL_PLACE_ADD(places, origin, n, value) \
	asm volatile("red.shared.add.u32 [%0], %1;" ::"r"((places) + 4u * (n)), "r"((u32)(value)) : "memory")
#define LOCAL_PLACE_NEXT(places, origin, n, value) sonde_local_place_next((places) + 4u * (n), (u32)(value))
static __device__ __forceinline__ u32 sonde_local_place_next(u32 place, u32 value)
{
	u32 before;

	asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(before) : "r"(place), "r"(value) : "memory");
	return before;
}
/* All work-items of a warp must reach each of these. */
#define WARP_SIZE 32u
#define WARP_ID (LOCAL_ID % WARP_SIZE)
#define WARP_VOTE(flag) __ballot_sync(0xffffffffu, (flag)) /* a bit for each where the condition holds */
#define WARP_FROM_U32(value, id) __shfl_sync(0xffffffffu, (value), (int)(id)) /* the value of another one */
#define WARP_FROM_U64(value, id) __shfl_sync(0xffffffffu, (value), (int)(id))
#define WARP_FENCE() __syncwarp() /* their writes to memory become visible to all of them */
#define COUNT_BITS(x) ((u32)__popc(x))
#define FMA(a, b, c) fma((a), (b), (c))
#define FMA_F32(a, b, c) fmaf((a), (b), (c))
#define SQRT_IN_RANGE(x) sonde_sqrt_in_range(x)
#define SQRT_F32(x) sqrtf(x) /* correctly rounded; in OpenCL if the device supports that */
#define RSQRT_F32(x) sonde_rsqrt_f32(x)
#define F32_AS_U32(x) __float_as_uint(x)
#define U32_AS_F32(x) __uint_as_float(x)
#define SINE_UNIT 1 /* PTX ISA, sin.approx.f32 */
#define SINE_BY_UNIT_F32(x) __sinf(x)
#define COSINE_BY_UNIT_F32(x) __cosf(x)
#define NOT_A_NUMBER __longlong_as_double(0x7FF8000000000000LL)
#define MIN_F32(a, b) fminf((a), (b))
#define LARGER_F32(a, b) fmaxf(fabsf(a), fabsf(b)) /* magnitude; that of a number, if one is NaN */
#define LANES_RSQRT(x) rsqrt(x)

/* 1/sqrt(x) by the hardware's unit: 2^-22.9 at worst (CUDA C++ Programming Guide, rsqrtf). Infinite for 0. */
static __device__ __forceinline__ float sonde_rsqrt_f32(float x)
{
	float y;

	asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
	return y;
}

/* 1/sqrt(x) of a normal number, within 2^-20 of it (PTX ISA, rsqrt.approx.ftz.f64: the high word only). */
static __device__ __forceinline__ double sonde_rsqrt_seed(double x)
{
	double y;

	asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
	return y;
}
#define RSQRT_SEED(x) sonde_rsqrt_seed(x)
#define MUL_HIGH_U32(a, b) __umulhi((a), (b))
#define FUNNEL_SHIFT(high, low, n) \
	__funnelshift_r((low), (high), (n)) /* bits n to n + 31 of the two words; n below 32 */

/* The correctly rounded square root of 0 or a number between 2^-900 and 2^900: sqrt() without its detour for others.
 * A step of third order from the hardware's 1/sqrt(x), then Markstein's: the remainder of the root by a fused
 * multiply-add, so that the last rounding is that of the exact root. */
static __device__ __forceinline__ double sonde_sqrt_in_range(double x)
{
	const double nonzero = __hiloint2double(max(__double2hiint(x), 0x00100000), __double2loint(x));
	double y = sonde_rsqrt_seed(nonzero);
	const double e = fma(-nonzero * y, y, 1.0);
	y = fma(fma(e, 0.375, 0.5), y * e, y);
	const double root = x * y, half = __hiloint2double(__double2hiint(y) - 0x00100000, __double2loint(y));
	return fma(fma(-root, root, x), half, root);
}
#define LANES_AS_U64(x) ((u64)__double_as_longlong(x))
#define LANES_AS_F64(x) __longlong_as_double((long long)(x))
/* A signal in local memory from one warp to others, of times that are not counted: each is awaited before the next one is
 * given. SIGNAL_MAKE() by one work-item, before a BARRIER(). SIGNAL_GIVE() by all work-items of a warp: what they have done in
 * local memory before is visible to those that return from SIGNAL_AWAIT(); `turn`: 0 for the first time, 1 for the second,
 * and so on alternately. NVIDIA's barriers in memory (PTX ISA, mbarrier). */
#if __CUDA_ARCH__ >= 900
#define HAS_SIGNALS 1
#define SIGNAL_MAKE(signal) \
	asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"((u32)__cvta_generic_to_shared((signal))) : "memory")
#define SIGNAL_GIVE(signal)                                                                              \
	do {                                                                                             \
		__syncwarp();                                                                            \
		if ((threadIdx.x & 31u) == 0u)                                                           \
			asm volatile("{.reg .b64 state; mbarrier.arrive.shared.b64 state, [%0];}" ::"r"( \
					 (u32)__cvta_generic_to_shared((signal)))                        \
				     : "memory");                                                        \
	} while (0)
#define SIGNAL_AWAIT(signal, turn)                                                                            \
	do {                                                                                                  \
		u32 sonde_done = 0u;                                                                          \
		while (sonde_done == 0u)                                                                      \
			asm volatile("{.reg .pred done; mbarrier.try_wait.parity.shared.b64 done, [%1], %2; " \
				     "selp.u32 %0, 1, 0, done;}"                                              \
				     : "=r"(sonde_done)                                                       \
				     : "r"((u32)__cvta_generic_to_shared((signal))), "r"((turn))              \
				     : "memory");                                                             \
	} while (0)
#else
#define HAS_SIGNALS 0
#define SIGNAL_MAKE(signal) ((void)(signal))
#define SIGNAL_GIVE(signal) ((void)(signal))
#define SIGNAL_AWAIT(signal, turn) ((void)(signal), (void)(turn))
#endif
#if defined(GROUPS_OF_WORKER) /* groups to be resident on a multiprocessor: limits registers */
#define SONDE_KERNEL extern "C" __global__ void __launch_bounds__(LOCAL_SIZE, GROUPS_OF_WORKER)
#else
#define SONDE_KERNEL extern "C" __global__ void __launch_bounds__(LOCAL_SIZE)
#endif
#define SONDE_LOCAL_ARGUMENT

#else /* OpenCL C 1.2 */

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef double f64;
typedef float f32;
typedef ulong u64;
typedef long i64;
typedef uint u32;
typedef double2 f64x2;
typedef float2 f32x2;
typedef float4 f32x4;

#define DEVICE_FUNCTION static inline
#define DEVICE_APART static __attribute__((noinline))
#define DEVICE_INLINE static inline __attribute__((always_inline))
#define GLOBAL __global
#define LOCAL __local
#define RESTRICT restrict
#define ARGUMENT_OF(type) const type
#define PREFETCH(pointer) ((void)(pointer))
#define FORGET(integer) ((void)(integer))
#define LET_NEXT_BEGIN() ((void)0)
#define WAIT_FOR_EARLIER() ((void)0)
#define STORE_ONCE(pointer, value) (*(pointer) = (value))
#define COPY_TO_LOCAL(type, to, from) (*(LOCAL type *)(to) = *(const GLOBAL type *)(from))
#define COPIES_END() ((void)0)
#define COPIES_WAIT(n) ((void)0)
#define HAS_SIGNALS 0
#define SIGNAL_MAKE(signal) ((void)(signal))
#define SIGNAL_GIVE(signal) ((void)(signal))
#define SIGNAL_AWAIT(signal, turn) ((void)(signal), (void)(turn))
#define UNROLL_LONG_BY(n) /* compilers of drivers are slow for long texts */
#define LOCAL_MEMORY(type, name) __local type *name = (__local type *)sonde_local_memory
#define LOCAL_ID ((u32)get_local_id(0))
#define GROUP_ID ((u32)get_group_id(0))
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#if defined(cl_khr_int64_base_atomics)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define ATOMIC_ADD_U64(pointer, value) ((void)atom_add((pointer), (u64)(value)))
#else
/* two halves with carry: correct for sums that are read after the kernel */
static inline void sonde_atomic_add_u64(__global u64 *pointer, u64 value)
{
	volatile __global u32 *halves = (volatile __global u32 *)pointer;
	u32 low = (u32)value, old = atomic_add(halves, low);
	u32 high = (u32)(value >> 32) + (old + low < old ? 1u : 0u);
	if (high != 0)
		atomic_add(halves + 1, high);
}
#define ATOMIC_ADD_U64(pointer, value) sonde_atomic_add_u64((pointer), (u64)(value))
#endif
#define LOCAL_ATOMIC_ADD_U32(pointer, value) atomic_add((volatile __local u32 *)(pointer), (u32)(value))
#define ATOMIC_NEXT_U32(pointer) atomic_add((volatile __global u32 *)(pointer), 1u)
DEVICE_INLINE u32 sonde_last_of(volatile __global u32 *counter, u32 count)
{
	mem_fence(CLK_GLOBAL_MEM_FENCE);
	if (atomic_add(counter, 1u) + 1u < count)
		return 0u;
	*counter = 0u;
	mem_fence(CLK_GLOBAL_MEM_FENCE);
	return 1u;
}
#define LAST_OF(pointer, count) sonde_last_of((pointer), (count))
#define LOCAL_ATOMIC_EXCHANGE_U32(pointer, value) atomic_xchg((volatile __local u32 *)(pointer), (u32)(value))
typedef LOCAL u32 *local_places;
#define LOCAL_PLACES(words, origin) (words)
#define LOCAL_PLACE_ADD(places, origin, n, value) ((void)LOCAL_ATOMIC_ADD_U32((places) + ((n) - (origin)), (value)))
#define LOCAL_PLACE_NEXT(places, origin, n, value) LOCAL_ATOMIC_ADD_U32((places) + ((n) - (origin)), (value))
#define COUNT_BITS(x) popcount((u32)(x))
#define FMA(a, b, c) fma((a), (b), (c))
#define FMA_F32(a, b, c) fma((a), (b), (c))
#define SQRT_IN_RANGE(x) sqrt(x)
#define RSQRT_SEED(x) rsqrt(x)
#define MUL_HIGH_U32(a, b) mul_hi((u32)(a), (u32)(b))
#define FUNNEL_SHIFT(high, low, n) ((u32)(((u64)(high) << 32 | (low)) >> (n)))
#define SQRT_F32(x) sqrt(x)
#define RSQRT_F32(x) rsqrt(x)
#define F32_AS_U32(x) as_uint(x)
#define U32_AS_F32(x) as_float(x)
#define NOT_A_NUMBER ((f64)NAN)
#define MIN_F32(a, b) fmin((a), (b))
#define LARGER_F32(a, b) fmax(fabs(a), fabs(b))
#define LANES_RSQRT(x) rsqrt(x)
#define LANES_AS_U64(x) as_ulong(x)
#define LANES_AS_F64(x) as_double(x)
#define SONDE_KERNEL __kernel __attribute__((reqd_work_group_size(LOCAL_SIZE, 1, 1))) void
#define SONDE_LOCAL_ARGUMENT , __local ulong2 *sonde_local_memory /* aligned to 16 bytes */

#endif

/* Adds to a 64-bit sum in local memory, as two halves with carry: 64-bit atomics loop there. Correct once all have added. */
#define LOCAL_ADD_U64(pointer, value)                                                         \
	do {                                                                                  \
		const u64 value_ = (u64)(value);                                              \
		LOCAL u32 *const halves_ = (LOCAL u32 *)(pointer);                            \
		const u32 low_ = (u32)value_, before_ = LOCAL_ATOMIC_ADD_U32(halves_, low_);  \
		const u32 high_ = (u32)(value_ >> 32) + (before_ + low_ < before_ ? 1u : 0u); \
		if (high_ != 0u)                                                              \
			(void)LOCAL_ATOMIC_ADD_U32(halves_ + 1, high_);                       \
	} while (0)

#if !defined(LOCAL_SIZE)
#define LOCAL_SIZE 64u /* default for compilers that do not define it */
#endif
#define WORKER_ID GROUP_ID
#define WORKGROUP_SHARES_LOCAL 1
#define ITEMS_ARE_ADJACENT 1
#define SIMD_LOOP
typedef f64 lanes_f64;
typedef u64 lanes_u64;
typedef f32 lanes_f32;
#define UNROLL _Pragma("unroll")
#define UNROLL_BY(n) SONDE_PRAGMA(unroll n) /* UNROLL_LONG_BY(n): the same for loops with long bodies */
#define SONDE_PRAGMA(x) _Pragma(#x)
#define LANES 1u
#define LANES_SPLAT(x) (x)
#define LANES_SPLAT_U64(x) (x)
#define LANES_LOAD(pointer) (*(pointer))
#define LANES_STORE(pointer, value) (*(pointer) = (value))
#define LANES_STORE_U64(pointer, value) (*(pointer) = (value))
#define LANES_SQRT(x) sqrt(x)
#define LANES_MULADD(a, b, c) fma((a), (b), (c))
#define LANES_MULADD_ROUNDS_ONCE 1
#define LANES_SPLAT_F32(x) (x)
#define LANES_F32 1u /* numbers in a lanes_f32 */
#define LANES_LOAD_F32(pointer) (*(pointer))
#define LANES_STORE_F32(pointer, value) (*(pointer) = (value))
#define LANES_RSQRT_F32(x) RSQRT_F32(x)
#define LANES_MIN_F32(a, b) MIN_F32((a), (b))
#define LANES_CHOOSE(begin, end, inside, outside) ((begin) <= 0 && (end) > 0 ? (inside) : (outside))
#define LANES_CHOOSE_F32(begin, end, inside, outside) LANES_CHOOSE(begin, end, inside, outside)
#define LANES_MULADD_F32(a, b, c) FMA_F32((a), (b), (c))
#define LANES_SUM_F32(x) (x)
#define LANES_LESS_MASK(a, b) ((a) < (b) ? ~(u64)0 : (u64)0)
#define LANES_FIRST(x) (x)
#define LANES_ZERO_MASK(x) ((x) == 0.0 ? ~(u64)0 : (u64)0)
#define LANES_FIRST_MASK(count) ((count) > 0 ? ~(u64)0 : (u64)0)
#define LANES_SUM(x) (x)
#define LANES_SUM_U64(x) (x)
#define LANES_MUL_U32(a, b) ((u64)(u32)(a) * (u32)(b))
#define LANES_STORE_PAIRS(pointer, a, b) ((pointer)[0] = (a), (pointer)[1] = (b))
#define LANES_PAIR(l) 0u
#define LANES_DELAY 1u

/* Matrix products by a work-group of MATRIX_ITEMS work-items: c, 16 x 8, gets a, 16 x 8, times b, 8 x 8, added.  The
 * elements are spread over the work-items; with g = LOCAL_ID/4 and t = LOCAL_ID % 4, a work-item has
 *     a[e] of row g + 8 (e % 2), column t + 4 (e/2),   b[h] of row t + 4 h, column g,
 *     c[e] of row g + 8 (e/2), column 2 t + e % 2:
 * the fragments of PTX's mma.m16n8k8 (PTX ISA, "Matrix fragments").  Without such hardware, `scratch` is used,
 * MATRIX_SCRATCH numbers of local memory. All work-items take part. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
DEVICE_FUNCTION void sonde_matrix_muladd(f64 *c, const f64 *a, const f64 *b)
{
	asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, "
	    "%2, %3};"
	    : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
	    : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}
#define MATRIX_MULADD(scratch, c, a, b) ((void)(scratch), sonde_matrix_muladd((c), (a), (b)))
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
DEVICE_FUNCTION void sonde_matrix_muladd(f64 *c, const f64 *a, const f64 *b)
{
	UNROLL
	for (u32 k = 0; k < 4u; ++k) {
		const u32 rows = k % 2u, inner = k / 2u;
		asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
		    : "+d"(c[2u * rows]), "+d"(c[2u * rows + 1u])
		    : "d"(a[2u * inner + rows]), "d"(b[inner]));
	}
}
#define MATRIX_MULADD(scratch, c, a, b) ((void)(scratch), sonde_matrix_muladd((c), (a), (b)))
#else
DEVICE_FUNCTION void sonde_matrix_muladd(LOCAL f64 *scratch, f64 *c, const f64 *a, const f64 *b)
{
	const u32 g = LOCAL_ID / 4u, t = LOCAL_ID % 4u;

	BARRIER();
	for (u32 e = 0; e < 4u; ++e)
		scratch[8u * (g + 8u * (e % 2u)) + t + 4u * (e / 2u)] = a[e];
	for (u32 h = 0; h < 2u; ++h)
		scratch[128u + 8u * (t + 4u * h) + g] = b[h];
	BARRIER();
	for (u32 e = 0; e < 4u; ++e)
		for (u32 k = 0; k < 8u; ++k)
			c[e] = FMA(scratch[8u * (g + 8u * (e / 2u)) + k], scratch[128u + 8u * k + 2u * t + e % 2u],
				   c[e]);
}
#define MATRIX_MULADD(scratch, c, a, b) sonde_matrix_muladd((scratch), (c), (a), (b))
#endif

/* The same by a warp of a larger group, if WARP_MATRIX is 1, with its place in the warp for LOCAL_ID. */
#define WARP_MATRIX_MULADD(c, a, b) sonde_matrix_muladd((c), (a), (b))

/* The same by a warp, with an inner dimension of 4: c, 16 x 8, is a, 16 x 4, times b, 4 x 8, plus a number for each column. With
 * g = WARP_ID/4 and t = WARP_ID % 4, a work-item has
 *     a[e] of row g + 8 e, column t,   b of row t, column g,   the numbers of columns 2 t and 2 t + 1,
 *     c[e] of row g + 8 (e/2), column 2 t + e % 2,
 * and gets its c from all of the warp. WARP_MATRIX: 1 if the hardware does that. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define WARP_MATRIX 1
DEVICE_FUNCTION void sonde_warp_matrix(f64 *c, const f64 *a, f64 b, f64x2 added)
{
#if __CUDA_ARCH__ >= 900
	asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %7, %8};"
	    : "=d"(c[0]), "=d"(c[1]), "=d"(c[2]), "=d"(c[3])
	    : "d"(a[0]), "d"(a[1]), "d"(b), "d"(added.x), "d"(added.y));
#else
	UNROLL
	for (u32 h = 0; h < 2u; ++h)
		asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
		    : "=d"(c[2u * h]), "=d"(c[2u * h + 1u])
		    : "d"(a[h]), "d"(b), "d"(added.x), "d"(added.y));
#endif
}
#define WARP_MATRIX_16X4X8(c, a, b, added) sonde_warp_matrix((c), (a), (b), (added))
#else
#define WARP_MATRIX 0
#endif

/* KERNEL_n(name, type, name, ...): a kernel of n arguments */
#define KERNEL_2(name, T1, a1, T2, a2) SONDE_KERNEL name(T1 a1, T2 a2 SONDE_LOCAL_ARGUMENT)
#define KERNEL_3(name, T1, a1, T2, a2, T3, a3) SONDE_KERNEL name(T1 a1, T2 a2, T3 a3 SONDE_LOCAL_ARGUMENT)
#define KERNEL_4(name, T1, a1, T2, a2, T3, a3, T4, a4) \
	SONDE_KERNEL name(T1 a1, T2 a2, T3 a3, T4 a4 SONDE_LOCAL_ARGUMENT)
#define KERNEL_5(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5) \
	SONDE_KERNEL name(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5 SONDE_LOCAL_ARGUMENT)
#define KERNEL_6(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6) \
	SONDE_KERNEL name(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6 SONDE_LOCAL_ARGUMENT)
#define KERNEL_7(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7) \
	SONDE_KERNEL name(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7 SONDE_LOCAL_ARGUMENT)
#define KERNEL_8(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8) \
	SONDE_KERNEL name(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8 SONDE_LOCAL_ARGUMENT)
#define KERNEL_9(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9) \
	SONDE_KERNEL name(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9 SONDE_LOCAL_ARGUMENT)
#define KERNEL_10(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10) \
	SONDE_KERNEL name(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10 SONDE_LOCAL_ARGUMENT)
#define KERNEL_11(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11) \
	SONDE_KERNEL name(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10,                   \
			  T11 a11 SONDE_LOCAL_ARGUMENT)
#define KERNEL_12(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11, \
		  T12, a12)                                                                                         \
	SONDE_KERNEL name(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11,          \
			  T12 a12 SONDE_LOCAL_ARGUMENT)
#define KERNEL_13(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11, \
		  T12, a12, T13, a13)                                                                               \
	SONDE_KERNEL name(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11, T12 a12, \
			  T13 a13 SONDE_LOCAL_ARGUMENT)
#define KERNEL_14(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11, \
		  T12, a12, T13, a13, T14, a14)                                                                     \
	SONDE_KERNEL name(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11, T12 a12, \
			  T13 a13, T14 a14 SONDE_LOCAL_ARGUMENT)
#define KERNEL_15(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11, \
		  T12, a12, T13, a13, T14, a14, T15, a15)                                                           \
	SONDE_KERNEL name(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11, T12 a12, \
			  T13 a13, T14 a14, T15 a15 SONDE_LOCAL_ARGUMENT)
#define KERNEL_16(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11, \
		  T12, a12, T13, a13, T14, a14, T15, a15, T16, a16)                                                 \
	SONDE_KERNEL name(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11, T12 a12, \
			  T13 a13, T14 a14, T15 a15, T16 a16 SONDE_LOCAL_ARGUMENT)
#define KERNEL_17(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11, \
		  T12, a12, T13, a13, T14, a14, T15, a15, T16, a16, T17, a17)                                       \
	SONDE_KERNEL name(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11, T12 a12, \
			  T13 a13, T14 a14, T15 a15, T16 a16, T17 a17 SONDE_LOCAL_ARGUMENT)

#else /* the CPU: C11 with the vector types of gcc and clang */

#include "device/kernel_cpu.h"

#endif

/* Whether the caller asked to stop: for kernels on CPUs, whose launches cannot be bounded by numbers of steps without making fast
 * threads wait for slow ones. Elsewhere a running kernel cannot be stopped. */
#if !defined(STOP_IS_ASKED)
#define STOP_IS_ASKED() 0u
#endif

#if !defined(SINE_UNIT)
#define SINE_UNIT 0
#endif

/* A CPU's work-group is one work-item, and OpenCL C 1.2 does not define lockstep execution: groups of one. */
#if !defined(WARP_SIZE)
#define WARP_SIZE 1u
#define WARP_ID 0u
#define WARP_VOTE(flag) ((flag) != 0u ? 1u : 0u)
#define WARP_FROM_U32(value, id) (value)
#define WARP_FROM_U64(value, id) (value)
#define WARP_FENCE() ((void)0)
#endif
#endif
