/* The scattering vectors of a pattern. */
#ifndef SONDE_PATTERN_PIXELS_H
#define SONDE_PATTERN_PIXELS_H

#include <stdbool.h>

#include "sonde/pattern.h"

struct pattern_pixels {
	int geometry; /* SONDE_PATTERN_POLAR ... */
	int64_t count;
	/* as in sonde_pattern_result */
	int axis_count;
	int64_t sizes[3];
	double *axes[3];
	double *vectors, basis[9];
	double wavelength, distance;
	unsigned char *masked;    /* not 0: a pixel that does not count; null: all do */
	double *cosines, *sines;  /* of the azimuths of a polar picture; null: computed for each vector */
	double smallest, largest; /* magnitudes, 1/Angstrom */
	/* Turned samples, null for others: pixel n is number n % picture, seen from a sample that is turned by rotation number
	 * n / picture. `count` is then that of the pixels for all rotations. */
	const double (*rotations)[3][3];
	int64_t picture;
	bool borrowed; /* the arrays belong to others */
};

/* `atoms`: for their cell. Freed by pattern_pixels_free(), also after a failure. */
sonde_status pattern_pixels_make(const sonde_pattern_options *options, const sonde_atoms *atoms, double wavelength,
				 struct pattern_pixels *pixels);
void pattern_pixels_free(struct pattern_pixels *pixels);
/* Vector number n, and its magnitude. */
double pattern_pixel(const struct pattern_pixels *pixels, int64_t n, double vector[3]);

/* Name and unit of an axis, "q" and "1/angstrom". */
const char *pattern_axis_name(int geometry, int axis);
const char *pattern_axis_unit(int geometry, int axis);
/* "polar", "list" ... */
const char *pattern_geometry_name(int geometry);
/* Number of a point along each axis. */
void pattern_indices(const int64_t *sizes, int axis_count, int64_t point, int64_t indices[3]);

#endif
