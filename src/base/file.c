#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/sha256.h"

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

sonde_status file_check_output(const char *path, bool overwrite)
{
	struct stat properties;
	char *folder;
	sonde_status status = SONDE_OK;

	if (path[0] == '\0')
		return status_fail(SONDE_INVALID, "the name of the output file is empty");
	if (file_has_suffix(path, "/"))
		return status_fail(SONDE_INVALID, "%s: is a folder, not a file name", path);
	folder = folder_of(path);
	if (folder == NULL)
		return status_fail(SONDE_RESOURCE, "not enough memory for a path");
	if (stat(folder, &properties) != 0)
		status = status_fail(SONDE_INVALID, "%s: the folder '%s' does not exist", path, folder);
	else if (!S_ISDIR(properties.st_mode))
		status = status_fail(SONDE_INVALID, "%s: '%s' is not a folder", path, folder);
	else if (access(folder, W_OK | X_OK) != 0)
		status = status_fail(SONDE_INVALID, "%s: the folder '%s' cannot be written: %s", path, folder,
				     strerror(errno));
	else if (stat(path, &properties) == 0 && S_ISDIR(properties.st_mode))
		status = status_fail(SONDE_INVALID, "%s: is a folder, not a file name", path);
	else if (!overwrite && lstat(path, &properties) == 0)
		status = already_exists(path);
	free(folder);
	return status;
}

sonde_status file_output_open(struct file_output *output, const char *path, bool overwrite)
{
	int descriptor;
	mode_t mask;

	*output = (struct file_output){.overwrite = overwrite};
	CHECK(file_check_output(path, overwrite));
	output->path = strdup(path);
	if (output->path == NULL || asprintf(&output->temporary, "%s.part-XXXXXX", path) < 0) {
		output->temporary = NULL;
		file_output_discard(output);
		return status_fail(SONDE_RESOURCE, "not enough memory for a path");
	}
	descriptor = mkstemp(output->temporary);
	if (descriptor < 0) {
		output->temporary[0] = '\0';
		file_output_discard(output);
		return cannot_write(path);
	}
	mask = umask(0);
	umask(mask);
	if (fchmod(descriptor, 0666 & ~mask) != 0 || fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0 ||
	    (output->stream = fdopen(descriptor, "wb")) == NULL) {
		int reason = errno;
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
	size_t m = strlen(path), n = strlen(suffix);

	return m >= n && strcmp(path + m - n, suffix) == 0;
}
