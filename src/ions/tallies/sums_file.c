/* Writes sums to a result file, and reads them. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ions/plan/plan.h"
#include "ions/tallies/sums.h"

#define SPECTRA "/ions/sums/spectra_of_groups" /* earlier versions had no groups, and another name */
#define EXIT_INTEGERS 4
#define EXIT_REALS 7
#define ATOM_INTEGERS 8
#define ATOM_REALS 10
#define MOST_WAITING 256 /* atoms of an ion per place */
#define MOST_NUMBER 1e18 /* of an ion */
#define MOST_ROWS ((int64_t)1 << 36)

static bool fit_in_64_bits(const ions_sum *sums, size_t count)
{
	for (size_t k = 0; k < count; ++k)
		if (sums[k] != (ions_sum)(int64_t)sums[k])
			return false;
	return true;
}

/* Numbers of 128 bits as pairs of 64, the lower first; without the higher ones if these are redundant. */
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

/* Most tallies of maps are 0: then only nonzero ones are stored, each with its distance from the previous one. */
static sonde_status write_filled(struct hdf5_writer *writer, const struct ions_sums *sums, size_t count)
{
	int64_t *distances = NULL;
	ions_sum *values = NULL;
	size_t at = 0, before = 0;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&distances, count, sizeof *distances, "the tallies"), done);
	CHECK_GOTO(status, memory_allocate(&values, count, sizeof *values, "the tallies"), done);
	for (size_t first = 0, end; ions_sums_next_filled(sums, &first, &end); first = end)
		for (size_t k = first; k < end; ++k)
			if (sums->tallies[k] != 0) {
				distances[at] = (int64_t)(k - before);
				values[at++] = sums->tallies[k];
				before = k;
			}
	hdf5_writer_integers(writer, "/ions/sums/distances", distances, (int64_t)count);
	status = write_sums(writer, "/ions/sums/tallies", values, count);
done:
	free(distances);
	free(values);
	return status;
}

static sonde_status write_tallies(struct hdf5_writer *writer, const struct ions_sums *sums)
{
	size_t all = ions_sums_tally_count(sums), count = 0;

	for (size_t first = 0, end; ions_sums_next_filled(sums, &first, &end); first = end)
		for (size_t k = first; k < end; ++k)
			count += sums->tallies[k] != 0;
	return count > 0 && 2 * count < all ? write_filled(writer, sums, count)
					    : write_sums(writer, "/ions/sums/tallies", sums->tallies, all);
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

static void atom_to_numbers(const struct ions_atom *atom, int64_t *integers, double *reals)
{
	const int64_t of_atom[ATOM_INTEGERS] = {(int64_t)atom->energy, (int64_t)atom->path, atom->drawn, atom->kind,
						atom->layer,           atom->species,       atom->loose, atom->cell};
	const double real_of_atom[ATOM_REALS] = {atom->x,
						 atom->y,
						 atom->z,
						 atom->traveled,
						 (double)atom->direction_x,
						 (double)atom->direction_y,
						 (double)atom->direction_z,
						 (double)atom->pending_loss,
						 (double)atom->pending_variance,
						 (double)atom->rest};

	memcpy(integers, of_atom, sizeof of_atom);
	memcpy(reals, real_of_atom, sizeof real_of_atom);
}

static struct ions_atom atom_of_numbers(const int64_t *integers, const double *reals)
{
	return (struct ions_atom){.energy = (u64)integers[0],
				  .path = (u64)integers[1],
				  .drawn = (u32)integers[2],
				  .kind = (u32)integers[3],
				  .layer = (u32)integers[4],
				  .species = (u32)integers[5],
				  .loose = (u32)integers[6],
				  .cell = (u32)integers[7],
				  .x = reals[0],
				  .y = reals[1],
				  .z = reals[2],
				  .traveled = reals[3],
				  .direction_x = (f32)reals[4],
				  .direction_y = (f32)reals[5],
				  .direction_z = (f32)reals[6],
				  .pending_loss = (f32)reals[7],
				  .pending_variance = (f32)reals[8],
				  .rest = (f32)reals[9]};
}

/* Ions with unfinished histories: for each its number and its count of atoms; and the atoms. */
static sonde_status write_aside(const struct ions_aside *aside, struct hdf5_writer *writer)
{
	const int64_t sizes[2] = {aside->atom_count, ATOM_REALS};
	size_t atoms = (size_t)aside->atom_count, places = (size_t)aside->place_count;
	int64_t *integers = NULL, *ions = NULL;
	double *reals = NULL;
	sonde_status status;

	if (places == 0)
		return SONDE_OK;
	CHECK_GOTO(status, memory_allocate(&ions, 2 * places, sizeof *ions, "the unfinished ions"), done);
	CHECK_GOTO(status, memory_allocate(&integers, ATOM_INTEGERS * atoms, sizeof *integers, "the unfinished ions"),
		   done);
	CHECK_GOTO(status, memory_allocate(&reals, ATOM_REALS * atoms, sizeof *reals, "the unfinished ions"), done);
	for (size_t k = 0; k < places; ++k) {
		ions[2 * k] = (int64_t)aside->places[k].ion;
		ions[2 * k + 1] = aside->places[k].depth;
	}
	for (size_t k = 0; k < atoms; ++k)
		atom_to_numbers(&aside->atoms[k], integers + ATOM_INTEGERS * k, reals + ATOM_REALS * k);
	hdf5_writer_integers(writer, "/ions/sums/under_way", ions, 2 * aside->place_count);
	hdf5_writer_integers(writer, "/ions/sums/atom_integers", integers, ATOM_INTEGERS * aside->atom_count);
	hdf5_writer_reals(writer, "/ions/sums/atom_reals", reals, sizes, 2, NULL, NULL);
done:
	free(ions);
	free(integers);
	free(reals);
	return status;
}

static sonde_status write_gaps(const struct ions_sums *sums, struct hdf5_writer *writer)
{
	int64_t *numbers;

	if (sums->gap_count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&numbers, 2 * (size_t)sums->gap_count, sizeof *numbers, "the ions to be done"));
	for (int64_t k = 0; k < sums->gap_count; ++k) {
		numbers[2 * k] = (int64_t)sums->gaps[k].first;
		numbers[2 * k + 1] = (int64_t)sums->gaps[k].count;
	}
	hdf5_writer_integers(writer, "/ions/sums/gaps", numbers, 2 * sums->gap_count);
	free(numbers);
	return SONDE_OK;
}

