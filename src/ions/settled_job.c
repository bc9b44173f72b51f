#include "ions/settled_job.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/option_items.h"
#include "ions/material_energies.h"
#include "ions/option_table.h"
#include "matter/materials/material_list.h"
#include "matter/build/built_body.h"
#include "matter/build/crystal_options.h"
#include "matter/build/build_options.h"
#include "matter/shape/wulff.h"

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

/* The rotation of three perpendicular axes of length 1, those of x, y, z: R = R_z R_y R_x. */
static void set_rotation(const double axes[3][3], sonde_body_options *body)
{
	body->rotation =
	    (sonde_vector){atan2(axes[1][2], axes[2][2]) / DEGREE, asin(fmax(-1.0, fmin(1.0, -axes[0][2]))) / DEGREE,
			   atan2(axes[0][1], axes[0][0]) / DEGREE};
}

/* A block with edges of any directions. */
static void set_parallelepiped(const double edges[3][3], double scale, sonde_body_options *body)
{
	char *text = body->edges;
	size_t left = sizeof body->edges;

	body->shape = SONDE_BODY_SHAPE_PARALLELEPIPED;
	for (int k = 0; k < 9; ++k) {
		const int written = snprintf(text, left, "%.17g%s", scale * edges[k / 3][k % 3],
					     k == 8       ? ""
					     : k % 3 == 2 ? ";"
							  : ",");
		text += written;
		left -= (size_t)written;
	}
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

	for (int k = 0; k < 3; ++k)
		middle[k] = solid->corner[k] + 0.5 * (edges[0][k] + edges[1][k] + edges[2][k]);
	body->center.x += scale * middle[0];
	body->center.y += scale * middle[1];
	body->center.z += scale * middle[2];
	if (!is_upright(edges)) {
		set_parallelepiped(edges, scale, body);
		return SONDE_OK;
	}
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

/* A polyhedron of build, by its options. */
static sonde_status set_polyhedron(const sonde_build_options *options, double scale, sonde_body_options *body)
{
	const struct {
		double edge;
		int shape;
	} polyhedra[] = {{options->octahedron, SONDE_BODY_SHAPE_OCTAHEDRON},
			 {options->cuboctahedron, SONDE_BODY_SHAPE_CUBOCTAHEDRON},
			 {options->truncated_octahedron, SONDE_BODY_SHAPE_TRUNCATED_OCTAHEDRON},
			 {options->tetrahedron, SONDE_BODY_SHAPE_TETRAHEDRON},
			 {options->rhombic_dodecahedron, SONDE_BODY_SHAPE_RHOMBIC_DODECAHEDRON},
			 {options->truncated_cube, SONDE_BODY_SHAPE_TRUNCATED_CUBE}};
	struct crystal crystal = {.site_count = 0};
	struct file_cell cell = {.count = 0};

	for (size_t k = 0; k < sizeof polyhedra / sizeof *polyhedra; ++k) {
		if (polyhedra[k].edge == 0.0)
			continue;
		body->shape = polyhedra[k].shape;
		body->edge = scale * polyhedra[k].edge;
		return SONDE_OK;
	}
	body->shape = SONDE_BODY_SHAPE_WULFF;
	body->radius = scale * options->wulff_radius;
	memcpy(body->wulff, options->wulff, sizeof body->wulff);
	memcpy(body->orient, options->orient, sizeof body->orient);
	sonde_build_options straight = *options;
	straight.orient[0] = '\0';
	sonde_status status = build_make_crystal(NULL, &straight, &crystal, &cell);
	if (status == SONDE_OK)
		status = wulff_c_over_a((const double(*)[3])crystal.vectors, &body->c_over_a);
	crystal_free(&crystal);
	file_cell_free(&cell);
	return status;
}

static sonde_status complete_polyhedron(const sonde_build_options *given, double scale, sonde_body_options *body)
{
	sonde_build_options *options;

	CHECK(memory_allocate(&options, 1, sizeof *options, "the options of build"));
	sonde_status status = options_complete(&build_option_table, given, options);
	if (status == SONDE_OK)
		status = set_polyhedron(options, scale, body);
	free(options);
	return status;
}

/* An icosahedron or a decahedron, half a layer outside of its outermost atoms. */
static sonde_status set_cluster(const struct build_solid *solid, double scale, sonde_body_options *body)
{
	if (solid->faces.count == 0)
		return status_fail_option(
		    SONDE_INVALID, "shape",
		    "the reentrant edges of Marks' decahedra are not supported for ions; use an "
		    "STL file, or r = 0");
	set_rotation(solid->edges, body);
	body->shape = solid->cluster_edge > 0.0 ? SONDE_BODY_SHAPE_ICOSAHEDRON : SONDE_BODY_SHAPE_DECAHEDRON;
	body->edge = scale * solid->cluster_edge;
	body->radius = scale * solid->cluster_radius;
	body->height = scale * solid->cluster_height;
	return SONDE_OK;
}

/* The solid that a sample's atoms fill, in the form of the other shapes. */
static sonde_status set_built(const sonde_build_options *build, sonde_body_options *body)
{
	const double scale = body->scale > 0.0 ? body->scale : 1.0;
	struct build_solid solid;

	CHECK(built_solid(build, &solid));
	body->scale = 0.0;
	body->hollow = solid.hollow;
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
		body->shape = SONDE_BODY_SHAPE_CYLINDER;
		body->inner_radius = scale * solid.size[2];
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
		return complete_polyhedron(build, scale, body);
	case BUILD_CLUSTER:
		return set_cluster(&solid, scale, body);
	case BUILD_NOTHING:
		return status_fail(SONDE_INTERNAL, "a sample of bodies has no shape of its own");
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

/* The bodies, of which those of the joined list belong to the settled job. */
static sonde_status settle_bodies(const sonde_ions_job *job, struct settled_job *settled)
{
	sonde_body_options *items = (sonde_body_options *)(uintptr_t)settled->lists.bodies.items;

	settled->bodies = settled->lists.bodies;
	for (int64_t n = 0; n < settled->bodies.count; ++n)
		CHECK(body_list_prefix(&settled->bodies,
				       settle_body(&settled->lists.materials, job->build, &items[n]), n));
	return SONDE_OK;
}

/* A layer of the surroundings, as thick as the box around the sample, which begins at the surface. */
static sonde_status surround(const sonde_sample *sample, sonde_ions_options *options, double shift[3])
{
	double low[3], high[3];
	char number[32];

	if (options->sample_center.x != 0.0)
		return status_fail_option(
		    SONDE_INVALID, "sample_center",
		    "x is the depth in a target: give `target`, as in `target vacuum:100nm/Si`");
	if (!sample_bounds(sample, low, high))
		return status_fail_option(SONDE_INVALID, "target", "required: the sample has only maps of voxels");
	const int length = snprintf(options->target, sizeof options->target, "%s:%sA", sample->options.surroundings,
				    text_format_real(high[0] - low[0], number));
	shift[0] = -low[0];
	return length < (int)sizeof options->target
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, sample->path, "surroundings: too long");
}

static sonde_status join_lists(const sonde_ions_job *job, struct settled_job *settled)
{
	double shift[3];
	void *materials = NULL, *bodies = NULL;

	for (int k = 0; k < 3; ++k)
		shift[k] = vector_part(settled->options->sample_center, k);
	if (job->sample != NULL && settled->options->target[0] == '\0')
		CHECK(surround(job->sample, settled->options, shift));
	sonde_status status =
	    option_items_complete(&material_item_table, job->materials.count, job->materials.items, true, &materials);
	if (status == SONDE_OK)
		status = option_items_complete(&body_table_in_angstrom, job->bodies.count, job->bodies.items, true,
					       &bodies);
	const struct material_list own_materials = {
	    materials != NULL ? job->materials.count : 0, materials, job->file, job->materials.lines, 0, NULL, NULL};
	const struct body_list own_bodies = {
	    bodies != NULL ? job->bodies.count : 0, bodies, job->file, job->bodies.lines, 0, NULL, NULL};
	if (status == SONDE_OK)
		status = sample_lists_join(&own_materials, &own_bodies, job->sample, shift, false, &settled->lists);
	free(materials);
	free(bodies);
	return status;
}

/* The sample of a job; those of programs compiled with earlier versions have null there. */
sonde_status ions_job_settle(const sonde_ions_job *job, struct settled_job *settled)
{
	*settled = (struct settled_job){.options = NULL};
	CHECK(check(job));
	settled->sample = job->sample;
	CHECK(memory_allocate(&settled->options, 1, sizeof *settled->options, "the options"));
	CHECK(options_complete(&ions_option_table, &job->options, settled->options));
	CHECK(join_lists(job, settled));
	CHECK(material_list_check(&settled->lists.materials));
	CHECK(ions_take_material_energies(&settled->lists.materials, &settled->lists.bodies, settled->options));
	CHECK(replace_in_options(&settled->lists.materials, settled->options));
	return settle_bodies(job, settled);
}

void ions_job_settled_free(struct settled_job *settled)
{
	free(settled->options);
	sample_lists_free(&settled->lists);
	*settled = (struct settled_job){.options = NULL};
}
