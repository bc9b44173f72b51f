/* Labels of atoms: an element, or an isotope or ion of one. */
#ifndef SONDE_MATTER_LABEL_H
#define SONDE_MATTER_LABEL_H

#include <stdbool.h>

#include "base/status.h"

#define ELEMENTS 118

struct label {
	int atomic_number; /* 1 to ELEMENTS */
	int mass_number;   /* 0: the natural mixture */
	int charge;        /* of an ion, with its sign; 0: neutral */
};

/* Parses "Co", "Co2+", "Na+", "Cl1-", "58Ni", "D", "T". Fails on anything else, with the nearest known element. */
sonde_status label_parse(const char *text, struct label *label);

/* Symbol of an element by its atomic number, from 1. */
const char *element_symbol(int atomic_number);
/* Atomic number of a symbol; 0 if there is none. */
int element_number(const char *symbol);

#endif
