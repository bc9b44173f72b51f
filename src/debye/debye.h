/* The internal interface of the engine, shared by its files. The public one is sonde/debye.h. */
#ifndef SONDE_DEBYE_DEBYE_H
#define SONDE_DEBYE_DEBYE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/options.h"
#include "run/context.h"
#include "device/device.h"
#include "debye/points/points.h"
#include "matter/atoms/atoms.h"
#include "matter/atoms/device_order.h"
#include "run/provenance.h"
#include "matter/scattering/scatterer.h"
#include "debye/points/periodic.h"
#include "sonde/debye.h"

extern const struct option_table debye_option_table;
extern const struct device_program debye_program, debye_images_program;

/* Compares the kernels of a device with plain sums over a small sample. */
sonde_status debye_self_test(struct device *device);
/* The same of the kernels for periodic samples. */
sonde_status debye_images_self_test(struct device *device);
/* The same of exact sums with a motion: before these, since other runs do not need their kernel. */
sonde_status debye_self_test_motion(struct device *device);
/* Computes the values expected by the self-test in idle time, those of histograms as well; otherwise the self-test does. */
void debye_self_test_prepare(bool histogram);

/* The plan of a run, made before the work begins. */
struct debye_plan {
	sonde_debye_options options; /* with every "auto" decided */
	enum scattering_table table;
	double extent;    /* upper limit of the distance of two atoms, Angstrom */
	double pairs;     /* of atoms */
	double bin_width; /* Angstrom */
	int64_t bin_count;
	uint64_t memory;  /* bytes that the run will allocate */
	uint32_t workers; /* threads of the CPU for the histogram; 0: all */
	bool automatic;   /* the method was chosen here */
	struct periodic periodic;
	double fractions; /* of a unit of distance, to which the histogram of a periodic sample rounds coordinates */
	/* method lattice: rows of cells, pairs of rows, and vectors between points, at most */
	double rows, row_pairs, vectors;
	struct debye_points points;       /* their range and number are those of options.q */
	const struct pair_motion *motion; /* of the classes; may be null */
	struct histogram_kept *kept;      /* histogram_device.h: of one sample for the next; null: there is none */
	struct debye_check *check;     /* errors.h: of some of many samples; null: the sample is checked by itself */
	struct unfinished *unfinished; /* run/unfinished.h: where the sums are kept; null: nowhere */
};
void debye_plan_free(struct debye_plan *plan);
/* Bytes of the curves of a result, and of the sums of which they are made. */
double debye_curves_memory(const sonde_atoms *atoms, const struct debye_plan *plan);

/* Checks options and sample and chooses the method, without the devices. `extent` is that of a sample without
 * positions, a lattice. `further`: an earlier sample has chosen the devices, which may be in use. */
struct debye_classes; /* classes.h */
sonde_status debye_plan_make(sonde_context *context, const struct debye_classes *classes, double extent, bool further,
			     const sonde_debye_options *options, struct debye_plan *plan);
/* The same for the atoms of another structure of the sample, at the points of q of `plan`, which has to outlive it. The
 * method is that of the plan, or the histogram instead of the lattice method. Not to be freed. */
sonde_status debye_plan_for_structure(sonde_context *context, const sonde_atoms *atoms, const struct debye_plan *plan,
				      struct debye_plan *own);
/* Decides the width and the number of the histogram's bins. */
sonde_status debye_plan_bins(struct debye_plan *plan);
/* Approximate seconds of the planned method, exact or histogram, on one core; and whether exact sums are so quick that
 * no other method is looked for. */
double debye_plan_seconds(const sonde_atoms *atoms, const struct debye_plan *plan);
bool debye_plan_is_quick(const sonde_atoms *atoms, const struct debye_plan *plan);
/* Waits for the devices and checks that their memory and main memory suffice; this may change the method. */
sonde_status debye_plan_settle(sonde_context *context, const sonde_atoms *atoms, struct debye_plan *plan);

/* Bounding box of a tile. */
struct box {
	double low[3], high[3];
};

/* The atoms as required by the kernels: coordinates in separate arrays, species by species and each cut into
 * compact tiles. A species begins at a multiple of ARRANGED_ALIGNMENT, so that whole SIMD registers are loaded
 * from aligned memory; the arrays end with this many spare values. */
