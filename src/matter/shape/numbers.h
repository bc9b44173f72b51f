/* Lists of numbers in the texts of options. */
#ifndef SONDE_MATTER_SHAPE_NUMBERS_H
#define SONDE_MATTER_SHAPE_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* Exactly `count` numbers in [start, end), separated by commas, semicolons or blanks. False if there is anything
 * else. */
bool numbers_real(const char *start, const char *end, int count, double *numbers);
bool numbers_integer(const char *start, const char *end, int count, int64_t *numbers);

#endif
