/* What is known of the elements up to uranium: data/elements_srim95.csv. */
#ifndef SONDE_MATTER_ELEMENT_H
#define SONDE_MATTER_ELEMENT_H

#define TABULATED_ELEMENTS 92

struct element {
	double mass, isotope_mass; /* amu: natural, and of the most abundant isotope */
	double density;            /* g/cm^3, of the pure solid or liquid; 0: not known */
	double sublimation;        /* heat, eV an atom; 0: not known */
	double displacement;       /* energy that moves an atom from its place, eV; 0: not known */
};

/* Of an atomic number from 1 to TABULATED_ELEMENTS; by value. */
struct element element_of(int atomic_number);

#endif
