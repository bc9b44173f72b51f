/* Orientations: one, a list, random ones, a grid on SO(3), a fiber texture. */
#include "pattern/average/turns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/text.h"
#include "matter/elements/assignments.h"
#include "matter/generate/ensemble.h"
#include "matter/generate/keyed_random.h"
#include "pattern/average/turn_list.h"

#define MOST_TURNS 1e9
#define MOST_POINTS 640 /* of a grid: more than MOST_TURNS orientations */

static const double unturned[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

/* Option `orientation` ---------------------------------------------------------------------------------------- */

static sonde_status read_first(const char *text, double rotation[3][3])
{
	double numbers[ASSIGNMENT_MOST_NUMBERS];
	int count;

	memcpy(rotation, unturned, sizeof unturned);
	if (text[0] == '\0')
		return SONDE_OK;
	CHECK(assignment_numbers("orientation", text, text + strlen(text), numbers, &count));
	for (int k = 0; k < count; ++k)
		if (!isfinite(numbers[k]))
			return status_fail_option(SONDE_INVALID, "orientation", "'%.60s' is not finite", text);
	if (count == 3) {
		rotation_of_euler_angles(numbers, rotation);
		return SONDE_OK;
	}
	if (count != 4)
		return status_fail_option(SONDE_INVALID, "orientation",
					  "'%.60s' is neither phi,theta,psi (Euler angles in degrees) nor w,x,y,z (a "
					  "quaternion)",
					  text);
	const sonde_status status = rotation_of_quaternion(numbers, rotation);
	return status == SONDE_OK ? SONDE_OK : status_prefix_option(status, "orientation");
}

/* The grid ---------------------------------------------------------------------------------------------------- */

/* Points and weights of Gauss and Legendre on [-1, 1], by Newton's method; the weights add up to 1. */
static void find_nodes(int64_t count, double *nodes, double *weights)
{
	for (int64_t k = 0; k < count; ++k) {
		double x = cos(PI * ((double)k + 0.75) / ((double)count + 0.5)), slope = 1.0;
		for (int step = 0; step < 50; ++step) {
			double before = 1.0, value = x;
			for (int64_t n = 2; n <= count; ++n) {
				const double next =
				    ((2.0 * (double)n - 1.0) * x * value - ((double)n - 1.0) * before) / (double)n;
				before = value;
				value = next;
			}
			slope = (double)count * (x * value - before) / (x * x - 1.0);
			const double change = value / slope;
			x -= change;
			if (fabs(change) < 1e-16)
				break;
		}
		nodes[k] = x;
		weights[k] = 1.0 / ((1.0 - x * x) * slope * slope);
	}
}

/* A function of band limit L on SO(3) is a sum of D_mn^l with l up to L, which depend on phi and psi as exp(-i (m phi + n psi))
 * and, for m = n = 0, on theta as the polynomial P_l(cos theta). Equal angles, more than L of them, remove all others. */
static sonde_status make_grid(int64_t wanted, struct turns *turns)
{
	int64_t points = 1;

	while (points < MOST_POINTS && 4 * points * points * points < wanted)
		++points;
	turns->points = points;
	turns->count = 4 * points * points * points;
	turns->degree = (int)(2 * points - 1);
	CHECK(memory_allocate(&turns->nodes, (size_t)points, sizeof(double), "the orientations"));
	CHECK(memory_allocate(&turns->node_weights, (size_t)points, sizeof(double), "the orientations"));
	find_nodes(points, turns->nodes, turns->node_weights);
	return SONDE_OK;
}

static double grid_turn(const struct turns *turns, int64_t k, double rotation[3][3])
{
	const int64_t around = 2 * turns->points, node = k / (around * around), phi = k / around % around,
		      psi = k % around;
	const double angles[3] = {360.0 * (double)phi / (double)around, acos(turns->nodes[node]) * (180.0 / PI),
				  360.0 * (double)psi / (double)around};

	rotation_of_euler_angles(angles, rotation);
	return turns->node_weights[node] / (double)(around * around);
}

/* Fibers ------------------------------------------------------------------------------------------------------ */

static double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double product[3])
{
	for (int k = 0; k < 3; ++k)
		product[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void normalize(double vector[3])
{
	const double length = sqrt(dot(vector, vector));

	for (int k = 0; k < 3; ++k)
		vector[k] /= length;
}

static void find_perpendicular(const double a[3], double across[3])
{
	const int least = fabs(a[0]) <= fabs(a[1]) && fabs(a[0]) <= fabs(a[2]) ? 0 : fabs(a[1]) <= fabs(a[2]) ? 1 : 2;
	const double axis[3] = {least == 0, least == 1, least == 2};

	cross(a, axis, across);
	normalize(across);
}

/* By an angle about a unit vector. */
static void turn_about(const double axis[3], double angle, double rotation[3][3])
{
	const double s = sin(0.5 * angle);
	const double quaternion[4] = {cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]};

	(void)rotation_of_quaternion(quaternion, rotation);
}

/* The shortest rotation from one unit vector to another. */
static void turn_between(const double from[3], const double to[3], double rotation[3][3])
{
	double axis[3];

	cross(from, to, axis);
	const double sine = sqrt(dot(axis, axis)), angle = atan2(sine, dot(from, to));
	if (sine > 1e-12) {
		for (int k = 0; k < 3; ++k)
			axis[k] /= sine;
	} else {
		find_perpendicular(from, axis);
	}
	turn_about(axis, angle, rotation);
}

/* The tilt by Fisher's distribution, exp(cos(tilt)/s^2) per solid angle (R. A. Fisher, Proc. R. Soc. A 217 (1953) 295), whose
 * cosine has the cumulative distribution (exp(c/s^2) - exp(-1/s^2))/(exp(1/s^2) - exp(-1/s^2)). */
static double tilt_of(double spread, double uniform)
{
	const double square = spread * spread,
		     down = -square * log1p(-(1.0 - uniform) * -expm1(-2.0 / square)); /* 1 - cos(tilt) */

	return 2.0 * asin(fmin(1.0, sqrt(0.5 * down)));
}

static void fiber_turn(const struct turns *turns, int64_t number, double rotation[3][3])
{
	double to[3][3], about[3][3], tilt[3][3], both[3][3], across[3], other[3];
	double u[2] = {0.0}, v[2];

	turn_between(turns->axis, turns->direction, to);
	if (turns->spread == 0.0) {
		turn_about(turns->direction, 2.0 * PI * (double)(number % turns->count) / (double)turns->count,
			   about);
		rotation_multiply((const double(*)[3])about, (const double(*)[3])to, rotation);
		return;
	}
	const struct random_key key = {turns->seed, RANDOM_TURN};
	keyed_uniforms(key, number, 0, u);
	keyed_uniforms(key, number, 1, v);
	turn_about(turns->direction, 2.0 * PI * u[0], about);
	find_perpendicular(turns->direction, across);
	cross(turns->direction, across, other);
	for (int k = 0; k < 3; ++k)
		across[k] = cos(2.0 * PI * u[1]) * across[k] + sin(2.0 * PI * u[1]) * other[k];
	turn_about(across, tilt_of(turns->spread, v[0]), tilt);
	rotation_multiply((const double(*)[3])about, (const double(*)[3])to, both);
	rotation_multiply((const double(*)[3])tilt, (const double(*)[3])both, rotation);
}

static sonde_status take_vector(const char *option, const sonde_vector *vector, double unit[3])
{
	unit[0] = vector->x;
	unit[1] = vector->y;
	unit[2] = vector->z;
	if (!(dot(unit, unit) > 0.0))
		return status_fail_option(SONDE_INVALID, option, "the vector has no length");
	normalize(unit);
	return SONDE_OK;
}

static sonde_status make_fiber(const sonde_pattern_options *options, struct turns *turns)
{
	CHECK(take_vector("fiber_axis", &options->fiber_axis, turns->axis));
	CHECK(take_vector("fiber_direction", &options->fiber_direction, turns->direction));
	turns->spread = options->fiber_spread * (PI / 180.0);
	turns->sampled = turns->spread > 0.0;
	turns->degree = turns->sampled ? 0 : turns->count <= INT32_MAX ? (int)turns->count - 1 : INT32_MAX;
	return SONDE_OK;
}

/* All --------------------------------------------------------------------------------------------------------- */

static void random_turn(const struct turns *turns, int64_t number, double rotation[3][3])
{
	const struct random_key key = {turns->seed, RANDOM_TURN};
	double u[3], last[2];

	keyed_uniforms(key, number, 0, u);
	keyed_uniforms(key, number, 1, last);
	u[2] = last[0];
	rotation_of_uniforms(u, rotation);
}

/* "random:1000": its kind and its number; TURNS_LIST if it is something else. */
static sonde_status read_kind(const char *text, struct turns *turns, int64_t *number)
{
	static const struct {
		const char *name;
		enum turns_kind kind;
	} kinds[] = {{"random:", TURNS_RANDOM}, {"uniform:", TURNS_GRID}, {"fiber:", TURNS_FIBER}};

	turns->kind = TURNS_LIST;
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
		const size_t length = strlen(kinds[k].name);
		if (strncmp(text, kinds[k].name, length) != 0)
			continue;
		turns->kind = kinds[k].kind;
		if (!text_parse_integer(text + length, text + strlen(text), number) || *number < 1 ||
		    (double)*number > MOST_TURNS)
			return status_fail_option(SONDE_INVALID, "orientations",
						  "'%.60s': the number of orientations must be 1 to %.0e", text,
						  MOST_TURNS);
	}
	return SONDE_OK;
}

