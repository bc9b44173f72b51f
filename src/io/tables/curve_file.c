#include "io/tables/curve_file.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/tables/columns.h"

#define MOST_COLUMNS 64
#define NAME_SIZE 32
#define MARKS "#%!;'\"/* \t" /* before names of columns in a header */
#define SIGMA_COLUMNS 3
#define FOUR_COLUMNS 4
#define MARKED_LINES 1000 /* of a header that ends with a mark */
#define TABLE_LINES 100   /* of a table in it */
#define SAME_TIMES 1.01   /* ratio of the longest time per step to the shortest one */
#define SAME_RATIOS 1.1   /* of squares of standard deviations to counts, which are rounded */
#define MANY_COUNTS 100.0 /* at which rounding does not matter */
#define DEGREES_OF_RADIAN (180.0 / PI)

struct reading {
	struct line_reader *reader;
	struct curve_file *curve;
	int needed;
	size_t x_capacity, y_capacity, sigma_capacity, fourth_capacity;
	int64_t announced; /* number of points in the header; 0: not given */
	bool of_mantid;
	bool only_zeros; /* standard deviations so far */
	/* numbers of columns, from 0, if the header names the columns as PANalytical's does; `names` 0: it does not */
	int names, time, intensity, esd; /* esd -1: none */
	double *times;
	size_t times_capacity;
};

/* A word of a header in small letters; *line moves behind it. */
static void take_name(const char **line, char name[NAME_SIZE])
{
	size_t length = 0;

	*line += strspn(*line, MARKS);
	for (; **line != '\0' && strchr(" \t,;", **line) == NULL; ++*line)
		if (length + 1 < NAME_SIZE)
			name[length++] = (char)tolower((unsigned char)**line);
	name[length] = '\0';
}

static bool begins_with(const char *name, const char *const *starts)
{
	for (; *starts != NULL; ++starts)
		if (strncmp(name, *starts, strlen(*starts)) == 0)
			return true;
	return false;
}

/* Whether the unit after the name of q, "(1 / nm)" or "Space (inverse nm)", is that of a length in nm; `rest` begins behind the name. */
static bool is_of_nm(const char *name, const char *rest)
{
	size_t length = 0;
	char text[NAME_SIZE];

	if (strstr(name, "nm") != NULL || strstr(name, "nano") != NULL)
		return true;
	/* the next name is behind a separator, two spaces, or the bracket's end */
	while (rest[length] != '\0' && strchr("\t,;)]", rest[length]) == NULL &&
	       (length == 0 || strncmp(rest + length, "  ", 2) != 0) && length + 1 < sizeof text) {
		text[length] = (char)tolower((unsigned char)rest[length]);
		++length;
	}
	text[length] = '\0';
	const char *bracket = strpbrk(text, "([1/");
	return (bracket != NULL && strstr(bracket, "nm") != NULL) || strstr(text, "nano") != NULL;
}

/* The first column by the names that programs give it: two_theta of Sonde, 2th_deg and q_nm^-1 of pyFAI, "2-Theta Angle (Degrees)" and
 * "Radial Distance (mm)" of Fit2D, r($\AA$) of PDFgetX3; the unit may be in the next words. */
static enum curve_axis axis_of_names(const char *line, char name[NAME_SIZE])
{
	static const char *const angles[] = {"2theta", "2-theta", "two_theta", "two-theta", "twotheta",  "2th",
					     "tth",    "ttheta",  "angle(",    "2\xce\xb8", "2\xce\x98", NULL},
				 *const others[] = {"r_mm", "r_m", "logq", "log(q", "d*2", "d-spacing", NULL};
	char next[NAME_SIZE];

	/* SPEC's mark of a line of names, which diffpy uses */
	line += strncmp(line, "#L ", 3) == 0 ? 3 : 0;
	take_name(&line, name);
	const char *rest = line;
	take_name(&rest, next);
	if (begins_with(name, others) || (strcmp(name, "radial") == 0 && strcmp(next, "distance") == 0))
		return CURVE_AXIS_OTHER;
	/* "angle", and not a sentence that begins with it */
	if (begins_with(name, angles) || (strcmp(name, "angle") == 0 && line[0] != '\0' && line[0] != ' '))
		return CURVE_AXIS_TWO_THETA;
	if (name[0] == 'r' && (name[1] == '(' || name[1] == '[' || (name[1] == '\0' && next[0] == 'g')))
		return CURVE_AXIS_R;
	if (name[0] != 'q' || isalnum((unsigned char)name[1]))
		return CURVE_AXIS_UNKNOWN;
	return is_of_nm(name, line) ? CURVE_AXIS_Q_NM : CURVE_AXIS_Q;
}

