/* Properties of the elements up to uranium: data/elements_srim95.csv. */
#ifndef SONDE_MATTER_ELEMENT_H
#define SONDE_MATTER_ELEMENT_H

#define TABULATED_ELEMENTS 92

struct element {
	double mass, isotope_mass; /* amu: natural, and of the most abundant isotope */
	double density;            /* g/cm^3, of the pure solid or liquid; 0: unknown */
	double sublimation;        /* heat, eV per atom; 0: unknown */
	double displacement;       /* displacement energy of an atom, eV; 0: unknown */
};

/* The element of an atomic number from 1 to TABULATED_ELEMENTS, by value. */
struct element element_of(int atomic_number);

#endif
