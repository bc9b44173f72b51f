#include "matter/scattering/scatterer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/text.h"
#include "device/kernel.h"
#include "device/kernel_math.h"
#include "matter/scattering/form_factor_curve.h"
#include "matter/elements/label.h"

/* the tables of data/, embedded unchanged */
extern const char data_f0_waasmaier_kirfel_1995[], data_f0_it1992_cromer_mann[];
extern const char data_neutron_sears1992_nist[], data_neutron_scattering_lengths[];
extern const char data_fe_lobato_2014[], data_fe_kirkland_2010[];
extern const char data_fe_peng_low_0_2[], data_fe_peng_high_0_6[], data_fe_peng_ionic_1998[];

#define FIELDS 18

/* One line of a table, split at its commas. */
struct record {
	char line[512];
	const char *field[FIELDS];
};

/* Reads the next line with data; false at the end of the table. Notes start with '#', and the first
 * other line names the columns. */
static bool next_record(const char **table, struct record *record)
{
	while (**table != '\0') {
		size_t length = strcspn(*table, "\n");
		bool data = **table != '#' && length > 0 && length < sizeof record->line;
		if (data) {
			memcpy(record->line, *table, length);
			record->line[length] = '\0';
		}
		*table += length + ((*table)[length] == '\n');
		if (!data)
			continue;
		char *c = record->line;
		for (int i = 0; i < FIELDS; ++i) {
			record->field[i] = c;
			c += strcspn(c, ",");
			if (*c != '\0')
				*c++ = '\0';
		}
		return true;
	}
	return false;
}

static const char *begin_records(const char *table)
{
	struct record names;

	next_record(&table, &names);
	return table;
}

static double number(const char *field)
{
	double value = 0.0;

	return text_parse_real(field, field + strlen(field), &value) ? value : 0.0;
}

/* A table of coefficients by element and charge. */
struct factor_table {
	const char *rows;
	enum scatterer_form form;
	int first; /* field of the first coefficient; if 4, field 3 is a tag */
	int terms;
	bool constant; /* c follows */
};

static const struct factor_table waasmaier_kirfel = {data_f0_waasmaier_kirfel_1995, SCATTERER_GAUSSIANS, 4, 5, true};
static const struct factor_table it1992 = {data_f0_it1992_cromer_mann, SCATTERER_GAUSSIANS, 4, 4, true};
static const struct factor_table lobato = {data_fe_lobato_2014, SCATTERER_LOBATO, 3, 5, false};
static const struct factor_table peng_low = {data_fe_peng_low_0_2, SCATTERER_GAUSSIANS, 3, 5, false};
static const struct factor_table peng_high = {data_fe_peng_high_0_6, SCATTERER_GAUSSIANS, 3, 5, false};
static const struct factor_table peng_ionic = {data_fe_peng_ionic_1998, SCATTERER_GAUSSIANS, 3, 5, false};
static const struct factor_table kirkland = {data_fe_kirkland_2010, SCATTERER_KIRKLAND, 3, 3, false};

/* Mott and Bethe: f = (Z - f_X(s))/(8 pi^2 a_B s^2); an ion's charge remains at small s. */
#define MOTT_BETHE (1.0 / (8.0 * PI * PI * BOHR_RADIUS_ANGSTROM)) /* 0.023934 1/Angstrom */

static void read_terms(const struct record *record, int first, int terms, double *a, double *b)
{
	for (int i = 0; i < terms; ++i) {
		a[i] = number(record->field[first + i]);
		b[i] = number(record->field[first + terms + i]);
	}
}

/* The scattering factor of a table row. */
static struct scatterer read_form_factor(const struct factor_table *table, const struct record *record)
{
	struct scatterer scatterer = {.form = table->form, .atomic_number = atoi(record->field[1])};

	read_terms(record, table->first, table->terms, scatterer.a, scatterer.b);
	if (table->form == SCATTERER_KIRKLAND)
		read_terms(record, table->first + 2 * table->terms, table->terms, scatterer.a + 3, scatterer.b + 3);
	if (table->constant)
		scatterer.c = number(record->field[table->first + 2 * table->terms]);
	if (table == &peng_ionic)
		scatterer.coulomb = MOTT_BETHE * atoi(record->field[2]);
	return scatterer;
}

