/* The place of a flat detector in the parameters of pyFAI (J. Kieffer et al., J. Synchrotron Rad. 27 (2020) 558): the distance of its
 * plane from the sample, the point of normal incidence, which is the foot of the perpendicular from the sample, and three
 * rotations.
 *
 * pyFAI's axes are 1 (up, along columns of the picture), 2 (along rows), and 3 (along the beam), those of `sonde pattern` x, y, z with the
 * beam along -z. Both look from the sample: x = 2, y = 1, z = -3. The rotations move a point of the detector, with p1 and
 * p2 from the point of normal incidence, to
 *     t = R3 R2 R1 (p1, p2, distance),
 *          (1   0   0 )        ( c2  0  -s2)        (c3  -s3  0)
 *     R1 = (0   c1  s1),  R2 = ( 0   1   0 ),  R3 = (s3   c3  0).
 *          (0  -s1  c1)        ( s2  0   c2)        (0    0   1)
 */
#ifndef SONDE_PATTERN_DETECTOR_GEOMETRY_H
#define SONDE_PATTERN_DETECTOR_GEOMETRY_H

#include <stdbool.h>

#include "pattern/detector/poni.h"
#include "sonde/pattern.h"

struct detector_geometry {
	int64_t size[2];  /* columns, rows */
	double pixel[2];  /* width and height, mm */
	double normal[2]; /* column and row of the point of normal incidence, 0 in the middle of the first pixel */
	double sign[2];   /* -1: x or y decreases along a row or a column */
	double distance;  /* of the plane from the sample, mm */
	double axes[9];   /* unit vectors of x, y, and the normal away from the sample */
};

/* Sets those options of the detector that a .poni file contains, and the wavelength unless there is one. SONDE_INVALID if they are
 * given as well. */
sonde_status detector_read_poni(sonde_pattern_options *options);
sonde_status detector_make(const sonde_pattern_options *options, struct detector_geometry *detector);
/* Coordinate of column (axis 0) or row (axis 1) `k` from the point of normal incidence, mm. */
double detector_coordinate(const struct detector_geometry *detector, int axis, int64_t k);
/* Where the beam meets the plane, in these coordinates; false if it does not. */
bool detector_meets_beam(const double axes[9], double distance, double at[2]);
/* From the sample to a point of the plane, mm. */
void detector_place(const double axes[9], double distance, double x, double y, double place[3]);
/* The same as pyFAI's geometry; */
sonde_status detector_find_poni(const sonde_pattern_options *options, double wavelength, struct poni *poni);
/* in a file. */
sonde_status detector_write_poni(const sonde_pattern_options *options, double wavelength, const char *path,
				 bool overwrite);

#endif
