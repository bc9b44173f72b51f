#include "pattern/detector/response.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/threads.h"
#include "pattern/detector/poisson.h"
#include "run/result_table.h"

#define CLASSICAL_ELECTRON_RADIUS 2.8179403262e-9 /* um, CODATA 2018 */
#define FM2 1e-18                                 /* um^2 */
#define ANGSTROM2 1e-8                            /* um^2 */

static sonde_status read_polarization(const sonde_pattern_options *options, double *factor)
{
	const char *text = options->polarization;

	*factor = 0.0;
	if (strcmp(text, "unpolarized") == 0)
		return SONDE_OK;
	return text_parse_real(text, text + strlen(text), factor) && fabs(*factor) <= 1.0
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, "polarization",
					"'%.40s' is neither unpolarized nor a number from -1 to 1", text);
}

static sonde_status check_polarization(const sonde_pattern_options *options, bool on_sphere)
{
	double factor;

	if (options->polarization[0] == '\0')
		return SONDE_OK;
	CHECK(read_polarization(options, &factor));
	if (!on_sphere)
		return status_fail_option(SONDE_INVALID, "polarization",
					  "the directions of scattering are those of a detector or of circles");
	return options->radiation == SONDE_PATTERN_RADIATION_XRAY
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, "polarization", "this factor is for X-rays");
}

static sonde_status check_counts(const sonde_pattern_options *options)
{
	return !(options->fluence > 0.0 && options->factors == SONDE_PATTERN_FACTORS_UNIT)
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, "fluence",
					"counts need amplitudes in their units, `factors unit` has none");
}

static sonde_status refuse_table(const void *result, bool csv, struct text *text)
{
	(void)result;
	(void)csv;
	(void)text;
	return SONDE_INVALID;
}

static const struct result_format tables[] = {{RESULT_TABLE_ENDINGS, NULL, refuse_table}, {NULL, NULL, NULL}};

/* Outputs are different files, and none is an input. */
static sonde_status check_names(const sonde_pattern_options *options)
{
	const char *const outputs[] = {options->write_poni, options->radial}, *const others[] = {options->poni,
												 options->mask,
												 options->write_poni};

	for (int o = 0; o < 2; ++o)
		for (int k = 0; k < 2 + o; ++k)
			if (outputs[o][0] != '\0' && strcmp(outputs[o], others[k]) == 0)
				return status_fail_file(SONDE_INVALID, outputs[o],
							"would replace another file of the same run");
	return SONDE_OK;
}

sonde_status response_check(const sonde_pattern_options *options, int geometry)
{
	const bool detector = geometry == SONDE_PATTERN_DETECTOR, polar = geometry == SONDE_PATTERN_POLAR;
	const char *of_detector = options->solid_angle != SONDE_PATTERN_SOLID_ANGLE_NONE ? "solid_angle"
				  : options->beam_stop > 0.0                             ? "beam_stop"
				  : options->mask[0] != '\0'                             ? "mask"
				  : options->fluence > 0.0                               ? "fluence"
				  : options->write_poni[0] != '\0'                       ? "write_poni"
											 : NULL;

	if (of_detector != NULL && !detector)
		return status_fail_option(SONDE_INVALID, of_detector,
					  "this is about pixels; give `detector`, or `poni`");
	if (options->radial[0] != '\0') {
		if (!detector && !polar)
			return status_fail_option(SONDE_INVALID, "radial",
						  "rings are those of a detector or of circles");
		CHECK(status_prefix_option(result_format_check(tables, options->radial), "radial"));
	}
	CHECK(check_names(options));
	CHECK(check_polarization(options, detector || polar));
	return check_counts(options);
}

/* dsigma/dOmega for I = 1, um^2. */
static double cross_section(const sonde_pattern_options *options)
{
	return options->radiation == SONDE_PATTERN_RADIATION_XRAY
		   ? CLASSICAL_ELECTRON_RADIUS * CLASSICAL_ELECTRON_RADIUS
	       : options->radiation == SONDE_PATTERN_RADIATION_NEUTRON ? FM2
								       : ANGSTROM2;
}

