#include "matter/elements/formula.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "matter/elements/element.h"
#include "matter/elements/isotope.h"
#include "matter/elements/label.h"

/* nesting of parentheses; a name has no room for more nonempty ones */
#define DEEPEST (MATERIAL_NAME_SIZE / 2)
#define LEAST_MASS 0.5 /* relative to the natural mass */
#define LARGEST_MASS 3.1
#define FRACTION_ROUNDING 0.002 /* per fraction: two decimals, with some margin */
#define LEAST_AMOUNT 1e-6
#define LARGEST_AMOUNT 1e6

struct reader {
	const char *text, *next;
	struct formula *formula;
	int depth;
	/* numbers outside parentheses: the sum of those below 1, and whether there are others */
	double fractions;
	bool whole;
	/* for each open parenthesis: the amounts before it */
	double before[DEEPEST][MATERIAL_MOST_ELEMENTS];
	const char *opened[DEEPEST];
};

bool formula_add(struct formula *formula, int atomic_number, double mass, double amount)
{
	int i = 0;

	while (i < formula->count && (formula->atomic_number[i] != atomic_number || formula->mass[i] != mass))
		++i;
	if (i == MATERIAL_MOST_ELEMENTS)
		return false;
	if (i == formula->count) {
		formula->atomic_number[formula->count++] = atomic_number;
		formula->mass[i] = mass;
		formula->amount[i] = 0.0;
	}
	formula->amount[i] += amount;
	return true;
}

double formula_mass(const struct formula *formula, int k)
{
	return formula->mass[k] > 0.0 ? formula->mass[k] : element_of(formula->atomic_number[k]).mass;
}

/* "[10]", an isotope, or "[10.2]", a mass in amu. */
static sonde_status read_mass(struct reader *reader, int atomic_number, double *mass)
{
	size_t length = strcspn(reader->next, "]");
	const char *number = reader->next + 1, *end = reader->next + length;
	double natural = element_of(atomic_number).mass;

	if (*end != ']' || !text_parse_real(number, end, mass))
		return status_fail(SONDE_INVALID, "'%.*s' in '%.64s' is not a mass: B[10] is an isotope, B[10.2] amu",
				   (int)(length < 32 ? length + 1 : 32), reader->next, reader->text);
	if (!(*mass >= LEAST_MASS * natural && *mass <= LARGEST_MASS * natural))
		return status_fail(SONDE_INVALID, "%s in '%.64s' has no mass of %.*s amu",
				   element_symbol(atomic_number), reader->text,
				   (int)(end - number > 32 ? 32 : end - number), number);
	reader->next = end + 1;
	return strspn(number, "0123456789") == (size_t)(end - number) ? isotope_mass(atomic_number, (int)*mass, mass)
								      : SONDE_OK;
}

/* D and T are isotopes by themselves. */
static sonde_status read_isotope(struct reader *reader, const char *symbol, int *atomic_number, double *mass)
{
	*mass = 0.0;
	if (strcmp(symbol, "D") == 0 || strcmp(symbol, "T") == 0) {
		*atomic_number = 1;
		return isotope_mass(1, symbol[0] == 'D' ? 2 : 3, mass);
	}
	*atomic_number = element_number(symbol);
	if (*atomic_number == 0 || *atomic_number > TABULATED_ELEMENTS || *reader->next != '[')
		return SONDE_OK;
	return read_mass(reader, *atomic_number, mass);
}

/* The number after an element or a parenthesis; 1 if there is none. */
static sonde_status read_amount(struct reader *reader, double *amount)
{
	size_t length = strspn(reader->next, "0123456789.+-");
	const char *end = reader->next + length;

	*amount = 1.0;
	if (length == 0)
		return SONDE_OK;
	if (!text_parse_real(reader->next, end, amount))
		return status_fail(SONDE_INVALID, "'%.*s' in '%.64s' is not a number", (int)length, reader->next,
				   reader->text);
	if (!(*amount >= LEAST_AMOUNT && *amount <= LARGEST_AMOUNT))
		return status_fail(SONDE_INVALID, "the number %.*s in '%.64s' is not between 1e-6 and 1e6",
				   (int)length, reader->next, reader->text);
	reader->next = end;
	return SONDE_OK;
}

