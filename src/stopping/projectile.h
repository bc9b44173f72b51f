/* Ions by name. */
#ifndef SONDE_STOPPING_PROJECTILE_H
#define SONDE_STOPPING_PROJECTILE_H

#include "base/status.h"

struct projectile {
	char symbol[16];
	int atomic_number;
	double mass; /* amu */
};

/* An element ("He", its most abundant isotope); an isotope ("3He", "He-3", "D"); or a particle ("alpha", "proton",
 * "deuteron"), case-insensitive. `mass` above 0 replaces that of the isotope. Messages name the options. */
sonde_status projectile_find(const char *ion, double mass, struct projectile *projectile);

#endif
