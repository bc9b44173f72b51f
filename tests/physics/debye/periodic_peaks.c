/* Peaks of G(r) and R(r) of periodic samples with thermal motion: Gaussians with the widths of the law. */
#include "physics/correlated_motion.h"

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define REFERENCE SONDE_DEBYE_METHOD_REFERENCE
#define UNIT SONDE_DEBYE_FACTORS_UNIT

static const struct law strong = {0.2, 1.3, 0.03};

/* The shells of a simple cubic crystal. */
#define CUBE 3.35
static const double neighbors[] = {6, 12, 8, 6, 24, 24, 0, 12, 30};

static sonde_atoms *make_cube(void)
{
	static const double edges[9] = {CUBE, 0, 0, 0, CUBE, 0, 0, 0, CUBE};
	sonde_atoms *atoms = empty_sample();

	add_atom(atoms, "Po", 0.4, 0.1, 3.0);
	set_periodic_cell(atoms, edges);
	return atoms;
}

/* R(r) of the shells: p(r) = r/(d sqrt(2 pi s)) (exp(-(r - d)^2/(2s)) - exp(-(r + d)^2/(2s))). */
static double shells(const struct law *law, double u, double r)
{
	double sum = 0.0;

	for (int n = 0; n < 9; ++n) {
		const double d = CUBE * sqrt(n + 1.0), s = width(law, u, d);
		sum += neighbors[n] * r / (d * sqrt(2.0 * PI * s)) *
		       (exp(-(r - d) * (r - d) / (2.0 * s)) - exp(-(r + d) * (r + d) / (2.0 * s)));
	}
	return sum;
}

/* G(r) = R(r)/r - 4 pi r rho, also from sums with damping; its peaks have the widths of the law. */
static void test_peaks_of_g_are_gaussians(void **state)
{
	const double density = 1.0 / (CUBE * CUBE * CUBE), u = 0.018;
	sonde_atoms *atoms = make_cube();
	(void)state;

	for (int method = EXACT; method <= REFERENCE; ++method) {
		sonde_debye_options options =
		    moving(method, UNIT, (sonde_grid){0.0, 55.0, 1101}, 16.0, "0.009", &strong);
		options.r = (sonde_grid){0.05, 9.05, 901};
		options.density = density;
		options.damping = method == HISTOGRAM ? SONDE_DEBYE_DAMPING_NONE : SONDE_DEBYE_DAMPING_BALL;
		sonde_debye_result *result = run(atoms, &options);
		double area = 0.0, mean = 0.0, square = 0.0;
		for (int64_t n = 0; n < result->r_count; ++n) {
			const double r = result->r[n], background = 4.0 * PI * r * density;
			assert_within(result->pair_distribution[n], shells(&strong, u, r) / r - background, 3e-4,
				      "G");
			assert_within(result->total_correlation[n], result->pair_distribution[n] + background, 1e-12,
				      "T");
			if (fabs(r - CUBE) > 0.65)
				continue;
			/* r G = d times the Gaussian peak, over the factor r */
			const double peak = 0.01 * (result->pair_distribution[n] + background);
			area += peak;
			mean += peak * r;
			square += peak * r * r;
		}
		mean /= area;
		assert_close(area, 6.0 / CUBE, 1e-4, "neighbors");
		assert_close(mean, CUBE, 1e-5, "distance");
		assert_close(square / area - mean * mean, width(&strong, u, CUBE), 1e-3, "width");
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

/* R(r), n(r), and g(r) from the distances have the same peaks; R is a mean over each bin. */
static void test_peaks_of_r_are_those_of_moving_atoms(void **state)
{
	static const struct law laws[] = {{0, 0, 0}, {0.2, 1.3, 0.03}};
	const double density = 1.0 / (CUBE * CUBE * CUBE), u = 0.018, step = 0.01;
	sonde_atoms *atoms = make_cube();
	(void)state;

	for (int l = 0; l < 2; ++l) {
		sonde_debye_options options =
		    moving(HISTOGRAM, UNIT, (sonde_grid){0.0, 20.0, 101}, 12.0, "0.009", &laws[l]);
		double below = 0.0;
		options.counts = 1;
		options.r = (sonde_grid){0.0, 12.0, 1201};
		sonde_debye_result *result = run(atoms, &options);
		for (int64_t n = 1; n <= 880; ++n) {
			const double r = result->r[n], peaks = shells(&laws[l], u, r),
				     bin = (shells(&laws[l], u, r - 0.5 * step) + 4.0 * peaks +
					    shells(&laws[l], u, r + 0.5 * step)) /
					   6.0;
			assert_within(result->radial_distribution[n], bin, 1e-3, "R");
			assert_within(result->pair_correlation[n], bin / (4.0 * PI * r * r * density), 1e-3, "g");
			/* Simpson's rule over the step */
			below += step / 6.0 *
				 (shells(&laws[l], u, r - step) + 4.0 * shells(&laws[l], u, r - 0.5 * step) + peaks);
			assert_within(result->running_coordination[n], below, 1e-4, "n");
		}
		assert_within(result->running_coordination[405], 6.0, 1e-4, "first shell");
		/* the shell at the cut-off is blurred beyond */
		assert_true(isnan(result->running_coordination[1190]) && isnan(result->radial_distribution[1190]));
		/* the histogram itself has the positions */
		double counted = 0.0;
		for (int64_t b = 0; b < result->counted_bins; ++b)
			counted += fabs(result->counted_distances[b] - CUBE) < 1e-8 ? result->counted_pairs[b] : 0.0;
		assert_close(counted, 3.0, 1e-12, "pairs");
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_peaks_of_g_are_gaussians),
	    cmocka_unit_test(test_peaks_of_r_are_those_of_moving_atoms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
