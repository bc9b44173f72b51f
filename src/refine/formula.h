/* Arithmetic with named numbers, and texts with it as ${...}. */
#ifndef SONDE_REFINE_FORMULA_H
#define SONDE_REFINE_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Names and their values; `used`, unless null, becomes true for names that occur. */
struct formula_names {
	const char *const *names;
	const double *values;
	bool *used;
	int count;
};

/* Whether a word can be a name: letters, digits, and '_', not a digit first, and not that of a function or constant. */
bool formula_is_name(const char *word);
/* + - * / ^, parentheses, sqrt(), exp(), log(), abs(), sin(), cos(), tan() (of radians), min(,), max(,), pi. SONDE_INVALID, with the
 * reason, for what is not such a formula, unknown names, and values that are not finite. */
sonde_status formula_evaluate(const char *begin, const char *end, const struct formula_names *names, double *value);
/* Appends a text with the values of the formulas ${...} in it, of 17 digits where necessary; $$ is $. SONDE_INVALID for those that fail. */
sonde_status formula_substitute(const char *from, const struct formula_names *names, struct text *to);

#endif
