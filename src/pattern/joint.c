/* Partly occupied sites whose occupations depend on each other. The mean intensity over configurations is
 *
 *     I = |sum_i p_i F_i|^2 + sum_i (p_i - p_i^2) |F_i|^2 + sum over i != j of (p_ij - p_i p_j) Re(F_i F_j*),
 *
 * with F_i = f_i exp(i q.r_i) (B. E. Warren, X-ray Diffraction (1969), ch. 12), whose last sum has few terms. The average over
 * the directions of q is that of sonde debye. Pairs of the same place are added by classes.
 */
#include "pattern/joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/kernel.h"
#include "device/kernel_math.h"
#include "matter/atoms/joint_sites.h"

#define SAME_PLACE 1e-9 /* Angstrom */

static sonde_status add_pair(void *to, const struct joint_site *a, const struct joint_site *b, double probability)
{
	struct pattern_sample *sample = to;
	const double surplus = probability / (a->occupancy * b->occupancy) - 1.0;
	struct pattern_joint pair = {
	    .a = sample->view.species_of[a->atom], .b = sample->view.species_of[b->atom], .surplus = 2.0 * surplus};

	if (fabs(surplus) < 1e-14)
		return SONDE_OK;
	for (int k = 0; k < 3; ++k)
		pair.apart[k] = joint_sites_distance(a, b) < SAME_PLACE ? 0.0 : a->r[k] - b->r[k];
	CHECK(memory_grow(&sample->joint, &sample->joint_capacity, sample->joint_count + 1, sizeof *sample->joint,
			  "pairs of sites"));
	sample->joint[sample->joint_count++] = pair;
	return SONDE_OK;
}

static int compare_numbers(double a, double b)
{
	return a < b ? -1 : a > b;
}

/* The order of classes and places, and then of the surplus, so that no sum depends on that of the atoms. */
static int compare_places(const struct pattern_joint *p, const struct pattern_joint *q)
{
	if (p->a != q->a || p->b != q->b)
		return p->a != q->a ? p->a - q->a : p->b - q->b;
	for (int k = 0; k < 3; ++k)
		if (p->apart[k] != q->apart[k])
			return compare_numbers(p->apart[k], q->apart[k]);
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct pattern_joint *p = a, *q = b;
	const int order = compare_places(p, q);

	return order != 0 ? order : compare_numbers(p->surplus, q->surplus);
}

/* Adds those of the same classes and place. */
static void merge(struct pattern_sample *sample)
{
	size_t kept = 0;

	for (size_t n = 0; n < sample->joint_count; ++n) {
		if (kept > 0 && compare_places(&sample->joint[kept - 1], &sample->joint[n]) == 0)
			sample->joint[kept - 1].surplus += sample->joint[n].surplus;
		else
			sample->joint[kept++] = sample->joint[n];
	}
	sample->joint_count = kept;
}

static sonde_status find(const uint32_t *locations, struct pattern_sample *sample, struct joint_sites *list)
{
	const sonde_atoms *view = &sample->view;

	for (int64_t i = 0; i < view->count; ++i) {
		struct joint_site site = {.location = locations != NULL ? locations[i] : 0,
					  .atom = i,
					  .occupancy = sample->classes[view->species_of[i]].occupancy};
		memcpy(site.r, view->positions + 3 * i, sizeof site.r);
		if (site.occupancy < 1.0)
			CHECK(joint_sites_add(list, site));
	}
	CHECK(joint_sites_of_residues(list, add_pair, sample, &sample->overfull, &sample->fullest));
	return joint_sites_near(list, add_pair, sample);
}

sonde_status pattern_joint_find(const uint32_t *locations, struct pattern_sample *sample)
{
	struct joint_sites list = {.count = 0};
	const sonde_status status = find(locations, sample, &list);

	free(list.sites);
	CHECK(status);
	if (sample->joint_count > 0)
		qsort(sample->joint, sample->joint_count, sizeof *sample->joint, compare);
	merge(sample);
	return SONDE_OK;
}

double pattern_joint_intensity(const struct pattern_sample *sample, const double vector[3], const double *amplitudes,
			       size_t stride)
{
	double sum = 0.0;

	for (size_t n = 0; n < sample->joint_count; ++n) {
		const struct pattern_joint *pair = &sample->joint[n];
		const double *a = amplitudes + 2 * (size_t)pair->a * stride,
			     *b = amplitudes + 2 * (size_t)pair->b * stride;
		const double ar = a[0], ai = a[stride], br = b[0], bi = b[stride];
		const double real = ar * br + ai * bi, imaginary = ai * br - ar * bi; /* F_a F_b* */
		const double phase =
		    vector[0] * pair->apart[0] + vector[1] * pair->apart[1] + vector[2] * pair->apart[2];
		lanes_f64 s, c;
		lanes_sincos(LANES_SPLAT(phase), &s, &c, 0);
		sum += pair->surplus * (real * LANES_FIRST(c) - imaginary * LANES_FIRST(s));
	}
	return sum;
}
