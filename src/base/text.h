/* Text: growing buffers, reading and writing of numbers, the nearest known word. */
#ifndef SONDE_BASE_TEXT_H
#define SONDE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* A growing string that is always terminated. Start from {0}; text_free() releases it. A failed allocation is
 * remembered and reported once, by text_status(). */
struct text {
	char *bytes; /* null while empty */
	size_t size, capacity;
	bool failed;
};

void text_append(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends x with the fewest of 15 or 17 digits that read back as x. */
void text_append_real(struct text *text, double x);
void text_append_byte(struct text *text, char byte);
/* Appends x as %*.*f. */
void text_append_fixed(struct text *text, double x, int width, int decimals);
void text_append_integer(struct text *text, int64_t x);
/* Room for that many more bytes, to which the caller writes the next ones and calls text_grow() with their number; null
 * after a failure. */
char *text_room(struct text *text, size_t most);
void text_grow(struct text *text, size_t written);
void text_append_bytes(struct text *text, const char *bytes, size_t size);
/* Appends x as printf's %.9e does, or %.9E with upper, many times faster. */
void text_append_scientific(struct text *text, double x, bool upper);
sonde_status text_status(const struct text *text);
void text_free(struct text *text);

/* A number from exactly [start, end): decimal, no blanks, no hexadecimal, independent of the locale; infinities and
 * NaN are refused. True on success. Correctly rounded. */
bool text_parse_real(const char *start, const char *end, double *value);
/* The number at *cursor, which ends at a blank, a tab or the zero, if it is short: up to 19 digits, above 2^53 only with a point, and no exponent. The same bits as
 * text_parse_real(), in half the time; *cursor moves behind it. False, with *cursor unchanged, for anything else, also
 * numbers that text_parse_real() reads. */
bool text_take_short_real(const char **cursor, double *value);
/* A decimal integer from exactly [start, end): a sign and digits, no leading zeros, no exponent. */
bool text_parse_integer(const char *start, const char *end, int64_t *value);
/* The same, also with an exponent where the number is whole: 1e6, 1.5e3. Exact: no digit goes through floating point. */
bool text_parse_whole(const char *start, const char *end, int64_t *value);
/* x as text that reads back as x; `buffer` holds 32 bytes. Returns buffer. */
char *text_format_real(double x, char *buffer);
/* The same without a terminating zero; returns the number of bytes. */
size_t text_write_real(double x, char *buffer);

/* The smallest number of that many significant decimal digits that is not below x >= 0: a bound stays a bound when it
 * is printed. */
double text_round_up(double x, int digits);
/* The largest that is not above x >= 0. */
double text_round_down(double x, int digits);

/* Distance of two words: insertions, deletions, replacements and swaps of neighbors; letters that differ only in case
 * count half. In halves, so that 2 is one change. */
int text_distance(const char *a, const char *b);

/* Collects the best match of a word among candidates: start from {.word = w}, offer each, read
 * `best` (null if nothing is near enough to suggest). */
struct nearest_word {
	const char *word;
	const char *best;
	int distance;
};
void nearest_word_offer(struct nearest_word *nearest, const char *candidate);
/* ", did you mean 'BEST'?" or "" into buffer; returns buffer. */
const char *nearest_word_hint(const struct nearest_word *nearest, char *buffer, size_t size);

#endif
