/* Partly occupied sites: pairs whose occupations depend on each other.
 *
 * A site i is occupied with probability o_i. Averaged over the configurations of the sites, Debye's sum is
 *
 *     I(q) = sum_i o_i |f_i|^2 + sum_{i != j} p_ij Re(f_i f_j*) sin(q r_ij)/(q r_ij)
 *
 * with p_ij the probability that both are occupied: o_i o_j where sites are independent (B. E. Warren, X-ray
 * Diffraction (1969), ch. 12: in the self term <f^2> differs from <f>^2). The methods sum over the pairs of two
 * classes, as over those of two species; the few pairs with another p_ij are corrected afterward.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "debye/classes/classes.h"
#include "device/kernel.h"
#include "device/kernel_math.h"
#include "matter/atoms/joint_sites.h"

/* Two sites that are both occupied with this probability; a pair of two cells, which is found from either end, counts
 * half. */
static sonde_status add_joint(void *to, const struct joint_site *site, const struct joint_site *other,
			      double probability)
{
	struct debye_classes *classes = to;
	const int64_t i = site->atom, j = other->atom;
	const int a = classes->view.species_of[i], b = classes->view.species_of[j];
	const double apart = classes->occupancy[a] * classes->occupancy[b];
	const double surplus = probability / apart - 1.0, r = joint_sites_distance(site, other);
	const double share = site->image || other->image ? 0.5 : 1.0;

	if (fabs(surplus) < 1e-14)
		return SONDE_OK;
	CHECK(memory_grow(&classes->joint, &classes->joint_capacity, classes->joint_count + 1, sizeof *classes->joint,
			  "pairs of sites"));
	classes->joint[classes->joint_count++] =
	    (struct joint_pair){.pair = species_pair_index(classes->count, a < b ? a : b, a < b ? b : a),
				.r = r,
				.in_sine = r,
				.surplus = share * surplus,
				.d = {other->r[0] - site->r[0], other->r[1] - site->r[1], other->r[2] - site->r[2]},
				.i = i < j ? i : j,
				.j = i < j ? j : i};
	return SONDE_OK;
}

static int compare_joint(const void *a, const void *b)
{
	const struct joint_pair *p = a, *q = b;

	if (p->pair != q->pair)
		return p->pair < q->pair ? -1 : 1;
	if (p->r != q->r)
		return p->r < q->r ? -1 : 1;
	return p->surplus < q->surplus ? -1 : p->surplus > q->surplus;
}

/* The partly occupied sites. */
static sonde_status list_sites(const struct debye_classes *classes, struct joint_sites *list)
{
	const sonde_atoms *view = &classes->view;

	for (int64_t i = 0; i < view->count; ++i) {
		struct joint_site site = {.location = classes->locations[i],
					  .atom = i,
					  .occupancy = classes->occupancy[view->species_of[i]]};
		memcpy(site.r, view->positions + 3 * i, sizeof site.r);
		if (site.occupancy < 1.0)
			CHECK(joint_sites_add(list, site));
	}
	return SONDE_OK;
}

/* Images of sites of the cell, outside of it but near enough to exclude one inside. */
static sonde_status add_images(const struct periodic *periodic, struct joint_sites *list)
{
	const size_t inside = list->count;

	for (size_t i = 0; i < inside; ++i)
		for (int image = 0; image < 27; ++image) {
			const int n[3] = {image / 9 - 1, image / 3 % 3 - 1, image % 3 - 1};
			struct joint_site site = list->sites[i];
			double vector[3];
			bool near = image != 13 && !(periodic->open[0] && n[0] != 0) &&
				    !(periodic->open[1] && n[1] != 0) && !(periodic->open[2] && n[2] != 0);
			periodic_vector(periodic, n, vector);
			for (int k = 0; k < 3; ++k)
				site.r[k] += vector[k];
			for (int k = 0; k < 3; ++k) {
				const double *reciprocal = periodic->inverse[k];
				const double beyond = JOINT_EXCLUSIVE / periodic->height[k];
				double fraction =
				    reciprocal[0] * site.r[0] + reciprocal[1] * site.r[1] + reciprocal[2] * site.r[2];
				near &= fraction >= -beyond && fraction <= 1.0 + beyond;
			}
			site.image = true;
			if (near)
				CHECK(joint_sites_add(list, site));
		}
	return SONDE_OK;
}

