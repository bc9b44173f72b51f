#include "io/volume/mrc.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/threads.h"
#include "io/containers/bytes.h"

#define BLOCK 16384 /* numbers between two writes */
#define BLOCKS 32   /* numbers that threads convert at a time */

/* Types of numbers by mode. */
enum { MODE_I8 = 0, MODE_I16 = 1, MODE_F32 = 2, MODE_U16 = 6, MODE_F16 = 12 };

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

/* The header with the statistics of the values so far, at the start of the file. */
static sonde_status write_header(struct volume_output *output)
{
	const struct grid *grid = &output->header->grid;
	struct header header = {.mode = MODE_F32,
				.angles = {90.0F, 90.0F, 90.0F},
				.axes = {1, 2, 3},
				.space_group = 1,
				.version = 20140,
				.map = {'M', 'A', 'P', ' '},
				.label_count = 1};
	size_t length = strlen(output->header->title);

	for (int k = 0; k < 3; ++k) {
		if (grid->size[k] > INT_MAX)
			return status_fail_file(SONDE_INVALID, output->binary.path,
						"too many points for an MRC file");
		header.size[k] = header.sampling[k] = (int32_t)grid->size[k];
		header.cell[k] = (float)((double)grid->size[k] * grid->steps[k][k]);
		header.origin[k] = (float)grid->origin[k];
	}
	/* marks the machine's byte order */
	memset(header.stamp, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0x44 : 0x11, 2);
	memset(header.labels, ' ', sizeof header.labels);
	memcpy(header.labels[0], output->header->title, length < 79 ? length : 79);
	double count = output->written > 0 ? (double)output->written : 1.0, mean = output->sum / count;
	header.least = (float)output->least;
	header.largest = (float)output->largest;
	header.mean = (float)(output->first + mean);
	header.deviation = (float)sqrt(fmax(0.0, output->squares / count - mean * mean));
	/* not rewind(), which clears the error of an earlier write */
	return fseeko(output->binary.stream, 0, SEEK_SET) == 0 &&
		       file_output_put(&output->binary, &header, sizeof header)
		   ? SONDE_OK
		   : volume_output_fail(output);
}

sonde_status mrc_begin(struct volume_output *output)
{
	return write_header(output);
}

/* Numbers as written, and their statistics in the header. */
struct block {
	float numbers[BLOCK];
	double least, largest, sum, squares;
};

static void convert(const double *values, size_t count, double first, struct block *block)
{
	double least = volume_shown(values[0]), largest = least, sum = 0.0, squares = 0.0;

	for (size_t k = 0; k < count; ++k) {
		double value = volume_shown(values[k]), off = value - first;
		least = value < least ? value : least;
		largest = value > largest ? value : largest;
		sum += off;
		squares += off * off;
		block->numbers[k] = (float)value;
	}
	block->least = least;
	block->largest = largest;
	block->sum = sum;
	block->squares = squares;
}

struct conversion {
	const double *values;
	int64_t count;
	double first;
	struct block *blocks;
};

static void convert_blocks(void *state, int64_t first, int64_t end, int worker)
{
	const struct conversion *conversion = state;

	(void)worker;
	for (int64_t b = first; b < end; ++b) {
		int64_t left = conversion->count - b * BLOCK;
		convert(conversion->values + b * BLOCK, (size_t)(left < BLOCK ? left : BLOCK), conversion->first,
			&conversion->blocks[b]);
	}
}

/* Blocks are converted in parallel, and added up in order. */
static sonde_status write_blocks(struct volume_output *output, struct block *blocks, const double *values,
				 int64_t count)
{
	for (int64_t done = 0; done < count; done += BLOCKS * BLOCK) {
		int64_t left = count - done < BLOCKS * BLOCK ? count - done : BLOCKS * BLOCK;
		int64_t used = (left + BLOCK - 1) / BLOCK;
		struct conversion conversion = {values + done, left, output->first, blocks};
		threads_for(output->threads, used, 1, convert_blocks, &conversion);
		for (int64_t b = 0; b < used; ++b) {
			size_t now = (size_t)(left - b * BLOCK < BLOCK ? left - b * BLOCK : BLOCK);
			output->least = fmin(output->least, blocks[b].least);
			output->largest = fmax(output->largest, blocks[b].largest);
			output->sum += blocks[b].sum;
			output->squares += blocks[b].squares;
			if (!file_output_put(&output->binary, blocks[b].numbers, now * sizeof(float)))
				return volume_output_fail(output);
		}
	}
	return SONDE_OK;
}

