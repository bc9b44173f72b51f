#include "matter/shape/body.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/option_items.h"

#define MOST_COPIES 1e5

#define OPTION_STRUCT sonde_body_options
#include "base/option_table.h"

#define LENGTH "m"
static const struct option_row rows_in_meters[] = {
#include "matter/shape/body.def"
};

#undef LENGTH
#define LENGTH "A"
static const struct option_row rows_in_angstrom[] = {
#include "matter/shape/body.def"
};

#define TABLE(rows)                                                                             \
	{                                                                                       \
		"bodies", rows, sizeof(rows) / sizeof *(rows), sizeof(sonde_body_options), true \
	}
const struct option_table body_table_in_meters = TABLE(rows_in_meters),
			  body_table_in_angstrom = TABLE(rows_in_angstrom);

void sonde_body_init_sized(sonde_body_options *body, uint64_t size)
{
	options_init_sized(&body_table_in_meters, body, size);
}

#define POLYHEDRON " edge rotation hollow "
/* Keys are between blanks, as in body.def. */
static const char *const keys[] = {
    [SONDE_BODY_SHAPE_BOX] = " size rotation hollow ",
    [SONDE_BODY_SHAPE_SPHERE] = " radius hollow ",
    [SONDE_BODY_SHAPE_ELLIPSOID] = " radii rotation hollow ",
    [SONDE_BODY_SHAPE_CYLINDER] = " radius height axis inner_radius hollow ",
    [SONDE_BODY_SHAPE_CONE] = " radius radius_top height axis hollow ",
    [SONDE_BODY_SHAPE_PRISM] = " vertices height axis hollow ",
    [SONDE_BODY_SHAPE_STL] = " file scale hollow ",
    [SONDE_BODY_SHAPE_BUILD] = " file scale radius ",
    [SONDE_BODY_SHAPE_VOXELS] = " file scale materials ",
    [SONDE_BODY_SHAPE_OCTAHEDRON] = POLYHEDRON,
    [SONDE_BODY_SHAPE_CUBOCTAHEDRON] = POLYHEDRON,
    [SONDE_BODY_SHAPE_TRUNCATED_OCTAHEDRON] = POLYHEDRON,
    [SONDE_BODY_SHAPE_TETRAHEDRON] = POLYHEDRON,
    [SONDE_BODY_SHAPE_RHOMBIC_DODECAHEDRON] = POLYHEDRON,
    [SONDE_BODY_SHAPE_TRUNCATED_CUBE] = POLYHEDRON,
    [SONDE_BODY_SHAPE_HEXAGONAL_PRISM] = " edge height rotation hollow ",
    [SONDE_BODY_SHAPE_WULFF] = " wulff radius c_over_a rotation hollow ",
    [SONDE_BODY_SHAPE_ICOSAHEDRON] = POLYHEDRON,
    [SONDE_BODY_SHAPE_DECAHEDRON] = " radius height rotation hollow ",
    [SONDE_BODY_SHAPE_PARALLELEPIPED] = " edges rotation hollow ",
};
#define EVERY_BODY " material shape center repeat pitch in_reference orient lattice cell_center "

sonde_status body_check_options(const struct option_table *table, const sonde_body_options *body)
{
	static const char *const names[] = {"a box",
					    "a sphere",
					    "an ellipsoid",
					    "a cylinder",
					    "a cone",
					    "a prism",
					    "an STL",
					    "a body of build",
					    "a map of voxels",
					    "an octahedron",
					    "a cuboctahedron",
					    "a truncated octahedron",
					    "a tetrahedron",
					    "a rhombic dodecahedron",
					    "a truncated cube",
					    "a hexagonal prism",
					    "a Wulff construction",
					    "an icosahedron",
					    "a decahedron",
					    "a parallelepiped"};

	if (body->shape < 0)
		return SONDE_OK;           /* is rejected elsewhere */
	CHECK(options_check(table, body)); /* before its shape is looked up */
	return option_item_check(table, body, names[body->shape],
				 (const char *const[OPTION_ITEM_KEYS]){EVERY_BODY, keys[body->shape], " "});
}

sonde_status body_check_copies(const sonde_body_options *body)
{
	double all = body->repeat.x * body->repeat.y * body->repeat.z;

	if (all > MOST_COPIES)
		return status_fail_option(SONDE_INVALID, "repeat", "%g copies are more than the maximum of %g", all,
					  MOST_COPIES);
	for (int u = 0; u < 3; ++u) {
		double copies = vector_part(body->repeat, u);
		if (copies != floor(copies))
			return status_fail_option(SONDE_INVALID, "repeat", "%g is not a whole number of copies",
						  copies);
		if (copies > 1.0 && vector_part(body->pitch, u) == 0.0)
			return status_fail_option(SONDE_INVALID, "pitch",
						  "required along %c, the distance between the copies", "xyz"[u]);
	}
	return SONDE_OK;
}

sonde_status body_check_material(const sonde_body_options *body)
{
	if (body->shape < 0)
		return status_fail_option(SONDE_INVALID, "shape",
					  "required, one of " BODY_SOLIDS ", build or voxels");
	if (body->material[0] == '\0' && body->shape != SONDE_BODY_SHAPE_VOXELS)
		return status_fail_option(SONDE_INVALID, "material", "required for this body");
	return SONDE_OK;
}

int64_t body_copies(const sonde_body_options *body)
{
	return (int64_t)body->repeat.x * (int64_t)body->repeat.y * (int64_t)body->repeat.z;
}

void body_copy_center(const sonde_body_options *body, int64_t number, double center[3])
{
	const int64_t copies[3] = {(int64_t)body->repeat.x, (int64_t)body->repeat.y, (int64_t)body->repeat.z};
	const int64_t copy[3] = {number % copies[0], number / copies[0] % copies[1],
				 number / (copies[0] * copies[1])};

	for (int u = 0; u < 3; ++u)
		center[u] = vector_part(body->center, u) +
			    ((double)copy[u] - 0.5 * (double)(copies[u] - 1)) * vector_part(body->pitch, u);
}

sonde_status body_list_prefix(const struct body_list *list, sonde_status status, int64_t number)
{
	const int64_t own = list->count - list->others;

	return number < own ? option_item_prefix(status, list->file, list->lines, "bodies", number)
			    : option_item_prefix(status, list->other_file, list->other_lines, "bodies", number - own);
}

bool body_is_solid(const sonde_body_options *body)
{
	return body->shape != SONDE_BODY_SHAPE_VOXELS && body->shape != SONDE_BODY_SHAPE_BUILD;
}

bool body_is_turned(const sonde_body_options *body)
{
	return body->rotation.x != 0.0 || body->rotation.y != 0.0 || body->rotation.z != 0.0;
}

bool body_list_name(const char *list, int n, char *name, size_t size)
{
	size_t length;

	for (; n > 0 && *list != '\0'; --n) {
		list += strcspn(list, ";,");
		list += *list != '\0';
	}
	list += strspn(list, " ");
	length = strcspn(list, ";,");
	while (length > 0 && list[length - 1] == ' ')
		--length;
	snprintf(name, size, "%.*s", (int)length, list);
	return *list != '\0';
}
