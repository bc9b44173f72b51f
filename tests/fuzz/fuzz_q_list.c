/* Lists of scattering vectors. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "pattern/pixels.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pattern_pixels pixels;
	sonde_pattern_options options;

	if (size > 1 << 18)
		return 0;
	sonde_pattern_options_init(&options);
	strcpy(options.q_list, memory_file(data, size));
	const sonde_status status = pattern_pixels_make(&options, NULL, 0.0, &pixels);
	if (status != SONDE_OK) {
		REQUIRE(status == SONDE_INVALID);
		REQUIRE_MESSAGE();
	} else {
		REQUIRE(pixels.count > 0);
		REQUIRE(pixels.smallest <= pixels.largest && pixels.largest <= 1733.0);
		for (int64_t n = 0; n < 3 * pixels.count; ++n)
			REQUIRE(isfinite(pixels.vectors[n]));
	}
	pattern_pixels_free(&pixels);
	return 0;
}
