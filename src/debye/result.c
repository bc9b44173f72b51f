/* Result files: NeXus HDF5 with all quantities, or a table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "debye/curves/amplitudes.h"
#include "debye/curves/comparison.h"
#include "debye/curves/curve_columns.h"
#include "debye/curves/derived_errors.h"
#include "io/containers/hdf5.h"
#include "run/result_table.h"

#define DEFINITIONS                                                                                                 \
	"I(q) = sum_ij Re(f_i f_j*) sin(q r_ij)/(q r_ij), i = j included; N atoms. "                                \
	"S = 1 + (I/N - <f^2>)/<f>^2 (Faber-Ziman; <f^2> = sum_a c_a |f_a|^2, "                                     \
	"<f>^2 = |sum_a c_a f_a|^2). F = q (S - 1). "                                                               \
	"G(r) = 2/pi int q (S - 1) W(q) sin(q r) dq exp(-(r qdamp)^2/2), trapezoid rule over q. "                   \
	"I_ab: part of I/N of the pairs of species a and b, atoms themselves in I_aa; sum over a <= b is I/N. "     \
	"S_ab = 1 + N/(N_a N_b) sum over i in a, j in b, i != j of sin(q r_ij)/(q r_ij). "                          \
	"Mean square displacements U: each sin(q r_ij)/(q r_ij) of i != j times exp(-q^2 (U_i + U_j)/2), for "      \
	"tensors "                                                                                                  \
	"projected on the pair, and multiplied by 1 - delta1/r - delta2/r^2 + (qbroad r)^2 for correlated motion. " \
	"Copies averaged: i and j of different copies by the mean over all orientations of each copy about its "    \
	"center; copies independent: i and j of the same copy only. "                                               \
	"Boundary periodic: j with all images at r_ij < cutoff, times w(r_ij) of damping, minus |<f>|^2 4 pi N/V "  \
	"int r^2 w(r) sin(q r)/(q r) dr, with the factors of independent displacements; G(r) of the same with w = " \
	"1; of slabs and rods the mean along the periodic edges in place of N/V, plus its sum up to infinity. "     \
	"Sites with occupancies o_i < 1: the mean over configurations, sum_i o_i |f_i|^2 + sum_{i != j} o_i o_j "   \
	"Re(f_i f_j*) "                                                                                             \
	"sin(q r_ij)/(q r_ij), without pairs that exclude each other; N = sum_i o_i, N_a likewise. "                \
	"The error estimate is of I/N."

/* Unit of I for amplitudes in electrons, fm, Angstrom or 1; `length` is the name of an Angstrom squared. */
static const char *intensity_unit(const sonde_debye_result *result, const char *length)
{
	switch (result->provenance->table) {
	case SCATTERING_UNIT:
		return "1";
	case SCATTERING_SEARS1992:
	case SCATTERING_RAUCH2003:
		return "fm^2";
	case SCATTERING_LOBATO:
	case SCATTERING_PENG:
	case SCATTERING_PENG_LOW:
	case SCATTERING_KIRKLAND:
		return length;
	default:
		return "electron^2";
	}
}

/* "mean of 100 frames; standard errors from 10 blocks"; empty for a single sample. */
static void append_samples(const sonde_debye_result *result, struct text *text)
{
	if (result->sample_count == 0)
		return;
	text_append(text, "mean of %lld %s", (long long)result->sample_count,
		    result->sample_weights != NULL ? "components of a mixture"
		    : result->sample_count == 1    ? "frame"
						   : "frames");
	if (result->error_values > 0)
		text_append(text, "; standard errors from %lld %s", (long long)result->error_values,
			    result->options->error_blocks > 0 ? "blocks" : "independent frames");
}

/* Table ------------------------------------------------------------------------------------ */

/* "13835 Co, 13798 O" */
static void append_composition(const sonde_debye_result *result, struct text *text)
{
	for (int s = 0; s < result->species_count; ++s) {
		text_append(text, "%s%lld %s", s > 0 ? ", " : "", (long long)result->species_atoms[s],
			    result->species_label[s]);
		if (result->species_present[s] != (double)result->species_atoms[s])
			text_append(text, " (%.10g %s)", result->species_present[s],
				    result->sample_weights != NULL ? "on average" : "present");
	}
}