sonde_status mrc_add(struct volume_output *output, const double *values, const double *vectors, int64_t count)
{
	struct block *blocks;
	(void)vectors;

	if (output->written == 0)
		output->first = output->least = output->largest = volume_shown(values[0]);
	CHECK(memory_allocate(&blocks, BLOCKS, sizeof *blocks, "a file buffer"));
	sonde_status status = write_blocks(output, blocks, values, count);
	free(blocks);
	return status;
}

sonde_status mrc_end(struct volume_output *output)
{
	return write_header(output);
}

/* Swaps words of the other byte order, except texts. */
static void swap_words(void *words, size_t count)
{
	uint32_t *word = words;

	for (size_t k = 0; k < count; ++k)
		word[k] = __builtin_bswap32(word[k]);
}

static size_t bytes_of_mode(int32_t mode)
{
	return mode == MODE_I8                                            ? 1
	       : mode == MODE_I16 || mode == MODE_U16 || mode == MODE_F16 ? 2
	       : mode == MODE_F32                                         ? 4
									  : 0;
}

/* IEEE 754's binary16. */
static double from_half(uint16_t bits)
{
	int exponent = bits >> 10 & 31, fraction = bits & 1023;
	double size = exponent == 0    ? ldexp(fraction, -24)
		      : exponent == 31 ? (fraction == 0 ? INFINITY : NAN)
				       : ldexp(1024 + fraction, exponent - 25);

	return bits >> 15 ? -size : size;
}

static double number_of(int32_t mode, const unsigned char *bytes, bool swap)
{
	uint32_t word = 0;
	uint16_t half = 0;
	float value;

	if (mode == MODE_I8)
		return (double)(signed char)bytes[0];
	if (mode == MODE_F32) {
		memcpy(&word, bytes, 4);
		word = swap ? __builtin_bswap32(word) : word;
		memcpy(&value, &word, 4);
		return (double)value;
	}
	memcpy(&half, bytes, 2);
	half = swap ? __builtin_bswap16(half) : half;
	return mode == MODE_I16 ? (double)(int16_t)half : mode == MODE_U16 ? (double)half : from_half(half);
}

/* Edges of the cell, the first along x and the second in the xy plane, by crystallographic convention. */
static sonde_status find_steps(const char *path, const struct header *header, struct grid *grid)
{
	double cosine[3], sine = sin((double)header->angles[2] * DEGREE), edge[3];

	for (int k = 0; k < 3; ++k) {
		edge[k] = (double)header->cell[k] / (double)header->sampling[k];
		/* some programs write 0 for 90 */
		double angle = header->angles[k] == 0.0F ? 90.0 : (double)header->angles[k];
		cosine[k] = angle == 90.0 ? 0.0 : cos(angle * DEGREE);
		sine = k == 2 && angle == 90.0 ? 1.0 : sine;
		if (header->sampling[k] < 1 || !(edge[k] > 0.0) || !isfinite(edge[k]) ||
		    !(angle > 0.0 && angle < 180.0))
			return status_fail_file(SONDE_INVALID, path, "its header has no cell (%g Angstrom, %d steps)",
						(double)header->cell[k], header->sampling[k]);
	}
	double along = (cosine[0] - cosine[1] * cosine[2]) / sine,
	       square = 1.0 - cosine[1] * cosine[1] - along * along;
	if (!(square > 0.0))
		return status_fail_file(SONDE_INVALID, path, "the angles of its cell are impossible");
	const double directions[3][3] = {{1.0, 0.0, 0.0}, {cosine[2], sine, 0.0}, {cosine[1], along, sqrt(square)}};
	for (int k = 0; k < 3; ++k)
		for (int c = 0; c < 3; ++c)
			grid->steps[k][c] = edge[k] * directions[k][c];
	return SONDE_OK;
}

/* Sizes, steps and origin; axis[f]: the directions of the file's columns, rows and sections. */
static sonde_status understand(const char *path, const struct header *header, struct grid *grid, int axis[3])
{
	bool seen[3] = {false, false, false}, shifted = false;

	for (int f = 0; f < 3; ++f) {
		/* written by old programs */
		const int number = header->axes[f] == 0 ? f + 1 : header->axes[f];
		if (number < 1 || number > 3 || seen[number - 1])
			return status_fail_file(SONDE_INVALID, path,
						"is not an MRC or CCP4 file: its axes are %d, %d, %d",
						header->axes[0], header->axes[1], header->axes[2]);
		axis[f] = number - 1;
		seen[axis[f]] = true;
		grid->size[axis[f]] = header->size[f];
		shifted = shifted || header->origin[f] != 0.0F;
	}
	CHECK(volume_check_size(path, grid->size));
	CHECK(find_steps(path, header, grid));
	for (int c = 0; c < 3; ++c) {
		grid->origin[c] = (double)header->origin[c];
		for (int f = 0; f < 3 && !shifted; ++f)
			grid->origin[c] += header->start[f] * grid->steps[axis[f]][c];
		if (!isfinite(grid->origin[c]))
			return status_fail_file(SONDE_INVALID, path, "its origin is not a finite number");
	}
	return SONDE_OK;
}

