/* Paths in result files that are written and read in different files. */
#ifndef SONDE_PATTERN_NEXUS_NAMES_H
#define SONDE_PATTERN_NEXUS_NAMES_H

#define COUNTS "/pattern/data/counts"
#define PIXEL_MASK "/pattern/data/pixel_mask"
#define PARTIALS "/pattern/data/F_parts" /* part, and the axes */
#define PARTIAL_LABELS "/pattern/data/parts"
#define PARTIAL_ERRORS "/pattern/process/errors_of_parts"
#define DETECTOR_AXES "/pattern/process/detector_axes"

#define NEXUS_USER_MASK 256 /* NXdetector: bit 8 of pixel_mask, "user defined mask" */

#endif
