/* Interatomic potentials V(r) = Z1 Z2 e^2/r phi(r/a), phi a sum of exponentials. */
#ifndef SONDE_STOPPING_SCREENING_H
#define SONDE_STOPPING_SCREENING_H

#define SCREENING_MOST_TERMS 4

enum screening_kind {
	SCREENING_ZBL,     /* Ziegler, Biersack and Littmark, The Stopping and Range of Ions in Solids (1985) */
	SCREENING_KR_C,    /* Wilson, Haggmark and Biersack, Phys. Rev. B 15 (1977) 2458 */
	SCREENING_MOLIERE, /* Z. Naturforsch. 2a (1947) 133 */
	SCREENING_LENZ_JENSEN, /* as sums of exponentials: Eckstein, Computer Simulation of Ion-Solid Interactions (1991) */
	SCREENING_NONE         /* bare charges */
};

/* phi(x) = sum of weights exp(-rates x); phi(0) = 1 up to the rounding of the coefficients. */
struct screening {
	const char *name;
	int terms;
	double weights[SCREENING_MOST_TERMS], rates[SCREENING_MOST_TERMS];
};

/* The function of a kind; static storage. */
const struct screening *screening_of(enum screening_kind kind);
/* phi at x; *slope, unless null, becomes its derivative. */
double screening_value(const struct screening *screening, double x, double *slope);
/* The smallest rate, that of the outermost electrons. */
double screening_outer_rate(const struct screening *screening);
/* The length a in nm for two atomic numbers: the universal one for ZBL, Firsov's for the others. */
double screening_length(enum screening_kind kind, int z1, int z2);

#endif
