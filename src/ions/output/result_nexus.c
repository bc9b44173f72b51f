/* Results as HDF5 files in NeXus form, with all quantities. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ions/option_table.h"
#include "ions/output/result.h"
#include "ions/output/result_lists.h"
#include "ions/tallies/profile.h"
#include "ions/tallies/sums.h"

#define DEFINITIONS                                                                                                 \
	"x is the depth, y and z are across; lengths in Angstrom, energies in eV. NAME_errors are standard errors " \
	"of NAME. Skewness and kurtosis are the third and fourth moments of the depth about its mean over those "   \
	"powers of the straggling (a Gaussian has 0 and 3). Lateral range: mean of |y| and |z|; lateral "           \
	"straggling: their root mean square; radial range: mean of sqrt(y^2 + z^2). Fates: 0 at rest, 1 left "      \
	"through x = 0, 2 left "                                                                                    \
	"at the other end. Kinds: 0 the ion, then the target's atoms in the order of /ions/kinds/label. Atoms of "  \
	"a history are numbered from 0, the ion."

enum { PATH = 192, NAME = 112 };

static void place(char path[PATH], const char *group, const char *name)
{
	snprintf(path, PATH, "%s/%s", group, name);
}

static void write_reals(struct hdf5_writer *writer, const char *group, const char *name, const double *values,
			int64_t count, const char *unit, const char *meaning)
{
	char path[PATH];

	place(path, group, name);
	hdf5_writer_reals(writer, path, values, &count, 1, unit, meaning);
}

static void write_real(struct hdf5_writer *writer, const char *group, const char *name, double value,
		       const char *unit, const char *meaning)
{
	char path[PATH];

	place(path, group, name);
	hdf5_writer_real(writer, path, value, unit);
	hdf5_writer_text_attribute(writer, path, "long_name", meaning);
}

static void write_integers(struct hdf5_writer *writer, const char *group, const char *name, const int64_t *values,
			   int64_t count, const char *meaning)
{
	char path[PATH];

	place(path, group, name);
	hdf5_writer_integers(writer, path, values, count);
	hdf5_writer_text_attribute(writer, path, "long_name", meaning);
}

/* Maps ------------------------------------------------------------------------------------- */

/* Centers of the cells. */
static sonde_status write_axis(const sonde_ions_result *result, struct hdf5_writer *writer, const char *group, int k)
{
	static const char *const names[] = {"x", "y", "z"};
	static const char *const meanings[] = {"depth (Angstrom)", "y (Angstrom)", "z (Angstrom)"};
	double *axis;

	CHECK(memory_allocate(&axis, (size_t)result->size[k], sizeof *axis, "an axis"));
	for (int64_t i = 0; i < result->size[k]; ++i)
		axis[i] = result->origin[k] + ((double)i + 0.5) * result->cell_width[k];
	write_reals(writer, group, names[k], axis, result->size[k], "angstrom", meanings[k]);
	free(axis);
	return SONDE_OK;
}

/* Begins a group that programs plot: against depth, or as a map. */
static sonde_status begin_data(const sonde_ions_result *result, struct hdf5_writer *writer, const char *group,
			       const char *signal, bool map)
{
	static const char *const axes[] = {"z", "y", "x"};

	hdf5_writer_group(writer, group, "NXdata");
	hdf5_writer_text_attribute(writer, group, "signal", signal);
	hdf5_writer_texts_attribute(writer, group, "axes", map ? axes : axes + 2, map ? 3 : 1);
	for (int k = 0; k < (map ? 3 : 1); ++k)
		CHECK(write_axis(result, writer, group, k));
	return SONDE_OK;
}

