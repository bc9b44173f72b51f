/* The error estimate of I/N, e(q), is that of all curves made of it:
 *
 *     I: N e     S: e/<f>^2     F: q e/<f>^2     G: 2/pi int q e/<f>^2 dq exp(-(r qdamp)^2/2)
 *
 * In the last one the errors at all q add with the same sign. The standard errors of means over frames are those of I/N, G, S_ab, and
 * R(r) in the same way. */
#include "debye/curves/derived_errors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/constants.h"
#include "base/memory.h"
#include "debye/curves/compton.h"
#include "debye/curves/derived_curves.h"

struct errors {
	const sonde_debye_result *result;
	struct hdf5_writer *writer;
	bool standard;                        /* standard errors of a mean, or estimates */
	const double *per_atom, *of_partials; /* of I/N, and of S_ab */
	double *row;                          /* the errors of one curve over q or r */
	double *reduced;                      /* of F */
};

static void write_row(const struct errors *errors, const char *path, const char *curve, int64_t count,
		      const char *unit)
{
	char dataset[96], name[96];

	snprintf(dataset, sizeof dataset, "%s/%s_%s", path, curve, errors->standard ? "standard_error" : "errors");
	snprintf(name, sizeof name, "%s of %s", errors->standard ? "standard error" : "error estimate", curve);
	hdf5_writer_reals(errors->writer, dataset, errors->row, &count, 1, unit, name);
}

/* Of I, and of what differs from it by terms that have no error. */
static void write_intensity(const struct errors *errors, const char *curve, const char *unit)
{
	const sonde_debye_result *result = errors->result;

	for (int64_t k = 0; k < result->q_count; ++k)
		errors->row[k] = result->atoms_present * errors->per_atom[k];
	write_row(errors, "/debye/intensity", curve, result->q_count, unit);
}

static void write_corrected(const struct errors *errors, const char *unit)
{
	const sonde_debye_result *result = errors->result;

	for (int64_t k = 0; k < result->q_count; ++k)
		errors->row[k] =
		    intensity_factor_at(result->options, result->q[k]) * result->atoms_present * errors->per_atom[k];
	write_row(errors, "/debye/intensity", "I_corrected", result->q_count, unit);
}

/* I_absolute is a multiple of the curve that a detector measures; the factor is taken from the largest value. */
static void write_absolute(const struct errors *errors)
{
	const sonde_debye_result *result = errors->result;
	const double *resolved = result->intensity_resolved, *corrected = result->intensity_corrected,
		     *curve = resolved != NULL    ? resolved
			      : corrected != NULL ? corrected
						  : compton_total(result);
	int64_t largest = 0;

	for (int64_t k = 1; k < result->q_count; ++k)
		if (fabs(curve[k]) > fabs(curve[largest]))
			largest = k;
	const double factor = curve[largest] != 0.0 ? result->intensity_absolute[largest] / curve[largest] : 0.0;
	for (int64_t k = 0; k < result->q_count; ++k) {
		const double of_curve =
		    resolved != NULL
			? (result->intensity_resolved_error != NULL ? result->intensity_resolved_error[k] : NAN)
			: result->atoms_present * result->error_estimate[k] *
			      (corrected != NULL ? intensity_factor_at(result->options, result->q[k]) : 1.0);
		errors->row[k] = factor * of_curve;
	}
	write_row(errors, "/debye/intensity", "I_absolute", result->q_count, "1/cm");
}

static void write_intensities(const struct errors *errors, const char *unit)
{
	const sonde_debye_result *result = errors->result;

	write_intensity(errors, "I", unit);
	if (result->intensity_corrected != NULL)
		write_corrected(errors, unit);
	if (result->intensity_total != NULL)
		write_intensity(errors, "I_total", unit);
	if (result->intensity_without_laue != NULL)
		write_intensity(errors, "I_minus_laue", unit);
}

static void write_measured(const struct errors *errors, const char *unit)
{
	const sonde_debye_result *result = errors->result;

	if (result->intensity_resolved_error != NULL)
		hdf5_writer_reals(errors->writer, "/debye/intensity/I_resolved_errors",
				  result->intensity_resolved_error, &result->q_count, 1, unit,
				  "error estimate of I_resolved");
	if (result->intensity_absolute != NULL)
		write_absolute(errors);
}

/* Errors of sums of partials with these factors, which add with the same sign. */
static void write_number_concentration(const struct errors *errors, const char *curve, double of_11, double of_12,
				       double of_22)
{
	const sonde_debye_result *result = errors->result;
	const double *e11 = errors->of_partials, *e12 = e11 + result->q_count, *e22 = e12 + result->q_count;

	for (int64_t k = 0; k < result->q_count; ++k)
		errors->row[k] = fabs(of_11) * e11[k] + fabs(of_12) * e12[k] + fabs(of_22) * e22[k];
	write_row(errors, "/debye/structure_factor", curve, result->q_count, "1");
}

