/* Coordinates are integers, multiples of 1/precision, in a box from `least` to `largest`. An atom takes a number of mixed
 * radix, whose digits are its coordinates. The atoms after it may be near: then a run of them takes smaller numbers,
 * whose digits are differences from the atom before. The number of their bits changes by one from run to run. Within a
 * number of mixed radix the bytes are in order of significance, the least first, while the bits of each byte, of the whole
 * stream, and of separate digits have the most significant first. The format is that of F. van Hoesel's libxdrf; described in D. van der Spoel et al., GROMACS
 * reference manual, "File formats: xtc". */
#include "io/trajectory/xtc_numbers.h"

#include <stdbool.h>

#include "io/trajectory/big_endian.h"

#define FEWEST_BITS 9
#define LONGEST 57    /* bits that can be read at once, at any position in a byte */
#define MOST_SPARE 32 /* bits after the last atom: writers fill up a byte */

__extension__ typedef unsigned __int128 uint128;

/* The radix of differences that take k bits, about the cube root of 2^k. The format consists of these numbers. */
static const uint32_t radices[] = {
    0,       0,       0,       0,       0,        0,        0,       0,       0,       8,       10,
    12,      16,      20,      25,      32,       40,       50,      64,      80,      101,     128,
    161,     203,     256,     322,     406,      512,      645,     812,     1024,    1290,    1625,
    2048,    2580,    3250,    4096,    5060,     6501,     8192,    10321,   13003,   16384,   20642,
    26007,   32768,   41285,   52015,   65536,    82570,    104031,  131072,  165140,  208063,  262144,
    330280,  416127,  524287,  660561,  832255,   1048576,  1321122, 1664510, 2097152, 2642245, 3329021,
    4194304, 5284491, 6658042, 8388607, 10568983, 13316085, 16777216};
#define RADICES ((int)(sizeof radices / sizeof *radices))

/* A number of mixed radix. */
struct code {
	uint32_t radix[3];
	int bits;        /* of the whole number, or */
	int separate[3]; /* of each digit, if bits is 0 */
};

struct stream {
	const unsigned char *bytes;
	uint64_t position, end; /* bits */
};

static int bit_length(uint128 value)
{
	int length = 0;

	for (; value != 0; value >>= 1)
		++length;
	return length;
}

/* Bits from the most significant one on, at most LONGEST. */
static uint64_t take(struct stream *stream, int bits)
{
	if (stream->position > stream->end)
		return 0; /* the end is reported after the number */
	const uint64_t word = big_endian_long(stream->bytes + stream->position / 8) << stream->position % 8;
	stream->position += (uint64_t)bits;
	return bits == 0 ? 0 : word >> (64 - bits);
}

/* A number whose bytes begin with the least significant one. */
static uint64_t take_short(struct stream *stream, int bits)
{
	const int rest = bits % 8, whole = bits - rest;
	const uint64_t word = take(stream, bits);
	const uint64_t bytes = whole == 0 ? 0 : __builtin_bswap64(word >> rest << (64 - whole));

	return bytes | (word & ((UINT64_C(1) << rest) - 1)) << whole;
}

/* The same for more than LONGEST bits, up to 72. */
static uint128 take_long(struct stream *stream, int bits)
{
	const uint64_t low = take_short(stream, 48);

	return low | (uint128)take_short(stream, bits - 48) << 48;
}

/* A number that is too large has a first digit beyond the radix; the others are remainders, unless digits are separate. */
static bool are_digits(const struct code *code, const int64_t digits[3])
{
	return digits[0] < code->radix[0] &&
	       (code->bits > 0 || (digits[1] < code->radix[1] && digits[2] < code->radix[2]));
}

static void take_digits(struct stream *stream, const struct code *code, int64_t digits[3])
{
	const uint32_t *radix = code->radix;

	if (code->bits == 0) {
		for (int axis = 0; axis < 3; ++axis)
			digits[axis] = (int64_t)take(stream, code->separate[axis]);
	} else if (code->bits <= LONGEST) {
		const uint64_t number = take_short(stream, code->bits), rest = number / radix[2];
		digits[2] = (int64_t)(number % radix[2]);
		digits[1] = (int64_t)(rest % radix[1]);
		digits[0] = (int64_t)(rest / radix[1]);
	} else {
		const uint128 number = take_long(stream, code->bits), rest = number / radix[2];
		digits[2] = (int64_t)(number % radix[2]);
		digits[1] = (int64_t)(rest % radix[1]);
		digits[0] = (int64_t)(rest / radix[1]);
	}
}

