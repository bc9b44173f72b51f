#include "ions/tallies/estimates.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "ions/tallies/group_means.h"
#include "matter/elements/isotope.h"

#define ANGSTROM_PER_NM 10.0
#define DISPLACEMENT_UNITS 1048576.0 /* scale of TALLY_NRT and TALLY_ARC */
#define ROUNDED 1e-12                /* relative to the mean square: smaller variances are rounding errors */

static const ions_sum *row_of(const struct ions_sums *sums, uint32_t group, uint32_t row)
{
	return sums->tallies + ((size_t)group * sums->rows + row) * sums->stride;
}

/* Sum of a row over cells `first` to end - 1. */
static sonde_estimate row_estimate(const struct ions_sums *sums, uint32_t row, uint32_t first, uint32_t end,
				   double unit)
{
	double of_group[IONS_GROUPS];

	for (uint32_t g = 0; g < sums->groups; ++g) {
		ions_sum sum = 0;
		for (uint32_t c = first; c < end; ++c)
			sum += row_of(sums, g, row)[c];
		of_group[g] = (double)sum * unit;
	}
	return estimates_mean_of_groups(sums, sums->groups, of_group);
}

static uint32_t row_of_kind(int kind, uint32_t row)
{
	return TALLY_ROWS_OF_ALL + (uint32_t)(kind - 1) * TALLY_ROWS_OF_KIND + row;
}

/* Sum of a row over all kinds, everywhere. */
static sonde_estimate kinds_estimate(const struct ions_sums *sums, uint32_t row, uint32_t other)
{
	double of_group[IONS_GROUPS];

	for (uint32_t g = 0; g < sums->groups; ++g) {
		ions_sum sum = 0;
		for (int k = 1; k < (int)sums->kinds; ++k)
			for (uint32_t c = 0; c < sums->stride; ++c)
				sum += row_of(sums, g, row_of_kind(k, row))[c] +
				       (other != row ? row_of(sums, g, row_of_kind(k, other))[c] : 0);
		of_group[g] = (double)sum;
	}
	return estimates_mean_of_groups(sums, sums->groups, of_group);
}

/* Quantities derived from moments: mean depth, deviation, skewness, kurtosis; lateral: mean, root mean square,
 * radial mean; path. */
enum { RANGE, STRAGGLING, SKEWNESS, KURTOSIS, LATERAL, LATERAL_SQUARE, RADIAL, PATH, SHAPES };

/* NaN for undefined quantities: all of them without ions at rest, and skewness and kurtosis of one ion or of all
 * at one depth. Their variance is then the rounding error of a difference of squares. */
static void shape_of(const double *moments, double unit, double *shape)
{
	double n = moments[MOMENT_FATES + FATE_IMPLANTED];

	for (int s = 0; s < SHAPES; ++s)
		shape[s] = NAN;
	if (n == 0.0)
		return;
	double m1 = moments[MOMENT_X] / n, m2 = moments[MOMENT_X + 1] / n, m3 = moments[MOMENT_X + 2] / n,
	       m4 = moments[MOMENT_X + 3] / n;
	double variance = m2 - m1 * m1;

	shape[RANGE] = m1 * unit;
	shape[STRAGGLING] = sqrt(fmax(variance, 0.0)) * unit;
	if (n > 1.0 && variance > ROUNDED * m2) {
		shape[SKEWNESS] = (m3 - 3.0 * m1 * m2 + 2.0 * m1 * m1 * m1) / pow(variance, 1.5);
		shape[KURTOSIS] =
		    (m4 - 4.0 * m1 * m3 + 6.0 * m1 * m1 * m2 - 3.0 * m1 * m1 * m1 * m1) / (variance * variance);
	}
	shape[LATERAL] = 0.5 * moments[MOMENT_ASIDE] / n * unit;
	shape[LATERAL_SQUARE] = sqrt(0.5 * moments[MOMENT_ASIDE_SQUARES] / n) * unit;
	shape[RADIAL] = moments[MOMENT_RADIAL] / n * unit;
	shape[PATH] = moments[MOMENT_PATH] / n * unit;
}

