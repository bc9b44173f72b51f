/* Result files: tables of profiles; NeXus HDF5 by result_nexus.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ions/output/result.h"

#include "ions/option_table.h"
#include "ions/tallies/estimates.h"
#include "ions/tallies/profile.h"
#include "ions/tallies/sums.h"
#include "run/result_table.h"

const sonde_ions_tally *ions_find_tally(const sonde_ions_result *result, const char *name, const char *of)
{
	for (int k = 0; k < result->tally_count; ++k)
		if (strcmp(result->tallies[k].name, name) == 0 && strcmp(result->tallies[k].of, of) == 0)
			return &result->tallies[k];
	return NULL;
}

/* Header ----------------------------------------------------------------------------------- */

/* Errors are unknown for few ions. */
static void append_estimate(struct text *text, const char *name, sonde_estimate estimate, const char *unit)
{
	text_append(text, "%s %.7g", name, estimate.value);
	if (!isnan(estimate.error))
		text_append(text, " +- %.2g", estimate.error);
	text_append(text, "%s%s", unit[0] != '\0' ? " " : "", unit);
}

/* A fraction of all ions, with the standard error of a binomial distribution. */
static void append_part(struct text *text, const char *name, int64_t count, int64_t all)
{
	double part = all > 0 ? (double)count / (double)all : 0.0;

	text_append(text, "%s %lld = %.6g +- %.2g", name, (long long)count, part,
		    all > 0 ? sqrt(part * (1.0 - part) / (double)all) : 0.0);
}

static void append_range(const sonde_ions_result *result, struct text *text)
{
	if (result->implanted == 0) {
		text_append(text, "# range: none, no ion came to rest\n");
		return;
	}
	append_estimate(text, "# range:", result->range, "Angstrom");
	append_estimate(text, "; straggling", result->straggling, "Angstrom");
	append_estimate(text, "; skewness", result->skewness, "");
	append_estimate(text, "; kurtosis", result->kurtosis, "");
	append_estimate(text, "\n# lateral: range", result->lateral_range, "Angstrom");
	append_estimate(text, "; straggling", result->lateral_straggling, "Angstrom");
	append_estimate(text, "; radial range", result->radial_range, "Angstrom");
	append_estimate(text, "; path", result->path, "Angstrom");
	text_append(text, "\n");
}

static void append_summary(const sonde_ions_result *result, struct text *text)
{
	text_append(text, "# ions: %lld", (long long)result->ions);
	append_part(text, "; implanted", result->implanted, result->ions);
	append_part(text, "; backscattered", result->backscattered, result->ions);
	append_part(text, "; transmitted", result->transmitted, result->ions);
	text_append(text, "\n");
	append_range(result, text);
	append_estimate(text, "# per ion: vacancies", result->vacancies, "");
	append_estimate(text, "; replacements", result->replacements, "");
	append_estimate(text, "; sputtered atoms", result->sputtered, "");
	text_append(text, "; collisions %.6g of ions and %.6g of recoils\n", result->collisions[0],
		    result->collisions[1]);
	text_append(text, "# energy per ion: %.10g eV brought in, %.10g taken out, %.3g missing in the balance\n",
		    result->energy_in, result->energy_left, result->energy_missing);
	ions_append_leaving(result, "# ", text);
	for (int k = 0; k < result->tally_count; ++k) {
		const sonde_ions_tally *tally = &result->tallies[k];
		text_append(text, "# per ion: %s%s%s", tally->name, tally->of[0] != '\0' ? " of " : "", tally->of);
		append_estimate(text, "", tally->total, tally->unit);
		append_estimate(text, ", in the cells", tally->inside, tally->unit);
		text_append(text, "\n");
	}
}

/* Table ------------------------------------------------------------------------------------ */

static bool has_dose(const sonde_ions_result *result)
{
	return result->options->fluence > 0.0 && !ions_is_map(result);
}

/* The header of a column. Tables with commas have the units in a separate line, so that names are single words. */
enum heading { NAMES, UNITS, NAMES_AND_UNITS };

static void append_column(struct text *text, enum heading heading, bool first, const char *name, const char *unit)
{
	text_append(text, "%s%s",
		    first                        ? ""
		    : heading == NAMES_AND_UNITS ? "  "
						 : ",",
		    heading == UNITS ? (unit[0] != '\0' ? unit : "1") : name);
	if (heading == NAMES_AND_UNITS && unit[0] != '\0')
		text_append(text, " [%s]", unit);
}

static void append_value_columns(struct text *text, enum heading heading, const char *name, const char *unit)
{
	char error[160];

	snprintf(error, sizeof error, "%s_error", name);
	append_column(text, heading, false, name, unit);
	append_column(text, heading, false, error, heading == UNITS ? unit : "");
}

static void append_columns(const sonde_ions_result *result, enum heading heading, struct text *text)
{
	static const char *const begins[] = {"x_begin", "y_begin", "z_begin"}, *const ends[] = {"x_end", "y_end",
												"z_end"};
	bool map = ions_is_map(result);
	char name[128];

	text_append(text, "%s", heading == NAMES ? "" : heading == UNITS ? "# units: " : "# ");
	for (int k = 0; k < 3; ++k)
		if (k == 0 || result->size[k] > 1) {
			append_column(text, heading, k == 0, begins[k], "Angstrom");
			append_column(text, heading, false, ends[k], "Angstrom");
		}
	for (int k = 0; k < result->tally_count; ++k) {
		const sonde_ions_tally *tally = &result->tallies[k];
		bool energy = strcmp(tally->unit, "eV") == 0;
		struct text whole = {0};
		text_append(&whole, "%s%s%s", tally->name, tally->of[0] != '\0' ? " of " : "", tally->of);
		ions_plain_name(whole.bytes != NULL ? whole.bytes : "", name, sizeof name);
		text->failed |= whole.failed;
		text_free(&whole);
		append_value_columns(text, heading, name, map ? tally->unit : energy ? "eV/Angstrom" : "1/Angstrom");
	}
	for (int c = 0; has_dose(result) && c < DOSE_COLUMNS; ++c)
		append_value_columns(text, heading, ions_dose_names[c].name, ions_dose_names[c].unit);
	text_append(text, "\n");
}

