/* Measured curves: text files with columns (.xy, .dat, .chi, .gr, .sq, .fq, .txt, .csv) and HDF5 files (NXcanSAS, NXdata, results of
 * sonde debye). */
#ifndef SONDE_MATCH_MEASURED_H
#define SONDE_MATCH_MEASURED_H

#include <stdbool.h>
#include <stdint.h>

#include "match/library_file.h"

#define MEASURED_TEXT_FILES ".xy .xye .dat .chi .gr .sq .fq .iq .txt .csv"
#define MEASURED_HDF5_FILES ".h5 .hdf5 .nxs"

enum measured_axis {
	MEASURED_AXIS_AUTO,
	MEASURED_AXIS_Q,
	MEASURED_AXIS_Q_NM,
	MEASURED_AXIS_TWO_THETA,
	MEASURED_AXIS_R
};

struct measured {
	char *path;
	int64_t count;
	double *x; /* increasing: q in 1/angstrom, or r in angstrom */
	double *y;
	double *sigma; /* above 0; null: not given */
	bool of_r;
	int curve;      /* enum library_curve by the name of the file or dataset; -1: unknown */
	bool by_header; /* the header says what the axis is */
	bool guessed;   /* there is a header, and it does not */
	int radiation;  /* enum library_radiation, as the file states it; -1: it does not */
	/* of the header; 0: not given */
	double wavelength, qdamp;
	double qmax; /* 1/angstrom: the largest q of the measurement that G(r) was computed from */
};

/* Reads a file with a curve of a kind, or, -1, of the kind that its name or the first known dataset has. Angles become q by `wavelength`, or if that is 0 by the wavelength of the header. SONDE_INVALID, with the line, for numbers that
 * are not finite, x that does not increase, and standard deviations that are not above 0. Freed by measured_free(). */
sonde_status measured_read(const char *path, int curve, enum measured_axis axis, double wavelength,
			   struct measured *measured);
void measured_free(struct measured *measured);
/* Leaves the points from `first` to `last`; which may be none. */
void measured_crop(double first, double last, struct measured *measured);

#endif
