#include "ions/tallies/profile.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

#define CM_IN_ANGSTROM 1e8

const struct ions_dose_name ions_dose_names[DOSE_COLUMNS] = {
    [DOSE_CONCENTRATION] = {"concentration", "1/cm^3", "implanted ions"},
    [DOSE_VACANCIES] = {"dpa_vacancies", "1", "vacancies per atom"},
    [DOSE_NRT] = {"dpa_NRT", "1", "displacements (NRT) per atom"},
    [DOSE_ARC] = {"dpa_arc", "1", "displacements (arc-dpa) per atom"},
};

bool ions_is_map(const sonde_ions_result *result)
{
	return result->size[1] * result->size[2] > 1;
}

static void add_tally(const sonde_ions_result *result, const sonde_ions_tally *tally, double *values, double *errors)
{
	int64_t n = result->size[0], rows = result->size[1] * result->size[2];
	double width = result->cell_width[0];

	for (int64_t row = 0; row < rows; ++row)
		for (int64_t i = 0; i < n; ++i) {
			values[i] += tally->values[row * n + i] / width;
			if (errors != NULL)
				errors[i] += tally->errors[row * n + i] / width;
		}
}

void ions_profile_add(const sonde_ions_result *result, const char *name, const char *of, double *values,
		      double *errors)
{
	for (int k = 0; k < result->tally_count; ++k) {
		const sonde_ions_tally *tally = &result->tallies[k];
		if (strcmp(tally->name, name) == 0 && (of == NULL || strcmp(tally->of, of) == 0))
			add_tally(result, tally, values, errors);
	}
}

void ions_vacancy_names(const sonde_ions_result *result, const char *names[2])
{
	bool quick = result->options->cascades == SONDE_IONS_CASCADES_QUICK;

	names[0] = quick ? "displacements (NRT)" : "vacancies by ions";
	names[1] = quick ? names[0] : "vacancies by recoils";
}

static void add_to_column(const sonde_ions_result *result, const char *name, enum ions_dose_column column,
			  double *dose)
{
	int64_t n = result->size[0];

	ions_profile_add(result, name, NULL, dose + 2 * n * column, dose + (2 * n * column + n));
}

/* Atoms per cubic Angstrom, averaged over the cells of a depth. */
static double atoms_at(const sonde_ions_result *result, int64_t i)
{
	double width = result->cell_width[0], begin = result->origin[0] + (double)i * width, atoms = 0.0;

	for (int k = 0; k < result->layer_count; ++k) {
		const sonde_ions_layer *layer = &result->layers[k];
		double overlap = fmin(layer->end, begin + width) - fmax(layer->begin, begin);
		if (overlap > 0.0)
			atoms += layer->atoms * overlap / width;
	}
	return atoms;
}

static void scale(double *column, int64_t i, int64_t n, double factor)
{
	column[i] *= factor;
	column[n + i] *= factor;
}

sonde_status ions_dose(const sonde_ions_result *result, double **dose)
{
	const char *vacancies[2];
	int64_t n = result->size[0];
	double fluence = result->options->fluence;

	CHECK(memory_allocate(dose, (size_t)n * 2 * DOSE_COLUMNS, sizeof **dose, "the dose"));
	ions_vacancy_names(result, vacancies);
	add_to_column(result, "implanted ions", DOSE_CONCENTRATION, *dose);
	add_to_column(result, vacancies[0], DOSE_VACANCIES, *dose);
	if (vacancies[1] != vacancies[0])
		add_to_column(result, vacancies[1], DOSE_VACANCIES, *dose);
	add_to_column(result, "displacements (NRT)", DOSE_NRT, *dose);
	add_to_column(result, "displacements (arc-dpa)", DOSE_ARC, *dose);
	for (int64_t i = 0; i < n; ++i) {
		double atoms = atoms_at(result, i),
		       per_angstrom_squared = fluence / (CM_IN_ANGSTROM * CM_IN_ANGSTROM);
		scale(*dose + 2 * n * DOSE_CONCENTRATION, i, n, fluence * CM_IN_ANGSTROM);
		for (int c = DOSE_VACANCIES; c < DOSE_COLUMNS; ++c)
			scale(*dose + 2 * n * c, i, n, atoms > 0.0 ? per_angstrom_squared / atoms : 0.0);
	}
	return SONDE_OK;
}

void ions_plain_name(const char *text, char *name, size_t size)
{
	size_t used = 0;

	for (; *text != '\0' && used + 1 < size; ++text) {
		char c = *text;
		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
			name[used++] = c;
		else if (used > 0 && name[used - 1] != '_')
			name[used++] = '_';
	}
	while (used > 0 && name[used - 1] == '_')
		--used;
	name[used] = '\0';
}
