/* Measured curves of sonde match: text files under several names, and HDF5 files. The first byte chooses. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "match/measured.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct measured measured;

	if (size == 0 || size > 1 << 18)
		return 0;
	const enum measured_axis axis = (enum measured_axis)(data[0] % 5);
	if (measured_read(memory_file(data + 1, size - 1), -1, axis, data[0] & 64 ? 1.5 : 0.0, &measured) !=
	    SONDE_OK) {
		REQUIRE(measured.x == NULL && measured.y == NULL && measured.sigma == NULL && measured.path == NULL);
		REQUIRE_MESSAGE();
		return 0;
	}
	REQUIRE(measured.count > 0);
	for (int64_t k = 0; k < measured.count; ++k) {
		REQUIRE(isfinite(measured.x[k]) && isfinite(measured.y[k]) &&
			(k == 0 || measured.x[k] >= measured.x[k - 1]));
		REQUIRE(measured.sigma == NULL || measured.sigma[k] > 0.0);
	}
	measured_crop(1.0, 2.0, &measured);
	measured_free(&measured);
	return 0;
}
