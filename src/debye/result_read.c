/* Reads results from the HDF5 files written by result.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "debye/curves/amplitudes.h"
#include "debye/curves/comparison.h"
#include "run/result_read.h"

/* `rows` rows of `columns` numbers; one row without a separate dimension if rows is 0. */
static sonde_status read_reals(struct hdf5_reader *reader, const char *path, int64_t rows, int64_t columns,
			       double **values)
{
	const int64_t sizes[2] = {rows, columns};

	return result_read_reals(reader, path, rows > 0 ? sizes : sizes + 1, rows > 0 ? 2 : 1, values);
}

/* Rows that some results have. */
static sonde_status read_rows(struct hdf5_reader *reader, const char *path, int64_t rows, int64_t columns,
			      double **values)
{
	return hdf5_reader_has(reader, path) ? read_reals(reader, path, rows, columns, values) : SONDE_OK;
}

/* Curves that some results have. */
static sonde_status read_optional(struct hdf5_reader *reader, sonde_debye_result *result)
{
	const struct {
		const char *path;
		int64_t count;
		double **values;
	} curves[] = {
	    {"/debye/intensity/I_corrected", result->q_count, &result->intensity_corrected},
	    {"/debye/intensity/I_resolved", result->q_count, &result->intensity_resolved},
	    {"/debye/intensity/I_absolute", result->q_count, &result->intensity_absolute},
	    {"/debye/intensity/I_compton", result->q_count, &result->intensity_compton},
	    {"/debye/intensity/I_total", result->q_count, &result->intensity_total},
	    {"/debye/intensity/two_theta", result->q_count, &result->two_theta},
	    {"/debye/intensity/laue", result->q_count, &result->laue},
	    {"/debye/intensity/I_minus_laue", result->q_count, &result->intensity_without_laue},
	    {"/debye/structure_factor/S_NN", result->q_count, &result->structure_factor_nn},
	    {"/debye/structure_factor/S_NC", result->q_count, &result->structure_factor_nc},
	    {"/debye/structure_factor/S_CC", result->q_count, &result->structure_factor_cc},
	    {"/debye/pair_distribution/D", result->r_count, &result->differential_correlation},
	    {"/debye/pair_distribution/T", result->r_count, &result->total_correlation},
	    {"/debye/intensity/I_per_atom_standard_error", result->q_count, &result->standard_error},
	    {"/debye/structure_factor/S_standard_error", result->q_count, &result->structure_factor_standard_error},
	    {"/debye/structure_factor/F_standard_error", result->q_count,
	     &result->reduced_structure_factor_standard_error},
	    {"/debye/pair_distribution/G_standard_error", result->r_count, &result->pair_distribution_standard_error},
	    {"/debye/radial_distribution/R_standard_error", result->r_count,
	     &result->radial_distribution_standard_error},
	    {"/debye/radial_distribution/n_standard_error", result->r_count,
	     &result->running_coordination_standard_error},
	    {"/debye/intensity/I_resolved_standard_error", result->q_count,
	     &result->intensity_resolved_standard_error},
	    {"/debye/intensity/I_absolute_standard_error", result->q_count,
	     &result->intensity_absolute_standard_error},
	    {"/debye/intensity/I_resolved_errors", result->q_count, &result->intensity_resolved_error},
	};

	for (size_t k = 0; k < sizeof curves / sizeof *curves; ++k)
		if (hdf5_reader_has(reader, curves[k].path))
			CHECK(read_reals(reader, curves[k].path, 0, curves[k].count, curves[k].values));
	return SONDE_OK;
}

