/* Sums in a result's file, and from there. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ions/plan.h"
#include "ions/sums.h"

#define EXIT_INTEGERS 4
#define EXIT_REALS 7

static bool fit_in_64_bits(const ions_sum *sums, size_t count)
{
	for (size_t k = 0; k < count; ++k)
		if (sums[k] != (ions_sum)(int64_t)sums[k])
			return false;
	return true;
}

/* Numbers of 128 bits as pairs of 64, the lower first; without the higher ones where these say nothing. */
static sonde_status write_sums(struct hdf5_writer *writer, const char *path, const ions_sum *sums, size_t count)
{
	size_t each = fit_in_64_bits(sums, count) ? 1 : 2;
	int64_t *halves;

	CHECK(memory_allocate(&halves, each * count, sizeof *halves, "the tallies"));
	for (size_t k = 0; k < count; ++k) {
		halves[each * k] = (int64_t)(uint64_t)sums[k];
		if (each == 2)
			halves[2 * k + 1] = (int64_t)(sums[k] >> 64);
	}
	hdf5_writer_integers(writer, path, halves, (int64_t)(each * count));
	free(halves);
	return SONDE_OK;
}

static sonde_status write_exits(const struct ions_sums *sums, struct hdf5_writer *writer)
{
	int64_t *integers = NULL;
	double *reals = NULL;
	const int64_t sizes[2] = {sums->exit_count, EXIT_REALS};
	sonde_status status;

	if (sums->exit_count == 0)
		return SONDE_OK;
	CHECK_GOTO(
	    status,
	    memory_allocate(&integers, (size_t)sums->exit_count, EXIT_INTEGERS * sizeof *integers, "the exits"),
	    done);
	CHECK_GOTO(status, memory_allocate(&reals, (size_t)sums->exit_count, EXIT_REALS * sizeof *reals, "the exits"),
		   done);
	for (int64_t k = 0; k < sums->exit_count; ++k) {
		const struct sums_exit *exit = &sums->exits[k];
		const int64_t of_exit[EXIT_INTEGERS] = {(int64_t)exit->ion, (int64_t)exit->path, exit->exit.kind,
							exit->exit.fate};
		memcpy(integers + EXIT_INTEGERS * k, of_exit, sizeof of_exit);
		reals[EXIT_REALS * k] = exit->exit.energy;
		memcpy(reals + EXIT_REALS * k + 1, exit->exit.position, sizeof exit->exit.position);
		memcpy(reals + EXIT_REALS * k + 4, exit->exit.direction, sizeof exit->exit.direction);
	}
	hdf5_writer_integers(writer, "/ions/sums/exit_integers", integers, EXIT_INTEGERS * sums->exit_count);
	hdf5_writer_reals(writer, "/ions/sums/exit_reals", reals, sizes, 2, NULL, NULL);
done:
	free(integers);
	free(reals);
	return status;
}

sonde_status ions_sums_write(const struct ions_sums *sums, struct hdf5_writer *writer)
{
	hdf5_writer_group(writer, "/ions/sums", "NXcollection");
	hdf5_writer_integers(writer, "/ions/sums/ions", &sums->ions, 1);
	hdf5_writer_real(writer, "/ions/sums/depth_unit", sums->depth_unit, "nm");
	hdf5_writer_real(writer, "/ions/sums/depth_origin", sums->depth_origin, "nm");
	CHECK(write_sums(writer, "/ions/sums/tallies", sums->tallies,
			 (size_t)sums->groups * sums->rows * sums->stride));
	CHECK(write_sums(writer, "/ions/sums/moments", sums->moments, (size_t)IONS_GROUPS * MOMENTS));
	hdf5_writer_integers(writer, "/ions/sums/spectra", (const int64_t *)sums->spectra,
			     (int64_t)sums->kinds * sums->spectrum_bins);
	return write_exits(sums, writer);
}

