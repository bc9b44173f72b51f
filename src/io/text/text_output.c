#include "io/text/text_output.h"

#define ZLIB_CONST
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/text_rows.h"
#include "base/threads.h"

#define MEMBER_SIZE ((size_t)1 << 20) /* bytes of text; 0.1 % of the compressed size is lost */
#define MEMBERS_PER_THREAD 4          /* compressed at a time */
#define MOST_MEMBERS 256
#define GZIP_BITS (15 + 16) /* largest window, and a header of gzip */
#define GZIP_LEVEL 6
#define GZIP_MEMORY 8

sonde_status text_output_open(struct text_output *file, const char *path, bool overwrite)
{
	*file = (struct text_output){.threads = 1};
	CHECK(file_output_open(&file->output, path, overwrite));
	file->compressed = file_has_suffix(path, ".gz");
	return SONDE_OK;
}

/* Some members in memory. */
struct compression {
	const char *bytes;
	size_t size;
	struct text members[MOST_MEMBERS];
};

static bool compress_member(const char *bytes, size_t size, struct text *member)
{
	z_stream stream = {0};

	if (deflateInit2(&stream, GZIP_LEVEL, Z_DEFLATED, GZIP_BITS, GZIP_MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
		return false;
	const size_t most = deflateBound(&stream, (uLong)size);
	char *to = text_room(member, most);
	if (to != NULL) {
		stream.next_in = (const Bytef *)bytes;
		stream.avail_in = (uInt)size;
		stream.next_out = (Bytef *)to;
		stream.avail_out = (uInt)most;
	}
	const bool done = to != NULL && deflate(&stream, Z_FINISH) == Z_STREAM_END;
	if (done)
		text_grow(member, most - stream.avail_out);
	deflateEnd(&stream);
	return done;
}

static void compress_members(void *state, int64_t first, int64_t end, int worker)
{
	struct compression *compression = state;

	(void)worker;
	for (int64_t k = first; k < end; ++k) {
		const size_t at = (size_t)k * MEMBER_SIZE, left = compression->size - at;
		struct text *member = &compression->members[k];
		member->failed =
		    !compress_member(compression->bytes + at, left < MEMBER_SIZE ? left : MEMBER_SIZE, member);
	}
}

/* Compresses and writes bytes as `count` members; the last one may be shorter. */
static sonde_status put_members(struct text_output *file, const char *bytes, size_t size, int64_t count)
{
	struct compression *compression;
	bool written = true;

	CHECK(memory_allocate(&compression, 1, sizeof *compression, "compression"));
	compression->bytes = bytes;
	compression->size = size;
	threads_for(file->threads, count, 1, compress_members, compression);
	sonde_status status = SONDE_OK;
	for (int64_t k = 0; k < count; ++k) {
		struct text *member = &compression->members[k];
		if (status == SONDE_OK && member->failed)
			status = memory_missing("compression");
		written =
		    written && status == SONDE_OK && file_output_put(&file->output, member->bytes, member->size);
		text_free(member);
	}
	free(compression);
	file->members += count;
	return written || status != SONDE_OK ? status : file_output_fail(&file->output);
}

static int64_t members_at_once(const struct text_output *file)
{
	const int64_t wanted = (int64_t)MEMBERS_PER_THREAD * file->threads;

	return wanted < MOST_MEMBERS ? wanted : MOST_MEMBERS;
}

/* Compresses what is pending, if it is enough for all threads or the file `ends`. An empty file has an empty member. */
static sonde_status put_pending(struct text_output *file, bool ends)
{
	struct text *pending = &file->pending;
	size_t done = 0;

	while (pending->size - done >= (size_t)members_at_once(file) * MEMBER_SIZE) {
		const int64_t count = members_at_once(file);
		CHECK(put_members(file, pending->bytes + done, (size_t)count * MEMBER_SIZE, count));
		done += (size_t)count * MEMBER_SIZE;
	}
	const size_t rest = pending->size - done;
	if (ends && (rest > 0 || file->members == 0))
		return put_members(file, rest > 0 ? pending->bytes + done : "", rest,
				   rest > 0 ? (int64_t)((rest - 1) / MEMBER_SIZE + 1) : 1);
	if (done > 0)
		memmove(pending->bytes, pending->bytes + done, rest);
	pending->size = rest;
	return SONDE_OK;
}

static sonde_status put_compressed(struct text_output *file, const struct text *block)
{
	text_append_bytes(&file->pending, block->bytes, block->size);
	CHECK(text_status(&file->pending));
	return put_pending(file, false);
}

sonde_status text_output_flush(struct text_output *file)
{
	struct text *block = &file->block;

	CHECK(text_status(block));
	if (block->size == 0)
		return SONDE_OK;
	sonde_status status = SONDE_OK;
	if (file->compressed)
		status = put_compressed(file, block);
	else if (!file_output_put(&file->output, block->bytes, block->size))
		status = file_output_fail(&file->output);
	block->size = 0;
	return status;
}

#define NUMBERS_AT_ONCE ((int64_t)1 << 18)

sonde_status text_output_numbers(struct text_output *file, int threads, int64_t count,
				 void (*format)(const void *user, int64_t first, int64_t end, struct text *text),
				 const void *user)
{
	sonde_status status = text_output_flush(file);

	file->threads = threads > 1 ? threads : 1;
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
	if (status == SONDE_OK && file->output.path != NULL && file->compressed)
		status = put_pending(file, true);
	if (status == SONDE_OK && file->output.path != NULL)
		status = file_output_commit(&file->output);
	file_output_discard(&file->output);
	text_free(&file->block);
	text_free(&file->pending);
	*file = (struct text_output){0};
	return status;
}
