/* Accuracy of the result: an error of I/N for every q.
 *
 * Two sources. Known approximations of the method are summed up below, q by q. And where
 * affordable, a few points of q are recomputed by a more accurate method (histogram by exact
 * sums, exact sums by the reference); if they show a larger error, its ratio to <f^2> + I/N is used
 * for all points.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "debye/classes/resident.h"
#include "debye/motion/displacement.h"
#include "debye/sums/errors.h"
#include "debye/sums/lattice_plan.h"
#include "debye/motion/motion.h"
#include "debye/motion/profile.h"

#define CHECKED_POINTS 8
#define EXACT_CHECK_LIMIT 4e8     /* evaluations of sin(qr)/(qr) for a check by exact sums */
#define REFERENCE_CHECK_LIMIT 1e7 /* the same for a check by the reference, of all these points */
#define REFERENCE_CHECK_TERMS 1e6 /* of the reference, a fiftieth of a second; then it checks fewer points, */
#define FEWEST_CHECKED 3          /* but the first, the last, and one between */
#define SAFETY 4.0
#define F32_ROUNDING 6e-8 /* of a phase; a product has two of them */
#define F32_BATCH 128.0   /* largest number of products added in float32 */
#define SAMPLED_PAIRS 4096

/* Parts of an error of I/N. */
struct estimate {
	const sonde_debye_result *result;
	const struct debye_classes *classes;
	const struct amplitudes *amplitudes;
	const struct periodic *periodic; /* null: a cluster */
};

/* o_a o_b |f_a| |f_b| of two classes at point k, with Debye-Waller factors: an upper bound of the weight of a pair */
static double product(const struct estimate *e, int a, int b, int64_t k)
{
	const struct debye_classes *classes = e->classes;
	const double *f = e->amplitudes->magnitude;
	int64_t points = e->result->q_count;

	return classes->occupancy[a] * classes->occupancy[b] * (f[a * points + k] * f[b * points + k]);
}

/* The next pair of classes, in the order aa ab .. bb bc ..; false after the last one. Start from a = 0, b = -1. */
static bool next_pair(const struct estimate *e, int *a, int *b)
{
	if (++*b == e->classes->count)
		*b = ++*a;
	return *a < e->classes->count;
}

/* Atoms of pairs drawn from the sample in a fixed order. */
static void draw_pairs(int64_t atoms, uint32_t drawn[2 * SAMPLED_PAIRS])
{
	uint64_t state = 1;

	for (int k = 0; k < 2 * SAMPLED_PAIRS; ++k) {
		/* Knuth's multiplicative congruential generator, sufficient to spread the pairs */
		state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		drawn[k] = (uint32_t)((state >> 33) % (uint64_t)atoms);
	}
}

/* Mean of 1/r over such pairs. */
static sonde_status mean_inverse_distance(sonde_context *context, const sonde_atoms *atoms,
					  const struct periodic *periodic, double *inverse)
{
	uint32_t drawn[2 * SAMPLED_PAIRS];
	double(*picked)[3] = NULL, sum = 0.0;
	int count = 0;

	*inverse = 1.0;
	if (periodic != NULL) /* of a homogeneous medium */
		*inverse = periodic_inverse_distance(periodic);
	if (periodic != NULL || atoms->count < 2)
		return SONDE_OK;
	draw_pairs(atoms->count, drawn);
	if (atoms_are_resident(atoms)) {
		CHECK(memory_allocate(&picked, 2 * SAMPLED_PAIRS, sizeof *picked, "the error estimate"));
		const sonde_status status = resident_pick(context, atoms, drawn, 2 * SAMPLED_PAIRS, picked[0]);
		if (status != SONDE_OK)
			free(picked);
		CHECK(status);
	}
	for (int k = 0; k < SAMPLED_PAIRS; ++k) {
		const double *a = picked != NULL ? picked[2 * k] : atoms->positions + 3 * (size_t)drawn[2 * k],
			     *b =
				 picked != NULL ? picked[2 * k + 1] : atoms->positions + 3 * (size_t)drawn[2 * k + 1];
		double r = sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
				(a[2] - b[2]) * (a[2] - b[2]));
		if (r > 0.0) {
			sum += 1.0 / r;
			++count;
		}
	}
	free(picked);
	*inverse = count > 0 ? sum / count : 1.0;
	return SONDE_OK;
}

