#include "pattern/errors/error_table.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/vectors.h"

static double node(const struct pattern_pixels *pixels, int k)
{
	return pixels->smallest + (pixels->largest - pixels->smallest) * k / (PATTERN_ERROR_NODES - 1);
}

/* The smallest eigenvalue of a symmetric matrix (O. K. Smith, Commun. ACM 4 (1961) 168), made smaller by more than its
 * rounding error. */
static double smallest_eigenvalue(const double u[6])
{
	const double mean = (u[0] + u[1] + u[2]) / 3.0, a = u[0] - mean, b = u[1] - mean, c = u[2] - mean;
	const double size = sqrt((a * a + b * b + c * c + 2.0 * (u[3] * u[3] + u[4] * u[4] + u[5] * u[5])) / 6.0);

	if (!(size > 0.0))
		return mean;
	const double determinant =
	    a * (b * c - u[3] * u[3]) - u[5] * (u[5] * c - u[3] * u[4]) + u[4] * (u[5] * u[3] - b * u[4]);
	const double cosine = fmax(-1.0, fmin(1.0, 0.5 * determinant / (size * size * size)));
	return mean + 2.0 * size * cos(acos(cosine) / 3.0 + 2.0 * PI / 3.0) - 1e-7 * size;
}

/* A class that scatters in all directions as much as this one does in the direction of its smallest displacement. */
static struct pattern_class widest(const struct pattern_class *class)
{
	struct pattern_class isotropic = *class;

	if (!class->anisotropic)
		return isotropic;
	const double u[6] = {smallest_eigenvalue(class->u), smallest_eigenvalue(class->u),
			     smallest_eigenvalue(class->u)};
	memcpy(isotropic.u, u, sizeof u);
	isotropic.anisotropic = false;
	return isotropic;
}

void error_table_add(const struct pattern_sample *sample, const struct pattern_pixels *pixels, double weight,
		     double squares[PATTERN_ERROR_NODES])
{
	for (int c = 0; c < sample->class_count; ++c) {
		const struct pattern_class class = widest(&sample->classes[c]);
		const double atoms = weight * (double)sample->view.species[c].atoms;
		for (int k = 0; k < PATTERN_ERROR_NODES; ++k) {
			const double q = node(pixels, k), vector[3] = {q, 0.0, 0.0};
			double real, imaginary;
			(void)pattern_class_amplitude(&class, vector, q, &real, &imaginary);
			squares[k] += atoms * (real * real + imaginary * imaginary);
		}
	}
}

/* The vectors are rounded, which the check does not see, and the phases q.r with them: those of a sample that extends to this distance from
 * the origin by at most the rounding error times q times the distance. */
static void fill(const struct pattern_sample *sample, const struct pattern_pixels *pixels,
		 const double squares[PATTERN_ERROR_NODES], double relative_error, double errors[PATTERN_ERROR_NODES])
{
	const double distance = sample->reach + sqrt(vector_dot(sample->center, sample->center));

	for (int k = 0; k < PATTERN_ERROR_NODES; ++k)
		errors[k] = (relative_error + DBL_EPSILON * node(pixels, k) * distance) * sqrt(squares[k]);
}

sonde_status error_table_make(const struct pattern_sample *sample, const struct pattern_pixels *pixels,
			      const double squares[PATTERN_ERROR_NODES], double relative_error,
			      sonde_pattern_result *result)
{
	CHECK(memory_allocate(&result->error_q, PATTERN_ERROR_NODES, sizeof(double), "the errors"));
	CHECK(memory_allocate(&result->amplitude_errors, PATTERN_ERROR_NODES, sizeof(double), "the errors"));
	result->error_nodes = PATTERN_ERROR_NODES;
	for (int k = 0; k < PATTERN_ERROR_NODES; ++k)
		result->error_q[k] = node(pixels, k);
	fill(sample, pixels, squares, relative_error, result->amplitude_errors);
	return SONDE_OK;
}

void error_table_of_part(const struct pattern_sample *sample, const struct pattern_pixels *pixels,
			 double relative_error, double errors[PATTERN_ERROR_NODES])
{
	double squares[PATTERN_ERROR_NODES] = {0.0};

	error_table_add(sample, pixels, 1.0, squares);
	fill(sample, pixels, squares, relative_error, errors);
}

struct error_place error_table_place(const sonde_pattern_result *result, double q)
{
	const int64_t last = result->error_nodes - 1;
	const double first = result->error_q[0], range = result->error_q[last] - first,
		     at = range > 0.0 ? fmin(fmax((q - first) / range, 0.0), 1.0) * (double)last : 0.0;
	const int64_t below = (int64_t)at;
	const struct error_place place = {below < last ? below : last - 1,
					  at - (double)(below < last ? below : last - 1)};

	return place;
}

double error_table_at(const double *errors, struct error_place place)
{
	return errors[place.node] + place.part * (errors[place.node + 1] - errors[place.node]);
}
