#include "fdtd/streaming/model.h"

#include <math.h>

double streaming_seconds(const struct schedule *schedule, const struct streaming_speeds *speeds)
{
	const struct schedule_work work = schedule_work(schedule, schedule->height);
	const double slabs = schedule_slabs(schedule, schedule->height),
		     computed = 0.5 * (work.stepped_h + work.stepped_e) / speeds->plane_steps +
				slabs * schedule->height * speeds->launches,
		     loaded = work.loaded * speeds->in + slabs * speeds->slab,
		     stored = work.stored * speeds->out + slabs * speeds->slab;

	/* the first slab is loaded before anything is computed, the last one is stored afterward */
	return fmax(computed, fmax(loaded, stored)) + schedule->width * (speeds->in + speeds->out);
}
