#include "pattern/fast/window.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/constants.h"

#define LEAST_WIDTH 3
/* Places between two nodes and phases at which the error is found. It is largest at nodes, and near the largest phase. */
#define PLACES 4
#define PHASES 64
#define MAGNIFIED_STEPS 4.0
#define FIT 0.01 /* error of a polynomial, in that of the window */

/* I0(x), a sum of positive terms. */
static double bessel(double x)
{
	double term = 1.0, sum = 1.0;

	for (int k = 1; term > 1e-17 * sum; ++k) {
		term *= 0.25 * x * x / ((double)k * k);
		sum += term;
	}
	return sum;
}

static double value(const struct window *window, double u)
{
	const double part = 2.0 * u / window->width, square = 1.0 - part * part;

	return square >= 0.0 ? bessel(window->beta * sqrt(square)) / window->largest : 0.0;
}

double window_transform(const struct window *window, double phase)
{
	const double half = 0.5 * window->width * phase, square = window->beta * window->beta - half * half,
		     z = sqrt(fabs(square));
	const double shape = z < 1e-8 ? 1.0 : square > 0.0 ? sinh(z) / z : sin(z) / z;

	return window->width * shape / window->largest;
}

/* Polynomials of the values at the points around a place, from those at Chebyshev's nodes; returns the largest error of the last
 * coefficients. */
static double fit(struct window *window, int degree)
{
	const int n = degree + 1;
	double last = 0.0, *rows = window->frame + FRAME_ROWS;

	memset(rows, 0, sizeof window->frame - FRAME_ROWS * sizeof(double));
	for (int v = 0; v < window->width; ++v) {
		double chebyshev[WINDOW_MOST_DEGREE + 1] = {0.0}, powers[WINDOW_MOST_DEGREE + 1] = {0.0};
		double before[WINDOW_MOST_DEGREE + 1] = {1.0}, now[WINDOW_MOST_DEGREE + 1] = {0.0, 1.0};
		for (int j = 0; j < n; ++j) {
			const double angle = PI * (j + 0.5) / n;
			const double at = value(window, 0.5 * (cos(angle) + 1.0) + v - 0.5 * window->width);
			for (int k = 0; k < n; ++k)
				chebyshev[k] += (k > 0 ? 2.0 : 1.0) / n * at * cos(k * angle);
		}
		/* sum of T_k, with T_k+1 = 2 x T_k - T_k-1 */
		for (int k = 0; k < n; ++k) {
			double next[WINDOW_MOST_DEGREE + 1] = {0.0};
			for (int p = 0; p < n; ++p)
				powers[p] += chebyshev[k] * before[p];
			for (int p = 0; p < n; ++p)
				next[p] = 2.0 * (p > 0 ? now[p - 1] : 0.0) - before[p];
			memcpy(before, now, sizeof now);
			memcpy(now, next, (size_t)n * sizeof *next);
		}
		for (int p = 0; p < n; ++p)
			rows[(degree - p) * (int)WINDOW_MOST_WIDTH + v] = powers[p];
		last = fmax(last, fabs(chebyshev[degree]) + fabs(chebyshev[degree - 1]));
	}
	window->frame[FRAME_DEGREE] = degree;
	return last;
}

/* Of exp(i k x) from the window's mesh points, the largest relative error at phases up to pi/oversampling. */
static double find_error(const struct window *window)
{
	const double largest_phase = PI / window->oversampling;
	double error = 0.0;

	for (int p = 0; p <= PLACES; ++p) {
		double values[WINDOW_MOST_WIDTH] = {0.0}, at[WINDOW_MOST_WIDTH] = {0.0};
		for (int v = 0; v < window->width; ++v) {
			at[v] = (double)p / PLACES + v - 0.5 * window->width;
			values[v] = value(window, at[v]);
		}
		for (int k = 0; k <= PHASES; ++k) {
			const double phase = largest_phase * k / PHASES, transform = window_transform(window, phase);
			double real = 0.0, imaginary = 0.0;
			for (int v = 0; v < window->width; ++v) {
				real += values[v] * cos(phase * at[v]);
				imaginary += values[v] * sin(phase * at[v]);
			}
			error = fmax(error, hypot(real / transform - 1.0, imaginary / transform));
		}
	}
	return error;
}

/* With P. J. Beatty et al., IEEE Trans. Med. Imaging 24 (2005) 799, equation 5. */
static void shape(int width, double oversampling, struct window *window)
{
	const double w = width / oversampling, s = oversampling - 0.5;

	*window = (struct window){.width = width, .oversampling = oversampling};
	window->beta = PI * sqrt(fmax(w * w * s * s - 0.8, 0.1));
	window->largest = bessel(window->beta);
	window->error = find_error(window);
	/* At the largest phase, a sum over nodes is smaller by this than their magnitudes, and its rounding is magnified by as much
	 * when the transform of the window is divided out: in two steps for each of two axes. */
	const double magnified = window_transform(window, 0.0) / window_transform(window, PI / oversampling);
	window->rounding = 0.5 * DBL_EPSILON * pow(magnified, MAGNIFIED_STEPS);
}

void window_make(int width, double oversampling, struct window *window)
{
	int degree = width < 6 ? 8 : width + 2;

	shape(width, oversampling, window);
	while (fit(window, degree) > FIT * window->error && degree < (int)WINDOW_MOST_DEGREE)
		++degree;
}

bool window_find(double error, double oversampling, struct window *window)
{
	for (int width = LEAST_WIDTH; width <= (int)WINDOW_MOST_WIDTH; ++width) {
		shape(width, oversampling, window);
		if (window->error <= error && window->rounding <= error) {
			window_make(width, oversampling, window);
			return true;
		}
	}
	return false;
}
