/* Data shared by host and kernels: structs in buffers, with the types of the kernels' dialect. */
#ifndef SONDE_IONS_KERNELS_HISTORY_LAYOUT_H
#define SONDE_IONS_KERNELS_HISTORY_LAYOUT_H

#include "device/kernel.h"
#include "ions/kernels/tally_layout.h"

/* Energies are integers, so that sums are exact. */
#define UNITS_PER_EV 1048576.0f
#define EV_PER_UNIT (1.0f / 1048576.0f)

#define MOST_ELEMENTS_OF_LAYER 8u

/* Energies of the table of flights: sixteen per octave, by the leading bits of float32, from 1/8 eV on. */
#define FLIGHT_SHIFT 19
#define FLIGHT_FIRST 1984u /* (1/8 as float32) >> FLIGHT_SHIFT */
#define FLIGHTS_AN_OCTAVE 16

/* Kinds of flights between collisions. */
#define FLIGHT_FIXED \
	0u /* lengths by the table: impact parameters from a disk, or unlimited if the length is negative */
#define FLIGHT_EXPONENTIAL 1u

/* For an energy of a species in a layer: electronic stopping in eV/nm and its slope up to the next energy; the
 * length of a flight in nm, negative for a free one, without a largest impact parameter; log2 of the largest
 * impact parameter squared in nm^2; for an exponential flight the constant fraction of its mean length, else 1. */
struct ions_flight {
	f32 stopping, slope, length, log2_disc, least;
};

/* For a species and a kind of target atoms: terms to be added to log2 of the energy in eV and of the impact
 * parameter in nm to obtain reduced quantities; the largest fraction of energy transfer; the ratio of the masses. */
struct ions_pair {
	f32 log2_energy, log2_impact, transfer, mass_ratio;
};

/* A kind of atoms of the target. Thresholds in units of energy. */
struct ions_kind_numbers {
	u64 displacement, lattice, surface;
	u64 loose; /* energy from which on an atom is followed: the displacement energy, or less if it might leave the target */
	u32 species, atomic_number;
	f32 damage_energy, damage_k; /* of Robinson's formula: reduced energy for 1 eV, and k */
	f32 displacement_ev;
	u32 padding;
};

struct ions_layer_numbers {
	f64 begin, end;        /* nm */
	u32 first_kind, count; /* count 0: vacuum */
	f32 below
	    [MOST_ELEMENTS_OF_LAYER]; /* cumulative fractions of the elements before each; the first is 0, unused ones 2 */
};

/* A body: a box, an ellipsoid, a cylinder along an axis or a cone along z, by its center and half its sizes, nm;
 * turned: along its own axes; by choice with a hollow of the same form. Or a closed surface of triangles. */
#define BODY_BOX 0u
#define BODY_ELLIPSOID 1u
#define BODY_CYLINDER_X 2u
#define BODY_CYLINDER_Y 3u
#define BODY_CYLINDER_Z 4u
#define BODY_CONE 5u
#define BODY_MESH 6u
struct ions_body {
	f64 center[3], size[3];
	u32 shape, turned;
	f64 axes[9];        /* directions of its own axes, axis by axis */
	f64 radius, growth; /* of a cone: in the middle, and its increase at the upper end; as fractions of size[0] */
	f64 hollow[3];      /* coordinates along the own axes times these are those in the hollow; 0 along a tube */
	/* of a mesh: number of cubes along x, y, z, with lists of the triangles that intersect them */
	f64 first[3], cell;
	u32 cells[3];
	u32 triangles; /* their start in the meshes: nine numbers each, corners counterclockwise from outside */
	u32 lists; /* start in 32-bit words: for each cube, x fastest, the start of its triangles, and the end of all */
	u32 is_hollow;
};

/* The start of a particle of a list. */
struct ions_start {
	u64 energy;  /* in units */
	f64 x, y, z; /* nm */
	f32 direction_x, direction_y, direction_z;
	u32 species, atomic_number, padding;
};

/* The bodies are followed by the particles of a list, these by the meshes, and these by voxels: indices of
 * materials, one byte each, four per word, x fastest. */
#define VOXEL_NONE 255u /* keeps the layer */
#define MOST_BODIES 32u

