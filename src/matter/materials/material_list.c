#include "matter/materials/material_list.h"

#include <stdio.h>
#include <string.h>

#include "base/option_items.h"
#include "matter/materials/material.h"

#define OPTION_STRUCT sonde_material_options
#include "base/option_table.h"

static const struct option_row rows[] = {
#include "matter/materials/material_options.def"
};

const struct option_table material_item_table = {"materials", rows, sizeof rows / sizeof *rows,
						 sizeof(sonde_material_options), true};

void sonde_material_init_sized(sonde_material_options *material, uint64_t size)
{
	options_init_sized(&material_item_table, material, size);
}

sonde_status material_list_prefix(const struct material_list *list, sonde_status status, int64_t number)
{
	const int64_t own = list->count - list->others;

	return number < own
		   ? option_item_prefix(status, list->file, list->lines, "materials", number)
		   : option_item_prefix(status, list->other_file, list->other_lines, "materials", number - own);
}

static sonde_status check_item(const struct material_list *list, int64_t number)
{
	const sonde_material_options *item = &list->items[number];

	CHECK(options_check(&material_item_table, item));
	if (item->name[0] == '\0')
		return status_fail_option(SONDE_INVALID, "name", "required");
	for (int64_t n = number < list->count - list->others ? 0 : list->count - list->others; n < number; ++n)
		if (strcmp(list->items[n].name, item->name) == 0)
			return status_fail_option(SONDE_INVALID, "name", "an earlier material is also named '%.64s'",
						  item->name);
	return SONDE_OK;
}

sonde_status material_list_check(const struct material_list *list)
{
	for (int64_t n = 0; n < list->count; ++n)
		CHECK(material_list_prefix(list, check_item(list, n), n));
	return SONDE_OK;
}

/* The item with the name [start, end), or -1. */
static int64_t find_item(const struct material_list *list, const char *start, const char *end)
{
	for (int64_t n = 0; n < list->count; ++n)
		if (strlen(list->items[n].name) == (size_t)(end - start) &&
		    memcmp(list->items[n].name, start, (size_t)(end - start)) == 0)
			return n;
	return -1;
}

int64_t material_list_find(const struct material_list *list, const char *name)
{
	return find_item(list, name, name + strlen(name));
}

/* "SiO2@2.2"; without the item's density if the text has one. */
static sonde_status describe_item(const sonde_material_options *item, bool has_density, char matter[OPTION_TEXT_SIZE])
{
	const bool named = item->composition[0] == '\0';
	const char *composition = named ? item->name : item->composition;
	char number[32];
	struct material material;

	const bool adds_density = item->density > 0.0 && !has_density;
	const int length = snprintf(matter, OPTION_TEXT_SIZE, "%s%s%s", composition, adds_density ? "@" : "",
				    adds_density ? text_format_real(item->density, number) : "");

	if (length >= OPTION_TEXT_SIZE)
		return status_fail_option(SONDE_INVALID, "composition", "too long");
	const sonde_status status = has_density ? SONDE_OK : material_parse(matter, &material);
	if (status == SONDE_INVALID && named)
		return status_prefix(status, "has no composition, and its name is not one");
	return status == SONDE_INVALID ? status_prefix_option(status, "composition") : status;
}

static sonde_status append(char text[OPTION_TEXT_SIZE], const char *start, size_t length)
{
	const size_t size = strlen(text);

	if (size + length >= OPTION_TEXT_SIZE)
		return status_fail(SONDE_INVALID,
				   "with the compositions of its materials the text has more than %d bytes",
				   OPTION_TEXT_SIZE - 1);
	memcpy(text + size, start, length);
	text[size + length] = '\0';
	return SONDE_OK;
}

/* Appends a piece of the text between two separators. */
static sonde_status append_piece(const struct material_list *list, const char *start, const char *end,
				 char to[OPTION_TEXT_SIZE])
{
	char matter[OPTION_TEXT_SIZE];
	const char *name = start, *rest;

	while (name < end && *name == ' ')
		++name;
	rest = name + strcspn(name, ":@*");
	rest = rest < end ? rest : end;
	const char *last = rest;
	while (last > name && last[-1] == ' ')
		--last;
	const int64_t number = find_item(list, name, last);
	if (number < 0)
		return append(to, start, (size_t)(end - start));
	CHECK(material_list_prefix(list, describe_item(&list->items[number], rest < end && *rest == '@', matter),
				   number));
	CHECK(append(to, matter, strlen(matter)));
	return append(to, rest, (size_t)(end - rest));
}

sonde_status material_list_replace(const struct material_list *list, const char *separators, char *text)
{
	char replaced[OPTION_TEXT_SIZE] = "";

	if (list->count == 0)
		return SONDE_OK;
	for (const char *start = text; *start != '\0';) {
		const char *end = start + strcspn(start, separators);
		CHECK(append_piece(list, start, end, replaced));
		if (*end != '\0')
			CHECK(append(replaced, end, 1));
		start = *end != '\0' ? end + 1 : end;
	}
	strcpy(text, replaced);
	return SONDE_OK;
}
