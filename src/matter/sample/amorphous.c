#include "matter/sample/amorphous.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "matter/elements/isotope.h"
#include "matter/materials/material.h"
#include "sonde/build.h"

#define SHORTEST_EDGE 20.0 /* of a periodic box, Angstrom: several times the distances of neighbors */
#define FILLED 0.45        /* of the volume by spheres of one size, reached in a few hundred steps */
#define PER_CUBIC_NM 1e-3  /* in 1/Angstrom^3 */
#define PI 3.14159265358979323846

/* Composition and density, from the item or the tables. */
static sonde_status find_matter(const struct material_list *list, int64_t number, struct material *matter)
{
	char text[OPTION_TEXT_SIZE];
	sonde_status status;

	memcpy(text, list->items[number].name, sizeof text);
	status = material_list_replace(list, "", text);
	if (status == SONDE_OK)
		status = material_parse(text, matter);
	if (status == SONDE_INVALID)
		(void)status_prefix(status, "%.64s has no cell, and no packing of its atoms is possible",
				    list->items[number].name);
	CHECK(status);
	if (matter->count == 0)
		return status_fail(SONDE_INVALID, "%.64s has no atoms; the material of a hole is vacuum",
				   list->items[number].name);
	return SONDE_OK;
}

/* Edges of the box, and the number of atoms in it. */
static double choose_box(const double size[3], double number_density, double box[3])
{
	double volume = 1.0;

	for (int k = 0; k < 3; ++k) {
		box[k] = fmax(size[k], SHORTEST_EDGE);
		volume *= box[k];
	}
	if (number_density * volume > AMORPHOUS_MOST_ATOMS) {
		box[0] = box[1] = box[2] = cbrt(AMORPHOUS_MOST_ATOMS / number_density);
		volume = box[0] * box[1] * box[2];
	}
	return number_density * volume;
}

static sonde_status set_packing(const struct material *matter, double count, sonde_build_options *options)
{
	struct text text = {0};

	for (int k = 0; k < matter->count; ++k) {
		char label[16];
		isotope_label(matter->atomic_number[k], matter->mass[k], label);
		text_append(&text, "%s%s=%.0f", k > 0 ? "," : "", label,
			    fmax(1.0, round(matter->fraction[k] * count)));
	}
	const sonde_status status = text_status(&text);
	if (status == SONDE_OK)
		snprintf(options->packing, sizeof options->packing, "%s", text.bytes);
	text_free(&text);
	return status;
}

static void set_distance(sonde_context *context, const sonde_material_options *item, const struct material *matter,
			 double number_density, sonde_build_options *options)
{
	const double diameter = cbrt(6.0 * FILLED / (PI * number_density));

	if (item->distance[0] != '\0') {
		memcpy(options->distance, item->distance, sizeof options->distance);
		return;
	}
	snprintf(options->distance, sizeof options->distance, "%.6g", diameter);
	if (matter->count > 1)
		context_notef(
		    context,
		    "%.64s has no cell: its atoms are packed at random, with all pairs at least %.3g Angstrom apart; "
		    "the "
		    "material's key 'distance' gives the smallest distance of each pair of species, such as "
		    "Si:Si=2.9,O:Si=1.6,O:O=2.5",
		    item->name, diameter);
}

static sonde_status pack(sonde_context *context, const sonde_material_options *item, const struct material *matter,
			 const double size[3], sonde_build_options *options, sonde_atoms **atoms)
{
	const double number_density = PER_CUBIC_NM * matter->atoms;
	double box[3];

	const double count = choose_box(size, number_density, box);
	options->box = (sonde_vector){box[0], box[1], box[2]};
	CHECK(set_packing(matter, count, options));
	set_distance(context, item, matter, number_density, options);
	return sonde_build_run(context, options, atoms);
}

sonde_status amorphous_make(sonde_context *context, const struct material_list *list, int64_t number,
			    const double size[3], int64_t seed, sonde_atoms **atoms)
{
	sonde_build_options *options;
	struct material matter;

	*atoms = NULL;
	CHECK(find_matter(list, number, &matter));
	CHECK(memory_allocate(&options, 1, sizeof *options, "the options of a packing"));
	sonde_build_options_init(options);
	options->seed = seed;
	const sonde_status status = pack(context, &list->items[number], &matter, size, options, atoms);
	free(options);
	return status;
}
