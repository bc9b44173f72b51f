/* The curves I, S, F, G and partials from the sums over pairs of species. The conventions are
 * those of sonde/debye.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/threads.h"
#include "debye/curves/amplitudes.h"
#include "debye/classes/classes.h"
#include "debye/curves/contrast.h"
#include "device/kernel.h"
#include "device/kernel_math.h"
#include "matter/scattering/form_factors.h"

/* Adds the first atom of class `c` to the message of a failure. */
static sonde_status prefix_class(const sonde_atoms *view, int c, sonde_status status)
{
	int64_t i = 0;

	while (i < view->count && view->species_of[i] != c)
		++i;
	return status_prefix(status, "%s: atom %lld", view->source.bytes != NULL ? view->source.bytes : "sample",
			     (long long)i + 1);
}

static sonde_status stopped(const sonde_context *context)
{
	return context_cancelled(context) ? status_fail(SONDE_CANCELLED, "stopped on request at the curves")
					  : SONDE_OK;
}

/* Warns of a scattering length that holds at one wavelength only. */
static void note_energy(sonde_context *context, const char *label, const struct scatterer *scatterer)
{
	if (!scatterer->depends_on_energy)
		return;
	context_notef(context,
		      "the scattering length of %s, %.4g %+.4gi fm, is for neutrons of 1.798 Angstrom (25.3 meV) and "
		      "differs at other wavelengths",
		      label, scatterer->c, scatterer->c_imaginary);
}

/* The exponential function of kernel_math.h, since that of the C library depends on the processor. */
static double exponential(double x)
{
	return LANES_FIRST(lanes_exp(LANES_SPLAT(x), 0));
}

/* The Debye-Waller factor exp(-q^2 U/2) and the magnitude of the classes. */
static sonde_status damp_classes(const sonde_context *context, const struct debye_classes *classes,
				 const struct debye_plan *plan, struct amplitudes *amplitudes)
{
	const int64_t points = plan->options.q.points;
	const size_t size = (size_t)classes->count * (size_t)points;
	const bool damped = classes->displacement != NULL && classes->motion == NULL;

	CHECK(memory_allocate(&amplitudes->magnitude, size, sizeof(double), "the amplitudes"));
	if (damped)
		CHECK(memory_allocate(&amplitudes->damping, size, sizeof(double), "the amplitudes"));
	for (int c = 0; c < classes->count; ++c) {
		CHECK(stopped(context));
		for (int64_t k = 0; k < points; ++k) {
			const int64_t here = c * points + k, there = classes->species[c] * points + k;
			const double q = plan->points.q[k], real = amplitudes->real[there],
				     imaginary = amplitudes->imaginary[there];
			amplitudes->magnitude[here] = sqrt(real * real + imaginary * imaginary);
			if (!damped)
				continue;
			amplitudes->damping[here] = exponential(-0.5 * q * q * classes->displacement[c]);
			amplitudes->magnitude[here] *= amplitudes->damping[here];
		}
	}
	return SONDE_OK;
}

/* All points of the species of class `c`. */
static sonde_status fill_species(sonde_context *context, const struct debye_classes *classes,
				 const struct debye_plan *plan, const struct contrast *contrast, int c,
				 struct amplitudes *amplitudes)
{
	const int species = classes->species[c];
	struct scatterer scatterer;

	sonde_status status = debye_find_scatterer(plan, amplitudes, classes->view.species[c].label, &scatterer);
	if (status != SONDE_OK)
		return prefix_class(&classes->view, c, status);
	note_energy(context, classes->view.species[c].label, &scatterer);
	for (int64_t k = 0; k < plan->options.q.points; ++k) {
		const int64_t here = species * plan->options.q.points + k;
		const double q = plan->points.q[k];
		double real, imaginary;
		if (k % 4096 == 0)
			CHECK(stopped(context));
		scatterer_amplitude(&scatterer, q, &real, &imaginary);
		if (contrast->amount != NULL)
			real -= contrast->amount[species] * exponential(-q * q * contrast->spread[species]);
		amplitudes->real[here] = real;
		amplitudes->imaginary[here] = imaginary;
	}
	return SONDE_OK;
}