static void append_header(const sonde_debye_result *result, struct text *text)
{
	const struct sonde_debye_provenance *provenance = result->provenance;

	provenance_append_origin(text, &provenance->run, "debye");
	text_append(text, "# atoms: %lld = ", (long long)result->atom_count);
	append_composition(result, text);
	if (result->sample_count > 0)
		text_append(text, "\n# samples: ");
	append_samples(result, text);
	text_append(text, "\n# ");
	debye_append_amplitudes(result, text);
	text_append(text, "\n");
	provenance_append_options(text, &debye_option_table, result->options);
	text_append(text, "# %s\n", DEFINITIONS);
	provenance_append_device(text, &provenance->run, result->seconds);
	if (result->bin_width > 0.0)
		text_append(text, "# bins: %.10g Angstrom wide\n", result->bin_width);
	text_append(text, "# largest error: estimate %.2g, bound %.2g (<f^2> + I/N)\n",
		    text_round_up(result->largest_error, 2), text_round_up(result->largest_bound, 2));
	comparison_append(result, text);
}

sonde_status debye_table_text(const sonde_debye_result *result, bool csv, struct text *text)
{
	const char *separator = csv ? "," : " ", *unit = intensity_unit(result, "Angstrom^2");

	const char *columns = result->options->columns;

	if (columns[0] == '\0' && result->comparison != NULL)
		columns = result->two_theta != NULL ? "two_theta,measured,fit,residual" : "q,measured,fit,residual";
	append_header(result, text);
	if (columns[0] != '\0')
		return curve_columns_append(result, columns, csv ? COLUMNS_CSV : COLUMNS_NAMED, unit, text);
	const double *standard_error = result->standard_error;
	if (csv)
		text_append(text, "q,I,I_per_atom,S,error_estimate%s\n",
			    standard_error != NULL ? ",standard_error" : "");
	else
		text_append(text,
			    "# q [1/Angstrom]  I [%s]  I per atom [%s]  S  error estimate of I per atom [%s]%s\n",
			    unit, unit, unit, standard_error != NULL ? "  standard error of I per atom" : "");
	for (int64_t k = 0; k < result->q_count; ++k) {
		const double row[] = {result->intensity[k], result->intensity_per_atom[k],
				      result->structure_factor[k]};
		text_append_real(text, result->q[k]);
		for (int c = 0; c < 3; ++c) {
			text_append(text, "%s", separator);
			text_append_real(text, row[c]);
		}
		text_append(text, "%s%.3g", separator, result->error_estimate[k]);
		if (standard_error != NULL)
			text_append(text, "%s%.6g", separator, standard_error[k]);
		text_append_byte(text, '\n');
	}
	return text_status(text);
}

static sonde_status append_table(const void *result, bool csv, struct text *text)
{
	return debye_table_text(result, csv, text);
}

/* Two-column files with the header expected by programs that fit pair distribution functions (PDFgetX3, PDFgui,
 * diffpy): the line "#### start data", then "#L" and the names. */
static sonde_status write_curve(const sonde_debye_result *result, const char *columns, const char *names,
				const char *path, bool overwrite)
{
	struct text text = {0};

	append_header(result, &text);
	text_append(&text, "# qmin = %.10g\n# qmax = %.10g\n# qdamp = %.10g\n#### start data\n#S 1\n#L %s\n",
		    result->options->q.first, result->options->q.last, result->options->qdamp, names);
	return result_text_write(curve_columns_append(result, columns, COLUMNS_BARE, "1", &text), &text, path,
				 overwrite);
}

static sonde_status write_gr(const void *result, const char *path, bool overwrite)
{
	return write_curve(result, "r,G", "r($\\AA$)  G($\\AA^{-2}$)", path, overwrite);
}

