/* Options of the engine `ions`: generated from its options.def, do not edit. */
#ifndef SONDE_IONS_OPTIONS_H
#define SONDE_IONS_OPTIONS_H

#include <stdint.h>

#include "sonde/types.h"

enum sonde_ions_direction {
	SONDE_IONS_DIRECTION_BEAM = 0,
	SONDE_IONS_DIRECTION_ISOTROPIC = 1,
};

enum sonde_ions_screening {
	SONDE_IONS_SCREENING_ZBL = 0,
	SONDE_IONS_SCREENING_KR_C = 1,
	SONDE_IONS_SCREENING_MOLIERE = 2,
	SONDE_IONS_SCREENING_LENZ_JENSEN = 3,
	SONDE_IONS_SCREENING_NONE = 4,
};

enum sonde_ions_stopping {
	SONDE_IONS_STOPPING_ZBL = 0,
	SONDE_IONS_STOPPING_SRIM13 = 1,
	SONDE_IONS_STOPPING_DPASS21 = 2,
	SONDE_IONS_STOPPING_LINDHARD = 3,
	SONDE_IONS_STOPPING_NONE = 4,
};

enum sonde_ions_straggling {
	SONDE_IONS_STRAGGLING_YANG = 0,
	SONDE_IONS_STRAGGLING_CHU = 1,
	SONDE_IONS_STRAGGLING_BOHR = 2,
	SONDE_IONS_STRAGGLING_NONE = 3,
};

enum sonde_ions_electronic {
	SONDE_IONS_ELECTRONIC_NON_LOCAL = 0,
	SONDE_IONS_ELECTRONIC_LOCAL = 1,
	SONDE_IONS_ELECTRONIC_EQUIPARTITION = 2,
};

enum sonde_ions_flight {
	SONDE_IONS_FLIGHT_SRIM = 0,
	SONDE_IONS_FLIGHT_MONOLAYER = 1,
	SONDE_IONS_FLIGHT_EXPONENTIAL = 2,
};

enum sonde_ions_cascades {
	SONDE_IONS_CASCADES_FULL = 0,
	SONDE_IONS_CASCADES_QUICK = 1,
};

enum sonde_ions_surface {
	SONDE_IONS_SURFACE_OPEN = 0,
	SONDE_IONS_SURFACE_PLANAR = 1,
};

