/* A file of points, read in blocks of lines shared by threads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "coulomb/targets/targets.h"
#include "io/tables/columns.h"
#include "io/text/lines.h"

#define MOST_COLUMNS 32
#define LINES_AT_ONCE 8192
#define LINES_OF_THREAD 512 /* fewer are not worth a separate thread */

/* Lines in memory, and the points of lines that consist only of numbers and blanks. */
struct stretch {
	char *lines[LINES_AT_ONCE];
	double points[LINES_AT_ONCE][3];
	bool plain[LINES_AT_ONCE];
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* A row of at least three numbers between blanks, which the general reader would read as the same point; more
 * columns may follow, but no comment, separators or quotes. */
static bool parse_plain(const char *line, double point[3])
{
	for (int k = 0; k < 3; ++k) {
		while (is_blank(*line))
			++line;
		const char *start = line;
		while (*line != '\0' && !is_blank(*line))
			++line;
		if (!text_parse_real(start, line, &point[k]) || fabs(point[k]) > COULOMB_LARGEST_COORDINATE)
			return false;
	}
	return strpbrk(line, "#,;\"") == NULL;
}

static void parse_some(void *state, int64_t first, int64_t end, int worker)
{
	struct stretch *stretch = state;

	(void)worker;
	for (int64_t k = first; k < end; ++k)
		stretch->plain[k] = parse_plain(stretch->lines[k], stretch->points[k]);
}

/* One point per line; empty lines and comments are ignored. */
static sonde_status read_line(struct columns *columns, const struct line_reader *reader, char *line, double point[3],
			      bool *is_point)
{
	struct word words[MOST_COLUMNS];
	int count;

	CHECK(columns_split(columns, reader, line, words, MOST_COLUMNS, &count));
	*is_point = count > 0;
	for (int k = 0; *is_point && k < 3; ++k)
		if (k >= count || !text_parse_real(words[k].start, words[k].end, &point[k]) ||
		    fabs(point[k]) > COULOMB_LARGEST_COORDINATE)
			return line_fail(reader, "needs x y z in Angstrom, as numbers up to %g",
					 COULOMB_LARGEST_COORDINATE);
	return SONDE_OK;
}

static sonde_status read_stretches(struct line_reader *reader, int threads, struct stretch *stretch,
				   struct targets *targets)
{
	struct columns columns = {.needed = 3};
	size_t capacity = 0;
	int64_t count;

	for (;;) {
		CHECK(line_reader_next_lines(reader, stretch->lines, LINES_AT_ONCE, &count));
		if (count == 0)
			return SONDE_OK;
		const int64_t last = line_reader_number(reader);
		threads_for(threads, count, LINES_OF_THREAD, parse_some, stretch);
		CHECK(memory_grow(&targets->points, &capacity, 3 * (size_t)(targets->count + count), sizeof(double),
				  "the points"));
		for (int64_t k = 0; k < count; ++k) {
			bool is_point = true;
			line_reader_point_at(reader, last - count + 1 + k);
			if (!stretch->plain[k])
				CHECK(read_line(&columns, reader, stretch->lines[k], stretch->points[k], &is_point));
			if (is_point)
				memcpy(targets->points + 3 * targets->count++, stretch->points[k],
				       sizeof stretch->points[k]);
		}
	}
}

sonde_status targets_read(const char *path, int threads, struct targets *targets)
{
	struct stretch *stretch = NULL;
	struct line_reader *reader;

	CHECK(line_reader_open(&reader, path));
	sonde_status status = memory_allocate(&stretch, 1, sizeof *stretch, "the points");
	if (status == SONDE_OK)
		status = read_stretches(reader, threads, stretch, targets);
	if (status == SONDE_OK && targets->count == 0)
		status = status_fail_file(SONDE_INVALID, line_reader_path(reader), "has no points");
	free(stretch);
	line_reader_close(&reader);
	targets->size[0] = targets->count;
	targets->size[1] = targets->size[2] = 1;
	return status;
}
