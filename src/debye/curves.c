/* From the sums over pairs of species to the curves: I, S, F, G and partials. The conventions are
 * those of sonde/debye.h. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "debye/debye.h"
#include "device/kernel.h"
#include "device/kernel_math.h"

#define PI 3.14159265358979323846

/* A failure of species `a`, with the place of its first atom. */
static sonde_status prefix_species(const sonde_atoms *atoms, int a, sonde_status status)
{
	int64_t i = 0;

	while (i < atoms->count && atoms->species_of[i] != a)
		++i;
	return status_prefix(status, "%s: atom %lld", atoms->source.bytes != NULL ? atoms->source.bytes : "sample",
			     (long long)i + 1);
}

static sonde_status stopped(const sonde_context *context)
{
	return context_cancelled(context) ? status_fail(SONDE_CANCELLED, "stopped on request at the curves")
					  : SONDE_OK;
}

sonde_status amplitudes_make(const sonde_context *context, const sonde_atoms *atoms, const struct debye_plan *plan,
			     struct amplitudes *amplitudes)
{
	const sonde_grid *q = &plan->options.q;
	size_t size = (size_t)atoms->species_count * (size_t)q->points;
	struct scatterer scatterer;

	*amplitudes = (struct amplitudes){0};
	CHECK(memory_allocate(&amplitudes->real, size, sizeof(double), "the amplitudes"));
	CHECK(memory_allocate(&amplitudes->imaginary, size, sizeof(double), "the amplitudes"));
	CHECK(memory_allocate(&amplitudes->magnitude, size, sizeof(double), "the amplitudes"));
	for (int a = 0; a < atoms->species_count; ++a) {
		sonde_status status = scatterer_find(plan->table, atoms->species[a].label, &scatterer);
		if (status != SONDE_OK)
			return prefix_species(atoms, a, status);
		for (int64_t k = 0; k < q->points; ++k) {
			int64_t here = a * q->points + k;
			double real, imaginary;
			if (k % 4096 == 0)
				CHECK(stopped(context));
			scatterer_amplitude(&scatterer, grid_value(q, k), &real, &imaginary);
			amplitudes->real[here] = real;
			amplitudes->imaginary[here] = imaginary;
			amplitudes->magnitude[here] = sqrt(real * real + imaginary * imaginary);
		}
	}
	return SONDE_OK;
}

void amplitudes_free(struct amplitudes *amplitudes)
{
	free(amplitudes->real);
	free(amplitudes->imaginary);
	free(amplitudes->magnitude);
	*amplitudes = (struct amplitudes){0};
}

/* Re(f_a f_b*) at point k */
static double overlap(const sonde_debye_result *result, const struct amplitudes *f, int a, int b, int64_t k)
{
	int64_t i = a * result->q_count + k, j = b * result->q_count + k;

	return f->real[i] * f->real[j] + f->imaginary[i] * f->imaginary[j];
}

double debye_intensity_per_atom(const sonde_debye_result *result, const struct amplitudes *amplitudes, int64_t k,
				const double *sums, int64_t stride)
{
	double intensity = 0.0, n = (double)result->atom_count;

	for (int p = 0; p < result->pair_count; ++p) {
		int a = result->pair_a[p], b = result->pair_b[p];
		double self = a == b ? (double)result->species_atoms[a] : 0.0;
		intensity += overlap(result, amplitudes, a, b, k) * (self + 2.0 * sums[p * stride]) / n;
	}
	return intensity;
}

/* <f^2> and <f>^2 at point k. */
static void mean_amplitudes(const sonde_debye_result *result, const struct amplitudes *amplitudes, int64_t k,
			    double *mean_square, double *square_mean)
{
	double real = 0.0, imaginary = 0.0;

	*mean_square = 0.0;
	for (int a = 0; a < result->species_count; ++a) {
		double c = (double)result->species_atoms[a] / (double)result->atom_count;
		*mean_square += c * overlap(result, amplitudes, a, a, k);
		real += c * amplitudes->real[a * result->q_count + k];
		imaginary += c * amplitudes->imaginary[a * result->q_count + k];
	}
	*square_mean = real * real + imaginary * imaginary;
}

static sonde_status fill_partials(const sonde_context *context, const struct amplitudes *amplitudes,
				  const struct pair_sums *sums, sonde_debye_result *result)
{
	double n = (double)result->atom_count;

	for (int p = 0; p < result->pair_count; ++p) {
		int a = result->pair_a[p], b = result->pair_b[p];
		double n_a = (double)result->species_atoms[a], n_b = (double)result->species_atoms[b];
		double self = a == b ? n_a : 0.0;
		double ordered = a == b ? 2.0 : 1.0; /* pairs (i, j) in a x b for each pair counted */
		for (int64_t k = 0; k < result->q_count; ++k) {
			double sum = sums->sums[p * result->q_count + k];
			result->partial_intensity[p * result->q_count + k] =
			    overlap(result, amplitudes, a, b, k) * (self + 2.0 * sum) / n;
			result->partial_structure_factor[p * result->q_count + k] =
			    1.0 + n * ordered * sum / (n_a * n_b);
		}
		CHECK(stopped(context));
	}
	return SONDE_OK;
}

