/* Options of the engine `pattern`: generated from its options.def, do not edit. */
#ifndef SONDE_PATTERN_OPTIONS_H
#define SONDE_PATTERN_OPTIONS_H

#include <stdint.h>

#include "sonde/types.h"

enum sonde_pattern_radiation {
	SONDE_PATTERN_RADIATION_XRAY = 0,
	SONDE_PATTERN_RADIATION_NEUTRON = 1,
	SONDE_PATTERN_RADIATION_ELECTRON = 2,
};

enum sonde_pattern_factors {
	SONDE_PATTERN_FACTORS_AUTO = 0,
	SONDE_PATTERN_FACTORS_WAASMAIER_KIRFEL = 1,
	SONDE_PATTERN_FACTORS_IT1992 = 2,
	SONDE_PATTERN_FACTORS_SEARS1992 = 3,
	SONDE_PATTERN_FACTORS_RAUCH2003 = 4,
	SONDE_PATTERN_FACTORS_UNIT = 5,
	SONDE_PATTERN_FACTORS_LOBATO = 6,
	SONDE_PATTERN_FACTORS_PENG = 7,
	SONDE_PATTERN_FACTORS_PENG_LOW = 8,
	SONDE_PATTERN_FACTORS_KIRKLAND = 9,
};

enum sonde_pattern_anomalous {
	SONDE_PATTERN_ANOMALOUS_NONE = 0,
	SONDE_PATTERN_ANOMALOUS_HENKE = 1,
	SONDE_PATTERN_ANOMALOUS_EPDL97 = 2,
	SONDE_PATTERN_ANOMALOUS_CHANTLER = 3,
	SONDE_PATTERN_ANOMALOUS_CROMER_LIBERMAN = 4,
};

enum sonde_pattern_precision {
	SONDE_PATTERN_PRECISION_FLOAT64 = 0,
	SONDE_PATTERN_PRECISION_FLOAT32 = 1,
};

enum sonde_pattern_method {
	SONDE_PATTERN_METHOD_AUTO = 0,
	SONDE_PATTERN_METHOD_DIRECT = 1,
	SONDE_PATTERN_METHOD_FAST = 2,
};

enum sonde_pattern_solid_angle {
	SONDE_PATTERN_SOLID_ANGLE_NONE = 0,
	SONDE_PATTERN_SOLID_ANGLE_RELATIVE = 1,
	SONDE_PATTERN_SOLID_ANGLE_ABSOLUTE = 2,
};

enum sonde_pattern_copies {
	SONDE_PATTERN_COPIES_EXACT = 0,
	SONDE_PATTERN_COPIES_INDEPENDENT = 1,
};

enum sonde_pattern_partials {
	SONDE_PATTERN_PARTIALS_NONE = 0,
	SONDE_PATTERN_PARTIALS_SPECIES = 1,
	SONDE_PATTERN_PARTIALS_BLOCK = 2,
	SONDE_PATTERN_PARTIALS_CHAIN = 3,
	SONDE_PATTERN_PARTIALS_RESIDUE = 4,
};

