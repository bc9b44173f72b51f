#include "matter/generate/ensemble.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/text/lines.h"
#include "io/text/words.h"
#include "run/context.h"

#define MOST_COLUMNS 9

void ensemble_free(struct ensemble *ensemble)
{
	free(ensemble->placements);
	free(ensemble->structure_of);
	*ensemble = (struct ensemble){0};
}

/* Rotations --------------------------------------------------------------------------------- */

void rotation_multiply(const double a[3][3], const double b[3][3], double product[3][3])
{
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			product[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

static void rotation_about_z(double degrees, double rotation[3][3])
{
	const double c = cos(degrees * (PI / 180.0)), s = sin(degrees * (PI / 180.0));
	const double matrix[3][3] = {{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}};

	memcpy(rotation, matrix, sizeof matrix);
}

void rotation_of_euler_angles(const double degrees[3], double rotation[3][3])
{
	const double c = cos(degrees[1] * (PI / 180.0)), s = sin(degrees[1] * (PI / 180.0));
	const double about_x[3][3] = {{1.0, 0.0, 0.0}, {0.0, c, -s}, {0.0, s, c}};
	double first[3][3], last[3][3], both[3][3];

	rotation_about_z(degrees[2], first);
	rotation_about_z(degrees[0], last);
	rotation_multiply(about_x, (const double(*)[3])first, both);
	rotation_multiply((const double(*)[3])last, (const double(*)[3])both, rotation);
}

sonde_status rotation_of_quaternion(const double quaternion[4], double rotation[3][3])
{
	double norm = 0.0, largest = 0.0, q[4];

	for (int k = 0; k < 4; ++k)
		largest = fmax(largest, fabs(quaternion[k]));
	for (int k = 0; k < 4; ++k) {
		q[k] = quaternion[k] / largest;
		norm += q[k] * q[k];
	}
	/* neither 0 nor infinite, and no NaN among them */
	if (!(norm >= 1.0))
		return status_fail(SONDE_INVALID,
				   "the quaternion %g %g %g %g has no direction: its length must be above 0",
				   quaternion[0], quaternion[1], quaternion[2], quaternion[3]);
	for (int k = 0; k < 4; ++k)
		q[k] /= sqrt(norm);
	const double w = q[0], x = q[1], y = q[2], z = q[3];
	const double matrix[3][3] = {{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)},
				     {2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)},
				     {2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)}};
	memcpy(rotation, matrix, sizeof matrix);
	return SONDE_OK;
}

void rotation_of_uniforms(const double uniform[3], double rotation[3][3])
{
	const double a = sqrt(1.0 - uniform[0]), b = sqrt(uniform[0]), s = 2.0 * PI * uniform[1],
		     t = 2.0 * PI * uniform[2];
	const double quaternion[4] = {b * cos(t), a * sin(s), a * cos(s), b * sin(t)};

	(void)rotation_of_quaternion(quaternion, rotation); /* of length 1 */
}

