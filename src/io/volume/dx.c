#include "io/volume/dx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/text/words.h"

#define MOST_WORDS 64
#define LONGEST_COMMENT 80

/* Readers are strict: some count the digits of a delta, and PyMOL does not show arrays of type float. */
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

/* Three per line. */
struct dx_numbers {
	const double *values;
	int64_t written; /* numbers before these */
};

static void append_values(const void *user, int64_t first, int64_t end, struct text *text)
{
	const struct dx_numbers *numbers = user;

	for (int64_t n = first; n < end; ++n) {
		text_append_scientific(text, volume_shown(numbers->values[n]), false);
		text_append_byte(text, (numbers->written + n) % 3 == 2 ? '\n' : ' ');
	}
}

/* One line of comments, broken at blanks: VMD takes text beyond 84 bytes for another line. */
static void append_line(const char *line, size_t length, struct text *text)
{
	bool first = true;

	do {
		size_t room = first ? LONGEST_COMMENT : LONGEST_COMMENT - 2, now = length;
		if (length > room) {
			for (now = room; now > 0 && line[now] != ' ';)
				--now;
			now = now > 0 ? now : room;
		}
		text_append(text, "%s%.*s\n", first ? "" : "# ", (int)now, line);
		first = false;
		line += now;
		length -= now;
		for (; length > 0 && *line == ' '; --length)
			++line;
	} while (length > 0);
}

/* The comments, padded with empty ones to at least `size` bytes. */
static void append_comments(const char *comments, size_t size, struct text *text)
{
	size_t before = text->size;

	while (*comments != '\0') {
		size_t length = strcspn(comments, "\n");
		append_line(comments, length, text);
		comments += length + (comments[length] == '\n');
	}
	/* a text without memory does not grow any more */
	while (!text->failed && text->size - before + 1 < size) {
		size_t left = size - (text->size - before), now = left < LONGEST_COMMENT ? left : LONGEST_COMMENT;
		now = left - now == 1 ? now - 1 : now;
		text_append(text, "#%*s\n", (int)now - 2, "");
	}
}

/* Comments that are longer than at the beginning, in the space reserved for them. */
static sonde_status write_comments(struct volume_output *output)
{
	struct text *block = &output->text.block;

	if (output->header->comments_to_come == 0 || output->text.compressed)
		return SONDE_OK;
	append_comments(output->header->comments, output->comments, block);
	CHECK(text_status(block));
	if (block->size != output->comments) {
		block->size = 0; /* longer than expected: the comments written at the beginning are also valid */
		return SONDE_OK;
	}
	/* not rewind(), which clears the error of an earlier write */
	if (fseeko(output->text.output.stream, 0, SEEK_SET) != 0)
		return file_output_fail(&output->text.output);
	CHECK(text_output_flush(&output->text));
	return fseeko(output->text.output.stream, 0, SEEK_END) == 0 ? SONDE_OK
								    : file_output_fail(&output->text.output);
}

sonde_status dx_begin(struct volume_output *output)
{
	const struct volume *volume = output->header;
	struct text *text = &output->text.block;

	if (volume->comments != NULL)
		append_comments(
		    volume->comments,
		    volume->comments_to_come > 0 ? strlen(volume->comments) + volume->comments_to_come : 0, text);
	else
		text_append(text, "# %s\n", volume->title);
	output->comments = text->size;
	append_header(&volume->grid, text);
	return text_output_flush(&output->text);
}

sonde_status dx_add(struct volume_output *output, const double *values, const double *vectors, int64_t count)
{
	const struct dx_numbers numbers = {values, output->written};
	(void)vectors;

	return text_output_numbers(&output->text, output->threads, count, append_values, &numbers);
}

sonde_status dx_end(struct volume_output *output)
{
	text_append(&output->text.block,
		    "%sattribute \"dep\" string \"positions\"\n"
		    "object \"regular positions regular connections\" class field\n"
		    "component \"positions\" value 1\n"
		    "component \"connections\" value 2\n"
		    "component \"data\" value 3\n",
		    output->written % 3 != 0 ? "\n" : "");
	CHECK(text_output_flush(&output->text));
	return write_comments(output);
}

/* The state of reading a file. */
struct dx_reading {
	struct line_reader *reader;
	struct volume *volume;
	bool has_size, has_origin, has_data;
	int steps; /* read so far */
	int64_t items;
	struct text comments;
	struct volume_numbers numbers;
};

static sonde_status read_vector(struct dx_reading *reading, const struct word *words, int count, const char *what,
				double vector[3])
{
	if (count != 4)
		return line_fail(reading->reader, "%s needs three numbers", what);
	for (int k = 0; k < 3; ++k)
		CHECK(word_real(reading->reader, &words[1 + k], what, &vector[k]));
	return SONDE_OK;
}

/* "object 1 class gridpositions counts 5 6 7" */
static sonde_status read_positions(struct dx_reading *reading, const struct word *words, int count)
{
	if (count != 8 || !word_is(&words[4], "counts"))
		return line_fail(reading->reader, "the grid's positions need 'counts' and three numbers");
	for (int k = 0; k < 3; ++k)
		CHECK(word_integer(reading->reader, &words[5 + k], "counts", &reading->volume->grid.size[k]));
	reading->has_size = true;
	return volume_check_size(line_reader_path(reading->reader), reading->volume->grid.size);
}