static sonde_status write_sq(const void *result, const char *path, bool overwrite)
{
	return write_curve(result, "q,S", "Q($\\AA^{-1}$)  S", path, overwrite);
}

static sonde_status write_fq(const void *result, const char *path, bool overwrite)
{
	return write_curve(result, "q,F", "Q($\\AA^{-1}$)  F($\\AA^{-1}$)", path, overwrite);
}

/* NeXus ------------------------------------------------------------------------------------ */

static void write_plot_group(struct hdf5_writer *writer, const char *path, const char *signal,
			     const char *const *axes, int axis_count, const char *title)
{
	hdf5_writer_group(writer, path, "NXdata");
	hdf5_writer_text_attribute(writer, path, "signal", signal);
	hdf5_writer_texts_attribute(writer, path, "axes", axes, axis_count);
	char name[128];
	snprintf(name, sizeof name, "%s/title", path);
	hdf5_writer_text(writer, name, title);
}

static void write_bhatia_thornton(const sonde_debye_result *result, struct hdf5_writer *writer)
{
	int64_t n = result->q_count;

	if (result->structure_factor_nn == NULL)
		return;
	hdf5_writer_reals(writer, "/debye/structure_factor/S_NN", result->structure_factor_nn, &n, 1, "1",
			  "S_NN(q), number-number (Bhatia-Thornton)");
	hdf5_writer_reals(writer, "/debye/structure_factor/S_NC", result->structure_factor_nc, &n, 1, "1",
			  "S_NC(q), number-concentration (Bhatia-Thornton)");
	hdf5_writer_reals(writer, "/debye/structure_factor/S_CC", result->structure_factor_cc, &n, 1, "1",
			  "S_CC(q), concentration-concentration (Bhatia-Thornton)");
}

/* Of D(r) and T(r). */
static const char *correlation_unit(const sonde_debye_result *result)
{
	const char *squared = intensity_unit(result, "angstrom^2");

	return strcmp(squared, "fm^2") == 0         ? "fm^2/angstrom^2"
	       : strcmp(squared, "angstrom^2") == 0 ? "1"
						    : "1/angstrom^2";
}

static void write_correlations(const sonde_debye_result *result, struct hdf5_writer *writer)
{
	const char *unit = correlation_unit(result);

	if (result->total_correlation == NULL)
		return;
	hdf5_writer_reals(writer, "/debye/pair_distribution/D", result->differential_correlation, &result->r_count, 1,
			  unit, "D(r) = <b>^2 G(r), differential correlation function (Keen)");
	hdf5_writer_reals(writer, "/debye/pair_distribution/T", result->total_correlation, &result->r_count, 1, unit,
			  "T(r) = D(r) + 4 pi r density <b>^2, total correlation function (Keen)");
}

/* A dataset of rows that some results have. */
static void write_optional(struct hdf5_writer *writer, const char *path, const double *values, const int64_t *sizes,
			   int rank, const char *unit, const char *name)
{
	if (values != NULL)
		hdf5_writer_reals(writer, path, values, sizes, rank, unit, name);
}

