/* All results of histories, as integers, so that the order of addition does not matter: sums in cells for each
 * group of ions, and moments of the distribution of ions at rest. */
#ifndef SONDE_IONS_TALLIES_SUMS_H
#define SONDE_IONS_TALLIES_SUMS_H

#include <stdbool.h>
#include <stddef.h>

#include "io/containers/hdf5.h"
#include "ions/kernels/history_layout.h"
#include "sonde/ions.h"

struct parallel;

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

/* Ions with unfinished histories, as suspended by kernels: the place of each, and the atoms of all of them
 * consecutively. */
struct ions_aside {
	struct ions_place *places;
	struct ions_atom *atoms;
	int64_t place_count, atom_count;
	size_t place_capacity, atom_capacity;
};

struct ions_range {
	uint64_t first, count;
};

/* Sums of maps are divided into blocks, so that empty ones cost no time. */
#define SUMS_OF_BLOCK 4096u

struct ions_sums {
	uint32_t groups, rows, stride, kinds, spectrum_bins; /* stride: cells including the one outside */
	double depth_unit, depth_origin;                     /* nm */
	double earlier_seconds;                              /* wall time of earlier runs */
	int64_t ions;                                        /* included ions: numbers 0 to ions - 1, except gaps */
	ions_sum *tallies;                                   /* groups x rows x stride */
	uint8_t *filled;   /* for each block of tallies, whether it may have nonzero elements */
	ions_sum *moments; /* IONS_GROUPS x MOMENTS: ion i belongs to group i modulo IONS_GROUPS */
	uint64_t *spectra; /* SPECTRUM_GROUPS x kinds x spectrum_bins */
	ions_sum *leaving; /* tally_layout.h: LEAVING_GROUPS x kinds x 2 x LEAVING_NUMBERS */
	int64_t exit_count;
	size_t exit_capacity;
	struct sums_exit {
		uint64_t ion, path;
		sonde_ions_exit exit;
	} * exits;
	/* of a stopped run */
	struct ions_aside aside; /* ions included as far as they were followed */
	struct ions_range *gaps; /* ions not included although some with higher numbers are */
	int64_t gap_count;
	size_t gap_capacity;
};

sonde_status ions_sums_make(const struct ions_job *job, double depth_unit, struct ions_sums **sums);
void ions_sums_free(struct ions_sums **sums);
void ions_sums_clear(struct ions_sums *sums);
/* Adds counts of a device in the layout of the kernels: some tallies, from `first`, the start of a block, on;
 * returns whether any were nonzero. */
bool ions_sums_add_tallies(struct ions_sums *sums, size_t first, size_t count, const uint64_t *tallies);
void ions_sums_add_spectra(struct ions_sums *sums, const uint64_t *spectra);
void ions_sums_add_leaving(struct ions_sums *sums, const uint64_t *leaving);
size_t ions_sums_tally_count(const struct ions_sums *sums);
size_t ions_sums_leaving_count(const struct ions_sums *sums);
size_t ions_sums_spectrum_count(const struct ions_sums *sums);
/* The next tallies in a filled block from *first on: *first to *end - 1; false if there are none. */
bool ions_sums_next_filled(const struct ions_sums *sums, size_t *first, size_t *end);
/* Adds the ends of ions first to first + count - 1, except unfinished ones. */
void ions_sums_add_ends(struct ions_sums *sums, const struct ions_end *ends, uint64_t first, uint32_t count,
			int threads);
/* Stores a list of atoms that left the target. */
sonde_status ions_sums_add_left(struct ions_sums *sums, const struct ions_left *left, uint32_t count);
/* sums += other; other becomes empty. */
sonde_status ions_sums_merge(struct ions_sums *sums, struct ions_sums *other);
sonde_status ions_aside_add(struct ions_aside *aside, const struct ions_place *place, const struct ions_atom *atoms);
/* Appends the ions of `other` from number `first` on. */
sonde_status ions_aside_append(struct ions_aside *aside, const struct ions_aside *other, int64_t first);
/* Sorts the ions by their numbers. */
sonde_status ions_aside_sort(struct ions_aside *aside);
void ions_aside_free(struct ions_aside *aside);
sonde_status ions_sums_add_gap(struct ions_sums *sums, uint64_t first, uint64_t count);
/* Sorts the exits by ions and their recoils. */
void ions_sums_sort_exits(struct ions_sums *sums);

/* The sums of all ranks, without their gaps, for each of them; only the first one gets the exits, which it writes: sums_ranks.c. */
sonde_status ions_sums_share(struct ions_sums *sums, struct parallel *ranks);

/* Writes sums to a result file, for resuming: sums_file.c. */
sonde_status ions_sums_write(const struct ions_sums *sums, struct hdf5_writer *writer);
/* Reads into empty sums of the same job. */
sonde_status ions_sums_read(struct hdf5_reader *reader, const char *path, const struct ions_job *job,
			    struct ions_sums *sums);

#endif
