/* DCD files: all frames. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "io/trajectory/dcd.h"

#define MOST_FRAMES 100000 /* of an input of half a megabyte */

static sonde_status read_all(struct dcd *dcd)
{
	const double *positions, *lattice;
	int64_t frames = 0;

	REQUIRE(dcd_atoms(dcd) > 0 && dcd_frames(dcd) >= 0);
	for (;;) {
		CHECK(dcd_next(dcd, &positions, &lattice));
		if (positions == NULL)
			return SONDE_OK;
		REQUIRE(++frames < MOST_FRAMES);
		for (int64_t k = 0; k < 3 * dcd_atoms(dcd); ++k)
			REQUIRE(fabs(positions[k]) <= 1e7);
		for (int k = 0; lattice != NULL && k < 9; ++k)
			REQUIRE(fabs(lattice[k]) <= 1e7);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dcd *dcd = NULL;

	if (size == 0 || size > 1 << 19)
		return 0;
	sonde_status status = dcd_open(memory_file(data, size), &dcd);
	REQUIRE((status == SONDE_OK) == (dcd != NULL));
	if (status == SONDE_OK)
		status = read_all(dcd);
	if (status != SONDE_OK) {
		REQUIRE(status == SONDE_INVALID);
		REQUIRE_MESSAGE();
	}
	dcd_close(&dcd);
	return 0;
}
