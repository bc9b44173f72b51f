/* Writes a header with the kernels of a list (src/device/kernel_table.h) as C, in all their variants:
 *     kernel_variants simd|plain|text > FILE.h
 * those for the CPU's instruction sets, those in plain C, or those that both CPUs and GPUs have; compiled with ENGINE and
 * KERNELS_DEF. Every constant is defined for the kernel and undefined after it, KERNEL_NAME is its name. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MOST_CONSTANTS 8

struct constant {
	const char *name;
	unsigned value;
};

static const struct kernel {
	const char *name, *file, *text, *simd, *plain;
	struct constant constants[MOST_CONSTANTS]; /* the first is the end of a list without any */
} kernels[] = {
#define SHAPE(...)
#define RUN_TIME_SHAPE(...)
#define KERNEL(name, text, simd, plain) {#name, #name, #text, #simd, #plain, {{NULL, 0}}},
#define VARIANT(name, file, simd, plain, ...) {#name, #file, "NONE", #simd, #plain, {__VA_ARGS__}},
#include KERNELS_DEF
};

static bool is_wanted(const struct kernel *kernel, const char *what)
{
	const bool is_simd = strcmp(kernel->simd, "SIMD") == 0, is_plain = strcmp(kernel->plain, "PLAIN") == 0;

	if (strcmp(what, "text") == 0)
		return strcmp(kernel->text, "TEXT") == 0 && (is_simd || is_plain);
	return strcmp(what, "plain") == 0 ? is_plain : is_simd;
}

/* A file may have several kernels in one variant. */
static bool is_included(size_t k, const char *what)
{
	for (size_t before = 0; before < k; ++before)
		if (is_wanted(&kernels[before], what) && strcmp(kernels[before].file, kernels[k].file) == 0 &&
		    kernels[before].constants[0].name == NULL)
			return true;
	return false;
}

static void write_kernel(const struct kernel *kernel)
{
	printf("#define KERNEL_NAME %s\n", kernel->name);
	for (int k = 0; k < MOST_CONSTANTS && kernel->constants[k].name != NULL; ++k)
		printf("#define %s %u\n", kernel->constants[k].name, kernel->constants[k].value);
	printf("#include \"" ENGINE "/kernels/%s.k\"\n", kernel->file);
	for (int k = 0; k < MOST_CONSTANTS && kernel->constants[k].name != NULL; ++k)
		printf("#undef %s\n", kernel->constants[k].name);
	printf("#undef KERNEL_NAME\n");
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: kernel_variants simd|plain|text\n");
		return 1;
	}
	printf("/* Made by tools/kernel_variants.c from src/" KERNELS_DEF ", do not edit. */\n");
	for (size_t k = 0; k < sizeof kernels / sizeof *kernels; ++k)
		if (is_wanted(&kernels[k], argv[1]) && !is_included(k, argv[1]))
			write_kernel(&kernels[k]);
	return 0;
}
