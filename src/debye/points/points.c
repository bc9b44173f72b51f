#include "debye/points/points.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_blanks.h"
#include "base/constants.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "debye/kernels/series_layout.h"
#include "debye/points/wavelength.h"
#include "device/kernel.h"
#include "device/kernel_math.h"

#define LARGEST_Q 1000.0
#define NANOMETER 10.0 /* Angstrom */

bool points_are_angles(const sonde_debye_options *options)
{
	return options->two_theta.last > 0.0 || options->file_axis == SONDE_DEBYE_FILE_AXIS_TWO_THETA;
}

bool points_are_uniform(const sonde_debye_options *options)
{
	return !points_are_angles(options) && options->q_list[0] == '\0' && options->compare[0] == '\0';
}

#define FEWEST_UNIFORM 4 /* points for a recurrence */

static bool is_uniform(const double *q, int64_t count)
{
	const double step = (q[count - 1] - q[0]) / (double)(count - 1), rounding = 4.0 * DBL_EPSILON * q[count - 1];

	for (int64_t k = 1; k < count - 1; ++k)
		if (!(fabs(q[k] - (q[0] + (double)k * step)) <= rounding))
			return false;
	return step > 0.0;
}

int64_t uniform_points(const double *q, int64_t count, int64_t most)
{
	int64_t uniform = count < most ? count : most;

	while (uniform >= FEWEST_UNIFORM && !is_uniform(q, uniform))
		uniform /= 2;
	return uniform >= FEWEST_UNIFORM ? uniform : 1;
}

double points_cost(const double *q, int64_t count)
{
	double blocks = 0.0;

	for (int64_t k = 0, pass; k < count; k += pass) {
		pass = uniform_points(q + k, count - k, Q_PASS);
		blocks += ceil((double)pass / Q_BLOCK);
	}
	return blocks * Q_BLOCK;
}

double grid_value(const sonde_grid *grid, int64_t k)
{
	if (k == grid->points - 1)
		return grid->last;
	return grid->first + (grid->last - grid->first) * ((double)k / (double)(grid->points - 1));
}

/* The sine of kernel_math.h, since that of the C library depends on the processor. */
static double sine(double x)
{
	lanes_f64 s, c;

	lanes_sincos(LANES_SPLAT(x), &s, &c, 0);
	return LANES_FIRST(s);
}

static double q_of_angle(double two_theta, double wavelength)
{
	return 4.0 * PI * sine(two_theta * (PI / 360.0)) / wavelength;
}

static sonde_status allocate(struct debye_points *points, int64_t count, bool angles)
{
	points->count = count;
	CHECK(memory_allocate(&points->q, (size_t)count, sizeof(double), "the points of q"));
	return angles ? memory_allocate(&points->two_theta, (size_t)count, sizeof(double), "the angles") : SONDE_OK;
}

/* Sets q of all angles. `name` is the option that gives them. */
static sonde_status convert_angles(const sonde_debye_options *options, const char *name, struct debye_points *points)
{
	const double wavelength = debye_wavelength(options);

	if (wavelength <= 0.0)
		return status_fail_option(SONDE_INVALID, name, "needs `wavelength`");
	for (int64_t k = 0; k < points->count; ++k)
		points->q[k] = q_of_angle(points->two_theta[k], wavelength);
	if (points->q[points->count - 1] > LARGEST_Q)
		return status_fail_option(
		    SONDE_INVALID, "wavelength", "q = %g 1/Angstrom at %g degrees is above %g 1/Angstrom",
		    points->q[points->count - 1], points->two_theta[points->count - 1], LARGEST_Q);
	return SONDE_OK;
}

static sonde_status make_angles(const sonde_debye_options *options, struct debye_points *points)
{
	CHECK(allocate(points, options->two_theta.points, true));
	for (int64_t k = 0; k < points->count; ++k)
		points->two_theta[k] = grid_value(&options->two_theta, k);
	return convert_angles(options, "two_theta", points);
}

