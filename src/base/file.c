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

#define MOST_LINKS 40  /* symbolic links that are followed in a chain */
#define PART_SUFFIX 32 /* bytes by which the name of an unfinished file is longer */
#define MOST_NAMES 100 /* names that are tried for one file */

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
	return status_fail_file(SONDE_INVALID, path, "exists already; choose another name or add `force`");
}

static sonde_status check_name(const char *path)
{
	if (path[0] == '\0')
		return status_fail(SONDE_INVALID, "the name of the output file is empty");
	int bytes;
	if (status_find_control(path, &bytes) != NULL)
		return status_fail_file(
		    SONDE_INVALID, path,
		    "the name of the output file has control characters ('?'); choose one without");
	const char *slash = strrchr(path, '/');
	if (strlen(path) + PART_SUFFIX > PATH_MAX ||
	    strlen(slash != NULL ? slash + 1 : path) + PART_SUFFIX > NAME_MAX)
		return status_fail(SONDE_INVALID, "%.64s...: the name of the output file is too long", path);
	if (file_has_suffix(path, "/"))
		return status_fail_file(SONDE_INVALID, path, "is a folder, not a file name");
	return SONDE_OK;
}

static sonde_status check_folder(const char *path)
{
	struct stat properties;
	char *folder = folder_of(path);
	sonde_status status = SONDE_OK;

	if (folder == NULL)
		return memory_missing("a path");
	if (stat(folder, &properties) != 0)
		status = status_fail_file(SONDE_INVALID, path, "the folder '%s' does not exist", folder);
	else if (!S_ISDIR(properties.st_mode))
		status = status_fail_file(SONDE_INVALID, path, "'%s' is not a folder", folder);
	else if (access(folder, W_OK | X_OK) != 0)
		status = status_fail_file(SONDE_INVALID, path, "the folder '%s' cannot be written: %s", folder,
					  strerror(errno));
	free(folder);
	return status;
}

