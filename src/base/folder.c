#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

sonde_status folder_path(const char *folder, const char *name, char path[PATH_MAX])
{
	size_t length = strlen(folder), more = name != NULL ? strlen(name) + 1 : 0;

	while (length > 1 && folder[length - 1] == '/')
		--length;
	if (length == 0)
		return status_fail(SONDE_INVALID, "the name of the folder is empty");
	if (length + more + 64 > PATH_MAX)
		return status_fail(SONDE_INVALID, "%.64s...: the name of the folder is too long", folder);
	snprintf(path, PATH_MAX, "%.*s%s%s", (int)length, folder, name != NULL ? "/" : "", name != NULL ? name : "");
	return SONDE_OK;
}

bool folder_is_there(const char *path)
{
	struct stat properties;

	return lstat(path, &properties) == 0;
}

sonde_status folder_check(const char *folder)
{
	char path[PATH_MAX];
	struct stat properties;

	CHECK(folder_path(folder, NULL, path));
	if (!folder_is_there(path))
		return file_check_output(path, false);
	if (stat(path, &properties) != 0 || !S_ISDIR(properties.st_mode))
		return status_fail_file(SONDE_INVALID, path, "is not a folder");
	if (access(path, W_OK | X_OK) != 0)
		return status_fail_file(SONDE_INVALID, path, "the folder cannot be written: %s", strerror(errno));
	return SONDE_OK;
}

sonde_status folder_make(const char *folder, bool *made)
{
	char path[PATH_MAX];

	*made = false;
	CHECK(folder_path(folder, NULL, path));
	if (folder_is_there(path))
		return SONDE_OK;
	if (mkdir(path, 0777) != 0)
		return status_fail_file(SONDE_RESOURCE, path, "the folder cannot be created: %s", strerror(errno));
	*made = true;
	return SONDE_OK;
}

sonde_status folder_find(const char *folder, bool (*is_meant)(const char *name, const void *user), const void *user,
			 char **name)
{
	DIR *entries = opendir(folder);
	const struct dirent *entry;

	*name = NULL;
	if (entries == NULL)
		return errno == ENOENT ? SONDE_OK
				       : status_fail_file(SONDE_INVALID, folder, "the folder cannot be read: %s",
							  strerror(errno));
	while (*name == NULL && (entry = readdir(entries)) != NULL)
		if (is_meant(entry->d_name, user) && (*name = strdup(entry->d_name)) == NULL) {
			closedir(entries);
			return memory_missing("a path");
		}
	closedir(entries);
	return SONDE_OK;
}

sonde_status folder_files_begin(struct folder_files *files, const char *folder)
{
	*files = (struct folder_files){.folder = folder};
	return folder_make(folder, &files->made);
}

sonde_status folder_files_add(struct folder_files *files, const char *name, char path[PATH_MAX])
{
	CHECK(folder_path(files->folder, name, path));
	if (folder_is_there(path))
		return SONDE_OK;
	CHECK(memory_grow(&files->added, &files->capacity, files->count + 1, sizeof *files->added,
			  "the names of files"));
	CHECK(memory_copy_text(name, &files->added[files->count], "the name of a file"));
	++files->count;
	return SONDE_OK;
}

static void remove_added(const struct folder_files *files, size_t count)
{
	char path[PATH_MAX];

	for (size_t k = 0; k < count; ++k)
		if (folder_path(files->folder, files->added[k], path) == SONDE_OK)
			unlink(path);
	if (files->made && folder_path(files->folder, NULL, path) == SONDE_OK)
		rmdir(path);
}

sonde_status folder_files_end(struct folder_files *files, sonde_status status)
{
	/* the last one was refused if a file of another process had appeared in its place */
	if (status != SONDE_OK)
		remove_added(files, files->count - (status == SONDE_INVALID && files->count > 0));
	for (size_t k = 0; k < files->count; ++k)
		free(files->added[k]);
	free(files->added);
	*files = (struct folder_files){0};
	return status;
}
