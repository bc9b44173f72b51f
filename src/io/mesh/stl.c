#include "io/mesh/stl.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "io/containers/bytes.h"
#include "io/text/words.h"

#define HEADER 84 /* bytes: a title of 80 and the count */
#define RECORD 50 /* bytes of a triangle: normal, three corners, two more bytes */
#define AT_ONCE 1024
#define MOST_TRIANGLES 300000000
#define MOST_WORDS 8

/* The start of a file. */
struct beginning {
	unsigned char bytes[1024];
	size_t length;
	int64_t size; /* bytes of the file; -1 if it is compressed */
};

static sonde_status add_triangle(const char *path, const double corners[9], size_t *capacity, struct stl *stl)
{
	if (stl->count == MOST_TRIANGLES)
		return status_fail_file(SONDE_INVALID, path, "more than %d triangles", MOST_TRIANGLES);
	CHECK(memory_grow(&stl->corners, capacity, (size_t)stl->count + 1, 9 * sizeof *corners, "triangles"));
	memcpy(&stl->corners[9 * stl->count++], corners, 9 * sizeof *corners);
	return SONDE_OK;
}

static uint32_t little_endian(const unsigned char bytes[4])
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static sonde_status read_beginning(const char *path, struct beginning *beginning)
{
	struct byte_reader *reader;
	struct stat properties;
	unsigned char magic[2] = {0, 0};
	sonde_status status = SONDE_OK;

	CHECK(byte_reader_open(&reader, path));
	beginning->length = 0;
	while (beginning->length < sizeof beginning->bytes && !byte_reader_ended(reader))
		CHECK_GOTO(status, byte_reader_take(reader, &beginning->bytes[beginning->length++], 1), end);
	FILE *file = fopen(path, "rbe");
	bool plain = file != NULL && (fread(magic, 1, 2, file) < 2 || magic[0] != 0x1f || magic[1] != 0x8b);
	beginning->size = plain && fstat(fileno(file), &properties) == 0 ? (int64_t)properties.st_size : -1;
	if (file != NULL)
		fclose(file);
end:
	byte_reader_close(&reader);
	return status;
}

static int64_t binary_size(const struct beginning *beginning)
{
	return HEADER + RECORD * (int64_t)little_endian(&beginning->bytes[HEADER - 4]);
}

/* Titles of binary files may begin with "solid", too. */
static sonde_status is_text(const char *path, const struct beginning *beginning, bool *text)
{
	size_t blanks = 0, length = beginning->length;

	*text = false;
	if (length == 0)
		return status_fail_file(SONDE_INVALID, path, "is empty");
	if (length >= HEADER && beginning->size == binary_size(beginning))
		return SONDE_OK;
	while (blanks < length && strchr(" \t\r\n", beginning->bytes[blanks]) != NULL &&
	       beginning->bytes[blanks] != 0)
		++blanks;
	*text = length - blanks >= 5 && strncasecmp((const char *)&beginning->bytes[blanks], "solid", 5) == 0 &&
		memchr(beginning->bytes, 0, length) == NULL;
	if (!*text && length < HEADER)
		return status_fail_file(
		    SONDE_INVALID, path,
		    "is not an STL file: does not begin with 'solid', and is too short for a binary one");
	return SONDE_OK;
}

static sonde_status read_binary(const char *path, const struct beginning *beginning, struct byte_reader *reader,
				struct stl *stl)
{
	unsigned char records[AT_ONCE * RECORD];
	double corners[9];
	size_t capacity = 0;
	int64_t count = little_endian(&beginning->bytes[HEADER - 4]);

	if (beginning->size >= 0 && beginning->size != binary_size(beginning))
		return status_fail_file(
		    SONDE_INVALID, path,
		    "its header gives %lld triangles, which take %lld bytes, but the file has %lld: "
		    "cut off, or not an STL file",
		    (long long)count, (long long)binary_size(beginning), (long long)beginning->size);
	if (count > MOST_TRIANGLES)
		return status_fail_file(SONDE_INVALID, path, "its header gives %lld triangles; the limit is %d",
					(long long)count, MOST_TRIANGLES);
	if (beginning->size >= 0) /* compressed files: as they arrive */
		CHECK(memory_grow(&stl->corners, &capacity, (size_t)count, 9 * sizeof *corners, "triangles"));
	CHECK(byte_reader_take(reader, records, HEADER));
	while (stl->count < count) {
		int64_t now = count - stl->count < AT_ONCE ? count - stl->count : AT_ONCE;
		CHECK(byte_reader_take(reader, records, (size_t)now * RECORD));
		for (int64_t k = 0; k < now; ++k) {
			for (int c = 0; c < 9; ++c) {
				uint32_t bits = little_endian(&records[k * RECORD + 12 + 4 * c]);
				float number;
				memcpy(&number, &bits, sizeof number);
				corners[c] = number;
				if (!isfinite(number))
					return status_fail_file(
					    SONDE_INVALID, path,
					    "triangle %lld has a corner whose %c is not a finite number",
					    (long long)stl->count + 1, "xyz"[c % 3]);
			}
			CHECK(add_triangle(path, corners, &capacity, stl));
		}
	}
	if (!byte_reader_ended(reader))
		return status_fail_file(SONDE_INVALID, path,
					"continues after the %lld triangles that its header gives", (long long)count);
	return SONDE_OK;
}

