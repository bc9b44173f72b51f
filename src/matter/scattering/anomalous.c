#include "matter/scattering/anomalous.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "matter/elements/label.h"
#include "matter/elements/table_row.h"

/* the tables of data/, embedded unchanged */
extern const char data_anomalous_henke[], data_anomalous_epdl97[], data_anomalous_chantler[];
extern const char data_anomalous_cromer_liberman[];

/* Absorption edges: between two rows f'' increases by more than 3 % and faster than E^5, which f'' never does without
 * one. Of rows that are closer than 0.1 %, each is one side of the edge; others leave its energy open. */
#define EDGE_RISE 1.03
#define EDGE_POWER 5.0
#define EDGE_WIDTH 1e-3
/* A line is meant if the energy deviates by less: as between 1.5406 and 1.540593 Angstrom. */
#define LINE_WIDTH 1e-4

/* Real and imaginary parts at one energy in eV. */
struct point {
	double energy, real, imaginary;
};

static double number(const char *field)
{
	double value = 0.0;

	return text_parse_real(field, field + strlen(field), &value) ? value : 0.0;
}

/* The first row of an element, of a table whose rows are in the order of atomic numbers; "" if there is none. */
static const char *find_element(const char *table, int atomic_number)
{
	const char *row = table_first_row(table);

	while (*row != '\0' && atoi(row) < atomic_number) {
		row += strcspn(row, "\n");
		row += *row != '\0';
	}
	return row;
}

/* f' = f1 - Z: f1 of Henke et al. has the relativistic correction, that of Chantler needs it and the nuclear Thomson
 * term (columns 4 and 5), EPDL97 gives f' itself. */
static struct point read_point(enum anomalous_table table, const struct table_row *row)
{
	const double z = number(row->field[0]), energy = number(row->field[1]), real = number(row->field[2]);
	const double imaginary = number(row->field[3]);

	switch (table) {
	case ANOMALOUS_HENKE:
		return (struct point){energy, real - z, imaginary};
	case ANOMALOUS_CHANTLER:
		return (struct point){1e3 * energy, real - z + number(row->field[4]) + number(row->field[5]),
				      imaginary};
	default:
		return (struct point){1e3 * energy, real, imaginary};
	}
}

static bool next_point(enum anomalous_table table, int atomic_number, const char **rows, struct point *point)
{
	struct table_row row;

	if (atoi(*rows) != atomic_number || !table_next_row(rows, 6, &row))
		return false;
	*point = read_point(table, &row);
	return true;
}

/* EPDL97 has the edges with their width. */
static bool is_edge(enum anomalous_table table, const struct point *below, const struct point *above)
{
	const double rise = above->imaginary / below->imaginary;

	return table != ANOMALOUS_EPDL97 && below->imaginary > 0.0 && rise > EDGE_RISE &&
	       rise - 1.0 > EDGE_POWER * (above->energy / below->energy - 1.0);
}

/* Absorption coefficients decrease as E^-3, f'' therefore as E^-2. */
static struct point interpolate(const struct point *below, const struct point *above, double energy)
{
	const double t = (energy - below->energy) / (above->energy - below->energy);
	const double square_below = below->energy * below->energy, square_above = above->energy * above->energy;
	const double scaled = (1.0 - t) * square_below * below->imaginary + t * square_above * above->imaginary;

	return (struct point){energy, (1.0 - t) * below->real + t * above->real, scaled / (energy * energy)};
}

static sonde_status between(enum anomalous_table table, int atomic_number, const struct point *below,
			    const struct point *above, double energy, struct point *point)
{
	if (energy == below->energy || energy == above->energy) {
		*point = energy == below->energy ? *below : *above;
		return SONDE_OK;
	}
	if (!is_edge(table, below, above)) {
		*point = interpolate(below, above, energy);
		return SONDE_OK;
	}
	if (above->energy - below->energy > EDGE_WIDTH * below->energy)
		return status_fail_option(
		    SONDE_INVALID, "energy",
		    "%.8g keV is too close to an absorption edge of %s: the table has no values "
		    "between %.7g and %.7g keV; choose another energy or `anomalous epdl97`",
		    1e-3 * energy, element_symbol(atomic_number), 1e-3 * below->energy, 1e-3 * above->energy);
	*point = energy - below->energy < above->energy - energy ? *below : *above;
	return SONDE_OK;
}

