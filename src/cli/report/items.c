#include "cli/report/items.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/plot/element_color.h"
#include "cli/report/bodies.h"
#include "cli/report/page_text.h"
#include "io/containers/hdf5_parts.h"
#include "io/containers/hdf5_rows.h"
#include "matter/atoms/radius.h"
#include "matter/elements/label.h"
#include "run/context.h"

#define DEEPEST 8
#define LONGEST_PATH 480
#define MOST_RANK 8
#define MOST_CURVE 100000   /* numbers along a curve */
#define MOST_MAP 160000     /* numbers of a map or volume: 400 x 400, 54 x 54 x 54 */
#define MOST_READ (1 << 26) /* numbers that are read as a whole to be averaged */
#define MOST_LIST 300000    /* numbers of a list */
#define MOST_ITEMS 5000
#define MOST_BYTES (48U << 20) /* of all numbers in a page */
#define MOST_ATOMS 20000

struct walk {
	sonde_context *context;
	struct hdf5_reader *reader;
	struct text *page;
	const char *path; /* of the group */
	bool is_data;     /* the group is a curve or map, whose numbers may be averaged; lists are cut instead */
	int depth, *items;
};

static void begin_item(struct walk *walk, const char *path, const char *kind)
{
	text_append(walk->page, "%s\n{\"path\":", (*walk->items)++ > 0 ? "," : "");
	page_append_text(walk->page, path);
	text_append(walk->page, ",\"kind\":\"%s\"", kind);
}

/* What cannot be read although it is there: in a file that is sealed, and so is sound, for lack of memory. */
static void note_failure(struct walk *walk)
{
	walk->page->failed |= hdf5_reader_is_sealed(walk->reader);
}

/* An attribute as a member, if there is one. */
static void append_attribute_as(struct walk *walk, const char *path, const char *name, const char *member)
{
	char *text;

	if (!hdf5_reader_may_have_attribute(walk->reader, path, name))
		return;
	if (hdf5_reader_attribute(walk->reader, path, name, &text) != SONDE_OK) {
		note_failure(walk);
		return;
	}
	text_append(walk->page, ",\"%s\":", member);
	page_append_text(walk->page, text);
	free(text);
}

static void append_attribute(struct walk *walk, const char *path, const char *name)
{
	append_attribute_as(walk, path, name, name);
}

static void append_list_attribute(struct walk *walk, const char *path, const char *name)
{
	int64_t count;
	size_t size;
	char *texts;

	if (!hdf5_reader_may_have_attribute(walk->reader, path, name))
		return;
	if (hdf5_reader_list_attribute(walk->reader, path, name, &texts, &count, &size) != SONDE_OK) {
		note_failure(walk);
		return;
	}
	text_append(walk->page, ",\"%s\":[", name);
	for (int64_t k = 0; k < count; ++k) {
		text_append(walk->page, k > 0 ? "," : "");
		page_append_string(walk->page, texts + (size_t)k * size, size);
	}
	text_append(walk->page, "]");
	free(texts);
}

static void append_sizes(struct text *page, const char *name, const int64_t *sizes, int rank)
{
	text_append(page, ",\"%s\":[", name);
	for (int k = 0; k < rank; ++k)
		text_append(page, "%s%lld", k > 0 ? "," : "", (long long)sizes[k]);
	text_append(page, "]");
}

/* How many neighbors along each axis become one number. */
static void choose_reduction(const int64_t *sizes, int rank, int64_t *each)
{
	const double most = rank == 1 ? MOST_CURVE : MOST_MAP;
	double numbers = 1.0;

	for (int k = 0; k < rank; ++k) {
		each[k] = 1;
		numbers *= (double)sizes[k];
	}
	while (numbers > most) {
		int longest = 0;
		for (int k = 1; k < rank; ++k)
			longest = sizes[k] / each[k] > sizes[longest] / each[longest] ? k : longest;
		const double before = ceil((double)sizes[longest] / (double)each[longest]);
		++each[longest];
		numbers *= ceil((double)sizes[longest] / (double)each[longest]) / before;
	}
}