/* The number of pairs of atoms of two classes. */
static double pairs_of(const struct estimate *e, int a, int b)
{
	const struct species *of = e->classes->view.species;
	const double m = (double)of[a].atoms, n = (double)of[b].atoms;

	if (e->periodic != NULL) /* and the mean that is subtracted from them */
		return 2.0 * m * periodic_neighbors(e->periodic, a == b ? 0.5 * n : n);
	return a == b ? m * (m - 1) / 2 : m * n;
}

/* 2/N sum |f_a| |f_b| over all pairs: I/N if every sin(qr)/(qr) were 1. */
static double sum_of_products(const struct estimate *e, int64_t k)
{
	double sum = 0.0;

	for (int a = 0, b = -1; next_pair(e, &a, &b);)
		sum += product(e, a, b, k) * pairs_of(e, a, b);
	return 2.0 * sum / e->classes->present;
}

/* Rounding of float64, assuming the same sign for every pair: a recurrence of 32 steps may
 * lose Q_BLOCK^2/2 = 512 roundings of sin(qr), where q r is small, and the phase q r a few roundings of
 * itself. Of lists of distances, which may be `condensed`, the moments lose as many (condensed_list.h). */
static double rounding_of_pair(const struct estimate *e, int64_t k, double inverse_distance, bool condensed)
{
	const double steps = condensed ? 1024.0 : 512.0;

	return DBL_EPSILON * (8.0 + steps * fmin(1.0, inverse_distance / fmax(e->result->q[k], 1e-300)));
}

/* Rounding of float32, assuming independent pairs: an error that a few points may not show. */
static double f32_rounding_error(const struct estimate *e, int64_t k, double inverse_distance)
{
	double n = (double)e->classes->atoms, pairs = fmax(1.0, 0.5 * n * (n - 1.0));

	return sum_of_products(e, k) / sqrt(pairs) * F32_ROUNDING * inverse_distance / e->result->q[k];
}

/* The bound for float32: two phases of each pair, and its sum with others of a batch. */
static double f32_rounding_bound(const struct estimate *e, int64_t k, double inverse_distance)
{
	return sum_of_products(e, k) * F32_ROUNDING * (2.0 + F32_BATCH) * inverse_distance / e->result->q[k];
}

/* q in bounds of derivatives of sin(qr)/(qr), and 1/q where it stands alone. Of a periodic sample they are those of
 * g = w sin(qr)/(qr): the derivatives of w are at most 1.6/r_c, 3.3/r_c^2, 7.8/r_c^3, 20/r_c^4 for all dampings, so that
 * by Leibniz' rule |g_k| <= (q + 4/r_c)^k/(k + 1), k up to 4; in the bounds in 1/r, with r <= r_c, the terms in 1/q
 * become at most 4.5 times as large, and the others are covered by q + 4/r_c. */
static double rate_at(const struct estimate *e, int64_t k, double *inverse)
{
	const double q = e->result->q[k];

	*inverse = (e->periodic != NULL ? 4.5 : 1.0) / q;
	return e->periodic != NULL ? q + 4.0 / e->periodic->cutoff : q;
}

/* Factor of the errors of the histogram in sums with a motion, whose terms are products g D of g = sin(qr)/(qr) and D =
 * exp(-q^2 s/2), with derivatives of D of order k up to c^k. By Leibniz' rule, with the bounds q^k/(k + 1) of those of g, the
 * derivative of order n is at most (1 + c/q)^(n + 1) times that of g; fourth derivatives are the highest. */