sonde_status ions_sums_write(const struct ions_sums *sums, struct hdf5_writer *writer)
{
	hdf5_writer_group(writer, "/ions/sums", "NXcollection");
	hdf5_writer_integers(writer, "/ions/sums/ions", &sums->ions, 1);
	hdf5_writer_real(writer, "/ions/sums/depth_unit", sums->depth_unit, "nm");
	hdf5_writer_real(writer, "/ions/sums/depth_origin", sums->depth_origin, "nm");
	CHECK(write_tallies(writer, sums));
	CHECK(write_sums(writer, "/ions/sums/moments", sums->moments, (size_t)IONS_GROUPS * MOMENTS));
	CHECK(write_sums(writer, "/ions/sums/leaving", sums->leaving, ions_sums_leaving_count(sums)));
	hdf5_writer_integers(writer, SPECTRA, (const int64_t *)sums->spectra,
			     (int64_t)ions_sums_spectrum_count(sums));
	CHECK(write_aside(&sums->aside, writer));
	CHECK(write_gaps(sums, writer));
	return write_exits(sums, writer);
}

static sonde_status damaged(const char *file, const char *what)
{
	return status_fail_file(SONDE_INVALID, file, "%s damaged; resume from another file, or start again", what);
}

/* `count` of them, all as single numbers or all as pairs. */
static sonde_status read_sums(struct hdf5_reader *reader, const char *path, size_t count, ions_sum *sums)
{
	int64_t *halves, found;
	int rank;

	CHECK(hdf5_reader_sizes(reader, path, 1, &found, &rank));
	found = rank == 0 ? 1 : found;
	const bool pairs = (uint64_t)found == 2 * (uint64_t)count;
	found = pairs ? found : (int64_t)count; /* another number is refused */
	CHECK(memory_allocate(&halves, (size_t)found, sizeof *halves, "the tallies"));
	const sonde_status status = hdf5_reader_exact_integers(reader, path, found, halves);
	for (size_t k = 0; k < count && status == SONDE_OK; ++k)
		sums[k] =
		    pairs
			? (ions_sum)(((unsigned __int128)(uint64_t)halves[2 * k + 1] << 64) | (uint64_t)halves[2 * k])
			: (ions_sum)halves[k];
	free(halves);
	return status;
}

