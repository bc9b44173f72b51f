/* Every kernel, in every shape of the engines' lists, compiled for NVIDIA's architectures where NVRTC is
 * installed. Prints registers and spills. */
#include "device/cuda_ahead.h"
#include "device/nvrtc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/support.h"

#define VARIANT(...)
#define WITH_TEXT(kernel)                    \
	extern const char kernel_##kernel[]; \
	extern const struct device_precompiled precompiled_##kernel[];
#define WITH_NONE(kernel)
#define KERNEL(kernel, text, simd, plain) WITH_##text(kernel)
#define SHAPE(...)
#define RUN_TIME_SHAPE(...)
#include "kernels_of_engines.def"
#undef KERNEL
#undef SHAPE
#undef RUN_TIME_SHAPE

#define MOST_DEFINES 12
#define REGISTERS 65536 /* of a multiprocessor, for all work-items of a group */

static const struct shape {
	const char *name, *text;
	const struct device_precompiled *precompiled; /* code made by the build, if it had a compiler */
	struct device_define defines[MOST_DEFINES];
} shapes[] = {
#define KERNEL(...)
#define SHAPE(kernel, items, ...) \
	{#kernel, kernel_##kernel, precompiled_##kernel, {{"LOCAL_SIZE", items}, ##__VA_ARGS__}},
#define RUN_TIME_SHAPE(...) SHAPE(__VA_ARGS__)
#include "kernels_of_engines.def"
};

/* That of the figures, for the first shape of each kernel and every twelfth of the others; the other ones, three minutes more, where
 * all is tested. All shapes are compiled to PTX in any case, here or by the build. */
static const int architectures[] = {90, 75, 80, 86, 89};
#define USUAL 1

static size_t count_defines(const struct shape *shape)
{
	size_t count = 0;

	while (count < MOST_DEFINES && shape->defines[count].name != NULL)
		++count;
	return count;
}

static bool has_compiler(void)
{
	const char *reason;

	return nvrtc_version(&reason) != NULL;
}

/* The number before a word of the assembler's report; -1 if the word is missing. */
static int reported(const char *log, const char *word)
{
	const char *found = log != NULL ? strstr(log, word) : NULL;

	if (found == NULL)
		return -1;
	while (found > log && (found[-1] == ' ' || (found[-1] >= '0' && found[-1] <= '9')))
		--found;
	return atoi(found);
}

static void compile(const struct shape *shape, int architecture)
{
	const struct device_kernel_source source = {.name = shape->name, .text = shape->text};
	const struct nvrtc_target target = {architecture, false};
	void *code;
	size_t size;
	char *log, constants[320] = "";

	assert_status(SONDE_OK,
		      nvrtc_compile(&source, shape->defines, count_defines(shape), &target, &code, &size, &log));
	int registers = reported(log, " registers"), spilled = reported(log, " bytes spill stores");
	uint32_t items = shape->defines[0].value, groups = 1;
	for (size_t k = 0; k < count_defines(shape); ++k) {
		sprintf(constants + strlen(constants), " %s=%u", shape->defines[k].name, shape->defines[k].value);
		if (strcmp(shape->defines[k].name, "GROUPS_OF_WORKER") == 0)
			groups = shape->defines[k].value;
	}
	printf("sm_%d %-14s %3d registers, %4d bytes spilled, %6zu bytes of code:%s\n", architecture, shape->name,
	       registers, spilled, size, constants);
	assert_true(size > 0);
	assert_true(registers > 0 && spilled >= 0);
	assert_true((uint32_t)registers * items * groups <= REGISTERS);
	free(code);
	free(log);
}

static void compiles_for_every_architecture(void **state)
{
	(void)state;
	if (!has_compiler())
		skip();
	const size_t all = sizeof architectures / sizeof *architectures, count = is_thorough() ? all : USUAL;

	for (size_t a = 0; a < count; ++a) {
		if (nvrtc_architecture(architectures[a]) != architectures[a]) {
			printf("sm_%d: this NVRTC does not know it\n", architectures[a]);
			continue;
		}
		for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k)
			if (is_thorough() || k % 12 == 0 || strcmp(shapes[k].name, shapes[k - 1].name) != 0)
				compile(&shapes[k], architectures[a]);
	}
}