/* Means over blocks, NaN left out, in place of the numbers. */
static sonde_status average(double **values, const int64_t *sizes, int rank, const int64_t *each, int64_t *reduced)
{
	int64_t total = 1, count = 1, index[MOST_RANK] = {0};
	double *sums, *numbers;

	for (int k = 0; k < rank; ++k) {
		reduced[k] = (sizes[k] + each[k] - 1) / each[k];
		total *= sizes[k];
		count *= reduced[k];
	}
	if (count == total)
		return SONDE_OK;
	CHECK(memory_allocate(&sums, 2 * (size_t)count, sizeof *sums, "a report"));
	numbers = sums + count;
	for (int64_t n = 0; n < total; ++n) {
		int64_t to = 0;
		for (int k = 0; k < rank; ++k)
			to = to * reduced[k] + index[k] / each[k];
		if (!isnan((*values)[n])) {
			sums[to] += (*values)[n];
			numbers[to] += 1.0;
		}
		for (int k = rank - 1; k >= 0 && ++index[k] == sizes[k]; --k)
			index[k] = 0;
	}
	for (int64_t n = 0; n < count; ++n)
		sums[n] = numbers[n] > 0.0 ? sums[n] / numbers[n] : NAN;
	free(*values);
	*values = sums;
	return SONDE_OK;
}

/* Complex numbers by their absolute values. */
static sonde_status read_absolute(struct walk *walk, const char *path, const int64_t *sizes, int rank, int64_t count,
				  double **values)
{
	double *imaginary;

	CHECK(memory_allocate(&imaginary, (size_t)count, sizeof *imaginary, "a report"));
	sonde_status status = memory_allocate(values, (size_t)count, sizeof **values, "a report");
	if (status == SONDE_OK)
		status = hdf5_reader_complexes(walk->reader, path, sizes, rank, *values, imaginary);
	for (int64_t n = 0; n < count && status == SONDE_OK; ++n)
		(*values)[n] = hypot((*values)[n], imaginary[n]);
	if (status != SONDE_OK) {
		free(*values);
		*values = NULL;
	}
	free(imaginary);
	return status;
}

/* Whether float32 has the numbers' exponents, and digits enough to draw them. */
static bool fits_single(const double *values, int64_t count)
{
	double most = 0.0;

	for (int64_t n = 0; n < count; ++n)
		if (isfinite(values[n]))
			most = fmax(most, fabs(values[n]));
	return most == 0.0 || (most > 1e-25 && most < 1e35);
}

/* Reads an array, reduced: `reduced` becomes its sizes then. */
static sonde_status read_reduced(struct walk *walk, const char *path, const int64_t *sizes, int rank,
				 int64_t *reduced, bool *thinned, bool *absolute, double **values)
{
	int64_t each[MOST_RANK] = {1, 1, 1, 1, 1, 1, 1, 1}, count = 1, read;

	for (int k = 0; k < rank; ++k)
		count *= sizes[k];
	*thinned = count > MOST_READ;
	*absolute = false;
	choose_reduction(sizes, rank, each);
	if (*thinned) {
		for (int k = 0; k < rank; ++k)
			reduced[k] = (sizes[k] + each[k] - 1) / each[k];
		return hdf5_reader_thinned(walk->reader, path, sizes, rank, each, values);
	}
	sonde_status status = hdf5_reader_reals(walk->reader, path, values, &read);
	if (status != SONDE_OK && status != SONDE_RESOURCE) {
		*absolute = true;
		status = read_absolute(walk, path, sizes, rank, count, values);
	}
	return status == SONDE_OK ? average(values, sizes, rank, each, reduced) : status;
}

/* Reads the first rows of a list. */
static sonde_status read_first(struct walk *walk, const char *path, const int64_t *sizes, int rank, int64_t *reduced,
			       double **values)
{
	int64_t each[MOST_RANK], width = 1, read;

	for (int k = 0; k < rank; ++k) {
		each[k] = 1;
		reduced[k] = sizes[k];
		width *= k > 0 ? sizes[k] : 1;
	}
	if (sizes[0] * width <= MOST_LIST)
		return hdf5_reader_reals(walk->reader, path, values, &read);
	reduced[0] = MOST_LIST / 3 / (width > 3 ? width : 1);
	if (reduced[0] > sizes[0])
		reduced[0] = sizes[0];
	return hdf5_reader_thinned(walk->reader, path, reduced, rank, each, values);
}

