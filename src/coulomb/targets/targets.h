/* The points at which the potential and the field are computed. */
#ifndef SONDE_COULOMB_TARGETS_TARGETS_H
#define SONDE_COULOMB_TARGETS_TARGETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "matter/atoms/atoms.h"
#include "sonde/coulomb.h"

/* The points: a grid, including planes and lines, or a list of points. */
struct targets {
	int64_t count;
	bool is_grid, is_orthogonal; /* steps along x, y, z */
	int64_t size[3];
	double origin[3], steps[3][3];
	double *points; /* x, y, z of each point of a list */
};
/* Points first to first + count - 1 of the targets, whole planes or rows for a grid. */
struct target_range {
	int64_t first, count;
};
#define COULOMB_LARGEST_COORDINATE 1e7 /* Angstrom, of a point */
sonde_status targets_make(const sonde_atoms *atoms, const sonde_coulomb_options *options, int threads,
			  struct targets *targets);
/* Reads the points of a file into targets initialized to {0}. */
sonde_status targets_read(const char *path, int threads, struct targets *targets);
void targets_free(struct targets *targets);
/* Parses "x,y,z" followed by `end` at the start of a text; returns the position after `end` (or the end of the
 * text), or null. */
const char *targets_read_point(const char *text, double point[3], char end);
/* Points on the surface of the atoms' balls: `density` per square Angstrom, with radii increased by that of a
 * probe. */
sonde_status targets_on_surface(const sonde_atoms *atoms, double density, double probe, struct targets *targets);
/* The step along which slabs are stacked: the last one with more than one point. Lists are one slab. */
int targets_slow(const struct targets *targets);
/* The points of planes first to first + count - 1 along it. */
struct target_range targets_planes(const struct targets *targets, int64_t first, int64_t count);
/* The same points, numbered with the third step fastest, and x and z exchanged: a mirror image. */
struct targets targets_mirrored(const struct targets *targets);
/* Coordinates of point number `index`. */
void targets_point(const struct targets *targets, int64_t index, double point[3]);

#endif
