/* Materials: what a target is made of. Amorphous, by atomic fractions and density. */
#ifndef SONDE_MATTER_MATERIAL_H
#define SONDE_MATTER_MATERIAL_H

#include "base/status.h"

#define MATERIAL_MOST_ELEMENTS 8
#define MATERIAL_NAME_SIZE 64

struct material {
	char name[MATERIAL_NAME_SIZE]; /* as it was asked for, without density and factor */
	int count; /* of elements and isotopes, each once, in the order of the formula; 0: vacuum */
	int atomic_number[MATERIAL_MOST_ELEMENTS];
	double mass[MATERIAL_MOST_ELEMENTS];     /* amu */
	double fraction[MATERIAL_MOST_ELEMENTS]; /* of the atoms; together 1 */
	double density;                          /* g/cm^3 */
	double atoms;                            /* in a nm^3 */
	double correction;                       /* of the electronic stopping by Bragg's rule: 0.05 for 5 % more */
};

/* Reads "Si", "SiO2", "Ga0.5In0.5As", "Ca(OH)2", isotopes as in formula.h, a name of data/materials.csv ("water", "kapton"), or
 * "vacuum"; with "@2.2" behind it for a density in g/cm^3, which those that are not elements and not in that file must have; and with
 * "*0.95" at the end for a factor of its electronic stopping. SONDE_INVALID says what is wrong with the text. Isotopes without a
 * density have as many atoms in a volume as the natural material.
 *
 * Names go before formulas: "N2" is the gas of that file, "N" and "N4" the element with its density as a solid or liquid. In names
 * upper and lower case are the same, and so are '-', '_' and a blank; in formulas they are not: a text that is both ("SKIN") is the
 * formula, unless it is the name to the letter. A compound without a density takes that of the first row of the file that is known
 * by its formula and has the same fractions. After a failure `material` is empty. */
sonde_status material_parse(const char *text, struct material *material);

/* The name of a row of data/materials.csv, from 0; null behind the last. It lives until the thread's next call. */
const char *material_name(int index);

#endif
