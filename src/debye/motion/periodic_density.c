/* The mean density of a periodic sample, which is subtracted: it scatters in the forward direction only.
 *
 * Atoms of two classes with the density of a homogeneous medium, each of which moves independently of all others, have the sum
 * N_a N_b/V J_ab(q) over pairs. Where motion is correlated, the difference is diffuse scattering of the sample and remains; but
 * the resolution, which broadens peaks in proportion to the distance, broadens the forward peak as well. With the factor w and
 * the sum u of two mean square displacements (motion.h):
 *
 *     J_ab(q) = 4 pi int_0^r_c r^2 w(r) sin(q r)/(q r) exp(-q^2 u (1 + (qbroad r)^2)/2) dr.
 *
 * Without a motion of pairs J is periodic_mean(), and the factor of a class multiplies both sums afterward. Without qbroad it is
 * periodic_mean() times a Gaussian; otherwise the integral is one over a list of nodes, which the kernel for lists of distances
 * sums.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "debye/motion/motion.h"
#include "debye/motion/profile.h"
#include "device/kernel.h"
#include "device/kernel_math.h"

#define NODES 16
#define PHASE_OF_PANEL 8.0 /* at most: 16 nodes integrate these waves to 1e-16 */
#define WIDEST_PANEL 0.5   /* Angstrom: of Gaussians that change with the distance */

/* Nodes and weights of Gauss and Legendre on [-1, 1], those above 0. */
static const double nodes[NODES / 2][2] = {
    {0.98940093499164994, 0.027152459411754096}, {0.9445750230732326, 0.062253523938647894},
    {0.86563120238783176, 0.095158511682492786}, {0.755404408355003, 0.12462897125553388},
    {0.61787624440264377, 0.14959598881657674},  {0.45801677765722737, 0.16915651939500254},
    {0.28160355077925892, 0.18260341504492358},  {0.095012509837637441, 0.1894506104550685},
};

struct mean_list {
	double *r, *weight_over_r, *s;
	size_t count;
};

static void list_free(struct mean_list *list)
{
	free(list->r);
	free(list->weight_over_r);
	free(list->s);
}

static sonde_status make_list(const struct pair_sums *sums, struct mean_list *list)
{
	const double end = sums->periodic->end, q = fmax(sums->q.last, 1.0);
	const size_t panels = (size_t)ceil(end / fmin(WIDEST_PANEL, PHASE_OF_PANEL / q)),
		     size = panels * NODES + LIST_PADDING;
	const double half = 0.5 * end / (double)panels;

	CHECK(memory_allocate(&list->r, size, sizeof(double), "the mean density"));
	CHECK(memory_allocate(&list->weight_over_r, size, sizeof(double), "the mean density"));
	CHECK(memory_allocate(&list->s, size, sizeof(double), "the mean density"));
	for (size_t p = 0; p < panels; ++p)
		for (int k = 0; k < NODES; ++k) {
			const double *node = nodes[k / 2];
			const double r = half * ((double)(2 * p + 1) + (k % 2 == 0 ? -node[0] : node[0]));
			list->r[list->count] = r;
			list->weight_over_r[list->count++] =
			    4.0 * PI * r * periodic_factor(sums->periodic, r) * half * node[1];
		}
	return SONDE_OK;
}

/* Mean square displacements of the classes. Of tensors, the mean of their traces over the atoms: the mean density scatters at
 * small q only, where this is the sum over all pairs of atoms, up to the order q^2. */
static void find_displacements(const struct debye_classes *classes, double *u)
{
	const sonde_atoms *view = &classes->view;

	for (int c = 0; c < classes->count; ++c)
		u[c] = classes->tensors == NULL ? classes->displacement[c] : 0.0;
	for (int64_t i = 0; i < view->count && classes->tensors != NULL; ++i) {
		const double *tensor = classes->tensors + 6 * i;
		u[view->species_of[i]] += (tensor[0] + tensor[1] + tensor[2]) / 3.0;
	}
	for (int c = 0; c < classes->count && classes->tensors != NULL; ++c)
		u[c] /= fmax(1.0, (double)view->species[c].atoms);
}

