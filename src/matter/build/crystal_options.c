#include "matter/build/crystal_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/build/inline_cell.h"
#include "matter/shape/orientation.h"
#include "matter/build/walk.h"
#include "matter/build/build_options.h"
#include "matter/generate/generate.h"
#include "matter/elements/label.h"

/* Splits "Co,O" into the labels of the structure's species, adds them to the atoms. */
sonde_status build_add_species(const char *option, const char *c, int wanted, sonde_atoms *atoms, uint16_t *species)
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

sonde_status build_check_crystal(const sonde_build_options *options)
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

sonde_status build_make_crystal(sonde_context *context, const sonde_build_options *options, struct crystal *crystal,
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

/* Checks the labels of the species and their number. */
static sonde_status check_species(const sonde_build_options *options, int count)
{
	uint16_t *species = NULL;
	sonde_atoms *atoms;

	CHECK(sonde_atoms_create(&atoms));
	sonde_status status = memory_allocate(&species, (size_t)count, sizeof *species, "the species");
	if (status == SONDE_OK)
		status = build_add_species("species", options->species, count, atoms, species);
	free(species);
	sonde_atoms_free(&atoms);
	return status;
}

sonde_status build_lattice_make(sonde_context *context, const sonde_build_options *options,
				struct build_lattice *lattice)
{
	*lattice = (struct build_lattice){.cell = {.count = 0}};
	CHECK(build_check_crystal(options));
	CHECK(build_make_crystal(context, options, &lattice->crystal, &lattice->cell));
	return lattice->cell.count > 0 ? SONDE_OK : check_species(options, lattice->crystal.species_count);
}

void build_lattice_free(struct build_lattice *lattice)
{
	crystal_free(&lattice->crystal);
	file_cell_free(&lattice->cell);
}

void build_lattice_rotate(struct build_lattice *lattice, const double rotation[3][3])
{
	crystal_rotate(&lattice->crystal, rotation);
	file_cell_rotate(&lattice->cell, rotation);
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
				   : build_add_species("species", options->species, count, atoms, species);
	if (status == SONDE_OK)
		status = walk_lattice(context, &lattice->crystal, &region, center, species, atoms);
	free(species);
	if (status == SONDE_OK && file)
		status = file_cell_finish(&lattice->cell, atoms);
	return status;
}
