#include "io/volume/volume_output.h"

#include "base/file.h"

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
