/* Lattice and shape to atoms. */
#include "matter/build.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/atoms.h"
#include "matter/build/cluster.h"
#include "matter/build/orientation.h"
#include "matter/build/room.h"
#include "matter/build/shapes.h"
#include "matter/build/supercell.h"
#include "matter/build/walk.h"
#include "matter/crystal.h"
#include "matter/label.h"
#include "run/context.h"

#define OPTION_STRUCT sonde_build_options
#include "base/option_table.h"

static const struct option_row rows[] = {
#include "matter/build_options.def"
};

const struct option_table build_option_table = {"build", rows, sizeof rows / sizeof *rows,
						sizeof(sonde_build_options), true};

void sonde_build_options_init_sized(sonde_build_options *options, uint64_t size)
{
	options_init_sized(&build_option_table, options, size);
}

/* Splits "Co,O" into the labels of the structure's species, adds them to the atoms. */
static sonde_status add_species(const char *option, const char *c, int wanted, sonde_atoms *atoms, uint16_t *species)
{
	int count = 0;
	struct label label;
	char name[SONDE_LABEL_SIZE];

	if (*c == '\0')
		return status_fail_option(SONDE_INVALID, option, "not given; add e.g. `species %s`",
					  wanted == 1   ? "Au"
					  : wanted == 2 ? "Co,O"
							: "Sr,Ti,O");
	for (;; ++c) {
		size_t length = strcspn(c, ",");
		if (length >= sizeof name)
			return status_fail_option(SONDE_INVALID, option, "'%.*s' is too long for a label",
						  (int)length, c);
		memcpy(name, c, length);
		name[length] = '\0';
		sonde_status status = label_parse(name, &label);
		if (status != SONDE_OK)
			return status_prefix_option(status, option);
		if (count < wanted)
			CHECK(atoms_species_index(atoms, name, &species[count]));
		++count;
		c += length;
		if (*c == '\0')
			break;
	}
	if (count != wanted)
		return status_fail_option(SONDE_INVALID, option, "this structure has %d, not %d", wanted, count);
	return SONDE_OK;
}

/* A small shape may contain no atom of some species of the structure: those are removed. */
static sonde_status drop_empty_species(sonde_atoms *atoms)
{
	uint16_t *index = NULL;
	int kept = 0;

	CHECK(memory_allocate(&index, (size_t)atoms->species_count, sizeof *index, "the species"));
	for (int s = 0; s < atoms->species_count; ++s) {
		index[s] = (uint16_t)kept;
		if (atoms->species[s].atoms > 0)
			atoms->species[kept++] = atoms->species[s];
	}
	if (kept < atoms->species_count)
		for (int64_t i = 0; i < atoms->count; ++i)
			atoms->species_of[i] = index[atoms->species_of[i]];
	atoms->species_count = kept;
	free(index);
	return SONDE_OK;
}

/* The options that were set, as a command that sets them: the sample's name. */
static sonde_status describe(const sonde_build_options *options, struct text *source)
{
	sonde_build_options defaults;
	struct text value = {0}, usual = {0};
	char flag[64];

	sonde_build_options_init(&defaults);
	text_append(source, "sonde build");
	for (size_t k = 0; k < build_option_table.count; ++k) {
		const struct option_row *row = &build_option_table.rows[k];
		value.size = usual.size = 0;
		option_print(row, options, &value);
		option_print(row, &defaults, &usual);
		if (value.size > 0 && (k == 0 || usual.size == 0 || strcmp(value.bytes, usual.bytes) != 0))
			text_append(source, " --%s %s", option_flag(row, flag), value.bytes);
	}
	sonde_status status =
	    value.failed || usual.failed ? text_status(value.failed ? &value : &usual) : text_status(source);
	text_free(&value);
	text_free(&usual);
	return status;
}

