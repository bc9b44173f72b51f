/* Springs of a cage, relaxed by FIRE (E. Bitzek et al., Phys. Rev. Lett. 97, 170201 (2006)). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "matter/generate/cage.h"

#define SECOND_STIFFNESS 0.2 /* of springs between second neighbors, relative to those of bonds */
#define MOST_STEPS 20000
#define STILL 1e-7 /* largest force, in units of the bond and its stiffness */
#define SQRT3 1.73205080756887729353

struct spring {
	int64_t a, b;
	double length, stiffness;
};

struct relaxation {
	const struct cage *cage;
	double bond;
	struct spring *springs;
	int64_t spring_count;
	int64_t *moving; /* atoms that are not fixed */
	int64_t count;
	double (*velocities)[3], (*forces)[3]; /* of all atoms; forces on fixed ones are not used */
};

static bool are_bonded(const struct cage *cage, int64_t a, int64_t b)
{
	const int64_t *next = cage->neighbors[a];

	return next[0] == b || next[1] == b || next[2] == b;
}

/* Whether a - middle - b is part of a pentagon: other neighbors of a and of b are bonded. */
static bool in_pentagon(const struct cage *cage, int64_t a, int64_t middle, int64_t b)
{
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j) {
			const int64_t c = cage->neighbors[a][i], d = cage->neighbors[b][j];
			if (c != middle && d != middle && are_bonded(cage, c, d))
				return true;
		}
	return false;
}

static void add_spring(struct relaxation *relaxation, int64_t a, int64_t b, double length, double stiffness)
{
	if (!relaxation->cage->fixed[a] || !relaxation->cage->fixed[b])
		relaxation->springs[relaxation->spring_count++] = (struct spring){a, b, length, stiffness};
}

/* A bond of each pair, and a spring across each of an atom's three angles. */
static void add_springs(struct relaxation *relaxation)
{
	const struct cage *cage = relaxation->cage;

	for (int64_t n = 0; n < cage->count; ++n) {
		const int64_t *next = cage->neighbors[n];
		for (int k = 0; k < 3; ++k) {
			const int64_t a = next[k], b = next[(k + 1) % 3];
			if (a > n)
				add_spring(relaxation, n, a, relaxation->bond, 1.0);
			add_spring(relaxation, a, b,
				   relaxation->bond * (in_pentagon(cage, a, n, b) ? 2.0 * sin(0.3 * PI) : SQRT3),
				   SECOND_STIFFNESS);
		}
	}
}

/* Their largest component. */
static double find_forces(struct relaxation *relaxation)
{
	const struct cage *cage = relaxation->cage;
	double largest = 0.0;

	for (int64_t n = 0; n < relaxation->count; ++n)
		memset(relaxation->forces[relaxation->moving[n]], 0, sizeof relaxation->forces[0]);
	for (int64_t s = 0; s < relaxation->spring_count; ++s) {
		const struct spring *spring = &relaxation->springs[s];
		const double *a = cage->positions[spring->a], *b = cage->positions[spring->b],
			     d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
		const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]),
			     pull = length > 0.0 ? spring->stiffness * (1.0 - spring->length / length) : 0.0;
		for (int k = 0; k < 3; ++k) {
			relaxation->forces[spring->a][k] += pull * d[k];
			relaxation->forces[spring->b][k] -= pull * d[k];
		}
	}
	for (int64_t n = 0; n < relaxation->count; ++n)
		for (int k = 0; k < 3; ++k)
			largest = fmax(largest, fabs(relaxation->forces[relaxation->moving[n]][k]));
	return largest;
}

static double product(const struct relaxation *relaxation, double (*a)[3], double (*b)[3])
{
	double sum = 0.0;

	for (int64_t n = 0; n < relaxation->count; ++n) {
		const int64_t i = relaxation->moving[n];
		sum += a[i][0] * b[i][0] + a[i][1] * b[i][1] + a[i][2] * b[i][2];
	}
	return sum;
}

/* The velocity of a step, and the step's time and mixing as in FIRE. */
struct pace {
	double time, mixing;
	int downhill;
};

static void turn_velocities(struct relaxation *relaxation, struct pace *pace)
{
	double(*v)[3] = relaxation->velocities, (*force)[3] = relaxation->forces;
	const double power = product(relaxation, force, v), forces = sqrt(product(relaxation, force, force)),
		     speed = sqrt(product(relaxation, v, v));

	for (int64_t n = 0; n < relaxation->count; ++n) {
		const int64_t i = relaxation->moving[n];
		for (int k = 0; k < 3; ++k)
			v[i][k] = power > 0.0
				      ? (1.0 - pace->mixing) * v[i][k] + pace->mixing * speed / forces * force[i][k]
				      : 0.0;
	}
	if (power <= 0.0) {
		*pace = (struct pace){0.5 * pace->time, 0.1, 0};
		return;
	}
	if (++pace->downhill > 5) {
		pace->time = fmin(1.1 * pace->time, 0.6);
		pace->mixing *= 0.99;
	}
}

static sonde_status minimize(sonde_context *context, struct relaxation *relaxation)
{
	const struct cage *cage = relaxation->cage;
	struct pace pace = {0.1, 0.1, 0};
	struct stage stage;
	double largest = find_forces(relaxation);

	stage_begin(&stage, context, "build", "steps", MOST_STEPS);
	for (int step = 0; step < MOST_STEPS && largest > STILL * relaxation->bond; ++step) {
		for (int64_t n = 0; n < relaxation->count; ++n) {
			const int64_t i = relaxation->moving[n];
			for (int k = 0; k < 3; ++k) {
				relaxation->velocities[i][k] += pace.time * relaxation->forces[i][k];
				cage->positions[i][k] += pace.time * relaxation->velocities[i][k];
			}
		}
		largest = find_forces(relaxation);
		turn_velocities(relaxation, &pace);
		if (step % 64 == 0)
			CHECK(stage_advance(&stage, (double)step));
	}
	return stage_advance(&stage, MOST_STEPS);
}

sonde_status cage_relax(sonde_context *context, double bond, struct cage *cage)
{
	struct relaxation relaxation = {.cage = cage, .bond = bond};
	const size_t count = (size_t)cage->count;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&relaxation.springs, 5 * count, sizeof *relaxation.springs, "a cage"),
		   done);
	CHECK_GOTO(status, memory_allocate(&relaxation.velocities, count, sizeof *relaxation.velocities, "a cage"),
		   done);
	CHECK_GOTO(status, memory_allocate(&relaxation.forces, count, sizeof *relaxation.forces, "a cage"), done);
	CHECK_GOTO(status, memory_allocate(&relaxation.moving, count, sizeof *relaxation.moving, "a cage"), done);
	for (int64_t n = 0; n < cage->count; ++n)
		if (!cage->fixed[n])
			relaxation.moving[relaxation.count++] = n;
	add_springs(&relaxation);
	status = minimize(context, &relaxation);
done:
	free(relaxation.moving);
	free(relaxation.springs);
	free(relaxation.velocities);
	free(relaxation.forces);
	return status;
}
