/* Tables against depth in SRIM's layout. Headings of columns are exactly those that programs search for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "ions/output/srim_files.h"
#include "ions/tallies/profile.h"

#define UNIT_OF_RANGES 1e8 /* 1 ion per Angstrom in (atoms/cm^3)/(atoms/cm^2) */
#define MOST_ROWS 100      /* SRIM's number of rows, the limit of some programs */

/* Columns of values; column c begins at values + c * n. */
struct table {
	const sonde_ions_result *result;
	double *values;
	int64_t n;
	int columns;
};

static sonde_status make_table(const sonde_ions_result *result, struct table *table)
{
	*table = (struct table){.result = result, .n = result->size[0]};
	return memory_allocate(&table->values, (size_t)(result->kind_count + 1) * (size_t)table->n,
			       sizeof *table->values, "a table");
}

/* Adds a tally, of all kinds of atoms if `of` is null, to the last column, */
static void add(struct table *table, const char *name, const char *of)
{
	ions_profile_add(table->result, name, of, table->values + (table->columns - 1) * table->n, NULL);
}

/* or to a new one. */
static void add_column(struct table *table, const char *name, const char *of)
{
	++table->columns;
	add(table, name, of);
}

static void append_depth(const sonde_ions_result *result, int64_t i, int digits, struct text *text)
{
	/* as in SRIM: the end of the bin, slightly beyond */
	srim_append_number(text, result->origin[0] + (double)(i + 1) * result->cell_width[0] + 0.01, digits, 0);
}

static void append_rows(const struct table *table, int depth_digits, int digits, int decimals, struct text *text)
{
	for (int64_t i = 0; i < table->n; ++i) {
		append_depth(table->result, i, depth_digits, text);
		for (int c = 0; c < table->columns; ++c) {
			text_append(text, "  ");
			srim_append_number(text, table->values[c * table->n + i], digits, decimals);
		}
		text_append(text, "\r\n");
	}
}

/* Repeats a text for each kind of target atoms, then ends the line. */
static void append_repeated(const struct table *table, const char *repeated, struct text *text)
{
	for (int k = 1; k < table->result->kind_count; ++k)
		text_append(text, "%s", repeated);
	text_append(text, "\r\n");
}

static void append_symbols(const struct table *table, const char *before, const char *behind, struct text *text)
{
	for (int k = 1; k < table->result->kind_count; ++k)
		text_append(text, "%s%2s%s", before, srim_symbol(table->result, k), behind);
	text_append(text, "\r\n");
}

static double finite_or_zero(double x)
{
	return isfinite(x) ? x : 0.0;
}

static void append_fates(const sonde_ions_result *result, struct text *text)
{
	double skewness = finite_or_zero(result->skewness.value), kurtosis = finite_or_zero(result->kurtosis.value);

	if (result->transmitted > 0 || result->backscattered > 0)
		text_append(text,
			    " Transmitted Ions =%lld;  Backscattered Ions =%lld\r\n (Not counted below.)\r\n\r\n",
			    (long long)result->transmitted, (long long)result->backscattered);
	text_append(text, " Range Skewne- = %s%08.4f  : third moment of depths / Straggling^3\r\n",
		    skewness < 0.0 ? "-" : "", fabs(skewness));
	text_append(text, " Range Kurtosis = %08.4f  : fourth moment / Straggling^4\r\n", kurtosis);
	text_append(text, " Moments are about the mean; a Gaussian has 0 and 3.\r\n"
			  "====================================================================\r\n");
}

static void append_range(struct table *table, struct text *text)
{
	const sonde_ions_result *result = table->result;

	add_column(table, "implanted ions", NULL);
	for (int k = 1; k < result->kind_count && !srim_is_quick(result); ++k)
		add_column(table, "interstitials", result->kinds[k].label);
	if (srim_is_quick(result))
		++table->columns;
	for (int64_t i = 0; i < table->n * table->columns; ++i)
		table->values[i] *= UNIT_OF_RANGES;
	srim_append_ranges(result, text);
	append_fates(result, text);
	text_append(text,
		    "=================================================================\r\n"
		    "  Table Distribution Units are >>>  (Atoms/cm3) / (Atoms/cm2)  <<<  \r\n"
		    "=================================================================\r\n"
		    "   DEPTH         %2s  ",
		    srim_symbol(result, 0));
	if (srim_is_quick(result)) {
		text_append(text, "     Recoil     \r\n   (Ang.)       Ions     Distribution\r\n"
				  "-----------  ----------  ------------\r\n");
	} else {
		append_symbols(table, "       ", "   ", text);
		text_append(text, "   (Ang.)       Ions   ");
		append_repeated(table, "  Tgt. Atoms", text);
		text_append(text, "-----------  ----------");
		append_repeated(table, "  ----------", text);
	}
	append_rows(table, 6, 1, 4, text);
}

