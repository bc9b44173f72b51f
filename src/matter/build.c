/* Lattice and shape to atoms. */
#include "matter/build.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/atoms.h"
#include "matter/build/cluster.h"
#include "matter/build/file_cell.h"
#include "matter/build/orientation.h"
#include "matter/build/room.h"
#include "matter/build/shapes.h"
#include "matter/build/supercell.h"
#include "matter/build/walk.h"
#include "matter/crystal.h"
#include "matter/defects.h"
#include "matter/ensemble.h"
#include "matter/generate.h"
#include "matter/label.h"
#include "run/context.h"

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
			text_append(source, row->type == OPTION_BOOLEAN ? " --%s" : " --%s %s",
				    option_flag(row, flag), value.bytes);
	}
	sonde_status status =
	    value.failed || usual.failed ? text_status(value.failed ? &value : &usual) : text_status(source);
	text_free(&value);
	text_free(&usual);
	return status;
}

/* The file has what names of structures need from options. */
static sonde_status check_cell_file(const sonde_build_options *options)
{
	const char *given = options->species[0] != '\0' ? "species"
			    : options->a != 0.0         ? "a"
			    : options->c != 0.0         ? "c"
			    : options->u != 0.375       ? "u"
							: NULL;

	if (options->cell >= 0)
		return status_fail_option(SONDE_INVALID, "cell", "give the name of a structure or a file, not both");
	if (given != NULL)
		return status_fail_option(SONDE_INVALID, given, "not with a file for `cell`, which contains it");
	CHECK(options_check(&build_option_table, options));
	return generate_check_absent(&build_option_table, options);
}

static sonde_status check_options(const sonde_build_options *options)
{
	if (options->cell_file[0] != '\0')
		return check_cell_file(options);
	if (options->cell < 0)
		return status_fail_option(SONDE_INVALID, "cell", "no structure is given; add e.g. `cell rocksalt`");
	if (options->a == 0.0)
		return status_fail_option(SONDE_INVALID, "a", "the lattice constant is missing, e.g. `a 4.2614`");
	if (options->a < 0.1)
		return status_fail_option(SONDE_INVALID, "a",
					  "%g Angstrom is not a valid lattice constant; at least 0.1", options->a);
	if (options->c != 0.0 && options->cell != SONDE_BUILD_CELL_HCP && options->cell != SONDE_BUILD_CELL_WURTZITE)
		return status_fail_option(SONDE_INVALID, "c", "only hcp and wurtzite have a second lattice constant");
	if (options->c != 0.0 && options->c < 0.1)
		return status_fail_option(SONDE_INVALID, "c",
					  "%g Angstrom is not a valid lattice constant; at least 0.1", options->c);
	if (options->u != 0.375 && options->cell != SONDE_BUILD_CELL_WURTZITE)
		return status_fail_option(SONDE_INVALID, "u", "only wurtzite has this parameter");
	CHECK(options_check(&build_option_table, options));
	return generate_check_absent(&build_option_table, options);
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
	struct file_cell cell; /* of option `cell_file` */
	struct build_solid solid;
	double center[3];
};

static sonde_status make_crystal(sonde_context *context, const sonde_build_options *options, struct crystal *crystal,
				 struct file_cell *cell)
{
	double rotation[3][3];

