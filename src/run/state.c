#include "run/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "io/containers/seal.h"
#include "run/checkpoint.h"

#define LONGEST_JOB ((uint64_t)1 << 24)
#define CHUNK ((size_t)64 << 20)
#define END 0x646e6520u
#define WITHOUT_VERSION 0x00ffffffffffffffu

static sonde_status failed(const struct state *state)
{
	if (state->saving)
		return status_fail_file(SONDE_RESOURCE, state->path, "cannot be written: %s", strerror(errno));
	return status_fail_file(SONDE_INVALID, state->path, "ends too early, or is damaged");
}

/* Whether a file being read has this many bytes left. */
static bool has_left(const struct state *state, size_t size)
{
	struct stat file;

	if (state->saving)
		return true;
	const off_t at = ftello(state->file);
	return at >= 0 && fstat(fileno(state->file), &file) == 0 && file.st_size >= at &&
	       (uint64_t)(file.st_size - at) >= size;
}

sonde_status state_has_left(const struct state *state, size_t size)
{
	return has_left(state, size) ? SONDE_OK : failed(state);
}

sonde_status state_bytes(struct state *state, void *bytes, size_t size)
{
	size_t done;

	if (size == 0 || (state->saving && state->file == NULL))
		return SONDE_OK;
	if (state->saving) {
		done = fwrite(bytes, 1, size, state->file);
		checksum_add(&state->checksum, bytes, done);
	} else {
		done = fread(bytes, 1, size, state->file); /* cppcheck-suppress IOWithoutPositioning */
	}
	return done == size ? SONDE_OK : failed(state);
}

sonde_status state_same(struct state *state, uint64_t number, const char *what)
{
	uint64_t there = number;

	CHECK(state_bytes(state, &there, sizeof there));
	return there == number
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, state->path,
				      "its %s differs: it was written on another kind of device, or by another "
				      "version of the program",
				      what);
}

sonde_status state_number(struct state *state, uint64_t *number, uint64_t least, uint64_t most, const char *what)
{
	CHECK(state_bytes(state, number, sizeof *number));
	return state->saving || (*number >= least && *number <= most)
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, state->path,
				      "is damaged: its %s is %llu, which is impossible for this job", what,
				      (unsigned long long)*number);
}

sonde_status state_differs(const struct state *state, const char *what, uint64_t there, uint64_t here)
{
	return status_fail_file(SONDE_INVALID, state->path, "is damaged: it has %llu %s, but the job has %llu",
				(unsigned long long)there, what, (unsigned long long)here);
}

static sonde_status move_chunk(struct state *state, struct device_buffer *buffer, size_t offset, void *chunk,
			       size_t size)
{
	if (state->saving)
		CHECK(device_read(state->device, buffer, offset, chunk, size));
	CHECK(state_bytes(state, chunk, size));
	return state->saving ? SONDE_OK : device_write(state->device, buffer, offset, chunk, size);
}

sonde_status state_buffer(struct state *state, struct device_buffer *buffer)
{
	size_t size = buffer->bytes < CHUNK ? buffer->bytes : CHUNK;
	sonde_status status = SONDE_OK;
	void *chunk;

	CHECK(state_buffer_size(state, buffer->bytes));
	CHECK(memory_allocate(&chunk, size, 1, "a part of the fields"));
	for (size_t at = 0; at < buffer->bytes && status == SONDE_OK; at += size)
		status = move_chunk(state, buffer, at, chunk, buffer->bytes - at < size ? buffer->bytes - at : size);
	free(chunk);
	return status;
}

sonde_status state_buffer_size(struct state *state, size_t bytes)
{
	return state_same(state, bytes, "size of a field");
}

sonde_status state_host_buffer(struct state *state, void *numbers, size_t bytes)
{
	CHECK(state_buffer_size(state, bytes));
	return state_bytes(state, numbers, bytes);
}

sonde_status state_array(struct state *state, void *pointer, size_t *capacity, size_t *count, size_t size)
{
	uint64_t there = *count;

	CHECK(state_bytes(state, &there, sizeof there));
	if (there > SIZE_MAX / size || !has_left(state, (size_t)there * size))
		return failed(state);
	CHECK(memory_grow(pointer, capacity, (size_t)there, size, "the contents of a checkpoint"));
	*count = (size_t)there;
	return state_bytes(state, *(void **)pointer, (size_t)there * size);
}

