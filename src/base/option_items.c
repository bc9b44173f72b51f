#include "base/option_items.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bool has(const char *keys, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = strstr(keys, name); at != NULL; at = strstr(at + 1, name))
		if (at[-1] == ' ' && at[length] == ' ')
			return true;
	return false;
}

static sonde_status same_text(const struct option_row *row, const void *options, const void *other, bool *same)
{
	struct text text = {0}, default_text = {0};

	option_print(row, options, &text);
	option_print(row, other, &default_text);
	sonde_status status = text_status(&text);
	if (status == SONDE_OK)
		status = text_status(&default_text);
	*same = status != SONDE_OK || strcmp(text.bytes != NULL ? text.bytes : "",
					     default_text.bytes != NULL ? default_text.bytes : "") == 0;
	text_free(&text);
	text_free(&default_text);
	return status;
}

sonde_status options_find_given(const struct option_table *table, const char *name, const void *options, bool *given)
{
	unsigned char *defaults;
	bool same;

	CHECK(memory_allocate(&defaults, table->struct_size, 1, "options"));
	options_set_defaults(table, defaults);
	const sonde_status status = same_text(options_find(table, name), options, defaults, &same);
	*given = !same;
	free(defaults);
	return status;
}

/* All options that the item may have, for the message. */
static void append_keys(const struct option_table *table, const char *const keys[OPTION_ITEM_KEYS], struct text *text)
{
	char flag[64];
	bool first = true;

	for (size_t k = 0; k < table->count; ++k)
		for (int n = 0; n < OPTION_ITEM_KEYS; ++n)
			if (has(keys[n], table->rows[k].name)) {
				text_append(text, "%s%s", first ? "" : ", ", option_flag(&table->rows[k], flag));
				first = false;
				break;
			}
}

sonde_status option_item_check(const struct option_table *table, const void *item, const char *whose,
			       const char *const keys[OPTION_ITEM_KEYS])
{
	unsigned char *defaults;
	sonde_status status = SONDE_OK;

	CHECK(memory_allocate(&defaults, table->struct_size, 1, "options"));
	options_set_defaults(table, defaults);
	for (size_t k = 0; k < table->count && status == SONDE_OK; ++k) {
		const struct option_row *row = &table->rows[k];
		struct text known = {0};
		bool same = true;
		if (!has(keys[0], row->name) && !has(keys[1], row->name) && !has(keys[2], row->name))
			status = same_text(row, item, defaults, &same);
		if (same)
			continue;
		append_keys(table, keys, &known);
		status = status_fail_option(SONDE_INVALID, row->name, "not an option of %s, which has %s", whose,
					    known.bytes != NULL ? known.bytes : "");
		text_free(&known);
	}
	free(defaults);
	return status;
}

sonde_status option_item_prefix(sonde_status status, const char *file, const size_t *lines, const char *list,
				int64_t number)
{
	if (status != SONDE_INVALID)
		return status;
	if (file != NULL)
		status_name_keys();
	status = status_prefix(status, "%s %lld", list, (long long)number + 1);
	return file != NULL && lines != NULL ? status_prefix_line(status, file, (long long)lines[number]) : status;
}

void options_print_lines(const struct option_table *table, const void *options, const char *indent, struct text *text)
{
	char flag[64];

	for (size_t k = 0; k < table->count; ++k) {
		const struct option_row *row = &table->rows[k];
		struct text value = {0};
		option_print(row, options, &value);
		if (value.bytes != NULL && value.size > 0)
			text_append(text, "%s%s: %s\n", indent, option_flag(row, flag), value.bytes);
		text->failed |= value.failed;
		text_free(&value);
	}
}

void option_items_print(const struct option_table *table, int64_t count, const void *items, struct text *text)
{
	for (int64_t n = 0; n < count; ++n) {
		text_append(text, "%s %lld:\n", table->name, (long long)n + 1);
		options_print_lines(table, (const char *)items + (size_t)n * table->struct_size, "  ", text);
	}
}

static sonde_status print_given(const struct option_table *table, const void *item, const void *defaults,
				struct text *text)
{
	const char *separator = "";
	char flag[64];

