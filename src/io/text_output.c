#include "io/text_output.h"

#include <unistd.h>
#include <zlib.h>

#include "base/threads.h"

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
	if (descriptor >= 0)
		close(descriptor);
	file_output_discard(&file->output);
	return status_fail(SONDE_RESOURCE, "%s: compression cannot start", path);
}

static sonde_status fail_to_write(const struct text_output *file)
{
	return status_fail(SONDE_RESOURCE,
			   "%s: cannot be written: the disk is full or failed; nothing was left there",
			   file->output.path);
}

sonde_status text_output_flush(struct text_output *file)
{
	struct text *block = &file->block;
	bool wrong;

	CHECK(text_status(block));
	if (block->size == 0)
		return SONDE_OK;
	if (file->compressed != NULL)
		wrong = gzwrite(file->compressed, block->bytes, (unsigned)block->size) != (int)block->size;
	else
		wrong = fwrite(block->bytes, 1, block->size, file->output.stream) != block->size;
	block->size = 0;
	return wrong ? fail_to_write(file) : SONDE_OK;
}

#define NUMBERS_AT_ONCE 32768 /* of a thread */
#define MOST_THREADS 64

struct formatting {
	int64_t first, count;
	void (*format)(const void *user, int64_t first, int64_t end, struct text *text);
	const void *user;
	struct text *parts;
};

static void format_parts(void *state, int64_t begin, int64_t finish, int worker)
{
	const struct formatting *formatting = state;

	(void)worker;
	for (int64_t part = begin; part < finish; ++part) {
		int64_t first = formatting->first + part * NUMBERS_AT_ONCE, end = first + NUMBERS_AT_ONCE;
		formatting->parts[part].size = 0;
		if (first < formatting->count)
			formatting->format(formatting->user, first, end < formatting->count ? end : formatting->count,
					   &formatting->parts[part]);
	}
}

sonde_status text_output_numbers(struct text_output *file, int threads, int64_t count,
				 void (*format)(const void *user, int64_t first, int64_t end, struct text *text),
				 const void *user)
{
	struct text parts[MOST_THREADS] = {{0}};
	sonde_status status = text_output_flush(file);

	threads = threads < 1 ? 1 : threads < MOST_THREADS ? threads : MOST_THREADS;
	for (int64_t done = 0; done < count && status == SONDE_OK; done += (int64_t)threads * NUMBERS_AT_ONCE) {
		struct formatting formatting = {done, count, format, user, parts};
		threads_for(threads, threads, 1, format_parts, &formatting);
		for (int part = 0; part < threads && status == SONDE_OK; ++part) {
			struct text block = file->block;
			file->block = parts[part];
			status = text_output_flush(file);
			parts[part] = file->block;
			file->block = block;
		}
	}
	for (int part = 0; part < threads; ++part)
		text_free(&parts[part]);
	return status;
}

sonde_status text_output_close(struct text_output *file, sonde_status status)
{
	if (status == SONDE_OK && file->output.path != NULL)
		status = text_output_flush(file);
	if (file->compressed != NULL && gzclose(file->compressed) != Z_OK && status == SONDE_OK)
		status = fail_to_write(file);
	if (status == SONDE_OK && file->output.path != NULL)
		status = file_output_commit(&file->output);
	file_output_discard(&file->output);
	text_free(&file->block);
	*file = (struct text_output){0};
	return status;
}
