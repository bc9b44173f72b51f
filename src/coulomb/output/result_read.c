/* Reads results from the HDF5 files written by result_nexus.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "coulomb/option_table.h"
#include "coulomb/output/result.h"
#include "io/volume/grid_axes.h"
#include "run/result_read.h"

/* The arrangement of the points: a grid has steps. */
static sonde_status read_points(struct hdf5_reader *reader, const char *path, sonde_coulomb_result *result)
{
	const int64_t three = 3, steps[2] = {3, 3};
	int64_t sizes[2];
	char axis[96];
	int rank;

	result->is_grid = hdf5_reader_has(reader, "/coulomb/potential/steps");
	if (!result->is_grid) {
		CHECK(hdf5_reader_sizes(reader, "/coulomb/potential/points", 2, sizes, &rank));
		if (rank != 2)
			return status_fail_file(SONDE_INVALID, path, "has no list of points");
		result->point_count = result->size[0] = sizes[0];
		result->size[1] = result->size[2] = 1;
		return result_read_reals(reader, "/coulomb/potential/points", (const int64_t[]){sizes[0], 3}, 2,
					 &result->points);
	}
	CHECK(hdf5_reader_exact_reals(reader, "/coulomb/potential/origin", &three, 1, result->origin));
	CHECK(hdf5_reader_exact_reals(reader, "/coulomb/potential/steps", steps, 2, result->steps[0]));
	result->point_count = 1;
	for (int k = 0; k < 3; ++k) {
		CHECK(hdf5_reader_sizes(reader, grid_axis_path(reader, "/coulomb/potential", k, axis), 1, sizes,
					&rank));
		result->size[k] = rank == 1 ? sizes[0] : 1;
		if (__builtin_mul_overflow(result->point_count, result->size[k], &result->point_count))
			return status_fail_file(SONDE_INVALID, path, "has more points than numbers can count");
	}
	return SONDE_OK;
}

static sonde_status read_values(struct hdf5_reader *reader, sonde_coulomb_result *result)
{
	const int64_t grid[5] = {result->charge_sets, result->size[2], result->size[1], result->size[0], 3},
		      list[3] = {result->charge_sets, result->point_count, 3};
	const int one = result->charge_sets == 1 ? 1 : 0, rank = (result->is_grid ? 4 : 2) - one;
	const int64_t *shape = (result->is_grid ? grid : list) + one;

	if (result->options->quantity != SONDE_COULOMB_QUANTITY_FIELD)
		CHECK(result_read_reals(reader, "/coulomb/potential/potential", shape, rank, &result->potential));
	if (result->options->quantity != SONDE_COULOMB_QUANTITY_POTENTIAL)
		CHECK(result_read_reals(reader, "/coulomb/potential/field", shape, rank + 1, &result->field));
	return SONDE_OK;
}

static sonde_status read_forces(struct hdf5_reader *reader, sonde_coulomb_result *result)
{
	const int64_t n = result->charge_count, sets = result->charge_sets, rows[2] = {n, 3 + sets},
		      sizes[3] = {sets, n, 3};
	const int one = sets == 1 ? 1 : 0;

	if (!hdf5_reader_has(reader, "/coulomb/charges/forces"))
		return SONDE_OK;
	CHECK(result_read_reals(reader, "/coulomb/charges/energy", &sets, 1, &result->energies));
	result->energy = result->energies[0];
	CHECK(result_read_reals(reader, "/coulomb/charges/charges", rows, 2, &result->charges));
	return result_read_reals(reader, "/coulomb/charges/forces", sizes + one, 3 - one, &result->forces);
}

/* Excluded points are NaN in all sets. */
static void count_masked(sonde_coulomb_result *result)
{
	const int width = result->potential != NULL ? 1 : 3;
	const double *values = result->potential != NULL ? result->potential : result->field;

	for (int64_t k = 0; values != NULL && k < result->point_count; ++k)
		result->masked += isnan(values[width * k]) != 0;
}

/* For volume files that contain them. */
static sonde_status keep_charges(sonde_coulomb_result *result)
{
	struct sonde_coulomb_provenance *provenance = result->provenance;
	const size_t count = (size_t)result->charge_count, each = 3 + (size_t)result->charge_sets;

	provenance->threads = threads_available();
	if (result->charges == NULL)
		return SONDE_OK;
	CHECK(memory_allocate(&provenance->charges, each * count + 1, sizeof(double), "the result"));
	CHECK(memory_allocate(&provenance->elements, count + 1, 1, "the result"));
	memcpy(provenance->charges, result->charges, each * count * sizeof(double));
	return SONDE_OK;
}

static sonde_status read_sample(struct hdf5_reader *reader, const char *path, sonde_coulomb_result *result)
{
	int64_t sets;

	CHECK(result_read_integer(reader, "/coulomb/sample/charges", &result->charge_count));
	CHECK(result_read_integer(reader, "/coulomb/sample/charge_sets", &sets));
	if (sets < 1 || sets > INT32_MAX || result->charge_count < 0 || result->charge_count > UINT32_MAX)
		return status_fail_file(SONDE_INVALID, path, "has %lld sets of %lld charges", (long long)sets,
					(long long)result->charge_count);
	result->charge_sets = (int)sets;
	CHECK(result_read_real(reader, "/coulomb/sample/total_charge", &result->total_charge));
	return result_read_reals(reader, "/coulomb/sample/total_charges", &sets, 1, &result->total_charges);
}

static sonde_status read_process(struct hdf5_reader *reader, sonde_coulomb_result *result)
{
	CHECK(result_read_integer(reader, "/coulomb/process/coincident", &result->coincident));
	CHECK(result_read_count(reader, "/coulomb/process/checked_points", &result->checked_points));
	CHECK(result_read_real(reader, "/coulomb/process/relative_error", &result->relative_error));
	CHECK(result_read_real(reader, "/coulomb/process/largest_error", &result->largest_error));
	if (result->options->quantity == SONDE_COULOMB_QUANTITY_POTENTIAL)
		return SONDE_OK;
	CHECK(result_read_real(reader, "/coulomb/process/field_error", &result->field_error));
	return result_read_real(reader, "/coulomb/process/largest_field_error", &result->largest_field_error);
}

static sonde_status read_all(sonde_context *context, struct hdf5_reader *reader, const char *path, void *to)
{
	sonde_coulomb_result *result = to;

	(void)context;
	CHECK(memory_allocate(&result->provenance, 1, sizeof *result->provenance, "the result"));
	struct sonde_coulomb_provenance *provenance = result->provenance;
	CHECK(provenance_read(reader, path, &coulomb_option_table, &provenance->options, &provenance->run,
			      &result->seconds));
	result->options = &provenance->options;
	CHECK(read_sample(reader, path, result));
	CHECK(read_points(reader, path, result));
	CHECK(read_values(reader, result));
	CHECK(read_forces(reader, result));
	count_masked(result);
	CHECK(keep_charges(result));
	return read_process(reader, result);
}

static void free_result(void **result)
{
	sonde_coulomb_result *coulomb = *result;

	sonde_coulomb_result_free(&coulomb);
	*result = NULL;
}

sonde_status sonde_coulomb_result_read(sonde_context *context, const char *path, sonde_coulomb_result **result)
{
	static const struct result_reading reading = {sizeof(sonde_coulomb_result), read_all, free_result};
	void *read;
	const sonde_status status = result_read(&reading, context, path, &read);

	*result = read;
	return status;
}
