/* Lattice and shape to atoms. */
#include "matter/build/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/atoms/atoms.h"
#include "matter/build/changes.h"
#include "matter/build/cluster.h"
#include "matter/build/prepared.h"
#include "matter/build/room.h"
#include "matter/build/supercell.h"
#include "matter/build/walk.h"
#include "matter/build/build_options.h"
#include "matter/generate/generate.h"
#include "matter/build/mixture.h"

/* The cubic cell is rotated already: its vectors are the rotated axes times a. */
static void set_cluster_faces(struct build *build)
{
	const double distance = build->options.a * sqrt(0.5), (*axes)[3] = build->crystal.vectors;
	struct build_solid *solid = &build->solid;

	for (int k = 0; k < 9; ++k)
		solid->edges[k / 3][k % 3] = axes[k / 3][k % 3] / build->options.a;
	if (build->options.icosahedron != 0)
		cluster_icosahedron_faces(build->options.icosahedron, distance, axes, solid);
	else if (solid->size[2] == 0.0)
		cluster_decahedron_faces((int64_t)solid->size[0], (int64_t)solid->size[1], distance,
					 (const double(*)[3])solid->edges, solid);
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
	if (status == SONDE_OK && build->solid.kind == BUILD_CLUSTER)
		set_cluster_faces(build);
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

/* The atoms of a shape cut from a lattice. */
static sonde_status cut(sonde_context *context, struct build *build, sonde_atoms *atoms)
{
	uint16_t *species = NULL;

	CHECK(build_make(context, build));
	CHECK(memory_allocate(&species,
			      (size_t)(2 + build->bodies.material_count) * (size_t)build->crystal.species_count,
			      sizeof *species, "the species"));
	sonde_status status = build_add_all_species(build, atoms, species);
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
	CHECK(changes_apply(&build->options, atoms));
	CHECK(build_options_digest(&build->options, atoms->sha256));
	return build_describe(&build->options, &atoms->source);
}

/* An ensemble of structures from files. */
static sonde_status make_mixture(sonde_context *context, const sonde_build_options *options, sonde_atoms **atoms)
{
	CHECK(mixture_build(context, &build_option_table, options, atoms));
	return build_describe(options, &(*atoms)->source);
}

static sonde_status make_sample(sonde_context *context, struct build *build, sonde_atoms **atoms)
{
	bool copied;

	CHECK(sonde_atoms_create(atoms));
	CHECK(make_atoms(context, build, *atoms));
	CHECK(changes_copy(context, &build->options, atoms, &copied));
	if (!copied)
		return SONDE_OK;
	CHECK(build_options_digest(&build->options, (*atoms)->sha256));
	return build_describe(&build->options, &(*atoms)->source);
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
