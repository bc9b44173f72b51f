/* Messages of failures. */
#include "unit/support.h"

#include <pthread.h>
#include <stdio.h>

#include "sonde/version.h"

static void test_message_of_the_last_failure(void **unused)
{
	(void)unused;
	assert_int_equal(status_fail(SONDE_INVALID, "%s:%d: %s", "file.xyz", 7, "wrong"), SONDE_INVALID);
	assert_string_equal(sonde_status_message(), "file.xyz:7: wrong");
	assert_int_equal(status_fail(SONDE_RESOURCE, "second"), SONDE_RESOURCE);
	assert_string_equal(sonde_status_message(), "second");
}

static void test_prefix_precedes_the_message(void **unused)
{
	(void)unused;
	(void)status_fail(SONDE_INVALID, "inner");
	assert_int_equal(status_prefix(SONDE_INVALID, "%s:%d", "job.yaml", 3), SONDE_INVALID);
	assert_string_equal(sonde_status_message(), "job.yaml:3: inner");
	(void)status_prefix(SONDE_CANCELLED, "outer");
	assert_string_equal(sonde_status_message(), "outer: job.yaml:3: inner");
}

static void test_message_may_quote_itself(void **unused)
{
	(void)unused;
	(void)status_fail(SONDE_INVALID, "inner");
	(void)status_fail(SONDE_INVALID, "<%s>", sonde_status_message());
	assert_string_equal(sonde_status_message(), "<inner>");
	(void)status_prefix(SONDE_INVALID, "%s", sonde_status_message());
	assert_string_equal(sonde_status_message(), "<inner>: <inner>");
}

/* Text from files must not break the line nor steer the terminal. */
static void test_message_is_one_printable_line(void **unused)
{
	(void)unused;
	(void)status_fail(SONDE_INVALID, "a\nb\rc\td\033[31me\177f \xc3\xa5");
	assert_string_equal(sonde_status_message(), "a?b?c?d?[31me?f \xc3\xa5");
	(void)status_prefix(SONDE_INVALID, "x\ny");
	assert_true(strncmp(sonde_status_message(), "x?y: a?b", 8) == 0);
}

static void test_long_messages_are_cut(void **unused)
{
	char text[5000];

	(void)unused;
	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	(void)status_fail(SONDE_INVALID, "%s", text);
	assert_true(strlen(sonde_status_message()) >= 500 && strlen(sonde_status_message()) < sizeof text);
	(void)status_prefix(SONDE_INVALID, "%s", text);
	(void)status_prefix(SONDE_INVALID, "short");
	assert_true(strncmp(sonde_status_message(), "short: xxx", 10) == 0);
	assert_true(strlen(sonde_status_message()) < sizeof text);
}

static void *fail_elsewhere(void *user)
{
	*(bool *)user = sonde_status_message()[0] == '\0';
	(void)status_fail(SONDE_INTERNAL, "of the other thread");
	return NULL;
}

static void test_every_thread_has_its_message(void **unused)
{
	pthread_t thread;
	bool was_empty = false;

	(void)unused;
	(void)status_fail(SONDE_INVALID, "mine");
	assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, &was_empty), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_true(was_empty);
	assert_string_equal(sonde_status_message(), "mine");
}

static sonde_status checked(sonde_status first, int *passed)
{
	CHECK(first);
	++*passed;
	return SONDE_OK;
}

static sonde_status checked_goto(sonde_status first, int *passed, int *released)
{
	sonde_status status;

	CHECK_GOTO(status, first, done);
	++*passed;
done:
	++*released;
	return status;
}

static void test_check_returns_the_failure(void **unused)
{
	int passed = 0, released = 0;

	(void)unused;
	assert_int_equal(checked(SONDE_OK, &passed), SONDE_OK);
	assert_int_equal(passed, 1);
	assert_int_equal(checked(SONDE_CANCELLED, &passed), SONDE_CANCELLED);
	assert_int_equal(passed, 1);
	assert_int_equal(checked_goto(SONDE_RESOURCE, &passed, &released), SONDE_RESOURCE);
	assert_int_equal(passed, 1);
	assert_int_equal(checked_goto(SONDE_OK, &passed, &released), SONDE_OK);
	assert_int_equal(passed, 2);
	assert_int_equal(released, 2);
}

static void test_version_has_three_numbers(void **unused)
{
	int major, minor, patch, used = 0;

	(void)unused;
	assert_int_equal(sscanf(sonde_version(), "%d.%d.%d%n", &major, &minor, &patch, &used), 3);
	assert_int_equal(used, strlen(sonde_version()));
	assert_string_equal(sonde_version(), SONDE_VERSION_STRING);
	assert_true(major == SONDE_VERSION_MAJOR && minor == SONDE_VERSION_MINOR && patch == SONDE_VERSION_PATCH);
	assert_true(SONDE_VERSION_GE(SONDE_VERSION_MAJOR, SONDE_VERSION_MINOR, SONDE_VERSION_PATCH));
	assert_true(SONDE_VERSION_GE(SONDE_VERSION_MAJOR - 1, 99, 99) && SONDE_VERSION_GE(0, 0, 0));
	assert_false(SONDE_VERSION_GE(SONDE_VERSION_MAJOR, SONDE_VERSION_MINOR, SONDE_VERSION_PATCH + 1));
	assert_false(SONDE_VERSION_GE(SONDE_VERSION_MAJOR, SONDE_VERSION_MINOR + 1, 0));
	assert_false(SONDE_VERSION_GE(SONDE_VERSION_MAJOR + 1, 0, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_message_of_the_last_failure), cmocka_unit_test(test_prefix_precedes_the_message),
	    cmocka_unit_test(test_message_may_quote_itself),    cmocka_unit_test(test_message_is_one_printable_line),
	    cmocka_unit_test(test_long_messages_are_cut),       cmocka_unit_test(test_every_thread_has_its_message),
	    cmocka_unit_test(test_check_returns_the_failure),   cmocka_unit_test(test_version_has_three_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
