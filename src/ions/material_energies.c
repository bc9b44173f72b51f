#include "ions/material_energies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ions/target/target.h"
#include "matter/elements/label.h"
#include "matter/materials/material.h"

/* The keys of materials and the options of the same names. */
static const struct energy {
	const char *name;
	size_t of_material, of_options;
} energies[] = {
    {"displacement", offsetof(sonde_material_options, displacement), offsetof(sonde_ions_options, displacement)},
    {"lattice", offsetof(sonde_material_options, lattice), offsetof(sonde_ions_options, lattice)},
    {"surface_binding", offsetof(sonde_material_options, surface_binding),
     offsetof(sonde_ions_options, surface_binding)},
};
#define ENERGIES (sizeof energies / sizeof *energies)

static const char *given(const sonde_material_options *material, const struct energy *energy)
{
	return (const char *)material + energy->of_material;
}

static bool has_energies(const sonde_material_options *material)
{
	for (size_t k = 0; k < ENERGIES; ++k)
		if (given(material, &energies[k])[0] != '\0')
			return true;
	return false;
}

/* Whether the option has a value for this element and region: "Si@b1=". */
static bool has_place(const char *option, const char *place)
{
	const size_t length = strlen(place);

	for (const char *item = option; *item != '\0';) {
		if (strncmp(item, place, length) == 0)
			return true;
		item += strcspn(item, ",");
		item += *item == ',';
	}
	return false;
}

static sonde_status append(const char *symbol, size_t length, const char *region, const char *value,
			   size_t value_length, char *option)
{
	char place[48];
	const size_t size = strlen(option);

	snprintf(place, sizeof place, "%.*s@%s=", (int)(length < 16 ? length : 16), symbol, region);
	if (has_place(option, place))
		return SONDE_OK;
	const int more = snprintf(option + size, OPTION_TEXT_SIZE - size, "%s%s%.*s", size > 0 ? "," : "", place,
				  (int)value_length, value);
	if (more >= (int)(OPTION_TEXT_SIZE - size)) {
		option[size] = '\0';
		return status_fail(SONDE_INVALID, "with the energies of all regions the text has more than %d bytes",
				   OPTION_TEXT_SIZE - 1);
	}
	return SONDE_OK;
}

/* One energy for all elements of the material. */
static sonde_status append_all(const struct material_list *list, int64_t number, const char *value,
			       const char *region, char *option)
{
	char text[OPTION_TEXT_SIZE];
	struct material matter;

	memcpy(text, list->items[number].name, sizeof text);
	CHECK(material_list_replace(list, "", text));
	CHECK(material_parse(text, &matter));
	for (int k = 0; k < matter.count; ++k) {
		const char *symbol = element_symbol(matter.atomic_number[k]);
		CHECK(append(symbol, strlen(symbol), region, value, strlen(value), option));
	}
	return SONDE_OK;
}

/* "Si=15,O=28" */
static sonde_status append_each(const char *values, const char *region, char *option)
{
	for (const char *item = values; *item != '\0';) {
		const size_t length = strcspn(item, ","), symbol = strcspn(item, "=");
		if (symbol >= length)
			return status_fail(SONDE_INVALID,
					   "'%.40s' is neither one energy nor ELEMENT=ENERGY, as in Si=15", item);
		CHECK(append(item, symbol, region, item + symbol + 1, length - symbol - 1, option));
		item += length;
		item += *item == ',';
	}
	return SONDE_OK;
}

/* The energies of a material for a region, "2" or "b1". */
static sonde_status take(const struct material_list *list, int64_t number, const char *region,
			 sonde_ions_options *options)
{
	const sonde_material_options *material = &list->items[number];

	for (size_t k = 0; k < ENERGIES; ++k) {
		const char *values = given(material, &energies[k]);
		char *option = (char *)options + energies[k].of_options;
		double number_given;
		if (values[0] == '\0')
			continue;
		sonde_status status = text_parse_real(values, values + strlen(values), &number_given)
					  ? append_all(list, number, values, region, option)
					  : append_each(values, region, option);
		if (status == SONDE_INVALID)
			status = status_prefix_option(status, energies[k].name);
		CHECK(material_list_prefix(list, status, number));
	}
	return SONDE_OK;
}

/* Regions of a text, "MATERIAL:.../MATERIAL...", with a letter before their numbers. */
static sonde_status take_regions(const struct material_list *list, const char *text, const char *letter,
				 sonde_ions_options *options)
{
	int region = 1;

	for (const char *start = text; *start != '\0'; ++region) {
		const size_t length = strcspn(start, "/");
		char name[OPTION_TEXT_SIZE], place[16];
		snprintf(name, sizeof name, "%.*s", (int)strcspn(start, "/:@*"), start);
		for (size_t end = strlen(name); end > 0 && name[end - 1] == ' ';)
			name[--end] = '\0';
		const int64_t number = material_list_find(list, name);
		snprintf(place, sizeof place, "%s%d", letter, region);
		if (number >= 0)
			CHECK(take(list, number, place, options));
		start += length;
		start += *start == '/';
	}
	return SONDE_OK;
}

static sonde_status take_body(const struct material_list *list, const sonde_body_options *body, int *region,
			      sonde_ions_options *options)
{
	const int64_t number = material_list_find(list, body->material);
	char place[16];

	if (body->shape == SONDE_BODY_SHAPE_VOXELS ||
	    (body->shape == SONDE_BODY_SHAPE_BUILD && body->file[0] != '\0')) {
		if (number >= 0 && has_energies(&list->items[number]))
			return status_fail_option(SONDE_INVALID, "material",
						  "energies of a material are not possible for voxels; give them by "
						  "`displacement`, as Si@v0=15");
		return SONDE_OK;
	}
	for (int64_t copy = 0; copy < body_copies(body) && *region <= TARGET_MOST_BODIES; ++copy, ++*region) {
		snprintf(place, sizeof place, "b%d", *region);
		if (number >= 0)
			CHECK(take(list, number, place, options));
	}
	return SONDE_OK;
}

sonde_status ions_take_material_energies(const struct material_list *materials, const struct body_list *bodies,
					 sonde_ions_options *options)
{
	char target[OPTION_TEXT_SIZE], text[OPTION_TEXT_SIZE];
	int region = 1;

	memcpy(target, options->target, sizeof target);
	memcpy(text, options->bodies, sizeof text);
	CHECK(take_regions(materials, target, "", options));
	CHECK(take_regions(materials, text, "b", options));
	for (int64_t n = 0; n < bodies->count; ++n)
		CHECK(body_list_prefix(bodies, take_body(materials, &bodies->items[n], &region, options), n));
	return SONDE_OK;
}
