/* Options of the engine `stopping`: made from its options.def, do not edit. */
#ifndef SONDE_STOPPING_OPTIONS_H
#define SONDE_STOPPING_OPTIONS_H

#include <stdint.h>

#include "sonde/types.h"

enum sonde_stopping_screening {
	SONDE_STOPPING_SCREENING_ZBL = 0,
	SONDE_STOPPING_SCREENING_KR_C = 1,
	SONDE_STOPPING_SCREENING_MOLIERE = 2,
	SONDE_STOPPING_SCREENING_LENZ_JENSEN = 3,
	SONDE_STOPPING_SCREENING_NONE = 4,
};

enum sonde_stopping_stopping {
	SONDE_STOPPING_STOPPING_ZBL = 0,
	SONDE_STOPPING_STOPPING_SRIM13 = 1,
	SONDE_STOPPING_STOPPING_DPASS21 = 2,
	SONDE_STOPPING_STOPPING_LINDHARD = 3,
	SONDE_STOPPING_STOPPING_NONE = 4,
};

enum sonde_stopping_compare {
	SONDE_STOPPING_COMPARE_ZBL = 0,
	SONDE_STOPPING_COMPARE_SRIM13 = 1,
	SONDE_STOPPING_COMPARE_DPASS21 = 2,
	SONDE_STOPPING_COMPARE_LINDHARD = 3,
	SONDE_STOPPING_COMPARE_NONE = 4,
};

enum sonde_stopping_straggling {
	SONDE_STOPPING_STRAGGLING_YANG = 0,
	SONDE_STOPPING_STRAGGLING_CHU = 1,
	SONDE_STOPPING_STRAGGLING_BOHR = 2,
	SONDE_STOPPING_STRAGGLING_NONE = 3,
};

enum sonde_stopping_units {
	SONDE_STOPPING_UNITS_EV_A = 0,
	SONDE_STOPPING_UNITS_KEV_UM = 1,
	SONDE_STOPPING_UNITS_MEV_MM = 2,
	SONDE_STOPPING_UNITS_KEVCM2_UG = 3,
	SONDE_STOPPING_UNITS_MEVCM2_MG = 4,
	SONDE_STOPPING_UNITS_KEVCM2_MG = 5,
	SONDE_STOPPING_UNITS_EVCM2_1E15 = 6,
};

/* Fill with sonde_stopping_options_init(), then change what differs. */
typedef struct sonde_stopping_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* The ion: an element (He), an isotope of it (3He, He-3, D, 11B), or a particle: proton, deuteron, triton, helion, alpha. Without a mass number it is the most abundant isotope. Default: H. */
	char ion[4096];
	/* Mass of the ion, instead of that of the isotope; 0: that. Unit: amu. Default: 0. */
	double ion_mass;
	/* The material: Si, SiO2, Ga0.5In0.5As@5.5 with its density in g/cm^3, or a name such as water; with a factor of the electronic stopping behind it, water*0.94. Default: none. */
	char target[4096];
	/* FIRST:LAST for the round numbers between these that SRIM's tables have, FIRST:LAST:COUNT for so many evenly in the logarithm, or a list 1keV,30keV,2MeV. A plain number is in keV. Default: 10keV:10MeV. */
	char energies[4096];
	/* Interatomic potential: universal (Ziegler, Biersack, Littmark), krypton-carbon, Moliere, Lenz-Jensen, or bare charges. Default: zbl. */
	int screening;
	/* Electronic stopping: formulas of Ziegler, Biersack and Littmark, tables of SRIM-2013 or DPASS 21.06 (data that are installed separately: not free for commercial use), Lindhard and Scharff's formula, or none. Default: zbl. */
	int stopping;
	/* Another source of electronic stopping: a last column says by how many per cent the electronic stopping is above it. Default: none. */
	int compare;
	/* A file with the electronic stopping of this ion in this target instead: SRIM's SR tables, or columns of energy in keV and stopping in eV/Angstrom. Default: none. */
	char stopping_table[4096];
	/* The electronic stopping is multiplied by this: a correction for compounds. Default: 1. */
	double stopping_factor;
	/* Fluctuation of the electronic loss: Yang's and Chu's, Chu's, Bohr's formula, or none. Default: yang. */
	int straggling;
	/* Unit of the stopping: by length, by mass on an area, or by 10^15 atoms on a square cm. Default: eV/A. */
	int units;
	/* A file for the table in the layout of SRIM's SR_OUTPUT.txt, which programs that read those can read. Default: none. */
	char srim[4096];
} sonde_stopping_options;

#endif
