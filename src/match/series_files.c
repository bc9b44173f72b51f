#include "match/series_files.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

/* Adds a file to the last set. */
static sonde_status add_path(struct series_files *files, const char *path, size_t *capacity)
{
	struct series_set *set = &files->sets[files->set_count - 1];

	CHECK(memory_grow(&set->paths, capacity, (size_t)set->count + 1, sizeof *set->paths, "files"));
	CHECK(memory_copy_text(path, &set->paths[set->count], "a path"));
	++set->count;
	return SONDE_OK;
}

static sonde_status add_set(struct series_files *files)
{
	size_t capacity = (size_t)files->set_count;

	CHECK(memory_grow(&files->sets, &capacity, (size_t)files->set_count + 1, sizeof *files->sets, "files"));
	files->sets[files->set_count++] = (struct series_set){0};
	return SONDE_OK;
}

sonde_status series_files_begin(const char *const *measured, int64_t rows, struct series_files *files)
{
	size_t capacity = 0;

	*files = (struct series_files){.rows = rows};
	CHECK(add_set(files));
	for (int64_t k = 0; k < rows; ++k)
		CHECK(add_path(files, measured[k], &capacity));
	return SONDE_OK;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A file, or all that match its name. */
static sonde_status add_name(struct series_files *files, const char *name, size_t *capacity)
{
	const struct series_set *set = &files->sets[files->set_count - 1];
	const int64_t before = set->count;
	glob_t found;

	if (strpbrk(name, "*?") == NULL || access(name, F_OK) == 0)
		return add_path(files, name, capacity);
	const int answer = glob(name, GLOB_NOSORT, NULL, &found);
	if (answer == GLOB_NOMATCH)
		return status_fail_option(SONDE_INVALID, "with", "no file is like %s", name);
	if (answer != 0)
		return status_fail_option(SONDE_INVALID, "with", "files like %s cannot be listed", name);
	sonde_status status = SONDE_OK;
	for (size_t k = 0; k < found.gl_pathc && status == SONDE_OK; ++k)
		status = add_path(files, found.gl_pathv[k], capacity);
	globfree(&found);
	if (status == SONDE_OK)
		qsort(set->paths + before, (size_t)(set->count - before), sizeof *set->paths, compare_paths);
	return status;
}

static bool is_library(const char *name)
{
	return file_has_suffix(name, ".h5") || file_has_suffix(name, ".hdf5") || file_has_suffix(name, ".nxs");
}

/* The first file is measured, and so are further ones that are not HDF5 files, as in the command's own list. */
static sonde_status read_item(struct series_files *files, char *item, char **libraries)
{
	const struct series_set *set = &files->sets[files->set_count - 1];
	size_t capacity = 0;

	for (char *name = item, *rest; name != NULL && *libraries == NULL; name = rest) {
		rest = strchr(name, ',');
		if (rest != NULL)
			*rest = '\0';
		name += strspn(name, " ");
		if (set->count > 0 && is_library(name)) {
			*libraries = name;
			if (rest != NULL)
				*rest = ',';
		} else if (name[0] != '\0') {
			CHECK(add_name(files, name, &capacity));
		}
		rest = rest != NULL ? rest + 1 : NULL;
	}
	if (set->count == 0 || *libraries == NULL)
		return status_fail_option(SONDE_INVALID, "with",
					  "needs a measured curve and a library, as in neutron.xy,neutron.h5");
	return SONDE_OK;
}

sonde_status series_files_add(struct series_files *files, char *item, char **libraries)
{
	*libraries = NULL;
	CHECK(add_set(files));
	CHECK(read_item(files, item, libraries));
	const struct series_set *set = &files->sets[files->set_count - 1];
	if (set->count == 1 || set->count == files->rows)
		return SONDE_OK;
	if (files->rows == 1)
		return status_fail_option(SONDE_INVALID, "with",
					  "has %lld measured curves, %s, ..., and the fit is that of one: "
					  "several data sets are separated by semicolons",
					  (long long)set->count, set->paths[0]);
	return status_fail_option(SONDE_INVALID, "with",
				  "has %lld measured curves, %s, ..., and the series has %lld: one for all curves "
				  "is needed, or one for each",
				  (long long)set->count, set->paths[0], (long long)files->rows);
}

void series_files_free(struct series_files *files)
{
	for (int d = 0; d < files->set_count; ++d) {
		for (int64_t k = 0; k < files->sets[d].count; ++k)
			free(files->sets[d].paths[k]);
		free(files->sets[d].paths);
	}
	free(files->sets);
	*files = (struct series_files){0};
}

const char *series_file(const struct series_files *files, int set, int64_t row)
{
	const struct series_set *of = &files->sets[set];

	return of->paths[of->count == 1 ? 0 : row];
}

sonde_status series_files_replace(const struct series_files *files, int64_t row, const sonde_match_options *options,
				  const struct data_set *first, struct data_set *sets)
{
	for (int d = 0; d < files->set_count; ++d) {
		sets[d].level = first[d].level;
		/* a file for all rows may have the weights of the fit of another row */
		CHECK(files->sets[d].count == 1 ? data_set_weigh(&sets[d], NULL)
						: data_set_replace(series_file(files, d, row), options, &sets[d]));
	}
	return SONDE_OK;
}