static sonde_status check_options(const sonde_build_options *options)
{
	if (options->cell < 0)
		return status_fail_option(SONDE_INVALID, "cell", "no structure is given; add e.g. `cell rocksalt`");
	if (options->a == 0.0)
		return status_fail_option(SONDE_INVALID, "a", "the lattice constant is missing, e.g. `a 4.2614`");
	if (options->c != 0.0 && options->cell != SONDE_BUILD_CELL_HCP && options->cell != SONDE_BUILD_CELL_WURTZITE)
		return status_fail_option(SONDE_INVALID, "c", "only hcp and wurtzite have a second lattice constant");
	if (options->c != 0.0 && options->c < 0.1)
		return status_fail_option(SONDE_INVALID, "c",
					  "%g Angstrom is not a valid lattice constant; at least 0.1", options->c);
	if (options->u != 0.375 && options->cell != SONDE_BUILD_CELL_WURTZITE)
		return status_fail_option(SONDE_INVALID, "u", "only wurtzite has this parameter");
	return options_check(&build_option_table, options);
}

/* Shells and cores are scaled copies of the shape around its center. */
static sonde_status check_parts(const sonde_build_options *options, const struct build_solid *solid)
{
	const char *name = options->hollow != 0.0 ? "hollow" : "core";
	const bool core = options->core[0] != '\0';

	if (core != (options->core_size != 0.0))
		return status_fail_option(SONDE_INVALID, core ? "core_size" : "core",
					  core ? "not given; the core needs its size, e.g. `core_size 0.5`"
					       : "not given; a core needs species, e.g. `core Ag`");
	if (options->hollow == 0.0 && !core)
		return SONDE_OK;
	if (solid->kind == BUILD_SUPERCELL || solid->kind == BUILD_CLUSTER)
		return status_fail_option(SONDE_INVALID, name,
					  "not possible for supercells, icosahedra, and decahedra");
	if (solid->kind == BUILD_CYLINDER && solid->size[2] > 0.0)
		return status_fail_option(
		    SONDE_INVALID, name,
		    "not possible for a tube; the inner radius, the third number of `cylinder`, "
		    "must be 0");
	if (core && options->core_size <= options->hollow)
		return status_fail_option(SONDE_INVALID, "core_size", "the core, %g, lies in the hollow, %g",
					  options->core_size, options->hollow);
	return SONDE_OK;
}

/* What the options give, checked: the cell in its orientation, the shape, and its center. */
struct build {
	sonde_build_options options;
	struct crystal crystal;
	struct build_solid solid;
	double center[3];
};

static sonde_status make_crystal(const sonde_build_options *options, struct crystal *crystal)
{
	double rotation[3][3];

	CHECK(crystal_make(options->cell, options->a, options->c, options->u, crystal));
	if (options->orient[0] == '\0')
		return SONDE_OK;
	CHECK(orientation_parse(options->orient, crystal->vectors, rotation));
	crystal_rotate(crystal, rotation);
	return SONDE_OK;
}

static void find_center(struct build *build)
{
	const double fraction[3] = {build->options.center.x, build->options.center.y, build->options.center.z};

	for (int m = 0; m < 3; ++m) {
		build->center[m] = 0.0;
		for (int k = 0; k < 3; ++k)
			build->center[m] += fraction[k] * build->crystal.vectors[k][m];
		build->solid.corner[m] = -build->center[m];
	}
}

/* To be freed by build_free(), also after a failure. */
static sonde_status build_make(const sonde_build_options *given, struct build *build)
{
	build->crystal = (struct crystal){.site_count = 0};
	CHECK(options_complete(&build_option_table, given, &build->options));
	CHECK(check_options(&build->options));
	CHECK(make_crystal(&build->options, &build->crystal));
	CHECK(shapes_find(&build->options, &build->crystal, &build->solid));
	CHECK(check_parts(&build->options, &build->solid));
	find_center(build);
	return SONDE_OK;
}

static void build_free(struct build *build)
{
	crystal_free(&build->crystal);
}

sonde_status build_solid_of(const sonde_build_options *options, struct build_solid *solid)
{
	struct build *build = NULL;

	CHECK(memory_allocate(&build, 1, sizeof *build, "the options of build"));
	const sonde_status status = build_make(options, build);
	*solid = build->solid;
	if (solid->kind == BUILD_STL)
		solid->stl = options->stl;
	build_free(build);
	free(build);
	return status;
}

