/* The volume that atoms of a sample fill: shapes of `build`. */
#ifndef SONDE_MATTER_BUILD_SOLID_H
#define SONDE_MATTER_BUILD_SOLID_H

#include <stdint.h>

#include "matter/shape/polyhedron.h"

enum build_kind {
	BUILD_SPHERE,
	BUILD_BOX,
	BUILD_CYLINDER,
	BUILD_SUPERCELL,
	BUILD_ELLIPSOID,
	BUILD_CONE,
	BUILD_PRISM,
	BUILD_POLYHEDRON,
	BUILD_STL,
	BUILD_CLUSTER,
	BUILD_NOTHING /* atoms are in bodies only */
};

/* Lengths in Angstrom. Its center is at 0, but a supercell's first corner is at `corner`. */
struct build_solid {
	enum build_kind kind;
	double size[3]; /* SPHERE: radius; BOX: edges; CYLINDER, along z: radius, length, inner radius; SUPERCELL:
			 * cells; ELLIPSOID: semi-axes; CONE, along z: radius at the bottom and at the top, height;
			 * PRISM, a hexagon along z with two corners on the x axis: edge, height */
	double edges[3][3], corner[3]; /* of a supercell; of a CLUSTER edges are its axes, of length 1 */
	/* CLUSTER, half a layer outside of its outermost atoms: the edge of an icosahedron, else 0; a decahedron's distance of corners from
	 * the axis, and height of its (100) faces */
	double cluster_edge, cluster_radius, cluster_height;
	int64_t matrix[3][3]; /* of a supercell: its edges are this times the cell's vectors */
	double hollow;        /* the solid scaled by this about its center is empty; 0: none */
	const char *stl;      /* STL: the file's name, owned by the options */
	double stl_scale;
	struct polyhedron
	    faces;        /* of PRISM, POLYHEDRON, and CLUSTER; none of Marks' decahedra, which are not convex */
	double inscribed; /* a sphere of this radius is inside all planes; may be 0 */
};

#endif
