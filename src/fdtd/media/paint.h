/* Bodies painted onto the media of the grid. */
#ifndef SONDE_FDTD_MEDIA_PAINT_H
#define SONDE_FDTD_MEDIA_PAINT_H

#include "fdtd/media/media_part.h"
#include "fdtd/media/mixture.h"
#include "fdtd/media/scene.h"

/* Each edge gets the medium of the last body that contains its midpoint; so does each face, if there are any. Those
 * outside all bodies keep theirs. Rows are painted by all threads. */
sonde_status paint_scene(const struct scene *scene, struct media *media);
/* The same of one shape. */
sonde_status paint_shape(const struct fdtd_grid *grid, const struct paint_frame *frame, const struct shape *shape,
			 uint16_t number, struct media *media);

/* After paint_scene(): edges and faces near flat faces of bodies get the effective medium of the unit cell around
 * their midpoint.
 *
 * If the cell is uniform along the edge, fields along the edge pass through all media side by side: their
 * permittivity is the mean over the cell's cross-section. If it is uniform across the edge, the layers are in series:
 * the inverse of the mean of the inverses. Both make flat faces across the grid's axes exact to second order,
 * wherever they are (Hwang and Cangellaris, IEEE Microw. Wirel. Compon. Lett. 11 (2001) 158). All other edges, those
 * at curved and oblique surfaces, are left unchanged, since means over their cells are worse than staircasing; so are
 * edges at perfect conductors and voxels.
 *
 * Shares are multiples of 1/1024, of curved sections 1/64. `count` returns statistics. */
sonde_status paint_means(const struct scene *scene, struct media *media, struct mixtures_count *count);

/* After paint_means(): bodies in a layer with `losses`, if media in its cross-section vary along both axes, get
 * conductivity there. Such a section guides waves, some with opposite phase and group velocities (Ibanescu et al.,
 * Phys. Rev. Lett. 92 (2004) 063903). A layer does not absorb these but amplifies them, however thick it is (Loh et
 * al., Phys. Rev. E 79 (2009) 065601), by sigma times the ratio of the speeds, which is small: so is the conductivity
 * that suffices. Surfaces with losses are not smoothed. Unbounded media, or a section that varies along one axis
 * only, have no such waves. */
sonde_status paint_losses(const struct fdtd_grid *grid, struct media *media);

/* Position in cells from which a place is painted, `shift` beyond its node along an axis. In absorbing layers, and at
 * the nodes of their inner sides, that is the middle of the last cell before them: media in the layer are those of
 * this section, continued along its axis. Then surfaces in a layer are parallel to its axis, whatever their angle of
 * incidence, and all three components see the same one: tensors that couple stretched components with others, or that
 * differ along the axes of two adjoining layers, make fields that grow. */
double paint_place(const struct fdtd_grid *grid, int axis, int node, double shift, bool *in_layer);

/* A slab of planes of the grid: what is found near surfaces is found slab by slab, so that its memory does not grow
 * with the grid. */
struct paint_slab {
	int first, end;
};
/* The slab after another one, from {0, 0} on, of the planes to be painted (null: all); false after the last. None ends
 * within the absorbing layers, nor next to them: see paint_place(). */
bool paint_next_slab(const struct fdtd_grid *grid, const struct media_part *part, struct paint_slab *slab);

/* Edges and faces near surfaces of bodies: bits for all nodes of a slab, by components: edges, then faces. */
struct paint_marks {
	struct paint_slab slab;
	uint32_t *words[6]; /* null: not searched */
};
/* Marks those with a surface within `reach` cells along an axis. To be freed by paint_marks_free(), also after a
 * failure. */
sonde_status paint_marks_make(const struct scene *scene, double reach, const bool wanted[6],
			      const struct paint_slab *slab, struct paint_marks *marks);
void paint_marks_free(struct paint_marks *marks);
/* Copies to a component's marks in layers those of the section painted there. */
void paint_marks_in_layers(const struct scene *scene, const struct paint_slab *slab, const double shift[3],
			   uint32_t *words);
/* The first mark of a component at `from` or later, below `end`, as numbers of media_at(); `end` if there is none. */
size_t paint_marks_next(const struct fdtd_grid *grid, const struct paint_marks *marks, int component, size_t from,
			size_t end);
/* Midpoints relative to their node: of edges 0 to 2, of faces 3 to 5. */
void paint_shift(int component, double shift[3]);

#endif