#define ARRANGED_ALIGNMENT 16
struct arranged_tile {
	uint32_t first, end; /* atoms */
};
struct arranged_atoms {
	uint32_t size; /* of the arrays */
	double *x, *y, *z;
	/* the coordinates in the memory of a GPU, in place of x, y, z; those of the histogram in its units. Null: none */
	const struct device_order *ordered;
	uint32_t *atom;                   /* numbers of the atoms; null if they are in the memory of a GPU */
	double *u;                        /* displacements, rows of `size`: motion_arrange(); null */
	const struct pair_motion *motion; /* their law; null: pairs have no factor of their own */
	uint32_t tile_count;
	struct arranged_tile *tiles;
	struct box *boxes;            /* of the tiles, by histogram_tile() or exact_order_arrange(); else null */
	uint32_t *species_first_tile; /* species + 1 values */
};
/* `tiles_per_unit` adjacent tiles are compact as well. */
sonde_status arrange_atoms(const sonde_context *context, const sonde_atoms *atoms, uint32_t atoms_per_tile,
			   uint32_t tiles_per_unit, struct arranged_atoms *arranged);
/* The tiles alone, and the first place of each species, *places, which is to be freed, also after a failure: for a device that
 * puts the atoms in order. */
sonde_status arrange_tiles(const sonde_atoms *atoms, uint32_t atoms_per_tile, struct arranged_atoms *arranged,
			   uint32_t **places);
void arranged_atoms_free(struct arranged_atoms *arranged);

/* One pair of tiles, in the layout of the kernels. */
struct tile_pair {
	uint32_t a, b;
	uint32_t first_bin, last_bin; /* bins of the histogram spanned by their distances */
};

/* Walks the pairs of tiles of two species, each pair of atoms once. Start from
 * tile_walk_begin(); tile_walk_next() is false after the last one. */
struct tile_walk {
	uint32_t a, b, a_end, b_first, b_end;
	bool like;
};
struct tile_walk tile_walk_begin(const struct arranged_atoms *arranged, int species_a, int species_b);
bool tile_walk_next(struct tile_walk *walk, struct tile_pair *pair);
/* Number of pairs of tiles of a walk, and a walk that starts with pair number `first`. */
uint64_t tile_walk_count(const struct arranged_atoms *arranged, int species_a, int species_b);
struct tile_walk tile_walk_at(const struct arranged_atoms *arranged, int species_a, int species_b, uint64_t first);
/* Number of pairs of atoms in a pair of tiles. */
double tile_pair_pairs(const struct arranged_atoms *arranged, const struct tile_pair *pair);

/* sums[p * q.points + k] = sum over the pairs of atoms of species pair p (aa ab .. bb bc ..) of
 * sin(q_k r)/(q_k r), each pair of atoms once. */
struct pair_sums {
	sonde_grid q;
	const double *q_values; /* of points that are not uniform as a whole, between the ends of q; null: the grid */
	int species;
	double *sums;
	/* errors of the histogram, for the error estimate; null in other methods */
	struct histogram_error *errors;
	struct pair_counts *counts; /* counts.h: counts to be kept from the histogram; null: none */
	/* each pair of an infinite sample once, with all images up to the cut-off, and the factor w(r); null: a cluster */
	const struct periodic *periodic;
	/* the same sums without damping, for G(r), which then is that of the sample; null: not needed */
	struct pair_sums *undamped;
	bool profiled; /* the profile of a slab or rod has been added, with that of the damped sums */
	/* motion.h: each sin(q r)/(q r) has the Debye-Waller factor of its pair; null: none */
	const struct pair_motion *motion;
	struct unfinished
	    *unfinished; /* run/unfinished.h: where they are kept while they are computed; null: nowhere */
};

/* The law of motion.h. */
struct pair_motion {
	double delta1, delta2, qbroad;
	const double *
	    of_species; /* U_iso of each species of the atoms that are summed, if all atoms of a species have the same */
	const double *tensors; /* six numbers for each atom otherwise; else null */
	bool anisotropic;      /* the tensors are no multiples of 1 */
};

/* q_k of the sums. */
double pair_sums_q(const struct pair_sums *sums, int64_t k);

/* Per species pair, sums over bins of possible errors of the histogram: squares for the estimate,
 * magnitudes for the bound. Far bins are those with r large enough for bounds in 1/r. */