/* The standard errors of a mean over frames. */
static void write_standard_errors(const sonde_debye_result *result, struct hdf5_writer *writer)
{
	const char *unit = intensity_unit(result, "angstrom^2");
	const int64_t sizes[2] = {result->pair_count, result->q_count},
		      on_r[2] = {result->pair_count, result->r_count};

	write_optional(writer, "/debye/intensity/I_per_atom_standard_error", result->standard_error, sizes + 1, 1,
		       unit, "standard error of I(q)/N");
	write_optional(writer, "/debye/structure_factor/S_standard_error", result->structure_factor_standard_error,
		       sizes + 1, 1, "1", "standard error of S(q)");
	write_optional(writer, "/debye/structure_factor/F_standard_error",
		       result->reduced_structure_factor_standard_error, sizes + 1, 1, "1/angstrom",
		       "standard error of F(q)");
	write_optional(writer, "/debye/pair_distribution/G_standard_error", result->pair_distribution_standard_error,
		       &result->r_count, 1, "1/angstrom^2", "standard error of G(r)");
	write_optional(writer, "/debye/partials/I_ab_standard_error", result->partial_intensity_standard_error, sizes,
		       2, unit, "standard error of I_ab(q)");
	write_optional(writer, "/debye/partials/S_ab_standard_error", result->partial_structure_factor_standard_error,
		       sizes, 2, "1", "standard error of S_ab(q)");
	write_optional(writer, "/debye/radial_distribution/R_standard_error",
		       result->radial_distribution_standard_error, on_r + 1, 1, "1/angstrom",
		       "standard error of R(r)");
	write_optional(writer, "/debye/radial_distribution/n_standard_error",
		       result->running_coordination_standard_error, on_r + 1, 1, "1", "standard error of n(r)");
	write_optional(writer, "/debye/radial_distribution/R_ab_standard_error",
		       result->partial_radial_distribution_standard_error, on_r, 2, "1/angstrom",
		       "standard error of R_ab(r)");
	write_optional(writer, "/debye/radial_distribution/n_ab_standard_error",
		       result->partial_running_coordination_standard_error, on_r, 2, "1",
		       "standard error of n_ab(r)");
	write_optional(writer, "/debye/intensity/I_resolved_standard_error",
		       result->intensity_resolved_standard_error, sizes + 1, 1, unit, "standard error of I_resolved");
	write_optional(writer, "/debye/intensity/I_absolute_standard_error",
		       result->intensity_absolute_standard_error, sizes + 1, 1, "1/cm",
		       "standard error of I_absolute");
}

static void write_curves(const sonde_debye_result *result, struct hdf5_writer *writer)
{
	static const char *const q_axis[] = {"q"}, *const r_axis[] = {"r"};
	const char *unit = intensity_unit(result, "angstrom^2");
	int64_t n = result->q_count;

	write_plot_group(writer, "/debye/intensity", "I_per_atom", q_axis, 1, "Powder pattern");
	hdf5_writer_reals(writer, "/debye/intensity/q", result->q, &n, 1, "1/angstrom", "q (1/Angstrom)");
	hdf5_writer_reals(writer, "/debye/intensity/I", result->intensity, &n, 1, unit, "I(q)");
	hdf5_writer_reals(writer, "/debye/intensity/I_per_atom", result->intensity_per_atom, &n, 1, unit, "I(q)/N");
	hdf5_writer_reals(writer, "/debye/intensity/I_per_atom_errors", result->error_estimate, &n, 1, unit,
			  "error estimate of I(q)/N");
	hdf5_writer_reals(writer, "/debye/intensity/I_per_atom_bound", result->error_bound, &n, 1, unit,
			  "error bound of I(q)/N");
	hdf5_writer_reals(writer, "/debye/intensity/mean_square_amplitude", result->mean_square_amplitude, &n, 1,
			  unit, "<f^2>");
	hdf5_writer_reals(writer, "/debye/intensity/square_mean_amplitude", result->square_mean_amplitude, &n, 1,
			  unit, "<f>^2");

	if (result->intensity_corrected != NULL)
		hdf5_writer_reals(writer, "/debye/intensity/I_corrected", result->intensity_corrected, &n, 1, unit,
				  "I(q) times polarization and Lorentz factors");
	if (result->intensity_resolved != NULL)
		hdf5_writer_reals(writer, "/debye/intensity/I_resolved", result->intensity_resolved, &n, 1, unit,
				  "I(q), with its factors, convolved with the resolution");
	if (result->intensity_absolute != NULL)
		hdf5_writer_reals(writer, "/debye/intensity/I_absolute", result->intensity_absolute, &n, 1, "1/cm",
				  "cross-section per volume and solid angle");
	if (result->intensity_compton != NULL) {
		hdf5_writer_reals(writer, "/debye/intensity/I_compton", result->intensity_compton, &n, 1, unit,
				  "Compton scattering");
		hdf5_writer_reals(writer, "/debye/intensity/I_total", result->intensity_total, &n, 1, unit,
				  "I(q) and Compton scattering");
	}
	if (result->laue != NULL) {
		hdf5_writer_reals(writer, "/debye/intensity/laue", result->laue, &n, 1, unit,
				  "Laue monotonic scattering per atom, <f^2> - <f>^2");
		hdf5_writer_reals(writer, "/debye/intensity/I_minus_laue", result->intensity_without_laue, &n, 1,
				  unit, "I(q) without the Laue monotonic scattering");
	}
	if (result->two_theta != NULL)
		hdf5_writer_reals(writer, "/debye/intensity/two_theta", result->two_theta, &n, 1, "degree",
				  "2 theta (degrees)");

	write_plot_group(writer, "/debye/structure_factor", "S", q_axis, 1, "Structure factor (Faber-Ziman)");
	hdf5_writer_reals(writer, "/debye/structure_factor/q", result->q, &n, 1, "1/angstrom", "q (1/Angstrom)");
	hdf5_writer_reals(writer, "/debye/structure_factor/S", result->structure_factor, &n, 1, "1", "S(q)");
	hdf5_writer_reals(writer, "/debye/structure_factor/F", result->reduced_structure_factor, &n, 1, "1/angstrom",
			  "F(q) = q (S(q) - 1)");
	write_bhatia_thornton(result, writer);

	if (result->r_count > 0) {
		write_plot_group(writer, "/debye/pair_distribution", "G", r_axis, 1, "Pair distribution function");
		hdf5_writer_reals(writer, "/debye/pair_distribution/r", result->r, &result->r_count, 1, "angstrom",
				  "r (Angstrom)");
		hdf5_writer_reals(writer, "/debye/pair_distribution/G", result->pair_distribution, &result->r_count,
				  1, "1/angstrom^2", "G(r)");
		write_correlations(result, writer);
	}
}

