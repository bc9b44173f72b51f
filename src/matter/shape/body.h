/* Bodies as jobs list them: options of an item, the shape that it is, and its copies. */
#ifndef SONDE_MATTER_SHAPE_BODY_H
#define SONDE_MATTER_SHAPE_BODY_H

#include <stdbool.h>

#include "base/options.h"
#include "matter/shape/shape.h"
#include "sonde/body.h"

/* Both are of body.def, with lengths in m and in Angstrom. */
extern const struct option_table body_table_in_meters, body_table_in_angstrom;

/* A job's bodies; the items are the caller's. */
struct body_list {
	int64_t count;
	const sonde_body_options *items;
	const char *file; /* the job's, and where it has each of the items, for messages; may be null */
	const size_t *lines;
};

/* Options out of range, or such as the body's shape does not use. One without a shape passes. */
sonde_status body_check_options(const struct option_table *table, const sonde_body_options *body);
/* A shape is given, and a material unless it is a map of voxels. */
sonde_status body_check_material(const sonde_body_options *body);
/* Copies are whole numbers, not too many, and apart. */
sonde_status body_check_copies(const sonde_body_options *body);
int64_t body_copies(const sonde_body_options *body);
/* The center of a copy, from 0, along x, y and z: they lie around that of the body. */
void body_copy_center(const sonde_body_options *body, int64_t number, double center[3]);
/* The n-th name of a list with commas or semicolons, without spaces around it; false where there are no more. */
bool body_list_name(const char *list, int n, char *name, size_t size);
bool body_is_turned(const sonde_body_options *body);

/* The engine's axes and unit, in which shapes are made. */
struct body_frame {
	const char *unit; /* of lengths in texts */
	double meter;     /* in that unit: that of STL files where the body has no scale, in any engine */
	int job_axis[3];  /* the engine's axis k is this one of x, y, z, in the order of a circle */
	bool endless[3];  /* axes, the engine's, along which a size of 0 means that a body has no end there */
	double far_away;  /* half of such a size */
	/* where a flat end of a body across an axis is, seen from it in `direction`, 1 or -1; null: at `place` */
	double (*end)(const void *user, int axis, double place, double direction);
	const void *user;
};
extern const struct body_frame body_frame_in_angstrom; /* x, y, z themselves */

/* The solid of a body, of any shape but `build` and `voxels`, about `center`, which is along the engine's axes. `more`: what the sides of
 * a prism, and all of an STL, are further out. */
sonde_status body_make_shape(const struct body_frame *frame, const sonde_body_options *body, const double center[3],
			     double more, struct shape **shape);

#endif