static double motion_factor(const struct estimate *e, const struct histogram_error *error, int a, int b, double q)
{
	const struct pair_motion *motion = e->classes->motion;

	if (motion == NULL || motion->tensors != NULL || q == 0.0)
		return 1.0;
	return pow(1.0 + motion_steepness(motion, a, b, error->nearest, error->farthest, q) / q, 5.0);
}

/* The moments that the histogram neglects, of the sum over the pairs of two classes. A bin's third central moment m3 contributes n m3/6 times the third
 * derivative of sin(qr)/(qr), at most q^3/4 and about q^2/r. The m3 of different bins are independent of
 * each other, so their squares add; but species on a common lattice have the same distances, and thus moments and
 * roundings: over pairs of species the errors themselves add. The fourth moment, similar in all bins, changes I by
 * (q w)^4/2000 of its value. */
static double histogram_error_of(const struct estimate *e, const struct histogram_error *error, int a, int b,
				 int64_t k)
{
	double inverse, q = rate_at(e, k, &inverse);
	double far = fmin(q * q * sqrt(error->skew_over_r), q * q * q / 4.0 * sqrt(error->skew));
	double skew = hypot(far, q * q * q / 4.0 * sqrt(error->skew_near)) / 6.0;
	double rounding = hypot(sqrt(error->rounding_over_r), 0.44 * q * sqrt(error->rounding_near));
	double second = hypot(q * sqrt(error->second_over_r), q * q / 3.0 * sqrt(error->second_near)) / 2.0;
	double spread = q > 0.0 ? fmin(sqrt(error->spread), sqrt(error->spread_over_r) / q) : 0.0;

	return motion_factor(e, error, a, b, q) * SAFETY * hypot(hypot(hypot(skew, second), rounding), spread);
}

/* The same without any assumption: every bin's error has the worst size and sign. A bin of pairs at r + x, E[x] =
 * 0, replaced by two points with the same mean and variance and no third moment, has an error of at most n (3 dv
 * max|g''| + m3 max|g'''| + (m4 + variance^2)/4 max|g''''|)/6, dv the error of its variance, with g(r) =
 * sin(qr)/(qr) (Taylor's formula with its remainder). For s(x) = sin(x)/x = int_0^1 cos(xt) dt and its k-th
 * derivative s_k: |s_k| <= 1/(k + 1); and from x s_k + k s_(k-1) = sin(x + k pi/2), |s_k| <= (1 + k |s_(k-1)|)/x. */
static double histogram_bound_at(const struct estimate *e, const struct histogram_error *errors, int64_t k)
{
	double n = e->classes->present, total = 0.0, inverse, q = rate_at(e, k, &inverse);
	int p = 0;

	if (q == 0.0)
		return 0.0;
	for (int a = 0, b = -1; next_pair(e, &a, &b); ++p) {
		const struct histogram_error *bins = &errors[p];
		const double *third = bins->third, *fourth = bins->fourth, *displaced = bins->displaced;
		double far = fmin(q * q * q / 4.0 * third[0],
				  q * q * third[1] + 3.0 * q * third[2] + 6.0 * third[3] + 6.0 * inverse * third[4]);
		double skew = (far + q * q * q / 4.0 * bins->third_near) / 6.0;
		double beyond = (fmin(q * q * q * q / 5.0 * fourth[0], 2.0 * q * q * q * fourth[1]) +
				 q * q * q * q / 5.0 * bins->fourth_near) /
				24.0;
		double rounding = fmin(q / 2.0 * displaced[0], displaced[1] + displaced[2] * inverse) +
				  q / 2.0 * bins->displaced_near;
		double second =
		    (fmin(q * q / 3.0 * bins->variance[0],
			  q * bins->variance[1] + 2.0 * bins->variance[2] + 2.0 * inverse * bins->variance[3]) +
		     q * q / 3.0 * bins->variance_near) /
		    2.0;
		total += 2.0 * product(e, a, b, k) * motion_factor(e, bins, a, b, q) / n *
			 (second + skew + beyond + rounding + bins->spread_bound);
	}
	return total;
}

