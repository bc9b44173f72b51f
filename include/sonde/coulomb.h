/* Electrostatic potential and field of point charges.
 *
 *     phi(p) = k/epsilon sum_j q_j/r_j,   E(p) = -grad phi = k/epsilon sum_j q_j (p - r_j)/r_j^3,   r_j = |p - r_j|
 *
 * with open boundaries, or periodic along the edges of a cell (Ewald's sum), in a medium of dielectric constant
 * epsilon. k = e/(4 pi epsilon_0) = 14.3996 V Angstrom, or 1 in units of e/Angstrom. A charge within 1e-6 Angstrom of
 * a point is omitted there, softened, or refused, as chosen.
 */
#ifndef SONDE_COULOMB_H
#define SONDE_COULOMB_H

#include <stdint.h>

#include "sonde/atoms.h"
#include "sonde/context.h"
#include "sonde/coulomb_options.h"
#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The result, read-only. Points are numbered along the first step, then the second, then the third. */
typedef struct sonde_coulomb_result {
	int64_t charge_count;
	double total_charge; /* of the first set, e */
	int64_t point_count;
	int is_grid;                   /* whether the points are origin + i steps[0] + j steps[1] + k steps[2] */
	int64_t size[3];               /* of the grid; planes and lines have some 1 */
	double origin[3], steps[3][3]; /* Angstrom */
	double *points;                /* x, y, z of each, Angstrom; null for a grid */
	double *potential;             /* at each point; unit: sonde_coulomb_unit() */
	double *field;                 /* Ex, Ey, Ez at each point; null unless requested */

	const sonde_coulomb_options *options; /* of the run, with every "auto" decided; owned by the result */
	int64_t coincident;                   /* omitted pairs of a point and a charge */
	int checked_points;                   /* recomputed by the reference */
	/* Estimates for all points, from the recomputed ones: root mean square of the potential's error relative to its own,
	 * and the largest error of the potential; the same of the field (of the length of the difference), 0 without
	 * one. */
	double relative_error, largest_error;
	double field_error, largest_field_error;
	double seconds; /* wall time of the run */
	struct sonde_coulomb_provenance *provenance;
	double
	    energy; /* of the charges among themselves; unit: e times that of the potential, V giving eV. 0 unless requested */
	double
	    *charges;   /* x, y, z (Angstrom) and charge (e) of each nonzero one; null unless forces were requested */
	double *forces; /* Fx, Fy, Fz on each of these, in the unit of the energy per Angstrom */
	double kernel_seconds; /* kernel time included in `seconds`, on the slowest device */
	int64_t masked;        /* omitted points, which are NaN */
	/* With several sets of charges at the same positions potential, field and forces hold the values set by set,
	 * `charges` x, y, z and the charge in each set; the errors are the largest of all sets. */
	int charge_sets;
	double *total_charges; /* of each set, e */
	double *energies;      /* of each set; null unless forces were requested */
} sonde_coulomb_result;

/* Sets every option to its default. */
#define sonde_coulomb_options_init(options) sonde_coulomb_options_init_sized((options), sizeof *(options))
/* The same for a struct of `size` bytes, the size in the version that the caller was compiled with. */
SONDE_API void sonde_coulomb_options_init_sized(sonde_coulomb_options *options, uint64_t size);

/* Computes the potential of the charges of `atoms`. *result is null after a failure, otherwise to be freed by
 * sonde_coulomb_result_free(). */
SONDE_API sonde_status sonde_coulomb_run(sonde_context *context, const sonde_atoms *atoms,
					 const sonde_coulomb_options *options, sonde_coulomb_result **result);

/* A plan for many samples, such as the frames of a trajectory or the charges of a fit: options are checked, and
 * the points are determined once, from the surface or the bounding box of the sample of the plan, or from the file
 * of the option `points`. sonde_coulomb_run() is plan, execute and free. */
struct sonde_coulomb_plan;
/* Plans potentials of samples similar to `atoms`, which are not kept. The context must outlive the plan and serves
 * one execution at a time. *plan is null after a failure (those of sonde_coulomb_run() that come before the sums),
 * else to be freed by sonde_coulomb_plan_free(). */
SONDE_API sonde_status sonde_coulomb_plan(sonde_context *context, const sonde_atoms *atoms,
					  const sonde_coulomb_options *options, struct sonde_coulomb_plan **plan);
/* The options with boundary and quantity decided; the method is chosen for each sample by the tolerance. Owned by the
 * plan. */
SONDE_API const sonde_coulomb_options *sonde_coulomb_plan_options(const struct sonde_coulomb_plan *plan);
/* Computes the potential of the charges of `atoms`, those of the plan or others, at the points of the plan.
 * *result is null after a failure, otherwise to be freed by sonde_coulomb_result_free(), and independent of the
 * plan. */
SONDE_API sonde_status sonde_coulomb_execute(struct sonde_coulomb_plan *plan, const sonde_atoms *atoms,
					     sonde_coulomb_result **result);
/* The same to a file, as sonde_coulomb_run_to_file(). */
SONDE_API sonde_status sonde_coulomb_execute_to_file(struct sonde_coulomb_plan *plan, const sonde_atoms *atoms,
						     const char *path, int overwrite, sonde_coulomb_result **result);
/* Frees the plan and sets *plan to null; a null pointer or null plan is allowed. */
SONDE_API void sonde_coulomb_plan_free(struct sonde_coulomb_plan **plan);

/* sonde_coulomb_run() to a file of a type of sonde_coulomb_result_write(). Grids are written slab by slab while the next slab is
 * computed, so that they may exceed the memory; the result then has no values, potential and field are null. */
SONDE_API sonde_status sonde_coulomb_run_to_file(sonde_context *context, const sonde_atoms *atoms,
						 const sonde_coulomb_options *options, const char *path,
						 int overwrite, sonde_coulomb_result **result);

/* Writes the result: OpenDX (.dx, .dx.gz: the potential on a grid), a Gaussian cube (.cube, .cube.gz, .cub: the
 * same), a VTK image (.vtk), MRC or CCP4 (.mrc .map .ccp4: the potential in float32), NeXus HDF5 (.h5 .hdf5 .nxs)
 * with everything, or a table x y z phi Ex Ey Ez (.xy .dat .txt .csv). The file appears when it is complete; an
 * existing one is an error unless `overwrite`. */
SONDE_API sonde_status sonde_coulomb_result_write(const sonde_coulomb_result *result, const char *path,
						  int overwrite);

/* Reads a complete result written as HDF5; kernel_seconds, which is not stored, is 0, and potential is null if
 * only the field was requested. The file's seal and checksums are verified first; damaged files and files of other
 * programs or of versions without a seal are refused (SONDE_INVALID). `context` may be null. *result is null after
 * a failure, otherwise to be freed by sonde_coulomb_result_free(). */
SONDE_API sonde_status sonde_coulomb_result_read(sonde_context *context, const char *path,
						 sonde_coulomb_result **result);

/* Name of the unit of the potential: "V", "kT/e" ... */
SONDE_API const char *sonde_coulomb_unit(const sonde_coulomb_result *result);

SONDE_API void sonde_coulomb_result_free(sonde_coulomb_result **result);

#ifdef __cplusplus
}
#endif
#endif
