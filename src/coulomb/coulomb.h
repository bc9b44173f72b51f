/* The inner face of the engine: what its files share. The public one is sonde/coulomb.h. */
#ifndef SONDE_COULOMB_COULOMB_H
#define SONDE_COULOMB_COULOMB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/options.h"
#include "run/context.h"
#include "device/device.h"
#include "matter/atoms.h"
#include "matter/provenance.h"
#include "sonde/coulomb.h"

extern const struct option_table coulomb_option_table;
/* The kernels, and the same for several sets of charges and for the fast sum of points, which are tested by themselves. */
extern const struct device_program coulomb_program, coulomb_sets_program, coulomb_points_program;

/* Compares the kernels of a device with plain sums over a small sample. */
sonde_status coulomb_self_test(struct device *device);
sonde_status coulomb_self_test_of_sets(struct device *device);
sonde_status coulomb_self_test_of_points(struct device *device);

/* The charges, coordinates in separate arrays; those that are 0 in all sets are left out. */
struct charges {
	uint32_t count;
	double *x, *y, *z, *q;  /* Angstrom, e; q of one set after the other */
	uint8_t *elements;      /* atomic numbers; 0: not known. Null where it does not matter */
	double total, absolute; /* of the first set */
	uint32_t sets;          /* of charges at the same positions; 1 as a rule */
};
/* As the option says, or as the sample brings them. */
sonde_status charges_make(const sonde_atoms *atoms, const char *by_label, struct charges *charges);
void charges_free(struct charges *charges);
/* Sets from number `first` on as charges of their own, whose arrays stay those of `all`: as many as are summed at a time,
 * the last of them being 0 where there are fewer, or one. How many of `all` they are is returned. */
uint32_t charges_of_sets(const struct charges *all, uint32_t first, bool one, struct charges *some);

/* Where the potential is wanted: a grid, which planes and lines are too, or a list of points. */
struct targets {
	int64_t count;
	bool is_grid, is_orthogonal; /* steps along x, y, z */
	int64_t size[3];
	double origin[3], steps[3][3];
	double *points; /* x, y, z of each, of a list */
};
/* Points first to first + count - 1 of the targets, whole planes or rows of a grid. */
struct target_range {
	int64_t first, count;
};
#define COULOMB_LARGEST_COORDINATE 1e7 /* Angstrom, of a point */
sonde_status targets_make(const sonde_atoms *atoms, const sonde_coulomb_options *options, int threads,
			  struct targets *targets);
/* Those of a file, into targets that are {0}. */
sonde_status targets_read(const char *path, int threads, struct targets *targets);
void targets_free(struct targets *targets);
/* "x,y,z" followed by `end` at the head of a text; what comes after `end` (or the end of the text), or null. */
const char *targets_read_point(const char *text, double point[3], char end);
/* Points on the surface of the atoms' balls: `density` for a square Angstrom, radii larger by that of a probe. */
sonde_status targets_on_surface(const sonde_atoms *atoms, double density, double probe, struct targets *targets);
/* The step along which slabs follow one another: the last one that has more than one point. Lists are one slab. */
int targets_slow(const struct targets *targets);
/* The points of planes first to first + count - 1 along it. */
struct target_range targets_planes(const struct targets *targets, int64_t first, int64_t count);
/* The same points, numbered with the third step fastest, and x and z exchanged: a mirror image. */
struct targets targets_mirrored(const struct targets *targets);
/* Coordinates of point number `index`. */
void targets_point(const struct targets *targets, int64_t index, double point[3]);

struct cell;        /* cell.h */
struct ewald;       /* ewald.h */
struct block_tree;  /* blocks.h */
struct mesh_choice; /* mesh.h */

/* What a charge q is at a distance r: q/r, q exp(-kappa r)/r, or q erf(kappa r)/r. The kernels' SCREENED. */
enum charge_form { CHARGE_POINT, CHARGE_SCREENED, CHARGE_GAUSSIAN };

/* What will be done, settled before the work begins. */
struct coulomb_plan {
	sonde_coulomb_options options; /* with every "auto" decided */
	double softening;              /* Angstrom; 0: none */
	enum charge_form form;
	double kappa;              /* 1/Angstrom; of screening, or 1/(sqrt(2) sigma) of Gaussian charges */
	double factor;             /* from e/Angstrom to the unit of the result */
	const struct cell *cell;   /* of periodic charges; null: open boundaries */
	const struct ewald *ewald; /* their sum */
	const struct ewald *check; /* the same split otherwise, for the errors */
	struct block_tree *tree;   /* of the fast sum; owned; null: another method */
	struct mesh_choice *mesh;  /* of the fast sum for lists of points; owned; null: another method */
	int order;                 /* of the fast sum: how exact, in a list of fast_plan.c or mesh_smooth.c */
	bool automatic;            /* the precision was chosen here */
	bool field, single;        /* whether the field is wanted; float32 */
	double most_of_slab;       /* points that a slab may have */
};
/* Refuses what a lifetime, or the memory, does not suffice for. */
sonde_status coulomb_check_size(const sonde_context *context, const sonde_coulomb_options *options,
				const struct charges *charges, const struct targets *targets, bool in_memory);
