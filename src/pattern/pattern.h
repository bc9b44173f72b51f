/* The internal interface of the engine. The public one is sonde/pattern.h. */
#ifndef SONDE_PATTERN_PATTERN_H
#define SONDE_PATTERN_PATTERN_H

#include <stdbool.h>

#include "base/options.h"
#include "device/device.h"
#include "matter/atoms/atoms.h"
#include "matter/atoms/device_order.h"
#include "matter/atoms/relabel.h"
#include "matter/scattering/probe.h"
#include "pattern/atom_boxes.h"
#include "pattern/laue.h"
#include "pattern/pixel_sets.h"
#include "pattern/pixels.h"
#include "run/context.h"
#include "run/engine.h"
#include "run/provenance.h"

extern const struct option_table pattern_option_table;
extern const struct device_program pattern_program;
/* Compares the kernels of a device with the reference. */
sonde_status pattern_self_test(struct device *device);

/* The atoms of a sample in classes of the same label, occupancy, and displacement. */
struct pattern_class {
	char label[SONDE_LABEL_SIZE];
	double occupancy;
	double u[6]; /* mean square displacements xx, yy, zz, yz, xz, xy, Angstrom^2 */
	bool anisotropic;
	struct scatterer scatterer;
};
/* Pairs of sites of two classes with this distance vector, whose occupations depend on each other: the sum of
 * 2 (p_ij/(p_i p_j) - 1). */
struct pattern_joint {
	int a, b;
	double apart[3], surplus;
};
#define PATTERN_MOST_CLASSES 1000
/* The copies of a sample by placements (matter/atoms/placed_atoms.h). The atoms of all of them have numbers: those of the first copy of
 * the first group, then those of its next one. */
struct pattern_copies {
	int count; /* of groups; 0: the view has all atoms */
	struct pattern_copies_of {
		int64_t first, atoms;       /* of the structure in the view */
		int64_t copies;             /* whose placements begin with number first_copy, and */
		int64_t first_copy, begins; /* whose atoms begin with this one of all */
	} groups[ATOMS_MOST_STRUCTURES];
	const struct placement *placements;
};
/* Where the positions of the view are if they are not on the host (resident/). */
struct pattern_resident {
	struct device *device; /* null: they are on the host */
	const struct device_positions *from;
};
struct pattern_sample {
	sonde_atoms
	    view; /* those with an occupancy above 0, with classes as species, of which the numbers are those of all atoms */
	int64_t count; /* of atoms, with those of all copies */
	struct pattern_copies copies;
	double *positions; /* of the view, if it does not have those of the sample; else null */
	int class_count;
	bool anisotropic; /* some amplitudes depend on the direction of q */
	struct pattern_class *classes;
	struct pattern_resident resident;
	struct atom_boxes boxes;     /* of the view, unless there are copies or it is resident */
	double edges[3];             /* of the smallest box around the atoms, Angstrom */
	double present;              /* the sum of the occupancies */
	double center[3];            /* of the smallest box around the atoms */
	double reach;                /* no atom is farther from the center, Angstrom */
	struct pattern_joint *joint; /* null if there are none */
	size_t joint_count, joint_capacity;
	/* residues with occupancies of alternative locations that add up to more than 1, and the largest sum */
	int64_t overfull;
	double fullest;
};
/* Classes without scatterers; shares arrays with `atoms`. The context may be null, unless they are resident. Freed by pattern_sample_free(),
 * also after a failure. */
sonde_status pattern_sample_make(sonde_context *context, const sonde_atoms *atoms,
				 const sonde_pattern_options *options, struct pattern_sample *sample);
void pattern_sample_free(struct pattern_sample *sample);
/* sample_copies.c: the copies of atoms with placements, or none; */
void pattern_take_copies(const sonde_atoms *atoms, struct pattern_sample *sample);
/* their number, 0 without placements; */
int64_t pattern_copy_count(const struct pattern_sample *sample);
/* the position of any of the atoms, unless the sample is resident; those of some of them, x, y, z of each in turn; */
void pattern_position(const struct pattern_sample *sample, int64_t atom, double position[3]);
sonde_status pattern_positions(const struct pattern_sample *sample, const int64_t *atoms, int count,
			       double *positions);
/* the lowest and the highest coordinates of atoms, relative to an origin, along some directions, and the atoms that have them. */
#define PATTERN_MOST_DIRECTIONS 13
struct pattern_extents {
	double low[PATTERN_MOST_DIRECTIONS], high[PATTERN_MOST_DIRECTIONS];
	int64_t lowest[PATTERN_MOST_DIRECTIONS], highest[PATTERN_MOST_DIRECTIONS];
};
sonde_status pattern_find_extents(const struct pattern_sample *sample, int threads, const double origin[3],
				  const double (*directions)[3], int count, struct pattern_extents *extents);

