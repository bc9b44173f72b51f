#include "base/lock_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

#define SUFFIX ".lock"
#define MOST_TRIES 100
#define LONGEST_HOLDER 200

enum attempt { TAKEN, HELD, GONE, IMPOSSIBLE };

sonde_status lock_is_held(const char *output, const char *holder)
{
	return status_fail_file(SONDE_INVALID, output,
				"is being written by %s; wait for it, stop it, or choose another `output`", holder);
}

/* Locks the whole file for the open file description, not for the process: two runs in one process exclude each
 * other, too. */
static int lock_whole(int descriptor)
{
#if defined(F_OFD_SETLK)
	struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	if (fcntl(descriptor, F_OFD_SETLK, &all) == 0)
		return 0;
	if (errno != EINVAL)
		return -1;
#endif
	return flock(descriptor, LOCK_EX | LOCK_NB);
}

/* Whether the locked file still has its name: the previous run may have removed it in between. */
static bool is_there(int descriptor, const char *path)
{
	struct stat locked, named;

	return fstat(descriptor, &locked) == 0 && stat(path, &named) == 0 && locked.st_dev == named.st_dev &&
	       locked.st_ino == named.st_ino;
}

static enum attempt try_once(struct output_lock *lock)
{
	lock->descriptor = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (lock->descriptor < 0)
		return IMPOSSIBLE;
	if (lock_whole(lock->descriptor) != 0)
		return errno == EWOULDBLOCK || errno == EACCES || errno == EAGAIN ? HELD : IMPOSSIBLE;
	return is_there(lock->descriptor, lock->path) ? TAKEN : GONE;
}

static void drop(struct output_lock *lock)
{
	if (lock->descriptor >= 0)
		close(lock->descriptor);
	lock->descriptor = -1;
}

/* For runs that find it locked, and for users who find it. */
static void sign(const struct output_lock *lock)
{
	char host[65] = "", text[LONGEST_HOLDER];

	(void)gethostname(host, sizeof host - 1);
	const int size = snprintf(text, sizeof text, "process %ld on %s\n", (long)getpid(), host);
	/* the lock is valid without it */
	if (ftruncate(lock->descriptor, 0) != 0 || pwrite(lock->descriptor, text, (size_t)size, 0) != size)
		return;
}

/* The text written by the holder, without control characters. */
static void read_holder(int descriptor, char holder[LONGEST_HOLDER])
{
	ssize_t size = pread(descriptor, holder, LONGEST_HOLDER - 1, 0);

	size = size > 0 ? size : 0;
	holder[size] = '\0';
	holder[strcspn(holder, "\n")] = '\0';
	for (char *c = holder; *c != '\0'; ++c)
		if (*c < ' ' || *c > '~')
			*c = '?';
	if (strncmp(holder, "process ", 8) != 0)
		strcpy(holder, "another process");
}

sonde_status lock_file_take(const char *output, struct output_lock *lock)
{
	char holder[LONGEST_HOLDER];
	enum attempt attempt = GONE;

	*lock = (struct output_lock){.descriptor = -1};
	if (asprintf(&lock->path, "%s" SUFFIX, output) < 0) {
		lock->path = NULL;
		return memory_missing("a path");
	}
	for (int k = 0; k < MOST_TRIES && attempt == GONE; ++k) {
		drop(lock);
		attempt = try_once(lock);
	}
	if (attempt == TAKEN) {
		sign(lock);
		return SONDE_OK;
	}
	if (attempt == HELD)
		read_holder(lock->descriptor, holder);
	drop(lock);
	return attempt == HELD ? lock_is_held(output, holder) : SONDE_OK;
}

void lock_file_release(struct output_lock *lock)
{
	/* while it is held: a run that opens it now detects that it has lost its name */
	if (lock->descriptor >= 0)
		(void)unlink(lock->path);
	drop(lock);
	free(lock->path);
	lock->path = NULL;
}