static sonde_status check_fiber_options(const sonde_pattern_options *options, const struct turns *turns)
{
	if (turns->kind != TURNS_FIBER && options->fiber_spread > 0.0)
		return status_fail_option(SONDE_INVALID, "fiber_spread", "is for `orientations` fiber:N");
	return SONDE_OK;
}

static sonde_status make(const sonde_pattern_options *options, struct turns *turns)
{
	int64_t number = 1;

	*turns = (struct turns){.kind = TURNS_ONE, .count = 1, .seed = options->orientation_seed};
	CHECK(read_first(options->orientation, turns->first));
	turns->turned = options->orientation[0] != '\0' || options->orientations[0] != '\0';
	if (options->orientations[0] != '\0')
		CHECK(read_kind(options->orientations, turns, &number));
	CHECK(check_fiber_options(options, turns));
	switch (turns->kind) {
	case TURNS_LIST:
		return turn_list_read(options->orientations, &turns->listed, &turns->weights, &turns->count);
	case TURNS_GRID:
		return make_grid(number, turns);
	case TURNS_FIBER:
		turns->count = number;
		return make_fiber(options, turns);
	default:
		turns->count = number;
		turns->sampled = turns->kind == TURNS_RANDOM;
		return SONDE_OK;
	}
}

/* Each orientation is one shot. */
static sonde_status take_shots(const sonde_pattern_options *options, struct turns *turns)
{
	if (options->shots == 0)
		return SONDE_OK;
	if (options->orientations[0] != '\0')
		return options->shots == turns->count
			   ? SONDE_OK
			   : status_fail_option(
				 SONDE_INVALID, "shots",
				 "there are %lld orientations, one for each shot; leave out `orientations` for "
				 "random ones",
				 (long long)turns->count);
	turns->kind = TURNS_RANDOM;
	turns->count = options->shots;
	turns->turned = turns->sampled = true;
	return SONDE_OK;
}