#define BOUND_POWERS 5 /* of 1/r, from 0 */
struct histogram_error {
	double skew;            /* far bins: sum (n m3)^2, m3 the largest possible third moment of the bin */
	double skew_over_r;     /* far bins: sum (n m3/r)^2 */
	double skew_near;       /* near bins: sum (n m3)^2 */
	double rounding_over_r; /* far bins: sum (n u/r)^2, u the rounding of an offset */
	double rounding_near;   /* near bins: sum (n u)^2 */
	double second_over_r;   /* far bins: sum (n dv/r)^2, dv the rounding of a variance */
	double second_near;     /* near bins: sum (n dv)^2 */

	double variance[4], variance_near;      /* sum n dv/r^j, dv the largest error of a variance; near: sum n dv */
	double third[BOUND_POWERS], third_near; /* sum n m3/r^j; near: sum n m3 */
	double fourth[2], fourth_near;          /* sum n (m4 + variance^2)/r^j, m4 the largest fourth moment */
	double displaced[3], displaced_near;    /* sum n u/r^j, u the largest rounding of an offset */
	/* of distances on nodes (many_nodes.h): sum (n e)^2, e the error of a pair times max(1, qr); sum (n e/r)^2; sum n e_max */
	double spread, spread_over_r, spread_bound;
	double nearest, farthest; /* distances of pairs, Angstrom; 0: none */
};

/* The methods. `plan` has their parameters other than atoms and q. */
sonde_status exact_pair_sums(sonde_context *context, const sonde_atoms *atoms, bool f32, struct pair_sums *sums);
/* The same of a periodic sample, with images up to the cut-off, and its undamped sums. */
sonde_status exact_image_sums(sonde_context *context, const sonde_atoms *atoms, const struct debye_plan *plan,
			      struct pair_sums *sums);
/* `early`: the atoms from histogram_arrange(), or empty. */
sonde_status histogram_pair_sums(sonde_context *context, const sonde_atoms *atoms, const struct debye_plan *plan,
				 const struct arranged_atoms *early, struct pair_sums *sums);
/* The atoms as required by GPUs. */
sonde_status histogram_arrange(const sonde_context *context, const sonde_atoms *atoms,
			       struct arranged_atoms *arranged);
sonde_status reference_pair_sums(sonde_context *context, const sonde_atoms *atoms, struct pair_sums *sums);
/* The summed atoms of the classes are their lattice. */
sonde_status lattice_pair_sums(sonde_context *context, const struct debye_classes *classes,
			       const struct debye_plan *plan, struct pair_sums *sums);

/* Sums over lists of distances, one list after another in the same buffers. */
struct sinc_list;
sonde_status sinc_list_create(sonde_context *context, struct device *device, struct sinc_list **list);
void sinc_list_free(struct sinc_list **list);
/* Loads and tests the processor's kernel in idle time, if sums over lists are for the host (several threads). */
void sinc_list_prepare(sonde_context *context);
bool sinc_list_is_on(const struct sinc_list *list, const struct device *device);
/* From now on the sums report no progress: for some that are made at the same time. */
void sinc_list_be_quiet(struct sinc_list *list);
/* Adds to totals[0 .. q.points) the sum over `count` distances r > 0 with weights, given as weight/r, of
 * weight sin(q r)/(q r). Both arrays are followed by LIST_PADDING zeros. */
#define LIST_PADDING 16
sonde_status sinc_list_add(struct sinc_list *list, const double *r, const double *weight_over_r, uint32_t count,
			   const sonde_grid *q, double *totals);
/* The same at `points` points that are not uniform: one after another, except for uniform parts among them. */
sonde_status sinc_list_add_at(struct sinc_list *list, const double *r, const double *weight_over_r, uint32_t count,
			      const double *q, int64_t points, double *totals);
/* The same at the points of `sums`, of a list that is roughly in the order of r, and is condensed before (sums/condensed_list.h). */
sonde_status sinc_list_add_ordered(struct sinc_list *list, const double *r, const double *weight_over_r,
				   uint32_t count, const struct pair_sums *sums, double *totals);

/* Number of species pairs, and the index of pair (a, b), a <= b. */
int species_pair_count(int species);
int species_pair_index(int species, int a, int b);

