/* Crystals that options of `build` give: structures by name, files of cells, and cells of their own. */
#ifndef SONDE_MATTER_BUILD_CRYSTAL_OPTIONS_H
#define SONDE_MATTER_BUILD_CRYSTAL_OPTIONS_H

#include "matter/atoms/atoms.h"
#include "matter/build/file_cell.h"
#include "matter/shape/shape.h"
#include "run/context.h"
#include "sonde/build_options.h"

/* Checks the options of the crystal, and that all others are within their limits. */
sonde_status build_check_crystal(const sonde_build_options *options);
/* The crystal in its orientation; `cell` stays empty for structures by name. `context` may be null. Both are to be freed,
 * also after a failure. */
sonde_status build_make_crystal(sonde_context *context, const sonde_build_options *options, struct crystal *crystal,
				struct file_cell *cell);
/* Splits "Co,O", the text of `option`, into the `wanted` labels of the structure's species, and adds them to the atoms. */
sonde_status build_add_species(const char *option, const char *c, int wanted, sonde_atoms *atoms, uint16_t *species);

/* A lattice in its orientation. */
struct build_lattice {
	struct crystal crystal;
	struct file_cell cell; /* of the options `cell_file` and `basis` */
};

/* The lattice of the options for cells, species, and orientation, complete and checked; others must have their defaults. `context` may be
 * null. To be freed by build_lattice_free(), also after a failure. */
sonde_status build_lattice_make(sonde_context *context, const sonde_build_options *options,
				struct build_lattice *lattice);
void build_lattice_free(struct build_lattice *lattice);
/* Turns a lattice, and the displacements of its atoms. */
void build_lattice_rotate(struct build_lattice *lattice, const double rotation[3][3]);
/* Fills a shape with the lattice: adds, to empty `atoms`, those whose positions in the lattice minus `center` are inside. */
sonde_status build_lattice_fill(sonde_context *context, const sonde_build_options *options,
				const struct build_lattice *lattice, struct shape *shape, const double center[3],
				sonde_atoms *atoms);

#endif
