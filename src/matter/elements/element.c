#include "matter/elements/element.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

extern const char data_elements_srim95[];

/* The number up to the next comma or the end of the line, 0 if there is none; *field moves past it. */
static double next_number(const char **field)
{
	const char *end = *field + strcspn(*field, ",\n");
	double number;
	bool read = text_parse_real(*field, end, &number);

	*field = *end == ',' ? end + 1 : end;
	return read ? number : 0.0;
}

struct element element_of(int atomic_number)
{
	struct element element = {0};
	char head[8];

	snprintf(head, sizeof head, "\n%d,", atomic_number);
	const char *row = strstr(data_elements_srim95, head);
	if (row == NULL)
		return element;
	/* after the number and the symbol */
	const char *field = strchr(row + strlen(head), ',') + 1;
	element.mass = next_number(&field);
	element.isotope_mass = next_number(&field);
	element.density = next_number(&field);
	element.sublimation = next_number(&field);
	element.displacement = next_number(&field);
	return element;
}