/* The number of rows of a list, at most `most`, checked before reading. */
static sonde_status count_rows(struct hdf5_reader *reader, const char *file, const char *path, int64_t numbers,
			       int64_t most, int64_t *rows)
{
	int64_t found = 0;
	int rank;

	CHECK(hdf5_reader_sizes(reader, path, 1, &found, &rank));
	*rows = found / numbers;
	return rank == 1 && found % numbers == 0 && *rows > 0 && *rows <= most
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, file,
				      "%s is damaged: it has %lld numbers, not %lld for each of at most %lld", path,
				      (long long)found, (long long)numbers, (long long)most);
}

/* A single nonzero value is stored as a number, several as a list. */
static sonde_status count_filled(struct hdf5_reader *reader, const char *file, size_t all, int64_t *count)
{
	int64_t found;
	int rank;

	CHECK(hdf5_reader_sizes(reader, "/ions/sums/distances", 1, &found, &rank));
	*count = 1;
	return rank == 0 ? SONDE_OK
			 : count_rows(reader, file, "/ions/sums/distances", 1,
				      all < INT64_MAX ? (int64_t)all : INT64_MAX, count);
}

/* Restores nonzero values to their places. */
static sonde_status read_filled(struct hdf5_reader *reader, const char *file, struct ions_sums *sums)
{
	const size_t all = ions_sums_tally_count(sums);
	ions_sum *values = NULL;
	int64_t *distances = NULL, count;
	size_t at = 0;

	CHECK(count_filled(reader, file, all, &count));
	sonde_status status = memory_allocate(&distances, (size_t)count, sizeof *distances, "the tallies");
	if (status == SONDE_OK)
		status = memory_allocate(&values, (size_t)count, sizeof *values, "the tallies");
	if (status == SONDE_OK)
		status = hdf5_reader_exact_integers(reader, "/ions/sums/distances", count, distances);
	if (status == SONDE_OK)
		status = read_sums(reader, "/ions/sums/tallies", (size_t)count, values);
	for (int64_t k = 0; k < count && status == SONDE_OK; ++k) {
		if (distances[k] < (k > 0) || (uint64_t)distances[k] >= all - at) {
			status = status_fail_file(SONDE_INVALID, file, "its tallies are damaged");
			break;
		}
		at += (size_t)distances[k];
		sums->tallies[at] = values[k];
		sums->filled[at / SUMS_OF_BLOCK] = 1;
	}
	free(values);
	free(distances);
	return status;
}

static sonde_status read_tallies(struct hdf5_reader *reader, const char *file, struct ions_sums *sums)
{
	const size_t all = ions_sums_tally_count(sums);

	if (hdf5_reader_has(reader, "/ions/sums/distances"))
		return read_filled(reader, file, sums);
	CHECK(read_sums(reader, "/ions/sums/tallies", all, sums->tallies));
	for (size_t k = 0; k < all; k += SUMS_OF_BLOCK)
		sums->filled[k / SUMS_OF_BLOCK] = 1;
	return SONDE_OK;
}

/* Whether an exit is possible in this job. */
static bool is_exit(const struct ions_sums *sums, const int64_t *integers, const double *reals)
{
	for (int k = 0; k < EXIT_REALS; ++k)
		if (!isfinite(reals[k]))
			return false;
	return integers[0] >= 0 && integers[2] >= 0 && integers[2] < sums->kinds &&
	       (integers[3] == SONDE_IONS_BACKSCATTERED || integers[3] == SONDE_IONS_TRANSMITTED);
}

static sonde_status fill_exits(const char *file, const int64_t *integers, const double *reals, int64_t count,
			       struct ions_sums *sums)
{
	CHECK(memory_grow(&sums->exits, &sums->exit_capacity, (size_t)count, sizeof *sums->exits, "the exits"));
	for (int64_t k = 0; k < count; ++k) {
		const int64_t *of_exit = integers + EXIT_INTEGERS * k;
		struct sums_exit *exit = &sums->exits[k];
		if (!is_exit(sums, of_exit, reals + EXIT_REALS * k))
			return damaged(file, "its list of exits is");
		*exit = (struct sums_exit){.ion = (uint64_t)of_exit[0], .path = (uint64_t)of_exit[1]};
		exit->exit.ion = of_exit[0];
		exit->exit.kind = (int)of_exit[2];
		exit->exit.fate = (int)of_exit[3];
		exit->exit.energy = reals[EXIT_REALS * k];
		memcpy(exit->exit.position, reals + EXIT_REALS * k + 1, sizeof exit->exit.position);
		memcpy(exit->exit.direction, reals + EXIT_REALS * k + 4, sizeof exit->exit.direction);
	}
	sums->exit_count = count;
	return SONDE_OK;
}