/* A search for a label in one table after another. */
struct search {
	const char *name;
	struct label label;
	sonde_status label_status;
	bool found;
	int last_number;  /* largest atomic number */
	char others[256]; /* entries of the element */
};

/* The row of exactly this name (Cval, Siva), or of the same element and charge. Rows with a tag match by name only. */
static sonde_status search_table(const struct factor_table *table, struct search *search, struct scatterer *scatterer)
{
	struct record record;
	char *others = search->others;

	for (const char *rows = begin_records(table->rows); next_record(&rows, &record);) {
		const char *entry = record.field[0], *tag = table->first == 4 ? record.field[3] : "";
		int atomic_number = atoi(record.field[1]);
		bool same_element = search->label_status == SONDE_OK && atomic_number == search->label.atomic_number;
		bool same_charge = same_element && tag[0] == '\0' && atoi(record.field[2]) == search->label.charge;
		bool misprint = strcmp(tag, "misprint") == 0;
		if (misprint && same_element && atoi(record.field[2]) == search->label.charge)
			return status_fail(SONDE_INVALID,
					   "no form factor for '%.32s': this table's entry is a misprint; choose "
					   "other factors",
					   search->name);
		if ((strcmp(entry, search->name) == 0 && !misprint) || same_charge) {
			*scatterer = read_form_factor(table, &record);
			search->found = true;
			return SONDE_OK;
		}
		if (same_element && !misprint)
			snprintf(others + strlen(others), sizeof search->others - strlen(others), "%s%s",
				 others[0] != '\0' ? ", " : "", entry);
		if (atomic_number > search->last_number)
			search->last_number = atomic_number;
	}
	return SONDE_OK;
}

/* The label in one table, or the other if there is one. */
static sonde_status find_form_factor(const struct factor_table *table, const struct factor_table *other,
				     const char *name, struct scatterer *scatterer)
{
	struct search search = {.name = name};

	search.label_status = label_parse(name, &search.label);
	CHECK(search_table(table, &search, scatterer));
	if (!search.found && other != NULL)
		CHECK(search_table(other, &search, scatterer));
	if (search.found)
		return SONDE_OK;
	if (search.label_status != SONDE_OK)
		return search.label_status; /* its message is kept */
	const bool neutral = table == &lobato || table == &peng_low || table == &kirkland;
	if (search.others[0] != '\0')
		return status_fail(SONDE_INVALID, "no form factor for '%.32s'; the table has %s%s", name,
				   search.others, neutral ? ", ions are in " OPTION_VALUE("factors", "peng") : "");
	return status_fail(SONDE_INVALID, "no form factor for '%.32s': the table ends at Z = %d", name,
			   search.last_number);
}

/* Isotopes with a length, as "58Ni, 60Ni", for a message. */
static void list_isotopes(int atomic_number, char *list, size_t size)
{
	const char *table = begin_records(data_neutron_scattering_lengths);
	struct record record;

	list[0] = '\0';
	while (next_record(&table, &record))
		if (atoi(record.field[1]) == atomic_number && record.field[6][0] != '\0')
			snprintf(list + strlen(list), size - strlen(list), "%s%s%s", list[0] != '\0' ? ", " : "",
				 record.field[2], record.field[0]);
}

/* By the optical theorem a nucleus that absorbs with the cross-section sigma scatters with Im b = -sigma/(2 lambda)
 * (Sears 1992, eq. 12); the tables give sigma in barn at this wavelength in fm. */
#define TABLE_WAVELENGTH 1.798e5
#define FM2_PER_BARN 100.0
/* Imaginary parts below this fraction of b change |b|^2 by less than 1e-4, the tables' own error, and are omitted
 * where the table does so. */
#define SLIGHT_ABSORPTION 0.01

/* b and Im b of a row, by numbers of its fields; `own`: Im b of the row is accurate to all its digits. */
static sonde_status read_length(const struct record *record, int real, int imaginary, int absorption, bool own,
				struct scatterer *scatterer)
{
	const char *field = record->field[absorption];
	double barns, given = number(record->field[imaginary]);