/* Coordinates of the box; from 2^24 values on its digits are separate. */
static bool make_code(const struct xtc_numbers *numbers, struct code *code)
{
	const uint32_t most = 0xffffff;
	uint128 product = 1;
	bool separate = false;

	for (int axis = 0; axis < 3; ++axis) {
		const int64_t values = (int64_t)numbers->largest[axis] - numbers->least[axis] + 1;
		if (values < 1 || values > UINT32_MAX)
			return false;
		code->radix[axis] = (uint32_t)values;
		code->separate[axis] = bit_length((uint128)values);
		product *= (uint128)values;
		separate = separate || values > most;
	}
	code->bits = separate ? 0 : bit_length(product);
	return true;
}

/* Whether differences may take this number of bits. Writers use RADICES where they are larger than all radices, and then store none. */
static bool is_size(int bits)
{
	return bits >= FEWEST_BITS && bits <= RADICES;
}

static struct code small_code(int bits)
{
	const uint32_t radix = bits < RADICES ? radices[bits] : 0;

	return (struct code){.radix = {radix, radix, radix}, .bits = bits};
}

/* Ranges of the coordinates of all atoms; the fourth number is not used. Coordinates of undamaged files have 32 bits. */
typedef int32_t four __attribute__((vector_size(16)));

struct reached {
	four least, largest;
};

static inline void reach(struct reached *reached, const int64_t position[3])
{
	const four here = {(int32_t)position[0], (int32_t)position[1], (int32_t)position[2], 0},
		   below = here<reached->least, above = here> reached->largest;

	reached->least = (below & here) | (~below & reached->least);
	reached->largest = (above & here) | (~above & reached->largest);
}

/* The format has no checksum, but its writers store the least and the largest coordinate: limits that no atom has are
 * damaged, and so are the positions, whose bits depend on them. */
static bool are_limits(const struct xtc_numbers *numbers, const struct reached *reached)
{
	for (int axis = 0; axis < 3; ++axis)
		if (reached->least[axis] != numbers->least[axis] || reached->largest[axis] != numbers->largest[axis])
			return false;
	return true;
}

static const char damaged[] = "its compressed positions are damaged";

/* The atoms after one in the box, each relative to the one before. */
static inline sonde_status expand_run(struct stream *stream, const struct code *near, int run, int64_t *atom,
				      struct reached *reached, const int64_t position[3], xtc_place *place,
				      void *user, const char **what)
{
	int64_t previous[3] = {position[0], position[1], position[2]}, digits[3];

	for (int k = 0; k < run; ++k) {
		take_digits(stream, near, digits);
		if (!are_digits(near, digits))
			*what = damaged;
		for (int axis = 0; axis < 3; ++axis)
			previous[axis] += digits[axis] - near->radix[0] / 2;
		reach(reached, previous);
		CHECK(place(user, (*atom)++, previous));
		if (k == 0) /* the first two are exchanged: in water, hydrogen is near oxygen */
			CHECK(place(user, (*atom)++, position));
	}
	return run == 0 ? place(user, (*atom)++, position) : SONDE_OK;
}

sonde_status xtc_expand(const struct xtc_numbers *numbers, int64_t atoms, xtc_place *place, void *user,
			const char **what)
{
	struct stream stream = {numbers->bytes, 0, 8 * numbers->size};
	struct reached reached = {{INT32_MAX, INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN, INT32_MIN}};
	int64_t position[3], digits[3];
	int small = numbers->small, run = 0;
	struct code code;

	*what = NULL;
	if (!is_size(small) || !make_code(numbers, &code)) {
		*what = "the range of its compressed positions is impossible";
		return SONDE_OK;
	}
	struct code near = small_code(small);
	for (int64_t atom = 0; atom < atoms && *what == NULL;) {
		int change = 0;
		take_digits(&stream, &code, digits);
		if (!are_digits(&code, digits))
			*what = damaged;
		for (int axis = 0; axis < 3; ++axis)
			position[axis] = numbers->least[axis] + digits[axis];
		reach(&reached, position);
		if (take(&stream, 1)) { /* otherwise the run is as long as the one before */
			const int word = (int)take(&stream, 5);
			change = word % 3 - 1;
			run = word / 3;
		}
		if (run >= atoms - atom || (run > 0 && near.radix[0] == 0)) {
			*what = "its compressed positions are damaged: a run of atoms is too long";
			return SONDE_OK;
		}
		CHECK(expand_run(&stream, &near, run, &atom, &reached, position, place, user, what));
		small += change;
		if (stream.position > stream.end || !is_size(small))
			*what = damaged;
		else if (change != 0)
			near = small_code(small);
	}
	if (*what == NULL && stream.end - stream.position > MOST_SPARE)
		*what = damaged;
	if (*what == NULL && !are_limits(numbers, &reached))
		*what = "its positions are not those between which they are said to lie: the frame is damaged";
	return SONDE_OK;
}
