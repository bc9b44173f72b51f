/* The target: layers of materials across x, from the surface on, and the kinds of atoms that they have. */
#ifndef SONDE_IONS_TARGET_TARGET_H
#define SONDE_IONS_TARGET_TARGET_H

#include "ions/kernels/history_layout.h"
#include "matter/material.h"
#include "sonde/ions.h"

#define TARGET_MOST_LAYERS 64
#define TARGET_MOST_BODIES ((int)MOST_BODIES)
#define TARGET_MOST_VOXEL_MATERIALS 32
#define TARGET_MOST_REGIONS (TARGET_MOST_LAYERS + TARGET_MOST_BODIES + TARGET_MOST_VOXEL_MATERIALS)
#define TARGET_MOST_KINDS 256

/* Atoms that are alike on their way: the ion, and elements of the target. */
struct ions_species {
	int atomic_number;
	double mass; /* amu */
};

struct target_layer {
	struct material material;
	double begin, end; /* nm; the last one may end at INFINITY; of bodies along x */
	int first_kind;    /* of its elements; kind 0 is the ion */
};

struct target_kind {
	int atomic_number, layer, element; /* layer: or body; element: index in its material */
	double mass, fraction;
	double displacement, lattice, surface; /* eV */
	sonde_ions_origin displacement_from, lattice_from, surface_from;
};

struct target {
	int layer_count, body_count, kind_count; /* kinds: 1 to kind_count - 1 */
	int region_count;                        /* layers, bodies and materials of voxels, in that order */
	struct target_layer layers[TARGET_MOST_REGIONS];
	struct ions_body bodies[TARGET_MOST_BODIES];
	/* voxels: materials in words as kernels want them; owned */
	int64_t voxels[3];
	double voxel_first[3], voxel_nm[3];
	u32 *voxel_words;
	size_t voxel_word_count;
	struct target_kind kinds[TARGET_MOST_KINDS];
};

/* As the options say. Messages name the option. To be freed also after a failure. */
sonde_status target_make(const sonde_ions_options *options, struct target *target);
void target_free(struct target *target);
/* Notes of what a target takes for granted: formulas that are gases. */
void target_note(const struct target *target, sonde_context *context);
/* "200nm", "1.5 um", "30A" in nm; fails with what is wrong. */
sonde_status target_parse_length(const char *start, const char *end, double *nanometres);
/* Adds the bodies of an option's text: bodies.c. */
sonde_status target_parse_bodies(const char *text, struct target *target);
/* Reads voxels from an HDF5 file and names their materials: voxels.c. */
sonde_status target_read_voxels(const char *path, const char *materials, struct target *target);

#endif
