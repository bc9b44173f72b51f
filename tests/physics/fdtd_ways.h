/* A simulation with everything that acts on fields, in several ways that must give the same bits. */
#ifndef SONDE_TESTS_FDTD_WAYS_H
#define SONDE_TESTS_FDTD_WAYS_H

#include "physics/fields_helper.h"

#include "fdtd/simulation/simulation.h"

/* How a test's work is done: by slabs of planes, if any; with one copy of the fields. */
struct way {
	bool single;
	bool in_words; /* stored in 16 bits; then also single */
	uint32_t slab, at_once;
	bool in_place;
	bool apart; /* the fields, on CPUs: all of H, then E */
	int cells_along_z;
	uint32_t planes_log;             /* of groups that step both fields at once; 0: as many as seem best */
	const struct schedule *schedule; /* null: all planes are on the device */
	const struct fields_devices *on; /* null: one device */
	enum { METAL_BALL, GLASS_AS_WELL, NO_BALLS, GLASS_BALL } balls;
	enum pairing pairing;
	struct skewed_tile tile; /* on CPUs, if it has planes */
	enum {
		ALL_ABSORB,
		SOME_MIRROR,
		OTHERS_MIRROR,
		SOME_ARE_BLOCH,
		MIRRORS,
		RING_ALONG_Z,
		ALL_PERIODIC,
		ALL_BLOCH
	} walls;
	bool at_corner; /* balls reach across the first planes and rows, which must be periodic */
};

/* Losses, poles, layers of all thicknesses, a plane wave that slants, currents of both kinds and monitors: three runs of
 * 21 steps. */
void simulate(const struct way *way, struct simulation *simulation);
/* Numbers of both that differ in their bits. `grouped`: samples are added up in other groups. */
int differences(struct simulation *a, struct simulation *b, bool grouped);

#endif
