/* Options of the engine `fdtd_monitor`: made from its options.def, do not edit. */
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

/* Fill with sonde_fdtd_monitor_options_init(), then change what differs. */
typedef struct sonde_fdtd_monitor_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* By which the result and its files call it: at most 63 bytes, without a slash; without: its kind and number. Default: none. */
	char name[4096];
	/* What it does: fields at a point against time; resonances there; power through a plane or out of a box; fields at frequencies; fields at times; cross-sections of what a plane wave meets; power that is absorbed in a box; radiation to far away from a box; the power that a dipole gives. Default: none. */
	int kind;
	/* Its middle. Unit: m. Default: 0,0,0. */
	sonde_vector center;
	/* Its edges: one 0 makes a plane, two a line, three a point. Unit: m. Default: 0,0,0. */
	sonde_vector size;
	/* Of the fields: Ex, Ey, Ez, Hx, Hy, Hz; without: Ex, Ey, Ez. Default: none. */
	char components[4096];
	/* first:last:count, or one value; of resonances the band first:last. Unit: Hz. Default: 0:0:1. */
	sonde_grid frequencies;
	/* The same in wavelengths in vacuum. Unit: m. Default: 0:0:1. */
	sonde_grid wavelengths;
	/* Of a flux: reference: divided by that of the wave alone, of a run without bodies; reflection: so that of the fields which the bodies add, with the other sign. Default: none. */
	int normalize;
	/* Time between samples of a point, between snapshots. Unit: s. Default: 0. */
	double every;
	/* Time of the first of them. Unit: s. Default: 0. */
	double start;
	/* Directions of a far field: from z; in two dimensions there is only 90. Unit: degrees. Default: 0:180:37. */
	sonde_grid theta;
	/* From x to y; in two dimensions from the first to the second of x, y, z, x that something depends on. Unit: degrees. Default: 0:350:36. */
	sonde_grid phi;
	/* Of source-power: the number of the dipole, from 1. Default: 1. */
	int64_t source;
} sonde_fdtd_monitor_options;

#endif
