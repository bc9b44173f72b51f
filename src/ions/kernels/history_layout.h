/* What host and kernels share of a run: structs in buffers, with the types of the kernels' dialect. */
#ifndef SONDE_IONS_KERNELS_HISTORY_LAYOUT_H
#define SONDE_IONS_KERNELS_HISTORY_LAYOUT_H

#include "device/kernel.h"
#include "ions/kernels/tally_layout.h"

/* Energies are integers, so that nothing is lost in sums. */
#define UNITS_PER_EV 1048576.0f
#define EV_PER_UNIT (1.0f / 1048576.0f)

#define MOST_ELEMENTS_OF_LAYER 8u

/* Energies at which flights are tabulated: sixteen an octave, by the leading bits of float32, from 1/8 eV on. */
#define FLIGHT_SHIFT 19
#define FLIGHT_FIRST 1984u /* (1/8 as float32) >> FLIGHT_SHIFT */
#define FLIGHTS_AN_OCTAVE 16

/* Ways between collisions. */
#define FLIGHT_FIXED \
	0u /* as long as the table says: impact parameters from a disc, or beyond it where the length is negative */
#define FLIGHT_EXPONENTIAL 1u

/* At an energy, of a species in a layer: electronic stopping in eV/nm and its slope up to the next energy; the length of a
 * flight in nm, negative where it is free, that is where impact parameters have no largest value; log2 of the largest impact
 * parameter's square in nm^2; of an exponential flight the part of its mean length that all have, 1 of others. */
struct ions_flight {
	f32 stopping, slope, length, log2_disc, least;
};

/* Of a species and a kind of atoms that it meets: what is added to log2 of the energy in eV and of the impact parameter in nm
 * to make them reduced; largest part of the energy that can be transferred; ratio of the masses. */
struct ions_pair {
	f32 log2_energy, log2_impact, transfer, mass_ratio;
};

/* A kind of atoms of the target. Thresholds in units of energy. */
struct ions_kind_numbers {
	u64 displacement, lattice, surface;
	u64 loose; /* from which on an atom is followed: the displacement energy, or less where it might leave the target */
	u32 species, atomic_number;
	f32 damage_energy, damage_k; /* of Robinson's formula: reduced energy for 1 eV, and k */
	f32 displacement_ev;
	u32 padding;
};

struct ions_layer_numbers {
	f64 begin, end;        /* nm */
	u32 first_kind, count; /* count 0: vacuum */
	f32 below
	    [MOST_ELEMENTS_OF_LAYER]; /* fractions of the elements before each; the first is 0, those that are not there 2 */
};

/* A body: a box, an ellipsoid, a cylinder along an axis or a cone along z, by its middle and half its sizes, nm; turned: along its own axes. Or
 * a closed surface of triangles. */
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
	f64 axes[9];        /* directions of its own axes, one after the other */
	f64 radius, growth; /* of a cone: in the middle, and by how much more at the upper end; as parts of size[0] */
	/* of a mesh: cubes that know which triangles reach into them, how many along x, y, z */
	f64 first[3], cell;
	u32 cells[3];
	u32 triangles; /* where they begin in the meshes: nine numbers each, corners counter-clockwise from outside */
	u32 lists; /* likewise, in 32-bit words: for each cube, x first, where its triangles begin behind this list, and where the last one's end */
	u32 padding;
};

/* Where a particle of a list begins. */
struct ions_start {
	u64 energy;  /* in units */
	f64 x, y, z; /* nm */
	f32 direction_x, direction_y, direction_z;
	u32 species, atomic_number, padding;
};

/* Behind the bodies stand the particles of a list, behind these the meshes, and behind these voxels: numbers of materials, a byte each, four in a
 * word, along x first. */
#define VOXEL_NONE 255u /* leaves the layer */
#define MOST_BODIES 32u

#define STARTS_ENERGY 1u
#define STARTS_PLACE 2u
#define STARTS_DIRECTION 4u

