#include "io/mrc.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

#define BLOCK 4096 /* numbers between two writes */

/* The header: 256 words. */
struct header {
	int32_t size[3], mode, start[3], sampling[3];
	float cell[3], angles[3];
	int32_t axes[3];
	float least, largest, mean;
	int32_t space_group, extension;
	char extra[8];
	char kind[4];
	int32_t version;
	char more[84];
	float origin[3];
	char map[4];
	unsigned char stamp[4];
	float deviation;
	int32_t label_count;
	char labels[10][80];
};
_Static_assert(sizeof(struct header) == 1024, "the header of an MRC file has 1024 bytes");

static void describe_values(const double *values, int64_t count, struct header *header)
{
	double least = INFINITY, largest = -INFINITY, sum = 0.0, squares = 0.0;

	for (int64_t n = 0; n < count; ++n) {
		least = fmin(least, values[n]);
		largest = fmax(largest, values[n]);
		sum += values[n];
	}
	double mean = sum / (double)count;
	for (int64_t n = 0; n < count; ++n)
		squares += (values[n] - mean) * (values[n] - mean);
	header->least = (float)least;
	header->largest = (float)largest;
	header->mean = (float)mean;
	header->deviation = (float)sqrt(squares / (double)count);
}

static bool write_all(FILE *stream, const struct header *header, const double *values, int64_t count)
{
	float block[BLOCK] = {0};

	if (fwrite(header, sizeof *header, 1, stream) != 1)
		return false;
	for (int64_t done = 0; done < count; done += BLOCK) {
		size_t now = count - done < BLOCK ? (size_t)(count - done) : BLOCK;
		for (size_t k = 0; k < now; ++k)
			block[k] = (float)values[done + (int64_t)k];
		if (fwrite(block, sizeof *block, now, stream) != now)
			return false;
	}
	return true;
}

sonde_status mrc_write(const char *path, const struct grid *grid, const double *values, const char *label,
		       bool overwrite)
{
	struct header header = {.mode = 2, /* float32 */
				.angles = {90.0F, 90.0F, 90.0F},
				.axes = {1, 2, 3},
				.space_group = 1,
				.version = 20140,
				.map = {'M', 'A', 'P', ' '},
				.label_count = 1};
	int64_t count = grid->size[0] * grid->size[1] * grid->size[2];
	struct file_output output;

	for (int k = 0; k < 3; ++k) {
		if (grid->size[k] > INT_MAX)
			return status_fail(SONDE_INVALID, "%s: too many points for an MRC file", path);
		header.size[k] = header.sampling[k] = (int32_t)grid->size[k];
		header.cell[k] = (float)((double)grid->size[k] * grid->steps[k][k]);
		header.origin[k] = (float)grid->origin[k];
	}
	/* the machine's byte order, by which readers know it */
	memset(header.stamp, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0x44 : 0x11, 2);
	memset(header.labels, ' ', sizeof header.labels);
	memcpy(header.labels[0], label, strlen(label) < 79 ? strlen(label) : 79);
	describe_values(values, count, &header);
	CHECK(file_output_open(&output, path, overwrite));
	sonde_status status =
	    write_all(output.stream, &header, values, count)
		? file_output_commit(&output)
		: status_fail(SONDE_RESOURCE,
			      "%s: cannot be written: the disk is full or failed; nothing was left there", path);
	file_output_discard(&output);
	return status;
}
