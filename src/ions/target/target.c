#include "ions/target/target.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "matter/elements/element.h"
#include "matter/elements/label.h"
#include "run/context.h"

#define DISPLACEMENT 25.0   /* eV, of elements for which the table has none */
#define LATTICE 3.0         /* for counting vacancies; sputtered atoms have overcome the surface binding */
#define SURFACE 2.0         /* of elements without a heat of sublimation in the table: gases, in compounds */
#define MOST_ENERGY 1e4     /* eV, of thresholds */
#define MOST_THICKNESS 1e12 /* nm */
#define LENGTH_ROUNDING 1e-9

sonde_status target_parse_length(const char *start, const char *end, double *nanometers)
{
	if (unit_parse_named(UNIT_LENGTH, start, end, 0.0, nanometers) && *nanometers > 0.0 &&
	    *nanometers <= MOST_THICKNESS)
		return SONDE_OK;
	return status_fail(SONDE_INVALID,
			   "'%.*s' is not a thickness: a positive number with A, nm, um or mm, as in 200nm",
			   (int)(end - start > 60 ? 60 : end - start), start);
}

/* One layer: MATERIAL or MATERIAL:THICKNESS. */
static sonde_status parse_layer(const char *start, const char *end, bool last, struct target *target)
{
	char name[MATERIAL_NAME_SIZE + 32];
	const char *colon = memchr(start, ':', (size_t)(end - start));
	const char *name_end = colon != NULL ? colon : end;

	if (target->layer_count == TARGET_MOST_LAYERS)
		return status_fail_option(SONDE_INVALID, "target", "more than %d layers", TARGET_MOST_LAYERS);
	struct target_layer *layer = &target->layers[target->layer_count];
	if ((size_t)(name_end - start) >= sizeof name)
		return status_fail_option(SONDE_INVALID, "target", "the name of a material has more than %d bytes",
					  (int)sizeof name - 1);
	snprintf(name, sizeof name, "%.*s", (int)(name_end - start), start);
	sonde_status status = material_parse(name, &layer->material);
	if (status != SONDE_OK)
		return status_prefix_option(status, "target");
	double thickness = INFINITY;
	if (colon != NULL) {
		status = target_parse_length(colon + 1, end, &thickness);
		if (status != SONDE_OK)
			return status_prefix_option(status_prefix(status, "%s", name), "target");
	} else if (!last) {
		return status_fail_option(SONDE_INVALID, "target",
					  "%s needs a thickness, as in %s:200nm, since layers follow", name, name);
	}
	layer->begin = target->layer_count > 0 ? target->layers[target->layer_count - 1].end : 0.0;
	layer->end = layer->begin + thickness;
	++target->layer_count;
	return SONDE_OK;
}

static sonde_status parse_layers(const char *text, struct target *target)
{
	if (text[0] == '\0')
		return status_fail_option(SONDE_INVALID, "target",
					  "not given; for example `target Si` or "
					  "`target SiO2:200nm/Si`");
	for (const char *start = text;;) {
		const char *end = start + strcspn(start, "/");
		CHECK(parse_layer(start, end, *end == '\0', target));
		if (*end == '\0')
			break;
		start = end + 1;
	}
	return SONDE_OK;
}

static sonde_status check_matter(const struct target *target)
{
	bool matter = false;

	for (int k = 0; k < target->region_count; ++k)
		matter = matter || target->layers[k].material.count > 0;
	return matter ? SONDE_OK : status_fail_option(SONDE_INVALID, "target", "only vacuum; give a material");
}

/* Ions and atoms are followed between the surface and the end of the last layer: bodies must begin there. */
sonde_status target_check_place(const struct target *target, int region, const char *who)
{
	const struct target_layer *body = &target->layers[region];
	double end = target->layers[target->layer_count - 1].end;

	if (body->begin < -LENGTH_ROUNDING)
		return status_fail(SONDE_INVALID,
				   "%s begins at %g Angstrom, in front of the surface at 0: a "
				   "layer of vacuum provides room, `target vacuum:20nm/...`",
				   who, 10.0 * body->begin);
	if (body->begin >= end)
		return status_fail(SONDE_INVALID,
				   "%s begins at %g Angstrom, beyond the target, which "
				   "ends at %g",
				   who, 10.0 * body->begin, 10.0 * end);
	return SONDE_OK;
}