/* Amplitude of a class at a vector of magnitude q, p f exp(-q.U.q/2); returns its part of the diffuse intensity,
 * p |f|^2 (1 - p exp(-q.U.q)) for each atom. */
double pattern_class_amplitude(const struct pattern_class *class, const double vector[3], double q, double *real,
			       double *imaginary);

/* Whether these parts are not 0. */
bool pattern_is_diffuse(const struct pattern_sample *sample);

/* The sorted atoms as the kernel takes them. */
struct pattern_tiles {
	uint32_t count;
	double *atoms;   /* [tile][x y z][TILE_ATOMS], relative to the center of the tile; null: resident */
	double *centers; /* [tile][x y z], relative to that of the sample */
	uint32_t *tiles; /* [tile]: class, number of atoms */
	struct tile_reach reach;
	/* Of copies by placements, those of one copy of each structure are stored, `of_group` of each, centers relative to its origin; the
	 * others follow from them, copy after copy. Null: all are stored. */
	const struct pattern_copies *copies;
	uint32_t stored, of_group[ATOMS_MOST_STRUCTURES];
	size_t atoms_capacity, centers_capacity, tiles_capacity;
	/* of a resident sample the atoms in their order, and of each tile its atoms there and its middle */
	struct device_order order;
	struct device_order_tile *ordered;
	double (*middles)[3];
};
sonde_status pattern_tiles_make(const sonde_context *context, const struct pattern_sample *sample,
				struct pattern_tiles *tiles);
void pattern_tiles_free(struct pattern_tiles *tiles);

/* The fast method, if it is chosen (fast/). */
struct pattern_fast {
	bool chosen;
	bool on_gpu;
	bool turned;    /* there, of a sample in several orientations: fast/turned.h */
	int width;      /* of its window, mesh points */
	int transforms; /* for each patch */
	int devices;    /* that share the patches */
	double tolerance, oversampling;
	double cycles; /* of a core with AVX2, or of fast/cost.h on a GPU */
	double bytes;  /* of the largest meshes */
	double gain;   /* chosen automatically: time of the direct sum, in that of the fast one; else 0 */
};

struct pixel_sets;
/* Pieces of a picture by the direct sum that are finished: consecutive sets of pixels (pixel_sets.h), the last piece may have fewer. */
struct pattern_pieces {
	uint64_t count;
	unsigned char *finished; /* not 0; only `after` changes it during the sums */
	/* Called before the sums, when the pieces are known: finds the finished ones. */
	sonde_status (*begin)(void *user, const struct pixel_sets *sets, uint64_t count);
	/* Called by any thread when the values of these pieces are complete. */
	sonde_status (*after)(void *user, const uint64_t *pieces, uint64_t count);
	void *user;
};

/* How the fast method divides a picture, on which the bits of the result depend. */
struct pattern_division {
	int64_t chunk; /* of pixels that are divided together */
	double meshes; /* bytes allowed for these */
	double oversampling;
	int32_t width, on_gpu;
};
/* Points of a picture by the fast method that are finished. */
struct pattern_patches {
	unsigned char *finished; /* of each point, not 0; only `after` changes it during the sums */
	/* Called before all sums, of which there may be several with other divisions: finds the finished points, and puts the
	 * division by which they were made in place of this one. */
	sonde_status (*begin)(void *user, struct pattern_division *division);
	/* Called by any thread when the amplitudes at `count` points are complete, at point(of, n) each. */
	sonde_status (*after)(void *user, int64_t count, int64_t (*point)(const void *of, int64_t n), const void *of);
	void *user;
};

/* The plan of a run, made before the work begins. */
struct pattern_plan {
	sonde_pattern_options options; /* with every "auto" decided */
	struct probe probe;            /* of these options */
	struct form_factors *form_factors;
	struct pattern_pixels pixels;
	struct placing *placing; /* of option `placements`, or null; owned unless it is borrowed */
	bool placing_borrowed;
	sonde_atoms
	    *placed; /* the sample at its places, or its copies if their atoms are needed one by one; else null */
	struct relabeled_atoms relabeled; /* the atoms by option `labels`, whose arrays the sample shares */
	struct pattern_sample sample;
	struct laue_class laue; /* intensities are means over it; without operations: they are not */
	struct pattern_fast fast;
	double repeats; /* number of patterns that are computed: orientations and samples of a mean */
	bool products;  /* the direct sum is one of products of matrices: products.h */
	bool turned;    /* many of them are those of one sample in several orientations, without amplitudes */
	struct pattern_pieces *pieces; /* of a picture that is kept; null: none */
	struct pattern_patches *patches;
};
/* Checks the job. Freed by pattern_plan_free(), also after a failure. */
sonde_status pattern_plan_make(sonde_context *context, const sonde_atoms *atoms, const sonde_pattern_options *options,
			       struct pattern_plan *plan);