/* The sine of kernel_math.h: the C library's differs from processor to processor. */
static double sine(double x)
{
	lanes_f64 s, c;

	lanes_sincos(LANES_SPLAT(x), &s, &c, 0);
	return LANES_FIRST(s);
}

/* W(q) of the transform to G(r). */
static double window_at(const sonde_debye_options *options, double q)
{
	double x = PI * q / options->q.last;

	return options->window == SONDE_DEBYE_WINDOW_LORCH && x != 0.0 ? sine(x) / x : 1.0;
}

/* 2/pi F(q_k) W(q_k) dq, halved at both ends: what sin(q_k r) is multiplied with. The arrays have LANES spare
 * places, where both are 0. */
static void fill_weights(const sonde_debye_result *result, double *q, double *weights)
{
	int64_t last = result->q_count - 1;
	double step = (result->q[last] - result->q[0]) / (double)last;

	for (int64_t k = 0; k <= last; ++k) {
		q[k] = result->q[k];
		weights[k] = 2.0 / PI * step * (k == 0 || k == last ? 0.5 : 1.0) *
			     result->reduced_structure_factor[k] * window_at(&result->options, q[k]);
	}
}

static double distribution_at(const sonde_debye_result *result, const double *q, const double *weights, double r)
{
	double damping = r * result->options.qdamp;
	lanes_f64 sum = LANES_SPLAT(0.0), s, c;

	for (int64_t k = 0; k < result->q_count; k += LANES) {
		lanes_sincos(LANES_LOAD(q + k) * r, &s, &c, 0);
		sum = sum + LANES_LOAD(weights + k) * s;
	}
	return LANES_SUM(sum) * LANES_FIRST(lanes_exp(LANES_SPLAT(-0.5 * damping * damping), 0));
}

static sonde_status fill_distribution(sonde_context *context, sonde_debye_result *result)
{
	/* some 10^7 sines between two looks at the clock and at Ctrl-C */
	int threads = context_threads(context);
	int64_t block = 1 + (int64_t)(1e7 * threads / (double)result->q_count);
	struct stage stage;
	double *q = NULL, *weights = NULL;
	sonde_status status = SONDE_OK;

	if (result->r_count == 0)
		return SONDE_OK;
	CHECK_GOTO(status, memory_allocate(&q, (size_t)result->q_count + LANES, sizeof *q, "G(r)"), done);
	CHECK_GOTO(status, memory_allocate(&weights, (size_t)result->q_count + LANES, sizeof *weights, "G(r)"), done);
	fill_weights(result, q, weights);
	stage_begin(&stage, context, "G(r)", "points", (double)result->r_count);
	for (int64_t first = 0; first < result->r_count && status == SONDE_OK; first += block) {
		int64_t end = first + block < result->r_count ? first + block : result->r_count;
#pragma omp parallel for schedule(static) num_threads(threads)
		for (int64_t k = first; k < end; ++k) {
			result->r[k] = grid_value(&result->options.r, k);
			result->pair_distribution[k] = distribution_at(result, q, weights, result->r[k]);
		}
		status = stage_advance(&stage, (double)end);
	}
done:
	free(q);
	free(weights);
	return status;
}

sonde_status debye_curves(sonde_context *context, const struct debye_plan *plan, const struct amplitudes *amplitudes,
			  const struct pair_sums *sums, sonde_debye_result *result)
{
	for (int64_t k = 0; k < result->q_count; ++k) {
		double q = result->q[k] = grid_value(&plan->options.q, k);
		double per_atom = debye_intensity_per_atom(result, amplitudes, k, sums->sums + k, result->q_count);
		double mean_square, square_mean;
		mean_amplitudes(result, amplitudes, k, &mean_square, &square_mean);
		result->intensity_per_atom[k] = per_atom;
		result->intensity[k] = per_atom * (double)result->atom_count;
		result->mean_square_amplitude[k] = mean_square;
		result->square_mean_amplitude[k] = square_mean;
		result->structure_factor[k] = square_mean > 0.0 ? 1.0 + (per_atom - mean_square) / square_mean : NAN;
		result->reduced_structure_factor[k] = q * (result->structure_factor[k] - 1.0);
		if (k % 256 == 0)
			CHECK(stopped(context));
	}
	CHECK(fill_partials(context, amplitudes, sums, result));
	return fill_distribution(context, result);
}
