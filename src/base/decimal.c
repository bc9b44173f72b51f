#include "base/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A number x = mantissa * 2^exponent2, whose first digit is that of 10^exponent10.
 *
 * Its first P digits are x * 10^s, s = P - 1 - exponent10, rounded to a whole number. This is mantissa * 5^s * 2^(s + exponent2),
 * where mantissa * 5^s < 2^(53 + 47) is exact in 128 bits, and the power of two is a shift to the right: the bits that are
 * shifted out decide on the rounding, as in printf, with ties to even. */
struct number {
	uint64_t mantissa;
	int exponent2, exponent10;
};

static const uint64_t fives[21] = {UINT64_C(1),
				   UINT64_C(5),
				   UINT64_C(25),
				   UINT64_C(125),
				   UINT64_C(625),
				   UINT64_C(3125),
				   UINT64_C(15625),
				   UINT64_C(78125),
				   UINT64_C(390625),
				   UINT64_C(1953125),
				   UINT64_C(9765625),
				   UINT64_C(48828125),
				   UINT64_C(244140625),
				   UINT64_C(1220703125),
				   UINT64_C(6103515625),
				   UINT64_C(30517578125),
				   UINT64_C(152587890625),
				   UINT64_C(762939453125),
				   UINT64_C(3814697265625),
				   UINT64_C(19073486328125),
				   UINT64_C(95367431640625)};

/* From 1e-4 to below 1e14, where printf writes no exponent and all of the above fits. */
static bool take_apart(double x, struct number *number)
{
	/* the numbers nearest to negative powers of ten are above them, so that comparisons with them are exact */
	static const double tens[] = {1e-4, 1e-3, 1e-2, 1e-1, 1e0,  1e1,  1e2,  1e3,  1e4, 1e5,
				      1e6,  1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14};
	uint64_t bits;

	if (!(x >= 1e-4 && x < 1e14))
		return false;
	memcpy(&bits, &x, sizeof bits);
	const int power = (int)(bits >> 52) - 1023;
	number->mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
	number->exponent2 = power - 52;
	/* floor(power * log10(2)), which is that of x or one less */
	int exponent10 = (int)floor(power * 0.30102999566398120);
	if (exponent10 < -4 || x >= tens[exponent10 + 5])
		++exponent10;
	number->exponent10 = exponent10;
	return true;
}

/* The first `count` digits as a whole number; *exact: they read back as the number, since they differ from it by less than
 * half of the last bit of its mantissa (5^s in the units here; a quarter of it below a power of two). */
static uint64_t round_to(const struct number *number, int count, bool *exact)
{
	const int scale = count - 1 - number->exponent10, shift = -(number->exponent2 + scale);

	*exact = false;
	if (scale < 0 || shift < 1) /* not for numbers in the range of take_apart() */
		return 0;
	const unsigned __int128 product = (unsigned __int128)number->mantissa * fives[scale],
				half = (unsigned __int128)1 << (shift - 1);
	const unsigned __int128 rest = product & (2 * half - 1);
	uint64_t digits = (uint64_t)(product >> shift);
	const bool up = rest > half || (rest == half && (digits & 1) != 0);
	const unsigned __int128 error = up ? 2 * half - rest : rest;
	const int parts = !up && number->mantissa == UINT64_C(1) << 52 ? 4 : 2;

	*exact = error * (unsigned)parts < fives[scale];
	return digits + up;
}

static void write_pair(uint32_t pair, char *to)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
				    "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
				    "8081828384858687888990919293949596979899";

	memcpy(to, pairs + 2 * (size_t)pair, 2);
}

static void write_eight(uint32_t digits, char *to)
{
	const uint32_t high = digits / 10000, low = digits % 10000;

	write_pair(high / 100, to);
	write_pair(high % 100, to + 2);
	write_pair(low / 100, to + 4);
	write_pair(low % 100, to + 6);
}

/* 17 digits with leading zeros. */
static void write_seventeen(uint64_t digits, char to[17])
{
	const uint64_t high = digits / 100000000;

	to[0] = (char)('0' + high / 100000000);
	write_eight((uint32_t)(high % 100000000), to + 1);
	write_eight((uint32_t)(digits % 100000000), to + 9);
}

/* The digits with a point and without zeros after the last other one of the fraction. */
static char *write_fixed(const char *digits, int count, int exponent10, char *to)
{
	while (count > 1 && digits[count - 1] == '0')
		--count;
	if (exponent10 < 0) {
		memset(to, '0', 5);
		to[1] = '.';
		to += 1 - exponent10;
		memcpy(to, digits, (size_t)count);
		return to + count;
	}
	const int whole = exponent10 + 1;
	memcpy(to, digits, (size_t)whole); /* the zeros that were left out are there */
	if (count <= whole)
		return to + whole;
	to[whole] = '.';
	memcpy(to + whole + 1, digits + whole, (size_t)(count - whole));
	return to + count + 1;
}

size_t decimal_write(double x, char *to)
{
	static const uint64_t ten_to_15 = UINT64_C(1000000000000000);
	struct number number = {0};
	char text[17], *end = to;
	bool exact;

	if (!(x == 0.0 || take_apart(fabs(x), &number)))
		return 0;
	if (signbit(x))
		*end++ = '-';
	if (x == 0.0) {
		*end++ = '0';
		return (size_t)(end - to);
	}
	uint64_t digits = round_to(&number, 15, &exact);
	const int count = exact ? 15 : 17;
	if (!exact)
		digits = round_to(&number, 17, &exact);
	else if (digits == ten_to_15) { /* 9.99...: one more digit in front of the point */
		digits /= 10;
		++number.exponent10;
	}
	write_seventeen(digits, text);
	return (size_t)(write_fixed(text + 17 - count, count, number.exponent10, end) - to);
}

/* |x| * 10^decimals, rounded to a whole number. False if it is not below 1e17. */
static bool round_fixed(double x, int decimals, uint64_t *digits)
{
	uint64_t bits;

	*digits = 0;
	memcpy(&bits, &x, sizeof bits);
	const int shift = 1075 - (int)(bits >> 52 & 2047) - decimals;
	const uint64_t mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
	if (decimals > 16 || shift < 1)
		return false;
	if (shift > 100) /* mantissa * 5^16 < 2^91 */
		return true;
	const unsigned __int128 product = (unsigned __int128)mantissa * fives[decimals],
				half = (unsigned __int128)1 << (shift - 1), rest = product & (2 * half - 1);
	if (product >> shift >= UINT64_C(99999999999999999))
		return false;
	*digits = (uint64_t)(product >> shift);
	*digits += rest > half || (rest == half && (*digits & 1) != 0);
	return true;
}

size_t decimal_write_fixed(double x, int decimals, char *to)
{
	uint64_t digits;
	char text[17], *end = to;

	if (!round_fixed(fabs(x), decimals, &digits))
		return 0;
	if (signbit(x))
		*end++ = '-';
	write_seventeen(digits, text);
	int first = 0;
	const int whole = 17 - decimals; /* digits in front of the point */
	while (first < whole - 1 && text[first] == '0')
		++first;
	memcpy(end, text + first, (size_t)(whole - first));
	end += whole - first;
	if (decimals > 0) {
		*end++ = '.';
		memcpy(end, text + whole, (size_t)decimals);
		end += decimals;
	}
	return (size_t)(end - to);
}
