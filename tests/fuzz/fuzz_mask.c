/* Masks of detectors, as text and as EDF pictures. */
#include "fuzz/fuzz.h"

#include "pattern/detector/edf.h"
#include "pattern/detector/mask.h"

#define ROWS 3
#define COLUMNS 5

static void check(sonde_status status, const unsigned char *masked)
{
	if (status != SONDE_OK) {
		REQUIRE(status == SONDE_INVALID);
		REQUIRE_MESSAGE();
		return;
	}
	for (int n = 0; n < ROWS * COLUMNS; ++n)
		REQUIRE(masked[n] <= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned char masked[ROWS * COLUMNS] = {0}, picture[ROWS * COLUMNS] = {0};

	if (size > 1 << 17)
		return 0;
	const char *path = memory_file(data, size);
	check(mask_read(path, "/mask", ROWS, COLUMNS, masked), masked);
	check(edf_read_mask(path, ROWS, COLUMNS, picture), picture);
	return 0;
}
