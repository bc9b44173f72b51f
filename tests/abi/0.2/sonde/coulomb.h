/* Electrostatic potential and field of point charges.
 *
 *     phi(p) = k/epsilon sum_j q_j/r_j,   E(p) = -grad phi = k/epsilon sum_j q_j (p - r_j)/r_j^3,   r_j = |p - r_j|
 *
 * with open boundaries, or repeated for ever along the edges of a cell (Ewald's sum), in a medium of dielectric constant epsilon. k = e/(4 pi epsilon_0) = 14.3996 V Angstrom, or 1 in
 * units of e/Angstrom. A charge within 1e-6 Angstrom of a point is left out there, softened, or refused, by choice.
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

/* The answer; read it, do not write it. Points are numbered along the first step, then the second, then the third. */
typedef struct sonde_coulomb_result {
	int64_t charge_count;
	double total_charge; /* of the first set, e */
	int64_t point_count;
	int is_grid;                   /* whether the points are origin + i steps[0] + j steps[1] + k steps[2] */
	int64_t size[3];               /* of the grid; a plane or line has 1 in some */
	double origin[3], steps[3][3]; /* Angstrom */
	double *points;                /* x, y, z of each, Angstrom; null for a grid */
	double *potential;             /* of each point; unit: sonde_coulomb_unit() */
	double *field;                 /* Ex, Ey, Ez of each point; null unless it was asked for */

	const sonde_coulomb_options *options; /* as they were run: nothing is "auto" any more; owned by the result */
	int64_t coincident;                   /* pairs of a point and a charge that were left out */
	int checked_points;                   /* computed a second time, by the reference */
	/* Estimates for all points from those: root mean square of the potential's error relative to its own, and the largest
	 * error of the potential; the same of the field (of the length of the difference), 0 without one. */
	double relative_error, largest_error;
	double field_error, largest_field_error;
	double seconds; /* wall time of the run */
	struct sonde_coulomb_provenance *provenance;
	double
	    energy; /* of the charges among themselves; unit: e times that of the potential, V giving eV. 0 unless asked for */
	double
	    *charges; /* x, y, z (Angstrom) and charge (e) of each that is not 0; null unless forces were asked for */
	double *forces;        /* Fx, Fy, Fz on each of those, in the energy's unit per Angstrom */
	double kernel_seconds; /* of `seconds`, those in kernels on the device that took longest */
	int64_t masked;        /* points that were left out, and are NaN */
	/* Of several sets of charges at the same positions: potential, field and forces hold those of one set after the other,
	 * `charges` x, y, z and the charge in each set; the errors are those of the set where they are largest. */
	int charge_sets;
	double *total_charges; /* of each set, e */
	double *energies;      /* of each set; null unless forces were asked for */
} sonde_coulomb_result;

/* Sets every option to its default. */
#define sonde_coulomb_options_init(options) sonde_coulomb_options_init_sized((options), sizeof *(options))
/* The same for a struct of `size` bytes: that of the version that the caller was compiled with. */
SONDE_API void sonde_coulomb_options_init_sized(sonde_coulomb_options *options, uint64_t size);

/* Computes the potential of the charges of `atoms`. *result is null after a failure, else to be freed by
 * sonde_coulomb_result_free(). */
SONDE_API sonde_status sonde_coulomb_run(sonde_context *context, const sonde_atoms *atoms,
					 const sonde_coulomb_options *options, sonde_coulomb_result **result);

/* What is planned once for many samples, such as the frames of a trajectory or the charges of a fit: options are checked, and the
 * points are settled, of the surface or the box round the sample of the plan, or read from the file that option points names.
 * sonde_coulomb_run() is plan, execute and free. */
struct sonde_coulomb_plan;
/* Plans potentials of samples that are like `atoms`, which it does not keep. The context must outlive the plan and serves one
 * execution at a time. *plan is null after a failure (those of sonde_coulomb_run() that come before the sums), else to be freed by
 * sonde_coulomb_plan_free(). */
SONDE_API sonde_status sonde_coulomb_plan(sonde_context *context, const sonde_atoms *atoms,
					  const sonde_coulomb_options *options, struct sonde_coulomb_plan **plan);
/* The options with boundary and quantity decided; the method is that which the tolerance needs for each sample. Owned by the
 * plan. */
SONDE_API const sonde_coulomb_options *sonde_coulomb_plan_options(const struct sonde_coulomb_plan *plan);
/* Computes the potential of the charges of `atoms`, those of the plan or others, at the points of the plan. *result is null after a
 * failure, else to be freed by sonde_coulomb_result_free(), and does not need the plan. */
SONDE_API sonde_status sonde_coulomb_execute(struct sonde_coulomb_plan *plan, const sonde_atoms *atoms,
					     sonde_coulomb_result **result);
/* Frees the plan and sets *plan to null; a null pointer or null plan is fine. */
SONDE_API void sonde_coulomb_plan_free(struct sonde_coulomb_plan **plan);

/* The same to a file, of the kinds that sonde_coulomb_result_write() knows. Grids go there slab by slab while the next one is
 * computed, so that they may be larger than the memory; the result has no values then, potential and field being null. */
SONDE_API sonde_status sonde_coulomb_run_to_file(sonde_context *context, const sonde_atoms *atoms,
						 const sonde_coulomb_options *options, const char *path,
						 int overwrite, sonde_coulomb_result **result);

/* Writes the result: OpenDX (.dx, .dx.gz: the potential on a grid), a Gaussian cube (.cube, .cube.gz, .cub: the same), a VTK image (.vtk), MRC or CCP4 (.mrc .map .ccp4: the
 * potential in float32), NeXus HDF5 (.h5 .hdf5 .nxs) with everything, or a
 * table x y z phi Ex Ey Ez (.xy .dat .txt .csv). The file appears when it is complete; an existing
 * one is an error unless `overwrite`. */
SONDE_API sonde_status sonde_coulomb_result_write(const sonde_coulomb_result *result, const char *path,
						  int overwrite);

/* Reads a result that was written as HDF5, with everything that it had; kernel_seconds, which files do not have, is 0, and potential is null
 * where only the field was asked for. The file's seal and checksums are compared first; damaged files, those of other programs and of
 * versions without a seal are refused (SONDE_INVALID). `context` may be null. *result is null after a failure, else to be freed by
 * sonde_coulomb_result_free(). */
SONDE_API sonde_status sonde_coulomb_result_read(sonde_context *context, const char *path,
						 sonde_coulomb_result **result);

/* Name of the unit of the potential: "V", "kT/e" ... */
SONDE_API const char *sonde_coulomb_unit(const sonde_coulomb_result *result);

SONDE_API void sonde_coulomb_result_free(sonde_coulomb_result **result);

#ifdef __cplusplus
}
#endif
#endif
