#include "matter/build/size_distribution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "matter/build/build_options.h"

#define BISECTIONS 200

/* Reading ------------------------------------------------------------------------------------------------------ */

static const char *const kinds[] = {
    [SIZE_NORMAL] = "normal", [SIZE_LOG_NORMAL] = "lognormal", [SIZE_SCHULZ] = "schulz", [SIZE_UNIFORM] = "uniform"};
/* the largest widths */
static const double most[] = {
    [SIZE_NORMAL] = 0.5, [SIZE_LOG_NORMAL] = 1.0, [SIZE_SCHULZ] = 1.0, [SIZE_UNIFORM] = 1.0};

static bool is_word(const char *start, size_t length, const char *word)
{
	return length == strlen(word) && strncmp(start, word, length) == 0;
}

static sonde_status parse_kind(const char *text, size_t length, enum size_distribution_kind *kind)
{
	char word[32] = "", hint[64];
	struct nearest_word nearest = {.word = word};

	memcpy(word, text, length < sizeof word ? length : sizeof word - 1);
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
		*kind = (enum size_distribution_kind)k;
		if (is_word(text, length, kinds[k]))
			return SONDE_OK;
		nearest_word_offer(&nearest, kinds[k]);
	}
	return status_fail(SONDE_INVALID, "'%s' is not a distribution%s; normal, lognormal, schulz, uniform", word,
			   nearest_word_hint(&nearest, hint, sizeof hint));
}

/* "number" or "volume", at the end. */
static sonde_status parse_measure(const char *text, bool *by_volume)
{
	*by_volume = strcmp(text, "volume") == 0;
	return *by_volume || strcmp(text, "number") == 0
		   ? SONDE_OK
		   : status_fail(SONDE_INVALID, "'%.40s' is neither number nor volume", text);
}

sonde_status size_distribution_parse(const char *text, struct size_distribution *distribution)
{
	const char *width = strchr(text, ':'), *points = width != NULL ? strchr(width + 1, ':') : NULL, *end;
	int64_t count;

	*distribution = (struct size_distribution){.kind = SIZE_NORMAL};
	if (points == NULL)
		return status_fail(
		    SONDE_INVALID,
		    "'%.60s' is not KIND:WIDTH:POINTS, such as lognormal:0.15:11, with :volume after it "
		    "for fractions of the volume",
		    text);
	CHECK(parse_kind(text, (size_t)(width - text), &distribution->kind));
	if (!text_parse_real(width + 1, points, &distribution->width) ||
	    !(distribution->width > 0.0 && distribution->width <= most[distribution->kind]))
		return status_fail(SONDE_INVALID, "the width '%.*s' is not a number above 0 and up to %g",
				   points - width - 1 < 40 ? (int)(points - width - 1) : 40, width + 1,
				   most[distribution->kind]);
	end = points + 1 + strcspn(points + 1, ":");
	if (!text_parse_integer(points + 1, end, &count) || count < 1 || count > SIZE_DISTRIBUTION_MOST_POINTS)
		return status_fail(SONDE_INVALID, "'%.*s' is not a number of sizes from 1 to %d",
				   end - points - 1 < 40 ? (int)(end - points - 1) : 40, points + 1,
				   SIZE_DISTRIBUTION_MOST_POINTS);
	distribution->points = (int)count;
	return *end == ':' ? parse_measure(end + 1, &distribution->by_volume) : SONDE_OK;
}

/* Quadrature --------------------------------------------------------------------------------------------------- */

/* The recurrence of the polynomials that are orthonormal with a distribution's density as weight:
 * off[k + 1] p[k + 1] = (x - diagonal[k]) p[k] - off[k] p[k - 1], p[0] = 1. */
struct recurrence {
	int points;
	double diagonal[SIZE_DISTRIBUTION_MOST_POINTS], off[SIZE_DISTRIBUTION_MOST_POINTS + 1];
};

/* Hermite's polynomials for a standard normal distribution, Legendre's for a uniform one from -1 to 1, Laguerre's for a
 * gamma distribution of this shape (Abramowitz and Stegun, table 22.7). */
static void find_recurrence(const struct size_distribution *distribution, struct recurrence *recurrence)
{
	const double shape = 1.0 / (distribution->width * distribution->width);

	recurrence->points = distribution->points;
	for (int k = 0; k < distribution->points; ++k) {
		const double n = k;
		recurrence->diagonal[k] = distribution->kind == SIZE_SCHULZ ? 2.0 * n + shape : 0.0;
		recurrence->off[k] = distribution->kind == SIZE_SCHULZ ? sqrt(n * (n + shape - 1.0))
				     : distribution->kind == SIZE_UNIFORM
					 ? n / sqrt(4.0 * n * n - 1.0 + (n == 0.0) * 2.0)
					 : sqrt(n);
	}
}

