#include "matter/build/inline_cell.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "matter/shape/numbers.h"
#include "matter/crystal/cif.h"
#include "matter/elements/label.h"
#include "matter/crystal/unit_cell.h"
#include "run/context.h"

#define LARGEST_COORDINATE 1e4
#define MOST_WORDS 5 /* of a site: its label, three coordinates, and its occupancy */
#define LONGEST_WORD 32

/* The operations of the space group, or the identity. */
struct operations {
	struct symmetry_operation *list;
	int count;
};

static const char *skip_blanks(const char *at)
{
	while (isspace((unsigned char)*at))
		++at;
	return at;
}

/* Takes the next item of a list separated by semicolons; *length is 0 at its end. */
static const char *next_item(const char **at, size_t *length)
{
	const char *start = skip_blanks(*at);

	*length = strcspn(start, ";");
	*at = start + *length + (start[*length] == ';');
	return start;
}

static sonde_status parse_operations(const char *text, struct operations *operations)
{
	size_t length, capacity = 0;
	char one[128];

	for (const char *item = next_item(&text, &length); length > 0; item = next_item(&text, &length)) {
		snprintf(one, sizeof one, "%.*s", (int)(length < sizeof one ? length : sizeof one - 1), item);
		if (operations->count == CIF_MOST_OPERATIONS)
			return status_fail(SONDE_INVALID, "more than %d operations", CIF_MOST_OPERATIONS);
		CHECK(memory_grow(&operations->list, &capacity, (size_t)operations->count + 1,
				  sizeof *operations->list, "the symmetry operations"));
		CHECK(symmetry_parse(one, &operations->list[operations->count++]));
	}
	return SONDE_OK;
}

/* By its number or its Hermann-Mauguin symbol. */
static sonde_status find_group(sonde_context *context, const char *name, const double angles[3],
			       struct operations *operations)
{
	struct cif_group *group;
	int64_t number;

	CHECK(memory_allocate(&group, 1, sizeof *group, "the space group"));
	const cif_result result = text_parse_integer(name, name + strlen(name), &number)
				      ? cif_group_by_number(number, group)
				      : cif_group_by_name(name, angles[0], angles[2], group);
	sonde_status status = SONDE_OK;
	if (result == CIF_NOT_BUILT)
		status = status_fail(SONDE_INVALID,
				     "this build has no table of space groups (gemmi); give the operations: "
				     "'x,y,z; -x,-y,z; ...'");
	else if (result != CIF_OK)
		status = result == CIF_NO_MEMORY
			     ? memory_missing("the space group")
			     : status_fail(SONDE_INVALID,
					   "'%.40s' is not the number or the Hermann-Mauguin symbol of a space group",
					   name);
	else
		status = memory_allocate(&operations->list, (size_t)group->count, sizeof *operations->list,
					 "the symmetry operations");
	if (status == SONDE_OK) {
		operations->count = group->count;
		memcpy(operations->list, group->operations, (size_t)group->count * sizeof *operations->list);
	}
	if (status == SONDE_OK && group->is_choice && context != NULL)
		context_notef(context,
			      "space group %s: the first choice of its origin is assumed; '%s:2' is the second",
			      group->name, name);
	free(group);
	return status;
}

static sonde_status find_operations(sonde_context *context, const char *group, const double angles[3],
				    const struct unit_cell *cell, struct operations *operations)
{
	const char *text = group[0] == '\0' ? "x,y,z" : group;

	/* the letters of operations occur in no symbol next to commas */
	CHECK(strchr(text, ',') != NULL ? parse_operations(text, operations)
					: find_group(context, text, angles, operations));
	CHECK(symmetry_check(operations->list, operations->count));
	return symmetry_check_cell(operations->list, operations->count, (const double(*)[3])cell->vectors);
}

/* Splits an item into words, separated by blanks; false if there are too many, or a word is too long. */
static bool split(const char *item, size_t length, char words[MOST_WORDS][LONGEST_WORD], int *count)
{
	const char *end = item + length;

	*count = 0;
	for (item = skip_blanks(item); item < end; item = skip_blanks(item)) {
		const char *start = item;
		while (item < end && !isspace((unsigned char)*item))
			++item;
		if (*count == MOST_WORDS || item - start >= LONGEST_WORD)
			return false;
		snprintf(words[(*count)++], LONGEST_WORD, "%.*s", (int)(item - start), start);
	}
	return true;
}

/* A number, or a fraction such as 1/3. */
static bool parse_fraction(const char *word, double *number)
{
	const char *slash = strchr(word, '/'), *end = word + strlen(word);
	double denominator = 1.0;

	if (!text_parse_real(word, slash != NULL ? slash : end, number) ||
	    (slash != NULL && (!text_parse_real(slash + 1, end, &denominator) || denominator == 0.0)))
		return false;
	*number /= denominator;
	return isfinite(*number);
}

