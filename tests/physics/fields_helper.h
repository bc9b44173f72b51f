/* Common to the tests of sonde fdtd: fields on the device of the tests, as float64 or float32. */
#ifndef SONDE_TESTS_FIELDS_HELPER_H
#define SONDE_TESTS_FIELDS_HELPER_H

#include "physics/physics.h"

#include "fdtd/fields/fields.h"
#include "fdtd/fields/lists.h"
#include "fdtd/fields/reference.h"
#include "fdtd/sources/total_field.h"

/* Fails the test, with Sonde's message, unless it is SONDE_OK. */
void succeed(sonde_status status);
/* The device of the tests; opened once. */
struct device *test_device(void);
/* Absorbing layers of this many cells on all six sides. */
struct fdtd_grid open_grid(int x, int y, int z, double courant, int layer);
/* Vacuum, or with arrays for media. */
struct media media_of(const struct fdtd_grid *grid, int edges);
/* One step, of all planes. */
void step_fields(struct fields *fields);
/* A component everywhere; to be freed. */
double *component_of(struct fields *fields, enum field field, int component);
/* Numbers that look random, from 0 to 1. */
double golden_number(size_t n);

/* A current at one edge, and the field observed at others, step by step. */
struct point_current {
	struct injection injection;
	const double *signal; /* of each step */
};
void current_make(struct fields *fields, const struct media *media, int component, const int node[3],
		  struct point_current *source);
/* The fields' signal of a step. */
void current_apply(struct fields *fields, struct point_current *source, double value);

/* A form of time: a Gaussian pulse about a frequency. */
struct pulse {
	double angular_frequency, width, middle; /* radians a step, steps */
};
double pulse_at(const void *pulse, double time);
/* That of a band of angular frequencies: at its ends exp(-sharpness^2/2) of the largest. */
struct pulse pulse_of_band(double low, double high, double sharpness);

#endif
