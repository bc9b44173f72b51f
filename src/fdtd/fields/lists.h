/* Lists of places of a field on a device: where signals are added, and where the field is observed. Both record which
 * places lie in which planes. */
#ifndef SONDE_FDTD_FIELDS_LISTS_H
#define SONDE_FDTD_FIELDS_LISTS_H

#include <stddef.h>
#include <stdint.h>

#include "fdtd/fields/field_storage.h"
#include "fdtd/grid/list_layout.h"

/* A term added at a place: a signal's number and its weight. */
struct injection_term {
	uint64_t at;
	uint32_t from;
	double weight;
};

struct injection_terms {
	size_t count, capacity;
	struct injection_term *terms;
};

sonde_status injection_add(struct injection_terms *terms, uint64_t at, uint32_t from, double weight);

/* Terms on a device, with the signals of several times. */
struct injection {
	struct device *device;
	struct injection *beside; /* on the other devices of the fields; null: none */
	enum field field;
	uint32_t count, signals, times; /* places; signals per time; times that fit */
	uint32_t *first_of_plane;       /* planes + 1 */
	struct device_buffer places, from, weights, values;
	bool imaginary; /* it acts on that part of complex fields */
};

/* The terms of a place are summed in the order of their signals. To be released by injection_release(), also after a
 * failure. `terms` is sorted. */
sonde_status injection_make(struct fields *fields, enum field field, struct injection_terms *terms, uint32_t signals,
			    uint32_t times, struct injection *injection);
void injection_release(struct fields *fields, struct injection *injection);
/* Writes the signals of `times` times from row 0 on, [times][signals]. */
sonde_status injection_write(struct fields *fields, struct injection *injection, const double *values,
			     uint32_t times);
/* Adds the terms of a time to planes first to first + count - 1. */
sonde_status injection_apply(struct fields *fields, const struct injection *injection, uint32_t time, uint32_t first,
			     uint32_t count);
/* The same for `places` places of the list from number `begin` on, of fields on one device. */
sonde_status injection_apply_some(struct fields *fields, const struct injection *injection, uint32_t time,
				  uint32_t begin, uint32_t places);

/* Frequencies whose waves a device holds at a time. */
#define FREQUENCIES_AT_ONCE 8192u

/* Observed places. */
struct observation {
	struct device *device;
	struct observation *beside; /* on the other devices of the fields; null: none */
	bool in_turn;               /* these have samples of all places at other times: observation_collect() */
	enum field field;
	uint32_t count, frequencies;
	uint32_t first_own, own; /* places that this device observes; all of them, if there is one device */
	uint32_t *first_of_plane;
	uint32_t room;  /* samples of a place that fit */
	uint32_t times; /* gathered, but not yet fetched or transformed */
	struct device_buffer places, samples, waves, sums;
	struct observation *imaginary; /* of complex fields; made, gathered and transformed together */
};

/* Places must be in the order of their planes. With frequencies, samples go into Fourier sums; without, they are
 * fetched. To be released by observation_release(), also after a failure. */
sonde_status observation_make(struct fields *fields, enum field field, const uint64_t *places, uint32_t count,
			      uint32_t frequencies, struct observation *observation);
/* The same with room for fewer samples of each place: `times`. */
sonde_status observation_make_short(struct fields *fields, enum field field, const uint64_t *places, uint32_t count,
				    uint32_t frequencies, uint32_t times, struct observation *observation);
void observation_release(struct fields *fields, struct observation *observation);
/* Records samples of planes first to first + count - 1 at time number `time`, for which there is room. The caller sets
 * observation->times to their number. */
sonde_status observation_gather(struct fields *fields, const struct observation *observation, uint32_t time,
				uint32_t first, uint32_t count);
/* The same for `places` places of the list from number `begin` on, of real fields on one device. */
sonde_status observation_gather_some(struct fields *fields, const struct observation *observation, uint32_t time,
				     uint32_t begin, uint32_t places);
/* Of fields that go through devices in turn: takes the samples with number `time` over from device number `position`. */
sonde_status observation_collect(const struct observation *observation, bool single, uint32_t position,
				 uint32_t time);
/* Adds the samples from time number `begin` on, observation->times of them in a ring, to the sums of `count` frequencies from number `first` on, at most FREQUENCIES_AT_ONCE, with the
 * cosine and sine of each time and frequency. The caller sets observation->times to 0 after the last of them. */
sonde_status observation_transform(struct fields *fields, struct observation *observation, uint32_t begin,
				   const double *waves, uint32_t first, uint32_t count);
/* Reads the samples, [times][count], and discards them on the device. */
sonde_status observation_fetch(struct fields *fields, struct observation *observation, double *samples);
/* The same for complex fields, parts separately; `imaginary` is unchanged if there is no such part. */
sonde_status observation_fetch_parts(struct fields *fields, struct observation *observation, double *samples,
				     double *imaginary);
/* Memory for sums that are read, not cleared: of a kind that is copied to fast, if there is enough of it. To be
 * released by observation_buffer_release(), which accepts null. */
sonde_status observation_buffer_make(struct fields *fields, size_t numbers, double **buffer);
void observation_buffer_release(struct fields *fields, double *buffer);
/* The sums of `count` frequencies from number `first` on, at `places` places from number `begin` on,
 * [count][real, imaginary][places]; for complex fields those of both parts together. */
sonde_status observation_sums(struct fields *fields, const struct observation *observation, uint32_t first,
			      uint32_t count, uint32_t begin, uint32_t places, double *sums);

#endif