/* The same quantities with errors, by omitting one group after another (the jackknife). */
static void shapes_of(const struct ions_sums *sums, sonde_estimate *shapes)
{
	double all[MOMENTS], without[MOMENTS], whole[SHAPES], parts[IONS_GROUPS][SHAPES], unit;
	ions_sum total[MOMENTS] = {0};
	int filled = 0;

	unit = ANGSTROM_PER_NM * sums->depth_unit;
	for (uint32_t g = 0; g < IONS_GROUPS; ++g)
		for (int m = 0; m < MOMENTS; ++m)
			total[m] += sums->moments[g * MOMENTS + m];
	for (int m = 0; m < MOMENTS; ++m)
		all[m] = (double)total[m];
	shape_of(all, unit, whole);
	for (uint32_t g = 0; g < IONS_GROUPS; ++g) {
		if (sums->moments[g * MOMENTS + MOMENT_FATES + FATE_IMPLANTED] == 0)
			continue;
		for (int m = 0; m < MOMENTS; ++m)
			without[m] = (double)(total[m] - sums->moments[g * MOMENTS + m]);
		shape_of(without, unit, parts[filled++]);
	}
	for (int s = 0; s < SHAPES; ++s) {
		double mean = 0.0, squares = 0.0;
		for (int k = 0; k < filled; ++k)
			mean += parts[k][s] / filled;
		for (int k = 0; k < filled; ++k)
			squares += (parts[k][s] - mean) * (parts[k][s] - mean);
		double origin = s == RANGE ? ANGSTROM_PER_NM * sums->depth_origin : 0.0;
		shapes[s] = (sonde_estimate){whole[s] + origin, filled < (int)LEAST_GROUPS_OF_ERRORS
								    ? NAN
								    : sqrt(squares * (filled - 1.0) / filled)};
	}
}

static sonde_estimate fate_estimate(const struct ions_sums *sums, uint32_t fate)
{
	double of_group[IONS_GROUPS];

	for (uint32_t g = 0; g < IONS_GROUPS; ++g)
		of_group[g] = (double)sums->moments[g * MOMENTS + MOMENT_FATES + fate];
	return estimates_mean_of_groups(sums, IONS_GROUPS, of_group);
}

/* Vacancies counted in histories; in quick runs those of Norgett, Robinson and Torrens. */
static sonde_estimate vacancies_of(const struct ions_plan *plan, const struct ions_sums *sums)
{
	if (plan->job.quick)
		return row_estimate(sums, TALLY_NRT, 0, sums->stride, 1.0 / DISPLACEMENT_UNITS);
	return kinds_estimate(sums, TALLY_VACANCIES_BY_IONS, TALLY_VACANCIES_BY_RECOILS);
}

static const char *const names[] = {"range", "straggling", "vacancies", "sputtered", "backscattered", "transmitted"};
#define NAMES ((int)(sizeof names / sizeof *names))

static sonde_estimate named_estimate(int what, const struct ions_plan *plan, const struct ions_sums *sums)
{
	sonde_estimate shapes[SHAPES];

	switch (what) {
	case 0:
	case 1:
		shapes_of(sums, shapes);
		return shapes[what == 0 ? RANGE : STRAGGLING];
	case 2:
		return vacancies_of(plan, sums);
	case 3:
		return kinds_estimate(sums, TALLY_SPUTTERED, TALLY_SPUTTERED);
	default:
		return fate_estimate(sums, what == 4 ? FATE_BACKSCATTERED : FATE_TRANSMITTED);
	}
}

static sonde_status unknown_name(const char *start, const char *end, const char *word)
{
	struct nearest_word nearest = {.word = word};
	char list[128] = "", hint[64];
	size_t used = 0;

	for (int k = 0; k < NAMES; ++k) {
		nearest_word_offer(&nearest, names[k]);
		used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? ", " : "", names[k]);
	}
	return status_fail_option(SONDE_INVALID, "until", "'%.*s' does not begin with one of %s%s",
				  (int)(end - start > 40 ? 40 : end - start), start, list,
				  nearest_word_hint(&nearest, hint, sizeof hint));
}

