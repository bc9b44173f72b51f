/* Options in messages, spelled by the front end. */
#include "unit/support.h"

#include <stdio.h>

#include "base/option_spelling.h"
#include "run/context.h"
#include "run/report.h"

/* A front end that shows what it gets. */
static void show(const void *user, const struct option_mention *mention, char *text, size_t size)
{
	snprintf(text, size, "%s<%s|%s|%d%d>", (const char *)user, mention->name,
		 mention->value != NULL ? mention->value : "", mention->is_subject, mention->is_key);
}

static void test_programs_read_names_of_members(void **unused)
{
	(void)unused;
	(void)status_fail(SONDE_INVALID, "a larger `bin_width`, `method exact` or `forces true` (%d)", 3);
	assert_string_equal(sonde_status_message(), "a larger bin_width, method = exact or forces = 1 (3)");
	(void)status_fail(SONDE_INVALID, "`threads 1`, more `host_memory`, or `force`");
	assert_string_equal(sonde_status_message(),
			    "sonde_context_set_threads(1), more sonde_context_set_memory(), or overwrite");
	(void)status_fail_option(SONDE_INVALID, "device", "x");
	assert_string_equal(sonde_status_message(), "device: x");
	(void)status_fail(SONDE_INVALID, "`any_shift true` or `force`");
	status_name_keys();
	assert_string_equal(sonde_status_message(), "'any-shift: true' or 'force:'");
}

static void test_front_ends_spell_them(void **unused)
{
	char text[300];

	(void)unused;
	(void)status_fail_option(SONDE_INVALID, "bin_width", "%g is above `bin-width %.2g`: x", 2.0, 1.5);
	assert_string_equal(status_spell(show, "!", text, sizeof text),
			    "!<bin-width||10>: 2 is above !<bin-width|1.5|00>: x");
}

static void test_the_subject_is_the_key_of_the_place(void **unused)
{
	char text[300];

	(void)unused;
	(void)status_fail_option(SONDE_INVALID, "bin_width", "too wide");
	assert_string_equal(status_place()->key, "bin-width");
	assert_string_equal(sonde_status_message(), "bin_width: too wide");
	(void)status_fail(SONDE_INVALID, "too wide");
	assert_string_equal(status_place()->key, "");
	(void)status_prefix_option(SONDE_INVALID, "bin-width");
	assert_string_equal(status_place()->key, "bin-width");
	(void)status_prefix_option(SONDE_INVALID, "outer");
	assert_string_equal(status_place()->key, "bin-width");
	assert_string_equal(sonde_status_message(), "outer: bin_width: too wide");
	status_name_keys();
	assert_string_equal(sonde_status_message(), "outer: bin-width: too wide");
	assert_string_equal(status_spell(show, "", text, sizeof text), "<outer||11>: <bin-width||11>: too wide");
}

/* Only formats have backquotes, and only marks that are whole are options. */
static void test_texts_of_users_are_no_options(void **unused)
{
	(void)unused;
	(void)status_fail(SONDE_INVALID, "%s: `", "`spacing`");
	assert_string_equal(sonde_status_message(), "`spacing`: `");
	(void)status_fail(SONDE_INVALID, "%s", "a\035b c\036 \036\037\034d");
	assert_string_equal(sonde_status_message(), "a?b c? ???d");
	(void)status_fail(SONDE_INVALID, "`Name` `` ` %s", "`x y`");
	assert_string_equal(sonde_status_message(), "`Name` `` ` `x y`");
}

static void test_messages_pass_marks_on(void **unused)
{
	char kept[64], cut[20];

	(void)unused;
	(void)status_fail(SONDE_INVALID, "use `step_a`");
	snprintf(kept, sizeof kept, "%s", status_message());
	(void)status_fail(SONDE_RESOURCE, "%s, or `step_b`", kept);
	assert_string_equal(sonde_status_message(), "use step_a, or step_b");
	(void)status_fail(SONDE_INVALID, "%s", "value " OPTION_VALUE("plane", "z=3"));
	assert_string_equal(sonde_status_message(), "value plane = z=3");
	snprintf(cut, 9, "%s", status_message()); /* within the mark */
	(void)status_fail(SONDE_INVALID, "%s", cut);
	assert_string_equal(sonde_status_message(), "value ?p");
	options_spell("a " OPTION_NAME("long_name") " b", NULL, NULL, cut, 8);
	assert_string_equal(cut, "a long_");
}

static void test_notes_and_reports(void **unused)
{
	sonde_context *context;
	struct report report;

	(void)unused;
	assert_int_equal(sonde_context_create(&context), SONDE_OK);
	context_notef(context, "`until`: not reached; `resume` continues %s", "`it`");
	assert_string_equal(sonde_context_notes(context), "until: not reached; resume continues `it`");
	context_notef(context, "another `flight`");
	assert_string_equal(sonde_context_notes(context),
			    "until: not reached; resume continues `it`\nanother flight");
	report_begin(&report, "x", false);
	report.spell = show;
	report.spell_user = "";
	report_note(&report, "with `output %s` `resume`", "file");
	assert_int_equal(report_end(&report, NULL), SONDE_OK);
	assert_string_equal(report.text.bytes, "note: with <output|file|00> <resume||00>\n");
	report_free(&report);
	sonde_context_free(&context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_programs_read_names_of_members),
	    cmocka_unit_test(test_front_ends_spell_them),
	    cmocka_unit_test(test_the_subject_is_the_key_of_the_place),
	    cmocka_unit_test(test_texts_of_users_are_no_options),
	    cmocka_unit_test(test_messages_pass_marks_on),
	    cmocka_unit_test(test_notes_and_reports),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