/* Fill with sonde_ions_options_init(), then set the options that differ. */
typedef struct sonde_ions_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* The ion: an element (He), an isotope of it (3He, He-3, D, 11B), or a particle: proton, deuteron, triton, helion, alpha. Without a mass number it is the most abundant isotope. Default: none. */
	char ion[4096];
	/* Mass of the ion; 0: that of the isotope. Unit: amu. Default: 0. */
	double ion_mass;
	/* Energy of the ions with its unit (100keV, 2MeV, 500eV; a plain number is in keV), or a file with a spectrum: columns of energy in keV and intensity, linear between rows. Default: none. */
	char energy[4096];
	/* Relative standard deviation of the energy, which is Gaussian. Default: 0. */
	double energy_spread;
	/* Angle between the beam and the surface normal; the beam is tilted towards y. Unit: degrees. Default: 0. */
	double angle;
	/* Standard deviation of the direction, in each of two planes along the beam. Unit: degrees. Default: 0. */
	double divergence;
	/* Standard deviation of the point of incidence on the surface, in y and in z; 0: all ions at one point. Unit: Angstrom. Default: 0. */
	double spot;
	/* Depth at which the ions start, in Angstrom or with a unit: 100, 20nm; or a range FIRST:LAST with uniformly distributed starts: 0:1um. Default: 0. */
	char start_depth[4096];
	/* Initial direction of the ions: beam, given by --angle and --divergence, or isotropic, such as that of recoils from neutrons. Default: beam. */
	int direction;
	/* A list of particles with which histories start, one after another and again from the first: SRIM's TRIM.DAT (a name that ends in .dat), or a table whose first row names its columns: species (or atomic_number), energy_keV (or _eV, _MeV), x, y, z (in A, or x_nm), cos_x, cos_y, cos_z (or theta and phi in degrees from and around the x axis). Quantities missing in the list are given by the other options. Default: none. */
	char particles[4096];
	/* Number of ions to follow. 0: 10000, or those of --particles. Default: 0. */
	int64_t number;
	/* Seed of the random numbers. Every ion has its own sequence, so that results do not depend on the device that follows it. Default: 1. */
	int64_t seed;
	/* Layers from the surface on, separated by '/': a material (Si, SiO2, Ga0.5In0.5As@5.5 with its density in g/cm^3, B[10]4C with an isotope, water*0.94 with a factor for its electronic stopping; 'sonde help materials' lists the named ones) followed by ':' and its thickness with a unit (A, nm, um, mm): 'SiO2:200nm/Si'. Without a thickness the last layer is infinite. Default: none. */
	char target[4096];
	/* Bodies in the layers, separated by '/', a later one replacing earlier ones: MATERIAL:SHAPE:SIZES@CENTER with lengths in Angstrom: Au:sphere:RADIUS@x,y,z; box:A,B,C (edges along x, y, z); ellipsoid:A,B,C (half axes); cylinder-x, cylinder-y or cylinder-z:RADIUS,LENGTH. A core in a shell: Au:sphere:60@100,0,0/SiO2:sphere:40@100,0,0. A job may also have a list, with more shapes. Default: none. */
	char bodies[4096];
	/* An HDF5 file with a map of materials that replaces the layers: /voxels/materials, integers [z, y, x] that are indices of --voxel-materials from 0, and /voxels/spacing in Angstrom, one number or three (x, y, z); /voxels/origin (x, y, z of its first corner), otherwise it begins at the surface and is centered in y and z. Default: none. */
	char voxels[4096];
	/* Materials of the voxels, separated by '/': vacuum/Au/SiO2. Default: none. */
	char voxel_materials[4096];
	/* Displacement energies, which move atoms permanently from their sites, by element: Si=15,O=28; in one layer: Si@2=15. Other elements: the table value, or 25. Unit: eV. Default: none. */
	char displacement[4096];
	/* Lattice binding energies, which atoms lose when they leave their sites, by element. Other elements: 3, or 0 with --surface planar. Unit: eV. Default: none. */
	char lattice[4096];
	/* Surface binding energies, by element. Other elements: heats of sublimation. Unit: eV. Default: none. */
	char surface_binding[4096];
	/* Energy below which an atom stops. Unit: eV. Default: 1. */
	double cutoff;
	/* Interatomic potential: universal (Ziegler, Biersack, Littmark), krypton-carbon, Moliere, Lenz-Jensen, or bare charges. Default: zbl. */
	int screening;
	/* Electronic stopping: formulas of Ziegler, Biersack and Littmark, tables of SRIM-2013 or DPASS 21.06 (data installed separately, not free for commercial use), the formula of Lindhard and Scharff, or none. Default: zbl. */
	int stopping;
	/* A file with the electronic stopping of the ion in the material of the first layer: a table of SRIM's SR, or columns of energy in keV and stopping in eV/Angstrom. Default: none. */
	char stopping_table[4096];
	/* Factor by which all electronic stopping is multiplied, for example a correction for compounds. Default: 1. */
	double stopping_factor;
	/* Fluctuation of the electronic loss: formulas of Yang and Chu, Chu, or Bohr, or none. Default: yang. */
	int straggling;
	/* Electronic losses along the path (non-local), in collisions (local; Oen and Robinson), or half of each. Default: non-local. */
	int electronic;
	/* Paths between collisions: SRIM's free flight paths, which make ranges of slow heavy ions a few percent longer; one layer of atoms; or exponential free paths, which omit negligible collisions and keep the distribution of the others. Default: exponential. */
	int flight;
	/* Thickness of a layer of atoms in units of N^(-1/3), with N the atomic density. 0: 0.62035, the radius of an atomic sphere; or 1 with --surface planar, as in sputtering codes. Default: 0. */
	double step;
	/* Free flights omit collisions that transfer less; exponential ones never omit transfers above 1/100 of the energy. SRIM uses 5. Unit: eV. Default: 1. */
	double weakest_transfer;
	/* With --flight exponential: omitted collisions also deflect by less than this. Unit: degrees. Default: 2. */
	double weakest_angle;
	/* With --flight exponential: collisions at impact parameters below this many screening lengths are always simulated, and omitted ones have no effect. Below 0: chosen automatically (1, less for fast ions), and omitted ones act as multiple scattering and continuous loss. Default: -1. */
	double always_within;
	/* full: every recoil with sufficient energy is followed. quick: ions only, with the damage of a recoil by the formula of Norgett, Robinson and Torrens. Default: full. */
	int cascades;
	/* open: atoms that reach the surface leave. planar, for sputtering: atoms leave if their energy along the normal exceeds the surface binding energy, which they lose, and are reflected otherwise; recoils below the displacement energy but above the surface binding energy are also followed. Default: open. */
	int surface;
	/* Exponent of the damage efficiency for displacements by arc-dpa. Default: -1. */
	double arc_b;
	/* Damage efficiency of arc-dpa at high energy; 1: the same as NRT. Default: 1. */
	double arc_c;
	/* Bins of depth. Default: 100. */
	int64_t bins;
	/* Depth covered by the bins; 0: that of the target, or somewhat more than the range in an infinite one. Unit: Angstrom. Default: 0. */
	double depth;
	/* Cells in y and z for maps, as 1,NY,NZ; the first number is ignored in favor of --bins. Default: 1,1,1. */
	sonde_vector cells;
	/* Widths of the map in y and z around the point of incidence, as 0,WY,WZ; 0: equal to the depth. Unit: Angstrom. Default: 0,0,0. */
	sonde_vector width;
	/* Fluence (ions per area) for concentrations and dpa. 0: none. Unit: 1/cm^2. Default: 0. */
	double fluence;
	/* Stop before --number when the relative standard error is small enough: range:0.1%, straggling:1%, vacancies:0.5%, sputtered:1%, backscattered:2%; of several, separated by commas, all must be reached. Default: none. */
	char until[4096];
	/* Number of first ions whose paths are stored, with those of their recoils. Default: 0. */
	int64_t trajectories;
	/* Maximum number of leaving atoms to store. Default: 100000. */
	int64_t exits;
	/* Continue from the result or checkpoint named by --output, which must be of the same job and version of sonde, up to --number ions. Default: false. */
	int resume;
	/* A folder for text files in SRIM's layout: RANGE.txt, VACANCY.txt, IONIZ.txt, PHONON.txt, E2RECOIL.txt, NOVAC.txt, TRANSMIT.txt, BACKSCAT.txt. Default: none. */
	char srim[4096];
} sonde_ions_options;

#endif
