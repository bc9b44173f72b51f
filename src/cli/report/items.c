#include "cli/report/items.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/plot/element_color.h"
#include "cli/report/bodies.h"
#include "cli/report/page_text.h"
#include "cli/report/point_errors.h"
#include "cli/report/reduced.h"
#include "cli/report/waves.h"
#include "io/containers/hdf5_parts.h"
#include "io/containers/hdf5_rows.h"
#include "matter/atoms/radius.h"
#include "matter/elements/label.h"
#include "run/context.h"

#define DEEPEST 8
#define LONGEST_PATH 480
#define MOST_LIST 300000 /* numbers of a list */
#define MOST_ITEMS 5000
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

/* Reads an array, reduced. */
static sonde_status read_reduced(struct walk *walk, const char *path, const int64_t *sizes, struct reduced *array,
				 double **values)
{
	int64_t each[REDUCED_MOST_RANK] = {1, 1, 1, 1, 1, 1, 1, 1}, count = 1, read;
	const int rank = array->rank;
	double *means;

	for (int k = 0; k < rank; ++k)
		count *= sizes[k];
	array->thinned = count > REDUCED_MOST_READ;
	reduced_choose(array, each);
	if (array->thinned)
		return hdf5_reader_thinned(walk->reader, path, sizes, rank, each, values);
	sonde_status status = hdf5_reader_reals(walk->reader, path, values, &read);
	if (status != SONDE_OK && status != SONDE_RESOURCE) {
		array->absolute = true;
		status = read_absolute(walk, path, sizes, rank, count, values);
	}
	CHECK(status);
	CHECK(reduced_average(array, each, *values, &means));
	if (means != NULL) {
		free(*values);
		*values = means;
	}
	return SONDE_OK;
}

/* Reads the first rows of a list. */
static sonde_status read_first(struct walk *walk, const char *path, const int64_t *sizes, struct reduced *array,
			       double **values)
{
	int64_t each[REDUCED_MOST_RANK] = {1, 1, 1, 1, 1, 1, 1, 1}, width = 1, read;

	array->cut = true;
	for (int k = 1; k < array->rank; ++k)
		width *= sizes[k];
	if (sizes[0] * width <= MOST_LIST)
		return hdf5_reader_reals(walk->reader, path, values, &read);
	array->shape[0] = MOST_LIST / 3 / (width > 3 ? width : 1);
	if (array->shape[0] > sizes[0])
		array->shape[0] = sizes[0];
	return hdf5_reader_thinned(walk->reader, path, array->shape, array->rank, each, values);
}

static void append_array(struct walk *walk, const char *path, const int64_t *sizes, int rank)
{
	double *values = NULL;
	struct reduced array;

	reduced_init(&array, sizes, rank);
	const sonde_status status = walk->is_data ? read_reduced(walk, path, sizes, &array, &values)
						  : read_first(walk, path, sizes, &array, &values);
	if (status != SONDE_OK)
		note_failure(walk);
	begin_item(walk, path, status == SONDE_OK ? "numbers" : "unreadable");
	append_attribute(walk, path, "units");
	append_attribute(walk, path, "long_name");
	reduced_append(&array, status == SONDE_OK ? values : NULL, walk->page);
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
	int64_t sizes[REDUCED_MOST_RANK];
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
	if (hdf5_reader_sizes(walk->reader, path, REDUCED_MOST_RANK, sizes, &rank) != SONDE_OK)
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

/* Surfaces of bodies that the job of sonde fdtd has in files, and the box of its plane wave. */
static sonde_status append_job(sonde_context *context, struct hdf5_reader *reader, const char *path,
			       struct text *page)
{
	static const char place[] = "/fdtd/process/job";
	char *job;

	if (!hdf5_reader_has(reader, place) || hdf5_reader_text(reader, place, &job) != SONDE_OK)
		return SONDE_OK;
	sonde_status status = bodies_append(job, path, page);
	if (status == SONDE_OK)
		status = waves_append(context, job, page);
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
		status = append_job(context, reader, path, page);
	if (status == SONDE_OK)
		status = point_errors_append(context, reader, path, page);
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
