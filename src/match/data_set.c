#include "match/data_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "match/dot_product.h"
#include "match/refine_choice.h"

#define FWHM_OF_DEVIATION 2.3548200450309493 /* 2 sqrt(2 ln 2) */
#define DEPENDENT 1e-10                      /* of a polynomial: what is left of it outside the space of the others */
#define NEAR_ZERO 1.0                        /* r in Angstrom without distances of atoms */
#define LEAST_COUNT 1.0                      /* variance of a point without counts */
#define LARGEST_WEIGHTED 1e140               /* value of a point over its standard deviation */

static sonde_status check_options(const sonde_match_options *options, const struct measured *measured)
{
	struct refine_choice choice;

	CHECK(refine_choice_read(options, &choice));
	if ((options->qdamp > 0.0 || choice.qdamp) && !measured->of_r)
		return status_fail_option(SONDE_INVALID, "qdamp", "is a factor of G(r), and %s is a function of q",
					  measured->path);
	if (choice.qbroad && !measured->of_r)
		return status_fail_option(SONDE_INVALID, "refine",
					  "qbroad is a parameter of G(r), and %s is a function of q", measured->path);
	return SONDE_OK;
}

static sonde_status read_measured(const char *path, const sonde_match_options *options, struct measured *measured)
{
	const int curve = options->curve == SONDE_MATCH_CURVE_AUTO ? -1 : options->curve - 1;

	return measured_read(path, curve, (enum measured_axis)options->axis, options->wavelength, measured);
}

/* Refined candidates need curves beyond the measured points: by the deformation, and three points for interpolation. */
static sonde_status leave_room(const sonde_match_options *options, const struct data_set *set, double *low,
			       double *high)
{
	const struct candidates *candidates = &set->candidates;
	struct refine_choice choice;
	struct deformation largest;
	double first = 0.0, last = 0.0;

	CHECK(refine_choice_read(options, &choice));
	refine_choice_limits(&choice, options, &largest);
	if (!choice.strain && !choice.b && !choice.qbroad)
		return SONDE_OK;
	for (size_t k = 0; k < candidates->source_count; ++k) {
		const struct candidate_source *source = &candidates->sources[k];
		if (source->points < 8)
			continue;
		first = fmax(first, source->axis[3] - source->axis[0]);
		last = fmax(last, source->axis[source->points - 1] - source->axis[source->points - 4]);
	}
	*high -= deformed_reach(candidates->curve, &largest, *high) + last;
	/* functions of r are continued to 0 */
	if (candidates->curve != LIBRARY_G || *low > NEAR_ZERO)
		*low += deformed_reach(candidates->curve, &largest, *low) + first;
	return SONDE_OK;
}

/* Leaves the points that are wanted and covered. */
static sonde_status crop(const sonde_match_options *options, struct data_set *set)
{
	struct measured *measured = &set->measured;
	const char *unit = measured->of_r ? "Angstrom" : "1/Angstrom";
	const double first = measured->x[0], last = measured->x[measured->count - 1],
		     reach = resampling_reach(options->resolution / FWHM_OF_DEVIATION);
	double low = set->candidates.low + reach, high = set->candidates.high - reach;

	CHECK(leave_room(options, set, &low, &high));

	set->points_of_file = measured->count;
	set->file_first = first;
	set->file_last = last;
	measured_crop(low * (1.0 - 1e-12), high * (1.0 + 1e-12), measured);
	if (measured->count == 0)
		return status_fail_file(
		    SONDE_INVALID, measured->path,
		    "has points from %.6g to %.6g %s, and the candidates have curves from %.6g to "
		    "%.6g%s: they have no range in common",
		    first, last, unit, set->candidates.low, set->candidates.high,
		    low > set->candidates.low || high < set->candidates.high
			? ", less the reach of the resolution and of refined parameters"
			: "");
	if (options->range.last > 0.0)
		measured_crop(options->range.first, options->range.last, measured);
	if (measured->count == 0)
		return status_fail_option(SONDE_INVALID, "range", "no point of %s is within %.6g to %.6g %s",
					  measured->path, options->range.first, options->range.last, unit);
	return SONDE_OK;
}

/* Terms ---------------------------------------------------------------------------------------------------------------------- */