/* Chooses the method for this number of patterns, which completes the plan. */
sonde_status pattern_plan_choose(sonde_context *context, double repeats, struct pattern_plan *plan);
/* The plan of other atoms for the options and the scattering vectors of `first`, which must outlive it; at its places, if it has
 * some, unless the atoms are a part of a sample that has been placed. */
sonde_status pattern_plan_follow(sonde_context *context, const sonde_atoms *atoms, const struct pattern_plan *first,
				 struct pattern_plan *plan);
sonde_status pattern_plan_of_part(sonde_context *context, const sonde_atoms *part, const struct pattern_plan *first,
				  struct pattern_plan *plan);
/* The sample of a plan, at its places: `atoms`, of which the plan was made, or others. */
const sonde_atoms *pattern_plan_atoms(const struct pattern_plan *plan, const sonde_atoms *atoms);
void pattern_plan_free(struct pattern_plan *plan);
/* The same for a result's options, without its form factors. */
struct probe pattern_probe(const sonde_pattern_options *options, double q_first, double q_last);

/* Intensities and amplitudes of all pixels, the latter with the phase of the sample's center at the origin. */
struct pattern_values {
	double *intensity, *real, *imaginary;
};
/* estimate.c: SONDE_RESOURCE if main memory does not suffice; */
sonde_status pattern_check_memory(const sonde_context *context, const struct pattern_plan *plan);
/* tells the context how long the CPU would take, */
sonde_status pattern_expect(sonde_context *context, const struct pattern_plan *plan);
/* and what the run of this number of samples needs, with an output in a table or in HDF5. */
sonde_status pattern_estimate(sonde_context *context, const struct pattern_plan *plan, int64_t samples, bool table,
			      struct engine_estimate *estimate);
/* sums.c: by the devices of the context; `check`, which may be null, starts with them. */
struct pattern_check;
sonde_status pattern_sums(sonde_context *context, const struct pattern_plan *plan, struct pattern_check *check,
			  const struct pattern_values *values);
/* The same of one device, in float32 or float64, for its self-test. */
sonde_status pattern_sums_of_device(struct device *device, const struct pattern_plan *plan, bool single,
				    const struct pattern_values *values);

/* reference.c: exp(i q.r) with a compensated phase, */
void pattern_wave(const double q[3], const double r[3], double *real, double *imaginary);
/* gives an amplitude of a sample with its center at the origin the phase of its positions, */
void pattern_place(const struct pattern_sample *sample, const double vector[3], double *real, double *imaginary);
/* F at one vector, and sum_j |f_j|^2; not complete if the context, which may be null, is stopped. */
void pattern_reference(const sonde_context *context, const struct pattern_sample *sample, const double vector[3],
		       double q, double *real, double *imaginary, double *squares);
/* check.c: the largest error of F at some pixels, relative to sqrt(sum |f|^2), and their number; amplitudes are those of `values`. */
sonde_status pattern_error(sonde_context *context, const struct pattern_plan *plan,
			   const struct pattern_values *values, double *largest, int64_t *checked);
/* The pixels that it computes again: their number, and that of each. */
#define PATTERN_MOST_CHECKED 64
int64_t pattern_checked(const struct pattern_plan *plan);
int64_t pattern_checked_pixel(const struct pattern_plan *plan, int64_t k);

/* Provenance of a result. */
struct sonde_pattern_provenance {
	sonde_pattern_options options; /* the result points to these */
	struct provenance run;
	char *composition; /* "Co 512, O 512" */
	char *amplitudes;  /* their sources */
};
/* result.c, result_nexus.c */
sonde_status pattern_check_format(const char *path);
bool pattern_is_table(const char *path);
#define PATTERN_LARGE 4194304 /* points, whose numbers are written to HDF5 by all threads */
sonde_status pattern_table_text(const sonde_pattern_result *result, bool csv, struct text *text);
sonde_status pattern_contents(const void *result, struct hdf5_writer *writer);
sonde_status pattern_write_nexus(const void *result, const char *path, bool overwrite);
/* All of this in a file under construction. */
sonde_status pattern_write_entries(struct hdf5_writer *writer, const sonde_pattern_result *result);
sonde_status pattern_describe(struct hdf5_reader *reader, struct report *report);
/* The lines that begin a table. */
void pattern_append_header(const sonde_pattern_result *result, struct text *text);
/* Whether it is a mean over orientations or samples. */
bool pattern_is_mean(const sonde_pattern_result *result);
/* Whether it has a diffuse part, I - |<F>|^2, */
bool pattern_has_diffuse(const sonde_pattern_result *result);
/* and that at a point, times the factors of the detector that I has. */
struct response;
double pattern_diffuse(const sonde_pattern_result *result, const struct response *response, int64_t point);
/* "electron units", "fm^2", "Angstrom^2", "1" */
const char *pattern_unit(const sonde_pattern_options *options);
/* and of F: "electrons", "fm", "Angstrom", "1" */
const char *pattern_amplitude_unit(const sonde_pattern_options *options);

#endif