/* Pairs that the check looks at: the reference takes all images of the cell near the cut-off, or none. */
static double check_cost(const struct debye_plan *plan, const struct estimate *e)
{
	const double count = (double)e->classes->atoms;
	int most[3];

	if (e->periodic == NULL)
		return plan->pairs;
	periodic_images(e->periodic, most);
	return plan->pairs +
	       0.05 * count * count * (2.0 * most[0] + 1.0) * (2.0 * most[1] + 1.0) * (2.0 * most[2] + 1.0);
}

int64_t debye_points_to_check(int64_t q_count, double pairs, bool by_reference)
{
	const int64_t most = q_count < CHECKED_POINTS ? q_count : CHECKED_POINTS;
	const double affordable = REFERENCE_CHECK_TERMS / fmax(pairs, 1.0);

	if (!by_reference || affordable >= (double)most)
		return most;
	const int64_t fewer = affordable > FEWEST_CHECKED ? (int64_t)affordable : FEWEST_CHECKED;
	return fewer < most ? fewer : most;
}

static sonde_status check_some_points(sonde_context *context, const struct debye_plan *plan, const struct estimate *e,
				      struct debye_check *check)
{
	const sonde_debye_result *result = e->result;
	const sonde_atoms *atoms = &e->classes->view;
	bool f32 = plan->options.precision == SONDE_DEBYE_PRECISION_FLOAT32;
	bool by_exact = plan->options.method == SONDE_DEBYE_METHOD_HISTOGRAM ||
			plan->options.method == SONDE_DEBYE_METHOD_LATTICE || f32;
	/* float32 is always checked, whatever the cost: its error is not known otherwise */
	by_exact = by_exact && e->periodic == NULL;
	double limit = f32 ? INFINITY : by_exact ? EXACT_CHECK_LIMIT : REFERENCE_CHECK_LIMIT;
	const double cost = check_cost(plan, e);
	const int64_t most = debye_points_to_check(result->q_count, cost, false),
		      count = debye_points_to_check(result->q_count, cost, !by_exact);
	struct pair_sums sums = {.species = e->classes->count, .periodic = e->periodic};
	double values[CHECKED_POINTS], *positions = NULL;
	sonde_atoms brought;
	sonde_status status;

	check->points = 0;
	if (!check->wanted || plan->options.method == SONDE_DEBYE_METHOD_REFERENCE || cost * (double)most > limit ||
	    e->classes->copies > 1 || (atoms->positions == NULL && atoms->owner == NULL))
		return SONDE_OK;
	if (atoms_are_resident(atoms) && !by_exact) { /* few atoms */
		CHECK(resident_copy(context, atoms, e->periodic, &brought, &positions));
		atoms = &brought;
	}
	int64_t stride = count > 1 ? (result->q_count - 1) / (count - 1) : 1;
	sums.q = (sonde_grid){result->q[0], result->q[(count - 1) * stride], count};
	for (int64_t k = 0; k < count; ++k)
		values[k] = result->q[k * stride];
	sums.q_values = plan->points.uniform ? NULL : values;
	sums.motion = e->classes->motion;
	CHECK_GOTO(status,
		   memory_allocate(&sums.sums, (size_t)species_pair_count(sums.species) * (size_t)count,
				   sizeof(double), "the check"),
		   done);
	CHECK_GOTO(status,
		   by_exact ? exact_pair_sums(context, atoms, false, &sums)
			    : reference_pair_sums(context, atoms, &sums),
		   done);
	CHECK_GOTO(status, debye_subtract_mean(context, e->classes, &sums), done);
	CHECK_GOTO(status, debye_add_joint(context, e->classes, &sums), done);
	displacements_damp(e->classes, e->amplitudes, result->q_count, stride, &sums);
	for (int64_t k = 0; k < count; ++k) {
		int64_t there = k * stride;
		double better =
		    debye_intensity_per_atom(result, e->classes, e->amplitudes, there, sums.sums + k, count);
		double scale = result->mean_square_amplitude[there] + fabs(better);
		double difference = fabs(result->intensity_per_atom[there] - better);
		if (scale > 0.0)
			check->largest = fmax(check->largest, difference / scale);
		check->times_q = fmax(check->times_q, difference * result->q[there]);
	}
	check->points = (int)count;
done:
	free(sums.sums);
	free(positions);
	return status;
}

