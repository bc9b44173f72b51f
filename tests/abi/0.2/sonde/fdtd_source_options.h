/* Options of the engine `fdtd_source`: made from its options.def, do not edit. */
#ifndef SONDE_FDTD_SOURCE_OPTIONS_H
#define SONDE_FDTD_SOURCE_OPTIONS_H

#include <stdint.h>

#include "sonde/types.h"

enum sonde_fdtd_source_kind {
	SONDE_FDTD_SOURCE_KIND_DIPOLE = 0,
	SONDE_FDTD_SOURCE_KIND_MAGNETIC_DIPOLE = 1,
	SONDE_FDTD_SOURCE_KIND_PLANE_WAVE = 2,
	SONDE_FDTD_SOURCE_KIND_BEAM = 3,
	SONDE_FDTD_SOURCE_KIND_SHEET = 4,
};

enum sonde_fdtd_source_waveform {
	SONDE_FDTD_SOURCE_WAVEFORM_GAUSSIAN = 0,
	SONDE_FDTD_SOURCE_WAVEFORM_RICKER = 1,
	SONDE_FDTD_SOURCE_WAVEFORM_RAMPED_SINE = 2,
	SONDE_FDTD_SOURCE_WAVEFORM_FILE = 3,
};

enum sonde_fdtd_source_sides {
	SONDE_FDTD_SOURCE_SIDES_BOTH = 0,
	SONDE_FDTD_SOURCE_SIDES_FORWARD = 1,
};

/* Fill with sonde_fdtd_source_options_init(), then change what differs. */
typedef struct sonde_fdtd_source_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* What it is: a point current, electric or magnetic; a plane wave in a box (total field inside, scattered field outside); a Gaussian beam or a plane wave from a sheet of currents. Default: none. */
	int kind;
	/* Its place, or the middle of its box or sheet. Unit: m. Default: 0,0,0. */
	sonde_vector center;
	/* Of the box or sheet. Of a plane wave 0: all but 0.15 wavelengths, at most a tenth of the box and at least three cells, at absorbing sides. Unit: m. Default: 0,0,0. */
	sonde_vector size;
	/* Direction of E, or of the dipole. Default: 0,0,1. */
	sonde_vector polarization;
	/* Of a plane wave or beam. Default: 1,0,0. */
	sonde_vector direction;
	/* Of E in V/m; of dipoles the current's moment in A m (V m of a magnetic one). Default: 1. */
	double amplitude;
	/* Form in time: a Gaussian pulse, the second derivative of a Gaussian, a sine that begins smoothly, or a table. Default: gaussian. */
	int waveform;
	/* In the middle of a pulse's spectrum, at the maximum of Ricker's, of a sine. Unit: Hz. Default: 0. */
	double frequency;
	/* In vacuum, instead of the frequency. Unit: m. Default: 0. */
	double wavelength;
	/* Of a Gaussian pulse: full width of its power spectrum at half of the peak; 0: half the frequency. Unit: Hz. Default: 0. */
	double bandwidth;
	/* Periods in which a sine begins. Default: 5. */
	double cycles;
	/* Of a sine; 0: without end. Unit: s. Default: 0. */
	double duration;
	/* Begins so much later. Unit: s. Default: 0. */
	double delay;
	/* Of the carrier, a cosine: -90 makes it a sine, with which a pulse has no part that stays. Unit: degrees. Default: -90. */
	double phase;
	/* Two columns: time in s, value. Default: none. */
	char file[4096];
	/* Of a sheet: currents alone send to both sides of it; forward: electric and magnetic ones only along its direction. Default: both. */
	int sides;
	/* Radius of a beam at its focus, where the intensity is 1/e^2. Unit: m. Default: 0. */
	double waist;
	/* Place of a beam's focus. Unit: m. Default: 0,0,0. */
	sonde_vector focus;
} sonde_fdtd_source_options;

#endif
