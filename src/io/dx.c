#include "io/dx.h"

#include <stdio.h>

#include "io/text_output.h"

#define BLOCK 65536 /* bytes between two writes */

/* Readers are particular: some count the digits of a delta, PyMOL shows nothing of arrays of type float. */
static void append_header(const struct grid *grid, struct text *text)
{
	long long n[3] = {grid->size[0], grid->size[1], grid->size[2]};

	text_append(text, "object 1 class gridpositions counts %lld %lld %lld\n", n[0], n[1], n[2]);
	text_append(text, "origin %.12e %.12e %.12e\n", grid->origin[0], grid->origin[1], grid->origin[2]);
	for (int k = 0; k < 3; ++k)
		text_append(text, "delta %.12e %.12e %.12e\n", grid->steps[k][0], grid->steps[k][1],
			    grid->steps[k][2]);
	text_append(text, "object 2 class gridconnections counts %lld %lld %lld\n", n[0], n[1], n[2]);
	text_append(text, "object 3 class array type double rank 0 items %lld data follows\n", n[0] * n[1] * n[2]);
}

static sonde_status append_values(const struct grid *grid, const double *values, struct text_output *file)
{
	int64_t written = 0;

	for (int64_t i = 0; i < grid->size[0]; ++i) {
		for (int64_t j = 0; j < grid->size[1]; ++j) {
			for (int64_t k = 0; k < grid->size[2]; ++k) {
				double value = values[i + grid->size[0] * (j + grid->size[1] * k)];
				text_append(&file->block, "%.9e%c", value, ++written % 3 == 0 ? '\n' : ' ');
				if (file->block.size > BLOCK)
					CHECK(text_output_flush(file));
			}
		}
	}
	if (written % 3 != 0)
		text_append(&file->block, "\n");
	return SONDE_OK;
}

static sonde_status write(const struct grid *grid, const double *values, const char *comments,
			  struct text_output *file)
{
	text_append(&file->block, "%s", comments);
	append_header(grid, &file->block);
	CHECK(append_values(grid, values, file));
	text_append(&file->block, "attribute \"dep\" string \"positions\"\n"
				  "object \"regular positions regular connections\" class field\n"
				  "component \"positions\" value 1\n"
				  "component \"connections\" value 2\n"
				  "component \"data\" value 3\n");
	return SONDE_OK;
}

sonde_status dx_write(const char *path, const struct grid *grid, const double *values, const char *comments,
		      bool overwrite)
{
	struct text_output file;

	CHECK(text_output_open(&file, path, overwrite));
	return text_output_close(&file, write(grid, values, comments, &file));
}
