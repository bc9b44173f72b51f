/* Closed forms of electrodynamics that the tests of sonde fdtd compare with: spheres, layers, dipoles, cavities, and
 * plane waves and modes on Yee's own grid. Plain float64; no field is stepped here.
 *
 * Fields vary as exp(-i omega t), so that a wave runs as exp(i k x) and absorbing matter has a positive imaginary
 * part of index and permittivity: eps + i sigma/omega. Amplitudes are peak values, powers means over a period.
 * Functions are independent of the system of units: permittivities and permeabilities are absolute, in SI or with c,
 * eps0 and mu0 all equal to 1, and fields are in the same system. Angles are in radians.
 */
#ifndef SONDE_TESTS_OPTICS_H
#define SONDE_TESTS_OPTICS_H

#include <complex.h>

/* A medium of dipoles and grids, absolute. A null conductivity is a lossless one. */
struct optical_medium {
	double permittivity, permeability, conductivity;
};

/* optics_mie.c: spheres in a plane wave, C. F. Bohren and D. R. Huffman, Absorption and Scattering of Light by Small
 * Particles (Wiley, 1983), chapter 4, "BH". */

/* The coefficients a_n (electric) and b_n (magnetic) of the scattered wave, BH (4.53); element n - 1 is that of order n. */
struct mie_sphere {
	double size;       /* x = 2 pi radius/wavelength, both in the medium */
	double absorption; /* efficiency of absorption */
	int terms;
	double complex *electric, *magnetic;
};

/* Cross-sections over pi radius^2, BH (4.61), (4.62); back: 4 pi dC_sca/dOmega at 180 degrees, BH (4.82), where some
 * authors leave out 4 pi; asymmetry: <cos theta>, BH section 4.5. */
struct mie_efficiencies {
	double extinction, scattering, absorption, back, asymmetry;
};

/* S1, of the field normal to the plane of scattering, and S2, of the one in it: BH (4.74), (3.12). */
struct mie_amplitudes {
	double complex s1, s2;
};

/* A sphere of complex refractive index relative to its lossless medium, both non-magnetic, and one that conducts perfectly.
 * Sizes from 1e-3, and as large as patience allows. Free with sphere_free. */
struct mie_sphere sphere_of_index(double complex index, double size);
struct mie_sphere sphere_conducting(double size);
void sphere_free(struct mie_sphere *sphere);
struct mie_efficiencies sphere_efficiencies(const struct mie_sphere *sphere);
/* At a scattering angle, 0 being forward. The far field is -S exp(i k (r - z))/(i k r) times the incident one. */
struct mie_amplitudes sphere_amplitudes(const struct mie_sphere *sphere, double angle);
/* dC_sca/dOmega over pi radius^2, in 1/sr, at a scattering angle and an azimuth from the plane of the incident electric
 * field: its integral over all directions is the efficiency of scattering. */
double sphere_pattern(const struct mie_sphere *sphere, double angle, double azimuth);

/* optics.c: layers. */

/* Relative permittivity and permeability (1 where non-magnetic), thickness in any unit. */
struct optical_layer {
	double complex permittivity, permeability;
	double thickness;
};

enum optical_polarization {
	POLARIZATION_S, /* E normal to the plane of incidence, TE; r and t are of E */
	POLARIZATION_P  /* H normal to it, TM; r and t are of H */
};

struct stack_response {
	double complex r, t; /* of the tangential field named above, at the first and at the last face */
	double reflectance, transmittance;
};

/* A plane wave on plane layers. layers[0] is the lossless half-space that it comes from, layers[count - 1] the half-space
 * behind, so count >= 2 and their thicknesses are not read. wavenumber: omega/c of vacuum, in radians per unit of thickness.
 * angle: of incidence in layers[0]. */
struct stack_response stack_response(const struct optical_layer *layers, int count, double wavenumber, double angle,
				     enum optical_polarization polarization);

/* optics.c: point currents. moment: current times length, p of -i omega p; complex for other phases. */

struct optical_field {
	double complex e[3], h[3];
};

/* Field at a separation from a current, in an unbounded medium, which may conduct. J. D. Jackson, Classical
 * Electrodynamics, 3rd ed. (Wiley, 1999), (9.18). */
struct optical_field dipole_field(const struct optical_medium *medium, double omega, const double complex moment[3],
				  const double separation[3]);