static sonde_status read_term(const char *path, const sonde_match_options *options, const struct data_set *set,
			      double *to)
{
	const struct measured *at = &set->measured;
	struct resampling resampling = {0};
	struct measured term;
	float *curve = NULL;

	CHECK(read_measured(path, options, &term));
	sonde_status status = SONDE_OK;
	if (term.of_r != at->of_r || term.count < 2 || term.x[0] > at->x[0] ||
	    term.x[term.count - 1] < at->x[at->count - 1])
		status = status_fail_file(SONDE_INVALID, path,
					  "has points from %.6g to %.6g, and the fit needs %.6g to %.6g", term.x[0],
					  term.x[term.count - 1], at->x[0], at->x[at->count - 1]);
	if (status == SONDE_OK)
		status = resampling_make(term.x, term.count, at->x, at->count, 0.0, &resampling);
	if (status == SONDE_OK)
		status = memory_allocate(&curve, (size_t)term.count, sizeof *curve, "a curve");
	for (int64_t k = 0; status == SONDE_OK && k < term.count; ++k)
		curve[k] = (float)term.y[k];
	if (status == SONDE_OK)
		resample(&resampling, curve, to);
	free(curve);
	resampling_free(&resampling);
	measured_free(&term);
	return status;
}

/* Names between commas; their number. */
static int count_terms(const char *terms)
{
	int count = terms[0] != '\0';

	for (; *terms != '\0'; ++terms)
		count += *terms == ',';
	return count;
}

/* To the rows after the polynomials. */
static sonde_status read_terms(const sonde_match_options *options, struct data_set *set)
{
	const int64_t points = set->measured.count;
	char *list, *rest, *name;
	int row = (int)options->background + 1;

	CHECK(memory_copy_text(options->terms, &list, "text"));
	sonde_status status = SONDE_OK;
	for (name = strtok_r(list, ",", &rest); name != NULL && status == SONDE_OK; name = strtok_r(NULL, ",", &rest))
		status = read_term(name, options, set, set->polynomials + row++ * points);
	set->polynomial_count = row;
	free(list);
	return status;
}

/* Polynomials ---------------------------------------------------------------------------------------------------------------- */

static sonde_status make_polynomials(const sonde_match_options *options, struct data_set *set)
{
	const struct measured *at = &set->measured;
	const int64_t points = at->count;
	const double middle = 0.5 * (at->x[0] + at->x[points - 1]), half = 0.5 * (at->x[points - 1] - at->x[0]);
	const int count = (int)options->background + 1;
	const size_t rows = (size_t)count + (size_t)count_terms(options->terms);

	CHECK(memory_allocate(&set->polynomials, rows * (size_t)points, sizeof(double), "a background"));
	CHECK(memory_allocate(&set->basis, rows * (size_t)points, sizeof(double), "a background"));
	for (int64_t k = 0; k < points; ++k) {
		const double t = half > 0.0 ? (at->x[k] - middle) / half : 0.0;
		for (int n = 0; n < count; ++n) {
			const double *of = set->polynomials;
			set->polynomials[n * points + k] =
			    n == 0   ? 1.0
			    : n == 1 ? t
				     : 2.0 * t * of[(n - 1) * points + k] - of[(n - 2) * points + k];
		}
	}
	return SONDE_OK;
}

/* Factors of G(r). */
static sonde_status make_factors(const sonde_match_options *options, struct data_set *set)
{
	const struct measured *at = &set->measured;

	if (!(options->qdamp > 0.0))
		return SONDE_OK;
	CHECK(memory_allocate(&set->factors, (size_t)at->count, sizeof(double), "factors"));
	for (int64_t k = 0; k < at->count; ++k)
		set->factors[k] = exp(-0.5 * pow(at->x[k] * options->qdamp, 2.0));
	return SONDE_OK;
}

static sonde_status make_resamplings(const sonde_match_options *options, struct data_set *set)
{
	const struct candidates *candidates = &set->candidates;

	CHECK(memory_allocate(&set->resamplings, candidates->source_count, sizeof *set->resamplings,
			      "an interpolation"));
	for (size_t k = 0; k < candidates->source_count; ++k)
		CHECK(resampling_make(candidates->sources[k].axis, candidates->sources[k].points, set->measured.x,
				      set->measured.count, options->resolution / FWHM_OF_DEVIATION,
				      &set->resamplings[k]));
	return SONDE_OK;
}