sonde_status response_make(const sonde_pattern_result *result, struct response *response)
{
	const sonde_pattern_options *options = result->options;
	const double distance = result->distance, angle = options->polarization_angle * DEGREE,
		     height = options->pixel_height > 0.0 ? options->pixel_height : options->pixel_size;

	*response = (struct response){.result = result,
				      .polarized = options->polarization[0] != '\0',
				      .along = {cos(angle), sin(angle)},
				      .per_wavelength = result->wavelength / (2.0 * PI)};
	if (response->polarized)
		CHECK(read_polarization(options, &response->polarization));
	if (result->geometry != SONDE_PATTERN_DETECTOR)
		return SONDE_OK;
	response->area = options->pixel_size * height * distance;
	response->relative_area = options->solid_angle == SONDE_PATTERN_SOLID_ANGLE_RELATIVE
				      ? distance * distance * distance
				  : options->solid_angle == SONDE_PATTERN_SOLID_ANGLE_ABSOLUTE ? response->area
											       : 0.0;
	response->fluence = options->fluence * cross_section(options);
	return SONDE_OK;
}

/* The two parts of the beam, polarized along e1 and e2, are scattered into the direction k' by 1 - (e.k')^2 each (J. D. Jackson,
 * "Classical Electrodynamics", 14.8): with 2 theta and phi of k',
 * (1 + cos^2 2theta - p cos 2(phi - angle) sin^2 2theta)/2, the factor of pyFAI. */
static double polarization_factor(const struct response *response, int64_t point)
{
	double q[3];

	sonde_pattern_vector(response->result, point, q);
	const double x = q[0] * response->per_wavelength, y = q[1] * response->per_wavelength,
		     first = x * response->along[0] + y * response->along[1],
		     second = y * response->along[0] - x * response->along[1];
	return 0.5 * (1.0 + response->polarization) * (1.0 - first * first) +
	       0.5 * (1.0 - response->polarization) * (1.0 - second * second);
}

/* 1/r^3 of a pixel. */
static double inverse_cube(const sonde_pattern_result *result, int64_t point)
{
	const double y = result->axes[0][point / result->sizes[1]], x = result->axes[1][point % result->sizes[1]],
		     square = x * x + y * y + result->distance * result->distance;

	return 1.0 / (square * sqrt(square));
}

void response_at(const struct response *response, int64_t point, double *factor, double *counts)
{
	if (response->table != NULL) {
		*factor = response->table[2 * point];
		*counts = response->table[2 * point + 1];
		return;
	}
	const bool pixels = response->relative_area > 0.0 || response->fluence > 0.0;
	const double cube = pixels ? inverse_cube(response->result, point) : 0.0;

	*factor = response->polarized ? polarization_factor(response, point) : 1.0;
	*counts = *factor * response->fluence * response->area * cube;
	if (response->relative_area > 0.0)
		*factor *= response->relative_area * cube;
}

struct applying {
	struct response response;
	sonde_pattern_result *result;
	atomic_bool beyond; /* a pixel counts more than POISSON_MOST */
};

static void apply_at(struct applying *applying, int64_t n)
{
	sonde_pattern_result *result = applying->result;
	double factor, counts;

	if (result->masked != NULL && result->masked[n] != 0) {
		result->intensity[n] = NAN;
		if (result->standard_error != NULL)
			result->standard_error[n] = NAN;
		if (result->real != NULL)
			result->real[n] = result->imaginary[n] = NAN;
		for (int p = 0; p < result->partial_count; ++p) {
			result->partial_real[p * result->count + n] = NAN;
			result->partial_imaginary[p * result->count + n] = NAN;
		}
		if (result->counts != NULL)
			result->counts[n] = -1;
		return;
	}
	response_at(&applying->response, n, &factor, &counts);
	if (result->counts != NULL) {
		const double mean = counts * result->intensity[n];
		if (mean <= POISSON_MOST)
			result->counts[n] = poisson_draw(mean, result->options->noise_seed, n);
		else
			atomic_store(&applying->beyond, true);
	}
	result->intensity[n] *= factor;
	if (result->standard_error != NULL)
		result->standard_error[n] *= factor;
}

static void apply_some(void *state, int64_t first, int64_t end, int worker)
{
	(void)worker;
	for (int64_t n = first; n < end; ++n)
		apply_at(state, n);
}

sonde_status response_fail(void)
{
	return status_fail_option(SONDE_INVALID, "fluence", "pixels would count more than %.0e", POISSON_MOST);
}

bool response_is_needed(const struct response *response)
{
	return response->result->masked != NULL || response->fluence > 0.0 || response->polarized ||
	       response->relative_area > 0.0;
}

sonde_status response_apply(int threads, sonde_pattern_result *result)
{
	struct applying applying = {.result = result};

	CHECK(response_make(result, &applying.response));
	if (applying.response.fluence > 0.0)
		CHECK(memory_allocate(&result->counts, (size_t)result->count, sizeof *result->counts, "the counts"));
	if (!response_is_needed(&applying.response))
		return SONDE_OK;
	threads_for(threads, result->count, threads_grain(threads, result->count), apply_some, &applying);
	return atomic_load(&applying.beyond) ? response_fail() : SONDE_OK;
}