/* "O 0.305 0.305 0", "Fe3+ 1/3 2/3 0 0.9". */
static sonde_status parse_site(const char *item, size_t length, struct unit_cell_site *site)
{
	char words[MOST_WORDS][LONGEST_WORD];
	struct label label;
	int count;

	*site = (struct unit_cell_site){.occupancy = 1.0};
	if (!split(item, length, words, &count) || count < 4)
		return status_fail(SONDE_INVALID, "'%.*s' is not a site such as 'O 0.305 0.305 0' or 'O 0 0 1/2 0.9'",
				   (int)(length < 60 ? length : 60), item);
	sonde_status status = label_parse(words[0], &label);
	if (status != SONDE_OK)
		return status_prefix(status, "'%.*s'", (int)(length < 60 ? length : 60), item);
	snprintf(site->label, sizeof site->label, "%.*s", SONDE_LABEL_SIZE - 1, words[0]);
	snprintf(site->name, sizeof site->name, "%.*s", (int)sizeof site->name - 1, words[0]);
	for (int k = 0; k < 3; ++k)
		if (!parse_fraction(words[k + 1], &site->position[k]) || fabs(site->position[k]) > LARGEST_COORDINATE)
			return status_fail(SONDE_INVALID, "'%s' of site '%.*s' is not a valid fraction of an edge",
					   words[k + 1], (int)(length < 60 ? length : 60), item);
	if (count == 5 &&
	    (!parse_fraction(words[4], &site->occupancy) || !(site->occupancy > 0.0 && site->occupancy <= 1.0)))
		return status_fail(SONDE_INVALID, "'%s' of site '%.*s' is not an occupancy above 0, up to 1",
				   words[4], (int)(length < 60 ? length : 60), item);
	return SONDE_OK;
}

static sonde_status add_sites(const char *basis, const struct operations *operations, struct unit_cell *cell)
{
	struct unit_cell_site site;
	double nearest;
	size_t length;

	for (const char *item = next_item(&basis, &length); length > 0; item = next_item(&basis, &length)) {
		CHECK(parse_site(item, length, &site));
		site.atom = cell->atom_count++;
		CHECK(unit_cell_add_atom(cell, operations->list, operations->count, &site, NULL, &nearest));
	}
	return cell->site_count > 0 ? unit_cell_check_occupancies(cell) : status_fail(SONDE_INVALID, "has no site");
}

static sonde_status find_edges(const char *text, double numbers[6])
{
	const char *end = text + strlen(text);

	numbers[3] = numbers[4] = numbers[5] = 90.0;
	if (!numbers_real(text, end, 3, numbers) && !numbers_real(text, end, 6, numbers))
		return status_fail(SONDE_INVALID,
				   "'%.60s' are not three edges, or three edges and three angles, such as "
				   "4.594,4.594,2.959 or 3.25,3.25,5.2,90,90,120",
				   text);
	return SONDE_OK;
}

static sonde_status check_given(const sonde_build_options *options)
{
	const char *given = options->cell >= 0 || options->cell_file[0] != '\0' ? "cell"
			    : options->species[0] != '\0'                       ? "species"
			    : options->a != 0.0                                 ? "a"
			    : options->c != 0.0                                 ? "c"
			    : options->u != 0.375                               ? "u"
										: NULL;

	if (given != NULL)
		return status_fail_option(SONDE_INVALID, given, "not with `basis`, which gives the cell");
	if (options->cell_edges[0] == '\0')
		return status_fail_option(SONDE_INVALID, "cell_edges",
					  "the edges of the cell are missing, e.g. `cell_edges 4.594,4.594,2.959`");
	return SONDE_OK;
}

sonde_status inline_cell_make(sonde_context *context, const sonde_build_options *options, struct crystal *crystal,
			      struct file_cell *cell)
{
	struct operations operations = {NULL, 0};
	struct unit_cell unit = {.site_count = 0};
	double numbers[6];
	sonde_status status;

	CHECK(check_given(options));
	status = find_edges(options->cell_edges, numbers);
	if (status == SONDE_OK)
		status = unit_cell_set_vectors(numbers, numbers + 3, &unit);
	if (status != SONDE_OK)
		return status_prefix_option(status, "cell_edges");
	status = find_operations(context, options->space_group, numbers + 3, &unit, &operations);
	if (status != SONDE_OK)
		status = status_prefix_option(status, "space_group");
	if (status == SONDE_OK) {
		status = add_sites(options->basis, &operations, &unit);
		if (status == SONDE_OK)
			status = file_cell_take(&unit, crystal, cell);
		if (status != SONDE_OK)
			status = status_prefix_option(status, "basis");
	}
	free(operations.list);
	unit_cell_free(&unit);
	return status;
}
