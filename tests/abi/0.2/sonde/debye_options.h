/* Options of the engine `debye`: generated from its options.def, do not edit. */
#ifndef SONDE_DEBYE_OPTIONS_H
#define SONDE_DEBYE_OPTIONS_H

#include <stdint.h>

#include "sonde/types.h"

enum sonde_debye_radiation {
	SONDE_DEBYE_RADIATION_XRAY = 0,
	SONDE_DEBYE_RADIATION_NEUTRON = 1,
};

enum sonde_debye_method {
	SONDE_DEBYE_METHOD_AUTO = 0,
	SONDE_DEBYE_METHOD_EXACT = 1,
	SONDE_DEBYE_METHOD_HISTOGRAM = 2,
	SONDE_DEBYE_METHOD_REFERENCE = 3,
};

enum sonde_debye_precision {
	SONDE_DEBYE_PRECISION_FLOAT64 = 0,
	SONDE_DEBYE_PRECISION_FLOAT32 = 1,
};

enum sonde_debye_factors {
	SONDE_DEBYE_FACTORS_AUTO = 0,
	SONDE_DEBYE_FACTORS_WAASMAIER_KIRFEL = 1,
	SONDE_DEBYE_FACTORS_IT1992 = 2,
	SONDE_DEBYE_FACTORS_SEARS1992 = 3,
	SONDE_DEBYE_FACTORS_RAUCH2003 = 4,
	SONDE_DEBYE_FACTORS_UNIT = 5,
};

enum sonde_debye_window {
	SONDE_DEBYE_WINDOW_NONE = 0,
	SONDE_DEBYE_WINDOW_LORCH = 1,
};

enum sonde_debye_boundary {
	SONDE_DEBYE_BOUNDARY_AUTO = 0,
	SONDE_DEBYE_BOUNDARY_OPEN = 1,
};

/* Fill with sonde_debye_options_init(), then set the options that differ. */
typedef struct sonde_debye_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* Scattering vectors q = 4 pi sin(theta)/lambda as first:last:points, both ends included. Unit: 1/Angstrom. Default: 0.1:20:996. */
	sonde_grid q;
	/* Radiation: X-rays, scattered by electrons (intensities in electron units), or neutrons, scattered by nuclei (in fm^2). Default: xray. */
	int radiation;
	/* exact: every pair of atoms at every q. histogram: distances in bins with exact moments of each bin. auto: exact if it takes about a second at most or no longer than the histogram; otherwise histogram. reference: pair by pair in compensated float64, slow and simple, to check the other methods. Default: auto. */
	int method;
	/* Floating-point precision of exact sums on a GPU: float32 is faster where float64 is slow, and accurate to about 1e-6. The CPU, the histogram and GPUs with matrix units for float64 use float64. Default: float64. */
	int precision;
	/* Table of form factors or scattering lengths. auto: waasmaier-kirfel for X-rays, sears1992 (the NIST list; isotopes missing there from rauch2003) for neutrons. unit: every atom has the amplitude 1. Default: auto. */
	int factors;
	/* Allowed error of I/N by histogram, as a fraction of <f^2> + I/N; it determines the bin width. Default: 1e-6. */
	double tolerance;
	/* Width of the distance bins; 0: chosen from the tolerance and the largest q. Unit: Angstrom. Default: 0. */
	double bin_width;
	/* Distances r of the pair distribution function G(r) as first:last:points. Unit: Angstrom. Default: 0.5:20:1951. */
	sonde_grid r;
	/* Window of the transform to G(r). lorch: sin(pi q/q_max)/(pi q/q_max), which damps the termination ripples due to q_max. Default: none. */
	int window;
	/* Instrumental damping of G(r): a factor exp(-(r qdamp)^2/2). Unit: 1/Angstrom. Default: 0. */
	double qdamp;
	/* open: the atoms of the sample are a cluster in a vacuum, even if its file describes a periodic cell. auto: the same, but a periodic sample (extended XYZ with Lattice, unless its pbc is F F F) is refused, since sums over its images are not implemented. Default: auto. */
	int boundary;
	/* Columns of a table (.xy, .dat, .txt, .csv, standard output), names separated by commas: q, I, I_per_atom, S, F, error_estimate, error_bound, mean_square_amplitude, square_mean_amplitude, and for species A and B partial_A_B (of I per atom) and S_A_B; or r, G, and with --counts R and g. Default: q, I, I_per_atom, S, error_estimate. Default: none. */
	char columns[4096];
	/* Save the counts of the histogram: numbers of pairs of atoms by species and distance (HDF5), and the radial distribution function R(r) derived from them, on the grid of r. Selects the histogram for method auto. Default: false. */
	int counts;
	/* With --counts: atoms per cubic Angstrom, for g(r) = R(r)/(4 pi r^2 density); 0: no g(r). Unit: 1/Angstrom^3. Default: 0. */
	double density;
} sonde_debye_options;

#endif
