#include "match/self_scattering.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "debye/debye.h"
#include "io/containers/hdf5.h"
#include "matter/scattering/probe.h"

#define LABEL 32

/* The options of debye that a library states: "radiation = neutron; q = 0.5:20:391". */
static sonde_status read_physics(const char *path, const char *physics, sonde_debye_options *options)
{
	char *list, *rest;

	sonde_debye_options_init(options);
	CHECK(memory_copy_text(physics, &list, "text"));
	sonde_status status = SONDE_OK;
	for (char *item = strtok_r(list, ";", &rest); item != NULL && status == SONDE_OK;
	     item = strtok_r(NULL, ";", &rest)) {
		item += strspn(item, " ");
		char *value = strstr(item, " = ");
		const struct option_row *row = NULL;
		if (value != NULL) {
			*value = '\0';
			value += 3;
			row = options_find(&debye_option_table, item);
		}
		if (row == NULL || option_parse(row, options, value) != SONDE_OK)
			status =
			    status_fail_file(SONDE_INVALID, path,
					     "has an unknown option of debye, '%.60s', so that the scattering of "
					     "single atoms is not known, which a refinement of I needs",
					     item);
	}
	free(list);
	return status;
}

/* Adds count |f|^2 of a label. */
static sonde_status add_label(const struct probe *probe, const struct form_factors *factors, const char *label,
			      double count, const double *q, int64_t points, double *squares)
{
	struct scatterer scatterer;

	CHECK(probe_find_scatterer(probe, factors, label, &scatterer));
	for (int64_t k = 0; k < points; ++k) {
		double real, imaginary;
		scatterer_amplitude(&scatterer, q[k], &real, &imaginary);
		squares[k] += count * (real * real + imaginary * imaginary);
	}
	return SONDE_OK;
}

/* "Co120 O119", labels that may end with a charge, as "Na1+60": the digits at the end are the number. */
static sonde_status add_composition(const char *path, const struct probe *probe, const struct form_factors *factors,
				    const char *composition, const double *q, int64_t points, double *squares)
{
	double atoms = 0.0;

	for (const char *word = composition + strspn(composition, " "); *word != '\0';) {
		const size_t length = strcspn(word, " ");
		size_t letters = length;
		char label[LABEL];
		while (letters > 0 && word[letters - 1] >= '0' && word[letters - 1] <= '9')
			--letters;
		const double count = strtod(word + letters, NULL);
		if (letters == 0 || letters == length || letters >= LABEL || !(count > 0.0))
			return status_fail_file(SONDE_INVALID, path,
						"has the composition '%.60s', and 'Co120 O119' is "
						"expected",
						composition);
		snprintf(label, sizeof label, "%.*s", (int)letters, word);
		CHECK(add_label(probe, factors, label, count, q, points, squares));
		atoms += count;
		word += length;
		word += strspn(word, " ");
	}
	if (!(atoms > 0.0))
		return status_fail_file(SONDE_INVALID, path,
					"does not state the composition of a candidate, so that the scattering of "
					"single atoms is not known, which a refinement of I needs");
	for (int64_t k = 0; k < points; ++k)
		squares[k] /= atoms;
	return SONDE_OK;
}

static sonde_status find_of_library(struct candidate_source *source, enum library_radiation radiation,
				    int64_t candidate, double *squares)
{
	static const int radiations[LIBRARY_RADIATIONS] = {
	    [LIBRARY_XRAY] = PROBE_XRAY, [LIBRARY_NEUTRON] = PROBE_NEUTRON, [LIBRARY_ELECTRON] = PROBE_ELECTRON};
	const char *path = source->library.path;
	struct form_factors *factors = NULL;
	struct library_entry entry;
	sonde_debye_options options;

	CHECK(read_physics(path, source->library.head.physics, &options));
	if (options.solvent_density != 0.0)
		return status_fail_file(SONDE_INVALID, path,
					"has the contrast with a solvent, and a refinement of I needs it without");
	struct probe probe = {.radiation = radiations[radiation],
			      .factors = options.factors,
			      .anomalous = (enum anomalous_table)options.anomalous,
			      .energy = options.energy,
			      .wavelength = options.wavelength,
			      .form_factors = options.form_factors,
			      .q_first = source->axis[0],
			      .q_last = source->axis[source->points - 1]};
	CHECK(probe_choose_table(&probe));
	CHECK(library_read_entry(&source->library, candidate, &entry));
	sonde_status status =
	    options.form_factors[0] != '\0' ? form_factors_read(options.form_factors, &factors) : SONDE_OK;
	if (status == SONDE_OK)
		status =
		    add_composition(path, &probe, factors, entry.composition, source->axis, source->points, squares);
	form_factors_free(&factors);
	library_entry_free(&entry);
	return status;
}

static sonde_status find_of_result(const struct candidate_source *source, int64_t candidate, double *squares)
{
	static const char place[] = "/debye/intensity/mean_square_amplitude";
	const char *path = source->paths[candidate];
	struct hdf5_reader *reader;
	double *values = NULL;
	int64_t count = 0;

	CHECK(hdf5_reader_open(&reader, path));
	sonde_status status = hdf5_reader_reals(reader, place, &values, &count);
	if (status == SONDE_OK && count != source->points)
		status = status_fail_file(SONDE_INVALID, path, "has %lld points of <f^2>, and %lld of I/N",
					  (long long)count, (long long)source->points);
	if (status == SONDE_OK)
		memcpy(squares, values, (size_t)count * sizeof *squares);
	free(values);
	hdf5_reader_close(&reader);
	return status;
}

sonde_status self_scattering_find(const struct candidates *candidates, int64_t candidate, double **squares)
{
	struct candidate_source *source = candidates_source(candidates, candidate);
	const int64_t here = candidate - source->first;

	CHECK(memory_allocate(squares, (size_t)source->points, sizeof **squares, "amplitudes"));
	sonde_status status = source->library.reader != NULL
				  ? find_of_library(source, candidates->radiation, here, *squares)
				  : find_of_result(source, here, *squares);
	for (int64_t k = 0; status == SONDE_OK && k < source->points; ++k)
		if (!((*squares)[k] > 0.0) || !isfinite((*squares)[k]))
			status =
			    status_fail(SONDE_INVALID,
					"the atoms of a candidate do not scatter at q = %g, so that it cannot be "
					"refined",
					source->axis[k]);
	if (status != SONDE_OK) {
		free(*squares);
		*squares = NULL;
	}
	return status;
}
