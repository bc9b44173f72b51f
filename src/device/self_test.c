#include "device/self_test.h"

sonde_status self_test_compare(double deviation, double tolerance, const char *what)
{
	return deviation <= tolerance ? SONDE_OK
				      : status_fail(SONDE_RESOURCE, "%s are wrong by %.3g", what, deviation);
}

sonde_status self_test_count(uint64_t found, uint64_t expected, const char *what)
{
	return found == expected ? SONDE_OK
				 : status_fail(SONDE_RESOURCE, "%llu %s instead of %llu", (unsigned long long)found,
					       what, (unsigned long long)expected);
}
