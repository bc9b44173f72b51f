/* Moments of the distribution of ions at rest, by the backward transport equation (Lindhard, Scharff and Schiott,
 * Mat. Fys. Medd. Dan. Vid. Selsk. 33 (1963) no. 14; with directions expanded in Legendre polynomials: Winterbon,
 * Sigmund and Sanders, ibid. 37 (1970) no. 14). With
 *     L_l f(E) = N int dsigma [f(E) - P_l(cos psi) f(E - T)] + S_e f'(E),
 * T being the energy transferred in a collision and psi the deflection of the ion, the mean path is L_0 s = 1, the
 * mean depth L_1 R = 1, and <r^2> = R^2 + u, <x^2 - y^2> = R^2 + v with
 *     L_0 u = N int dsigma [(R - R' cos psi)^2 + (R' sin psi)^2] + Omega^2 (dR/dE)^2,
 *     L_2 v = N int dsigma [(R - R' cos psi)^2 - (R' sin psi)^2/2] + Omega^2 (dR/dE)^2,
 * where R' = R(E - T). As differences from R^2 they avoid cancellation. Further terms of electronic straggling are
 * of the order of Omega^2/(S_e E), a thousandth or less. An ion only loses energy: the equations are solved from
 * the lowest energy up. */
#include "base/constants.h"
#include "base/threads.h"
#include "stopping/range.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stopping/scattering.h"

#define BEGIN 0.05 /* eV; errors at this energy have no effect at RANGE_FIRST and above */
#define A_DECADE 40
#define ENERGIES_OF_PART 8
#define IMPACTS 120 /* impact parameters at each energy */
#define QUADRATURE 16
#define STENCIL 5

enum moment { PATH, PROJECTED, SPREAD, SKEW, MOMENTS };

struct range_table {
	int count;
	double step; /* of ln E */
	double *values[MOMENTS];
	double *memory;
};

/* Effect of the collisions with one impact parameter. */
struct collision {
	double rate;   /* of collisions, 1/nm */
	double left;   /* remaining fraction of the energy */
	double cosine; /* cosine of the deflection in the laboratory frame */
};

struct solver {
	const struct passage *passage;
	int impacts; /* number for each energy and element */
	struct range_table *table;
	struct collision *collisions; /* energy by energy */
	int each;                     /* number for each energy */
};

double passage_electronic(const struct passage *passage, double energy)
{
	return passage->factor * stopping_electronic(passage->stopping, passage->atomic_number, passage->mass,
						     passage->material, energy);
}

static double energy_at(const struct range_table *table, int i)
{
	return BEGIN * exp(i * table->step);
}

/* Collisions with atoms of element k of the material, at impact parameters evenly spaced in ln s. */
static void fill_element(const struct passage *passage, int k, double energy, int impacts,
			 struct collision *collisions)
{
	const struct material *material = passage->material;
	const struct screening *screening = screening_of(passage->screening);
	double m1 = passage->mass, m2 = material->mass[k], both = m1 + m2;
	int z1 = passage->atomic_number, z2 = material->atomic_number[k];
	double length = screening_length(passage->screening, z1, z2);
	double reduced = energy * length * m2 / (z1 * z2 * COULOMB_EV_NM * both);
	double apsis = scattering_apsis(screening, reduced, 0.0), last = 2.0 * apsis + 40.0;

	/* for bare charges the largest impact parameter is that of an atom's share of a monolayer */
	if (passage->screening == SCREENING_NONE)
		last = 1.0 / (sqrt(PI) * cbrt(material->atoms) * length);
	double first = log(1e-3 * fmin(apsis, last)), step = (log(last) - first) / impacts;
	for (int n = 0; n < impacts; ++n) {
		double impact = exp(first + (n + 0.5) * step);
		double sin2 = fmin(scattering_sin2(screening, reduced, impact, QUADRATURE), 1.0);
		double ratio = m1 / m2, along = 1.0 - 2.0 * sin2 + ratio;
		double across = 2.0 * sqrt(sin2 * (1.0 - sin2)), speed = hypot(along, across);
		collisions[n].rate =
		    material->atoms * material->fraction[k] * 2.0 * PI * length * length * impact * impact * step;
		collisions[n].left = fmax(1.0 - 4.0 * m1 * m2 / (both * both) * sin2, 0.0);
		collisions[n].cosine = speed > 0.0 ? along / speed : 0.0;
	}
}

