/* Options of the engine `coulomb`: made from its options.def, do not edit. */
#ifndef SONDE_COULOMB_OPTIONS_H
#define SONDE_COULOMB_OPTIONS_H

#include <stdint.h>

#include "sonde/types.h"

enum sonde_coulomb_quantity {
	SONDE_COULOMB_QUANTITY_AUTO = 0,
	SONDE_COULOMB_QUANTITY_POTENTIAL = 1,
	SONDE_COULOMB_QUANTITY_FIELD = 2,
	SONDE_COULOMB_QUANTITY_BOTH = 3,
};

enum sonde_coulomb_units {
	SONDE_COULOMB_UNITS_V = 0,
	SONDE_COULOMB_UNITS_KT_E = 1,
	SONDE_COULOMB_UNITS_KCAL_MOL_E = 2,
	SONDE_COULOMB_UNITS_E_A = 3,
};

enum sonde_coulomb_boundary {
	SONDE_COULOMB_BOUNDARY_OPEN = 0,
	SONDE_COULOMB_BOUNDARY_PERIODIC = 1,
	SONDE_COULOMB_BOUNDARY_SLAB = 2,
	SONDE_COULOMB_BOUNDARY_AUTO = 3,
};

enum sonde_coulomb_method {
	SONDE_COULOMB_METHOD_AUTO = 0,
	SONDE_COULOMB_METHOD_DIRECT = 1,
	SONDE_COULOMB_METHOD_FAST = 2,
	SONDE_COULOMB_METHOD_REFERENCE = 3,
	SONDE_COULOMB_METHOD_EWALD = 4,
};

enum sonde_coulomb_precision {
	SONDE_COULOMB_PRECISION_AUTO = 0,
	SONDE_COULOMB_PRECISION_FLOAT32 = 1,
	SONDE_COULOMB_PRECISION_FLOAT64 = 2,
};

enum sonde_coulomb_self {
	SONDE_COULOMB_SELF_SKIP = 0,
	SONDE_COULOMB_SELF_SOFTEN = 1,
	SONDE_COULOMB_SELF_ERROR = 2,
};

enum sonde_coulomb_frames {
	SONDE_COULOMB_FRAMES_ONE = 0,
	SONDE_COULOMB_FRAMES_ALL = 1,
};

/* Fill with sonde_coulomb_options_init(), then change what differs. */
typedef struct sonde_coulomb_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* Charges in e by label: Na=1,Cl=-1; or by a table, a file with rows of a residue (or *, or nothing), an atom's name and its charge. Without it the sample must bring its own: PQR, or extended XYZ with a column of charges. Several sets at the same positions: lists separated by ';', more columns of a table, or charge:R:N in extended XYZ. Default: none. */
	char charges[4096];
	/* What is written: the potential, the field E = -grad phi, or both. auto: the potential on grids, planes and lines, both at points of a list or a surface. Default: auto. */
	int quantity;
	/* Unit of the potential; the field is in that per Angstrom. e/A: charges over distances, nothing else. Default: V. */
	int units;
	/* Temperature of the unit kT/e. Unit: K. Default: 298.15. */
	double temperature;
	/* Dielectric constant of the homogeneous medium. Default: 1. */
	double dielectric;
	/* Screening by ions in the medium (Debye and Hueckel): every potential q/r becomes q exp(-r/length)/r, in float64; 0: none. Unit: Angstrom. Default: 0. */
	double debye_length;
	/* Gaussian charges of this width (standard deviation): every potential q/r becomes q erf(r/(sqrt(2) smearing))/r, in float64; 0: points. Unit: Angstrom. Default: 0. */
	double smearing;
	/* Find the energy of the charges among themselves and the force on each, too; charges that lie in one place have none. Default: false. */
	int forces;
	/* auto: open, but a periodic sample (extended XYZ with Lattice, unless its pbc is F F F) is refused: say which. open: the charges as they are. periodic: repeated for ever along the edges of the cell, by Ewald's sum, in a neutralising background where they do not add up to 0. slab: repeated along the first two edges. Default: auto. */
	int boundary;
	/* With --boundary periodic or slab: edges of the cell along x, y, z; 0,0,0: the sample's Lattice. Unit: Angstrom. Default: 0,0,0. */
	sonde_vector cell;
	/* direct: every charge at every point. fast: charges far from a block of the grid at a few points of it, the rest by interpolation, within the tolerance; at points of a list by a mesh for what is smooth and near charges for the rest. auto: what is less work. reference: in compensated float64 on one core, slow and obvious, to check the others. ewald: Ewald's sum at every point, which direct is for periodic charges. Default: auto. */
	int method;
	/* Arithmetic of the sums. float32: relative to the middle of a tile of points, 256 charges at a time, those added up in float64: good to 6e-7. auto: float32 where the tolerance allows it, and float64 where that turns out not to do. Default: auto. */
	int precision;
	/* Error that the potential may have, root mean square relative to its own. Default: 1e-6. */
	double tolerance;
	/* What a charge does at a point where it lies (within 1e-6 Angstrom): nothing; what a softened charge does; or it ends the run. Default: skip. */
	int self;
	/* With --self soften: every distance r becomes sqrt(r^2 + softening^2). Unit: Angstrom. Default: 0.5. */
	double softening;
	/* Spacing of the grid in x, y and z; one number stands for all three. Unit: Angstrom. Default: 1,1,1. */
	sonde_vector spacing;
	/* How far the grid goes beyond the atoms. Unit: Angstrom. Default: 10. */
	double padding;
	/* First point of the grid; taken with --size. Unit: Angstrom. Default: 0,0,0. */
	sonde_vector origin;
	/* Points of the grid in x, y and z, from the origin; 0,0,0: the atoms and the padding decide. Default: 0,0,0. */
	sonde_vector size;
	/* First step of a grid that is not along x, y, z; taken with --step-b, --step-c and --size. Unit: Angstrom. Default: 0,0,0. */
	sonde_vector step_a;
	/* Second step. Unit: Angstrom. Default: 0,0,0. */
	sonde_vector step_b;
	/* Third step. Unit: Angstrom. Default: 0,0,0. */
	sonde_vector step_c;
	/* A slice instead of a grid: x=NUMBER, y=NUMBER or z=NUMBER, in Angstrom. Default: none. */
	char plane[4096];
	/* A line instead of a grid: x,y,z:x,y,z:points, both ends included. Default: none. */
	char line[4096];
	/* Points from a file instead of a grid: columns x y z in Angstrom, one point a line; # begins a comment. Default: none. */
	char points[4096];
	/* Points on the van der Waals surface instead of a grid, so many for a square Angstrom; radii are the sample's (PQR) or its elements'. 0: none. Unit: 1/Angstrom^2. Default: 0. */
	double surface;
	/* With --surface: the radius of a ball that rolls over it, whose middle the points are; 1.4 for water. Unit: Angstrom. Default: 0. */
	double probe;
	/* Leave out points nearer than this to an atom: NaN in HDF5, VTK and tables, 0 in OpenDX, cube and MRC. 0: none. Unit: Angstrom. Default: 0. */
	double exclude_within;
	/* Leave out points that are this far from every atom, likewise. 0: none. Unit: Angstrom. Default: 0. */
	double exclude_beyond;
	/* Leave out points beyond a box, likewise: two corners x,y,z:x,y,z. Default: none. */
	char region[4096];
	/* all: every frame of the sample is a set of charges, at the positions of the first one. Default: one. */
	int frames;
} sonde_coulomb_options;

#endif
