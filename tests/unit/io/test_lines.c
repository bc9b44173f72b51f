/* Lines of text files, plain and gzip. */
#include "unit/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/text/lines.h"

/* Reads a whole file; its lines joined by '|', to be freed. */
static sonde_status read_all(const char *path, char **joined, int64_t *count)
{
	struct line_reader *reader;
	sonde_status status;
	char *line, *text = calloc(1, 1), *longer;

	*joined = NULL;
	status = line_reader_open(&reader, path);
	if (status != SONDE_OK) {
		assert_null(reader);
		free(text);
		return status;
	}
	assert_string_equal(line_reader_path(reader), path);
	while ((status = line_reader_next(reader, &line)) == SONDE_OK && line != NULL) {
		longer = realloc(text, strlen(text) + strlen(line) + 2);
		assert_non_null(longer);
		text = longer;
		strcat(strcat(text, line), "|");
	}
	if (status == SONDE_OK) { /* the end stays the end */
		assert_status(SONDE_OK, line_reader_next(reader, &line));
		assert_null(line);
	}
	*count = line_reader_number(reader);
	line_reader_close(&reader);
	assert_null(reader);
	*joined = text;
	return status;
}

static void assert_lines(const char *path, const char *expected, int64_t count)
{
	char *joined;
	int64_t lines;

	assert_status(SONDE_OK, read_all(path, &joined, &lines));
	assert_string_equal(joined, expected);
	assert_true(lines == count);
	free(joined);
}

static void assert_unreadable(const char *path, const char *words)
{
	char *joined;
	int64_t lines;

	assert_invalid(words, read_all(path, &joined, &lines));
	free(joined);
}

static void test_ends_of_lines(void **unused)
{
	(void)unused;
	assert_lines(test_write_text("unix", "a\nbb\n\nccc\n"), "a|bb||ccc|", 4);
	assert_lines(test_write_text("dos", "a\r\nbb\r\n\r\nccc\r\n"), "a|bb||ccc|", 4);
	assert_lines(test_write_text("no-end", "a\nbb"), "a|bb|", 2);
	assert_lines(test_write_text("dos-no-end", "a\r\nbb\r"), "a|bb|", 2);
	assert_lines(test_write_text("inner", "a\rb\n\r\r\n"), "a\rb|\r|", 2);
	assert_lines(test_write_text("newline", "\n"), "|", 1);
	assert_lines(test_write_text("blank", " \t \n"), " \t |", 1);
}

static void test_empty_files_have_no_lines(void **unused)
{
	(void)unused;
	assert_lines(test_write("empty", "", 0), "", 0);
	assert_lines(test_write_gzip("empty.gz", "", 0), "", 0);
}

static void test_gzip_is_read_under_any_name(void **unused)
{
	(void)unused;
	assert_lines(test_write_gzip("text.gz", "a\r\nbb\nc", 7), "a|bb|c|", 3);
	assert_lines(test_write_gzip("misnamed.txt", "a\nb\n", 4), "a|b|", 2);
}

/* Two gzip files, one after the other, are one text. */
static void test_gzip_members_are_one_text(void **unused)
{
	size_t first_size, second_size;
	char *first = test_read(test_write_gzip("first.gz", "a\nb", 3), &first_size);
	char *second = test_read(test_write_gzip("second.gz", "c\nd\n", 4), &second_size);
	char both[200];

	(void)unused;
	memcpy(both, first, first_size);
	memcpy(both + first_size, second, second_size);
	assert_lines(test_write("both.gz", both, first_size + second_size), "a|bc|d|", 3);
	free(first);
	free(second);
}

/* Lines whose ends fall on every place round the edges of the reader's buffer. */
static void test_lines_at_buffer_edges_are_whole(void **unused)
{
	enum { LINES = 200000 };
	char *bytes = malloc(LINES * 16), *c = bytes, *line, expected[32];
	struct line_reader *reader;

	(void)unused;
	assert_non_null(bytes);
	for (int k = 0; k < LINES; ++k)
		c += sprintf(c, "%d%.*s%s", k, k % 7, "xxxxxxx", k % 3 == 0 ? "\r\n" : "\n");
	const char *paths[] = {test_write("many", bytes, (size_t)(c - bytes)),
			       test_write_gzip("many.gz", bytes, (size_t)(c - bytes))};
	for (size_t p = 0; p < COUNT(paths); ++p) {
		assert_status(SONDE_OK, line_reader_open(&reader, paths[p]));
		for (int k = 0; k < LINES; ++k) {
			assert_status(SONDE_OK, line_reader_next(reader, &line));
			assert_non_null(line);
			sprintf(expected, "%d%.*s", k, k % 7, "xxxxxxx");
			assert_string_equal(line, expected);
			assert_true(line_reader_number(reader) == k + 1);
		}
		assert_status(SONDE_OK, line_reader_next(reader, &line));
		assert_null(line);
		line_reader_close(&reader);
	}
	free(bytes);
}