sonde_status turns_make(const sonde_pattern_options *options, struct turns *turns)
{
	CHECK(make(options, turns));
	CHECK(take_shots(options, turns));
	turns->weight = turns->sampled ? (double)turns->count : 1.0;
	return SONDE_OK;
}

void turns_free(struct turns *turns)
{
	free(turns->listed);
	free(turns->weights);
	free(turns->nodes);
	free(turns->node_weights);
	*turns = (struct turns){.count = 0};
}

double turns_get(const struct turns *turns, int64_t sample, int64_t k, double rotation[3][3])
{
	/* for one sample the same numbers for any count */
	const int64_t number = sample * turns->count + k;
	double weight = turns->sampled ? 1.0 : 1.0 / (double)turns->count, turn[3][3];

	memcpy(turn, unturned, sizeof turn);
	if (turns->kind == TURNS_LIST) {
		memcpy(turn, turns->listed[k], sizeof turn);
		weight = turns->weights[k];
	}
	if (turns->kind == TURNS_RANDOM)
		random_turn(turns, number, turn);
	if (turns->kind == TURNS_GRID)
		weight = grid_turn(turns, k, turn);
	if (turns->kind == TURNS_FIBER)
		fiber_turn(turns, number, turn);
	rotation_multiply((const double(*)[3])turn, turns->first, rotation);
	return weight;
}

void turns_describe(const struct turns *turns, char *text, size_t size)
{
	static const char *const names[] = {[TURNS_ONE] = "given",
					    [TURNS_LIST] = "of a list",
					    [TURNS_RANDOM] = "random",
					    [TURNS_GRID] = "uniform grid",
					    [TURNS_FIBER] = "fiber texture"};
	const size_t used = (size_t)snprintf(text, size, "%lld, %s", (long long)turns->count, names[turns->kind]);

	if (turns->degree > 0 && used < size)
		snprintf(text + used, size - used, ", exact to degree %d", turns->degree);
}
