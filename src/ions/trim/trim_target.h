/* Layers of a TRIM.IN as the text of the option `target`. */
#ifndef SONDE_IONS_TRIM_TRIM_TARGET_H
#define SONDE_IONS_TRIM_TRIM_TARGET_H

#include "base/text.h"
#include "matter/formula.h"

struct trim_layer {
	struct formula formula; /* amounts of atoms in any unit */
	double density, width;  /* g/cm^3, Angstrom */
	double factor;          /* of the electronic stopping; 0: none is known, as of 1 */
};

/* A mass as formulas have it: 0 where it is the natural one, rounded. */
double trim_mass(int atomic_number, double mass);
/* Appends "SiO2@2.2*0.95:900A", with a '/' before it if it is not the first. SONDE_INVALID says what cannot be written. */
sonde_status trim_target_append(const struct trim_layer *layer, struct text *target);

#endif
