/* Lists in SRIM's layout: atoms that left, details of the calculation, and the lateral spread of ions at each
 * depth. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ions/option_table.h"
#include "ions/output/result.h"
#include "ions/output/srim_files.h"
#include "ions/tallies/profile.h"

#define ON_SURFACE 1e-6 /* Angstrom; far above rounding errors, far below the size of an atom */
#define RULE "====================================================================\r\n"

/* Atoms that left -------------------------------------------------------------------------- */

/* Appends the text in `part`, padded on the left to `width`, and empties it. */
static void append_padded(struct text *text, struct text *part, int width)
{
	text_append(text, "%*s", width, part->bytes != NULL ? part->bytes : "");
	part->size = 0;
}

static void append_cosine(struct text *text, struct text *part, double cosine)
{
	text_append(part, "%.7f", fabs(cosine));
	/* 0.9 is written as .9 */
	const char *figures = part->bytes == NULL ? "" : part->bytes[0] == '0' ? part->bytes + 1 : part->bytes;
	text_append(text, " %c%s", cosine < 0.0 ? '-' : ' ', figures);
	part->size = 0;
}

/* Atoms that left through the surface are on it up to the rounding of the last flight: 0, not -6938894E-23. */
static double depth_of(const sonde_ions_exit *leaving)
{
	double depth = leaving->position[0];

	return fabs(depth) < ON_SURFACE ? 0.0 : depth;
}

static void append_exit(const sonde_ions_result *result, const sonde_ions_exit *leaving, char letter,
			struct text *text, struct text *part)
{
	text_append(text, "%c %4lld %2d ", letter, (long long)leaving->ion + 1,
		    result->kinds[leaving->kind].atomic_number);
	srim_append_number(text, leaving->energy, 0, 7);
	srim_append_number(part, depth_of(leaving), 7, -1);
	append_padded(text, part, 14);
	for (int k = 1; k < 3; ++k) {
		srim_append_number(part, leaving->position[k], 0, 4);
		append_padded(text, part, 11);
	}
	text_append(text, " ");
	for (int k = 0; k < 3; ++k)
		append_cosine(text, part, leaving->direction[k]);
	text_append(text, "\r\n");
}

int64_t srim_append_exits(const sonde_ions_result *result, enum srim_file file, struct text *text)
{
	static const char rule[] =
	    "==============================================================================\r\n";
	const char *what = file == SRIM_TRANSMIT   ? "TRANSMIT.txt : Transmitted Ions"
			   : file == SRIM_BACKSCAT ? "BACKSCAT.txt : Backscattered Ions"
						   : "SPUTTER.txt : Sputtered Atoms";
	char letter = file == SRIM_TRANSMIT ? 'T' : file == SRIM_BACKSCAT ? 'B' : 'S';
	int fate = file == SRIM_TRANSMIT ? SONDE_IONS_TRANSMITTED : SONDE_IONS_BACKSCATTERED;
	struct text part = {0};
	int64_t count = 0;

	text_append(text, "=================== Sonde %s, as SRIM-2013.00 ===================\r\n%s", sonde_version(),
		    rule);
	text_append(text, "=================  %s%s  =================\r\n", what,
		    result->exits_left_out > 0 ? ", the first ones" : "");
	text_append(text, "=  S= Sputtered Atom, B= Backscattered Ion, T= Transmitted Ion;              =\r\n"
			  "=  number of the ion; Z of the atom that left; its energy (eV);              =\r\n"
			  "=  where it left: X= depth, Y and Z across;                                  =\r\n"
			  "=  cosines of its direction with X, Y, Z.                                    =\r\n"
			  "=  Ions are numbered from 1; lengths are in Angstrom.                        =\r\n"
			  "=  TRIM.DAT has the same columns.                                            =\r\n");
	srim_append_calculation(result, text);
	text_append(text, " Ion  Atom   Energy        Depth       Lateral-Position        Atom Direction      \r\n"
			  " Numb Numb    (eV)          X(A)        Y(A)       Z(A)      Cos(X)  Cos(Y) Cos(Z) \r\n");
	for (int64_t k = 0; k < result->exit_count; ++k) {
		const sonde_ions_exit *leaving = &result->exits[k];
		if (leaving->fate != fate || (leaving->kind != 0) != (file == SRIM_SPUTTER))
			continue;
		append_exit(result, leaving, letter, text, &part);
		++count;
	}
	text->failed |= part.failed;
	text_free(&part);
	return count;
}

/* Details ---------------------------------------------------------------------------------- */

static void append_length(const char *name, double length, struct text *text)
{
	text_append(text, "%s=  ", name);
	srim_append_number(text, length, 6, 0);
	text_append(text, " Angstroms\r\n");
}

/* The lines of a comment, with the line ends of these files. */
static void append_provenance(const sonde_ions_result *result, struct text *text)
{
	struct text lines = {0};

	provenance_append_origin(&lines, &result->provenance->run, "ions");
	provenance_append_options(&lines, &ions_option_table, result->options);
	provenance_append_device(&lines, &result->provenance->run, result->seconds);
	for (size_t k = 0; k < lines.size; ++k) {
		if (lines.bytes[k] == '\n')
			text_append_byte(text, '\r');
		text_append_byte(text, lines.bytes[k]);
	}
	text->failed |= lines.failed;
	text_free(&lines);
}

