/* Materials of targets: amorphous, by atomic fractions and density. */
#ifndef SONDE_MATTER_MATERIAL_H
#define SONDE_MATTER_MATERIAL_H

#include <stdbool.h>

#include "matter/elements/formula.h"

#define MATERIAL_NOTE_SIZE 512

enum material_state { MATERIAL_STATE_UNKNOWN, MATERIAL_SOLID, MATERIAL_LIQUID, MATERIAL_GAS };

/* Origin of a density. */
enum material_density {
	MATERIAL_DENSITY_GIVEN, /* by the text */
	MATERIAL_DENSITY_TABLE,
	MATERIAL_DENSITY_IDEAL_GAS
};

struct material {
	char name[MATERIAL_NAME_SIZE]; /* as requested, without density and factor */
	int count; /* of elements and isotopes, each once, in the order of the formula; 0: vacuum */
	int atomic_number[MATERIAL_MOST_ELEMENTS];
	double mass[MATERIAL_MOST_ELEMENTS];     /* amu */
	double fraction[MATERIAL_MOST_ELEMENTS]; /* atomic fractions; their sum is 1 */
	double density;                          /* g/cm^3 */
	double atoms;                            /* atoms per nm^3 */
	enum material_state state;               /* unknown if the text gives a density */
	bool state_given;                        /* by the text, or by a name of the table */
	enum material_density density_from;
	double correction; /* relative correction of the electronic stopping by Bragg's rule: 0.05 for 5 % more */
};

/* Reads "Si", "SiO2", "Ga0.5In0.5As", "Ca(OH)2", isotopes as in formula.h, a name of data/materials.csv ("water",
 * "kapton"), or "vacuum"; followed by "@2.2" for a density in g/cm^3, required for materials that are neither
 * elements nor in that file, or by "@gas", "@liquid" or "@solid" for a state; and by "*0.95" at the end for a factor
 * of its electronic stopping. The message of SONDE_INVALID states what is wrong with the text. Isotopes without a
 * density have the number density of the natural material, except where the file has them (D2).
 *
 * Names take precedence over formulas. In names upper and lower case are the same, and so are '-', '_' and a blank;
 * in formulas they are not: a text that is both ("SKIN") is the formula, unless it matches the name exactly. An
 * element that is a gas at 20 C and 1 atm is taken as that gas ("N" and "N2" alike; another molecule, as O3, as an
 * ideal gas), other elements have the density of the table of elements. A compound without a density takes that of
 * the first row of the file that lists its formula and has the same fractions. With a state it is that of the first
 * row with the same fractions and state; a gas that is not in the file is an ideal one whose molecule is the
 * formula. After a failure `material` is empty. */
sonde_status material_parse(const char *text, struct material *material);

/* The name of a row of data/materials.csv, from 0; null after the last. Valid until the thread's next call. */
const char *material_name(int index);
/* "solid", "liquid", "gas" or "". */
const char *material_state_name(enum material_state state);
/* If a formula was taken for a gas although neither a state nor a density was given: a note about it. Else false. */
bool material_gas_note(const struct material *material, char note[MATERIAL_NOTE_SIZE]);

#endif
