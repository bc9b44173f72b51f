/* Internal interface of `build`: its option table. The public one is sonde/build.h. */
#ifndef SONDE_MATTER_BUILD_H
#define SONDE_MATTER_BUILD_H

#include "base/options.h"
#include "sonde/build.h"

extern const struct option_table build_option_table;

enum build_kind { BUILD_SPHERE, BUILD_BOX, BUILD_CYLINDER, BUILD_SUPERCELL };

/* The volume filled by the atoms of a sample, Angstrom. Its center is at 0, but a supercell's first corner is at
 * `corner`. */
struct build_solid {
	enum build_kind kind;
	double size
	    [3]; /* SPHERE: radius; BOX: edges; CYLINDER, along z: radius, length, inner radius; SUPERCELL: cells */
	double edges[3][3], corner[3]; /* of a supercell */
};

/* As sonde_build_run() would cut it; the species are ignored. */
sonde_status build_solid_of(const sonde_build_options *options, struct build_solid *solid);

#endif
