#include "refine/formula.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define DEEPEST 32 /* parentheses within one another */
#define LONGEST_NAME 64

/* A formula is parsed by recursive descent:
 *     sum = product {(+|-) product},  product = sign {(*|/) sign},  sign = {-|+} power,  power = atom [^ sign]  */
struct parser {
	const char *at, *end;
	const struct formula_names *names;
	int depth;
};

static double least(double x, double y)
{
	return fmin(x, y);
}

static double greatest(double x, double y)
{
	return fmax(x, y);
}

static const struct {
	const char *name;
	double (*of_one)(double);
	double (*of_two)(double, double);
} functions[] = {{"sqrt", sqrt, NULL}, {"exp", exp, NULL},   {"log", log, NULL},
		 {"abs", fabs, NULL},  {"sin", sin, NULL},   {"cos", cos, NULL},
		 {"tan", tan, NULL},   {"min", NULL, least}, {"max", NULL, greatest}};
#define FUNCTIONS (sizeof functions / sizeof *functions)

static sonde_status parse_sum(struct parser *parser, double *value);

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static void skip_blanks(struct parser *parser)
{
	while (parser->at < parser->end && (*parser->at == ' ' || *parser->at == '\t'))
		++parser->at;
}

static bool take(struct parser *parser, char c)
{
	skip_blanks(parser);
	if (parser->at == parser->end || *parser->at != c)
		return false;
	++parser->at;
	return true;
}

static sonde_status fail_here(struct parser *parser, const char *wanted)
{
	skip_blanks(parser);
	if (parser->at == parser->end)
		return status_fail(SONDE_INVALID, "%s is missing at the end of a formula", wanted);
	return status_fail(SONDE_INVALID, "%s is expected in a formula instead of '%.*s'", wanted,
			   (int)(parser->end - parser->at > 20 ? 20 : parser->end - parser->at), parser->at);
}

bool formula_is_name(const char *word)
{
	const size_t length = strlen(word);

	if (length == 0 || length > LONGEST_NAME || isdigit((unsigned char)word[0]) || strcmp(word, "pi") == 0)
		return false;
	for (size_t k = 0; k < length; ++k)
		if (!is_word(word[k]))
			return false;
	for (size_t k = 0; k < FUNCTIONS; ++k)
		if (strcmp(word, functions[k].name) == 0)
			return false;
	return true;
}

static sonde_status find_name(const struct parser *parser, const char *word, double *value)
{
	struct nearest_word nearest = {.word = word};
	char hint[96];

	if (strcmp(word, "pi") == 0) {
		*value = 3.14159265358979323846;
		return SONDE_OK;
	}
	for (int k = 0; k < parser->names->count; ++k) {
		if (strcmp(word, parser->names->names[k]) == 0) {
			*value = parser->names->values[k];
			if (parser->names->used != NULL)
				parser->names->used[k] = true;
			return SONDE_OK;
		}
		nearest_word_offer(&nearest, parser->names->names[k]);
	}
	return status_fail(SONDE_INVALID, "there is no parameter '%s'%s", word,
			   nearest_word_hint(&nearest, hint, sizeof hint));
}

/* The arguments of function `k`. */
static sonde_status parse_function(struct parser *parser, size_t k, double *value)
{
	double first, second = 0.0;

	if (!take(parser, '('))
		return fail_here(parser, "'('");
	CHECK(parse_sum(parser, &first));
	if (functions[k].of_two != NULL) {
		if (!take(parser, ','))
			return fail_here(parser, "','");
		CHECK(parse_sum(parser, &second));
	}
	if (!take(parser, ')'))
		return fail_here(parser, "')'");
	*value = functions[k].of_two != NULL ? functions[k].of_two(first, second) : functions[k].of_one(first);
	return SONDE_OK;
}

static sonde_status parse_word(struct parser *parser, double *value)
{
	const char *begin = parser->at;
	char word[LONGEST_NAME + 1];

	while (parser->at < parser->end && is_word(*parser->at))
		++parser->at;
	const size_t length = (size_t)(parser->at - begin);
	if (length > LONGEST_NAME)
		return status_fail(SONDE_INVALID, "a name in a formula has more than %d letters", LONGEST_NAME);
	memcpy(word, begin, length);
	word[length] = '\0';
	for (size_t k = 0; k < FUNCTIONS; ++k)
		if (strcmp(word, functions[k].name) == 0)
			return parse_function(parser, k, value);
	return find_name(parser, word, value);
}

