/* Options of the engine `fdtd_source`: generated from its options.def, do not edit. */
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

/* Fill with sonde_fdtd_source_options_init(), then set the options that differ. */
typedef struct sonde_fdtd_source_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* Type of source: a point current, electric or magnetic; a plane wave in a box (total field inside, scattered field outside); a Gaussian beam, or a plane wave, emitted by a sheet of currents. Default: none. */
	int kind;
	/* Position, or center of the box or sheet. Unit: m. Default: 0,0,0. */
	sonde_vector center;
	/* Edge lengths of the box or sheet. 0 for a plane wave: all but 0.15 wavelengths, at most a tenth of the box and at least three cells, at absorbing sides. Unit: m. Default: 0,0,0. */
	sonde_vector size;
	/* Direction of E, or of the dipole. Default: 0,0,1. */
	sonde_vector polarization;
	/* Propagation direction of a plane wave or beam. Default: 1,0,0. */
	sonde_vector direction;
	/* Amplitude of E in V/m; for dipoles the moment of the current in A m (V m for a magnetic dipole). Default: 1. */
	double amplitude;
	/* Time dependence: a Gaussian pulse, the second derivative of a Gaussian, a sine with a smooth onset, or a table. Default: gaussian. */
	int waveform;
	/* Center frequency of a pulse, frequency of the spectral maximum of a Ricker wavelet, or frequency of a sine. Unit: Hz. Default: 0. */
	double frequency;
	/* Wavelength in vacuum, instead of the frequency. Unit: m. Default: 0. */
	double wavelength;
	/* Bandwidth of a Gaussian pulse: full width at half maximum of its power spectrum; 0: half the frequency. Unit: Hz. Default: 0. */
	double bandwidth;
	/* Number of periods over which a sine rises. Default: 5. */
	double cycles;
	/* Duration of a sine; 0: endless. Unit: s. Default: 0. */
	double duration;
	/* Delay of the onset. Unit: s. Default: 0. */
	double delay;
	/* Phase of the carrier, a cosine: -90 gives a sine, so that a pulse has no DC component. Unit: degrees. Default: -90. */
	double phase;
	/* Two columns: time in s, value. Default: none. */
	char file[4096];
	/* Emission of a sheet: both: electric currents alone radiate to both sides; forward: electric and magnetic currents radiate only along its direction. Default: both. */
	int sides;
	/* Radius of a beam at its focus, where the intensity is 1/e^2. Unit: m. Default: 0. */
	double waist;
	/* Position of a beam's focus. Unit: m. Default: 0,0,0. */
	sonde_vector focus;
} sonde_fdtd_source_options;

#endif
