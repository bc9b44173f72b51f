/* Options of the engine `ions`: made from its options.def, do not edit. */
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

/* Fill with sonde_ions_options_init(), then change what differs. */
typedef struct sonde_ions_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* The ion: an element (He), an isotope of it (3He, He-3, D, 11B), or a particle: proton, deuteron, triton, helion, alpha. Without a mass number it is the most abundant isotope. Default: none. */
	char ion[4096];
	/* Mass of the ion, instead of that of the isotope; 0: that. Unit: amu. Default: 0. */
	double ion_mass;
	/* Energy of the ions with its unit (100keV, 2MeV, 500eV; a plain number is in keV), or a file with a spectrum: columns energy in keV and intensity, linear between its rows. Default: none. */
	char energy[4096];
	/* Standard deviation of the energy as a fraction of it, of a Gaussian beam. Default: 0. */
	double energy_spread;
	/* Between the beam and the normal of the surface; the beam leans to y. Unit: degrees. Default: 0. */
	double angle;
	/* Standard deviation of the direction, in each of two planes along the beam. Unit: degrees. Default: 0. */
	double divergence;
	/* Standard deviation of the place where ions meet the surface, in y and in z; 0: all in one point. Unit: Angstrom. Default: 0. */
	double spot;
	/* Depth at which the ions begin, in Angstrom or with a unit: 100, 20nm; or FIRST:LAST, between which they begin anywhere: 0:1um. Default: 0. */
	char start_depth[4096];
	/* Where the ions fly to when they begin: as --angle and --divergence say, or anywhere, as recoils of neutrons do. Default: beam. */
	int direction;
	/* A list of particles that histories begin with, one after the other and again from the first: SRIM's TRIM.DAT (a name that ends in .dat), or a table whose first row names its columns: species (or atomic_number), energy_keV (or _eV, _MeV), x, y, z (in A, or x_nm), cos_x, cos_y, cos_z (or theta and phi in degrees from and round the depth). What the list lacks the other options say. Default: none. */
	char particles[4096];
	/* Ions to follow. 0: 10000, or those of --particles. Default: 0. */
	int64_t number;
	/* Seed of the random numbers. Every ion has its own, so that results do not depend on who follows it. Default: 1. */
	int64_t seed;
	/* Layers from the surface on, separated by '/': a material (Si, SiO2, Ga0.5In0.5As@5.5 with its density in g/cm^3, B[10]4C with an isotope, water*0.94 with a factor of its electronic stopping; 'sonde help materials' lists those with names) and its thickness behind ':' with a unit (A, nm, um, mm): 'SiO2:200nm/Si'. Without a thickness the last one has no end. Default: none. */
	char target[4096];
	/* Bodies in the layers, separated by '/', a later one in place of those before: MATERIAL:SHAPE:SIZES@CENTER with lengths in Angstrom: Au:sphere:RADIUS@x,y,z; box:A,B,C (edges along x, y, z); ellipsoid:A,B,C (half axes); cylinder-x, cylinder-y or cylinder-z:RADIUS,LENGTH. A core in a shell: Au:sphere:60@100,0,0/SiO2:sphere:40@100,0,0. Default: none. */
	char bodies[4096];
	/* An HDF5 file with a map of materials that lies over the layers: /voxels/materials, integers [z, y, x] that number --voxel-materials from 0, and /voxels/spacing in Angstrom, one number or three (x, y, z); /voxels/origin (x, y, z of its first corner), else it begins at the surface and is centred in y and z. Default: none. */
	char voxels[4096];
	/* Materials of the voxels, separated by '/': vacuum/Au/SiO2. Default: none. */
	char voxel_materials[4096];
	/* Energies that move atoms from their places for good, by element: Si=15,O=28; in one layer: Si@2=15. For others: the table's value, or 25. Unit: eV. Default: none. */
	char displacement[4096];
	/* Energies that atoms lose to the lattice when they leave their places, by element. For others 3, or with --surface planar 0. Unit: eV. Default: none. */
	char lattice[4096];
	/* Energies that hold atoms in the surface, by element. For others: heats of sublimation. Unit: eV. Default: none. */
	char surface_binding[4096];
	/* Energy below which an atom stops. Unit: eV. Default: 1. */
	double cutoff;
	/* Interatomic potential: universal (Ziegler, Biersack, Littmark), krypton-carbon, Moliere, Lenz-Jensen, or bare charges. Default: zbl. */
	int screening;
	/* Electronic stopping: formulas of Ziegler, Biersack and Littmark, tables of SRIM-2013 or DPASS 21.06 (data that are installed separately: not free for commercial use), Lindhard and Scharff's formula, or none. Default: zbl. */
	int stopping;
	/* A file with the electronic stopping of the ion in the first layer's material: SRIM's SR tables, or columns of energy in keV and stopping in eV/Angstrom. Default: none. */
	char stopping_table[4096];
	/* All electronic stopping is multiplied by this: a correction for compounds. Default: 1. */
	double stopping_factor;
	/* Fluctuation of the electronic loss: Yang's and Chu's, Chu's, Bohr's formula, or none. Default: yang. */
	int straggling;
	/* Where electrons take energy: along the path, in collisions (Oen and Robinson), or half and half. Default: non-local. */
	int electronic;
	/* Between collisions: SRIM's free flight paths, which make ranges of slow heavy ions some per cent longer; one layer of atoms; or exponential free paths, which leave out collisions that do not matter and keep the others as they are. Default: exponential. */
	int flight;
	/* Length of a layer of atoms in units of N^(-1/3), N being the atoms in a volume. 0: 0.62035, the radius of an atom's ball; or 1 with --surface planar, as programs for sputtering have it. Default: 0. */
	double step;
	/* Free flights leave out collisions that transfer less; exponential ones no more than a hundredth of the energy. SRIM has 5. Unit: eV. Default: 1. */
	double weakest_transfer;
	/* With --flight exponential: and turn by less. Unit: degrees. Default: 2. */
	double weakest_angle;
	/* With --flight exponential: collisions at impact parameters below this many screening lengths are always simulated, and those that flights leave out have no effect. Below 0: the program chooses (1, less for fast ions), and those left out act as multiple scattering and continuous loss. Default: -1. */
	double always_within;
	/* full: every atom that is hit hard enough is followed. quick: ions only, with the damage of an atom that is hit by Norgett, Robinson and Torrens' formula. Default: full. */
	int cascades;
	/* open: what reaches the surface leaves. planar: atoms leave where their energy along the normal is above the surface binding energy, which they lose, and are reflected else; atoms that get less than the displacement energy but more than that are followed, too: for sputtering. Default: open. */
	int surface;
	/* Exponent of the damage efficiency that is used for displacements by arc-dpa. Default: -1. */
	double arc_b;
	/* Efficiency at high energy there; 1: as NRT. Default: 1. */
	double arc_c;
	/* Bins of depth. Default: 100. */
	int64_t bins;
	/* Depth that the bins cover; 0: the target's, or somewhat more than the range in one without end. Unit: Angstrom. Default: 0. */
	double depth;
	/* Cells in y and z for maps, as 1,NY,NZ; the first number is not used, --bins is. Default: 1,1,1. */
	sonde_vector cells;
	/* Widths of the map in y and z round the point of impact, as 0,WY,WZ; 0: as the depth. Unit: Angstrom. Default: 0,0,0. */
	sonde_vector width;
	/* Ions on an area: concentrations and dpa are given for it. 0: none. Unit: 1/cm^2. Default: 0. */
	double fluence;
	/* Stop before --number where the standard error is small enough: range:0.1%, straggling:1%, vacancies:0.5%, sputtered:1%, backscattered:2%; several with commas must all hold. Default: none. */
	char until[4096];
	/* Keep the paths of the first so many ions and of the atoms that they set going. Default: 0. */
	int64_t trajectories;
	/* Keep so many of the atoms that leave the target, at most. Default: 100000. */
	int64_t exits;
	/* Go on from the result or checkpoint that --output names, which must be of the same job and version of sonde, up to --number ions. Default: false. */
	int resume;
	/* A folder for text files in the layout of SRIM's: RANGE.txt, VACANCY.txt, IONIZ.txt, PHONON.txt, E2RECOIL.txt, NOVAC.txt, TRANSMIT.txt, BACKSCAT.txt. Default: none. */
	char srim[4096];
} sonde_ions_options;

#endif
