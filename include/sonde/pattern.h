/* The diffraction pattern of a sample of atoms: intensities at scattering vectors of any direction.
 *
 *     F(q) = sum_j f_j(q) exp(i q.r_j),     I(q) = |F(q)|^2
 *
 * in electron units (X-rays), fm^2 (neutrons), Angstrom^2 (electrons) or 1 (unit amplitudes). The average of I over all
 * directions of q is that of debye.h. The vectors are those of a polar picture on the Ewald sphere or of a flat
 * detector, a box of reciprocal space, or a list.
 *
 * The polar picture: the beam is along -z, and point (k, m) has the magnitude q[k] and the azimuth phi[m] about z,
 *     q_z = q^2 lambda/(4 pi) = q sin(theta),   (q_x, q_y) = q cos(theta) (cos phi, sin phi).
 *
 * The detector is at z = -distance, perpendicular to the beam unless it is rotated, and seen from the sample: docs/pattern.md.
 *
 * Sites with occupancies p_j, and atoms with mean square displacements U_j: I is the mean over configurations of independent
 * sites and atoms, with F its mean amplitude,
 *     F(q) = sum_j p_j f_j exp(-q^2 U_j/2) exp(i q.r_j),
 *     I(q) = |F(q)|^2 + sum_j p_j |f_j|^2 (1 - p_j exp(-q^2 U_j)).
 *
 * A sample turned by R has the pattern I(R^T q). Means over orientations, frames, and samples are means of I.
 */
#ifndef SONDE_PATTERN_H
#define SONDE_PATTERN_H

#include <stdint.h>

#include "sonde/atoms.h"
#include "sonde/context.h"
#include "sonde/pattern_options.h"
#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the scattering vectors are arranged. */
enum { SONDE_PATTERN_POLAR, SONDE_PATTERN_LIST, SONDE_PATTERN_BOX, SONDE_PATTERN_DETECTOR };

/* The result, read-only. */
typedef struct sonde_pattern_result {
	int geometry;  /* one of these */
	int64_t count; /* of scattering vectors */
	/* the axes of pictures and boxes, the slowest first, and the coordinates along each; 0 axes for a list:
	 * polar: q in 1/Angstrom, phi in degrees; box: l, k, h; detector: y, x in mm */
	int axis_count;
	int64_t sizes[3];
	double *axes[3];
	double *vectors; /* a list: x, y, z of each vector in turn, 1/Angstrom; else null */
	/* a box: u, v, w, q = h u + k v + l w; a detector: unit vectors of x, y, and its normal away from the sample, so that
	 * pixels are at x e_x + y e_y + distance e_n */
	double basis[9];
	double distance;          /* a detector: of its plane from the sample, mm */
	double *intensity;        /* of each vector; NaN: masked */
	double *real, *imaginary; /* the amplitude F; null without the option `amplitude` */
	double wavelength;        /* Angstrom; 0: not given */
	int64_t atom_count;       /* sites */
	double atoms_present;     /* the sum of their occupancies */
	/* the largest error of F at `checked_points` vectors, which were computed again by the reference, relative to
	 * sqrt(sum_j |f_j|^2) */
	double largest_error;
	int64_t checked_points;
	double seconds;                       /* wall time of the run */
	const sonde_pattern_options *options; /* the options of the run, owned by the result */
	struct sonde_pattern_provenance *provenance;
	unsigned char *masked; /* a detector with a mask or a beam stop: not 0 where pixels are masked; else null */
	int64_t *
	    counts; /* with the option `fluence`: photons, or other particles, in each pixel, -1 where it is masked; else null */
	/* Of means: orientations of the sample, 0 if it is not turned; frames of a trajectory, or samples of a list, 0 for one
	 * sample; copies that do not interfere, else 0; and the number of independent values of which the standard errors
	 * are, random orientations, frames, or blocks of frames, 0 without them. With the option `amplitude`, F is its mean. */
	int64_t orientation_count, sample_count, copy_count, error_values;
	double *standard_error; /* of each intensity; null if there are none */
	/* With the option `partials`: the parts of the sample, and the amplitudes of their atoms, those of one part at all vectors
	 * after those of another; else 0 and null. */
	int partial_count;
	char (*partial_label)[SONDE_LABEL_SIZE];
	double *partial_real, *partial_imaginary;
	/* the error of the amplitudes of each part, relative to sqrt(sum |f|^2) of its atoms, found as largest_error is */
	double *partial_errors;
	/* The estimated error of F as a function of |q|: largest_error times sqrt(sum_j |f_j|^2), and the rounding of the vectors, at magnitudes in equal steps from
	 * the smallest to the largest one, between which it is linear; of means the root mean square of the errors. Of each part
	 * likewise, the nodes of one after those of another; null without `partials`. 0 nodes: not known. */
	int64_t error_nodes;
	double *error_q; /* 1/Angstrom */
	double *amplitude_errors, *partial_amplitude_errors;
} sonde_pattern_result;