static sonde_status read_curves(struct hdf5_reader *reader, sonde_debye_result *result)
{
	const struct {
		const char *path;
		double **values;
	} curves[] = {
	    {"/debye/intensity/q", &result->q},
	    {"/debye/intensity/I", &result->intensity},
	    {"/debye/intensity/I_per_atom", &result->intensity_per_atom},
	    {"/debye/intensity/I_per_atom_errors", &result->error_estimate},
	    {"/debye/intensity/I_per_atom_bound", &result->error_bound},
	    {"/debye/intensity/mean_square_amplitude", &result->mean_square_amplitude},
	    {"/debye/intensity/square_mean_amplitude", &result->square_mean_amplitude},
	    {"/debye/structure_factor/S", &result->structure_factor},
	    {"/debye/structure_factor/F", &result->reduced_structure_factor},
	};

	result->q_count = result->options->q.points;
	result->r_count = result->q_count > 1 ? result->options->r.points : 0;
	for (size_t k = 0; k < sizeof curves / sizeof *curves; ++k)
		CHECK(read_reals(reader, curves[k].path, 0, result->q_count, curves[k].values));
	if (result->r_count == 0)
		return SONDE_OK;
	CHECK(read_reals(reader, "/debye/pair_distribution/r", 0, result->r_count, &result->r));
	return read_reals(reader, "/debye/pair_distribution/G", 0, result->r_count, &result->pair_distribution);
}

static sonde_status read_labels(struct hdf5_reader *reader, const char *path, sonde_debye_result *result)
{
	char *labels;
	int64_t count;
	size_t size;

	CHECK(hdf5_reader_texts(reader, "/debye/sample/species", &labels, &count, &size));
	sonde_status status = SONDE_OK;
	if (count > UINT16_MAX || size > SONDE_LABEL_SIZE)
		status = status_fail_file(SONDE_INVALID, path, "has %lld species with labels of %zu bytes",
					  (long long)count, size);
	if (status == SONDE_OK)
		status = memory_allocate(&result->species_label, (size_t)count, SONDE_LABEL_SIZE, "the result");
	if (status == SONDE_OK) {
		result->species_count = (int)count;
		for (int64_t s = 0; s < count; ++s)
			snprintf(result->species_label[s], SONDE_LABEL_SIZE, "%.*s", (int)size,
				 labels + (size_t)s * size);
	}
	free(labels);
	return status;
}

static sonde_status read_sample(struct hdf5_reader *reader, const char *path, sonde_debye_result *result)
{
	int p = 0;

	CHECK(read_labels(reader, path, result));
	const int species = result->species_count, pairs = species_pair_count(species);
	CHECK(result_read_integer(reader, "/debye/sample/atoms", &result->atom_count));
	CHECK(result_read_real(reader, "/debye/sample/atoms_present", &result->atoms_present));
	CHECK(read_reals(reader, "/debye/sample/species_present", 0, species, &result->species_present));
	CHECK(memory_allocate(&result->species_atoms, (size_t)species, sizeof(int64_t), "the result"));
	CHECK(hdf5_reader_exact_integers(reader, "/debye/sample/species_atoms", species, result->species_atoms));
	CHECK(memory_allocate(&result->pair_a, (size_t)pairs, sizeof(int), "the result"));
	CHECK(memory_allocate(&result->pair_b, (size_t)pairs, sizeof(int), "the result"));
	CHECK(memory_allocate(&result->pair_pairs, (size_t)pairs, sizeof(int64_t), "the result"));
	result->pair_count = pairs;
	for (int a = 0; a < species; ++a)
		for (int b = a; b < species; ++b, ++p) {
			result->pair_a[p] = a;
			result->pair_b[p] = b;
		}
	CHECK(hdf5_reader_exact_integers(reader, "/debye/partials/pairs_of_atoms", pairs, result->pair_pairs));
	CHECK(read_reals(reader, "/debye/partials/I_ab", pairs, result->q_count, &result->partial_intensity));
	CHECK(read_rows(reader, "/debye/partials/I_ab_errors", pairs, result->q_count,
			&result->partial_intensity_error));
	CHECK(read_rows(reader, "/debye/partials/S_ab_errors", pairs, result->q_count,
			&result->partial_structure_factor_error));
	return read_reals(reader, "/debye/partials/S_ab", pairs, result->q_count, &result->partial_structure_factor);
}

