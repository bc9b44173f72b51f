/* Fourier sums of E and of H at lists of places, step by step: the common core of all that looks at fields
 * at frequencies.
 *
 * A sum is that over times of field exp(i omega time), with the step as unit of time: step n takes H to
 * the time n + 1/2 and E, with answers, to n + 1. Of `every` steps one is looked at, and counts for all of them. */
#ifndef SONDE_FDTD_MONITORS_FOURIER_H
#define SONDE_FDTD_MONITORS_FOURIER_H

#include <complex.h>

#include "fdtd/fields/lists.h"

/* In the order of their planes, as observation_make() wants them; count 0: none. */
struct fourier_places {
	const uint64_t *places;
	uint32_t count;
};

struct fourier_sums {
	uint32_t frequencies;
	uint32_t every;
	uint64_t first;                         /* step of the first sample that is not in the sums */
	uint32_t times;                         /* samples of a place that are not */
	double *angular_frequencies;            /* radians a step */
	struct observation of[FIELDS_OBSERVED]; /* FIELD_E, FIELD_H, FIELD_ANSWERS */
};

/* Device memory in bytes of so many places of either field together. */
double fourier_bytes(double places, uint32_t frequencies, bool single);
/* To be released by fourier_release(), also after a failure. SONDE_INVALID without frequencies or steps to
 * look at; SONDE_RESOURCE, with the bytes and what would do, where the device never has the memory. */
sonde_status fourier_make(struct fields *fields, const struct fourier_places places[FIELDS_OBSERVED],
			  const double *angular_frequencies, uint32_t frequencies, uint32_t every,
			  struct fourier_sums *sums);
void fourier_release(struct fields *fields, struct fourier_sums *sums);
/* How many steps are looked at from `step` on, among `steps`. */
uint32_t fourier_looks(const struct fourier_sums *sums, uint64_t step, uint32_t steps);
/* Makes room for the samples of so many steps from `step` on: goes on with the sums first if there is too
 * little. At most MOST_SAMPLES. */
sonde_status fourier_prepare(struct fields *fields, struct fourier_sums *sums, uint64_t step, uint32_t steps);
/* Samples of a field, with E of answers, in planes first to first + count - 1, in step `step` + `time`; nothing where that is
 * not looked at. Behind fields_close(): poles change E there. */
sonde_status fourier_gather(struct fields *fields, const struct fourier_sums *sums, enum field field, uint64_t step,
			    uint32_t time, uint32_t first, uint32_t count);
/* Once all planes have done those steps. */
void fourier_done(struct fourier_sums *sums, uint64_t step, uint32_t steps);
/* Goes on with the sums. */
sonde_status fourier_transform(struct fields *fields, struct fourier_sums *sums);
/* Those of one field, [frequencies][places]. */
sonde_status fourier_read(struct fields *fields, const struct fourier_sums *sums, enum field field,
			  double complex *values);

#endif