static sonde_status fill_amplitudes(sonde_context *context, const struct debye_classes *classes,
				    const struct debye_plan *plan, struct amplitudes *amplitudes)
{
	struct contrast contrast;
	sonde_status status = contrast_read(&plan->options, classes, &contrast);

	for (int c = 0; c < classes->count && status == SONDE_OK; ++c)
		if (c == 0 || classes->species[c] != classes->species[c - 1])
			status = fill_species(context, classes, plan, &contrast, c, amplitudes);
	contrast_free(&contrast);
	return status;
}

sonde_status amplitudes_make(sonde_context *context, const struct debye_classes *classes,
			     const struct debye_plan *plan, struct amplitudes *amplitudes)
{
	size_t size = (size_t)classes->species_count * (size_t)plan->options.q.points;

	*amplitudes = (struct amplitudes){0};
	CHECK(debye_read_form_factors(plan, amplitudes));
	CHECK(memory_allocate(&amplitudes->real, size, sizeof(double), "the amplitudes"));
	CHECK(memory_allocate(&amplitudes->imaginary, size, sizeof(double), "the amplitudes"));
	CHECK(fill_amplitudes(context, classes, plan, amplitudes));
	return damp_classes(context, classes, plan, amplitudes);
}

void amplitudes_free(struct amplitudes *amplitudes)
{
	free(amplitudes->real);
	free(amplitudes->imaginary);
	free(amplitudes->damping);
	free(amplitudes->magnitude);
	form_factors_free(&amplitudes->form_factors);
	*amplitudes = (struct amplitudes){0};
}

/* Re(f_a f_b*) at point k */
static double overlap(const sonde_debye_result *result, const struct amplitudes *f, int a, int b, int64_t k)
{
	int64_t i = a * result->q_count + k, j = b * result->q_count + k;

	return f->real[i] * f->real[j] + f->imaginary[i] * f->imaginary[j];
}

double debye_intensity_per_atom(const sonde_debye_result *result, const struct debye_classes *classes,
				const struct amplitudes *amplitudes, int64_t k, const double *sums, int64_t stride)
{
	double intensity = 0.0;

	for (int a = 0; a < classes->count; ++a) {
		double present = classes->occupancy[a] * (double)classes->view.species[a].atoms;
		for (int b = a; b < classes->count; ++b) {
			double both = classes->occupancy[a] * classes->occupancy[b], self = a == b ? present : 0.0;
			double sum = sums[species_pair_index(classes->count, a, b) * stride];
			intensity += overlap(result, amplitudes, classes->species[a], classes->species[b], k) *
				     (self + 2.0 * (both * sum)) / classes->present;
		}
	}
	return intensity;
}

/* <f^2> and <f>^2 at point k; keeps <f>. */
static void mean_amplitudes(const sonde_debye_result *result, const struct amplitudes *amplitudes, int64_t k,
			    double *mean_square, double *square_mean)
{
	double *mean = result->provenance->mean_amplitude, real = 0.0, imaginary = 0.0;

	*mean_square = 0.0;
	for (int a = 0; a < result->species_count; ++a) {
		double c = result->species_present[a] / result->atoms_present;
		*mean_square += c * overlap(result, amplitudes, a, a, k);
		real += c * amplitudes->real[a * result->q_count + k];
		imaginary += c * amplitudes->imaginary[a * result->q_count + k];
	}
	mean[2 * k] = real;
	mean[2 * k + 1] = imaginary;
	*square_mean = real * real + imaginary * imaginary;
}

/* Sets row[k] to the sum over i in species a, j in b, each pair once, of o_i o_j sin(q r_ij)/(q r_ij). */
static void add_species_pairs(const struct debye_classes *classes, const struct pair_sums *sums, int species_a,
			      int species_b, double *row)
{
	int64_t points = sums->q.points;

	for (int64_t k = 0; k < points; ++k)
		row[k] = 0.0;
	for (int a = 0; a < classes->count; ++a) {
		for (int b = a; b < classes->count; ++b) {
			if (classes->species[a] != species_a || classes->species[b] != species_b)
				continue;
			double both = classes->occupancy[a] * classes->occupancy[b];
			const double *from = sums->sums + species_pair_index(classes->count, a, b) * points;
			for (int64_t k = 0; k < points; ++k)
				row[k] += both * from[k];
		}
	}
}