/* Values, followed by errors, of each cell, as [x] per Angstrom of depth or as [z, y, x] per cell. */
static void write_cells(const sonde_ions_result *result, struct hdf5_writer *writer, const char *group,
			const char *name, const char *meaning, bool energy, bool bound, const double *values)
{
	const double *errors = values + result->size[0] * result->size[1] * result->size[2];
	bool map = ions_is_map(result);
	const int64_t shape[] = {result->size[2], result->size[1], result->size[0]};
	const char *unit = map ? energy ? "eV" : "1" : energy ? "eV/angstrom" : "1/angstrom";
	char path[PATH], words[2 * NAME];

	snprintf(words, sizeof words, "%s (per ion and %s)", meaning, map ? "cell" : "Angstrom of depth");
	place(path, group, name);
	hdf5_writer_reals(writer, path, values, map ? shape : shape + 2, map ? 3 : 1, unit, words);
	snprintf(words, sizeof words, "%sstandard error of %s", bound ? "bound of the " : "", meaning);
	strncat(path, "_errors", PATH - strlen(path) - 1);
	hdf5_writer_reals(writer, path, errors, map ? shape : shape + 2, map ? 3 : 1, unit, words);
}

/* The same for one tally or, if `of` is null, for two together over all kinds, whose errors are added: a bound. */
static sonde_status write_sum(const sonde_ions_result *result, struct hdf5_writer *writer, const char *group,
			      const char *name, const char *meaning, const char *const tallies[2], const char *of)
{
	int64_t cells = result->size[0] * result->size[1] * result->size[2];
	double each = ions_is_map(result) ? 1.0 : result->cell_width[0], *sums;
	bool energy = false;

	CHECK(memory_allocate(&sums, (size_t)cells * 2, sizeof *sums, "a map"));
	for (int k = 0; k < result->tally_count; ++k) {
		const sonde_ions_tally *tally = &result->tallies[k];
		bool wanted = strcmp(tally->name, tallies[0]) == 0 || strcmp(tally->name, tallies[1]) == 0;
		if (!wanted || (of != NULL && strcmp(tally->of, of) != 0))
			continue;
		energy = strcmp(tally->unit, "eV") == 0;
		for (int64_t i = 0; i < cells; ++i) {
			sums[i] += tally->values[i] / each;
			sums[cells + i] += tally->errors[i] / each;
		}
	}
	write_cells(result, writer, group, name, meaning, energy, of == NULL, sums);
	free(sums);
	return SONDE_OK;
}

/* All tallies of a kind of atoms; those of all atoms together have kind "". */
static sonde_status write_tallies(const sonde_ions_result *result, struct hdf5_writer *writer, const char *group,
				  const char *of)
{
	for (int k = 0; k < result->tally_count; ++k) {
		const sonde_ions_tally *tally = &result->tallies[k];
		const char *const alone[] = {tally->name, tally->name};
		char name[NAME], meaning[NAME];
		if (strcmp(tally->of, of) != 0)
			continue;
		ions_plain_name(tally->name, name, sizeof name);
		snprintf(meaning, sizeof meaning, "%s%s%s", tally->name, of[0] != '\0' ? " of " : "", of);
		CHECK(write_sum(result, writer, group, name, meaning, alone, of));
	}
	return SONDE_OK;
}

static sonde_status write_maps(const sonde_ions_result *result, struct hdf5_writer *writer)
{
	const char *vacancies[2];
	static const char *const also[] = {"vacancies"};
	const int64_t three = 3;

	CHECK(begin_data(result, writer, "/ions/profiles", "implanted_ions", ions_is_map(result)));
	hdf5_writer_texts_attribute(writer, "/ions/profiles", "auxiliary_signals", also, 1);
	hdf5_writer_text(writer, "/ions/profiles/title", "Implanted ions and their effects");
	hdf5_writer_reals(writer, "/ions/profiles/origin", result->origin, &three, 1, "angstrom",
			  "x, y, z of the corner of the first cell");
	hdf5_writer_reals(writer, "/ions/profiles/cell_width", result->cell_width, &three, 1, "angstrom",
			  "widths of a cell in x, y, z");
	CHECK(write_tallies(result, writer, "/ions/profiles", ""));
	ions_vacancy_names(result, vacancies);
	return write_sum(result, writer, "/ions/profiles", "vacancies", "vacancies of all kinds", vacancies, NULL);
}

