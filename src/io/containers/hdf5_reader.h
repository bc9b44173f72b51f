/* The inside of a reader of HDF5 files, for the files that implement it. */
#ifndef SONDE_IO_HDF5_READER_H
#define SONDE_IO_HDF5_READER_H

#include "io/containers/hdf5.h"
#include "io/containers/hdf5_common.h"

struct hdf5_reader {
	hid_t file;
	char *path;
	bool has_checksums, sealed;
	bool lacked_memory; /* in a read */
	/* Conversion of numbers to another type, with this memory as buffer. The library corrupts its state if it
	 * cannot allocate one. */
	hid_t transfer;
	void *conversion;
};

/* The recorded checksum of a dataset, as digits; false if it has none. */
bool hdf5_read_checksum(hid_t dataset, char digits[HDF5_DIGITS + 1]);

#endif
