/* Comparison of numbers in tests: a failure prints both of them and their difference. */
#ifndef TESTS_ASSERT_CLOSE_H
#define TESTS_ASSERT_CLOSE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Fails at a line of a test unless |got - want| <= bound; NaN is not close to anything. */
static inline void check_numbers(double got, double want, double bound, const char *what, const char *expression,
				 const char *file, int line)
{
	if (fabs(got - want) <= bound)
		return;
	print_error("%s, %s, is %.17g, not %.17g: relative difference %.3g, difference %.3g, allowed %.3g\n", what,
		    expression, got, want, got / want - 1.0, got - want, bound);
	_fail(file, line);
}

/* Fails unless `got` is `want` to a relative `tolerance`. `what` names the number. */
#define assert_close(got, want, tolerance, what)                                                    \
	do {                                                                                        \
		const double want_ = (want);                                                        \
		check_numbers(got, want_, (tolerance)*fabs(want_), what, #got, __FILE__, __LINE__); \
	} while (0)

/* Fails unless `got` is `want` to within `allowed`, which has their unit. */
#define assert_within(got, want, allowed, what) check_numbers(got, want, allowed, what, #got, __FILE__, __LINE__)

#endif