static void append_place(const sonde_ions_result *result, int64_t cell, char separator, struct text *text)
{
	int64_t left = cell;

	for (int k = 0; k < 3; ++k) {
		int64_t index = left % result->size[k];
		left /= result->size[k];
		if (k > 0 && result->size[k] == 1)
			continue;
		if (k > 0)
			text_append_byte(text, separator);
		text_append_real(text, result->origin[k] + (double)index * result->cell_width[k]);
		text_append_byte(text, separator);
		text_append_real(text, result->origin[k] + (double)(index + 1) * result->cell_width[k]);
	}
}

static void append_pair(struct text *text, char separator, double value, double error)
{
	text_append_byte(text, separator);
	text_append_real(text, value);
	text_append(text, "%c%.3g", separator, fabs(error)); /* "nan", not "-nan" */
}

static void append_rows(const sonde_ions_result *result, bool csv, const double *dose, struct text *text)
{
	int64_t n = result->size[0], cells = n * result->size[1] * result->size[2];
	double each = ions_is_map(result) ? 1.0 : result->cell_width[0];
	char separator = csv ? ',' : ' ';

	for (int64_t cell = 0; cell < cells; ++cell) {
		append_place(result, cell, separator, text);
		for (int k = 0; k < result->tally_count; ++k)
			append_pair(text, separator, result->tallies[k].values[cell] / each,
				    result->tallies[k].errors[cell] / each);
		for (int64_t c = 0; dose != NULL && c < DOSE_COLUMNS; ++c)
			append_pair(text, separator, dose[2 * c * n + cell], dose[(2 * c + 1) * n + cell]);
		text_append(text, "\n");
	}
}

sonde_status ions_table_text(const sonde_ions_result *result, bool csv, struct text *text)
{
	const struct provenance *provenance = &result->provenance->run;
	double *dose = NULL;

	if (has_dose(result))
		CHECK(ions_dose(result, &dose));
	provenance_append_origin(text, provenance, "ions");
	ions_append_beam(result, "# ", text);
	ions_append_target(result, "# ", false, text);
	ions_append_stopping(result, "# ", text);
	provenance_append_options(text, &ions_option_table, result->options);
	if (result->provenance->bodies != NULL)
		text_append(text, "%s", result->provenance->bodies);
	provenance_append_device(text, provenance, result->seconds);
	if (result->resumed > 0)
		text_append(text, "# resumed: %lld ions, %.3g s of earlier runs\n", (long long)result->resumed,
			    result->resumed_seconds);
	append_summary(result, text);
	text_append(text,
		    "# a row is a cell; x is the depth. Values are per ion and %s, each with its standard error.\n",
		    ions_is_map(result) ? "cell" : "Angstrom of depth");
	if (dose != NULL)
		text_append(
		    text,
		    "# For %.10g ions/cm^2: concentration [atoms/cm^3] and displacements per atom of the target; "
		    "the error of dpa_vacancies is a bound, the sum of the errors of its parts.\n",
		    result->options->fluence);
	else if (result->options->fluence > 0.0)
		text_append(text, "# Concentrations and dpa are given for profiles only; for maps see /ions/dose in "
				  "the HDF5 file.\n");
	if (csv)
		append_columns(result, UNITS, text);
	append_columns(result, csv ? NAMES : NAMES_AND_UNITS, text);
	append_rows(result, csv, dose, text);
	free(dose);
	return text_status(text);
}

/* Files ------------------------------------------------------------------------------------ */

static sonde_status append_table(const void *result, bool csv, struct text *text)
{
	return ions_table_text(result, csv, text);
}

static sonde_status write_nexus(const void *result, const char *path, bool overwrite)
{
	return ions_write_nexus(result, path, overwrite);
}

static const struct result_format formats[] = {
    {RESULT_NEXUS_ENDINGS, write_nexus, NULL}, {RESULT_TABLE_ENDINGS, NULL, append_table}, {NULL, NULL, NULL}};

sonde_status ions_check_format(const char *path)
{
	return result_format_check(formats, path);
}

sonde_status sonde_ions_result_write(const sonde_ions_result *result, const char *path, int overwrite)
{
	return result_write(formats, result, path, overwrite != 0);
}

void sonde_ions_result_free(sonde_ions_result **result)
{
	sonde_ions_result *r = result != NULL ? *result : NULL;

	if (r == NULL)
		return;
	for (int k = 0; r->tallies != NULL && k < r->tally_count; ++k) {
		free(r->tallies[k].values);
		free(r->tallies[k].errors);
	}
	if (r->provenance != NULL) {
		provenance_free(&r->provenance->run);
		free(r->provenance->job);
		free(r->provenance->bodies);
		ions_sums_free(&r->provenance->sums);
	}
	free(r->provenance);
	leaving_free(r);
	free(r->tallies);
	free(r->kinds);
	free(r->species);
	free(r->layers);
	free(r->spectrum_edges);
	free(r->spectra);
	free(r->spectra_errors);
	free(r->exits);
	free(r->vertices);
	free(r);
	*result = NULL;
}
