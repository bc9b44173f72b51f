/* Curves in HDF5 files of several kinds. */
#ifndef SONDE_MATCH_CURVE_HDF5_H
#define SONDE_MATCH_CURVE_HDF5_H

#include <stdint.h>

#include "base/status.h"

struct curve_hdf5 {
	int64_t count;
	double *x, *y, *sigma;                 /* sigma may be null */
	char x_name[64], y_name[64], unit[64]; /* names of the datasets, and the unit of x */
	/* stated elsewhere in the file: of the radiation, in Angstrom, 0 if not given; and what it is, "" if not given */
	double wavelength;
	char radiation[32];
};

/* The first group, by names, that has a known pair of datasets: Q and I, with Idev (NXcanSAS); polar_angle or radial and data (pyFAI); q,
 * two_theta or r, and I, I_per_atom, S, F, G, intensity or measured, with NAME_errors; only one with this name, unless it is null. Numbers that
 * are not finite, x that does not increase, and errors that are not above 0 are SONDE_INVALID; errors that are all 0 are none. Freed by
 * curve_hdf5_free(). */
sonde_status curve_hdf5_read(const char *path, const char *name, struct curve_hdf5 *curve);
void curve_hdf5_free(struct curve_hdf5 *curve);

#endif
