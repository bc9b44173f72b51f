/* A grid on several devices, which keep slabs of its planes, or through which planes go: bit-identical to one device. */
#include "physics/fdtd_ways.h"

#include "fdtd/fields/fields_gpu.h"

/* Planes that each device has, and steps between exchanges: of 58 or 57 planes. */
struct cut {
	int count;
	uint32_t end[3], height;
};

static const struct cut cuts[] = {{2, {29, 58, 0}, 1},  {2, {17, 58, 0}, 3},  {2, {40, 58, 0}, 8},
				  {3, {19, 38, 58}, 4}, {3, {30, 41, 58}, 5}, {1, {58, 0, 0}, 4}};

#define CUTS (sizeof cuts / sizeof *cuts)

/* Of a chain: devices, planes of a slab, steps of each device. */
static const uint32_t chains[][3] = {{2, 8, 3},  {2, 16, 8}, {3, 5, 9}, {2, 29, 20},
				     {3, 58, 7}, {3, 1, 4},  {2, 12, 1}};

#define CHAINS (sizeof chains / sizeof *chains)

/* Of planes of their own that go through the devices: the cuts, with the steps of a pass, and the planes of a slab. */
struct streamed_cut {
	struct cut cut;
	enum streaming_method method;
	uint32_t width;
	bool alone, in_file;
};

static const struct streamed_cut streamed_cuts[] = {{{2, {29, 58, 0}, 5}, STREAMING_SKEW, 7, false, false},
						    {{3, {19, 38, 58}, 8}, STREAMING_SKEW, 20, false, false},
						    {{3, {30, 41, 58}, 4}, STREAMING_SKEW, 2, false, false},
						    {{2, {17, 58, 0}, 3}, STREAMING_PYRAMID, 9, false, false},
						    {{3, {19, 38, 58}, 2}, STREAMING_PYRAMID, 30, true, false},
						    {{2, {40, 58, 0}, 6}, STREAMING_SKEW, 5, false, true}};

#define STREAMED_CUTS (sizeof streamed_cuts / sizeof *streamed_cuts)

static struct fields_devices devices;

/* The device of the other tests three times, or those of a list: SONDE_TEST_DEVICES=cuda:0,cuda:1,cuda:0. */
static int open_devices(void **state)
{
	const struct device_settings settings = {.kernel_cache = ""};
	const char *list = getenv("SONDE_TEST_DEVICES");
	(void)state;

	for (int n = 0; n < 3; ++n) {
		char name[64];
		snprintf(name, sizeof name, "%s", device_name(test_device()));
		if (list != NULL && list[0] != '\0') {
			const size_t length = strcspn(list, ",");
			snprintf(name, sizeof name, "%.*s", (int)length, list);
			list += length + (list[length] == ',' ? 1 : 0);
		}
		succeed(device_open(name, &settings, &devices.devices[n]));
	}
	return 0;
}

static int close_devices(void **state)
{
	(void)state;
	for (int n = 0; n < 3; ++n)
		device_close(&devices.devices[n]);
	return 0;
}

static bool has_windows(void)
{
	const struct device_part part = {0, 1 << 20, 1 << 20};
	struct device_buffer buffer = {0};

	if (device_allocate_window(devices.devices[0], part.bytes, &part, 1, "a test", &buffer) != SONDE_OK)
		return false;
	device_release(devices.devices[0], &buffer);
	return true;
}

static void compare(const struct way *given, bool both)
{
	struct simulation whole, shared;
	struct way way = *given;
	double most = 0.0;

	way.in_place = !both;
	simulate(&way, &whole);
	assert_int_equal(whole.both, both);
	for (size_t k = 0; k < 3 * whole.trace[0].steps; ++k)
		most = fmax(most, fabs(whole.trace[0].values[k]));
	assert_true(most > 0.01);
	for (size_t k = 0; k < CUTS; ++k) {
		struct fields_devices on = devices;
		const uint32_t planes = whole.fields.layout.end[0];
		on.count = cuts[k].count;
		on.height = cuts[k].height;
		for (int n = 0; n < on.count; ++n)
			on.end[n] = n + 1 == on.count ? planes : cuts[k].end[n];
		way.on = &on;
		simulate(&way, &shared);
		assert_int_equal(shared.both, both);
		const int found = differences(&whole, &shared, false);
		print_message("%d devices, planes to %u, %u, %u, exchanges after %u steps: %d differences\n",
			      on.count, on.end[0], on.end[1], on.end[2], on.height, found);
		assert_int_equal(found, 0);
		simulation_release(&shared);
	}
	simulation_release(&whole);
}

