/* Modules and launches of the simulated driver cuda.c: its kernels are those of kernels.c. */
#include "fakes/cuda.h"

/* The kernels of debye, and for its order of atoms, that GPUs have and that kernels.c has as plain C; the work-items of those for SIMD registers are
 * independent. Kernels exact_matrix and histogram_matrix give the sums of exact_products and histogram_ring, and have no form
 * for one work-item. */
#define SHAPE(...)
#define RUN_TIME_SHAPE(...)
#define VARIANT(...)
#define KERNEL(name, text, simd, plain) text##_##simd##_##plain(name)
#define NONE_SIMD_NONE(name)
#define TEXT_NONE_NONE(name)

#define DECLARE(name, unit) cpu_kernel_entry sonde_kernel_##name##_unit##unit;
#define TEXT_SIMD_NONE(name) DECLARE(name, 1) DECLARE(name, 2) DECLARE(name, 4) DECLARE(name, 8)
#define TEXT_NONE_PLAIN(name) TEXT_SIMD_NONE(name)
#define TEXT_SIMD_PLAIN(name) TEXT_SIMD_NONE(name)
#define TEXT_APART_PLAIN(name) TEXT_SIMD_NONE(name)
#include "debye/kernels.def"
#include "matter/kernels.def"
#undef TEXT_SIMD_NONE
#undef TEXT_NONE_PLAIN
#undef TEXT_SIMD_PLAIN
#undef TEXT_APART_PLAIN

#define ROW(name, unit, items) {#name, unit, items, sonde_kernel_##name##_unit##unit},
#define ROWS(name, items) ROW(name, 1, items) ROW(name, 2, items) ROW(name, 4, items) ROW(name, 8, items)
#define TEXT_SIMD_NONE(name) ROWS(name, true)
#define TEXT_NONE_PLAIN(name) ROWS(name, false)
#define TEXT_SIMD_PLAIN(name) ROWS(name, false)
#define TEXT_APART_PLAIN(name) ROWS(name, false)
static const struct {
	const char *name;
	unsigned unit_tiles;
	bool items_are_groups;
	cpu_kernel_entry *entry;
} kernels[] = {
#include "debye/kernels.def"
#include "matter/kernels.def"
    {"exact_matrix", 4, false, sonde_kernel_exact_products_unit4},
    {"histogram_matrix", 1, false, sonde_kernel_histogram_ring_unit1},
    {"histogram_matrix", 2, false, sonde_kernel_histogram_ring_unit2},
    {"histogram_matrix", 4, false, sonde_kernel_histogram_ring_unit4}};

/* The kernel of PTX: ".visible .entry NAME(". */
static bool read_ptx(const char *image, char kernel[64])
{
	const char *entry = strstr(image, ".version 7.8");

	return entry != NULL && (entry = strstr(entry, ".visible .entry ")) != NULL &&
	       sscanf(entry, ".visible .entry %63[a-z_0-9](", kernel) == 1;
}

/* Machine code here is what the fake of NVRTC writes, "fake cubin NAME OPTION ...", or PTX for units of four tiles. */
EXPORT(cuda_result, cuModuleLoadDataEx, cuda_module *module, const void *image, unsigned options, int *names,
       void **values)
{
	char kernel[64];
	(void)names;
	(void)values;

	ENTER();
	if (plays("imagefail") && meant(cuda_current->device))
		return cuda_fault(UNSUPPORTED_IMAGE);
	if (fake_plays("FAKE_NVRTC", "newer") && strncmp(image, "fake cubin", 10) == 0)
		return UNSUPPORTED_IMAGE;
	if (options != 0 || (sscanf(image, "fake cubin %63s", kernel) != 1 && !read_ptx(image, kernel)))
		return INVALID_IMAGE;
	const char *unit_tiles = strstr(image, " -DUNIT_TILES=");
	*module = cuda_create(sizeof **module);
	strcpy((*module)->kernel, kernel);
	(*module)->unit_tiles = unit_tiles != NULL ? (unsigned)strtoul(unit_tiles + 14, NULL, 10) : 4;
	return 0;
}

EXPORT(cuda_result, cuModuleUnload, cuda_module module)
{
	return cuda_destroy(module);
}

EXPORT(cuda_result, cuModuleGetFunction, cuda_function *function, cuda_module module, const char *name)
{
	ENTER();
	for (size_t k = 0; k < sizeof kernels / sizeof *kernels; ++k) {
		if (strcmp(module->kernel, name) != 0 || strcmp(kernels[k].name, name) != 0 ||
		    kernels[k].unit_tiles != module->unit_tiles)
			continue;
		module->function = (struct cuda_function_handle){.device = module->device,
								 .entry = kernels[k].entry,
								 .items_are_groups = kernels[k].items_are_groups};
		*function = &module->function;
		return 0;
	}
	return cuda_misuse(NOT_FOUND);
}

EXPORT(cuda_result, cuFuncGetAttribute, int *value, int attribute, cuda_function function)
{
	ENTER();
	(void)function;
	*value = attribute == CUDA_FUNCTION_REGISTERS ? 64 : 0;
	return 0;
}

EXPORT(cuda_result, cuFuncSetAttribute, cuda_function function, int attribute, int value)
{
	ENTER();
	if (attribute != CUDA_FUNCTION_MAX_DYNAMIC_SHARED || value > LOCAL_MEMORY)
		return cuda_misuse(INVALID_VALUE);
	function->local_memory = value;
	return 0;
}

#if !defined(FAKE_CUDA_OLD)
/* The group's work-items: kernels as plain C have one, and need no more local memory than on a GPU. */
static void run(const struct cuda_launch *config, const struct cuda_function_handle *function, void **arguments)
{
	unsigned groups = config->grid_x * (function->items_are_groups ? config->block_x : 1);
	void *local_memory = malloc(LOCAL_MEMORY);

	if (local_memory == NULL)
		abort();
	for (unsigned id = 0; id < groups; ++id) {
		struct cpu_group group = {.id = id, .worker = id, .local_memory = local_memory};
		function->entry(&group, arguments);
	}
	free(local_memory);
}

EXPORT(cuda_result, cuLaunchKernelEx, const struct cuda_launch *config, cuda_function function, void **arguments,
       void **extra)
{
	ENTER();
	unsigned allowed =
	    function->local_memory > LOCAL_WITHOUT_ASKING ? (unsigned)function->local_memory : LOCAL_WITHOUT_ASKING;
	if (function->device != cuda_current->device || config->stream->device != cuda_current->device)
		return cuda_misuse(INVALID_HANDLE);
	if (extra != NULL || config->attribute_count != 0 || config->grid_x == 0 || config->grid_y != 1 ||
	    config->grid_z != 1 || config->block_x == 0 || config->block_x > 1024 || config->block_y != 1 ||
	    config->block_z != 1 || config->shared_bytes > allowed)
		return cuda_misuse(INVALID_VALUE);
	cuda_result result = cuda_work();
	if (result == 0 && plays("ok") && meant(cuda_current->device))
		cuda_fault(0);
	else if (result == 0)
		run(config, function, arguments);
	return result;
}
#endif