/* The data of the option `partials`. */
static sonde_status read_blocks(struct hdf5_reader *reader, const char *path, sonde_debye_result *result)
{
	char *labels;
	int64_t count;
	size_t size;

	if (!hdf5_reader_has(reader, "/debye/blocks/block"))
		return SONDE_OK;
	CHECK(hdf5_reader_texts(reader, "/debye/blocks/block", &labels, &count, &size));
	sonde_status status = SONDE_OK;
	if (count < 1 || count > UINT16_MAX || size > SONDE_LABEL_SIZE)
		status = status_fail_file(SONDE_INVALID, path, "has %lld blocks with names of %zu bytes",
					  (long long)count, size);
	if (status == SONDE_OK)
		status = memory_allocate(&result->block_label, (size_t)count, SONDE_LABEL_SIZE, "the result");
	for (int64_t b = 0; status == SONDE_OK && b < count; ++b)
		snprintf(result->block_label[b], SONDE_LABEL_SIZE, "%.*s", (int)size, labels + (size_t)b * size);
	free(labels);
	CHECK(status);
	result->block_count = (int)count;
	CHECK(read_reals(reader, "/debye/blocks/atoms_present", 0, count, &result->block_atoms));
	CHECK(read_rows(reader, "/debye/blocks/I_AB_standard_error", species_pair_count((int)count), result->q_count,
			&result->block_intensity_standard_error));
	CHECK(read_rows(reader, "/debye/blocks/I_AB_errors", species_pair_count((int)count), result->q_count,
			&result->block_intensity_error));
	return read_reals(reader, "/debye/blocks/I_AB", species_pair_count((int)count), result->q_count,
			  &result->block_intensity);
}

/* The data of the option `counts`. */
static sonde_status read_counts(struct hdf5_reader *reader, sonde_debye_result *result)
{
	const int64_t pairs = result->pair_count;
	int64_t sizes[2];
	int rank;

	if (!hdf5_reader_has(reader, "/debye/pair_counts/pairs"))
		return SONDE_OK;
	CHECK(hdf5_reader_sizes(reader, "/debye/pair_counts/pairs", 2, sizes, &rank));
	result->counted_bins = rank == 2 ? sizes[1] : 0;
	CHECK(read_reals(reader, "/debye/pair_counts/pairs", pairs, result->counted_bins, &result->counted_pairs));
	CHECK(read_reals(reader, "/debye/pair_counts/mean_distance", pairs, result->counted_bins,
			 &result->counted_distances));
	if (!hdf5_reader_has(reader, "/debye/radial_distribution/R"))
		return SONDE_OK;
	CHECK(read_reals(reader, "/debye/radial_distribution/R", 0, result->r_count, &result->radial_distribution));
	CHECK(read_reals(reader, "/debye/radial_distribution/R_ab", pairs, result->r_count,
			 &result->partial_radial_distribution));
	/* files of earlier versions lack these */
	if (hdf5_reader_has(reader, "/debye/radial_distribution/n")) {
		CHECK(read_reals(reader, "/debye/radial_distribution/n", 0, result->r_count,
				 &result->running_coordination));
		CHECK(read_reals(reader, "/debye/radial_distribution/n_ab", pairs, result->r_count,
				 &result->partial_running_coordination));
	}
	if (!hdf5_reader_has(reader, "/debye/radial_distribution/g"))
		return SONDE_OK;
	return read_reals(reader, "/debye/radial_distribution/g", 0, result->r_count, &result->pair_correlation);
}

/* The digest of the file of form factors, if the amplitudes name one. */
static void take_digest(const char *source, char digest[65])
{
	static const char word[] = " sha256 ";
	const char *named = strstr(source, FORM_FACTORS_OF), *at = named != NULL ? strstr(named, word) : NULL;

	/* a name may contain the word as well */
	for (const char *next = at; next != NULL; next = strstr(next + 1, word))
		at = next;
	if (at != NULL)
		snprintf(digest, 65, "%.64s", at + sizeof word - 1);
}

static sonde_status read_table(struct hdf5_reader *reader, const char *path, enum scattering_table *table,
			       char digest[65])
{
	char *source;

	CHECK(hdf5_reader_text(reader, "/debye/process/amplitudes", &source));
	for (*table = SCATTERING_WAASMAIER_KIRFEL; *table <= SCATTERING_UNIT; ++*table) {
		/* f' and f'' and the user's file may follow */
		const size_t length = strlen(scattering_table_source(*table));
		if (strncmp(source, scattering_table_source(*table), length) == 0 &&
		    (source[length] == '\0' || source[length] == ';'))
			break;
	}
	const bool found = *table <= SCATTERING_UNIT;
	take_digest(source, digest);
	free(source);
	return found ? SONDE_OK : status_fail_file(SONDE_INVALID, path, "has an unknown table of amplitudes");
}