/* Its power, without conductivity: omega mu k |moment|^2/(12 pi), Jackson (9.24). */
double dipole_power(const struct optical_medium *medium, double omega, const double complex moment[3]);
/* Its power per solid angle in a direction (of length 1), Jackson (9.22); no conductivity. */
double dipole_pattern(const struct optical_medium *medium, double omega, const double complex moment[3],
		      const double direction[3]);
/* Re(E x H*)/2. */
void poynting_vector(const struct optical_field *field, double vector[3]);

/* The same for a dipole at (0, 0, height) over a perfect mirror that fills z <= 0, by its image. position: absolute, with
 * z >= 0. direction: with z >= 0. */
struct optical_field mirror_field(const struct optical_medium *medium, double omega, const double complex moment[3],
				  double height, const double position[3]);
double mirror_pattern(const struct optical_medium *medium, double omega, const double complex moment[3],
		      double height, const double direction[3]);
/* Power over the mirror over power without it, for a dipole normal to the mirror and one parallel to it. wavenumber: of the
 * medium. R. R. Chance, A. Prock and R. Silbey, Adv. Chem. Phys. 37 (1978) 1, for a mirror without loss. */
double mirror_power_normal(double wavenumber, double height);
double mirror_power_parallel(double wavenumber, double height);

/* An endless line along z that carries a current, the point source of two dimensions: E_z and H_phi at a distance; no
 * conductivity. R. F. Harrington, Time-Harmonic Electromagnetic Fields (McGraw-Hill, 1961), chapter 5, with i for
 * -j. */
void line_field(const struct optical_medium *medium, double omega, double complex current, double distance,
		double complex *e_z, double complex *h_phi);
/* Its power per length, omega mu |current|^2/8. */
double line_power(const struct optical_medium *medium, double omega, double complex current);

/* optics_yee.c: modes and waves, of Maxwell's equations and of Yee's scheme with E at whole steps and H half a step later:
 * A. Taflove and S. C. Hagness, Computational Electrodynamics, 3rd ed. (Artech, 2005), chapter 4, "TH". */

struct yee_lattice {
	double spacing[3], time_step;
};

/* Angular frequency of the mode with the numbers `half_waves` of half waves along the edges of a box with perfectly conducting walls. At
 * most one number may be 0. speed: of light inside. */
double cavity_frequency(const int half_waves[3], const double edges[3], double speed);
/* The same of the scheme, the box being `cells` long, walls at nodes: its dispersion relation with
 * k = pi m/edge. NaN if the mode is unstable with this time step. */
double cavity_frequency_yee(const int half_waves[3], const int cells[3], const struct yee_lattice *grid,
			    double speed);

/* k of exp(i k direction . r - i omega t) in a medium; direction has length 1. */
double complex plane_wavenumber(const struct optical_medium *medium, double omega);
/* The same of the scheme, with conductivity in its semi-implicit form (the mean of E at both steps), by Newton's method from
 * plane_wavenumber. NaN where no wave of that frequency can run, since it is too fine for the grid. Spacings along which the
 * direction has no component are not read. */
double complex plane_wavenumber_yee(const struct optical_medium *medium, double omega, const struct yee_lattice *grid,
				    const double direction[3]);
/* Longer time steps are unstable: TH (4.54b). dimensions: 1, 2 or 3 first axes. */
double longest_time_step(const double spacing[3], int dimensions, double speed);

/* Wavenumber along a guide with perfectly conducting walls of its mode TE_m0, m half waves across its width: real above
 * cutoff, positive imaginary below. Jackson section 8.4. */
double complex guide_wavenumber(int half_waves, double width, double omega, double speed);
/* The same of the scheme, the guide being `cells` wide along axis 0 of the grid and running along axis 2. */
double complex guide_wavenumber_yee(int half_waves, int cells, const struct yee_lattice *grid, double omega,
				    double speed);

/* optics_checks.c: comparing and integrating. */

/* Prints one line, and fails the test unless the error is at most the tolerance: relative to the truth, absolute where
 * that is 0. */
void check_number(const char *what, double value, double truth, double tolerance);
void check_complex_number(const char *what, double complex value, double complex truth, double tolerance);
/* Text to print there, as by printf; good until the next call. */
const char *name_check(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Nodes, descending, and weights of Gauss and Legendre's quadrature on [a, b]. */
void gauss_legendre(int count, double a, double b, double *nodes, double *weights);

#endif