/* A list of `count` rows of integers, and one of as many rows of reals; to be freed. */
static sonde_status read_rows(struct hdf5_reader *reader, const char *integers_path, int64_t each,
			      const char *reals_path, int64_t reals_each, int64_t count, int64_t **integers,
			      double **reals)
{
	const int64_t sizes[2] = {count, reals_each};

	*reals = NULL;
	CHECK(memory_allocate(integers, (size_t)(count * each), sizeof **integers, "a list"));
	CHECK(memory_allocate(reals, (size_t)(count * reals_each), sizeof **reals, "a list"));
	CHECK(hdf5_reader_exact_integers(reader, integers_path, count * each, *integers));
	return hdf5_reader_exact_reals(reader, reals_path, sizes, 2, *reals);
}

static sonde_status read_exits(struct hdf5_reader *reader, const char *file, struct ions_sums *sums)
{
	int64_t *integers = NULL, count;
	double *reals = NULL;

	if (!hdf5_reader_has(reader, "/ions/sums/exit_integers"))
		return SONDE_OK;
	CHECK(count_rows(reader, file, "/ions/sums/exit_integers", EXIT_INTEGERS, MOST_ROWS, &count));
	sonde_status status = read_rows(reader, "/ions/sums/exit_integers", EXIT_INTEGERS, "/ions/sums/exit_reals",
					EXIT_REALS, count, &integers, &reals);
	if (status == SONDE_OK)
		status = fill_exits(file, integers, reals, count, sums);
	free(integers);
	free(reals);
	return status;
}

static sonde_status read_count(struct hdf5_reader *reader, const char *file, int64_t *ions)
{
	CHECK(hdf5_reader_exact_integers(reader, "/ions/sums/ions", 1, ions));
	return *ions >= 0 && *ions < MOST_NUMBER
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, file, "its number of ions is damaged");
}

/* Whether an atom can be followed by a kernel of this job. */
static bool is_sound(const struct ions_job *job, const struct ions_atom *atom, const int64_t *integers)
{
	const f64 numbers[] = {atom->x,
			       atom->y,
			       atom->z,
			       atom->traveled,
			       (f64)atom->direction_x,
			       (f64)atom->direction_y,
			       (f64)atom->direction_z,
			       (f64)atom->pending_loss,
			       (f64)atom->pending_variance,
			       (f64)atom->rest};

	for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
		if (!isfinite(numbers[k]))
			return false;
	for (int k = 2; k < ATOM_INTEGERS; ++k)
		if (integers[k] < 0 || integers[k] > UINT32_MAX)
			return false;
	return integers[0] >= 0 && atom->kind < job->kinds && atom->layer < job->regions &&
	       atom->species < job->species && atom->cell <= job->cell_count && atom->loose <= 1;
}

static sonde_status fill_aside(const struct ions_job *job, const char *file, const int64_t *ions, int64_t places,
			       const int64_t *integers, const double *reals, int64_t atoms, struct ions_aside *aside)
{
	struct ions_atom waiting[MOST_WAITING];

	for (int64_t k = 0, at = 0; k < places; ++k) {
		const struct ions_place place = {.ion = (u64)ions[2 * k], .depth = (u32)ions[2 * k + 1]};
		int64_t depth = ions[2 * k + 1];
		if (ions[2 * k] < 0 || depth < 1 || depth > job->stack || depth > MOST_WAITING ||
		    at + depth > atoms || (k + 1 == places && at + depth != atoms))
			return damaged(file, "its list of unfinished ions is");
		for (int64_t n = 0; n < depth; ++n, ++at) {
			waiting[n] = atom_of_numbers(integers + ATOM_INTEGERS * at, reals + ATOM_REALS * at);
			if (!is_sound(job, &waiting[n], integers + ATOM_INTEGERS * at))
				return damaged(file, "an unfinished atom is");
		}
		CHECK(ions_aside_add(aside, &place, waiting));
	}
	return SONDE_OK;
}

static sonde_status read_aside(struct hdf5_reader *reader, const char *file, const struct ions_job *job,
			       struct ions_aside *aside)
{
	int64_t *ions = NULL, *integers = NULL, places, atoms;
	double *reals = NULL;
	sonde_status status;

