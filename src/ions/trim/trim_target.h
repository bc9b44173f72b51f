/* Layers of a TRIM.IN as the text of the option `target`. */
#ifndef SONDE_IONS_TRIM_TRIM_TARGET_H
#define SONDE_IONS_TRIM_TRIM_TARGET_H

#include "base/text.h"
#include "matter/elements/formula.h"

struct trim_layer {
	struct formula formula; /* amounts of atoms in any unit */
	double density, width;  /* g/cm^3, Angstrom */
	double factor;          /* of the electronic stopping; 0: unknown, treated as 1 */
};

/* A mass as in formulas: 0 if it is the natural one, rounded. */
double trim_mass(int atomic_number, double mass);
/* Appends "SiO2@2.2*0.95:900A", preceded by '/' unless it is the first. The message of SONDE_INVALID names the
 * unsupported feature. */
sonde_status trim_target_append(const struct trim_layer *layer, struct text *target);

#endif
