/* Bodies in the lists of jobs: options of an item, its shape, and its copies. */
#ifndef SONDE_MATTER_SHAPE_BODY_H
#define SONDE_MATTER_SHAPE_BODY_H

#include <stdbool.h>

#include "base/options.h"
#include "matter/shape/shape.h"
#include "sonde/body.h"

/* Both are from body.def, with lengths in m and in Angstrom. */
extern const struct option_table body_table_in_meters, body_table_in_angstrom;

/* A job's bodies; the caller owns the items. */
struct body_list {
	int64_t count;
	const sonde_body_options *items;
	const char *file; /* name of the job's file, and line of each item in it, for messages; may be null */
	const size_t *lines;
	int64_t others; /* the last items are from another file, in which they are numbered from 1 on, too; 0: none */
	const char *other_file;
	const size_t *other_lines;
};

/* Prepends the file, the line, and the number of the item to the message of an input error; `number` is from 0. */
sonde_status body_list_prefix(const struct body_list *list, sonde_status status, int64_t number);

/* Rejects options out of range, and those that the body's shape does not use. A body without a shape passes. */
sonde_status body_check_options(const struct option_table *table, const sonde_body_options *body);
/* Shapes whose solid is known from the body alone. */
#define BODY_SOLIDS                                                                                             \
	"box, sphere, ellipsoid, cylinder, cone, prism, stl, octahedron, cuboctahedron, truncated-octahedron, " \
	"tetrahedron, rhombic-dodecahedron, truncated-cube, hexagonal-prism, wulff, icosahedron, decahedron, "  \
	"parallelepiped"
bool body_is_solid(const sonde_body_options *body);
/* Requires a shape, and a material unless it is a map of voxels. */
sonde_status body_check_material(const sonde_body_options *body);
/* Requires copies to be whole numbers, not too many, and apart. */
sonde_status body_check_copies(const sonde_body_options *body);
int64_t body_copies(const sonde_body_options *body);
/* The center of a copy, from 0, along x, y and z: copies lie around the body's center. */
void body_copy_center(const sonde_body_options *body, int64_t number, double center[3]);
/* The n-th name of a list with commas or semicolons, without surrounding spaces; false if there are no more. */
bool body_list_name(const char *list, int n, char *name, size_t size);
bool body_is_turned(const sonde_body_options *body);

/* The engine's axes and unit, in which shapes are made. */
struct body_frame {
	const char *unit; /* of lengths in texts */
	double meter;     /* in that unit: the unit of STL files if the body has no scale, in any engine */
	int job_axis[3];  /* the engine's axis k is this one of x, y, z, in cyclic order */
	bool endless[3];  /* axes of the engine along which a size of 0 means that a body is infinite */
	double far_away;  /* half of such a size */
	/* position of a flat end of a body across an axis, seen from it in `direction`, 1 or -1; null: at `place` */
	double (*end)(const void *user, int axis, double place, double direction);
	const void *user;
};
extern const struct body_frame body_frame_in_angstrom; /* x, y, z themselves */

/* The solid of a body, of any shape but `build` and `voxels`, around `center`, which is along the engine's axes; a shell
 * (shape_outer()) of a body that is hollow. `more`: displacement of its surface away from the solid, small compared with
 * the body. */
sonde_status body_make_shape(const struct body_frame *frame, const sonde_body_options *body, const double center[3],
			     double more, struct shape **shape);

#endif