static sonde_status check_weights(struct data_set *set)
{
	const struct measured *measured = &set->measured;

	if (set->weights == SONDE_MATCH_WEIGHTS_SIGMA && measured->sigma == NULL)
		return status_fail_option(SONDE_INVALID, "weights", "%s has no standard deviations", measured->path);
	for (int64_t k = 0; set->weights == SONDE_MATCH_WEIGHTS_POISSON && k < measured->count; ++k)
		if (measured->y[k] < 0.0)
			return status_fail_option(SONDE_INVALID, "weights",
						  "%s has %g at x = %g, which is not a number of counts",
						  measured->path, measured->y[k], measured->x[k]);
	return SONDE_OK;
}

/* A curve without any value, as of a detector that was off, has no fit and no R. */
static sonde_status check_values(const struct measured *measured)
{
	for (int64_t k = 0; k < measured->count; ++k)
		if (measured->y[k] != 0.0)
			return SONDE_OK;
	return status_fail_file(SONDE_INVALID, measured->path, "is 0 at all %lld points of the fit",
				(long long)measured->count);
}

static sonde_status check_radiation(const struct data_set *set)
{
	const int stated = set->measured.radiation;

	if (stated < 0 || stated == (int)set->candidates.radiation)
		return SONDE_OK;
	return status_fail_file(
	    SONDE_INVALID, set->measured.path,
	    "was measured with radiation '%s', as it states, and the candidates' curves are those of '%s'",
	    library_radiation_names[stated], library_radiation_names[set->candidates.radiation]);
}

/* Noise of G(r) is that of a function of q up to qmax, so that points closer than pi/qmax repeat what their neighbors say. Each counts as a
 * part of an independent one, by a larger standard deviation: squares and covariances are then those of independent points. */
static void count_independent(const sonde_match_options *options, struct data_set *set)
{
	const struct measured *measured = &set->measured;
	const int64_t points = measured->count;

	set->independent = points;
	set->qmax = !measured->of_r ? 0.0 : options->qmax > 0.0 ? options->qmax : measured->qmax;
	if (set->qmax > 0.0 && points > 1) {
		const double distance = measured->x[points - 1] - measured->x[0],
			     most = floor(distance * set->qmax / PI * (1.0 + 1e-12)) + 1.0;
		set->independent = most < (double)points ? (int64_t)most : points;
	}
	set->inverse_share = sqrt((double)set->independent / (double)points);
}

static sonde_status make(const char *measured, data_set_opener *open, void *user, const sonde_match_options *options,
			 struct data_set *set)
{
	CHECK(read_measured(measured, options, &set->measured));
	CHECK(check_options(options, &set->measured));
	CHECK(open(user, set->measured.curve, set->measured.of_r, &set->candidates));
	CHECK(check_radiation(set));
	CHECK(crop(options, set));
	set->weights = options->weights != SONDE_MATCH_WEIGHTS_AUTO ? options->weights
		       : set->measured.sigma != NULL                ? SONDE_MATCH_WEIGHTS_SIGMA
								    : SONDE_MATCH_WEIGHTS_UNIFORM;
	CHECK(check_weights(set));
	CHECK(check_values(&set->measured));
	count_independent(options, set);
	const int64_t points = set->measured.count;
	if (set->independent < options->background + 3)
		return status_fail_file(SONDE_INVALID, measured,
					"has %lld %spoints in the range of the fit, and the background alone has "
					"%lld parameters",
					(long long)set->independent, set->independent < points ? "independent " : "",
					(long long)options->background + 1);
	CHECK(make_resamplings(options, set));
	CHECK(make_polynomials(options, set));
	CHECK(make_factors(options, set));
	CHECK(read_terms(options, set));
	CHECK(memory_allocate(&set->inverse_sigma, (size_t)points, sizeof(double), "weights"));
	CHECK(memory_allocate(&set->y, (size_t)points, sizeof(double), "a curve"));
	return data_set_weigh(set, NULL);
}

sonde_status data_set_make_with(const char *measured, data_set_opener *open, void *user,
				const sonde_match_options *options, struct data_set *set)
{
	*set = (struct data_set){.level = 1.0, .inverse_share = 1.0};
	const sonde_status status = make(measured, open, user, options, set);
	if (status != SONDE_OK)
		data_set_free(set);
	return status;
}

struct candidate_files {
	const char *const *paths;
	int64_t count;
};