void srim_append_details(const sonde_ions_result *result, struct text *text)
{
	double begin = result->origin[0];

	srim_append_header(result, SRIM_TDATA, text);
	for (int k = 1; k < result->kind_count; ++k)
		text_append(text,
			    "Target energies for target atom = %2s\r\n"
			    "    Displacement = %.4g eV, Binding = %.4g eV, Surface = %.4g eV\r\n",
			    srim_symbol(result, k), result->kinds[k].displacement, result->kinds[k].lattice,
			    result->kinds[k].surface_binding);
	text_append(text, RULE "Depth Range of Tabulated Data=  ");
	srim_append_number(text, begin, 6, 0);
	text_append(text, "  -  ");
	srim_append_number(text, begin + (double)result->size[0] * result->cell_width[0], 6, 0);
	text_append(text, "  Angstroms\r\n");
	text_append(text, RULE "Total Ions calculated =  %06lld\r\n", (long long)result->ions);
	append_length("Average Range         ", result->range.value, text);
	append_length("Average Straggling    ", result->straggling.value, text);
	text_append(text, "Average Vacancy/Ion   =  ");
	srim_append_number(text, result->vacancies.value, 6, 0);
	text_append(text, "\r\n" RULE "Total Backscattered Ions=  %lld \r\nTotal Transmitted Ions  =  %lld \r\n" RULE,
		    (long long)result->backscattered, (long long)result->transmitted);
	append_provenance(result, text);
}

/* Spread ----------------------------------------------------------------------------------- */

/* Means over the ions at a depth, of their positions in y and z: |y|, y^2, r, r^2. */
struct spread {
	double ions, distance, square, radius, radius_square;
};

/* Mean of |y| from a to b. */
static double mean_distance(double a, double b)
{
	return a < 0.0 && b > 0.0 ? (a * a + b * b) / (2.0 * (b - a)) : fabs(a + b) / 2.0;
}

static struct spread find_spread(const sonde_ions_result *result, const sonde_ions_tally *implanted, int64_t i)
{
	const double *width = result->cell_width;
	struct spread sums = {0};

	for (int64_t row = 0; row < result->size[1] * result->size[2]; ++row) {
		double ions = implanted->values[row * result->size[0] + i];
		int64_t up = row % result->size[1], aside = row / result->size[1];
		double y = result->origin[1] + (double)up * width[1],
		       z = result->origin[2] + (double)aside * width[2];
		/* assuming a uniform distribution of ions in a cell */
		double square = pow(y + 0.5 * width[1], 2.0) + pow(z + 0.5 * width[2], 2.0) +
				(width[1] * width[1] + width[2] * width[2]) / 12.0;
		sums.ions += ions;
		sums.distance += ions * 0.5 * (mean_distance(y, y + width[1]) + mean_distance(z, z + width[2]));
		sums.square += ions * 0.5 * square;
		sums.radius += ions * hypot(y + 0.5 * width[1], z + 0.5 * width[2]);
		sums.radius_square += ions * square;
	}
	return sums;
}

static void append_spread(const sonde_ions_result *result, struct text *text)
{
	const sonde_ions_tally *implanted = ions_find_tally(result, "implanted ions", "");

	for (int64_t i = 0; implanted != NULL && i < result->size[0]; ++i) {
		struct spread sums = find_spread(result, implanted, i);
		double ions = sums.ions > 0.0 ? sums.ions : 1.0, mean = sums.radius / ions;
		const double columns[] = {sums.distance / ions, sqrt(sums.square / ions), mean,
					  sqrt(fmax(0.0, sums.radius_square / ions - mean * mean))};
		srim_append_number(text, result->origin[0] + (double)(i + 1) * result->cell_width[0] + 0.01, 7, 0);
		for (size_t c = 0; c < sizeof columns / sizeof *columns; ++c) {
			text_append(text, " ");
			srim_append_number(text, columns[c], 8, 0);
		}
		text_append(text, " \r\n");
	}
}

sonde_status srim_append_lateral(const sonde_ions_result *result, struct text *text)
{
	bool spread = result->size[1] > 1 && result->size[2] > 1;

	srim_append_header(result, SRIM_LATERAL, text);
	text_append(text, RULE);
	srim_append_ranges(result, text);
	if (!spread) {
		text_append(text, " No table: the run had no cells in y and z (option cells).\r\n");
		return text_status(text);
	}
	text_append(text, "                LATERAL     Projected      LATERAL        Radial    \r\n"
			  "  TARGET       PROJ.RANGE   Straggling      RADIAL      Straggling  \r\n"
			  "  DEPTH (A)   (Angstroms)   (Angstroms)   (Angstroms)   (Angstroms) \r\n"
			  "------------ ------------- ------------- ------------- -------------\r\n");
	append_spread(result, text);
	return text_status(text);
}
