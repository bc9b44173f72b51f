/* Bodies painted onto the media of the grid. */
#ifndef SONDE_FDTD_MEDIA_PAINT_H
#define SONDE_FDTD_MEDIA_PAINT_H

#include "fdtd/media/mixture.h"
#include "fdtd/media/scene.h"

/* Each edge gets the medium of the last body that its middle is in; so does each face, where there are any. What lies in none keeps what it
 * has. Rows are painted by all threads. */
sonde_status paint_scene(const struct scene *scene, struct media *media);
/* The same of one shape. */
sonde_status paint_shape(const struct fdtd_grid *grid, const struct paint_frame *frame, const struct shape *shape,
			 uint16_t number, struct media *media);

/* Behind paint_scene(): edges and faces that flat faces of bodies pass near get what the field meets there, of the media in the unit cell about
 * their middle.
 *
 * Where all that lies in the cell is the same along the edge, fields along the edge go through all of it side by side: their permittivity is the
 * mean over the cell's section. Where it is the same across the edge, it is that of layers one behind the other, the inverse of the inverses' mean. Both make
 * flat faces across the grid's axes exact to second order, wherever they are (Hwang and Cangellaris, IEEE Microw. Wirel. Compon. Lett. 11 (2001)
 * 158). All other edges, those at curved and oblique surfaces, stay as they are, since means over their cells are worse than the stairs that they
 * have; so do edges at perfect conductors and voxels.
 *
 * Shares are multiples of 1/1024, of curved sections 1/64. `count` says what was done. */
sonde_status paint_means(const struct scene *scene, struct media *media, struct mixtures_count *count);

/* Behind paint_means(): what goes through a layer with `losses`, if media in its section vary along both axes, gets conductivity there. Such a section guides waves of
 * which some have a phase that goes one way and energy that goes the other way (Ibanescu et al., Phys. Rev. Lett. 92 (2004) 063903). Those a layer does not absorb, it amplifies them,
 * however thick it is (Loh et al., Phys. Rev. E 79 (2009) 065601), by sigma times the ratio of the speeds, which is small: so is the conductivity that is enough. Where
 * there are losses no surface is smooth. Media without end, or a section that varies along one axis only, have no such waves. */
sonde_status paint_losses(const struct fdtd_grid *grid, struct media *media);

/* Where in cells a place is painted from, `shift` beside its node along an axis. In absorbing layers, and at the nodes of their inner sides, that is the
 * middle of the last cell before them: there media are those of this section, each layer along its axis. Then surfaces in a layer lie along its axis, whatever
 * angle they come in with, and all three components see the same one: tensors that couple what the layer stretches with what it does not, or that differ along the
 * axes of two layers that meet, make fields that grow. */
double paint_place(const struct fdtd_grid *grid, int axis, int node, double shift, bool *in_layer);

/* Edges and faces near which surfaces of bodies pass: bits for all nodes of a component, edges then faces. */
struct paint_marks {
	uint32_t *words[6]; /* null: not looked for */
};
/* Those with a surface within `reach` cells along an axis. To be freed by paint_marks_free(), also after a failure. */
sonde_status paint_marks_make(const struct scene *scene, double reach, const bool wanted[6],
			      struct paint_marks *marks);
void paint_marks_free(struct paint_marks *marks);
/* Marks of a component in layers are those of what is painted there. */
void paint_marks_in_layers(const struct fdtd_grid *grid, const double shift[3], uint32_t *words);
/* Middles beside their node: of edges 0 to 2, of faces 3 to 5. */
void paint_shift(int component, double shift[3]);

#endif
