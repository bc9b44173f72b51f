/* An output file of rank 0 (base/file.h) to which all ranks write: each bytes of its own, at their places. That takes a file system that all
 * of them see and on which what they write to neighboring places is kept. */
#ifndef SONDE_RUN_SHARED_FILE_H
#define SONDE_RUN_SHARED_FILE_H

#include "base/file.h"
#include "parallel/parallel.h"

/* On rank 0, after the file has been opened and before others open it: gives it a name if ranks of other machines need one. */
sonde_status shared_file_prepare(struct parallel *ranks, struct file_output *output);
/* All ranks come to this. *joined: all write to the file; else rank 0 alone does, which has its `output` in either case. That of the others
 * is set if they have joined: file_output_fail() and file_output_discard() then leave the file to rank 0. `place`, of rank 0, is the
 * offset of 16 bytes that are written later, by which the others know the file. */
sonde_status shared_file_join(struct parallel *ranks, const char *path, int64_t place, struct file_output *output,
			      bool *joined);
/* All ranks have written, or failed with `status`: their parts are flushed to the disk. The status of all. */
sonde_status shared_file_settle(struct parallel *ranks, struct file_output *output, sonde_status status);
/* Writes bytes at their place, from any thread. */
sonde_status shared_file_put(struct file_output *output, const void *bytes, size_t size, int64_t place);

#endif
