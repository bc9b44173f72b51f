/* Tables of stopping and ranges, and the same in SRIM's layout. */
#include <math.h>

#include "run/result_table.h"
#include "stopping/difference.h"
#include "stopping/run.h"
#include "matter/elements/isotope.h"
#include "matter/elements/label.h"
#include "run/provenance.h"

#define UNITS 7

/* 1 eV/Angstrom in each unit: 1e8 eV/cm, divided by the density in g/cm^3 or atoms per cubic cm. */
static double factor_of(const sonde_stopping_result *result, int units)
{
	const double by_mass = 0.1 / result->density, factors[UNITS] = {
							  [SONDE_STOPPING_UNITS_EV_A] = 1.0,
							  [SONDE_STOPPING_UNITS_KEV_UM] = 10.0,
							  [SONDE_STOPPING_UNITS_MEV_MM] = 10.0,
							  [SONDE_STOPPING_UNITS_KEVCM2_UG] = by_mass,
							  [SONDE_STOPPING_UNITS_MEVCM2_MG] = by_mass,
							  [SONDE_STOPPING_UNITS_KEVCM2_MG] = 1e3 * by_mass,
							  [SONDE_STOPPING_UNITS_EVCM2_1E15] = 0.1 / result->atoms,
						      };

	return factors[units];
}

double sonde_stopping_factor(const sonde_stopping_result *result)
{
	return factor_of(result, result->options->units);
}

/* As SRIM writes them. */
static const char *const unit_names[UNITS] = {
    [SONDE_STOPPING_UNITS_EV_A] = "eV / Angstrom",
    [SONDE_STOPPING_UNITS_KEV_UM] = "keV / micron",
    [SONDE_STOPPING_UNITS_MEV_MM] = "MeV / mm",
    [SONDE_STOPPING_UNITS_KEVCM2_UG] = "keV / (ug/cm2)",
    [SONDE_STOPPING_UNITS_MEVCM2_MG] = "MeV / (mg/cm2)",
    [SONDE_STOPPING_UNITS_KEVCM2_MG] = "keV / (mg/cm2)",
    [SONDE_STOPPING_UNITS_EVCM2_1E15] = "eV / (1E15 atoms/cm2)",
};

const char *sonde_stopping_unit(const sonde_stopping_result *result)
{
	return unit_names[result->options->units];
}

/* Tables ----------------------------------------------------------------------------------- */

void stopping_append_electronic(const sonde_stopping_result *result, struct text *text)
{
	const sonde_stopping_options *options = result->options;
	double unit = 1e-3 / result->ion_mass;

	text_append(text, "electronic stopping: ");
	if (options->stopping_table[0] != '\0')
		text_append(text, "%s", options->stopping_table);
	else
		stopping_append_source(text, (enum stopping_source)options->stopping, result->ion_number,
				       unit * result->energies[0], unit * result->energies[result->count - 1]);
	text_append(text, "\n");
}

void stopping_append_error(const sonde_stopping_result *result, struct text *text)
{
	text_append(
	    text,
	    "numerical error: at most about %.2g of the ranges, %.2g of their straggling, %.2g of the lateral "
	    "one, %.2g of the path (from steps twice as long)\n",
	    text_round_up(result->range_error, 2), text_round_up(result->range_straggling_error, 2),
	    text_round_up(result->lateral_straggling_error, 2), text_round_up(result->path_error, 2));
}

