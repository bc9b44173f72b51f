/* Closed cages of carbon: tubes with caps that are halves of icosahedral fullerenes. */
#ifndef SONDE_MATTER_CAGE_H
#define SONDE_MATTER_CAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "run/context.h"

/* The caps of a tube (n, m). The lattice of hexagons has vectors a1, a2 at 60 degrees; the edges of the icosahedron are
 * `edge`, and around the tube there are `fold` times `around`: an axis of the icosahedron of this order, 5 or 3. */
struct cage_caps {
	int fold;
	int64_t edge[2], around[2];
};

/* Fails, with a list of the possible tubes, if halves of an icosahedral fullerene do not fit the tube. */
sonde_status cage_find_caps(const int64_t index[2], struct cage_caps *caps);
/* Atoms of the fullerene whose halves are the caps, and how many a step adds, by which tubes between caps can be longer;
 * and the steps of a unit cell of the tube. */
int64_t cage_least_atoms(const struct cage_caps *caps);
int64_t cage_step_atoms(const struct cage_caps *caps);
double cage_cell_steps(const struct cage_caps *caps);
/* Radius of the tube, and the length that a step adds, in units of the bond. */
double cage_radius(const struct cage_caps *caps);
double cage_step(const struct cage_caps *caps);
/* Length of the cage of a number of steps along its axis, in units of the bond: of spheres and a cylinder, before it is
 * relaxed. */
double cage_length(const struct cage_caps *caps, int64_t steps);

struct cage {
	int64_t count;
	double (*positions)[3];  /* the axis is z, the center 0 */
	int64_t (*neighbors)[3]; /* of each atom */
	bool *fixed;             /* atoms of the tube far from the caps, which are at their places */
};

/* The cage with this number of steps between its caps, on a cylinder with hemispheres: neighbors are right, distances
 * near pentagons are not. To be freed by cage_free(), also after a failure. */
sonde_status cage_make(const struct cage_caps *caps, int64_t steps, double bond, struct cage *cage);
void cage_free(struct cage *cage);

/* Moves the atoms that are not fixed to the least energy of springs between neighbors, with the length of the bond, and
 * weaker ones between second neighbors, with the distances in regular pentagons and hexagons. */
sonde_status cage_relax(sonde_context *context, double bond, struct cage *cage);

#endif