sonde_status coulomb_plan_make(sonde_context *context, const sonde_coulomb_options *options,
			       const struct charges *charges, const struct targets *targets, const struct cell *cell,
			       struct coulomb_plan *plan);
/* Decides the precision, by the option and by what the method allows. */
void coulomb_plan_precision(struct coulomb_plan *plan, int wanted);
void coulomb_plan_free(struct coulomb_plan *plan);
/* Settles on the fast sum where that is asked for, or is less work and the method is automatic. Adds to *evaluations what
 * it will take, instead of what the direct sum would. */
sonde_status fast_plan(sonde_context *context, const struct charges *charges, const struct targets *targets,
		       struct coulomb_plan *plan, double *evaluations);
/* After a result that missed its tolerance by that error: a fast sum that is more exact, or the direct sum where there is
 * none. */
sonde_status fast_plan_better(sonde_context *context, const struct charges *charges, const struct targets *targets,
			      double error, struct coulomb_plan *plan);

/* Sums in e/Angstrom and e/Angstrom^2, times a factor: potential[k] and, unless null, field[3 k ..] of every point, and
 * `stride` points further those of the next set of charges. */
struct values {
	double *potential, *field, factor;
	uint32_t sets; /* that are wanted, no more than the charges have */
	int64_t stride;
	int64_t first;         /* number of the point that the values begin with */
	double kernel_seconds; /* of the device that took longest */
};
/* A sum slab by slab: planes of the grid, one slab after the other along the slow step, by devices that stay ready. */
struct sums;
/* Charges, targets and plan must live on. */
sonde_status sums_begin(sonde_context *context, const struct charges *charges, const struct targets *targets,
			const struct coulomb_plan *plan, struct sums **sums);
/* A slab has a multiple of so many planes, but for the last one. */
int64_t sums_planes(const struct sums *sums);
/* Planes first to first + count - 1 into `values`, which begin with the slab's first point. *coincident grows. */
sonde_status sums_slab(struct sums *sums, int64_t first, int64_t count, struct values *values, uint64_t *coincident);
/* Returns the seconds in kernels of the device that took longest. Harmless on null. */
double sums_end(struct sums **sums);
/* All of the above for the whole. */
sonde_status sums_all(sonde_context *context, const struct charges *charges, const struct targets *targets,
		      const struct coulomb_plan *plan, struct values *values, uint64_t *coincident);

/* The same by method, direct, fast or by the reference. */
struct direct_run;
struct fast_run;
sonde_status direct_begin(sonde_context *context, const struct charges *charges, const struct targets *targets,
			  const struct coulomb_plan *plan, struct direct_run **run);
int64_t direct_planes(const struct direct_run *run);
sonde_status direct_slab(struct direct_run *run, const struct target_range *slab, struct values *values,
			 uint64_t *coincident);
double direct_end(struct direct_run **run);
sonde_status fast_begin(sonde_context *context, const struct block_tree *tree, const struct targets *targets,
			const struct coulomb_plan *plan, struct fast_run **run);
int64_t fast_planes(const struct fast_run *run);
sonde_status fast_slab(struct fast_run *run, int64_t first, int64_t count, struct values *values,
		       uint64_t *coincident);
double fast_end(struct fast_run **run);
/* The fast sum of a list of points, by a mesh; *seconds are those it took. */
sonde_status mesh_sum(sonde_context *context, const struct charges *charges, const struct targets *targets,
		      const struct coulomb_plan *plan, struct values *values, uint64_t *coincident, double *seconds);
/* Of periodic charges: what the tree of the plan needs besides, found by Ewald's sum of the plan. */
sonde_status fast_periodic(sonde_context *context, const struct charges *charges, struct coulomb_plan *plan);
sonde_status reference_sum(sonde_context *context, const struct charges *charges, const struct targets *targets,
			   const struct target_range *range, const struct coulomb_plan *plan, struct values *values,
			   uint64_t *coincident);
