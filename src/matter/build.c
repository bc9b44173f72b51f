/* Lattice and shape to atoms. */
#include "matter/build.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "run/context.h"
#include "matter/atoms.h"
#include "matter/crystal.h"
#include "matter/defects.h"
#include "matter/generate.h"
#include "matter/label.h"

#define OPTION_STRUCT sonde_build_options
#include "base/option_table.h"

static const struct option_row rows[] = {
#include "matter/build_options.def"
};

const struct option_table build_option_table = {"build", rows, sizeof rows / sizeof *rows,
						sizeof(sonde_build_options), true};

#define MOST_ATOMS 4e9
#define MOST_CELLS 2e9  /* cells examined along one axis times another */
#define ON_SURFACE 1e-9 /* atoms this close outside a surface, relative, belong to the shape */

void sonde_build_options_init_sized(sonde_build_options *options, uint64_t size)
{
	options_init_sized(&build_option_table, options, size);
}

struct shape {
	enum build_kind kind;
	double size[3]; /* see struct build_solid */
	double center[3];
};

static bool given(const sonde_vector *vector)
{
	return vector->x != 0.0 || vector->y != 0.0 || vector->z != 0.0;
}

static sonde_status find_shape(const sonde_build_options *options, struct shape *shape)
{
	int count = 0;
	const sonde_vector *box = &options->box, *cylinder = &options->cylinder, *cells = &options->supercell;

	*shape = (struct shape){0};
	if (options->sphere != 0.0) {
		*shape = (struct shape){BUILD_SPHERE, {options->sphere, 0, 0}, {0}};
		++count;
	}
	if (given(box)) {
		*shape = (struct shape){BUILD_BOX, {box->x, box->y, box->z}, {0}};
		++count;
		if (box->x <= 0.0 || box->y <= 0.0 || box->z <= 0.0)
			return status_fail_option(SONDE_INVALID, "box", "every edge must be longer than 0");
	}
	if (given(cylinder)) {
		*shape = (struct shape){BUILD_CYLINDER, {cylinder->x, cylinder->y, cylinder->z}, {0}};
		++count;
		if (cylinder->x <= 0.0 || cylinder->y <= 0.0 || cylinder->z >= cylinder->x)
			return status_fail_option(SONDE_INVALID, "cylinder",
						  "radius and length must be above 0, and the inner radius below "
						  "the radius");
	}
	if (given(cells)) {
		*shape = (struct shape){BUILD_SUPERCELL, {cells->x, cells->y, cells->z}, {0}};
		++count;
		for (int k = 0; k < 3; ++k)
			if (shape->size[k] < 1.0 || shape->size[k] != floor(shape->size[k]))
				return status_fail_option(
				    SONDE_INVALID, "supercell",
				    "the numbers of cells must be integers of at least 1, not %g", shape->size[k]);
	}
	if (count != 1)
		return status_fail(SONDE_INVALID, "%s; give one of `sphere`, `box`, `cylinder`, `supercell`",
				   count == 0 ? "no shape is given" : "more than one shape is given");
	return SONDE_OK;
}

/* Splits "Co,O" into the labels of the structure's species, adds them to the atoms. */
static sonde_status add_species(const sonde_build_options *options, sonde_atoms *atoms, uint16_t *species)
{
	int wanted = crystal_species_count(options->cell), count = 0;
	const char *c = options->species;
	struct label label;
	char name[SONDE_LABEL_SIZE];

	if (*c == '\0')
		return status_fail_option(SONDE_INVALID, "species", "not given; add e.g. `species %s`",
					  wanted == 1   ? "Au"
					  : wanted == 2 ? "Co,O"
							: "Sr,Ti,O");
	for (;; ++c) {
		size_t length = strcspn(c, ",");
		if (length >= sizeof name)
			return status_fail_option(SONDE_INVALID, "species", "'%.*s' is too long for a label",
						  (int)length, c);
		memcpy(name, c, length);
		name[length] = '\0';
		sonde_status status = label_parse(name, &label);
		if (status != SONDE_OK)
			return status_prefix_option(status, "species");
		if (count < wanted)
			CHECK(atoms_species_index(atoms, name, &species[count]));
		++count;
		c += length;
		if (*c == '\0')
			break;
	}
	if (count != wanted)
		return status_fail_option(SONDE_INVALID, "species", "this structure has %d, not %d", wanted, count);
	return SONDE_OK;
}

