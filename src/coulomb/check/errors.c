/* The error of the result: some of its points are recomputed by the reference or, for lists, by the direct sum in
 * float64. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coulomb/check/errors.h"

#include "base/constants.h"
#include "base/memory.h"
#include "base/threads.h"
#include "coulomb/charges.h"
#include "coulomb/check/candidates.h"
#include "coulomb/check/reference.h"
#include "coulomb/direct/direct_device.h"
#include "coulomb/periodic/ewald.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "parallel/parallel.h"
#include "run/context.h"

#define EVALUATIONS 5e7 /* some tenths of a second on one core */
#define LEAST_CHECKED 64
#define LEAST_PIECE 16.0  /* summed together */
#define NEAR_SHARE 8      /* an eighth of the points are those nearest to charges, with the largest values, */
#define AROUND_SHARE 2    /* half of them are around charges, */
#define STRONGEST_SHARE 2 /* half of the points of a list are those with the largest values */
#define CANDIDATES ((int64_t)1 << 20) /* limit for drawn points */
/* Errors at n of more points of a list are multiplied by this for all points, so that the estimate is too small in
 * less than one case of a hundred. Measured against all points of 120 runs with 256 or 1024 of them checked:
 * charges at random, in clusters, on a shell, on a line, mostly outside the grid, by direct and fast sums
 * (docs/coulomb_theory.md, Errors). */
#define SAFETY_OF_MEAN 1.5
#define SAFETY_OF_FIELD 2.5
#define SAFETY_OF_LARGEST 4.0
/* The same for n drawn points of a grid: the factor is 1 plus these over sqrt(n), measured in the same way with
 * clouds of charges. */
#define SAFETY_OF_DRAWN 14.0
#define SAFETY_OF_DRAWN_FIELD 24.0
#define SAFETY_OF_DRAWN_LARGEST 6.0

struct deviation {
	double squares, own;
};

static double relative(const struct deviation *deviation)
{
	return deviation->own > 0.0 ? sqrt(deviation->squares / deviation->own) : sqrt(deviation->squares);
}

/* Points near charges: a few, the nearest first. */
struct nearest {
	int count, most;
	int64_t indices[CHECKED_MOST];
	double strengths[CHECKED_MOST];
};

static void nearest_add(struct nearest *nearest, int64_t index, double strength)
{
	int at = nearest->count;

	if (at == nearest->most && nearest->strengths[at - 1] >= strength)
		return;
	for (int n = 0; n < nearest->count; ++n)
		if (nearest->indices[n] == index) {
			if (nearest->strengths[n] >= strength)
				return;
			at = n; /* its new place is this one or an earlier one */
			break;
		}
	if (at == nearest->most)
		--at;
	else if (at == nearest->count)
		++nearest->count;
	for (; at > 0 && nearest->strengths[at - 1] < strength; --at) {
		nearest->indices[at] = nearest->indices[at - 1];
		nearest->strengths[at] = nearest->strengths[at - 1];
	}
	nearest->indices[at] = index;
	nearest->strengths[at] = strength;
}

/* The corners of the grid cell of a charge, ranked by q/r. */
static void add_corners(const struct targets *targets, const double inverse[3][3], const double r[3], double q,
			struct nearest *nearest)
{
	int64_t low[3];

	for (int k = 0; k < 3; ++k) {
		double along = 0.0;
		for (int c = 0; c < 3; ++c)
			along += inverse[k][c] * (r[c] - targets->origin[c]);
		if (targets->size[k] > 1 && !(along > -1.0 && along < (double)targets->size[k]))
			return;
		low[k] = targets->size[k] > 1 ? (int64_t)floor(along) : 0;
	}
	for (int corner = 0; corner < 8; ++corner) {
		int64_t place[3];
		double point[3];
		bool inside = true;
		for (int k = 0; k < 3; ++k) {
			place[k] = low[k] + (corner >> k & 1);
			inside &= place[k] >= 0 && place[k] < targets->size[k];
		}
		if (!inside)
			continue;
		int64_t index = (place[2] * targets->size[1] + place[1]) * targets->size[0] + place[0];
		targets_point(targets, index, point);
		double distance = sqrt((point[0] - r[0]) * (point[0] - r[0]) + (point[1] - r[1]) * (point[1] - r[1]) +
				       (point[2] - r[2]) * (point[2] - r[2]));
		/* coincident points are not an error of the sum */
		if (distance > 0.0)
			nearest_add(nearest, index, fabs(q) / distance);
	}
}