static sonde_status parse_one(const char *start, const char *end, struct precision *precision)
{
	const char *colon = memchr(start, ':', (size_t)(end - start));
	char word[32] = "";
	double percent;
	int what = 0;

	if (colon != NULL && colon - start < (int)sizeof word)
		snprintf(word, sizeof word, "%.*s", (int)(colon - start), start);
	while (what < NAMES && strcmp(word, names[what]) != 0)
		++what;
	if (colon != NULL && what == NAMES)
		return unknown_name(start, end, word);
	if (colon == NULL || end[-1] != '%' || !text_parse_real(colon + 1, end - 1, &percent))
		return status_fail_option(SONDE_INVALID, "until",
					  "'%.*s' is not QUANTITY:PERCENT, for example vacancies:0.5%%",
					  (int)(end - start > 40 ? 40 : end - start), start);
	double relative = 0.01 * percent;
	if (!(relative >= 1e-6 && relative < 1.0) || precision->count == MOST_PRECISIONS)
		return status_fail_option(SONDE_INVALID, "until",
					  "%s: the standard error must be from 0.0001%% to 100%%", word);
	precision->wanted[precision->count].what = what;
	precision->wanted[precision->count++].relative = relative;
	return SONDE_OK;
}

sonde_status precision_parse(const char *text, struct precision *precision)
{
	precision->count = 0;
	for (const char *start = text; *start != '\0';) {
		const char *end = start + strcspn(start, ",");
		CHECK(parse_one(start, end, precision));
		start = *end == ',' ? end + 1 : end;
	}
	return SONDE_OK;
}

sonde_status precision_check(const struct precision *precision, const struct ions_plan *plan)
{
	for (int k = 0; k < precision->count; ++k) {
		int what = precision->wanted[k].what;
		if ((what == 2 || what == 3) && plan->job.groups < LEAST_GROUPS_OF_ERRORS)
			return status_fail_option(SONDE_INVALID, "until",
						  "with %u cells there is no error of %s; use fewer cells, or "
						  "range",
						  plan->job.cell_count, names[what]);
	}
	return SONDE_OK;
}

bool precision_reached(const struct precision *precision, const struct ions_plan *plan, const struct ions_sums *sums)
{
	for (int k = 0; k < precision->count; ++k) {
		if (sums->ions == 0)
			return false;
		sonde_estimate estimate = named_estimate(precision->wanted[k].what, plan, sums);
		if (!(estimate.error <= precision->wanted[k].relative * fabs(estimate.value)) ||
		    estimate.value == 0.0)
			return false;
	}
	return precision->count > 0;
}

struct shown {
	const char *name, *unit;
	uint32_t row;
	double scale;
};
static const struct shown shown_of_all[] = {
    {"implanted ions", "", TALLY_IMPLANTED, 1.0},
    {"ionization by ions", "eV", TALLY_IONIZATION_BY_IONS, (double)EV_PER_UNIT},
    {"ionization by recoils", "eV", TALLY_IONIZATION_BY_RECOILS, (double)EV_PER_UNIT},
    {"phonons by ions", "eV", TALLY_PHONONS_BY_IONS, (double)EV_PER_UNIT},
    {"phonons by recoils", "eV", TALLY_PHONONS_BY_RECOILS, (double)EV_PER_UNIT},
    {"stored energy", "eV", TALLY_STORED, (double)EV_PER_UNIT},
    {"damage energy", "eV", TALLY_DAMAGE_ENERGY, (double)EV_PER_UNIT},
    {"displacements (NRT)", "", TALLY_NRT, 1.0 / DISPLACEMENT_UNITS},
    {"displacements (arc-dpa)", "", TALLY_ARC, 1.0 / DISPLACEMENT_UNITS}};
static const struct shown shown_of_kind[] = {{"primary recoils", "", TALLY_PRIMARY, 1.0},
					     {"energy to recoils", "eV", TALLY_ENERGY_TO, (double)EV_PER_UNIT},
					     {"vacancies by ions", "", TALLY_VACANCIES_BY_IONS, 1.0},
					     {"vacancies by recoils", "", TALLY_VACANCIES_BY_RECOILS, 1.0},
					     {"replacements", "", TALLY_REPLACEMENTS, 1.0},
					     {"interstitials", "", TALLY_INTERSTITIALS, 1.0}};

