#include "fdtd/streaming/schedule.h"

/* a - b, or 0 */
static uint32_t less(uint32_t a, uint32_t b)
{
	return a > b ? a - b : 0;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

uint32_t schedule_slabs(const struct schedule *schedule, uint32_t steps)
{
	const uint32_t planes = schedule->planes + (schedule->method == STREAMING_SKEW ? steps : 0);

	return (planes + schedule->width - 1) / schedule->width;
}

/* Planes before a pyramid's slab that a step takes: E of edges that follow from those of other planes needs one more. */
static uint32_t behind_of(const struct schedule *schedule, uint32_t steps)
{
	return steps * (1 + schedule->lag);
}

/* The last plane of a slab needs E of the next one: planes are loaded one ahead. */
static struct streamed_slab skewed_slab(const struct schedule *schedule, uint32_t steps, uint32_t number)
{
	const uint32_t planes = schedule->planes, begin = number * schedule->width, end = begin + schedule->width;

	return (struct streamed_slab){
	    .load = {number == 0 ? 0 : smaller(begin + 1, planes), smaller(end + 1, planes)},
	    .store = {smaller(less(begin, steps), planes), smaller(less(end, steps), planes)},
	    .own = {0, planes}};
}

static struct streamed_slab pyramid(const struct schedule *schedule, uint32_t steps, uint32_t number)
{
	const uint32_t planes = schedule->planes, begin = number * schedule->width,
		       end = smaller(begin + schedule->width, planes);

	return (struct streamed_slab){
	    .load = {less(begin, behind_of(schedule, steps)), smaller(end + steps + schedule->lag, planes)},
	    .store = {begin, end},
	    .own = {begin, end}};
}

struct streamed_slab schedule_slab(const struct schedule *schedule, uint32_t steps, uint32_t number)
{
	return schedule->method == STREAMING_SKEW ? skewed_slab(schedule, steps, number)
						  : pyramid(schedule, steps, number);
}

struct slab_step schedule_step(const struct schedule *schedule, uint32_t steps, uint32_t number, uint32_t step)
{
	const uint32_t planes = schedule->planes, begin = number * schedule->width, end = begin + schedule->width,
		       left = steps - step;

	if (schedule->method == STREAMING_SKEW) {
		const struct plane_range range = {less(begin, step), smaller(less(end, step), planes)};
		return (struct slab_step){range, range};
	}
	/* at the first plane of the grid nothing is missing */
	const uint32_t behind = smaller(smaller(end, planes) + left - 1 + schedule->lag, planes),
		       first = less(begin, behind_of(schedule, left));
	return (struct slab_step){{first, behind}, {first > 0 ? first + 1 : 0, behind}};
}

struct plane_range schedule_kept(const struct schedule *schedule)
{
	return (struct plane_range){less(schedule->own.begin, behind_of(schedule, schedule->height)),
				    smaller(schedule->own.end + schedule->height + schedule->lag, schedule->planes)};
}

struct plane_range schedule_kept_step(const struct schedule *schedule, uint32_t steps, uint32_t step)
{
	const uint32_t left = steps - step;

	return (struct plane_range){less(schedule->own.begin, behind_of(schedule, left)),
				    smaller(schedule->own.end + left - 1 + schedule->lag, schedule->planes)};
}

uint32_t schedule_window(const struct schedule *schedule)
{
	const struct plane_range kept = schedule_kept(schedule);

	if (schedule->kept)
		return kept.end - kept.begin;
	const uint32_t width = schedule->width, height = schedule->height, skewed = height + 3 * width + 1,
		       pyramid = width + height + behind_of(schedule, height) + schedule->lag;

	return smaller(schedule->planes, schedule->method == STREAMING_SKEW ? skewed : pyramid);
}

uint32_t schedule_windows(const struct schedule *schedule)
{
	return schedule->kept || schedule->alone || schedule->method == STREAMING_SKEW ? 1 : 2;
}

uint32_t schedule_copies(const struct schedule *schedule)
{
	return schedule->kept || schedule->method == STREAMING_SKEW ? 1 : 2;
}

static double length(struct plane_range range)
{
	return range.end > range.begin ? (double)(range.end - range.begin) : 0.0;
}

struct schedule_work schedule_work(const struct schedule *schedule, uint32_t steps)
{
	struct schedule_work work = {.loaded = 0.0};

	for (uint32_t n = 0; n < schedule_slabs(schedule, steps); ++n) {
		const struct streamed_slab slab = schedule_slab(schedule, steps, n);
		work.loaded += length(slab.load);
		work.stored += length(slab.store);
		for (uint32_t t = 0; t < steps; ++t) {
			const struct slab_step step = schedule_step(schedule, steps, n, t);
			work.stepped_h += length(step.h);
			work.stepped_e += length(step.e);
		}
	}
	return work;
}