static sonde_status open_files(void *user, int curve, bool of_r, struct candidates *candidates)
{
	const struct candidate_files *files = user;

	return candidates_open(files->paths, files->count, curve, of_r, candidates);
}

sonde_status data_set_make(const char *measured, const char *const *candidates, int64_t count,
			   const sonde_match_options *options, struct data_set *set)
{
	struct candidate_files files = {candidates, count};

	return data_set_make_with(measured, open_files, &files, options, set);
}

void data_set_free(struct data_set *set)
{
	for (size_t k = 0; set->resamplings != NULL && k < set->candidates.source_count; ++k)
		resampling_free(&set->resamplings[k]);
	free(set->resamplings);
	candidates_close(&set->candidates);
	measured_free(&set->measured);
	free(set->factors);
	free(set->computed_variances);
	free(set->polynomials);
	free(set->inverse_sigma);
	free(set->basis);
	free(set->y);
	*set = (struct data_set){0};
}

sonde_status data_set_replace(const char *path, const sonde_match_options *options, struct data_set *set)
{
	struct measured other;

	CHECK(read_measured(path, options, &other));
	const int64_t count = other.count;
	const double first = other.x[0], last = other.x[other.count - 1];
	measured_crop(set->measured.x[0], set->measured.x[set->measured.count - 1], &other);
	const bool same = other.of_r == set->measured.of_r && other.count == set->measured.count &&
			  memcmp(other.x, set->measured.x, (size_t)other.count * sizeof(double)) == 0 &&
			  (other.sigma != NULL) == (set->measured.sigma != NULL);
	if (!same) {
		const sonde_status status = status_fail_file(
		    SONDE_INVALID, path,
		    "has other points than %s, the first curve of the series: %lld from %.6g to %.6g%s, and there "
		    "are %lld "
		    "from %.6g to %.6g%s",
		    set->measured.path, (long long)count, first, last, other.sigma != NULL ? " with errors" : "",
		    (long long)set->points_of_file, set->file_first, set->file_last,
		    set->measured.sigma != NULL ? " with errors" : "");
		measured_free(&other);
		return status;
	}
	measured_free(&set->measured);
	set->measured = other;
	CHECK(check_weights(set));
	return data_set_weigh(set, NULL);
}

static sonde_status copy_numbers(const double *from, int64_t count, double **to)
{
	*to = NULL;
	if (from == NULL)
		return SONDE_OK;
	CHECK(memory_allocate(to, (size_t)count, sizeof **to, "a curve"));
	memcpy(*to, from, (size_t)count * sizeof **to);
	return SONDE_OK;
}

static sonde_status copy_arrays(const struct data_set *set, struct data_set *copy)
{
	const int64_t points = set->measured.count;

	CHECK(memory_copy_text(set->measured.path, &copy->measured.path, "a path"));
	CHECK(copy_numbers(set->measured.x, points, &copy->measured.x));
	CHECK(copy_numbers(set->measured.y, points, &copy->measured.y));
	CHECK(copy_numbers(set->measured.sigma, points, &copy->measured.sigma));
	CHECK(copy_numbers(set->inverse_sigma, points, &copy->inverse_sigma));
	CHECK(copy_numbers(set->basis, set->polynomial_count * points, &copy->basis));
	return copy_numbers(set->y, points, &copy->y);
}

sonde_status data_set_copy(const struct data_set *set, struct data_set *copy)
{
	*copy = *set;
	copy->measured.path = NULL;
	copy->measured.x = copy->measured.y = copy->measured.sigma = NULL;
	copy->inverse_sigma = copy->basis = copy->y = NULL;
	const sonde_status status = copy_arrays(set, copy);
	if (status != SONDE_OK)
		data_set_free_copy(copy);
	return status;
}

void data_set_free_copy(struct data_set *copy)
{
	measured_free(&copy->measured);
	free(copy->inverse_sigma);
	free(copy->basis);
	free(copy->y);
	*copy = (struct data_set){0};
}

/* Weights -------------------------------------------------------------------------------------------------------------------- */