/* Rows of the inverse of the steps; those of axes with a single point are irrelevant. */
static bool invert_steps(const struct targets *targets, double inverse[3][3])
{
	const double(*m)[3] = targets->steps;
	double cross[3][3], volume = 0.0, lengths = 1.0;

	for (int k = 0; k < 3; ++k) {
		const double *a = m[(k + 1) % 3], *b = m[(k + 2) % 3];
		for (int c = 0; c < 3; ++c)
			cross[k][c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
		lengths *= sqrt(m[k][0] * m[k][0] + m[k][1] * m[k][1] + m[k][2] * m[k][2]);
	}
	for (int c = 0; c < 3; ++c)
		volume += m[0][c] * cross[0][c];
	if (!(fabs(volume) > 1e-9 * lengths))
		return false;
	for (int k = 0; k < 3; ++k)
		for (int c = 0; c < 3; ++c)
			inverse[k][c] = cross[k][c] / volume;
	return true;
}

/* Points of a list, spread over it by the golden ratio. */
static int64_t spread_point(const struct targets *targets, int n)
{
	return (int64_t)fmod((0.5 + n) * 0.6180339887498949 * (double)targets->count, (double)targets->count);
}

static void choose_nearest(const struct charges *charges, const struct targets *targets, const double inverse[3][3],
			   int most, struct checked_points *points)
{
	struct nearest nearest = {.most = most};

	for (uint32_t j = 0; j < charges->count && most > 0; ++j)
		add_corners(targets, inverse, (const double[]){charges->x[j], charges->y[j], charges->z[j]},
			    charges->q[j], &nearest);
	points->near = points->around = nearest.count;
	for (int n = 0; n < nearest.count; ++n)
		points->indices[n] = nearest.indices[n];
}

static double fraction(double number)
{
	return number - floor(number);
}

/* A point of the grid at some distance from a charge, from one step to half of the grid, where blocks of the fast
 * sum end that are near the charge or not, at any level. Negative outside the grid. */
static int64_t point_around(const struct charges *charges, const struct targets *targets, const double inverse[3][3],
			    int n)
{
	const uint32_t j = (uint32_t)(fraction((n + 0.5) * 0.6180339887498949) * charges->count);
	const double r[3] = {charges->x[j], charges->y[j], charges->z[j]};
	double largest = 1.0, cosine = 2.0 * fraction(0.5 + n * 0.7548776662466927) - 1.0,
	       sine = sqrt(1.0 - cosine * cosine), angle = 2.0 * PI * fraction(0.5 + n * 0.5698402909980532);
	const double direction[3] = {sine * cos(angle), sine * sin(angle), cosine};
	int64_t place[3];

	for (int k = 0; k < 3; ++k)
		largest = fmax(largest, 0.5 * (double)targets->size[k]);
	double steps = pow(largest, fraction(n * 0.8191725133961645));
	for (int k = 0; k < 3; ++k) {
		double along = 0.0;
		for (int c = 0; c < 3; ++c)
			along += inverse[k][c] * (r[c] - targets->origin[c]);
		along = targets->size[k] > 1 ? along + steps * direction[k] : 0.0;
		if (!(along > -0.5 && along < (double)targets->size[k] - 0.5))
			return -1;
		place[k] = (int64_t)llround(along);
	}
	return (place[2] * targets->size[1] + place[1]) * targets->size[0] + place[0];
}

static void choose_around(const struct charges *charges, const struct targets *targets, const double inverse[3][3],
			  int end, struct checked_points *points)
{
	for (int n = 0; n < 4 * CHECKED_MOST && points->around < end && charges->count > 0; ++n) {
		int64_t index = point_around(charges, targets, inverse, n);
		if (index >= 0)
			points->indices[points->around++] = index;
	}
}

static void prepare_drawing(struct checked_points *points)
{
	points->drawn = true;
	points->turned_away = 0.0;
	points->candidate_of = (points->all + CANDIDATES - 1) / CANDIDATES;
	points->candidates = 0;
	memset(points->strength_sums, 0, sizeof points->strength_sums);
	memset(points->squares, 0, sizeof points->squares);
	for (int n = points->around; n < points->count; ++n)
		points->indices[n] = -1;
}

void checked_choose(const struct charges *charges, const struct targets *targets, const struct coulomb_plan *plan,
		    struct checked_points *points)
{
	double terms =
	    plan->check != NULL ? 4.0 * (plan->check->images.count + plan->check->wave_count) : charges->count;
	double affordable = EVALUATIONS / fmax(1.0, terms);
	int64_t wanted = (int64_t)fmin(CHECKED_MOST, fmax(LEAST_CHECKED, affordable));
	double inverse[3][3];

	points->near = points->around = points->drawn_count = 0;
	points->strongest = points->drawn = false;
	points->count = (int)(wanted < targets->count ? wanted : targets->count);
	points->all = targets->count;
	if (points->count == targets->count) {
		for (int n = 0; n < points->count; ++n)
			points->indices[n] = n;
		return;
	}
	if (targets->is_grid && invert_steps(targets, inverse)) {
		choose_nearest(charges, targets, inverse, points->count / NEAR_SHARE, points);
		choose_around(charges, targets, inverse, points->near + points->count / AROUND_SHARE, points);
	}
	if (!targets->is_grid) {
		points->strongest = true;
		points->near = points->around = points->count / STRONGEST_SHARE;
		points->least = -1.0;
		for (int n = 0; n < points->near; ++n)
			points->strengths[n] = -1.0;
	}
	if (targets->is_grid)
		prepare_drawing(points);
	for (int n = points->around; n < points->count && !points->drawn; ++n)
		points->indices[n] = spread_point(targets, n - points->around);
}

static void take_point(const struct values *values, int64_t at, int n, struct checked_points *points)
{
	for (uint32_t s = 0; s < values->sets; ++s, at += values->stride) {
		points->values[s][n][0] = values->potential[at];
		for (int k = 0; values->field != NULL && k < 3; ++k)
			points->values[s][n][1 + k] = values->field[3 * at + k];
	}
}

/* The largest squared field, or potential, of all sets at a point. */
static double strength_at(const struct values *values, int64_t at)
{
	double most = 0.0;

	for (uint32_t s = 0; s < values->sets; ++s, at += values->stride) {
		const double *field = values->field + 3 * at;
		most =
		    fmax(most, values->field != NULL ? field[0] * field[0] + field[1] * field[1] + field[2] * field[2]
						     : fabs(values->potential[at]));
	}
	return most;
}

/* Errors are largest where values are large, near charges: points of a list are selected by values. */
static void take_strongest(const struct values *values, int64_t count, struct checked_points *points)
{
	for (int64_t at = 0; at < count; ++at) {
		const double strength = strength_at(values, at);
		int weakest = 0;
		if (!(strength > points->least))
			continue;
		for (int n = 1; n < points->near; ++n)
			if (points->strengths[n] < points->strengths[weakest])
				weakest = n;
		points->strengths[weakest] = strength;
		points->indices[weakest] = values->first + at;
		take_point(values, at, weakest, points);
		points->least = strength;
		for (int n = 0; n < points->near; ++n)
			points->least = fmin(points->least, points->strengths[n]);
	}
}

/* |E|^2 at a point; 0 without a field. */
static double squared_field(const struct values *values, int64_t at)
{
	double sum = 0.0;

	for (int k = 0; k < 3 && values->field != NULL; ++k)
		sum += values->field[3 * at + k] * values->field[3 * at + k];
	return sum;
}

/* The largest potential and field of all sets at a point. */
static void strengths_at(const struct values *values, int64_t at, double strengths[2])
{
	strengths[0] = strengths[1] = 0.0;
	for (uint32_t s = 0; s < values->sets; ++s, at += values->stride) {
		strengths[0] = fmax(strengths[0], fabs(values->potential[at]));
		strengths[1] = fmax(strengths[1], sqrt(squared_field(values, at)));
	}
}

/* Strengths are relative to their means over the candidates so far; for the first values the means are computed in
 * advance. */
static void find_means(const struct values *values, int64_t count, const struct checked_points *points,
		       double means[2])
{
	const int64_t step = candidates_step(count);
	double sums[2] = {points->strength_sums[0], points->strength_sums[1]}, strengths[2];
	int64_t number = points->candidates;

	for (int64_t at = step / 2; points->candidates == 0 && at < count; at += step, ++number) {
		strengths_at(values, at, strengths);
		for (int k = 0; k < 2; ++k)
			sums[k] += strengths[k];
	}
	for (int k = 0; k < 2; ++k)
		means[k] = sums[k] / (double)number;
}

/* Priority sampling (Duffield, Lund and Thorup, J. ACM 54 (2007) 32): those with the largest priorities are kept,
 * and their weights follow from the largest priority that was not. */
static void draw(const struct values *values, int64_t at, double chance, double priority,
		 struct checked_points *points)
{
	int least = points->around + points->drawn_count;

	if (least < points->count) {
		++points->drawn_count;
	} else {
		least = points->around;
		if (priority <= points->turned_away)
			return;
		for (int n = points->around + 1; n < points->count; ++n)
			if (points->priorities[n] < points->priorities[least])
				least = n;
		points->turned_away = fmax(points->turned_away, fmin(priority, points->priorities[least]));
		if (priority <= points->priorities[least])
			return;
	}
	points->indices[least] = values->first + at;
	points->chances[least] = chance;
	points->priorities[least] = priority;
	take_point(values, at, least, points);
}

static void add_squares(const struct values *values, int64_t at, struct checked_points *points)
{
	for (uint32_t s = 0; s < values->sets; ++s, at += values->stride) {
		points->squares[s][0] += values->potential[at] * values->potential[at];
		points->squares[s][1] += squared_field(values, at);
	}
}

/* Errors are large near charges, which may be in a small part of a grid: points are drawn preferably where
 * potential and field are large, and more sparsely elsewhere. Of very many points only one of each group is a
 * candidate. */
static void take_drawn(const struct values *values, int64_t count, struct checked_points *points)
{
	const int64_t of = points->candidate_of;
	double means[2];

	find_means(values, count, points, means);
	for (int64_t group = values->first / of; group * of < values->first + count; ++group) {
		const double chance = candidates_chance((uint64_t)group);
		const int64_t at = candidates_of_group(group, of) - values->first;
		double strengths[2], share = 1.0;
		if (at < 0 || at >= count)
			continue;
		strengths_at(values, at, strengths);
		++points->candidates;
		for (int k = 0; k < 2; ++k) {
			points->strength_sums[k] += strengths[k];
			share += means[k] > 0.0 ? strengths[k] / means[k] : 0.0;
		}
		add_squares(values, at, points);
		draw(values, at, share, share / chance, points);
	}
}

void checked_take(const struct values *values, int64_t count, struct checked_points *points)
{
	if (points->drawn)
		take_drawn(values, count, points);
	if (points->strongest)
		take_strongest(values, count, points);
	for (int n = points->strongest ? points->near : 0; n < (points->drawn ? points->around : points->count);
	     ++n) {
		const int64_t at = points->indices[n] - values->first;
		if (at >= 0 && at < count)
			take_point(values, at, n, points);
	}
}

struct check {
	const sonde_context *context;
	const struct charges *charges;
	uint32_t set;
	const struct targets *targets;
	const struct coulomb_plan *plan;
	const struct checked_points *points;
	double (*sums)[4];
};

static void check_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct check *check = state;

	(void)worker;
	for (int64_t n = first; n < end && !context_cancelled(check->context); ++n) {
		double point[3];
		uint64_t coincident = 0;
		targets_point(check->targets, check->points->indices[n], point);
		if (check->plan->check != NULL)
			ewald_reference_point(check->plan->check, point, check->sums[n], &coincident);
		else
			reference_point(check->charges, check->set, point, check->plan, check->sums[n], &coincident);
	}
}

