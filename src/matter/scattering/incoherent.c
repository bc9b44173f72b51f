#include "matter/scattering/incoherent.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "base/text.h"
#include "matter/elements/label.h"
#include "matter/elements/table_row.h"

extern const char data_incoherent_scattering[];

const char incoherent_source[] = "incoherent scattering functions: J. H. Hubbell et al., J. Phys. Chem. Ref. Data 4 "
				 "(1975) 471, by way of xraylib, "
				 "T. Schoonjans et al., Spectrochim. Acta B 66 (2011) 776";

/* Numbers separated by commas. */
static size_t read_numbers(char *text, double *numbers)
{
	size_t count = 0;

	while (*text != '\0' && count < INCOHERENT_POINTS) {
		char *rest = table_cut(text, ',');
		if (!text_parse_real(text, text + strlen(text), &numbers[count]))
			return 0;
		++count;
		text = rest;
	}
	return count;
}

sonde_status incoherent_find(int atomic_number, struct incoherent *incoherent)
{
	const char *table = table_first_row(data_incoherent_scattering);
	struct table_row row;
	double number;

	*incoherent = (struct incoherent){0};
	while (table_next_row(&table, 2, &row)) {
		if (!text_parse_real(row.field[0], row.field[0] + strlen(row.field[0]), &number))
			continue;
		if (number == 0.0)
			incoherent->count = read_numbers(row.field[1], incoherent->q);
		else if (number == (double)atomic_number &&
			 read_numbers(row.field[1], incoherent->s) == incoherent->count) {
			/* sin(theta)/lambda = q/(4 pi) */
			for (size_t k = 0; k < incoherent->count; ++k)
				incoherent->q[k] *= 4.0 * PI;
			return SONDE_OK;
		}
	}
	return status_fail(SONDE_INVALID, "the table of incoherent scattering does not have %s",
			   atomic_number >= 1 && atomic_number <= ELEMENTS ? element_symbol(atomic_number)
									   : "this element");
}

double incoherent_at(const struct incoherent *incoherent, double q)
{
	const struct form_factor_curve curve = {incoherent->q, incoherent->s, incoherent->count, 1};

	return form_factor_at(&curve, fmin(q, incoherent->q[incoherent->count - 1]));
}
