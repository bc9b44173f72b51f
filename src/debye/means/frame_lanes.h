/* Several frames of a trajectory at a time, each by a thread with a context of its own: while a GPU counts the pairs of one frame, the
 * processor prepares the next ones and makes the curves of earlier ones. Results are given back in the order of the frames, so that
 * a mean has the same bits as by one after the other. */
#ifndef SONDE_DEBYE_FRAME_LANES_H
#define SONDE_DEBYE_FRAME_LANES_H

#include "debye/sums/prepared.h"
#include "matter/samples/samples.h"

struct frame_lanes;

/* The number of lanes for `frames` frames like `atoms`, and the name of their device, which is that of the context; 0: frames had better be
 * computed one after the other: by several devices or by the CPU, on few threads, of many or very few atoms, or if float32 needs
 * the checks of earlier frames. `options` are settled. */
sonde_status frame_lanes_choose(sonde_context *context, const sonde_debye_options *options, const sonde_atoms *atoms,
				int64_t frames, int *count, const char **device);
/* Lanes, if they are chosen, with the plan of the first frame; else *lanes is null. */
sonde_status frame_lanes_begin(sonde_context *context, const struct sonde_debye_plan *plan, const sonde_atoms *atoms,
			       int64_t frames, struct frame_lanes **lanes);
void frame_lanes_end(struct frame_lanes **lanes);
/* Frames that have been given and not been taken; and the largest number of these. */
int frame_lanes_pending(const struct frame_lanes *lanes);
int frame_lanes_most(const struct frame_lanes *lanes);
/* The most frames that any lanes may have at a time; `count` lanes have FRAMES_WAITING more than their number. */
#define FRAME_LANES_MOST SAMPLES_MOST_KEPT
#define FRAMES_WAITING 2

/* Gives a frame, if fewer than the largest number are pending; its atoms must stay valid until it has been taken. `number`: for the caller.
 * `checked`: whether its errors are checked. */
void frame_lanes_give(struct frame_lanes *lanes, const sonde_atoms *atoms, int64_t number, bool checked);
struct given_frame {
	const sonde_atoms *atoms;
	int64_t number;
	struct debye_check check;
};
/* The oldest frame without its result: before the end of the lanes. */
struct given_frame frame_lanes_give_up(struct frame_lanes *lanes);
/* Waits for the result of the oldest frame, which is to be freed; *frame is filled after a failure, too, when *result is null.
 * SONDE_CANCELLED once the caller of the context asked to stop. */
sonde_status frame_lanes_take(struct frame_lanes *lanes, struct given_frame *frame, sonde_debye_result **result);

#endif
