/* Text files in the layout of SRIM-2013, for programs that read these. Lines end in CR LF, numbers look like
 * 120010.E-03, headers have the number of lines of SRIM's. */
#ifndef SONDE_IONS_OUTPUT_SRIM_FILES_H
#define SONDE_IONS_OUTPUT_SRIM_FILES_H

#include "base/text.h"
#include "sonde/ions.h"

/* Checks before the work that the files can be written: the folder exists or can be created, and has none of them
 * unless `overwrite`. */
sonde_status ions_check_srim(const char *folder, bool overwrite);

/* Headings, common to all: srim_header.c */
enum srim_file {
	SRIM_TDATA,
	SRIM_RANGE,
	SRIM_VACANCY,
	SRIM_IONIZ,
	SRIM_PHONON,
	SRIM_E2RECOIL,
	SRIM_NOVAC,
	SRIM_LATERAL,
	SRIM_TRANSMIT,
	SRIM_BACKSCAT,
	SRIM_SPUTTER,
	SRIM_FILES
};

/* x with given numbers of digits before and after the point of its mantissa, and a power of ten: 7491.26E-05. With
 * decimals < 0 there is no point. */
void srim_append_number(struct text *text, double x, int digits, int decimals);
/* Title, ion, layers and number of ions. */
void srim_append_header(const sonde_ions_result *result, enum srim_file file, struct text *text);
/* "====== TRIM Calc.=  H(10 MeV) ==> Ti(  50 um) =====" */
void srim_append_calculation(const sonde_ions_result *result, struct text *text);
/* Ranges and stragglings. */
void srim_append_ranges(const sonde_ions_result *result, struct text *text);
/* Symbol of a kind of atoms or of the ion. */
const char *srim_symbol(const sonde_ions_result *result, int kind);
/* True if only the ions were followed, called Kinchin-Pease estimates in SRIM. */
bool srim_is_quick(const sonde_ions_result *result);

/* The files: srim_tables.c, srim_lists.c */
sonde_status srim_append_table(const sonde_ions_result *result, enum srim_file file, struct text *text);
sonde_status srim_append_lateral(const sonde_ions_result *result, struct text *text);
void srim_append_details(const sonde_ions_result *result, struct text *text);
/* Ions that left at the other end or through x = 0, or sputtered atoms; returns their number. */
int64_t srim_append_exits(const sonde_ions_result *result, enum srim_file file, struct text *text);

#endif
