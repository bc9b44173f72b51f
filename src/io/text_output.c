#include "io/text_output.h"

#include <errno.h>
#include <unistd.h>
#include <zlib.h>

#include "base/text_rows.h"

sonde_status text_output_open(struct text_output *file, const char *path, bool overwrite)
{
	*file = (struct text_output){0};
	CHECK(file_output_open(&file->output, path, overwrite));
	if (!file_has_suffix(path, ".gz"))
		return SONDE_OK;
	int descriptor = dup(fileno(file->output.stream));
	file->compressed = descriptor >= 0 ? gzdopen(descriptor, "wb6") : NULL;
	if (file->compressed != NULL)
		return SONDE_OK;
	if (descriptor >= 0) {
		close(descriptor);
		errno = ENOMEM; /* the only possible cause, which zlib does not report */
	}
	return file_output_fail(&file->output);
}

/* Compressed bytes go to zlib's descriptor; the reason of a failure is in errno. */
static bool fail_compressed(struct text_output *file)
{
	if (file->output.reason == 0)
		file->output.reason = errno != 0 ? errno : EIO;
	return false;
}

static bool put(struct text_output *file, const struct text *block)
{
	if (file->compressed == NULL)
		return file_output_put(&file->output, block->bytes, block->size);
	errno = 0;
	return gzwrite(file->compressed, block->bytes, (unsigned)block->size) == (int)block->size ||
	       fail_compressed(file);
}

/* zlib closes its descriptor. */
static bool end_compressed(struct text_output *file)
{
	errno = 0;
	int result = gzclose(file->compressed);
	file->compressed = NULL;
	return result == Z_OK || fail_compressed(file);
}

sonde_status text_output_flush(struct text_output *file)
{
	struct text *block = &file->block;
	bool written;

	CHECK(text_status(block));
	if (block->size == 0)
		return SONDE_OK;
	written = put(file, block);
	block->size = 0;
	if (written)
		return SONDE_OK;
	if (file->compressed != NULL)
		(void)end_compressed(file);
	return file_output_fail(&file->output);
}

#define NUMBERS_AT_ONCE ((int64_t)1 << 18)

sonde_status text_output_numbers(struct text_output *file, int threads, int64_t count,
				 void (*format)(const void *user, int64_t first, int64_t end, struct text *text),
				 const void *user)
{
	sonde_status status = text_output_flush(file);

	for (int64_t done = 0; done < count && status == SONDE_OK; done += NUMBERS_AT_ONCE) {
		const int64_t end = done + NUMBERS_AT_ONCE;
		text_append_rows(&file->block, threads, done, end < count ? end : count, format, user);
		status = text_output_flush(file);
	}
	return status;
}

sonde_status text_output_close(struct text_output *file, sonde_status status)
{
	if (status == SONDE_OK && file->output.path != NULL)
		status = text_output_flush(file);
	if (file->compressed != NULL && !end_compressed(file) && status == SONDE_OK)
		status = file_output_fail(&file->output);
	if (status == SONDE_OK && file->output.path != NULL)
		status = file_output_commit(&file->output);
	file_output_discard(&file->output);
	text_free(&file->block);
	*file = (struct text_output){0};
	return status;
}
