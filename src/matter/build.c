/* Lattice and shape to atoms. */
#include "matter/build.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/atoms.h"
#include "matter/build/bodies.h"
#include "matter/build/cluster.h"
#include "matter/build/file_cell.h"
#include "matter/build/inline_cell.h"
#include "matter/build/lattice_cut.h"
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
#include "matter/mixture.h"
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

sonde_status build_describe(const sonde_build_options *options, struct text *source)
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
			text_append(source,
				    row->type == OPTION_BOOLEAN          ? " --%s"
				    : strpbrk(value.bytes, " ;") != NULL ? " --%s '%s'"
									 : " --%s %s",
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

/* A cell of the options' own instead of a structure. */
static sonde_status check_basis(const sonde_build_options *options)
{
	sonde_build_options others = *options;

	others.cell = others.cell < 0 ? 0 : others.cell;
	CHECK(options_check(&build_option_table, &others));
	return generate_check_absent(&build_option_table, options);
}

static sonde_status check_options(const sonde_build_options *options)
{
	if (options->basis[0] != '\0')
		return check_basis(options);
	if (options->cell_edges[0] != '\0' || options->space_group[0] != '\0')
		return status_fail_option(SONDE_INVALID,
					  options->cell_edges[0] != '\0' ? "cell_edges" : "space_group",
					  "only with the sites of a cell, e.g. `basis Cu 0 0 0`");
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
	if (solid->kind == BUILD_NOTHING)
		return status_fail_option(SONDE_INVALID, name,
					  "is a part of a shape, and there are only bodies; give a smaller body");
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

static sonde_status make_bodies(const sonde_build_options *options, const struct build_solid *solid,
				struct build_bodies *bodies)
{
	if (options->bodies[0] == '\0')
		return SONDE_OK;
	if (solid->kind == BUILD_CLUSTER || options->supercell_matrix[0] != '\0')
		return status_fail_option(SONDE_INVALID, "bodies",
					  "not possible for icosahedra, decahedra, and `supercell_matrix`");
	return bodies_make(options->bodies, bodies);
}

/* What the options give, checked: the cell in its orientation, the shape, and its center. */
struct build {
	sonde_build_options options;
	struct crystal crystal;
	struct file_cell cell; /* of the options `cell_file` and `basis`; empty for structures by name */
	struct build_solid solid;
	struct build_bodies bodies;
	double center[3];
};

static sonde_status make_crystal(sonde_context *context, const sonde_build_options *options, struct crystal *crystal,
				 struct file_cell *cell)
{
	double rotation[3][3];

	if (options->basis[0] != '\0')
		CHECK(inline_cell_make(context, options, crystal, cell));
	else if (options->cell_file[0] != '\0')
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
	build->bodies = (struct build_bodies){.count = 0};
	CHECK(check_options(&build->options));
	CHECK(make_crystal(context, &build->options, &build->crystal, &build->cell));
	CHECK(shapes_find(&build->options, &build->crystal, &build->solid));
	CHECK(check_parts(&build->options, &build->solid));
	CHECK(make_bodies(&build->options, &build->solid, &build->bodies));
	find_center(build);
	return SONDE_OK;
}

static void build_free(struct build *build)
{
	crystal_free(&build->crystal);
	file_cell_free(&build->cell);
	bodies_free(&build->bodies);
}

/* Checks the labels of the species and their number. */
static sonde_status check_species(const sonde_build_options *options, int count)
{
	uint16_t *species = NULL;
	sonde_atoms *atoms;

	CHECK(sonde_atoms_create(&atoms));
	sonde_status status = memory_allocate(&species, (size_t)count, sizeof *species, "the species");
	if (status == SONDE_OK)
		status = add_species("species", options->species, count, atoms, species);
	free(species);
	sonde_atoms_free(&atoms);
	return status;
}

sonde_status build_lattice_make(sonde_context *context, const sonde_build_options *options,
				struct build_lattice *lattice)
{
	*lattice = (struct build_lattice){.cell = {.count = 0}};
	CHECK(check_options(options));
	CHECK(make_crystal(context, options, &lattice->crystal, &lattice->cell));
	return lattice->cell.count > 0 ? SONDE_OK : check_species(options, lattice->crystal.species_count);
}

void build_lattice_free(struct build_lattice *lattice)
{
	crystal_free(&lattice->crystal);
	file_cell_free(&lattice->cell);
}

sonde_status build_lattice_fill(sonde_context *context, const sonde_build_options *options,
				const struct build_lattice *lattice, struct shape *shape, const double center[3],
				sonde_atoms *atoms)
{
	static const struct build_solid any = {.kind = BUILD_STL};
	struct region region = {.solid = &any, .mesh = shape};
	const bool file = lattice->cell.count > 0;
	const int count = lattice->crystal.species_count;
	uint16_t *species = NULL;

	shape_bounds(shape, region.low, region.high);
	CHECK(memory_allocate(&species, (size_t)count, sizeof *species, "the species"));
	sonde_status status = file ? file_cell_add_kinds(&lattice->cell, atoms, species)
				   : add_species("species", options->species, count, atoms, species);
	if (status == SONDE_OK)
		status = walk_lattice(context, &lattice->crystal, &region, center, species, atoms);
	free(species);
	if (status == SONDE_OK && file)
		status = file_cell_finish(&lattice->cell, atoms);
	return status;
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
	if (status == SONDE_OK && build->options.bodies[0] != '\0')
		status =
		    status_fail_option(SONDE_INVALID, "bodies",
				       "a sample of several bodies is not a single solid; give the bodies in the "
				       "list of the engine");
	if (status == SONDE_OK)
		status = build_make(NULL, build);
	if (status == SONDE_OK && build->options.icosahedron != 0)
		cluster_icosahedron_faces(build->options.icosahedron, build->options.a * sqrt(0.5),
					  (const double(*)[3])build->crystal.vectors, &build->solid);
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
	sonde_status status = region_make(&build->solid, build->bodies.count > 0 ? &build->bodies : NULL, &region);

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

	if (build->cell.count > 0)
		CHECK(file_cell_add_kinds(&build->cell, atoms, species));
	else
		CHECK(add_species("species", options->species, count, atoms, species));
	const bool core = options->core[0] != '\0';
	if (build->cell.count > 0 && (core || build->bodies.material_count > 0))
		return status_fail_option(SONDE_INVALID, core ? "core" : "bodies",
					  core ? "only with the name of a structure for `cell`"
					       : "species of bodies only with the name of a structure for `cell`");
	if (core)
		CHECK(add_species("core", options->core, count, atoms, species + count));
	for (int k = 0; k < build->bodies.material_count; ++k)
		CHECK(add_species("material", build->bodies.materials[k], count, atoms,
				  species + (ptrdiff_t)(2 + k) * count));
	return SONDE_OK;
}

/* The atoms of a shape cut from a lattice. */
static sonde_status cut(sonde_context *context, struct build *build, sonde_atoms *atoms)
{
	uint16_t *species = NULL;

	CHECK(build_make(context, build));
	CHECK(memory_allocate(&species,
			      (size_t)(2 + build->bodies.material_count) * (size_t)build->crystal.species_count,
			      sizeof *species, "the species"));
	sonde_status status = add_all_species(build, atoms, species);
	if (status == SONDE_OK)
		status = fill(context, build, species, atoms);
	free(species);
	CHECK(status);
	if (build->cell.count > 0)
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
	CHECK(build_options_digest(&build->options, atoms->sha256));
	return build_describe(&build->options, &atoms->source);
}

/* An ensemble of structures from files. */
static sonde_status make_mixture(sonde_context *context, const sonde_build_options *options, sonde_atoms **atoms)
{
	CHECK(mixture_build(context, &build_option_table, options, atoms));
	return build_describe(options, &(*atoms)->source);
}

/* The copies that the options ask for, instead of the sample. */
static sonde_status make_copies(sonde_context *context, const sonde_build_options *options, sonde_atoms **atoms)
{
	sonde_atoms *copies;

	CHECK(ensemble_build(context, options, *atoms, &copies));
	if (copies == NULL)
		return SONDE_OK;
	sonde_status status = build_options_digest(options, copies->sha256);
	if (status == SONDE_OK)
		status = build_describe(options, &copies->source);
	sonde_atoms_free(atoms);
	*atoms = copies;
	return status;
}

static sonde_status make_sample(sonde_context *context, struct build *build, sonde_atoms **atoms)
{
	CHECK(sonde_atoms_create(atoms));
	CHECK(make_atoms(context, build, *atoms));
	return make_copies(context, &build->options, atoms);
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
	if (status == SONDE_OK && build->options.size_distribution[0] != '\0')
		status = status_fail_option(SONDE_INVALID, "size_distribution",
					    "describes several samples, and one is needed here");
	if (status == SONDE_OK && build->options.structures[0] != '\0')
		status = make_mixture(context, &build->options, &atoms);
	else if (status == SONDE_OK)
		status = make_sample(context, build, &atoms);
	build_free(build);
	free(build);
	if (status == SONDE_OK)
		*result = atoms;
	else
		sonde_atoms_free(&atoms);
	return status;
}

/* Samples as rows of cells --------------------------------------------------------------------------------- */

/* What makes of a lattice something else. */
static sonde_status check_is_lattice(const sonde_build_options *options)
{
	const char *text[][2] = {{"substitute", options->substitute}, {"vacancies", options->vacancies},
				 {"displace", options->displace},     {"strain", options->strain},
				 {"relax", options->relax},           {"fault", options->fault},
				 {"copy_file", options->copy_file},   {"bodies", options->bodies},
				 {"structures", options->structures}};
	const char *given = options->copies != 0           ? "copies"
			    : options->icosahedron != 0    ? "icosahedron"
			    : options->decahedron.x != 0.0 ? "decahedron"
							   : NULL;

	for (size_t k = 0; k < sizeof text / sizeof *text && given == NULL; ++k)
		if (text[k][1][0] != '\0')
			given = text[k][0];
	if (given != NULL)
		return status_fail_option(
		    SONDE_INVALID, given,
		    "makes a sample that is not a lattice, or of which only the atoms show that it is "
		    "one; for `sonde debye` use `method auto`");
	if (generate_wanted(options))
		return status_fail(SONDE_INVALID,
				   "the sample is generated, not cut from a lattice; for `sonde debye` use "
				   "`method auto`");
	return SONDE_OK;
}

/* The kinds of the crystal's species, then of those of the core; -1 for sites without atoms. */
static sonde_status add_kinds(const struct build *build, sonde_lattice *lattice, int *kinds)
{
	const int count = build->crystal.species_count, parts = build->options.core[0] != '\0' ? 2 : 1;
	sonde_atoms *atoms = NULL;
	uint16_t *species = NULL;
	sonde_status status;

	CHECK_GOTO(status, sonde_atoms_create(&atoms), done);
	CHECK_GOTO(status, memory_allocate(&species, 2 * (size_t)count, sizeof *species, "the species"), done);
	CHECK_GOTO(status, add_all_species(build, atoms, species), done);
	for (int k = 0; k < parts * count && status == SONDE_OK; ++k) {
		const bool file = build->cell.count > 0;
		const double occupancy = file ? build->cell.kinds[k].occupancy : 1.0;
		const char *label = file ? build->cell.kinds[k].label : atoms->species[species[k]].label;
		kinds[k] = -1;
		if (occupancy > 0.0)
			status = lattice_find_kind(lattice, label, occupancy, &kinds[k]);
	}
done:
	free(species);
	sonde_atoms_free(&atoms);
	return status;
}

static sonde_status cut_rows(sonde_context *context, struct build *build, sonde_lattice *lattice)
{
	struct region region;
	int *kinds;

	CHECK(check_is_lattice(&build->options));
	CHECK(build_make(context, build));
	CHECK(memory_allocate(&kinds, 2 * (size_t)build->crystal.species_count, sizeof *kinds, "the species"));
	sonde_status status = add_kinds(build, lattice, kinds);
	if (status == SONDE_OK) {
		status = region_make(&build->solid, NULL, &region);
		region.core = build->options.core_size;
		if (status == SONDE_OK)
			status = lattice_cut(context, &build->crystal, &region, build->center, kinds, lattice);
		region_free(&region);
	}
	free(kinds);
	CHECK(status);
	CHECK(lattice_finish(lattice));
	if (lattice->count == 0)
		return status_fail(SONDE_INVALID, "no atom lies in the shape; make it larger");
	CHECK(room_check_limit((double)lattice->count));
	CHECK(build_options_digest(&build->options, lattice->sha256));
	return build_describe(&build->options, &lattice->source);
}

sonde_status sonde_build_lattice(sonde_context *context, const sonde_build_options *options, sonde_lattice **result)
{
	struct build *build = NULL;
	sonde_lattice *lattice = NULL;

	*result = NULL;
	if (context == NULL)
		return status_fail(SONDE_INVALID, "a context is needed: sonde_context_create()");
	CHECK(memory_allocate(&build, 1, sizeof *build, "the options of build"));
	sonde_status status = options_complete(&build_option_table, options, &build->options);
	if (status == SONDE_OK)
		status = lattice_create(&lattice);
	if (status == SONDE_OK)
		status = cut_rows(context, build, lattice);
	build_free(build);
	free(build);
	if (status == SONDE_OK)
		*result = lattice;
	else
		sonde_lattice_free(&lattice);
	return status;
}
