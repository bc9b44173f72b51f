#include "debye/curves/curve_values.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"

bool curve_is_counted(enum curve curve)
{
	return curve == CURVE_RADIAL || curve == CURVE_COORDINATION || curve == CURVE_CORRELATION ||
	       (curve >= CURVE_RADIAL_STANDARD_ERROR && curve <= CURVE_CORRELATION_STANDARD_ERROR) ||
	       curve >= CURVE_PARTIAL_RADIAL;
}

bool curve_is_correlation(enum curve curve)
{
	return curve == CURVE_CORRELATION || curve == CURVE_CORRELATION_STANDARD_ERROR ||
	       curve == CURVE_PARTIAL_CORRELATION || curve == CURVE_PARTIAL_CORRELATION_STANDARD_ERROR;
}

bool curve_is_over_r(enum curve curve)
{
	return curve == CURVE_R || curve == CURVE_G || curve == CURVE_D || curve == CURVE_T ||
	       curve == CURVE_G_STANDARD_ERROR || curve_is_counted(curve);
}

bool curve_is_standard_error(enum curve curve)
{
	return (curve >= CURVE_STANDARD_ERROR && curve <= CURVE_G_STANDARD_ERROR) ||
	       (curve >= CURVE_RADIAL_STANDARD_ERROR && curve <= CURVE_CORRELATION_STANDARD_ERROR) ||
	       curve == CURVE_PARTIAL_STANDARD_ERROR || curve == CURVE_PARTIAL_S_STANDARD_ERROR ||
	       curve == CURVE_BLOCK_STANDARD_ERROR || curve >= CURVE_PARTIAL_RADIAL_STANDARD_ERROR;
}

static const double *row_of(const double *rows, int64_t count, int64_t pair)
{
	return rows != NULL ? rows + pair * count : NULL;
}

static const double *values_of_comparison(const sonde_debye_comparison *comparison, enum curve curve)
{
	if (comparison == NULL)
		return NULL;
	switch (curve) {
	case CURVE_MEASURED:
		return comparison->measured;
	case CURVE_MEASURED_ERROR:
		return comparison->measured_error;
	case CURVE_FIT:
		return comparison->fitted;
	case CURVE_BACKGROUND:
		return comparison->background;
	default:
		return comparison->residual;
	}
}

/* Intensities with contributions of an experiment. */
static const double *values_of_experiment(const sonde_debye_result *result, enum curve curve)
{
	switch (curve) {
	case CURVE_CORRECTED:
		return result->intensity_corrected;
	case CURVE_RESOLVED:
		return result->intensity_resolved;
	case CURVE_COMPTON:
		return result->intensity_compton;
	case CURVE_TOTAL:
		return result->intensity_total;
	default:
		return result->intensity_absolute;
	}
}

static const double *values_of_pair(const sonde_debye_result *result, const struct curve_choice *choice)
{
	const bool blocks = choice->curve == CURVE_BLOCK || choice->curve == CURVE_BLOCK_STANDARD_ERROR;
	const int groups = blocks ? result->block_count : result->species_count;
	const int64_t pair = species_pair_index(groups, choice->a, choice->b), q = result->q_count,
		      r = result->r_count;

	switch (choice->curve) {
	case CURVE_BLOCK:
		return row_of(result->block_intensity, q, pair);
	case CURVE_BLOCK_STANDARD_ERROR:
		return row_of(result->block_intensity_standard_error, q, pair);
	case CURVE_PARTIAL:
		return row_of(result->partial_intensity, q, pair);
	case CURVE_PARTIAL_S:
		return row_of(result->partial_structure_factor, q, pair);
	case CURVE_PARTIAL_STANDARD_ERROR:
		return row_of(result->partial_intensity_standard_error, q, pair);
	case CURVE_PARTIAL_S_STANDARD_ERROR:
		return row_of(result->partial_structure_factor_standard_error, q, pair);
	case CURVE_PARTIAL_RADIAL:
	case CURVE_PARTIAL_CORRELATION:
		return row_of(result->partial_radial_distribution, r, pair);
	case CURVE_PARTIAL_COORDINATION:
		return row_of(result->partial_running_coordination, r, pair);
	case CURVE_PARTIAL_RADIAL_STANDARD_ERROR:
	case CURVE_PARTIAL_CORRELATION_STANDARD_ERROR:
		return row_of(result->partial_radial_distribution_standard_error, r, pair);
	case CURVE_PARTIAL_COORDINATION_STANDARD_ERROR:
		return row_of(result->partial_running_coordination_standard_error, r, pair);
	default:
		return NULL;
	}
}