	if (!hdf5_reader_has(reader, "/ions/sums/under_way"))
		return SONDE_OK;
	CHECK(count_rows(reader, file, "/ions/sums/under_way", 2, MOST_ROWS, &places));
	CHECK(count_rows(reader, file, "/ions/sums/atom_integers", ATOM_INTEGERS, MOST_ROWS, &atoms));
	CHECK(memory_allocate(&ions, 2 * (size_t)places, sizeof *ions, "the unfinished ions"));
	status = hdf5_reader_exact_integers(reader, "/ions/sums/under_way", 2 * places, ions);
	if (status == SONDE_OK)
		status = read_rows(reader, "/ions/sums/atom_integers", ATOM_INTEGERS, "/ions/sums/atom_reals",
				   ATOM_REALS, atoms, &integers, &reals);
	if (status == SONDE_OK)
		status = fill_aside(job, file, ions, places, integers, reals, atoms, aside);
	free(ions);
	free(integers);
	free(reals);
	return status;
}

static sonde_status read_gaps(struct hdf5_reader *reader, const char *file, struct ions_sums *sums)
{
	int64_t *numbers, count;

	if (!hdf5_reader_has(reader, "/ions/sums/gaps"))
		return SONDE_OK;
	CHECK(count_rows(reader, file, "/ions/sums/gaps", 2, MOST_ROWS, &count));
	CHECK(memory_allocate(&numbers, 2 * (size_t)count, sizeof *numbers, "the ions to be done"));
	sonde_status status = hdf5_reader_exact_integers(reader, "/ions/sums/gaps", 2 * count, numbers);
	for (int64_t k = 0; k < 2 * count && status == SONDE_OK; k += 2)
		status =
		    numbers[k] >= 0 && numbers[k + 1] > 0 && numbers[k] < MOST_NUMBER && numbers[k + 1] < MOST_NUMBER
			? ions_sums_add_gap(sums, (uint64_t)numbers[k], (uint64_t)numbers[k + 1])
			: damaged(file, "its list of ions to be done is");
	free(numbers);
	return status;
}

static ions_sum sum_of_row(const struct ions_sums *sums, uint32_t row)
{
	ions_sum sum = 0;

	for (uint32_t g = 0; g < sums->groups; ++g)
		for (uint32_t c = 0; c < sums->stride; ++c)
			sum += sums->tallies[((size_t)g * sums->rows + row) * sums->stride + c];
	return sum;
}

/* Exact balances of integers: energy in, and energy deposited, carried away or still in motion; ions, and their
 * ends. */
static sonde_status check_balance(const char *file, const struct ions_sums *sums)
{
	ions_sum energy = sum_of_row(sums, TALLY_LOST) - sum_of_row(sums, TALLY_BROUGHT), ended = 0, stopped = 0;
	ions_sum under_way = 0;

	for (uint32_t row = TALLY_IONIZATION_BY_IONS; row <= TALLY_STORED; ++row)
		energy += sum_of_row(sums, row);
	for (int64_t k = 0; k < sums->aside.atom_count; ++k) {
		energy += sums->aside.atoms[k].energy;
		under_way += sums->aside.atoms[k].kind == 0;
	}
	for (int g = 0; g < IONS_GROUPS; ++g) {
		const ions_sum *fates = sums->moments + (size_t)g * MOMENTS + MOMENT_FATES;
		stopped += fates[FATE_IMPLANTED];
		ended += fates[FATE_IMPLANTED] + fates[FATE_BACKSCATTERED] + fates[FATE_TRANSMITTED];
	}
	if (energy != 0)
		return damaged(file, "the energies do not balance: it is");
	if (ended + under_way != sums->ions || stopped != sum_of_row(sums, TALLY_IMPLANTED))
		return damaged(file, "not all of its ions have an end: it is");
	return SONDE_OK;
}

sonde_status ions_sums_read(struct hdf5_reader *reader, const char *path, const struct ions_job *job,
			    struct ions_sums *sums)
{
	if (!hdf5_reader_has(reader, SPECTRA))
		return status_fail_file(
		    SONDE_INVALID, path,
		    "was written by an earlier version of the program, which this one, %s, cannot "
		    "resume; start again",
		    sonde_version());
	CHECK(read_count(reader, path, &sums->ions));
	CHECK(read_tallies(reader, path, sums));
	CHECK(read_sums(reader, "/ions/sums/moments", (size_t)IONS_GROUPS * MOMENTS, sums->moments));
	CHECK(read_sums(reader, "/ions/sums/leaving", ions_sums_leaving_count(sums), sums->leaving));
	CHECK(hdf5_reader_exact_integers(reader, SPECTRA, (int64_t)ions_sums_spectrum_count(sums),
					 (int64_t *)sums->spectra));
	CHECK(read_aside(reader, path, job, &sums->aside));
	CHECK(read_gaps(reader, path, sums));
	CHECK(check_balance(path, sums));
	return read_exits(reader, path, sums);
}
