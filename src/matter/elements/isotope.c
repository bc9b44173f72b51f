#include "matter/elements/isotope.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "matter/elements/element.h"
#include "matter/elements/label.h"

#define DEFECT 0.15 /* amu: largest difference of an isotope's mass from its mass number */

extern const char data_isotopes[];

/* The next row of the element: its mass number, and its mass. */
static bool next_isotope(const char **table, int atomic_number, int *mass_number, double *mass)
{
	char head[8];
	int read = 0;

	snprintf(head, sizeof head, "\n%s,", element_symbol(atomic_number));
	*table = strstr(*table, head);
	if (*table == NULL)
		return false;
	*table += strlen(head);
	/* after the atomic number; the mass follows the abundance */
	if (sscanf(*table, "%*d,%d,%*[^,],%n", mass_number, &read) != 1 || read == 0)
		return false;
	const char *field = *table + read;
	return text_parse_real(field, field + strcspn(field, "\n"), mass);
}

/* A list such as "1H, 2H, 3H", for a message. */
static void list_isotopes(int atomic_number, char *list, size_t size)
{
	const char *table = data_isotopes;
	int mass_number;
	double mass;

	list[0] = '\0';
	while (next_isotope(&table, atomic_number, &mass_number, &mass))
		snprintf(list + strlen(list), size - strlen(list), "%s%d%s", list[0] != '\0' ? ", " : "", mass_number,
			 element_symbol(atomic_number));
}

sonde_status isotope_mass(int atomic_number, int mass_number, double *mass)
{
	const char *table = data_isotopes;
	char list[256];
	int found;

	*mass = 0.0;
	if (atomic_number < 1 || atomic_number > TABULATED_ELEMENTS)
		return status_fail(SONDE_INVALID, "no mass is known of element %d: the table ends at uranium, %d",
				   atomic_number, TABULATED_ELEMENTS);
	if (mass_number == 0) {
		*mass = element_of(atomic_number).mass;
		return SONDE_OK;
	}
	while (next_isotope(&table, atomic_number, &found, mass))
		if (found == mass_number)
			return SONDE_OK;
	*mass = 0.0;
	list_isotopes(atomic_number, list, sizeof list);
	return status_fail(SONDE_INVALID, "no mass is known of %d%s; the table has %s", mass_number,
			   element_symbol(atomic_number), list);
}

void isotope_label(int atomic_number, double mass, char label[16])
{
	const char *symbol = element_symbol(atomic_number);

	if (fabs(mass - element_of(atomic_number).mass) < 1e-9)
		snprintf(label, 16, "%s", symbol);
	else
		snprintf(label, 16, fabs(mass - nearbyint(mass)) < DEFECT ? "%.0f%s" : "%.5g%s", mass, symbol);
}
