#include "matter/samples/samples.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/file_names.h"
#include "base/memory.h"
#include "base/text.h"
#include "matter/atoms/atoms.h"
#include "matter/build/build.h"
#include "matter/files/frame_range.h"
#include "matter/samples/sample_list.h"
#include "matter/files/structure_files.h"
#include "matter/files/trajectory.h"
#include "run/context.h"

#define SLOTS 3          /* one in use, the next one, and one being read; and those that are kept */
#define LARGE_FILE 1e9   /* bytes: its digest takes time, and is left out if only a part is read */
#define MESSAGE_SIZE 512 /* of a failure on another thread */

/* A sample that is being read, or in use. */
struct slot {
	sonde_atoms *atoms;
	bool full, ended;
	int64_t frame;
	sonde_status status;
	char message[MESSAGE_SIZE];
};

/* The digest of a file, on its own thread. */
struct digest {
	pthread_t thread;
	bool running;
	atomic_bool abandoned;
	sonde_context *context;
	const char *path;
	char sha256[65], message[MESSAGE_SIZE];
	sonde_status status;
};

struct samples {
	sonde_context *context;
	char *path;
	struct text source;
	int64_t count, next;
	struct sample sample;

	struct trajectory *trajectory; /* of frames */
	int64_t first, step, frame;
	bool in_part; /* not all frames up to the end are read */
	struct slot slots[SLOTS + SAMPLES_MOST_KEPT];
	int kept; /* frames before the one in use */
	pthread_t reader;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	bool locks, reading, stopping;

	struct sample_list list;    /* of structures, or */
	sonde_build_options *sizes; /* of a description */
	sonde_atoms *atoms;         /* of the present one */

	struct digest digest;
};

bool samples_is_list(const char *path)
{
	return file_has_suffix(path, ".csv");
}

bool samples_is_bare(const char *path)
{
	return structure_binary_format(path) != NULL;
}

/* Digests ------------------------------------------------------------------------------------------------------ */

static bool digest_is_cancelled(void *user)
{
	const struct digest *digest = user;

	return atomic_load(&digest->abandoned) || context_cancelled(digest->context);
}

static void *find_digest(void *user)
{
	struct digest *digest = user;

	digest->status = file_sha256(digest->path, digest_is_cancelled, digest, digest->sha256);
	if (digest->status != SONDE_OK)
		snprintf(digest->message, sizeof digest->message, "%s", status_message());
	return NULL;
}

static void begin_digest(struct samples *samples)
{
	struct digest *digest = &samples->digest;
	struct stat properties;

	digest->context = samples->context;
	digest->path = samples->path;
	if (samples->in_part && (stat(samples->path, &properties) != 0 || (double)properties.st_size > LARGE_FILE))
		return;
	digest->running = pthread_create(&digest->thread, NULL, find_digest, digest) == 0;
	if (!digest->running)
		(void)find_digest(digest);
}

static void end_digest(struct digest *digest)
{
	if (digest->running)
		pthread_join(digest->thread, NULL);
	digest->running = false;
}

sonde_status samples_sha256(struct samples *samples, char sha256[65])
{
	struct digest *digest = &samples->digest;

	end_digest(digest);
	memcpy(sha256, digest->sha256, sizeof digest->sha256);
	return digest->status == SONDE_OK ? SONDE_OK : status_fail(digest->status, "%s", digest->message);
}

/* Opening ------------------------------------------------------------------------------------------------------ */

static sonde_status create(sonde_context *context, const char *path, struct samples **samples)
{
	CHECK(memory_allocate(samples, 1, sizeof **samples, "the samples"));
	(*samples)->context = context;
	CHECK(memory_copy_text(path, &(*samples)->path, "a path"));
	text_append(&(*samples)->source, "%s", file_names_get(path));
	CHECK(text_status(&(*samples)->source));
	for (char *c = (*samples)->source.bytes; *c != '\0'; ++c)
		if ((unsigned char)*c < ' ')
			*c = '?'; /* it will be written on one line of other files */
	return SONDE_OK;
}

