#include "base/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/vfs.h>
#endif

#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"

#define PROCESS_BITS 22 /* process numbers are below 2^22 (proc(5), pid_max) */
#define NAME_BITS 40
#define MOST_WAITS 1000

#if defined(__linux__) && defined(F_OFD_SETLK)
/* Whether all users of the folder see its locks: file systems managed by a single kernel (statfs(2)). */
static bool is_of_this_machine(int folder)
{
	static const uint32_t kinds[] = {
	    0xef53 /* ext */,       0x58465342 /* XFS */,      0x9123683e /* Btrfs */, 0x01021994 /* tmpfs */,
	    0x858458f6 /* ramfs */, 0x794c7630 /* overlay */,  0xf2f52010 /* F2FS */,  0x2fc12fc1 /* ZFS */,
	    0x4d44 /* FAT */,       0x2011bab0 /* exFAT */,    0x7366746e /* NTFS */,  0xca451a4e /* bcachefs */,
	    0x3153464a /* JFS */,   0x52654973 /* ReiserFS */, 0x3434 /* NILFS */,
	};
	struct statfs properties;

	if (fstatfs(folder, &properties) != 0)
		return false;
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
		if ((uint32_t)properties.f_type == kinds[k])
			return true;
	return false;
}

/* A mutex for the time between testing and locking. Another program's lock of the folder is not waited for
 * indefinitely. */
static void begin(int folder)
{
	const struct timespec millisecond = {.tv_nsec = 1000000};

	for (int k = 0; k < MOST_WAITS && flock(folder, LOCK_EX | LOCK_NB) != 0; ++k)
		(void)nanosleep(&millisecond, NULL);
}

static void end(int folder)
{
	(void)flock(folder, LOCK_UN);
}

/* Folders cannot be opened for writing, so only read locks are possible, which do not exclude each other: the kernel is
 * asked whether a write lock would be possible, but none is taken. The locks belong to the open file description, not to the
 * process: two runs of one process exclude each other, too, and another descriptor of the folder may be closed. */
static sonde_status lock_folder(int folder, const char *output, const char *name, bool *taken)
{
	const int64_t place = (int64_t)(checksum_bytes(0, name, strlen(name)) >> (64 - NAME_BITS)) << PROCESS_BITS;
	struct flock mine = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = place, .l_len = getpid()},
		     others = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = place, .l_len = 1};
	char holder[40];

	*taken = false;
	if (fcntl(folder, F_OFD_GETLK, &others) != 0)
		return SONDE_OK;
	if (others.l_type == F_UNLCK) {
		*taken = fcntl(folder, F_OFD_SETLK, &mine) == 0;
		return SONDE_OK;
	}
	snprintf(holder, sizeof holder, "process %lld", (long long)others.l_len);
	return lock_is_held(output, holder);
}

/* `path`: the output, with links resolved. */
static sonde_status take_of_folder(const char *output, char *path, struct output_lock *lock)
{
	char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;
	bool taken = false;

	if (slash != NULL)
		*slash = '\0';
	const int folder = open(slash == NULL ? "." : slash == path ? "/" : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return SONDE_OK;
	sonde_status status = SONDE_OK;
	if (is_of_this_machine(folder)) {
		begin(folder);
		status = lock_folder(folder, output, name, &taken);
		end(folder);
	}
	if (taken)
		lock->descriptor = folder;
	else
		close(folder);
	return status;
}
#else
static sonde_status take_of_folder(const char *output, char *path, struct output_lock *lock)
{
	(void)output;
	(void)path;
	(void)lock;
	return SONDE_OK;
}
#endif

sonde_status output_lock_take(const char *output, struct output_lock *lock)
{
	char *target, *path;

	*lock = (struct output_lock){.descriptor = -1};
	CHECK(file_follow_links(output, &target));
	path = strdup(target);
	sonde_status status = path == NULL ? memory_missing("a path") : take_of_folder(output, path, lock);
	if (status == SONDE_OK && lock->descriptor < 0)
		status = lock_file_take(target, lock);
	free(path);
	free(target);
	return status;
}

void output_lock_release(struct output_lock *lock)
{
	if (lock->path != NULL) {
		lock_file_release(lock);
		return;
	}
	if (lock->descriptor >= 0)
		close(lock->descriptor);
	lock->descriptor = -1;
}
