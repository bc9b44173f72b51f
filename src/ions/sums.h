/* All that histories leave behind, as integers, so that the order in which they are added does not matter: sums in cells for each
 * group of ions, and moments of where ions came to rest. */
#ifndef SONDE_IONS_SUMS_H
#define SONDE_IONS_SUMS_H

#include "ions/history_layout.h"
#include "io/hdf5.h"
#include "sonde/ions.h"

typedef __int128 ions_sum;

enum ions_moment {
	MOMENT_FATES,                /* ions by fate: three of them */
	MOMENT_X = MOMENT_FATES + 3, /* depth to the powers 1 to 4, in units of length */
	MOMENT_ASIDE = MOMENT_X + 4, /* |y| + |z| */
	MOMENT_ASIDE_SQUARES,        /* y^2 + z^2 */
	MOMENT_RADIAL,
	MOMENT_PATH,
	MOMENTS
};

struct ions_sums {
	uint32_t groups, rows, stride, kinds, spectrum_bins; /* stride: cells and the one outside */
	double depth_unit, depth_origin;                     /* nm */
	int64_t ions;                                        /* that are in: numbers 0 to ions - 1 */
	ions_sum *tallies;                                   /* groups x rows x stride */
	ions_sum *moments; /* IONS_GROUPS x MOMENTS: ion i belongs to group i modulo IONS_GROUPS */
	uint64_t *spectra; /* kinds x spectrum_bins */
	int64_t exit_count;
	size_t exit_capacity;
	struct sums_exit {
		uint64_t ion, path;
		sonde_ions_exit exit;
	} * exits;
};

sonde_status ions_sums_make(const struct ions_job *job, double depth_unit, struct ions_sums **sums);
void ions_sums_free(struct ions_sums **sums);
void ions_sums_clear(struct ions_sums *sums);
/* Adds what a device has counted: tallies and spectra as kernels leave them. */
void ions_sums_add_tallies(struct ions_sums *sums, const uint64_t *tallies, const uint64_t *spectra);
/* Adds the ends of ions first to first + count - 1. */
void ions_sums_add_ends(struct ions_sums *sums, const struct ions_end *ends, uint64_t first, uint32_t count,
			int threads);
/* Keeps what a list says of atoms that left. */
sonde_status ions_sums_add_left(struct ions_sums *sums, const struct ions_left *left, uint32_t count);
/* sums += other, and other becomes empty. */
sonde_status ions_sums_merge(struct ions_sums *sums, struct ions_sums *other);
/* Puts the exits in the order of ions and their recoils. */
void ions_sums_sort_exits(struct ions_sums *sums);

/* In a result's file, to go on from: sums_file.c. */
sonde_status ions_sums_write(const struct ions_sums *sums, struct hdf5_writer *writer);
/* Into sums of the same job, which are empty. */
sonde_status ions_sums_read(struct hdf5_reader *reader, const char *path, struct ions_sums *sums);

#endif
