#include "io/containers/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/file.h"
#include "base/memory.h"

struct byte_reader {
	gzFile file;
	char *path;
};

sonde_status byte_reader_open(struct byte_reader **result, const char *path)
{
	struct byte_reader *reader = NULL;

	*result = NULL;
	CHECK(file_check_input(path));
	CHECK(memory_allocate(&reader, 1, sizeof *reader, "a file buffer"));
	reader->path = strdup(path);
	reader->file = reader->path != NULL ? gzopen(path, "rbe") : NULL;
	if (reader->file == NULL) {
		sonde_status status = status_fail_file(SONDE_INVALID, path, "cannot be read: %s",
						       errno != 0 ? strerror(errno) : "out of memory");
		byte_reader_close(&reader);
		return status;
	}
	gzbuffer(reader->file, 256 * 1024);
	*result = reader;
	return SONDE_OK;
}

void byte_reader_close(struct byte_reader **reader)
{
	if (*reader == NULL)
		return;
	if ((*reader)->file != NULL)
		gzclose((*reader)->file);
	free((*reader)->path);
	free(*reader);
	*reader = NULL;
}

sonde_status byte_reader_take(struct byte_reader *reader, void *bytes, size_t size)
{
	char *to = bytes;

	while (size > 0) {
		int got = gzread(reader->file, to, size < 1 << 30 ? (unsigned)size : 1U << 30);
		if (got <= 0)
			return status_fail_file(SONDE_INVALID, reader->path, "%s",
						got == 0 ? "ends too early" : "cannot be read, or is damaged");
		to += got;
		size -= (size_t)got;
	}
	return SONDE_OK;
}

sonde_status byte_reader_skip(struct byte_reader *reader, size_t size)
{
	return gzseek(reader->file, (z_off_t)size, SEEK_CUR) >= 0
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, reader->path, "cannot be read, or is damaged");
}

sonde_status byte_reader_line(struct byte_reader *reader, char *line, size_t size)
{
	if (gzgets(reader->file, line, (int)size) == NULL)
		return status_fail_file(SONDE_INVALID, reader->path, "ends too early");
	line[strcspn(line, "\r\n")] = '\0';
	return SONDE_OK;
}

sonde_status byte_reader_word(struct byte_reader *reader, char *word, size_t size)
{
	size_t length = 0;
	int c;

	do
		c = gzgetc(reader->file);
	while (c == ' ' || c == '\t' || c == '\n' || c == '\r');
	while (c > ' ' && length + 1 < size) {
		word[length++] = (char)c;
		c = gzgetc(reader->file);
	}
	word[length] = '\0';
	if (length == 0)
		return status_fail_file(SONDE_INVALID, reader->path, "ends too early");
	if (c > ' ')
		return status_fail_file(SONDE_INVALID, reader->path, "'%.20s...' is too long for a word", word);
	return SONDE_OK;
}

bool byte_reader_ended(struct byte_reader *reader)
{
	int c = gzgetc(reader->file);

	if (c >= 0)
		gzungetc(c, reader->file);
	return c < 0;
}
