/* Currents on a plane rectangle of the grid that emit waves to one side of it or to both. By the equivalence of
 * fields and currents on a surface (Love; see Harrington, Time-Harmonic Electromagnetic Fields (1961), 3.5) J = a x H
 * and M = -a x E on a plane with normal a generate the field E, H on the side that a points to and no field on the
 * other one. On Yee's grid E is taken on the plane's edges and H half a cell in front of them, and a solution of the
 * grid's equations is generated without any residue on the other side. */
#ifndef SONDE_FDTD_SOURCES_PLANE_SOURCE_H
#define SONDE_FDTD_SOURCES_PLANE_SOURCE_H

#include "fdtd/fields/lists.h"

/* Nodes low to high of the other two axes, both included; for a periodic axis, 0 to its cells is all of it. */
struct source_plane {
	int axis, node;
	int low[3], high[3];
};

struct plane_source {
	struct injection_terms terms[2]; /* J of edges, M of normals of faces, for simulation_add_current() */
	uint32_t signals;                /* 1: the waveform; 2: and its quadrature */
	double delays[2];                /* of J's signals and of M's, in steps */
	bool
	    turns; /* terms are to be multiplied by exp(i k r), k that of the grid's phases, r from node 0 across ... */
	int axis;     /* ... this one: a wave that the Bloch walls transmit */
	double power; /* see its maker */
};

/* SONDE_INVALID unless the rectangle is inside the grid, with a cell on either side of it, and has an area. */
sonde_status source_plane_check(const struct fdtd_grid *grid, const struct source_plane *plane);
/* The refractive index of the plane's edges. SONDE_INVALID unless they all have the same medium without losses, poles
 * and magnetism. */
sonde_status source_plane_index(const struct fields *fields, const struct media *media,
				const struct source_plane *plane, double *index);

/* The edges along one of the plane's axes, or the normals of the faces half a cell off those edges, both nodes begin
 * to end - 1. */
void source_plane_range(const struct fdtd_grid *grid, const struct source_plane *plane, int along, int begin[3],
			int end[3]);
/* For an edge along `along`: the places of E there, and of the component of H along the third axis on the side that
 * is not `forward`. */
uint64_t source_plane_edge(const struct fields *fields, int along, const int node[3]);
uint64_t source_plane_face(const struct fields *fields, const struct source_plane *plane, int along, bool forward,
			   const int node[3]);

void plane_source_free(struct plane_source *source);

#endif