	if (options->cell_file[0] != '\0')
		CHECK(file_cell_read(context, options->cell_file, crystal, cell));
	else
		CHECK(crystal_make(options->cell, options->a, options->c, options->u, crystal));
	if (options->orient[0] == '\0')
		return SONDE_OK;
	CHECK(orientation_parse(options->orient, crystal->vectors, rotation));
	crystal_rotate(crystal, rotation);
	if (options->cell_file[0] != '\0')
		file_cell_rotate(cell, (const double(*)[3])rotation);
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

/* From complete options. To be freed by build_free(), also after a failure. */
static sonde_status build_make(sonde_context *context, struct build *build)
{
	build->crystal = (struct crystal){.site_count = 0};
	build->cell = (struct file_cell){.count = 0};
	CHECK(check_options(&build->options));
	CHECK(make_crystal(context, &build->options, &build->crystal, &build->cell));
	CHECK(shapes_find(&build->options, &build->crystal, &build->solid));
	CHECK(check_parts(&build->options, &build->solid));
	find_center(build);
	return SONDE_OK;
}

static void build_free(struct build *build)
{
	crystal_free(&build->crystal);
	file_cell_free(&build->cell);
}

sonde_status build_solid_of(const sonde_build_options *options, struct build_solid *solid)
{
	struct build *build = NULL;

	CHECK(memory_allocate(&build, 1, sizeof *build, "the options of build"));
	sonde_status status = options_complete(&build_option_table, options, &build->options);
	const sonde_build_options *complete = &build->options;
	if (status == SONDE_OK && (generate_wanted(complete) || complete->strain[0] != '\0' ||
				   complete->relax[0] != '\0' || complete->fault[0] != '\0'))
		status = status_fail(
		    SONDE_INVALID,
		    "only samples cut from a lattice, without `strain`, `relax` and `fault`, fill a known solid");
	if (status == SONDE_OK && (build->options.copies != 0 || build->options.copy_file[0] != '\0'))
		status = status_fail_option(SONDE_INVALID, build->options.copies != 0 ? "copies" : "copy_file",
					    "an ensemble is not a single solid; only its atoms can be used");
	if (status == SONDE_OK)
		status = build_make(NULL, build);
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

/* The species of the options, or those of the file: of its kinds of sites first, which differ in occupancy, too. */
static sonde_status add_all_species(const struct build *build, sonde_atoms *atoms, uint16_t *species)
{
	const sonde_build_options *options = &build->options;
	const int count = build->crystal.species_count;

	if (options->cell_file[0] != '\0')
		CHECK(file_cell_add_kinds(&build->cell, atoms, species));
	else
		CHECK(add_species("species", options->species, count, atoms, species));
	if (options->core[0] == '\0')
		return SONDE_OK;
	if (options->cell_file[0] != '\0')
		return status_fail_option(SONDE_INVALID, "core", "only with the name of a structure for `cell`");
	return add_species("core", options->core, count, atoms, species + count);
}

/* The atoms of a shape cut from a lattice. */
static sonde_status cut(sonde_context *context, struct build *build, sonde_atoms *atoms)
{
	uint16_t *species = NULL;

	CHECK(build_make(context, build));
	CHECK(memory_allocate(&species, 2 * (size_t)build->crystal.species_count, sizeof *species, "the species"));
	sonde_status status = add_all_species(build, atoms, species);
	if (status == SONDE_OK)
		status = fill(context, build, species, atoms);
	free(species);
	CHECK(status);
	if (build->options.cell_file[0] != '\0')
		CHECK(file_cell_finish(&build->cell, atoms));
	if (build->solid.kind == BUILD_SUPERCELL) {
		atoms->has_lattice = true;
		memcpy(atoms->lattice, build->solid.edges, sizeof atoms->lattice);
	}
	return SONDE_OK;
}

static sonde_status make_atoms(sonde_context *context, struct build *build, sonde_atoms *atoms)
{
	const bool generated = generate_wanted(&build->options);

	CHECK(generated ? generate_run(context, &build_option_table, &build->options, atoms)
			: cut(context, build, atoms));
	if (atoms->count == 0)
		return status_fail(SONDE_INVALID, generated ? "the sample has no atom; make it larger"
							    : "no atom lies in the shape; make it larger");
	atoms_drop_absent_species(atoms);
	if (sonde_atoms_occupancies(atoms) != NULL &&
	    (build->options.substitute[0] != '\0' || build->options.vacancies[0] != '\0'))
		return status_fail_option(SONDE_INVALID,
					  build->options.substitute[0] != '\0' ? "substitute" : "vacancies",
					  "not for a cell with partly occupied sites");
	CHECK(defects_apply(&build->options, atoms));
	return describe(&build->options, &atoms->source);
}

/* The copies that the options ask for, instead of the sample. */
static sonde_status make_copies(sonde_context *context, const sonde_build_options *options, sonde_atoms **atoms)
{
	sonde_atoms *copies;

	CHECK(ensemble_build(context, options, *atoms, &copies));
	if (copies == NULL)
		return SONDE_OK;
	const sonde_status status = describe(options, &copies->source);
	sonde_atoms_free(atoms);
	*atoms = copies;
	return status;
}

sonde_status sonde_build_run(sonde_context *context, const sonde_build_options *options, sonde_atoms **result)
{
	struct build *build = NULL;
	sonde_atoms *atoms = NULL;

	*result = NULL;
	if (context == NULL)
		return status_fail(SONDE_INVALID, "a context is needed: sonde_context_create()");
	CHECK(memory_allocate(&build, 1, sizeof *build, "the options of build"));
	sonde_status status = options_complete(&build_option_table, options, &build->options);
	if (status == SONDE_OK)
		status = sonde_atoms_create(&atoms);
	if (status == SONDE_OK)
		status = make_atoms(context, build, atoms);
	if (status == SONDE_OK)
		status = make_copies(context, &build->options, &atoms);
	build_free(build);
	free(build);
	if (status == SONDE_OK)
		*result = atoms;
	else
		sonde_atoms_free(&atoms);
	return status;
}
