#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MESSAGE_SIZE 1024

static _Thread_local char last_message[MESSAGE_SIZE];
static _Thread_local struct status_place last_place;

const char *status_message(void)
{
	return last_message;
}

const char *status_spell(option_spelling *spell, const void *user, char *text, size_t size)
{
	options_spell(last_message, spell, user, text, size);
	return text;
}

const char *sonde_status_message(void)
{
	static _Thread_local char spelled[OPTIONS_SPELLED_SIZE(MESSAGE_SIZE)];

	return status_spell(NULL, NULL, spelled, sizeof spelled);
}

const char *status_find_control(const char *text, int *bytes)
{
	for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; ++c) {
		*bytes = *c < 0x20 || *c == 0x7f ? 1 : *c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0 ? 2 : 0;
		if (*bytes > 0)
			return (const char *)c;
	}
	return NULL;
}

/* Messages may contain text from files: keep them to one printable line, with marks of options. */
static void make_one_line(char *text)
{
	int bytes;

	for (const char *c = text; (c = status_find_control(c, &bytes)) != NULL;) {
		const size_t mark = option_mark_length(c);
		if (mark == 0)
			memset(text + (c - text), '?', (size_t)bytes);
		c += mark > 0 ? mark : (size_t)bytes;
	}
}

void status_set_message(const char *format, ...)
{
	va_list arguments;
	char text[MESSAGE_SIZE], marked[MESSAGE_SIZE]; /* an argument may be the last message itself */

	va_start(arguments, format);
	vsnprintf(text, sizeof text, option_marks(format, marked, sizeof marked), arguments);
	va_end(arguments);
	make_one_line(text);
	memcpy(last_message, text, sizeof text);
	last_place = (struct status_place){.line = 0};
}

void status_set_message_at(const char *file, long long line, const char *format, ...)
{
	va_list arguments;
	char text[MESSAGE_SIZE], marked[MESSAGE_SIZE];

	va_start(arguments, format);
	vsnprintf(text, sizeof text, option_marks(format, marked, sizeof marked), arguments);
	va_end(arguments);
	if (line > 0)
		status_set_message("%s:%lld: %s", file, line, text);
	else
		status_set_message("%s: %s", file, text);
	status_locate(file, (size_t)line, 0, NULL);
}

static void set_key(const char *name)
{
	snprintf(last_place.key, sizeof last_place.key, "%s", name);
	for (char *c = last_place.key; *c != '\0'; ++c)
		if (*c == '_')
			*c = '-';
}

void status_set_message_of_option(const char *name, const char *format, ...)
{
	va_list arguments;
	char text[MESSAGE_SIZE], marked[MESSAGE_SIZE];

	va_start(arguments, format);
	vsnprintf(text, sizeof text, option_marks(format, marked, sizeof marked), arguments);
	va_end(arguments);
	status_set_message(OPTION_NAME("%.63s") ": %s", name, text);
	set_key(name);
}

sonde_status status_prefix_option(sonde_status status, const char *name)
{
	status = status_prefix(status, OPTION_NAME("%.63s"), name);
	if (last_place.key[0] == '\0')
		set_key(name);
	return status;
}

void status_name_keys(void)
{
	option_marks_to_keys(last_message);
}

void status_locate(const char *file, size_t line, size_t column, const char *key)
{
	if (file != NULL && file[0] != '\0') {
		snprintf(last_place.file, sizeof last_place.file, "%s", file);
		last_place.line = line;
		last_place.column = column;
	}
	if (key != NULL && key[0] != '\0')
		snprintf(last_place.key, sizeof last_place.key, "%s", key);
}

const struct status_place *status_place(void)
{
	return &last_place;
}

sonde_status status_prefix(sonde_status status, const char *format, ...)
{
	va_list arguments;
	char prefix[MESSAGE_SIZE / 2], text[MESSAGE_SIZE], marked[MESSAGE_SIZE / 2];

	va_start(arguments, format);
	vsnprintf(prefix, sizeof prefix, option_marks(format, marked, sizeof marked), arguments);
	va_end(arguments);
	make_one_line(prefix);
	snprintf(text, sizeof text, "%s: %.500s", prefix, last_message);
	memcpy(last_message, text, sizeof text);
	return status;
}

sonde_status status_prefix_line(sonde_status status, const char *file, long long line)
{
	status = status_prefix(status, "%s:%lld", file, line);
	status_locate(file, (size_t)line, 0, NULL);
	return status;
}
