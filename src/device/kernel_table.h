/* The table of a program's kernels from its list KERNELS_DEF (kernels.def of an engine): defines `kernels`. Included once by the
 * file that defines the program. The rows of the list, in which kernels are stated once for all their users:
 *
 *   KERNEL(name, TEXT, SIMD, PLAIN)      a kernel of kernels/NAME.k, with NONE in place of what it does not have. TEXT: GPUs
 *                                        compile it at run time. SIMD: compiled for the CPU's instruction sets; APART: the
 *                                        same, from a source of its own. PLAIN: compiled as plain C.
 *   VARIANT(name, file, SIMD, PLAIN, {constant, value} ...)
 *                                        a kernel that kernels/FILE.k becomes with the constants, for the CPU
 *   SHAPE(name, items, {constant, value} ...)
 *                                        a shape of a TEXT for work-groups of `items`: the build compiles it to PTX, for GPUs
 *                                        without a compiler at run time
 *   RUN_TIME_SHAPE(name, items, {constant, value} ...)
 *                                        another one, which tests compile as jobs do
 *
 * A list may define macros for its rows; those with TEXT are written out, at the beginning of a line, for CMake. The build makes
 * texts and PTX of them, and ENGINE_kernels_simd.h and ENGINE_kernels_plain.h with the variants (tools/kernel_variants.c). */
#if defined(SONDE_CPU_AVX512)
#define DECLARE_SIMD(name) \
	cpu_kernel_entry sonde_kernel_##name##_baseline, sonde_kernel_##name##_avx2, sonde_kernel_##name##_avx512;
#define ENTRIES_SIMD(name) \
	.entry = {sonde_kernel_##name##_baseline, sonde_kernel_##name##_avx2, sonde_kernel_##name##_avx512},
#elif defined(SONDE_CPU_AVX2)
#define DECLARE_SIMD(name) cpu_kernel_entry sonde_kernel_##name##_baseline, sonde_kernel_##name##_avx2;
#define ENTRIES_SIMD(name) .entry = {sonde_kernel_##name##_baseline, sonde_kernel_##name##_avx2},
#else
#define DECLARE_SIMD(name) cpu_kernel_entry sonde_kernel_##name##_baseline;
#define ENTRIES_SIMD(name) .entry = {sonde_kernel_##name##_baseline},
#endif
#define DECLARE_APART(name) DECLARE_SIMD(name)
#define ENTRIES_APART(name) ENTRIES_SIMD(name)
#define DECLARE_PLAIN(name) cpu_kernel_entry sonde_kernel_##name##_plain;
#define ENTRIES_PLAIN(name) .plain = sonde_kernel_##name##_plain,
#define DECLARE_TEXT(name)                 \
	extern const char kernel_##name[]; \
	extern const struct device_precompiled precompiled_##name[];
#define TEXT_TEXT(name) .text = kernel_##name, .precompiled = precompiled_##name,
#define DECLARE_NONE(name)
#define ENTRIES_NONE(name)
#define TEXT_NONE(name)

#define SHAPE(...)
#define RUN_TIME_SHAPE(...)
#define VARIANT(name, file, simd, plain, ...) KERNEL(name, NONE, simd, plain)

#define KERNEL(name, text, simd, plain) DECLARE_##text(name) DECLARE_##simd(name) DECLARE_##plain(name)
#include KERNELS_DEF
#undef KERNEL

#define KERNEL(name, text, simd, plain) \
	static const struct cpu_kernel cpu_##name = {ENTRIES_##simd(name) ENTRIES_##plain(name)};
#include KERNELS_DEF
#undef KERNEL

static const struct device_kernel_source kernels[] = {
#define KERNEL(kernel, text, simd, plain) {.name = #kernel, TEXT_##text(kernel).cpu = &cpu_##kernel},
#include KERNELS_DEF
#undef KERNEL
    {.name = NULL}};

#undef SHAPE
#undef RUN_TIME_SHAPE
#undef VARIANT
#undef DECLARE_SIMD
#undef ENTRIES_SIMD
#undef DECLARE_APART
#undef ENTRIES_APART
#undef DECLARE_PLAIN
#undef ENTRIES_PLAIN
#undef DECLARE_TEXT
#undef TEXT_TEXT
#undef DECLARE_NONE
#undef ENTRIES_NONE
#undef TEXT_NONE
