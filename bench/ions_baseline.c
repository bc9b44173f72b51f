#include "ions_baseline.h"

#include <math.h>

#define PI 3.14159265358979323846
#define E2 1.43996454784255 /* eV nm */
#define MOST_WAITING 4096
#define BINS 100

struct atom {
	double energy, x, direction[3];
	int kind; /* 0 the ion, 1 a recoil */
};

struct state {
	const struct ions_baseline *job;
	struct atom stack[MOST_WAITING];
	int depth;
	uint64_t random;
	double vacancies[BINS], electronic[BINS], phonons[BINS];
	double range, range_squares, stopped, displaced, collisions;
};

static double uniform(struct state *state)
{
	uint64_t x = state->random;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	state->random = x;
	return ((double)(x >> 11) + 0.5) / 9007199254740992.0;
}

static int bin_of(const struct state *state, double x)
{
	double bin = x / state->job->bin;

	return bin < 0.0 ? 0 : bin >= BINS ? BINS - 1 : (int)bin;
}

/* sin^2(theta/2) */
static double magic(double eps, double s)
{
	static const double weights[4] = {0.18175, 0.50986, 0.28022, 0.028171},
			    rates[4] = {3.1998, 0.94229, 0.4029, 0.20162};
	double x, phi = 0.0, slope = 0.0;

	if (eps >= 10.0)
		return 1.0 / (1.0 + (1.0 + s * (1.0 + s)) * (2.0 * eps * s) * (2.0 * eps * s));
	x = 0.5 / eps + sqrt(0.25 / (eps * eps) + s * s);
	for (int n = 0; n < 30; ++n) {
		phi = slope = 0.0;
		for (int k = 0; k < 4; ++k) {
			double term = weights[k] * exp(-rates[k] * x);
			phi += term;
			slope -= rates[k] * term;
		}
		double step = (x * x - x * phi / eps - s * s) / (2.0 * x - (phi + x * slope) / eps);
		x -= step;
		if (fabs(step) < 1e-4 * x)
			break;
	}
	double potential = phi / x, force = (phi / x - slope) / x, rho = 2.0 * (eps - potential) / force,
	       root = sqrt(eps);
	double alpha = 1.0 + 0.99229 / root, beta = (0.011615 + root) / (0.0071222 + root),
	       gamma = (14.813 + eps) / (9.3066 + eps);
	double a = 2.0 * alpha * eps * pow(s, beta), g = gamma / (sqrt(1.0 + a * a) - a);
	double cosine = (s + rho + a * (x - s) / (1.0 + g)) / (x + rho);

	return cosine < 1.0 ? 1.0 - cosine * cosine : 0.0;
}

static void turn(double *u, double cosine, double sine, double azimuth)
{
	double across = sqrt(u[0] * u[0] + u[1] * u[1]), c = sine * cos(azimuth), s = sine * sin(azimuth);
	const double v[3] = {u[0], u[1], u[2]};

	if (across < 1e-9) {
		u[0] = c;
		u[1] = s;
		u[2] = v[2] > 0.0 ? cosine : -cosine;
		return;
	}
	u[0] = v[0] * cosine + (v[0] * v[2] * c - v[1] * s) / across;
	u[1] = v[1] * cosine + (v[1] * v[2] * c + v[0] * s) / across;
	u[2] = v[2] * cosine - c * across;
}

static struct ions_baseline_flight flight_at(const struct state *state, const struct atom *atom)
{
	int octave;
	double mantissa = frexp(atom->energy / IONS_BASELINE_FIRST, &octave);
	int node = octave < 1 ? 0 : 16 * (octave - 1) + (int)(16.0 * (2.0 * mantissa - 1.0));
	struct ions_baseline_flight flight = state->job->flights[atom->kind][node];

	flight.stopping += flight.slope * (atom->energy - ldexp(1.0 + node % 16 / 16.0, node / 16 - 3));
	return flight;
}

