#include "match/scan_device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/self_test.h"
#include "match/dot_product.h"
#include "match/kernels/scan_layout.h"

#define ITEMS 128u
#define BYTES_AT_ONCE ((int64_t)1 << 25) /* of curves */
#define SPARE 4                          /* the part 1/4 of the memory that is left free */

/* The square of a curve without its background, as a part of all of it, that is rounding: data_set.h */
#define FLAT 1e-10

static sonde_status self_test(struct device *device);

#define KERNELS_DEF "match/kernels.def"
#include "device/kernel_table.h"

static const struct device_program program = {"match", kernels, self_test};

void scan_rows_release(struct scan_rows *rows)
{
	if (rows->device != NULL)
		device_release(rows->device, &rows->rows);
	*rows = (struct scan_rows){0};
}

static uint32_t items_of(const struct device *device)
{
	const struct device_properties *has = device_properties(device);

	return has->gpu_kernels && has->most_work_items >= ITEMS ? ITEMS : 1;
}

/* Integers of 64 bits as words. */
static sonde_status upload_words(struct device *device, const int64_t *from, int64_t count,
				 struct device_buffer *buffer)
{
	uint32_t *words;

	CHECK(memory_allocate(&words, (size_t)count, sizeof *words, "an interpolation"));
	for (int64_t k = 0; k < count; ++k)
		words[k] = (uint32_t)from[k];
	const sonde_status status =
	    device_upload(device, words, (size_t)count * sizeof *words, "an interpolation", buffer);
	free(words);
	return status;
}

static sonde_status upload_factors(struct scan_device *scan)
{
	const struct scan_numbers *numbers = &scan->numbers;
	const size_t count = (size_t)numbers->measured;
	double *ones;

	if (numbers->factors != NULL)
		return device_upload(scan->device, numbers->factors, count * sizeof(double), "factors",
				     &scan->factors);
	CHECK(memory_allocate(&ones, count, sizeof *ones, "factors"));
	for (size_t k = 0; k < count; ++k)
		ones[k] = 1.0;
	const sonde_status status =
	    device_upload(scan->device, ones, count * sizeof *ones, "factors", &scan->factors);
	free(ones);
	return status;
}

static sonde_status upload(struct scan_device *scan)
{
	const struct scan_numbers *numbers = &scan->numbers;
	const struct resampling *resampling = numbers->resampling;
	const uint32_t sizes[SCAN_WORDS] = {(uint32_t)numbers->points, (uint32_t)numbers->measured,
					    (uint32_t)numbers->vectors, resampling->same};
	const size_t nodes = resampling->same ? 0 : (size_t)resampling->begin[numbers->measured];
	struct device *device = scan->device;

	CHECK(device_upload(device, sizes, sizeof sizes, "a scan", &scan->sizes));
	CHECK(upload_words(device, resampling->first, numbers->measured, &scan->first));
	CHECK(upload_words(device, resampling->begin, numbers->measured + 1, &scan->begin));
	CHECK(device_upload(device, resampling->weights, nodes * sizeof(double), "an interpolation", &scan->weights));
	CHECK(upload_factors(scan));
	CHECK(device_upload(device, numbers->inverse_sigma, (size_t)numbers->measured * sizeof(double), "weights",
			    &scan->inverse_sigma));
	return device_upload(device, numbers->transposed,
			     (size_t)numbers->vectors * (size_t)numbers->points * sizeof(double), "a scan",
			     &scan->vectors);
}

/* Room for all curves, if there is some. */
static void reserve_rows(struct scan_device *scan, struct scan_rows *rows)
{
	const size_t bytes = (size_t)scan->count * (size_t)scan->numbers.points * sizeof(float);

	if (rows == NULL)
		return;
	if (rows->device != NULL && (rows->device != scan->device || rows->rows.bytes < bytes))
		scan_rows_release(rows);
	if (rows->device == NULL) {
		struct device_buffer spare = {0};
		/* what others need is not taken */
		const bool fits = device_allocate(scan->device, bytes, "curves", &rows->rows) == SONDE_OK;
		const bool enough =
		    fits && device_allocate(scan->device, bytes / SPARE, "curves", &spare) == SONDE_OK;
		if (enough)
			device_release(scan->device, &spare);
		if (fits && !enough)
			device_release(scan->device, &rows->rows);
		if (!enough)
			return;
		rows->device = scan->device;
	}
	scan->rows = rows;
}

