/* Media that lie together at an edge or face, as one. */
#ifndef SONDE_FDTD_MEDIA_MIXTURE_H
#define SONDE_FDTD_MEDIA_MIXTURE_H

#include <stdbool.h>

#include "fdtd/media/edge_lists.h"
#include "fdtd/media/medium.h"

#define MIXTURE_PARTS 1024 /* shares are multiples of one of so many */

/* Media side by side, or one behind the other in the field's direction. */
struct mixture {
	uint16_t count, in_series;
	uint16_t media[MOST_MIXED];
	uint16_t parts[MOST_MIXED]; /* MIXTURE_PARTS together */
};

/* What could be mixed, and what not. */
struct mixtures_count {
	uint64_t mixed;      /* edges and faces */
	uint64_t conductors; /* were left as they were: a perfect conductor is one of the media */
	uint64_t poles;      /* more poles than a medium can have, or magnetic losses one behind the other */
	uint64_t full;       /* no number for a medium is left */
};

/* Mixtures that are media of a grid already. */
struct mixtures {
	struct media *media;
	struct mixture_entry *entries;
	size_t capacity, used;
	struct mixtures_count count;
};

/* Shares of several media, 1 together, as multiples of 1/steps; false where there are too many, or one is all there is. */
bool mixture_of(const uint16_t *media, const double *shares, int count, bool in_series, int steps,
		struct mixture *mixture);

/* Side by side permittivities, conductivities and poles add up by their shares, one behind the other the inverse permittivities do; so do those of
 * the magnetic field. False where there is no such medium; then *why counts. */
bool mixture_medium(const struct media *media, const struct mixture *mixture, struct medium *medium,
		    struct mixtures_count *why);

/* The permittivity of media one behind the other, with its poles; no conductivity: it is one of them. False where there are too many poles
 * for a medium, or several of the media conduct charges, which they would pass to one another. */
bool mixture_series(const struct media *media, const struct mixture *mixture, struct medium *medium);

/* The number of a mixture; 0 stands for what could not be mixed, which is counted. */
sonde_status mixtures_number(struct mixtures *mixtures, const struct mixture *mixture, uint16_t *number);
void mixtures_free(struct mixtures *mixtures);

#endif
