/* Options of the engine `coulomb`: generated from its options.def, do not edit. */
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

/* Fill with sonde_coulomb_options_init(), then set the options that differ. */
typedef struct sonde_coulomb_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* Charges in e by label: Na=1,Cl=-1; or a table, a file with rows of a residue (or *, or omitted), an atom name and its charge. Without this option the sample must have charges: PQR, or extended XYZ with a column of charges. Several sets at the same positions: lists separated by ';', more columns of a table, or charge:R:N in extended XYZ. Default: none. */
	char charges[4096];
	/* Output quantity: the potential, the field E = -grad phi, or both. auto: the potential on grids, planes and lines, both at points of a list or a surface. Default: auto. */
	int quantity;
	/* Unit of the potential; the field is in this unit per Angstrom. e/A: charge over distance, without a prefactor. Default: V. */
	int units;
	/* Temperature of the unit kT/e. Unit: K. Default: 298.15. */
	double temperature;
	/* Dielectric constant of the homogeneous medium. Default: 1. */
	double dielectric;
	/* Screening by ions in the medium (Debye and Hueckel): every potential q/r becomes q exp(-r/length)/r, in float64; 0: none. Unit: Angstrom. Default: 0. */
	double debye_length;
	/* Gaussian charges of this width (standard deviation): every potential q/r becomes q erf(r/(sqrt(2) smearing))/r, in float64; 0: points. Unit: Angstrom. Default: 0. */
	double smearing;
	/* Also compute the energy of the charges among themselves and the force on each; coincident charges do not interact. Default: false. */
	int forces;
	/* auto: open, but a periodic sample (extended XYZ with Lattice, unless its pbc is F F F) is refused until one of the others is chosen. open: isolated charges. periodic: repeated along the edges of the cell, by Ewald's sum, in a neutralizing background if the charges do not add up to 0. slab: repeated along the first two edges. Default: auto. */
	int boundary;
	/* With --boundary periodic or slab: edges of the cell along x, y, z; 0,0,0: the Lattice of the sample. Unit: Angstrom. Default: 0,0,0. */
	sonde_vector cell;
	/* direct: every charge at every point. fast: charges far from a block of the grid are summed at a few points of it, followed by interpolation, within the tolerance; at points of a list by a mesh for the smooth part and near charges for the rest. auto: the method with less work. reference: in compensated float64 on one core, slow and simple, to check the other methods. ewald: Ewald's sum at every point, the same as direct for periodic charges. Default: auto. */
	int method;
	/* Floating-point precision of the sums. float32: relative to the center of a tile of points, 256 charges at a time, whose sums are added in float64: accurate to 6e-7. auto: float32 if the tolerance allows it, and float64 if the result misses the tolerance. Default: auto. */
	int precision;
	/* Allowed error of the potential, root mean square relative to that of the potential. Default: 1e-6. */
	double tolerance;
	/* Contribution of a charge to a coincident point (within 1e-6 Angstrom): none; that of a softened charge; or an error that ends the run. Default: skip. */
	int self;
	/* With --self soften: every distance r becomes sqrt(r^2 + softening^2). Unit: Angstrom. Default: 0.5. */
	double softening;
	/* Spacing of the grid in x, y and z; one number stands for all three. Unit: Angstrom. Default: 1,1,1. */
	sonde_vector spacing;
	/* Extent of the grid beyond the atoms. Unit: Angstrom. Default: 10. */
	double padding;
	/* First point of the grid; used with --size. Unit: Angstrom. Default: 0,0,0. */
	sonde_vector origin;
	/* Points of the grid in x, y and z, from the origin; 0,0,0: determined by the atoms and the padding. Default: 0,0,0. */
	sonde_vector size;
	/* First step of a grid that is not along x, y, z; used with --step-b, --step-c and --size. Unit: Angstrom. Default: 0,0,0. */
	sonde_vector step_a;
	/* Second step. Unit: Angstrom. Default: 0,0,0. */
	sonde_vector step_b;
	/* Third step. Unit: Angstrom. Default: 0,0,0. */
	sonde_vector step_c;
	/* A slice instead of a grid: x=NUMBER, y=NUMBER or z=NUMBER, in Angstrom. Default: none. */
	char plane[4096];
	/* A line instead of a grid: x,y,z:x,y,z:points, both ends included. Default: none. */
	char line[4096];
	/* Points from a file instead of a grid: columns x y z in Angstrom, one point per line; # begins a comment. Default: none. */
	char points[4096];
	/* Points on the van der Waals surface instead of a grid, this many per square Angstrom; radii are those of the sample (PQR) or of its elements. 0: none. Unit: 1/Angstrom^2. Default: 0. */
	double surface;
	/* With --surface: radius of a probe ball that rolls over it; the points are positions of its center; 1.4 for water. Unit: Angstrom. Default: 0. */
	double probe;
	/* Exclude points nearer than this to an atom: NaN in HDF5, VTK and tables, 0 in OpenDX, cube and MRC. 0: none. Unit: Angstrom. Default: 0. */
	double exclude_within;
	/* Exclude points at least this far from every atom, in the same way. 0: none. Unit: Angstrom. Default: 0. */
	double exclude_beyond;
	/* Exclude points outside a box, in the same way: two corners x,y,z:x,y,z. Default: none. */
	char region[4096];
	/* all: every frame of the sample is a set of charges at the positions of the first frame. Default: one. */
	int frames;
} sonde_coulomb_options;

#endif
