#include "ions/settled_job.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/option_items.h"
#include "ions/option_table.h"
#include "matter/material_list.h"
#include "matter/build/built_body.h"

static sonde_status check(const sonde_ions_job *job)
{
	if (job == NULL)
		return status_fail(SONDE_INVALID, "a job is needed, it is null");
	if (job->struct_size < offsetof(sonde_ions_job, options) + sizeof job->options.struct_size)
		return status_fail(SONDE_INVALID, "the job was not set up by sonde_ions_job_init()");
	return SONDE_OK;
}

static sonde_status replace_in_option(const struct material_list *materials, const char *separators,
				      const char *option, char *text)
{
	const sonde_status status = material_list_replace(materials, separators, text);

	return status == SONDE_INVALID ? status_prefix_option(status, option) : status;
}

static sonde_status replace_in_options(const struct material_list *materials, sonde_ions_options *options)
{
	CHECK(replace_in_option(materials, "/", "target", options->target));
	CHECK(replace_in_option(materials, "/", "bodies", options->bodies));
	return replace_in_option(materials, "/", "voxel_materials", options->voxel_materials);
}

/* Of an unrotated lattice of sonde build the third edge is along z, and the others across it. */
static bool is_upright(const double edges[3][3])
{
	return edges[0][2] == 0.0 && edges[1][2] == 0.0 && edges[2][0] == 0.0 && edges[2][1] == 0.0 &&
	       edges[2][2] > 0.0;
}

/* A rectangular or oblique block. */
static sonde_status set_supercell(const struct build_solid *solid, double scale, sonde_body_options *body)
{
	const double(*edges)[3] = solid->edges;
	double middle[3];

	if (!is_upright(edges))
		return status_fail_option(
		    SONDE_INVALID, "shape",
		    "this supercell of build, whose third edge is not upright, is not supported "
		    "for ions; use an STL file");
	for (int k = 0; k < 3; ++k)
		middle[k] = solid->corner[k] + 0.5 * (edges[0][k] + edges[1][k] + edges[2][k]);
	body->center.x += scale * middle[0];
	body->center.y += scale * middle[1];
	body->center.z += scale * middle[2];
	if (edges[0][1] == 0.0 && edges[1][0] == 0.0 && edges[0][0] > 0.0 && edges[1][1] > 0.0) {
		body->shape = SONDE_BODY_SHAPE_BOX;
		body->size = (sonde_vector){scale * edges[0][0], scale * edges[1][1], scale * edges[2][2]};
		return SONDE_OK;
	}
	const double x[2] = {0.5 * scale * edges[0][0], 0.5 * scale * edges[1][0]},
		     y[2] = {0.5 * scale * edges[0][1], 0.5 * scale * edges[1][1]};
	body->shape = SONDE_BODY_SHAPE_PRISM;
	body->height = scale * edges[2][2];
	snprintf(body->vertices, sizeof body->vertices, "%.17g,%.17g;%.17g,%.17g;%.17g,%.17g;%.17g,%.17g",
		 -x[0] - x[1], -y[0] - y[1], x[0] - x[1], y[0] - y[1], x[0] + x[1], y[0] + y[1], -x[0] + x[1],
		 -y[0] + y[1]);
	return SONDE_OK;
}

/* A hexagon with two corners on the x axis. */
static void set_hexagonal_prism(double edge, double height, sonde_body_options *body)
{
	const double x = 0.5 * edge, y = edge * 0.86602540378443864676;

	body->shape = SONDE_BODY_SHAPE_PRISM;
	body->height = height;
	snprintf(body->vertices, sizeof body->vertices,
		 "%.17g,0;%.17g,%.17g;%.17g,%.17g;%.17g,0;%.17g,%.17g;%.17g,%.17g", edge, x, y, -x, y, -edge, -x, -y,
		 x, -y);
}