/* One point, in compensated float64: phi, Ex, Ey, Ez of a set of charges, and how many charges lie there. */
void reference_point(const struct charges *charges, uint32_t set, const double point[3],
		     const struct coulomb_plan *plan, double sums[4], uint64_t *coincident);
/* How far values are from the reference, at some points. Of several sets that which is worst. */
struct coulomb_errors {
	int points;
	double potential, field;       /* root mean square, relative to the values there */
	double largest, largest_field; /* of the potential, in its unit, and of the field's length */
};
/* Energy and forces of `sets` sets of charges into those of the result from `first` on, by a method as the option has it. */
sonde_status coulomb_forces(sonde_context *context, const struct charges *charges, uint32_t first, uint32_t sets,
			    const struct coulomb_plan *plan, int method, sonde_coulomb_result *result);

/* Some points of a result: of a grid those that are nearest to charges, some around charges, and others drawn by chance, the likelier the larger
 * potential and field are there; of a list those where values are largest, and others spread over all. And what they are found to be: potential
 * and field of each in each set. */
#define CHECKED_MOST 1024
#define CHECKED_SETS 4
struct checked_points {
	int count, near, around; /* the first ones are nearest to charges, those up to `around` around them */
	bool strongest;          /* the first ones are found by their values */
	bool drawn;              /* those from `around` on are drawn */
	double strengths[CHECKED_MOST], least; /* of the first ones, and the least of them */
	int64_t all;                           /* points of the targets */
	int64_t indices[CHECKED_MOST];
	double values[CHECKED_SETS][CHECKED_MOST][4];
	/* Of drawn points: chances and priorities, how many are there, the largest priority that was turned away, one candidate of how many
	 * points, and of the candidates their number, sums of strengths and of squares of potential and field. */
	double chances[CHECKED_MOST], priorities[CHECKED_MOST], turned_away;
	int drawn_count;
	int64_t candidate_of, candidates;
	double strength_sums[2], squares[CHECKED_SETS][2];
};
/* As many as can be afforded. */
void checked_choose(const struct charges *charges, const struct targets *targets, const struct coulomb_plan *plan,
		    struct checked_points *points);
/* Takes those that are among the `count` points of the values. */
void checked_take(const struct values *values, int64_t count, struct checked_points *points);
/* Compares them with the reference. */
sonde_status checked_compare(sonde_context *context, const struct charges *charges, uint32_t sets,
			     const struct targets *targets, const struct coulomb_plan *plan,
			     const struct checked_points *points, struct coulomb_errors *errors);

/* Points that are left out: too near to an atom, too far from all, or beyond a box. */
struct mask;
/* *mask is null where nothing is left out. `mirrored`: the targets are (targets_mirrored()). */
sonde_status mask_make(const sonde_atoms *atoms, const sonde_coulomb_options *options, bool mirrored,
		       struct mask **mask);
void mask_free(struct mask **mask);
/* Fails unless the mask, which may be null, leaves at least one of the targets, which are not yet mirrored. */
sonde_status mask_check(sonde_context *context, const struct mask *mask, const struct targets *targets);
/* Those of a range become NaN in the values, and are counted. Null: none. */
int64_t mask_apply(const sonde_context *context, const struct mask *mask, const struct targets *targets,
		   const struct target_range *range, struct values *values);

/* How the result was found, in a word or two. */
const char *coulomb_method_name(const sonde_coulomb_result *result);
/* A line for the potential, one for the field, and one that says from how many points; each after `before`. */
void coulomb_append_errors(const sonde_coulomb_result *result, const char *before, struct text *text);
/* " of set 2", or nothing where there is one set only, into `name`, which is returned. */
const char *coulomb_set_name(const sonde_coulomb_result *result, int set, char name[24]);
/* Name of the unit of energies: that of the potential times e. */
const char *coulomb_energy_unit(const sonde_coulomb_result *result);

/* Whether sonde_coulomb_result_write() knows the kind of file that `path` names. */
sonde_status coulomb_check_format(const char *path);
/* Whether files of that kind hold one set of charges each, where there are several: phi_1.dx, phi_2.dx for phi.dx. */
bool coulomb_file_for_each_set(const char *path, int sets);
/* Whether the file, or the files, can be written: file_check_output(). */
sonde_status coulomb_check_files(const char *path, int sets, bool overwrite);
/* Appends the result as a table, with a header of comments. */
sonde_status coulomb_table_text(const sonde_coulomb_result *result, bool csv, struct text *text);

struct sonde_coulomb_provenance {
	struct provenance run;
	/* x, y, z and the charge in each set, and the atomic number, of those that are not 0, for files that show them */
	double *charges;
	uint8_t *elements;
	int threads; /* of the run */
};

#endif
