/* Media that share an edge or face, as one. */
#ifndef SONDE_FDTD_MEDIA_MIXTURE_H
#define SONDE_FDTD_MEDIA_MIXTURE_H

#include <stdbool.h>

#include "fdtd/media/edge_lists.h"
#include "fdtd/media/medium.h"

#define MIXTURE_PARTS 1024 /* shares are multiples of one over this */

/* Media side by side, or in series along the field's direction. */
struct mixture {
	uint16_t count, in_series;
	uint16_t media[MOST_MIXED];
	uint16_t parts[MOST_MIXED]; /* MIXTURE_PARTS together */
};

/* Numbers of edges and faces that were mixed and that could not be mixed. */
struct mixtures_count {
	uint64_t mixed;      /* edges and faces */
	uint64_t conductors; /* unchanged: a perfect conductor is one of the media */
	uint64_t poles;      /* more poles than a medium can have, or magnetic losses in series */
	uint64_t full;       /* no number for a medium is left */
};

/* Mixtures that already are media of a grid. */
struct mixtures {
	struct media *media;
	uint32_t step; /* of painting (media_part.h) */
	struct mixture_entry *entries;
	size_t capacity, used;
	struct mixtures_count count;
};

/* Shares of several media, 1 together, as multiples of 1/steps; false if there are too many, or if one has
 * everything. */
bool mixture_of(const uint16_t *media, const double *shares, int count, bool in_series, int steps,
		struct mixture *mixture);

/* Side by side, permittivities, conductivities and poles are added by their shares; in series, the inverse
 * permittivities are; and likewise those of the magnetic field. False if there is no such medium; then *why is
 * counted. */
bool mixture_medium(const struct media *media, const struct mixture *mixture, struct medium *medium,
		    struct mixtures_count *why);

/* The permittivity of media in series, with its poles; without conductivity, which is one of them. False if there are
 * too many poles for a medium, or if several of the media conduct charges, which would flow from one to another. */
bool mixture_series(const struct media *media, const struct mixture *mixture, struct medium *medium);

/* The number of a mixture; 0 stands for a failed one, which is counted. */
sonde_status mixtures_number(struct mixtures *mixtures, const struct mixture *mixture, uint16_t *number);
void mixtures_free(struct mixtures *mixtures);

#endif