static sonde_status fill_cluster(sonde_context *context, const struct build *build, uint16_t species,
				 sonde_atoms *atoms)
{
	const int64_t shells = build->options.icosahedron, p = (int64_t)build->solid.size[0],
		      q = (int64_t)build->solid.size[1], r = (int64_t)build->solid.size[2];
	const double distance = build->options.a * sqrt(0.5);
	const struct crystal *crystal = &build->crystal;

	CHECK(room_reserve(
	    context, shells != 0 ? cluster_icosahedron_atoms(shells) : cluster_decahedron_atoms(p, q, r), atoms));
	if (shells != 0)
		cluster_icosahedron(shells, distance, species, atoms);
	else
		cluster_decahedron(p, q, r, distance, species, atoms);
	if (build->options.orient[0] == '\0')
		return SONDE_OK;
	/* the cubic cell is rotated already: its vectors are the rotated axes times a */
	for (int64_t i = 0; i < atoms->count; ++i) {
		double *at = atoms->positions + 3 * i, x = at[0], y = at[1], z = at[2];
		for (int m = 0; m < 3; ++m)
			at[m] =
			    (x * crystal->vectors[0][m] + y * crystal->vectors[1][m] + z * crystal->vectors[2][m]) /
			    build->options.a;
	}
	return SONDE_OK;
}

static sonde_status fill_region(sonde_context *context, const struct build *build, const uint16_t *species,
				sonde_atoms *atoms)
{
	struct region region;
	sonde_status status = region_make(&build->solid, &region);

	region.core = build->options.core_size;
	if (status == SONDE_OK)
		status = walk_lattice(context, &build->crystal, &region, build->center, species, atoms);
	region_free(&region);
	return status;
}

static sonde_status fill(sonde_context *context, struct build *build, const uint16_t *species, sonde_atoms *atoms)
{
	if (build->solid.kind == BUILD_CLUSTER)
		return fill_cluster(context, build, species[0], atoms);
	if (build->options.supercell_matrix[0] != '\0')
		return supercell_fill(context, &build->crystal, build->solid.matrix, species, atoms);
	return fill_region(context, build, species, atoms);
}

static sonde_status make_atoms(sonde_context *context, struct build *build, sonde_atoms *atoms)
{
	uint16_t *species = NULL;
	const int count = build->crystal.species_count;

	CHECK(memory_allocate(&species, 2 * (size_t)count, sizeof *species, "the species"));
	sonde_status status = add_species("species", build->options.species, count, atoms, species);
	if (status == SONDE_OK && build->options.core[0] != '\0')
		status = add_species("core", build->options.core, count, atoms, species + count);
	if (status == SONDE_OK)
		status = fill(context, build, species, atoms);
	free(species);
	CHECK(status);
	if (atoms->count == 0)
		return status_fail(SONDE_INVALID, "no atom lies in the shape; make it larger");
	CHECK(drop_empty_species(atoms));
	if (build->solid.kind == BUILD_SUPERCELL) {
		atoms->has_lattice = true;
		memcpy(atoms->lattice, build->solid.edges, sizeof atoms->lattice);
	}
	return describe(&build->options, &atoms->source);
}

sonde_status sonde_build_run(sonde_context *context, const sonde_build_options *options, sonde_atoms **result)
{
	struct build *build = NULL;
	sonde_atoms *atoms = NULL;

	*result = NULL;
	if (context == NULL)
		return status_fail(SONDE_INVALID, "a context is needed: sonde_context_create()");
	CHECK(memory_allocate(&build, 1, sizeof *build, "the options of build"));
	sonde_status status = build_make(options, build);
	if (status == SONDE_OK)
		status = sonde_atoms_create(&atoms);
	if (status == SONDE_OK)
		status = make_atoms(context, build, atoms);
	build_free(build);
	free(build);
	if (status == SONDE_OK)
		*result = atoms;
	else
		sonde_atoms_free(&atoms);
	return status;
}
