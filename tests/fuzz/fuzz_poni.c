/* Geometry files of pyFAI. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "pattern/detector/geometry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct detector_geometry detector;
	sonde_pattern_options options;
	struct poni poni;

	if (size > 1 << 16)
		return 0;
	const char *path = memory_file(data, size);
	sonde_status status = poni_read(path, &poni);
	if (status != SONDE_OK) {
		REQUIRE(status == SONDE_INVALID);
		REQUIRE_MESSAGE();
		return 0;
	}
	REQUIRE(poni.distance > 0.0 && poni.pixel[0] > 0.0 && poni.pixel[1] > 0.0);
	REQUIRE(isfinite(poni.poni[0]) && isfinite(poni.poni[1]) && isfinite(poni.wavelength));
	REQUIRE(poni.orientation >= 1 && poni.orientation <= 4);
	REQUIRE((poni.shape[0] > 0) == (poni.shape[1] > 0));
	sonde_pattern_options_init(&options);
	strcpy(options.poni, path);
	status = detector_read_poni(&options);
	if (status == SONDE_OK)
		status = detector_make(&options, &detector);
	if (status != SONDE_OK) {
		REQUIRE(status == SONDE_INVALID);
		REQUIRE_MESSAGE();
		return 0;
	}
	for (int k = 0; k < 9; ++k)
		REQUIRE(fabs(detector.axes[k]) <= 1.0 + 1e-12);
	REQUIRE(detector.distance > 0.0 && isfinite(detector_coordinate(&detector, 0, detector.size[0] - 1)));
	return 0;
}
