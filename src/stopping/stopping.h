/* Electronic and nuclear stopping, straggling and ranges of an ion in a material. Energies in eV, lengths in nm. */
#ifndef SONDE_STOPPING_STOPPING_H
#define SONDE_STOPPING_STOPPING_H

#include "base/status.h"
#include "base/text.h"
#include "stopping/screening.h"
#include "matter/materials/material.h"

/* Sources of electronic stopping. */
enum stopping_source {
	STOPPING_ZBL,      /* formulas of Ziegler, Biersack and Littmark (stopping/zbl.h) */
	STOPPING_SRIM13,   /* the file stopping_srim13.i16 */
	STOPPING_DPASS21,  /* stopping_dpass21.i16 */
	STOPPING_LINDHARD, /* Lindhard and Scharff, Phys. Rev. 124 (1961) 128: proportional to the velocity */
	STOPPING_NONE
};
enum straggling_source {
	STRAGGLING_YANG, /* Yang, O'Connor and Wang, Nucl. Instrum. Methods B 61 (1991) 149, with Chu's factor */
	STRAGGLING_CHU,  /* Chu, Phys. Rev. A 13 (1976) 2057 */
	STRAGGLING_BOHR,
	STRAGGLING_NONE
};

struct stopping;
/* Finds and reads the file of a source; the message of SONDE_INVALID lists the places searched. */
sonde_status stopping_open(enum stopping_source source, enum straggling_source straggling,
			   struct stopping **stopping);
/* The same with the tables of a folder (base/data_file.h); null: the installed ones. */
sonde_status stopping_open_in(const char *folder, enum stopping_source source, enum straggling_source straggling,
			      struct stopping **stopping);
void stopping_free(struct stopping **stopping);
/* From now on the electronic stopping of ions of z1 in the material of this name comes from a file of the user
 * (stopping/file.h), which replaces an earlier one. */
sonde_status stopping_use_table(struct stopping *stopping, const char *path, int z1, const struct material *material);
/* Appends a line with a digest for each of its data tables (run/checkpoint.h). */
void stopping_append_tables(const struct stopping *stopping, struct text *text);
/* Electronic stopping in eV/nm, by Bragg's rule, of an ion of z1 with its mass in amu; 0 in vacuum and at energy
 * 0. */
double stopping_electronic(const struct stopping *stopping, int z1, double mass, const struct material *material,
			   double energy);
/* Straggling: the variance of the electronic loss in eV^2/nm. */
double stopping_straggling(const struct stopping *stopping, int z1, double mass, const struct material *material,
			   double energy);
/* Largest energy in eV with a known value, for any ion of this mass. */
double stopping_last_energy(const struct stopping *stopping, double mass);
/* Nuclear stopping in eV/nm for a potential: by the fit for the universal one for SCREENING_ZBL (Ziegler, Biersack
 * and Littmark), else by integration over the scattering angle. */
double stopping_nuclear(enum screening_kind screening, int z1, double mass, const struct material *material,
			double energy);

/* Estimates of the relative numerical errors of these, not of the deviation from measurements: the rounding of formulas, the
 * interpolation between energies and the rounding of tables; */
double stopping_electronic_error(const struct stopping *stopping, int z1, double mass,
				 const struct material *material, double energy);
double stopping_straggling_error(const struct stopping *stopping, int z1, double mass,
				 const struct material *material, double energy);
/* the integration, from steps twice as long; of the fit for the universal potential its difference from the integral. */
double stopping_nuclear_error(enum screening_kind screening, int z1, double mass, const struct material *material,
			      double energy);

#endif
