/* What host and kernels share of lists of places: where sources act, where fields are observed. */
#ifndef SONDE_FDTD_GRID_LIST_LAYOUT_H
#define SONDE_FDTD_GRID_LIST_LAYOUT_H

#include "device/kernel.h"

/* A place in a field's components, and the terms that are added there. */
struct fdtd_place {
	u64 at;
	u32 first_term, terms;
};

#define PLACES_OF_CPU_ITEM 1024u /* so that fetching work takes a thread no time */
#if defined(SONDE_ISA)
#define PLACES_OF_ITEM PLACES_OF_CPU_ITEM
#else
#define PLACES_OF_ITEM 1u
#endif

#define NEIGHBOURS_OF_EDGE 8u /* at smooth surfaces: see smooth.h */

#define EDGES_OF_ANSWER 6u /* at surfaces of metals: see answers.h */
/* What a kind of answers is like: how many poles and answers it has, where its answers begin among all, and of each pole the medium, from 0, whose it is. */
enum { ANSWER_POLES, ANSWER_ALL, ANSWER_FIRST, ANSWER_OWNERS };

#define MOST_SAMPLES 16u /* of a place, before they are transformed */

#endif