/* Lists ---------------------------------------------------------------------------------------------------- */

/* "lin:0.1:20:1000" or "log:0.001:0.1:100" from `text` to `end`. */
static bool read_part(const char *text, const char *end, sonde_grid *part, bool *logarithmic)
{
	const char *number[4] = {text + 3};
	const int numbers = 3;

	*logarithmic = strncmp(text, "log", 3) == 0;
	for (int k = 0; k < numbers; ++k) {
		if (number[k] >= end || *number[k] != ':')
			return false;
		const char *next = memchr(number[k] + 1, ':', (size_t)(end - number[k] - 1));
		if ((next == NULL) != (k + 1 == numbers))
			return false;
		number[k + 1] = next != NULL ? next : end;
	}
	return text_parse_real(number[0] + 1, number[1], &part->first) &&
	       text_parse_real(number[1] + 1, number[2], &part->last) &&
	       text_parse_whole(number[2] + 1, number[3], &part->points);
}

static sonde_status check_part(const char *text, const char *end, const sonde_grid *part, bool logarithmic)
{
	const int length = end - text > 60 ? 60 : (int)(end - text);

	if (part->points < 2 || part->points > OPTION_GRID_POINTS)
		return status_fail_option(SONDE_INVALID, "q_list", "'%.*s': a part has 2 to %d points", length, text,
					  OPTION_GRID_POINTS);
	if (!(part->last > part->first))
		return status_fail_option(SONDE_INVALID, "q_list", "'%.*s': the last q is not above the first",
					  length, text);
	if (logarithmic && !(part->first > 0.0))
		return status_fail_option(SONDE_INVALID, "q_list", "'%.*s': a logarithmic part begins above q = 0",
					  length, text);
	return SONDE_OK;
}

static double value_of_part(const sonde_grid *part, bool logarithmic, int64_t k)
{
	if (!logarithmic || k == 0 || k == part->points - 1)
		return k == 0 ? part->first : grid_value(part, k);
	return part->first * pow(part->last / part->first, (double)k / (double)(part->points - 1));
}

/* Appends a part. It may begin with the last point before it, which is not repeated. */
static sonde_status add_part(const char *text, const char *end, size_t *capacity, struct debye_points *points)
{
	sonde_grid part;
	bool logarithmic;

	if (!read_part(text, end, &part, &logarithmic))
		return status_fail_option(SONDE_INVALID, "q_list",
					  "'%.*s' is not a part of a list, as lin:0.1:20:1000 or log:0.001:0.1:100",
					  end - text > 60 ? 60 : (int)(end - text), text);
	CHECK(check_part(text, end, &part, logarithmic));
	const int64_t repeated = points->count > 0 && part.first == points->q[points->count - 1];
	if (points->count > 0 && repeated == 0 && part.first < points->q[points->count - 1])
		return status_fail_option(
		    SONDE_INVALID, "q_list",
		    "the part that begins at q = %g follows q = %g: parts must be sorted and must "
		    "not overlap",
		    part.first, points->q[points->count - 1]);
	if (points->count + part.points - repeated > OPTION_GRID_POINTS)
		return status_fail_option(SONDE_INVALID, "q_list", "has more than %d points", OPTION_GRID_POINTS);
	CHECK(memory_grow(&points->q, capacity, (size_t)(points->count + part.points), sizeof(double),
			  "the points of q"));
	for (int64_t k = repeated; k < part.points; ++k) {
		points->q[points->count] = value_of_part(&part, logarithmic, k);
		if (points->count > 0 && !(points->q[points->count] > points->q[points->count - 1]))
			return status_fail_option(SONDE_INVALID, "q_list",
						  "points near q = %g are too close to each other",
						  points->q[points->count]);
		++points->count;
	}
	return SONDE_OK;
}

static bool is_list_of_parts(const char *text)
{
	return strncmp(text, "lin:", 4) == 0 || strncmp(text, "log:", 4) == 0;
}