/* Estimates for a grid, with the means over drawn points, or for a list, over all points. */
struct deviations {
	struct deviation potential, field;
	double largest, largest_field;
};

/* Number of points that one represents in sums of squares. */
static double weight_of(const struct checked_points *points, int n)
{
	if (points->drawn)
		return n < points->around ? 0.0 : fmax(1.0, points->turned_away / points->chances[n]);
	/* a spread point represents many, a strong one only itself */
	return n < points->around ? 1.0
				  : (double)(points->all - points->near) / fmax(1.0, points->count - points->around);
}

static void add_deviation(const struct checked_points *points, int n, const double is[4], const double sums[4],
			  const struct coulomb_plan *plan, struct deviations *found)
{
	const double weight = weight_of(points, n), exact = sums[0] * plan->factor, error = is[0] - exact;
	double squares = 0.0;

	found->potential.squares += weight * error * error;
	found->potential.own += weight * exact * exact;
	found->largest = fmax(found->largest, fabs(error));
	for (int k = 1; plan->field && k < 4; ++k) {
		double own = sums[k] * plan->factor;
		squares += (is[k] - own) * (is[k] - own);
		found->field.own += weight * own * own;
	}
	found->field.squares += weight * squares;
	found->largest_field = fmax(found->largest_field, sqrt(squares));
}