static sonde_status write_dose(const sonde_ions_result *result, struct hdf5_writer *writer)
{
	int64_t n = result->size[0];
	double *dose;

	if (!(result->options->fluence > 0.0))
		return SONDE_OK;
	CHECK(ions_dose(result, &dose));
	sonde_status status = begin_data(result, writer, "/ions/dose", "concentration", false);
	write_real(writer, "/ions/dose", "fluence", result->options->fluence, "1/cm^2", "ions per area");
	for (int64_t c = 0; c < DOSE_COLUMNS; ++c) {
		const struct ions_dose_name *column = &ions_dose_names[c];
		char name[NAME];
		write_reals(writer, "/ions/dose", column->name, dose + 2 * c * n, n, column->unit, column->meaning);
		snprintf(name, sizeof name, "%s_errors", column->name);
		write_reals(writer, "/ions/dose", name, dose + (2 * c + 1) * n, n, column->unit,
			    "bound of the standard error");
	}
	free(dose);
	return status;
}

/* The tallies of each kind of target atoms, next to the list of kinds. */
static sonde_status write_kinds(const sonde_ions_result *result, struct hdf5_writer *writer)
{
	for (int k = 1; k < result->kind_count; ++k) {
		char group[NAME + 32], path[PATH], name[NAME];
		ions_plain_name(result->kinds[k].label, name, sizeof name);
		snprintf(group, sizeof group, "/ions/kinds/atoms_%d_%s", k, name);
		CHECK(begin_data(result, writer, group, "vacancies_by_recoils", ions_is_map(result)));
		place(path, group, "title");
		hdf5_writer_text(writer, path, result->kinds[k].label);
		CHECK(write_tallies(result, writer, group, result->kinds[k].label));
	}
	return SONDE_OK;
}

/* Numbers ---------------------------------------------------------------------------------- */

static void write_estimate(struct hdf5_writer *writer, const char *group, const char *name, sonde_estimate estimate,
			   const char *unit, const char *meaning)
{
	char errors[NAME];

	snprintf(errors, sizeof errors, "%s_errors", name);
	write_real(writer, group, name, estimate.value, unit, meaning);
	write_real(writer, group, errors, estimate.error, unit, "standard error");
}

static void write_count(struct hdf5_writer *writer, const char *group, const char *name, int64_t count, double error,
			const char *meaning)
{
	char errors[NAME];

	snprintf(errors, sizeof errors, "%s_errors", name);
	write_integers(writer, group, name, &count, 1, meaning);
	write_real(writer, group, errors, error, NULL, "standard error");
}

static void write_summary(const sonde_ions_result *result, struct hdf5_writer *writer)
{
	static const char group[] = "/ions/summary";

	hdf5_writer_group(writer, group, "NXcollection");
	write_integers(writer, group, "ions", &result->ions, 1, "followed ions");
	write_count(writer, group, "implanted", result->implanted, result->implanted_error,
		    "ions at rest in the target");
	write_count(writer, group, "backscattered", result->backscattered, result->backscattered_error,
		    "ions that left through x = 0");
	write_count(writer, group, "transmitted", result->transmitted, result->transmitted_error,
		    "ions that left at the other end");
	write_estimate(writer, group, "range", result->range, "angstrom", "mean depth");
	write_estimate(writer, group, "straggling", result->straggling, "angstrom",
		       "standard deviation of the depth");
	write_estimate(writer, group, "skewness", result->skewness, "1", "skewness of the depth");
	write_estimate(writer, group, "kurtosis", result->kurtosis, "1", "kurtosis of the depth");
	write_estimate(writer, group, "lateral_range", result->lateral_range, "angstrom", "mean of |y| and |z|");
	write_estimate(writer, group, "lateral_straggling", result->lateral_straggling, "angstrom",
		       "root mean square of y and z");
	write_estimate(writer, group, "radial_range", result->radial_range, "angstrom",
		       "mean distance from the x axis");
	write_estimate(writer, group, "path", result->path, "angstrom", "length of the path");
	write_estimate(writer, group, "sputtered", result->sputtered, "1", "sputtered atoms per ion");
	if (result->leaving_count > 0) {
		write_estimate(writer, group, "reflection", result->reflection, "1",
			       "fraction of the ions that leave through x = 0: R_N");
		write_estimate(writer, group, "energy_reflection", result->energy_reflection, "1",
			       "fraction of the energy taken out by them: R_E");
		write_estimate(writer, group, "transmission", result->transmission, "1",
			       "fraction of the ions that leave at the other end");
		write_estimate(writer, group, "energy_transmission", result->energy_transmission, "1",
			       "fraction of the energy taken out by them");
	}
	write_estimate(writer, group, "vacancies", result->vacancies, "1", "vacancies per ion");
	write_estimate(writer, group, "replacements", result->replacements, "1", "replacements per ion");
	write_estimate(writer, group, "energy_in", (sonde_estimate){result->energy_in, result->energy_in_error}, "eV",
		       "energy brought in per ion");
	write_estimate(writer, group, "energy_left", (sonde_estimate){result->energy_left, result->energy_left_error},
		       "eV", "energy taken out of the target, per ion");
	write_estimate(writer, group, "energy_missing",
		       (sonde_estimate){result->energy_missing, result->energy_missing_error}, "eV",
		       "energy missing in the balance, per ion");
	write_estimate(writer, group, "ion_collisions",
		       (sonde_estimate){result->collisions[0], result->collisions_errors[0]}, "1",
		       "collisions of the ion, per ion");
	write_estimate(writer, group, "recoil_collisions",
		       (sonde_estimate){result->collisions[1], result->collisions_errors[1]}, "1",
		       "collisions of recoils, per ion");
}

