/* Sums in a result's file. */
#include <stdlib.h>

#include "base/memory.h"
#include "ions/plan.h"
#include "ions/sums.h"

/* Numbers of 128 bits as pairs of 64, the lower first. */
static sonde_status write_sums(struct hdf5_writer *writer, const char *path, const ions_sum *sums, size_t count)
{
	int64_t *halves;

	CHECK(memory_allocate(&halves, 2 * count, sizeof *halves, "the tallies"));
	for (size_t k = 0; k < count; ++k) {
		halves[2 * k] = (int64_t)(uint64_t)sums[k];
		halves[2 * k + 1] = (int64_t)(sums[k] >> 64);
	}
	hdf5_writer_integers(writer, path, halves, (int64_t)(2 * count));
	free(halves);
	return SONDE_OK;
}

sonde_status ions_sums_write(const struct ions_sums *sums, struct hdf5_writer *writer)
{
	hdf5_writer_group(writer, "/ions/sums", "NXcollection");
	hdf5_writer_integers(writer, "/ions/sums/ions", &sums->ions, 1);
	hdf5_writer_real(writer, "/ions/sums/depth_unit", sums->depth_unit, "nm");
	CHECK(write_sums(writer, "/ions/sums/tallies", sums->tallies,
			 (size_t)sums->groups * sums->rows * sums->stride));
	CHECK(write_sums(writer, "/ions/sums/moments", sums->moments, (size_t)sums->groups * MOMENTS));
	hdf5_writer_integers(writer, "/ions/sums/spectra", (const int64_t *)sums->spectra,
			     (int64_t)sums->kinds * sums->spectrum_bins);
	return SONDE_OK;
}