sonde_status state_job_there(struct state *state, char **job)
{
	uint64_t size;

	*job = NULL;
	CHECK(state_number(state, &size, 1, LONGEST_JOB, "bytes of the job"));
	if (!has_left(state, (size_t)size))
		return failed(state);
	CHECK(memory_allocate(job, (size_t)size + 1, 1, "the job"));
	sonde_status status = state_bytes(state, *job, (size_t)size);
	if (status == SONDE_OK && strlen(*job) != size)
		status = status_fail_file(SONDE_INVALID, state->path, "is damaged: its job is not text");
	if (status == SONDE_OK && (*job)[size - 1] == '\n')
		(*job)[size - 1] = '\0';
	if (status != SONDE_OK) {
		free(*job);
		*job = NULL;
	}
	return status;
}

sonde_status state_job(struct state *state, const struct text *job)
{
	uint64_t size = job->size;
	char *there;

	if (state->saving) {
		CHECK(state_number(state, &size, 1, LONGEST_JOB, "bytes of the job"));
		return state_bytes(state, job->bytes, job->size);
	}
	CHECK(state_job_there(state, &there));
	const sonde_status status = checkpoint_compare(state->path, there, job->bytes, NULL);
	free(there);
	return status;
}

static sonde_status write_seal(const struct state *state)
{
	unsigned char seal[SEAL_SIZE];

	seal_make(&state->checksum, seal);
	return fwrite(seal, sizeof seal, 1, state->file) == 1 ? SONDE_OK : failed(state);
}

static sonde_status write_all(const struct state_kind *kind, struct state *state, state_walk *walk, void *user)
{
	CHECK(state_same(state, kind->mark, "kind"));
	CHECK(walk(user, state));
	CHECK(state_same(state, END, "end"));
	return write_seal(state);
}

sonde_status state_save(const struct state_kind *kind, const char *path, state_walk *walk, void *user)
{
	struct file_output output;

	CHECK(file_output_open(&output, path, true));
	struct state state = {.file = output.stream, .path = path, .saving = true};
	const sonde_status status = write_all(kind, &state, walk, user);
	if (status == SONDE_OK)
		return file_output_commit(&output);
	file_output_discard(&output);
	return status;
}

sonde_status state_contribute(const char *path, state_walk *walk, void *user)
{
	struct state state = {.path = path, .saving = true};

	return walk(user, &state);
}

/* Verifies that a file is as it was written, before anything in it is used. */
static sonde_status check_file(const struct state_kind *kind, FILE *file, const char *path)
{
	uint64_t mark = 0, size;
	enum seal seal;

	CHECK(seal_check(file, path, &seal, &size));
	if (seal == SEAL_BROKEN)
		return seal_refuse(path);
	const bool marked = fseeko(file, 0, SEEK_SET) == 0 && fread(&mark, sizeof mark, 1, file) == 1;
	if (marked && mark != kind->mark && (mark & WITHOUT_VERSION) == (kind->mark & WITHOUT_VERSION))
		return status_fail_file(SONDE_INVALID, path,
					"was written by an earlier version of the program, which this one, %s, "
					"cannot resume; start again",
					sonde_version());
	if (!marked || mark != kind->mark || seal == SEAL_NONE)
		return status_fail_file(SONDE_INVALID, path, "ends too early, or is damaged, or is not %s",
					kind->name);
	return fseeko(file, 0, SEEK_SET) == 0 ? SONDE_OK : status_fail_file(SONDE_INVALID, path, "cannot be read");
}

sonde_status state_open(const struct state_kind *kind, const char *path, struct state *state)
{
	state->path = path;
	state->saving = false;
	state->file = fopen(path, "rbe");
	if (state->file == NULL)
		return status_fail_file(SONDE_INVALID, path, "cannot be read: %s", strerror(errno));
	CHECK(check_file(kind, state->file, path));
	return state_same(state, kind->mark, "kind");
}

sonde_status state_end(struct state *state)
{
	return state_same(state, END, "end");
}

void state_close(struct state *state)
{
	if (state->file != NULL)
		fclose(state->file);
	state->file = NULL;
	free(state->own_path);
	state->own_path = NULL;
}

bool state_is_of(const struct state_kind *kind, const char *path)
{
	FILE *stream = fopen(path, "rbe");
	uint64_t mark = 0;

	if (stream == NULL)
		return false;
	const size_t read = fread(&mark, sizeof mark, 1, stream);
	fclose(stream);
	return read == 1 && (mark & WITHOUT_VERSION) == (kind->mark & WITHOUT_VERSION);
}
