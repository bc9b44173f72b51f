/* Layers of a TRIM.IN as the text of the option `target`. */
#ifndef SONDE_IONS_TRIM_TARGET_H
#define SONDE_IONS_TRIM_TARGET_H

#include "base/text.h"
#include "matter/formula.h"

/* Appends "SiO2@2.2:900A", with a '/' before it if it is not the first. `formula` has amounts of atoms in any unit, `masses` those of
 * its elements in the file (amu): the material keeps the number of atoms in a volume where those are not quite the natural ones.
 * SONDE_INVALID says what cannot be written. */
sonde_status trim_target_append(const struct formula *formula, const double *masses, double density, double width,
				struct text *target);

#endif
