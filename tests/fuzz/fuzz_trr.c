/* TRR files. */
#include "fuzz/fuzz_trajectory.h"

#include "io/trajectory/trr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_trajectory(&trr_format, data, size);
}