	for (size_t k = 0; k < table->count; ++k) {
		const struct option_row *row = &table->rows[k];
		bool same;
		CHECK(same_text(row, item, defaults, &same));
		if (same)
			continue;
		text_append(text, "%s%s: ", separator, option_flag(row, flag));
		option_print(row, item, text);
		separator = ", ";
	}
	text_append(text, "\n");
	return text_status(text);
}

sonde_status option_items_print_given(const struct option_table *table, int64_t count, const void *items,
				      const char *before, struct text *text)
{
	unsigned char *defaults;
	sonde_status status = SONDE_OK;

	CHECK(memory_allocate(&defaults, table->struct_size, 1, "options"));
	options_set_defaults(table, defaults);
	for (int64_t n = 0; n < count && status == SONDE_OK; ++n) {
		text_append(text, "%s%s %lld: ", before, table->name, (long long)n + 1);
		status = print_given(table, (const char *)items + (size_t)n * table->struct_size, defaults, text);
	}
	free(defaults);
	return status;
}

sonde_status option_items_complete(const struct option_table *table, int64_t count, const void *items, bool always,
				   void **copy)
{
	const char *from = items;

	*copy = NULL;
	if (count <= 0)
		return SONDE_OK;
	if (items == NULL)
		return status_fail(SONDE_INVALID, "%s: the count is %lld, but the list is null", table->name,
				   (long long)count);
	const uint64_t size = *(const uint64_t *)items;
	for (int64_t n = 0; n < count; ++n)
		if (size < sizeof size || size > table->struct_size ||
		    *(const uint64_t *)(const void *)(from + n * (int64_t)size) != size)
			return status_fail(SONDE_INVALID, "%s %lld was not set up by its init function", table->name,
					   (long long)n + 1);
	if (size == table->struct_size && !always)
		return SONDE_OK;
	CHECK(memory_allocate(copy, (size_t)count, table->struct_size, "a list of the job"));
	for (int64_t n = 0; n < count; ++n) {
		sonde_status status =
		    options_complete(table, from + n * (int64_t)size, (char *)*copy + (size_t)n * table->struct_size);
		if (status != SONDE_OK) {
			free(*copy);
			*copy = NULL;
			return status;
		}
	}
	return SONDE_OK;
}

/* "  key: value" */
static sonde_status read_line(const struct option_table *table, const char *line, size_t length, void *item)
{
	char text[OPTION_TEXT_SIZE + 80];

	if (length >= sizeof text)
		return status_fail(SONDE_INVALID, "%s: a line is too long", table->name);
	snprintf(text, sizeof text, "%.*s", (int)length, line);
	char *colon = strstr(text, ": ");
	if (colon == NULL)
		return status_fail(SONDE_INVALID, "%s: '%.40s' is not an option", table->name, text);
	*colon = '\0';
	const struct option_row *row = options_find(table, text + 2);
	if (row == NULL)
		return status_fail(SONDE_INVALID, "%s: unknown option '%.40s'", table->name, text + 2);
	return option_parse(row, item, colon + 2);
}

static sonde_status read_items(const struct option_table *table, const char *text, int64_t *count, void **items)
{
	size_t capacity = 0;
	char head[96];

	snprintf(head, sizeof head, "%s %lld:", table->name, (long long)*count + 1);
	for (bool within = false; *text != '\0'; text += text[0] == '\n') {
		const size_t length = strcspn(text, "\n");
		if (length == strlen(head) && strncmp(text, head, length) == 0) {
			CHECK(memory_grow(items, &capacity, (size_t)*count + 1, table->struct_size,
					  "a list of the job"));
			options_set_defaults(table, (char *)*items + (size_t)*count * table->struct_size);
			++*count;
			snprintf(head, sizeof head, "%s %lld:", table->name, (long long)*count + 1);
			within = true;
		} else if (within && strncmp(text, "  ", 2) == 0) {
			CHECK(read_line(table, text, length,
					(char *)*items + (size_t)(*count - 1) * table->struct_size));
		} else {
			within = false;
		}
		text += length;
	}
	return SONDE_OK;
}

sonde_status option_items_read(const struct option_table *table, const char *text, int64_t *count, void **items)
{
	*count = 0;
	*items = NULL;
	sonde_status status = read_items(table, text, count, items);
	if (status != SONDE_OK) {
		free(*items);
		*items = NULL;
		*count = 0;
	}
	return status;
}
