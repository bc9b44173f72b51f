#include "match/refined/best.h"

#include <math.h>
#include <string.h>

/* Without some of the items of another fit, from its parameters. */
static sonde_status fit_fewer(const struct refined_fit *before, const int *chosen, int count, struct refined_fit *fit)
{
	CHECK(refined_fit_begin(before->context, before->items, before->options, before->choice, chosen, count, fit));
	fit->threads = before->threads;
	fit->weighs = fit->started = true;
	refined_fit_take(fit, before->parameters, before->parameter_count);
	return refined_fit_find(fit);
}

/* Parameters of the candidates with a weight, those at bounds, too. */
static int count_used(const struct refined_fit *fit)
{
	int count = 0;

	for (int p = 0; p < fit->parameter_count; ++p)
		count += refined_fit_matters(fit, &fit->parameters[p]);
	return count;
}

/* Bayesian information criterion, up to a constant. */
static double criterion(const struct refined_fit *fit)
{
	const double points = (double)fit->mixture.independent, square = fit->mixture.solution.square,
		     part = (double)(fit->mixture.solution.active_count + count_used(fit)) * log(points);

	return refined_fit_is_uniform(fit) ? points * log(fmax(square, 1e-300)) + part : square + part;
}

/* The items with a weight, without the `left_out`-th of these; their number. */
static int keep_active(const struct refined_fit *fit, int left_out, int *kept)
{
	const struct nnls_solution *solution = &fit->mixture.solution;
	int count = 0;

	for (int k = 0; k < solution->active_count; ++k)
		if (k != left_out)
			kept[count++] = fit->chosen[solution->active[k]];
	return count;
}

sonde_status refined_best_eliminate(struct refined_fit *fit, int *lists)
{
	int *chosen = lists, *other = lists + fit->items->count;

	memmove(chosen, fit->chosen, (size_t)fit->count * sizeof *chosen);
	fit->chosen = chosen;
	while (fit->mixture.solution.active_count > 1) {
		struct refined_fit next = {0};
		const int count = keep_active(fit, nnls_least_active(&fit->mixture.solution), other);
		const sonde_status status = fit_fewer(fit, other, count, &next);
		if (status != SONDE_OK || !(criterion(&next) < criterion(fit))) {
			refined_fit_end(&next);
			/* standard deviations of counts are again those of this fit */
			fit->started = true;
			return status == SONDE_OK ? refined_fit_find(fit) : status;
		}
		refined_fit_end(fit);
		*fit = next;
		int *swap = chosen;
		chosen = other;
		other = swap;
	}
	return SONDE_OK;
}
