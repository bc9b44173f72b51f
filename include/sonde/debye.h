/* The powder pattern of a sample by the Debye equation.
 *
 *     I(q) = sum_ij Re(f_i f_j*) sin(q r_ij)/(q r_ij)        over all i and j, i = j included
 *
 * Conventions, of every curve here and in every file:
 *     I/N     per atom, in electron units (X-rays), fm^2 (neutrons), Angstrom^2 (electrons) or 1 (unit amplitudes)
 *     S(q)    = 1 + (I/N - <f^2>)/<f>^2          Faber and Ziman; <f^2> = sum_a c_a |f_a|^2,
 *                                                <f>^2 = |sum_a c_a f_a|^2
 *     F(q)    = q (S - 1)
 *     G(r)    = 2/pi int q (S - 1) W(q) sin(q r) dq  exp(-(r qdamp)^2/2), trapezoid rule on the
 *               grid of q; W = 1 or Lorch's sin(pi q/q_max)/(pi q/q_max)
 *     I_ab    the contribution of pairs of species a and b to I/N, self terms included in I_aa;
 *             sum over a <= b of I_ab = I/N
 *     S_ab    = 1 + N/(N_a N_b) sum over i in a, j in b, i != j of sin(q r_ij)/(q r_ij), so that
 *             S - 1 = sum over a and b of c_a c_b Re(f_a f_b*)/<f>^2 (S_ab - 1)
 * Atoms that move, with mean square displacements U_a (the option `displacement`): each sin(q r_ij)/(q r_ij) of i != j
 * is multiplied by exp(-q^2 (U_i + U_j)/2).
 *
 * Periodic samples (the option `boundary`), with the cut-off r_c, the factor w of the option `damping`, and the density
 * rho = N/V of the cell: the sum over j has all images at r_ij < r_c with the factor w(r_ij), and |<f>|^2 4 pi rho
 * int_0^r_c r^2 w(r) sin(q r)/(q r) dr is subtracted from I/N, likewise from partials; G is that of S with w = 1.
 *
 * Sites that are occupied with probability o_i (sonde_atoms_set_occupancies()): the mean over their configurations,
 *     I(q) = sum_i o_i |f_i|^2 + sum_{i != j} p_ij Re(f_i f_j*) sin(q r_ij)/(q r_ij),
 *     p_ij = o_i o_j, but 0 for two that are nearer than 0.5 Angstrom and whose occupancies add up to 1 at most; and of
 *     alternative locations of one residue (PDB files) min(o_i, o_j) under the same letter, 0 under different ones; S_ab
 *     likewise; N = sum_i o_i, N_a = sum of o_i over species a, c_a = N_a/N.
 */
#ifndef SONDE_DEBYE_H
#define SONDE_DEBYE_H

#include <stdint.h>

#include "sonde/atoms.h"
#include "sonde/context.h"
#include "sonde/debye_options.h"
#include "sonde/lattice.h"
#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A measured curve and its fit, scale * I(q) + background: see docs/debye.md, "Measured curves". Arrays over q, in the
 * unit of the measured intensity. */
typedef struct sonde_debye_comparison {
	double *measured;
	double *measured_error; /* standard deviations; null if the file has none: all points have the weight 1 */
	double *fitted, *background, *residual; /* residual = measured - fitted */
	double scale, scale_error;              /* with its standard error; infinite if it is not determined */
	int background_count;                   /* coefficients of Chebyshev's polynomials T_0, T_1, ... */
	double *background_coefficients, *background_errors;
	double r, rwp, rexp; /* profile R, weighted profile R, and its expected value (NaN without deviations) */
	double chi_square;   /* sum of weights times squares of residuals */
	int64_t degrees_of_freedom; /* points less parameters */
} sonde_debye_comparison;

