/* Samples as rows of cells. */
#include <stdlib.h>

#include "base/memory.h"
#include "matter/build/lattice_cut.h"
#include "matter/build/prepared.h"
#include "matter/build/room.h"
#include "matter/build/build_options.h"
#include "matter/generate/generate.h"

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
	CHECK_GOTO(status, build_add_all_species(build, atoms, species), done);
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
