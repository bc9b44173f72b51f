/* With the estimated error d of the amplitude at a point, the detector's factor r, and |F| <= sqrt(I/r) (also where I has diffuse
 * scattering, whose error is that of rounding):
 *     error of I <= r (2 |F| d + d^2).
 * Means over orientations, samples, or equivalent vectors, and sums over copies without interference: with the root mean square D of
 * the d of what the mean is of (the square root of their sum, for a sum of squares), by the inequality of Cauchy and Schwarz
 *     mean of (2 |F| d + d^2) <= 2 sqrt(mean of |F|^2) D + D^2,
 * the same formula, for which the table has D. Where a mean has standard errors, they are the errors of I.
 *
 * The standard error of the mean F of n independent values: the sample variance of the values is n/(n - 1) (<|F|^2> - |<F>|^2), so that it
 * is sqrt((<|F|^2> - |<F>|^2)/(n - 1)). The variance of means of blocks of frames, or of the orientations of each of several samples, is not
 * larger than that of all values, and I - |<F>|^2 has the diffuse scattering in addition: it is at most
 *     sqrt((I/r - |<F>|^2)/(n - 1)).
 * I - |<F>|^2 itself, the variance, has the standard error sqrt(2/(n - 1)) of its value if the values are normally distributed along a line
 * of the complex plane, and 1/sqrt(n - 1) if they are in all directions: the larger one is taken. */
#include "pattern/errors/point_errors.h"

#include <float.h>
#include <math.h>

#include "base/threads.h"
#include "base/vectors.h"
#include "pattern/detector/response.h"
#include "pattern/errors/error_table.h"
#include "pattern/nexus_names.h"

#define POINTS_OF_THREAD 8192 /* fewer are not worth another thread */

/* What the result has, else null. */
struct columns {
	double *intensity, *amplitude, *diffuse, *parts, *counts;
};

struct adding {
	const sonde_pattern_result *result;
	struct response response;
	struct columns columns;
};

static double magnitude(const sonde_pattern_result *result, int64_t n)
{
	double vector[3];

	if (result->geometry == SONDE_PATTERN_POLAR)
		return result->axes[0][n / result->sizes[1]];
	sonde_pattern_vector(result, n, vector);
	return sqrt(vector_dot(vector, vector));
}

static double error_of_square(double amplitude, double error)
{
	return error * (2.0 * amplitude + error);
}

/* Numbers are rounded in addition. */
static double with_rounding(double error, double number)
{
	return error + DBL_EPSILON * number;
}

static void set_amplitude(const struct adding *adding, int64_t n, double factor, double error)
{
	const sonde_pattern_result *result = adding->result;
	const struct columns *columns = &adding->columns;
	const double amplitude = hypot(result->real[n], result->imaginary[n]);
	const double computed = with_rounding(error, amplitude);

	columns->amplitude[n] = computed;
	if (columns->diffuse == NULL)
		return;
	columns->diffuse[n] = (columns->intensity != NULL ? columns->intensity[n] : 0.0) +
			      factor * error_of_square(amplitude, computed);
	if (result->error_values < 2)
		return;
	const double diffuse = fmax(pattern_diffuse(result, &adding->response, n), 0.0),
		     others = (double)(result->error_values - 1);
	columns->amplitude[n] += sqrt(diffuse / (factor * others));
	columns->diffuse[n] += diffuse * sqrt(2.0 / others);
}

static void set_numbers(const struct adding *adding, int64_t n)
{
	const sonde_pattern_result *result = adding->result;
	const struct columns *columns = &adding->columns;
	const struct error_place place = error_table_place(result, magnitude(result, n));
	const double error = error_table_at(result->amplitude_errors, place);
	double factor, counts;

	response_at(&adding->response, n, &factor, &counts);
	if (columns->intensity != NULL)
		columns->intensity[n] = with_rounding(
		    factor > 0.0 ? factor * error_of_square(sqrt(result->intensity[n] / factor), error) : 0.0,
		    2.0 * result->intensity[n]);
	if (columns->amplitude != NULL)
		set_amplitude(adding, n, factor, error);
	for (int p = 0; columns->parts != NULL && p < result->partial_count; ++p) {
		const int64_t at = p * result->count + n;
		columns->parts[at] =
		    with_rounding(error_table_at(result->partial_amplitude_errors + p * result->error_nodes, place),
				  hypot(result->partial_real[at], result->partial_imaginary[at]));
	}
}

