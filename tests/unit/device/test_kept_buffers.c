/* Buffers that a device keeps when they are released. */
#include "unit/support.h"

#include "device/backend.h"
#include "device/device.h"

#define KIB ((size_t)1 << 10)

static struct device *open_device(uint64_t memory)
{
	const struct device_settings settings = {.threads = 1, .memory = memory, .kernel_cache = "off"};
	struct device *device;

	assert_int_equal(device_open("emulated", &settings, &device), SONDE_OK);
	return device;
}

static struct device_buffer allocate(struct device *device, size_t bytes)
{
	struct device_buffer buffer = {0};

	assert_int_equal(device_allocate(device, bytes, "a test", &buffer), SONDE_OK);
	assert_true(buffer.bytes >= bytes);
	return buffer;
}

static void fill(struct device *device, struct device_buffer *buffer)
{
	unsigned char ones[64 * KIB];

	memset(ones, 0xff, sizeof ones);
	assert_true(buffer->bytes <= sizeof ones);
	assert_int_equal(device_write(device, buffer, 0, ones, buffer->bytes), SONDE_OK);
}

static void assert_zero(struct device *device, const struct device_buffer *buffer)
{
	unsigned char bytes[64 * KIB];

	assert_int_equal(device_read(device, buffer, 0, bytes, buffer->bytes), SONDE_OK);
	for (size_t k = 0; k < buffer->bytes; ++k)
		assert_int_equal(bytes[k], 0);
}

static void test_a_released_buffer_is_used_again_and_is_zero(void **state)
{
	struct device *device = open_device(0);
	(void)state;

	device_keep_buffers(device, UINT64_MAX);
	struct device_buffer first = allocate(device, 40 * KIB);
	void *const memory = first.memory;
	fill(device, &first);
	device_release(device, &first);
	assert_null(first.memory);
	assert_int_equal(device->allocated, 0);
	assert_int_equal(device->kept.bytes, 40 * KIB);
	struct device_buffer small = allocate(device, 8 * KIB), second = allocate(device, 30 * KIB);
	assert_ptr_not_equal(small.memory, memory); /* it is far too large for this one */
	assert_ptr_equal(second.memory, memory);
	assert_zero(device, &second);
	assert_int_equal(device->kept.bytes, 0);
	assert_int_equal(device->allocated, 48 * KIB);
	device_release(device, &small);
	device_release(device, &second);
	device_close(&device);
}

static void test_nothing_is_kept_unless_requested(void **state)
{
	struct device *device = open_device(0);
	struct device_buffer buffer = allocate(device, KIB);
	(void)state;

	device_release(device, &buffer);
	assert_int_equal(device->kept.count, 0);
	device_close(&device);
}

/* A quarter of the memory at most, and nothing where it is needed. */
static void test_kept_buffers_leave_the_memory_to_others(void **state)
{
	struct device *device = open_device(64 * KIB);
	(void)state;

	device_keep_buffers(device, UINT64_MAX);
	struct device_buffer a = allocate(device, 12 * KIB), b = allocate(device, 12 * KIB);
	device_release(device, &a);
	device_release(device, &b);
	assert_int_equal(device->kept.count, 1);
	struct device_buffer most = allocate(device, 64 * KIB), none = {0};
	assert_int_equal(device->kept.count, 0);
	assert_int_equal(device_allocate(device, 1, "a test", &none), SONDE_RESOURCE);
	device_release(device, &most);
	device_close(&device);
}

/* Nor more than is wanted, unless more has been wanted before. */
static void test_few_bytes_are_kept(void **state)
{
	struct device *device = open_device(0);
	(void)state;

	device_keep_buffers(device, 20 * KIB);
	struct device_buffer a = allocate(device, 12 * KIB), b = allocate(device, 12 * KIB);
	device_release(device, &a);
	device_release(device, &b);
	assert_int_equal(device->kept.bytes, 12 * KIB);
	device_keep_buffers(device, 30 * KIB);
	device_keep_buffers(device, 1);
	a = allocate(device, 12 * KIB);
	b = allocate(device, 12 * KIB);
	device_release(device, &a);
	device_release(device, &b);
	assert_int_equal(device->kept.bytes, 24 * KIB);
	device_close(&device);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_released_buffer_is_used_again_and_is_zero),
	    cmocka_unit_test(test_nothing_is_kept_unless_requested),
	    cmocka_unit_test(test_kept_buffers_leave_the_memory_to_others),
	    cmocka_unit_test(test_few_bytes_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
