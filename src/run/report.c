#include "run/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void open_with(struct report *report, char opening)
{
	text_append_byte(&report->text, opening);
	if (report->depth < REPORT_DEEPEST)
		report->closing[report->depth] = opening == '{' ? '}' : ']';
	++report->depth;
	report->first = true;
}

static void append_string(struct text *to, const char *text, size_t length)
{
	text_append_byte(to, '"');
	for (size_t k = 0; k < length; ++k)
		if ((unsigned char)text[k] < ' ' || text[k] == 0x7f)
			text_append(to, "\\u%04x", (unsigned)text[k]);
		else
			text_append(to, text[k] == '"' || text[k] == '\\' ? "\\%c" : "%c", text[k]);
	text_append_byte(to, '"');
}

/* Begins a member or an item; false if text for people is wanted. */
static bool begin_member(struct report *report, const char *name)
{
	if (!report->json)
		return false;
	text_append(&report->text, "%s", report->first ? "" : ", ");
	report->first = false;
	if (name != NULL) {
		append_string(&report->text, name, strlen(name));
		text_append(&report->text, ": ");
	}
	return true;
}

void report_begin(struct report *report, const char *command, bool json)
{
	*report = (struct report){.json = json};
	if (!json)
		return;
	open_with(report, '{');
	report_text(report, "command", command);
}

sonde_status report_end(struct report *report, const char *warnings)
{
	if (report->json) {
		while (report->depth > 1)
			report_close(report);
		if (report->notes.bytes != NULL || warnings != NULL)
			report_lines(report, "notes", report->notes.bytes != NULL ? report->notes.bytes : "");
		if (warnings != NULL)
			report_lines(report, "warnings", warnings);
		report_close(report);
		text_append_byte(&report->text, '\n');
	}
	CHECK(text_status(&report->notes));
	return text_status(&report->text);
}

void report_free(struct report *report)
{
	text_free(&report->text);
	text_free(&report->notes);
}

/* vprintf into a text, with options spelled; the first of two passes finds the length. */
static void append_formatted(const struct report *report, struct text *text, const char *format, va_list arguments)
{
	char buffer[1024], *formatted, *spelled;
	const char *marked = option_marks(format, buffer, sizeof buffer);
	va_list again;

	va_copy(again, arguments);
	const int length = vsnprintf(NULL, 0, marked, again);
	va_end(again);
	const size_t room = length < 0 ? 0 : (size_t)length + 1, spelled_room = OPTIONS_SPELLED_SIZE(room);
	if (length < 0 || memory_allocate(&formatted, room + spelled_room, 1, "a report") != SONDE_OK) {
		text->failed = true;
		return;
	}
	vsnprintf(formatted, room, marked, arguments);
	spelled = formatted + room;
	options_spell(formatted, report->spell, report->spell_user, spelled, spelled_room);
	text_append(text, "%s", spelled);
	free(formatted);
}

void report_line(struct report *report, const char *name, const char *format, ...)
{
	va_list arguments;

	if (report->json)
		return;
	text_append(&report->text, "%-12s ", name);
	va_start(arguments, format);
	append_formatted(report, &report->text, format, arguments);
	va_end(arguments);
	text_append_byte(&report->text, '\n');
}

void report_print(struct report *report, const char *format, ...)
{
	va_list arguments;

	if (report->json)
		return;
	va_start(arguments, format);
	append_formatted(report, &report->text, format, arguments);
	va_end(arguments);
}

void report_note(struct report *report, const char *format, ...)
{
	struct text *to = report->json ? &report->notes : &report->text;
	va_list arguments;

	text_append(to, "%s", report->json ? "" : "note: ");
	va_start(arguments, format);
	append_formatted(report, to, format, arguments);
	va_end(arguments);
	text_append_byte(to, '\n');
}

void report_text(struct report *report, const char *name, const char *text)
{
	if (begin_member(report, name))
		append_string(&report->text, text, strlen(text));
}

void report_words(struct report *report, const char *name, const char *text, int64_t length)
{
	if (begin_member(report, name))
		append_string(&report->text, text, (size_t)length);
}

void report_number(struct report *report, const char *name, double value)
{
	if (!begin_member(report, name))
		return;
	if (isfinite(value))
		text_append_real(&report->text, value);
	else
		text_append(&report->text, "null");
}

void report_decimal(struct report *report, const char *name, double value, int decimals)
{
	if (begin_member(report, name))
		text_append(&report->text, isfinite(value) ? "%.*f" : "null", decimals, value);
}

void report_integer(struct report *report, const char *name, int64_t value)
{
	if (begin_member(report, name))
		text_append(&report->text, "%lld", (long long)value);
}

void report_boolean(struct report *report, const char *name, bool value)
{
	if (begin_member(report, name))
		text_append(&report->text, "%s", value ? "true" : "false");
}

void report_value(struct report *report, const char *name, const char *text)
{
	double value;

	if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
		report_boolean(report, name, text[0] == 't');
	else if (text_parse_real(text, text + strlen(text), &value))
		report_number(report, name, value);
	else
		report_text(report, name, text);
}

void report_numbers(struct report *report, const char *name, const double *values, int64_t count)
{
	report_open_list(report, name);
	for (int64_t k = 0; k < count; ++k)
		report_number(report, NULL, values[k]);
	report_close(report);
}

void report_integers(struct report *report, const char *name, const int64_t *values, int64_t count)
{
	report_open_list(report, name);
	for (int64_t k = 0; k < count; ++k)
		report_integer(report, NULL, values[k]);
	report_close(report);
}

void report_open_object(struct report *report, const char *name)
{
	if (begin_member(report, name))
		open_with(report, '{');
}

void report_open_list(struct report *report, const char *name)
{
	if (begin_member(report, name))
		open_with(report, '[');
}

void report_close(struct report *report)
{
	if (!report->json || report->depth == 0)
		return;
	--report->depth;
	text_append_byte(&report->text, report->depth < REPORT_DEEPEST ? report->closing[report->depth] : '}');
	report->first = false;
}

void report_lines(struct report *report, const char *name, const char *lines)
{
	report_open_list(report, name);
	while (*lines != '\0') {
		const size_t length = strcspn(lines, "\n");
		report_words(report, NULL, lines, (int64_t)length);
		lines += length + (lines[length] == '\n');
	}
	report_close(report);
}
