/* Options of the engine `match`: generated from its options.def, do not edit. */
#ifndef SONDE_MATCH_OPTIONS_H
#define SONDE_MATCH_OPTIONS_H

#include <stdint.h>

#include "sonde/types.h"

enum sonde_match_curve {
	SONDE_MATCH_CURVE_AUTO = 0,
	SONDE_MATCH_CURVE_I = 1,
	SONDE_MATCH_CURVE_S = 2,
	SONDE_MATCH_CURVE_F = 3,
	SONDE_MATCH_CURVE_G = 4,
};

enum sonde_match_axis {
	SONDE_MATCH_AXIS_AUTO = 0,
	SONDE_MATCH_AXIS_Q = 1,
	SONDE_MATCH_AXIS_Q_NM = 2,
	SONDE_MATCH_AXIS_TWO_THETA = 3,
	SONDE_MATCH_AXIS_R = 4,
};

enum sonde_match_weights {
	SONDE_MATCH_WEIGHTS_AUTO = 0,
	SONDE_MATCH_WEIGHTS_SIGMA = 1,
	SONDE_MATCH_WEIGHTS_POISSON = 2,
	SONDE_MATCH_WEIGHTS_UNIFORM = 3,
};

enum sonde_match_sparsity {
	SONDE_MATCH_SPARSITY_NONE = 0,
	SONDE_MATCH_SPARSITY_BIC = 1,
	SONDE_MATCH_SPARSITY_L1 = 2,
};

/* Fill with sonde_match_options_init(), then set the options that differ. */
typedef struct sonde_match_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* Further curves of the same sample, fitted with the same weights and a scale of their own: MEASURED,LIBRARY[,LIBRARY...], several of them separated by semicolons, as neutron.xy,neutron_library.h5. Candidates are the same where their keys are. Default: none. */
	char with[4096];
	/* What was measured: I: intensity, compared with I/N of the candidates. S, F, G: structure factor, F = q (S - 1), pair distribution. auto: by the name of the file (.sq, .fq, .gr, .iq) or dataset; else G on an axis of r, and otherwise I, S or F, the first that the candidates have. Default: auto. */
	int curve;
	/* First column of a measured text file: q: in 1/Angstrom. q-nm: q in 1/nm. two-theta: scattering angles in degrees, which need wavelength. r: distances in Angstrom. auto: as the header says; otherwise q, and r for G. Default: auto. */
	int axis;
	/* Wavelength of the radiation, for scattering angles; 0: that of the header of the file, if it has one. Unit: Angstrom. Default: 0. */
	double wavelength;
	/* Part of the measured curves that is used, as first:last in 1/Angstrom, or in Angstrom for G. By default all that the candidates cover. Default: 0:0:1. */
	sonde_grid range;
	/* Standard deviations of the measured points. sigma: of the file. poisson: square roots of counts, first of the measured and then of the fitted ones. uniform: equal, and determined from the residual. auto: sigma if the file has them, else uniform. Default: auto. */
	int weights;
	/* Degree of the background, a sum of Chebyshev polynomials of either sign, fitted to each curve; 0: a constant; -1: none. Default: 3. */
	int64_t background;
	/* Full width at half maximum of the instrument's Gaussian resolution, in the unit of q (or r), with which the candidates are convolved; 0: none. Default: 0. */
	double resolution;
	/* Factor exp(-(r qdamp)^2/2) of G(r) of the candidates, due to the resolution of the instrument in q; 0: none. Unit: 1/Angstrom. Default: 0. */
	double qdamp;
	/* Files of further curves, separated by commas, that are fitted with the background, with factors of either sign, as the measured scattering of amorphous material or of the substrate, or computed Compton scattering; they must cover the range that is fitted. Default: none. */
	char terms[4096];
	/* Number of candidates among which the mixture is sought at a time: the best of the ranking of single candidates. Of larger libraries, others join them until no candidate of the library improves the fit. Default: 1000. */
	int64_t most;
	/* Maximum number of passes over a library larger than most. Default: 20. */
	int64_t passes;
	/* Number of single candidates that are reported, the best first. Default: 20. */
	int64_t ranking;
	/* none: the best mixture. bic: candidates are left out as long as that lowers the Bayesian information criterion. l1: the sum of the weights, in units of their curves, is penalized by penalty. Default: none. */
	int sparsity;
	/* Penalty of sparsity l1, as a part of the smallest one that leaves no candidate. Default: 0.01. */
	double penalty;
	/* Number of synthetic curves, the fit with random deviations, from whose fits the intervals of the weights are taken; 0: intervals follow from the covariance. Default: 0. */
	int64_t bootstrap;
	/* Seed of the random numbers of bootstrap. Default: 1. */
	int64_t seed;
	/* Significance, in standard deviations, from which parts of the residual are reported as unexplained peaks. Default: 5. */
	double peak;
	/* Parameters that are refined within the fit, separated by commas: strain: relative change of all distances; B: Debye-Waller factor in addition to the displacements of the candidates; both of each candidate. qdamp, qbroad: resolution of the instrument, for G. Default: none. */
	char refine[4096];
	/* Number of candidates that are refined: the best single ones, and those of the mixture. Default: 8. */
	int64_t refined;
	/* strain and B of refine are the same for all candidates. Default: false. */
	int shared;
	/* Bound of the absolute value of strain. Default: 0.02. */
	double strain_limit;
	/* Upper bound of B; the lower one is 0. Unit: Angstrom^2. Default: 2. */
	double b_limit;
	/* Upper bound of qbroad, whose curves need distances up to (1 + 4 qbroad) r. Default: 0.02. */
	double qbroad_limit;
	/* Families of the library, separated by commas, or all, whose candidates of different sizes become one with a log-normal distribution of sizes; its mean and width are fitted. Default: none. */
	char sizes[4096];
} sonde_match_options;

#endif