/* The names of the pairs of species, "Co-O", for the axis `pair` of a group. */
static sonde_status write_pair_names(const sonde_debye_result *result, const char *path, struct hdf5_writer *writer)
{
	enum { NAME = 2 * SONDE_LABEL_SIZE };
	char *names;

	CHECK(memory_allocate(&names, (size_t)result->pair_count, NAME, "the names of the partials"));
	for (int p = 0; p < result->pair_count; ++p)
		snprintf(names + p * NAME, NAME, "%.15s-%.15s", result->species_label[result->pair_a[p]],
			 result->species_label[result->pair_b[p]]);
	hdf5_writer_texts(writer, path, names, result->pair_count, NAME);
	free(names);
	return SONDE_OK;
}

/* The data of the option `counts`; `centers` are those of its bins. */
static void write_pair_counts(const sonde_debye_result *result, const double *centers, struct hdf5_writer *writer)
{
	static const char *const axes[] = {"pair", "r"}, *const r_axis[] = {"r"};
	const int64_t sizes[2] = {result->pair_count, result->counted_bins},
		      on_r[2] = {result->pair_count, result->r_count};

	write_plot_group(writer, "/debye/pair_counts", "pairs", axes, 2, "Pairs of atoms by species and distance");
	hdf5_writer_reals(writer, "/debye/pair_counts/r", centers, &result->counted_bins, 1, "angstrom",
			  "r (Angstrom), middle of the bin");
	hdf5_writer_reals(writer, "/debye/pair_counts/pairs", result->counted_pairs, sizes, 2, "1",
			  "pairs of atoms, each once");
	hdf5_writer_reals(writer, "/debye/pair_counts/mean_distance", result->counted_distances, sizes, 2, "angstrom",
			  "mean distance of the pairs of a bin");
	if (result->radial_distribution == NULL || result->r_count == 0)
		return;
	write_plot_group(writer, "/debye/radial_distribution", "R", r_axis, 1, "Radial distribution function");
	hdf5_writer_reals(writer, "/debye/radial_distribution/r", result->r, &result->r_count, 1, "angstrom",
			  "r (Angstrom)");
	hdf5_writer_reals(writer, "/debye/radial_distribution/R", result->radial_distribution, &result->r_count, 1,
			  "1/angstrom", "R(r), neighbors of an atom per unit length");
	hdf5_writer_reals(writer, "/debye/radial_distribution/R_ab", result->partial_radial_distribution, on_r, 2,
			  "1/angstrom", "R_ab(r), neighbors b of an atom a");
	hdf5_writer_reals(writer, "/debye/radial_distribution/n", result->running_coordination, &result->r_count, 1,
			  "1", "n(r), neighbors of an atom up to r");
	hdf5_writer_reals(writer, "/debye/radial_distribution/n_ab", result->partial_running_coordination, on_r, 2,
			  "1", "n_ab(r), neighbors b of an atom a up to r");
	if (result->pair_correlation != NULL)
		hdf5_writer_reals(writer, "/debye/radial_distribution/g", result->pair_correlation, &result->r_count,
				  1, "1", "g(r) = R(r)/(4 pi r^2 density)");
}

