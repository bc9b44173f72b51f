#include "run/shared_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

#define TOKEN_BYTES 16

/* File systems whose clients write whole pages from what they have in memory, also where another machine has written meanwhile: NFS, SMB,
 * and those of user space (statfs(2)). */
#define OF_NFS 0x6969
#define OF_SMB 0xff534d42
#define OF_SMB2 0xfe534d42
#define OF_FUSE 0x65735546

/* What rank 0 says of its file. */
struct invitation {
	char name[PATH_MAX]; /* empty: it writes alone */
	unsigned char token[TOKEN_BYTES];
	int64_t place;
};

static bool on_one_machine(const struct parallel *ranks)
{
	return parallel_local_size(ranks) == parallel_size(ranks);
}

sonde_status shared_file_prepare(struct parallel *ranks, struct file_output *output)
{
	return on_one_machine(ranks) ? SONDE_OK : file_output_give_name(output);
}

static bool keeps_neighbors(const char *name)
{
	struct statfs of;

	if (statfs(name, &of) != 0)
		return false;
	const uint32_t type = (uint32_t)of.f_type;
	return type != OF_NFS && type != OF_SMB && type != OF_SMB2 && type != OF_FUSE;
}

/* A file without a name is found by the number of this process, on the same machine. */
static bool find_name(const struct parallel *ranks, const struct file_output *output, char name[PATH_MAX])
{
	if (output->stream == NULL || output->temporary == NULL)
		return false; /* the standard output */
	if (!output->nameless)
		return realpath(output->temporary, name) != NULL && (on_one_machine(ranks) || keeps_neighbors(name));
	snprintf(name, PATH_MAX, "/proc/%ld/fd/%d", (long)getpid(), fileno(output->stream));
	return on_one_machine(ranks);
}

/* What no other file has at this place. */
static void make_token(unsigned char token[TOKEN_BYTES])
{
	struct timespec now;
	const uint64_t process = (uint64_t)getpid();
	uint64_t words[2];

	clock_gettime(CLOCK_REALTIME, &now);
	words[0] = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	words[1] = ~(process << 32 ^ (uint64_t)(uintptr_t)token);
	memcpy(token, words, TOKEN_BYTES);
}

static void invite(const struct parallel *ranks, const struct file_output *output, struct invitation *invitation)
{
	if (!find_name(ranks, output, invitation->name)) {
		invitation->name[0] = '\0';
		return;
	}
	make_token(invitation->token);
	const int file = fileno(output->stream);
	if (pwrite(file, invitation->token, TOKEN_BYTES, invitation->place) != TOKEN_BYTES || fsync(file) != 0)
		invitation->name[0] = '\0';
}

/* The file of the invitation, or -1. */
static int follow(const struct invitation *invitation)
{
	unsigned char token[TOKEN_BYTES];
	const int file = open(invitation->name, O_RDWR | O_CLOEXEC);

	if (file < 0)
		return -1;
	if (pread(file, token, TOKEN_BYTES, invitation->place) == TOKEN_BYTES &&
	    memcmp(token, invitation->token, TOKEN_BYTES) == 0)
		return file;
	close(file);
	return -1;
}

static void accept(const struct invitation *invitation, const char *path, struct file_output *output)
{
	const int file = follow(invitation);

	*output = (struct file_output){.nameless = true}; /* the name is that of rank 0 */
	if (file < 0)
		return;
	output->path = strdup(path);
	output->stream = output->path != NULL ? fdopen(file, "r+b") : NULL;
	if (output->stream != NULL)
		return;
	close(file);
	file_output_discard(output);
}

sonde_status shared_file_join(struct parallel *ranks, const char *path, int64_t place, struct file_output *output,
			      bool *joined)
{
	const bool first = parallel_is_first(ranks);
	struct invitation *invitation;

	*joined = false;
	CHECK(memory_allocate(&invitation, 1, sizeof *invitation, "a file"));
	invitation->place = place;
	if (first)
		invite(ranks, output, invitation);
	sonde_status status = parallel_broadcast(ranks, invitation, sizeof *invitation);
	if (status == SONDE_OK && invitation->name[0] != '\0') {
		if (!first)
			accept(invitation, path, output);
		uint64_t missing = output->stream == NULL;
		status = parallel_sum(ranks, &missing, 1);
		*joined = status == SONDE_OK && missing == 0;
		if (!*joined && !first)
			file_output_discard(output);
	}
	free(invitation);
	return status;
}

sonde_status shared_file_settle(struct parallel *ranks, struct file_output *output, sonde_status status)
{
	/* some file systems have no fsync() */
	if (status == SONDE_OK && fsync(fileno(output->stream)) != 0 && errno != EINVAL && errno != ENOTSUP) {
		output->reason = errno;
		status = file_output_fail(output);
	}
	return parallel_agree(ranks, status);
}

sonde_status shared_file_put(struct file_output *output, const void *bytes, size_t size, int64_t place)
{
	const char *from = bytes;

	while (size > 0) {
		const ssize_t now = pwrite(fileno(output->stream), from, size, place);
		if (now < 0 && errno == EINTR)
			continue;
		if (now <= 0) {
			output->reason = now < 0 ? errno : ENOSPC;
			return file_output_fail(output);
		}
		from += now;
		size -= (size_t)now;
		place += now;
	}
	return SONDE_OK;
}
