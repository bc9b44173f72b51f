/* All that histories leave behind, as integers, so that the order in which they are added does not matter: sums in cells for each
 * group of ions, and moments of where ions came to rest. */
#ifndef SONDE_IONS_TALLIES_SUMS_H
#define SONDE_IONS_TALLIES_SUMS_H

#include <stdbool.h>
#include <stddef.h>

#include "io/hdf5.h"
#include "ions/kernels/history_layout.h"
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

/* Ions in the midst of their histories, as kernels put them aside: for each its place, and the atoms of all of them one after the
 * other. */
struct ions_aside {
	struct ions_place *places;
	struct ions_atom *atoms;
	int64_t place_count, atom_count;
	size_t place_capacity, atom_capacity;
};

struct ions_range {
	uint64_t first, count;
};

/* Sums of maps stand in blocks, so that those where nothing happened cost no time. */
#define SUMS_OF_BLOCK 4096u

struct ions_sums {
	uint32_t groups, rows, stride, kinds, spectrum_bins; /* stride: cells and the one outside */
	double depth_unit, depth_origin;                     /* nm */
	double earlier_seconds;                              /* wall time of the runs that it is read from */
	int64_t ions;                                        /* that are in: numbers 0 to ions - 1, but for gaps */
	ions_sum *tallies;                                   /* groups x rows x stride */
	uint8_t *filled;   /* for each block of tallies, whether some of it may differ from 0 */
	ions_sum *moments; /* IONS_GROUPS x MOMENTS: ion i belongs to group i modulo IONS_GROUPS */
	uint64_t *spectra; /* kinds x spectrum_bins */
	ions_sum *leaving; /* tally_layout.h: LEAVING_GROUPS x kinds x 2 x LEAVING_NUMBERS */
	int64_t exit_count;
	size_t exit_capacity;
	struct sums_exit {
		uint64_t ion, path;
		sonde_ions_exit exit;
	} * exits;
	/* of a run that was stopped */
	struct ions_aside aside; /* ions that are in so far as they were followed */
	struct ions_range *gaps; /* ions that are not in though some of higher numbers are */
	int64_t gap_count;
	size_t gap_capacity;
};

sonde_status ions_sums_make(const struct ions_job *job, double depth_unit, struct ions_sums **sums);
void ions_sums_free(struct ions_sums **sums);
void ions_sums_clear(struct ions_sums *sums);
/* Adds what a device has counted, as kernels leave it: some tallies, from `first` on, where a block begins; whether there were any. */
bool ions_sums_add_tallies(struct ions_sums *sums, size_t first, size_t count, const uint64_t *tallies);
void ions_sums_add_spectra(struct ions_sums *sums, const uint64_t *spectra);
void ions_sums_add_leaving(struct ions_sums *sums, const uint64_t *leaving);
size_t ions_sums_tally_count(const struct ions_sums *sums);
size_t ions_sums_leaving_count(const struct ions_sums *sums);
/* The next tallies that are in a filled block from *first on: *first to *end - 1; false where there is none. */
bool ions_sums_next_filled(const struct ions_sums *sums, size_t *first, size_t *end);
/* Adds the ends of ions first to first + count - 1, of those that have come to one. */
void ions_sums_add_ends(struct ions_sums *sums, const struct ions_end *ends, uint64_t first, uint32_t count,
			int threads);
/* Keeps what a list says of atoms that left. */
sonde_status ions_sums_add_left(struct ions_sums *sums, const struct ions_left *left, uint32_t count);
/* sums += other, and other becomes empty. */
sonde_status ions_sums_merge(struct ions_sums *sums, struct ions_sums *other);
sonde_status ions_aside_add(struct ions_aside *aside, const struct ions_place *place, const struct ions_atom *atoms);
/* Those of `other` from number `first` on. */
sonde_status ions_aside_append(struct ions_aside *aside, const struct ions_aside *other, int64_t first);
/* Puts them in the order of the numbers of ions. */
sonde_status ions_aside_sort(struct ions_aside *aside);
void ions_aside_free(struct ions_aside *aside);
sonde_status ions_sums_add_gap(struct ions_sums *sums, uint64_t first, uint64_t count);
/* Puts the exits in the order of ions and their recoils. */
void ions_sums_sort_exits(struct ions_sums *sums);

/* In a result's file, to go on from: sums_file.c. */
sonde_status ions_sums_write(const struct ions_sums *sums, struct hdf5_writer *writer);
/* Into sums of the same job, which are empty. */
sonde_status ions_sums_read(struct hdf5_reader *reader, const char *path, const struct ions_job *job,
			    struct ions_sums *sums);

#endif
