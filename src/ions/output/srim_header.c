/* Headings of text files in SRIM's layout. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ions/output/srim_files.h"
#include "matter/elements/label.h"
#include "sonde/status.h"

#define RULE "====================================================================\r\n"

void srim_append_number(struct text *text, double x, int digits, int decimals)
{
	int all = digits + (decimals > 0 ? decimals : 0), power = 0;
	long long mantissa = 0, below = 1;
	char figures[32];

	if (isfinite(x) && x != 0.0) {
		power = (int)floor(log10(fabs(x))) - all + 1;
		/* in two steps, as 10^-power may be too large for a double */
		int half = power / 2;
		mantissa = llround(fabs(x) * pow(10.0, -half) * pow(10.0, half - power));
		for (int k = 0; k < all; ++k)
			below *= 10;
		if (mantissa >= below) {
			mantissa /= 10;
			++power;
		}
		power += all - digits;
	}
	snprintf(figures, sizeof figures, "%0*lld", all, mantissa);
	text_append(text, "%s%.*s%s%sE%c%02d", x < 0.0 ? "-" : "", digits, figures, decimals < 0 ? "" : ".",
		    figures + digits, power < 0 ? '-' : '+', power < 0 ? -power : power);
}

/* Names come from the user. */
static void append_name(struct text *text, const char *name)
{
	for (; *name != '\0'; ++name)
		text_append_byte(text, *name >= ' ' && *name <= '~' ? *name : '?');
}

const char *srim_symbol(const sonde_ions_result *result, int kind)
{
	const char *symbol = element_symbol(result->kinds[kind].atomic_number);

	return symbol != NULL ? symbol : "?";
}

bool srim_is_quick(const sonde_ions_result *result)
{
	return result->options->cascades == SONDE_IONS_CASCADES_QUICK;
}

/* The end of a layer; for an infinite one that of the last cell. */
static double layer_end(const sonde_ions_result *result, const sonde_ions_layer *layer)
{
	double last = result->origin[0] + (double)result->size[0] * result->cell_width[0];

	return isfinite(layer->end) ? layer->end : fmax(last, layer->begin);
}

static void append_layer(const sonde_ions_result *result, int k, enum srim_file file, struct text *text)
{
	const sonde_ions_layer *layer = &result->layers[k];
	double mass = 0.0;

	if (file == SRIM_TDATA) {
		text_append(text, "  Layer # %d - ", k + 1);
		append_name(text, layer->name);
		text_append(text, "\r\n  Layer # %d - Bottom Depth= ", k + 1);
		srim_append_number(text, layer_end(result, layer), 6, 0);
		text_append(text, " A\r\n");
	} else {
		text_append(text, "Layer %2d : ", k + 1);
		append_name(text, layer->name);
		text_append(text, "\r\nLayer Width = ");
		srim_append_number(text, layer_end(result, layer) - layer->begin, 6, 0);
		text_append(text, file == SRIM_RANGE ? " A " : " A ;\r\n");
	}
	text_append(text, "  Layer # %d- Density = %.4gE22 atoms/cm3 = %.4g g/cm3\r\n", k + 1, layer->atoms * 100.0,
		    layer->density);
	for (int i = 1; i < result->kind_count; ++i)
		if (result->kinds[i].layer == k)
			mass += result->kinds[i].fraction * result->kinds[i].mass;
	for (int i = 1; i < result->kind_count; ++i)
		if (result->kinds[i].layer == k)
			text_append(text, "  Layer # %d- %2s = %-4.4g Atomic Percent = %-4.4g Mass Percent\r\n",
				    k + 1, srim_symbol(result, i), 100.0 * result->kinds[i].fraction,
				    100.0 * result->kinds[i].fraction * result->kinds[i].mass / mass);
	if (file == SRIM_TDATA)
		text_append(text, RULE);
}

static void append_layers(const sonde_ions_result *result, enum srim_file file, struct text *text)
{
	text_append(text, "============= TARGET MATERIAL ======================================\r\n");
	for (int k = 0; k < result->layer_count; ++k)
		append_layer(result, k, file, text);
	if (file != SRIM_TDATA)
		text_append(text, RULE);
}

/* The ion, and the names of the layers separated by slashes: "Fe (2000) into SiO2/Si" */
static void append_title(const sonde_ions_result *result, struct text *text)
{
	struct text title = {0};

	text_append(&title, "%s (%.4g) into ", srim_symbol(result, 0), result->energy / 1e3);
	for (int k = 0; k < result->layer_count; ++k) {
		append_name(&title, k > 0 ? "/" : "");
		append_name(&title, result->layers[k].name);
	}
	text_append(text, "====== %-40s =======\r\n", title.bytes != NULL ? title.bytes : "");
	text->failed |= title.failed;
	text_free(&title);
}

