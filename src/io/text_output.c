#include "io/text_output.h"

#include <unistd.h>
#include <zlib.h>

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
