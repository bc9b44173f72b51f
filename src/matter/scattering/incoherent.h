/* Incoherent (Compton) scattering of X-rays by atoms: data/incoherent_scattering.csv. */
#ifndef SONDE_MATTER_INCOHERENT_H
#define SONDE_MATTER_INCOHERENT_H

#include "base/status.h"
#include "matter/scattering/form_factor_curve.h"

#define INCOHERENT_POINTS 64

/* Of a neutral atom; copies refer to the original. */
struct incoherent {
	double q[INCOHERENT_POINTS], s[INCOHERENT_POINTS];
	size_t count;
};

/* Reads the function of an element. SONDE_INVALID for those that the table lacks. */
sonde_status incoherent_find(int atomic_number, struct incoherent *incoherent);
/* S(q) in electrons^2, from 0 at q = 0 to the atomic number; q in 1/Angstrom, the end of the table at larger ones. */
double incoherent_at(const struct incoherent *incoherent, double q);
/* The source of the table. */
extern const char incoherent_source[];

#endif
