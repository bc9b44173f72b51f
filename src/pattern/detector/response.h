/* What a detector makes of |F|^2: solid angle, polarization, masked pixels, counts. */
#ifndef SONDE_PATTERN_DETECTOR_RESPONSE_H
#define SONDE_PATTERN_DETECTOR_RESPONSE_H

#include <stdbool.h>

#include "base/text.h"
#include "run/report.h"
#include "sonde/pattern.h"

/* Checks the options about a detector's response and its files for scattering vectors of this kind. */
sonde_status response_check(const sonde_pattern_options *options, int geometry);

/* The factors of |F|^2 at the points of a result. */
struct response {
	const sonde_pattern_result *result;
	bool polarized;
	double polarization;   /* (I_1 - I_2)/(I_1 + I_2), with 1 along `along` */
	double along[2];       /* direction in the plane of x and y */
	double per_wavelength; /* wavelength/2 pi */
	double relative_area;  /* distance^3, for the relative solid angle; 0: not a factor */
	double area;           /* pixel area times distance, for the absolute one */
	double fluence;        /* counts for |F|^2 = 1 in 1 sr; 0: no counts */
	double *table;         /* [point]: factor and counts; null: they are computed each time */
};
sonde_status response_make(const sonde_pattern_result *result, struct response *response);
/* At a point: the factor of I, and the counts expected for |F|^2 = 1. */
void response_at(const struct response *response, int64_t point, double *factor, double *counts);

/* Whether it changes intensities. */
bool response_is_needed(const struct response *response);

/* A table of both at all points, for many shots. Freed by response_free(). */
sonde_status response_tabulate(struct response *response, int threads);
void response_free(struct response *response);

/* The numbers that the detector shows of points first to end - 1 of a shot: its counts with `fluence`, else the intensities times their
 * factors; NaN where pixels are masked. `intensity` has all points of the response's result, `seen` those. False if a pixel counts
 * more than POISSON_MOST. */
bool response_of_shot(const struct response *response, int64_t shot, const double *intensity, int64_t first,
		      int64_t end, double *seen);
/* The message of that. */
sonde_status response_fail(void);

/* Multiplies the intensities and their standard errors, counts, and sets those of masked pixels to NaN. */
sonde_status response_apply(int threads, sonde_pattern_result *result);
/* The counts and the masked pixels, for the summary. */
void response_report(const sonde_pattern_result *result, struct report *report);
/* Lines about it for the header of a table. */
void response_describe(const sonde_pattern_result *result, struct text *text);

#endif