sonde_status file_follow_links(const char *path, char **target)
{
	char link[PATH_MAX];
	struct stat properties;

	*target = strdup(path);
	for (int k = 0; *target != NULL && lstat(*target, &properties) == 0 && S_ISLNK(properties.st_mode); ++k) {
		ssize_t size = readlink(*target, link, sizeof link - 1);
		if (size < 0 || k == MOST_LINKS) {
			free(*target);
			*target = NULL;
			return status_fail_file(SONDE_INVALID, path, "its symbolic links %s",
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
	return *target != NULL ? SONDE_OK : memory_missing("a path");
}

/* Checks the file that exists already, if any. */
static sonde_status check_present(const char *path, bool overwrite)
{
	struct stat properties;
	bool present = stat(path, &properties) == 0;

	if (present && S_ISDIR(properties.st_mode))
		return status_fail_file(SONDE_INVALID, path, "is a folder, not a file name");
	if (present && !S_ISREG(properties.st_mode))
		return status_fail_file(SONDE_INVALID, path,
					"is a pipe, a device or a socket, not a file that can be replaced");
	if (!overwrite && lstat(path, &properties) == 0)
		return already_exists(path);
	return SONDE_OK;
}

/* The file to be written; to be freed. */
static sonde_status find_output(const char *path, bool overwrite, char **target)
{
	*target = NULL;
	CHECK(check_name(path));
	CHECK(check_folder(path));
	CHECK(check_present(path, overwrite));
	CHECK(file_follow_links(path, target));
	if (*target == NULL)
		return memory_missing("a path");
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

/* Output files -------------------------------------------------------------------------------
 *
 * Where the file system supports files without a name (O_TMPFILE), the file gets its name when it is complete: however the process
 * ends, nothing is left of an incomplete one. Elsewhere the file has a temporary name and is renamed. */

static sonde_status cannot_write(const char *path, int reason, bool clean)
{
	struct stat properties;
	const char *left = !clean ? "an incomplete file with '.part' in its name is left next to it"
			   : lstat(path, &properties) == 0 ? "the earlier file is unchanged"
							   : "no file was left";

	return status_fail_file(SONDE_RESOURCE, path, "cannot be written: %s; %s",
				strerror(reason != 0 ? reason : EIO), left);
}

/* A name next to `path` that no other process and no other file of this one uses, to be freed; null without memory.
 * */
static char *name_beside(const char *path)
{
	static atomic_uint count;
	char *name;

	if (asprintf(&name, "%s.part-%ld-%u", path, (long)getpid(), atomic_fetch_add(&count, 1)) < 0) {
		errno = ENOMEM;
		return NULL;
	}
	return name;
}

/* Creates a new file next to `path`, with the process's default permissions. */
static int create_beside(const char *path, char **name)
{
	for (int attempt = 0; attempt < MOST_NAMES; ++attempt) {
		*name = name_beside(path);
		if (*name == NULL)
			return -1;
		int descriptor = open(*name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (descriptor >= 0)
			return descriptor;
		int reason = errno;
		free(*name);
		*name = NULL;
		errno = reason;
		if (reason != EEXIST)
			return -1;
	}
	return -1;
}

/* A file without a name in the folder of `path`, and the name by which the process itself finds it. -1 where the file system
 * does not support it, or without /proc, the only way to give it a name. */
static int create_nameless(const char *path, char **name)
{
	char *folder = folder_of(path);
	int descriptor = folder != NULL ? open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0666) : -1;

	free(folder);
	*name = NULL;
	if (descriptor >= 0 &&
	    (asprintf(name, FILE_NAMELESS "%d", descriptor) < 0 || access(*name, R_OK | W_OK) != 0)) {
		free(*name);
		*name = NULL;
		close(descriptor);
		descriptor = -1;
	}
	return descriptor;
}

static sonde_status open_stream(struct file_output *output, int descriptor)
{
	if (descriptor >= 0 && (output->stream = fdopen(descriptor, "wb")) != NULL)
		return SONDE_OK;
	int reason = errno;
	if (descriptor >= 0)
		close(descriptor);
	bool clean = output->nameless || output->temporary == NULL || unlink(output->temporary) == 0;
	sonde_status status = cannot_write(output->path, reason, clean);
	if (output->temporary != NULL)
		output->temporary[0] = '\0';
	file_output_discard(output);
	return status;
}

static sonde_status open_standard_output(struct file_output *output)
{
	*output = (struct file_output){.path = strdup(STANDARD_OUTPUT_PATH)};
	sonde_status status = output->path != NULL ? standard_output_open(&output->stream) : memory_missing("a path");
	if (status != SONDE_OK)
		file_output_discard(output);
	return status;
}

static sonde_status commit_standard_output(struct file_output *output)
{
	const bool copied = standard_output_copy(output->stream);
	const int reason = output->reason != 0 ? output->reason : errno;

	file_output_discard(output);
	return copied ? SONDE_OK : standard_output_fail(reason);
}

sonde_status file_output_open(struct file_output *output, const char *path, bool overwrite)
{
	char *target;

	if (standard_output_is(path))
		return open_standard_output(output);
	*output = (struct file_output){.overwrite = overwrite};
	sonde_status status = find_output(path, overwrite, &target);
	if (status != SONDE_OK)
		return status;
	output->path = target;
	/* the analyzer misses that file_output_discard() and _commit() free the path */
	int descriptor = create_nameless(target, &output->temporary); // NOLINT(clang-analyzer-unix.Malloc)
	output->nameless = descriptor >= 0;
	if (!output->nameless)
		descriptor = create_beside(target, &output->temporary); // NOLINT(clang-analyzer-unix.Malloc)
	return open_stream(output, descriptor);
}

sonde_status file_output_give_name(struct file_output *output)
{
	if (!output->nameless)
		return SONDE_OK;
	fclose(output->stream);
	free(output->temporary);
	output->stream = NULL;
	output->nameless = false;
	return open_stream(output, create_beside(output->path, &output->temporary));
}

bool file_output_put(struct file_output *output, const void *bytes, size_t size)
{
	errno = 0;
	if (fwrite(bytes, 1, size, output->stream) == size)
		return true;
	if (output->reason == 0)
		output->reason = errno != 0 ? errno : EIO;
	errno = output->reason;
	return false;
}

/* rename() that refuses to replace a file that has appeared in the meantime. */
static int rename_to_new(const char *from, const char *to)
{
	struct stat properties;

	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != ENOSYS && errno != EINVAL)
		return -1;
	/* not on this file system: a second name (link() fails if the file exists), then the first is removed */
	if (link(from, to) == 0)
		return unlink(from);
	if (errno == EEXIST || errno == ENOSPC || errno == EIO || errno == EDQUOT)
		return -1;
	if (lstat(to, &properties) == 0) {
		errno = EEXIST;
		return -1;
	}
	return rename(from, to); /* no second names either: FAT */
}

/* Copies the whole file into one next to the output, which becomes output->temporary: some file systems create files
 * without a name but cannot give them one. */
static int copy_beside(struct file_output *output, char *name)
{
	char block[16384];
	off_t at = 0;
	ssize_t got = 0;
	int from = open(output->temporary, O_RDONLY | O_CLOEXEC);
	int to = from >= 0 ? open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;

	while (to >= 0 && (got = pread(from, block, sizeof block, at)) > 0) {
		errno = ENOSPC; /* where fewer bytes are written without a reason */
		if (write(to, block, (size_t)got) != got) {
			got = -1;
			break;
		}
		at += got;
	}
	if (to >= 0 && got == 0 && fsync(to) != 0 && errno != EINVAL && errno != ENOTSUP)
		got = -1;
	int reason = errno;
	if (to >= 0 && close(to) != 0 && got == 0) {
		got = -1;
		reason = errno;
	}
	if (from >= 0)
		close(from);
	if (to >= 0 && got < 0)
		unlink(name);
	errno = reason;
	return to >= 0 && got == 0 ? 0 : -1;
}

/* Whether a second name failed because the file system does not support it, not because of existing files. */
static bool links_are_refused(int reason)
{
	return reason == EPERM || reason == ENOTSUP || reason == ENOSYS || reason == EINVAL || reason == EXDEV ||
	       reason == ENOENT || reason == EMLINK || reason == EACCES;
}

/* A name for a file that has none. An existing file is replaced in a second step: no system call does both. */
static int name_nameless(struct file_output *output)
{
	if (linkat(AT_FDCWD, output->temporary, AT_FDCWD, output->path, AT_SYMLINK_FOLLOW) == 0) {
		output->temporary[0] = '\0';
		return 0;
	}
	if (errno == EEXIST ? !output->overwrite : !links_are_refused(errno))
		return -1;
	char *name = name_beside(output->path);
	if (name == NULL || (linkat(AT_FDCWD, output->temporary, AT_FDCWD, name, AT_SYMLINK_FOLLOW) != 0 &&
			     (!links_are_refused(errno) || copy_beside(output, name) != 0))) {
		int reason = errno;
		free(name);
		errno = reason;
		return -1;
	}
	free(output->temporary);
	output->temporary = name;
	output->nameless = false;
	return output->overwrite ? rename(name, output->path) : rename_to_new(name, output->path);
}

/* The name of a new file is stored in its folder. */
static int synchronize_folder(const char *path)
{
	char *name = folder_of(path);
	int folder = name != NULL ? open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	int result =
	    folder >= 0 && fsync(folder) != 0 && (errno == EIO || errno == ENOSPC || errno == EDQUOT) ? -1 : 0;
	int reason = errno;

	free(name);
	if (folder >= 0)
		close(folder);
	errno = reason;
	return result;
}

/* Some file systems, NFS among them, report errors only when a file is closed. A file without a name must stay open until it has
 * one: a copy of its descriptor is closed. */
static bool closes_well(int descriptor)
{
	int copy = dup(descriptor);

	return copy < 0 || close(copy) == 0 || errno == EINTR;
}

/* Flushes everything to the disk and sets the name. False on failure, with the reason in output->reason. */
static bool complete(struct file_output *output)
{
	errno = 0;
	if (ferror(output->stream) != 0) {
		output->reason = output->reason != 0 ? output->reason : EIO;
	} else if (fflush(output->stream) != 0 ||
		   (fsync(fileno(output->stream)) != 0 && errno != EINVAL && errno != ENOTSUP) ||
		   !closes_well(fileno(output->stream))) {
		output->reason = errno; /* EINVAL: this file system has no fsync() */
	} else {
		int result = output->nameless    ? name_nameless(output)
			     : output->overwrite ? rename(output->temporary, output->path)
						 : rename_to_new(output->temporary, output->path);
		if (result == 0) {
			output->temporary[0] = '\0';
			return true;
		}
		output->reason = errno;
	}
	output->reason = output->reason != 0 ? output->reason : EIO;
	return false;
}

sonde_status file_output_commit(struct file_output *output)
{
	if (standard_output_is(output->path))
		return commit_standard_output(output);
	if (!complete(output)) {
		if (output->reason != EEXIST)
			return file_output_fail(output);
		sonde_status status = already_exists(output->path);
		file_output_discard(output);
		return status;
	}
	sonde_status status = SONDE_OK;
	if (synchronize_folder(output->path) != 0)
		status = status_fail_file(SONDE_RESOURCE, output->path,
					  "is written, but a power failure may lose it: its folder cannot be "
					  "synchronized with the disk: %s",
					  strerror(errno));
	file_output_discard(output);
	return status;
}

/* Whether no trace of it is left. */
static bool clear_away(struct file_output *output)
{
	if (output->stream != NULL)
		fclose(output->stream);
	output->stream = NULL;
	bool clean = output->nameless || output->temporary == NULL || output->temporary[0] == '\0' ||
		     unlink(output->temporary) == 0 || errno == ENOENT;
	free(output->temporary);
	output->temporary = NULL;
	return clean;
}

sonde_status file_output_fail(struct file_output *output)
{
	int reason = output->reason != 0 ? output->reason : errno;

	if (standard_output_is(output->path)) {
		file_output_discard(output);
		return standard_output_fail(reason);
	}
	bool clean = clear_away(output);
	sonde_status status = cannot_write(output->path, reason, clean);

	file_output_discard(output);
	return status;
}

void file_output_discard(struct file_output *output)
{
	(void)clear_away(output);
	free(output->path);
	*output = (struct file_output){0};
}

sonde_status file_write(const char *path, const void *bytes, size_t size, bool overwrite)
{
	struct file_output output;

	CHECK(file_output_open(&output, path, overwrite));
	return file_output_put(&output, bytes, size) ? file_output_commit(&output) : file_output_fail(&output);
}

sonde_status file_sha256(const char *path, bool (*cancelled)(void *user), void *user, char digest[65])
{
	enum { BLOCK = 1 << 16 };
	FILE *file = fopen(path, "rbe");
	struct sha256 hash;
	unsigned char *block;
	size_t got;

	if (file == NULL)
		return status_fail_file(SONDE_INVALID, path, "cannot be read: %s", strerror(errno));
	sonde_status status = memory_allocate(&block, BLOCK, 1, "a file buffer");
	if (status == SONDE_OK) {
		sha256_begin(&hash);
		while (status == SONDE_OK && (got = fread(block, 1, BLOCK, file)) > 0) {
			sha256_add(&hash, block, got);
			if (cancelled != NULL && cancelled(user))
				status = status_fail(SONDE_CANCELLED, "stopped on request while reading %s", path);
		}
		if (status == SONDE_OK && ferror(file))
			status = errno == EISDIR ? status_fail_file(SONDE_INVALID, path, "is a folder, not a file")
						 : status_fail_file(SONDE_RESOURCE, path, "reading failed");
		sha256_end(&hash, digest);
	}
	free(block);
	fclose(file);
	return status;
}

sonde_status file_check_input(const char *path)
{
	struct stat properties;

	if (path[0] == '\0') /* of a variable of the shell that is not set */
		return status_fail(SONDE_INVALID, "the name of a file is empty");
	if (stat(path, &properties) != 0 || (S_ISREG(properties.st_mode) && access(path, R_OK) != 0))
		return status_fail_file(SONDE_INVALID, path, "cannot be read: %s", strerror(errno));
	if (S_ISDIR(properties.st_mode))
		return status_fail_file(SONDE_INVALID, path, "is a folder, not a file");
	return S_ISREG(properties.st_mode)
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, path,
				      "is a pipe or device, not a file; save it to a file first");
}

bool file_has_suffix(const char *path, const char *suffix)
{
	path = file_names_get(path);
	size_t m = strlen(path), n = strlen(suffix);

	return m >= n && strcmp(path + m - n, suffix) == 0;
}