static void count_fraction(struct reader *reader, double amount)
{
	if (reader->depth > 0)
		return;
	reader->fractions += amount < 1.0 ? amount : 0.0;
	reader->whole = reader->whole || amount >= 1.0;
}

static sonde_status read_element(struct reader *reader)
{
	char symbol[4] = "";
	size_t length = 0;
	double amount, mass;
	int atomic_number;

	do
		symbol[length++] = *reader->next++;
	while (islower((unsigned char)*reader->next) && length < sizeof symbol - 1);
	CHECK(read_isotope(reader, symbol, &atomic_number, &mass));
	if (atomic_number == 0) {
		strcpy(reader->formula->unknown, symbol);
		return status_fail(SONDE_INVALID, "unknown element '%s' in '%.64s'", symbol, reader->text);
	}
	if (atomic_number > TABULATED_ELEMENTS)
		return status_fail(SONDE_INVALID, "'%s' in '%.64s': the tables of elements end at uranium", symbol,
				   reader->text);
	CHECK(read_amount(reader, &amount));
	count_fraction(reader, amount);
	if (!formula_add(reader->formula, atomic_number, mass, amount))
		return status_fail(SONDE_INVALID, "'%.64s' has more than %d elements", reader->text,
				   MATERIAL_MOST_ELEMENTS);
	return SONDE_OK;
}

static sonde_status open_parenthesis(struct reader *reader)
{
	struct formula *formula = reader->formula;

	if (reader->depth == DEEPEST)
		return status_fail(SONDE_INVALID, "parentheses are nested too deeply in '%.64s'", reader->text);
	/* inside, counting starts anew */
	memcpy(reader->before[reader->depth], formula->amount, sizeof formula->amount);
	memset(formula->amount, 0, sizeof formula->amount);
	reader->opened[reader->depth++] = ++reader->next;
	return SONDE_OK;
}

static sonde_status close_parenthesis(struct reader *reader)
{
	struct formula *formula = reader->formula;
	double amount;

	if (reader->depth == 0)
		return status_fail(SONDE_INVALID, "a ')' without its '(' in '%.64s'", reader->text);
	if (reader->opened[--reader->depth] == reader->next)
		return status_fail(SONDE_INVALID, "nothing between the parentheses '()' in '%.64s'", reader->text);
	++reader->next;
	CHECK(read_amount(reader, &amount));
	count_fraction(reader, amount);
	const double *before = reader->before[reader->depth];
	for (int i = 0; i < formula->count; ++i)
		formula->amount[i] = before[i] + amount * formula->amount[i];
	return SONDE_OK;
}

static sonde_status read_piece(struct reader *reader)
{
	unsigned char c = (unsigned char)*reader->next;

	if (c == '(')
		return open_parenthesis(reader);
	if (c == ')')
		return close_parenthesis(reader);
	if (isalpha(c))
		return read_element(reader);
	if (isdigit(c) || c == '.')
		return status_fail(SONDE_INVALID, "a number without an element before it in '%.64s'", reader->text);
	if (c < 0x80)
		return status_fail(SONDE_INVALID, "'%c' in '%.64s' is not allowed in a formula", c, reader->text);
	return status_fail(SONDE_INVALID, "'%.64s' is not a formula: letters with accents are not allowed",
			   reader->text);
}

/* "Ga0.3Al0.6": if all numbers are fractions, their sum must be 1. */
static sonde_status check_fractions(const struct reader *reader)
{
	if (reader->whole || fabs(reader->fractions - 1.0) <= reader->formula->count * FRACTION_ROUNDING)
		return SONDE_OK;
	return status_fail(SONDE_INVALID, "the fractions in '%.64s' add up to %g instead of 1", reader->text,
			   reader->fractions);
}

sonde_status formula_parse(const char *text, struct formula *formula)
{
	struct reader reader = {.text = text, .next = text, .formula = formula};

	*formula = (struct formula){0};
	if (*text == '\0')
		return status_fail(SONDE_INVALID, "the formula is empty");
	while (*reader.next != '\0')
		CHECK(read_piece(&reader));
	if (reader.depth > 0)
		return status_fail(SONDE_INVALID, "a '(' without its ')' in '%.64s'", text);
	return check_fractions(&reader);
}
