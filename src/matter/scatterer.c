#include "matter/scatterer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/text.h"
#include "device/kernel.h"
#include "device/kernel_math.h"
#include "matter/label.h"

/* the tables of data/, embedded unchanged */
extern const char data_f0_waasmaier_kirfel_1995[], data_f0_it1992_cromer_mann[];
extern const char data_neutron_sears1992_nist[], data_neutron_scattering_lengths[];

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

/* The scattering factor of a table row. */
static struct scatterer read_form_factor(const struct record *record, int gaussians)
{
	struct scatterer scatterer = {0};

	for (int i = 0; i < gaussians; ++i) {
		scatterer.a[i] = number(record->field[4 + i]);
		scatterer.b[i] = number(record->field[4 + gaussians + i]);
	}
	scatterer.c = number(record->field[4 + 2 * gaussians]);
	return scatterer;
}

/* X-rays: the row of exactly this name (Cval, Siva), or of the same element and charge. Rows with a tag match by name
 * only. */
static sonde_status find_form_factor(const char *table, int gaussians, const char *name, struct scatterer *scatterer)
{
	struct label label = {0};
	struct record record;
	char others[256] = "";
	sonde_status label_status = label_parse(name, &label);

	for (table = begin_records(table); next_record(&table, &record);) {
		const char *entry = record.field[0], *tag = record.field[3];
		bool same_element = label_status == SONDE_OK && atoi(record.field[1]) == label.atomic_number;
		bool same_charge = same_element && tag[0] == '\0' && atoi(record.field[2]) == label.charge;
		bool misprint = strcmp(tag, "misprint") == 0;
		if (misprint && same_element && atoi(record.field[2]) == label.charge)
			return status_fail(SONDE_INVALID,
					   "no form factor for '%.32s': this table's entry is a misprint; choose "
					   "other factors",
					   name);
		if ((strcmp(entry, name) == 0 && !misprint) || same_charge) {
			*scatterer = read_form_factor(&record, gaussians);
			return SONDE_OK;
		}
		if (same_element && !misprint)
			snprintf(others + strlen(others), sizeof others - strlen(others), "%s%s",
				 others[0] != '\0' ? ", " : "", entry);
	}
	if (label_status != SONDE_OK)
		return label_status; /* its message is kept */
	if (others[0] != '\0')
		return status_fail(SONDE_INVALID, "no form factor for '%.32s'; the table has %s", name, others);
	return status_fail(SONDE_INVALID, "no form factor for '%.32s': the table ends at Z = 98", name);
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
	*scatterer = (struct scatterer){0};
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
		return find_form_factor(data_f0_waasmaier_kirfel_1995, 5, label, scatterer);
	case SCATTERING_IT1992:
		return find_form_factor(data_f0_it1992_cromer_mann, 4, label, scatterer);
	case SCATTERING_SEARS1992:
		return find_scattering_length(true, label, scatterer);
	case SCATTERING_RAUCH2003:
		return find_scattering_length(false, label, scatterer);
	case SCATTERING_UNIT:
		CHECK(label_parse(label, &parsed));
		*scatterer = (struct scatterer){.c = 1.0};
		return SONDE_OK;
	}
	return status_fail(SONDE_INTERNAL, "there is no scattering table %d", (int)table);
}

void scatterer_amplitude(const struct scatterer *scatterer, double q, double *real, double *imaginary)
{
	double s = q / (4.0 * PI), f = scatterer->c;

	for (int i = 0; i < 5; ++i)
		/* our own exp: the C library's differs from processor to processor */
		f += scatterer->a[i] * LANES_FIRST(lanes_exp(LANES_SPLAT(-scatterer->b[i] * s * s), 0));
	*real = f;
	*imaginary = scatterer->c_imaginary;
}

double scattering_table_limit(enum scattering_table table)
{
	switch (table) {
	case SCATTERING_WAASMAIER_KIRFEL:
		return 4.0 * PI * 6.0;
	case SCATTERING_IT1992:
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
	    "unit amplitudes: f = 1 for every atom"};

	return sources[table];
}