static sonde_status check_bodies(const struct target *target)
{
	char who[MATERIAL_NAME_SIZE + 48];

	for (int k = target->layer_count; k < target->layer_count + target->body_count; ++k) {
		snprintf(who, sizeof who, OPTION_NAME("bodies") ": number %d, of %s,", k - target->layer_count + 1,
			 target->layers[k].material.name);
		CHECK(target_check_place(target, k, who));
	}
	return SONDE_OK;
}

static sonde_ions_origin origin_of(double tabulated)
{
	return tabulated > 0.0 ? SONDE_IONS_FROM_TABLE : SONDE_IONS_FROM_DEFAULT;
}

static sonde_status make_kinds(double lattice, struct target *target)
{
	target->kind_count = 1;
	for (int l = 0; l < target->region_count; ++l) {
		struct target_layer *layer = &target->layers[l];
		layer->first_kind = target->kind_count;
		for (int e = 0; e < layer->material.count; ++e) {
			if (target->kind_count == TARGET_MOST_KINDS)
				return status_fail_option(SONDE_INVALID, "target",
							  "more than %d kinds of atoms in all layers",
							  TARGET_MOST_KINDS - 1);
			struct element element = element_of(layer->material.atomic_number[e]);
			target->kinds[target->kind_count++] = (struct target_kind){
			    .atomic_number = layer->material.atomic_number[e],
			    .layer = l,
			    .element = e,
			    .mass = layer->material.mass[e],
			    .fraction = layer->material.fraction[e],
			    .displacement = element.displacement > 0.0 ? element.displacement : DISPLACEMENT,
			    .lattice = lattice,
			    .surface = element.sublimation > 0.0 ? element.sublimation : SURFACE,
			    .displacement_from = origin_of(element.displacement),
			    .lattice_from = SONDE_IONS_FROM_DEFAULT,
			    .surface_from = origin_of(element.sublimation)};
		}
	}
	return SONDE_OK;
}

/* An element, everywhere or in one region: "Si", "Si@2" (layer 2), "Au@b1" (body 1), "Au@v0" (voxels 0). */
struct place {
	int atomic_number, region; /* region: -1 everywhere */
};

/* False if the text is not of this form; the region may not exist. */
static bool parse_place(const char *start, const char *end, const struct target *target, struct place *place)
{
	const char *at = memchr(start, '@', (size_t)(end - start)), *symbol_end = at != NULL ? at : end;
	char symbol[8];
	double number;

	if (symbol_end - start >= (int)sizeof symbol)
		return false;
	snprintf(symbol, sizeof symbol, "%.*s", (int)(symbol_end - start), start);
	*place = (struct place){element_number(symbol), -1};
	if (at == NULL)
		return place->atomic_number != 0;
	char what = *++at;
	at += what == 'b' || what == 'v';
	if (!text_parse_real(at, end, &number) || number != floor(number) || !(number >= (what == 'v' ? 0.0 : 1.0)) ||
	    number > TARGET_MOST_REGIONS)
		return false;
	place->region = what == 'v'   ? target->layer_count + target->body_count + (int)number
			: what == 'b' ? target->layer_count + (int)number - 1
				      : (int)number - 1;
	/* a layer is not a body */
	if ((what == 'b' && place->region >= target->layer_count + target->body_count) ||
	    (what != 'b' && what != 'v' && place->region >= target->layer_count))
		place->region = TARGET_MOST_REGIONS;
	return place->atomic_number != 0;
}

/* Reads "Si=15,O=28,O@2=20" for one of the energies of all kinds of an element; a value for a layer takes
 * precedence, before or after that for all. */
