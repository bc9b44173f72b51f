#include "stopping/stopping.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/data_file.h"
#include "base/memory.h"
#include "stopping/scattering.h"
#include "stopping/file.h"
#include "stopping/table.h"
#include "stopping/zbl.h"
#include "stopping/straggling.h"
#include "matter/elements/label.h"
#include "run/checkpoint.h"

/* Of a formula of some hundred operations, each within a unit in the last place, whose terms do not cancel. */
#define FORMULA_ROUNDING 1e-13
#define EV_NM2 0.1 /* eV nm^2 in 1 eV/(10^15 atoms/cm^2) */

struct stopping {
	enum stopping_source source;
	enum straggling_source straggling;
	struct stopping_table *table; /* null for sources without a file */
	struct stopping_zbl zbl;
	struct straggling coefficients;
	struct stopping_file *own; /* of the user, for ... */
	int own_z1;
	char own_material[MATERIAL_NAME_SIZE];
};

/* No other source replaces it: the result of a job does not depend on the installed data. */
static sonde_status read_table(const char *folder, const char *name, struct stopping_table **table)
{
	char *path;

	CHECK(data_file_find(folder, name,
			     "install the package sonde-noncommercial-data, which is not free for commercial use, or "
			     "use " OPTION_VALUE("stopping", "zbl") ", which needs no file",
			     &path));
	sonde_status status = stopping_table_read(path, table);
	free(path);
	return status;
}

sonde_status stopping_open_in(const char *folder, enum stopping_source source, enum straggling_source straggling,
			      struct stopping **stopping)
{
	sonde_status status = memory_allocate(stopping, 1, sizeof **stopping, "the stopping");

	CHECK(status);
	(*stopping)->source = source;
	(*stopping)->straggling = straggling;
	straggling_read(&(*stopping)->coefficients);
	if (source == STOPPING_SRIM13)
		status = read_table(folder, "stopping_srim13.i16", &(*stopping)->table);
	else if (source == STOPPING_DPASS21)
		status = read_table(folder, "stopping_dpass21.i16", &(*stopping)->table);
	else if (source == STOPPING_ZBL)
		stopping_zbl_read(&(*stopping)->zbl);
	if (status != SONDE_OK)
		stopping_free(stopping);
	return status;
}

sonde_status stopping_open(enum stopping_source source, enum straggling_source straggling, struct stopping **stopping)
{
	return stopping_open_in(NULL, source, straggling, stopping);
}

void stopping_free(struct stopping **stopping)
{
	if (*stopping != NULL) {
		stopping_table_free(&(*stopping)->table);
		stopping_file_free(&(*stopping)->own);
	}
	free(*stopping);
	*stopping = NULL;
}

extern const char data_straggling_chu[], data_straggling_yang[];

void stopping_append_tables(const struct stopping *stopping, struct text *text)
{
	size_t size;

	if (stopping->table != NULL) {
		const void *contents = stopping_table_contents(stopping->table, &size);
		checkpoint_append_table(
		    text, stopping->source == STOPPING_SRIM13 ? "stopping_srim13.i16" : "stopping_dpass21.i16",
		    contents, size);
	}
	if (stopping->straggling == STRAGGLING_YANG || stopping->straggling == STRAGGLING_CHU)
		checkpoint_append_table(text, "straggling_chu.csv", data_straggling_chu, strlen(data_straggling_chu));
	if (stopping->straggling == STRAGGLING_YANG)
		checkpoint_append_table(text, "straggling_yang.csv", data_straggling_yang,
					strlen(data_straggling_yang));
	if (stopping->own != NULL)
		checkpoint_append_table(text, "of stopping-table", stopping->own->points,
					stopping->own->count * sizeof *stopping->own->points);
}

/* A table that lists its elements must have those of the material. */
static sonde_status check_elements(const struct stopping_file *file, const char *path,
				   const struct material *material)
{
	for (int i = 0; i < file->element_count; ++i) {
		bool found = false;
		for (int k = 0; k < material->count; ++k)
			found = found || material->atomic_number[k] == file->elements[i];
		if (!found)
			return status_fail_option(SONDE_INVALID, "stopping_table",
						  "%s is for a target with %s, which %s does not contain", path,
						  element_symbol(file->elements[i]), material->name);
	}
	for (int k = 0; k < material->count; ++k) {
		bool found = file->element_count == 0;
		for (int i = 0; i < file->element_count; ++i)
			found = found || material->atomic_number[k] == file->elements[i];
		if (!found)
			return status_fail_option(SONDE_INVALID, "stopping_table",
						  "%s is for a target without %s, which %s contains", path,
						  element_symbol(material->atomic_number[k]), material->name);
	}
	return SONDE_OK;
}

sonde_status stopping_use_table(struct stopping *stopping, const char *path, int z1, const struct material *material)
{
	stopping_file_free(&stopping->own);
	CHECK(stopping_file_read(path, z1, &stopping->own));
	CHECK(check_elements(stopping->own, path, material));
	stopping->own_z1 = z1;
	snprintf(stopping->own_material, sizeof stopping->own_material, "%s", material->name);
	return SONDE_OK;
}

