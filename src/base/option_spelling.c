#include "base/option_spelling.h"

#include <stdio.h>
#include <string.h>

#define FLAG '\035'
#define KEY '\034'
#define VALUE '\037'
#define END '\036'
#define QUOTE '`'

#define NAME_SIZE 64

static bool is_of_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

const char *option_marks(const char *format, char *buffer, size_t size)
{
	size_t used = 0;

	if (strchr(format, QUOTE) == NULL || strlen(format) >= size)
		return format;
	while (*format != '\0') {
		size_t name = 0;
		if (*format == QUOTE)
			while (is_of_name(format[1 + name]))
				++name;
		const char *end = name > 0 && (format[1 + name] == QUOTE || format[1 + name] == ' ')
				      ? strchr(format + 1 + name, QUOTE)
				      : NULL;
		if (end == NULL) {
			buffer[used++] = *format++;
			continue;
		}
		buffer[used++] = FLAG;
		for (const char *c = format + 1; c < end; ++c)
			buffer[used++] = c == format + 1 + name ? VALUE : *c;
		buffer[used++] = END;
		format = end + 1;
	}
	buffer[used] = '\0';
	return buffer;
}

/* As status_find_control(). */
static bool is_control(const unsigned char *c)
{
	return *c < 0x20 || *c == 0x7f || (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0);
}

size_t option_mark_length(const char *text)
{
	const char *c = text;

	if (*c != FLAG && *c != KEY)
		return 0;
	const char *name = ++c;
	while (is_of_name(*c))
		++c;
	if (c == name || c - name >= NAME_SIZE)
		return 0;
	if (*c == VALUE) {
		++c;
		while (!is_control((const unsigned char *)c))
			++c;
	}
	return *c == END ? (size_t)(c - text) + 1 : 0;
}

void option_marks_to_keys(char *message)
{
	for (char *c = message; (c = strchr(c, FLAG)) != NULL; ++c)
		if (option_mark_length(c) > 0)
			*c = KEY;
}

/* Settings of the program that are no options in C. */
static const struct {
	const char *name, *in_c;
} settings[] = {
    {"force", "overwrite"},
    {"output", "path"},
    {"device", "sonde_context_set_device"},
    {"memory", "sonde_context_set_device_memory"},
    {"host-memory", "sonde_context_set_memory"},
    {"threads", "sonde_context_set_threads"},
    {"kernel-cache", "sonde_context_set_kernel_cache"},
    {"launch-limit", "sonde_context_set_launch_limit"},
};

void option_spell_in_job(const void *user, const struct option_mention *mention, char *text, size_t size)
{
	const char *value = mention->value;

	(void)user;
	if (mention->is_subject)
		snprintf(text, size, "%s", mention->name);
	else
		snprintf(text, size, "'%s:%s%s'", mention->name, value != NULL ? " " : "",
			 value != NULL ? value : "");
}

void option_spell_in_c(const void *user, const struct option_mention *mention, char *text, size_t size)
{
	const char *value = mention->value;

	if (mention->is_key) {
		option_spell_in_job(user, mention, text, size);
		return;
	}
	if (value != NULL && strcmp(value, "true") == 0)
		value = "1";
	for (size_t k = 0; k < sizeof settings / sizeof *settings && !mention->is_subject; ++k)
		if (strcmp(settings[k].name, mention->name) == 0) {
			if (strncmp(settings[k].in_c, "sonde_", 6) == 0)
				snprintf(text, size, "%s(%s)", settings[k].in_c, value != NULL ? value : "");
			else
				snprintf(text, size, "%s%s%s", settings[k].in_c, value != NULL ? " = " : "",
					 value != NULL ? value : "");
			return;
		}
	snprintf(text, size, "%s%s%s", mention->name, value != NULL ? " = " : "", value != NULL ? value : "");
	for (size_t k = 0; k < strlen(mention->name) && k + 1 < size; ++k)
		if (text[k] == '-')
			text[k] = '_';
}

/* Spells the mark of `length` bytes; returns the number of bytes written. */
static size_t spell_mark(const char *mark, size_t length, option_spelling *spell, const void *user, char *text,
			 size_t size)
{
	char name[NAME_SIZE], value[256];
	struct option_mention mention = {.name = name, .is_key = mark[0] == KEY};
	const char *start = mark + 1, *end = mark + length - 1;
	const char *separator = memchr(start, VALUE, (size_t)(end - start));
	const size_t name_length = (size_t)((separator != NULL ? separator : end) - start);

	memcpy(name, start, name_length);
	name[name_length] = '\0';
	for (char *c = name; *c != '\0'; ++c)
		if (*c == '_')
			*c = '-';
	if (separator != NULL) {
		snprintf(value, sizeof value, "%.*s", (int)(end - separator) - 1, separator + 1);
		mention.value = value;
	}
	mention.is_subject = mention.value == NULL && mark[length] == ':';
	text[0] = '\0';
	spell(user, &mention, text, size);
	return strlen(text);
}

void options_spell(const char *message, option_spelling *spell, const void *user, char *text, size_t size)
{
	size_t used = 0;

	spell = spell != NULL ? spell : option_spell_in_c;
	while (*message != '\0' && used + 1 < size) {
		const size_t length = option_mark_length(message);
		if (length > 0) {
			used += spell_mark(message, length, spell, user, text + used, size - used);
			message += length;
		} else {
			/* the rest of a mark that was cut */
			const bool is_part =
			    *message == FLAG || *message == KEY || *message == VALUE || *message == END;
			if (!is_part)
				text[used++] = *message;
			++message;
		}
	}
	text[used] = '\0';
}