static void compare_all(int cells_along_z, bool both)
{
	if (!has_windows())
		skip();
	for (int n = 0; n < 4; ++n) {
		const struct way way = {.single = n % 2 == 0,
					.cells_along_z = cells_along_z,
					.balls = n == 0   ? GLASS_AS_WELL
						 : n == 1 ? NO_BALLS
							  : METAL_BALL,
					.walls = n == 0 || n == 3 ? ALL_ABSORB
						 : n == 1         ? SOME_MIRROR
								  : SOME_ARE_BLOCH};
		compare(&way, both);
	}
}

static void compare_chains(const struct way *given, bool both)
{
	struct simulation whole, chained;
	struct way way = *given;

	way.in_place = !both;
	simulate(&way, &whole);
	for (size_t k = 0; k < CHAINS; ++k) {
		struct fields_devices on = devices;
		on.count = (int)chains[k][0];
		on.width = chains[k][1];
		on.height = chains[k][2];
		on.whole = both;
		way.on = &on;
		way.in_place = false;
		simulate(&way, &chained);
		assert_int_equal(chained.both, both);
		const int found = differences(&whole, &chained, false);
		print_message("a chain of %d devices, slabs of %u planes, %u steps each: %d differences\n", on.count,
			      on.width, on.height, found);
		assert_int_equal(found, 0);
		simulation_release(&chained);
	}
	simulation_release(&whole);
}

static void test_chains_have_the_same_bits(void **state)
{
	(void)state;
	if (!has_windows())
		skip();
	for (int n = 0; n < 4; ++n) {
		const struct way way = {.single = n % 2 == 0,
					.cells_along_z = 20,
					.balls = n == 0 ? GLASS_AS_WELL : METAL_BALL,
					.walls = n == 0 || n == 3 ? ALL_ABSORB
						 : n == 1         ? SOME_MIRROR
								  : SOME_ARE_BLOCH};
		compare_chains(&way, false);
	}
}

static void test_chains_of_whole_steps_have_the_same_bits(void **state)
{
	(void)state;
	if (!has_windows() || !fields_suit_gpu(test_device()))
		skip();
	for (int n = 0; n < 2; ++n) {
		const struct way way = {.single = n % 2 == 0,
					.cells_along_z = 182,
					.balls = n == 0 ? GLASS_AS_WELL : METAL_BALL,
					.walls = n == 0 ? ALL_ABSORB : SOME_ARE_BLOCH};
		compare_chains(&way, true);
	}
}

static void compare_streamed(const struct way *given, bool both)
{
	struct simulation whole, streamed;
	struct way way = *given;

	way.in_place = !both;
	simulate(&way, &whole);
	way.in_place = false;
	for (size_t k = 0; k < STREAMED_CUTS; ++k) {
		const struct streamed_cut *of = &streamed_cuts[k];
		const struct schedule schedule = {.method = of->method,
						  .width = of->width,
						  .height = of->cut.height,
						  .alone = of->alone,
						  .whole = both && of->method == STREAMING_SKEW,
						  .store = of->in_file ? "." : NULL};
		struct fields_devices on = devices;
		on.count = of->cut.count;
		on.height = of->cut.height;
		on.streamed = &schedule;
		for (int n = 0; n < on.count; ++n)
			on.end[n] = n + 1 == on.count ? whole.fields.layout.end[0] : of->cut.end[n];
		way.on = &on;
		simulate(&way, &streamed);
		assert_int_equal(streamed.both, schedule.whole);
		const int found = differences(&whole, &streamed, false);
		print_message("through %d devices, planes to %u, %u, %u, %s of %u planes, %u steps: %d differences\n",
			      on.count, on.end[0], on.end[1], on.end[2],
			      of->method == STREAMING_SKEW ? "slabs" : "pyramids", of->width, on.height, found);
		assert_int_equal(found, 0);
		simulation_release(&streamed);
	}
	simulation_release(&whole);
}

