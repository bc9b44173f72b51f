/* Scattering vectors: a polar picture on the Ewald sphere, or a list from a file. */
#include "pattern/pixels.h"

#include <math.h>
#include <stdlib.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/kernel.h"
#include "device/kernel_math.h"
#include "io/columns.h"

#define LARGEST_Q 1000.0 /* of a vector of a list, as of the option `q` */
#define MOST_COLUMNS 32
#define MOST_PIXELS 4e9

/* The picture ---------------------------------------------------------------------------------------------- */

/* |k'| = |k| = 2 pi/lambda and q = k' - k, so that q.k = -q^2/2; with k along -z, q_z = q^2 lambda/(4 pi). */
static void point_on_sphere(double q, double cosine, double sine, double wavelength, double vector[3])
{
	const double z = q * q * wavelength / (4.0 * PI), across = sqrt(fmax(0.0, (q - z) * (q + z)));

	vector[0] = across * cosine;
	vector[1] = across * sine;
	vector[2] = z;
}

static sonde_status check_sphere(const sonde_grid *q, double wavelength)
{
	const double largest = 4.0 * PI / wavelength;

	if (!(wavelength > 0.0))
		return status_fail_option(
		    SONDE_INVALID, "wavelength",
		    "the scattering vectors lie on the Ewald sphere; give `wavelength` or `energy`");
	if (q->last > largest * (1.0 + 1e-12))
		return status_fail_option(
		    SONDE_INVALID, "q",
		    "the wavelength %.7g Angstrom is too long for q = %.7g: no scattering vector exceeds "
		    "4 pi/wavelength = %.7g 1/Angstrom",
		    wavelength, q->last, largest);
	return SONDE_OK;
}

static sonde_status make_picture(const sonde_pattern_options *options, struct pattern_pixels *pixels)
{
	const sonde_grid *q = &options->q;
	const int64_t points = q->points, azimuths = options->phi;

	CHECK(check_sphere(q, pixels->wavelength));
	if ((double)points * (double)azimuths > MOST_PIXELS)
		return status_fail_option(SONDE_INVALID, "phi",
					  "%lld circles of %lld points are more than %.0g points", (long long)points,
					  (long long)azimuths, MOST_PIXELS);
	pixels->q_count = points;
	pixels->phi_count = azimuths;
	pixels->count = points * azimuths;
	CHECK(memory_allocate(&pixels->q, (size_t)points, sizeof(double), "the picture"));
	CHECK(memory_allocate(&pixels->phi, (size_t)azimuths, sizeof(double), "the picture"));
	CHECK(memory_allocate(&pixels->cosines, (size_t)azimuths, sizeof(double), "the picture"));
	CHECK(memory_allocate(&pixels->sines, (size_t)azimuths, sizeof(double), "the picture"));
	for (int64_t k = 0; k < points; ++k)
		pixels->q[k] =
		    points > 1 ? q->first + (q->last - q->first) * (double)k / (double)(points - 1) : q->first;
	for (int64_t m = 0; m < azimuths; ++m) {
		lanes_f64 sine, cosine;
		/* the same bits on every processor */
		lanes_sincos(LANES_SPLAT(2.0 * PI * (double)m / (double)azimuths), &sine, &cosine, 0);
		pixels->phi[m] = 360.0 * (double)m / (double)azimuths;
		pixels->cosines[m] = LANES_FIRST(cosine);
		pixels->sines[m] = LANES_FIRST(sine);
	}
	pixels->smallest = q->first;
	pixels->largest = q->last;
	return SONDE_OK;
}

/* The list ------------------------------------------------------------------------------------------------- */

static sonde_status read_row(struct columns *columns, const struct line_reader *reader, char *line, double vector[3],
			     bool *is_vector)
{
	struct word words[MOST_COLUMNS];
	int count;

	CHECK(columns_split(columns, reader, line, words, MOST_COLUMNS, &count));
	*is_vector = count > 0;
	for (int k = 0; *is_vector && k < 3; ++k)
		if (k >= count || !text_parse_real(words[k].start, words[k].end, &vector[k]) ||
		    fabs(vector[k]) > LARGEST_Q)
			return line_fail(reader, "needs qx qy qz in 1/Angstrom, as numbers up to %g", LARGEST_Q);
	return SONDE_OK;
}

static sonde_status read_rows(struct line_reader *reader, struct pattern_pixels *pixels)
{
	struct columns columns = {.needed = 3};
	size_t capacity = 0;
	char *line;

	for (;;) {
		double vector[3];
		bool is_vector;
		CHECK(line_reader_next(reader, &line));
		if (line == NULL)
			break;
		CHECK(read_row(&columns, reader, line, vector, &is_vector));
		if (!is_vector)
			continue;
		CHECK(memory_grow(&pixels->vectors, &capacity, 3 * (size_t)pixels->count + 3, sizeof(double),
				  "the scattering vectors"));
		for (int k = 0; k < 3; ++k)
			pixels->vectors[3 * pixels->count + k] = vector[k];
		++pixels->count;
	}
	return pixels->count > 0
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, line_reader_path(reader), "has no rows of numbers");
}

static sonde_status read_list(const char *path, struct pattern_pixels *pixels)
{
	struct line_reader *reader;
	double vector[3];

	CHECK(line_reader_open(&reader, path));
	const sonde_status status = read_rows(reader, pixels);
	line_reader_close(&reader);
	CHECK(status);
	pixels->smallest = INFINITY;
	for (int64_t n = 0; n < pixels->count; ++n) {
		const double q = pattern_pixel(pixels, n, vector);
		pixels->smallest = fmin(pixels->smallest, q);
		pixels->largest = fmax(pixels->largest, q);
	}
	return SONDE_OK;
}

/* Both ------------------------------------------------------------------------------------------------------ */

sonde_status pattern_pixels_make(const sonde_pattern_options *options, double wavelength,
				 struct pattern_pixels *pixels)
{
	*pixels = (struct pattern_pixels){.wavelength = wavelength};
	return options->q_list[0] != '\0' ? read_list(options->q_list, pixels) : make_picture(options, pixels);
}

void pattern_pixels_free(struct pattern_pixels *pixels)
{
	free(pixels->q);
	free(pixels->phi);
	free(pixels->cosines);
	free(pixels->sines);
	free(pixels->vectors);
	*pixels = (struct pattern_pixels){0};
}

double pattern_pixel(const struct pattern_pixels *pixels, int64_t n, double vector[3])
{
	if (pixels->vectors != NULL) {
		for (int k = 0; k < 3; ++k)
			vector[k] = pixels->vectors[3 * n + k];
		return sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
	}
	const int64_t m = n % pixels->phi_count;
	const double q = pixels->q[n / pixels->phi_count];
	point_on_sphere(q, pixels->cosines[m], pixels->sines[m], pixels->wavelength, vector);
	return q;
}

void sonde_pattern_vector(const sonde_pattern_result *result, int64_t point, double vector[3])
{
	lanes_f64 sine, cosine;

	if (result->vectors != NULL) {
		for (int k = 0; k < 3; ++k)
			vector[k] = result->vectors[3 * point + k];
		return;
	}
	const int64_t m = point % result->phi_count;
	lanes_sincos(LANES_SPLAT(2.0 * PI * (double)m / (double)result->phi_count), &sine, &cosine, 0);
	point_on_sphere(result->q[point / result->phi_count], LANES_FIRST(cosine), LANES_FIRST(sine),
			result->wavelength, vector);
}
