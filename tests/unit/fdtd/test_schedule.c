/* Passes of streamed planes, of a whole grid and of those that ranks share: every plane is stepped when its neighbors are at the
 * right time, loaded before and stored after that. */
#include "unit/support.h"

#include "fdtd/streaming/schedule.h"

#define MOST_PLANES 64

/* The times that planes have reached: H, E, and E of edges along x, which may wait for the next plane. */
struct walk {
	const struct schedule *schedule;
	uint32_t steps;
	bool loaded[MOST_PLANES + 1], stored[MOST_PLANES + 1], wrong[MOST_PLANES + 1];
	uint32_t h[MOST_PLANES + 1], e[MOST_PLANES + 1], along_x[MOST_PLANES + 1];
};

static void load(struct walk *walk, struct plane_range planes)
{
	for (uint32_t p = planes.begin; p < planes.end; ++p) {
		assert_false(walk->loaded[p]);
		walk->loaded[p] = true;
		walk->wrong[p] = false;
		walk->h[p] = walk->e[p] = walk->along_x[p] = 0;
	}
}

static void step_h(struct walk *walk, struct plane_range planes, uint32_t step)
{
	const uint32_t all = walk->schedule->planes;

	for (uint32_t p = planes.begin; p < planes.end; ++p) {
		assert_true(walk->loaded[p] && !walk->wrong[p] && walk->h[p] == step && walk->e[p] == step);
		assert_true(walk->along_x[p] == step);
		assert_true(p + 1 == all || (walk->loaded[p + 1] && !walk->wrong[p + 1] && walk->e[p + 1] == step));
		walk->h[p] = step + 1;
	}
}

/* E of the first plane may be wrong, if the plane before it is not stepped. */
static void step_e(struct walk *walk, struct plane_range planes, uint32_t step)
{
	const uint32_t all = walk->schedule->planes, lag = walk->schedule->lag;

	for (uint32_t p = planes.begin; p < planes.end; ++p) {
		assert_true(walk->loaded[p] && walk->h[p] == step + 1 && walk->e[p] == step);
		walk->wrong[p] = p > 0 && (!walk->loaded[p - 1] || walk->h[p - 1] != step + 1);
		walk->e[p] = step + 1;
		if (lag == 0 || p + 1 == all)
			walk->along_x[p] = step + 1;
		if (lag == 1 && p > 0 && walk->loaded[p - 1] && walk->e[p - 1] == step + 1)
			walk->along_x[p - 1] = step + 1;
	}
}

static void store(struct walk *walk, struct plane_range planes)
{
	for (uint32_t p = planes.begin; p < planes.end; ++p) {
		assert_true(walk->loaded[p] && !walk->wrong[p] && !walk->stored[p]);
		assert_int_equal(walk->h[p], walk->steps);
		assert_int_equal(walk->e[p], walk->steps);
		assert_int_equal(walk->along_x[p], walk->steps);
		walk->stored[p] = true;
	}
}

/* Planes that are on the device at the same time: loading a slab waits until the third one before it has been stored. */
static void check_window(const struct walk *walk, uint32_t slab)
{
	const struct schedule *schedule = walk->schedule;
	const struct plane_range here = schedule_here(schedule);
	const struct streamed_slab now = schedule_slab(schedule, walk->steps, slab);
	uint32_t lowest = now.load.end;

	for (uint32_t before = slab > 2 ? slab - 2 : 0; before <= slab; ++before)
		for (uint32_t t = 0; t < walk->steps; ++t) {
			const struct slab_step step = schedule_step(schedule, walk->steps, before, t);
			const uint32_t read = step.h.begin > here.begin ? step.h.begin - 1 : here.begin;
			if (step.h.begin < step.h.end && read < lowest)
				lowest = read;
		}
	assert_true(now.load.begin >= now.load.end || now.load.end - lowest <= schedule_window(schedule));
}

static void check_pass(const struct schedule *schedule, uint32_t steps)
{
	const struct plane_range here = schedule_here(schedule),
				 own = schedule->shared ? schedule->own : (struct plane_range){0, schedule->planes};
	const bool skewed = schedule->method == STREAMING_SKEW;
	struct walk walk = {.schedule = schedule, .steps = steps};

	for (uint32_t n = 0; n < schedule_slabs(schedule, steps); ++n) {
		const struct streamed_slab slab = schedule_slab(schedule, steps, n);
		for (uint32_t p = 0; p < MOST_PLANES && !skewed; ++p)
			walk.loaded[p] = false;
		if (skewed)
			check_window(&walk, n);
		assert_true(slab.load.begin >= slab.load.end ||
			    (slab.load.begin >= here.begin && slab.load.end <= here.end));
		load(&walk, slab.load);
		for (uint32_t t = 0; t < steps; ++t) {
			const struct slab_step step = schedule_step(schedule, steps, n, t);
			step_h(&walk, step.h, t);
			step_e(&walk, skewed ? step.h : step.e, t);
		}
		store(&walk, slab.store);
	}
	for (uint32_t p = 0; p < schedule->planes; ++p)
		assert_true(walk.stored[p] == (p >= own.begin && p < own.end));
}

static void check_all_steps(const struct schedule *schedule)
{
	for (uint32_t steps = 1; steps <= schedule->height; ++steps)
		check_pass(schedule, steps);
}

static void test_whole_grids(void **state)
{
	(void)state;
	for (uint32_t planes = 1; planes <= 40; planes += 13)
		for (uint32_t width = 1; width <= planes + 3; width += 4)
			for (uint32_t height = 1; height <= 9; height += 2) {
				struct schedule schedule = {
				    .planes = planes, .width = width, .height = height, .lag = 1};
				check_all_steps(&schedule);
				schedule.method = STREAMING_PYRAMID;
				check_all_steps(&schedule);
			}
}

/* First, middle, and last ranks, whose neighbors have as many planes as they need. */
static void test_shared_grids(void **state)
{
	static const struct plane_range parts[] = {{0, 20}, {20, 41}, {41, 60}};

	(void)state;
	for (uint32_t n = 0; n < 3 * 2 * 2; ++n)
		for (uint32_t width = 1; width <= 30; width += 3)
			for (uint32_t height = 1; height <= 9; height += 2) {
				const struct schedule schedule = {.method =
								      n / 6 == 0 ? STREAMING_SKEW : STREAMING_PYRAMID,
								  .planes = 60,
								  .width = width,
								  .height = height,
								  .lag = n / 3 % 2,
								  .shared = true,
								  .own = parts[n % 3]};
				check_all_steps(&schedule);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole_grids), cmocka_unit_test(test_shared_grids)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
