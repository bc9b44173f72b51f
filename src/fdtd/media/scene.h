/* Bodies on a grid, painted over one another, and their intersections with lines. */
#ifndef SONDE_FDTD_MEDIA_SCENE_H
#define SONDE_FDTD_MEDIA_SCENE_H

#include <stdatomic.h>

#include "fdtd/media/medium.h"
#include "matter/shape/shape.h"
#include "fdtd/media/voxels.h"

/* Position of node 0, and distance between nodes, in the shapes' unit. */
struct paint_frame {
	double origin[3], spacing[3];
};

/* The volume of a shape; or voxels, where they are not null, whose materials have numbers of media: see voxels.h. The
 * caller keeps ownership of all. */
struct body {
	const struct shape *shape;
	const struct voxels *voxels;
	const uint16_t *voxel_media;
	uint16_t medium;
};

/* Where bodies overlap, the last one counts; outside all bodies is the background. */
struct scene {
	const struct fdtd_grid *grid;
	struct paint_frame frame;
	const struct body *bodies;
	int count;
	uint16_t background;
	int threads; /* querying it concurrently */
};

/* The media along a piece of a line, in sequence: medium[n] up to end[n], in cells. */
#define MOST_PARTS 12
struct line_parts {
	int count;
	double begin, end[MOST_PARTS];
	uint16_t medium[MOST_PARTS];
};

/* Lines through a cell that are known: 9 along each axis, at the middle and near the sides of the cell; see
 * unit_cell.h. */
#define LINES_OF_CELL 27
struct cell_lines {
	double middle[3], half[3]; /* of the cell */
	bool any, looked;          /* whether there is a cell; the result of scene_look_at() */
	bool known[LINES_OF_CELL], few[LINES_OF_CELL];
	struct line_parts parts[LINES_OF_CELL];
};

/* One body of a scene alone. */
static inline struct scene scene_of_body(const struct scene *scene, const struct body *body)
{
	return (struct scene){scene->grid, scene->frame, body, 1, scene->background, scene->threads};
}

/* Query state of a scene, one per thread. */
struct scene_view {
	const struct scene *scene;
	struct interval *intervals;
	int room;
	double (*bounds)[2][3]; /* of the bodies, in cells */
	int *near, near_count;  /* bodies whose surfaces may be in the queried region */
	uint16_t background;    /* of these bodies there */
	bool plain;             /* one body at most, of one interval, in a region within the walls */
	struct cell_lines *lines;
	char apart[128]; /* from the next thread's, whose view would else share a line of the cache */
};

/* To be released by scene_view_release(), also after a failure. */
sonde_status scene_view_make(const struct scene *scene, struct scene_view *view);
void scene_view_release(struct scene_view *view);

/* Views for the threads of a loop, each made when its thread first needs it. */
struct scene_views {
	const struct scene *scene;
	struct scene_view *views;
	atomic_bool failed;
};

/* To be ended by scene_views_end(), also after a failure. */
sonde_status scene_views_make(const struct scene *scene, struct scene_views *views);
/* Null if the memory does not suffice, which scene_views_end() reports. */
struct scene_view *scene_views_of(struct scene_views *views, int worker);
/* Releases them. SONDE_RESOURCE, "not enough memory to WHAT", if a thread had none. */
sonde_status scene_views_end(struct scene_views *views, const char *what);

/* A line along an axis through a point, in the shapes' unit: its intervals in a body of a shape, view->intervals.
 * Returns their number. */
static inline int scene_body_line(struct scene_view *view, const struct body *body, int axis, const double point[3])
{
	return shape_line(body->shape, axis, point, view->intervals, view->room);
}

/* Prepares queries of lines in the cells from `low` to `high`, counted from node 0: false if voxels, which lines cannot cut,
 * reach into them. */
bool scene_look_at(struct scene_view *view, const double low[3], const double high[3]);
/* The media along the line through a point (in cells) along an axis, from `begin` to `end`, within the prepared
 * region. Beyond walls are mirror images, or the other side of a periodic grid. Parts shorter than `least` are left
 * out. False if there are too many. */
bool scene_line(struct scene_view *view, int axis, const double point[3], double begin, double end, double least,
		struct line_parts *parts);
/* The same for `count` lines, through points with coordinates u[n] and v[n] on the two axes after `axis`, cyclically;
 * at most LINES_AT_ONCE. */
#define LINES_AT_ONCE 36
bool scene_lines(struct scene_view *view, int axis, int count, const double *u, const double *v, double begin,
		 double end, double least, struct line_parts *parts);

#endif
