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

static sonde_status join(int64_t own, const void *items, const size_t *lines, int64_t others, const void *other_items,
			 size_t size, void **joined, size_t **joined_lines)
{
	CHECK(memory_allocate(joined, (size_t)(own + others), size, "the lists of the job"));
	if (own > 0)
		memcpy(*joined, items, (size_t)own * size);
	if (others > 0)
		memcpy((char *)*joined + (size_t)own * size, other_items, (size_t)others * size);
	if (lines == NULL)
		return SONDE_OK;
	CHECK(memory_allocate(joined_lines, (size_t)(own + others), sizeof **joined_lines, "the lists of the job"));
	if (own > 0)
		memcpy(*joined_lines, lines, (size_t)own * sizeof *lines);
	return SONDE_OK;
}

static sonde_status join_materials(const struct material_list *own, const sonde_sample *sample,
				   struct material_list *joined)
{
	const int64_t others = sample != NULL ? sample->materials.count : 0;
	void *items = NULL;
	size_t *lines = NULL;

	*joined = *own;
	const sonde_status status =
	    join(own->count, own->items, own->lines, others, sample != NULL ? sample->materials.items : NULL,
		 sizeof *own->items, &items, &lines);
	joined->items = items;
	joined->lines = lines;
	CHECK(status);
	joined->count = own->count + others;
	joined->others = others;
	joined->other_file = sample != NULL ? sample->path : NULL;
	joined->other_lines = sample != NULL ? sample->materials.lines : NULL;
	sonde_material_options *own_items = items;
	struct text notes = {0};
	for (int64_t n = 0; n < own->count; ++n) {
		const sonde_status settled =
		    material_list_prefix(joined, material_settle(&own_items[n], "materials", &notes), n);
		text_free(&notes);
		CHECK(settled);
	}
	return SONDE_OK;
}

static sonde_status join_bodies(const struct body_list *own, const sonde_sample *sample, const double shift[3],
				bool meters, struct body_list *joined)
{
	const int64_t others = sample != NULL ? sample->bodies.count : 0;
	void *items = NULL;
	size_t *lines = NULL;

	*joined = *own;
	const sonde_status status =
	    join(own->count, own->items, own->lines, others, sample != NULL ? sample->bodies.items : NULL,
		 sizeof *own->items, &items, &lines);
	joined->items = items;
	joined->lines = lines;
	CHECK(status);
	joined->count = own->count + others;
	joined->others = others;
	joined->other_file = sample != NULL ? sample->path : NULL;
	joined->other_lines = sample != NULL ? sample->bodies.lines : NULL;
	for (int64_t n = own->count; n < joined->count; ++n) {
		sonde_body_options *body = (sonde_body_options *)items + n;
		body->center.x += shift[0];
		body->center.y += shift[1];
		body->center.z += shift[2];
		if (meters)
			CHECK(body_list_prefix(joined, body_in_meters(body), n));
	}
	return SONDE_OK;
}

sonde_status sample_lists_join(const struct material_list *materials, const struct body_list *bodies,
			       const sonde_sample *sample, const double shift[3], bool meters,
			       struct sample_lists *lists)
{
	*lists = (struct sample_lists){{.count = 0}, {.count = 0}};
	CHECK(join_materials(materials, sample, &lists->materials));
	return join_bodies(bodies, sample, shift, meters, &lists->bodies);
}

void sample_lists_free(struct sample_lists *lists)
{
	free((void *)(uintptr_t)lists->materials.items);
	free((void *)(uintptr_t)lists->materials.lines);
	free((void *)(uintptr_t)lists->bodies.items);
	free((void *)(uintptr_t)lists->bodies.lines);
	*lists = (struct sample_lists){{.count = 0}, {.count = 0}};
}