/* A number ends where its exponent ends. */
static sonde_status parse_number(struct parser *parser, double *value)
{
	const char *begin = parser->at, *at = begin;

	while (at < parser->end && (isdigit((unsigned char)*at) || *at == '.' || *at == 'e' || *at == 'E' ||
				    ((*at == '-' || *at == '+') && at > begin && (at[-1] == 'e' || at[-1] == 'E'))))
		++at;
	if (!text_parse_real(begin, at, value))
		return fail_here(parser, "a number");
	parser->at = at;
	return SONDE_OK;
}

static sonde_status parse_atom(struct parser *parser, double *value)
{
	skip_blanks(parser);
	if (parser->at == parser->end)
		return fail_here(parser, "a number or a name");
	if (take(parser, '(')) {
		CHECK(parse_sum(parser, value));
		return take(parser, ')') ? SONDE_OK : fail_here(parser, "')'");
	}
	if (isdigit((unsigned char)*parser->at) || *parser->at == '.')
		return parse_number(parser, value);
	if (is_word(*parser->at))
		return parse_word(parser, value);
	return fail_here(parser, "a number or a name");
}

static sonde_status parse_sign(struct parser *parser, double *value)
{
	bool negative = false;
	double exponent;

	for (;;) {
		if (take(parser, '-'))
			negative = !negative;
		else if (!take(parser, '+'))
			break;
	}
	CHECK(parse_atom(parser, value));
	if (take(parser, '^')) {
		if (++parser->depth > DEEPEST)
			return status_fail(SONDE_INVALID, "a formula is nested too deeply");
		CHECK(parse_sign(parser, &exponent));
		--parser->depth;
		*value = pow(*value, exponent);
	}
	*value = negative ? -*value : *value;
	return SONDE_OK;
}

static sonde_status parse_product(struct parser *parser, double *value)
{
	double factor;

	CHECK(parse_sign(parser, value));
	for (;;) {
		const bool times = take(parser, '*');
		if (!times && !take(parser, '/'))
			return SONDE_OK;
		CHECK(parse_sign(parser, &factor));
		*value = times ? *value * factor : *value / factor;
	}
}

static sonde_status parse_sum(struct parser *parser, double *value)
{
	double term;

	if (++parser->depth > DEEPEST)
		return status_fail(SONDE_INVALID, "a formula is nested too deeply");
	CHECK(parse_product(parser, value));
	for (;;) {
		const bool plus = take(parser, '+');
		if (!plus && !take(parser, '-'))
			break;
		CHECK(parse_product(parser, &term));
		*value = plus ? *value + term : *value - term;
	}
	--parser->depth;
	return SONDE_OK;
}

sonde_status formula_evaluate(const char *begin, const char *end, const struct formula_names *names, double *value)
{
	struct parser parser = {.at = begin, .end = end, .names = names};

	CHECK(parse_sum(&parser, value));
	skip_blanks(&parser);
	if (parser.at != end)
		return fail_here(&parser, "an operator");
	return isfinite(*value) ? SONDE_OK
				: status_fail(SONDE_INVALID, "the formula '%.*s' has no finite value",
					      (int)(end - begin > 60 ? 60 : end - begin), begin);
}

sonde_status formula_substitute(const char *from, const struct formula_names *names, struct text *to)
{
	for (const char *at = from; *at != '\0';) {
		if (at[0] == '$' && at[1] == '$') {
			text_append_byte(to, '$');
			at += 2;
		} else if (at[0] == '$' && at[1] == '{') {
			const char *end = strchr(at, '}');
			double value;
			if (end == NULL)
				return status_fail(SONDE_INVALID, "'${' has no '}'");
			CHECK(formula_evaluate(at + 2, end, names, &value));
			text_append_real(to, value);
			at = end + 1;
		} else {
			text_append_byte(to, *at++);
		}
	}
	return text_status(to);
}