static void fill_energies(void *state, int64_t first, int64_t end, int worker)
{
	const struct solver *solver = state;
	const struct passage *passage = solver->passage;

	(void)worker;
	for (int64_t i = first; i < end; ++i)
		for (int k = 0; k < passage->material->count; ++k)
			fill_element(passage, k, energy_at(solver->table, (int)i), solver->impacts,
				     solver->collisions + (size_t)i * (size_t)solver->each +
					 (size_t)k * (size_t)solver->impacts);
}

static void fill_collisions(struct solver *solver, int threads)
{
	threads_for(threads, solver->table->count, ENERGIES_OF_PART, fill_energies, solver);
}

/* Lagrange weights at t, in steps from the first of STENCIL nodes. */
static void lagrange(double t, double weights[STENCIL])
{
	static const double below[STENCIL] = {24.0, -6.0, 4.0, -6.0, 24.0};

	for (int j = 0; j < STENCIL; ++j) {
		double product = 1.0;
		for (int k = 0; k < STENCIL; ++k)
			product *= k == j ? 1.0 : t - k;
		weights[j] = product / below[j];
	}
}

/* Interpolation at an energy below node i from nodes first to first + STENCIL - 1. Below the table the value is
 * that of node 0, times `scale`. */
struct place {
	int first;
	double weights[STENCIL];
};

static struct place find_place(const struct solver *solver, int i, double left)
{
	double at = i + log(left) / solver->table->step;
	struct place place = {0};

	if (!(at > 0.0)) {
		/* proportional to the velocity */
		place.weights[0] = left > 0.0 ? exp(0.5 * at * solver->table->step) : 0.0;
		return place;
	}
	int top = (int)at + 3;
	top = top > i ? i : top;
	place.first = top - STENCIL + 1 > 0 ? top - STENCIL + 1 : 0;
	lagrange(at - place.first, place.weights);
	return place;
}

static double known(const double *values, const struct place *place, int i)
{
	double sum = 0.0;

	for (int j = 0; j < STENCIL && place->first + j < i; ++j)
		sum += place->weights[j] * values[place->first + j];
	return sum;
}

static double unknown(const struct place *place, int i)
{
	return i - place->first < STENCIL ? place->weights[i - place->first] : 0.0;
}

/* f' from five nodes, in steps of ln E: the contribution of f_i, and that of the nodes below. */
#define SLOPE_OWN (25.0 / 12.0)
static double slope_below(const double *values, int i)
{
	return -4.0 * values[i - 1] + 3.0 * values[i - 2] - 4.0 / 3.0 * values[i - 3] + 0.25 * values[i - 4];
}

/* One equation at a node: own f_i = rest, with the source and the nodes below in `rest`. */
struct equation {
	double own, rest;
};

static void set_up(const struct solver *solver, int i, struct equation equations[MOMENTS])
{
	const struct collision *collisions = solver->collisions + (size_t)i * (size_t)solver->each;
	double energy = energy_at(solver->table, i), **values = solver->table->values;
	double unit = passage_electronic(solver->passage, energy) / (energy * solver->table->step);

	for (int m = 0; m < MOMENTS; ++m) {
		equations[m].own = unit * SLOPE_OWN;
		equations[m].rest = (m <= PROJECTED ? 1.0 : 0.0) - unit * slope_below(values[m], i);
	}
	for (int n = 0; n < solver->each; ++n) {
		double rate = collisions[n].rate, cosine = collisions[n].cosine;
		const double legendre[MOMENTS] = {1.0, cosine, 1.0, 1.5 * cosine * cosine - 0.5};
		struct place place = find_place(solver, i, collisions[n].left);
		for (int m = 0; m < MOMENTS; ++m) {
			equations[m].own += rate * (1.0 - legendre[m] * unknown(&place, i));
			equations[m].rest += rate * legendre[m] * known(values[m], &place, i);
		}
	}
}

/* The source terms of the second moments, which depend on the range. */
static void add_sources(const struct solver *solver, int i, struct equation equations[MOMENTS])
{
	const struct passage *passage = solver->passage;
	const struct collision *collisions = solver->collisions + (size_t)i * (size_t)solver->each;
	const double *ranges = solver->table->values[PROJECTED];
	double energy = energy_at(solver->table, i);

	for (int n = 0; n < solver->each; ++n) {
		double rate = collisions[n].rate, cosine = collisions[n].cosine;
		struct place place = find_place(solver, i, collisions[n].left);
		double then = known(ranges, &place, i) + ranges[i] * unknown(&place, i);
		double along = ranges[i] - then * cosine, across = then * then * (1.0 - cosine * cosine);
		equations[SPREAD].rest += rate * (along * along + across);
		equations[SKEW].rest += rate * (along * along - 0.5 * across);
	}
	double slope = (SLOPE_OWN * ranges[i] + slope_below(ranges, i)) / (energy * solver->table->step);
	double straggling =
	    stopping_straggling(passage->stopping, passage->atomic_number, passage->mass, passage->material, energy);
	/* Bohr's formula does not decrease at low energies; the mean square of a loss cannot exceed the mean times
	 * E */
	straggling = fmin(straggling, passage_electronic(passage, energy) * energy);
	for (int m = SPREAD; m < MOMENTS; ++m)
		equations[m].rest += straggling * slope * slope;
}

