/* The scattering vectors of a pattern. */
#ifndef SONDE_PATTERN_PIXELS_H
#define SONDE_PATTERN_PIXELS_H

#include "sonde/pattern.h"

struct pattern_pixels {
	int64_t count;
	/* a polar picture: points of q times azimuths; else 0, and a list */
	int64_t q_count, phi_count;
	double wavelength;        /* Angstrom; of a list it may be 0 */
	double *q, *phi;          /* 1/Angstrom, degrees */
	double *cosines, *sines;  /* of phi */
	double *vectors;          /* of a list */
	double smallest, largest; /* magnitudes */
};

/* Freed by pattern_pixels_free(), also after a failure. */
sonde_status pattern_pixels_make(const sonde_pattern_options *options, double wavelength,
				 struct pattern_pixels *pixels);
void pattern_pixels_free(struct pattern_pixels *pixels);
/* Vector number n, and its magnitude. */
double pattern_pixel(const struct pattern_pixels *pixels, int64_t n, double vector[3]);

#endif