/* By ions: primary recoils; by recoils: the excess of the NRT formula over these. */
static void add_quick_vacancies(struct table *table)
{
	double *by_ions = table->values, *by_recoils = table->values + table->n;

	add_column(table, "primary recoils", NULL);
	add_column(table, "displacements (NRT)", NULL);
	for (int64_t i = 0; i < table->n; ++i) {
		by_ions[i] = fmin(by_ions[i], by_recoils[i]);
		by_recoils[i] -= by_ions[i];
	}
}

static void append_vacancy_columns(struct table *table, struct text *text)
{
	const sonde_ions_result *result = table->result;

	if (srim_is_quick(result)) {
		add_quick_vacancies(table);
		text_append(text, "   TARGET     VACANCIES     VACANCIES \r\n"
				  "   DEPTH         by            by     \r\n"
				  "   (Ang.)       IONS         RECOILS  \r\n"
				  "-----------  -----------  ------------\r\n");
		return;
	}
	add_column(table, "primary recoils", NULL);
	for (int k = 1; k < result->kind_count; ++k) {
		add_column(table, "vacancies by ions", result->kinds[k].label);
		add(table, "vacancies by recoils", result->kinds[k].label);
	}
	text_append(text, "   TARGET    \r\n   DEPTH         %2s    ", srim_symbol(result, 0));
	append_symbols(table, "       ", "    ", text);
	text_append(text, "   (Ang.)     Knock-Ons ");
	append_repeated(table, "   Vacancies ", text);
	text_append(text, "-----------  -----------");
	append_repeated(table, "  -----------", text);
}

/* Energy stored in the lattice, per vacancy. */
static double lattice_energy(const sonde_ions_result *result)
{
	double sum = 0.0, fractions = 0.0;

	for (int k = 1; k < result->kind_count; ++k) {
		sum += result->kinds[k].fraction * result->kinds[k].lattice;
		fractions += result->kinds[k].fraction;
	}
	return fractions > 0.0 ? sum / fractions : 0.0;
}

static void append_vacancy(struct table *table, struct text *text)
{
	const sonde_ions_result *result = table->result;
	double vacancies = result->vacancies.value, replacements = result->replacements.value;

	text_append(text, " Total Target Vacancies     = %.6g /Ion\r\n", vacancies);
	if (!srim_is_quick(result))
		text_append(text,
			    " Total Target Displacements = %.6g /Ion\r\n"
			    " Total Target Replacement Collisions = %.6g /Ion\r\n\r\n"
			    "!!!! The column after the depth: Primary Knock-Ons,\r\n"
			    "           the primary recoils of the ion.\r\n",
			    vacancies + replacements, replacements);
	else
		text_append(text, "\r\n");
	text_append(text, "==========================================================\r\n"
			  "  Table Units are  >>>> Vacancies/(Angstrom-Ion)  <<<<  \r\n"
			  "==========================================================\r\n");
	append_vacancy_columns(table, text);
	append_rows(table, 6, 4, 2, text);
	text_append(text, "\r\n");
	if (table->n >= MOST_ROWS) /* else it would be read as another row */
		text_append(text, " Mean energy stored in the lattice per vacancy =  %.4g  eV/Vacancy\r\n",
			    lattice_energy(result));
}