/* J_ab of the sum u of two displacements. */
static sonde_status integrate(sonde_context *context, struct device *device, struct mean_list *list, double u,
			      const struct pair_sums *sums, double *mean)
{
	const double qbroad = sums->motion->qbroad;

	for (size_t n = 0; n < list->count; ++n)
		list->s[n] = u * (1.0 + qbroad * qbroad * list->r[n] * list->r[n]);
	memset(mean, 0, (size_t)sums->q.points * sizeof *mean);
	CHECK(motion_list_add(context, device, list->r, list->weight_over_r, list->s, (uint32_t)list->count, sums,
			      NULL, mean));
	if (pair_sums_q(sums, 0) == 0.0)
		mean[0] = periodic_mean(sums->periodic, 0.0);
	return SONDE_OK;
}

/* The same without qbroad. */
static void multiply(double u, const struct pair_sums *sums, double *mean)
{
	for (int64_t k = 0; k < sums->q.points; ++k) {
		const double q = pair_sums_q(sums, k);
		mean[k] = periodic_mean(sums->periodic, q) * LANES_FIRST(lanes_exp(LANES_SPLAT(-0.5 * q * q * u), 0));
	}
}

static void subtract(const struct debye_classes *classes, int a, int b, const double *mean, struct pair_sums *sums)
{
	const struct species *of = classes->view.species;
	double *row = sums->sums + species_pair_index(classes->count, a, b) * sums->q.points;

	for (int64_t k = 0; k < sums->q.points; ++k)
		row[k] -= (a == b ? 0.5 : 1.0) * (double)of[a].atoms * (double)of[b].atoms *
			  (mean[k] / sums->periodic->volume);
}

/* `device`: null without qbroad. */
static sonde_status subtract_integrals(sonde_context *context, struct device *device,
				       const struct debye_classes *classes, struct mean_list *list, double *u,
				       double *mean, struct pair_sums *sums)
{
	double last = -1.0;

	find_displacements(classes, u);
	for (int a = 0; a < classes->count; ++a)
		for (int b = a; b < classes->count; ++b) {
			if (u[a] + u[b] != last && device != NULL)
				CHECK(integrate(context, device, list, u[a] + u[b], sums, mean));
			else if (u[a] + u[b] != last)
				multiply(u[a] + u[b], sums, mean);
			last = u[a] + u[b];
			subtract(classes, a, b, mean, sums);
		}
	return SONDE_OK;
}

static sonde_status subtract_moving(sonde_context *context, const struct debye_classes *classes,
				    struct pair_sums *sums)
{
	const struct device_settings settings = context_settings(context);
	struct mean_list list = {0};
	struct device *host = NULL;
	double *u = NULL, *mean = NULL;
	sonde_status status;

	if (sums->motion->qbroad > 0.0) {
		/* a GPU gains nothing, and has the same bits */
		CHECK_GOTO(status, device_open("cpu", &settings, &host), done);
		CHECK_GOTO(status, make_list(sums, &list), done);
	}
	CHECK_GOTO(status, memory_allocate(&u, (size_t)classes->count, sizeof *u, "the mean density"), done);
	CHECK_GOTO(status, memory_allocate(&mean, (size_t)sums->q.points, sizeof *mean, "the mean density"), done);
	status = subtract_integrals(context, host, classes, &list, u, mean, sums);
done:
	list_free(&list);
	free(u);
	free(mean);
	device_close(&host);
	return status;
}

static void subtract_resting(const struct debye_classes *classes, struct pair_sums *sums)
{
	const struct species *of = classes->view.species;

	for (int64_t k = 0; k < sums->q.points; ++k) {
		const double each = periodic_mean(sums->periodic, pair_sums_q(sums, k)) / sums->periodic->volume;
		for (int a = 0; a < classes->count; ++a)
			for (int b = a; b < classes->count; ++b)
				sums->sums[species_pair_index(classes->count, a, b) * sums->q.points + k] -=
				    (a == b ? 0.5 : 1.0) * (double)of[a].atoms * (double)of[b].atoms * each;
	}
}

sonde_status debye_subtract_mean(sonde_context *context, const struct debye_classes *classes, struct pair_sums *sums)
{
	if (sums->periodic == NULL)
		return SONDE_OK;
	if (sums->periodic->open_count > 0)
		return debye_add_profile(context, classes, sums);
	if (sums->motion != NULL)
		return subtract_moving(context, classes, sums);
	subtract_resting(classes, sums);
	return SONDE_OK;
}
