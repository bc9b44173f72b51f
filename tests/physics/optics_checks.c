/* Comparisons and integrals for the tests of closed forms and those that use them. */
#include "physics/optics.h"

#include "physics/physics.h"

void check_number(const char *what, double value, double truth, double tolerance)
{
	double error = fabs(value - truth) / (truth == 0.0 ? 1.0 : fabs(truth));

	printf("%-58s %22.15g  error %.1e of %.1e\n", what, value, error, tolerance);
	assert_true(error <= tolerance);
}

void check_complex_number(const char *what, double complex value, double complex truth, double tolerance)
{
	double error = cabs(value - truth) / cabs(truth);

	printf("%-58s %12.6g %+12.6g i  error %.1e of %.1e\n", what, creal(value), cimag(value), error, tolerance);
	assert_true(error <= tolerance);
}

const char *name_check(const char *format, ...)
{
	static char text[128];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return text;
}

void gauss_legendre(int count, double a, double b, double *nodes, double *weights)
{
	for (int i = 0; i < count; ++i) {
		double x = cos(PI * (i + 0.75) / (count + 0.5)), slope = 1.0;
		for (int iteration = 0; iteration < 20; ++iteration) {
			double here = x, below = 1.0;
			for (int n = 1; n < count; ++n) {
				double above = ((2 * n + 1) * x * here - n * below) / (n + 1);
				below = here;
				here = above;
			}
			slope = count * (x * here - below) / (x * x - 1.0);
			x -= here / slope;
		}
		nodes[i] = 0.5 * (a + b) + 0.5 * (b - a) * x;
		weights[i] = (b - a) / ((1.0 - x * x) * slope * slope);
	}
}