/* Fill with sonde_pattern_options_init(), then set the options that differ. */
typedef struct sonde_pattern_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* Magnitudes of the scattering vector, q = 4 pi sin(theta)/lambda, as first:last:points, both ends included: circles of the picture. Unit: 1/Angstrom. Default: 0.1:7:512. */
	sonde_grid q;
	/* Number of points on each circle, at azimuths of 360 degrees k/points about the beam, counted from x toward y. Default: 512. */
	int64_t phi;
	/* Wavelength of the radiation, which determines the Ewald sphere: needed for circles and detectors, or the energy. The beam is along -z: q_z = q^2 lambda/(4 pi). For a plane through the origin, give a short one, as 1e-9. 0: given by the energy. Unit: Angstrom. Default: 0. */
	double wavelength;
	/* Energy of X-rays with its unit, 8.048keV or 708eV, in place of the wavelength; a plain number is in keV. Default: none. */
	char energy[4096];
	/* A file of scattering vectors, in place of circles: rows of qx, qy, qz in 1/Angstrom. Default: none. */
	char q_list[4096];
	/* Radiation: X-rays, scattered by electrons (intensities in electron units); neutrons, scattered by nuclei (in fm^2); or electrons, scattered by the electrostatic potential (in Angstrom^2, in the first Born approximation, without the relativistic factor). Default: xray. */
	int radiation;
	/* Table of form factors or scattering lengths. auto: waasmaier-kirfel for X-rays, sears1992 (the NIST list; isotopes missing there from rauch2003) for neutrons, lobato for electrons. peng has ions as well; peng-low is more accurate below q = 25. unit: every atom has the amplitude 1. Default: auto. */
	int factors;
	/* Table of the anomalous scattering of X-rays, f = f0 + f' + i f'' at the energy or wavelength. henke: 30 eV to 30 keV. epdl97: 0.1 to 1000 keV, edges broadened. chantler: 10 eV to 430 keV. cromer-liberman: at K lines of Ag, Mo, Cu, Co, Fe, Cr and Ti only. Default: none. */
	int anomalous;
	/* A file of form factors, used instead of the table for the labels that it has: a row of names 'q LABEL LABEL ...' and rows of numbers (q in 1/Angstrom), or a row 'label a1 b1 a2 b2 ... c' and rows of coefficients of c + sum of a exp(-b (q/4 pi)^2). Default: none. */
	char form_factors[4096];
	/* Thermal motion: mean square displacement U (U_iso) along any direction, in Angstrom^2, one number for all atoms, or one for each label, Co=0.005,O=0.008; or sample: those of each atom that the sample has, numbers or tensors. Amplitudes get the Debye-Waller factor exp(-q.U.q/2), and the diffuse scattering of independent atoms is added, as in sonde debye. Empty: atoms at rest. Default: none. */
	char displacement[4096];
	/* Floating-point precision of the sums over atoms of a compact tile. float32: faster, with errors of 1e-6 to 3e-5 of sqrt(sum |f|^2), which grow with q and the distances of atoms. Tiles are always placed and added in float64. Default: float64. */
	int precision;
	/* Also keep the complex amplitude F(q), with the phase of the positions in the sample's file, in HDF5 files and tables. Default: false. */
	int amplitude;
	/* A line, plane or volume of reciprocal space, in place of circles: q = h u + k v + l w, with h as first:last:points, both ends included; a single number, 1, is one point. Default: 0:0:1. */
	sonde_grid h;
	/* The same for k. Default: 0:0:1. */
	sonde_grid k;
	/* The same for l. Default: 0:0:1. */
	sonde_grid l;
	/* Vector of h. u, v, and w all 0: the reciprocal vectors of the sample's cell, u = 2 pi b x c/V and so on, so that h, k, l are Miller indices. Unit: 1/Angstrom. Default: 0,0,0. */
	sonde_vector u;
	/* Vector of k. Unit: 1/Angstrom. Default: 0,0,0. */
	sonde_vector v;
	/* Vector of l. Unit: 1/Angstrom. Default: 0,0,0. */
	sonde_vector w;
	/* A flat detector, in place of circles: COLUMNS,ROWS, numbers of pixels along x and y. Perpendicular to the beam unless it is rotated. Default: none. */
	char detector[4096];
	/* Distance of the detector's plane from the sample, along its normal. Needed with a detector. Unit: mm. Default: 0. */
	double distance;
	/* Edge of a pixel of the detector. Unit: mm. Default: 0.1. */
	double pixel_size;
	/* Where the beam meets the detector: COLUMN,ROW in pixels, counted from 0 at the middle of the first pixel. Empty: the middle of the detector. Default: none. */
	char beam_center[4096];
	/* direct: every atom at every point. fast: non-uniform Fourier transforms within the tolerance, for many atoms at many points. auto: direct; with a tolerance, the one that takes less time. Default: auto. */
	int method;
	/* Largest error of F of the fast method, 1e-10 to 0.01, relative to sqrt(sum |f|^2), the amplitude of a random sample. 0: 1e-6 with method fast. Default: 0. */
	double tolerance;
	/* Rotations of the detector about the sample, ROT1,ROT2,ROT3 as in pyFAI: first about the vertical, then about the horizontal axis, then about the beam. Unit: degree. Default: 0,0,0. */
	sonde_vector detector_rotation;
	/* The point of the detector that is nearest to the sample, COLUMN,ROW in pixels as for beam-center, in place of that option: for rotated detectors, also those that the beam does not meet. Default: none. */
	char normal_incidence[4096];
	/* Height of a pixel along a column, if it is not the width pixel-size. 0: the same. Unit: mm. Default: 0. */
	double pixel_height;
	/* Where the first pixel of the picture is, seen from the sample: 3 lower left, 4 lower right, 2 upper left, 1 upper right, as in pyFAI. Default: 3. */
	int64_t detector_orientation;
	/* A geometry file of pyFAI (.poni), in place of distance, pixel-size, beam-center, and rotations; also the wavelength and the numbers of pixels, if it has them. Default: none. */
	char poni[4096];
	/* Write the geometry of the detector to this file, for pyFAI. Default: none. */
	char write_poni[4096];
	/* Intensities of a detector times the solid angle of each pixel. relative: divided by that at the point of normal incidence, cos^3 of the angle of incidence. absolute: in sr. Default: none. */
	int solid_angle;
	/* X-ray intensities times the polarization factor: unpolarized, or the factor of pyFAI from -1 to 1, (I_x - I_y)/(I_x + I_y) of the beam: 1 is linear along x, 0 unpolarized. Empty: without it. Default: none. */
	char polarization[4096];
	/* Direction of the polarization of a factor of 1, from x toward y. Unit: degree. Default: 0. */
	double polarization_angle;
	/* Radius on the detector of a stop about the beam: pixels with their middles behind it are masked. Unit: mm. Default: 0. */
	double beam_stop;
	/* A mask of the detector, not 0 where pixels are masked: a text file of rows of 0 and 1, an EDF picture (.edf), or an HDF5 file (.h5, .hdf5, .nxs). Rows are in the order of the picture. Default: none. */
	char mask[4096];
	/* The dataset of an HDF5 mask. Default: /mask. */
	char mask_dataset[4096];
	/* Photons, or other particles, per area of the beam on the sample: pixels of a detector count r_e^2 I times it, the solid angle, and the polarization factor if there is one, with Poisson's noise. 0: no counts. Unit: 1/um^2. Default: 0. */
	double fluence;
	/* Seed of the random numbers of the counts. Default: 1. */
	int64_t noise_seed;
	/* Write the mean intensity on rings of q to this table (.csv, .dat, .txt, .xy), with its standard error and the number of points: of a detector or a polar picture. Default: none. */
	char radial[4096];
	/* Number of rings of a detector, equally wide in q. 0: about one for each pixel along the longest radius. Default: 0. */
	int64_t radial_bins;
	/* Turns the sample about its origin: Euler angles phi,theta,psi in degrees, that is by psi about z, then by theta about x, then by phi about z, about fixed axes, as places of sonde build; or a quaternion w,x,y,z of any length. Vectors of the cell, u, v, and w, stay where they are. Default: none. */
	char orientation[4096];
	/* Mean of I over orientations of the sample, without interference: random:N, uniform on SO(3), with standard errors; uniform:N, a product of Gauss-Legendre points and equal angles of 4 P^3 orientations, at least N, exact for spherical harmonics up to degree 2 P - 1; fiber:N, an axis of the sample along one of the laboratory, turned about it; or a file with phi theta psi, or w x y z, on a line, and optionally a weight. Each is applied after the option orientation. Default: none. */
	char orientations[4096];
	/* Seed of random orientations, which do not depend on devices and threads. Default: 1. */
	int64_t orientation_seed;
	/* With fiber:N: the axis in the sample, of any length, after the option orientation. Default: 0,0,1. */
	sonde_vector fiber_axis;
	/* With fiber:N: the direction of the axis in the laboratory. The beam is along -z. Default: 0,0,1. */
	sonde_vector fiber_direction;
	/* With fiber:N: standard deviation s of the tilts of the axis about each of two directions across, of Fisher's distribution exp(cos(tilt)/s^2), which is Gaussian for small s; orientations are random then. 0: no tilts, N equal angles about the axis. Unit: degree. Default: 0. */
	double fiber_spread;
	/* Samples of copies of one or several structures, such as ensembles of sonde build: exact: all atoms interfere. independent: the intensities of copies are added, without interference between them. Default: exact. */
	int copies;
	/* With copies independent, or partials block: number of atoms of a copy in a file, where copies of one structure follow each other; 0: as known from sonde build, or from its files. Default: 0. */
	int64_t copy_atoms;
	/* Mean over frames of a trajectory, with standard errors: start:stop:step, counted from 0, without the frame stop, each part optional: 0:1000:10 has 100 frames, -100: the last 100, all every frame, last the last one. For extended XYZ, LAMMPS dumps, DCD, XTC, and TRR. Default: none. */
	char frames[4096];
	/* A file with the labels of a trajectory's atoms, in the order of its atoms: for DCD, XTC, TRR, and for dumps of LAMMPS without elements. Any structure file. Occupancies and mean square displacements are taken from it, too. Default: none. */
	char topology[4096];
	/* Standard errors of means over frames from the means of this number of blocks of consecutive frames, which include correlations shorter than a block; 0: from the frames, as if they were independent. Default: 0. */
	int64_t error_blocks;
	/* Number of shots, each of the sample in another orientation, whose patterns are all kept, one after the other, in a stack of the HDF5 or CXI file, next to their mean. Without orientations they are random. Of several samples, N of each. 0: only the mean is kept. Default: 0. */
	int64_t shots;
	/* Continue a stopped run from OUTPUT.checkpoint, which must be of the same job and version of sonde; the number of shots may grow. For means, shots, and pictures by the direct sum. Default: false. */
	int resume;
	/* Atoms of the sample under other labels, in any number of items: isotopes, H=D,Li=7Li; ions, Co=Co2+; names of a force field, OW=O; or random mixtures on the sites of a label, H=0.7*D+0.3*H, with their isotopic incoherent scattering. Other options refer to the new labels. Default: none. */
	char labels[4096];
	/* Of a line, plane, or volume of h, k, l: the mean of I over the equivalent points of this Laue class that it has. -1, 2/m (axis b), mmm, 4/m, 4/mmm, -3, -3m1, -31m, 6/m, 6/mmm, m-3, or m-3m, of hexagonal axes from -3 to 6/mmm. Empty: without it. Default: none. */
	char laue_class[4096];
	/* Also keep the complex amplitudes of parts of the sample, whose sum is F, in HDF5 files and tables. species: of the atoms of each label, F_Co, F_O and so on. block: of the copies of an ensemble, the groups that a column block or copy of extended XYZ numbers, or copy-atoms atoms each. chain, residue: of those of a PDB file. Default: none. */
	int partials;
	/* Copies of the sample at the places of this file, all of which interfere: rows of x y z, x y z phi theta psi, or x y z w x y z, as the option copy-file of sonde build, or of columns in the order of a row of names, x, y, z, phi, theta, psi, qw, qx, qy, qz, and structure, which names other files of atoms. The atoms of the copies are never stored all at once. Default: none. */
	char placements[4096];
	/* Time between checkpoints of a run that writes a file, as 10min or every=10min; off, or 0: only when it is stopped. Unit: s. Default: 60. */
	double checkpoint;
} sonde_pattern_options;

#endif
