/* The target: layers of materials across x, from the surface on, and their kinds of atoms. */
#ifndef SONDE_IONS_TARGET_TARGET_H
#define SONDE_IONS_TARGET_TARGET_H

#include "ions/kernels/history_layout.h"
#include "matter/materials/material.h"
#include "matter/shape/body.h"
#include "sonde/ions.h"

#define TARGET_MOST_LAYERS 64
#define TARGET_MOST_BODIES ((int)MOST_BODIES)
#define TARGET_MOST_VOXEL_MATERIALS 32
#define TARGET_MOST_REGIONS (TARGET_MOST_LAYERS + TARGET_MOST_BODIES + TARGET_MOST_VOXEL_MATERIALS)
#define TARGET_MOST_KINDS 256

/* Species of moving atoms: the ion, and elements of the target. */
struct ions_species {
	int atomic_number;
	double mass; /* amu */
};

struct target_layer {
	struct material material;
	double begin, end; /* nm; the last one may end at INFINITY; for bodies the extent along x */
	int first_kind;    /* of its elements; kind 0 is the ion */
};

struct target_kind {
	int atomic_number, layer, element; /* layer: of a layer or body; element: index in its material */
	double mass, fraction;
	double displacement, lattice, surface; /* eV */
	sonde_ions_origin displacement_from, lattice_from, surface_from;
};

struct target {
	int layer_count, body_count, kind_count; /* kinds: 1 to kind_count - 1 */
	int region_count;                        /* layers, bodies and materials of voxels, in that order */
	struct target_layer layers[TARGET_MOST_REGIONS];
	struct ions_body bodies[TARGET_MOST_BODIES];
	/* voxels: materials in words in the layout of the kernels; owned */
	int64_t voxels[3];
	double voxel_first[3], voxel_nm[3];
	u32 *voxel_words;
	size_t voxel_word_count;
	bool voxel_gaps; /* some are VOXEL_NONE */
	/* triangles of meshes and lists of them, in the layout of the kernels (body_mesh.h); owned */
	double *meshes;
	size_t mesh_numbers, mesh_capacity;
	struct target_kind kinds[TARGET_MOST_KINDS];
};

/* The target of the options, with the bodies of a job's list, which may be null. Messages name the option, or the
 * place of the body in the job. To be freed also after a failure. */
sonde_status target_make(const sonde_ions_options *options, const struct body_list *bodies, struct target *target);
void target_free(struct target *target);
/* Notes on assumptions about a target: formulas that are gases. */
void target_note(const struct target *target, sonde_context *context);
/* Reads "200nm", "1.5 um", "30A" in nm; the message describes the error. */
sonde_status target_parse_length(const char *start, const char *end, double *nanometers);
/* bodies.c: adds the bodies of an option's text. */
sonde_status target_parse_bodies(const char *text, struct target *target);
/* Whether it is a map of voxels, or balls of atoms, which become one. */
bool target_is_map(const sonde_body_options *body);
/* body_list.c: makes a solid around `center`, Angstrom, the form of the next body of the target, and sets its depths. */
sonde_status target_set_solid(const sonde_body_options *body, const double center[3], struct target *target);
/* body_list.c: adds those of a job's list, except maps. */
sonde_status target_add_bodies(const struct body_list *bodies, struct target *target);
/* voxels.c: reads voxels from an HDF5 file and names their materials. */
sonde_status target_read_voxels(const char *path, const char *materials, struct target *target);
/* The same for a job's list. */
sonde_status target_add_voxels(const struct body_list *bodies, struct target *target);
/* mesh.c: adds a closed surface, with lengths in Angstrom, to the meshes, and sets the corresponding members of
 * the body. */
sonde_status target_add_mesh(const struct surface *surface, struct ions_body *body, struct target *target);
/* Fails if a body does not begin within the target; `who` begins the message. */
sonde_status target_check_place(const struct target *target, int region, const char *who);

#endif