/* On the host, point by point. */
static sonde_status sum_on_host(sonde_context *context, const struct charges *charges, uint32_t set,
				const struct targets *targets, const struct coulomb_plan *plan,
				const struct checked_points *points, double (*sums)[4])
{
	struct check check = {context, charges, set, targets, plan, points, sums};

	threads_for(context_threads(context), points->count, 1, check_some, &check);
	if (context_cancelled(context))
		return status_fail(SONDE_CANCELLED, "stopped on request at the error estimate");
	return SONDE_OK;
}

/* The reference for a fast sum at points of a list is the direct sum in float64: a different algorithm, compared
 * with plain sums on first use of the device, and so fast that the estimate takes little time compared with the
 * sum. Sums of all sets, set by set. */
static sonde_status sum_on_device(sonde_context *context, const struct charges *charges,
				  const struct targets *targets, const struct coulomb_plan *plan,
				  const struct checked_points *checked, double (*sums)[4])
{
	const size_t count = (size_t)checked->count, all = count * charges->sets;
	const int64_t piece = (int64_t)fmax(LEAST_PIECE, EVALUATIONS / charges->count);
	struct targets some = {.count = checked->count, .size = {1, checked->count, 1}};
	struct values values = {.factor = 1.0, .sets = charges->sets, .stride = checked->count};
	struct coulomb_plan careful = *plan;
	struct direct_device run;
	struct device *device;
	uint64_t coincident = 0;
	sonde_status status;

	careful.single = false;
	CHECK(context_device(context, &device));
	CHECK(memory_allocate(&some.points, 3 * count + 4 * all + 1, sizeof(double), "the error estimate"));
	values.potential = some.points + 3 * count;
	values.field = plan->field ? values.potential + all : NULL;
	for (size_t n = 0; n < count; ++n)
		targets_point(targets, checked->indices[n], some.points + 3 * n);
	CHECK_GOTO(status, direct_device_prepare(context, device, charges, &careful, &run), done);
	/* piece by piece, so that a cancellation takes effect */
	for (int64_t first = 0; first < some.count && status == SONDE_OK; first += piece) {
		const struct target_range range = {first, some.count - first < piece ? some.count - first : piece};
		status = context_cancelled(context)
			     ? status_fail(SONDE_CANCELLED, "stopped on request at the error estimate")
			     : direct_device_sum(&run, &some, &range, &values, &coincident);
	}
	direct_device_release(&run);
	for (size_t n = 0; n < all; ++n) {
		sums[n][0] = values.potential[n];
		for (size_t k = 0; k < 3; ++k)
			sums[n][1 + k] = plan->field ? values.field[3 * n + k] : 0.0;
	}
done:
	free(some.points);
	return status;
}

