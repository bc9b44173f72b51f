/* Folders for results that consist of several files. */
#ifndef SONDE_BASE_FOLDER_H
#define SONDE_BASE_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* The folder's name without slashes at its end, or that of a file in it if `name` is not null. SONDE_INVALID where it is
 * empty or too long. */
sonde_status folder_path(const char *folder, const char *name, char path[PATH_MAX]);
/* Whether a file or folder of that name exists. */
bool folder_is_there(const char *path);
/* Checks before the computation that a folder exists and can be written to, or that it can be created: its parent
 * exists. */
sonde_status folder_check(const char *folder);
/* Creates it if it does not exist; *made: whether it was created. */
sonde_status folder_make(const char *folder, bool *made);
/* *name: an entry of the folder for which `is_meant` returns true, to be freed; null if there is none, or no folder.
 * */
sonde_status folder_find(const char *folder, bool (*is_meant)(const char *name, const void *user), const void *user,
			 char **name);

/* Files written to a folder, all or none: if one fails, new ones are removed again, and so is the folder if it was
 * created for them. Replaced files stay. */
struct folder_files {
	const char *folder;
	bool made;
	char **added; /* names of new files; the last one may not exist yet */
	size_t count, capacity;
};

/* Creates the folder if it does not exist. `folder` must outlast the files. */
sonde_status folder_files_begin(struct folder_files *files, const char *folder);
/* Returns the path of the next file, to be written next. */
sonde_status folder_files_add(struct folder_files *files, const char *name, char path[PATH_MAX]);
/* Ends it with the status of the last step, and returns that. */
sonde_status folder_files_end(struct folder_files *files, sonde_status status);

#endif