/* The PTX of this shape that is in the library; null where the build had no compiler, or made none of it. */
static const char *embedded_ptx(const struct shape *shape)
{
	const size_t count = count_defines(shape);

	for (const struct device_precompiled *ptx = shape->precompiled; ptx->code != NULL; ++ptx) {
		bool same = ptx->define_count == count;
		for (size_t d = 0; same && d < count; ++d)
			same = strcmp(ptx->defines[d].name, shape->defines[d].name) == 0 &&
			       ptx->defines[d].value == shape->defines[d].value;
		if (same)
			return ptx->code;
	}
	return NULL;
}

static void every_shape_compiles_to_ptx(void **state)
{
	struct nvrtc_target target = {0, true};
	void *code;
	size_t size;
	(void)state;

	if (!has_compiler())
		skip();
	target.architecture = nvrtc_oldest_architecture(70);
	for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k) {
		const struct device_kernel_source source = {.name = shapes[k].name, .text = shapes[k].text};
		char entry[96];
		snprintf(entry, sizeof entry, ".entry %s(", shapes[k].name);
		if (embedded_ptx(&shapes[k]) != NULL) {
			assert_non_null(strstr(embedded_ptx(&shapes[k]), entry));
			continue;
		}
		assert_status(SONDE_OK, nvrtc_compile(&source, shapes[k].defines, count_defines(&shapes[k]), &target,
						      &code, &size, NULL));
		assert_non_null(strstr(code, entry));
		free(code);
	}
}

static void chooses_architectures_of_the_same_major_version(void **state)
{
	(void)state;
	if (!has_compiler())
		skip();
	assert_int_equal(nvrtc_architecture(90), 90);
	assert_int_equal(nvrtc_architecture(91), 90);
	assert_int_equal(nvrtc_architecture(20), 0);
	assert_int_equal(nvrtc_architecture(990), 0);
	assert_true(nvrtc_version_number() >= 11080);
}

static void names_the_first_error(void **state)
{
	const struct device_kernel_source source = {.name = "broken", .text = "void broken() { nonsense; }"};
	const struct nvrtc_target target = {90, false};
	void *code;
	size_t size;
	(void)state;

	if (!has_compiler())
		skip();
	assert_status(SONDE_RESOURCE, nvrtc_compile(&source, NULL, 0, &target, &code, &size, NULL));
	assert_message("nonsense");
	assert_null(code);
}

/* The same code as at once, each given once; none of a kernel with an error, and of one that was not requested. */
static void compiles_in_the_background(void **state)
{
	enum { COUNT = 6, THREADS = 2 };
	const struct device_kernel_source good = {.name = "good",
						  .text = "extern \"C\" __global__ void good(int *to)\n"
							  "{\n\tto[threadIdx.x] = NUMBER;\n}\n"},
					  broken = {.name = "broken", .text = "void broken() { nonsense; }"};
	const struct nvrtc_target target = {nvrtc_oldest_architecture(70), false};
	struct cuda_ahead *ahead = NULL;
	char key[COUNT][8];
	size_t size = 0, expected_size;
	(void)state;

	assert_null(cuda_ahead_take(NULL, "0", &size));
	if (!has_compiler())
		skip();
	for (uint32_t n = 0; n < COUNT; ++n) {
		const struct device_define number = {"NUMBER", n};
		snprintf(key[n], sizeof key[n], "%u", n);
		cuda_ahead_begin(
		    &ahead, THREADS,
		    &(struct cuda_ahead_kernel){key[n], n == 2 ? &broken : &good, &number, 1, target.architecture});
	}
	for (uint32_t n = COUNT; n-- > 0;) {
		const struct device_define number = {"NUMBER", n};
		void *code = cuda_ahead_take(ahead, key[n], &size), *expected;
		assert_null(cuda_ahead_take(ahead, key[n], &expected_size));
		if (n == 2) {
			assert_null(code);
			continue;
		}
		assert_status(SONDE_OK, nvrtc_compile(&good, &number, 1, &target, &expected, &expected_size, NULL));
		assert_int_equal(size, expected_size);
		assert_memory_equal(code, expected, size);
		free(expected);
		free(code);
	}
	assert_null(cuda_ahead_take(ahead, "other", &size));
	/* the end waits for threads, and releases what was not taken */
	cuda_ahead_begin(
	    &ahead, THREADS,
	    &(struct cuda_ahead_kernel){"last", &good, &(struct device_define){"NUMBER", 9}, 1, target.architecture});
	cuda_ahead_end(&ahead);
	assert_null(ahead);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(compiles_for_every_architecture), cmocka_unit_test(every_shape_compiles_to_ptx),
	    cmocka_unit_test(chooses_architectures_of_the_same_major_version),
	    cmocka_unit_test(names_the_first_error), cmocka_unit_test(compiles_in_the_background)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