/* "X , Y , E": the line before Mantid's numbers of spectra. */
static bool is_of_mantid(const char *line)
{
	char name[2][NAME_SIZE];

	take_name(&line, name[0]);
	line += strspn(line, " \t,");
	take_name(&line, name[1]);
	return strcmp(name[0], "x") == 0 && strcmp(name[1], "y") == 0;
}

/* "Angle,TimePerStep,Intensity,ESD" of PANalytical, the last of which may be missing: the second column is not the curve. */
static void read_panalytical(const char *line, struct reading *reading)
{
	int count = 0, time = -1, intensity = -1, esd = -1;
	char name[NAME_SIZE];

	for (line += strspn(line, MARKS); *line != '\0'; ++count) {
		take_name(&line, name);
		time = strncmp(name, "timeperstep", strlen("timeperstep")) == 0 ? count : time;
		intensity = strncmp(name, "intensity", strlen("intensity")) == 0 ? count : intensity;
		esd = strncmp(name, "esd", strlen("esd")) == 0 ? count : esd;
		line += strspn(line, ",;\t ");
	}
	if (time > 0 && intensity > 0) {
		reading->names = count;
		reading->time = time;
		reading->intensity = intensity;
		reading->esd = esd;
	}
}

/* The last line of the header that names a column decides. */
static void read_header(const char *line, struct reading *reading)
{
	struct curve_file *curve = reading->curve;
	char name[NAME_SIZE];
	const enum curve_axis axis = axis_of_names(line, name);

	reading->of_mantid = reading->of_mantid || is_of_mantid(line);
	if (axis == CURVE_AXIS_UNKNOWN)
		return;
	read_panalytical(line, reading);
	curve->axis = axis;
	snprintf(curve->axis_name, sizeof curve->axis_name, "%s", name);
}

/* Number of points in a row of its own, as Fit2D writes it before the rows of a curve. */
static bool begins_after_number(struct reading *reading, int count)
{
	struct curve_file *curve = reading->curve;

	if (curve->count != 1 || curve->columns != 1 || count == 1 || !(curve->x[0] >= 1.0) ||
	    curve->x[0] > CURVE_FILE_POINTS || curve->x[0] != floor(curve->x[0]))
		return false;
	reading->announced = reading->of_mantid ? 0 : (int64_t)curve->x[0];
	curve->count = 0;
	return true;
}

static sonde_status check_columns(struct reading *reading, int count)
{
	struct curve_file *curve = reading->curve;

	if (curve->count == 0 || begins_after_number(reading, count))
		curve->columns = count;
	if (count != curve->columns)
		return line_fail(reading->reader, "has %d column%s, the rows before it have %d", count,
				 count == 1 ? "" : "s", curve->columns);
	return curve->count < CURVE_FILE_POINTS
		   ? SONDE_OK
		   : line_fail(reading->reader, "has more than %d rows", CURVE_FILE_POINTS);
}

static sonde_status add_number(struct reading *reading, const struct word *word, const char *what, double **values,
			       size_t *capacity)
{
	const size_t here = (size_t)reading->curve->count;

	CHECK(memory_grow(values, capacity, here + 1, sizeof **values, "a curve"));
	return word_real(reading->reader, word, what, &(*values)[here]);
}

/* Zeros are accepted as long as there is nothing else: they are not known then. */
static sonde_status check_sigma(struct reading *reading, int64_t row, double sigma)
{
	const bool zero = sigma == 0.0;

	if (row == 0)
		reading->only_zeros = zero;
	if (sigma > 0.0 && reading->only_zeros)
		return line_fail(reading->reader,
				 "a standard deviation of %g, and those of all rows before are 0: either all or "
				 "none are above 0",
				 sigma);
	return sigma > 0.0 || (zero && reading->only_zeros)
		   ? SONDE_OK
		   : line_fail(reading->reader, "a standard deviation of %g is not above 0", sigma);
}

