#include "debye/sums/shape.h"

#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "debye/debye.h"
#include "debye/kernels/motion_layout.h"
#include "debye/kernels/products_layout.h"
#include "debye/kernels/ring_layout.h"
#include "debye/kernels/series_layout.h"
#include "debye/kernels/windows_layout.h"

#define RESERVED_LOCAL_MEMORY 1024 /* reserved for drivers */
#define MATRIX_RING_ITEMS 896u
#define MOST_RING_BINS 27648u /* 54 Angstrom in bins of 2^-9; the limit of a GPU's local memory */

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Local memory for exact_products: the phases of a batch, or the sums of the slices. */
static uint32_t products_bytes(const struct debye_shape *shape, bool f32)
{
	uint32_t tiles = 2 * (COARSE / shape->k_tile) * (FINE / shape->m_tile);
	uint32_t slices = shape->exact_items > tiles ? shape->exact_items / tiles : 1;
	uint32_t batch = shape->batch_pairs * PHASE_STRIDE * (f32 ? 8 : 16);
	uint32_t sums = slices * COARSE * FINE * 16;

	return batch > sums ? batch : sums;
}

/* The name of a device's shape in the cache. */
static void key_of(const struct device *device, char key[65])
{
	sonde_device_description what;
	struct sha256 hash;

	device_identify(device, &what);
	sha256_begin(&hash);
	sha256_add(&hash, "debye shape 7", 13);
	sha256_add(&hash, what.model, strlen(what.model));
	sha256_add(&hash, what.software, strlen(what.software));
	sha256_end(&hash, key);
}

static bool find_kept(const struct device *device, struct debye_shape *shape)
{
	char key[65];
	size_t size;

	key_of(device, key);
	void *kept = device_cache_get(device, key, &size);
	bool found = kept != NULL && size == sizeof *shape;
	if (found)
		memcpy(shape, kept, sizeof *shape);
	free(kept);
	return found;
}

void debye_shape_keep(const struct device *device, const struct debye_shape *shape)
{
	char key[65];

	key_of(device, key);
	device_cache_put(device, key, shape, sizeof *shape);
}

/* The largest value up to `most` of a constant among the kernel's precompiled shapes; 1 if there is none. */
static uint32_t largest_made(const char *kernel, const char *constant, uint32_t most)
{
	const struct device_kernel_source *source = debye_program.kernels;
	uint32_t largest = 1;

	while (strcmp(source->name, kernel) != 0)
		++source;
	for (const struct device_precompiled *shape = source->precompiled; shape->code != NULL; ++shape)
		for (size_t k = 0; k < shape->define_count; ++k)
			if (strcmp(shape->defines[k].name, constant) == 0 && shape->defines[k].value <= most &&
			    shape->defines[k].value > largest)
				largest = shape->defines[k].value;
	return largest;
}

void shape_matrix_ring(const struct device *device, uint32_t items, struct debye_shape *shape)
{
	const struct device_properties *has = device_properties(device);

	const uint32_t local = has->local_memory - RESERVED_LOCAL_MEMORY;
	shape->matrix_items = smaller(items, has->most_work_items);
	uint32_t most = (local - MATRIX_RING_BYTES(shape->matrix_items, 0)) / 8;
	most = smaller(most, MOST_MATRIX_RING_BINS);
	shape->matrix_bins = most / 256 * 256;
}

/* Rings where nothing was tuned. histogram_matrix is faster on GPUs with matrix units and much local memory: measured on an
 * H100. */
static void choose_rings(const struct device *device, uint32_t most_bins, struct debye_shape *shape)
{
	const struct device_properties *has = device_properties(device);

	shape->ring_bins = most_bins / 256 * 256;
	if (has->matrix_f64 && most_bins == MOST_RING_BINS)
		shape_matrix_ring(device, MATRIX_RING_ITEMS, shape);
}

struct debye_shape debye_shape_of(const struct device *device)
{
	const struct device_properties *has = device_properties(device);
	uint32_t items = has->most_work_items, local = has->local_memory - RESERVED_LOCAL_MEMORY;
	sonde_device_description what;
	/* the defaults of the kernels' texts */
	struct debye_shape shape = {.exact_matrix = has->matrix_f64,
				    .exact_items = smaller(items, 32),
				    .batch_pairs = DEFAULT_BATCH_PAIRS,
				    .k_tile = DEFAULT_K_TILE,
				    .m_tile = DEFAULT_M_TILE,
				    .ring_items = smaller(items, 1024),
				    .ring_bins = DEFAULT_RING_BINS,
				    .unit_tiles = DEFAULT_UNIT_TILES,
				    .at_once = DEFAULT_AT_ONCE,
				    .rows_items = smaller(items, 256),
				    .list_items = smaller(items, 32)};

	if (!has->gpu_kernels)
		return (struct debye_shape){0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1};
	if (has->fixed_kernels && items == 1)
		return shape;
	shape.ring_items = smaller(items, has->large_kernel_items);
	/* compilers of OpenCL for a CPU are slow for long texts */
	device_identify(device, &what);
	if (!what.is_cpu) {
		shape.k_tile = shape.m_tile = 8;
		shape.at_once = 4;
	}
	shape.batch_pairs = 32;
	while (shape.batch_pairs > 1 && products_bytes(&shape, false) > local)
		shape.batch_pairs /= 2;
	uint32_t most_bins = smaller(MOST_RING_BINS, (local - RING_BYTES(shape.ring_items, 0)) / 8);
	if (has->fixed_kernels)
		shape.ring_bins = largest_made("histogram_ring", "RING_BINS", most_bins);
	else if (!find_kept(device, &shape))
		choose_rings(device, most_bins, &shape);
	return shape;
}