#define STARTS_ENERGY 1u
#define STARTS_PLACE 2u
#define STARTS_DIRECTION 4u

struct ions_job {
	u64 cutoff, listed; /* listed: leaving recoils are listed for ions with lower numbers */
	f64 cell_first[3], cells_per_nm[3], cell_nm[3];
	f64 energy, energy_deviation; /* of the source, eV */
	f64 direction[3], divergence, spot, most_energy;
	f64 start, start_span;    /* depths are drawn from start to start + start_span, nm */
	f64 origin;               /* origin of the depths of ions at rest, nm */
	u32 cells[3], cell_count; /* total; the cell with this number is that of everything outside */
	f64 voxel_first[3], voxel_nm[3];
	u32 voxels[3], voxel_materials; /* counts; 0: no voxels */
	u32 voxel_gaps, mesh_numbers;   /* whether some voxels are VOXEL_NONE; f64 of all meshes */
	u32 bodies, regions;            /* regions: layers, bodies and materials of voxels */
	u32 rows, kinds, species, layers, nodes, most_elements, first_layer;
	/* offsets of the tables after that of scattering angles: variances of the flights, the mean loss of their
	 * collisions to electrons, the effect of omitted collisions (two numbers: the inverse of the transport
	 * mean free path in 1/nm and the stopping in eV/nm), energies of the source, and distances of closest
	 * approach */
	u32 variances_at, local_at, soft_at, source_at, apsis_at;
	u32 seed_low, seed_high;
	u32 groups;        /* of ions, for the errors: ion i belongs to group i modulo this number */
	u32 in_collisions; /* whether there are electronic losses in collisions */
	u32 multiple;      /* whether omitted collisions deflect and slow down atoms along flights */
	u32 flight, quick, barrier, straggling, local_tallies, stack;
	u32 local_words; /* local memory of a GPU's work-group in 32-bit words: the table, and tallies if they are local */
	u32 spectrum_bins,
	    spectrum_of_source; /* bins for primary recoils; number of energies in the table of the source */
	u32 most_exits;         /* per launch */
	/* number of particles in the list, where ion i is particle i modulo this number; 0: no list; and its
	 * columns */
	u32 starts, starts_have;
	u32 isotropic; /* directions not given by a list */
	u32 most_steps,
	    again; /* for a launch: steps after which places are suspended; whether it continues suspended ones */
	u32 places;
	u32 starters; /* work-items of a warp that start ions; the others only share their recoils */
	f32 arc_b, arc_c;
	f32 local_rate,
	    local_rate_log2e; /* decay rate of losses in collisions with the reduced distance; the same for powers of 2 */
};

/* A waiting or moving atom. */
struct ions_atom {
	u64 energy, path; /* path: 0 for the ion, else a practically unique number among its recoils */
	f64 x, y, z, traveled;
	f32 direction_x, direction_y, direction_z;
	f32 pending_loss, pending_variance; /* accumulated since the last fluctuation */
	f32 rest;                           /* remaining fraction of a flight cut by a wall; 0: none */
	u32 drawn, kind, layer, species;
	u32 loose; /* returns to its site unless it leaves the target */
	u32 cell; /* of a suspended atom: that of its position, but directly at a wall possibly still the previous one */
};

/* A suspended place: its waiting atoms, and the moving one as the last. */
struct ions_place {
	u64 ion;
	u32 depth, taken; /* taken: number of earlier ones taken by others */
};

/* The end of an ion. */
#define FATE_IMPLANTED 0u
#define FATE_BACKSCATTERED 1u
#define FATE_TRANSMITTED 2u
#define END_TO_COME (-100.0f) /* `traveled` of an unfinished one */
struct ions_end {
	f32 x, y, z;  /* x relative to the job's origin */
	f32 traveled; /* -fate instead for an ion that left the target */
};

/* An atom that left; or a point of a path, with `step` the number of the flight that ended there and kind_and_fate
 * the kind. */
struct ions_left {
	u64 ion, path, energy;
	f64 x, y, z;
	f32 direction_x, direction_y, direction_z;
	u32 kind_and_fate; /* 2 kind + (fate - 1) */
	u32 step, padding;
};

#endif