static sonde_status read_sums(struct hdf5_reader *reader, const char *file, const char *path, size_t count,
			      ions_sum *sums)
{
	int64_t *halves, found;

	CHECK(hdf5_reader_integers(reader, path, &halves, &found));
	if ((uint64_t)found != (uint64_t)count && (uint64_t)found != 2 * (uint64_t)count) {
		free(halves);
		return status_fail(SONDE_INVALID, "%s: %s has %lld numbers instead of %llu, or twice as many", file,
				   path, (long long)found, (unsigned long long)count);
	}
	bool pairs = (uint64_t)found != (uint64_t)count;
	for (size_t k = 0; k < count; ++k)
		sums[k] =
		    pairs
			? (ions_sum)(((unsigned __int128)(uint64_t)halves[2 * k + 1] << 64) | (uint64_t)halves[2 * k])
			: (ions_sum)halves[k];
	free(halves);
	return SONDE_OK;
}

static sonde_status read_exits(struct hdf5_reader *reader, const char *file, struct ions_sums *sums)
{
	int64_t *integers = NULL, count = 0, real_count = 0;
	double *reals = NULL;
	sonde_status status;

	if (!hdf5_reader_has(reader, "/ions/sums/exit_integers"))
		return SONDE_OK;
	CHECK_GOTO(status, hdf5_reader_integers(reader, "/ions/sums/exit_integers", &integers, &count), done);
	CHECK_GOTO(status, hdf5_reader_reals(reader, "/ions/sums/exit_reals", &reals, &real_count), done);
	int64_t exits = count / EXIT_INTEGERS;
	if (count % EXIT_INTEGERS != 0 || real_count != exits * EXIT_REALS) {
		status = status_fail(SONDE_INVALID, "%s: its list of exits is damaged", file);
		goto done;
	}
	CHECK_GOTO(status,
		   memory_grow(&sums->exits, &sums->exit_capacity, (size_t)exits, sizeof *sums->exits, "the exits"),
		   done);
	for (int64_t k = 0; k < exits; ++k) {
		const int64_t *of_exit = integers + EXIT_INTEGERS * k;
		struct sums_exit *exit = &sums->exits[k];
		*exit = (struct sums_exit){.ion = (uint64_t)of_exit[0], .path = (uint64_t)of_exit[1]};
		exit->exit.ion = of_exit[0];
		exit->exit.kind = of_exit[2] >= 0 && of_exit[2] < sums->kinds ? (int)of_exit[2] : 0;
		exit->exit.fate =
		    of_exit[3] == SONDE_IONS_BACKSCATTERED ? SONDE_IONS_BACKSCATTERED : SONDE_IONS_TRANSMITTED;
		exit->exit.energy = reals[EXIT_REALS * k];
		memcpy(exit->exit.position, reals + EXIT_REALS * k + 1, sizeof exit->exit.position);
		memcpy(exit->exit.direction, reals + EXIT_REALS * k + 4, sizeof exit->exit.direction);
	}
	sums->exit_count = exits;
done:
	free(integers);
	free(reals);
	return status;
}

static sonde_status read_count(struct hdf5_reader *reader, const char *file, int64_t *ions)
{
	int64_t *number, count;

	CHECK(hdf5_reader_integers(reader, "/ions/sums/ions", &number, &count));
	*ions = count == 1 ? number[0] : -1;
	free(number);
	return *ions >= 0 ? SONDE_OK : status_fail(SONDE_INVALID, "%s: its number of ions is damaged", file);
}

sonde_status ions_sums_read(struct hdf5_reader *reader, const char *path, struct ions_sums *sums)
{
	int64_t *spectra, count;

	CHECK(read_count(reader, path, &sums->ions));
	CHECK(read_sums(reader, path, "/ions/sums/tallies", (size_t)sums->groups * sums->rows * sums->stride,
			sums->tallies));
	CHECK(read_sums(reader, path, "/ions/sums/moments", (size_t)IONS_GROUPS * MOMENTS, sums->moments));
	CHECK(hdf5_reader_integers(reader, "/ions/sums/spectra", &spectra, &count));
	bool right = count == (int64_t)sums->kinds * sums->spectrum_bins;
	if (right)
		memcpy(sums->spectra, spectra, (size_t)count * sizeof *spectra);
	free(spectra);
	if (!right)
		return status_fail(SONDE_INVALID, "%s: its spectra are damaged", path);
	return read_exits(reader, path, sums);
}
