/* Internal interface of `build`: its option table. The public one is sonde/build.h. */
#ifndef SONDE_MATTER_BUILD_H
#define SONDE_MATTER_BUILD_H

#include "base/options.h"
#include "matter/atoms.h"
#include "matter/build/file_cell.h"
#include "matter/build/solid.h"
#include "matter/shape/shape.h"
#include "run/context.h"
#include "matter/build_options.h"

/* As sonde_build_run() would cut it; species and core are ignored. An STL file is not read; `stl` is owned by the
 * options. */
sonde_status build_solid_of(const sonde_build_options *options, struct build_solid *solid);

/* Appends the options that were set, as a command that sets them: the sample's name. */
sonde_status build_describe(const sonde_build_options *options, struct text *source);
/* A lattice in its orientation. */
struct build_lattice {
	struct crystal crystal;
	struct file_cell cell; /* of option `cell_file` */
};

/* The lattice of the options for cells, species, and orientation, complete and checked; others must have their defaults. `context` may be
 * null. To be freed by build_lattice_free(), also after a failure. */
sonde_status build_lattice_make(sonde_context *context, const sonde_build_options *options,
				struct build_lattice *lattice);
void build_lattice_free(struct build_lattice *lattice);
/* Fills a shape with the lattice: adds, to empty `atoms`, those whose positions in the lattice minus `center` are inside. */
sonde_status build_lattice_fill(sonde_context *context, const sonde_build_options *options,
				const struct build_lattice *lattice, struct shape *shape, const double center[3],
				sonde_atoms *atoms);

#endif