static sonde_status read_header(struct byte_reader *reader, const char *path, struct header *header, bool *swap)
{
	char unused[256];

	CHECK(byte_reader_take(reader, header, sizeof *header));
	/* in the other byte order the mode is a large number */
	*swap = (uint32_t)header->mode > 0xFFFF;
	if (*swap) {
		swap_words(header, offsetof(struct header, extra) / 4);
		swap_words(header->origin, 3);
	}
	if (bytes_of_mode(header->mode) == 0)
		return status_fail_file(
		    SONDE_INVALID, path,
		    "is not an MRC or CCP4 file, or its mode %d is not supported (0, 1, 2, 6, 12 are)", header->mode);
	if (header->extension < 0)
		return status_fail_file(SONDE_INVALID, path,
					"is not an MRC or CCP4 file: its extended header has %d bytes",
					header->extension);
	for (int32_t left = header->extension; left > 0; left -= (int32_t)sizeof unused)
		CHECK(byte_reader_take(reader, unused, left < (int32_t)sizeof unused ? (size_t)left : sizeof unused));
	return SONDE_OK;
}

static sonde_status read_values(struct byte_reader *reader, const char *path, const struct header *header, bool swap,
				struct volume_numbers *numbers)
{
	size_t each = bytes_of_mode(header->mode);
	int64_t wanted = (int64_t)header->size[0] * header->size[1] * header->size[2];
	unsigned char block[4 * BLOCK];

	while (numbers->count < wanted) {
		size_t now = wanted - numbers->count < BLOCK ? (size_t)(wanted - numbers->count) : BLOCK;
		CHECK(byte_reader_take(reader, block, now * each));
		for (size_t k = 0; k < now; ++k) {
			double value = number_of(header->mode, block + k * each, swap);
			if (!isfinite(value))
				return status_fail_file(SONDE_INVALID, path, "value %lld is not a finite number",
							(long long)numbers->count + 1);
			CHECK(volume_numbers_add(numbers, value));
		}
	}
	return SONDE_OK;
}

/* From columns, rows and sections to x, y, z. */
static sonde_status arrange(const int32_t file_size[3], const int axis[3], const double *values,
			    struct volume *volume)
{
	const int64_t *size = volume->grid.size, strides[3] = {1, size[0], size[0] * size[1]};

	CHECK(memory_allocate(&volume->values, (size_t)(size[0] * size[1] * size[2]), sizeof(double), "the volume"));
	for (int64_t s = 0; s < file_size[2]; ++s)
		for (int64_t r = 0; r < file_size[1]; ++r)
			for (int64_t c = 0; c < file_size[0]; ++c)
				volume->values[c * strides[axis[0]] + r * strides[axis[1]] + s * strides[axis[2]]] =
				    *values++;
	return SONDE_OK;
}

static void copy_title(const struct header *header, char *title)
{
	int length = 80;

	while (length > 0 && (header->labels[0][length - 1] == ' ' || header->labels[0][length - 1] == '\0'))
		--length;
	for (int k = 0; k < length; ++k)
		title[k] = header->labels[0][k] >= ' ' && header->labels[0][k] <= '~' ? header->labels[0][k] : '?';
	title[length] = '\0';
}

sonde_status mrc_read(const char *path, struct volume *volume)
{
	struct volume_numbers numbers = {0};
	struct byte_reader *reader;
	struct header header;
	int axis[3];
	bool swap;
	sonde_status status;

	CHECK(byte_reader_open(&reader, path));
	CHECK_GOTO(status, read_header(reader, path, &header, &swap), done);
	CHECK_GOTO(status, understand(path, &header, &volume->grid, axis), done);
	CHECK_GOTO(status, read_values(reader, path, &header, swap, &numbers), done);
	if (numbers.values != NULL) /* sizes are at least 1 */
		CHECK_GOTO(status, arrange(header.size, axis, numbers.values, volume), done);
	copy_title(&header, volume->title);
done:
	byte_reader_close(&reader);
	free(numbers.values);
	return status;
}