static void write_bhatia_thornton(const struct errors *errors)
{
	const sonde_debye_result *result = errors->result;

	if (result->structure_factor_nn == NULL || errors->of_partials == NULL)
		return;
	/* the coefficients of make_bhatia_thornton() */
	const double c1 = result->species_present[0] / result->atoms_present,
		     c2 = result->species_present[1] / result->atoms_present, product = c1 * c2;
	write_number_concentration(errors, "S_NN", c1 * c1, 2.0 * product, c2 * c2);
	write_number_concentration(errors, "S_NC", product * c1, product * (c2 - c1), product * c2);
	write_number_concentration(errors, "S_CC", product * product, 2.0 * product * product, product * product);
}

static void write_structure_factors(const struct errors *errors)
{
	const sonde_debye_result *result = errors->result;

	for (int64_t k = 0; k < result->q_count; ++k) {
		const double square = result->square_mean_amplitude[k];
		errors->row[k] = square > 0.0 ? errors->per_atom[k] / square : NAN;
		errors->reduced[k] = result->q[k] * errors->row[k];
	}
	write_row(errors, "/debye/structure_factor", "S", result->q_count, "1");
	hdf5_writer_reals(errors->writer, "/debye/structure_factor/F_errors", errors->reduced, &result->q_count, 1,
			  "1/angstrom", "error estimate of F");
}

/* The integral by the trapezoid rule over the points of q, as that of G. */
static double distribution_error(const struct errors *errors)
{
	const double *q = errors->result->q, *reduced = errors->reduced;
	double sum = 0.0;

	for (int64_t k = 1; k < errors->result->q_count; ++k)
		sum += 0.5 * (q[k] - q[k - 1]) * (reduced[k - 1] + reduced[k]);
	return 2.0 / PI * sum;
}

/* Of D and T, which have the factor of make_correlations(), from those of G. */
static void write_correlations(const struct errors *errors, const double *of_g, const char *unit)
{
	const sonde_debye_result *result = errors->result;
	const double square =
	    result->options->radiation == SONDE_DEBYE_RADIATION_NEUTRON ? result->square_mean_amplitude[0] : 1.0;

	if (result->total_correlation == NULL)
		return;
	for (int64_t k = 0; k < result->r_count; ++k)
		errors->row[k] = square * of_g[k];
	write_row(errors, "/debye/pair_distribution", "D", result->r_count, unit);
	write_row(errors, "/debye/pair_distribution", "T", result->r_count, unit);
}

static void write_distributions(const struct errors *errors, const char *unit_of_d)
{
	const sonde_debye_result *result = errors->result;
	const double error = distribution_error(errors), qdamp = result->options->qdamp;

	for (int64_t k = 0; k < result->r_count; ++k) {
		const double damping = result->r[k] * qdamp;
		errors->row[k] = qdamp > 0.0 ? error * exp(-0.5 * damping * damping) : error;
	}
	write_row(errors, "/debye/pair_distribution", "G", result->r_count, "1/angstrom^2");
	write_correlations(errors, errors->row, unit_of_d);
}

/* g = R/(4 pi r^2 density) */
static void write_pair_correlation(const struct errors *errors)
{
	const sonde_debye_result *result = errors->result;

	if (result->pair_correlation == NULL || result->radial_distribution_standard_error == NULL)
		return;
	for (int64_t k = 0; k < result->r_count; ++k) {
		const double shell = 4.0 * PI * result->r[k] * result->r[k] * result->options->density;
		errors->row[k] = shell > 0.0 ? result->radial_distribution_standard_error[k] / shell : NAN;
	}
	write_row(errors, "/debye/radial_distribution", "g", result->r_count, "1");
}

static sonde_status allocate_rows(struct errors *errors)
{
	const int64_t q = errors->result->q_count, r = errors->result->r_count;

	CHECK(memory_allocate(&errors->row, (size_t)(q > r ? q : r), sizeof *errors->row, "the errors"));
	return memory_allocate(&errors->reduced, (size_t)q, sizeof *errors->reduced, "the errors");
}

sonde_status derived_errors_write(const sonde_debye_result *result, const char *unit, const char *unit_of_d,
				  struct hdf5_writer *writer)
{
	struct errors errors = {.result = result,
				.writer = writer,
				.per_atom = result->error_estimate,
				.of_partials = result->partial_structure_factor_error};
	const sonde_status status = allocate_rows(&errors);

	if (status == SONDE_OK) {
		write_intensities(&errors, unit);
		write_measured(&errors, unit);
		write_structure_factors(&errors);
		write_bhatia_thornton(&errors);
		if (result->r_count > 0)
			write_distributions(&errors, unit_of_d);
	}
	free(errors.row);
	free(errors.reduced);
	return status;
}

sonde_status derived_standard_errors_write(const sonde_debye_result *result, const char *unit, const char *unit_of_d,
					   struct hdf5_writer *writer)
{
	struct errors errors = {.result = result,
				.writer = writer,
				.standard = true,
				.per_atom = result->standard_error,
				.of_partials = result->partial_structure_factor_standard_error};

	if (result->standard_error == NULL)
		return SONDE_OK;
	const sonde_status status = allocate_rows(&errors);
	if (status == SONDE_OK) {
		write_intensities(&errors, unit);
		write_bhatia_thornton(&errors);
		if (result->r_count > 0 && result->pair_distribution_standard_error != NULL)
			write_correlations(&errors, result->pair_distribution_standard_error, unit_of_d);
		write_pair_correlation(&errors);
	}
	free(errors.row);
	free(errors.reduced);
	return status;
}
