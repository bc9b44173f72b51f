/* Shared by the writer and reader of HDF5 files: checksums as attributes of datasets. */
#ifndef SONDE_IO_HDF5_COMMON_H
#define SONDE_IO_HDF5_COMMON_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Attributes: of a dataset, its checksum as a hexadecimal number; of a file, that its datasets have them. */
#define HDF5_CHECKSUM "checksum"
#define HDF5_CHECKSUMS "checksums"
#define HDF5_MEANING_OF_CHECKSUMS "sums of 64 bits over words and their positions (base/checksum.c)"
#define HDF5_DIGITS 16
#define HDF5_LONGEST_TEXT (16 << 20) /* bytes of a string that is read */
/* Attribute of a sealed file, with an explanation: a seal that is missing was cut off. */
#define HDF5_SEALED "sealed"
#define HDF5_MEANING_OF_SEALED \
	"a checksum of the whole file follows its end; other programs that change the file lose it"

/* The library is not thread-safe everywhere: it is locked for the caller until the end of the block. At the beginning
 * of functions; may be nested. */
#define HDF5_ALONE __attribute__((cleanup(hdf5_leave))) const int hdf5_turn_ __attribute__((unused)) = hdf5_enter()
int hdf5_enter(void);
void hdf5_leave(const int *taken);
/* Sonde closes what it opens, and a library that writes at exit can crash on a full disk. Errors are reported by statuses, not printed. */
void hdf5_quiet_library(void);
/* Whether there is memory for the library's own use: without it, it may crash or end the process. To be called before a file is
 * begun, finished or opened. SONDE_RESOURCE if not. */
sonde_status hdf5_check_memory(void);
/* Checksum of the sizes of a dataset. */
uint64_t hdf5_checksum_of_space(hid_t space);
/* Checksum of data in memory: numbers of 64 bits, or texts of `size` bytes each. */
uint64_t hdf5_checksum_of_values(hid_t space, bool text, size_t size, const void *values);
/* Reads a whole dataset of a kind that readers support, in pieces, and adds up its checksum; one of more than `most`
 * bytes is skipped: *left_out. SONDE_INVALID, without a message, if it cannot be read, and SONDE_RESOURCE where there
 * is no memory for it. */
sonde_status hdf5_sum_dataset(hid_t dataset, uint64_t most, uint64_t *sum, bool *left_out);
/* Whether the storage of a dataset in the file can hold this many bytes, with `packed` bytes in each stored one,
 * compression apart. */
bool hdf5_is_believable(hid_t dataset, uint64_t bytes, uint64_t packed);
/* The type in memory of complex numbers, whatever their precision in the file. To be closed. */
hid_t hdf5_complex_numbers(void);
/* Opens a file and reads everything in it, in a separate process: the library can crash on damaged files, loop, or
 * take all memory. SONDE_INVALID, with a message, if it did so, or if it is not an HDF5 file. SONDE_OK means that it
 * can be opened here, or that no process could be created. */
sonde_status hdf5_probe(const char *path);
/* For fuzzing: false disables that, and everything happens in this process. */
void hdf5_probe_enable(bool enable);

#endif