static void compare_set(uint32_t set, const struct coulomb_plan *plan, const struct checked_points *points,
			double (*sums)[4], struct coulomb_errors *errors)
{
	const bool all = points->count == points->all;
	const double n = fmax(1.0, points->drawn_count), of_drawn = 1.0 + SAFETY_OF_DRAWN / sqrt(n),
		     of_mean = points->drawn ? of_drawn : SAFETY_OF_MEAN,
		     of_field = points->drawn ? 1.0 + SAFETY_OF_DRAWN_FIELD / sqrt(n) : SAFETY_OF_FIELD,
		     of_largest = (points->drawn ? SAFETY_OF_DRAWN_LARGEST : SAFETY_OF_LARGEST) *
				  sqrt((double)CHECKED_MOST / points->count);
	struct deviations found = {0};

	for (int k = 0; k < points->count; ++k)
		if (points->indices[k] >= 0)
			add_deviation(points, k, points->values[set][k], sums[k], plan, &found);
	if (points->drawn) {
		/* values, though not errors, are known for all candidates */
		found.potential.own = points->squares[set][0];
		found.field.own = points->squares[set][1];
	}
	errors->potential = fmax(errors->potential, (all ? 1.0 : of_mean) * relative(&found.potential));
	errors->field = fmax(errors->field, (all ? 1.0 : of_field) * relative(&found.field));
	errors->largest = fmax(errors->largest, (all ? 1.0 : of_largest) * found.largest);
	errors->largest_field = fmax(errors->largest_field, (all ? 1.0 : of_largest) * found.largest_field);
}

