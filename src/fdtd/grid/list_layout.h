/* Lists of places shared by host and kernels: where sources act, where fields are observed. */
#ifndef SONDE_FDTD_GRID_LIST_LAYOUT_H
#define SONDE_FDTD_GRID_LIST_LAYOUT_H

#include "device/kernel.h"

/* A place among a field's components, and the terms added there. */
struct fdtd_place {
	u64 at;
	u32 first_term, terms;
};

#define PLACES_OF_CPU_ITEM 1024u /* so that fetching work takes a thread negligible time */
#if ITEMS_ARE_ADJACENT
#define PLACES_OF_ITEM 1u
#else
#define PLACES_OF_ITEM PLACES_OF_CPU_ITEM
#endif

#define NEIGHBORS_OF_EDGE 8u /* at smooth surfaces: see smooth.h */

#define EDGES_OF_ANSWER 6u /* at metal surfaces: see answers.h */
/* Properties of a kind of answers: its numbers of poles and answers, the index of its first answer among all, and the
 * medium, from 0, of each pole. */
enum { ANSWER_POLES, ANSWER_ALL, ANSWER_FIRST, ANSWER_OWNERS };

#define STEPS_OF_SUMS 64u /* sums over time are brought up to date at multiples of this many steps */
#define MOST_SAMPLES 16u  /* of a place, before they are transformed */

#endif
