/* Curves derived from others: intensities with the factors of an experiment, and combinations of partials and of G(r)
 * in other conventions. */
#include "debye/curves/derived_curves.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/text.h"
#include "debye/curves/compton.h"
#include "debye/points/wavelength.h"

#define ROUNDING 1e-12 /* of sin(theta) = 1 */

sonde_status polarization_read(const char *text, bool *polarized, double *degree)
{
	*polarized = strcmp(text, "none") != 0;
	*degree = 0.0;
	if (!*polarized || strcmp(text, "unpolarized") == 0)
		return SONDE_OK;
	if (text_parse_real(text, text + strlen(text), degree) && fabs(*degree) <= 1.0)
		return SONDE_OK;
	return status_fail_option(SONDE_INVALID, "polarization",
				  "'%.60s' is neither none, unpolarized, nor a degree of polarization from -1 to 1",
				  text);
}

bool intensity_is_corrected(const sonde_debye_options *options)
{
	return strcmp(options->polarization, "none") != 0 || options->lorentz != SONDE_DEBYE_LORENTZ_NONE;
}

/* sin(theta) of a scattering vector; 1 for rounding errors above it. */
static double sine_of_theta(const sonde_debye_options *options, double q)
{
	double sine = q * debye_wavelength(options) / (4.0 * PI);

	return sine > 1.0 && sine < 1.0 + ROUNDING ? 1.0 : sine;
}

static sonde_status check_angles(const sonde_debye_options *options, const char *name)
{
	double last = sine_of_theta(options, options->q.last);

	if (debye_wavelength(options) <= 0.0)
		return status_fail_option(SONDE_INVALID, name, "needs `wavelength`, since it depends on the angle");
	if (last > 1.0)
		return status_fail_option(SONDE_INVALID, "q",
					  "radiation of %g Angstrom is scattered by q = 4 pi/lambda = %.6g "
					  "1/Angstrom at most, not by %g",
					  debye_wavelength(options), 4.0 * PI / debye_wavelength(options),
					  options->q.last);
	if (options->lorentz != SONDE_DEBYE_LORENTZ_NONE && (options->q.first == 0.0 || last == 1.0))
		return status_fail_option(SONDE_INVALID, "lorentz",
					  "the factor is infinite at scattering angles of 0 and 180 degrees; change "
					  "the ends of `q`");
	return SONDE_OK;
}

static sonde_status check_corrections(const sonde_debye_options *options)
{
	bool polarized;
	double degree;

	CHECK(polarization_read(options->polarization, &polarized, &degree));
	if (polarized && options->radiation != SONDE_DEBYE_RADIATION_XRAY)
		return status_fail_option(SONDE_INVALID, "polarization", "applies to `radiation xray`");
	if (!intensity_is_corrected(options))
		return SONDE_OK;
	return check_angles(options, polarized ? "polarization" : "lorentz");
}

sonde_status derived_curves_check(const sonde_debye_options *options, int species)
{
	CHECK(check_corrections(options));
	if (options->bhatia_thornton && species != 2)
		return status_fail_option(SONDE_INVALID, "bhatia_thornton",
					  "these structure factors are those of two species; the sample has %d",
					  species);
	return SONDE_OK;
}

int derived_curves_count(const sonde_debye_options *options)
{
	return (options->bhatia_thornton ? 3 : 0) + (intensity_is_corrected(options) ? 1 : 0) +
	       (points_are_angles(options) ? 1 : 0) + (strcmp(options->resolution, "none") != 0 ? 6 : 0) +
	       (options->concentration[0] != '\0' ? 1 : 0) + (options->compton != SONDE_DEBYE_COMPTON_NONE ? 2 : 0) +
	       (options->compare[0] != '\0' ? 5 + 3 * ((int)options->background + 2) : 0) + (options->laue ? 2 : 0);
}

/* Polarization: of the incident intensity, (1 + p)/2 is polarized perpendicular to the plane of scattering and
 * scattered without loss, and (1 - p)/2, polarized in this plane, with the factor cos^2(2 theta) (R. Kahn et al., J.
 * Appl. Cryst. 15 (1982) 330, whose azimuth is that of this plane here). Lorentz: 1/(sin^2(theta) cos(theta)) of a
 * powder (B. E. Warren, X-ray Diffraction (1969), ch. 4). */
double intensity_factor(const sonde_debye_options *options, double sine)
{
	const double square = sine * sine, twice = 1.0 - 2.0 * square; /* cos(2 theta) */
	bool polarized;
	double degree;

	if (polarization_read(options->polarization, &polarized, &degree) != SONDE_OK)
		return NAN; /* options are checked before */
	double factor = polarized ? 0.5 * (1.0 + degree + (1.0 - degree) * twice * twice) : 1.0;
	if (options->lorentz == SONDE_DEBYE_LORENTZ_POWDER)
		factor /= square * sqrt(1.0 - square);
	return factor;
}

