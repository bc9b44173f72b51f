/* Scans of candidates on a GPU, with the numbers of match/scan.c bit by bit. The curves of a library stay in the memory of the GPU for further
 * scans if there is room. */
#ifndef SONDE_MATCH_SCAN_DEVICE_H
#define SONDE_MATCH_SCAN_DEVICE_H

#include "device/device.h"
#include "match/resample.h"

/* What a scan needs of a data set and a source. */
struct scan_numbers {
	int64_t points, measured; /* of the candidates' axis, and of the measured curve */
	const struct resampling *resampling;
	const double *factors; /* [measured]; null: 1 */
	const double *inverse_sigma;
	int vectors;              /* of the background, and the last one */
	const double *transposed; /* [vector][points] */
};

/* Curves in the memory of a device. */
struct scan_rows {
	struct device *device; /* null: none */
	struct device_buffer rows;
	int64_t count; /* of rows that are there */
};
void scan_rows_release(struct scan_rows *rows);

#define SCAN_BUFFERS 2

struct scan_device {
	struct device *device;
	struct scan_numbers numbers;
	int64_t count, most; /* candidates; most of a launch */
	struct device_kernel parts_kernel, sums_kernel;
	struct device_buffer sizes, first, begin, weights, factors, inverse_sigma, vectors, parts, squares, products;
	struct scan_rows *rows; /* all; null: only those of a launch, in: */
	struct device_buffer some;
	/* memory of the host, in turn */
	void *host[SCAN_BUFFERS];
	struct device_event used[SCAN_BUFFERS]; /* until then */
	int turn;
};

/* For `count` candidates. `rows`, not null, holds the curves from scan to scan; if they do not fit into the memory, it stays empty. Freed by
 * scan_device_end(), also after a failure. */
sonde_status scan_device_begin(struct device *device, const struct scan_numbers *numbers, int64_t count,
			       struct scan_rows *rows, struct scan_device *scan);
void scan_device_end(struct scan_device *scan);
/* Whether the curves of candidates are there from an earlier scan. */
bool scan_device_has(const struct scan_device *scan, int64_t first, int64_t count);
/* Memory for the curves of scan->most candidates; waits until it is free. */
sonde_status scan_device_buffer(struct scan_device *scan, float **rows);
/* Some candidates, at most scan->most, whose curves are in the buffer; `rows` null: their curves are there. */
sonde_status scan_device_run(struct scan_device *scan, int64_t first, int64_t count, const float *rows);
/* Results of all: [count]. */
sonde_status scan_device_read(struct scan_device *scan, double *squares, double *products);

#endif