static sonde_status make_parts(const sonde_debye_options *options, struct debye_points *points)
{
	size_t capacity = 0;

	for (const char *text = options->q_list;;) {
		const char *end = text + strcspn(text, "+");
		/* the sign of an exponent, 1e+1 */
		while (*end == '+' && end > text && (end[-1] == 'e' || end[-1] == 'E'))
			end += 1 + strcspn(end + 1, "+");
		CHECK(add_part(text, end, &capacity, points));
		if (*end == '\0')
			return SONDE_OK;
		text = end + 1 + strspn(end + 1, " ");
	}
}

/* Files --------------------------------------------------------------------------------------------------- */

/* `file_axis` auto becomes that of the header; without one the numbers are q. */
static sonde_status settle_axis(const struct curve_file *curve, const char *path, sonde_debye_options *options)
{
	static const int of_header[] = {[CURVE_AXIS_UNKNOWN] = SONDE_DEBYE_FILE_AXIS_Q,
					[CURVE_AXIS_Q] = SONDE_DEBYE_FILE_AXIS_Q,
					[CURVE_AXIS_Q_NM] = SONDE_DEBYE_FILE_AXIS_Q_NM,
					[CURVE_AXIS_TWO_THETA] = SONDE_DEBYE_FILE_AXIS_TWO_THETA};

	if (options->file_axis != SONDE_DEBYE_FILE_AXIS_AUTO)
		return SONDE_OK;
	if (curve->axis == CURVE_AXIS_R || curve->axis == CURVE_AXIS_OTHER)
		return status_fail_file(SONDE_INVALID, path,
					"has a first column '%s', which is neither q nor a scattering angle; "
					"`file_axis` says what it is if the header is wrong",
					curve->axis_name);
	options->file_axis = of_header[curve->axis];
	return SONDE_OK;
}

/* The first column of the file of option `name`. */
static sonde_status take_column(const struct curve_file *curve, const char *name, const char *path,
				sonde_debye_options *options, struct debye_points *points)
{
	CHECK(settle_axis(curve, path, options));
	const bool angles = options->file_axis == SONDE_DEBYE_FILE_AXIS_TWO_THETA;
	const double unit = options->file_axis == SONDE_DEBYE_FILE_AXIS_Q_NM ? NANOMETER : 1.0,
		     largest = angles ? 180.0 : LARGEST_Q * unit, first = curve->x[0],
		     last = curve->x[curve->count - 1];

	if (!(first >= 0.0) || !(last <= largest))
		return status_fail_file(SONDE_INVALID, path, "%s = %.10g is outside the range from 0 to %g%s",
					angles ? "the angle" : "q", first < 0.0 ? first : last, largest,
					angles       ? " degrees"
					: unit > 1.0 ? " 1/nm"
						     : " 1/Angstrom");
	CHECK(allocate(points, curve->count, angles));
	for (int64_t k = 0; k < curve->count; ++k)
		(angles ? points->two_theta : points->q)[k] = curve->x[k] / unit;
	return angles ? convert_angles(options, name, points) : SONDE_OK;
}

static sonde_status make_list(sonde_debye_options *options, struct debye_points *points)
{
	struct curve_file curve;

	if (is_list_of_parts(options->q_list)) {
		option_drop_blanks(options->q_list);
		CHECK(make_parts(options, points));
		return points->q[0] >= 0.0 && points->q[points->count - 1] <= LARGEST_Q
			   ? SONDE_OK
			   : status_fail_option(SONDE_INVALID, "q_list", "q is not from 0 to %g 1/Angstrom",
						LARGEST_Q);
	}
	CHECK(curve_file_read(options->q_list, 1, &curve));
	const sonde_status status = take_column(&curve, "q_list", options->q_list, options, points);
	curve_file_free(&curve);
	return status;
}

/* All ------------------------------------------------------------------------------------------------------ */

static bool same_grid(const sonde_grid *a, const sonde_grid *b)
{
	return a->first == b->first && a->last == b->last && a->points == b->points;
}

