#include "io/text/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/file.h"
#include "base/memory.h"

#define BUFFER_SIZE (256 * 1024)
#define BYTE_ORDER_MARK \
	"\xef\xbb\xbf" /* byte order mark of UTF-8: some editors put one at the start of a file; it has no meaning */

struct line_reader {
	gzFile file;
	char *path;
	int64_t number;
	bool ended;         /* the file has no more bytes than the buffer */
	bool zeros;         /* some bytes since the start were zero: lines are to be looked through */
	char *start, *stop; /* bytes of the buffer that are not yet delivered */
	char buffer[BUFFER_SIZE + 1];
};

sonde_status line_reader_open(struct line_reader **result, const char *path)
{
	struct line_reader *reader = NULL;

	*result = NULL;
	CHECK(file_check_input(path)); /* it is read twice, for its contents and their hash */
	CHECK(memory_allocate(&reader, 1, sizeof *reader, "a file buffer"));
	reader->path = strdup(path);
	reader->file = reader->path != NULL ? gzopen(path, "rbe") : NULL;
	if (reader->file == NULL) {
		sonde_status status = status_fail_file(SONDE_INVALID, path, "cannot be read: %s",
						       errno != 0 ? strerror(errno) : "out of memory");
		line_reader_close(&reader);
		return status;
	}
	gzbuffer(reader->file,
		 64 * 1024); /* at most half of what is read at once: without copies, unless compressed */
	reader->start = reader->stop = reader->buffer;
	*result = reader;
	return SONDE_OK;
}

void line_reader_close(struct line_reader **reader)
{
	if (*reader == NULL)
		return;
	if ((*reader)->file != NULL)
		gzclose((*reader)->file);
	free((*reader)->path);
	free(*reader);
	*reader = NULL;
}

/* Moves the undelivered bytes to the front of the buffer and fills the rest. */
static sonde_status fill(struct line_reader *reader)
{
	size_t kept = (size_t)(reader->stop - reader->start);
	int got, problem;

	memmove(reader->buffer, reader->start, kept);
	got = gzread(reader->file, reader->buffer + kept, (unsigned)(BUFFER_SIZE - kept));
	if (got < 0) {
		const char *reason = gzerror(reader->file, &problem);
		size_t length = strlen(reader->path);
		if (strncmp(reason, reader->path, length) == 0 && reason[length] == ':')
			reason += length + 2; /* zlib's text contains the file name */
		return status_fail_line(SONDE_INVALID, reader->path, reader->number + 1, "damaged: %s",
					problem == Z_ERRNO ? strerror(errno) : reason);
	}
	if (got == 0) {
		reader->ended = true;
		gzerror(reader->file, &problem);
		if (problem == Z_BUF_ERROR)
			return status_fail_line(SONDE_INVALID, reader->path, reader->number + 1,
						"the gzip data end too early");
	}
	reader->zeros = reader->zeros || memchr(reader->buffer + kept, '\0', (size_t)got) != NULL;
	reader->start = reader->buffer;
	reader->stop = reader->buffer + kept + got;
	return SONDE_OK;
}

/* The bytes up to `end`, where the line ends, as a text. */
static char *take_line(struct line_reader *reader, char *end)
{
	char *line = reader->start;

	reader->start = end < reader->stop ? end + 1 : end;
	*end = '\0';
	if (end > line && end[-1] == '\r')
		end[-1] = '\0';
	return line;
}

sonde_status line_reader_next(struct line_reader *reader, char **line)
{
	char *end;

	*line = NULL;
	while ((end = memchr(reader->start, '\n', (size_t)(reader->stop - reader->start))) == NULL &&
	       !reader->ended) {
		if (reader->stop - reader->start >= LINE_SIZE)
			break;
		CHECK(fill(reader));
	}
	if (end == NULL && reader->start == reader->stop)
		return SONDE_OK;
	++reader->number;
	if (end == NULL)
		end = reader->stop; /* the last line may lack a newline; the buffer has room for a zero */
	if (end - reader->start >= LINE_SIZE)
		return status_fail_line(SONDE_INVALID, reader->path, reader->number,
					"the line is longer than %d bytes; is this a text file?", LINE_SIZE - 1);
	if (reader->zeros && memchr(reader->start, '\0', (size_t)(end - reader->start)) != NULL)
		return status_fail_line(SONDE_INVALID, reader->path, reader->number,
					"contains zero bytes: this is not a text file");
	*line = take_line(reader, end);
	if (reader->number == 1 && strncmp(*line, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) == 0)
		*line += strlen(BYTE_ORDER_MARK);
	return SONDE_OK;
}

sonde_status line_reader_next_lines(struct line_reader *reader, char **lines, int64_t most, int64_t *count)
{
	*count = 0;
	if (most < 1)
		return SONDE_OK;
	CHECK(line_reader_next(reader, &lines[0]));
	*count = lines[0] != NULL;
	/* only the first line may move the buffer; an invalid line is left for the next call */
	while (*count > 0 && *count < most) {
		char *end = memchr(reader->start, '\n', (size_t)(reader->stop - reader->start));
		if (end == NULL || end - reader->start >= LINE_SIZE ||
		    (reader->zeros && memchr(reader->start, '\0', (size_t)(end - reader->start)) != NULL))
			break;
		++reader->number;
		lines[(*count)++] = take_line(reader, end);
	}
	return SONDE_OK;
}

void line_reader_point_at(struct line_reader *reader, int64_t number)
{
	reader->number = number;
}

int64_t line_reader_number(const struct line_reader *reader)
{
	return reader->number;
}

const char *line_reader_path(const struct line_reader *reader)
{
	return reader->path;
}
