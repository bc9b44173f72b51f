/* Options of the engine `fdtd`: made from its options.def, do not edit. */
#ifndef SONDE_FDTD_OPTIONS_H
#define SONDE_FDTD_OPTIONS_H

#include <stdint.h>

#include "sonde/types.h"

enum sonde_fdtd_precision {
	SONDE_FDTD_PRECISION_FLOAT32 = 0,
	SONDE_FDTD_PRECISION_FLOAT64 = 1,
};

enum sonde_fdtd_average {
	SONDE_FDTD_AVERAGE_TENSOR = 0,
	SONDE_FDTD_AVERAGE_FACES = 1,
	SONDE_FDTD_AVERAGE_NONE = 2,
};

enum sonde_fdtd_reference {
	SONDE_FDTD_REFERENCE_AUTO = 0,
	SONDE_FDTD_REFERENCE_NONE = 1,
};

enum sonde_fdtd_complex_numbers {
	SONDE_FDTD_COMPLEX_NUMBERS_PAIRS = 0,
	SONDE_FDTD_COMPLEX_NUMBERS_COMPOUND = 1,
};

/* Fill with sonde_fdtd_options_init(), then change what differs. */
typedef struct sonde_fdtd_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* Edges of the box that is computed, as in 2 um, 2 um, 500 nm; the origin is its middle, absorbing layers come in addition. 0 along an axis: nothing depends on it (two or one dimensions). Unit: m. Default: 0,0,0. */
	sonde_vector size;
	/* Edges of a cell; one number for a cube. Sizes are rounded to whole cells. Unit: m. Default: 0,0,0. */
	sonde_vector cell;
	/* The step of time as c dt over the shortest edge of a cell; 0: 0.5, or less where a material of the job needs it. Cubes are stable up to 0.577 in three, 0.707 in two dimensions. Default: 0. */
	double courant;
	/* Time to compute, at most. Unit: s. Default: 0. */
	double time;
	/* The same in steps. Default: 0. */
	int64_t steps;
	/* Stop once sources are over and the largest component of E, away from point sources, is this part of the largest that there was. Default: 0. */
	double until;
	/* Numbers that fields are made of. Default: float32. */
	int precision;
	/* Index of refraction of what is between the bodies. Default: 1. */
	double background;
	/* What edges of cells have that a body's surface cuts: tensor: smoothing with the surface's normal, lengths and areas at perfect conductors, else as faces; faces: the mean of the materials at flat faces across x, y or z, else the material at the edge's middle; none: that everywhere. Default: tensor. */
	int average;
	/* auto: monitors that are normalised make a second run without bodies; none: they have powers only. Default: auto. */
	int reference;
	/* Go on from OUTPUT.checkpoint, which must be of the same job and version of sonde. Default: false. */
	int resume;
	/* Time between the checkpoints of a run that writes a file; 0: only when it is stopped. Unit: s. Default: 300. */
	double checkpoint;
	/* Complex fields in HDF5 files: pairs: two arrays, Ex_real and Ex_imag; compound: one, of numbers with the parts r and i, which h5py reads as complex. Default: pairs. */
	int complex_numbers;
	/* A folder for pictures (PNG) of the snapshots, one a time and component, NAME-Ez-0000.png and so on, and their list for a film. Default: none. */
	char frames[4096];
	/* A folder for VTK files of snapshots and of fields, one a time or frequency, NAME-0000.vtk and so on, for ParaView and others. Default: none. */
	char vtk[4096];
} sonde_fdtd_options;

#endif
