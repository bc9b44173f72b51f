/* The window of the fast method: what its polynomials make of exp(i k x). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/constants.h"
#include "pattern/fast/window.h"

/* The polynomial of node v. */
static double polynomial(const struct window *window, int v, double x)
{
	const double *rows = window->frame + FRAME_ROWS;
	double value = rows[v];

	for (int d = 1; d <= (int)window->frame[FRAME_DEGREE]; ++d)
		value = value * x + rows[d * (int)WINDOW_MOST_WIDTH + v];
	return value;
}

/* The largest error at phases up to pi/oversampling, at places between those of window_make(). */
static double error_of(const struct window *window)
{
	double error = 0.0;

	for (int p = 0; p <= 13; ++p)
		for (int k = 0; k <= 77; ++k) {
			const double part = p / 13.0, phase = PI / window->oversampling * k / 77.0,
				     transform = window_transform(window, phase);
			double real = 0.0, imaginary = 0.0;
			for (int v = 0; v < window->width; ++v) {
				const double weight = polynomial(window, v, 2.0 * part - 1.0) / transform,
					     at = part + v - 0.5 * window->width;
				real += weight * cos(phase * at);
				imaginary += weight * sin(phase * at);
			}
			error = fmax(error, hypot(real - 1.0, imaginary));
		}
	return error;
}

static void test_errors_are_those_stated(void **state)
{
	static const double oversamplings[] = {1.25, 1.5, 2.0, 3.0};
	(void)state;

	for (int k = 0; k < 4; ++k)
		for (int width = 3; width <= (int)WINDOW_MOST_WIDTH; ++width) {
			struct window window;
			window_make(width, oversamplings[k], &window);
			const double error = error_of(&window);
			assert_true(error < 1.3 * window.error + 2e-14);
			assert_true(error > 0.7 * window.error - 2e-14);
			for (int v = width; v < (int)WINDOW_MOST_WIDTH; ++v)
				assert_true(polynomial(&window, v, 0.3) == 0.0);
		}
}

static void test_the_narrowest_window_is_found(void **state)
{
	struct window window, narrower;
	(void)state;

	for (double error = 1e-2; error > 3e-14; error *= 0.1) {
		assert_true(window_find(error, 2.5, &window));
		assert_true(window.error <= error && window.rounding <= error);
		if (window.width > 3) {
			window_make(window.width - 1, 2.5, &narrower);
			assert_true(narrower.error > error);
		}
	}
	assert_false(window_find(1e-12, 1.25, &window));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_errors_are_those_stated),
	    cmocka_unit_test(test_the_narrowest_window_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
