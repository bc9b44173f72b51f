/* The lists of a job with those of a sample. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "matter/sample/cell_matter.h"
#include "matter/sample/sample.h"

/* The same decimal number in meters: that of "123.4 A". */
static double in_meters(double angstrom)
{
	char text[64];
	double meters;

	text_format_real(angstrom, text);
	strcat(text, " A");
	return unit_parse_real("m", text, text + strlen(text), &meters) ? meters : 1e-10 * angstrom;
}

/* "0,0;10 nm,5" as "0 A,0 A;10 nm,5 A": numbers without a unit get one. */
static sonde_status list_in_meters(char *list)
{
	struct text text = {0};

	for (const char *start = list; *start != '\0';) {
		const size_t length = strcspn(start, ",;");
		double number;
		const bool bare = text_parse_real(start + strspn(start, " "), start + length, &number);
		text_append(&text, "%.*s%s", (int)length, start, bare ? " A" : "");
		start += length;
		if (*start != '\0')
			text_append(&text, "%c", *start++);
	}
	sonde_status status = text_status(&text);
	if (status == SONDE_OK && text.size >= OPTION_TEXT_SIZE)
		status = status_fail_option(SONDE_INVALID, "vertices", "too long");
	if (status == SONDE_OK && text.size > 0)
		memcpy(list, text.bytes, text.size + 1);
	text_free(&text);
	return status;
}

/* All lengths of a body, by their rows. */
static sonde_status body_in_meters(sonde_body_options *body)
{
	for (size_t k = 0; k < body_table_in_angstrom.count; ++k) {
		const struct option_row *row = &body_table_in_angstrom.rows[k];
		void *value = (char *)body + row->offset;
		if (strcmp(row->unit, "A") != 0)
			continue;
		if (row->type == OPTION_REAL)
			*(double *)value = in_meters(*(double *)value);
		if (row->type == OPTION_TEXT)
			CHECK(list_in_meters(value));
		if (row->type != OPTION_VECTOR)
			continue;
		sonde_vector *vector = value;
		*vector = (sonde_vector){in_meters(vector->x), in_meters(vector->y), in_meters(vector->z)};
	}
	/* without a scale, files of triangles are in meters in any engine: nothing to convert */
	return SONDE_OK;
}

/* The items of a job and those of a sample, and the lines of the former. */
struct parts {
	int64_t own, others;
	const void *items, *other_items;
	const size_t *lines; /* of the first list */
	size_t size;
};

static sonde_status join(const struct parts *parts, void **joined, size_t **lines)
{
	const size_t own = (size_t)parts->own, all = (size_t)(parts->own + parts->others);

	CHECK(memory_allocate(joined, all, parts->size, "the lists of the job"));
	if (parts->own > 0)
		memcpy(*joined, parts->items, own * parts->size);
	if (parts->others > 0)
		memcpy((char *)*joined + own * parts->size, parts->other_items, (size_t)parts->others * parts->size);
	if (parts->lines == NULL)
		return SONDE_OK;
	CHECK(memory_allocate(lines, all, sizeof **lines, "the lists of the job"));
	if (parts->own > 0)
		memcpy(*lines, parts->lines, own * sizeof **lines);
	return SONDE_OK;
}

static sonde_status join_materials(const struct material_list *own, const struct material_list *others,
				   const char *file, struct material_list *joined)
{
	const struct parts parts = {own->count,    others->count, own->items,
				    others->items, own->lines,    sizeof *own->items};
	void *made = NULL;
	struct text notes = {0};
	size_t *lines = NULL;

	sonde_status status = join(&parts, &made, &lines);
	sonde_material_options *items = made;
	*joined = (struct material_list){
	    own->count + others->count, items, own->file, lines, others->count, file, others->lines};
	for (int64_t n = 0; n < own->count && status == SONDE_OK; ++n)
		status = material_list_prefix(joined, material_settle(&items[n], "materials", &notes), n);
	text_free(&notes);
	return status;
}

/* The sample's bodies are moved, and converted to meters. */
static sonde_status join_bodies(const struct body_list *own, const struct body_list *others, const char *file,
				const double shift[3], bool meters, const struct material_list *materials,
				struct body_list *joined)
{
	const struct parts parts = {own->count,    others->count, own->items,
				    others->items, own->lines,    sizeof *own->items};
	void *made = NULL;
	size_t *lines = NULL;

	sonde_status status = join(&parts, &made, &lines);
	sonde_body_options *items = made;
	*joined = (struct body_list){
	    own->count + others->count, items, own->file, lines, others->count, file, others->lines};
	for (int64_t n = 0; n < own->count && status == SONDE_OK; ++n)
		status = body_list_prefix(joined, body_settle(materials, &items[n]), n);
	for (int64_t n = own->count; n < joined->count && status == SONDE_OK; ++n) {
		items[n].center.x += shift[0];
		items[n].center.y += shift[1];
		items[n].center.z += shift[2];
		if (meters)
			status = body_list_prefix(joined, body_in_meters(&items[n]), n);
	}
	return status;
}

sonde_status sample_lists_join(const struct material_list *materials, const struct body_list *bodies,
			       const sonde_sample *sample, const double shift[3], bool meters,
			       struct sample_lists *lists)
{
	static const struct material_list no_materials = {.count = 0};
	static const struct body_list no_bodies = {.count = 0};
	const struct material_list *other_materials = sample != NULL ? &sample->materials : &no_materials;
	const struct body_list *other_bodies = sample != NULL ? &sample->bodies : &no_bodies;
	const char *file = sample != NULL ? sample->path : NULL;

	*lists = (struct sample_lists){{.count = 0}, {.count = 0}};
	CHECK(join_materials(materials, other_materials, file, &lists->materials));
	return join_bodies(bodies, other_bodies, file, shift, meters, &lists->materials, &lists->bodies);
}

void sample_lists_free(struct sample_lists *lists)
{
	free((void *)(uintptr_t)lists->materials.items);
	free((void *)(uintptr_t)lists->materials.lines);
	free((void *)(uintptr_t)lists->bodies.items);
	free((void *)(uintptr_t)lists->bodies.lines);
	*lists = (struct sample_lists){{.count = 0}, {.count = 0}};
}
