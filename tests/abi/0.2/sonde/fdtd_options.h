/* Options of the engine `fdtd`: generated from its options.def, do not edit. */
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

enum sonde_fdtd_error {
	SONDE_FDTD_ERROR_NONE = 0,
	SONDE_FDTD_ERROR_ESTIMATE = 1,
	SONDE_FDTD_ERROR_COMPANION = 2,
};

/* Fill with sonde_fdtd_options_init(), then set the options that differ. */
typedef struct sonde_fdtd_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* Edge lengths of the computed box, as in 2 um, 2 um, 500 nm; the origin is its center, absorbing layers are added outside. 0 makes the structure uniform along that axis (two or one dimensions). Unit: m. Default: 0,0,0. */
	sonde_vector size;
	/* Edge lengths of a cell; one number for a cube. Sizes are rounded to whole cells. Unit: m. Default: 0,0,0. */
	sonde_vector cell;
	/* Time step as c dt over the shortest edge of a cell; 0: 0.5, or less where a material of the job needs it. Cubes are stable up to 0.577 in three, 0.707 in two dimensions. Default: 0. */
	double courant;
	/* Maximum simulated time. Unit: s. Default: 0. */
	double time;
	/* The same as a number of steps. Default: 0. */
	int64_t steps;
	/* Stop when the sources have ended and the largest component of E, away from point sources, has decayed to this fraction of its peak. Default: 0. */
	double until;
	/* Floating-point precision of the fields. Default: float32. */
	int precision;
	/* Refractive index of the medium between the bodies. Default: 1. */
	double background;
	/* Treatment of cell edges cut by a body's surface: tensor: smoothing with the surface normal, lengths and areas at perfect conductors, otherwise as faces; faces: the mean of the materials at flat faces across x, y or z, otherwise the material at the edge's midpoint; none: always the material at the edge's midpoint. Default: tensor. */
	int average;
	/* auto: normalized monitors require a second run without bodies; none: they give powers only. Default: auto. */
	int reference;
	/* Continue from OUTPUT.checkpoint, which must be from the same job and version of sonde. Default: false. */
	int resume;
	/* Time between checkpoints of a run that writes a file; 0: only when it is stopped. Unit: s. Default: 300. */
	double checkpoint;
	/* Complex fields in HDF5 files: pairs: two arrays, Ex_real and Ex_imag; compound: one array of numbers with the members r and i, which h5py reads as complex. Default: pairs. */
	int complex_numbers;
	/* Folder for pictures (PNG) of the snapshots, one per time and component, NAME-Ez-0000.png and so on, and a list of them for making a film. Default: none. */
	char frames[4096];
	/* Folder for VTK files of snapshots and fields, one per time or frequency, NAME-0000.vtk and so on, for ParaView and other programs. Default: none. */
	char vtk[4096];
	/* Numerical error of the result: none: not stated; estimate: by formulas, for the grid, the end of the run, and round-off; companion: the job is run a second time with cells 1.5 times as long, and each result along one axis gets an array of errors. Default: estimate. */
	int error;
} sonde_fdtd_options;

#endif
