/* Where the rows of a dataset are in its file, so that several threads can read them at once: the HDF5 library reads for one at a time. */
#ifndef SONDE_IO_HDF5_PLACES_H
#define SONDE_IO_HDF5_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "io/containers/hdf5.h"

struct hdf5_places;

/* Of a dataset of float32 with `columns`, as HDF5_ROW_SINGLE of hdf5_rows.h writes it: chunks of whole rows, each with Fletcher's checksum or none.
 * *places is null, with SONDE_OK, for a dataset that is stored otherwise. Valid as long as the reader; freed by hdf5_places_free(). */
sonde_status hdf5_places_find(struct hdf5_reader *reader, const char *path, int64_t columns,
			      struct hdf5_places **places);
void hdf5_places_free(struct hdf5_places **places);
/* Reads rows, by any thread. False if that fails, or a chunk does not match its checksum: hdf5_reader_rows() then has the message. */
bool hdf5_places_read(const struct hdf5_places *places, int64_t first, int64_t count, float *rows);

/* Fletcher's checksum as HDF5 computes it (J. Fletcher, IEEE Trans. Commun. 30 (1982) 247): of 16-bit words, the first byte being the higher
 * one. */
uint32_t hdf5_fletcher32(const void *bytes, size_t size);

#endif
