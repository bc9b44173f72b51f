#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_DIRECT, O_TMPFILE */
#endif
#include "fdtd/streaming/scratch_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"

#define WHAT "the scratch file"
#define OPTION "store"
#define GIGABYTE 1e9

/* The file ---------------------------------------------------------------------------------------------- */

static bool is_folder(const char *path)
{
	struct stat about;

	return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* The folder that holds it. */
static void folder_of(const char *path, char folder[PATH_MAX])
{
	const char *slash = strrchr(path, '/');

	if (is_folder(path))
		snprintf(folder, PATH_MAX, "%s", path);
	else if (slash == NULL)
		snprintf(folder, PATH_MAX, ".");
	else
		snprintf(folder, PATH_MAX, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

/* A file that other programs do not see, where the file system has such files; else one that loses its name at once. */
static int open_in_folder(const char *folder)
{
	char name[PATH_MAX + 32];
	int descriptor = -1;

#ifdef O_TMPFILE
	descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (descriptor >= 0)
		return descriptor;
#endif
	snprintf(name, sizeof name, "%s/sonde-scratch-XXXXXX", folder);
	descriptor = mkostemp(name, O_CLOEXEC);
	if (descriptor >= 0)
		(void)unlink(name);
	return descriptor;
}

/* A new file, which may not have the name of one that exists; without that name, as other ranks are given it as well. */
static int open_new(const char *path)
{
	char folder[PATH_MAX];
	struct stat about;

	folder_of(path, folder);
	if (lstat(path, &about) != 0)
		return open_in_folder(folder);
	errno = EEXIST;
	return -1;
}

/* Whether a block can be written around the system's cache: some file systems accept the flag only. */
static bool make_direct(int descriptor)
{
	char *block = aligned_alloc(SCRATCH_BLOCK, SCRATCH_BLOCK);
	bool direct = false;

#ifdef O_DIRECT
	const int flags = fcntl(descriptor, F_GETFL);
	if (block != NULL && flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_DIRECT) == 0) {
		memset(block, 0, SCRATCH_BLOCK);
		direct = pwrite(descriptor, block, SCRATCH_BLOCK, 0) == (ssize_t)SCRATCH_BLOCK;
		if (!direct)
			(void)fcntl(descriptor, F_SETFL, flags);
	}
#endif
	free(block);
	return direct;
}

static sonde_status open_descriptor(struct scratch_file *file)
{
	file->descriptor = is_folder(file->path) ? open_in_folder(file->path) : open_new(file->path);
	if (file->descriptor < 0)
		return status_fail_option(SONDE_INVALID, OPTION, "a scratch file cannot be created at %s: %s",
					  file->path, strerror(errno));
	file->direct = make_direct(file->descriptor);
	return SONDE_OK;
}

static sonde_status failed(const struct scratch_file *file, enum scratch_direction direction, int error)
{
	return status_fail_option(SONDE_RESOURCE, OPTION, "%s the scratch file of %.3g GB at %s fails: %s",
				  direction == SCRATCH_READ ? "reading" : "writing", (double)file->bytes / GIGABYTE,
				  file->path, strerror(error));
}

sonde_status scratch_file_reserve(struct scratch_file *file, uint64_t bytes)
{
	if (bytes <= file->bytes)
		return SONDE_OK;
	const double left = scratch_file_free_bytes(file->path);
	const int error = posix_fallocate(file->descriptor, (off_t)file->bytes, (off_t)(bytes - file->bytes));
	if (error == EFBIG)
		return status_fail_option(
		    SONDE_RESOURCE, OPTION,
		    "the scratch file at %s needs %.4g GB, which is more than a file may have there", file->path,
		    (double)bytes / GIGABYTE);
	if (error == ENOSPC || error == EDQUOT)
		return status_fail_option(
		    SONDE_RESOURCE, OPTION, "the scratch file at %s needs %.4g GB, but only %.4g GB are free",
		    file->path, (double)bytes / GIGABYTE, (left + (double)file->bytes) / GIGABYTE);
	if (error != 0)
		return failed(file, SCRATCH_WRITE, error);
	file->bytes = bytes;
	return SONDE_OK;
}

double scratch_file_free_bytes(const char *path)
{
	struct statvfs about;
	char folder[PATH_MAX];

	folder_of(path, folder);
	return statvfs(folder, &about) == 0 ? (double)about.f_bavail * (double)about.f_frsize : INFINITY;
}

/* Returns 0 or an error number. */
static int move(const struct scratch_file *file, enum scratch_direction direction, uint64_t offset, char *memory,
		size_t bytes)
{
	const uint64_t first = offset;
	const size_t all = bytes;

	while (bytes > 0) {
		const ssize_t moved = direction == SCRATCH_READ
					  ? pread(file->descriptor, memory, bytes, (off_t)offset)
					  : pwrite(file->descriptor, memory, bytes, (off_t)offset);
		if (moved < 0 && errno == EINTR)
			continue;
		if (moved <= 0)
			return moved < 0 ? errno : EIO;
		memory += moved;
		offset += (uint64_t)moved;
		bytes -= (size_t)moved;
	}
	/* the cache is of no use: planes return when all others have passed */
	if (!file->direct)
		(void)posix_fadvise(file->descriptor, (off_t)first, (off_t)all, POSIX_FADV_DONTNEED);
	return 0;
}

sonde_status scratch_file_move(struct scratch_file *file, enum scratch_direction direction, uint64_t offset,
			       void *memory, size_t bytes)
{
	const int error = move(file, direction, offset, memory, bytes);

	return error == 0 ? SONDE_OK : failed(file, direction, error);
}

/* Threads ----------------------------------------------------------------------------------------------- */

/* Whether an earlier request will write to the same place. */
static bool must_wait(const struct scratch_file *file, const struct scratch_request *request)
{
	for (const struct scratch_request *other = file->waiting[SCRATCH_WRITE]; other != NULL; other = other->next)
		if (other->number < request->number && other->offset < request->offset + request->bytes &&
		    request->offset < other->offset + other->bytes)
			return true;
	return false;
}

/* The next request of a direction that may begin. */
static struct scratch_request *next_request(const struct scratch_file *file, enum scratch_direction direction)
{
	for (struct scratch_request *request = file->waiting[direction]; request != NULL; request = request->next)
		if (!request->begun && !must_wait(file, request))
			return request;
	return NULL;
}

static void remove_request(struct scratch_file *file, struct scratch_request *request)
{
	struct scratch_request **link = &file->waiting[request->direction], *before = NULL;

	while (*link != request) {
		before = *link;
		link = &(*link)->next;
	}
	*link = request->next;
	if (file->last[request->direction] == request)
		file->last[request->direction] = before;
	request->done = true;
}

/* Nothing is allocated here, so that a process may be forked meanwhile (base/background.h). */
static void *work(void *argument)
{
	const struct scratch_thread *thread = argument;
	struct scratch_file *file = thread->file;

	pthread_mutex_lock(&file->mutex);
	while (!file->ends) {
		struct scratch_request *request = next_request(file, thread->direction);
		if (request == NULL) {
			pthread_cond_wait(&file->changed, &file->mutex);
			continue;
		}
		request->begun = true;
		int error = file->error;
		pthread_mutex_unlock(&file->mutex);
		if (error == 0)
			error = move(file, request->direction, request->offset, request->memory, request->bytes);
		pthread_mutex_lock(&file->mutex);
		if (error != 0 && file->error == 0) {
			file->error = error;
			file->failed = request->direction;
		}
		remove_request(file, request);
		pthread_cond_broadcast(&file->changed);
	}
	pthread_mutex_unlock(&file->mutex);
	return NULL;
}

static sonde_status start_threads(struct scratch_file *file)
{
	for (int n = 0; n < 2 * SCRATCH_THREADS; ++n) {
		struct scratch_thread *thread = &file->thread[n];
		*thread =
		    (struct scratch_thread){.file = file, .direction = n % 2 == 0 ? SCRATCH_READ : SCRATCH_WRITE};
		const int error = pthread_create(&thread->thread, NULL, work, thread);
		/* one of each kind is enough */
		if (error != 0 && n < 2)
			return status_fail(SONDE_RESOURCE, "a thread for the scratch file cannot be created: %s",
					   strerror(error));
		if (error != 0)
			break;
		++file->threads;
	}
	return SONDE_OK;
}

sonde_status scratch_file_open(const char *path, struct scratch_file **file)
{
	CHECK(memory_allocate(file, 1, sizeof **file, WHAT));
	(*file)->path = path;
	(*file)->descriptor = -1;
	pthread_mutex_init(&(*file)->mutex, NULL);
	pthread_cond_init(&(*file)->changed, NULL);
	sonde_status status = open_descriptor(*file);
	if (status == SONDE_OK)
		status = start_threads(*file);
	if (status != SONDE_OK)
		scratch_file_close(file);
	return status;
}

void scratch_file_close(struct scratch_file **file)
{
	struct scratch_file *closed = *file;

	if (closed == NULL)
		return;
	pthread_mutex_lock(&closed->mutex);
	closed->ends = true;
	pthread_cond_broadcast(&closed->changed);
	pthread_mutex_unlock(&closed->mutex);
	for (int n = 0; n < closed->threads; ++n)
		(void)pthread_join(closed->thread[n].thread, NULL);
	if (closed->descriptor >= 0)
		close(closed->descriptor);
	pthread_cond_destroy(&closed->changed);
	pthread_mutex_destroy(&closed->mutex);
	free(closed);
	*file = NULL;
}

void scratch_file_add(struct scratch_file *file, struct scratch_request *request)
{
	pthread_mutex_lock(&file->mutex);
	request->number = ++file->added;
	request->begun = request->done = false;
	request->next = NULL;
	if (file->waiting[request->direction] == NULL)
		file->waiting[request->direction] = request;
	else
		file->last[request->direction]->next = request;
	file->last[request->direction] = request;
	pthread_cond_broadcast(&file->changed);
	pthread_mutex_unlock(&file->mutex);
}

sonde_status scratch_file_wait(struct scratch_file *file, struct scratch_request *request)
{
	pthread_mutex_lock(&file->mutex);
	while (!request->done)
		pthread_cond_wait(&file->changed, &file->mutex);
	const int error = file->error;
	const enum scratch_direction direction = file->failed;
	pthread_mutex_unlock(&file->mutex);
	return error == 0 ? SONDE_OK : failed(file, direction, error);
}

static bool has_begun(const struct scratch_file *file)
{
	for (int d = 0; d < 2; ++d)
		for (const struct scratch_request *request = file->waiting[d]; request != NULL;
		     request = request->next)
			if (request->begun)
				return true;
	return false;
}

void scratch_file_forget(struct scratch_file *file)
{
	pthread_mutex_lock(&file->mutex);
	for (int d = 0; d < 2; ++d)
		for (struct scratch_request *request = file->waiting[d], *next; request != NULL; request = next) {
			next = request->next;
			if (!request->begun)
				remove_request(file, request);
		}
	while (has_begun(file))
		pthread_cond_wait(&file->changed, &file->mutex);
	pthread_mutex_unlock(&file->mutex);
}

/* Speed ------------------------------------------------------------------------------------------------- */

#define PIECE ((size_t)4 << 20) /* of a request */
#define AT_ONCE 4               /* requests of each direction */

/* Writes the first half of a file once, then reads it while the other half is written, from one end to the other and again. */
struct measurement {
	struct scratch_file *file;
	uint64_t half;
	char *memory;
	struct scratch_request request[2 * AT_ONCE];
};

static void begin_request(struct measurement *measurement, int number, enum scratch_direction direction, uint64_t at)
{
	struct scratch_request *request = &measurement->request[number];

	request->direction = direction;
	request->offset = at;
	request->bytes = PIECE;
	request->memory = measurement->memory + (size_t)number * PIECE;
	scratch_file_add(measurement->file, request);
}

static sonde_status fill(struct measurement *measurement)
{
	for (uint64_t at = 0; at < measurement->half; at += PIECE)
		CHECK(scratch_file_move(measurement->file, SCRATCH_WRITE, at, measurement->memory, PIECE));
	return SONDE_OK;
}

/* Bytes per second in each direction. */
static sonde_status time_transfers(struct measurement *measurement, double seconds, double *rate)
{
	const double began = clock_seconds();
	uint64_t next[2] = {0, 0}, moved = 0;

	for (int n = 0; n < 2 * AT_ONCE; ++n) {
		const int d = n % 2;
		begin_request(measurement, n, (enum scratch_direction)d,
			      (uint64_t)d * measurement->half + next[d] % measurement->half);
		next[d] += PIECE;
	}
	for (int n = 0; clock_seconds() - began < seconds || moved < 2 * AT_ONCE * PIECE;
	     n = (n + 1) % (2 * AT_ONCE)) {
		const int d = n % 2;
		CHECK(scratch_file_wait(measurement->file, &measurement->request[n]));
		moved += PIECE;
		begin_request(measurement, n, (enum scratch_direction)d,
			      (uint64_t)d * measurement->half + next[d] % measurement->half);
		next[d] += PIECE;
	}
	*rate = 0.5 * (double)moved / (clock_seconds() - began);
	return SONDE_OK;
}

sonde_status scratch_file_measure(const char *path, double bytes, double seconds, double *rate)
{
	struct measurement measurement = {.half =
					      (uint64_t)fmax(AT_ONCE, floor(0.5 * bytes / (double)PIECE)) * PIECE};
	sonde_status status;
	void *memory = NULL;

	CHECK(scratch_file_open(path, &measurement.file));
	CHECK_GOTO(status, memory_allocate_pages(&memory, 2 * AT_ONCE * PIECE, WHAT), done);
	measurement.memory = memory;
	/* other bytes than zeros, which some disks do not store */
	for (size_t k = 0; k < 2 * AT_ONCE * PIECE; ++k)
		measurement.memory[k] = (char)(k * 2654435761u >> 13);
	CHECK_GOTO(status, scratch_file_reserve(measurement.file, 2 * measurement.half), done);
	CHECK_GOTO(status, fill(&measurement), done);
	status = time_transfers(&measurement, seconds, rate);
	scratch_file_forget(measurement.file);
done:
	scratch_file_close(&measurement.file);
	memory_release_pages(memory);
	return status;
}
