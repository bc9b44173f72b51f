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

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* Of planes that skewed slabs begin with, and that pyramids step: those of the grid, or the device's own ones. */
static struct plane_range own_planes(const struct schedule *schedule)
{
	return schedule->shared ? schedule->own : (struct plane_range){0, schedule->planes};
}

/* Planes before a pyramid's slab that a step takes: E of edges that follow from those of other planes needs one more. */
static uint32_t behind_of(const struct schedule *schedule, uint32_t steps)
{
	return steps * (1 + schedule->lag);
}

/* The part of a range that is in another one; empty ones begin at its end. */
static struct plane_range within(struct plane_range range, struct plane_range in)
{
	const uint32_t begin = larger(range.begin, in.begin), end = larger(smaller(range.end, in.end), in.begin);

	return (struct plane_range){smaller(begin, end), end};
}

static struct plane_range slab_of(const struct schedule *schedule, uint32_t number)
{
	const uint32_t first = schedule->method == STREAMING_SKEW ? schedule_here(schedule).begin
								  : own_planes(schedule).begin,
		       begin = first + number * schedule->width;

	return (struct plane_range){begin, begin + schedule->width};
}

uint32_t schedule_slabs(const struct schedule *schedule, uint32_t steps)
{
	const uint32_t end = own_planes(schedule).end + (schedule->method == STREAMING_SKEW ? steps : 0);

	return (end - slab_of(schedule, 0).begin + schedule->width - 1) / schedule->width;
}

/* The last plane of a slab needs E of the next one: planes are loaded one ahead. */
static struct streamed_slab skewed_slab(const struct schedule *schedule, uint32_t steps, uint32_t number)
{
	const struct plane_range slab = slab_of(schedule, number), here = schedule_here(schedule),
				 own = own_planes(schedule);

	return (struct streamed_slab){
	    .load = within((struct plane_range){number == 0 ? here.begin : slab.begin + 1, slab.end + 1}, here),
	    .store = within((struct plane_range){less(slab.begin, steps), less(slab.end, steps)}, own),
	    .own = own};
}

static struct streamed_slab pyramid(const struct schedule *schedule, uint32_t steps, uint32_t number)
{
	const struct plane_range slab = within(slab_of(schedule, number), own_planes(schedule));

	return (struct streamed_slab){.load = {less(slab.begin, behind_of(schedule, steps)),
					       smaller(slab.end + steps + schedule->lag, schedule->planes)},
				      .store = slab,
				      .own = slab};
}

struct streamed_slab schedule_slab(const struct schedule *schedule, uint32_t steps, uint32_t number)
{
	return schedule->method == STREAMING_SKEW ? skewed_slab(schedule, steps, number)
						  : pyramid(schedule, steps, number);
}

struct slab_step schedule_step(const struct schedule *schedule, uint32_t steps, uint32_t number, uint32_t step)
{
	const uint32_t planes = schedule->planes, left = steps - step;
	const struct plane_range slab = slab_of(schedule, number);

	if (schedule->method == STREAMING_SKEW) {
		const struct plane_range right = schedule->shared ? schedule_kept_step(schedule, steps, step)
								  : (struct plane_range){0, planes},
					 range = within(
					     (struct plane_range){less(slab.begin, step), less(slab.end, step)},
					     right);
		return (struct slab_step){range, range};
	}
	/* at the first plane of the grid nothing is missing */
	const uint32_t end = smaller(slab.end, own_planes(schedule).end),
		       behind = smaller(end + left - 1 + schedule->lag, planes),
		       first = less(slab.begin, behind_of(schedule, left));
	return (struct slab_step){{first, behind}, {first > 0 ? first + 1 : 0, behind}};
}

struct plane_range schedule_kept(const struct schedule *schedule)
{
	return (struct plane_range){less(schedule->own.begin, behind_of(schedule, schedule->height)),
				    smaller(schedule->own.end + schedule->height + schedule->lag, schedule->planes)};
}

struct plane_range schedule_here(const struct schedule *schedule)
{
	return schedule->kept || schedule->shared ? schedule_kept(schedule)
						  : (struct plane_range){0, schedule->planes};
}

struct plane_range schedule_kept_step(const struct schedule *schedule, uint32_t steps, uint32_t step)
{
	const uint32_t left = steps - step;

	return (struct plane_range){less(schedule->own.begin, behind_of(schedule, left)),
				    smaller(schedule->own.end + left - 1 + schedule->lag, schedule->planes)};
}

uint32_t schedule_window(const struct schedule *schedule)
{
	const struct plane_range here = schedule_here(schedule);

	if (schedule->kept)
		return here.end - here.begin;
	const uint32_t width = schedule->width, height = schedule->height, skewed = height + 3 * width + 1,
		       pyramid = width + height + behind_of(schedule, height) + schedule->lag;

	return smaller(here.end - here.begin, schedule->method == STREAMING_SKEW ? skewed : pyramid);
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