double intensity_factor_at(const sonde_debye_options *options, double q)
{
	return intensity_factor(options, sine_of_theta(options, q));
}

static sonde_status correct_intensity(sonde_debye_result *result)
{
	CHECK(memory_allocate(&result->intensity_corrected, (size_t)result->q_count, sizeof(double), "the result"));
	for (int64_t k = 0; k < result->q_count; ++k)
		result->intensity_corrected[k] =
		    intensity_factor_at(result->options, result->q[k]) * compton_total(result)[k];
	return SONDE_OK;
}

/* A. B. Bhatia & D. E. Thornton, Phys. Rev. B 2 (1970) 3004: correlations of the number density and of the
 * concentration of the first species, from the partials a_ij of T. E. Faber & J. M. Ziman, Phil. Mag. 11 (1965) 153,
 *
 *     S_NN = c1^2 a11 + c2^2 a22 + 2 c1 c2 a12
 *     S_NC = c1 c2 [c1 (a11 - a12) - c2 (a22 - a12)]
 *     S_CC = c1 c2 [1 + c1 c2 (a11 + a22 - 2 a12)].
 */
static sonde_status make_bhatia_thornton(sonde_debye_result *result)
{
	size_t points = (size_t)result->q_count;
	const double *a11 = result->partial_structure_factor, *a12 = a11 + points, *a22 = a12 + points;
	double c1 = result->species_present[0] / result->atoms_present,
	       c2 = result->species_present[1] / result->atoms_present;

	CHECK(memory_allocate(&result->structure_factor_nn, points, sizeof(double), "the result"));
	CHECK(memory_allocate(&result->structure_factor_nc, points, sizeof(double), "the result"));
	CHECK(memory_allocate(&result->structure_factor_cc, points, sizeof(double), "the result"));
	for (size_t k = 0; k < points; ++k) {
		result->structure_factor_nn[k] = c1 * c1 * a11[k] + c2 * c2 * a22[k] + 2.0 * c1 * c2 * a12[k];
		result->structure_factor_nc[k] = c1 * c2 * (c1 * (a11[k] - a12[k]) - c2 * (a22[k] - a12[k]));
		result->structure_factor_cc[k] = c1 * c2 * (1.0 + c1 * c2 * (a11[k] + a22[k] - 2.0 * a12[k]));
	}
	return SONDE_OK;
}

/* D. A. Keen, J. Appl. Cryst. 34 (2001) 172: D(r) = <b>^2 G(r), T(r) = D(r) + 4 pi r rho0 <b>^2. Amplitudes that depend
 * on q have no such <b>^2: for them S contains the division by <f(q)>^2, and <b>^2 is 1. */
static sonde_status make_correlations(sonde_debye_result *result)
{
	size_t points = (size_t)result->r_count;
	double square =
	    result->options->radiation == SONDE_DEBYE_RADIATION_NEUTRON ? result->square_mean_amplitude[0] : 1.0;

	CHECK(memory_allocate(&result->differential_correlation, points, sizeof(double), "the result"));
	CHECK(memory_allocate(&result->total_correlation, points, sizeof(double), "the result"));
	for (size_t k = 0; k < points; ++k) {
		result->differential_correlation[k] = square * result->pair_distribution[k];
		result->total_correlation[k] =
		    result->differential_correlation[k] + 4.0 * PI * result->r[k] * result->options->density * square;
	}
	return SONDE_OK;
}

/* M. von Laue, Ann. Phys. 56 (1918) 497: the scattering of amplitudes that are distributed at random over the sites, without
 * order of short range, between the peaks. */
static sonde_status make_laue(sonde_debye_result *result)
{
	const size_t points = (size_t)result->q_count;

	CHECK(memory_allocate(&result->laue, points, sizeof(double), "the result"));
	CHECK(memory_allocate(&result->intensity_without_laue, points, sizeof(double), "the result"));
	for (size_t k = 0; k < points; ++k) {
		result->laue[k] = result->mean_square_amplitude[k] - result->square_mean_amplitude[k];
		result->intensity_without_laue[k] = result->intensity[k] - result->atoms_present * result->laue[k];
	}
	return SONDE_OK;
}

sonde_status derived_curves_make(sonde_debye_result *result)
{
	if (result->options->laue)
		CHECK(make_laue(result));
	if (intensity_is_corrected(result->options))
		CHECK(correct_intensity(result));
	if (result->options->bhatia_thornton)
		CHECK(make_bhatia_thornton(result));
	return result->options->density > 0.0 && result->r_count > 0 ? make_correlations(result) : SONDE_OK;
}
