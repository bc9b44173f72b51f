#include "io/containers/hdf5_common.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/checksum.h"
#include "base/memory.h"

static pthread_mutex_t turn;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A recursive mutex: functions that hold it call others that take it. */
static void make_turn(void)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&turn, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

int hdf5_enter(void)
{
	pthread_once(&once, make_turn);
	return pthread_mutex_lock(&turn);
}

void hdf5_leave(const int *taken)
{
	if (*taken == 0)
		pthread_mutex_unlock(&turn);
}

#define MEMORY_OF_LIBRARY ((size_t)8 << 20)

void hdf5_quiet_library(void)
{
	H5dont_atexit();
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

sonde_status hdf5_check_memory(void)
{
	return memory_is_left(MEMORY_OF_LIBRARY)
		   ? SONDE_OK
		   : status_fail(SONDE_RESOURCE, "not enough memory for the HDF5 library (%zu MB)",
				 MEMORY_OF_LIBRARY >> 20);
}

uint64_t hdf5_checksum_of_space(hid_t space)
{
	hsize_t sizes[H5S_MAX_RANK + 1] = {0};
	int rank = H5Sget_simple_extent_dims(space, sizes, NULL);

	/* positions after those of the numbers */
	return rank > 0 ? checksum_numbers(UINT64_MAX / 2, sizes, (size_t)rank) : 0;
}

uint64_t hdf5_checksum_of_values(hid_t space, bool text, size_t size, const void *values)
{
	size_t count = (size_t)H5Sget_simple_extent_npoints(space);

	return hdf5_checksum_of_space(space) +
	       (text ? checksum_bytes(0, values, count * size) : checksum_numbers(0, values, count));
}

hid_t hdf5_complex_numbers(void)
{
	hid_t type = H5Tcreate(H5T_COMPOUND, 2 * sizeof(double));

	H5Tinsert(type, "r", 0, H5T_NATIVE_DOUBLE);
	H5Tinsert(type, "i", sizeof(double), H5T_NATIVE_DOUBLE);
	return type;
}