static void append_header(const sonde_stopping_result *result, struct text *text)
{
	const struct sonde_stopping_provenance *provenance = result->provenance;

	provenance_append_origin(text, &provenance->run, "stopping");
	provenance_append_options(text, &stopping_option_table, result->options);
	text_append(text, "# ion: %s, %.10g amu\n# target: %s, %.10g g/cm^3%s%s%s, %.6g atoms/Angstrom^3:",
		    provenance->symbol, result->ion_mass, provenance->material, result->density,
		    provenance->state[0] != '\0' ? " (" : "", provenance->state,
		    provenance->state[0] != '\0' ? ")" : "", result->atoms);
	for (int k = 0; k < result->element_count; ++k) {
		char label[16];
		isotope_label(result->elements[k], result->masses[k], label);
		text_append(text, "%s %s %.6g", k > 0 ? "," : "", label, result->fractions[k]);
	}
	if (provenance->factor != 1.0)
		text_append(text, "; electronic stopping times %.10g", provenance->factor);
	text_append(text, "\n# ");
	stopping_append_electronic(result, text);
	text_append(text, "# ");
	stopping_append_error(result, text);
	if (result->difference != NULL)
		text_append(text, "# difference: of the electronic stopping from that of %s, in percent\n",
			    stopping_source_name((enum stopping_source)result->options->compare));
	text_append(text,
		    "# range: mean depth at rest in a medium without surfaces, and its standard deviation; lateral: "
		    "root mean square along one axis\n");
}

sonde_status stopping_table_text(const sonde_stopping_result *result, bool csv, struct text *text)
{
	double factor = sonde_stopping_factor(result);
	char separator = csv ? ',' : ' ';

	append_header(result, text);
	if (csv)
		text_append(text,
			    "# energy in keV, stopping in %s, lengths in Angstrom, straggling in eV^2/Angstrom\n"
			    "energy,electronic,nuclear,range,range_straggling,lateral_straggling,path,straggling%s\n",
			    sonde_stopping_unit(result), result->difference != NULL ? ",difference" : "");
	else
		text_append(text,
			    "# energy [keV]  electronic nuclear [%s]  range range_straggling lateral_straggling path "
			    "[Angstrom]  straggling [eV^2/Angstrom]%s\n",
			    sonde_stopping_unit(result), result->difference != NULL ? "  difference [%]" : "");
	for (int64_t k = 0; k < result->count; ++k) {
		const double row[] = {factor * result->electronic[k], factor * result->nuclear[k],   result->range[k],
				      result->range_straggling[k],    result->lateral_straggling[k], result->path[k],
				      result->straggling[k]};
		text_append_real(text, 1e-3 * result->energies[k]);
		for (size_t n = 0; n < sizeof row / sizeof *row; ++n)
			text_append(text, "%c%.7g", separator, row[n]);
		if (result->difference != NULL)
			text_append(text, "%c%.3f", separator, 100.0 * result->difference[k]);
		text_append(text, "\n");
	}
	return text_status(text);
}

static sonde_status append_table(const void *result, bool csv, struct text *text)
{
	return stopping_table_text(result, csv, text);
}

static const struct result_format formats[] = {{RESULT_NEXUS_ENDINGS, stopping_write_nexus, NULL},
					       {RESULT_TABLE_ENDINGS, NULL, append_table},
					       {NULL, NULL, NULL}};

sonde_status stopping_check_format(const char *path)
{
	return result_format_check(formats, path);
}

sonde_status sonde_stopping_result_write(const sonde_stopping_result *result, const char *path, int overwrite)
{
	if (result == NULL || path == NULL)
		return status_fail(SONDE_INVALID, "a result and a file are needed, one of them is null");
	return result_write(formats, result, path, overwrite != 0);
}

/* SRIM's layout ------------------------------------------------------------------------------ */

struct scale {
	const char *unit;
	double size;
};

/* The largest unit in which the number is at least 1. */
static const struct scale *find_scale(const struct scale *scales, int count, double value)
{
	int k = count - 1;

	while (k > 0 && value < scales[k].size * (1.0 - 1e-9))
		--k;
	return &scales[k];
}

/* SRIM's energies have two decimals; others as many as they need, up to six. */
static void append_energy(struct text *text, double energy)
{
	static const struct scale scales[] = {{"eV", 1.0}, {"keV", 1e3}, {"MeV", 1e6}, {"GeV", 1e9}};
	const struct scale *scale = find_scale(scales, 4, energy);
	double number = energy / scale->size, power = 100.0;
	int decimals = 2;

	for (; decimals < 6 && fabs(number * power - round(number * power)) > 1e-6; power *= 10.0)
		++decimals;
	text_append(text, "%8.*f %-3s", decimals, number, scale->unit);
}

