#include "matter/scattering/form_factors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/tables/columns.h"
#include "matter/scattering/form_factor_curve.h"
#include "matter/elements/label.h"

#define MOST_WORDS 256 /* of a row */
#define MOST_GAUSSIANS 5
#define LABEL_SIZE 16
#define LARGEST 1e6 /* of f and its coefficients */

/* A label with its coefficients, or its column of the table. */
struct entry {
	char label[LABEL_SIZE];
	struct scatterer scatterer;
	struct form_factor_curve curve;
};

struct form_factors {
	char *path;
	struct entry *entries;
	size_t count, capacity;
	double *q, *f; /* of a table: [points], [points][count] */
	size_t points, q_capacity, f_capacity;
	bool has_table;
	struct columns columns;
};

static sonde_status add_entry(const struct line_reader *reader, const struct word *word, struct form_factors *factors)
{
	const size_t length = (size_t)(word->end - word->start);
	struct entry entry = {0};

	if (length == 0 || length >= sizeof entry.label)
		return line_fail(reader, "a label has 1 to %d characters", LABEL_SIZE - 1);
	memcpy(entry.label, word->start, length);
	for (size_t e = 0; e < factors->count; ++e)
		if (strcmp(factors->entries[e].label, entry.label) == 0)
			return line_fail(reader, "%s is given twice", entry.label);
	CHECK(
	    memory_grow(&factors->entries, &factors->capacity, factors->count + 1, sizeof entry, "the form factors"));
	factors->entries[factors->count++] = entry;
	return SONDE_OK;
}

static sonde_status read_names(const struct line_reader *reader, const struct word *words, int count,
			       struct form_factors *factors)
{
	if (count < 2 || !(word_is(&words[0], "q") || word_is(&words[0], "label")))
		return line_fail(reader, "the first row names the columns: 'q LABEL ...' of a table, or 'label a1 b1 "
					 "... c' of coefficients");
	factors->has_table = word_is(&words[0], "q");
	factors->columns.names = count;
	for (int k = 1; factors->has_table && k < count; ++k)
		CHECK(add_entry(reader, &words[k], factors));
	return SONDE_OK;
}

static sonde_status read_number(const struct line_reader *reader, const struct word *word, const char *what,
				double *value)
{
	CHECK(word_real(reader, word, what, value));
	if (fabs(*value) > LARGEST)
		return line_fail(reader, "%s = %g is out of range: at most %g", what, *value, LARGEST);
	return SONDE_OK;
}

static sonde_status read_point(const struct line_reader *reader, const struct word *words, int count,
			       struct form_factors *factors)
{
	double *row;

	if (count != factors->columns.names)
		return line_fail(reader, "has %d columns, the row of names has %d", count, factors->columns.names);
	CHECK(
	    memory_grow(&factors->q, &factors->q_capacity, factors->points + 1, sizeof(double), "the form factors"));
	CHECK(memory_grow(&factors->f, &factors->f_capacity, (factors->points + 1) * factors->count, sizeof(double),
			  "the form factors"));
	CHECK(read_number(reader, &words[0], "q", &factors->q[factors->points]));
	if (factors->q[factors->points] < 0.0)
		return line_fail(reader, "q is negative");
	if (factors->points > 0 && !(factors->q[factors->points] > factors->q[factors->points - 1]))
		return line_fail(reader, "q must increase from row to row");
	row = factors->f + factors->points * factors->count;
	for (size_t e = 0; e < factors->count; ++e)
		CHECK(read_number(reader, &words[e + 1], factors->entries[e].label, &row[e]));
	++factors->points;
	return SONDE_OK;
}

/* Rows may have different numbers of Gaussians. */
static sonde_status read_coefficients(const struct line_reader *reader, const struct word *words, int count,
				      struct form_factors *factors)
{
	struct scatterer *scatterer;

