/* Values of options that are lists, "Co:Fe=0.1,O:S=0.02" or "0.05". */
#ifndef SONDE_MATTER_ASSIGNMENTS_H
#define SONDE_MATTER_ASSIGNMENTS_H

#include "base/status.h"
#include "sonde/atoms.h"

#define ASSIGNMENT_MOST_NUMBERS 16

struct assignment {
	char first[SONDE_LABEL_SIZE], second[SONDE_LABEL_SIZE]; /* "" if not given */
	double value;
};

/* Takes the first item of the list *text, "VALUE", "FIRST=VALUE" or "FIRST:SECOND=VALUE", and moves *text behind it and its
 * comma; *text is "" after the last item. The value lies within the limits. Labels are those of atoms. */
sonde_status assignment_take(const char *option, const char **text, double minimum, double maximum,
			     struct assignment *item);
/* The numbers of "0.1,0.2,0" from `start` to `end`, at most ASSIGNMENT_MOST_NUMBERS. */
sonde_status assignment_numbers(const char *option, const char *start, const char *end,
				double numbers[ASSIGNMENT_MOST_NUMBERS], int *count);

#endif