static sonde_status set_energies(const char *option, const char *text, size_t offset, size_t origin_offset,
				 double least, struct target *target)
{
	const sonde_ions_origin origin = SONDE_IONS_FROM_USER;
	bool given[TARGET_MOST_KINDS][2] = {{false}}; /* for the element everywhere, and in this layer */

	for (const char *start = text; *start != '\0';) {
		const char *end = start + strcspn(start, ","), *equals = memchr(start, '=', (size_t)(end - start));
		struct place place;
		double energy;
		bool found = false, twice = false;

		if (equals == NULL || !parse_place(start, equals, target, &place) ||
		    !text_parse_real(equals + 1, end, &energy))
			return status_fail_option(
			    SONDE_INVALID, option,
			    "'%.*s' is neither ELEMENT=ENERGY nor ELEMENT@LAYER=ENERGY; for example " OPTION_VALUE(
				"%s", "Si=15,O=28"),
			    (int)(end - start > 40 ? 40 : end - start), start, option);
		if (!(energy >= least && energy <= MOST_ENERGY))
			return status_fail_option(SONDE_INVALID, option, "%.*s: %g eV is not from %g to %g",
						  (int)(equals - start), start, energy, least, MOST_ENERGY);
		for (int k = 1; k < target->kind_count; ++k)
			if (target->kinds[k].atomic_number == place.atomic_number &&
			    (place.region < 0 || place.region == target->kinds[k].layer)) {
				bool of_layer = place.region >= 0;
				if (of_layer || !given[k][1])
					memcpy((char *)&target->kinds[k] + offset, &energy, sizeof energy);
				memcpy((char *)&target->kinds[k] + origin_offset, &origin, sizeof origin);
				found = true;
				twice = twice || given[k][of_layer];
				given[k][of_layer] = true;
			}
		if (!found)
			return status_fail_option(SONDE_INVALID, option, "there is no %.*s in the target",
						  (int)(equals - start), start);
		if (twice)
			return status_fail_option(SONDE_INVALID, option,
						  "%.*s is given twice; give one energy for an element, and one for "
						  "each layer with another value: Si=15,Si@2=20",
						  (int)(equals - start), start);
		start = *end == ',' ? end + 1 : end;
	}
	return SONDE_OK;
}

void target_note(const struct target *target, sonde_context *context)
{
	for (int k = 0; k < target->region_count; ++k) {
		const struct material *material = &target->layers[k].material;
		char note[MATERIAL_NOTE_SIZE];
		bool noted = false;

		for (int i = 0; i < k && !noted; ++i)
			noted = strcmp(target->layers[i].material.name, material->name) == 0 &&
				target->layers[i].material.density == material->density;
		if (!noted && material_gas_note(material, note))
			context_note(context, note);
	}
}

void target_free(struct target *target)
{
	free(target->voxel_words);
	free(target->meshes);
	target->voxel_words = NULL;
	target->meshes = NULL;
}

static sonde_status check_only_one(const sonde_ions_options *options, const struct body_list *bodies)
{
	if (bodies->count > 0 && options->bodies[0] != '\0')
		return status_fail_option(SONDE_INVALID, "bodies",
					  "given both as a list in the job and as a text; choose one");
	for (int64_t n = 0; n < bodies->count && options->voxels[0] != '\0'; ++n)
		if (target_is_map(&bodies->items[n]))
			return status_fail_option(SONDE_INVALID, "voxels",
						  "the job's list of bodies also has a map of voxels; give only one");
	return SONDE_OK;
}

sonde_status target_make(const sonde_ions_options *options, const struct body_list *bodies, struct target *target)
{
	static const struct body_list none = {0};

	*target = (struct target){0};
	bodies = bodies != NULL ? bodies : &none;
	CHECK(parse_layers(options->target, target));
	CHECK(check_only_one(options, bodies));
	CHECK(target_parse_bodies(options->bodies, target));
	CHECK(check_bodies(target));
	CHECK(target_add_bodies(bodies, target));
	target->region_count = target->layer_count + target->body_count;
	CHECK(target_read_voxels(options->voxels, options->voxel_materials, target));
	CHECK(target_add_voxels(bodies, target));
	CHECK(check_matter(target));
	CHECK(make_kinds(options->surface == SONDE_IONS_SURFACE_PLANAR ? 0.0 : LATTICE, target));
	CHECK(set_energies("displacement", options->displacement, offsetof(struct target_kind, displacement),
			   offsetof(struct target_kind, displacement_from), 0.1, target));
	CHECK(set_energies("lattice", options->lattice, offsetof(struct target_kind, lattice),
			   offsetof(struct target_kind, lattice_from), 0.0, target));
	CHECK(set_energies("surface-binding", options->surface_binding, offsetof(struct target_kind, surface),
			   offsetof(struct target_kind, surface_from), 0.0, target));
	for (int k = 1; k < target->kind_count; ++k) {
		struct target_kind *kind = &target->kinds[k];
		/* the default is unsuitable for a given displacement energy */
		if (kind->lattice_from == SONDE_IONS_FROM_DEFAULT && kind->lattice > 0.5 * kind->displacement)
			kind->lattice = 0.5 * kind->displacement;
		if (kind->lattice >= kind->displacement)
			return status_fail_option(
			    SONDE_INVALID, "lattice", "%s: %g eV is not below the displacement energy of %g eV",
			    element_symbol(kind->atomic_number), kind->lattice, kind->displacement);
	}
	return SONDE_OK;
}
