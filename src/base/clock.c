#include "base/clock.h"

#include <time.h>

double clock_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double clock_processor_seconds(void)
{
	struct timespec spent;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
	return (double)spent.tv_sec + 1e-9 * (double)spent.tv_nsec;
}

char *clock_now(char *buffer)
{
	time_t now = time(NULL);
	struct tm parts;

	gmtime_r(&now, &parts);
	strftime(buffer, 32, "%Y-%m-%dT%H:%M:%SZ", &parts);
	return buffer;
}