static sonde_status find_in_rows(enum anomalous_table table, const char *rows, int atomic_number, double energy,
				 struct point *found)
{
	const char *symbol = element_symbol(atomic_number);
	struct point first, below, above;

	rows = find_element(rows, atomic_number);
	if (!next_point(table, atomic_number, &rows, &first))
		return status_fail_option(SONDE_INVALID, "anomalous", "this table lacks %s (Z = %d)", symbol,
					  atomic_number);
	for (below = above = first; energy > above.energy;) {
		below = above;
		if (!next_point(table, atomic_number, &rows, &above))
			break;
	}
	while (energy < first.energy && next_point(table, atomic_number, &rows, &above))
		; /* to the last row, for the message */
	if (energy < first.energy || energy > above.energy)
		return status_fail_option(SONDE_INVALID, "energy",
					  "%.8g keV is outside the table of anomalous scattering of %s, %.6g to %.6g "
					  "keV",
					  1e-3 * energy, symbol, 1e-3 * first.energy, 1e-3 * above.energy);
	return between(table, atomic_number, &below, &above, energy, found);
}

static sonde_status fail_line(const char *lines, int atomic_number, double energy)
{
	if (lines[0] == '\0')
		return status_fail_option(SONDE_INVALID, "anomalous", "this table lacks %s (Z = %d)",
					  element_symbol(atomic_number), atomic_number);
	return status_fail_option(SONDE_INVALID, "energy",
				  "%.8g keV is not one of the lines of cromer-liberman: %s keV; choose `anomalous "
				  "henke` or epdl97",
				  1e-3 * energy, lines);
}

/* Columns: symbol, Z, line, wavelength, energy, f', f''. */
static sonde_status find_line(int atomic_number, double energy, struct point *found)
{
	const char *rows = table_first_row(data_anomalous_cromer_liberman);
	struct table_row row;
	char lines[256] = "";

	while (table_next_row(&rows, 7, &row)) {
		const double line = number(row.field[4]);
		if (atoi(row.field[1]) != atomic_number)
			continue;
		snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "%s%s %.6g",
			 lines[0] != '\0' ? ", " : "", row.field[2], 1e-3 * line);
		if (fabs(energy - line) > LINE_WIDTH * line)
			continue;
		*found = (struct point){line, number(row.field[5]), number(row.field[6])};
		return SONDE_OK;
	}
	return fail_line(lines, atomic_number, energy);
}

sonde_status anomalous_find(enum anomalous_table table, int atomic_number, double energy, double *real,
			    double *imaginary)
{
	const char *const rows[] = {[ANOMALOUS_HENKE] = data_anomalous_henke,
				    [ANOMALOUS_EPDL97] = data_anomalous_epdl97,
				    [ANOMALOUS_CHANTLER] = data_anomalous_chantler};
	struct point found = {0};

	if (table == ANOMALOUS_CROMER_LIBERMAN)
		CHECK(find_line(atomic_number, energy, &found));
	else if (table != ANOMALOUS_NONE)
		CHECK(find_in_rows(table, rows[table], atomic_number, energy, &found));
	*real = found.real;
	*imaginary = found.imaginary;
	return SONDE_OK;
}

const char *anomalous_table_source(enum anomalous_table table)
{
	static const char *const sources[] = {
	    "none", ("B. L. Henke, E. M. Gullikson & J. C. Davis, At. Data Nucl. Data Tables 54 (1993) 181 (CXRO)"),
	    ("EPDL97: D. E. Cullen, J. H. Hubbell & L. Kissel, UCRL-50400 vol. 6 rev. 5 (1997)"),
	    ("C. T. Chantler, J. Phys. Chem. Ref. Data 24 (1995) 71; 29 (2000) 597 (NIST FFAST)"),
	    ("D. T. Cromer & D. Liberman, by S. Brennan & P. L. Cowan, Rev. Sci. Instrum. 63 (1992) 850")};

	return sources[table];
}