static const double *values_of(const sonde_debye_result *result, const struct curve_choice *choice)
{
	switch (choice->curve) {
	case CURVE_Q:
		return result->q;
	case CURVE_I:
		return result->intensity;
	case CURVE_I_PER_ATOM:
		return result->intensity_per_atom;
	case CURVE_S:
		return result->structure_factor;
	case CURVE_F:
		return result->reduced_structure_factor;
	case CURVE_ERROR_ESTIMATE:
		return result->error_estimate;
	case CURVE_ERROR_BOUND:
		return result->error_bound;
	case CURVE_MEAN_SQUARE:
		return result->mean_square_amplitude;
	case CURVE_SQUARE_MEAN:
		return result->square_mean_amplitude;
	case CURVE_R:
		return result->r;
	case CURVE_G:
		return result->pair_distribution;
	case CURVE_RADIAL:
		return result->radial_distribution;
	case CURVE_CORRELATION:
		return result->pair_correlation;
	case CURVE_TWO_THETA:
		return result->two_theta;
	case CURVE_CORRECTED:
	case CURVE_RESOLVED:
	case CURVE_COMPTON:
	case CURVE_TOTAL:
	case CURVE_ABSOLUTE:
		return values_of_experiment(result, choice->curve);
	case CURVE_S_NN:
		return result->structure_factor_nn;
	case CURVE_S_NC:
		return result->structure_factor_nc;
	case CURVE_S_CC:
		return result->structure_factor_cc;
	case CURVE_D:
		return result->differential_correlation;
	case CURVE_T:
		return result->total_correlation;
	case CURVE_COORDINATION:
		return result->running_coordination;
	case CURVE_STANDARD_ERROR:
		return result->standard_error;
	case CURVE_S_STANDARD_ERROR:
		return result->structure_factor_standard_error;
	case CURVE_F_STANDARD_ERROR:
		return result->reduced_structure_factor_standard_error;
	case CURVE_RESOLVED_STANDARD_ERROR:
		return result->intensity_resolved_standard_error;
	case CURVE_ABSOLUTE_STANDARD_ERROR:
		return result->intensity_absolute_standard_error;
	case CURVE_G_STANDARD_ERROR:
		return result->pair_distribution_standard_error;
	case CURVE_RADIAL_STANDARD_ERROR:
	case CURVE_CORRELATION_STANDARD_ERROR:
		return result->radial_distribution_standard_error;
	case CURVE_COORDINATION_STANDARD_ERROR:
		return result->running_coordination_standard_error;
	case CURVE_MEASURED:
	case CURVE_MEASURED_ERROR:
	case CURVE_FIT:
	case CURVE_BACKGROUND:
	case CURVE_RESIDUAL:
		return values_of_comparison(result->comparison, choice->curve);
	case CURVE_LAUE:
		return result->laue;
	case CURVE_WITHOUT_LAUE:
		return result->intensity_without_laue;
	default:
		return values_of_pair(result, choice);
	}
}

/* R_ab(r) = g_ab(r) 4 pi r^2 density N_b/N are the neighbors b of an atom a, N_a R_ab = N_b R_ba. */
struct curve_values curve_values_of(const sonde_debye_result *result, const struct curve_choice *choice)
{
	struct curve_values values = {.row = values_of(result, choice), .factor = 1.0};
	const bool of_pair = choice->curve >= CURVE_PARTIAL_RADIAL;

	if (curve_is_correlation(choice->curve) && choice->curve != CURVE_CORRELATION) {
		values.r = result->r;
		values.factor = 1.0 / result->options->density;
		if (of_pair)
			values.factor *= result->atoms_present / result->species_present[choice->b];
	} else if (of_pair && choice->reversed) {
		values.factor = result->species_present[choice->a] / result->species_present[choice->b];
	}
	return values;
}

double curve_value(const struct curve_values *values, int64_t k)
{
	const double value = values->row[k] * values->factor;

	if (values->r == NULL)
		return value;
	const double shell = 4.0 * PI * values->r[k] * values->r[k];
	return shell > 0.0 ? value / shell : NAN;
}

const char *curve_unit(enum curve curve, const char *unit)
{
	switch (curve) {
	case CURVE_Q:
	case CURVE_F:
	case CURVE_F_STANDARD_ERROR:
	case CURVE_RADIAL:
	case CURVE_RADIAL_STANDARD_ERROR:
	case CURVE_PARTIAL_RADIAL:
	case CURVE_PARTIAL_RADIAL_STANDARD_ERROR:
		return "1/Angstrom";
	case CURVE_R:
		return "Angstrom";
	case CURVE_TWO_THETA:
		return "degree";
	case CURVE_ABSOLUTE:
	case CURVE_ABSOLUTE_STANDARD_ERROR:
		return "1/cm";
	case CURVE_G:
	case CURVE_G_STANDARD_ERROR:
		return "1/Angstrom^2";
	case CURVE_D:
	case CURVE_T:
		return strcmp(unit, "fm^2") == 0 ? "fm^2/Angstrom^2" : "1/Angstrom^2";
	case CURVE_S:
	case CURVE_S_NN:
	case CURVE_S_NC:
	case CURVE_S_CC:
	case CURVE_COORDINATION:
	case CURVE_PARTIAL_S:
	case CURVE_S_STANDARD_ERROR:
	case CURVE_PARTIAL_S_STANDARD_ERROR:
	case CURVE_CORRELATION:
	case CURVE_COORDINATION_STANDARD_ERROR:
	case CURVE_CORRELATION_STANDARD_ERROR:
	case CURVE_PARTIAL_COORDINATION:
	case CURVE_PARTIAL_CORRELATION:
	case CURVE_PARTIAL_COORDINATION_STANDARD_ERROR:
	case CURVE_PARTIAL_CORRELATION_STANDARD_ERROR:
		return "1";
	case CURVE_MEASURED:
	case CURVE_MEASURED_ERROR:
	case CURVE_FIT:
	case CURVE_BACKGROUND:
	case CURVE_RESIDUAL:
		return "as measured";
	default:
		return unit;
	}
}