/* Stopping cross-section of one atom, in eV nm^2, at an energy in keV/u. */
static double of_element(const struct stopping *stopping, int z1, int z2, double energy)
{
	if (stopping->source == STOPPING_NONE || !(energy > 0.0))
		return 0.0;
	if (stopping->source != STOPPING_LINDHARD) {
		double within = fmin(energy, STOPPING_LAST);
		return EV_NM2 * (stopping->source == STOPPING_ZBL
				     ? stopping_zbl_value(&stopping->zbl, z1, z2, within)
				     : stopping_table_value(stopping->table, z1, z2, within));
	}
	/* 1.212 gives eV Angstrom^2 for energies in eV */
	double both = cbrt((double)z1 * z1) + cbrt((double)z2 * z2);
	return 0.01 * 1.212 * pow(z1, 7.0 / 6.0) * z2 / (both * sqrt(both)) * sqrt(1e3 * energy);
}

/* Its relative error. */
static double error_of_element(const struct stopping *stopping, int z1, int z2, double energy)
{
	return FORMULA_ROUNDING + (stopping->table != NULL && energy > 0.0
				       ? stopping_table_error(stopping->table, z1, z2, fmin(energy, STOPPING_LAST))
				       : 0.0);
}

static bool is_own(const struct stopping *stopping, int z1, const struct material *material)
{
	return stopping->own != NULL && z1 == stopping->own_z1 && material->count > 0 &&
	       strcmp(material->name, stopping->own_material) == 0;
}

double stopping_electronic(const struct stopping *stopping, int z1, double mass, const struct material *material,
			   double energy)
{
	double sum = 0.0;

	if (is_own(stopping, z1, material))
		return energy > 0.0 ? (1.0 + material->correction) *
					  stopping_file_value(stopping->own, energy / mass, material->atoms)
				    : 0.0;
	for (int k = 0; k < material->count; ++k)
		sum += material->fraction[k] *
		       of_element(stopping, z1, material->atomic_number[k], 1e-3 * energy / mass);
	return (1.0 + material->correction) * material->atoms * sum;
}

double stopping_electronic_error(const struct stopping *stopping, int z1, double mass,
				 const struct material *material, double energy)
{
	double sum = 0.0, errors = 0.0;

	if (is_own(stopping, z1, material))
		return FORMULA_ROUNDING + stopping_file_error(stopping->own, energy / mass);
	for (int k = 0; k < material->count; ++k) {
		const int z2 = material->atomic_number[k];
		const double velocity = 1e-3 * energy / mass,
			     part = material->fraction[k] * of_element(stopping, z1, z2, velocity);
		sum += part;
		errors += part * error_of_element(stopping, z1, z2, velocity);
	}
	return sum > 0.0 ? errors / sum : 0.0;
}

/* Straggling relative to Bohr's formula, in one element, at an energy in keV/u. */
static double straggling_relative(const struct stopping *stopping, int z1, int z2, double energy)
{
	if (stopping->straggling == STRAGGLING_BOHR)
		return 1.0;
	double factor = straggling_chu(&stopping->coefficients, z2, 1e-3 * energy);
	if (stopping->straggling == STRAGGLING_CHU)
		return factor;
	/* the square of the effective charge of the ion, in units of its nuclear charge */
	double charge = of_element(stopping, z1, z2, energy) / (of_element(stopping, 1, z2, energy) * z1 * z1);
	return charge * factor + straggling_yang(&stopping->coefficients, z1, z2, 1e-3 * energy);
}

double stopping_straggling(const struct stopping *stopping, int z1, double mass, const struct material *material,
			   double energy)
{
	double sum = 0.0, velocity = 1e-3 * energy / mass;

	/* no straggling without stopping */
	if (stopping->straggling == STRAGGLING_NONE || stopping->source == STOPPING_NONE || !(energy > 0.0))
		return 0.0;
	velocity = velocity < STOPPING_LAST ? velocity : STOPPING_LAST;
	for (int k = 0; k < material->count; ++k) {
		int z2 = material->atomic_number[k];
		double factor = straggling_relative(stopping, z1, z2, velocity);
		sum += factor > 0.0 ? material->fraction[k] * straggling_bohr(z1, z2) * factor : 0.0;
	}
	return material->atoms * sum;
}

/* Of straggling_relative(), not relative to it: from the square of the effective charge, a ratio of stopping powers. */
static double error_of_straggling(const struct stopping *stopping, int z1, int z2, double energy)
{
	const double rounding = FORMULA_ROUNDING * straggling_relative(stopping, z1, z2, energy);

	if (stopping->straggling != STRAGGLING_YANG)
		return rounding;
	return rounding +
	       (straggling_relative(stopping, z1, z2, energy) -
		straggling_yang(&stopping->coefficients, z1, z2, 1e-3 * energy)) *
		   (error_of_element(stopping, z1, z2, energy) + error_of_element(stopping, 1, z2, energy));
}