/* Errors of the sums of sin(qr)/(qr) over pairs of classes, by their roundings and by the histogram; returns that of I/N. */
static double errors_of_pairs(const struct estimate *e, const struct histogram_error *errors, int64_t k,
			      double per_pair, double *of_pairs)
{
	double total = 0.0;
	int p = 0;

	for (int a = 0, b = -1; next_pair(e, &a, &b); ++p) {
		of_pairs[p] = pairs_of(e, a, b) * per_pair;
		if (errors != NULL)
			of_pairs[p] += histogram_error_of(e, &errors[p], a, b, k);
		total += product(e, a, b, k) * of_pairs[p];
	}
	return 2.0 * total / e->classes->present;
}

/* Adds the error of a pair of classes at point k to those of its partials. */
static void add_to_partials(const struct estimate *e, int a, int b, int64_t k, double error)
{
	const struct debye_classes *classes = e->classes;
	const sonde_debye_result *result = e->result;
	const int s = classes->species[a], t = classes->species[b];
	const int64_t q = result->q_count,
		      at = species_pair_index(result->species_count, s < t ? s : t, s < t ? t : s) * q + k;
	const double *damping = e->amplitudes->damping, n = result->atoms_present,
		     both = classes->occupancy[a] * classes->occupancy[b] *
			    (damping != NULL ? damping[a * q + k] * damping[b * q + k] : 1.0),
		     ordered = s == t ? 2.0 : 1.0, of_intensity = 2.0 * product(e, a, b, k) / n * error;

	result->partial_intensity_error[at] += of_intensity;
	result->partial_structure_factor_error[at] +=
	    both * n * ordered / (result->species_present[s] * result->species_present[t]) * error;
	if (result->block_count == 0)
		return;
	const int u = classes->block[a], v = classes->block[b];
	result
	    ->block_intensity_error[species_pair_index(result->block_count, u < v ? u : v, u < v ? v : u) * q + k] +=
	    of_intensity;
}

/* The estimate of I/N is that of all partials together: it has parts that are known of the sum only, such as what a check found, and
 * is divided among them in proportion to the errors that are known of each. */
static void divide_error(const struct estimate *e, const double *of_pairs, int64_t k)
{
	double known = 0.0;
	int p = 0;

	for (int a = 0, b = -1; next_pair(e, &a, &b); ++p)
		known += 2.0 * product(e, a, b, k) / e->classes->present * of_pairs[p];
	const double factor = known > 0.0 ? e->result->error_estimate[k] / known : 1.0;
	p = 0;
	for (int a = 0, b = -1; next_pair(e, &a, &b); ++p)
		add_to_partials(e, a, b, k, factor * of_pairs[p]);
}