static void append_ionization(struct table *table, struct text *text)
{
	add_column(table, "ionization by ions", NULL);
	add_column(table, "ionization by recoils", NULL);
	text_append(text, "===============================================================\r\n"
			  "  Ionization Energy Units are  >>>>  eV /(Angstrom-Ion)  <<<<  \r\n"
			  "===============================================================\r\n\r\n"
			  "  TARGET       IONIZ.       IONIZ.  \r\n"
			  "  DEPTH         by           by     \r\n"
			  "  (Ang)        IONS         RECOILS \r\n"
			  "-----------  -----------  -----------\r\n");
	append_rows(table, 6, 4, 2, text);
}

static void append_phonons(struct table *table, struct text *text)
{
	add_column(table, "phonons by ions", NULL);
	add_column(table, "phonons by recoils", NULL);
	/* SRIM calls the units Phonons, but they are eV */
	text_append(text, "========================================================\r\n"
			  "  Table Units are  >>>> Phonons, eV /(Angstrom-Ion)  <<<<  \r\n"
			  "========================================================\r\n"
			  "  DEPTH       PHONONS     PHONONS    \r\n"
			  "  (Ang.)      by ION      by RECOILS \r\n"
			  "-----------  -----------  -----------\r\n");
	append_rows(table, 6, 6, 0, text);
}

static void append_energy_columns(struct table *table, struct text *text)
{
	const sonde_ions_result *result = table->result;

	add_column(table, "energy to recoils", NULL);
	if (srim_is_quick(result)) {
		add_column(table, "energy to recoils", NULL);
		text_append(text, "   DEPTH       ENERGY       ENERGY    \r\n"
				  "   DEPTH        from        Absorbed  \r\n"
				  "   (Ang.)       IONS        by Recoils\r\n"
				  "----------   ------------  -----------\r\n");
		return;
	}
	for (int k = 1; k < result->kind_count; ++k)
		add_column(table, "energy to recoils", result->kinds[k].label);
	text_append(text, "   DEPTH       ENERGY   ");
	append_repeated(table, "   Energy    ", text);
	text_append(text, "   DEPTH        from    ");
	append_repeated(table, "   Absorbed  ", text);
	text_append(text, "   (Ang.)       IONS    ");
	append_symbols(table, "   by  ", "    ", text);
	text_append(text, "----------   -----------");
	append_repeated(table, "  -----------", text);
}

static void append_energy_to_recoils(struct table *table, struct text *text)
{
	text_append(text, "===========================================================\r\n"
			  "  Table Energy Units are  >>>>  eV /(Angstrom-Ion)  <<<<  \r\n"
			  "===========================================================\r\n");
	append_energy_columns(table, text);
	append_rows(table, 6, 4, 2, text);
}

static void append_replacements(struct table *table, struct text *text)
{
	if (srim_is_quick(table->result)) {
		text_append(text, "\r\n There are NO Replacement Collisions: recoils were not followed.\r\n"
				  " Full cascades give them.\r\n");
		return;
	}
	add_column(table, "replacements", NULL);
	text_append(text, " Total Target Vacancies     = %.6g /Ion\r\n", table->result->vacancies.value);
	text_append(text, " Total Target Displacements = %.6g /Ion\r\n",
		    table->result->vacancies.value + table->result->replacements.value);
	text_append(text,
		    " Total Target Replacement Collisions = %.6g /Ion\r\n"
		    "================================================================\r\n"
		    "   Table Vacancy Units are  >>>>  Number /(Angstrom-Ion)  <<<<  \r\n"
		    "================================================================\r\n"
		    "  DEPTH (A)      Number\r\n"
		    "------------   -----------\r\n",
		    table->result->replacements.value);
	append_rows(table, 7, 4, 2, text);
}

sonde_status srim_append_table(const sonde_ions_result *result, enum srim_file file, struct text *text)
{
	static void (*const bodies[SRIM_FILES])(struct table * table, struct text * text) = {
	    [SRIM_RANGE] = append_range,
	    [SRIM_VACANCY] = append_vacancy,
	    [SRIM_IONIZ] = append_ionization,
	    [SRIM_PHONON] = append_phonons,
	    [SRIM_E2RECOIL] = append_energy_to_recoils,
	    [SRIM_NOVAC] = append_replacements,
	};
	struct table table;

	CHECK(make_table(result, &table));
	srim_append_header(result, file, text);
	bodies[file](&table, text);
	free(table.values);
	return text_status(text);
}
