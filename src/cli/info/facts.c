#include "cli/info/facts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/program/json.h"

enum { DEEPEST = 8 };

static bool as_json;
static struct text object;
static char closing[DEEPEST]; /* of what is open */
static int depth;
static bool first; /* no member stands in what is open */

static void open_with(const char *opening)
{
	text_append(&object, "%s", opening);
	if (depth < DEEPEST)
		closing[depth] = opening[0] == '{' ? '}' : ']';
	++depth;
	first = true;
}

static void append_string(const char *text, size_t length)
{
	text_append(&object, "\"");
	for (size_t k = 0; k < length; ++k)
		if ((unsigned char)text[k] < ' ' || text[k] == 0x7f)
			text_append(&object, "\\u%04x", (unsigned)text[k]);
		else
			text_append(&object, text[k] == '"' || text[k] == '\\' ? "\\%c" : "%c", text[k]);
	text_append(&object, "\"");
}

/* Where a member goes; false if there are none. */
static bool begin_member(const char *name)
{
	if (!as_json)
		return false;
	text_append(&object, "%s", first ? "" : ", ");
	first = false;
	if (name != NULL) {
		append_string(name, strlen(name));
		text_append(&object, ": ");
	}
	return true;
}

void facts_begin(const char *command, bool json)
{
	as_json = json;
	text_free(&object);
	depth = 0;
	if (!json)
		return;
	open_with("{");
	facts_text("command", command);
}

sonde_status facts_end(void)
{
	if (!as_json)
		return SONDE_OK;
	while (depth > 0)
		facts_close();
	sonde_status status = text_status(&object);
	if (status == SONDE_OK)
		printf("%s\n", object.bytes);
	text_free(&object);
	return status;
}

bool facts_are_json(void)
{
	return as_json;
}

void facts_line(const char *name, const char *format, ...)
{
	va_list arguments;

	if (as_json)
		return;
	printf("%-12s ", name);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
}

void facts_print(const char *format, ...)
{
	va_list arguments;

	if (as_json)
		return;
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
}

void facts_text(const char *name, const char *text)
{
	if (begin_member(name))
		append_string(text, strlen(text));
}

void facts_words(const char *name, const char *text, int64_t length)
{
	if (begin_member(name))
		append_string(text, (size_t)length);
}

void facts_number(const char *name, double value)
{
	if (!begin_member(name))
		return;
	if (isfinite(value))
		text_append_real(&object, value);
	else
		text_append(&object, "null");
}

void facts_integer(const char *name, int64_t value)
{
	if (begin_member(name))
		text_append(&object, "%lld", (long long)value);
}

void facts_boolean(const char *name, bool value)
{
	if (begin_member(name))
		text_append(&object, "%s", value ? "true" : "false");
}

void facts_value(const char *name, const char *text)
{
	double value;

	if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
		facts_boolean(name, text[0] == 't');
	else if (text_parse_real(text, text + strlen(text), &value))
		facts_number(name, value);
	else
		facts_text(name, text);
}

void facts_numbers(const char *name, const double *values, int64_t count)
{
	facts_open_list(name);
	for (int64_t k = 0; k < count; ++k)
		facts_number(NULL, values[k]);
	facts_close();
}

void facts_integers(const char *name, const int64_t *values, int64_t count)
{
	facts_open_list(name);
	for (int64_t k = 0; k < count; ++k)
		facts_integer(NULL, values[k]);
	facts_close();
}

void facts_open_object(const char *name)
{
	if (begin_member(name))
		open_with("{");
}

void facts_open_list(const char *name)
{
	if (begin_member(name))
		open_with("[");
}

void facts_close(void)
{
	if (!as_json || depth == 0)
		return;
	--depth;
	text_append(&object, "%c", depth < DEEPEST ? closing[depth] : '}');
	first = false;
}

void facts_lines(const char *name, const char *lines)
{
	facts_open_list(name);
	while (*lines != '\0') {
		size_t length = strcspn(lines, "\n");
		facts_words(NULL, lines, (int64_t)length);
		lines += length + (lines[length] == '\n');
	}
	facts_close();
}

void facts_warnings(const char *notes)
{
	facts_lines("warnings", notes);
}
