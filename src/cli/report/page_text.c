#include "cli/report/page_text.h"

#include <math.h>
#include <string.h>

/* Bytes of the character at c, of which `left` are there, if that is valid UTF-8 (RFC 3629); else 0. */
static int length_of_character(const unsigned char *c, size_t left)
{
	const int length = c[0] < 0x80                   ? 1
			   : c[0] >= 0xc2 && c[0] < 0xe0 ? 2
			   : (c[0] & 0xf0) == 0xe0       ? 3
			   : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
							 : 0;

	if (length == 0 || (size_t)length > left)
		return 0;
	for (int k = 1; k < length; ++k)
		if ((c[k] & 0xc0) != 0x80)
			return 0;
	if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf0 && c[1] < 0x90) ||
	    (c[0] == 0xf4 && c[1] > 0x8f))
		return 0;
	return length;
}

void page_append_string(struct text *page, const char *bytes, size_t size)
{
	const unsigned char *c = (const unsigned char *)bytes, *end = c + strnlen(bytes, size);

	text_append_byte(page, '"');
	while (c < end) {
		const int length = length_of_character(c, (size_t)(end - c));
		if (length == 0)
			text_append(page, "\\ufffd");
		else if (*c < ' ' || *c == 0x7f || strchr("\"\\<>&'", *c) != NULL)
			text_append(page, "\\u%04x", (unsigned)*c);
		else
			text_append_bytes(page, (const char *)c, (size_t)length);
		c += length > 0 ? length : 1;
	}
	text_append_byte(page, '"');
}

void page_append_text(struct text *page, const char *text)
{
	page_append_string(page, text, strlen(text));
}

void page_append_number(struct text *page, double value)
{
	if (isfinite(value))
		text_append_real(page, value);
	else
		text_append(page, "null");
}

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void page_append_base64(struct text *page, const unsigned char *bytes, size_t size)
{
	char *to = text_room(page, 4 * (size / 3 + 1));
	size_t written = 0;

	if (to == NULL)
		return;
	for (size_t k = 0; k < size; k += 3) {
		const size_t left = size - k;
		const uint32_t word = (uint32_t)bytes[k] << 16 | (left > 1 ? (uint32_t)bytes[k + 1] << 8 : 0U) |
				      (left > 2 ? bytes[k + 2] : 0U);
		to[written++] = digits[word >> 18];
		to[written++] = digits[word >> 12 & 63];
		to[written++] = left > 1 ? digits[word >> 6 & 63] : '=';
		to[written++] = left > 2 ? digits[word & 63] : '=';
	}
	text_grow(page, written);
}

#define PIECE 3072 /* numbers: a multiple of 3, so that pieces of base64 can be joined */

void page_append_numbers(struct text *page, const double *values, int64_t count, bool single)
{
	unsigned char bytes[PIECE * sizeof(double)];

	text_append_byte(page, '"');
	for (int64_t begin = 0; begin < count; begin += PIECE) {
		const int64_t end = begin + PIECE < count ? begin + PIECE : count;
		size_t size = 0;
		for (int64_t n = begin; n < end; ++n) {
			uint64_t word;
			uint32_t half;
			const float rounded = (float)values[n];
			memcpy(&word, &values[n], sizeof word);
			memcpy(&half, &rounded, sizeof half);
			for (int k = 0; k < (single ? 4 : 8); ++k)
				bytes[size++] = (unsigned char)((single ? half : word) >> (8 * k));
		}
		page_append_base64(page, bytes, size);
	}
	text_append_byte(page, '"');
}

void page_append_escaped(struct text *page, const char *text)
{
	for (; *text != '\0'; ++text)
		if (strchr("&<>\"'", *text) != NULL)
			text_append(page, "&#%d;", *text);
		else
			text_append_byte(page, *text);
}