/* What follows the angle in a row. */
static sonde_status add_panalytical(struct reading *reading, const struct word *words, int count)
{
	struct curve_file *curve = reading->curve;
	const int64_t here = curve->count;

	if (count < reading->names)
		return line_fail(reading->reader, "has %d columns, and the header names %d", count, reading->names);
	CHECK(add_number(reading, &words[reading->time], "time per step", &reading->times, &reading->times_capacity));
	if (!(reading->times[here] > 0.0))
		return line_fail(reading->reader, "a time per step of %g is not above 0", reading->times[here]);
	CHECK(add_number(reading, &words[reading->intensity], "intensity", &curve->y, &reading->y_capacity));
	if (reading->esd > 0) {
		CHECK(add_number(reading, &words[reading->esd], "standard deviation", &curve->sigma,
				 &reading->sigma_capacity));
		CHECK(check_sigma(reading, here, curve->sigma[here]));
	}
	++curve->count;
	return SONDE_OK;
}

static sonde_status add_row(struct reading *reading, const struct word *words, int count)
{
	struct curve_file *curve = reading->curve;

	CHECK(check_columns(reading, count));
	const int64_t here = curve->count;
	CHECK(add_number(reading, &words[0], "x", &curve->x, &reading->x_capacity));
	if (here > 0 && curve->x[here] == curve->x[here - 1])
		return line_fail(reading->reader, "x = %.10g is given twice", curve->x[here]);
	if (here > 0 && curve->x[here] < curve->x[here - 1])
		return line_fail(reading->reader, "x = %.10g follows %.10g: rows must be sorted by increasing x",
				 curve->x[here], curve->x[here - 1]);
	if (reading->names > 0)
		return add_panalytical(reading, words, count);
	if (count > 1)
		CHECK(add_number(reading, &words[1], "y", &curve->y, &reading->y_capacity));
	/* the fourth one of Mantid is an error of x */
	const bool has_sigma = count == SIGMA_COLUMNS || (count == FOUR_COLUMNS && reading->of_mantid);
	if (has_sigma) {
		CHECK(add_number(reading, &words[2], "standard deviation", &curve->sigma, &reading->sigma_capacity));
		CHECK(check_sigma(reading, here, curve->sigma[here]));
	}
	if (count == FOUR_COLUMNS && !has_sigma)
		CHECK(add_number(reading, &words[FOUR_COLUMNS - 1], "number", &curve->fourth,
				 &reading->fourth_capacity));
	++curve->count;
	return SONDE_OK;
}

/* A row that does not begin with a number, as "2-Theta Angle (Degrees)"; a number that is not finite is an error. */
static bool is_header(const struct word *word)
{
	double number;

	return !text_parse_real(word->start, word->end, &number) && strncasecmp(word->start, "nan", 3) != 0 &&
	       strncasecmp(word->start, "inf", 3) != 0;
}

/* The first line, as "20240131 sample.tif": a name that begins with a number. */
static bool is_title(const struct reading *reading, const struct word *words, int count)
{
	return line_reader_number(reading->reader) == 1 && count > 1 && is_header(&words[1]);
}

static sonde_status read_line(struct reading *reading, char *line)
{
	struct columns columns = {.needed = reading->needed,
				  .names = reading->names > 0 ? reading->names : reading->curve->count > 0};
	struct word words[MOST_COLUMNS + 1];
	int count;

	if (reading->curve->count == 0)
		read_header(line, reading);
	const bool comment = reading->curve->count == 0 && line[strspn(line, " \t")] == '#';
	reading->curve->header_lines += comment;
	CHECK(columns_split(&columns, reading->reader, line, words, MOST_COLUMNS + 1, &count));
	if (count == 0)
		return SONDE_OK;
	if (count > MOST_COLUMNS)
		return line_fail(reading->reader, "has more than %d columns", MOST_COLUMNS);
	if (reading->curve->count == 0 && (is_header(&words[0]) || is_title(reading, words, count))) {
		++reading->curve->header_lines;
		return SONDE_OK;
	}
	return add_row(reading, words, count);
}

/* Counts in different times become counts in the mean time. They are counts if the squares of their standard deviations are
 * proportional to them; otherwise they are rates already. */
static sonde_status level_times(const struct reading *reading, const char *path)
{
	struct curve_file *curve = reading->curve;
	const double *times = reading->times;
	double mean = 0.0, longest = 0.0, shortest = INFINITY, least = INFINITY, most = 0.0;

	for (int64_t k = 0; k < curve->count; ++k) {
		mean += times[k] / (double)curve->count;
		longest = fmax(longest, times[k]);
		shortest = fmin(shortest, times[k]);
	}
	if (longest <= SAME_TIMES * shortest)
		return SONDE_OK;
	if (curve->sigma == NULL)
		return status_fail_file(SONDE_INVALID, path,
					"has a TimePerStep from %g to %g and no column ESD: it is not known whether "
					"the column Intensity has counts or counts per time",
					shortest, longest);
	for (int64_t k = 0; k < curve->count; ++k)
		if (curve->y[k] >= MANY_COUNTS) {
			const double ratio = curve->sigma[k] * curve->sigma[k] / curve->y[k];
			least = fmin(least, ratio);
			most = fmax(most, ratio);
		}
	for (int64_t k = 0; most <= SAME_RATIOS * least && k < curve->count; ++k) {
		curve->y[k] *= mean / times[k];
		curve->sigma[k] *= mean / times[k];
	}
	return SONDE_OK;
}

