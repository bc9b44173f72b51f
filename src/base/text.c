#include "base/text.h"

#include <ctype.h>
#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"

/* The locale "C", since the caller's may have decimal commas; created once, for the life of the process. */
static locale_t c_locale(void)
{
	static _Atomic(locale_t) shared;
	locale_t mine = atomic_load(&shared), none = (locale_t)0;

	if (mine != none)
		return mine;
	mine = newlocale(LC_ALL_MASK, "C", none);
	if (mine == none || atomic_compare_exchange_strong(&shared, &none, mine))
		return mine;
	freelocale(mine); /* another thread was first */
	return none;
}

/* vsnprintf() with decimal points. */
static int print_in_c_locale(char *bytes, size_t size, const char *format, va_list arguments)
{
	locale_t before = uselocale(c_locale());
	int length = vsnprintf(bytes, size, format, arguments);

	uselocale(before);
	return length;
}

/* Room for that many more bytes and the terminating one. */
static bool make_room(struct text *text, size_t more)
{
	return memory_grow(&text->bytes, &text->capacity, text->size + more + 1, 1, "text") == SONDE_OK;
}

void text_append(struct text *text, const char *format, ...)
{
	const size_t room = text->capacity - text->size;
	va_list arguments;
	int length;

	if (text->failed)
		return;
	va_start(arguments, format);
	length = print_in_c_locale(room > 0 ? text->bytes + text->size : NULL, room, format, arguments);
	va_end(arguments);
	if (length < 0 || !make_room(text, (size_t)length)) {
		text->failed = true;
		return;
	}
	if ((size_t)length >= room) { /* it was cut */
		va_start(arguments, format);
		print_in_c_locale(text->bytes + text->size, (size_t)length + 1, format, arguments);
		va_end(arguments);
	}
	text->size += (size_t)length;
}

void text_append_real(struct text *text, double x)
{
	char *to = text_room(text, 32);

	if (to != NULL)
		text_grow(text, text_write_real(x, to));
}