/* Sets every option to its default. */
#define sonde_pattern_options_init(options) sonde_pattern_options_init_sized((options), sizeof *(options))
/* The same for a struct of `size` bytes, the size in the version that the caller was compiled with. */
SONDE_API void sonde_pattern_options_init_sized(sonde_pattern_options *options, uint64_t size);

/* Computes the pattern. *result is null after a failure, else to be freed by sonde_pattern_result_free(). */
SONDE_API sonde_status sonde_pattern_run(sonde_context *context, const sonde_atoms *atoms,
					 const sonde_pattern_options *options, sonde_pattern_result **result);
/* The mean over the samples of a file: frames of a trajectory, by the options `frames`, `topology`, and `error_blocks`, or the
 * structures of a list (.csv), by their weights; see docs/pattern.md. Vectors h, k, l are those of the first one's cell. The next
 * sample is read while one is computed. */
SONDE_API sonde_status sonde_pattern_run_samples(sonde_context *context, const char *path,
						 const sonde_pattern_options *options, sonde_pattern_result **result);
/* With the option `shots`: the patterns of all orientations, written to a file (.h5 .hdf5 .nxs .cxi) one after the other, of which
 * not all are in memory; an existing file is an error unless `overwrite`. The result, which is in the file as well, is their
 * mean. When it is cancelled, what is done is kept next to the file (SONDE_SUSPENDED), and continued with the option `resume`. */
SONDE_API sonde_status sonde_pattern_run_shots(sonde_context *context, const sonde_atoms *atoms,
					       const sonde_pattern_options *options, const char *path, int overwrite,
					       sonde_pattern_result **result);
/* Scattering vector number `point`, in 1/Angstrom. */
SONDE_API void sonde_pattern_vector(const sonde_pattern_result *result, int64_t point, double vector[3]);
/* Writes the result as HDF5 in NeXus form (.h5 .hdf5 .nxs), with everything, or as a table (.xy .dat .txt .csv) of I with q and phi,
 * h, k, and l, x and y, or qx, qy, and qz. The file appears when it is complete; an existing one is an error unless `overwrite`. */
SONDE_API sonde_status sonde_pattern_result_write(const sonde_pattern_result *result, const char *path,
						  int overwrite);
/* Reads a complete result written as HDF5. The file's seal and checksums are verified first; damaged files and files of
 * other programs or engines are refused (SONDE_INVALID). `context` may be null. *result is null after a failure, otherwise
 * to be freed by sonde_pattern_result_free(). */
SONDE_API sonde_status sonde_pattern_result_read(sonde_context *context, const char *path,
						 sonde_pattern_result **result);
/* Writes the mean intensity of rings as a table (.xy .dat .txt .csv), for polar pictures and detectors: docs/pattern.md. */
SONDE_API sonde_status sonde_pattern_write_radial(const sonde_pattern_result *result, const char *path,
						  int overwrite);
/* Writes the geometry of a detector as a .poni file of pyFAI. */
SONDE_API sonde_status sonde_pattern_write_poni(const sonde_pattern_result *result, const char *path, int overwrite);
SONDE_API void sonde_pattern_result_free(sonde_pattern_result **result);

#ifdef __cplusplus
}
#endif
#endif
