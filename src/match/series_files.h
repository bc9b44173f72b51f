/* The measured files of a series: of each data set one for all rows, or one for each row. */
#ifndef SONDE_MATCH_SERIES_FILES_H
#define SONDE_MATCH_SERIES_FILES_H

#include "match/data_set.h"

struct series_files {
	int64_t rows; /* 1: no series */
	int set_count;
	struct series_set {
		int64_t count; /* 1, or `rows` */
		char **paths;
	} * sets;
};

/* Freed by series_files_free(), also after failures. */
sonde_status series_files_begin(const char *const *measured, int64_t rows, struct series_files *files);
/* A further data set: an item of the option `with`, whose measured files come before its libraries. Names with * and ? stand for the files
 * that they match, in the order of their bytes. SONDE_INVALID if their number is neither 1 nor that of the rows. `item` is changed, and its
 * part with the libraries, names between commas, becomes *libraries. */
sonde_status series_files_add(struct series_files *files, char *item, char **libraries);
void series_files_free(struct series_files *files);
/* The file of a data set in a row. */
const char *series_file(const struct series_files *files, int set, int64_t row);
/* Sets become those of a row, with their first standard deviations; uniform ones are those that `first` has. */
sonde_status series_files_replace(const struct series_files *files, int64_t row, const sonde_match_options *options,
				  const struct data_set *first, struct data_set *sets);

#endif
