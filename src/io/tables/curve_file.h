/* Measured curves as instruments and other programs write them: text files with two or three columns, x, y, and the
 * standard deviation of y, below any header.
 *
 * A row begins with a number. Rows before the first of them are a header, and so are comments (#). In files of Fit2D
 * (.chi) the header ends with a row that has the number of points only; in those of Mantid the number of the spectrum is there.
 * In files of PANalytical (.csv), whose header names the columns Angle, TimePerStep, Intensity and by choice ESD, y is the intensity; counts
 * in different times become those in the mean time.
 * Standard deviations that are all 0 are not known. Columns are separated as in io/tables/columns.h. */
#ifndef SONDE_IO_CURVE_FILE_H
#define SONDE_IO_CURVE_FILE_H

#include <stdint.h>

#include "base/status.h"

#define CURVE_FILE_POINTS 1000000 /* maximum number of rows */

/* What the header says of the first column. */
enum curve_axis {
	CURVE_AXIS_UNKNOWN,
	CURVE_AXIS_Q,         /* 1/Angstrom */
	CURVE_AXIS_Q_NM,      /* 1/nm */
	CURVE_AXIS_TWO_THETA, /* degrees, into which radians are converted */
	CURVE_AXIS_R,         /* Angstrom */
	CURVE_AXIS_OTHER      /* none of them, as r_mm, the distance on a detector */
};

struct curve_file {
	int64_t count; /* at least 1 */
	int columns;   /* of the file */
	double *x;     /* increasing */
	double *y;     /* null in files of one column */
	double *sigma; /* above 0; null where the file has none, or zeros only */
	enum curve_axis axis;
	char axis_name[32]; /* as the header has it; "" if it does not name the column */
	int header_lines;   /* with words */
	double *fourth; /* the last column of files with four: standard deviations in those of PDFgetX2; else null */
};

/* Reads a file with at least `needed` columns, 1 or 2. Numbers that are not finite, an x that does not increase, a
 * standard deviation that is not above 0, and rows with other numbers of columns than the first are errors (FILE:LINE).
 * Empty after a failure; else freed by curve_file_free(). */
sonde_status curve_file_read(const char *path, int needed, struct curve_file *curve);
void curve_file_free(struct curve_file *curve);
/* Leaves the points from `first` to `last`, which may be none. */
void curve_file_crop(double first, double last, struct curve_file *curve);

#endif
