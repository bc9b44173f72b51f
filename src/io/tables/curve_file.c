#include "io/tables/curve_file.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/text.h"
#include "io/tables/columns.h"

#define MOST_COLUMNS 64
#define NAME_SIZE 32
#define MARKS "#%!;'\"/* \t" /* before names of columns in a header */
#define SIGMA_COLUMNS 3
#define FOUR_COLUMNS 4

struct reading {
	struct line_reader *reader;
	struct curve_file *curve;
	int needed;
	size_t x_capacity, y_capacity, sigma_capacity, fourth_capacity;
	int64_t announced; /* number of points in the header; 0: not given */
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

/* The first column by the names that programs give it: two_theta of Sonde, 2th_deg and q_nm^-1 of pyFAI, "2-Theta Angle
 * (Degrees)" of Fit2D; the unit of q may be the next word. */
static enum curve_axis axis_of_names(const char *line)
{
	static const char *const angles[] = {"2theta", "2-theta", "two_theta", "two-theta",  "twotheta",
					     "2th",    "tth",     "2th_deg",   "2theta_deg", "ttheta"};
	char name[NAME_SIZE], unit[NAME_SIZE];

	/* SPEC's mark of a line of names, which diffpy uses */
	line += strncmp(line, "#L ", 3) == 0 ? 3 : 0;
	take_name(&line, name);
	take_name(&line, unit);
	for (size_t k = 0; k < sizeof angles / sizeof *angles; ++k)
		if (strncmp(name, angles[k], strlen(angles[k])) == 0 && strstr(name, "rad") == NULL)
			return CURVE_AXIS_TWO_THETA;
	if (name[0] != 'q' || isalnum((unsigned char)name[1]))
		return CURVE_AXIS_UNKNOWN;
	if (strstr(name, "nm") != NULL ||
	    (unit[0] != '\0' && strchr("[(1", unit[0]) != NULL && strstr(unit, "nm") != NULL))
		return CURVE_AXIS_Q_NM;
	return CURVE_AXIS_Q;
}

/* The last line of the header that names a column decides. */
static void read_header(const char *line, struct curve_file *curve)
{
	const enum curve_axis axis = axis_of_names(line);

	if (axis != CURVE_AXIS_UNKNOWN)
		curve->axis = axis;
}

/* Number of points in a row of its own, as Fit2D writes it before the rows of a curve. */
static bool begins_after_number(struct reading *reading, int count)
{
	struct curve_file *curve = reading->curve;

	if (curve->count != 1 || curve->columns != 1 || count == 1 || !(curve->x[0] >= 1.0) ||
	    curve->x[0] > CURVE_FILE_POINTS || curve->x[0] != floor(curve->x[0]))
		return false;
	reading->announced = (int64_t)curve->x[0];
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
	if (count > 1)
		CHECK(add_number(reading, &words[1], "y", &curve->y, &reading->y_capacity));
	if (count == SIGMA_COLUMNS) {
		CHECK(add_number(reading, &words[2], "standard deviation", &curve->sigma, &reading->sigma_capacity));
		if (!(curve->sigma[here] > 0.0))
			return line_fail(reading->reader, "a standard deviation of %g is not above 0",
					 curve->sigma[here]);
	}
	if (count == FOUR_COLUMNS)
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

static sonde_status read_line(struct reading *reading, char *line)
{
	struct columns columns = {.needed = reading->needed, .names = reading->curve->count > 0};
	struct word words[MOST_COLUMNS + 1];
	int count;

	if (reading->curve->count == 0)
		read_header(line, reading->curve);
	CHECK(columns_split(&columns, reading->reader, line, words, MOST_COLUMNS + 1, &count));
	if (count == 0)
		return SONDE_OK;
	if (count > MOST_COLUMNS)
		return line_fail(reading->reader, "has more than %d columns", MOST_COLUMNS);
	if (reading->curve->count == 0 && is_header(&words[0]))
		return SONDE_OK;
	return add_row(reading, words, count);
}

static sonde_status check_whole(const struct reading *reading, const char *path)
{
	const struct curve_file *curve = reading->curve;

	if (curve->count == 0)
		return status_fail_file(SONDE_INVALID, path, "has no rows of numbers");
	if (curve->columns < reading->needed)
		return status_fail_file(SONDE_INVALID, path,
					"has a single column of numbers; a curve has two or three");
	if (reading->announced > 0 && reading->announced != curve->count)
		return status_fail_file(SONDE_INVALID, path, "has %lld rows, and %lld according to its header",
					(long long)curve->count, (long long)reading->announced);
	return SONDE_OK;
}

static sonde_status read_lines(struct reading *reading, const char *path)
{
	char *line;
	sonde_status status;

	CHECK(line_reader_open(&reading->reader, path));
	do {
		status = line_reader_next(reading->reader, &line);
		if (status == SONDE_OK && line != NULL)
			status = read_line(reading, line);
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
