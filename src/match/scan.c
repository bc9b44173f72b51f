#include "match/scan.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "match/dot_product.h"
#include "match/scan_device.h"
#include "run/context.h"

#define SMALL 64               /* candidates of a piece in memory */
#define SECONDS_OF_NUMBER 5e-9 /* of a core, for each point of a candidate */

struct scan {
	struct data_set *set;
	size_t source;
	int64_t piece, points;
	int vector_count; /* those of the background, and v */
	double *vectors;  /* [vector][points of the axis]: transposed to the axis */
	float **rows;     /* of each worker: a piece */
	double **curves;  /* of each worker: on the measured points */
	double *squares, *products;
	atomic_llong failed; /* the first piece that could not be read; -1: none */
	atomic_llong done;
	const int *cancel;
};

/* Products with vectors on the measured points become products with others on the axis. */
static sonde_status transpose_vectors(struct scan *scan, const double *v)
{
	const struct data_set *set = scan->set;
	const int64_t points = set->measured.count;
	double *weighted;

	scan->vector_count = set->basis_count + 1;
	CHECK(memory_allocate(&scan->vectors, (size_t)scan->vector_count * (size_t)scan->points, sizeof(double),
			      "a scan"));
	CHECK(memory_allocate(&weighted, (size_t)points, sizeof *weighted, "a scan"));
	for (int n = 0; n < scan->vector_count; ++n) {
		const double *of = n < set->basis_count ? set->basis + n * points : v;
		for (int64_t k = 0; k < points; ++k)
			weighted[k] = of[k] * set->inverse_sigma[k] * (set->factors != NULL ? set->factors[k] : 1.0);
		resampling_transpose(&set->resamplings[scan->source], weighted, scan->vectors + n * scan->points);
	}
	free(weighted);
	return SONDE_OK;
}

static void scan_candidate(const struct scan *scan, const float *row, double *curve, int64_t candidate)
{
	const struct data_set *set = scan->set;
	const int64_t points = set->measured.count;
	double square;

	data_set_resample(set, scan->source, row, curve);
	for (int64_t k = 0; k < points; ++k)
		curve[k] *= set->inverse_sigma[k];
	square = dot_product(curve, curve, points);
	const double whole = square;
	for (int n = 0; n < set->basis_count; ++n) {
		const double part = dot_product_single(scan->vectors + n * scan->points, row, scan->points);
		square -= part * part;
	}
	scan->squares[candidate] = square > DATA_SET_FLAT * whole ? square : 0.0;
	scan->products[candidate] =
	    dot_product_single(scan->vectors + set->basis_count * scan->points, row, scan->points);
}

static void scan_body(void *state, int64_t first, int64_t end, int worker)
{
	struct scan *scan = state;
	struct candidate_source *source = &scan->set->candidates.sources[scan->source];

	for (int64_t k = first; k < end; ++k) {
		const int64_t begin = k * scan->piece, left = source->count - begin,
			      count = left < scan->piece ? left : scan->piece;
		const float *rows = scan->rows[worker];
		if (atomic_load(&scan->failed) >= 0)
			return;
		if (source->library.reader == NULL) {
			rows = source->rows + begin * scan->points;
		} else if (candidates_read(source, scan->set->candidates.curve, begin, count, scan->rows[worker]) !=
			   SONDE_OK) {
			long long none = -1;
			atomic_compare_exchange_strong(&scan->failed, &none, k);
			return;
		}
		for (int64_t n = 0; n < count; ++n)
			scan_candidate(scan, rows + n * scan->points, scan->curves[worker],
				       source->first + begin + n);
		atomic_fetch_add(&scan->done, count);
	}
}

static sonde_status allocate(struct scan *scan, int threads)
{
	const bool of_library = scan->set->candidates.sources[scan->source].library.reader != NULL;

	CHECK(memory_allocate(&scan->rows, (size_t)threads, sizeof *scan->rows, "a scan"));
	CHECK(memory_allocate(&scan->curves, (size_t)threads, sizeof *scan->curves, "a scan"));
	for (int k = 0; k < threads; ++k) {
		if (of_library)
			CHECK(memory_allocate_to_fill(&scan->rows[k], (size_t)(scan->piece * scan->points),
						      sizeof(float), "a scan"));
		CHECK(memory_allocate_to_fill(&scan->curves[k], (size_t)scan->set->measured.count, sizeof(double),
					      "a scan"));
	}
	return SONDE_OK;
}

static void release(struct scan *scan, int threads)
{
	for (int k = 0; k < threads; ++k) {
		if (scan->rows != NULL)
			free(scan->rows[k]);
		if (scan->curves != NULL)
			free(scan->curves[k]);
	}
	free(scan->rows);
	free(scan->curves);
	free(scan->vectors);
}

/* In blocks of pieces, between which progress is reported. */
static sonde_status run_pieces(struct scan *scan, struct stage *stage, int threads)
{
	struct candidate_source *source = &scan->set->candidates.sources[scan->source];
	const int64_t pieces = (source->count + scan->piece - 1) / scan->piece;

	threads_end_when(scan->cancel);
	threads_for(threads, pieces, 1, scan_body, scan);
	const sonde_status ended = threads_completed();
	threads_end_when(NULL);
	const int64_t failed = atomic_load(&scan->failed);
	if (failed >= 0) {
		/* again, for the message: those of other threads are theirs */
		const int64_t begin = failed * scan->piece, left = source->count - begin;
		return candidates_read(source, scan->set->candidates.curve, begin,
				       left < scan->piece ? left : scan->piece, scan->rows[0]);
	}
	CHECK(ended);
	return stage_advance(stage, (double)atomic_load(&scan->done));
}