static sonde_status fill_tally(const struct ions_sums *sums, const struct shown *shown, uint32_t row, const char *of,
			       sonde_ions_tally *tally)
{
	uint32_t cells = sums->stride - 1;

	snprintf(tally->name, sizeof tally->name, "%s", shown->name);
	snprintf(tally->of, sizeof tally->of, "%s", of);
	snprintf(tally->unit, sizeof tally->unit, "%s", shown->unit);
	CHECK(memory_allocate(&tally->values, cells, sizeof(double), "the profiles"));
	CHECK(memory_allocate(&tally->errors, cells, sizeof(double), "the profiles"));
	for (uint32_t c = 0; c < cells; ++c) {
		sonde_estimate estimate = row_estimate(sums, row, c, c + 1, shown->scale);
		tally->values[c] = estimate.value;
		tally->errors[c] = estimate.error;
	}
	tally->inside = row_estimate(sums, row, 0, cells, shown->scale);
	tally->total = row_estimate(sums, row, 0, cells + 1, shown->scale);
	return SONDE_OK;
}

static sonde_status fill_tallies(const struct ions_sums *sums, sonde_ions_result *result)
{
	const int of_all = (int)(sizeof shown_of_all / sizeof *shown_of_all),
		  of_kind = (int)(sizeof shown_of_kind / sizeof *shown_of_kind);

	CHECK(memory_allocate(&result->tallies, (size_t)(of_all + of_kind * (result->kind_count - 1)),
			      sizeof *result->tallies, "the profiles"));
	for (int k = 0; k < of_all; ++k)
		CHECK(fill_tally(sums, &shown_of_all[k], shown_of_all[k].row, "",
				 &result->tallies[result->tally_count++]));
	for (int kind = 1; kind < result->kind_count; ++kind)
		for (int k = 0; k < of_kind; ++k)
			CHECK(fill_tally(sums, &shown_of_kind[k], row_of_kind(kind, shown_of_kind[k].row),
					 result->kinds[kind].label, &result->tallies[result->tally_count++]));
	return SONDE_OK;
}

/* "Si in layer 2" */
static void name_region(const struct target *target, int region, const char *symbol, char label[48])
{
	int bodies = target->layer_count, voxels = bodies + target->body_count;

	if (region < bodies)
		snprintf(label, 48, "%s in layer %d", symbol, region + 1);
	else if (region < voxels)
		snprintf(label, 48, "%s in body %d", symbol, region - bodies + 1);
	else
		snprintf(label, 48, "%s in voxels %d", symbol, region - voxels);
}

static sonde_status fill_kinds(const struct ions_plan *plan, sonde_ions_result *result)
{
	const struct target *target = &plan->target;

	CHECK(memory_allocate(&result->kinds, (size_t)target->kind_count, sizeof *result->kinds, "the kinds"));
	result->kind_count = target->kind_count;
	bool several = plan->source.species_count > 1;
	snprintf(result->kinds[0].label, sizeof result->kinds[0].label, several ? "ions" : "ion %s",
		 plan->source.symbol);
	result->kinds[0].atomic_number = several ? 0 : plan->source.atomic_number;
	result->kinds[0].layer = -1;
	result->kinds[0].mass = several ? NAN : plan->source.mass;
	for (int k = 1; k < target->kind_count; ++k) {
		const struct target_kind *kind = &target->kinds[k];
		char symbol[16];
		isotope_label(kind->atomic_number, kind->mass, symbol);
		sonde_ions_kind *shown = &result->kinds[k];
		*shown = (sonde_ions_kind){.atomic_number = kind->atomic_number,
					   .layer = kind->layer,
					   .mass = kind->mass,
					   .fraction = kind->fraction,
					   .displacement = kind->displacement,
					   .lattice = kind->lattice,
					   .surface_binding = kind->surface,
					   .displacement_from = kind->displacement_from,
					   .lattice_from = kind->lattice_from,
					   .surface_binding_from = kind->surface_from};
		if (target->region_count == 1)
			snprintf(shown->label, sizeof shown->label, "%s", symbol);
		else
			name_region(target, kind->layer, symbol, shown->label);
	}
	return SONDE_OK;
}