static void append_array(struct walk *walk, const char *path, const int64_t *sizes, int rank)
{
	int64_t reduced[MOST_RANK] = {0}, left = 1;
	double *values = NULL;
	bool thinned = false, absolute = false;
	const sonde_status status = walk->is_data
					? read_reduced(walk, path, sizes, rank, reduced, &thinned, &absolute, &values)
					: read_first(walk, path, sizes, rank, reduced, &values);

	if (status != SONDE_OK)
		note_failure(walk);
	begin_item(walk, path, status == SONDE_OK ? "numbers" : "unreadable");
	append_attribute(walk, path, "units");
	append_attribute(walk, path, "long_name");
	append_sizes(walk->page, "sizes", sizes, rank);
	if (status == SONDE_OK) {
		append_sizes(walk->page, "shape", reduced, rank);
		for (int k = 0; k < rank; ++k)
			left *= reduced[k];
		const bool single = (rank > 1 || !walk->is_data) && fits_single(values, left);
		text_append(walk->page, ",\"thinned\":%s,\"cut\":%s,\"absolute\":%s,\"type\":\"%s\",\"data\":",
			    thinned ? "true" : "false", walk->is_data ? "false" : "true", absolute ? "true" : "false",
			    single ? "f4" : "f8");
		if (walk->page->size < MOST_BYTES)
			page_append_numbers(walk->page, values, left, single);
		else
			text_append(walk->page, "null");
	}
	text_append(walk->page, "}");
	free(values);
}

static void append_scalar(struct walk *walk, const char *path)
{
	double *value;
	int64_t count;

	if (hdf5_reader_reals(walk->reader, path, &value, &count) != SONDE_OK) {
		note_failure(walk);
		return;
	}
	begin_item(walk, path, "number");
	append_attribute(walk, path, "units");
	append_attribute(walk, path, "long_name");
	text_append(walk->page, ",\"value\":");
	page_append_number(walk->page, count > 0 ? *value : NAN);
	text_append(walk->page, "}");
	free(value);
}

static void append_texts(struct walk *walk, const char *path)
{
	int64_t count;
	size_t size;
	char *texts;

	if (hdf5_reader_texts(walk->reader, path, &texts, &count, &size) != SONDE_OK) {
		note_failure(walk);
		return;
	}
	begin_item(walk, path, "text");
	append_attribute(walk, path, "units");
	text_append(walk->page, ",\"texts\":[");
	for (int64_t k = 0; k < count; ++k) {
		text_append(walk->page, k > 0 ? "," : "");
		page_append_string(walk->page, texts + (size_t)k * size, size);
	}
	text_append(walk->page, "]}");
	free(texts);
}

static sonde_status append_group(struct walk *walk, const char *path);

static sonde_status append_member(void *user, const char *name)
{
	struct walk *walk = user;
	int64_t sizes[MOST_RANK];
	char path[LONGEST_PATH + 64], *class = NULL;
	int rank;

	if (strlen(walk->path) + strlen(name) + 2 > LONGEST_PATH || *walk->items > MOST_ITEMS)
		return SONDE_OK;
	if (context_cancelled(walk->context))
		return status_fail(SONDE_CANCELLED, "stopped on request while reading a result");
	snprintf(path, sizeof path, "%s/%s", strcmp(walk->path, "/") == 0 ? "" : walk->path, name);
	if (hdf5_reader_may_have_attribute(walk->reader, path, "NX_class")) {
		if (hdf5_reader_attribute(walk->reader, path, "NX_class", &class) != SONDE_OK)
			note_failure(walk);
		free(class);
		return append_group(walk, path);
	}
	if (hdf5_reader_sizes(walk->reader, path, MOST_RANK, sizes, &rank) != SONDE_OK)
		append_texts(walk, path);
	else if (rank == 0)
		append_scalar(walk, path);
	else
		append_array(walk, path, sizes, rank);
	return SONDE_OK;
}

static bool is_data(struct walk *walk, const char *path)
{
	char *class;

	if (!hdf5_reader_may_have_attribute(walk->reader, path, "NX_class"))
		return false;
	if (hdf5_reader_attribute(walk->reader, path, "NX_class", &class) != SONDE_OK) {
		note_failure(walk);
		return false;
	}
	const bool data = strcmp(class, "NXdata") == 0;
	free(class);
	return data;
}