static sonde_status wrap_sites(const struct periodic *periodic, struct joint_sites *list)
{
	const size_t count = list->count;

	list->count = 0;
	for (size_t i = 0; i < count; ++i) {
		periodic_wrap(periodic, list->sites[i].r);
		CHECK(joint_sites_add(list, list->sites[i]));
	}
	return add_images(periodic, list);
}

/* The atoms are not wrapped yet: those of a residue are together. */
sonde_status debye_find_joint(struct debye_classes *classes, const struct periodic *periodic)
{
	struct joint_sites list = {0};
	sonde_status status;

	if (classes->locations == NULL)
		return SONDE_OK;
	classes->joint_count = 0;
	classes->overfull = 0;
	CHECK_GOTO(status, list_sites(classes, &list), done);
	if (list.count == 0)
		goto done;
	CHECK_GOTO(status, joint_sites_of_residues(&list, add_joint, classes, &classes->overfull, &classes->fullest),
		   done);
	if (periodic != NULL)
		CHECK_GOTO(status, wrap_sites(periodic, &list), done);
	CHECK_GOTO(status, joint_sites_near(&list, add_joint, classes), done);
	/* so that no sum depends on the order of the atoms in a file */
	if (classes->joint_count > 0)
		qsort(classes->joint, classes->joint_count, sizeof *classes->joint, compare_joint);
done:
	free(list.sites);
	return status;
}

/* sum of surplus w(r) sin(q r)/(q r) over pairs */
static double joint_sum(const struct periodic *periodic, const struct joint_pair *pairs, size_t count, double q)
{
	double sum = 0.0;

	for (size_t n = 0; n < count; ++n) {
		double x = q * pairs[n].in_sine, term = 1.0;
		if (x != 0.0) {
			lanes_f64 s, c;
			lanes_sincos(LANES_SPLAT(x), &s, &c, 0);
			term = LANES_FIRST(s) / x;
		}
		if (pairs[n].s > 0.0)
			term *= LANES_FIRST(lanes_exp(LANES_SPLAT(-0.5 * q * q * pairs[n].s), 0));
		sum += pairs[n].surplus * periodic_weight(periodic, pairs[n].r) * term;
	}
	return sum;
}

/* The sums of some pairs of sites, all of one pair of classes. */
struct joint_row {
	const struct joint_pair *pairs;
	size_t count;
	const struct pair_sums *sums;
	double *row;
};

static void add_to_row(void *state, int64_t first, int64_t end, int worker)
{
	const struct joint_row *joint = state;

	(void)worker;
	for (int64_t k = first; k < end; ++k)
		joint->row[k] +=
		    joint_sum(joint->sums->periodic, joint->pairs, joint->count, pair_sums_q(joint->sums, k));
}

sonde_status debye_add_joint(const sonde_context *context, const struct debye_classes *classes,
			     struct pair_sums *sums)
{
	for (size_t first = 0, end; first < classes->joint_count; first = end) {
		const struct joint_pair *pairs = classes->joint + first;
		for (end = first; end < classes->joint_count && classes->joint[end].pair == pairs->pair;)
			++end;
		struct joint_row joint = {pairs, end - first, sums, sums->sums + pairs->pair * sums->q.points};
		int threads = context_threads(context);
		threads_for(threads, sums->q.points, threads_grain(threads, sums->q.points), add_to_row, &joint);
		if (context_cancelled(context))
			return status_fail(SONDE_CANCELLED, "stopped on request at pairs of sites");
	}
	return SONDE_OK;
}