void samples_close(struct samples **of)
{
	struct samples *samples = *of;

	if (samples == NULL)
		return;
	atomic_store(&samples->digest.abandoned, true);
	if (samples->reading) {
		pthread_mutex_lock(&samples->mutex);
		samples->stopping = true;
		pthread_cond_broadcast(&samples->changed);
		pthread_mutex_unlock(&samples->mutex);
		pthread_join(samples->reader, NULL);
	}
	end_digest(&samples->digest);
	if (samples->locks) {
		pthread_cond_destroy(&samples->changed);
		pthread_mutex_destroy(&samples->mutex);
	}
	for (int k = 0; k < SLOTS + SAMPLES_MOST_KEPT; ++k)
		sonde_atoms_free(&samples->slots[k].atoms);
	trajectory_close(&samples->trajectory);
	sample_list_free(&samples->list);
	sonde_atoms_free(&samples->atoms);
	free(samples->sizes);
	text_free(&samples->source);
	free(samples->path);
	free(samples);
	*of = NULL;
}

bool samples_are_frames(const struct samples *samples)
{
	return samples->trajectory != NULL;
}

int64_t samples_count(const struct samples *samples)
{
	return samples->count;
}

const char *samples_source(const struct samples *samples)
{
	return samples->source.bytes;
}

int64_t samples_bytes(const struct samples *samples)
{
	struct stat properties;

	return stat(samples->path, &properties) == 0 ? (int64_t)properties.st_size : 0;
}

double samples_memory(const struct samples *samples, const sonde_atoms *like)
{
	const double numbers = 3.0 + like->displacement_size + (like->occupancies != NULL ? 1.0 : 0.0),
		     atom = numbers * sizeof(double) + sizeof *like->species_of;

	/* and the one that the reader of the file fills */
	return (samples_are_frames(samples) ? SLOTS + 1.0 : 1.0) * atom * (double)like->count;
}

int64_t samples_frame(const struct samples *samples)
{
	return samples->frame;
}

/* Frames ------------------------------------------------------------------------------------------------------- */

static sonde_status copy_atoms(const struct samples *samples, const sonde_atoms *from, sonde_atoms **to)
{
	uint16_t species;

	CHECK(sonde_atoms_create(to));
	CHECK(atoms_reserve(*to, from->count));
	for (int s = 0; s < from->species_count; ++s)
		CHECK(atoms_species_index(*to, from->species[s].label, &species));
	for (int64_t i = 0; i < from->count; ++i)
		atoms_append(*to, from->species_of[i], from->positions + 3 * i);
	CHECK(atoms_copy_properties(from, *to));
	text_append(&(*to)->source, "%s", samples->source.bytes);
	return text_status(&(*to)->source);
}

/* The frame in the slot, whose atoms are those of an earlier one. */
static void update_atoms(const sonde_atoms *frame, sonde_atoms *atoms)
{
	memcpy(atoms->positions, frame->positions, 3 * (size_t)frame->count * sizeof *frame->positions);
	atoms->has_lattice = frame->has_lattice;
	atoms->maybe_periodic = frame->maybe_periodic;
	memcpy(atoms->lattice, frame->lattice, sizeof frame->lattice);
	memcpy(atoms->periodic, frame->periodic, sizeof frame->periodic);
}

static sonde_status fill_slot(const struct samples *samples, const sonde_atoms *frame, struct slot *slot)
{
	const sonde_status status = slot->atoms != NULL ? SONDE_OK : copy_atoms(samples, frame, &slot->atoms);

	if (status == SONDE_OK && slot->atoms != NULL)
		update_atoms(frame, slot->atoms);
	return status;
}

static sonde_status read_frame(struct samples *samples, int64_t index, struct slot *slot)
{
	const int64_t wanted = samples->first + index * samples->step,
		      before = wanted - trajectory_frame(samples->trajectory) - 1;
	const sonde_atoms *frame;
	int64_t skipped;

	slot->ended = index == samples->count;
	if (slot->ended)
		return SONDE_OK;
	CHECK(trajectory_skip(samples->trajectory, before, &skipped));
	slot->ended = skipped < before;
	if (slot->ended)
		return SONDE_OK;
	CHECK(trajectory_next(samples->trajectory, &frame));
	slot->ended = frame == NULL;
	slot->frame = wanted;
	return slot->ended ? SONDE_OK : fill_slot(samples, frame, slot);
}

static void read_slot(struct samples *samples, int64_t index, struct slot *slot)
{
	slot->status = read_frame(samples, index, slot);
	if (slot->status != SONDE_OK)
		snprintf(slot->message, sizeof slot->message, "%s", status_message());
}

static struct slot *slot_of(struct samples *samples, int64_t index)
{
	return &samples->slots[index % (SLOTS + samples->kept)];
}

