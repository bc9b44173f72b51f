#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_names.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "base/standard_output.h"

#define MOST_LINKS 40  /* symbolic ones, one after the other */
#define PART_SUFFIX 32 /* bytes that the name of an unfinished file is longer */

static sonde_status cannot_write(const char *path)
{
	return status_fail(SONDE_RESOURCE, "%s: cannot be written: %s; nothing was left there", path,
			   strerror(errno));
}

/* The folder of `path`, to be freed. */
static char *folder_of(const char *path)
{
	char *copy = strdup(path), *folder;

	if (copy == NULL)
		return NULL;
	folder = strdup(dirname(copy));
	free(copy);
	return folder;
}

static sonde_status already_exists(const char *path)
{
	return status_fail(SONDE_INVALID, "%s: exists already; choose another name or add --force", path);
}

static sonde_status check_name(const char *path)
{
	if (path[0] == '\0')
		return status_fail(SONDE_INVALID, "the name of the output file is empty");
	const char *slash = strrchr(path, '/');
	if (strlen(path) + PART_SUFFIX > PATH_MAX ||
	    strlen(slash != NULL ? slash + 1 : path) + PART_SUFFIX > NAME_MAX)
		return status_fail(SONDE_INVALID, "%.64s...: the name of the output file is too long", path);
	if (file_has_suffix(path, "/"))
		return status_fail(SONDE_INVALID, "%s: is a folder, not a file name", path);
	return SONDE_OK;
}

static sonde_status check_folder(const char *path)
{
	struct stat properties;
	char *folder = folder_of(path);
	sonde_status status = SONDE_OK;

	if (folder == NULL)
		return status_fail(SONDE_RESOURCE, "not enough memory for a path");
	if (stat(folder, &properties) != 0)
		status = status_fail(SONDE_INVALID, "%s: the folder '%s' does not exist", path, folder);
	else if (!S_ISDIR(properties.st_mode))
		status = status_fail(SONDE_INVALID, "%s: '%s' is not a folder", path, folder);
	else if (access(folder, W_OK | X_OK) != 0)
		status = status_fail(SONDE_INVALID, "%s: the folder '%s' cannot be written: %s", path, folder,
				     strerror(errno));
	free(folder);
	return status;
}

/* What a file of that name would be written to: where symbolic links lead, also to a file that is not there yet. To be freed. */
static sonde_status follow_links(const char *path, char **target)
{
	char link[PATH_MAX];
	struct stat properties;

	*target = strdup(path);
	for (int k = 0; *target != NULL && lstat(*target, &properties) == 0 && S_ISLNK(properties.st_mode); ++k) {
		ssize_t size = readlink(*target, link, sizeof link - 1);
		if (size < 0 || k == MOST_LINKS) {
			free(*target);
			*target = NULL;
			return status_fail(SONDE_INVALID, "%s: its symbolic links %s", path,
					   size < 0 ? "cannot be read" : "form a loop");
		}
		link[size] = '\0';
		char *folder = folder_of(*target), *next = NULL;
		if (folder != NULL &&
		    (link[0] == '/' ? asprintf(&next, "%s", link) : asprintf(&next, "%s/%s", folder, link)) < 0)
			next = NULL;
		free(folder);
		free(*target);
		*target = next;
	}
	return *target != NULL ? SONDE_OK : status_fail(SONDE_RESOURCE, "not enough memory for a path");
}

/* What is there already, if anything. */
static sonde_status check_present(const char *path, bool overwrite)
{
	struct stat properties;
	bool present = stat(path, &properties) == 0;

	if (present && S_ISDIR(properties.st_mode))
		return status_fail(SONDE_INVALID, "%s: is a folder, not a file name", path);
	if (present && !S_ISREG(properties.st_mode))
		return status_fail(SONDE_INVALID,
				   "%s: is a pipe, a device or a socket, and not a file that could be replaced",
				   path);
	if (!overwrite && lstat(path, &properties) == 0)
		return already_exists(path);
	return SONDE_OK;
}

/* The file that is to be written, to be freed. */
static sonde_status find_output(const char *path, bool overwrite, char **target)
{
	*target = NULL;
	CHECK(check_name(path));
	CHECK(check_folder(path));
	CHECK(check_present(path, overwrite));
	CHECK(follow_links(path, target));
	sonde_status status = strcmp(*target, path) != 0 ? check_name(*target) : SONDE_OK;
	if (status == SONDE_OK && strcmp(*target, path) != 0)
		status = check_folder(*target);
	if (status != SONDE_OK) {
		free(*target);
		*target = NULL;
	}
	return status;
}

sonde_status file_check_output(const char *path, bool overwrite)
{
	char *target;

	if (standard_output_is(path))
		return SONDE_OK;
	sonde_status status = find_output(path, overwrite, &target);

	free(target);
	if (status != SONDE_OK)
		status_locate(path, 0, 0, NULL);
	return status;
}