/* The number of uniform points of q that take as long as those of a run. */
double cost_in_points(const struct debye_plan *plan);
/* The time of a term of the sums, in units of one without a factor of its own. */
double cost_of_term(const struct debye_plan *plan);

/* Scattering amplitudes of every species at every q of a result: f of species a at point k is [a * q_count + k]. */
struct amplitudes {
	double *real, *imaginary;
	double
	    *damping; /* exp(-q^2 U_a/2) of each class at point k, [a * q_count + k]; null: not a factor of classes */
	double *magnitude; /* of each class, |f| times the damping, for errors of the sums over pairs */
	struct form_factors *form_factors; /* of the user's file; null without one */
};
struct sonde_lattice;
/* Sorts the atoms into classes and makes the plan, as every run begins; `classes` are freed by debye_classes_free() and
 * the plan by debye_plan_free(), also after a failure. The sample is either `atoms` or a lattice; the other one is
 * null. `further`: see debye_plan_make(). */
sonde_status debye_prepare(sonde_context *context, const sonde_atoms *atoms, const struct sonde_lattice *lattice,
			   const sonde_debye_options *options, bool further, struct debye_classes *classes,
			   struct debye_plan *plan);
/* Looks up the species in the table of the plan. Freed by amplitudes_free(), also after a failure. */
sonde_status amplitudes_make(sonde_context *context, const struct debye_classes *classes,
			     const struct debye_plan *plan, struct amplitudes *amplitudes);
void amplitudes_free(struct amplitudes *amplitudes);

/* Fills intensities, S, F and partials of `result` from the sums; see sonde/debye.h. */
sonde_status debye_curves(sonde_context *context, const struct debye_classes *classes,
			  const struct amplitudes *amplitudes, const struct pair_sums *sums,
			  sonde_debye_result *result);
/* Allocates the curves that every result has, for its numbers of points and of pairs of species. */
sonde_status debye_allocate_curves(sonde_debye_result *result);
/* F(q) of the user's points from sums without damping, for G(r) of a periodic sample; to be freed. */
sonde_status debye_undamped_curve(const struct debye_classes *classes, const struct amplitudes *amplitudes,
				  const struct pair_sums *sums, const sonde_debye_result *result, double **reduced);
/* G(r) of the result, on its grid of r, from `reduced`, or from its F if that is null. `sines`: from debye_sines(), or null. */
sonde_status debye_distribution(sonde_context *context, const double *reduced, const double *sines,
				sonde_debye_result *result);
/* sin(q r) for many results with the same points, to be freed. */
sonde_status debye_sines(const sonde_context *context, const double *q, int64_t q_count, const sonde_grid *r,
			 double **sines);
/* I/N at point k of the result's q from the sums at this point, those of pair p of classes at sums[p * stride]. */
double debye_intensity_per_atom(const sonde_debye_result *result, const struct debye_classes *classes,
				const struct amplitudes *amplitudes, int64_t k, const double *sums, int64_t stride);
/* Fills error_estimate, error_bound, their largest values, the errors of partials and blocks, and checked_points. */
sonde_status debye_errors(sonde_context *context, const struct debye_classes *classes, const struct debye_plan *plan,
			  const struct amplitudes *amplitudes, const struct pair_sums *sums,
			  sonde_debye_result *result);
/* Sets error_estimate[k] to `error` if that is larger, and the errors of the partials in proportion. */
void debye_errors_raise(sonde_debye_result *result, int64_t k, double error);

/* Whether sonde_debye_result_write() supports the file type of `path`. */
sonde_status debye_check_format(const char *path);
/* Whether a run with these options will have the content of such a file. */
sonde_status debye_check_contents(const char *path, const sonde_debye_options *options);

/* The contents of an HDF5 file, for struct engine. */
sonde_status debye_contents(const void *result, struct hdf5_writer *writer);

/* Appends the result as a table, with a header of comments. */
sonde_status debye_table_text(const sonde_debye_result *result, bool csv, struct text *text);

/* Provenance of a result. */
struct sonde_debye_provenance {
	sonde_debye_options options; /* the result points to these */
	struct provenance run;
	enum scattering_table table;
	char form_factors_sha256[65]; /* of the file of option `form_factors`; "" without one */
	double *mean_amplitude; /* sum of c_a f_a at each q, real and imaginary part; null for a result from a file */
	char *samples;          /* of a mean: a line for each component, its name; null without names */
};

#endif
