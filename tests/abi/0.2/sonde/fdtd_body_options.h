/* Options of the engine `fdtd_body`: made from its options.def, do not edit. */
#ifndef SONDE_FDTD_BODY_OPTIONS_H
#define SONDE_FDTD_BODY_OPTIONS_H

#include <stdint.h>

#include "sonde/types.h"

enum sonde_fdtd_body_shape {
	SONDE_FDTD_BODY_SHAPE_BOX = 0,
	SONDE_FDTD_BODY_SHAPE_SPHERE = 1,
	SONDE_FDTD_BODY_SHAPE_ELLIPSOID = 2,
	SONDE_FDTD_BODY_SHAPE_CYLINDER = 3,
	SONDE_FDTD_BODY_SHAPE_CONE = 4,
	SONDE_FDTD_BODY_SHAPE_PRISM = 5,
	SONDE_FDTD_BODY_SHAPE_STL = 6,
	SONDE_FDTD_BODY_SHAPE_BUILD = 7,
	SONDE_FDTD_BODY_SHAPE_VOXELS = 8,
};

enum sonde_fdtd_body_in_reference {
	SONDE_FDTD_BODY_IN_REFERENCE_FALSE = 0,
	SONDE_FDTD_BODY_IN_REFERENCE_TRUE = 1,
	SONDE_FDTD_BODY_IN_REFERENCE_ONLY = 2,
};

/* Fill with sonde_fdtd_body_options_init(), then change what differs. */
typedef struct sonde_fdtd_body_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* One of `materials`, of the library, or vacuum. Default: none. */
	char material[4096];
	/* What it is. Default: none. */
	int shape;
	/* Its middle; of stl, build and voxels, where their origin comes to lie. Unit: m. Default: 0,0,0. */
	sonde_vector center;
	/* Edges of a box. Unit: m. Default: 0,0,0. */
	sonde_vector size;
	/* Of a sphere, a cylinder, the lower end of a cone. Unit: m. Default: 0. */
	double radius;
	/* Of the upper end of a cone. Unit: m. Default: 0. */
	double radius_top;
	/* Half axes of an ellipsoid. Unit: m. Default: 0,0,0. */
	sonde_vector radii;
	/* Of a cylinder, cone or prism. Unit: m. Default: 0. */
	double height;
	/* Direction of a cylinder, cone or prism; a prism's is x, y or z. Default: 0,0,1. */
	sonde_vector axis;
	/* Of a box or ellipsoid about x, then y, then z. Unit: degrees. Default: 0,0,0. */
	sonde_vector rotation;
	/* Corners of a prism across its axis, relative to the center: [[x, y], ...], or [y, z] along x, [z, x] along y. Unit: m. Default: none. */
	char vertices[4096];
	/* An STL file; of build: a sample (XYZ), whose atoms are balls of `radius`, or none: then the solid of the job's block build: is meant; an HDF5 file with /voxels/materials or /voxels/permittivities [z, y, x] and /voxels/spacing. Default: none. */
	char file[4096];
	/* Length of the file's unit: 1 nm if an STL is in nanometres; 0: 1 m of STL files, else 1 Angstrom. Unit: m. Default: 0. */
	double scale;
	/* Of voxels: the materials that their numbers stand for, from 0 on; none leaves what is there. Default: none. */
	char materials[4096];
	/* So many copies along x, y and z, around the center. Default: 1,1,1. */
	sonde_vector repeat;
	/* Distance of the copies. Unit: m. Default: 0,0,0. */
	sonde_vector pitch;
	/* Whether the run for reference has it: false: not; true: as well, as the substrate of what is looked at, or a straight piece of a guide; only: that run alone. Default: false. */
	int in_reference;
} sonde_fdtd_body_options;

#endif