/* The result, read-only. Arrays over q have q_count values, arrays over r r_count. */
typedef struct sonde_debye_result {
	int64_t atom_count; /* sites with an occupancy above 0 */
	int64_t q_count;
	double *q;                        /* 1/Angstrom */
	double *intensity;                /* I */
	double *intensity_per_atom;       /* I/N */
	double *error_estimate;           /* of I/N: see docs/debye.md, "Error estimate" */
	double *mean_square_amplitude;    /* <f^2> */
	double *square_mean_amplitude;    /* <f>^2 */
	double *structure_factor;         /* S; NaN where <f>^2 = 0 */
	double *reduced_structure_factor; /* F, 1/Angstrom */

	int64_t r_count;           /* 0 if the grid of q has one point */
	double *r;                 /* Angstrom */
	double *pair_distribution; /* G, 1/Angstrom^2 */

	int species_count;
	char (*species_label)[SONDE_LABEL_SIZE];
	int64_t *species_atoms;
	int pair_count;            /* species_count * (species_count + 1)/2 */
	int *pair_a, *pair_b;      /* species of each pair, a <= b, in the order aa ab ... bb bc ... */
	int64_t *pair_pairs;       /* pairs of atoms of each pair of species, each counted once, without images */
	double *partial_intensity; /* I_ab: pair_count rows of q_count */
	double *partial_structure_factor; /* S_ab: likewise */

	const sonde_debye_options *options; /* of the run, with every "auto" decided; owned by the result */
	double bin_width;                   /* of the histogram, Angstrom; 0 without one */
	int64_t bin_count;                  /* likewise */
	int checked_points;                 /* points of q that were recomputed by a more accurate method */
	double largest_error;               /* largest error_estimate/(<f^2> + I/N) */
	double seconds;                     /* wall time of the run */
	struct sonde_debye_provenance *provenance;
	double *error_bound;     /* of I/N, never below the estimate; see docs/debye.md, "Error estimate" */
	double largest_bound;    /* largest error_bound/(<f^2> + I/N) */
	double atoms_present;    /* N: the sum of the occupancies, atom_count if all are 1 */
	double *species_present; /* N_a: the same for each species */
	/* With the option `counts`, else null: numbers of pairs and mean distances (0 in empty bins), pair_count
	 * rows of counted_bins bins, bin b from b to b + 1 times bin_width; */
	int64_t counted_bins;
	double *counted_pairs, *counted_distances;
	/* R(r), the neighbors of an atom per unit length, and R_ab, those of species b around an atom of a,
	 * pair_count rows, in bins around the points of r, with the peaks of moving atoms if their displacements are given;
	 * null if the grid of r has one point; and g(r), null without a density. */
	double *radial_distribution, *partial_radial_distribution, *pair_correlation;
	/* n(r), the neighbors of an atom up to the distance r, and n_ab, pair_count rows; null where R(r) is */
	double *running_coordination, *partial_running_coordination;
	/* I with the factors of the options `polarization` and `lorentz`; null without them */
	double *intensity_corrected;
	/* With the option `bhatia_thornton`, else null: S_NN, S_NC, S_CC of number and concentration of the first
	 * species. */
	double *structure_factor_nn, *structure_factor_nc, *structure_factor_cc;
	/* With the option `density`, else null: D = <b>^2 G and T = D + 4 pi r density <b>^2 on the grid of r, <b>^2 in
	 * fm^2 for neutrons, otherwise 1. */
	double *differential_correlation, *total_correlation;
	double *two_theta; /* degrees, with the option of this name or a file of angles, else null */
	/* Of a mean over samples (sonde_debye_mean_finish()), else 0: their number; and the number of independent
	 * values from which the standard errors are derived, the frames or their blocks, 0 without standard errors. */
	int64_t sample_count, error_values;
	/* Standard errors of means over frames, else null: of I/N, S, F (q_count values), G (r_count), I_ab and S_ab
	 * (pair_count rows of q_count). */
	double *standard_error, *structure_factor_standard_error, *reduced_structure_factor_standard_error;
	double *pair_distribution_standard_error, *partial_intensity_standard_error,
	    *partial_structure_factor_standard_error;
	double *sample_weights; /* of a mean over a mixture, sample_count values that add up to 1; else null */
	sonde_debye_comparison *comparison; /* with the option `compare`, else null */
	/* With the option `resolution`, else null: I, or I_corrected if there is one, convolved with the profile */
	double *intensity_resolved;
	/* With the option `concentration`, else null: the cross-section per volume and solid angle, 1/cm */
	double *intensity_absolute;
	/* With the option `compton`, else null: Compton scattering, and its sum with I, of which the curves above are then
	 * made */
	double *intensity_compton, *intensity_total;
	/* With the option `partials` other than species: blocks, with sums of occupancies, and for each pair A <= B of them, in
	 * the order AA AB ... BB BC ..., the part of I/N of their pairs of atoms, self terms in AA: block_count (block_count +
	 * 1)/2 rows of q_count, whose sum is I/N. Else 0 and null. */
	int block_count;
	char (*block_label)[SONDE_LABEL_SIZE];
	double *block_atoms;
	double *block_intensity;
	/* With the option `laue`: the Laue monotonic scattering per atom, <f^2> - <f>^2, and I - N times it; else null */
	double *laue, *intensity_without_laue;
	/* Of means over frames with the option `counts`, else null: standard errors of R(r), n(r), R_ab, and n_ab */
	double *radial_distribution_standard_error, *running_coordination_standard_error;
	double *partial_radial_distribution_standard_error, *partial_running_coordination_standard_error;
	/* Further standard errors of means over frames, else null: of intensity_resolved, intensity_absolute (q_count values), and
	 * block_intensity (its rows) */
	double *intensity_resolved_standard_error, *intensity_absolute_standard_error,
	    *block_intensity_standard_error;
	/* Error estimates of partial_intensity, partial_structure_factor, block_intensity (their rows), and intensity_resolved:
	 * see docs/debye.md, "Error estimate". Those of I_ab add up to error_estimate. Null where the curve is, and in results
	 * from files of earlier versions. */
	double *partial_intensity_error, *partial_structure_factor_error, *block_intensity_error,
	    *intensity_resolved_error;
} sonde_debye_result;