static sonde_status prepare(struct scan_device *scan, struct scan_rows *rows)
{
	const size_t parts = ((size_t)scan->numbers.vectors + 1) * SCAN_PARTS * sizeof(double);
	struct device *device = scan->device;

	CHECK(device_kernel(device, &program, "scan_parts", items_of(device), 0, NULL, 0, &scan->parts_kernel));
	CHECK(device_kernel(device, &program, "scan_sums", items_of(device), 0, NULL, 0, &scan->sums_kernel));
	CHECK(upload(scan));
	CHECK(device_allocate(device, (size_t)scan->most * parts, "a scan", &scan->parts));
	CHECK(device_allocate(device, (size_t)scan->count * sizeof(double), "a scan", &scan->squares));
	CHECK(device_allocate(device, (size_t)scan->count * sizeof(double), "a scan", &scan->products));
	reserve_rows(scan, rows);
	if (scan->rows != NULL)
		return SONDE_OK;
	return device_allocate(device, (size_t)(scan->most * scan->numbers.points) * sizeof(float), "curves",
			       &scan->some);
}

sonde_status scan_device_begin(struct device *device, const struct scan_numbers *numbers, int64_t count,
			       struct scan_rows *rows, struct scan_device *scan)
{
	const int64_t row = numbers->points * (int64_t)sizeof(float), most = BYTES_AT_ONCE / row + 1;

	*scan = (struct scan_device){
	    .device = device, .numbers = *numbers, .count = count, .most = most < count ? most : count};
	return prepare(scan, rows);
}

void scan_device_end(struct scan_device *scan)
{
	struct device_buffer *const buffers[] = {&scan->sizes,   &scan->first,         &scan->begin,   &scan->weights,
						 &scan->factors, &scan->inverse_sigma, &scan->vectors, &scan->parts,
						 &scan->squares, &scan->products,      &scan->some};

	if (scan->device == NULL)
		return;
	/* copies may still be under way after a failure */
	(void)device_wait(scan->device);
	for (int k = 0; k < SCAN_BUFFERS; ++k) {
		device_event_release(scan->device, &scan->used[k]);
		if (scan->host[k] != NULL)
			device_host_release(scan->device, scan->host[k]);
	}
	for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k)
		device_release(scan->device, buffers[k]);
	*scan = (struct scan_device){0};
}

bool scan_device_has(const struct scan_device *scan, int64_t first, int64_t count)
{
	return scan->rows != NULL && first + count <= scan->rows->count;
}

sonde_status scan_device_run(struct scan_device *scan, int64_t first, int64_t count, const float *rows)
{
	const uint32_t candidates = (uint32_t)count, vectors = (uint32_t)scan->numbers.vectors,
		       here = scan->rows != NULL ? (uint32_t)first : 0, first_row = (uint32_t)first,
		       items = items_of(scan->device);
	const size_t row = (size_t)scan->numbers.points * sizeof(float);
	struct device_buffer *buffer = scan->rows != NULL ? &scan->rows->rows : &scan->some;
	const double flat = FLAT;

	if (rows != NULL)
		CHECK(device_send(scan->device, buffer, here * row, rows, (size_t)count * row));
	/* pieces come in their order */
	if (scan->rows != NULL && rows != NULL && scan->rows->count == first)
		scan->rows->count += count;
	const struct device_argument parts[] = {DEVICE_ARGUMENT(buffer->memory),
						DEVICE_ARGUMENT(candidates),
						DEVICE_ARGUMENT(scan->sizes.memory),
						DEVICE_ARGUMENT(scan->first.memory),
						DEVICE_ARGUMENT(scan->begin.memory),
						DEVICE_ARGUMENT(scan->weights.memory),
						DEVICE_ARGUMENT(scan->factors.memory),
						DEVICE_ARGUMENT(scan->inverse_sigma.memory),
						DEVICE_ARGUMENT(scan->vectors.memory),
						DEVICE_ARGUMENT(scan->parts.memory),
						DEVICE_ARGUMENT(here)};
	CHECK(device_launch(scan->device, &scan->parts_kernel, (candidates * SCAN_LANES + items - 1) / items, parts,
			    sizeof parts / sizeof *parts));
	const struct device_argument sums[] = {DEVICE_ARGUMENT(scan->parts.memory),
					       DEVICE_ARGUMENT(candidates),
					       DEVICE_ARGUMENT(vectors),
					       DEVICE_ARGUMENT(flat),
					       DEVICE_ARGUMENT(first_row),
					       DEVICE_ARGUMENT(scan->squares.memory),
					       DEVICE_ARGUMENT(scan->products.memory)};
	CHECK(device_launch(scan->device, &scan->sums_kernel, (candidates + items - 1) / items, sums,
			    sizeof sums / sizeof *sums));
	if (rows != NULL) {
		CHECK(device_event_record(scan->device, &scan->used[scan->turn]));
		scan->turn = (scan->turn + 1) % SCAN_BUFFERS;
	}
	return SONDE_OK;
}