static void solve_node(const struct solver *solver, int i)
{
	double **values = solver->table->values;
	struct equation equations[MOMENTS];

	set_up(solver, i, equations);
	for (int m = PATH; m <= PROJECTED; ++m)
		values[m][i] = equations[m].rest / equations[m].own;
	add_sources(solver, i, equations);
	for (int m = SPREAD; m < MOMENTS; ++m)
		values[m][i] = equations[m].rest / equations[m].own;
}

/* The first nodes, where ranges are negligible: continuous slowing down. */
static void begin(const struct solver *solver)
{
	const struct passage *passage = solver->passage;

	for (int i = 0; i < STENCIL - 1; ++i) {
		double energy = energy_at(solver->table, i);
		double both =
		    passage_electronic(passage, energy) + stopping_nuclear(passage->screening, passage->atomic_number,
									   passage->mass, passage->material, energy);
		solver->table->values[PATH][i] = solver->table->values[PROJECTED][i] = 2.0 * energy / both;
	}
}

/* With steps of energy and impact parameter `coarser` times as long. */
static sonde_status make(const struct passage *passage, double last, int threads, int coarser,
			 struct range_table **table)
{
	struct solver solver = {
	    .passage = passage, .impacts = IMPACTS / coarser, .each = passage->material->count * (IMPACTS / coarser)};
	const int in_decade = A_DECADE / coarser;
	sonde_status status;

	*table = NULL;
	if (passage->material->count == 0)
		return status_fail(SONDE_INVALID, "ions have no range in vacuum");
	CHECK_GOTO(status, memory_allocate(table, 1, sizeof **table, "the ranges"), done);
	(*table)->step = log(10.0) / in_decade;
	(*table)->count = (int)(log(last / BEGIN) / (*table)->step) + 3;
	size_t count = (size_t)(*table)->count;
	CHECK_GOTO(status, memory_allocate(&(*table)->memory, count * MOMENTS, sizeof(double), "the ranges"), done);
	for (int m = 0; m < MOMENTS; ++m)
		(*table)->values[m] = (*table)->memory + count * (size_t)m;
	solver.table = *table;
	CHECK_GOTO(status,
		   memory_allocate(&solver.collisions, count * (size_t)solver.each, sizeof *solver.collisions,
				   "the collisions"),
		   done);
	fill_collisions(&solver, threads);
	begin(&solver);
	for (int i = STENCIL - 1; i < (*table)->count; ++i)
		solve_node(&solver, i);
done:
	free(solver.collisions);
	if (status != SONDE_OK)
		range_table_free(table);
	return status;
}

sonde_status range_table_make(const struct passage *passage, double last, int threads, struct range_table **table)
{
	return make(passage, last, threads, 1, table);
}

sonde_status range_table_make_coarse(const struct passage *passage, double last, int threads,
				     struct range_table **table)
{
	return make(passage, last, threads, 2, table);
}

void range_table_free(struct range_table **table)
{
	if (*table != NULL)
		free((*table)->memory);
	free(*table);
	*table = NULL;
}

struct range range_table_at(const struct range_table *table, double energy)
{
	double at = log(energy / BEGIN) / table->step, weights[STENCIL], found[MOMENTS] = {0};
	int first = (int)at - STENCIL / 2;

	first = first < 0 ? 0 : first > table->count - STENCIL ? table->count - STENCIL : first;
	lagrange(at - first, weights);
	for (int m = 0; m < MOMENTS; ++m)
		for (int j = 0; j < STENCIL; ++j)
			found[m] += weights[j] * table->values[m][first + j];
	return (struct range){.path = found[PATH],
			      .projected = found[PROJECTED],
			      .longitudinal = sqrt(fmax(found[SPREAD] + 2.0 * found[SKEW], 0.0) / 3.0),
			      .lateral = sqrt(fmax(found[SPREAD] - found[SKEW], 0.0) / 3.0)};
}