static sonde_status append_group(struct walk *walk, const char *path)
{
	struct walk inner = *walk;

	if (walk->depth == DEEPEST)
		return SONDE_OK;
	inner.path = path;
	inner.is_data = is_data(walk, path);
	inner.depth = walk->depth + 1;
	begin_item(walk, path, "group");
	append_attribute(walk, path, "NX_class");
	append_attribute(walk, path, "signal");
	append_attribute(walk, path, "default");
	append_attribute(walk, path, "definitions");
	append_attribute_as(walk, path, "kind", "kind_of");
	append_list_attribute(walk, path, "axes");
	append_list_attribute(walk, path, "auxiliary_signals");
	text_append(walk->page, "}");
	return hdf5_reader_members(walk->reader, path, append_member, &inner);
}

/* Surfaces of bodies that the job of sonde fdtd has in files. */
static sonde_status append_bodies(struct hdf5_reader *reader, const char *path, struct text *page)
{
	static const char place[] = "/fdtd/process/job";
	char *job;

	if (!hdf5_reader_has(reader, place) || hdf5_reader_text(reader, place, &job) != SONDE_OK)
		return SONDE_OK;
	const sonde_status status = bodies_append(job, path, page);
	free(job);
	return status;
}

sonde_status items_append_hdf5(sonde_context *context, const char *path, struct text *page)
{
	struct hdf5_reader *reader;
	int items = 0;

	CHECK(hdf5_reader_open(&reader, path));
	struct walk walk = {.context = context, .reader = reader, .page = page, .path = "/", .items = &items};
	sonde_status status = append_group(&walk, "/");
	if (status == SONDE_OK)
		status = append_bodies(reader, path, page);
	if (status == SONDE_OK)
		status = hdf5_reader_has_read(reader);
	hdf5_reader_close(&reader);
	return status;
}

/* Atoms ------------------------------------------------------------------------------------- */

static void append_species(const sonde_atoms *atoms, struct text *page)
{
	text_append(page, ",\"species\":[");
	for (int s = 0; s < sonde_atoms_species_count(atoms); ++s) {
		const char *name = sonde_atoms_species_label(atoms, s);
		struct label label;
		const bool known = label_parse(name, &label) == SONDE_OK;
		const struct color color = element_color(known ? label.atomic_number : 0);
		const double radius = radius_of_label(name);
		text_append(page, "%s{\"label\":", s > 0 ? "," : "");
		page_append_text(page, name);
		text_append(page, ",\"count\":%lld,\"color\":\"#%02x%02x%02x\",\"radius\":%.4g}",
			    (long long)sonde_atoms_species_atoms(atoms, s), color.red, color.green, color.blue,
			    radius > 0.0 ? radius : 2.0);
	}
	text_append(page, "]");
}

void items_append_atoms(const sonde_atoms *atoms, struct text *page)
{
	const int64_t count = sonde_atoms_count(atoms), each = (count + MOST_ATOMS - 1) / MOST_ATOMS;
	const double *positions = sonde_atoms_positions(atoms), *cell = sonde_atoms_cell(atoms);
	const uint16_t *species = sonde_atoms_species(atoms);

	text_append(page, "{\"path\":\"/\",\"kind\":\"atoms\",\"count\":%lld,\"each\":%lld", (long long)count,
		    (long long)each);
	append_species(atoms, page);
	text_append(page, ",\"cell\":");
	if (cell == NULL)
		text_append(page, "null");
	for (int k = 0; k < 9 && cell != NULL; ++k) {
		text_append(page, k == 0 ? "[" : ",");
		page_append_number(page, cell[k]);
	}
	text_append(page, "%s,\"of\":[", cell != NULL ? "]" : "");
	for (int64_t n = 0; n < count; n += each)
		text_append(page, "%s%d", n > 0 ? "," : "", species[n]);
	text_append(page, "],\"positions\":[");
	for (int64_t n = 0; n < count; n += each)
		text_append(page, "%s%.6g,%.6g,%.6g", n > 0 ? "," : "", positions[3 * n], positions[3 * n + 1],
			    positions[3 * n + 2]);
	text_append(page, "]}");
}
