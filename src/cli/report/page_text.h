/* Text and numbers within the page: JSON that contains neither tags nor other markup, whatever a file contains. */
#ifndef SONDE_CLI_REPORT_PAGE_TEXT_H
#define SONDE_CLI_REPORT_PAGE_TEXT_H

#include "base/text.h"

/* A JSON string of at most `size` bytes up to the first zero. Bytes that are not UTF-8 become U+FFFD; the characters
 * that have a meaning in HTML are written as \u003c and so on, so that no text can end the script element around it. */
void page_append_string(struct text *page, const char *bytes, size_t size);
void page_append_text(struct text *page, const char *text);
/* A JSON number, or null. */
void page_append_number(struct text *page, double value);
/* A JSON string with numbers in base64, as float64 or float32, the least significant byte first. */
void page_append_numbers(struct text *page, const double *values, int64_t count, bool single);
void page_append_base64(struct text *page, const unsigned char *bytes, size_t size);
/* Text of HTML. */
void page_append_escaped(struct text *page, const char *text);

#endif
