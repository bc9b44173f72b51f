/* Options of `build`, checked: crystal, shape, and bodies. */
#ifndef SONDE_MATTER_BUILD_PREPARED_H
#define SONDE_MATTER_BUILD_PREPARED_H

#include "matter/build/bodies.h"
#include "matter/build/crystal_options.h"
#include "matter/build/solid.h"

/* What the options give: the cell in its orientation, the shape, and its center. */
struct build {
	sonde_build_options options;
	struct crystal crystal;
	struct file_cell cell; /* of the options `cell_file` and `basis`; empty for structures by name */
	struct build_solid solid;
	struct build_bodies bodies;
	double center[3];
};

/* From complete options. To be freed by build_free(), also after a failure. */
sonde_status build_make(sonde_context *context, struct build *build);
void build_free(struct build *build);
/* Adds the species of the options, or those of the file, of its kinds of sites first, which differ in occupancy, too; then
 * those of the core and of bodies. */
sonde_status build_add_all_species(const struct build *build, sonde_atoms *atoms, uint16_t *species);

#endif
