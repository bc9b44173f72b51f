#include "io/vtk.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"

#define BLOCK 4096 /* numbers between two writes */
#define TITLE 250  /* bytes that a title may have */

/* Legacy files are big-endian. */
static uint64_t swapped(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	bits = __builtin_bswap64(bits);
#endif
	return bits;
}

static bool write_numbers(FILE *stream, const double *values, int64_t count)
{
	uint64_t block[BLOCK] = {0};

	for (int64_t done = 0; done < count; done += BLOCK) {
		size_t now = count - done < BLOCK ? (size_t)(count - done) : BLOCK;
		for (size_t k = 0; k < now; ++k)
			block[k] = swapped(values[done + (int64_t)k]);
		if (fwrite(block, sizeof *block, now, stream) != now)
			return false;
	}
	return fputc('\n', stream) != EOF;
}

static bool write_all(FILE *stream, const struct grid *grid, const double *potential, const double *field,
		      const char *title)
{
	int64_t count = grid->size[0] * grid->size[1] * grid->size[2];
	bool written = fprintf(stream,
			       "# vtk DataFile Version 3.0\n%.*s\nBINARY\nDATASET STRUCTURED_POINTS\n"
			       "DIMENSIONS %lld %lld %lld\nORIGIN %.17g %.17g %.17g\nSPACING %.17g %.17g %.17g\n"
			       "POINT_DATA %lld\n",
			       TITLE, title, (long long)grid->size[0], (long long)grid->size[1],
			       (long long)grid->size[2], grid->origin[0], grid->origin[1], grid->origin[2],
			       grid->steps[0][0], grid->steps[1][1], grid->steps[2][2], (long long)count) > 0;

	if (potential != NULL)
		written = written && fprintf(stream, "SCALARS potential double 1\nLOOKUP_TABLE default\n") > 0 &&
			  write_numbers(stream, potential, count);
	if (field != NULL)
		written = written && fprintf(stream, "VECTORS field double\n") > 0 &&
			  write_numbers(stream, field, 3 * count);
	return written;
}

sonde_status vtk_write(const char *path, const struct grid *grid, const double *potential, const double *field,
		       const char *title, bool overwrite)
{
	struct file_output output;

	CHECK(file_output_open(&output, path, overwrite));
	sonde_status status =
	    write_all(output.stream, grid, potential, field, title)
		? file_output_commit(&output)
		: status_fail(SONDE_RESOURCE,
			      "%s: cannot be written: the disk is full or failed; nothing was left there", path);
	file_output_discard(&output);
	return status;
}
