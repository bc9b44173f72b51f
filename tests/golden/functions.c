/* Rounding of this machine's mathematical functions: values of every function that the library calls, with all bits,
 * for tests/golden/numbers.sh. Where two machines print the same, the program's numbers must be the same to the last
 * bit. */
#include <complex.h>
#include <math.h>
#include <stdio.h>

static const struct {
	const char *name;
	double (*value)(double);
	double first, last; /* arguments */
} functions[] = {
    {"sin", sin, -40, 40},      {"cos", cos, -40, 40},   {"tan", tan, -1.5, 1.5},  {"asin", asin, -1, 1},
    {"acos", acos, -1, 1},      {"cosh", cosh, -20, 20}, {"exp", exp, -80, 80},    {"exp2", exp2, -80, 80},
    {"expm1", expm1, -2, 2},    {"log", log, 1e-6, 90},  {"log2", log2, 1e-6, 90}, {"log10", log10, 1e-6, 90},
    {"cbrt", cbrt, -900, 900},  {"sqrt", sqrt, 0, 900},  {"erf", erf, -3, 3},      {"erfc", erfc, -3, 12},
    {"rint", nearbyint, -9, 9},
};
static double divided(double x, double y)
{
	return remainder(x, y) + fmod(x, y);
}
static const struct {
	const char *name;
	double (*value)(double, double);
} functions_of_two[] = {{"atan2", atan2}, {"hypot", hypot}, {"pow", pow}, {"remainders", divided}};

static void print_complex(const char *name, double x, double y, double complex value)
{
	printf("%s %.3g %.3g %a %a\n", name, x, y, creal(value), cimag(value));
}

int main(void)
{
	enum { COUNT = 400 };

	for (size_t k = 0; k < sizeof(functions) / sizeof(functions[0]); ++k)
		for (int n = 0; n < COUNT; ++n) {
			const double x =
			    functions[k].first + (functions[k].last - functions[k].first) * (n + 0.37) / COUNT;
			printf("%s %.9g %a\n", functions[k].name, x, functions[k].value(x));
		}
	for (size_t k = 0; k < sizeof(functions_of_two) / sizeof(functions_of_two[0]); ++k)
		for (int n = 0; n < COUNT; ++n) {
			const double x = 0.03 + 0.11 * n, y = 7.1 - 0.029 * n;
			printf("%s %.9g %.9g %a\n", functions_of_two[k].name, x, y, functions_of_two[k].value(x, y));
		}
	for (int n = 0; n < COUNT; ++n) {
		const double x = -3.1 + 0.017 * n, y = 2.3 - 0.013 * n;
		const double complex z = x + y * I;

		print_complex("cexp", x, y, cexp(z));
		print_complex("clog", x, y, clog(z));
		print_complex("csqrt", x, y, csqrt(z));
		print_complex("product", x, y, z * (z + 0.3));
		print_complex("quotient", x, y, (0.3 + z) / (z * z + 1.7 * I));
		printf("cabs %.3g %.3g %a\n", x, y, cabs(z));
	}
	return 0;
}
