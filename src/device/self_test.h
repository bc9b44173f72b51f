/* Conclusion of the self-test of a program's kernels: the device is not used if they are wrong (SONDE_RESOURCE). */
#ifndef SONDE_DEVICE_SELF_TEST_H
#define SONDE_DEVICE_SELF_TEST_H

#include <stdint.h>

#include "base/status.h"

/* Refuses results that deviate by more than `tolerance`, or by a NaN: "WHAT are wrong by DEVIATION". */
sonde_status self_test_compare(double deviation, double tolerance, const char *what);
/* Refuses a number other than the expected one: "FOUND WHAT instead of EXPECTED". */
sonde_status self_test_count(uint64_t found, uint64_t expected, const char *what);

#endif