static sonde_status write_counts(const sonde_debye_result *result, struct hdf5_writer *writer)
{
	double *centers;

	if (result->counted_pairs == NULL)
		return SONDE_OK;
	CHECK(memory_allocate(&centers, (size_t)result->counted_bins, sizeof *centers, "the bins"));
	for (int64_t b = 0; b < result->counted_bins; ++b)
		centers[b] = ((double)b + 0.5) * result->bin_width;
	write_pair_counts(result, centers, writer);
	free(centers);
	if (result->radial_distribution != NULL && result->r_count > 0)
		CHECK(write_pair_names(result, "/debye/radial_distribution/pair", writer));
	return write_pair_names(result, "/debye/pair_counts/pair", writer);
}

static sonde_status write_partials(const sonde_debye_result *result, struct hdf5_writer *writer)
{
	static const char *const axes[] = {"pair", "q"};
	int64_t sizes[2] = {result->pair_count, result->q_count};

	write_plot_group(writer, "/debye/partials", "I_ab", axes, 2, "Partials by pair of species");
	hdf5_writer_reals(writer, "/debye/partials/q", result->q, &result->q_count, 1, "1/angstrom",
			  "q (1/Angstrom)");
	hdf5_writer_reals(writer, "/debye/partials/I_ab", result->partial_intensity, sizes, 2,
			  intensity_unit(result, "angstrom^2"), "part of I(q)/N");
	hdf5_writer_reals(writer, "/debye/partials/S_ab", result->partial_structure_factor, sizes, 2, "1",
			  "partial structure factor (Faber-Ziman)");
	write_optional(writer, "/debye/partials/I_ab_errors", result->partial_intensity_error, sizes, 2,
		       intensity_unit(result, "angstrom^2"), "error estimate of I_ab(q)");
	write_optional(writer, "/debye/partials/S_ab_errors", result->partial_structure_factor_error, sizes, 2, "1",
		       "error estimate of S_ab(q)");
	hdf5_writer_integers(writer, "/debye/partials/pairs_of_atoms", result->pair_pairs, result->pair_count);
	return write_pair_names(result, "/debye/partials/pair", writer);
}

/* The parts of I/N by pairs of blocks; pairs are named "A-B". */
static sonde_status write_blocks(const sonde_debye_result *result, struct hdf5_writer *writer)
{
	enum { NAME = 2 * SONDE_LABEL_SIZE };
	static const char *const axes[] = {"pair", "q"};
	const int count = result->block_count;
	const int64_t blocks = count, sizes[2] = {species_pair_count(count), result->q_count};
	char *names, *name;

	if (count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&names, (size_t)sizes[0], NAME, "the names of the partials"));
	name = names;
	for (int a = 0; a < count; ++a)
		for (int b = a; b < count; ++b, name += NAME)
			snprintf(name, NAME, "%.15s-%.15s", result->block_label[a], result->block_label[b]);
	write_plot_group(writer, "/debye/blocks", "I_AB", axes, 2, "Partials by pair of blocks");
	hdf5_writer_reals(writer, "/debye/blocks/q", result->q, &result->q_count, 1, "1/angstrom", "q (1/Angstrom)");
	hdf5_writer_reals(writer, "/debye/blocks/I_AB", result->block_intensity, sizes, 2,
			  intensity_unit(result, "angstrom^2"), "part of I(q)/N");
	write_optional(writer, "/debye/blocks/I_AB_errors", result->block_intensity_error, sizes, 2,
		       intensity_unit(result, "angstrom^2"), "error estimate of I_AB(q)");
	write_optional(writer, "/debye/blocks/I_AB_standard_error", result->block_intensity_standard_error, sizes, 2,
		       intensity_unit(result, "angstrom^2"), "standard error of I_AB(q)");
	hdf5_writer_texts(writer, "/debye/blocks/pair", names, (int)sizes[0], NAME);
	hdf5_writer_texts(writer, "/debye/blocks/block", result->block_label[0], count, SONDE_LABEL_SIZE);
	hdf5_writer_reals(writer, "/debye/blocks/atoms_present", result->block_atoms, &blocks, 1, "1",
			  "sums of the occupancies");
	free(names);
	return SONDE_OK;
}