	scatterer->c = number(record->field[real]);
	scatterer->c_imaginary = given;
	if (own && given != 0.0)
		return SONDE_OK;
	if (!text_parse_real(field, field + strlen(field), &barns))
		return status_fail(SONDE_INVALID,
				   "the table has no absorption cross-section of %s%s, and hence not the imaginary "
				   "part of its scattering length",
				   absorption > 4 ? record->field[2] : "", record->field[0]);
	double absorbed = FM2_PER_BARN * barns / (2.0 * TABLE_WAVELENGTH);
	if (given != 0.0 || absorbed > SLIGHT_ABSORPTION * fabs(scatterer->c))
		scatterer->c_imaginary = -absorbed;
	return SONDE_OK;
}

/* The list of 1992: natural elements and D. */
static sonde_status find_in_sears(const struct label *label, struct scatterer *scatterer, bool *found)
{
	bool deuterium = label->atomic_number == 1 && label->mass_number == 2;
	const char *symbol = deuterium ? "D" : element_symbol(label->atomic_number);
	const char *table = begin_records(data_neutron_sears1992_nist);
	struct record record;

	*found = false;
	while ((deuterium || label->mass_number == 0) && next_record(&table, &record)) {
		*found = strcmp(record.field[0], symbol) == 0;
		if (*found)
			return read_length(&record, 2, 3, 4, true, scatterer);
	}
	return SONDE_OK;
}

/* The table of 2003. Its imaginary parts have two digits, and some contradict its cross-sections (113Cd: -12 instead of
 * -5.73), so those from the cross-sections are used. An element with one isotope has no row of its own. */
static sonde_status find_in_rauch(const struct label *label, struct scatterer *scatterer, bool *found)
{
	const char *table = begin_records(data_neutron_scattering_lengths);
	struct record record;

	*found = false;
	while (next_record(&table, &record)) {
		int mass_number = atoi(record.field[2]);
		bool natural = label->mass_number == 0 && number(record.field[3]) == 100.0;
		*found = atoi(record.field[1]) == label->atomic_number &&
			 (mass_number == label->mass_number || natural) && record.field[6][0] != '\0';
		if (*found)
			return read_length(&record, 6, 8, 15, false, scatterer);
	}
	return SONDE_OK;
}

/* Nuclei with resonances at thermal energies, for which no 1/v law holds: flag E of the table of 2003. */
static bool depends_on_energy(const struct label *label)
{
	const char *table = begin_records(data_neutron_scattering_lengths);
	struct record record;

	while (next_record(&table, &record))
		if (atoi(record.field[1]) == label->atomic_number && atoi(record.field[2]) == label->mass_number)
			return strchr(record.field[11], 'E') != NULL;
	return false;
}

static sonde_status find_scattering_length(bool sears, const char *name, struct scatterer *scatterer)
{
	struct label label;
	char isotopes[256];
	bool found = false;

	CHECK(label_parse(name, &label)); /* the charge of the ion is irrelevant to the nucleus */
	*scatterer = (struct scatterer){.atomic_number = label.atomic_number};
	if (sears)
		CHECK(find_in_sears(&label, scatterer, &found));
	if (!found)
		CHECK(find_in_rauch(&label, scatterer, &found));
	scatterer->depends_on_energy = found && depends_on_energy(&label);
	if (found)
		return SONDE_OK;
	list_isotopes(label.atomic_number, isotopes, sizeof isotopes);
	if (isotopes[0] == '\0')
		return status_fail(SONDE_INVALID, "no neutron scattering length is known for '%.32s'", name);
	return status_fail(SONDE_INVALID, "no neutron scattering length for '%.32s'; the table has %s", name,
			   isotopes);
}

sonde_status scatterer_find(enum scattering_table table, const char *label, struct scatterer *scatterer)
{
	struct label parsed;

	switch (table) {
	case SCATTERING_WAASMAIER_KIRFEL:
		return find_form_factor(&waasmaier_kirfel, NULL, label, scatterer);
	case SCATTERING_IT1992:
		return find_form_factor(&it1992, NULL, label, scatterer);
	case SCATTERING_SEARS1992:
		return find_scattering_length(true, label, scatterer);
	case SCATTERING_RAUCH2003:
		return find_scattering_length(false, label, scatterer);
	case SCATTERING_LOBATO:
		return find_form_factor(&lobato, NULL, label, scatterer);
	case SCATTERING_PENG:
		return find_form_factor(&peng_high, &peng_ionic, label, scatterer);
	case SCATTERING_PENG_LOW:
		return find_form_factor(&peng_low, NULL, label, scatterer);
	case SCATTERING_KIRKLAND:
		return find_form_factor(&kirkland, NULL, label, scatterer);
	case SCATTERING_UNIT:
		CHECK(label_parse(label, &parsed));
		*scatterer = (struct scatterer){.c = 1.0};
		return SONDE_OK;
	}
	return status_fail(SONDE_INTERNAL, "there is no scattering table %d", (int)table);
}