/* Creates a new file beside `path`, with the permissions that the process gives to files. */
static int create_beside(const char *path, char **name)
{
	static atomic_uint count;

	for (int attempt = 0; attempt < 100; ++attempt) {
		if (asprintf(name, "%s.part-%ld-%u", path, (long)getpid(), atomic_fetch_add(&count, 1)) < 0) {
			*name = NULL;
			errno = ENOMEM;
			return -1;
		}
		int descriptor = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (descriptor >= 0)
			return descriptor;
		free(*name);
		*name = NULL;
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

sonde_status file_output_open(struct file_output *output, const char *path, bool overwrite)
{
	char *target;
	int descriptor;

	if (standard_output_is(path))
		return standard_output_open(output);
	*output = (struct file_output){.overwrite = overwrite};
	sonde_status status = find_output(path, overwrite, &target);
	if (status != SONDE_OK)
		return status;
	output->path = target;
	/* the analyzer does not see that file_output_discard() and _commit() free the path */
	descriptor = create_beside(target, &output->temporary); // NOLINT(clang-analyzer-unix.Malloc)
	if (descriptor < 0 || (output->stream = fdopen(descriptor, "wb")) == NULL) {
		int reason = errno;
		if (descriptor >= 0)
			close(descriptor);
		file_output_discard(output);
		errno = reason;
		return cannot_write(path);
	}
	return SONDE_OK;
}

/* rename() that refuses to replace a file which appeared meanwhile. */
static int rename_to_new(const char *from, const char *to)
{
	if (link(from, to) != 0)
		return errno == EEXIST || errno == ENOSPC ? -1 : rename(from, to);
	return unlink(from);
}

sonde_status file_output_commit(struct file_output *output)
{
	sonde_status status = SONDE_OK;
	bool wrong = ferror(output->stream) != 0;
	int reason = wrong ? EIO : 0;

	if (standard_output_is(output->path))
		return standard_output_commit(output);
	errno = 0;
	if (fflush(output->stream) != 0 || fsync(fileno(output->stream)) != 0) {
		if (errno != EINVAL && errno != ENOTSUP) { /* no fsync on this file system */
			wrong = true;
			reason = errno;
		}
	}
	if (fclose(output->stream) != 0 && !wrong) {
		wrong = true;
		reason = errno;
	}
	output->stream = NULL;
	if (!wrong && (output->overwrite ? rename(output->temporary, output->path)
					 : rename_to_new(output->temporary, output->path)) != 0) {
		wrong = true;
		reason = errno;
	}
	if (wrong) {
		errno = reason;
		status = reason == EEXIST ? already_exists(output->path) : cannot_write(output->path);
	} else {
		output->temporary[0] = '\0';
	}
	file_output_discard(output);
	return status;
}

void file_output_discard(struct file_output *output)
{
	if (output->stream != NULL)
		fclose(output->stream);
	if (output->temporary != NULL && output->temporary[0] != '\0')
		unlink(output->temporary);
	free(output->temporary);
	free(output->path);
	*output = (struct file_output){0};
}

sonde_status file_write(const char *path, const void *bytes, size_t size, bool overwrite)
{
	struct file_output output;

	CHECK(file_output_open(&output, path, overwrite));
	errno = 0;
	if (fwrite(bytes, 1, size, output.stream) != size) {
		int reason = errno;
		file_output_discard(&output);
		errno = reason;
		return cannot_write(path);
	}
	return file_output_commit(&output);
}

sonde_status file_sha256(const char *path, bool (*cancelled)(void *user), void *user, char digest[65])
{
	enum { BLOCK = 1 << 16 };
	FILE *file = fopen(path, "rbe");
	struct sha256 hash;
	unsigned char *block;
	size_t got;

	if (file == NULL)
		return status_fail(SONDE_INVALID, "%s: cannot be read: %s", path, strerror(errno));
	sonde_status status = memory_allocate(&block, BLOCK, 1, "a file buffer");
	if (status == SONDE_OK) {
		sha256_begin(&hash);
		while (status == SONDE_OK && (got = fread(block, 1, BLOCK, file)) > 0) {
			sha256_add(&hash, block, got);
			if (cancelled != NULL && cancelled(user))
				status = status_fail(SONDE_CANCELLED, "stopped on request while reading %s", path);
		}
		if (status == SONDE_OK && ferror(file))
			status = status_fail(SONDE_RESOURCE, "%s: reading failed", path);
		sha256_end(&hash, digest);
	}
	free(block);
	fclose(file);
	return status;
}

bool file_has_suffix(const char *path, const char *suffix)
{
	path = file_names_get(path);
	size_t m = strlen(path), n = strlen(suffix);

	return m >= n && strcmp(path + m - n, suffix) == 0;
}