	if (count < 2 || count % 2 != 0 || count / 2 - 1 > MOST_GAUSSIANS)
		return line_fail(reader, "has %d numbers: needed are pairs a, b of up to %d Gaussians, and c",
				 count - 1, MOST_GAUSSIANS);
	CHECK(add_entry(reader, &words[0], factors));
	scatterer = &factors->entries[factors->count - 1].scatterer;
	for (int i = 0; i < count / 2 - 1; ++i) {
		CHECK(read_number(reader, &words[1 + 2 * i], "a", &scatterer->a[i]));
		CHECK(read_number(reader, &words[2 + 2 * i], "b", &scatterer->b[i]));
		if (scatterer->b[i] < 0.0)
			return line_fail(reader, "b = %g is negative: f would grow with q", scatterer->b[i]);
	}
	return read_number(reader, &words[count - 1], "c", &scatterer->c);
}

static sonde_status read_row(const struct line_reader *reader, char *line, struct form_factors *factors)
{
	struct word words[MOST_WORDS];
	const bool named = factors->columns.names > 0;
	int count;

	CHECK(columns_split(&factors->columns, reader, line, words, MOST_WORDS, &count));
	if (count == 0)
		return SONDE_OK;
	if (count == MOST_WORDS)
		return line_fail(reader, "has too many columns: at most %d", MOST_WORDS - 1);
	if (!named)
		return read_names(reader, words, count, factors);
	return factors->has_table ? read_point(reader, words, count, factors)
				  : read_coefficients(reader, words, count, factors);
}

static sonde_status read_rows(const char *path, struct form_factors *factors)
{
	struct line_reader *reader;
	char *line;
	sonde_status status;

	CHECK(line_reader_open(&reader, path));
	do {
		status = line_reader_next(reader, &line);
		if (status == SONDE_OK && line != NULL)
			status = read_row(reader, line, factors);
	} while (status == SONDE_OK && line != NULL);
	line_reader_close(&reader);
	CHECK(status);
	if (factors->count == 0 || (factors->has_table && factors->points == 0))
		return status_fail_file(SONDE_INVALID, path, "has no form factors below its names of columns");
	return SONDE_OK;
}

/* The arrays no longer move. */
static void connect_curves(struct form_factors *factors)
{
	for (size_t e = 0; factors->has_table && e < factors->count; ++e) {
		struct entry *entry = &factors->entries[e];
		entry->curve =
		    (struct form_factor_curve){factors->q, factors->f + e, factors->points, factors->count};
		entry->scatterer.form = SCATTERER_CURVE;
		entry->scatterer.curve = &entry->curve;
	}
	for (size_t e = 0; e < factors->count; ++e) {
		struct label label = {0};
		if (label_parse(factors->entries[e].label, &label) == SONDE_OK)
			factors->entries[e].scatterer.atomic_number = label.atomic_number;
	}
}

sonde_status form_factors_read(const char *path, struct form_factors **factors)
{
	sonde_status status;

	CHECK(memory_allocate(factors, 1, sizeof **factors, "the form factors"));
	status = memory_copy_text(path, &(*factors)->path, "the form factors");
	if (status == SONDE_OK)
		status = read_rows(path, *factors);
	if (status == SONDE_OK)
		connect_curves(*factors);
	else
		form_factors_free(factors);
	return status;
}

void form_factors_free(struct form_factors **factors)
{
	if (*factors == NULL)
		return;
	free((*factors)->path);
	free((*factors)->entries);
	free((*factors)->q);
	free((*factors)->f);
	free(*factors);
	*factors = NULL;
}

sonde_status form_factors_find(const struct form_factors *factors, const char *label, double q_first, double q_last,
			       struct scatterer *scatterer, bool *found)
{
	const double *q = factors->q;

	*found = false;
	for (size_t e = 0; e < factors->count && !*found; ++e) {
		*found = strcmp(factors->entries[e].label, label) == 0;
		if (*found)
			*scatterer = factors->entries[e].scatterer;
	}
	if (*found && factors->has_table && !(q_first >= q[0] && q_last <= q[factors->points - 1]))
		return status_fail_file(SONDE_INVALID, factors->path,
					"q from %g to %g 1/Angstrom is not within the table, from %g to %g", q_first,
					q_last, q[0], q[factors->points - 1]);
	return SONDE_OK;
}
