/* Fourier sums of E and of H at lists of places, step by step: the common core of all monitors at frequencies.
 *
 * The sums are those over times of field exp(i omega time), with the step as unit of time: step n advances H to the
 * time n + 1/2 and E, with answers, to n + 1. One of `every` steps is sampled, and counts for all of them. */
#ifndef SONDE_FDTD_MONITORS_FOURIER_H
#define SONDE_FDTD_MONITORS_FOURIER_H

#include <complex.h>

#include "fdtd/fields/lists.h"

/* In the order of their planes, as required by observation_make(); count 0: none. */
struct fourier_places {
	const uint64_t *places;
	uint32_t count;
};

struct fourier_sums {
	uint32_t frequencies;
	uint32_t every;
	uint64_t first;                         /* step of the first sample not yet in the sums */
	uint32_t times;                         /* samples of a place not yet in the sums */
	uint32_t capacity, begin;               /* room for these, in a ring; where the first one is */
	uint32_t updated;                       /* first frequencies whose sums already include them */
	const int *cancel;                      /* updates stop when it is not 0; null: never */
	double *angular_frequencies;            /* radians per step */
	struct observation of[FIELDS_OBSERVED]; /* FIELD_E, FIELD_H, FIELD_ANSWERS */
};

/* Device memory in bytes of this many places of both fields together. */
double fourier_bytes(double places, uint32_t frequencies, bool single);
/* Samples of a place for which a monitor has room if the fields are streamed in passes of up to this many steps: those
 * of a pass, and of an incomplete group from before. */
uint32_t fourier_capacity(uint32_t steps, uint32_t every);
/* To be released by fourier_release(), also after a failure. SONDE_INVALID without frequencies or sampled steps;
 * SONDE_RESOURCE, with the required bytes and advice, if the device can never have the memory. */
sonde_status fourier_make(struct fields *fields, const struct fourier_places places[FIELDS_OBSERVED],
			  const double *angular_frequencies, uint32_t frequencies, uint32_t every,
			  struct fourier_sums *sums);
void fourier_release(struct fields *fields, struct fourier_sums *sums);
/* Number of sampled steps from `step` on, among `steps`. */
uint32_t fourier_looks(const struct fourier_sums *sums, uint64_t step, uint32_t steps);
/* Makes room for the samples of this many steps from `step` on, at most fields->most_times: updates the sums first if
 * there is too little, by groups of MOST_SAMPLES samples, so that the order of additions does not depend on the steps
 * of a call. SONDE_CANCELLED as fourier_transform(). */
sonde_status fourier_prepare(struct fields *fields, struct fourier_sums *sums, uint64_t step, uint32_t steps);
/* Records samples of a field, with E of answers, in planes first to first + count - 1, at step `step` + `time`; does
 * nothing if that step is not sampled. After fields_close(): poles change E there. */
sonde_status fourier_gather(struct fields *fields, const struct fourier_sums *sums, enum field field, uint64_t step,
			    uint32_t time, uint32_t first, uint32_t count);
/* Whether that step is sampled, and the number of its sample for observation_gather(). */
bool fourier_observes(const struct fourier_sums *sums, enum field field, uint64_t step, uint32_t time,
		      uint32_t *number);
/* Of fields that go through devices in turn: takes samples of `times` steps from step `step` + `time` on over from
 * device number `position`, once its work is done. */
sonde_status fourier_collect(const struct fields *fields, const struct fourier_sums *sums, uint64_t step,
			     uint32_t time, uint32_t times, uint32_t position);
/* To be called when all planes have completed these steps. */
void fourier_done(struct fourier_sums *sums, uint64_t step, uint32_t steps);
/* Updates the sums with the groups of samples that are complete, so that fewer than MOST_SAMPLES are left. SONDE_CANCELLED
 * as fourier_transform(). */
sonde_status fourier_transform_complete(struct fields *fields, struct fourier_sums *sums);
/* Updates the sums. SONDE_CANCELLED if it was stopped: the samples are kept, and the next call updates the remaining
 * frequencies. */
sonde_status fourier_transform(struct fields *fields, struct fourier_sums *sums);
/* Frequencies of which the sums are read at a time, so that they take little memory: how many from number `first` on, at
 * least 1; none has more than the one from 0 on. */
uint32_t fourier_block(const struct fourier_sums *sums, uint32_t first);
/* Those of one field at `count` frequencies from number `first` on, [count][places]. */
sonde_status fourier_read(struct fields *fields, const struct fourier_sums *sums, enum field field, uint32_t first,
			  uint32_t count, double complex *values);

#endif