sonde_status debye_errors(sonde_context *context, const struct debye_classes *classes, const struct debye_plan *plan,
			  const struct amplitudes *amplitudes, const struct pair_sums *sums,
			  sonde_debye_result *result)
{
	const struct estimate all = {result, classes, amplitudes, sums->periodic}, *e = &all;
	double inverse_distance = debye_lattice_inverse_distance(plan->extent), *of_pairs;
	struct debye_check own = {.wanted = true}, *check = plan->check != NULL ? plan->check : &own;
	bool f32 = plan->options.precision == SONDE_DEBYE_PRECISION_FLOAT32;
	const double neighbors = e->periodic != NULL
				     ? 2.0 * periodic_neighbors(e->periodic, (double)result->atom_count)
				     : (double)result->atom_count;

	if (classes->view.positions != NULL || classes->view.owner != NULL)
		CHECK(mean_inverse_distance(context, &classes->view, sums->periodic, &inverse_distance));
	CHECK(check_some_points(context, plan, e, check));
	CHECK(memory_allocate(&of_pairs, (size_t)species_pair_count(classes->count), sizeof *of_pairs,
			      "the error estimate"));
	result->checked_points = check->points;
	result->largest_error = result->largest_bound = 0.0;
	for (int64_t k = 0; k < result->q_count; ++k) {
		double q = result->q[k];
		double scale = result->mean_square_amplitude[k] + fabs(result->intensity_per_atom[k]);
		const double per_pair = rounding_of_pair(e, k, inverse_distance, sums->errors != NULL);
		double rounding = sum_of_products(e, k) * per_pair + 4.0 * DBL_EPSILON * scale;
		double error = errors_of_pairs(e, sums->errors, k, per_pair, of_pairs) + 4.0 * DBL_EPSILON * scale;
		const double qw = q * plan->bin_width;
		error += sums->errors != NULL ? qw * qw * qw * qw / 2000.0 * scale : 0.0;
		error += debye_lattice_error(classes, q) * scale;
		if (plan->options.method == SONDE_DEBYE_METHOD_REFERENCE)
			/* a rounding of the phase is an absolute error of sin(qr)/(qr), however small its value */
			error = DBL_EPSILON *
				(4.0 * scale + neighbors * result->mean_square_amplitude[k] *
						   (1.0 + 4.0 * fmin(1.0, inverse_distance / fmax(q, 1e-300))));
		const bool profile = e->periodic != NULL && e->periodic->open_count > 0;
		error += profile ? PROFILE_ERROR * scale : 0.0;
		/* a constant error of sin(qr)/r is an error of I proportional to 1/q */
		if (f32 && q > 0.0)
			error = fmax(error,
				     F32_ROUNDING * scale +
					 SAFETY * (check->times_q / q + f32_rounding_error(e, k, inverse_distance)));
		result->error_estimate[k] = fmax(error, check->largest * scale);
		divide_error(e, of_pairs, k);
		result->error_bound[k] = result->error_estimate[k];
		if (f32 && q > 0.0)
			result->error_bound[k] = fmax(error, rounding + f32_rounding_bound(e, k, inverse_distance));
		if (sums->errors != NULL)
			result->error_bound[k] =
			    fmax(result->error_bound[k],
				 rounding + histogram_bound_at(e, sums->errors, k) +
				     sum_of_products(e, k) * debye_lattice_bound(classes, q, inverse_distance));
		if (profile)
			result->error_bound[k] +=
			    result->mean_square_amplitude[k] *
			    profile_bound(e->periodic, (double)result->atom_count, q, result->q[result->q_count - 1]);
		if (k % 256 == 0 && context_cancelled(context)) {
			free(of_pairs);
			return status_fail(SONDE_CANCELLED, "stopped on request at the error estimate");
		}
		if (scale > 0.0)
			result->largest_error = fmax(result->largest_error, result->error_estimate[k] / scale);
		if (scale > 0.0)
			result->largest_bound = fmax(result->largest_bound, result->error_bound[k] / scale);
	}
	free(of_pairs);
	return SONDE_OK;
}

void debye_errors_raise(sonde_debye_result *result, int64_t k, double error)
{
	const int64_t q = result->q_count, pairs = result->pair_count,
		      blocks = species_pair_count(result->block_count);
	const double factor = result->error_estimate[k] > 0.0 ? error / result->error_estimate[k] : 1.0;

	if (!(error > result->error_estimate[k]))
		return;
	result->error_estimate[k] = error;
	for (int64_t p = 0; p < pairs; ++p) {
		result->partial_intensity_error[p * q + k] *= factor;
		result->partial_structure_factor_error[p * q + k] *= factor;
	}
	for (int64_t p = 0; p < blocks; ++p)
		result->block_intensity_error[p * q + k] *= factor;
	if (result->intensity_resolved_error != NULL) /* of about the same q */
		result->intensity_resolved_error[k] *= factor;
}