/* The solid that a sample's atoms fill, in the form of the other shapes. */
static sonde_status set_built(const sonde_build_options *build, sonde_body_options *body)
{
	const double scale = body->scale > 0.0 ? body->scale : 1.0;
	struct build_solid solid;

	CHECK(built_solid(build, &solid));
	body->scale = 0.0;
	if (solid.hollow > 0.0)
		return status_fail_option(SONDE_INVALID, "shape",
					  "hollow shapes of build are not supported for ions; use an STL file");
	switch (solid.kind) {
	case BUILD_SPHERE:
		body->shape = SONDE_BODY_SHAPE_SPHERE;
		body->radius = scale * solid.size[0];
		return SONDE_OK;
	case BUILD_BOX:
		body->shape = SONDE_BODY_SHAPE_BOX;
		body->size = (sonde_vector){scale * solid.size[0], scale * solid.size[1], scale * solid.size[2]};
		return SONDE_OK;
	case BUILD_CYLINDER:
		if (solid.size[2] > 0.0)
			return status_fail_option(SONDE_INVALID, "shape",
						  "tubes of build are not supported for ions; use an STL file");
		body->shape = SONDE_BODY_SHAPE_CYLINDER;
		body->radius = scale * solid.size[0];
		body->height = scale * solid.size[1];
		return SONDE_OK;
	case BUILD_ELLIPSOID:
		body->shape = SONDE_BODY_SHAPE_ELLIPSOID;
		body->radii = (sonde_vector){scale * solid.size[0], scale * solid.size[1], scale * solid.size[2]};
		return SONDE_OK;
	case BUILD_CONE:
		body->shape = SONDE_BODY_SHAPE_CONE;
		body->radius = scale * solid.size[0];
		body->radius_top = scale * solid.size[1];
		body->height = scale * solid.size[2];
		return SONDE_OK;
	case BUILD_PRISM:
		set_hexagonal_prism(scale * solid.size[0], scale * solid.size[1], body);
		return SONDE_OK;
	case BUILD_STL:
		body->shape = SONDE_BODY_SHAPE_STL;
		body->scale = scale * solid.stl_scale;
		snprintf(body->file, sizeof body->file, "%s", solid.stl);
		return SONDE_OK;
	case BUILD_POLYHEDRON:
	case BUILD_NOTHING:
	case BUILD_CLUSTER:
		return status_fail_option(SONDE_INVALID, "shape",
					  "polyhedra and clusters of build are not supported for ions; use an STL "
					  "file");
	case BUILD_SUPERCELL:
		break;
	}
	return set_supercell(&solid, scale, body);
}

static sonde_status settle_body(const struct material_list *materials, const sonde_build_options *build,
				sonde_body_options *body)
{
	CHECK(replace_in_option(materials, ",;", "material", body->material));
	CHECK(replace_in_option(materials, ",;", "materials", body->materials));
	if (body->shape != SONDE_BODY_SHAPE_BUILD || body->file[0] != '\0')
		return SONDE_OK;
	CHECK(body_check_options(&body_table_in_angstrom, body));
	return set_built(build, body);
}

static sonde_status settle_bodies(const sonde_ions_job *job, const struct material_list *materials,
				  struct settled_job *settled)
{
	void *items = NULL;

	CHECK(option_items_complete(&body_table_in_angstrom, job->bodies.count, job->bodies.items, true, &items));
	settled->bodies =
	    (struct body_list){items != NULL ? job->bodies.count : 0, items, job->file, job->bodies.lines};
	for (int64_t n = 0; n < settled->bodies.count; ++n)
		CHECK(option_item_prefix(settle_body(materials, job->build, &((sonde_body_options *)items)[n]),
					 job->file, job->bodies.lines, "bodies", n));
	return SONDE_OK;
}

sonde_status ions_job_settle(const sonde_ions_job *job, struct settled_job *settled)
{
	void *items = NULL;

	*settled = (struct settled_job){NULL, {.count = 0}};
	CHECK(check(job));
	CHECK(memory_allocate(&settled->options, 1, sizeof *settled->options, "the options"));
	CHECK(options_complete(&ions_option_table, &job->options, settled->options));
	CHECK(option_items_complete(&material_item_table, job->materials.count, job->materials.items, true, &items));
	const struct material_list materials = {items != NULL ? job->materials.count : 0, items, job->file,
						job->materials.lines};
	sonde_status status = material_list_check(&materials);
	if (status == SONDE_OK)
		status = replace_in_options(&materials, settled->options);
	if (status == SONDE_OK)
		status = settle_bodies(job, &materials, settled);
	free(items);
	return status;
}

void ions_job_settled_free(struct settled_job *settled)
{
	free(settled->options);
	free((void *)(uintptr_t)settled->bodies.items);
	*settled = (struct settled_job){NULL, {.count = 0}};
}
