#include "matter/build/prepared.h"

#include "matter/build/shapes.h"

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
sonde_status build_make(sonde_context *context, struct build *build)
{
	build->crystal = (struct crystal){.site_count = 0};
	build->cell = (struct file_cell){.count = 0};
	build->bodies = (struct build_bodies){.count = 0};
	CHECK(build_check_crystal(&build->options));
	CHECK(build_make_crystal(context, &build->options, &build->crystal, &build->cell));
	CHECK(shapes_find(&build->options, &build->crystal, &build->solid));
	CHECK(check_parts(&build->options, &build->solid));
	CHECK(make_bodies(&build->options, &build->solid, &build->bodies));
	find_center(build);
	return SONDE_OK;
}

void build_free(struct build *build)
{
	crystal_free(&build->crystal);
	file_cell_free(&build->cell);
	bodies_free(&build->bodies);
}

/* The species of the options, or those of the file: of its kinds of sites first, which differ in occupancy, too. */
sonde_status build_add_all_species(const struct build *build, sonde_atoms *atoms, uint16_t *species)
{
	const sonde_build_options *options = &build->options;
	const int count = build->crystal.species_count;

	if (build->cell.count > 0)
		CHECK(file_cell_add_kinds(&build->cell, atoms, species));
	else
		CHECK(build_add_species("species", options->species, count, atoms, species));
	const bool core = options->core[0] != '\0';
	if (build->cell.count > 0 && (core || build->bodies.material_count > 0))
		return status_fail_option(SONDE_INVALID, core ? "core" : "bodies",
					  core ? "only with the name of a structure for `cell`"
					       : "species of bodies only with the name of a structure for `cell`");
	if (core)
		CHECK(build_add_species("core", options->core, count, atoms, species + count));
	for (int k = 0; k < build->bodies.material_count; ++k)
		CHECK(build_add_species("material", build->bodies.materials[k], count, atoms,
					species + (ptrdiff_t)(2 + k) * count));
	return SONDE_OK;
}