static sonde_status fill_layers(const struct ions_plan *plan, sonde_ions_result *result)
{
	const struct target *target = &plan->target;

	int count = target->region_count;

	CHECK(memory_allocate(&result->layers, (size_t)count, sizeof *result->layers, "the layers"));
	result->layer_count = count;
	for (int l = 0; l < count; ++l) {
		const struct target_layer *layer = &target->layers[l];
		sonde_ions_layer *shown = &result->layers[l];
		snprintf(shown->name, sizeof shown->name, "%s", layer->material.name);
		shown->begin = ANGSTROM_PER_NM * layer->begin;
		shown->end = ANGSTROM_PER_NM * layer->end;
		shown->density = layer->material.density;
		shown->atoms = 1e-3 * layer->material.atoms;
		snprintf(shown->state, sizeof shown->state, "%s", material_state_name(layer->material.state));
		shown->density_given =
		    layer->material.count > 0 && layer->material.density_from == MATERIAL_DENSITY_GIVEN;
	}
	return SONDE_OK;
}

static sonde_status fill_spectra(const struct ions_sums *sums, sonde_ions_result *result)
{
	uint32_t bins = sums->spectrum_bins;

	result->spectrum_count = bins;
	CHECK(memory_allocate(&result->spectrum_edges, bins + 1, sizeof(double), "the spectra"));
	CHECK(memory_allocate(&result->spectra, (size_t)(sums->kinds - 1) * bins, sizeof(double), "the spectra"));
	CHECK(memory_allocate(&result->spectra_errors, (size_t)(sums->kinds - 1) * bins, sizeof(double),
			      "the spectra"));
	for (uint32_t b = 0; b <= bins; ++b)
		result->spectrum_edges[b] = b == 0 ? 0.0 : exp2(0.25 * b);
	for (uint32_t at = bins; at < sums->kinds * bins; ++at) {
		double of_group[SPECTRUM_GROUPS];
		for (uint32_t g = 0; g < SPECTRUM_GROUPS; ++g)
			of_group[g] = (double)sums->spectra[(size_t)g * sums->kinds * bins + at];
		const sonde_estimate recoils = estimates_mean_of_groups(sums, SPECTRUM_GROUPS, of_group);
		result->spectra[at - bins] = recoils.value;
		result->spectra_errors[at - bins] = recoils.error;
	}
	return SONDE_OK;
}

/* Sum of a row over all cells and groups. */
static ions_sum grand_total(const struct ions_sums *sums, uint32_t row)
{
	ions_sum total = 0;

	for (uint32_t g = 0; g < sums->groups; ++g)
		for (uint32_t c = 0; c < sums->stride; ++c)
			total += row_of(sums, g, row)[c];
	return total;
}

/* The standard error of the energy that is missing in the balance, from that of each group: 0, unless some is. */
static double error_of_missing(const struct ions_sums *sums, const uint32_t *rows, size_t count)
{
	double of_group[IONS_GROUPS];

	for (uint32_t g = 0; g < sums->groups; ++g) {
		ions_sum missing = 0;
		for (uint32_t c = 0; c < sums->stride; ++c) {
			missing += row_of(sums, g, TALLY_BROUGHT)[c];
			for (size_t k = 0; k < count; ++k)
				missing -= row_of(sums, g, rows[k])[c];
		}
		of_group[g] = (double)missing * (double)EV_PER_UNIT;
	}
	return estimates_mean_of_groups(sums, sums->groups, of_group).error;
}

/* The energy brought in equals the energy deposited or taken out, exactly. */
static void fill_balance(const struct ions_sums *sums, sonde_ions_result *result)
{
	static const uint32_t rows[] = {TALLY_IONIZATION_BY_IONS,
					TALLY_IONIZATION_BY_RECOILS,
					TALLY_PHONONS_BY_IONS,
					TALLY_PHONONS_BY_RECOILS,
					TALLY_STORED,
					TALLY_LOST};
	ions_sum missing = grand_total(sums, TALLY_BROUGHT);
	double scale = (double)EV_PER_UNIT / (double)sums->ions;

	result->energy_in = (double)missing * scale;
	result->energy_left = (double)grand_total(sums, TALLY_LOST) * scale;
	for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
		missing -= grand_total(sums, rows[k]);
	result->energy_missing = (double)missing * scale;
	result->collisions[0] = (double)grand_total(sums, TALLY_COLLISIONS_OF_IONS) / (double)sums->ions;
	result->collisions[1] = (double)grand_total(sums, TALLY_COLLISIONS_OF_RECOILS) / (double)sums->ions;
	result->energy_in_error = row_estimate(sums, TALLY_BROUGHT, 0, sums->stride, (double)EV_PER_UNIT).error;
	result->energy_left_error = row_estimate(sums, TALLY_LOST, 0, sums->stride, (double)EV_PER_UNIT).error;
	result->energy_missing_error = error_of_missing(sums, rows, sizeof rows / sizeof *rows);
	result->collisions_errors[0] = row_estimate(sums, TALLY_COLLISIONS_OF_IONS, 0, sums->stride, 1.0).error;
	result->collisions_errors[1] = row_estimate(sums, TALLY_COLLISIONS_OF_RECOILS, 0, sums->stride, 1.0).error;
}