/* The part of I/N of each pair of classes, added to that of their blocks. */
static sonde_status fill_blocks(const sonde_context *context, const struct debye_classes *classes,
				const struct amplitudes *amplitudes, const struct pair_sums *sums,
				sonde_debye_result *result)
{
	const int64_t points = result->q_count;

	for (int a = 0; a < classes->count && result->block_count > 0; ++a) {
		const double present = classes->occupancy[a] * (double)classes->view.species[a].atoms;
		for (int b = a; b < classes->count; ++b) {
			const int s = classes->species[a], t = classes->species[b];
			const int first =
				      classes->block[a] < classes->block[b] ? classes->block[a] : classes->block[b],
				  second = classes->block[a] + classes->block[b] - first;
			const double both = classes->occupancy[a] * classes->occupancy[b],
				     self = a == b ? present : 0.0;
			const double *from = sums->sums + species_pair_index(classes->count, a, b) * points;
			double *row =
			    result->block_intensity + species_pair_index(result->block_count, first, second) * points;
			for (int64_t k = 0; k < points; ++k)
				row[k] += overlap(result, amplitudes, s, t, k) * (self + 2.0 * (both * from[k])) /
					  classes->present;
		}
		CHECK(stopped(context));
	}
	return SONDE_OK;
}

static sonde_status fill_partials(const sonde_context *context, const struct debye_classes *classes,
				  const struct amplitudes *amplitudes, const struct pair_sums *sums,
				  sonde_debye_result *result)
{
	double n = result->atoms_present;

	for (int p = 0; p < result->pair_count; ++p) {
		int a = result->pair_a[p], b = result->pair_b[p];
		double n_a = result->species_present[a], n_b = result->species_present[b];
		double self = a == b ? n_a : 0.0;
		double ordered = a == b ? 2.0 : 1.0; /* pairs (i, j) in a x b for each pair counted */
		double *partial = result->partial_structure_factor + p * result->q_count;
		add_species_pairs(classes, sums, a, b, partial);
		for (int64_t k = 0; k < result->q_count; ++k) {
			double sum = partial[k];
			result->partial_intensity[p * result->q_count + k] =
			    overlap(result, amplitudes, a, b, k) * (self + 2.0 * sum) / n;
			partial[k] = 1.0 + n * ordered * sum / (n_a * n_b);
		}
		CHECK(stopped(context));
	}
	return SONDE_OK;
}

sonde_status debye_undamped_curve(const struct debye_classes *classes, const struct amplitudes *amplitudes,
				  const struct pair_sums *sums, const sonde_debye_result *result, double **reduced)
{
	CHECK(memory_allocate(reduced, (size_t)result->q_count, sizeof **reduced, "G(r)"));
	for (int64_t k = 0; k < result->q_count; ++k) {
		const double per_atom =
		    debye_intensity_per_atom(result, classes, amplitudes, k, sums->sums + k, result->q_count);
		const double square_mean = result->square_mean_amplitude[k];
		(*reduced)[k] = square_mean > 0.0
				    ? result->q[k] * (per_atom - result->mean_square_amplitude[k]) / square_mean
				    : NAN;
	}
	return SONDE_OK;
}

sonde_status debye_curves(sonde_context *context, const struct debye_classes *classes,
			  const struct amplitudes *amplitudes, const struct pair_sums *sums,
			  sonde_debye_result *result)
{
	for (int64_t k = 0; k < result->q_count; ++k) {
		double q = result->q[k];
		double per_atom =
		    debye_intensity_per_atom(result, classes, amplitudes, k, sums->sums + k, result->q_count);
		double mean_square, square_mean;
		mean_amplitudes(result, amplitudes, k, &mean_square, &square_mean);
		result->intensity_per_atom[k] = per_atom;
		result->intensity[k] = per_atom * result->atoms_present;
		result->mean_square_amplitude[k] = mean_square;
		result->square_mean_amplitude[k] = square_mean;
		result->structure_factor[k] = square_mean > 0.0 ? 1.0 + (per_atom - mean_square) / square_mean : NAN;
		result->reduced_structure_factor[k] = q * (result->structure_factor[k] - 1.0);
		if (k % 256 == 0)
			CHECK(stopped(context));
	}
	CHECK(fill_partials(context, classes, amplitudes, sums, result));
	return fill_blocks(context, classes, amplitudes, sums, result);
}
