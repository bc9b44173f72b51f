/* Solids that can be cut by lines: the volumes of bodies. */
#ifndef SONDE_MATTER_SHAPE_SHAPE_H
#define SONDE_MATTER_SHAPE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "matter/shape/interval.h"
#include "matter/shape/surface.h"

/* Lengths may have any unit, the same everywhere; sizes lie between 1e-30 and 1e30, positions within 1e30. Shapes are
 * immutable: any number of threads may query them. Messages name the invalid number, but not the body. */
struct shape;

/* The axes of a body rotated by these degrees about x, then about y, then about z; x, y and z stay fixed. Multiples
 * of 90 degrees are exact. */
sonde_status shape_axes_turn(const double degrees[3], struct shape_axes *axes);

/* A box from corner to corner. `axes`, unless null, rotates it about its center: its edges run along them; they need
 * not have length 1, but must be perpendicular. */
sonde_status shape_create_box(const double low[3], const double high[3], const struct shape_axes *axes,
			      struct shape **shape);
sonde_status shape_create_sphere(const double center[3], double radius, struct shape **shape);
/* semi_axes[k] along axes->of[k], or along x, y and z if `axes` is null. */
sonde_status shape_create_ellipsoid(const double center[3], const double semi_axes[3], const struct shape_axes *axes,
				    struct shape **shape);
/* A cylinder, or a cone's frustum: `center` is halfway up; radii[0] is at the beginning of `direction`, which has any
 * length, and radii[1] at its end. One of them may be 0. */
sonde_status shape_create_cylinder(const double center[3], const double direction[3], double height,
				   const double radii[2], struct shape **shape);
/* A polygon of `count` vertices in the plane perpendicular to `axis` (0, 1, 2 for x, y, z), stretched from begin to
 * end along it. A vertex is two numbers: y z, x z or x y. The polygon may have either orientation and repeat its
 * first vertex at the end; its edges must not touch or cross. */
sonde_status shape_create_prism(int axis, const double *vertices, int64_t count, double begin, double end,
				struct shape **shape);
/* A closed surface of `count` triangles, nine numbers each, times scale plus shift. Equal corners are merged; if the
 * surface is not closed then, also those that differ by less than a millionth of its size. Every edge must have a
 * partner of opposite direction. The enclosed volume is solid, also where parts of the surface overlap; inner parts
 * that are inside out are hollows. A surface that is inside out as a whole is reversed. */
sonde_status shape_create_mesh(const double *corners, int64_t count, double scale, const double shift[3],
			       struct shape **shape);
/* The same from an STL file, with all triangles moved outward by `more`, which may be negative and must be small
 * compared with them. */
sonde_status shape_create_stl(const char *path, double scale, const double shift[3], double more,
			      struct shape **shape);
/* `outer` without the inside of `inner`, of this volume. It takes both, also after a failure. */
sonde_status shape_create_shell(struct shape **outer, struct shape **inner, double volume, struct shape **shape);
void shape_free(struct shape **shape);

/* The outer shape of a shell, and its hollow; the shape itself, and null, for others. */
const struct shape *shape_outer(const struct shape *shape, const struct shape **inner);
/* The surface of a mesh, a prism, or a shell of these, to be freed by surface_free(), also after a failure. */
sonde_status shape_make_surface(const struct shape *shape, struct surface *surface);

/* Maximum number of intervals of any line, with room for sorting them: the room required by shape_line(). */
int shape_room(const struct shape *shape);
/* The intervals of coordinate `axis` in which the line through `point` along that axis is inside: sorted, none empty,
 * none touching the next, all within the bounds. Returns their number; -1 if `most` is less than shape_room() and too
 * small. Of two bodies that share a face exactly one contains a point there: boxes and cylinders whose faces are
 * perpendicular to x, y or z, prisms that share edges, meshes that share triangles. */
int shape_line(const struct shape *shape, int axis, const double point[3], struct interval *intervals, int most);
/* The same for `count` lines of a shape with a shape_room() of 1, through points with coordinates u[n] and v[n] on the
 * two axes after `axis`, cyclically. A line without an interval gets an empty one. */
void shape_lines(const struct shape *shape, int axis, int count, const double *u, const double *v,
		 struct interval *intervals);
/* Whether a point is inside, consistent with lines along x. */
bool shape_contains(const struct shape *shape, const double point[3]);
/* Where a box, from corner to corner, lies: outside, wholly inside, or, if that is not certain, perhaps across the
 * surface. Certain answers hold with a margin for rounding: lines through the box have all of it in one interval, or
 * none of it. */
enum shape_side shape_side_of_box(const struct shape *shape, const double low[3], const double high[3]);
/* The smallest box around it. */
void shape_bounds(const struct shape *shape, double low[3], double high[3]);
/* The surface of a mesh, valid as long as the shape; null for other shapes. */
const struct surface *shape_surface(const struct shape *shape);
/* For a mesh whose parts overlap: the sum of the parts' volumes, hollows subtracted. */
double shape_volume(const struct shape *shape);

#endif