static sonde_status fill_exits(const struct ions_sums *sums, sonde_ions_result *result)
{
	ions_sum all = result->backscattered + result->transmitted;

	for (int k = 1; k < (int)sums->kinds; ++k)
		all += grand_total(sums, row_of_kind(k, TALLY_SPUTTERED)) +
		       grand_total(sums, row_of_kind(k, TALLY_TRANSMITTED));
	result->exit_count = sums->exit_count;
	result->exits_left_out = (int64_t)all - sums->exit_count;
	CHECK(
	    memory_allocate(&result->exits, (size_t)sums->exit_count, sizeof *result->exits, "the atoms that left"));
	for (int64_t k = 0; k < sums->exit_count; ++k)
		result->exits[k] = sums->exits[k].exit;
	return SONDE_OK;
}

/* The standard error of the number of all ions with a fate. */
static double error_of_fate(const struct ions_sums *sums, int fate)
{
	double of_group[IONS_GROUPS];

	for (uint32_t g = 0; g < IONS_GROUPS; ++g)
		of_group[g] = (double)sums->moments[g * MOMENTS + MOMENT_FATES + fate];
	return (double)sums->ions * estimates_mean_of_groups(sums, IONS_GROUPS, of_group).error;
}

sonde_status estimates_fill(const struct ions_plan *plan, const struct ions_sums *sums, sonde_ions_result *result)
{
	sonde_estimate shapes[SHAPES];
	ions_sum fates[3] = {0};

	for (uint32_t g = 0; g < IONS_GROUPS; ++g)
		for (int f = 0; f < 3; ++f)
			fates[f] += sums->moments[g * MOMENTS + MOMENT_FATES + f];
	shapes_of(sums, shapes);
	result->ions = sums->ions;
	result->implanted = (int64_t)fates[FATE_IMPLANTED];
	result->backscattered = (int64_t)fates[FATE_BACKSCATTERED];
	result->transmitted = (int64_t)fates[FATE_TRANSMITTED];
	result->implanted_error = error_of_fate(sums, FATE_IMPLANTED);
	result->backscattered_error = error_of_fate(sums, FATE_BACKSCATTERED);
	result->transmitted_error = error_of_fate(sums, FATE_TRANSMITTED);
	result->range = shapes[RANGE];
	result->straggling = shapes[STRAGGLING];
	result->skewness = shapes[SKEWNESS];
	result->kurtosis = shapes[KURTOSIS];
	result->lateral_range = shapes[LATERAL];
	result->lateral_straggling = shapes[LATERAL_SQUARE];
	result->radial_range = shapes[RADIAL];
	result->path = shapes[PATH];
	result->vacancies = vacancies_of(plan, sums);
	result->sputtered = kinds_estimate(sums, TALLY_SPUTTERED, TALLY_SPUTTERED);
	result->replacements = kinds_estimate(sums, TALLY_REPLACEMENTS, TALLY_REPLACEMENTS);
	for (int k = 0; k < 3; ++k) {
		result->size[k] = plan->job.cells[k];
		result->origin[k] = ANGSTROM_PER_NM * plan->job.cell_first[k];
		result->cell_width[k] = ANGSTROM_PER_NM * plan->job.cell_nm[k];
	}
	CHECK(fill_kinds(plan, result));
	CHECK(fill_layers(plan, result));
	CHECK(fill_tallies(sums, result));
	CHECK(fill_spectra(sums, result));
	fill_balance(sums, result);
	CHECK(leaving_fill(sums, result));
	return fill_exits(sums, result);
}