static sonde_status write_sample(const sonde_debye_result *result, struct hdf5_writer *writer)
{
	provenance_write_sample(writer, &result->provenance->run, "/debye/sample");
	struct text composition = {0};
	append_composition(result, &composition);
	const sonde_status status = text_status(&composition);
	hdf5_writer_text(writer, "/debye/sample/composition", composition.bytes != NULL ? composition.bytes : "");
	text_free(&composition);
	hdf5_writer_integers(writer, "/debye/sample/atoms", &result->atom_count, 1);
	hdf5_writer_real(writer, "/debye/sample/atoms_present", result->atoms_present, "1");
	int64_t species = result->species_count;
	hdf5_writer_reals(writer, "/debye/sample/species_present", result->species_present, &species, 1, "1",
			  "sums of the occupancies");
	hdf5_writer_texts(writer, "/debye/sample/species", result->species_label[0], result->species_count,
			  SONDE_LABEL_SIZE);
	hdf5_writer_integers(writer, "/debye/sample/species_atoms", result->species_atoms, result->species_count);
	return status;
}

static sonde_status write_amplitudes(const sonde_debye_result *result, struct hdf5_writer *writer)
{
	struct text text = {0};

	debye_append_amplitudes(result, &text);
	const sonde_status status = text_status(&text);
	hdf5_writer_text(writer, "/debye/process/amplitudes", text.bytes != NULL ? text.bytes : "");
	text_free(&text);
	return status;
}

static sonde_status write_process(const sonde_debye_result *result, struct hdf5_writer *writer)
{
	const struct sonde_debye_provenance *provenance = result->provenance;
	int64_t checked = result->checked_points;

	CHECK(provenance_write_process(writer, &provenance->run, &debye_option_table, result->options,
				       result->seconds));
	CHECK(write_amplitudes(result, writer));
	hdf5_writer_real(writer, "/debye/process/bin_width", result->bin_width, "angstrom");
	hdf5_writer_integers(writer, "/debye/process/bin_count", &result->bin_count, 1);
	hdf5_writer_real(writer, "/debye/process/largest_error", result->largest_error, "1");
	hdf5_writer_real(writer, "/debye/process/largest_bound", result->largest_bound, "1");
	hdf5_writer_integers(writer, "/debye/process/checked_points", &checked, 1);
	hdf5_writer_text(writer, "/debye/process/definitions", DEFINITIONS);
	return SONDE_OK;
}

/* The samples of a mean: a NeXus collection with their number, weights, and names. */
static sonde_status write_samples(const sonde_debye_result *result, struct hdf5_writer *writer)
{
	const char *names = result->provenance->samples;
	struct text text = {0};

	if (result->sample_count == 0)
		return SONDE_OK;
	append_samples(result, &text);
	const sonde_status status = text_status(&text);
	hdf5_writer_group(writer, "/debye/samples", "NXcollection");
	hdf5_writer_text(writer, "/debye/samples/description", text.bytes != NULL ? text.bytes : "");
	text_free(&text);
	hdf5_writer_integers(writer, "/debye/samples/count", &result->sample_count, 1);
	hdf5_writer_integers(writer, "/debye/samples/error_values", &result->error_values, 1);
	write_optional(writer, "/debye/samples/weights", result->sample_weights, &result->sample_count, 1, "1",
		       "number fractions of the components");
	if (names != NULL)
		hdf5_writer_text(writer, "/debye/samples/names", names);
	return status;
}

