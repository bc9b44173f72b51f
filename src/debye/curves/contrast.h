/* Particles in a solvent: amplitudes in excess of the solvent that atoms displace, and intensities in absolute units. */
#ifndef SONDE_DEBYE_CONTRAST_H
#define SONDE_DEBYE_CONTRAST_H

#include "debye/classes/classes.h"

/* The amplitude of a species is less by amount exp(-q^2 spread): R. D. B. Fraser, T. P. MacRae & E. Suzuki, J. Appl.
 * Cryst. 11 (1978) 693. The solvent displaced by an atom of volume V is a Gaussian, rho exp(-pi r^2/V^(2/3)), whose
 * integral is rho V and whose transform is rho V exp(-q^2 V^(2/3)/4 pi). */
struct contrast {
	double *volume; /* of each species, Angstrom^3; null: not given */
	double *amount; /* in the unit of the amplitudes; null: no solvent */
	double *spread; /* Angstrom^2 */
};

/* Reads the options `solvent_density`, `excluded_volume` and `concentration`. Freed by contrast_free(), also after a
 * failure. */
sonde_status contrast_read(const sonde_debye_options *options, const struct debye_classes *classes,
			   struct contrast *contrast);
void contrast_free(struct contrast *contrast);
/* With the option `concentration`: I_absolute, the cross-section per volume and solid angle in 1/cm. */
sonde_status contrast_make_absolute(const struct debye_classes *classes, sonde_debye_result *result);
/* The same for a result without classes, such as a mean: its species have the volumes. */
sonde_status contrast_make_absolute_of_species(sonde_debye_result *result);

#endif
