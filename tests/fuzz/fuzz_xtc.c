/* XTC files. */
#include "fuzz/fuzz_trajectory.h"

#include "io/trajectory/xtc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_trajectory(&xtc_format, data, size);
}
