#include "matter/sample/describe.h"

#include <math.h>
#include <string.h>

#include "matter/materials/material.h"
#include "matter/sample/cell_matter.h"
#include "matter/sample/fill.h"
#include "matter/sample/sample.h"

#define CUBIC_ANGSTROM_PER_NM3 1000.0
#define PACKED 5.0 /* packings take longer */

/* Composition and density of an item; false if they are unknown, as of one with optical constants only. */
static bool find_matter(const sonde_sample *sample, int64_t number, struct material *matter)
{
	char text[OPTION_TEXT_SIZE];

	memcpy(text, sample->materials.items[number].name, sizeof text);
	return material_list_replace(&sample->materials, "", text) == SONDE_OK &&
	       material_parse(text, matter) == SONDE_OK && matter->count > 0;
}

static void describe_material(const sonde_sample *sample, int64_t number, struct report *report)
{
	const sonde_material_options *item = &sample->materials.items[number];
	const bool crystal = material_has_cell(item);
	struct material matter;

	report_open_object(report, NULL);
	report_text(report, "name", item->name);
	report_boolean(report, "crystal", crystal);
	if (find_matter(sample, number, &matter)) {
		report_line(report, "material", "%.64s: %s, %.6g g/cm^3, %.6g atoms/Angstrom^3%s", item->name,
			    matter.name, matter.density, matter.atoms / CUBIC_ANGSTROM_PER_NM3,
			    crystal ? ", crystal" : "");
		report_text(report, "composition", matter.name);
		report_number(report, "density_g_cm3", matter.density);
		report_number(report, "atoms_nm3", matter.atoms);
	} else {
		report_line(report, "material", "%.64s: no composition with a density is known", item->name);
	}
	report_close(report);
}

static void describe_solid(const sonde_body_options *body, const struct shape *shape, struct report *report)
{
	double low[3], high[3];

	shape_bounds(shape, low, high);
	report_print(report, ", %.6g Angstrom^3, x %.6g to %.6g, y %.6g to %.6g, z %.6g to %.6g", shape_volume(shape),
		     low[0], high[0], low[1], high[1], low[2], high[2]);
	report_number(report, "volume_angstrom3", shape_volume(shape));
	report_numbers(report, "low_angstrom", low, 3);
	report_numbers(report, "high_angstrom", high, 3);
	if (body_copies(body) > 1)
		report_print(report, ", the first of %lld copies", (long long)body_copies(body));
}

static sonde_status describe_body(const sonde_body_options *body, struct report *report)
{
	const struct option_row *row = options_find(&body_table_in_angstrom, "shape");
	struct text name = {0};
	struct shape *shape = NULL;
	double center[3];

	option_print(row, body, &name);
	if (name.failed)
		return text_status(&name);
	report_open_object(report, NULL);
	report_print(report, "%-12s %.64s, %s", "body",
		     body->material[0] != '\0' ? body->material : "several materials", name.bytes);
	report_text(report, "material", body->material);
	report_text(report, "shape", name.bytes);
	report_integer(report, "copies", body_copies(body));
	text_free(&name);
	body_copy_center(body, 0, center);
	/* maps and balls are made by engines */
	if (body_is_solid(body)) {
		CHECK(body_make_shape(&body_frame_in_angstrom, body, center, 0.0, &shape));
		describe_solid(body, shape, report);
		shape_free(&shape);
	}
	report_print(report, "\n");
	report_close(report);
	return SONDE_OK;
}

/* About how many atoms fill a body with its copies, those of packings counted several times; 0 for a hole, INFINITY if
 * that is not known. */
static double atoms_in(const sonde_sample *sample, const sonde_body_options *body)
{
	const int64_t number = material_list_find(&sample->materials, body->material);
	struct shape *shape = NULL;
	struct material matter;
	double center[3], volume;

	if (strcmp(body->material, "vacuum") == 0)
		return 0.0;
	body_copy_center(body, 0, center);
	if (!body_is_solid(body) || number < 0 || !find_matter(sample, number, &matter) ||
	    body_make_shape(&body_frame_in_angstrom, body, center, 0.0, &shape) != SONDE_OK)
		return INFINITY;
	volume = shape_volume(shape);
	shape_free(&shape);
	return (material_has_cell(&sample->materials.items[number]) ? 1.0 : PACKED) * (double)body_copies(body) *
	       volume * matter.atoms / CUBIC_ANGSTROM_PER_NM3;
}

/* Atoms that are close across interfaces, if they are not too many to be made. */
static sonde_status describe_contacts(sonde_context *context, const sonde_sample *sample, struct report *report)
{
	struct contacts contacts;
	sonde_atoms *atoms;
	double count = 0.0;

	for (int64_t n = 0; n < sample->bodies.count; ++n)
		count += atoms_in(sample, &sample->bodies.items[n]);
	if (!(count > 0.0 && count <= DESCRIBE_MOST_ATOMS))
		return SONDE_OK;
	CHECK(sonde_atoms_create(&atoms));
	const sonde_status status = sample_fill(context, sample, atoms, &contacts);
	sonde_atoms_free(&atoms);
	/* a sample for other probes may have no atoms */
	if (status != SONDE_OK || contacts.shortest == 0.0)
		return status == SONDE_INVALID ? SONDE_OK : status;
	report_integer(report, "contact_pairs", contacts.pairs);
	report_number(report, "shortest_contact_angstrom", contacts.shortest);
	report_line(report, "interfaces", "atoms of different bodies are at least %.3g Angstrom apart",
		    contacts.shortest);
	if (contacts.pairs > 0)
		report_line(
		    report, "",
		    "%lld pairs are closer than %g of the sum of their covalent radii; with clearance: %.1f none is",
		    (long long)contacts.pairs, CONTACTS_CLOSE, contacts_clearance(&contacts));
	return SONDE_OK;
}

sonde_status sample_describe(sonde_context *context, const sonde_sample *sample, struct report *report)
{
	report_text(report, "what", "description of a sample");
	report_line(report, "sample", "%lld materials, %lld bodies in %.64s", (long long)sample->materials.count,
		    (long long)sample->bodies.count, sample->options.surroundings);
	report_text(report, "surroundings", sample->options.surroundings);
	report_open_list(report, "materials");
	for (int64_t n = 0; n < sample->materials.count; ++n)
		describe_material(sample, n, report);
	report_close(report);
	report_open_list(report, "bodies");
	for (int64_t n = 0; n < sample->bodies.count; ++n)
		CHECK(describe_body(&sample->bodies.items[n], report));
	report_close(report);
	return describe_contacts(context, sample, report);
}
