/* Atoms that leave the target: numbers, energies and angles by kind and side. */
#include "ions/tallies/estimates.h"
#include "ions/tallies/group_means.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "ions/output/result.h"

static const ions_sum *sums_of(const struct ions_sums *sums, uint32_t group, uint32_t kind, uint32_t side)
{
	return sums->leaving +
	       ((size_t)(group * sums->kinds + kind) * 2 + side) * LEAVING_NUMBERS(sums->spectrum_bins);
}

/* A number of all groups per ion. */
static sonde_estimate estimate_of(const struct ions_sums *sums, uint32_t kind, uint32_t side, uint32_t number,
				  double unit)
{
	double of_group[LEAVING_GROUPS];

	for (uint32_t g = 0; g < LEAVING_GROUPS; ++g)
		of_group[g] = unit * (double)sums_of(sums, g, kind, side)[number];
	return estimates_mean_of_groups(sums, LEAVING_GROUPS, of_group);
}

/* The ratio of the sums b and a; its error is from the deviations of the groups from it. */
static sonde_estimate ratio_of(const double *b, const double *a)
{
	double all_a = 0.0, all_b = 0.0, squares = 0.0;
	int filled = 0;

	for (uint32_t g = 0; g < LEAVING_GROUPS; ++g) {
		all_a += a[g];
		all_b += b[g];
		filled += a[g] > 0.0;
	}
	if (!(all_a > 0.0))
		return (sonde_estimate){NAN, NAN};
	double mean = all_b / all_a;
	for (uint32_t g = 0; g < LEAVING_GROUPS; ++g)
		squares += (b[g] - mean * a[g]) * (b[g] - mean * a[g]);
	return (sonde_estimate){mean, filled < (int)LEAST_GROUPS_OF_ERRORS
					  ? NAN
					  : sqrt(squares * LEAVING_GROUPS / (LEAVING_GROUPS - 1.0)) / all_a};
}

static void fill_means(const struct ions_sums *sums, sonde_ions_leaving *leaving, uint32_t side)
{
	double number[LEAVING_GROUPS], energy[LEAVING_GROUPS], cosine[LEAVING_GROUPS];

	for (uint32_t g = 0; g < LEAVING_GROUPS; ++g) {
		const ions_sum *own = sums_of(sums, g, (uint32_t)leaving->kind, side);
		number[g] = (double)own[LEAVING_NUMBER];
		energy[g] = (double)own[LEAVING_ENERGY] * (double)EV_PER_UNIT;
		cosine[g] = (double)own[LEAVING_COSINE] / (double)UNITS_OF_COSINE;
		leaving->count += (int64_t)own[LEAVING_NUMBER];
	}
	leaving->mean_energy = ratio_of(energy, number);
	leaving->mean_cosine = ratio_of(cosine, number);
}

static sonde_status fill_bins(const struct ions_sums *sums, uint32_t kind, uint32_t side, uint32_t first,
			      uint32_t count, double **values, double **errors)
{
	CHECK(memory_allocate(values, count, sizeof **values, "the spectra of leaving atoms"));
	CHECK(memory_allocate(errors, count, sizeof **errors, "the spectra of leaving atoms"));
	for (uint32_t b = 0; b < count; ++b) {
		sonde_estimate estimate = estimate_of(sums, kind, side, first + b, 1.0);
		(*values)[b] = estimate.value;
		(*errors)[b] = estimate.error;
	}
	return SONDE_OK;
}

static sonde_status fill_one(const struct ions_sums *sums, uint32_t kind, uint32_t side, sonde_ions_leaving *leaving)
{
	leaving->kind = (int)kind;
	leaving->fate = side == 0 ? SONDE_IONS_BACKSCATTERED : SONDE_IONS_TRANSMITTED;
	leaving->number = estimate_of(sums, kind, side, LEAVING_NUMBER, 1.0);
	leaving->energy = estimate_of(sums, kind, side, LEAVING_ENERGY, (double)EV_PER_UNIT);
	fill_means(sums, leaving, side);
	CHECK(fill_bins(sums, kind, side, LEAVING_BINS, sums->spectrum_bins, &leaving->energies,
			&leaving->energies_errors));
	return fill_bins(sums, kind, side, LEAVING_BINS + sums->spectrum_bins, LEAVING_COSINES, &leaving->cosines,
			 &leaving->cosines_errors);
}

