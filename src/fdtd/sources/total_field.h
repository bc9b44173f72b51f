/* Total field inside a box, scattered field outside: a plane wave is added at the box's faces where differences are
 * taken across them (Taflove and Hagness (2005), 5.6 to 5.9). */
#ifndef SONDE_FDTD_SOURCES_TOTAL_FIELD_H
#define SONDE_FDTD_SOURCES_TOTAL_FIELD_H

#include <stdbool.h>

#include "fdtd/sources/incident.h"
#include "fdtd/fields/lists.h"

/* Nodes low to high are the box; absent faces let the wave in or out of the grid. */
struct total_field_box {
	int low[3], high[3];
	bool faces[3][2];
};

struct total_field {
	struct incident_wave wave;
	struct injection injections[2]; /* of E from the wave's H, of H from its E */
	uint32_t counts[2];             /* numbers of the wave's H, its E that act on the faces, */
	const double **used[2];         /* where they are, */
	double *signals[2];             /* and what they are at the times that are on the device, [times][counts] */
	uint32_t times, done;           /* steps that fit, and that were used */
};

/* To be released by total_field_release(), also after a failure; the caller owns the wave until then. */
sonde_status total_field_make(struct fields *fields, const struct media *media, const struct total_field_box *box,
			      const struct incident_wave *wave, struct total_field *total);
void total_field_release(struct fields *fields, struct total_field *total);

/* Computes the wave for the next steps and uploads it to the device. Time 0 is the first of them. */
sonde_status total_field_prepare(struct fields *fields, struct total_field *total, uint32_t times);
/* Adds the wave on planes first to first + count - 1: to H before its step, to E after it. */
sonde_status total_field_apply(struct fields *fields, const struct total_field *total, enum field field,
			       uint32_t time, uint32_t first, uint32_t count);

#endif
