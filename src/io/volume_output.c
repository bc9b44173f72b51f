#include "io/volume_output.h"

#include <stdlib.h>

#include "base/memory.h"

sonde_status volume_output_open(struct volume_output *output, const char *path, const struct volume *header,
				bool values, bool vectors, int threads, bool overwrite)
{
	const struct volume_format *format = volume_format(path);
	sonde_status status;

	*output = (struct volume_output){0};
	CHECK(volume_check(path, &header->grid, values, vectors));
	if (format->begin == NULL)
		return status_fail_file(SONDE_INVALID, path, "is not written in parts");
	*output = (struct volume_output){.format = format,
					 .header = header,
					 .values = values,
					 .vectors = vectors && format->vectors,
					 .threads = threads};
	if (format->text)
		status = text_output_open(&output->text, path, overwrite);
	else
		status = file_output_open(&output->binary, path, overwrite);
	if (status == SONDE_OK)
		status = format->begin(output);
	return status == SONDE_OK ? SONDE_OK : volume_output_close(output, status);
}

sonde_status volume_output_add(struct volume_output *output, const double *values, const double *vectors,
			       int64_t count)
{
	CHECK(output->format->add(output, values, vectors, count));
	output->written += count;
	return SONDE_OK;
}

sonde_status volume_output_close(struct volume_output *output, sonde_status status)
{
	if (output->format == NULL)
		return status;
	if (status == SONDE_OK && output->format->end != NULL)
		status = output->format->end(output);
	if (output->format->text) {
		status = text_output_close(&output->text, status);
	} else {
		if (status == SONDE_OK)
			status = file_output_commit(&output->binary);
		file_output_discard(&output->binary);
	}
	*output = (struct volume_output){0};
	return status;
}

sonde_status volume_output_fail(struct volume_output *output)
{
	return file_output_fail(&output->binary);
}
