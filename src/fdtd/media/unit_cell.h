/* Media around the midpoint of an edge or a face, or around a node. */
#ifndef SONDE_FDTD_MEDIA_UNIT_CELL_H
#define SONDE_FDTD_MEDIA_UNIT_CELL_H

#include "fdtd/media/mixture.h"
#include "fdtd/media/scene.h"

#define UNIT_CELL_LEAST 1e-3 /* cells: thinner layers are neglected, faces that differ by less are flat */

/* A cell around its middle, in cells from node 0; along uniform axes it is flat. */
struct unit_cell {
	double middle[3], half[3];
};

/* The cell around a place, `shift` beyond its node; in absorbing layers the one that their media come from: see
 * paint_place(). */
struct unit_cell unit_cell_at(const struct fdtd_grid *grid, const int node[3], const double shift[3],
			      bool in_layer[3]);
/* Along the axis of a layer the middle of a cell is continued: it becomes flat along this axis. */
struct unit_cell unit_cell_cut(struct unit_cell cell, const bool in_layer[3]);
/* Prepares the view for the cell, before its lines; false if there are voxels in it. */
bool unit_cell_look(struct scene_view *view, const struct unit_cell *cell);
/* The media along the whole cell, on `count` lines u[n] and v[n] off its middle along the two axes after `axis`,
 * cyclically: see scene_lines(). */
bool unit_cell_lines(struct scene_view *view, const struct unit_cell *cell, int axis, int count, const double *u,
		     const double *v, struct line_parts *parts);
/* The same through the cell's middle (sides 0) or near its sides (-1 and 1): remembered until the next cell. */
bool unit_cell_known_line(struct scene_view *view, const struct unit_cell *cell, int axis, const int sides[3],
			  const struct line_parts **parts);
/* The medium of a field along `edge` if faces are flat: see paint_means(). False if they are not, or if there is one
 * medium. */
bool unit_cell_mixture(struct scene_view *view, const struct unit_cell *cell, int edge, struct mixture *mixture);

/* The inverse permittivity tensor in a cell with a surface through it: `across` along the normal, `along` in the
 * surface. */
struct cell_tensor {
	double normal[3], across, along;
};
enum cell_content { CELL_UNIFORM, CELL_SURFACE, CELL_UNKNOWN };

/* The normal is that of the plane that best fits the intersections of lines through the cell with surfaces; along it
 * the mean of the inverse permittivities applies, in the surface the inverse of the permittivities' mean (Farjadpour
 * et al., Opt. Lett. 31 (2006) 2972). CELL_UNKNOWN if voxels, conductors, or media with losses or poles are in it. */
enum cell_content unit_cell_tensor(struct scene_view *view, const struct media *media, const struct unit_cell *cell,
				   struct cell_tensor *tensor);

/* The media in a cell, and the normal of the surface through it. */
struct cell_surface {
	double normal[3];
	bool flat;  /* across an axis */
	int layers; /* of media, in series, at most */
	int count;
	uint16_t media[MOST_MIXED];
	double shares[MOST_MIXED]; /* 1 together */
};
/* CELL_UNIFORM: media[0] alone. CELL_UNKNOWN if voxels or too many media are in it. */
enum cell_content unit_cell_surface(struct scene_view *view, const struct unit_cell *cell,
				    struct cell_surface *surface);

static inline double cell_tensor_at(const struct cell_tensor *tensor, int a, int b)
{
	return tensor->normal[a] * tensor->normal[b] * (tensor->across - tensor->along) +
	       (a == b ? tensor->along : 0.0);
}

#endif
