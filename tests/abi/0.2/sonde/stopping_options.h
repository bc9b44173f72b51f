/* Options of the engine `stopping`: generated from its options.def, do not edit. */
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

/* Fill with sonde_stopping_options_init(), then set the options that differ. */
typedef struct sonde_stopping_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* The ion: an element (He), an isotope of it (3He, He-3, D, 11B), or a particle: proton, deuteron, triton, helion, alpha. Without a mass number it is the most abundant isotope. Default: H. */
	char ion[4096];
	/* Mass of the ion; 0: that of the isotope. Unit: amu. Default: 0. */
	double ion_mass;
	/* The material: Si, SiO2, Ga0.5In0.5As@5.5 with its density in g/cm^3, or a name such as water; optionally followed by a factor for the electronic stopping, as in water*0.94. Default: none. */
	char target[4096];
	/* FIRST:LAST for the round energies of SRIM's tables in this range, FIRST:LAST:COUNT for COUNT energies evenly spaced in the logarithm, or a list 1keV,30keV,2MeV. A plain number is in keV. Default: 10keV:10MeV. */
	char energies[4096];
	/* Interatomic potential: universal (Ziegler, Biersack, Littmark), krypton-carbon, Moliere, Lenz-Jensen, or bare charges. Default: zbl. */
	int screening;
	/* Electronic stopping: formulas of Ziegler, Biersack and Littmark, tables of SRIM-2013 or DPASS 21.06 (data installed separately, not free for commercial use), the formula of Lindhard and Scharff, or none. Default: zbl. */
	int stopping;
	/* Another source of electronic stopping for comparison: a last column gives the difference of the electronic stopping from it in percent. Default: none. */
	int compare;
	/* A file with the electronic stopping of this ion in this target, used instead of --stopping: a table of SRIM's SR, or columns of energy in keV and stopping in eV/Angstrom. Default: none. */
	char stopping_table[4096];
	/* Factor by which the electronic stopping is multiplied, for example a correction for compounds. Default: 1. */
	double stopping_factor;
	/* Fluctuation of the electronic loss: formulas of Yang and Chu, Chu, or Bohr, or none. Default: yang. */
	int straggling;
	/* Unit of the stopping: per length, per mass per area, or per 10^15 atoms per square cm. Default: eV/A. */
	int units;
	/* File for the table in the layout of SRIM's SR_OUTPUT.txt, for programs that read it. Default: none. */
	char srim[4096];
} sonde_stopping_options;

#endif