static bool inside(const struct shape *shape, const double *r)
{
	const double *s = shape->size, grow = 1.0 + ON_SURFACE;
	double rho2 = r[0] * r[0] + r[1] * r[1];

	switch (shape->kind) {
	case BUILD_SPHERE:
		return rho2 + r[2] * r[2] <= s[0] * s[0] * grow;
	case BUILD_BOX:
		return 2.0 * fabs(r[0]) <= s[0] * grow && 2.0 * fabs(r[1]) <= s[1] * grow &&
		       2.0 * fabs(r[2]) <= s[2] * grow;
	case BUILD_CYLINDER:
		return rho2 <= s[0] * s[0] * grow && rho2 * grow >= s[2] * s[2] && 2.0 * fabs(r[2]) <= s[1] * grow;
	case BUILD_SUPERCELL:
		return true;
	}
	return false;
}

/* Half the edges, along x, y, z, of the box that encloses the shape. */
static void half_box(const struct shape *shape, double half[3])
{
	for (int k = 0; k < 3; ++k)
		half[k] = shape->kind == BUILD_SPHERE ? shape->size[0] : 0.5 * shape->size[k];
	if (shape->kind == BUILD_CYLINDER) {
		half[0] = half[1] = shape->size[0];
		half[2] = 0.5 * shape->size[1];
	}
}