struct ions_job {
	u64 cutoff, listed; /* listed: recoils that leave are listed for ions of lower numbers */
	f64 cell_first[3], cells_per_nm[3], cell_nm[3];
	f64 energy, energy_deviation; /* of the source, eV */
	f64 direction[3], divergence, spot, most_energy;
	f64 start, start_span;    /* depths are drawn from start to start + start_span, nm */
	f64 origin;               /* where depths of ions' ends are counted from, nm */
	u32 cells[3], cell_count; /* of all; the cell of this number is that of everything outside */
	f64 voxel_first[3], voxel_nm[3];
	u32 voxels[3], voxel_materials; /* how many; 0: no voxels */
	u32 voxel_gaps, mesh_numbers;   /* whether some voxels are VOXEL_NONE; f64 of all meshes */
	u32 bodies, regions;            /* regions: layers, bodies and materials of voxels */
	u32 rows, kinds, species, layers, nodes, most_elements, first_layer;
	/* in the tables, behind that of scattering angles: variances of the flights, the mean loss of their collisions to
	 * electrons, what the collisions do that they leave out (two numbers: the inverse of the transport mean free path in 1/nm
	 * and the stopping in eV/nm), energies of the source, and distances of closest approach */
	u32 variances_at, local_at, soft_at, source_at, apsis_at;
	u32 seed_low, seed_high;
	u32 groups;        /* of ions, for the errors: ion i belongs to group i modulo so many */
	u32 in_collisions; /* whether electrons take energy in collisions, too */
	u32 multiple;      /* whether the collisions that flights leave out turn and slow down atoms along them */
	u32 flight, quick, barrier, straggling, local_tallies, stack;
	u32 local_words; /* of a GPU's work-group, 32 bits each: the table, and tallies where they are there, too */
	u32 spectrum_bins, spectrum_of_source; /* of primary recoils; energies of the source's table */
	u32 most_exits;                        /* of a launch */
	/* particles of a list, ion i begins as number i modulo so many; 0: there is no list; and which columns it has */
	u32 starts, starts_have;
	u32 isotropic; /* directions that no list has */
	u32 most_steps,
	    again; /* of a launch: steps after which places are put aside; whether it goes on with such ones */
	u32 places;
	f32 arc_b, arc_c;
	f32 local_rate,
	    local_rate_log2e; /* of losses in collisions, with the reduced distance; the same for powers of 2 */
};

/* An atom that waits, or one under way. */
struct ions_atom {
	u64 energy, path; /* path: of the ion 0, else one that hardly another recoil of that ion has */
	f64 x, y, z, travelled;
	f32 direction_x, direction_y, direction_z;
	f32 pending_loss, pending_variance; /* since the last fluctuation */
	f32 rest;                           /* of a flight that a wall cut, as a part of it; 0: none */
	u32 drawn, kind, layer, species;
	u32 loose; /* it goes back to its place unless it leaves the target */
	u32 cell; /* of one that was put aside: that of its place, but right at a wall it may be still the one before */
};

/* Of a place that was put aside in the midst of a history: the atoms that wait there, the one under way as the last. */
struct ions_place {
	u64 ion;
	u32 depth, taken; /* taken: those before them that others have taken */
};

/* How an ion ended. */
#define FATE_IMPLANTED 0u
#define FATE_BACKSCATTERED 1u
#define FATE_TRANSMITTED 2u
#define END_TO_COME (-100.0f) /* `travelled` of one that is under way */
struct ions_end {
	f32 x, y, z;   /* x behind the job's origin */
	f32 travelled; /* of one that left the target -fate in its place */
};

/* An atom that left; or a point of a path, where `step` is the number of the flight that ended there and kind_and_fate the kind. */
struct ions_left {
	u64 ion, path, energy;
	f64 x, y, z;
	f32 direction_x, direction_y, direction_z;
	u32 kind_and_fate; /* 2 kind + (fate - 1) */
	u32 step, padding;
};

#endif
