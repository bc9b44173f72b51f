/* Many samples one after the other: frames of a trajectory, structures of a list, or sizes of a distribution. Of a
 * trajectory the next frame is read by another thread while the caller uses the present one. */
#ifndef SONDE_MATTER_SAMPLES_SAMPLES_H
#define SONDE_MATTER_SAMPLES_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "sonde/atoms.h"
#include "sonde/build.h"

struct samples;

struct sample {
	const sonde_atoms *atoms;
	double weight;    /* 1 for frames, else of the number fraction */
	const char *name; /* of a component: file or description; null for frames */
};

/* Whether a file is a list of structures (.csv), or a trajectory without labels (.dcd, .xtc, .trr). */
bool samples_is_list(const char *path);
bool samples_is_bare(const char *path);

/* Frames of a trajectory: `frames` as in frame_range.h, `topology` the file of a structure with the labels, "" if it is not
 * needed. Their number is determined if it is necessary for the range, or if `counted`. *samples is null after a failure. */
sonde_status samples_open_trajectory(sonde_context *context, const char *path, const char *frames,
				     const char *topology, bool counted, struct samples **samples);
/* The structures of a list: a table with a row of names, among them `file` and `weight`; files are relative to its folder.
 * Those of weight 0 are left out. */
sonde_status samples_open_list(sonde_context *context, const char *path, struct samples **samples);
/* The sizes of a description with `size_distribution`. */
sonde_status samples_open_sizes(sonde_context *context, const sonde_build_options *options, struct samples **samples);
void samples_close(struct samples **samples);

bool samples_are_frames(const struct samples *samples);
/* Number of samples: the largest possible one for frames that are not counted. */
int64_t samples_count(const struct samples *samples);
/* The name of the file, or the command of build. */
const char *samples_source(const struct samples *samples);
/* Size of the file; 0 if there is none. */
int64_t samples_bytes(const struct samples *samples);
/* Memory that the samples take, which are like the given one: of a trajectory the frames that are read ahead, too. */
double samples_memory(const struct samples *samples, const sonde_atoms *like);
/* Digest of the file: waits for it; "" if there is no file, or if only a part of a large one is read. */
sonde_status samples_sha256(struct samples *samples, char sha256[65]);
/* The next sample, valid until the next call; *sample is null after the last one. */
sonde_status samples_next(struct samples *samples, const struct sample **sample);
/* From now on a frame stays valid for `kept` further calls, at most SAMPLES_MOST_KEPT; that many frames more are read ahead. To be called
 * after the first frame of a trajectory and before the second one, else nothing changes. Returns whether it is so. */
#define SAMPLES_MOST_KEPT 16
bool samples_keep(struct samples *samples, int kept);
/* The atoms of the next frame, if they have been read already, which stay as they are until it is not the present one any
 * more; else null. */
const sonde_atoms *samples_peek(struct samples *samples);
/* Number of the frame that was returned last. */
int64_t samples_frame(const struct samples *samples);

#endif
