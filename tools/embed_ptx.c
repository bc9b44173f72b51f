/* Writes a C file with the PTX of an engine's kernels, in the shapes listed in its kernels.def (src/device/kernel_table.h):
 *     embed_ptx > FILE.c
 * compiled with KERNELS_DEF="debye/kernels.def" and the kernels' texts. Where NVRTC is not installed, or EMBED_PTX is 0, the lists
 * are empty.
 *
 * PTX is generated for the oldest architecture that the compiler supports, and marked with
 * the oldest version that its instructions need and that every usable driver accepts (7.8:
 * CUDA 11.8): drivers refuse newer versions even if they support all their instructions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/nvrtc.h"
#include "string_literal.h"

#define OLDEST_ARCHITECTURE 70
#define VERSION ".version "
#define NEWEST_VERSION "7.8"

#define VARIANT(...)
#define RUN_TIME_SHAPE(...)
#define WITH_TEXT(kernel) extern const char kernel_##kernel[];
#define WITH_NONE(kernel)
#define KERNEL(kernel, text, simd, plain) WITH_##text(kernel)
#define SHAPE(...)
#include KERNELS_DEF
#undef WITH_TEXT
#undef KERNEL
#undef SHAPE

#define MOST_DEFINES 8
static const struct shape {
	const char *name, *text;
	struct device_define defines[MOST_DEFINES]; /* those without a name are unused */
} shapes[] = {
#define KERNEL(...)
#define SHAPE(kernel, items, ...) {#kernel, kernel_##kernel, {{"LOCAL_SIZE", items}, ##__VA_ARGS__}},
#include KERNELS_DEF
#undef KERNEL
#undef SHAPE
};

/* the kernels with a text, which may have no shape */
static const char *const names[] = {
#define WITH_TEXT(kernel) #kernel,
#define KERNEL(kernel, text, simd, plain) WITH_##text(kernel)
#define SHAPE(...)
#include KERNELS_DEF
};
#define SHAPE_COUNT ((int)(sizeof shapes / sizeof *shapes))

static size_t count_defines(const struct shape *shape)
{
	size_t count = 0;

	while (count < MOST_DEFINES && shape->defines[count].name != NULL)
		++count;
	return count;
}

/* Marks PTX as older than its compiler. */
static void lower_version(char *ptx)
{
	char *version = strstr(ptx, VERSION);

	if (version == NULL)
		return;
	size_t length = strcspn(version, "\n");
	if (strtod(version + strlen(VERSION), NULL) > strtod(NEWEST_VERSION, NULL) &&
	    length >= strlen(VERSION NEWEST_VERSION)) {
		memset(version, ' ', length);
		memcpy(version, VERSION NEWEST_VERSION, strlen(VERSION NEWEST_VERSION));
	}
}

static int write_text(int k, int architecture)
{
	const struct device_kernel_source source = {.name = shapes[k].name, .text = shapes[k].text};
	const struct nvrtc_target target = {architecture, true};
	void *code;
	size_t size;

	if (nvrtc_compile(&source, shapes[k].defines, count_defines(&shapes[k]), &target, &code, &size, NULL) !=
	    SONDE_OK) {
		fprintf(stderr, "embed_ptx: %s\n", sonde_status_message());
		return 1;
	}
	lower_version(code);
	printf("static const char text_%d[] =\n\"", k);
	for (const char *c = code; *c != '\0'; ++c)
		put_literal((unsigned char)*c);
	printf("\";\nstatic const struct device_define defines_%d[] = {", k);
	for (size_t d = 0; d < count_defines(&shapes[k]); ++d)
		printf("{\"%s\", %u}, ", shapes[k].defines[d].name, shapes[k].defines[d].value);
	printf("};\n");
	free(code);
	return 0;
}

static void write_list(const char *name, bool is_filled)
{
	printf("extern const struct device_precompiled precompiled_%s[];\nconst struct device_precompiled "
	       "precompiled_%s[] = {\n",
	       name, name);
	for (int k = 0; k < SHAPE_COUNT && is_filled; ++k)
		if (strcmp(shapes[k].name, name) == 0)
			printf("{\"ptx\", text_%d, defines_%d, %zu},\n", k, k, count_defines(&shapes[k]));
	printf("{0}};\n");
}

int main(void)
{
	int architecture = EMBED_PTX ? nvrtc_oldest_architecture(OLDEST_ARCHITECTURE) : 0;

	if (architecture == 0 && EMBED_PTX)
		fprintf(stderr, "note: without NVRTC the library contains no PTX: see docs/devices.md\n");
	printf("#include \"device/device.h\"\n");
	for (int k = 0; k < SHAPE_COUNT && architecture != 0; ++k)
		if (write_text(k, architecture) != 0)
			return 1;
	for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
		write_list(names[k], architecture != 0);
	return 0;
}
