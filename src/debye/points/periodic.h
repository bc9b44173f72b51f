/* Periodic samples: the cell, the factor of distances, and the mean density.
 *
 * The sum over an infinite, homogeneous medium is taken up to a distance, the cut-off r_c, with a factor w(r), and the
 * mean density is subtracted (docs/debye.md, "Periodic samples"):
 *
 *     I(q)/N = <f^2> + 1/N sum_i sum_{j != i, images} Re(f_i f_j*) w(r_ij) sin(q r_ij)/(q r_ij)
 *              - |<f>|^2 rho J(q),      J(q) = 4 pi int_0^r_c r^2 w(r) sin(q r)/(q r) dr
 *
 * r_c is the cut-off, and the sum and J end slightly before it (periodic_end()), which matters where w(r_c) is not 0.
 */
#ifndef SONDE_DEBYE_PERIODIC_H
#define SONDE_DEBYE_PERIODIC_H

#include <stdbool.h>
#include <stdint.h>

#include "run/context.h"
#include "matter/atoms/atoms.h"
#include "sonde/debye.h"

struct periodic {
	bool on;               /* else a cluster, and nothing below is set */
	double edges[3][3];    /* rows a, b, c, Angstrom */
	double inverse[3][3];  /* rows a*, b*, c*: fractions of the edges are their products with a position */
	double height[3];      /* distances of opposite faces, Angstrom */
	double volume, cutoff; /* Angstrom^3, Angstrom */
	double end;            /* pairs from this distance on are not counted: see periodic_end() */
	int damping;           /* choice of the option */
	bool density_of_cell;  /* the option `density` is not given, and set to that of the cell */
	/* Slabs and rods (profile.h): edges along which the sample does not repeat. They are replaced by vectors perpendicular to
	 * the others, as long as the sample is wide. */
	bool open[3];
	int open_count; /* 0: a medium, 1: a slab, 2: a rod */
	double low[3];  /* a corner of the sample across the other edges; 0 of a medium */
	double content; /* area of a slab's cell, length of a rod's */
};

/* Whether the options, or the file of the sample, say that it repeats. */
bool periodic_is_wanted(const sonde_atoms *atoms, const sonde_debye_options *options);
/* Decides whether the sample is periodic, and completes the options boundary, cutoff and density. */
sonde_status periodic_plan(sonde_context *context, const sonde_atoms *atoms, sonde_debye_options *options,
			   struct periodic *periodic);
/* Upper limit of the coordinates of a wrapped sample and its images within the cut-off, Angstrom. */
double periodic_reach(const struct periodic *periodic);
/* Mean number of atoms of a sample within the cut-off of a point. */
double periodic_neighbors(const struct periodic *periodic, double atoms);
/* Estimate of the mean of 1/r over them, 1/Angstrom. */
double periodic_inverse_distance(const struct periodic *periodic);
/* Moves a position into the cell. */
void periodic_wrap(const struct periodic *periodic, double r[3]);
/* The same for all of `count` positions, which become those of `to`, which may be the same array; a null `periodic` only copies them. */
void periodic_wrap_all(const struct periodic *periodic, int threads, int64_t count, const double *from, double *to);
/* Largest number along each edge of a cell whose atoms can be within the cut-off of those of the wrapped sample. */
void periodic_images(const struct periodic *periodic, int most[3]);
/* The vector of cell n, Angstrom. */
void periodic_vector(const struct periodic *periodic, const int n[3], double vector[3]);

/* The end of the distances that are counted, slightly below the cut-off: a pair at the cut-off itself, such as an atom and its
 * image one edge away, is on either side of it by rounding, but is not counted by any method. */
double periodic_end(double cutoff);
/* w(r), of pairs that are counted; 1 for a null pointer, a cluster. */
double periodic_factor(const struct periodic *periodic, double r);
/* The same of any pair: 0 for those that are not counted. */
double periodic_weight(const struct periodic *periodic, double r);
/* J(q), Angstrom^3. */
double periodic_mean(const struct periodic *periodic, double q);

#endif
