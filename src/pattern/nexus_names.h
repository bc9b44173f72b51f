/* Paths in result files that are written and read in different files. */
#ifndef SONDE_PATTERN_NEXUS_NAMES_H
#define SONDE_PATTERN_NEXUS_NAMES_H

#define COUNTS "/pattern/data/counts"
#define PIXEL_MASK "/pattern/data/pixel_mask"
#define PARTIALS "/pattern/data/F_parts" /* part, and the axes */
#define PARTIAL_LABELS "/pattern/data/parts"
#define PARTIAL_ERRORS "/pattern/process/errors_of_parts"
/* The estimated error of F as a function of q, */
#define ERROR_NODES "/pattern/process/error_q"
#define ERROR_OF_AMPLITUDE "/pattern/process/error_of_F"
#define ERROR_OF_PARTS "/pattern/process/error_of_F_parts" /* part, node */
/* and errors at all points, which follow from it, and are not in files */
#define INTENSITY_ERRORS "/pattern/data/I_errors"
#define DIFFUSE_ERRORS "/pattern/data/I_diffuse_errors"
#define AMPLITUDE_ERRORS "/pattern/data/F_errors"
#define PARTIALS_ERRORS "/pattern/data/F_parts_errors"
#define COUNTS_ERRORS "/pattern/data/counts_errors"
#define DETECTOR_AXES "/pattern/process/detector_axes"

#define NEXUS_USER_MASK 256 /* NXdetector: bit 8 of pixel_mask, "user defined mask" */

#endif