/* Gram and Schmidt, twice for every polynomial. */
static void make_basis(struct data_set *set)
{
	const int64_t points = set->measured.count;

	set->basis_count = 0;
	for (int n = 0; n < set->polynomial_count; ++n) {
		double *row = set->basis + set->basis_count * points;
		for (int64_t k = 0; k < points; ++k)
			row[k] = set->polynomials[n * points + k] * set->inverse_sigma[k];
		const double before = sqrt(dot_product(row, row, points));
		for (int times = 0; times < 2; ++times)
			for (int other = 0; other < set->basis_count; ++other) {
				const double *of = set->basis + other * points, part = dot_product(of, row, points);
				for (int64_t k = 0; k < points; ++k)
					row[k] -= part * of[k];
			}
		const double left = sqrt(dot_product(row, row, points));
		if (!(left > DEPENDENT * before))
			continue;
		for (int64_t k = 0; k < points; ++k)
			row[k] /= left;
		++set->basis_count;
	}
}

/* Sums of squares of the weighted points are numbers. */
static sonde_status check_sizes(const struct data_set *set)
{
	const struct measured *measured = &set->measured;

	for (int64_t k = 0; k < measured->count; ++k)
		if (!(fabs(measured->y[k]) * set->inverse_sigma[k] < LARGEST_WEIGHTED))
			return status_fail_file(
			    SONDE_INVALID, measured->path, "has %g at x = %g, which is too large%s", measured->y[k],
			    measured->x[k],
			    set->weights == SONDE_MATCH_WEIGHTS_SIGMA ? ", or its standard deviation too small" : "");
	return SONDE_OK;
}

sonde_status data_set_weigh(struct data_set *set, const double *fitted)
{
	const struct measured *measured = &set->measured;

	for (int64_t k = 0; k < measured->count; ++k) {
		const double counts = fitted != NULL ? fitted[k] : measured->y[k],
			     more = set->computed_variances != NULL ? set->computed_variances[k] : 0.0;
		set->inverse_sigma[k] = set->weights == SONDE_MATCH_WEIGHTS_UNIFORM ? 1.0 / set->level
					: set->weights == SONDE_MATCH_WEIGHTS_POISSON
					    ? 1.0 / sqrt(fmax(counts, LEAST_COUNT) + more)
					: more > 0.0 ? 1.0 / sqrt(measured->sigma[k] * measured->sigma[k] + more)
						     : 1.0 / measured->sigma[k];
		set->inverse_sigma[k] *= set->inverse_share;
		if (!isfinite(set->inverse_sigma[k]))
			return status_fail_file(SONDE_INVALID, measured->path,
						"has a standard deviation at x = %g that is too small",
						measured->x[k]);
	}
	CHECK(check_sizes(set));
	make_basis(set);
	memcpy(set->y, measured->y, (size_t)measured->count * sizeof(double));
	data_set_project(set, set->y);
	return SONDE_OK;
}

void data_set_project(const struct data_set *set, double *curve)
{
	const int64_t points = set->measured.count;

	for (int64_t k = 0; k < points; ++k)
		curve[k] *= set->inverse_sigma[k];
	const double whole = dot_product(curve, curve, points);
	for (int n = 0; n < set->basis_count; ++n) {
		const double *of = set->basis + n * points, part = dot_product(of, curve, points);
		for (int64_t k = 0; k < points; ++k)
			curve[k] -= part * of[k];
	}
	if (!(dot_product(curve, curve, points) > DATA_SET_FLAT * whole))
		memset(curve, 0, (size_t)points * sizeof *curve);
}

void data_set_resample(const struct data_set *set, size_t source, const float *curve, double *to)
{
	resample(&set->resamplings[source], curve, to);
	for (int64_t k = 0; set->factors != NULL && k < set->measured.count; ++k)
		to[k] *= set->factors[k];
}

void data_set_resample_reals(const struct data_set *set, size_t source, const double *curve, double *to)
{
	resample_reals(&set->resamplings[source], curve, to);
	for (int64_t k = 0; set->factors != NULL && k < set->measured.count; ++k)
		to[k] *= set->factors[k];
}

void data_set_background(const struct data_set *set, const double *remainder, double *background)
{
	const int64_t points = set->measured.count;

	memset(background, 0, (size_t)points * sizeof *background);
	for (int n = 0; n < set->basis_count; ++n) {
		const double *of = set->basis + n * points;
		double part = 0.0;
		for (int64_t k = 0; k < points; ++k)
			part += of[k] * remainder[k] * set->inverse_sigma[k];
		for (int64_t k = 0; k < points; ++k)
			background[k] += part * of[k] / set->inverse_sigma[k];
	}
}
