/* VTK images with several arrays. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/volume/vtk.h"

/* Legacy files are big-endian. */
static unsigned char *put(unsigned char *to, double value, bool single)
{
	float less = (float)value;
	uint32_t half;
	uint64_t bits;
	int bytes = single ? 4 : 8;

	memcpy(&half, &less, sizeof half);
	memcpy(&bits, &value, sizeof bits);
	bits = single ? half : bits;
	for (int b = bytes - 1; b >= 0; --b, bits >>= 8)
		to[b] = (unsigned char)bits;
	return to + bytes;
}

static bool write_array(FILE *stream, const struct vtk_image *image, const struct vtk_array *array,
			unsigned char *row)
{
	const int64_t *size = image->size;
	int parts = array->parts[1] != NULL ? 3 : 1;

	for (int64_t k = 0; k < size[2]; ++k)
		for (int64_t j = 0; j < size[1]; ++j) {
			unsigned char *end = row;
			for (int64_t i = 0; i < size[0]; ++i)
				for (int c = 0; c < parts; ++c) {
					double value = array->parts[c][(i * size[1] + j) * size[2] + k];
					end = put(end, isfinite(value) ? value : 0.0, image->single);
				}
			size_t bytes = (size_t)(end - row);
			if (fwrite(row, 1, bytes, stream) != bytes)
				return false;
		}
	return fputc('\n', stream) != EOF;
}

static bool write_text(FILE *stream, struct text *text)
{
	bool written = !text->failed && fwrite(text->bytes, 1, text->size, stream) == text->size;

	text_free(text);
	return written;
}

static bool write_all(FILE *stream, const struct vtk_image *image, unsigned char *row)
{
	const char *type = image->single ? "float" : "double";
	int64_t points = image->size[0] * image->size[1] * image->size[2];
	struct text text = {0};

	text_append(
	    &text,
	    "# vtk DataFile Version 3.0\n%.255s\nBINARY\nDATASET STRUCTURED_POINTS\nDIMENSIONS %lld %lld %lld\n"
	    "ORIGIN %.17g %.17g %.17g\nSPACING %.17g %.17g %.17g\nPOINT_DATA %lld\n",
	    image->title, (long long)image->size[0], (long long)image->size[1], (long long)image->size[2],
	    image->origin[0], image->origin[1], image->origin[2], image->spacing[0], image->spacing[1],
	    image->spacing[2], (long long)points);
	if (!write_text(stream, &text))
		return false;
	for (int n = 0; n < image->count; ++n) {
		const struct vtk_array *array = &image->arrays[n];
		if (array->parts[1] != NULL)
			text_append(&text, "VECTORS %s %s\n", array->name, type);
		else
			text_append(&text, "SCALARS %s %s 1\nLOOKUP_TABLE default\n", array->name, type);
		if (!write_text(stream, &text) || !write_array(stream, image, array, row))
			return false;
	}
	return true;
}

sonde_status vtk_write_image(const char *path, const struct vtk_image *image, bool overwrite)
{
	struct file_output output;
	unsigned char *row;

	CHECK(memory_allocate(&row, (size_t)image->size[0], 3 * sizeof(double), "a row of an image"));
	sonde_status status = file_output_open(&output, path, overwrite);
	if (status == SONDE_OK) {
		if (write_all(output.stream, image, row)) {
			status = file_output_commit(&output);
		} else {
			status = file_output_fail(&output);
		}
	}
	free(row);
	return status;
}