/* The cells n in [low, high] that can touch the shape: by the rows of the inverse matrix, n_k = x . b_k. */
static void cell_range(const struct crystal *crystal, const struct shape *shape, int64_t low[3], int64_t high[3])
{
	const double(*a)[3] = crystal->vectors;
	double half[3], center_n[3];

	if (shape->kind == BUILD_SUPERCELL) {
		for (int k = 0; k < 3; ++k) {
			low[k] = 0;
			high[k] = (int64_t)shape->size[k] - 1;
		}
		return;
	}
	half_box(shape, half);
	for (int k = 0; k < 3; ++k) {
		const double *u = a[(k + 1) % 3], *v = a[(k + 2) % 3];
		double b[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
		double volume = a[k][0] * b[0] + a[k][1] * b[1] + a[k][2] * b[2], reach = 0.0;
		center_n[k] = 0.0;
		for (int m = 0; m < 3; ++m) {
			reach += fabs(b[m] / volume) * half[m];
			center_n[k] += b[m] / volume * shape->center[m];
		}
		low[k] = (int64_t)floor(center_n[k] - reach) - 1;
		high[k] = (int64_t)ceil(center_n[k] + reach) + 1;
	}
}

static sonde_status fill_shape(sonde_context *context, const struct crystal *crystal, const struct shape *shape,
			       const uint16_t *species, sonde_atoms *atoms)
{
	int64_t low[3], high[3], n[3];
	struct stage stage;

	cell_range(crystal, shape, low, high);
	double rows_of_cells = (double)(high[0] - low[0] + 1) * (double)(high[1] - low[1] + 1);
	double cells = rows_of_cells * (double)(high[2] - low[2] + 1);
	if (rows_of_cells > MOST_CELLS || cells * crystal->site_count > 2.0 * MOST_ATOMS)
		return status_fail(SONDE_INVALID, "the shape is too large: about %.2g atoms; the limit is %.0g",
				   cells * crystal->site_count, MOST_ATOMS);
	/* 26 bytes per atom, and half as much while the arrays grow; a shape may fill half of its box */
	double needed = (shape->kind == BUILD_SUPERCELL ? 1.0 : 0.5) * cells * crystal->site_count * 39.0;
	if (needed > (double)context_memory(context))
		return status_fail(
		    SONDE_INVALID,
		    "not enough memory: the shape has about %.2g atoms, which need %.1f GB and %.1f GB "
		    "are allowed; a smaller shape would fit",
		    needed / 39.0, needed * 1e-9, (double)context_memory(context) * 1e-9);
	stage_begin(&stage, context, "build", "layers", (double)(high[0] - low[0] + 1));
	for (n[0] = low[0]; n[0] <= high[0]; ++n[0]) {
		for (n[1] = low[1]; n[1] <= high[1]; ++n[1]) {
			for (n[2] = low[2]; n[2] <= high[2]; ++n[2]) {
				CHECK(atoms_reserve(atoms, atoms->count + crystal->site_count));
				for (int s = 0; s < crystal->site_count; ++s) {
					double position[3];
					for (int m = 0; m < 3; ++m) {
						position[m] = -shape->center[m];
						for (int k = 0; k < 3; ++k)
							position[m] += ((double)n[k] + crystal->site[s][k]) *
								       crystal->vectors[k][m];
					}
					if (inside(shape, position))
						atoms_append(atoms, species[crystal->site_species[s]], position);
				}
			}
			if (context_cancelled(context))
				break;
		}
		CHECK(stage_advance(&stage, (double)(n[0] - low[0] + 1)));
	}
	return SONDE_OK;
}

/* A small shape may contain no atom of some species of the structure: those are removed. */
static void drop_empty_species(sonde_atoms *atoms)
{
	uint16_t index[CRYSTAL_SITES];
	int kept = 0;

	for (int s = 0; s < atoms->species_count; ++s) {
		index[s] = (uint16_t)kept;
		if (atoms->species[s].atoms > 0)
			atoms->species[kept++] = atoms->species[s];
	}
	if (kept < atoms->species_count)
		for (int64_t i = 0; i < atoms->count; ++i)
			atoms->species_of[i] = index[atoms->species_of[i]];
	atoms->species_count = kept;
}

/* The options that were set, as a command that sets them: the sample's name. */
static sonde_status describe(const sonde_build_options *options, struct text *source)
{
	sonde_build_options defaults;
	struct text value = {0}, usual = {0};
	char flag[64];

	sonde_build_options_init(&defaults);
	text_append(source, "sonde build");
	for (size_t k = 0; k < build_option_table.count; ++k) {
		const struct option_row *row = &build_option_table.rows[k];
		value.size = usual.size = 0;
		option_print(row, options, &value);
		option_print(row, &defaults, &usual);
		if (value.size > 0 && (k == 0 || usual.size == 0 || strcmp(value.bytes, usual.bytes) != 0))
			text_append(source, row->type == OPTION_BOOLEAN ? " --%s" : " --%s %s",
				    option_flag(row, flag), value.bytes);
	}
	sonde_status status =
	    value.failed || usual.failed ? text_status(value.failed ? &value : &usual) : text_status(source);
	text_free(&value);
	text_free(&usual);
	return status;
}

static sonde_status check_options(const sonde_build_options *options)
{
	if (options->cell < 0)
		return status_fail_option(SONDE_INVALID, "cell", "no structure is given; add e.g. `cell rocksalt`");
	if (options->a == 0.0)
		return status_fail_option(SONDE_INVALID, "a", "the lattice constant is missing, e.g. `a 4.2614`");
	if (options->c != 0.0 && options->cell != SONDE_BUILD_CELL_HCP && options->cell != SONDE_BUILD_CELL_WURTZITE)
		return status_fail_option(SONDE_INVALID, "c", "only hcp and wurtzite have a second lattice constant");
	if (options->c != 0.0 && options->c < 0.1)
		return status_fail_option(SONDE_INVALID, "c",
					  "%g Angstrom is not a valid lattice constant; at least 0.1", options->c);
	if (options->u != 0.375 && options->cell != SONDE_BUILD_CELL_WURTZITE)
		return status_fail_option(SONDE_INVALID, "u", "only wurtzite has this parameter");
	CHECK(options_check(&build_option_table, options));
	return generate_check_absent(&build_option_table, options);
}

static void find_center(const sonde_build_options *options, const struct crystal *crystal, struct shape *shape)
{
	const double fraction[3] = {options->center.x, options->center.y, options->center.z};

	for (int m = 0; m < 3; ++m)
		for (int k = 0; k < 3; ++k)
			shape->center[m] += fraction[k] * crystal->vectors[k][m];
}

sonde_status build_solid_of(const sonde_build_options *given_options, struct build_solid *solid)
{
	sonde_build_options complete, *options = &complete;
	struct crystal crystal;
	struct shape shape;

	CHECK(options_complete(&build_option_table, given_options, options));
	if (generate_wanted(options) || options->strain[0] != '\0' || options->relax[0] != '\0' ||
	    options->fault[0] != '\0')
		return status_fail(
		    SONDE_INVALID,
		    "only samples cut from a lattice, without `strain`, `relax` and `fault`, fill a known solid");
	CHECK(check_options(options));
	CHECK(find_shape(options, &shape));
	crystal_make(options->cell, options->a, options->c, options->u, &crystal);
	find_center(options, &crystal, &shape);
	*solid = (struct build_solid){.kind = shape.kind};
	for (int k = 0; k < 3; ++k) {
		solid->size[k] = shape.size[k];
		solid->corner[k] = -shape.center[k];
		for (int m = 0; m < 3; ++m)
			solid->edges[k][m] =
			    shape.kind == BUILD_SUPERCELL ? shape.size[k] * crystal.vectors[k][m] : 0.0;
	}
	return SONDE_OK;
}

/* A sample that is not cut from a lattice. */
static sonde_status generate(sonde_context *context, const sonde_build_options *options, sonde_atoms **result)
{
	sonde_atoms *atoms;
	sonde_status status;

	CHECK(sonde_atoms_create(&atoms));
	CHECK_GOTO(status, generate_run(context, &build_option_table, options, atoms), failed);
	CHECK_GOTO(status,
		   atoms->count > 0 ? SONDE_OK : status_fail(SONDE_INVALID, "the sample has no atom; make it larger"),
		   failed);
	atoms_drop_absent_species(atoms);
	CHECK_GOTO(status, defects_apply(options, atoms), failed);
	CHECK_GOTO(status, describe(options, &atoms->source), failed);
	*result = atoms;
	return SONDE_OK;
failed:
	sonde_atoms_free(&atoms);
	return status;
}

sonde_status sonde_build_run(sonde_context *context, const sonde_build_options *given_options, sonde_atoms **result)
{
	sonde_build_options complete, *options = &complete;
	struct crystal crystal;
	struct shape shape;
	sonde_atoms *atoms;
	uint16_t species[3];
	sonde_status status;

	*result = NULL;
	if (context == NULL)
		return status_fail(SONDE_INVALID, "a context is needed: sonde_context_create()");
	CHECK(options_complete(&build_option_table, given_options, options));
	if (generate_wanted(options))
		return generate(context, options, result);
	CHECK(check_options(options));
	CHECK(find_shape(options, &shape));
	crystal_make(options->cell, options->a, options->c, options->u, &crystal);
	find_center(options, &crystal, &shape);
	CHECK(sonde_atoms_create(&atoms));
	CHECK_GOTO(status, add_species(options, atoms, species), failed);
	CHECK_GOTO(status, fill_shape(context, &crystal, &shape, species, atoms), failed);
	if (atoms->count == 0) {
		status = status_fail(SONDE_INVALID, "no atom lies in the shape; make it larger");
		goto failed;
	}
	drop_empty_species(atoms);
	if (shape.kind == BUILD_SUPERCELL) {
		atoms->has_lattice = true;
		for (int k = 0; k < 3; ++k)
			for (int m = 0; m < 3; ++m)
				atoms->lattice[3 * k + m] = shape.size[k] * crystal.vectors[k][m];
	}
	CHECK_GOTO(status, defects_apply(options, atoms), failed);
	CHECK_GOTO(status, describe(options, &atoms->source), failed);
	*result = atoms;
	return SONDE_OK;
failed:
	sonde_atoms_free(&atoms);
	return status;
}
