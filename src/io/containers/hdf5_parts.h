/* What a page that shows any result file reads from it: attributes that are lists, and arrays with gaps. */
#ifndef SONDE_IO_HDF5_PARTS_H
#define SONDE_IO_HDF5_PARTS_H

#include "io/containers/hdf5.h"

/* An attribute that is an array of texts, or one text: item k begins at *texts + k * *size, padded with zeros. To be freed.
 * SONDE_INVALID if there is none. */
sonde_status hdf5_reader_list_attribute(struct hdf5_reader *reader, const char *path, const char *name, char **texts,
					int64_t *count, size_t *size);
/* Every each[k]-th number along axis k of an array, from the first one, as float64: the sizes rounded up. To be freed. The
 * numbers are not compared with the checksum of the array, which would take reading all of it. */
sonde_status hdf5_reader_thinned(struct hdf5_reader *reader, const char *path, const int64_t *sizes, int rank,
				 const int64_t *each, double **values);

#endif