/* State of a text file: each keyword is allowed in one state and leads to the next. */
enum place { OUTSIDE, IN_SOLID, IN_FACET, IN_LOOP, BEHIND_LOOP };

static const struct {
	const char *word;
	enum place place, next;
} keywords[] = {{"solid", OUTSIDE, IN_SOLID},      {"facet", IN_SOLID, IN_FACET},
		{"outer", IN_FACET, IN_LOOP},      {"vertex", IN_LOOP, IN_LOOP},
		{"endloop", IN_LOOP, BEHIND_LOOP}, {"endfacet", BEHIND_LOOP, IN_SOLID},
		{"endsolid", IN_SOLID, OUTSIDE}};
#define KEYWORDS (sizeof keywords / sizeof *keywords)

static bool word_is_keyword(const struct word *word, const char *keyword)
{
	size_t length = (size_t)(word->end - word->start);

	return length == strlen(keyword) && strncasecmp(word->start, keyword, length) == 0;
}

struct text_reading {
	struct line_reader *reader;
	struct stl *stl;
	size_t capacity;
	enum place place;
	double corners[9];
	int read; /* corners */
};

static sonde_status read_vertex(struct text_reading *reading, const struct word *words, int count)
{
	static const char *const names[3] = {"x", "y", "z"};

	if (count != 4)
		return line_fail(reading->reader, "vertex needs three numbers");
	if (reading->read == 3)
		return line_fail(reading->reader, "a facet with more than three vertices");
	for (int k = 0; k < 3; ++k)
		CHECK(word_real(reading->reader, &words[1 + k], names[k], &reading->corners[3 * reading->read + k]));
	++reading->read;
	return SONDE_OK;
}

static sonde_status read_keyword(struct text_reading *reading, const struct word *words, int count)
{
	size_t k = 0;

	while (k < KEYWORDS && (keywords[k].place != reading->place || !word_is_keyword(&words[0], keywords[k].word)))
		++k;
	if (k == KEYWORDS)
		return line_fail(reading->reader, "'%.*s' is not expected here",
				 (int)(words[0].end - words[0].start > 40 ? 40 : words[0].end - words[0].start),
				 words[0].start);
	if (strcmp(keywords[k].word, "vertex") == 0)
		return read_vertex(reading, words, count);
	if (strcmp(keywords[k].word, "endloop") == 0) {
		if (reading->read != 3)
			return line_fail(reading->reader, "a facet with %d vertices instead of three", reading->read);
		CHECK(add_triangle(line_reader_path(reading->reader), reading->corners, &reading->capacity,
				   reading->stl));
		reading->read = 0;
	}
	reading->place = keywords[k].next;
	return SONDE_OK;
}

static sonde_status read_text(struct line_reader *reader, struct stl *stl)
{
	struct text_reading reading = {.reader = reader, .stl = stl};
	struct word words[MOST_WORDS];
	char *line;

	for (;;) {
		CHECK(line_reader_next(reader, &line));
		if (line == NULL)
			break;
		int count = words_split(line, words, MOST_WORDS);
		if (count > 0)
			CHECK(read_keyword(&reading, words, count));
	}
	if (reading.place != OUTSIDE)
		return status_fail_file(SONDE_INVALID, line_reader_path(reader),
					"ends within a solid, after %lld triangles: is it cut off?",
					(long long)stl->count);
	return SONDE_OK;
}

sonde_status stl_read(const char *path, struct stl *stl)
{
	struct beginning beginning;
	bool text;
	sonde_status status;

	*stl = (struct stl){.corners = NULL};
	CHECK(read_beginning(path, &beginning));
	CHECK(is_text(path, &beginning, &text));
	if (text) {
		struct line_reader *reader;
		CHECK(line_reader_open(&reader, path));
		status = read_text(reader, stl);
		line_reader_close(&reader);
	} else {
		struct byte_reader *reader;
		CHECK(byte_reader_open(&reader, path));
		status = read_binary(path, &beginning, reader, stl);
		byte_reader_close(&reader);
	}
	if (status == SONDE_OK && stl->count == 0)
		status = status_fail_file(SONDE_INVALID, path, "has no triangles");
	if (status != SONDE_OK)
		stl_free(stl);
	return status;
}

void stl_free(struct stl *stl)
{
	free(stl->corners);
	*stl = (struct stl){.corners = NULL};
}
