/* Solids that lines cut: what a body of matter fills. */
#ifndef SONDE_MATTER_SHAPE_SHAPE_H
#define SONDE_MATTER_SHAPE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "matter/shape/interval.h"
#include "matter/shape/surface.h"

/* Lengths may have any unit, the same everywhere; sizes lie between 1e-30 and 1e30, places within 1e30. Once made, a
 * shape does not change: any number of threads may ask it. Messages say what is wrong with which number, not of which
 * body. */
struct shape;

/* The axes of a body turned by so many degrees about x, then about y, then about z; x, y and z stay where they are.
 * Multiples of 90 degrees are exact. */
sonde_status shape_axes_turn(const double degrees[3], struct shape_axes *axes);

/* A box from corner to corner. `axes`, unless null, turns it about its center: its edges run along them; they need
 * not have length 1, but must be perpendicular. */
sonde_status shape_create_box(const double low[3], const double high[3], const struct shape_axes *axes,
			      struct shape **shape);
sonde_status shape_create_sphere(const double center[3], double radius, struct shape **shape);
/* semi_axes[k] along axes->of[k], or along x, y and z where `axes` is null. */
sonde_status shape_create_ellipsoid(const double center[3], const double semi_axes[3], const struct shape_axes *axes,
				    struct shape **shape);
/* A cylinder, or a cone's frustum: `center` is halfway up; radii[0] is where `direction`, of any length, begins and
 * radii[1] where it points to. One of them may be 0. */
sonde_status shape_create_cylinder(const double center[3], const double direction[3], double height,
				   const double radii[2], struct shape **shape);
/* A polygon of `count` vertices in the plane perpendicular to `axis` (0, 1, 2 for x, y, z), stretched from begin to
 * end along it. A vertex is two numbers: y z, x z or x y. The polygon may turn either way and repeat its first vertex
 * at the end; its edges must not touch or cross. */
sonde_status shape_create_prism(int axis, const double *vertices, int64_t count, double begin, double end,
				struct shape **shape);
/* A closed surface of `count` triangles, nine numbers each, times scale plus shift. Corners are one where they are
 * equal; if the surface is not closed then, where they differ by less than a millionth of its size. Every edge must
 * have its partner that runs the other way. What the surface surrounds is solid, also where parts of it overlap; parts
 * within that are turned inside out are hollows. A surface that is inside out as a whole is turned. */
sonde_status shape_create_mesh(const double *corners, int64_t count, double scale, const double shift[3],
			       struct shape **shape);
/* The same from an STL file, with all triangles `more` outwards, which is small against them. */
sonde_status shape_create_stl(const char *path, double scale, const double shift[3], double more,
			      struct shape **shape);
void shape_free(struct shape **shape);

/* How many intervals any line has at most, with room for sorting them: what shape_line() must be given. */
int shape_room(const struct shape *shape);
/* The intervals of coordinate `axis` in which the line through `point` along that axis is inside: sorted, none empty,
 * none touching the next, all within the bounds. Returns how many; -1 where `most` is less than shape_room() and does
 * not do. Of two bodies that share a face exactly one has a point there: boxes and cylinders whose faces are
 * perpendicular to x, y or z, prisms that share edges, meshes that share triangles. */
int shape_line(const struct shape *shape, int axis, const double point[3], struct interval *intervals, int most);
/* Whether a point is inside, exactly as lines along x say. */
bool shape_contains(const struct shape *shape, const double point[3]);
/* The smallest box around it. */
void shape_bounds(const struct shape *shape, double low[3], double high[3]);
/* The surface of a mesh, as long as the shape lives; null of other shapes. */
const struct surface *shape_surface(const struct shape *shape);
/* Of a mesh whose parts overlap: the sum of the parts' volumes, hollows subtracted. */
double shape_volume(const struct shape *shape);

#endif