sonde_status scan_device_buffer(struct scan_device *scan, float **rows)
{
	struct device_event *used = &scan->used[scan->turn];
	void **memory = &scan->host[scan->turn];

	if (*memory == NULL)
		CHECK(device_host_allocate(scan->device, (size_t)(scan->most * scan->numbers.points) * sizeof(float),
					   "curves", memory));
	else
		CHECK(device_event_wait(scan->device, used));
	device_event_release(scan->device, used);
	*used = (struct device_event){0};
	*rows = *memory;
	return SONDE_OK;
}

sonde_status scan_device_read(struct scan_device *scan, double *squares, double *products)
{
	const size_t bytes = (size_t)scan->count * sizeof(double);

	CHECK(device_read(scan->device, &scan->squares, 0, squares, bytes));
	return device_read(scan->device, &scan->products, 0, products, bytes);
}

/* The self-test ----------------------------------------------------------------------------------------------------------------- */

#define ROWS 37
#define POINTS 53
#define MEASURED 43
#define VECTORS 3
#define TOLERANCE 1e-9 /* of numbers below 1e4: a compiler may round otherwise */

/* Curves, vectors and weights that differ; the interpolation is between two points. */
static sonde_status self_test(struct device *device)
{
	float rows[ROWS * POINTS];
	double axis[POINTS], x[MEASURED], vectors[VECTORS * POINTS], sigma[MEASURED], factors[MEASURED],
	    curve[MEASURED], squares[ROWS], products[ROWS];
	struct resampling resampling = {0};
	struct scan_device scan = {0};
	double worst = 0.0;
	float *room;

	for (int k = 0; k < POINTS; ++k)
		axis[k] = 0.1 * k;
	for (int k = 0; k < MEASURED; ++k) {
		x[k] = 0.33 + 0.107 * k;
		sigma[k] = 1.0 + 0.3 * cos(1.1 * k);
		factors[k] = 1.0 - 0.01 * k;
	}
	for (int k = 0; k < ROWS * POINTS; ++k)
		rows[k] = (float)(3.0 + sin(0.37 * k) + 0.1 * (k % 7));
	for (int k = 0; k < VECTORS * POINTS; ++k)
		vectors[k] = 0.01 * cos(0.7 * k);
	CHECK(resampling_make(axis, POINTS, x, MEASURED, 0.0, &resampling));
	const struct scan_numbers numbers = {POINTS, MEASURED, &resampling, factors, sigma, VECTORS, vectors};
	sonde_status status = scan_device_begin(device, &numbers, ROWS, NULL, &scan);
	if (status == SONDE_OK)
		status = scan_device_buffer(&scan, &room);
	if (status == SONDE_OK) {
		memcpy(room, rows, sizeof rows);
		status = scan_device_run(&scan, 0, ROWS, room);
	}
	if (status == SONDE_OK)
		status = scan_device_read(&scan, squares, products);
	for (int n = 0; status == SONDE_OK && n < ROWS; ++n) {
		resample(&resampling, rows + n * POINTS, curve);
		for (int k = 0; k < MEASURED; ++k) {
			curve[k] *= factors[k];
			curve[k] *= sigma[k];
		}
		double square = dot_product(curve, curve, MEASURED);
		for (int k = 0; k + 1 < VECTORS; ++k) {
			const double part = dot_product_single(vectors + k * POINTS, rows + n * POINTS, POINTS);
			square -= part * part;
		}
		const double product =
		    dot_product_single(vectors + (VECTORS - 1) * POINTS, rows + n * POINTS, POINTS);
		const double error = fabs(squares[n] - square) + fabs(products[n] - product);
		worst = error > worst || isnan(error) ? error : worst;
	}
	scan_device_end(&scan);
	resampling_free(&resampling);
	return status == SONDE_OK ? self_test_compare(worst, TOLERANCE, "sums over candidates") : status;
}