void srim_append_calculation(const sonde_ions_result *result, struct text *text)
{
	double energy = result->energy, last = 0.0;
	bool mega = energy >= 1e6;
	size_t before = text->size;

	for (int k = 0; k < result->layer_count; ++k)
		last = fmax(last, layer_end(result, &result->layers[k]));
	text_append(text, "====== TRIM Calc.= %2s(%.4g %s) ==> ", srim_symbol(result, 0), energy / (mega ? 1e6 : 1e3),
		    mega ? "MeV" : "keV");
	for (int k = 0; k < result->layer_count; ++k) {
		append_name(text, k > 0 ? "+" : "");
		append_name(text, result->layers[k].name);
	}
	if (last >= 1e4)
		text_append(text, "(  %.4g um) ", last / 1e4);
	else
		text_append(text, "(  %.4g A) ", last);
	do
		text_append_byte(text, '=');
	while (!text->failed && text->size - before < 78);
	text_append(text, "\r\n");
}

void srim_append_ranges(const sonde_ions_result *result, struct text *text)
{
	double mean = result->radial_range.value, square = 2.0 * pow(result->lateral_straggling.value, 2.0);
	const struct {
		const char *name;
		double range, straggling;
	} rows[] = {{"Average", result->range.value, result->straggling.value},
		    {"Lateral", result->lateral_range.value, result->lateral_straggling.value},
		    {"Radial ", mean, sqrt(fmax(0.0, square - mean * mean))}};

	for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
		text_append(text, " Ion %s Range = ", rows[k].name);
		srim_append_number(text, rows[k].range, 6, 0);
		text_append(text, " A   Straggling = ");
		srim_append_number(text, rows[k].straggling, 6, 0);
		text_append(text, " A\r\n");
	}
	text_append(text, RULE);
}

static void append_ion(const sonde_ions_result *result, enum srim_file file, struct text *text)
{
	if (file == SRIM_TDATA)
		text_append(text,
			    "Ion = %2s (%2d)   Ion Mass= %08.4f\r\nEnergy  = %.10g keV\r\n"
			    "Ion Angle to Surface = %.4g degrees\r\n",
			    srim_symbol(result, 0), result->kinds[0].atomic_number, result->ion_mass,
			    result->energy / 1e3, result->options->angle);
	else
		text_append(text, " Details of the calculation: TDATA.txt\r\n Ion    = %2s   Energy = %.10g keV\r\n",
			    srim_symbol(result, 0), result->energy / 1e3);
}

void srim_append_header(const sonde_ions_result *result, enum srim_file file, struct text *text)
{
	static const char *const titles[SRIM_FILES] = {
	    [SRIM_TDATA] = "The calculation",
	    [SRIM_RANGE] = "Where ions and RECOIL atoms came to rest",
	    [SRIM_VACANCY] = "VACANCY production",
	    [SRIM_IONIZ] = "IONIZATION by ions and recoils",
	    [SRIM_PHONON] = "PHONONS by ions and recoils",
	    [SRIM_E2RECOIL] = "Energy that ions gave to RECOILS",
	    [SRIM_NOVAC] = "Replacement Collisions",
	    [SRIM_LATERAL] = "LATERAL SPREAD OF IONS",
	};
	static const char rule[] = "==================================================\r\n";

	append_title(result, text);
	text_append(text, "        Sonde %s, in the layout of SRIM-2013.00\r\n%s   %s\r\n", sonde_version(), rule,
		    titles[file]);
	if (file != SRIM_TDATA)
		text_append(text, " Numbers are for an ion; see TDATA.txt\r\n");
	text_append(text, "%s", rule);
	if (srim_is_quick(result)) /* programs search for these words */
		text_append(text, "--------------------------------------------------------------------\r\n"
				  "    Recoil/Damage Calculations made with Kinchin-Pease Estimates    \r\n"
				  "--------------------------------------------------------------------\r\n");
	if (srim_is_quick(result) && file == SRIM_NOVAC)
		return;
	if (srim_is_quick(result) && file == SRIM_RANGE)
		text_append(text, "----------------------------------------------------------------\r\n"
				  "  Recoils were not followed: the last column is empty.\r\n"
				  "----------------------------------------------------------------\r\n");
	append_ion(result, file, text);
	append_layers(result, file, text);
	if (file != SRIM_TDATA)
		text_append(text, " Total Ions calculated =%.2f\r\n", (double)result->ions);
}