/* The ten digits of x > 0 and its exponent, rounded as printf does. False if a long double is not precise enough. */
static bool find_digits(double x, int64_t *digits, int *exponent)
{
	static const long double tens[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
					   1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
					   1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
	int power = (int)floor(log10(x));

	for (int tries = 0; tries < 2; ++tries) {
		int shift = 9 - power;
		/* powers of ten up to 27 are exact in 64 bits */
		if (shift > 27 || shift < -27 || LDBL_MANT_DIG < 64)
			return false;
		long double scaled = shift >= 0 ? x * tens[shift] : x / tens[-shift], whole = floorl(scaled),
			    rest = scaled - whole;
		/* one rounding of 2^-64 of 1e10 is 5e-10 */
		if (fabsl(rest - 0.5L) < 1e-8L)
			return false;
		*digits = (int64_t)whole + (rest > 0.5L);
		*exponent = power;
		if (*digits >= INT64_C(1000000000) && *digits < INT64_C(10000000000))
			return true;
		/* the logarithm was rounded up or down across the power of ten, or the digits to 10 */
		power += *digits < INT64_C(1000000000) ? -1 : 1;
	}
	return false;
}

void text_append_scientific(struct text *text, double x, bool upper)
{
	int64_t digits = 0;
	int exponent = 0;

	if (text->failed)
		return;
	if (!(x == 0.0 || (isfinite(x) && find_digits(fabs(x), &digits, &exponent)))) {
		text_append(text, upper ? "%.9E" : "%.9e", x);
		return;
	}
	if (memory_grow(&text->bytes, &text->capacity, text->size + 20, 1, "text") != SONDE_OK) {
		text->failed = true;
		return;
	}
	char *to = text->bytes + text->size;
	if (signbit(x))
		*to++ = '-';
	for (int k = 10; k >= 2; --k, digits /= 10)
		to[k] = (char)('0' + digits % 10);
	to[0] = (char)('0' + digits);
	to[1] = '.';
	to[11] = upper ? 'E' : 'e';
	to[12] = exponent < 0 ? '-' : '+';
	to[13] = (char)('0' + abs(exponent) / 10);
	to[14] = (char)('0' + abs(exponent) % 10);
	to[15] = '\0';
	text->size = (size_t)(to + 15 - text->bytes);
}

void text_append_bytes(struct text *text, const char *bytes, size_t size)
{
	if (text->failed || !make_room(text, size)) {
		text->failed = true;
		return;
	}
	memcpy(text->bytes + text->size, bytes, size);
	text->size += size;
	text->bytes[text->size] = '\0';
}

char *text_room(struct text *text, size_t most)
{
	text->failed = text->failed || !make_room(text, most);
	return text->failed ? NULL : text->bytes + text->size;
}

void text_grow(struct text *text, size_t written)
{
	text->size += written;
	text->bytes[text->size] = '\0';
}

void text_append_fixed(struct text *text, double x, int width, int decimals)
{
	char digits[32];
	const size_t size = decimal_write_fixed(x, decimals, digits), columns = width > 0 ? (size_t)width : 0,
		     blanks = columns > size ? columns - size : 0;
	char *to = size > 0 ? text_room(text, size + blanks) : NULL;

	if (size == 0)
		text_append(text, "%*.*f", width, decimals, x);
	if (to == NULL)
		return;
	memset(to, ' ', blanks);
	memcpy(to + blanks, digits, size);
	text_grow(text, size + blanks);
}

void text_append_integer(struct text *text, int64_t x)
{
	char digits[24], *first = digits + sizeof digits;
	uint64_t rest = x < 0 ? -(uint64_t)x : (uint64_t)x;

	do {
		*--first = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest > 0);
	if (x < 0)
		*--first = '-';
	text_append_bytes(text, first, (size_t)(digits + sizeof digits - first));
}

void text_append_byte(struct text *text, char byte)
{
	text_append_bytes(text, &byte, 1);
}

sonde_status text_status(const struct text *text)
{
	return text->failed ? memory_missing("text") : SONDE_OK;
}

void text_free(struct text *text)
{
	free(text->bytes);
	*text = (struct text){0};
}

static double parse_slowly(const char *start, const char *end, bool *ok)
{
	char buffer[512], *stopped;
	size_t length = (size_t)(end - start);
	double value;

	*ok = false;
	if (length == 0 || length >= sizeof buffer)
		return 0.0;
	memcpy(buffer, start, length);
	buffer[length] = '\0';
	locale_t before = uselocale(c_locale());
	value = strtod(buffer, &stopped);
	uselocale(before);
	*ok = stopped == buffer + length;
	return value;
}

/* digits/10^power, 0 < power < 20, digits > 2^53, rounded once: a quotient of 63 or 64 bits, whose remainder decides on
 * which side of the midpoint between two numbers it is. Both numbers are shifted until their highest bit is 1, so that
 * the quotient of the first one times 2^63 has one word. */
static double divide_exactly(uint64_t digits, int power)
{
	static const uint64_t powers[20] = {UINT64_C(1),
					    UINT64_C(10),
					    UINT64_C(100),
					    UINT64_C(1000),
					    UINT64_C(10000),
					    UINT64_C(100000),
					    UINT64_C(1000000),
					    UINT64_C(10000000),
					    UINT64_C(100000000),
					    UINT64_C(1000000000),
					    UINT64_C(10000000000),
					    UINT64_C(100000000000),
					    UINT64_C(1000000000000),
					    UINT64_C(10000000000000),
					    UINT64_C(100000000000000),
					    UINT64_C(1000000000000000),
					    UINT64_C(10000000000000000),
					    UINT64_C(100000000000000000),
					    UINT64_C(1000000000000000000),
					    UINT64_C(10000000000000000000)};
	const int zeros = __builtin_clzll(digits), divisor_zeros = __builtin_clzll(powers[power]);
	const uint64_t divisor = powers[power] << divisor_zeros;
	const unsigned __int128 numerator = (unsigned __int128)(digits << zeros) << 63;
	uint64_t quotient = (uint64_t)(numerator / divisor);
	const uint64_t remainder = (uint64_t)(numerator - (unsigned __int128)quotient * divisor);
	const int dropped = 11 - __builtin_clzll(quotient);
	const uint64_t half = UINT64_C(1) << (dropped - 1), rest = quotient & (2 * half - 1);
	const bool above = rest > half || (rest == half && remainder != 0);

	quotient >>= dropped;
	quotient += above || (rest == half && (quotient & 1) != 0);
	/* times a power of two, from 2^-74 to 2^11, which is exact */
	union {
		uint64_t bits;
		double value;
	} scale = {(uint64_t)(1023 + dropped - 63 + divisor_zeros - zeros) << 52};
	return (double)quotient * scale.value;
}

/* Those that are exact. */
static const double power_of_ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
					1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool text_parse_real(const char *start, const char *end, double *value)
{
	const char *c = start;
	uint64_t digits = 0;
	int significant = 0, exponent = 0, written = 0, figures = 0;
	bool negative = false, ok;

	if (c < end && (*c == '-' || *c == '+'))
		negative = *c++ == '-';
	for (bool fraction = false; c < end; ++c) {
		if (*c == '.' && !fraction) {
			fraction = true;
		} else if (*c >= '0' && *c <= '9') {
			++figures;
			if (significant < 19) {
				digits = digits * 10 + (uint64_t)(*c - '0');
				significant += digits != 0;
				exponent -= fraction;
			} else {
				exponent += !fraction;
				significant = 20; /* digits were dropped: not exact any more */
			}
		} else {
			break;
		}
	}
	if (figures == 0)
		return false;
	if (c < end && (*c == 'e' || *c == 'E')) {
		bool minus = false;
		int exponent_figures = 0;
		if (++c < end && (*c == '-' || *c == '+'))
			minus = *c++ == '-';
		for (; c < end && *c >= '0' && *c <= '9'; ++c, ++exponent_figures)
			if (written < 100000)
				written = written * 10 + (*c - '0');
		if (exponent_figures == 0)
			return false;
		exponent += minus ? -written : written;
	}
	if (c != end)
		return false;

	/* Clinger's exact case: both factors are exact doubles, so their product or quotient is
	 * rounded once. */
	if (significant <= 19 && digits <= (UINT64_C(1) << 53) && exponent >= -22 && exponent <= 22) {
		double x = (double)digits;
		x = exponent < 0 ? x / power_of_ten[-exponent] : x * power_of_ten[exponent];
		*value = negative ? -x : x;
		return true;
	}
	if (significant <= 19 && exponent < 0 && exponent > -20) {
		const double x = divide_exactly(digits, -exponent);
		*value = negative ? -x : x;
		return true;
	}
	*value = parse_slowly(start, end, &ok);
	return ok && isfinite(*value);
}

/* Appends the digits at c to a number, which may overflow; returns their end. */
static inline const char *take_digits(const char *c, uint64_t *number)
{
	for (unsigned digit; (digit = (unsigned)(unsigned char)*c - '0') <= 9; ++c)
		*number = *number * 10 + digit;
	return c;
}

bool text_take_short_real(const char **cursor, double *value)
{
	const bool negative = **cursor == '-';
	const char *first = *cursor + (negative || **cursor == '+');
	uint64_t digits = 0;
	const char *c = take_digits(first, &digits);
	ptrdiff_t figures = c - first, decimals = 0;

	if (*c == '.') {
		const char *fraction = c + 1;
		c = take_digits(fraction, &digits);
		decimals = c - fraction;
		figures += decimals;
	}
	if (figures == 0 || figures > 19 || (*c != ' ' && *c != '\t' && *c != '\0') ||
	    (digits > UINT64_C(1) << 53 && decimals == 0))
		return false;
	/* Clinger's exact case, as above */
	const double x = digits <= UINT64_C(1) << 53 ? (double)digits / power_of_ten[decimals]
						     : divide_exactly(digits, (int)decimals);
	*value = negative ? -x : x;
	*cursor = c;
	return true;
}

bool text_parse_integer(const char *start, const char *end, int64_t *value)
{
	const char *c = start;
	bool negative = false;
	int64_t x = 0;

	if (c < end && (*c == '-' || *c == '+'))
		negative = *c++ == '-';
	if (c == end || (*c == '0' && c + 1 != end))
		return false;
	for (; c < end; ++c) {
		if (*c < '0' || *c > '9' || __builtin_mul_overflow(x, (int64_t)10, &x) ||
		    __builtin_sub_overflow(x, (int64_t)(*c - '0'), &x))
			return false;
	}
	if (!negative && x == INT64_MIN)
		return false;
	*value = negative ? x : -x;
	return true;
}

#define MOST_POWER 1000 /* power of ten beyond which every number except 0 is too large */

/* The digits of [start, end) as one number, and how many follow the point. No leading zeros except one before a point. */
static bool parse_mantissa(const char *start, const char *end, int64_t *mantissa, int64_t *decimals)
{
	const char *point = memchr(start, '.', (size_t)(end - start));
	const char *whole_end = point != NULL ? point : end;

	*mantissa = *decimals = 0;
	if (whole_end == start || (*start == '0' && whole_end != start + 1) || (point != NULL && point + 1 == end))
		return false;
	for (const char *c = start; c < end; ++c) {
		if (c == point)
			continue;
		if (*c < '0' || *c > '9' || __builtin_mul_overflow(*mantissa, (int64_t)10, mantissa) ||
		    __builtin_add_overflow(*mantissa, (int64_t)(*c - '0'), mantissa))
			return false;
		*decimals += point != NULL && c > point;
	}
	return true;
}

bool text_parse_whole(const char *start, const char *end, int64_t *value)
{
	const char *first = start + (start < end && (*start == '-' || *start == '+')), *exponent = first;
	int64_t mantissa, decimals, power;

	while (exponent < end && *exponent != 'e' && *exponent != 'E')
		++exponent;
	if (exponent == end)
		return text_parse_integer(start, end, value);
	/* 1e06 is common */
	const char *digits = exponent + 1 + (exponent + 1 < end && strchr("+-", exponent[1]) != NULL);
	bool negative = exponent[1] == '-';
	while (digits + 1 < end && *digits == '0')
		++digits;
	if (digits >= end || *digits < '0' || *digits > '9' || !text_parse_integer(digits, end, &power) ||
	    !parse_mantissa(first, exponent, &mantissa, &decimals) || power > MOST_POWER)
		return false;
	power = (negative ? -power : power) - decimals;
	for (; mantissa != 0 && power < 0; ++power) {
		if (mantissa % 10 != 0)
			return false;
		mantissa /= 10;
	}
	for (; mantissa != 0 && power > 0; --power)
		if (__builtin_mul_overflow(mantissa, (int64_t)10, &mantissa))
			return false;
	*value = *start == '-' ? -mantissa : mantissa;
	return true;
}

static void print_real(double x, char *buffer)
{
	double back;

	locale_t before = uselocale(c_locale());

	snprintf(buffer, 32, "%.15g", x);
	if (!text_parse_real(buffer, buffer + strlen(buffer), &back) || back != x)
		snprintf(buffer, 32, "%.17g", x);
	uselocale(before);
}

size_t text_write_real(double x, char *buffer)
{
	const size_t size = decimal_write(x, buffer);

	if (size > 0)
		return size;
	print_real(x, buffer);
	return strlen(buffer);
}

char *text_format_real(double x, char *buffer)
{
	buffer[text_write_real(x, buffer)] = '\0';
	return buffer;
}

double text_round_up(double x, int digits)
{
	if (!(x > 0.0) || isinf(x))
		return x;
	double unit = pow(10.0, floor(log10(x)) - (digits - 1));
	return ceil(x / unit * (1.0 - 1e-12)) * unit;
}

double text_round_down(double x, int digits)
{
	if (!(x > 0.0) || isinf(x))
		return x;
	double unit = pow(10.0, floor(log10(x)) - (digits - 1));
	return floor(x / unit * (1.0 + 1e-12)) * unit;
}

int text_distance(const char *a, const char *b)
{
	enum { LONGEST = 63 };
	size_t m = strlen(a), n = strlen(b);
	int rows[3][LONGEST + 1];
	int *two_back = rows[0], *back = rows[1], *now = rows[2];

	if (m > LONGEST || n > LONGEST)
		return INT_MAX; /* no known name is this long */
	for (size_t j = 0; j <= n; ++j)
		back[j] = 2 * (int)j;
	for (size_t i = 1; i <= m; ++i) {
		now[0] = 2 * (int)i;
		for (size_t j = 1; j <= n; ++j) {
			int change = a[i - 1] == b[j - 1]                                                   ? 0
				     : tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]) ? 1
													    : 2;
			int best = back[j - 1] + change;
			if (back[j] + 2 < best)
				best = back[j] + 2;
			if (now[j - 1] + 2 < best)
				best = now[j - 1] + 2;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    two_back[j - 2] + 2 < best)
				best = two_back[j - 2] + 2;
			now[j] = best;
		}
		int *recycled = two_back;
		two_back = back;
		back = now;
		now = recycled;
	}
	return back[n];
}

void nearest_word_offer(struct nearest_word *nearest, const char *candidate)
{
	int distance = text_distance(nearest->word, candidate);
	int length = (int)strlen(nearest->word);
	/* a third of the word may differ, and one change is always allowed */
	int allowed = length < 6 ? 3 : 2 * length / 3;

	if (distance <= allowed && (nearest->best == NULL || distance < nearest->distance)) {
		nearest->best = candidate;
		nearest->distance = distance;
	}
}

const char *nearest_word_hint(const struct nearest_word *nearest, char *buffer, size_t size)
{
	if (nearest->best == NULL)
		buffer[0] = '\0';
	else
		snprintf(buffer, size, ", did you mean '%s'?", nearest->best);
	return buffer;
}
