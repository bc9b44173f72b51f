#include "debye/means/mean_blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void mean_blocks_free(struct mean_blocks *sums)
{
	free(sums->blocks);
	free(sums->rows);
	free(sums->errors);
	*sums = (struct mean_blocks){0};
}

static size_t row_of(size_t a, size_t b)
{
	const size_t low = a < b ? a : b, high = a < b ? b : a;

	return high * (high + 1) / 2 + low;
}

sonde_status mean_blocks_grow(struct mean_blocks *sums, size_t count, int64_t q_count)
{
	const size_t old = row_of(0, sums->count) * (size_t)q_count, all = row_of(0, count) * (size_t)q_count;

	if (count <= sums->count)
		return SONDE_OK;
	if (count > ATOMS_MOST_GROUPS)
		return status_fail_option(SONDE_INVALID, "partials", "the samples have more than %u different blocks",
					  ATOMS_MOST_GROUPS);
	CHECK(memory_grow(&sums->blocks, &sums->room, count, sizeof *sums->blocks, "the mean"));
	CHECK(memory_grow(&sums->rows, &sums->rows_room, all, sizeof *sums->rows, "the mean"));
	CHECK(memory_grow(&sums->errors, &sums->errors_room, all, sizeof *sums->errors, "the mean"));
	memset(sums->blocks + sums->count, 0, (count - sums->count) * sizeof *sums->blocks);
	memset(sums->rows + old, 0, (all - old) * sizeof *sums->rows);
	memset(sums->errors + old, 0, (all - old) * sizeof *sums->errors);
	sums->count = count;
	return SONDE_OK;
}

/* The number of a block, usually `place`; added if it is new. */
static sonde_status find(struct mean_blocks *sums, const char *label, size_t place, int64_t q_count, size_t *number)
{
	for (size_t k = 0; k <= sums->count; ++k) {
		*number = k == 0 ? place : k - 1;
		if (*number < sums->count && strcmp(sums->blocks[*number].label, label) == 0)
			return SONDE_OK;
	}
	*number = sums->count;
	CHECK(mean_blocks_grow(sums, sums->count + 1, q_count));
	snprintf(sums->blocks[*number].label, SONDE_LABEL_SIZE, "%s", label);
	return SONDE_OK;
}

/* Rows of the pairs of blocks of a sample. */
static void add_rows(const sonde_debye_result *sample, const double *rows, double factor, const size_t *numbers,
		     double *sums)
{
	const int64_t q = sample->q_count;

	for (int a = 0; a < sample->block_count; ++a)
		for (int b = a; b < sample->block_count; ++b) {
			const double *from = rows + species_pair_index(sample->block_count, a, b) * q;
			double *to = sums + row_of(numbers[a], numbers[b]) * (size_t)q;
			for (int64_t k = 0; k < q; ++k)
				to[k] += factor * from[k];
		}
}

sonde_status mean_blocks_add(struct mean_blocks *sums, const sonde_debye_result *sample, double weight)
{
	size_t *numbers;
	sonde_status status = SONDE_OK;

	if (sample->block_count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&numbers, (size_t)sample->block_count, sizeof *numbers, "the mean"));
	for (int b = 0; b < sample->block_count && status == SONDE_OK; ++b) {
		status = find(sums, sample->block_label[b], (size_t)b, sample->q_count, &numbers[b]);
		if (status == SONDE_OK)
			sums->blocks[numbers[b]].atoms += weight * sample->block_atoms[b];
	}
	const double factor = weight * sample->atoms_present;
	if (status == SONDE_OK) {
		add_rows(sample, sample->block_intensity, factor, numbers, sums->rows);
		add_rows(sample, sample->block_intensity_error, factor, numbers, sums->errors);
	}
	free(numbers);
	return status;
}

sonde_status mean_blocks_deliver(const struct mean_blocks *sums, double weight, sonde_debye_result *result)
{
	const size_t count = sums->count, q = (size_t)result->q_count;
	const double each = 1.0 / (weight * result->atoms_present);

	result->block_count = (int)count;
	if (count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&result->block_label, count, sizeof *result->block_label, "the result"));
	CHECK(memory_allocate(&result->block_atoms, count, sizeof *result->block_atoms, "the result"));
	CHECK(memory_allocate(&result->block_intensity, row_of(0, count) * q, sizeof(double), "the result"));
	CHECK(memory_allocate(&result->block_intensity_error, row_of(0, count) * q, sizeof(double), "the result"));
	for (size_t a = 0; a < count; ++a) {
		memcpy(result->block_label[a], sums->blocks[a].label, SONDE_LABEL_SIZE);
		result->block_atoms[a] = sums->blocks[a].atoms / weight;
		for (size_t b = a; b < count; ++b) {
			const size_t from = row_of(a, b) * q,
				     to = (size_t)species_pair_index((int)count, (int)a, (int)b) * q;
			for (size_t k = 0; k < q; ++k) {
				result->block_intensity[to + k] = each * sums->rows[from + k];
				result->block_intensity_error[to + k] = each * sums->errors[from + k];
			}
		}
	}
	return SONDE_OK;
}