static sonde_status check_whole(const struct reading *reading, const char *path)
{
	struct curve_file *curve = reading->curve;

	if (reading->only_zeros) {
		free(curve->sigma);
		curve->sigma = NULL;
	}
	const bool radians = curve->axis == CURVE_AXIS_TWO_THETA && strstr(curve->axis_name, "rad") != NULL;
	for (int64_t k = 0; radians && k < curve->count; ++k)
		curve->x[k] *= DEGREES_OF_RADIAN;

	if (curve->count == 0)
		return status_fail_file(SONDE_INVALID, path, "has no rows of numbers");
	if (curve->columns < reading->needed)
		return status_fail_file(SONDE_INVALID, path,
					"has a single column of numbers; a curve has two or three");
	if (reading->names > 0)
		CHECK(level_times(reading, path));
	if (reading->announced > 0 && reading->announced != curve->count)
		return status_fail_file(SONDE_INVALID, path, "has %lld rows, and %lld according to its header",
					(long long)curve->count, (long long)reading->announced);
	return SONDE_OK;
}

/* "##### start data" of PDFgetX2, PDFgetX3, and PDFgui, whose headers have rows of numbers, too. */
static bool starts_data(const char *line)
{
	const char *after = line + strspn(line, "# \t");

	return line[0] == '#' && strncasecmp(after, "start data", strlen("start data")) == 0;
}

/* The number of the line after which the rows are; 0: not marked. Tables of headers are short. */
static sonde_status find_start(const char *path, int64_t *start)
{
	struct line_reader *reader;
	char *line;
	sonde_status status;
	int numbers = 0; /* lines that begin with one, without others between */

	*start = 0;
	CHECK(line_reader_open(&reader, path));
	do {
		status = line_reader_next(reader, &line);
		if (status != SONDE_OK || line == NULL)
			break;
		const char *first = line + strspn(line, " \t");
		numbers = *first != '\0' && strchr("0123456789+-.", *first) != NULL ? numbers + 1 : 0;
		if (starts_data(line))
			*start = line_reader_number(reader);
	} while (*start == 0 && numbers < TABLE_LINES && line_reader_number(reader) < MARKED_LINES);
	line_reader_close(&reader);
	return status;
}

static sonde_status read_lines(struct reading *reading, const char *path)
{
	int64_t start;
	char *line;
	sonde_status status;

	CHECK(find_start(path, &start));
	CHECK(line_reader_open(&reading->reader, path));
	do {
		status = line_reader_next(reading->reader, &line);
		if (status != SONDE_OK || line == NULL)
			break;
		if (line_reader_number(reading->reader) > start)
			status = read_line(reading, line);
		else
			++reading->curve->header_lines;
	} while (status == SONDE_OK && line != NULL);
	line_reader_close(&reading->reader);
	CHECK(status);
	return check_whole(reading, path);
}

sonde_status curve_file_read(const char *path, int needed, struct curve_file *curve)
{
	struct reading reading = {.curve = curve, .needed = needed};

	*curve = (struct curve_file){0};
	const sonde_status status = read_lines(&reading, path);
	free(reading.times);
	if (status != SONDE_OK)
		curve_file_free(curve);
	return status;
}

void curve_file_crop(double first, double last, struct curve_file *curve)
{
	double *const arrays[] = {curve->x, curve->y, curve->sigma, curve->fourth};
	int64_t begin = 0, end = curve->count;

	while (begin < end && curve->x[begin] < first)
		++begin;
	while (end > begin && curve->x[end - 1] > last)
		--end;
	curve->count = end - begin;
	for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
		if (arrays[k] != NULL)
			memmove(arrays[k], arrays[k] + begin, (size_t)curve->count * sizeof(double));
}

void curve_file_free(struct curve_file *curve)
{
	free(curve->x);
	free(curve->y);
	free(curve->sigma);
	free(curve->fourth);
	*curve = (struct curve_file){0};
}
