/* Patches of reciprocal space, each of which has a mesh of its own: pixels near each other, in the frame of their principal axes, or a
 * block of a box. Small patches of a sphere are nearly flat, and need few nodes in the third direction; but each atom is spread for
 * every patch. The division is that of least cost by the constants below, within the memory for meshes. */
#ifndef SONDE_PATTERN_FAST_PATCHES_H
#define SONDE_PATTERN_FAST_PATCHES_H

#include "pattern/fast/axes.h"
#include "pattern/fast/channels.h"
#include "pattern/pattern.h"

/* The atoms as the division sees them: some positions, among them the outermost ones, relative to the center of the sample, and what is done for each patch. */
#define PATCH_ATOMS 2048
struct patch_atoms {
	double positions[3 * PATCH_ATOMS];
	int count;
	double all, transforms; /* of atoms; for each patch */
	double spreads;         /* of an atom for each patch */
	double mesh_bytes;      /* allowed */
	double negligible;      /* phases, radians */
	double weight;          /* of a point: those of a plan are some of many */
	double ball; /* not 0: extents are those of a ball of this radius, which has the atoms in all orientations */
	const struct costs *costs;
	int64_t longest; /* allowed size of a transform */
};
/* For the host, or for a GPU. */
sonde_status patch_atoms_make(const struct pattern_sample *sample, const struct fast_channels *channels,
			      const struct device *gpu, double mesh_bytes, double negligible, int threads,
			      struct patch_atoms *atoms);

/* For pictures of the sample in any orientation by a GPU. */
void patch_atoms_turn(const struct pattern_sample *sample, struct patch_atoms *atoms);

struct patch {
	int64_t first, count; /* of the pixels in their new order */
	double middle[3];
	struct fast_axes axes; /* with the extent of some atoms */
	double cycles;
};
struct patch_list {
	struct patch *patches;
	size_t count, capacity;
	double cycles;  /* for all transforms */
	bool too_large; /* some meshes exceed the memory for them; the list is not complete */
};
/* frames.c: the middle of a patch, its directions, and the extents along them, from its vectors, which are processed FRAME_POINTS at a time.
 * */
#define FRAME_POINTS 16384
sonde_status patch_find_frame(const double *vectors, int threads, struct patch *patch);
/* Divides `count` vectors, which are put into the order of patches together with their numbers. */
sonde_status patches_of_points(const struct patch_atoms *atoms, const struct window *window, double *vectors,
			       uint32_t *numbers, int64_t count, int threads, struct patch_list *list);
/* Divides a box. */
sonde_status patches_of_box(const struct patch_atoms *atoms, const struct window *window,
			    const struct pattern_pixels *pixels, struct patch_list *list);
/* SONDE_RESOURCE if the meshes of a list are too large. */
sonde_status patch_list_check(const struct patch_list *list);
void patch_list_free(struct patch_list *list);
/* The axes of a patch with the extents of all atoms: the lowest and highest coordinate along each. */
void patch_axes(const struct patch *patch, const struct patch_atoms *atoms, const struct window *window,
		const double low[3], const double high[3], struct fast_axes *axes);
/* Whether their mesh is about as small as planned. */
bool patch_axes_fit(const struct patch_atoms *atoms, const struct fast_axes *axes);

#endif