struct tabulating {
	const struct response *response;
	double *table;
};

static void tabulate_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct tabulating *tabulating = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n)
		response_at(tabulating->response, n, &tabulating->table[2 * n], &tabulating->table[2 * n + 1]);
}

sonde_status response_tabulate(struct response *response, int threads)
{
	const int64_t count = response->result->count;
	struct tabulating tabulating = {.response = response};

	CHECK(memory_allocate_to_fill(&tabulating.table, 2 * (size_t)count, sizeof(double), "the detector"));
	threads_for(threads, count, threads_grain(threads, count), tabulate_some, &tabulating);
	response->table = tabulating.table;
	return SONDE_OK;
}

void response_free(struct response *response)
{
	free(response->table);
	response->table = NULL;
}

/* Its counts are independent of those of other shots and of the mean. */
bool response_of_shot(const struct response *response, int64_t shot, const double *intensity, int64_t first,
		      int64_t end, double *seen)
{
	const sonde_pattern_result *result = response->result;

	for (int64_t n = first; n < end; ++n) {
		double factor, counts, *to = &seen[n - first];
		if (result->masked != NULL && result->masked[n] != 0) {
			*to = NAN;
			continue;
		}
		response_at(response, n, &factor, &counts);
		const double mean = counts * intensity[n];
		if (response->fluence == 0.0)
			*to = factor * intensity[n];
		else if (mean <= POISSON_MOST)
			*to = (double)poisson_draw(mean, result->options->noise_seed, (shot + 1) * result->count + n);
		else
			return false;
	}
	return true;
}

static int64_t count_masked(const sonde_pattern_result *result)
{
	int64_t masked = 0;

	for (int64_t n = 0; result->masked != NULL && n < result->count; ++n)
		masked += result->masked[n] != 0;
	return masked;
}

void response_report(const sonde_pattern_result *result, struct report *report)
{
	const char *const particles[] = {[SONDE_PATTERN_RADIATION_XRAY] = "photons",
					 [SONDE_PATTERN_RADIATION_NEUTRON] = "neutrons",
					 [SONDE_PATTERN_RADIATION_ELECTRON] = "electrons"};
	int64_t largest = 0;
	double sum = 0.0;

	if (result->masked != NULL) {
		report_integer(report, "masked", count_masked(result));
		report_print(report, "masked: %lld pixels\n", (long long)count_masked(result));
	}
	if (result->counts == NULL)
		return;
	for (int64_t n = 0; n < result->count; ++n) {
		const int64_t counts = result->counts[n] > 0 ? result->counts[n] : 0;
		largest = counts > largest ? counts : largest;
		sum += (double)counts;
	}
	report_number(report, "counts", sum);
	report_integer(report, "largest_counts", largest);
	report_print(report, "counts: %.10g %s, at most %lld in a pixel\n", sum,
		     particles[result->options->radiation], (long long)largest);
}

void response_describe(const sonde_pattern_result *result, struct text *text)
{
	const sonde_pattern_options *options = result->options;
	const double *axes = result->basis;
	double factor = 0.0;

	if (result->geometry == SONDE_PATTERN_DETECTOR && axes[8] != -1.0)
		text_append(text,
			    "# detector: pixels at x e_x + y e_y + %.10g mm e_n, e_x = %.10g,%.10g,%.10g, e_y = "
			    "%.10g,%.10g,%.10g, e_n = %.10g,%.10g,%.10g\n",
			    result->distance, axes[0], axes[1], axes[2], axes[3], axes[4], axes[5], axes[6], axes[7],
			    axes[8]);
	if (options->polarization[0] != '\0' && read_polarization(options, &factor) == SONDE_OK)
		text_append(
		    text,
		    "# I times the polarization factor (1 + cos^2 2theta - p cos 2(phi - angle) sin^2 2theta)/2, "
		    "p = %.10g, angle = %.10g degrees\n",
		    factor, options->polarization_angle);
	if (options->solid_angle != SONDE_PATTERN_SOLID_ANGLE_NONE)
		text_append(text, "# I times the solid angle of the pixel%s\n",
			    options->solid_angle == SONDE_PATTERN_SOLID_ANGLE_RELATIVE
				? ", relative to that at the point of normal incidence"
				: " in sr");
	if (result->masked != NULL)
		text_append(text, "# masked: %lld pixels, with I = nan\n", (long long)count_masked(result));
	if (result->counts != NULL)
		text_append(text, "# counts: Poisson's noise, %.10g particles per um^2, seed %lld\n",
			    options->fluence, (long long)options->noise_seed);
}