/* On a GPU --------------------------------------------------------------------------------------------------------------------- */

struct filling {
	struct scan *scan;
	int64_t first, count; /* candidates */
	float *rows;
};

static void fill_body(void *state, int64_t first, int64_t end, int worker)
{
	const struct filling *filling = state;
	struct scan *scan = filling->scan;
	struct candidate_source *source = &scan->set->candidates.sources[scan->source];

	(void)worker;
	for (int64_t k = first; k < end; ++k) {
		const int64_t begin = k * scan->piece, left = filling->count - begin,
			      count = left < scan->piece ? left : scan->piece;
		if (atomic_load(&scan->failed) >= 0)
			return;
		if (candidates_read(source, scan->set->candidates.curve, filling->first + begin, count,
				    filling->rows + begin * scan->points) != SONDE_OK) {
			long long none = -1;
			atomic_compare_exchange_strong(&scan->failed, &none, filling->first + begin);
			return;
		}
	}
}

/* Some candidates, read by all threads. */
static sonde_status run_on_device(struct scan *scan, struct scan_device *on, int threads, int64_t first,
				  int64_t count)
{
	struct filling filling = {.scan = scan, .first = first, .count = count};
	struct candidate_source *source = &scan->set->candidates.sources[scan->source];

	if (scan_device_has(on, first, count))
		return scan_device_run(on, first, count, NULL);
	CHECK(scan_device_buffer(on, &filling.rows));
	threads_end_when(scan->cancel);
	threads_for(threads, (count + scan->piece - 1) / scan->piece, 1, fill_body, &filling);
	const sonde_status ended = threads_completed();
	threads_end_when(NULL);
	const int64_t failed = atomic_load(&scan->failed);
	if (failed >= 0) {
		/* again, for the message: those of other threads are theirs */
		const int64_t left = first + count - failed;
		CHECK(candidates_read(source, scan->set->candidates.curve, failed,
				      left < scan->piece ? left : scan->piece, filling.rows));
		return memory_missing("a scan");
	}
	CHECK(ended);
	return scan_device_run(on, first, count, filling.rows);
}

static sonde_status scan_on_device(struct scan *scan, struct device *device, struct stage *stage, int threads)
{
	const struct data_set *set = scan->set;
	struct candidate_source *source = &scan->set->candidates.sources[scan->source];
	const struct scan_numbers numbers = {.points = scan->points,
					     .measured = set->measured.count,
					     .resampling = &set->resamplings[scan->source],
					     .factors = set->factors,
					     .inverse_sigma = set->inverse_sigma,
					     .vectors = scan->vector_count,
					     .transposed = scan->vectors};
	struct scan_device on;

	sonde_status status = scan_device_begin(device, &numbers, source->count, &source->on_device, &on);
	/* whole pieces at a time */
	const int64_t most = on.most < scan->piece ? on.most : on.most / scan->piece * scan->piece;
	for (int64_t first = 0; status == SONDE_OK && first < source->count; first += most) {
		const int64_t left = source->count - first;
		status = run_on_device(scan, &on, threads, first, left < most ? left : most);
		if (status == SONDE_OK)
			status = stage_advance(stage, (double)(source->first + first));
	}
	if (status == SONDE_OK)
		status = scan_device_read(&on, scan->squares + source->first, scan->products + source->first);
	scan_device_end(&on);
	return status;
}

/* A GPU that is to be used; null: the CPU. */
static sonde_status choose_device(sonde_context *context, const struct data_set *set, struct device **device)
{
	const double numbers = (double)set->candidates.count * (double)set->measured.count;
	int index;

	*device = NULL;
	CHECK(context_expect(context, numbers * SECONDS_OF_NUMBER / context_threads(context)));
	CHECK(context_first_device(context, &index, device));
	if (!device_properties(*device)->gpu_kernels)
		*device = NULL;
	return SONDE_OK;
}

static sonde_status scan_source(sonde_context *context, struct device *device, struct data_set *set, size_t k,
				const double *v, struct stage *stage, double *squares, double *products)
{
	struct candidate_source *source = &set->candidates.sources[k];
	const int threads = context_threads(context);
	struct scan scan = {
	    .set = set,
	    .source = k,
	    .points = source->points,
	    .piece = source->library.reader != NULL ? library_piece(&source->library, set->candidates.curve) : SMALL,
	    .squares = squares,
	    .products = products,
	    .failed = -1,
	    .cancel = context_cancel_flag(context)};

	sonde_status status = transpose_vectors(&scan, v);
	if (status == SONDE_OK && device != NULL)
		status = scan_on_device(&scan, device, stage, threads);
	if (status == SONDE_OK && device == NULL)
		status = allocate(&scan, threads);
	if (status == SONDE_OK && device == NULL)
		status = run_pieces(&scan, stage, threads);
	release(&scan, threads);
	return status;
}

sonde_status scan_candidates(sonde_context *context, const char *what, struct data_set *set, const double *v,
			     double *squares, double *products)
{
	struct device *device;
	struct stage stage;

	CHECK(choose_device(context, set, &device));
	stage_begin(&stage, context, what, "candidates", (double)set->candidates.count);
	for (size_t k = 0; k < set->candidates.source_count; ++k)
		CHECK(scan_source(context, device, set, k, v, &stage, squares, products));
	return SONDE_OK;
}