/* File ------------------------------------------------------------------------------------- */

static sonde_status write_process(const sonde_ions_result *result, struct hdf5_writer *writer)
{
	CHECK(provenance_write_process(writer, &result->provenance->run, &ions_option_table, result->options,
				       result->seconds));
	struct text target = {0};
	ions_append_target(result, "", true, &target);
	ions_append_stopping(result, "", &target);
	sonde_status status = text_status(&target);
	if (status == SONDE_OK)
		hdf5_writer_text(writer, "/ions/process/target", target.bytes);
	text_free(&target);
	CHECK(status);
	hdf5_writer_integers(writer, "/ions/process/resumed", &result->resumed, 1);
	hdf5_writer_real(writer, "/ions/process/resumed_seconds", result->resumed_seconds, "s");
	hdf5_writer_text(writer, "/ions/process/definitions", DEFINITIONS);
	return SONDE_OK;
}

/* As text, one per line. */
static sonde_status write_species(const sonde_ions_result *result, struct hdf5_writer *writer)
{
	struct text text = {0};

	ions_append_beam(result, "", &text);
	sonde_status status = text_status(&text);
	if (status == SONDE_OK)
		hdf5_writer_text(writer, "/ions/beam/description", text.bytes);
	text_free(&text);
	return status;
}

sonde_status ions_contents(const void *of, struct hdf5_writer *writer)
{
	const sonde_ions_result *result = of;
	const struct sonde_ions_provenance *provenance = result->provenance;

	provenance_write_entry(writer, &provenance->run, "ions", "Ions in matter", "profiles");
	CHECK(write_maps(result, writer));
	CHECK(write_dose(result, writer));
	write_summary(result, writer);
	CHECK(ions_write_lists(result, writer));
	CHECK(write_kinds(result, writer));
	provenance_write_sample(writer, &provenance->run, "/ions/sample");
	hdf5_writer_group(writer, "/ions/beam", "NXbeam");
	hdf5_writer_text(writer, "/ions/beam/ion", result->ion);
	CHECK(write_species(result, writer));
	if (isfinite(result->ion_mass))
		write_real(writer, "/ions/beam", "mass", result->ion_mass, "u", "mass of an ion");
	write_real(writer, "/ions/beam", "energy", result->energy, "eV", "mean energy of an ion");
	CHECK(write_process(result, writer));
	if (provenance->sums == NULL || provenance->job == NULL)
		return SONDE_OK;
	hdf5_writer_text(writer, "/ions/job", provenance->job);
	hdf5_writer_real(writer, "/ions/seconds", result->resumed_seconds + result->seconds, "s");
	return ions_sums_write(provenance->sums, writer);
}

sonde_status ions_write_nexus(const sonde_ions_result *result, const char *path, bool overwrite)
{
	struct hdf5_writer *writer;

	CHECK(hdf5_writer_create(&writer));
	hdf5_writer_compress(writer, 4);
	sonde_status status = ions_contents(result, writer);
	if (status != SONDE_OK) {
		hdf5_writer_discard(&writer);
		return status;
	}
	return hdf5_writer_finish(&writer, path, overwrite);
}
