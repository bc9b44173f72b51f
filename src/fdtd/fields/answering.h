/* Answers of media at surfaces of metals on a device. */
#ifndef SONDE_FDTD_FIELDS_ANSWERING_H
#define SONDE_FDTD_FIELDS_ANSWERING_H

#include "fdtd/fields/field_storage.h"

/* Answers of one kind. */
struct answering_kind {
	uint32_t first, count, *first_of_plane;
	struct device_buffer places, numbers, poles, shape, state;
};

struct answering {
	uint32_t count, edges, plane_count;
	uint32_t *first_of_plane, *first_along_x; /* edges of each plane, those along y and z, then those along x */
	uint32_t *first_term;                     /* of each plane's edges */
	uint32_t *rows;                           /* of each answer; null if other ranks have some of them */
	int kind_count;
	struct answering_kind *kinds;
	struct device_kernel answer, assemble, gather; /* of answers, which are numbers */
	struct device_buffer values, places, first_terms, terms, weights;
};

/* Makes fields->answering from media->answers, with all values 0; null if there are none. It is released with the
 * fields. E written to its edges by fields_write() is lost in the next step. */
sonde_status answering_make(struct fields *fields, const struct media *media);
/* The plane of an answer, by its number. */
uint32_t answering_plane(const struct answering *answering, uint64_t number);
/* The numbers of the answers that are listed here among those of fields->answering, which may be of all ranks; to be
 * freed. */
sonde_status answering_numbers(const struct fields *fields, const struct media *media, uint32_t **numbers);
/* What is listed here of each plane, [planes + 1]: first edge, first edge along x, first term of its edges; and first answer of
 * each kind, counted from that of the kind, [kind][planes + 1]. To be freed. */
struct answer_planes {
	uint32_t *first_of_plane, *first_along_x, *first_term, *kinds;
};
sonde_status answering_planes(const struct fdtd_grid *grid, const struct media *media, struct answer_planes *planes);
void answer_planes_free(struct answer_planes *planes);
void answering_release(struct fields *fields);
/* Mean bytes of device memory for a cell of a curved surface of a medium with this many poles. */
double answering_bytes(int poles, bool single);
/* Of these, bytes that every device has, whatever planes it has. */
double answering_whole_bytes(void);
/* Steps the answers in planes `first` to first + count - 1, after the step of E and the addition of the sources.
 * Edges along x need answers of both planes that they connect, as in smoothing_step(). */
sonde_status answering_step(struct fields *fields, uint32_t first, uint32_t count);
/* Parts of it: steps answers of a kind, from number `begin` of that kind on; and E of edges from number `begin` on.
 * Edges along y of a row need answers of the next row, those along x answers of the next plane; both must not change
 * before these answers are stepped, which need what the step of E left there. */
sonde_status answering_answer(struct fields *fields, const struct answering_kind *kind, uint32_t begin,
			      uint32_t count);
sonde_status answering_assemble(struct fields *fields, uint32_t begin, uint32_t count);

#endif
