/* Ensembles: copies of a structure at places and in orientations. */
#ifndef SONDE_MATTER_ENSEMBLE_H
#define SONDE_MATTER_ENSEMBLE_H

#include <stdint.h>

#include "base/status.h"
#include "matter/atoms/atoms.h"
#include "sonde/build.h"
#include "sonde/context.h"

#define ENSEMBLE_MOST_STRUCTURES 64 /* as ATOMS_MOST_STRUCTURES */
#define ENSEMBLE_LARGEST_PLACE ATOMS_LARGEST_PLACE
#define ENSEMBLE_MOST_COPIES INT64_C(100000000)

struct ensemble {
	int64_t count;
	struct placement *placements;
	int32_t *structure_of; /* of each place: a structure, from 0; null: all of one */
	double edges[3];       /* of the box around the places, centered at 0, Angstrom; 0: unknown */
};
void ensemble_free(struct ensemble *ensemble);
/* Room for this many places at 0, which are not turned. */
sonde_status ensemble_begin(int64_t count, struct ensemble *ensemble);

/* R = Rz(phi) Rx(theta) Rz(psi), in degrees: the structure is turned by psi about z, then by theta about x, then by phi
 * about z, all of them axes that stay where they are. */
void rotation_of_euler_angles(const double degrees[3], double rotation[3][3]);
/* A quaternion w, x, y, z of any length but 0. */
sonde_status rotation_of_quaternion(const double quaternion[4], double rotation[3][3]);
/* Of three numbers within (0, 1): uniform on SO(3) if they are (K. Shoemake, Graphics Gems III (1992) 124). */
void rotation_of_uniforms(const double uniform[3], double rotation[3][3]);
/* a b */
void rotation_multiply(const double a[3][3], const double b[3][3], double product[3][3]);

/* Places of a file: x y z in Angstrom on a line; or x y z and the Euler angles phi theta psi in degrees; or x y z and a
 * quaternion w x y z, separated by blanks or commas. Empty lines and those that begin with # are skipped. All lines have the same
 * columns. A row of names may precede them, for any order: x, y, z; phi, theta, psi; qw, qx, qy, qz; others are skipped. */
sonde_status ensemble_read(sonde_context *context, const char *path, struct ensemble *ensemble);
/* The same with the number of one of several structures, from 1, in front of x. */
sonde_status ensemble_read_mixture(sonde_context *context, const char *path, int structures,
				   struct ensemble *ensemble);
/* The same with a column `structure` of the row of names, by choice: its entries get numbers in the order of appearance; *names are
 * those, to be freed by ensemble_names_free(), also after a failure. */
struct ensemble_names {
	char *names[ENSEMBLE_MOST_STRUCTURES];
	int64_t lines[ENSEMBLE_MOST_STRUCTURES]; /* where each is named first */
	int count;                               /* 0: there is no such column */
};
sonde_status ensemble_read_named(sonde_context *context, const char *path, struct ensemble_names *names,
				 struct ensemble *ensemble);
void ensemble_names_free(struct ensemble_names *names);
/* A simple cubic lattice of places, x slowest, of the fewest rows that have room for `count` copies. */
sonde_status ensemble_grid(int64_t count, double spacing, struct ensemble *ensemble);
/* Random places of spheres of this radius, which do not overlap, one after the other (random sequential addition), in a
 * cube that contains all of them and of whose volume they fill the fraction `density`. Fails with SONDE_INVALID if a
 * place is not found within ENSEMBLE_TRIES, and reports the density reached: about 0.38 is the limit (jamming; Widom,
 * J. Chem. Phys. 44 (1966) 3888). The same for any number of threads. */
#define ENSEMBLE_TRIES 200000
sonde_status ensemble_random(sonde_context *context, int64_t count, double radius, double density, uint64_t seed,
			     struct ensemble *ensemble);
/* The same for several structures, numbers[s] of spheres of radii[s]; the largest ones are placed first. */
sonde_status ensemble_random_mixture(sonde_context *context, int structures, const int64_t *numbers,
				     const double *radii, double density, uint64_t seed, struct ensemble *ensemble);
/* Gives the places of a grid to numbers[s] copies of each structure, at random. */
sonde_status ensemble_mix(int structures, const int64_t *numbers, uint64_t seed, struct ensemble *ensemble);
/* Orientations at random, uniform on SO(3): copy n depends on `seed` and n only. */
void ensemble_turn(uint64_t seed, struct ensemble *ensemble);

/* Radius of the sphere around the origin that contains all atoms. */
double ensemble_radius(const sonde_atoms *structure);
/* The copies, one after the other, with charges and occupancies; the origin of the structure comes to each place. The
 * atoms know that they are copies: atoms.h. `structure` is unchanged. */
sonde_status ensemble_place(sonde_context *context, const sonde_atoms *structure, const struct ensemble *ensemble,
			    sonde_atoms **atoms);

/* The same for several structures: all copies of the first one, then those of the next. */
sonde_status ensemble_place_mixture(sonde_context *context, int structures, sonde_atoms *const *structure,
				    const struct ensemble *ensemble, sonde_atoms **atoms);
/* The same with one copy of each structure and the places (atoms/placed_atoms.h). */
sonde_status ensemble_compact(int structures, sonde_atoms *const *structure, const struct ensemble *ensemble,
			      sonde_atoms **atoms);
/* Notes the first two copies that overlap, numbered in the order of their places: atoms of one are closer to atoms of the other than
 * any bond is long. Of many copies that are near each other only some are compared, which is noted, too. */
sonde_status ensemble_note_overlap(sonde_context *context, int structures, sonde_atoms *const *structure,
				   const struct ensemble *ensemble);
/* Fails unless the options of build give a number of copies and places for them, or neither. */
sonde_status ensemble_check_options(const sonde_build_options *options);

/* The ensemble that the options of build give, of a sample made by them; *atoms is null if they give none. Spheres around
 * the copies at random are half of SPHERE_MARGIN larger than what contains the atoms' centers, so that atoms of different
 * copies are never closer than that. */
#define ENSEMBLE_SPHERE_MARGIN 2.0 /* Angstrom */
sonde_status ensemble_build(sonde_context *context, const sonde_build_options *options, const sonde_atoms *structure,
			    sonde_atoms **atoms);

#endif
