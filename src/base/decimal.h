/* Decimal digits of numbers, exactly those of printf and many times faster. */
#ifndef SONDE_BASE_DECIMAL_H
#define SONDE_BASE_DECIMAL_H

#include <stddef.h>

#define DECIMAL_SIZE 26 /* bytes that a number takes at most */

/* Writes x as %.15g, or, where that does not read back as x, as %.17g; returns the number of bytes, without a
 * terminating zero. 0 if x is not 0 and not from 1e-4 to 1e14 in magnitude: then nothing is written. */
size_t decimal_write(double x, char *to);
/* Writes x as %.*f with up to 16 decimals; returns the number of bytes, without a terminating zero. 0 if x * 10^decimals is not
 * below 1e17: then nothing is written. */
size_t decimal_write_fixed(double x, int decimals, char *to);

#endif