/* "object 3 class array type double rank 0 items 210 data follows" */
static sonde_status read_array(struct dx_reading *reading, const struct word *words, int count)
{
	bool follows = false;

	reading->items = -1;
	for (int k = 4; k + 1 < count; ++k) {
		int64_t rank = 0;
		if (word_is(&words[k], "items"))
			CHECK(word_integer(reading->reader, &words[k + 1], "items", &reading->items));
		if (word_is(&words[k], "rank"))
			CHECK(word_integer(reading->reader, &words[k + 1], "rank", &rank));
		if (rank != 0)
			return line_fail(reading->reader,
					 "holds vectors; only files with one number per point are read");
		if (word_is(&words[k], "type") && !word_is(&words[k + 1], "double") &&
		    !word_is(&words[k + 1], "float"))
			return line_fail(reading->reader, "only arrays of type double and float are read");
		follows = follows || (word_is(&words[k], "data") && word_is(&words[k + 1], "follows"));
	}
	if (!follows)
		return line_fail(reading->reader, "the data must follow as text ('data follows')");
	const int64_t *size = reading->volume->grid.size;
	if (!reading->has_size || reading->items != size[0] * size[1] * size[2])
		return line_fail(reading->reader, "%lld items do not fill the grid of %lld x %lld x %lld points",
				 (long long)reading->items, (long long)size[0], (long long)size[1],
				 (long long)size[2]);
	reading->has_data = true;
	return SONDE_OK;
}

static sonde_status read_numbers(struct dx_reading *reading, const struct word *words, int count)
{
	for (int k = 0; k < count; ++k) {
		double value;
		CHECK(word_real(reading->reader, &words[k], "value", &value));
		if (reading->numbers.count == reading->items)
			return line_fail(reading->reader, "has more than the %lld numbers of the grid",
					 (long long)reading->items);
		CHECK(volume_numbers_add(&reading->numbers, value));
	}
	return SONDE_OK;
}

static sonde_status read_header(struct dx_reading *reading, const struct word *words, int count)
{
	struct grid *grid = &reading->volume->grid;

	if (word_is(&words[0], "origin")) {
		reading->has_origin = true;
		return read_vector(reading, words, count, "origin", grid->origin);
	}
	if (word_is(&words[0], "delta")) {
		if (reading->steps == 3)
			return line_fail(reading->reader, "a fourth delta");
		return read_vector(reading, words, count, "delta", grid->steps[reading->steps++]);
	}
	if (word_is(&words[0], "object") && count > 4 && word_is(&words[2], "class")) {
		if (word_is(&words[3], "gridpositions"))
			return read_positions(reading, words, count);
		if (word_is(&words[3], "array"))
			return read_array(reading, words, count);
	}
	return SONDE_OK;
}

static sonde_status read_lines(struct dx_reading *reading)
{
	struct word words[MOST_WORDS];
	char *line;

	for (;;) {
		CHECK(line_reader_next(reading->reader, &line));
		if (line == NULL)
			break;
		if (line[0] == '#') {
			if (!reading->has_data)
				text_append(&reading->comments, "%s\n", line);
			continue;
		}
		int count = words_split(line, words, MOST_WORDS);
		if (count == 0)
			continue;
		if (!reading->has_data)
			CHECK(read_header(reading, words, count));
		else if (reading->numbers.count < reading->items)
			CHECK(read_numbers(reading, words, count));
		else
			break;
	}
	return SONDE_OK;
}

static sonde_status finish(struct dx_reading *reading)
{
	const char *path = line_reader_path(reading->reader);

	if (!reading->has_data)
		return status_fail_file(SONDE_INVALID, path, "is not an OpenDX volume: it has no data array");
	if (!reading->has_origin || reading->steps != 3)
		return status_fail_file(SONDE_INVALID, path, "needs an origin and three deltas");
	if (reading->numbers.count != reading->items)
		return status_fail_file(SONDE_INVALID, path, "ends after %lld of %lld numbers",
					(long long)reading->numbers.count, (long long)reading->items);
	CHECK(text_status(&reading->comments));
	if (reading->comments.bytes != NULL) {
		const char *first = reading->comments.bytes + 1;
		first += strspn(first, " ");
		snprintf(reading->volume->title, VOLUME_TITLE, "%.*s", (int)strcspn(first, "\n"), first);
	}
	reading->volume->comments = reading->comments.bytes;
	reading->comments = (struct text){0};
	return volume_take_reversed(reading->volume, &reading->numbers);
}

sonde_status dx_read(const char *path, struct volume *volume)
{
	struct dx_reading reading = {.volume = volume};

	CHECK(line_reader_open(&reading.reader, path));
	sonde_status status = read_lines(&reading);
	if (status == SONDE_OK)
		status = finish(&reading);
	line_reader_close(&reading.reader);
	text_free(&reading.comments);
	free(reading.numbers.values);
	return status;
}
