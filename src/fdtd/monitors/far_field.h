/* Far field of the sources within a closed box, from the Fourier sums of the fields on its planes.
 *
 * By Love's equivalence (Taflove and Hagness (2005), chapter 8) the fields outside are those of the surface currents
 * J = n x H and M = -n x E. They are placed as in Yee's scheme, J from H half a cell on either side on the edges of
 * the planes, M from E on the faces half a cell on either side: then they are sources of the scheme itself, and their
 * sum with one of its own plane waves (grid_wave.h) is the same on any box around the radiation - reciprocity, to
 * rounding. So a current at an edge has the far field of the continuum for that current to rounding, except for its
 * phase (k of the grid); the result is independent of the box; and incoming fields cancel.
 *
 * Units: lengths and areas in c dt, so that amplitudes are in that of E times c dt; H stands for eta_0 H. In d
 * dimensions
 *     E(r) -> F exp(ikr)/r^((d - 1)/2),  d = 3, 2 or 1, without the uniform axes. */
#ifndef SONDE_FDTD_MONITORS_FAR_FIELD_H
#define SONDE_FDTD_MONITORS_FAR_FIELD_H

#include "fdtd/monitors/spectrum.h"

struct far_plane {
	int axis, node, along[2];
	int low[2], count[2]; /* of rows, of numbers in a row */
	size_t numbers;       /* of a frequency */
	double *currents;     /* of each frequency 8 parts of [rows][numbers of a row]: see far_field.c */
};

/* A wall next to the box, and its images: the far field is that of both. */
struct far_mirror {
	bool there;
	int node;
	double normal,
	    along; /* factors of the image's electric currents across the wall and along it; of magnetic ones the opposite */
};

struct far_field {
	double courant[3];
	struct far_mirror mirrors[3];
	double origin[3]; /* of the phases, in cells from node 0 */
	double permittivity, permeability;
	int dimensions, threads;
	double longest; /* diagonal of the box, in c dt */
	uint32_t frequencies;
	double *angular_frequencies; /* radians per step */
	int plane_count;
	struct far_plane planes[6];
};

/* From the axis z, and from x about it, in radians. */
struct far_direction {
	double polar, azimuth;
};

/* Transverse components, along the rising polar angle and azimuth. */
struct far_amplitude {
	double complex polar, azimuth;
	double
	    share; /* the grid's radiated power over that of the continuum for this amplitude: 1 + O((k Delta)^2) */
};

/* A copy of the spectrum's present sums, for a box from flux_planes_of_box() in a uniform lossless medium with those
 * relative constants. Across axes with one mirror (grid_mirrors()) the image radiates, too; the box may end at such a
 * wall. SONDE_INVALID unless the planes are those of a closed box. To be freed by far_field_free(), also after a
 * failure. */
sonde_status far_field_make(struct fields *fields, const struct spectrum *spectrum, const double origin[3],
			    double permittivity, double permeability, struct far_field *far);
void far_field_free(struct far_field *far);

/* Amplitudes, [frequencies][count]: F exp(i omega t) summed over times as the spectrum's. In parallel, each direction
 * by one thread, in a fixed order. In two dimensions directions must be perpendicular to the uniform axis. */
sonde_status far_field_at(const struct far_field *far, const struct far_direction *directions, size_t count,
			  struct far_amplitude *amplitudes);
void far_direction_vector(const struct far_direction *direction, double vector[3]);
/* Density of the grid's waves over that of the continuum's: of the power radiated into waves near k~, per solid angle
 * of k~. With d k = d k~/cos(k Delta/2) of each axis, and E of the mean of two times. */
double far_field_share(const struct far_field *far, double omega, const double k[3]);
/* Sums of the currents with plane waves: of J and M times exp(-i k r) over places r, for k of a frequency. k are
 * [count]; so are the sums. */
sonde_status far_field_sums(const struct far_field *far, uint32_t frequency, const double (*k)[3], size_t count,
			    double complex (*electric)[3], double complex (*magnetic)[3]);

/* far_field_power.c: quantities derived from amplitudes. */

/* Power per solid angle, |F|^2/(2 eta); in two dimensions per angle and length. */
double far_field_intensity(const struct far_field *far, const struct far_amplitude *amplitude);
/* Power in all directions, [frequencies], by Gauss's rule. With the grid's density of waves it is spectrum_power() of
 * the box, except for reflections from the absorbing layers; without it, that of these amplitudes in the continuum. */
sonde_status far_field_power(const struct far_field *far, bool of_grid, double *power);
/* Intensity over the mean of all directions, of a power of far_field_power(). With the power of the sources instead,
 * absorbed or not, it is the gain. */
double far_field_directivity(const struct far_field *far, const struct far_amplitude *amplitude, double power);
/* d sigma/d Omega in (c dt)^2, |F|^2/|E0|^2, for an incident wave's sum E0. */
double far_field_cross_section(const struct far_amplitude *amplitude, const double complex incident[3]);
/* Power that scatterers extract from a plane wave, [frequencies], by the optical theorem: C_ext = 4 pi/k Im(F
 * E0*)/|E0|^2 of the forward amplitude, in the scheme's own form; it equals the scattered power of spectrum_power()
 * plus the absorbed power of absorption_power(), to rounding. Planes must lie in the scattered field. m: direction as
 * of incident_make(); incident: its E at the origin of the phases, [frequencies], by incident_sums(). */
sonde_status far_field_extinction(const struct far_field *far, const int m[3], const double complex (*incident)[3],
				  double *power);
/* The power of a dipole in an infinite uniform grid, over that of one in the continuum with the same moment: 1 + O((k
 * Delta)^2). `place` in nodes, between which its current is spread linearly over edges (FIELD_E) or faces (FIELD_H);
 * `direction` of any length; omega in radians per step. */
sonde_status far_field_free_ratio(const double courant[3], enum field field, const double place[3],
				  const double direction[3], double omega, double *ratio);
/* The incident wave's intensity |E0|^2/(2 eta): powers over it are cross-sections. */
double far_field_incident_intensity(const struct far_field *far, const double complex incident[3]);

#endif
