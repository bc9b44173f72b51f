/* Media of the edges (and faces) of the grid. */
#ifndef SONDE_FDTD_MEDIA_MEDIUM_H
#define SONDE_FDTD_MEDIA_MEDIUM_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "fdtd/grid/grid.h"
#include "fdtd/media/media_numbers.h"

/* A pole of the permittivity, for a time step. With P in the unit of E, and its flow P(n + 1) - P(n),
 *     P(n) = P(n - 1) + flow + d E(n),  flow = a flow + b E(n) - c P(n).
 * That is, by central differences in time, P'' + gamma P' + omega_0^2 P = strength omega_0^2 E (Lorentz; of Drude
 * with omega_0 = 0 on the left), and, by means of two times, tau P' + P = strength E (Debye). */
struct medium_pole {
	double a, b, c, d;
};

#define MOST_POLES 8

/* Medium of a field component at an edge or face, relative to vacuum; losses are conductivities times dt/epsilon_0
 * (E), magnetic ones times dt/mu_0 (H). */
struct medium {
	double permittivity, conductivity;
	double permeability, magnetic_conductivity;
	int conductor; /* E stays 0 */
	double
	    outside; /* fraction outside a conductor, to which the above applies: see paint_conductors.h; 0: not cut */
	int collector; /* takes rot H unchanged, E following from several edges (smooth.h): without losses */
	int poles;
	struct medium_pole pole[MOST_POLES];
};

/* Frequencies times the time step. */
struct medium_pole medium_pole_lorentz(double strength, double resonance, double damping);
struct medium_pole medium_pole_drude(double plasma_frequency, double damping);
struct medium_pole medium_pole_debye(double strength, double relaxation_time);

extern const struct medium vacuum;

/* field = first field + second (rot of the other one), semi-implicit in the losses and in the instantaneous response
 * of poles: Taflove and Hagness (2005), 3.6.8. */
struct medium_step {
	double first, second;
};
struct medium_step medium_step_of_e(const struct medium *medium);
struct medium_step medium_step_of_h(const struct medium *medium);
/* Contribution to H of a magnetic current of 1, added before the step, which then multiplies it by `first`: never 0. */
double medium_answer_of_h(const struct medium *medium);

/* P/E of all poles at an angular frequency, in radians per step, from their recursions: the values of the scheme, to
 * rounding. */
double complex medium_susceptibility(const struct medium *medium, double angular_frequency);

/* Only a permittivity, for E. */
static inline bool medium_is_lossless(const struct medium *medium)
{
	return !medium->conductor && !medium->collector && medium->poles == 0 && medium->conductivity == 0.0;
}

struct parallel;
struct list_totals;

/* The planes of one of several ranks that share a grid; all zero: all planes are here. Those from `begin` on, before `end`,
 * are painted. What is found near surfaces follows from its surroundings of some planes: lists are complete from plane
 * `first` on, before `behind`; and each plane is the own of one rank. */
struct media_part {
	struct parallel *ranks;
	int begin, end, first, behind, own_begin, own_end;
};

#define MOST_MEDIA 65535
/* The media of a grid. Their numbers for all nodes, (cells + 1) of each axis, z fastest: at the lower corner's node
 * of an edge, for each component (media_numbers.h). */
struct media {
	size_t count;
	struct medium *media;
	uint64_t *places; /* of each medium: media_place() where it was first painted */
	uint64_t place;   /* of those that are added next */
	struct media_part part;
	struct list_totals *totals;     /* of all ranks: see fields/shared_lists.h; or null */
	int threads;                    /* to convert the numbers with; 0: one */
	struct media_numbers *edges[3]; /* null: medium 0 everywhere */
	struct media_numbers *faces[3]; /* of H; null: vacuum */
	struct smooth_edges *smooth;    /* edges with tensors: see smooth.h; or null */
	struct answers *answers;        /* edges at metal surfaces: see answers.h; or null */
};

/* Medium 0 is vacuum; numbers are all 0 when they are requested. For another background the caller sets media[0]
 * before others are added: numbers take memory only where something was painted. To be freed by
 * media_free(), also after a failure. */
sonde_status media_make(const struct fdtd_grid *grid, int edges, int faces, struct media *media);
void media_free(struct media *media);
/* Adds a medium, unless an equal one exists; *number is its number. */
sonde_status media_add(struct media *media, const struct medium *medium, uint16_t *number);
bool medium_is_same(const struct medium *a, const struct medium *b);
static inline size_t media_at(const struct fdtd_grid *grid, int i, int j, int k)
{
	return ((size_t)i * ((size_t)grid->cells[1] + 1) + (size_t)j) * ((size_t)grid->cells[2] + 1) + (size_t)k;
}

#endif