/* Reads frames as long as there is a free slot. */
static void *read_frames(void *user)
{
	struct samples *samples = user;
	bool more = true;

	for (int64_t index = 0; more; ++index) {
		pthread_mutex_lock(&samples->mutex);
		while (slot_of(samples, index)->full && !samples->stopping)
			pthread_cond_wait(&samples->changed, &samples->mutex);
		struct slot *slot = slot_of(samples, index);
		more = !samples->stopping;
		pthread_mutex_unlock(&samples->mutex);
		if (!more)
			break;
		read_slot(samples, index, slot);
		more = slot->status == SONDE_OK && !slot->ended;
		pthread_mutex_lock(&samples->mutex);
		slot->full = true;
		pthread_cond_broadcast(&samples->changed);
		pthread_mutex_unlock(&samples->mutex);
	}
	return NULL;
}

/* Without another thread frames are read when they are needed. */
static void begin_reading(struct samples *samples)
{
	if (pthread_mutex_init(&samples->mutex, NULL) != 0)
		return;
	samples->locks = pthread_cond_init(&samples->changed, NULL) == 0;
	if (!samples->locks) {
		pthread_mutex_destroy(&samples->mutex);
		return;
	}
	samples->reading = pthread_create(&samples->reader, NULL, read_frames, samples) == 0;
}

static const struct slot *wait_for_slot(struct samples *samples, int64_t index)
{
	struct slot *slot = slot_of(samples, index);

	if (!samples->reading) {
		read_slot(samples, index, slot);
		return slot;
	}
	pthread_mutex_lock(&samples->mutex);
	if (index > samples->kept) {
		slot_of(samples, index - 1 - samples->kept)->full = false; /* in use, or kept, until now */
		pthread_cond_broadcast(&samples->changed);
	}
	while (!slot->full)
		pthread_cond_wait(&samples->changed, &samples->mutex);
	pthread_mutex_unlock(&samples->mutex);
	return slot;
}

/* The slots of the first three frames stay the same. The reader cannot have come to the fourth, whose slot is in use. */
bool samples_keep(struct samples *samples, int kept)
{
	if (!samples->reading || samples->next != 1 || kept < 0 || kept > SAMPLES_MOST_KEPT)
		return false;
	pthread_mutex_lock(&samples->mutex);
	samples->kept = kept;
	pthread_cond_broadcast(&samples->changed);
	pthread_mutex_unlock(&samples->mutex);
	return true;
}

const sonde_atoms *samples_peek(struct samples *samples)
{
	const struct slot *slot = slot_of(samples, samples->next);
	const sonde_atoms *atoms = NULL;

	if (!samples->reading)
		return NULL;
	pthread_mutex_lock(&samples->mutex);
	if (slot->full && slot->status == SONDE_OK && !slot->ended)
		atoms = slot->atoms;
	pthread_mutex_unlock(&samples->mutex);
	return atoms;
}

static sonde_status next_frame(struct samples *samples, const struct sample **sample)
{
	const struct slot *slot = wait_for_slot(samples, samples->next);

	if (slot->status != SONDE_OK)
		return status_fail(slot->status, "%s", slot->message);
	if (slot->ended)
		return SONDE_OK;
	++samples->next;
	samples->frame = slot->frame;
	samples->sample = (struct sample){slot->atoms, 1.0, NULL};
	*sample = &samples->sample;
	return SONDE_OK;
}

/* The frames of the range; all of them, up to its stop, are looked at if they must be counted. */
static sonde_status find_frames(struct samples *samples, const sonde_atoms *structure, const char *frames,
				bool counted)
{
	struct frame_range range;
	struct trajectory *trajectory;
	int64_t most, count;

	sonde_status status = frame_range_parse(frames, &range);
	if (status != SONDE_OK)
		return status_prefix_option(status, "frames");
	const bool needed = frame_range_needs_count(&range), open = !range.one && range.stop == INT64_MAX;
	most = needed ? INT64_MAX : range.one ? range.start + 1 : range.stop;
	count = most;
	if (counted || needed) {
		CHECK(trajectory_open(samples->context, samples->path, structure, &trajectory));
		status = trajectory_skip(trajectory, most, &count);
		trajectory_close(&trajectory);
		CHECK(status);
	}
	if (count == 0 && most > 0)
		return status_fail_file(SONDE_INVALID, samples->path, "is empty");
	status = frame_range_resolve(&range, count, &samples->first, &samples->count);
	samples->step = range.step;
	samples->in_part = !open;
	return status == SONDE_OK ? SONDE_OK : status_prefix_option(status, "frames");
}

