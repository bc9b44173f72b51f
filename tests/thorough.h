/* The extent of the slow tests. */
#ifndef TESTS_THOROUGH_H
#define TESTS_THOROUGH_H

#include <stdbool.h>
#include <stdlib.h>

/* All cases, at full size: with SONDE_THOROUGH in the environment, as `make check-thorough` has it. Otherwise the part
 * that every change has to pass within minutes. */
static inline bool is_thorough(void)
{
	return getenv("SONDE_THOROUGH") != NULL;
}

#endif
