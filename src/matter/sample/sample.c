#include "matter/sample/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/file_names.h"
#include "base/memory.h"
#include "base/option_files.h"
#include "io/containers/yaml.h"
#include "matter/sample/cell_matter.h"

#define OPTION_STRUCT sonde_sample_options
#include "base/option_table.h"

static const struct option_row rows[] = {
#include "matter/sample/sample.def"
};

const struct option_table sample_option_table = {"sample", rows, sizeof rows / sizeof *rows,
						 sizeof(sonde_sample_options), true};

static sonde_status find_file(void *user, const struct option_row *row, void *options)
{
	return option_find_file(user, "the sample", row, options);
}

/* Reading ------------------------------------------------------------------------------------- */

static sonde_status read_yaml(sonde_sample *sample, struct yaml_list lists[2])
{
	struct yaml_block top = {.table = &sample_option_table, .options = &sample->options};

	options_set_defaults(&sample_option_table, &sample->options);
	return yaml_read_job_files(sample->path, &top, NULL, 0, lists, 2, find_file, sample->path);
}

/* Moves the lists to the sample, which then owns their items and lines. */
static void take_lists(struct yaml_list lists[2], sonde_sample *sample)
{
	sample->materials = (struct material_list){
	    (int64_t)lists[0].count, lists[0].items, sample->path, lists[0].lines, 0, NULL, NULL};
	sample->bodies =
	    (struct body_list){(int64_t)lists[1].count, lists[1].items, sample->path, lists[1].lines, 0, NULL, NULL};
	for (int k = 0; k < 2; ++k) {
		free(lists[k].given);
		lists[k] = (struct yaml_list){.block = NULL};
	}
}

static sonde_status settle_materials(sonde_sample *sample, void *items)
{
	sonde_material_options *materials = items;

	CHECK(material_list_check(&sample->materials));
	for (int64_t n = 0; n < sample->materials.count; ++n) {
		char where[600];
		snprintf(where, sizeof where, "%.500s, line %zu", file_names_get(sample->path),
			 sample->materials.lines[n]);
		CHECK(material_list_prefix(&sample->materials, material_settle(&materials[n], where, &sample->notes),
					   n));
	}
	return SONDE_OK;
}

static sonde_status check_body(const sonde_body_options *body)
{
	struct shape *shape = NULL;
	double center[3];

	CHECK(body_check_material(body));
	CHECK(body_check_options(&body_table_in_angstrom, body));
	CHECK(body_check_copies(body));
	if (body->shape == SONDE_BODY_SHAPE_BUILD && body->file[0] == '\0')
		return status_fail_option(SONDE_INVALID, "file",
					  "required for the shape build: a sample has no block build:");
	if (!body_is_solid(body))
		return SONDE_OK;
	body_copy_center(body, 0, center);
	const sonde_status status = body_make_shape(&body_frame_in_angstrom, body, center, 0.0, &shape);
	shape_free(&shape);
	return status;
}

static sonde_status check_bodies(const sonde_sample *sample, sonde_body_options *bodies)
{
	if (sample->bodies.count == 0)
		return status_fail_file(SONDE_INVALID, sample->path,
					"the sample has no bodies; its list `bodies` needs at least one, as "
					"- {material: Au, shape: sphere, radius: 5 nm}");
	for (int64_t n = 0; n < sample->bodies.count; ++n) {
		CHECK(body_list_prefix(&sample->bodies, body_settle(&sample->materials, &bodies[n]), n));
		CHECK(body_list_prefix(&sample->bodies, check_body(&bodies[n]), n));
	}
	return SONDE_OK;
}

static sonde_status read_sample(sonde_sample *sample)
{
	struct yaml_list lists[2] = {{.block = sample_option_table.name, .table = &material_item_table},
				     {.block = sample_option_table.name, .table = &body_table_in_angstrom}};

	sonde_status status = read_yaml(sample, lists);
	if (status == SONDE_OK)
		status = file_sha256(sample->path, NULL, NULL, sample->sha256);
	void *materials = lists[0].items, *bodies = lists[1].items;
	take_lists(lists, sample);
	CHECK(status);
	CHECK(settle_materials(sample, materials));
	return check_bodies(sample, bodies);
}

sonde_status sonde_sample_read(const char *path, sonde_sample **sample)
{
	*sample = NULL;
	if (path == NULL)
		return status_fail(SONDE_INVALID, "a file is needed, its name is null");
	CHECK(memory_allocate(sample, 1, sizeof **sample, "the sample"));
	sonde_status status = memory_copy_text(path, &(*sample)->path, "the sample");
	if (status == SONDE_OK)
		status = read_sample(*sample);
	if (status != SONDE_OK)
		sonde_sample_free(sample);
	return status;
}

void sonde_sample_free(sonde_sample **sample)
{
	if (sample == NULL || *sample == NULL)
		return;
	free((void *)(uintptr_t)(*sample)->materials.items);
	free((void *)(uintptr_t)(*sample)->materials.lines);
	free((void *)(uintptr_t)(*sample)->bodies.items);
	free((void *)(uintptr_t)(*sample)->bodies.lines);
	text_free(&(*sample)->notes);
	free((*sample)->path);
	free(*sample);
	*sample = NULL;
}

sonde_status sample_is_one(const char *path, bool *is_one)
{
	*is_one = false;
	if (path == NULL || !(file_has_suffix(path, ".yaml") || file_has_suffix(path, ".yml")))
		return SONDE_OK;
	return yaml_has_key(path, body_table_in_angstrom.name, is_one);
}

int sonde_sample_is_one(const char *path)
{
	bool is_one;

	return sample_is_one(path, &is_one) == SONDE_OK && is_one;
}

/* Content --------------------------------------------------------------------------------------- */

const sonde_sample_options *sonde_sample_options_of(const sonde_sample *sample)
{
	return &sample->options;
}

int64_t sonde_sample_material_count(const sonde_sample *sample)
{
	return sample->materials.count;
}

const sonde_material_options *sonde_sample_materials(const sonde_sample *sample)
{
	return sample->materials.items;
}

int64_t sonde_sample_body_count(const sonde_sample *sample)
{
	return sample->bodies.count;
}

const sonde_body_options *sonde_sample_bodies(const sonde_sample *sample)
{
	return sample->bodies.items;
}

const char *sonde_sample_notes(const sonde_sample *sample)
{
	return sample->notes.bytes != NULL ? sample->notes.bytes : "";
}

static bool body_bounds(const sonde_body_options *body, double low[3], double high[3])
{
	bool found = false;

	for (int64_t copy = 0; copy < body_copies(body) && body_is_solid(body); ++copy) {
		double center[3], from[3], to[3];
		struct shape *shape = NULL;
		body_copy_center(body, copy, center);
		if (body_make_shape(&body_frame_in_angstrom, body, center, 0.0, &shape) != SONDE_OK)
			continue;
		shape_bounds(shape, from, to);
		shape_free(&shape);
		for (int k = 0; k < 3; ++k) {
			low[k] = fmin(low[k], from[k]);
			high[k] = fmax(high[k], to[k]);
		}
		found = true;
	}
	return found;
}

bool sample_bounds(const sonde_sample *sample, double low[3], double high[3])
{
	bool found = false;

	for (int k = 0; k < 3; ++k) {
		low[k] = INFINITY;
		high[k] = -INFINITY;
	}
	for (int64_t n = 0; n < sample->bodies.count; ++n)
		found |= body_bounds(&sample->bodies.items[n], low, high);
	return found;
}
