/* The kernel dialect: one text for every device.
 *
 * A kernel (.k file) is plain C that says KERNEL_n, GLOBAL, LOCAL_ID, GROUP_ID,
 * BARRIER, ATOMIC_ADD_U64 ... and is compiled
 *   - as C for the CPU, ahead of time, once per instruction set (work-group of one),
 *   - as OpenCL C 1.2 at run time.
 * The types f64, u64, u32 have the same width everywhere.  A work-item carries LANES values at
 * once in lanes_f64 / lanes_u64: a SIMD register on the CPU, a plain scalar on a GPU.  Both
 * understand + - * & | ^ ~ << >>; everything else has a name below.
 *
 * Nothing here contracts a*b + c by itself: LANES_MULADD says where that is allowed (one
 * rounding where the hardware has a fused multiply-add, two where it has not), and a kernel
 * that promises the same bits everywhere does not use it.
 */
#ifndef SONDE_DEVICE_KERNEL_H
#define SONDE_DEVICE_KERNEL_H

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL FP_CONTRACT OFF

typedef double f64;
typedef ulong u64;
typedef uint u32;
typedef double lanes_f64;
typedef ulong lanes_u64;

#define DEVICE_FUNCTION static inline
#define GLOBAL __global
#define LOCAL __local
#define RESTRICT restrict
#define LOCAL_ID ((u32)get_local_id(0))
#define LOCAL_SIZE ((u32)get_local_size(0))
#define GROUP_ID ((u32)get_group_id(0))
#define WORKER_ID GROUP_ID
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define ATOMIC_ADD_U64(pointer, value) ((void)atom_add((pointer), (u64)(value)))

#define UNROLL _Pragma("unroll")
#define LANES 1u
#define LANES_SPLAT(x) (x)
#define LANES_SPLAT_U64(x) (x)
#define LANES_LOAD(pointer) (*(pointer))
#define LANES_STORE(pointer, value) (*(pointer) = (value))
#define LANES_STORE_U64(pointer, value) (*(pointer) = (value))
#define LANES_AS_U64(x) as_ulong(x)
#define LANES_AS_F64(x) as_double(x)
#define LANES_SQRT(x) sqrt(x)
#define LANES_MULADD(a, b, c) fma((a), (b), (c))
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

#define KERNEL_5(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5) __kernel void name(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5)
#define KERNEL_8(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8) \
	__kernel void name(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8)
#define KERNEL_10(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10) \
	__kernel void name(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10)
#define KERNEL_11(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11) \
	__kernel void name(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11)

#else /* the CPU: C11 with the vector types of gcc and clang */

#include "device/kernel_cpu.h"

#endif
#endif
