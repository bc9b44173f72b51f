/* DCD files. */
#include "fuzz/fuzz_trajectory.h"

#include "io/trajectory/dcd.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_trajectory(&dcd_format, data, size);
}
