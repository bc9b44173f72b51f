/* Ions by name. */
#ifndef SONDE_STOPPING_PROJECTILE_H
#define SONDE_STOPPING_PROJECTILE_H

#include "base/status.h"

struct projectile {
	char symbol[16];
	int atomic_number;
	double mass; /* amu */
};

/* An element ("He"), whose most abundant isotope is taken; an isotope ("3He", "He-3", "D"); or a particle ("alpha", "proton",
 * "deuteron"), in any case of letters. `mass` above 0 takes the place of the isotope's. Messages name the options. */
sonde_status projectile_find(const char *ion, double mass, struct projectile *projectile);

#endif
