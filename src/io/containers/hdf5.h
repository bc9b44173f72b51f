/* HDF5 files in NeXus form. A file is sealed by a checksum of all its bytes (io/containers/seal.h), which is verified before anything is read: damaged files are refused.
 * In addition, every dataset has a checksum of its numbers and sizes as an attribute, which is verified when it is read. Files of other programs have neither;
 * another process tries first to read them, since the HDF5 library can crash on damaged ones. A file is built as an image in memory and then written by
 * base/file.h, so that it is complete or absent. */
#ifndef SONDE_IO_HDF5_H
#define SONDE_IO_HDF5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* A file under construction. The first failure is remembered and reported by hdf5_writer_finish(), so that
 * the calls between need no checks. */
struct hdf5_writer;

sonde_status hdf5_writer_create(struct hdf5_writer **writer);
/* A group at an absolute path whose parent exists, with its NX_class. */
void hdf5_writer_group(struct hdf5_writer *writer, const char *path, const char *nx_class);
/* From now on large arrays are compressed without loss, with a level from 1, the fastest, to 9: for arrays with many zeros or similar numbers.
 * */
void hdf5_writer_compress(struct hdf5_writer *writer, int level);
/* Arrays of float64; `unit` and `long_name` may be null. */
void hdf5_writer_reals(struct hdf5_writer *writer, const char *path, const double *values, const int64_t *sizes,
		       int rank, const char *unit, const char *long_name);
/* The same as float32. */
void hdf5_writer_singles(struct hdf5_writer *writer, const char *path, const double *values, const int64_t *sizes,
			 int rank, const char *unit, const char *long_name);
/* Complex numbers as a compound of r and i, float64 or, `single`, float32. */
void hdf5_writer_complexes(struct hdf5_writer *writer, const char *path, const double *real, const double *imaginary,
			   bool single, const int64_t *sizes, int rank, const char *unit, const char *long_name);
void hdf5_writer_real(struct hdf5_writer *writer, const char *path, double value, const char *unit);
void hdf5_writer_integers(struct hdf5_writer *writer, const char *path, const int64_t *values, int64_t count);
/* The same as an array of any rank; `long_name` may be null. */
void hdf5_writer_integer_array(struct hdf5_writer *writer, const char *path, const int64_t *values,
			       const int64_t *sizes, int rank, const char *long_name);
/* Small numbers, as unsigned integers of 16 bits. */
void hdf5_writer_indices(struct hdf5_writer *writer, const char *path, const uint16_t *values, int64_t count);
void hdf5_writer_text(struct hdf5_writer *writer, const char *path, const char *text);
/* An array of strings; string k begins at texts + k * stride. */
void hdf5_writer_texts(struct hdf5_writer *writer, const char *path, const char *texts, int64_t count,
		       int64_t stride);
/* Attributes of the object at `path`. */
void hdf5_writer_text_attribute(struct hdf5_writer *writer, const char *path, const char *name, const char *text);
void hdf5_writer_texts_attribute(struct hdf5_writer *writer, const char *path, const char *name,
				 const char *const *texts, int count);
/* A dataset under another path as well: a hard link, for which NeXus asks for its first path as an attribute `target`. */
void hdf5_writer_link(struct hdf5_writer *writer, const char *path, const char *to);
/* A writer that describes the file in memory (hdf5_contents.h); its end: *contents is null after a failure, else to be freed by
 * hdf5_contents_free(). The writer is null afterward in any case. */
struct hdf5_contents;
sonde_status hdf5_writer_create_in_memory(struct hdf5_writer **writer);
sonde_status hdf5_writer_take_contents(struct hdf5_writer **writer, struct hdf5_contents **contents);
/* These values outlive the writer and what it produces: they are not copied if the file is described in memory
 * (hdf5_contents.h). Has no effect on others. May be null. */
void hdf5_writer_lasts(struct hdf5_writer *writer, const void *values, int64_t bytes);
/* An array of float64 that lasts as long as what the writer produces, to be filled by the caller: of a writer that describes a file in
 * memory. Null after a failure, which the writer remembers. */
double *hdf5_writer_numbers(struct hdf5_writer *writer, int64_t count);
/* A file with large arrays, which are written to the disk by up to `threads` threads instead of being copied into the image; ended by
 * hdf5_writer_finish() for the same path. */
sonde_status hdf5_writer_create_large(struct hdf5_writer **writer, int threads, const char *path, bool overwrite);
/* A file on the disk instead, which replaces the one at `path`, for arrays that are not in memory as a whole: */
sonde_status hdf5_writer_create_at(struct hdf5_writer **writer, const char *path);
/* The offset of an array of float64 in the file, whose numbers (in native byte order) are written there by others; -1
 * after a failure. */