/* Sets every option to its default. */
#define sonde_debye_options_init(options) sonde_debye_options_init_sized((options), sizeof *(options))
/* The same for a struct of `size` bytes, the size in the version that the caller was compiled with. */
SONDE_API void sonde_debye_options_init_sized(sonde_debye_options *options, uint64_t size);

/* Computes the pattern of `atoms`. *result is null after a failure, otherwise to be freed by
 * sonde_debye_result_free(). The result is bit-identical for any number of threads, and by histogram
 * for any instruction set and order of the atoms. */
SONDE_API sonde_status sonde_debye_run(sonde_context *context, const sonde_atoms *atoms,
				       const sonde_debye_options *options, sonde_debye_result **result);

/* The same for a sample that is a lattice without a list of atoms (sonde/lattice.h): up to 10^9 of them. The method is
 * `lattice`. */
SONDE_API sonde_status sonde_debye_run_lattice(sonde_context *context, const sonde_lattice *lattice,
					       const sonde_debye_options *options, sonde_debye_result **result);

/* A plan for many samples, such as the frames of a trajectory or the models of a fit: options are checked, the
 * method is chosen, and the devices are opened once. sonde_debye_run() is plan, execute and free. */
struct sonde_debye_plan;
/* Plans the patterns of samples similar to `atoms`, which are not kept. The context must outlive the plan and
 * serves one execution at a time. *plan is null after a failure (those of sonde_debye_run() that come before the
 * sums), else to be freed by sonde_debye_plan_free(). */
SONDE_API sonde_status sonde_debye_plan(sonde_context *context, const sonde_atoms *atoms,
					const sonde_debye_options *options, struct sonde_debye_plan **plan);
/* The options of a run of `atoms`, with every "auto" decided. Owned by the plan. */
SONDE_API const sonde_debye_options *sonde_debye_plan_options(const struct sonde_debye_plan *plan);
/* Computes the pattern of `atoms`, those of the plan or others, by the method of the plan. Quantities of the
 * sample are determined for each: the extent, the number of bins, the amplitudes, the error estimate. The result
 * is bit-identical to that of sonde_debye_run() with this method; *result is null after a failure, otherwise to be
 * freed by sonde_debye_result_free(), and independent of the plan. */