static sonde_status make_grid(const sonde_debye_options *options, struct debye_points *points)
{
	CHECK(allocate(points, options->q.points, false));
	points->uniform = true;
	for (int64_t k = 0; k < points->count; ++k)
		points->q[k] = grid_value(&options->q, k);
	return SONDE_OK;
}

/* `q` becomes the range of the points that option `name` gives. */
static sonde_status replace_grid(const char *name, const sonde_grid *unset, const struct debye_points *points,
				 sonde_debye_options *options)
{
	if (!same_grid(&options->q, unset) && !same_grid(&options->q, &points->range))
		return status_fail_option(SONDE_INVALID, name,
					  "gives the scattering vectors, and so does `q`; leave one of them out");
	options->q = points->range;
	return SONDE_OK;
}

static sonde_status make_measured(sonde_debye_options *options, struct debye_points *points)
{
	const sonde_grid *range = &options->compare_range;
	struct curve_file *measured = &points->measured;

	CHECK(curve_file_read(options->compare, 2, measured));
	const double first = measured->x[0], last = measured->x[measured->count - 1];
	if (range->last > 0.0)
		curve_file_crop(range->first, range->last, measured);
	if (measured->count == 0)
		return status_fail_option(SONDE_INVALID, "compare_range",
					  "no point of the file, from %.6g to %.6g, is within %.6g to %.6g", first,
					  last, range->first, range->last);
	return take_column(&points->measured, "compare", options->compare, options, points);
}

/* Two options give the points. */
static sonde_status fail_twice(const char *name, bool list)
{
	return list ? status_fail_option(SONDE_INVALID, name,
					 "gives the points, and so does `q_list`; leave one of them out")
		    : status_fail_option(SONDE_INVALID, name,
					 "gives the points, and so does `two_theta`; leave one of them out");
}

static sonde_status make(const char **name, sonde_debye_options *options, struct debye_points *points)
{
	const bool angles = options->two_theta.last > 0.0, list = options->q_list[0] != '\0',
		   measured = options->compare[0] != '\0',
		   file = measured || (list && !is_list_of_parts(options->q_list));

	*name = measured ? "compare" : list ? "q_list" : angles ? "two_theta" : NULL;
	if (measured + list + angles > 1)
		return fail_twice(*name, measured && list);
	if (options->compare_range.last > 0.0 && !measured)
		return status_fail_option(SONDE_INVALID, "compare_range", "has no effect without `compare`");
	if (options->file_axis != SONDE_DEBYE_FILE_AXIS_AUTO && !file)
		return status_fail_option(SONDE_INVALID, "file_axis",
					  "has no effect without a file, by `q_list` or `compare`");
	return measured ? make_measured(options, points)
	       : list   ? make_list(options, points)
	       : angles ? make_angles(options, points)
			: make_grid(options, points);
}

sonde_status debye_points_make(const sonde_grid *unset, sonde_debye_options *options, struct debye_points *points)
{
	const char *name;

	*points = (struct debye_points){0};
	CHECK(make(&name, options, points));
	points->all = points->count;
	points->range = (sonde_grid){points->q[0], points->q[points->count - 1], points->count};
	return name != NULL ? replace_grid(name, unset, points, options) : SONDE_OK;
}

sonde_status debye_points_append(const sonde_grid *grid, struct debye_points *points)
{
	size_t capacity = (size_t)points->all;

	CHECK(memory_grow(&points->q, &capacity, (size_t)(points->all + grid->points), sizeof(double),
			  "the points of q"));
	for (int64_t k = 0; k < grid->points; ++k)
		points->q[points->all + k] = grid_value(grid, k);
	points->all += grid->points;
	points->uniform = false;
	return SONDE_OK;
}

void debye_points_free(struct debye_points *points)
{
	free(points->q);
	free(points->two_theta);
	curve_file_free(&points->measured);
	*points = (struct debye_points){0};
}