int64_t hdf5_writer_room(struct hdf5_writer *writer, const char *path, const int64_t *sizes, int rank,
			 const char *unit, const char *long_name);
/* To be called when all of these numbers have been written: `checksum` is their checksum (base/checksum.h). */
void hdf5_writer_room_filled(struct hdf5_writer *writer, const char *path, uint64_t checksum);
/* The file has another name now. */
void hdf5_writer_moved(struct hdf5_writer *writer, const char *path);
/* Ends such a file and frees the writer; `path` is for the message. */
sonde_status hdf5_writer_close(struct hdf5_writer **writer, const char *path);
/* Writes the file and frees the writer; *writer is null afterward in any case. */
sonde_status hdf5_writer_finish(struct hdf5_writer **writer, const char *path, bool overwrite);

/* Frees the writer without writing a file. */
void hdf5_writer_discard(struct hdf5_writer **writer);

/* A file that is being read. */
struct hdf5_reader;

/* Opens a file; fails if it is missing, empty, truncated, damaged, or not an HDF5 file. */
sonde_status hdf5_reader_open(struct hdf5_reader **reader, const char *path);
void hdf5_reader_close(struct hdf5_reader **reader);
/* Whether the file is sealed: Sonde wrote it, and it is unchanged, since the seal was verified when the file was
 * opened. */
bool hdf5_reader_is_sealed(const struct hdf5_reader *reader);
/* SONDE_RESOURCE if a read has failed for lack of memory since the file was opened: for callers that skip unreadable
 * parts. */
sonde_status hdf5_reader_has_read(const struct hdf5_reader *reader);
bool hdf5_reader_has(struct hdf5_reader *reader, const char *path);
/* Compares all datasets with their checksums, and fails with the name of one that does not match; files of other programs have none. Datasets
 * of more than `most` bytes are skipped and counted. */
sonde_status hdf5_reader_check(struct hdf5_reader *reader, uint64_t most, int64_t *left_out);
/* The unit of a dataset, truncated to `size` bytes; "" if it has none. */
void hdf5_reader_unit(struct hdf5_reader *reader, const char *path, char *unit, size_t size);
/* A scalar string, to be freed; fails if there is none at `path`. */
sonde_status hdf5_reader_text(struct hdf5_reader *reader, const char *path, char **text);
/* An array of strings, to be freed: `count` of at most `size` bytes each, string k from *texts + k * size on, padded with zeros. */
sonde_status hdf5_reader_texts(struct hdf5_reader *reader, const char *path, char **texts, int64_t *count,
			       size_t *size);
/* An array of float64 of any rank, to be freed. */
sonde_status hdf5_reader_reals(struct hdf5_reader *reader, const char *path, double **values, int64_t *count);
/* The same for integers, also enumerations. */
sonde_status hdf5_reader_integers(struct hdf5_reader *reader, const char *path, int64_t **values, int64_t *count);
/* Reads a known count of numbers of 64 bits into an array of the caller; SONDE_INVALID, with the name of the dataset,
 * and nothing is read, if it is missing or has another type, rank or size. */
sonde_status hdf5_reader_exact_reals(struct hdf5_reader *reader, const char *path, const int64_t *sizes, int rank,
				     double *to);
sonde_status hdf5_reader_exact_integers(struct hdf5_reader *reader, const char *path, int64_t count, int64_t *to);
/* An array with these sizes. */
sonde_status hdf5_reader_integer_array(struct hdf5_reader *reader, const char *path, const int64_t *sizes, int rank,
				       int64_t *to);
/* The same for unsigned integers of 16 bits. */
sonde_status hdf5_reader_indices(struct hdf5_reader *reader, const char *path, int64_t count, uint16_t *to);
/* Complex numbers of float64 or float32 with these sizes into two arrays of the caller; fails likewise. */
sonde_status hdf5_reader_complexes(struct hdf5_reader *reader, const char *path, const int64_t *sizes, int rank,
				   double *real, double *imaginary);
/* Sizes of an array of any numbers, including complex ones and enumerations, the slowest first; *rank becomes their count, at most `most`. */
sonde_status hdf5_reader_sizes(struct hdf5_reader *reader, const char *path, int most, int64_t *sizes, int *rank);
/* Calls `visit` with the name of each member of a group, in order of creation or name. */
sonde_status hdf5_reader_members(struct hdf5_reader *reader, const char *path,
				 sonde_status (*visit)(void *user, const char *name), void *user);

/* The version of the HDF5 library in use, "1.10.8". */
void hdf5_version(char *text, size_t size);

#endif