static void collide(struct state *state, struct atom *atom, double disc)
{
	const struct ions_baseline *job = state->job;
	double mass = atom->kind == 0 ? job->m1 : job->m2, z = atom->kind == 0 ? job->z1 : job->z2;
	double length = 0.8854 * 0.052917721 / (pow(z, 0.23) + pow(job->z2, 0.23));
	double reduced = length * job->m2 / (z * job->z2 * E2 * (mass + job->m2)) * atom->energy;
	double sin2 = magic(reduced, sqrt(uniform(state) * disc) / length);
	double transfer = 4.0 * mass * job->m2 / ((mass + job->m2) * (mass + job->m2)) * atom->energy * sin2;
	double theta = 2.0 * asin(sqrt(sin2)), azimuth = 2.0 * PI * uniform(state);
	double psi = atan2(sin(theta), cos(theta) + mass / job->m2);
	struct atom recoil = *atom;

	state->collisions += 1.0;
	turn(atom->direction, cos(psi), sin(psi), azimuth);
	atom->energy -= transfer;
	if (transfer < job->displacement) {
		state->phonons[bin_of(state, atom->x)] += transfer;
		return;
	}
	recoil.energy = transfer - job->lattice;
	recoil.kind = 1;
	turn(recoil.direction, sin(0.5 * theta), cos(0.5 * theta), azimuth + PI);
	if (state->depth < MOST_WAITING)
		state->stack[state->depth++] = recoil;
	if (atom->energy < job->displacement && (atom->kind == 1 || job->z1 == job->z2)) {
		state->phonons[bin_of(state, atom->x)] += atom->energy + job->lattice;
		atom->energy = 0.0;
	} else {
		state->vacancies[bin_of(state, atom->x)] += 1.0;
		state->displaced += 1.0;
	}
}

static void follow(struct state *state, struct atom atom)
{
	const struct ions_baseline *job = state->job;
	double first = atom.kind == 0 && !job->exponential ? uniform(state) : 1.0;

	while (atom.energy >= job->cutoff) {
		const struct ions_baseline_flight flight = flight_at(state, &atom);
		double length = flight.length * (job->exponential ? -log(uniform(state)) : first);
		int meets = 1;
		if (job->exponential && length * flight.stopping > 0.05 * atom.energy) {
			length = 0.05 * atom.energy / flight.stopping;
			meets = 0;
		}
		double loss = length * (flight.stopping - 0.5 * flight.slope * flight.stopping * length);
		loss = loss < atom.energy ? loss : atom.energy;
		first = 1.0;
		atom.energy -= loss;
		atom.x += length * atom.direction[0];
		if (atom.x < 0.0)
			return;
		state->electronic[bin_of(state, atom.x)] += loss;
		if (meets && atom.energy >= job->cutoff)
			collide(state, &atom, flight.disc);
	}
	state->phonons[bin_of(state, atom.x)] += atom.energy;
	if (atom.kind == 0) {
		state->range += atom.x;
		state->range_squares += atom.x * atom.x;
		state->stopped += 1.0;
	}
}

void baseline_ions(const struct ions_baseline *job, int64_t ions, struct ions_baseline_answer *answer)
{
	static struct state state;
	double squares = 0.0;

	state = (struct state){.job = job, .random = 88172645463325252U};
	for (int64_t n = 0; n < ions; ++n) {
		double before = state.displaced;
		follow(&state, (struct atom){.energy = job->energy, .direction = {1.0, 0.0, 0.0}});
		while (state.depth > 0)
			follow(&state, state.stack[--state.depth]);
		squares += (state.displaced - before) * (state.displaced - before);
	}
	double count = (double)ions, range = state.range / state.stopped, vacancies = state.displaced / count;
	*answer = (struct ions_baseline_answer){
	    .ions = ions,
	    .range = range,
	    .range_error = sqrt((state.range_squares / state.stopped - range * range) / state.stopped),
	    .vacancies = vacancies,
	    .vacancies_error = sqrt((squares / count - vacancies * vacancies) / count),
	    .collisions = state.collisions / count};
}
