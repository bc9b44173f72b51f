/* Media of the edges (and faces) of the grid. */
#ifndef SONDE_FDTD_MEDIA_MEDIUM_H
#define SONDE_FDTD_MEDIA_MEDIUM_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "fdtd/grid/grid.h"

/* A pole of the permittivity, for a step of time. With P in the unit of E, and its flow P(n + 1) - P(n),
 *     P(n) = P(n - 1) + flow + d E(n),  flow = a flow + b E(n) - c P(n).
 * That is, by central differences in time, P'' + gamma P' + omega_0^2 P = strength omega_0^2 E (Lorentz; of Drude with omega_0 = 0 on the
 * left), and, by means of two times, tau P' + P = strength E (Debye). */
struct medium_pole {
	double a, b, c, d;
};

#define MOST_POLES 8

/* What a component of a field meets at an edge or face, relative to vacuum; losses are conductivities times dt/epsilon_0 (E), magnetic ones
 * times dt/mu_0 (H). */
struct medium {
	double permittivity, conductivity;
	double permeability, magnetic_conductivity;
	int conductor; /* E stays 0 */
	double
	    outside; /* of edges and faces that a conductor cuts, the part that is not in it, for which what is above is made: see paint_conductors.h; 0: not cut */
	int collector; /* takes rot H as it is, E following from several edges' (smooth.h): its losses are none */
	int poles;
	struct medium_pole pole[MOST_POLES];
};

/* Frequencies times the step of time. */
struct medium_pole medium_pole_lorentz(double strength, double resonance, double damping);
struct medium_pole medium_pole_drude(double plasma_frequency, double damping);
struct medium_pole medium_pole_debye(double strength, double relaxation_time);

extern const struct medium vacuum;

/* field = first field + second (rot of the other one), semi-implicit in the losses and in what a pole answers at once: Taflove and Hagness (2005), 3.6.8. */
struct medium_step {
	double first, second;
};
struct medium_step medium_step_of_e(const struct medium *medium);
struct medium_step medium_step_of_h(const struct medium *medium);
/* What a magnetic current of 1 adds to H before its step, which then multiplies it by `first`: never 0. */
double medium_answer_of_h(const struct medium *medium);

/* P/E of all poles at an angular frequency, in radians a step, by their recursions: what the scheme has of them, to rounding. */
double complex medium_susceptibility(const struct medium *medium, double angular_frequency);

/* A permittivity alone: of E. */
bool medium_is_lossless(const struct medium *medium);

#define MOST_MEDIA 65535
/* The media of a grid. Numbers of them for all nodes, (cells + 1) of each axis, z fastest: at the lower corner's node of an edge, of each component. */
struct media {
	size_t count;
	struct medium *media;
	uint16_t *edges[3];          /* null: medium 0 everywhere */
	uint16_t *faces[3];          /* of H; null: vacuum */
	struct smooth_edges *smooth; /* edges with tensors: see smooth.h; null: none */
	struct answers *answers;     /* edges at surfaces of metals: see answers.h; null: none */
};

/* Medium 0 is vacuum; arrays of numbers that are all 0 where they are asked for. Whoever has another background makes it media[0] before others are
 * added: large arrays have memory only where something was painted. To be freed by media_free(), also after a failure. */
sonde_status media_make(const struct fdtd_grid *grid, int edges, int faces, struct media *media);
void media_free(struct media *media);
/* Adds a medium, unless one like it is there; *number says which it is. */
sonde_status media_add(struct media *media, const struct medium *medium, uint16_t *number);
size_t media_at(const struct fdtd_grid *grid, int i, int j, int k);

#endif