static void announce(const sonde_debye_result *result, struct hdf5_writer *writer)
{
	const int64_t number = sizeof(double), bytes = result->pair_count * result->q_count * number,
		      bins = result->pair_count * result->counted_bins * number,
		      blocks = species_pair_count(result->block_count) * result->q_count * number;

	hdf5_writer_lasts(writer, result->partial_intensity, bytes);
	hdf5_writer_lasts(writer, result->partial_structure_factor, bytes);
	hdf5_writer_lasts(writer, result->counted_pairs, bins);
	hdf5_writer_lasts(writer, result->counted_distances, bins);
	hdf5_writer_lasts(writer, result->block_intensity, blocks);
	hdf5_writer_lasts(writer, result->partial_intensity_error, bytes);
	hdf5_writer_lasts(writer, result->partial_structure_factor_error, bytes);
	hdf5_writer_lasts(writer, result->block_intensity_error, blocks);
}

sonde_status debye_contents(const void *of, struct hdf5_writer *writer)
{
	const sonde_debye_result *result = of;

	announce(result, writer);
	provenance_write_entry(writer, &result->provenance->run, "debye", "Powder pattern by the Debye equation",
			       "intensity");
	write_curves(result, writer);
	comparison_write(result, writer);
	sonde_status status =
	    derived_errors_write(result, intensity_unit(result, "angstrom^2"), correlation_unit(result), writer);
	if (status == SONDE_OK)
		status = write_sample(result, writer);
	if (status == SONDE_OK)
		status = write_counts(result, writer);
	if (status == SONDE_OK)
		status = write_partials(result, writer);
	write_standard_errors(result, writer);
	if (status == SONDE_OK)
		status = derived_standard_errors_write(result, intensity_unit(result, "angstrom^2"),
						       correlation_unit(result), writer);
	if (status == SONDE_OK)
		status = write_samples(result, writer);
	if (status == SONDE_OK)
		status = write_blocks(result, writer);
	if (status == SONDE_OK)
		status = write_process(result, writer);
	return status;
}

static sonde_status write_nexus(const void *result, const char *path, bool overwrite)
{
	struct hdf5_writer *writer;

	CHECK(hdf5_writer_create(&writer));
	const sonde_status status = debye_contents(result, writer);
	if (status != SONDE_OK) {
		hdf5_writer_discard(&writer);
		return status;
	}
	return hdf5_writer_finish(&writer, path, overwrite);
}

static const struct result_format formats[] = {{RESULT_NEXUS_ENDINGS, write_nexus, NULL},
					       {RESULT_TABLE_ENDINGS, NULL, append_table},
					       {".gr", write_gr, NULL},
					       {".sq", write_sq, NULL},
					       {".fq", write_fq, NULL},
					       {NULL, NULL, NULL}};

sonde_status debye_check_format(const char *path)
{
	return result_format_check(formats, path);
}

sonde_status debye_check_contents(const char *path, const sonde_debye_options *options)
{
	const struct result_format *format = result_format_find(formats, path);
	const bool table = path[0] == '\0' || (format != NULL && format->append == append_table);

	if (options->columns[0] != '\0' && !table)
		return status_fail_option(
		    SONDE_INVALID, "columns",
		    "%s has fixed columns; the option is for tables, which end in .xy, .dat, .txt or .csv", path);
	return format != NULL && format->write == write_gr ? curve_columns_need_r(options) : SONDE_OK;
}

sonde_status sonde_debye_result_write(const sonde_debye_result *result, const char *path, int overwrite)
{
	CHECK(debye_check_format(path));
	CHECK(debye_check_contents(path, result->options));
	return result_write(formats, result, path, overwrite != 0);
}