double stopping_straggling_error(const struct stopping *stopping, int z1, double mass,
				 const struct material *material, double energy)
{
	double sum = 0.0, errors = 0.0, velocity = fmin(1e-3 * energy / mass, STOPPING_LAST);

	if (!(stopping_straggling(stopping, z1, mass, material, energy) > 0.0))
		return 0.0;
	for (int k = 0; k < material->count; ++k) {
		const int z2 = material->atomic_number[k];
		const double factor = straggling_relative(stopping, z1, z2, velocity),
			     bohr = material->fraction[k] * straggling_bohr(z1, z2);
		sum += factor > 0.0 ? bohr * factor : 0.0;
		errors += factor > 0.0 ? bohr * error_of_straggling(stopping, z1, z2, velocity) : 0.0;
	}
	return errors / sum;
}

double stopping_last_energy(const struct stopping *stopping, double mass)
{
	double last = 1e3 * STOPPING_LAST;

	if (stopping->own != NULL)
		last = fmin(last, stopping->own->points[stopping->own->count - 1].energy);
	return last * mass;
}

/* The fit of Ziegler, Biersack and Littmark for the universal potential, reduced. Their book has ln(epsilon)/(2
 * epsilon) beyond 30; SRIM's tables use the fit at all energies, which is 1 % higher. */
static double universal_reduced(double energy)
{
	return log(1.0 + 1.1383 * energy) /
	       (2.0 * (energy + 0.01321 * pow(energy, 0.21226) + 0.19593 * sqrt(energy)));
}

/* s_n = epsilon times the integral of sin^2(theta/2) d(s^2), up to an impact parameter s. Integrated over ln s:
 * below 10^-3 of the distance of closest approach every ion is reflected. With steps `coarser` times as long. */
static double integrated_reduced(const struct screening *screening, double energy, double last, int coarser)
{
	const int steps = 160 / coarser, points = 24 / coarser;
	double first = log(1e-3 * fmin(scattering_apsis(screening, energy, 0.0), last)),
	       step = (log(last) - first) / steps;
	double sum = 0.0;

	/* Simpson's rule */
	for (int k = 0; k <= steps; ++k) {
		double impact = exp(first + k * step), weight = k == 0 || k == steps ? 1.0 : k % 2 == 1 ? 4.0 : 2.0;
		sum += weight * impact * impact * scattering_sin2(screening, energy, impact, points);
	}
	return energy * (2.0 * sum * step / 3.0 + exp(2.0 * first));
}

/* Nuclear stopping cross-section of one atom in eV nm^2; `spacing` is the largest impact parameter in nm, used for
 * bare charges only. *error becomes its estimated error, unless it is null. */
static double nuclear_of_element(enum screening_kind kind, int z1, double m1, int z2, double m2, double spacing,
				 double energy, double *error)
{
	double length = screening_length(kind, z1, z2), gamma = 4.0 * m1 * m2 / ((m1 + m2) * (m1 + m2));
	double unit = length * m2 / (z1 * z2 * COULOMB_EV_NM * (m1 + m2)); /* reduced energy for 1 eV */

	/* S = pi a^2 gamma E/epsilon s_n */
	double scale = PI * length * length * gamma / unit;
	/* the slowest decay is exp(-0.2 x), which is negligible at s = 60 */
	double last = kind == SCREENING_NONE ? spacing / length : 60.0;
	const double value = kind == SCREENING_ZBL ? universal_reduced(unit * energy)
						   : integrated_reduced(screening_of(kind), unit * energy, last, 1);
	if (error != NULL)
		*error = scale * fabs(integrated_reduced(screening_of(kind), unit * energy, last, 2) - value);
	return scale * value;
}

/* The sum over the elements, per atom; *errors becomes that of their errors, unless it is null. */
static double nuclear_of_atom(enum screening_kind screening, int z1, double mass, const struct material *material,
			      double energy, double *errors)
{
	/* radius of a disk of one atom's share of the area of a monolayer */
	const double spacing = 1.0 / (sqrt(PI) * cbrt(material->atoms));
	double sum = 0.0, error;

	for (int k = 0; k < material->count; ++k) {
		sum += material->fraction[k] * nuclear_of_element(screening, z1, mass, material->atomic_number[k],
								  material->mass[k], spacing, energy,
								  errors != NULL ? &error : NULL);
		if (errors != NULL)
			*errors += material->fraction[k] * error;
	}
	return sum;
}

double stopping_nuclear(enum screening_kind screening, int z1, double mass, const struct material *material,
			double energy)
{
	return energy > 0.0 && material->count > 0
		   ? material->atoms * nuclear_of_atom(screening, z1, mass, material, energy, NULL)
		   : 0.0;
}

double stopping_nuclear_error(enum screening_kind screening, int z1, double mass, const struct material *material,
			      double energy)
{
	double errors = 0.0;

	if (!(energy > 0.0) || material->count == 0)
		return 0.0;
	const double sum = nuclear_of_atom(screening, z1, mass, material, energy, &errors);
	return FORMULA_ROUNDING + (sum > 0.0 ? errors / sum : 0.0);
}