/* The number of eigenvalues below x of the tridiagonal matrix of the recurrence, by Sturm's sequence. */
static int count_below(const struct recurrence *recurrence, double x)
{
	double pivot = 1.0;
	int count = 0;

	for (int k = 0; k < recurrence->points; ++k) {
		pivot = recurrence->diagonal[k] - x - recurrence->off[k] * recurrence->off[k] / pivot;
		if (pivot == 0.0)
			pivot = 1e-300;
		count += pivot < 0.0;
	}
	return count;
}

/* Eigenvalue number `index`, a zero of the polynomial of degree `points`. */
static double find_node(const struct recurrence *recurrence, int index)
{
	double low = 0.0, high = 0.0;

	for (int k = 0; k < recurrence->points; ++k) {
		const double next = k + 1 < recurrence->points ? recurrence->off[k + 1] : 0.0,
			     reach = recurrence->off[k] + next;
		low = fmin(low, recurrence->diagonal[k] - reach);
		high = fmax(high, recurrence->diagonal[k] + reach);
	}
	for (int step = 0; step < BISECTIONS; ++step) {
		const double middle = 0.5 * (low + high);
		if (count_below(recurrence, middle) > index)
			high = middle;
		else
			low = middle;
	}
	return 0.5 * (low + high);
}

/* 1/sum of p[k]^2 */
static double find_weight(const struct recurrence *recurrence, double x)
{
	double before = 0.0, now = 1.0, sum = 1.0;

	for (int k = 0; k + 1 < recurrence->points; ++k) {
		const double next =
		    ((x - recurrence->diagonal[k]) * now - recurrence->off[k] * before) / recurrence->off[k + 1];
		before = now;
		now = next;
		sum += now * now;
	}
	return 1.0 / sum;
}

static double factor_of(const struct size_distribution *distribution, double x)
{
	switch (distribution->kind) {
	case SIZE_LOG_NORMAL:
		return exp(distribution->width * x);
	case SIZE_SCHULZ:
		return x * distribution->width * distribution->width;
	default:
		return 1.0 + distribution->width * x;
	}
}

sonde_status size_distribution_points(const struct size_distribution *distribution,
				      double factors[SIZE_DISTRIBUTION_MOST_POINTS],
				      double weights[SIZE_DISTRIBUTION_MOST_POINTS])
{
	struct recurrence recurrence;
	double sum = 0.0;

	find_recurrence(distribution, &recurrence);
	for (int k = 0; k < distribution->points; ++k) {
		const double x = find_node(&recurrence, k);
		factors[k] = factor_of(distribution, x);
		weights[k] = find_weight(&recurrence, x);
		if (factors[k] <= 0.0)
			return status_fail(
			    SONDE_INVALID,
			    "%d points of a normal distribution of the width %g reach sizes below 0; use "
			    "lognormal or schulz, or fewer points",
			    distribution->points, distribution->width);
		if (distribution->by_volume)
			weights[k] /= factors[k] * factors[k] * factors[k];
		sum += weights[k];
	}
	for (int k = 0; k < distribution->points; ++k)
		weights[k] /= sum;
	return SONDE_OK;
}

/* Samples ------------------------------------------------------------------------------------------------------ */

/* Shapes whose numbers are lengths, all of which are scaled. */
static const char *const scaled[] = {"sphere",
				     "box",
				     "cylinder",
				     "ellipsoid",
				     "cone",
				     "hexagonal_prism",
				     "octahedron",
				     "cuboctahedron",
				     "truncated_octahedron",
				     "tetrahedron",
				     "rhombic_dodecahedron",
				     "truncated_cube",
				     "wulff_radius",
				     "stl_scale"};
/* Samples that have no such shape. */
static const char *const others[] = {"nanotube", "torus", "graphene", "fullerene", "packing"};

bool build_has_sizes(const sonde_build_options *options)
{
	return options->size_distribution[0] != '\0';
}