static void test_too_long_lines_are_refused(void **unused)
{
	static const char *const ends[] = {"\n", "\nnext\n", ""};
	char *bytes = malloc(3 * LINE_SIZE), name[32], *joined;
	int64_t lines;

	(void)unused;
	assert_non_null(bytes);
	for (int over = 0; over < 2; ++over) {
		for (size_t k = 0; k < COUNT(ends); ++k) {
			size_t length = LINE_SIZE - 1 + (size_t)over;
			memset(bytes, 'x', length);
			strcpy(bytes + length, ends[k]);
			sprintf(name, "long-%d-%zu", over, k);
			const char *path = test_write(name, bytes, length + strlen(ends[k]));
			if (over) {
				assert_unreadable(path, ":1: the line is longer than 65535 bytes");
				continue;
			}
			assert_status(SONDE_OK, read_all(path, &joined, &lines));
			assert_int_equal(strcspn(joined, "|"), length);
			free(joined);
		}
	}
	memset(bytes, 'x', 3 * LINE_SIZE);
	assert_unreadable(test_write("longer", bytes, 3 * LINE_SIZE), ":1: the line is longer");
	memcpy(bytes, "a\nb\n", 4);
	assert_unreadable(test_write("third", bytes, 3 * LINE_SIZE), ":3: the line is longer");
	free(bytes);
}

static void test_zero_bytes_are_refused(void **unused)
{
	(void)unused;
	assert_unreadable(test_write("zero", "a\nb\0c\n", 6), ":2: contains zero bytes");
	assert_unreadable(test_write("first-zero", "\0", 1), ":1: contains zero bytes");
	assert_unreadable(test_write("last-zero", "a\nb\0", 4), ":2: contains zero bytes");
	assert_unreadable(test_write_gzip("zero.gz", "a\0\n", 3), ":1: contains zero bytes");
}

static char *random_text(size_t size)
{
	uint64_t state = 5;
	char *bytes = malloc(size);

	assert_non_null(bytes);
	for (size_t k = 0; k < size; ++k)
		bytes[k] = k % 61 == 60 ? '\n' : (char)('0' + test_random(&state) % 64);
	return bytes;
}

/* A cut at any place is reported as damage, not taken for the end of the text. */
static void test_truncated_gzip_is_refused(void **unused)
{
	enum { SIZE = 60000 };
	char *text = random_text(SIZE);
	size_t size;
	char *packed = test_read(test_write_gzip("whole.gz", text, SIZE), &size);

	(void)unused;
	for (size_t left = size - 1; left > 2; left = left > size - 12 ? left - 1
						      : left > 40      ? left - left / 5
								       : left - 1)
		assert_unreadable(test_write("cut.gz", packed, left), left < 18 ? "" : "the gzip data end too early");
	free(packed);
	free(text);
}

static void test_corrupt_gzip_is_refused(void **unused)
{
	enum { SIZE = 400000 };
	char *text = random_text(SIZE);
	size_t size;
	char *packed = test_read(test_write_gzip("good.gz", text, SIZE), &size);

	(void)unused;
	for (size_t at = 100; at < size - 8; at += size / 7) {
		packed[at] ^= 0x55;
		assert_unreadable(test_write("bad.gz", packed, size), "damaged");
		packed[at] ^= 0x55;
	}
	packed[size - 6] ^= 1; /* of the checksum */
	assert_unreadable(test_write("checksum.gz", packed, size), "damaged");
	packed[size - 6] ^= 1;
	packed[size - 2] ^= 1; /* of the length */
	assert_unreadable(test_write("length.gz", packed, size), "damaged");
	free(packed);
	free(text);
}

/* A byte order mark is skipped at the head of a file, plain and gzip, and nowhere else. */
static void test_byte_order_mark(void **unused)
{
	static const char text[] = "\xef\xbb\xbf"
				   "one\n\xef\xbb\xbftwo\n";
	const char *paths[] = {test_write_text("marked", text), test_write_gzip("marked.gz", text, strlen(text))};

	(void)unused;
	for (size_t k = 0; k < COUNT(paths); ++k) {
		struct line_reader *reader;
		char *line;
		assert_status(SONDE_OK, line_reader_open(&reader, paths[k]));
		assert_status(SONDE_OK, line_reader_next(reader, &line));
		assert_string_equal(line, "one");
		assert_status(SONDE_OK, line_reader_next(reader, &line));
		assert_string_equal(line, "\xef\xbb\xbftwo");
		line_reader_close(&reader);
	}
}

static void test_files_that_cannot_be_read(void **unused)
{
	(void)unused;
	assert_unreadable(test_path("absent"), "absent: cannot be read: No such file");
	assert_unreadable(test_folder(), "is a folder");
	struct line_reader *none = NULL;
	line_reader_close(&none);
	if (geteuid() != 0) { /* root may read anything */
		const char *path = test_write_text("locked", "x");
		assert_int_equal(chmod(path, 0), 0);
		assert_unreadable(path, "cannot be read");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_byte_order_mark),
	    cmocka_unit_test(test_ends_of_lines),
	    cmocka_unit_test(test_empty_files_have_no_lines),
	    cmocka_unit_test(test_gzip_is_read_under_any_name),
	    cmocka_unit_test(test_gzip_members_are_one_text),
	    cmocka_unit_test(test_lines_at_buffer_edges_are_whole),
	    cmocka_unit_test(test_too_long_lines_are_refused),
	    cmocka_unit_test(test_zero_bytes_are_refused),
	    cmocka_unit_test(test_truncated_gzip_is_refused),
	    cmocka_unit_test(test_corrupt_gzip_is_refused),
	    cmocka_unit_test(test_files_that_cannot_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
