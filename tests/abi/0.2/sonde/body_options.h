/* Options of the engine `body`: generated from its options.def, do not edit. */
#ifndef SONDE_BODY_OPTIONS_H
#define SONDE_BODY_OPTIONS_H

#include <stdint.h>

#include "sonde/types.h"

enum sonde_body_shape {
	SONDE_BODY_SHAPE_BOX = 0,
	SONDE_BODY_SHAPE_SPHERE = 1,
	SONDE_BODY_SHAPE_ELLIPSOID = 2,
	SONDE_BODY_SHAPE_CYLINDER = 3,
	SONDE_BODY_SHAPE_CONE = 4,
	SONDE_BODY_SHAPE_PRISM = 5,
	SONDE_BODY_SHAPE_STL = 6,
	SONDE_BODY_SHAPE_BUILD = 7,
	SONDE_BODY_SHAPE_VOXELS = 8,
};

enum sonde_body_in_reference {
	SONDE_BODY_IN_REFERENCE_FALSE = 0,
	SONDE_BODY_IN_REFERENCE_TRUE = 1,
	SONDE_BODY_IN_REFERENCE_ONLY = 2,
};

/* Fill with sonde_body_options_init(), then set the options that differ. */
typedef struct sonde_body_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* Material. For fdtd: one of `materials` or of the library; for ions: a formula or a name, as Au, SiO2@2.2 or water; or vacuum. Default: none. */
	char material[4096];
	/* Geometric shape; ions support all but build. Default: none. */
	int shape;
	/* Center; for stl, build and voxels the position of their origin. Unit: that of lengths of the engine. Default: 0,0,0. */
	sonde_vector center;
	/* Edge lengths of a box. Unit: that of lengths of the engine. Default: 0,0,0. */
	sonde_vector size;
	/* Radius of a sphere, a cylinder, or the lower end of a cone. Unit: that of lengths of the engine. Default: 0. */
	double radius;
	/* Radius of the upper end of a cone. Unit: that of lengths of the engine. Default: 0. */
	double radius_top;
	/* Half axes of an ellipsoid. Unit: that of lengths of the engine. Default: 0,0,0. */
	sonde_vector radii;
	/* Height of a cylinder, cone or prism. Unit: that of lengths of the engine. Default: 0. */
	double height;
	/* Axis of a cylinder, cone or prism; of a prism x, y or z. Default: 0,0,1. */
	sonde_vector axis;
	/* Rotation of a box or ellipsoid about x, then y, then z. Unit: degrees. Default: 0,0,0. */
	sonde_vector rotation;
	/* Corners of a prism in the plane across its axis, relative to the center: [[x, y], ...], or [y, z] along x, [z, x] along y. Unit: that of lengths of the engine. Default: none. */
	char vertices[4096];
	/* An STL file; for build: a sample (XYZ), whose atoms become balls of `radius`, or none for the solid of the job's block build:; for voxels: an HDF5 file with /voxels/materials or /voxels/permittivities [z, y, x] and /voxels/spacing. Default: none. */
	char file[4096];
	/* Length of the file's unit: 1 nm for an STL file in nanometers; 0: 1 m for STL files, otherwise 1 Angstrom. Unit: that of lengths of the engine. Default: 0. */
	double scale;
	/* For voxels: the materials that the file's numbers stand for, from 0 on; none keeps what is already there. Default: none. */
	char materials[4096];
	/* Number of copies along x, y and z, arranged around the center. Default: 1,1,1. */
	sonde_vector repeat;
	/* Distance between the copies. Unit: that of lengths of the engine. Default: 0,0,0. */
	sonde_vector pitch;
	/* For fdtd: whether the reference run includes the body: false: no; true: yes, such as a substrate or a straight section of a waveguide; only: in the reference run alone. Default: false. */
	int in_reference;
} sonde_body_options;

#endif