static sonde_status open_frames(struct samples *samples, const char *frames, const char *topology, bool counted)
{
	sonde_atoms *structure = NULL;
	sonde_status status;

	if (topology[0] != '\0') {
		status = sonde_atoms_read(samples->context, topology, 1, &structure);
		if (status != SONDE_OK)
			return status_prefix_option(status, "topology");
	}
	CHECK_GOTO(status, find_frames(samples, structure, frames, counted), done);
	CHECK_GOTO(status, trajectory_open(samples->context, samples->path, structure, &samples->trajectory), done);
	begin_digest(samples);
	begin_reading(samples);
done:
	sonde_atoms_free(&structure);
	return status;
}

sonde_status samples_open_trajectory(sonde_context *context, const char *path, const char *frames,
				     const char *topology, bool counted, struct samples **samples)
{
	sonde_status status;

	*samples = NULL;
	status = create(context, path, samples);
	if (status == SONDE_OK)
		status = open_frames(*samples, frames, topology, counted);
	if (status != SONDE_OK)
		samples_close(samples);
	return status;
}

/* Lists and sizes ---------------------------------------------------------------------------------------------- */

sonde_status samples_open_list(sonde_context *context, const char *path, struct samples **samples)
{
	sonde_status status;

	*samples = NULL;
	CHECK_GOTO(status, create(context, path, samples), failed);
	CHECK_GOTO(status, sample_list_read(path, &(*samples)->list), failed);
	(*samples)->count = (int64_t)(*samples)->list.count;
	begin_digest(*samples);
	return SONDE_OK;
failed:
	samples_close(samples);
	return status;
}

/* Whether the description has a size that can be scaled. */
static sonde_status check_sizes(const sonde_build_options *options)
{
	sonde_build_options *first;
	double weight, size;

	CHECK(memory_allocate(&first, 1, sizeof *first, "the options of build"));
	const sonde_status status = sonde_build_size(options, 0, first, &weight, &size);
	free(first);
	return status;
}

sonde_status samples_open_sizes(sonde_context *context, const sonde_build_options *options, struct samples **samples)
{
	sonde_status status;

	*samples = NULL;
	CHECK_GOTO(status, create(context, "", samples), failed);
	CHECK_GOTO(status, memory_allocate(&(*samples)->sizes, 1, sizeof *options, "the options of build"), failed);
	memcpy((*samples)->sizes, options, sizeof *options);
	CHECK_GOTO(status, sonde_build_sizes(options, &(*samples)->count), failed);
	CHECK_GOTO(status, build_describe(options, &(*samples)->source), failed);
	CHECK_GOTO(status, check_sizes(options), failed);
	return SONDE_OK;
failed:
	samples_close(samples);
	return status;
}

static sonde_status read_listed(struct samples *samples)
{
	const struct listed_sample *listed = &samples->list.samples[samples->next];
	const sonde_status status = sonde_atoms_read(samples->context, listed->path, 0, &samples->atoms);

	if (status != SONDE_OK)
		return status_prefix_line(status, samples->path, listed->line);
	samples->sample.weight = listed->weight;
	return SONDE_OK;
}

static sonde_status build_size(struct samples *samples)
{
	sonde_build_options *options;
	double size;

	CHECK(memory_allocate(&options, 1, sizeof *options, "the options of build"));
	sonde_status status =
	    sonde_build_size(samples->sizes, samples->next, options, &samples->sample.weight, &size);
	if (status == SONDE_OK) {
		status = sonde_build_run(samples->context, options, &samples->atoms);
		if (status != SONDE_OK)
			status = status_prefix(status, "size %.6g", size);
	}
	free(options);
	return status;
}

static sonde_status next_component(struct samples *samples, const struct sample **sample)
{
	sonde_atoms_free(&samples->atoms);
	if (samples->next == samples->count)
		return SONDE_OK;
	CHECK(samples->sizes != NULL ? build_size(samples) : read_listed(samples));
	++samples->next;
	samples->sample.atoms = samples->atoms;
	samples->sample.name = samples->atoms->source.bytes;
	*sample = &samples->sample;
	return SONDE_OK;
}

sonde_status samples_next(struct samples *samples, const struct sample **sample)
{
	*sample = NULL;
	return samples_are_frames(samples) ? next_frame(samples, sample) : next_component(samples, sample);
}
