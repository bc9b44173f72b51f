/* Files of orientations. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "pattern/average/turn_list.h"

/* Rotations: orthogonal, and no reflections. */
static void check_rotation(const double r[3][3])
{
	double determinant = 0.0;

	for (int a = 0; a < 3; ++a) {
		for (int b = 0; b < 3; ++b) {
			const double product = r[a][0] * r[b][0] + r[a][1] * r[b][1] + r[a][2] * r[b][2];
			REQUIRE(fabs(product - (a == b ? 1.0 : 0.0)) < 1e-12);
		}
		determinant +=
		    r[0][a] * (r[1][(a + 1) % 3] * r[2][(a + 2) % 3] - r[1][(a + 2) % 3] * r[2][(a + 1) % 3]);
	}
	REQUIRE(determinant > 0.0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	double(*rotations)[3][3] = NULL, *weights = NULL, sum = 0.0;
	int64_t count = 0;

	if (size > 1 << 16)
		return 0;
	const sonde_status status = turn_list_read(memory_file(data, size), &rotations, &weights, &count);
	if (status != SONDE_OK) {
		REQUIRE(status == SONDE_INVALID);
		REQUIRE_MESSAGE();
	} else {
		REQUIRE(count > 0);
		for (int64_t k = 0; k < count; ++k) {
			check_rotation((const double(*)[3])rotations[k]);
			REQUIRE(weights[k] >= 0.0);
			sum += weights[k];
		}
		REQUIRE(fabs(sum - 1.0) < 1e-9);
	}
	free(rotations);
	free(weights);
	return 0;
}
