/* Files in addition to the result: mean intensities of rings, and the geometry for pyFAI. */
#include <math.h>

#include "pattern/detector/geometry.h"
#include "pattern/detector/radial.h"
#include "pattern/outputs.h"
#include "pattern/pattern.h"
#include "run/result_table.h"

struct radial_table {
	const sonde_pattern_result *result;
	const struct radial *radial;
};

static void append_ring(const struct radial_ring *ring, bool counts, bool csv, struct text *text)
{
	const char separator = csv ? ',' : ' ';

	text_append_real(text, ring->q);
	text_append_byte(text, separator);
	text_append_real(text, ring->mean);
	text_append_byte(text, separator);
	text_append_real(text, ring->error);
	text_append_byte(text, separator);
	text_append_integer(text, ring->points);
	if (counts) {
		text_append_byte(text, separator);
		text_append_integer(text, ring->counts);
		text_append_byte(text, separator);
		text_append_real(text, ring->measured);
		text_append_byte(text, separator);
		text_append_real(text, ring->noise);
	}
	text_append_byte(text, '\n');
}

/* Rings without points are left out. */
static sonde_status append_radial(const void *of, bool csv, struct text *text)
{
	const struct radial_table *table = of;
	const bool counts = table->result->counts != NULL;

	pattern_append_header(table->result, text);
	text_append(
	    text,
	    "# mean of |F|^2 over the points of a ring, without the factors of I, and its standard error from "
	    "their spread%s\n%s",
	    counts ? "; counts of the ring, and the mean that follows from them" : "", csv ? "" : "# ");
	for (const char *c = counts ? "q,I,I_error,points,counts,I_counts,I_counts_error" : "q,I,I_error,points";
	     *c != '\0'; ++c)
		text_append_byte(text, *c == ',' && !csv ? ' ' : *c);
	text_append_byte(text, '\n');
	for (int64_t k = 0; k < table->radial->count; ++k)
		if (table->radial->rings[k].points > 0)
			append_ring(&table->radial->rings[k], counts, csv, text);
	return text_status(text);
}

static const struct result_format formats[] = {{RESULT_TABLE_ENDINGS, NULL, append_radial}, {NULL, NULL, NULL}};

sonde_status sonde_pattern_write_radial(const sonde_pattern_result *result, const char *path, int overwrite)
{
	struct radial radial = {.count = 0};

	if (result == NULL || path == NULL)
		return status_fail(SONDE_INVALID, "a result and a file are needed, one of them is null");
	sonde_status status = radial_make(result, &radial);
	if (status == SONDE_OK) {
		const struct radial_table table = {result, &radial};
		status = result_write(formats, &table, path, overwrite != 0);
	}
	radial_free(&radial);
	return status;
}

sonde_status sonde_pattern_write_poni(const sonde_pattern_result *result, const char *path, int overwrite)
{
	if (result == NULL || path == NULL)
		return status_fail(SONDE_INVALID, "a result and a file are needed, one of them is null");
	if (result->geometry != SONDE_PATTERN_DETECTOR)
		return status_fail_option(SONDE_INVALID, "write_poni", "this is about pixels; give `detector`");
	return detector_write_poni(result->options, result->wavelength, path, overwrite != 0);
}

sonde_status pattern_write_more(sonde_context *context, const void *of, const struct engine_request *request,
				struct text *written)
{
	const sonde_pattern_result *result = of;
	const char *radial = result->options->radial, *poni = result->options->write_poni;

	(void)context;
	if (radial[0] != '\0') {
		CHECK(sonde_pattern_write_radial(result, radial, request->overwrite));
		text_append(written, "%s: written\n", radial);
	}
	if (poni[0] != '\0') {
		CHECK(sonde_pattern_write_poni(result, poni, request->overwrite));
		text_append(written, "%s: written\n", poni);
	}
	return SONDE_OK;
}