uint32_t shape_exact_points(const struct debye_shape *shape, bool f32, int64_t points)
{
	const int64_t each = 2 * COARSE * MATRIX_FINE_STEP, most = 2 * COARSE * MATRIX_MOST_FINE;

	if (!shape->exact_matrix || f32)
		return Q_PASS;
	const int64_t passes = (points + most - 1) / most, wanted = (points + passes - 1) / passes;
	return (uint32_t)((wanted + each - 1) / each * each);
}

sonde_status shape_exact_sums(struct device *device, const struct debye_shape *shape, bool f32, uint32_t points,
			      struct device_kernel *kernel)
{
	const struct device_define fine = {"FINE", points / (2 * COARSE)};

	if (shape->exact_matrix && !f32)
		return device_kernel(device, &debye_program, "exact_matrix", MATRIX_ITEMS, MATRIX_BYTES, &fine, 1,
				     kernel);
	const struct device_define defines[] = {{"BATCH_PAIRS", shape->batch_pairs},
						{"K_TILE", shape->k_tile},
						{"M_TILE", shape->m_tile},
						{"REAL_F32", f32 ? 1 : 0}};

	return device_kernel(device, &debye_program, "exact_products", shape->exact_items, products_bytes(shape, f32),
			     defines, 4, kernel);
}

/* As plain C, exact_windows has one number of fine phases. */
bool shape_windows_are_simd(const struct device *device, uint32_t fine)
{
	const struct device_properties *has = device_properties(device);

	return !has->gpu_kernels || (has->fixed_kernels && has->most_work_items == 1 && fine != WINDOW_FINE);
}

sonde_status shape_exact_windows(struct device *device, uint32_t fine, struct device_kernel *kernel)
{
	const struct device_define define = {"WINDOW_FINE", fine};
	const struct device_properties *has = device_properties(device);

	if (shape_windows_are_simd(device, fine))
		return device_kernel(device, &debye_program, "windows_pairs", 1, 0, NULL, 0, kernel);
	return device_kernel(device, &debye_program, "exact_windows", smaller(has->most_work_items, MATRIX_ITEMS),
			     WINDOW_BYTES_OF(fine), &define, 1, kernel);
}

sonde_status shape_sum_rows(struct device *device, const struct debye_shape *shape, struct device_kernel *kernel)
{
	return device_kernel(device, &debye_program, "sum_rows", shape->rows_items, 0, NULL, 0, kernel);
}

sonde_status shape_histogram_ring(struct device *device, const struct debye_shape *shape,
				  struct device_kernel *kernel)
{
	const struct device_define defines[] = {
	    {"RING_BINS", shape->ring_bins}, {"UNIT_TILES", shape->unit_tiles}, {"AT_ONCE", shape->at_once}};
	const struct device_define matrix[] = {{"RING_BINS", shape->matrix_bins},
					       {"UNIT_TILES", shape->unit_tiles},
					       {"RELIEVE", shape->matrix_relieves}};

	if (shape->matrix_bins > 0)
		return device_kernel(device, &debye_program, "histogram_matrix", shape->matrix_items,
				     MATRIX_RING_BYTES(shape->matrix_items, shape->matrix_bins), matrix, 3, kernel);
	return device_kernel(device, &debye_program, "histogram_ring", shape->ring_items,
			     RING_BYTES(shape->ring_items, shape->ring_bins), defines, 3, kernel);
}

/* A ring that is no larger than needed leaves room for more groups on a multiprocessor. */
sonde_status shape_histogram_images(struct device *device, const struct debye_shape *shape, uint64_t bins,
				    struct device_kernel *kernel, uint32_t *ring_bins)
{
	static const uint32_t sizes[] = {6912, 11520, 19712};

	*ring_bins = shape->ring_bins;
	for (size_t k = sizeof sizes / sizeof *sizes; k-- > 0;)
		if (sizes[k] >= bins && sizes[k] < *ring_bins)
			*ring_bins = sizes[k];
	const struct device_define defines[] = {
	    {"RING_BINS", *ring_bins}, {"UNIT_TILES", shape->unit_tiles}, {"AT_ONCE", shape->at_once}};

	return device_kernel(device, &debye_images_program, "histogram_images_ring", shape->ring_items,
			     RING_BYTES(shape->ring_items, *ring_bins), defines, 3, kernel);
}

sonde_status shape_sinc_sum(struct device *device, const struct debye_shape *shape, struct device_kernel *kernel)
{
	return device_kernel(device, &debye_program, "sinc_sum", shape->list_items, 0, NULL, 0, kernel);
}

#define MOTION_ITEMS 64 /* the columns of Q_PASS points of q */

sonde_status shape_motion(struct device *device, const char *name, struct device_kernel *kernel)
{
	const struct device_properties *has = device_properties(device);
	const uint32_t items = has->gpu_kernels ? smaller(has->most_work_items, MOTION_ITEMS) : 1;

	/* on a CPU the batch is on the stack */
	return device_kernel(device, &debye_program, name, items, has->gpu_kernels ? MOTION_BYTES : 0, NULL, 0,
			     kernel);
}
