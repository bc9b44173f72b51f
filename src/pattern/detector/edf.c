#include "pattern/detector/edf.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/text.h"
#include "io/containers/bytes.h"

#define BLOCK 512
#define MOST_BLOCKS 128

static const struct {
	const char *name;
	size_t bytes;
} types[] = {{"SignedByte", 1},    {"UnsignedByte", 1},    {"SignedShort", 2}, {"UnsignedShort", 2},
	     {"SignedInteger", 4}, {"UnsignedInteger", 4}, {"SignedLong", 4},  {"UnsignedLong", 4},
	     {"Signed64", 8},      {"Unsigned64", 8}};

/* Blocks up to the one with the brace that ends the header, as text. */
static sonde_status read_header(struct byte_reader *reader, const char *path, char *header)
{
	for (int block = 0; block < MOST_BLOCKS; ++block) {
		char *at = header + block * BLOCK;
		CHECK(byte_reader_take(reader, at, BLOCK));
		at[BLOCK] = '\0';
		if (strlen(at) < BLOCK || (block == 0 && header[strspn(header, "\r\n ")] != '{'))
			break;
		char *end = strchr(at, '}');
		if (end != NULL) {
			*end = '\0';
			return SONDE_OK;
		}
	}
	return status_fail_file(SONDE_INVALID, path, "is not an EDF picture");
}

/* The value of a key, without blanks, into `value`; false if it is not there. */
static bool find_value(const char *header, const char *key, char *value, size_t size)
{
	const size_t length = strlen(key);

	for (const char *row = header + strcspn(header, "{"); *row != '\0'; row += strcspn(row, ";")) {
		row += strspn(row, "{; \t\r\n");
		if (strncasecmp(row, key, length) != 0)
			continue;
		const char *at = row + length + strspn(row + length, " \t");
		if (*at != '=')
			continue;
		at += 1 + strspn(at + 1, " \t");
		const size_t found = strcspn(at, "; \t\r\n");
		if (found >= size)
			return false;
		memcpy(value, at, found);
		value[found] = '\0';
		return true;
	}
	return false;
}

static sonde_status check_size(const char *header, const char *path, const char *key, int64_t wanted)
{
	char value[32];
	int64_t size;

	if (!find_value(header, key, value, sizeof value) || !text_parse_integer(value, value + strlen(value), &size))
		return status_fail_file(SONDE_INVALID, path, "has no number %s", key);
	return size == wanted ? SONDE_OK
			      : status_fail_file(SONDE_INVALID, path, "%s is %lld, but the detector has %lld", key,
						 (long long)size, (long long)wanted);
}

static sonde_status find_type(const char *header, const char *path, size_t *bytes)
{
	char value[32];

	if (find_value(header, "Compression", value, sizeof value) && strcasecmp(value, "None") != 0)
		return status_fail_file(SONDE_INVALID, path,
					"Compression: pictures that are not compressed are read");
	if (!find_value(header, "DataType", value, sizeof value))
		return status_fail_file(SONDE_INVALID, path, "has no DataType");
	for (size_t k = 0; k < sizeof types / sizeof *types; ++k)
		if (strcasecmp(value, types[k].name) == 0) {
			*bytes = types[k].bytes;
			return SONDE_OK;
		}
	return status_fail_file(SONDE_INVALID, path,
				"DataType: '%s' is not a kind of whole numbers, as masks have them", value);
}

/* A number is 0 in either byte order if all of its bytes are. */
static sonde_status read_rows(struct byte_reader *reader, size_t bytes, int64_t rows, int64_t columns,
			      unsigned char *masked)
{
	unsigned char *row;
	sonde_status status = SONDE_OK;

	CHECK(memory_allocate(&row, (size_t)columns, bytes, "the mask"));
	for (int64_t k = 0; k < rows && status == SONDE_OK; ++k) {
		status = byte_reader_take(reader, row, (size_t)columns * bytes);
		for (int64_t n = 0; status == SONDE_OK && n < columns; ++n)
			for (size_t b = 0; b < bytes; ++b)
				masked[k * columns + n] |= row[(size_t)n * bytes + b] != 0;
	}
	free(row);
	return status;
}

static sonde_status read_all(struct byte_reader *reader, const char *path, char *header, int64_t rows,
			     int64_t columns, unsigned char *masked)
{
	size_t bytes;

	CHECK(read_header(reader, path, header));
	CHECK(check_size(header, path, "Dim_1", columns));
	CHECK(check_size(header, path, "Dim_2", rows));
	CHECK(find_type(header, path, &bytes));
	return read_rows(reader, bytes, rows, columns, masked);
}

sonde_status edf_read_mask(const char *path, int64_t rows, int64_t columns, unsigned char *masked)
{
	struct byte_reader *reader;
	char *header;

	CHECK(memory_allocate(&header, BLOCK * MOST_BLOCKS + 1, 1, "the mask"));
	sonde_status status = byte_reader_open(&reader, path);
	if (status == SONDE_OK) {
		status = read_all(reader, path, header, rows, columns, masked);
		byte_reader_close(&reader);
	}
	free(header);
	return status;
}
