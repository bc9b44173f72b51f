/* Options of the engine `fdtd_monitor`: generated from its options.def, do not edit. */
#ifndef SONDE_FDTD_MONITOR_OPTIONS_H
#define SONDE_FDTD_MONITOR_OPTIONS_H

#include <stdint.h>

#include "sonde/types.h"

enum sonde_fdtd_monitor_kind {
	SONDE_FDTD_MONITOR_KIND_POINT = 0,
	SONDE_FDTD_MONITOR_KIND_RESONANCES = 1,
	SONDE_FDTD_MONITOR_KIND_FLUX = 2,
	SONDE_FDTD_MONITOR_KIND_FIELDS = 3,
	SONDE_FDTD_MONITOR_KIND_SNAPSHOT = 4,
	SONDE_FDTD_MONITOR_KIND_CROSS_SECTION = 5,
	SONDE_FDTD_MONITOR_KIND_ABSORPTION = 6,
	SONDE_FDTD_MONITOR_KIND_FAR_FIELD = 7,
	SONDE_FDTD_MONITOR_KIND_SOURCE_POWER = 8,
};

enum sonde_fdtd_monitor_normalize {
	SONDE_FDTD_MONITOR_NORMALIZE_NONE = 0,
	SONDE_FDTD_MONITOR_NORMALIZE_REFERENCE = 1,
	SONDE_FDTD_MONITOR_NORMALIZE_REFLECTION = 2,
};

/* Fill with sonde_fdtd_monitor_options_init(), then set the options that differ. */
typedef struct sonde_fdtd_monitor_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* Name in the result and its files: at most 63 bytes, without a slash; by default the kind and number. Default: none. */
	char name[4096];
	/* Recorded quantity, in the order of the choices: field at a point against time; resonances there; power through a plane or out of a box; fields at frequencies; fields at times; cross-sections for a plane wave; power absorbed in a box; far field radiated out of a box; power emitted by a dipole. Default: none. */
	int kind;
	/* Center. Unit: m. Default: 0,0,0. */
	sonde_vector center;
	/* Edge lengths: one 0 makes a plane, two a line, three a point. Unit: m. Default: 0,0,0. */
	sonde_vector size;
	/* Field components: Ex, Ey, Ez, Hx, Hy, Hz; by default Ex, Ey, Ez. Default: none. */
	char components[4096];
	/* first:last:count, or one value; for resonances the band first:last. Unit: Hz. Default: 0:0:1. */
	sonde_grid frequencies;
	/* The same as wavelengths in vacuum. Unit: m. Default: 0:0:1. */
	sonde_grid wavelengths;
	/* For a flux: reference: divided by the flux of the wave alone, from a run without bodies; reflection: likewise for the fields that the bodies add, with opposite sign. Default: none. */
	int normalize;
	/* Time between samples of a point, or between snapshots. Unit: s. Default: 0. */
	double every;
	/* Time of the first sample or snapshot. Unit: s. Default: 0. */
	double start;
	/* Far-field directions: angle from z; only 90 in two dimensions. Unit: degrees. Default: 0:180:37. */
	sonde_grid theta;
	/* Angle from x toward y; in two dimensions from the first toward the second non-uniform axis in the order x, y, z, x. Unit: degrees. Default: 0:350:36. */
	sonde_grid phi;
	/* For source-power: number of the dipole, from 1. Default: 1. */
	int64_t source;
} sonde_fdtd_monitor_options;

#endif
