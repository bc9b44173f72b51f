/* Chemical formulas: "Al2O3", "Ga0.5In0.5As", "Ca(OH)2"; with isotopes "D2O", "B[10]4C", or masses "B[10.2]4C". */
#ifndef SONDE_MATTER_FORMULA_H
#define SONDE_MATTER_FORMULA_H

#include <stdbool.h>

#include "base/status.h"

#define MATERIAL_MOST_ELEMENTS 8
#define MATERIAL_NAME_SIZE 64

struct formula {
	int count;                                 /* of elements and isotopes, each once, in the order of the text */
	int atomic_number[MATERIAL_MOST_ELEMENTS]; /* 1 to TABULATED_ELEMENTS */
	double mass[MATERIAL_MOST_ELEMENTS];       /* amu; 0: natural */
	double amount[MATERIAL_MOST_ELEMENTS];     /* atoms per formula unit; above 0 */
	char unknown[4];                           /* after a failure: the unknown element, if that was the cause */
};

/* The message for an unknown element has no hint: the caller knows what else the text may be. */
sonde_status formula_parse(const char *text, struct formula *formula);

/* Adds atoms of an element, of natural mass if `mass` is 0; false if there are too many elements. */
bool formula_add(struct formula *formula, int atomic_number, double mass, double amount);
/* Mass of element k in amu. */
double formula_mass(const struct formula *formula, int k);

#endif