/* Whole Angstrom, or two decimals of a larger unit. */
static void append_length(struct text *text, double length)
{
	static const struct scale scales[] = {{"A", 1.0}, {"um", 1e4}, {"mm", 1e7}, {"m", 1e10}, {"km", 1e13}};
	const struct scale *scale = find_scale(scales, 5, length);

	text_append(text, "%8.*f %-3s", scale->size > 1.0 ? 2 : 0, length / scale->size, scale->unit);
}

static void append_target(const sonde_stopping_result *result, struct text *text)
{
	double mass = 0.0;

	for (int k = 0; k < result->element_count; ++k)
		mass += result->fractions[k] * result->masses[k];
	text_append(text,
		    " Target Density =  %.4E g/cm3 = %.4E atoms/cm3\r\n"
		    " ======= Target  Composition ========\r\n"
		    "    Atom   Atom   Atomic    Mass     \r\n"
		    "    Name   Numb   Percent   Percent  \r\n"
		    "    ----   ----   -------   -------  \r\n",
		    result->density, 1e24 * result->atoms);
	for (int k = 0; k < result->element_count; ++k)
		text_append(text, "     %-2s     %2d    %6.2f    %6.2f  \r\n", element_symbol(result->elements[k]),
			    result->elements[k], 100.0 * result->fractions[k],
			    100.0 * result->fractions[k] * result->masses[k] / mass);
	text_append(text,
		    " ====================================\r\n"
		    " Bragg Correction = %.2f%%\r\n"
		    " Stopping Units =  %s  \r\n"
		    " See bottom of Table for other Stopping units \r\n\r\n",
		    100.0 * (result->provenance->factor - 1.0), sonde_stopping_unit(result));
}

/* Lines end in CR LF, which readers of these tables require. */
static sonde_status srim_text(const sonde_stopping_result *result, const char *path, struct text *text)
{
	const char *rule = " ==================================================================";
	double factor = sonde_stopping_factor(result);

	text_append(text,
		    "%s\r\n              Calculation by sonde %s in the layout of SRIM's SR\r\n"
		    "              Electronic stopping: %s\r\n"
		    "              Calc. date   ---> %s \r\n%s\r\n\r\n Disk File Name = %s\r\n\r\n"
		    " Ion = %s [%d] , Mass = %.6g amu\r\n\r\n",
		    rule, sonde_version(),
		    result->options->stopping_table[0] != '\0'
			? result->options->stopping_table
			: stopping_source_name((enum stopping_source)result->options->stopping),
		    result->provenance->run.started, rule, path, element_symbol(result->ion_number),
		    result->ion_number, result->ion_mass);
	append_target(result, text);
	text_append(text, "        Ion        dE/dx      dE/dx     Projected  Longitudinal   Lateral\r\n"
			  "       Energy      Elec.      Nuclear     Range     Straggling   Straggling\r\n"
			  "  --------------  ---------- ---------- ----------  ----------  ----------\r\n");
	for (int64_t k = 0; k < result->count; ++k) {
		append_energy(text, result->energies[k]);
		text_append(text, "   %.3E  %.3E ", factor * result->electronic[k], factor * result->nuclear[k]);
		append_length(text, result->range[k]);
		append_length(text, result->range_straggling[k]);
		append_length(text, result->lateral_straggling[k]);
		text_append(text, "\r\n");
	}
	text_append(text, "-----------------------------------------------------------\r\n"
			  " Multiply Stopping by        for Stopping Units\r\n"
			  " -------------------        ------------------\r\n");
	for (int k = 0; k < UNITS; ++k)
		text_append(text, "  %.4E                 %s \r\n", factor_of(result, k) / factor, unit_names[k]);
	text_append(text, "%s\r\n", rule);
	return text_status(text);
}

sonde_status sonde_stopping_result_write_srim(const sonde_stopping_result *result, const char *path, int overwrite)
{
	struct text text = {0};

	if (result == NULL || path == NULL)
		return status_fail(SONDE_INVALID, "a result and a file are needed, one of them is null");
	return result_text_write(srim_text(result, path, &text), &text, path, overwrite != 0);
}
