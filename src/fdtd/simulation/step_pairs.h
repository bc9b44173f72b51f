/* Steps in pairs: most cells take two steps at once (fields/two_steps.h), while the surroundings of sources, of media that respond after
 * a step, and of monitors that sample between the two, take one step after the other.
 *
 * The present fields A are at time t, the second copy is B. One step leads from A to B around the places where something happens
 * at t + 1, with as many neighbors as the next step needs. There the monitors sample B, the sources add to it, and a second
 * step of the sources' surroundings is taken within B. Finally two steps at once lead from A to B everywhere else: they also
 * replace what the first step has left around. So all numbers, and all orders of operations, are those of single steps. */
#ifndef SONDE_FDTD_SIMULATION_STEP_PAIRS_H
#define SONDE_FDTD_SIMULATION_STEP_PAIRS_H

#include "fdtd/fields/lists.h"
#include "fdtd/fields/two_steps.h"

/* Which blocks of steps are in pairs: none, or all; or the first ones show which way is faster. */
enum pairing { PAIRING_TRIED, PAIRING_OFF, PAIRING_ON };

/* What acts on the fields, or observes E and H of them after each step whose number is a multiple of `every`; null: not
 * that field. */
struct paired_monitor {
	const struct observation *of[2];
	uint32_t every;
};

struct paired {
	struct fields *fields;
	const struct injection **sources;
	struct paired_monitor *monitors;
	int source_count, monitor_count;
};

/* Cells that take the first step alone. */
struct surroundings {
	struct cell_boxes e, h;
};

struct monitor_surroundings {
	struct surroundings around;
	uint32_t every;
	bool too_large;
};

struct step_pairs {
	struct two_steps two;
	bool always;                       /* or only if that is faster */
	struct surroundings sources;       /* the first step */
	struct cell_boxes h_second, apart; /* the second step, of H and of E */
	struct monitor_surroundings *monitors;
	int monitor_count;
	int blocks;        /* that have been timed */
	double seconds[2]; /* of single steps, of pairs */
	bool faster;       /* whether pairs are */
};

/* Whether pairs may gain more than it takes to try them; `steps`: done and ahead. */
bool step_pairs_are_worth_it(const struct fields *fields, uint64_t steps);
/* The same for a plan. */
bool step_pairs_are_likely(const int64_t cells[3], int64_t steps);
/* Makes pairs for fields with a second copy. *pairs stays null if they are impossible, or, SONDE_RESOURCE, if the memory
 * does not suffice. The lists are not needed any longer. */
sonde_status step_pairs_make(const struct paired *paired, bool always, struct step_pairs **pairs);
/* Accepts null. */
void step_pairs_release(struct fields *fields, struct step_pairs **pairs);
/* Whether this step, after which the first observations are due, and the next one are taken as a pair: a monitor that samples
 * large parts of the grid between them prevents it. */
bool step_pairs_take_next(const struct step_pairs *pairs, const struct fields *fields, uint64_t step);
/* The first step around sources and the monitors that sample after it. The second copies are the present fields
 * from now on, and complete only after step_pairs_second(). */
sonde_status step_pairs_first(struct step_pairs *pairs, struct fields *fields, uint64_t step);
sonde_status step_pairs_second(struct step_pairs *pairs, struct fields *fields);
/* Whether the next block is in pairs, and whether its time matters; and the time of a step in it. Null: no pairs. */
bool step_pairs_in_block(const struct step_pairs *pairs);
bool step_pairs_are_timed(const struct step_pairs *pairs);
void step_pairs_learn(struct step_pairs *pairs, double seconds);

#endif