static const double unturned[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

/* Places ------------------------------------------------------------------------------------ */

sonde_status ensemble_begin(int64_t count, struct ensemble *ensemble)
{
	*ensemble = (struct ensemble){0};
	if (count < 1 || count > ENSEMBLE_MOST_COPIES)
		return status_fail(SONDE_INVALID, "%lld copies: must be 1 to %lld", (long long)count,
				   (long long)ENSEMBLE_MOST_COPIES);
	CHECK(memory_allocate(&ensemble->placements, (size_t)count, sizeof *ensemble->placements,
			      "the places of the copies"));
	ensemble->count = count;
	for (int64_t n = 0; n < count; ++n)
		memcpy(ensemble->placements[n].rotation, unturned, sizeof unturned);
	return SONDE_OK;
}

/* Position, and Euler angles or quaternion, if the line has them. */
static sonde_status read_placement(const struct line_reader *reader, const struct word *words, int columns,
				   struct placement *placement)
{
	static const char *const names[2][7] = {{"x", "y", "z", "phi", "theta", "psi"},
						{"x", "y", "z", "w", "x", "y", "z"}};
	double numbers[7] = {0.0};

	for (int k = 0; k < columns; ++k) {
		CHECK(word_real(reader, &words[k], names[columns == 7][k], &numbers[k]));
		if (k < 3 && !(fabs(numbers[k]) <= ENSEMBLE_LARGEST_PLACE))
			return line_fail(reader, "%s = %g is not within +-%g Angstrom", names[0][k], numbers[k],
					 ENSEMBLE_LARGEST_PLACE);
		if (k >= 3 && !isfinite(numbers[k]))
			return line_fail(reader, "%s = %g is not a number", names[columns == 7][k], numbers[k]);
	}
	memcpy(placement->position, numbers, sizeof placement->position);
	memcpy(placement->rotation, unturned, sizeof unturned);
	if (columns == 6)
		rotation_of_euler_angles(numbers + 3, placement->rotation);
	if (columns == 7 && rotation_of_quaternion(numbers + 3, placement->rotation) != SONDE_OK)
		return line_fail(reader, "the quaternion has no direction: its length must be above 0");
	return SONDE_OK;
}

/* The file of places. */
struct places {
	int structures; /* 0: lines do not begin with one */
	int columns;    /* of the lines, without that of the structure; 0: not known yet */
	size_t capacity, structure_capacity;
};

static sonde_status read_structure(const struct line_reader *reader, const struct word *word, int structures,
				   int32_t *structure)
{
	int64_t number;

	if (!text_parse_integer(word->start, word->end, &number) || number < 1 || number > structures)
		return line_fail(reader, "'%.*s' is not the number of a structure, 1 to %d",
				 (int)(word->end - word->start > 32 ? 32 : word->end - word->start), word->start,
				 structures);
	*structure = (int32_t)number - 1;
	return SONDE_OK;
}

static sonde_status read_line(const struct line_reader *reader, const char *line, struct places *places,
			      struct ensemble *ensemble)
{
	struct word words[MOST_COLUMNS];
	const int first = places->structures > 0, all = words_split(line, words, MOST_COLUMNS), count = all - first;

	if (all == 0 || *words[0].start == '#')
		return SONDE_OK;
	if (count != 3 && count != 6 && count != 7)
		return line_fail(
		    reader,
		    "%d columns; a place has %sx y z, or %sx y z phi theta psi (Euler angles), or %sx y z w x y z "
		    "(a quaternion)",
		    all, first ? "structure " : "", first ? "structure " : "", first ? "structure " : "");
	if (places->columns != 0 && count != places->columns)
		return line_fail(reader, "%d columns, but %d before; all places must have the same", all,
				 places->columns + first);
	places->columns = count;
	if (ensemble->count == ENSEMBLE_MOST_COPIES)
		return line_fail(reader, "more than %lld places", (long long)ENSEMBLE_MOST_COPIES);
	CHECK(memory_grow(&ensemble->placements, &places->capacity, (size_t)ensemble->count + 1,
			  sizeof *ensemble->placements, "the places of the copies"));
	if (first) {
		CHECK(memory_grow(&ensemble->structure_of, &places->structure_capacity, (size_t)ensemble->count + 1,
				  sizeof *ensemble->structure_of, "the places of the copies"));
		CHECK(
		    read_structure(reader, &words[0], places->structures, &ensemble->structure_of[ensemble->count]));
	}
	CHECK(read_placement(reader, words + first, count, &ensemble->placements[ensemble->count]));
	++ensemble->count;
	return SONDE_OK;
}

sonde_status ensemble_read_mixture(sonde_context *context, const char *path, int structures,
				   struct ensemble *ensemble)
{
	struct line_reader *reader;
	struct places places = {.structures = structures};
	sonde_status status;
	char *line;

	*ensemble = (struct ensemble){0};
	CHECK(line_reader_open(&reader, path));
	for (;;) {
		CHECK_GOTO(status, line_reader_next(reader, &line), done);
		if (line == NULL)
			break;
		CHECK_GOTO(status, read_line(reader, line, &places, ensemble), done);
		if (ensemble->count % 65536 == 65535 && context_cancelled(context)) {
			status = status_fail(SONDE_CANCELLED, "stopped on request while reading %s", path);
			goto done;
		}
	}
	if (ensemble->count == 0)
		status = status_fail_file(SONDE_INVALID, path, "no place of a copy: lines of x y z are expected");
done:
	line_reader_close(&reader);
	if (status != SONDE_OK)
		ensemble_free(ensemble);
	return status;
}

sonde_status ensemble_read(sonde_context *context, const char *path, struct ensemble *ensemble)
{
	return ensemble_read_mixture(context, path, 0, ensemble);
}

sonde_status ensemble_grid(int64_t count, double spacing, struct ensemble *ensemble)
{
	int64_t rows = 1;

	CHECK(ensemble_begin(count, ensemble));
	while (rows * rows * rows < count)
		++rows;
	for (int64_t n = 0; n < count; ++n) {
		const int64_t place[3] = {n / (rows * rows), n / rows % rows, n % rows};
		for (int k = 0; k < 3; ++k)
			ensemble->placements[n].position[k] = spacing * ((double)place[k] - 0.5 * (double)(rows - 1));
	}
	for (int k = 0; k < 3; ++k)
		ensemble->edges[k] = spacing * (double)rows;
	return SONDE_OK;
}
