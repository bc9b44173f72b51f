#include "fdtd/streaming/model.h"

#include <math.h>
#include <stddef.h>

#include "fdtd/grid/list_layout.h"

/* The longer one of two that go on side by side. Slabs take turns, so that a delay of either is one of both when they take
 * about as long: an exponent that agrees with times measured on an H100. */
static double side_by_side(double one, double other)
{
	const double longer = fmax(one, other), shorter = fmin(one, other);

	return longer > 0.0 ? longer * pow(1.0 + pow(shorter / longer, 8.0), 1.0 / 8.0) : 0.0;
}

double streaming_seconds(const struct schedule *schedule, const struct streaming_speeds *speeds)
{
	const struct schedule_work work = schedule_work(schedule, schedule->height);
	const int way = schedule->whole ? 1 : 0;
	const double slabs = schedule_slabs(schedule, schedule->height),
		     computed = 0.5 * (work.stepped_h + work.stepped_e) / speeds->plane_steps[way] +
				slabs * schedule->height * speeds->launches[way],
		     loaded = work.loaded * speeds->in + slabs * speeds->slab,
		     stored = work.stored * speeds->out + slabs * speeds->slab;

	/* planes for both neighbors, of which each rank sends as many as it receives, during the passes; those for the rank
	 * after it have to come before its first slab, once in a block of passes (host_exchange.h) */
	const double height = schedule->height, lag = schedule->lag,
		     exchanged = schedule->shared ? height * (2.0 + lag) + lag : 0.0,
		     awaited = schedule->shared ? height * (1.0 + lag) * fmin(height / STEPS_OF_SUMS, 1.0) : 0.0,
		     beside = schedule->method == STREAMING_SKEW && schedule->store == NULL ? 1.0 : 0.0,
		     messages = (beside > 0.0 ? awaited : exchanged) * speeds->message;

	if (schedule->alone)
		return computed + loaded + stored + messages;
	/* the first slab is loaded before anything is computed, the last one is stored afterward */
	return messages +
	       fmax(beside * exchanged * speeds->message,
		    side_by_side(computed, fmax(loaded, stored)) + schedule->width * (speeds->in + speeds->out));
}
