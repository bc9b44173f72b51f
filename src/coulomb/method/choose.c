/* The plan, made and checked before any work. */
#include <math.h>
#include <stdlib.h>

#include "coulomb/method/choose.h"

#include "base/constants.h"
#include "coulomb/charges.h"
#include "coulomb/fast/blocks.h"
#include "coulomb/method/fast_plan.h"
#include "coulomb/periodic/ewald.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "run/context.h"

#define KILOCALORIES_PER_MOLE 23.060547830619 /* in 1 eV: e N_A/4184 J */
#define MOST_EVALUATIONS 1e18
#define RATE_OF_A_THREAD 1e9 /* evaluations per second, approximately */

static double find_factor(const sonde_coulomb_options *options)
{
	double volts = COULOMB_V_ANGSTROM / options->dielectric;

	switch (options->units) {
	case SONDE_COULOMB_UNITS_KT_E:
		return volts / (BOLTZMANN_EV * options->temperature);
	case SONDE_COULOMB_UNITS_KCAL_MOL_E:
		return volts * KILOCALORIES_PER_MOLE;
	case SONDE_COULOMB_UNITS_E_A:
		return 1.0 / options->dielectric;
	default:
		return volts;
	}
}

static void find_form(const sonde_coulomb_options *options, struct coulomb_plan *plan)
{
	if (options->smearing > 0.0) {
		plan->form = CHARGE_GAUSSIAN;
		plan->kappa = 1.0 / (sqrt(2.0) * options->smearing);
	} else if (options->debye_length > 0.0) {
		plan->form = CHARGE_SCREENED;
		plan->kappa = 1.0 / options->debye_length;
	}
}

sonde_status coulomb_check_size(const sonde_context *context, const sonde_coulomb_options *options,
				const struct charges *charges, const struct targets *targets, bool in_memory)
{
	double of_point = options->quantity == SONDE_COULOMB_QUANTITY_POTENTIAL ? 1.0 : 4.0;
	double evaluations = (double)charges->count * (double)targets->count;
	double needed = 8.0 * (double)targets->count * of_point * charges->sets + 64.0 * charges->count + 64e6,
	       allowed = (double)context_host_memory(context);

	if (evaluations > MOST_EVALUATIONS)
		return status_fail(
		    SONDE_INVALID,
		    "%u charges at %lld points require %.3g evaluations, which would take years; use fewer points",
		    charges->count, (long long)targets->count, evaluations);
	if (in_memory && needed > allowed)
		return status_fail(SONDE_INVALID,
				   "not enough memory: %lld points need %.3g GB and %.3g GB are allowed; a larger "
				   "`spacing` or a `plane` would fit",
				   (long long)targets->count, needed * 1e-9, allowed * 1e-9);
	return SONDE_OK;
}

sonde_status coulomb_plan_make(sonde_context *context, const sonde_coulomb_options *options,
			       const struct charges *charges, const struct targets *targets, const struct cell *cell,
			       struct coulomb_plan *plan)
{
	double evaluations = (double)charges->count * (double)targets->count;

	*plan = (struct coulomb_plan){.options = *options, .cell = cell};
	if (options->smearing > 0.0 && (options->debye_length > 0.0 || options->self == SONDE_COULOMB_SELF_SOFTEN))
		return status_fail_option(SONDE_INVALID, "smearing",
					  "Gaussian charges cannot be screened or softened");
	if (cell != NULL &&
	    (options->debye_length > 0.0 || options->smearing > 0.0 || options->self == SONDE_COULOMB_SELF_SOFTEN))
		return status_fail_option(SONDE_INVALID, "boundary",
					  "periodic charges are neither screened, softened nor smeared here");
	if (cell == NULL && options->method == SONDE_COULOMB_METHOD_EWALD)
		return status_fail_option(SONDE_INVALID, "method",
					  "ewald is for periodic charges; add `boundary periodic or slab`");
	find_form(options, plan);
	plan->field = options->quantity != SONDE_COULOMB_QUANTITY_POTENTIAL;
	plan->softening = options->self == SONDE_COULOMB_SELF_SOFTEN ? options->softening : 0.0;
	plan->factor = find_factor(options);
	if (cell != NULL)
		evaluations = (double)targets->count * ewald_terms(charges, options->tolerance);
	CHECK(fast_plan(context, charges, targets, plan, &evaluations));
	coulomb_plan_precision(plan, options->precision);
	return context_expect(context, evaluations / RATE_OF_A_THREAD / context_threads(context));
}

void coulomb_plan_free(struct coulomb_plan *plan)
{
	fast_plan_free(plan);
}