SONDE_API sonde_status sonde_debye_execute(struct sonde_debye_plan *plan, const sonde_atoms *atoms,
					   sonde_debye_result **result);
/* Frees the plan and sets *plan to null; a null pointer or null plan is allowed. */
SONDE_API void sonde_debye_plan_free(struct sonde_debye_plan **plan);

/* Means over many samples, which are added one after the other; each is computed when it is added, and not kept.
 *
 * SONDE_DEBYE_FRAMES: frames of a trajectory, or other snapshots of the same atoms. Every curve is the mean over the
 * frames. Their standard errors follow from the variance of the frames, s^2/M for M frames that are independent of each
 * other; with the option `error_blocks`, from the variance of the means of this number of blocks of consecutive frames,
 * which include their correlation if blocks are longer than it lasts.
 *
 * SONDE_DEBYE_MIXTURE: components of a dilute mixture, such as particles of several sizes, with number fractions w_k
 * (any weights above 0, divided by their sum). Intensities of particles add up:
 *     I = sum_k w_k I_k,   N = sum_k w_k N_k,   N_a = sum_k w_k N_ak,   c_a = N_a/N,
 * so that I/N = I/N of these sums; <f^2>, <f>^2, S, F, and G are those of the mean composition c_a, and the sums over
 * pairs of I_ab and S_ab are added in the same way. There is no interference between the components. */
enum { SONDE_DEBYE_FRAMES, SONDE_DEBYE_MIXTURE };
struct sonde_debye_mean;
/* `samples`: the number of samples that will be added; 0 if it is unknown, which excludes the option `error_blocks`.
 * *mean is null after a failure, otherwise to be freed by sonde_debye_mean_free(). The context must outlive the mean. */
SONDE_API sonde_status sonde_debye_mean_begin(sonde_context *context, const sonde_debye_options *options, int kind,
					      int64_t samples, struct sonde_debye_mean **mean);
/* Computes a sample and adds it with its weight, which is 1 for frames. The method of all frames is that of the first; each
 * component of a mixture has the one that suits it. SONDE_INVALID for frames whose atoms are not those of the first.
 * After a failure the mean can only be freed. */
SONDE_API sonde_status sonde_debye_mean_add(struct sonde_debye_mean *mean, const sonde_atoms *atoms, double weight);
/* The mean of the samples so far. Numbers of atoms of the result are those of the mean, rounded; atoms_present and
 * species_present are exact. Sums are made in the order of the samples. *result is null after a failure, otherwise to
 * be freed by sonde_debye_result_free(). */
SONDE_API sonde_status sonde_debye_mean_finish(struct sonde_debye_mean *mean, sonde_debye_result **result);
/* Frees the mean and sets *mean to null; a null pointer or null mean is allowed. */
SONDE_API void sonde_debye_mean_free(struct sonde_debye_mean **mean);

/* The mean over the samples of a file: frames of a trajectory, by the options `frames` and `topology`, or the
 * structures of a list (.csv), by their weights; see docs/debye.md. The next sample is read while one is computed. */
SONDE_API sonde_status sonde_debye_run_samples(sonde_context *context, const char *path,
					       const sonde_debye_options *options, sonde_debye_result **result);

/* Writes the result: NeXus HDF5 (.h5 .hdf5 .nxs) with everything, or a table (.xy .dat .txt, .csv)
 * of q, I, I/N, S and the error estimate. The file appears when it is complete; an existing one
 * is an error unless `overwrite`. */
SONDE_API sonde_status sonde_debye_result_write(const sonde_debye_result *result, const char *path, int overwrite);

/* Reads a complete result written as HDF5: options, curves, counts, provenance. The file's seal and checksums are
 * verified first; damaged files and files of other programs or of versions without a seal are refused
 * (SONDE_INVALID). `context` may be null. *result is null after a failure, otherwise to be freed by
 * sonde_debye_result_free(). */
SONDE_API sonde_status sonde_debye_result_read(sonde_context *context, const char *path, sonde_debye_result **result);

SONDE_API void sonde_debye_result_free(sonde_debye_result **result);

#ifdef __cplusplus
}
#endif
#endif
