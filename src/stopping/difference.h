/* The description of the electronic stopping in results: its source, and its deviation from that of SRIM-2013. */
#ifndef SONDE_STOPPING_DIFFERENCE_H
#define SONDE_STOPPING_DIFFERENCE_H

#include "base/text.h"
#include "stopping/stopping.h"

#define DIFFERENCE_ION_CLASSES 5
#define DIFFERENCE_ENERGY_RANGES 7

/* A class of ions by atomic number, first to last. */
struct difference_ions {
	int first, last;
};
extern const struct difference_ions difference_ions[DIFFERENCE_ION_CLASSES];
/* Ends of the ranges of energy in keV/u. */
extern const double difference_energies[DIFFERENCE_ENERGY_RANGES + 1];
/* |S(zbl)/S(srim13) - 1| in percent, of all ions of a class in all elements up to uranium, at ten energies per
 * decade: the median, and the 90th percentile. */
struct difference {
	double median, most;
};
extern const struct difference difference_zbl_srim13[DIFFERENCE_ION_CLASSES][DIFFERENCE_ENERGY_RANGES];

/* The name used by --stopping. */
const char *stopping_source_name(enum stopping_source source);
/* "zbl (Ziegler, Biersack and Littmark 1985)"; for zbl followed by the difference from SRIM-2013 for ions of z1 in
 * the ranges that overlap `first` to `last` in keV/u, unless z1 is 0. Independent of the installed data. */
void stopping_append_source(struct text *text, enum stopping_source source, int z1, double first, double last);

#endif
