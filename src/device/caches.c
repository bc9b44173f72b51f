#include "device/caches.h"

#include <stdio.h>
#include <unistd.h>

#define USUAL_LAST 32e6 /* bytes, if the system does not report it */
#define USUAL_OWN 0.5e6
#define FOLDER "/sys/devices/system/cpu/cpu0/cache/"

/* 0: unknown. */
static double size_in(const char *path)
{
	FILE *file = fopen(path, "re");
	double kilobytes = 0.0;

	if (file != NULL && fscanf(file, "%lfK", &kilobytes) != 1)
		kilobytes = 0.0;
	if (file != NULL)
		fclose(file);
	return 1024.0 * kilobytes;
}

/* Processors in a list such as 0-7,64-71; 0: unknown. */
static int processors_in(const char *path)
{
	FILE *file = fopen(path, "re");
	int first, last, count = 0;

	while (file != NULL && fscanf(file, "%d", &first) == 1) {
		int next = fgetc(file);
		last = first;
		if (next == '-' && fscanf(file, "%d", &last) == 1)
			next = fgetc(file);
		count += last - first + 1;
		if (next != ',')
			break;
	}
	if (file != NULL)
		fclose(file);
	return count;
}

double caches_last(void)
{
	const double bytes = size_in(FOLDER "index3/size");
	long reported = 0;

	if (bytes > 0.0)
		return bytes;
		/* the C library may report the sum of several */
#if defined(_SC_LEVEL3_CACHE_SIZE)
	reported = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
	return reported > 0 ? (double)reported : USUAL_LAST;
}

double caches_of_thread(int threads)
{
	const int share = processors_in(FOLDER "index3/shared_cpu_list");
	const double own = size_in(FOLDER "index2/size"),
		     part = caches_last() / (share > 0 && share < threads ? share : threads);

	return part > own ? part : own > 0.0 ? own : USUAL_OWN;
}