/* Our own exp: the C library's differs from processor to processor. */
static double exponential(double x)
{
	return LANES_FIRST(lanes_exp(LANES_SPLAT(x), 0));
}

/* I. Lobato and D. Van Dyck, Acta Cryst. A70 (2014) 636, eq. 16. */
static double lobato_sum(const struct scatterer *scatterer, double g_square)
{
	double f = scatterer->c;

	for (int i = 0; i < 5; ++i) {
		const double x = scatterer->b[i] * g_square;
		f += scatterer->a[i] * (2.0 + x) / ((1.0 + x) * (1.0 + x));
	}
	return f;
}

/* E. J. Kirkland, Advanced Computing in Electron Microscopy (2010), eq. C.15. */
static double kirkland_sum(const struct scatterer *scatterer, double g_square)
{
	double f = scatterer->c;

	for (int i = 0; i < 3; ++i)
		f += scatterer->a[i] / (g_square + scatterer->b[i]) +
		     scatterer->a[i + 3] * exponential(-scatterer->b[i + 3] * g_square);
	return f;
}

static double real_amplitude(const struct scatterer *scatterer, double q)
{
	double s = q / (4.0 * PI), f = scatterer->c;

	switch (scatterer->form) {
	case SCATTERER_LOBATO:
		return lobato_sum(scatterer, 4.0 * s * s);
	case SCATTERER_KIRKLAND:
		return kirkland_sum(scatterer, 4.0 * s * s);
	case SCATTERER_CURVE:
		return f + form_factor_at(scatterer->curve, q);
	default:
		for (int i = 0; i < 5; ++i)
			f += scatterer->a[i] * exponential(-scatterer->b[i] * s * s);
		return scatterer->coulomb != 0.0 ? f + scatterer->coulomb / (s * s) : f;
	}
}

void scatterer_amplitude(const struct scatterer *scatterer, double q, double *real, double *imaginary)
{
	*real = real_amplitude(scatterer, q);
	*imaginary = scatterer->c_imaginary;
}

double scattering_table_limit(enum scattering_table table)
{
	switch (table) {
	case SCATTERING_WAASMAIER_KIRFEL:
	case SCATTERING_PENG:
	case SCATTERING_KIRKLAND:
		return 4.0 * PI * 6.0;
	case SCATTERING_IT1992:
	case SCATTERING_PENG_LOW:
		return 4.0 * PI * 2.0;
	default:
		return INFINITY;
	}
}

const char *scattering_table_source(enum scattering_table table)
{
	static const char *const sources[] = {
	    "X-ray form factors: D. Waasmaier & A. Kirfel, Acta Cryst. A51 (1995) 416",
	    "X-ray form factors: International Tables for Crystallography C (1992), table 6.1.1.4",
	    ("neutron scattering lengths: V. F. Sears, Neutron News 3 (1992) 29 (NIST list); isotopes that it "
	     "lacks: H. Rauch & W. Waschkowski, Neutron Data Booklet (2003)"),
	    "neutron scattering lengths: H. Rauch & W. Waschkowski, Neutron Data Booklet (2003)",
	    "electron scattering factors: I. Lobato & D. Van Dyck, Acta Cryst. A70 (2014) 636",
	    ("electron scattering factors: L.-M. Peng et al., Acta Cryst. A52 (1996) 257, s up to 6 1/Angstrom; "
	     "ions: "
	     "L.-M. Peng, Acta Cryst. A54 (1998) 481"),
	    ("electron scattering factors: L.-M. Peng et al., Acta Cryst. A52 (1996) 257, s up to 2 1/Angstrom"),
	    "electron scattering factors: E. J. Kirkland, Advanced Computing in Electron Microscopy (2010)",
	    "unit amplitudes: f = 1 for every atom"};

	return sources[table];
}