static void set_masked(const struct adding *adding, int64_t n)
{
	const struct columns *columns = &adding->columns;
	double *const arrays[] = {columns->intensity, columns->amplitude, columns->diffuse, columns->counts};

	for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
		if (arrays[k] != NULL)
			arrays[k][n] = NAN;
	for (int p = 0; columns->parts != NULL && p < adding->result->partial_count; ++p)
		columns->parts[p * adding->result->count + n] = NAN;
}

static void set_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct adding *adding = state;
	const sonde_pattern_result *result = adding->result;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		if (result->masked != NULL && result->masked[n] != 0) {
			set_masked(adding, n);
			continue;
		}
		if (adding->columns.counts != NULL)
			adding->columns.counts[n] = sqrt(fmax((double)result->counts[n], 1.0));
		if (result->error_nodes > 0)
			set_numbers(adding, n);
	}
}

/* After a failure the writer has none, which it remembers. */
static bool allocate(struct hdf5_writer *writer, const sonde_pattern_result *result, struct columns *columns)
{
	const bool known = result->error_nodes > 0;
	const struct {
		double **numbers;
		bool needed;
		int64_t count;
	} arrays[] = {{&columns->intensity, known && result->standard_error == NULL, result->count},
		      {&columns->amplitude, known && result->real != NULL, result->count},
		      {&columns->diffuse, known && pattern_has_diffuse(result), result->count},
		      {&columns->parts, known && result->partial_amplitude_errors != NULL,
		       result->partial_count * result->count},
		      {&columns->counts, result->counts != NULL, result->count}};

	for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
		if (arrays[k].needed && (*arrays[k].numbers = hdf5_writer_numbers(writer, arrays[k].count)) == NULL)
			return false;
	return true;
}

static void write(struct hdf5_writer *writer, const sonde_pattern_result *result, const struct columns *columns,
		  const int64_t *sizes, int rank)
{
	const char *unit = pattern_unit(result->options), *of_amplitude = pattern_amplitude_unit(result->options);
	int64_t of_parts[4] = {result->partial_count};

	for (int axis = 0; axis < rank; ++axis)
		of_parts[1 + axis] = sizes[axis];
	if (columns->intensity != NULL)
		hdf5_writer_reals(writer, INTENSITY_ERRORS, columns->intensity, sizes, rank, unit,
				  "estimated numerical error of I");
	if (columns->diffuse != NULL)
		hdf5_writer_reals(writer, DIFFUSE_ERRORS, columns->diffuse, sizes, rank, unit,
				  result->error_values > 1 ? "error of I_diffuse by the standard errors of I and F"
							   : "estimated numerical error of I_diffuse");
	if (columns->amplitude != NULL)
		hdf5_writer_reals(writer, AMPLITUDE_ERRORS, columns->amplitude, sizes, rank, of_amplitude,
				  result->error_values > 1 ? "standard error of the mean F"
							   : "estimated numerical error of F");
	if (columns->parts != NULL)
		hdf5_writer_reals(writer, PARTIALS_ERRORS, columns->parts, of_parts, rank + 1, of_amplitude,
				  "estimated numerical errors of the amplitudes of the parts");
	if (columns->counts != NULL)
		hdf5_writer_reals(writer, COUNTS_ERRORS, columns->counts, sizes, rank, NULL,
				  "standard deviation of counts, sqrt(max(counts, 1))");
}

sonde_status point_errors_add(struct hdf5_writer *writer, const sonde_pattern_result *result, const int64_t *sizes,
			      int rank)
{
	const int64_t enough = result->count / POINTS_OF_THREAD + 1;
	const int threads = enough < threads_available() ? (int)enough : threads_available();
	struct adding adding = {.result = result};

	CHECK(response_make(result, &adding.response));
	if (!allocate(writer, result, &adding.columns))
		return SONDE_OK;
	threads_for(threads, result->count, threads_grain(threads, result->count), set_some, &adding);
	write(writer, result, &adding.columns, sizes, rank);
	return SONDE_OK;
}