static sonde_estimate part_of(sonde_estimate estimate, double all)
{
	return (sonde_estimate){estimate.value / all, estimate.error / all};
}

sonde_status leaving_fill(const struct ions_sums *sums, sonde_ions_result *result)
{
	result->cosine_count = LEAVING_COSINES;
	CHECK(memory_allocate(&result->leaving, (size_t)sums->kinds * 2, sizeof *result->leaving,
			      "the spectra of leaving atoms"));
	for (uint32_t k = 0; k < sums->kinds; ++k)
		for (uint32_t side = 0; side < 2; ++side)
			CHECK(fill_one(sums, k, side, &result->leaving[result->leaving_count++]));
	result->reflection = result->leaving[0].number;
	result->transmission = result->leaving[1].number;
	result->energy_reflection = part_of(result->leaving[0].energy, result->energy_in);
	result->energy_transmission = part_of(result->leaving[1].energy, result->energy_in);
	return SONDE_OK;
}

void leaving_free(sonde_ions_result *result)
{
	for (int k = 0; k < result->leaving_count; ++k) {
		free(result->leaving[k].energies);
		free(result->leaving[k].energies_errors);
		free(result->leaving[k].cosines);
		free(result->leaving[k].cosines_errors);
	}
	free(result->leaving);
}

/* Text ------------------------------------------------------------------------------------- */

#define LEAST_DIGITS 5.0
#define MOST_DIGITS 12.0

/* Number of digits, two of them for those of the error. */
static int digits_of(sonde_estimate estimate)
{
	if (!(estimate.error > 0.0) || !(fabs(estimate.value) > estimate.error))
		return (int)LEAST_DIGITS;
	return (int)fmin(fmax(floor(log10(fabs(estimate.value) / estimate.error)) + 2.0, LEAST_DIGITS), MOST_DIGITS);
}

static void append(struct text *text, const char *name, sonde_estimate estimate, const char *unit)
{
	text_append(text, "%s%.*g", name, digits_of(estimate), estimate.value);
	if (!isnan(estimate.error))
		text_append(text, " +- %.2g", estimate.error);
	text_append(text, "%s%s", unit[0] != '\0' ? " " : "", unit);
}

static void append_coefficients(const char *before, const char *name, char symbol, sonde_estimate number,
				sonde_estimate energy, struct text *text)
{
	text_append(text, "%s%s: %c_N ", before, name, symbol);
	append(text, "", number, "");
	text_append(text, ", %c_E ", symbol);
	append(text, "", energy, "");
	text_append(text, "\n");
}

void ions_append_leaving(const sonde_ions_result *result, const char *before, struct text *text)
{
	if (result->leaving_count < 2)
		return;
	if (result->leaving[0].count > 0)
		append_coefficients(before, "reflected ions", 'R', result->reflection, result->energy_reflection,
				    text);
	if (result->leaving[1].count > 0)
		append_coefficients(before, "transmitted ions", 'T', result->transmission,
				    result->energy_transmission, text);
	for (int k = 0; k < result->leaving_count; ++k) {
		const sonde_ions_leaving *leaving = &result->leaving[k];
		if (leaving->count == 0)
			continue;
		text_append(text, "%sleaving %s, %s: ", before,
			    leaving->fate == SONDE_IONS_BACKSCATTERED ? "through x = 0" : "at the other end",
			    result->kinds[leaving->kind].label);
		append(text, "", leaving->number, "per ion");
		append(text, ", mean energy ", leaving->mean_energy, "eV");
		append(text, ", mean cosine ", leaving->mean_cosine, "");
		text_append(text, "\n");
	}
}