sonde_status checked_compare(sonde_context *context, const struct charges *charges, uint32_t sets,
			     const struct targets *targets, const struct coulomb_plan *plan,
			     const struct checked_points *points, struct coulomb_errors *errors)
{
	double(*sums)[4];
	sonde_status status = SONDE_OK;
	bool on_device = plan->mesh != NULL;

	*errors = (struct coulomb_errors){.points = points->count};
	if (!context_writes(context)) /* rank 0 has the values */
		return parallel_broadcast(context_ranks(context), errors, sizeof *errors);
	CHECK(memory_allocate(&sums, (size_t)points->count * charges->sets + 1, sizeof *sums, "the error estimate"));
	if (on_device)
		status = sum_on_device(context, charges, targets, plan, points, sums);
	if (status == SONDE_RESOURCE) {
		status = SONDE_OK;
		on_device = false;
	}
	for (uint32_t s = 0; status == SONDE_OK && s < sets; ++s) {
		double(*own)[4] = sums + (size_t)s * (size_t)points->count;
		if (!on_device)
			status = sum_on_host(context, charges, s, targets, plan, points, own);
		if (status == SONDE_OK)
			compare_set(s, plan, points, own, errors);
	}
	free(sums);
	return status == SONDE_OK ? parallel_broadcast(context_ranks(context), errors, sizeof *errors) : status;
}
