/* Files of the samples of a size distribution, and their list. */
#ifndef SONDE_MATTER_SAMPLES_SIZE_FILES_H
#define SONDE_MATTER_SAMPLES_SIZE_FILES_H

#include <stdbool.h>

#include "sonde/build.h"

/* Numbers of atoms of the samples that were written. */
struct size_files {
	int64_t samples, fewest, most;
};

/* SONDE_INVALID unless the list LIST.csv and its files LIST_01.xyz, LIST_02.xyz ... can be written. */
sonde_status size_files_check(const sonde_build_options *options, const char *path, bool overwrite);
/* Builds and writes all of them, the list last: file, weight (number fraction), size. */
sonde_status size_files_write(sonde_context *context, const sonde_build_options *options, const char *path,
			      bool overwrite, struct size_files *written);

#endif