static sonde_status read_process(struct hdf5_reader *reader, const char *path, sonde_debye_result *result)
{
	CHECK(read_table(reader, path, &result->provenance->table, result->provenance->form_factors_sha256));
	CHECK(result_read_real(reader, "/debye/process/bin_width", &result->bin_width));
	CHECK(result_read_integer(reader, "/debye/process/bin_count", &result->bin_count));
	CHECK(result_read_real(reader, "/debye/process/largest_error", &result->largest_error));
	CHECK(result_read_real(reader, "/debye/process/largest_bound", &result->largest_bound));
	return result_read_count(reader, "/debye/process/checked_points", &result->checked_points);
}

/* Of a mean over samples; files of single ones and of earlier versions lack these. */
static sonde_status read_samples(struct hdf5_reader *reader, sonde_debye_result *result)
{
	const int64_t pairs = result->pair_count;

	if (!hdf5_reader_has(reader, "/debye/samples/count"))
		return SONDE_OK;
	CHECK(result_read_integer(reader, "/debye/samples/count", &result->sample_count));
	CHECK(result_read_integer(reader, "/debye/samples/error_values", &result->error_values));
	if (hdf5_reader_has(reader, "/debye/samples/weights"))
		CHECK(read_reals(reader, "/debye/samples/weights", 0, result->sample_count, &result->sample_weights));
	if (hdf5_reader_has(reader, "/debye/samples/names"))
		CHECK(hdf5_reader_text(reader, "/debye/samples/names", &result->provenance->samples));
	if (!hdf5_reader_has(reader, "/debye/partials/I_ab_standard_error"))
		return SONDE_OK;
	CHECK(read_reals(reader, "/debye/partials/I_ab_standard_error", pairs, result->q_count,
			 &result->partial_intensity_standard_error));
	CHECK(read_reals(reader, "/debye/partials/S_ab_standard_error", pairs, result->q_count,
			 &result->partial_structure_factor_standard_error));
	if (!hdf5_reader_has(reader, "/debye/radial_distribution/R_ab_standard_error"))
		return SONDE_OK;
	CHECK(read_reals(reader, "/debye/radial_distribution/R_ab_standard_error", pairs, result->r_count,
			 &result->partial_radial_distribution_standard_error));
	return read_reals(reader, "/debye/radial_distribution/n_ab_standard_error", pairs, result->r_count,
			  &result->partial_running_coordination_standard_error);
}

static sonde_status read_all(sonde_context *context, struct hdf5_reader *reader, const char *path, void *to)
{
	sonde_debye_result *result = to;

	(void)context;
	CHECK(memory_allocate(&result->provenance, 1, sizeof *result->provenance, "the result"));
	struct sonde_debye_provenance *provenance = result->provenance;
	CHECK(provenance_read(reader, path, &debye_option_table, &provenance->options, &provenance->run,
			      &result->seconds));
	result->options = &provenance->options;
	CHECK(read_curves(reader, result));
	CHECK(read_optional(reader, result));
	CHECK(comparison_read(reader, result));
	CHECK(read_sample(reader, path, result));
	CHECK(read_counts(reader, result));
	CHECK(read_samples(reader, result));
	CHECK(read_blocks(reader, path, result));
	return read_process(reader, path, result);
}

static void free_result(void **result)
{
	sonde_debye_result *debye = *result;

	sonde_debye_result_free(&debye);
	*result = NULL;
}

sonde_status sonde_debye_result_read(sonde_context *context, const char *path, sonde_debye_result **result)
{
	static const struct result_reading reading = {sizeof(sonde_debye_result), read_all, free_result};
	void *read;
	const sonde_status status = result_read(&reading, context, path, &read);

	*result = read;
	return status;
}