static void test_streaming_devices_have_the_same_bits(void **state)
{
	(void)state;
	if (!has_windows())
		skip();
	for (int n = 0; n < 3; ++n) {
		const struct way way = {.single = n % 2 == 0,
					.cells_along_z = 20,
					.balls = n == 0 ? GLASS_AS_WELL : METAL_BALL,
					.walls = n == 0   ? ALL_ABSORB
						 : n == 1 ? SOME_MIRROR
							  : SOME_ARE_BLOCH};
		compare_streamed(&way, false);
	}
}

static void test_streaming_devices_of_whole_steps_have_the_same_bits(void **state)
{
	const struct way way = {.single = true, .cells_along_z = 182, .balls = GLASS_AS_WELL, .walls = ALL_ABSORB};
	(void)state;

	if (!has_windows() || !fields_suit_gpu(test_device()))
		skip();
	compare_streamed(&way, true);
}

static void test_devices_have_the_same_bits(void **state)
{
	(void)state;
	compare_all(20, false);
}

/* GPUs step both fields at once. */
static void test_whole_steps_have_the_same_bits(void **state)
{
	(void)state;
	if (!fields_suit_gpu(test_device()))
		skip();
	compare_all(182, true);
}

/* Numbers that are set from outside are on all devices that need them, and are read from those that have them. */
static void test_fields_are_written_and_read(void **state)
{
	struct fdtd_grid grid = open_grid(30, 8, 7, 0.5, 0);
	const size_t count = media_at(&grid, 30, 8, 7) + 1;
	struct media media = media_of(&grid, 1);
	struct fields_devices on = devices;
	struct simulation simulation[2];
	double *values;
	(void)state;

	if (!has_windows())
		skip();
	on.count = 3;
	on.height = 2;
	on.end[0] = 9;
	on.end[1] = 20;
	succeed(simulation_make(test_device(), &grid, &media, false, &simulation[0]));
	on.end[2] = simulation[0].fields.layout.end[0];
	succeed(simulation_make_on(&on, &grid, &media, false, &simulation[1]));
	assert_non_null(values = calloc(count, sizeof *values));
	for (int i = 1; i < 30; ++i)
		for (int j = 1; j < 8; ++j)
			for (int k = 1; k < 7; ++k)
				values[media_at(&grid, i, j, k)] = golden_number(media_at(&grid, i, j, k));
	for (int n = 0; n < 2; ++n) {
		succeed(fields_write(&simulation[n].fields, FIELD_E, 2, values));
		succeed(simulation_run(&simulation[n], 5, NULL));
		succeed(fields_write(&simulation[n].fields, FIELD_E, 1, values));
		succeed(simulation_run(&simulation[n], 6, NULL));
	}
	for (int c = 0; c < 3; ++c) {
		double *a = component_of(&simulation[0].fields, FIELD_E, c),
		       *b = component_of(&simulation[1].fields, FIELD_E, c);
		assert_memory_equal(a, b, count * sizeof *a);
		free(a);
		free(b);
	}
	free(values);
	simulation_release(&simulation[0]);
	simulation_release(&simulation[1]);
	media_free(&media);
}

static void test_few_planes_are_refused(void **state)
{
	struct fdtd_grid grid = open_grid(30, 8, 7, 0.5, 0);
	struct media media = media_of(&grid, 1);
	struct fields_devices on = devices;
	struct simulation simulation;
	(void)state;

	on.count = 2;
	on.height = 4;
	on.end[0] = 3;
	on.end[1] = 31;
	assert_int_equal(simulation_make_on(&on, &grid, &media, false, &simulation), SONDE_INVALID);
	simulation_release(&simulation);
	media_free(&media);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_devices_have_the_same_bits),
					   cmocka_unit_test(test_whole_steps_have_the_same_bits),
					   cmocka_unit_test(test_chains_have_the_same_bits),
					   cmocka_unit_test(test_chains_of_whole_steps_have_the_same_bits),
					   cmocka_unit_test(test_streaming_devices_have_the_same_bits),
					   cmocka_unit_test(test_streaming_devices_of_whole_steps_have_the_same_bits),
					   cmocka_unit_test(test_fields_are_written_and_read),
					   cmocka_unit_test(test_few_planes_are_refused)};

	return cmocka_run_group_tests(tests, open_devices, close_devices);
}