/* Multiplies the lengths of the row; false if they are 0. */
static bool scale_row(const struct option_row *row, double factor, sonde_build_options *options, double *size)
{
	char *value = (char *)options + row->offset;
	double numbers[3];
	const size_t count = row->type == OPTION_VECTOR ? 3 : 1;

	memcpy(numbers, value, count * sizeof *numbers);
	if (numbers[0] == 0.0 && (count == 1 || (numbers[1] == 0.0 && numbers[2] == 0.0)))
		return false;
	for (size_t k = 0; k < count; ++k)
		numbers[k] *= factor;
	memcpy(value, numbers, count * sizeof *numbers);
	*size = numbers[0];
	return true;
}

/* The options of a size: `options` is complete. */
static sonde_status scale(double factor, sonde_build_options *options, double *size)
{
	const bool meshed = options->stl[0] != '\0';
	bool found = false;

	options->size_distribution[0] = '\0';
	for (size_t k = 0; k < sizeof others / sizeof *others; ++k) {
		const struct option_row *row = options_find(&build_option_table, others[k]);
		if (row->type == OPTION_TEXT && option_text(row, options)[0] != '\0')
			return status_fail_option(SONDE_INVALID, "size_distribution", "not for %s", others[k]);
	}
	for (size_t k = 0; k < sizeof scaled / sizeof *scaled; ++k)
		if (meshed == (strcmp(scaled[k], "stl_scale") == 0) &&
		    scale_row(options_find(&build_option_table, scaled[k]), factor, options, size))
			found = true;
	return found ? SONDE_OK
		     : status_fail_option(SONDE_INVALID, "size_distribution",
					  "needs a shape whose size is a length, such as `sphere`; supercells, "
					  "icosahedra, and decahedra have whole numbers");
}

static sonde_status find_points(const sonde_build_options *options, struct size_distribution *distribution,
				double factors[SIZE_DISTRIBUTION_MOST_POINTS],
				double weights[SIZE_DISTRIBUTION_MOST_POINTS])
{
	sonde_status status = size_distribution_parse(options->size_distribution, distribution);

	if (status == SONDE_OK)
		status = size_distribution_points(distribution, factors, weights);
	return status == SONDE_OK ? SONDE_OK : status_prefix_option(status, "size_distribution");
}

static sonde_status count_sizes(const sonde_build_options *options, int64_t *count)
{
	double factors[SIZE_DISTRIBUTION_MOST_POINTS], weights[SIZE_DISTRIBUTION_MOST_POINTS];
	struct size_distribution distribution;

	CHECK(find_points(options, &distribution, factors, weights));
	*count = distribution.points;
	return SONDE_OK;
}

/* The caller's options, as this library has them. */
static sonde_status complete(const sonde_build_options *given, sonde_build_options **whole)
{
	*whole = NULL;
	if (given == NULL)
		return status_fail(SONDE_INVALID, "options are needed, they are null");
	CHECK(memory_allocate(whole, 1, sizeof **whole, "the options of build"));
	const sonde_status status = options_complete(&build_option_table, given, *whole);
	if (status != SONDE_OK) {
		free(*whole);
		*whole = NULL;
	}
	return status;
}

sonde_status sonde_build_sizes(const sonde_build_options *options, int64_t *count)
{
	sonde_build_options *whole;

	*count = 0;
	CHECK(complete(options, &whole));
	sonde_status status = SONDE_OK;
	if (build_has_sizes(whole))
		status = count_sizes(whole, count);
	free(whole);
	return status;
}

static sonde_status make_size(sonde_build_options *whole, int64_t index, double *weight, double *size)
{
	double factors[SIZE_DISTRIBUTION_MOST_POINTS], weights[SIZE_DISTRIBUTION_MOST_POINTS];
	struct size_distribution distribution;

	CHECK(find_points(whole, &distribution, factors, weights));
	if (index < 0 || index >= distribution.points)
		return status_fail(SONDE_INVALID, "size %lld does not exist: there are %d, counted from 0",
				   (long long)index, distribution.points);
	*weight = weights[index];
	return scale(factors[index], whole, size);
}

sonde_status sonde_build_size(const sonde_build_options *options, int64_t index, sonde_build_options *of_size,
			      double *weight, double *size)
{
	sonde_build_options *whole;

	CHECK(complete(options, &whole));
	sonde_status status = make_size(whole, index, weight, size);
	if (status == SONDE_OK) {
		/* the caller's struct may be shorter */
		const uint64_t struct_size = options->struct_size;
		memcpy(of_size, whole, struct_size < sizeof *whole ? struct_size : sizeof *whole);
		of_size->struct_size = struct_size;
	}
	free(whole);
	return status;
}
