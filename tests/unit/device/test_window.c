/* Buffers of which only windows are in memory. */
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "device/link.h"
#include "device/staged_copy.h"
#include "unit/support.h"

static void open_device(struct device **device)
{
	const char *name = getenv("SONDE_TEST_DEVICE");
	const struct device_settings settings = {.launch_limit = 1.0, .kernel_cache = "off"};

	assert_int_equal(device_open(name != NULL ? name : "cpu", &settings, device), SONDE_OK);
}

static void test_chunks(void **state)
{
	/* chunks 0, 4 and 9 have ends of parts; the window of the first part touches at most 3 chunks */
	const struct device_part parts[] = {{50, 400, 150}, {450, 450, 1000}};
	struct device_window window;
	(void)state;

	assert_int_equal(device_window_make(1000, 100, parts, 2, "a test", &window), SONDE_OK);
	assert_int_equal(window.chunks, 10);
	const uint32_t expected[] = {7, 0, 1, 2, 8, 3, 4, 5, 6, 9};
	for (int n = 0; n < 10; ++n)
		assert_int_equal(window.memory_of_chunk[n], expected[n]);
	assert_int_equal(window.memory_chunks, 10);
	assert_int_equal(device_window_memory(1000, 100, parts, 2), 1000);
	assert_int_equal(device_window_run(&window, 1), 3);
	device_window_free(&window);

	const struct device_part narrow = {0, 1000, 150};
	assert_int_equal(device_window_make(1000, 100, &narrow, 1, "a test", &window), SONDE_OK);
	assert_int_equal(window.memory_chunks, 3);
	assert_int_equal(device_window_memory(1000, 100, &narrow, 1), 300);
	for (uint32_t n = 0; n < 10; ++n)
		assert_int_equal(window.memory_of_chunk[n], n % 3);
	device_window_free(&window);
}

/* A window moves through a buffer: what was written is there as long as it is in the window. */
static void test_moving(void **state)
{
	enum { COUNT = 4 * 1024 * 1024, STEP = 100000, WIDTH = 3 * STEP };
	const struct device_part part = {0, COUNT * sizeof(uint32_t), WIDTH * sizeof(uint32_t)};
	struct device *device;
	struct device_buffer buffer = {0};
	struct device_event sent = {0}, fetched = {0};
	void *host;
	(void)state;

	open_device(&device);
	assert_int_equal(device_host_allocate(device, part.bytes, "a test", &host), SONDE_OK);
	uint32_t *numbers = host, *back = calloc(WIDTH, sizeof *back);
	assert_non_null(back);
	for (uint32_t n = 0; n < COUNT; ++n)
		numbers[n] = n * 2654435761u;
	const sonde_status status = device_allocate_window(device, part.bytes, &part, 1, "a test", &buffer);
	if (status == SONDE_RESOURCE) {
		device_host_release(device, host);
		device_close(&device);
		free(back);
		skip();
	}
	assert_int_equal(status, SONDE_OK);
	assert_true(device_window_bytes(device, part.bytes, &part, 1) < part.bytes / 2);
	assert_int_equal(device_read(device, &buffer, 0, back, WIDTH * sizeof *back), SONDE_OK);
	for (uint32_t n = 0; n < WIDTH; ++n)
		assert_int_equal(back[n], 0);
	for (uint32_t at = 0; at + STEP <= COUNT; at += STEP) {
		const uint32_t begin = at + STEP > WIDTH ? at + STEP - WIDTH : 0, count = at + STEP - begin;
		device_use_queue(device, 1);
		assert_int_equal(device_begin_after(device, &fetched), SONDE_OK);
		assert_int_equal(device_send(device, &buffer, at * sizeof *back, numbers + at, STEP * sizeof *back),
				 SONDE_OK);
		assert_int_equal(device_event_record(device, &sent), SONDE_OK);
		device_use_queue(device, 2);
		assert_int_equal(device_begin_after(device, &sent), SONDE_OK);
		assert_int_equal(device_fetch(device, &buffer, begin * sizeof *back, back, count * sizeof *back),
				 SONDE_OK);
		device_event_release(device, &fetched);
		assert_int_equal(device_event_record(device, &fetched), SONDE_OK);
		assert_int_equal(device_event_wait(device, &fetched), SONDE_OK);
		assert_memory_equal(back, numbers + begin, count * sizeof *back);
		device_event_release(device, &sent);
	}
	device_use_queue(device, 0);
	device_event_release(device, &fetched);
	device_release(device, &buffer);
	assert_null(buffer.memory);
	device_host_release(device, host);
	device_close(&device);
	free(back);
}

/* Through pinned memory, in several chunks with a last one that is not full, where the device copies while the host does other work. */
static void test_large_writes(void **state)
{
	enum { COUNT = (41 << 20) / sizeof(uint32_t) + 5, BEFORE = 3 };
	struct device *device;
	struct device_buffer buffer = {0};
	uint32_t *numbers = malloc(COUNT * sizeof *numbers), *back = calloc(COUNT + BEFORE, sizeof *back);
	(void)state;

	assert_true(numbers != NULL && back != NULL);
	for (uint32_t n = 0; n < COUNT; ++n)
		numbers[n] = n * 2654435761u + 1;
	open_device(&device);
	assert_int_equal(device_allocate(device, (COUNT + BEFORE) * sizeof *back, "a test", &buffer), SONDE_OK);
	assert_int_equal(device_write_large(device, &buffer, BEFORE * sizeof *back, numbers, COUNT * sizeof *numbers),
			 SONDE_OK);
	memset(numbers, 0, BEFORE * sizeof *numbers);
	assert_int_equal(device_read(device, &buffer, 0, back, (COUNT + BEFORE) * sizeof *back), SONDE_OK);
	assert_memory_equal(back, numbers, BEFORE * sizeof *back);
	for (uint32_t n = 0; n < COUNT; ++n)
		assert_int_equal(back[BEFORE + n], n * 2654435761u + 1);
	assert_int_equal(
	    device_write_large(device, &buffer, 4 * BEFORE * sizeof *back, numbers, COUNT * sizeof *back),
	    SONDE_INTERNAL);
	device_release(device, &buffer);
	device_close(&device);
	free(numbers);
	free(back);
}

static void test_link(void **state)
{
	struct device *device;
	struct device_link link;
	(void)state;

	open_device(&device);
	assert_int_equal(device_measure_link(device, false, &link), SONDE_OK);
	assert_true(link.both > 0.0 && link.to_device == 0.0 && link.to_host == 0.0);
	assert_int_equal(device_measure_link(device, true, &link), SONDE_OK);
	assert_true(link.both > 0.0 && link.to_device > 0.0 && link.to_host > 0.0);
	device_close(&device);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_chunks), cmocka_unit_test(test_moving),
					   cmocka_unit_test(test_large_writes), cmocka_unit_test(test_link)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
