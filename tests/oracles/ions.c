#include "oracles/ions.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define PI 3.14159265358979323846
#define E2 1.439964548 /* e^2/(4 pi epsilon_0), eV nm */
#define BOHR 0.052917721
#define MOST_WAITING 4096

/* --- the potential and its scattering integral --- */

static const struct {
	int terms;
	double weight[4], rate[4];
} potentials[] = {
    [ORACLE_ZBL] = {4, {0.18175, 0.50986, 0.28022, 0.028171}, {3.1998, 0.94229, 0.4029, 0.20162}},
    [ORACLE_KR_C] = {3, {0.335381, 0.473674, 0.190945}, {1.919249, 0.637174, 0.278544}},
    [ORACLE_MOLIERE] = {3, {0.1, 0.55, 0.35}, {6.0, 1.2, 0.3}},
    [ORACLE_LENZ_JENSEN] = {3, {0.7466, 0.2433, 0.01018}, {1.038, 0.3876, 0.206}},
};

/* Screening at x; *falls: minus its derivative. */
static double screen(enum oracle_potential potential, double x, double *falls)
{
	double sum = 0.0, derivative = 0.0;

	for (int k = 0; k < potentials[potential].terms; ++k) {
		double term = potentials[potential].weight[k] * exp(-potentials[potential].rate[k] * x);
		sum += term;
		derivative += potentials[potential].rate[k] * term;
	}
	if (falls != NULL)
		*falls = derivative;
	return sum;
}

double oracle_screening_length(enum oracle_potential potential, int z1, int z2)
{
	double a = z1, b = z2;

	return potential == ORACLE_ZBL ? 0.8854 * BOHR / (pow(a, 0.23) + pow(b, 0.23))
				       : 0.8854 * BOHR * pow(sqrt(a) + sqrt(b), -2.0 / 3.0);
}

/* Where phi(x)/(x energy) + (impact/x)^2 = 1: the logarithm of the left side falls with ln x, ever steeper; Newton's method on these,
 * within bounds that close in. */
static double closest(enum oracle_potential potential, double energy, double impact)
{
	double most = 0.5 / energy + sqrt(0.25 / (energy * energy) + impact * impact);
	double low = impact > 0.0 ? log(impact) : -60.0, high = log(most),
	       y = impact > 1.0 ? log(fmin(impact + 10.0, most)) : fmin(high, 4.0);

	y = y < low ? low : y;
	for (int turn = 0; turn < 100; ++turn) {
		double x = exp(y), falls, phi = screen(potential, x, &falls), part = phi / (x * energy),
		       square = impact * impact / (x * x), both = part + square, value = log(both);
		if (value > 0.0)
			low = fmax(low, y);
		else
			high = fmin(high, y);
		double slope = -(part + falls / energy + 2.0 * square) / both, next = y - value / slope;
		if (!(next >= low && next <= high))
			next = 0.5 * (low + high);
		if (fabs(next - y) < 1e-15 * (1.0 + fabs(y)))
			return exp(next);
		y = next;
	}
	return exp(y);
}

/* Nodes and weights of Gauss and Legendre's quadrature from 0 to 1, by Newton's method from the well-known guess. */
#define POINTS 24 /* sin^2(theta/2) within 3e-6 of itself */
static double gauss_node[POINTS], gauss_weight[POINTS];

static void make_gauss(void)
{
	for (int i = 0; i < POINTS; ++i) {
		double t = cos(PI * (i + 0.75) / (POINTS + 0.5)), derivative = 1.0;
		for (int turn = 0; turn < 50; ++turn) {
			double before = 1.0, p = t;
			for (int n = 2; n <= POINTS; ++n) {
				double next = ((2.0 * n - 1.0) * t * p - (n - 1.0) * before) / n;
				before = p;
				p = next;
			}
			derivative = POINTS * (t * p - before) / (t * t - 1.0);
			double change = p / derivative;
			t -= change;
			if (fabs(change) < 1e-16)
				break;
		}
		gauss_node[i] = 0.5 * (1.0 + t);
		gauss_weight[i] = 1.0 / ((1.0 - t * t) * derivative * derivative);
	}
}

/* (pi - theta)/2 = s integral from x0 of dx/(x^2 sqrt(1 - phi/(x energy) - s^2/x^2)); with x = x0/(1 - v^2) the root at x0 is lifted,
 * and v goes from 0 to 1. */
static double half_supplement(enum oracle_potential potential, double energy, double impact, double apsis)
{
	double sum = 0.0;

	for (int i = 0; i < POINTS; ++i) {
		double v = gauss_node[i], u = 1.0 - v * v, x = apsis / u;
		double rest = 1.0 - screen(potential, x, NULL) / (x * energy) - impact * impact / (x * x);
		sum += gauss_weight[i] * 2.0 * v / sqrt(fmax(rest, 1e-30));
	}
	return impact / apsis * sum;
}

double oracle_sin2(enum oracle_potential potential, double energy, double impact, double *apsis)
{
	if (gauss_weight[0] == 0.0)
		make_gauss();
	double closest_x = closest(potential, energy, impact),
	       beta = half_supplement(potential, energy, impact, closest_x);
	double c = cos(fmin(beta, 0.5 * PI));

	if (apsis != NULL)
		*apsis = closest_x;
	return c * c;
}

/* --- electronic stopping --- */

#define ELEMENTS 92
#define NODES 121
struct oracle_stopping {
	double logarithm[ELEMENTS][ELEMENTS][NODES];
};

struct oracle_stopping *oracle_stopping_read(const char *path)
{
	gzFile file = gzopen(path, "rb");
	struct oracle_stopping *stopping = file != NULL ? malloc(sizeof *stopping) : NULL;

	for (int k = 0; stopping != NULL && k < ELEMENTS * ELEMENTS * NODES; ++k) {
		int low = gzgetc(file), high = gzgetc(file);
		if (low < 0 || high < 0) {
			free(stopping);
			stopping = NULL;
			break;
		}
		int number = low + 256 * high;
		(&stopping->logarithm[0][0][0])[k] = (number >= 32768 ? number - 65536 : number) / 2000.0;
	}
	if (file != NULL)
		gzclose(file);
	return stopping;
}

/* eV/nm along a path. The table has ln S at 20 energies a decade from 1 keV/u on, S in 1e-15 eV cm^2; below S goes as the velocity. */
static double stopping_of(const struct oracle_job *job, int z1, double mass, double energy)
{
	double sum = 0.0, specific = 1e-3 * energy / mass;

	if (job->stopping == NULL || energy <= 0.0)
		return 0.0;
	double place = 20.0 * log10(fmax(specific, 1.0)), slow = specific < 1.0 ? sqrt(specific) : 1.0;
	int first = (int)place - 1;
	first = first < 0 ? 0 : first > NODES - 4 ? NODES - 4 : first;
	double t = place - first;
	for (int e = 0; e < job->elements; ++e) {
		const double *row = job->stopping->logarithm[z1 - 1][job->element[e].atomic_number - 1] + first;
		/* Newton's form of the cubic through four nodes */
		double d1 = row[1] - row[0], d2 = row[2] - 2.0 * row[1] + row[0],
		       d3 = row[3] - 3.0 * row[2] + 3.0 * row[1] - row[0];
		double value = row[0] + t * (d1 + (t - 1.0) / 2.0 * (d2 + (t - 2.0) / 3.0 * d3));
		sum += job->element[e].fraction * slow * exp(value);
	}
	return 0.1 * job->density * sum;
}

/* --- random numbers: splitmix64 (Steele, Lea and Flood, OOPSLA 2014) --- */

struct random {
	uint64_t state;
};

static uint64_t mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
	return z ^ (z >> 31);
}

static double uniform(struct random *random)
{
	random->state += 0x9e3779b97f4a7c15U;
	return ((double)(mix(random->state) >> 11) + 0.5) * 0x1p-53;
}

/* --- histories --- */

struct body {
	int element; /* -1: the ion */
	int z;
	double mass, energy, at[3], way[3];
	bool loose; /* not displaced: it goes back to its place unless it leaves */
};

struct history {
	const struct oracle_job *job;
	struct random random;
	double sum[ORACLE_SUMS];
	struct body waiting[MOST_WAITING];
	int depth;
	double layer, disc; /* length of a layer of atoms, and the square of the largest impact parameter in it */
	double rest_depth, rest_lateral, rest_path;
	bool at_rest;
};

/* Along a length, by Runge and Kutta's fourth order in two steps. */
static void brake(struct history *history, struct body *body, double length)
{
	double before = body->energy, along = 1.0 - history->job->local, h = 0.5 * length;

	for (int part = 0; part < 2 && body->energy > 0.0; ++part) {
		double k1 = along * stopping_of(history->job, body->z, body->mass, body->energy),
		       k2 = along * stopping_of(history->job, body->z, body->mass, body->energy - 0.5 * h * k1),
		       k3 = along * stopping_of(history->job, body->z, body->mass, body->energy - 0.5 * h * k2),
		       k4 = along * stopping_of(history->job, body->z, body->mass, body->energy - h * k3);
		body->energy = fmax(body->energy - h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4), 0.0);
	}
	history->sum[body->element < 0 ? ORACLE_IONIZATION_BY_ION : ORACLE_IONIZATION_BY_RECOILS] +=
	    before - body->energy;
}

/* Two unit vectors across a unit vector. */
static void across(const double way[3], double first[3], double second[3])
{
	int least = fabs(way[0]) < fabs(way[1]) ? 0 : 1;

	least = fabs(way[2]) < fabs(way[least]) ? 2 : least;
	double length = sqrt(1.0 - way[least] * way[least]);
	for (int c = 0; c < 3; ++c)
		first[c] = ((c == least) - way[least] * way[c]) / length;
	for (int c = 0; c < 3; ++c)
		second[c] = way[(c + 1) % 3] * first[(c + 2) % 3] - way[(c + 2) % 3] * first[(c + 1) % 3];
}

static void heat(struct history *history, const struct body *body, double energy)
{
	history->sum[body->element < 0 ? ORACLE_PHONONS_BY_ION : ORACLE_PHONONS_BY_RECOILS] += energy;
}

/* An atom that was hit hard enough to leave its place. True if the projectile continues. */
static bool displace(struct history *history, struct body *body, const struct body *recoil, double transfer)
{
	const struct oracle_element *element = &history->job->element[recoil->element];
	struct body set_going = *recoil;

	if (transfer < element->displacement) {
		set_going.energy = transfer;
		set_going.loose = true;
	} else {
		if (body->z == set_going.z && body->energy < element->displacement) {
			set_going.energy = transfer;
			history->sum[ORACLE_REPLACEMENTS] += 1.0;
			heat(history, body, body->energy);
			body->energy = 0.0;
		} else {
			set_going.energy = transfer - element->lattice;
			history->sum[ORACLE_VACANCIES] += 1.0;
			history->sum[ORACLE_STORED] += element->lattice;
		}
	}
	if (history->depth == MOST_WAITING)
		abort();
	history->waiting[history->depth++] = set_going;
	return body->energy > 0.0;
}

/* Energy that electrons take in a collision: proportional to exp(-rate x0), with s in place of x0; its mean over the disc is that of the path. */
static double taken_locally(const struct history *history, const struct body *body, double length, double apsis,
			    double energy)
{
	const struct oracle_job *job = history->job;
	double rate = INFINITY;

	if (job->local == 0.0)
		return 0.0;
	for (int k = 0; k < potentials[job->potential].terms; ++k)
		rate = fmin(rate, potentials[job->potential].rate[k]);
	double y = rate * sqrt(history->disc) / length, mean = 2.0 * (1.0 - (1.0 + y) * exp(-y)) / (y * y);
	return job->local * stopping_of(job, body->z, body->mass, energy) * history->layer * exp(-rate * apsis) /
	       mean;
}

/* A collision at the present position. True if the projectile continues. */
static bool collide(struct history *history, struct body *body)
{
	const struct oracle_job *job = history->job;
	double choice = uniform(&history->random);
	int e = 0;

	while (e + 1 < job->elements && choice >= job->element[e].fraction)
		choice -= job->element[e++].fraction;
	const struct oracle_element *element = &job->element[e];
	double m1 = body->mass, m2 = element->mass, energy = body->energy, apsis;
	double length = oracle_screening_length(job->potential, body->z, element->atomic_number);
	double reduced = energy * length * m2 / (body->z * element->atomic_number * E2 * (m1 + m2));
	double impact = sqrt(history->disc * uniform(&history->random)),
	       azimuth = 2.0 * PI * uniform(&history->random);
	double sin2 = oracle_sin2(job->potential, reduced, impact / length, &apsis),
	       transfer = fmin(4.0 * m1 * m2 / ((m1 + m2) * (m1 + m2)) * sin2, 1.0) * energy;
	double theta = 2.0 * asin(sqrt(fmin(sin2, 1.0))), first[3], second[3];
	/* momenta in the laboratory, in units of the one before: that of the center of mass, and the rotated one */
	double own = m1 / (m1 + m2) + m2 / (m1 + m2) * cos(theta), side = m2 / (m1 + m2) * sin(theta);
	struct body recoil = {.element = e, .z = element->atomic_number, .mass = m2};
	double own_length = 0.0, recoil_length = 0.0, old[3];

	double ahead = job->mirrored ? fabs(own) : own; /* of the atom after the collision; the recoil is as it is */
	history->sum[body->element < 0 ? ORACLE_COLLISIONS_OF_ION : ORACLE_COLLISIONS_OF_RECOILS] += 1.0;
	across(body->way, first, second);
	memcpy(old, body->way, sizeof old);
	for (int c = 0; c < 3; ++c) {
		double turned = side * (cos(azimuth) * first[c] + sin(azimuth) * second[c]);
		body->way[c] = ahead * old[c] + turned;
		recoil.way[c] = (1.0 - own) * old[c] - turned;
		recoil.at[c] = body->at[c];
		own_length += body->way[c] * body->way[c];
		recoil_length += recoil.way[c] * recoil.way[c];
	}
	for (int c = 0; c < 3; ++c) {
		body->way[c] = own_length > 0.0 ? body->way[c] / sqrt(own_length) : old[c];
		recoil.way[c] = recoil_length > 0.0 ? recoil.way[c] / sqrt(recoil_length) : old[c];
	}
	body->energy -= transfer;
	double taken = fmin(taken_locally(history, body, length, apsis, energy), body->energy);
	body->energy -= taken;
	history->sum[body->element < 0 ? ORACLE_IONIZATION_BY_ION : ORACLE_IONIZATION_BY_RECOILS] += taken;
	double least = job->planar && element->surface > 0.0 ? fmin(element->surface, element->displacement)
							     : element->displacement;
	if (job->ions_only || transfer < least) {
		heat(history, body, transfer);
		return true;
	}
	return displace(history, body, &recoil, transfer);
}

/* Whether an atom leaves at a surface: an atom of the target loses the binding energy, or is reflected. */
static bool leaves(struct history *history, struct body *body)
{
	double binding =
	    history->job->planar && body->element >= 0 ? history->job->element[body->element].surface : 0.0;
	double normal = body->energy * body->way[0] * body->way[0];

	if (binding > 0.0 && normal <= binding) {
		body->way[0] = -body->way[0];
		return false;
	}
	body->energy -= binding;
	history->sum[ORACLE_STORED] += binding;
	history->sum[ORACLE_LEFT] += body->energy;
	enum oracle_sum fate =
	    body->way[0] < 0.0 ? (body->element < 0 ? ORACLE_BACKSCATTERED : ORACLE_SPUTTERED) : ORACLE_TRANSMITTED;
	if (fate != ORACLE_TRANSMITTED || body->element < 0)
		history->sum[fate] += 1.0;
	return true;
}

static void follow(struct history *history, struct body body)
{
	const struct oracle_job *job = history->job;
	double path = 0.0, wanted = 0.0;
	bool first = body.element < 0;

	for (;;) {
		if (wanted == 0.0) {
			wanted = history->layer;
			if (job->poisson)
				wanted *= -log(uniform(&history->random));
			else if (first) /* the surface is rough */
				wanted *= uniform(&history->random);
			first = false;
		}
		double wall = body.way[0] < 0.0 ? 0.0 : job->thickness, to_wall = INFINITY;
		if (body.way[0] != 0.0 && isfinite(wall))
			to_wall = fmax((wall - body.at[0]) / body.way[0], 0.0);
		double length = fmin(wanted, to_wall);
		brake(history, &body, length);
		path += length;
		for (int c = 0; c < 3; ++c)
			body.at[c] += length * body.way[c];
		if (body.energy < job->cutoff)
			break;
		if (to_wall < wanted) {
			body.at[0] = wall;
			wanted -= length;
			if (leaves(history, &body))
				return;
			continue;
		}
		wanted = 0.0;
		if (!collide(history, &body) || body.energy < job->cutoff)
			break;
	}
	heat(history, &body, body.energy);
	if (body.element >= 0)
		return;
	history->at_rest = true;
	history->rest_depth = body.at[0];
	history->rest_lateral = 0.5 * (body.at[1] * body.at[1] + body.at[2] * body.at[2]);
	history->rest_path = path;
}

static void add(struct oracle_answer *answer, const struct history *history)
{
	double power = 1.0;

	answer->ions += 1.0;
	for (int k = 0; k < ORACLE_SUMS; ++k) {
		answer->sum[k] += history->sum[k];
		answer->square[k] += history->sum[k] * history->sum[k];
	}
	if (!history->at_rest)
		return;
	answer->implanted += 1.0;
	for (int k = 0; k < 4; ++k)
		answer->depth[k] += power *= history->rest_depth;
	answer->lateral[0] += history->rest_lateral;
	answer->lateral[1] += history->rest_lateral * history->rest_lateral;
	answer->path[0] += history->rest_path;
	answer->path[1] += history->rest_path * history->rest_path;
}

void oracle_follow(const struct oracle_job *job, uint64_t seed, uint64_t first, uint64_t count,
		   struct oracle_answer *answer)
{
	struct history *history = malloc(sizeof *history);
	double angle = job->angle * PI / 180.0, layer = job->step / cbrt(job->density);

	if (history == NULL)
		abort();
	for (uint64_t ion = first; ion < first + count; ++ion) {
		*history = (struct history){.job = job,
					    .random = {mix(mix(seed) + ion)},
					    .layer = layer,
					    .disc = 1.0 / (PI * job->density * layer)};
		follow(history, (struct body){.element = -1,
					      .z = job->ion_number,
					      .mass = job->ion_mass,
					      .energy = job->energy,
					      .way = {cos(angle), sin(angle), 0.0}});
		while (history->depth > 0)
			follow(history, history->waiting[--history->depth]);
		add(answer, history);
	}
	free(history);
}

/* --- what comes of them --- */

static struct oracle_value mean_of(double count, double sum, double square)
{
	double mean = sum / count, variance = fmax(square / count - mean * mean, 0.0);

	return (struct oracle_value){mean, sqrt(variance / (count - 1.0))};
}

struct oracle_value oracle_mean(const struct oracle_answer *answer, enum oracle_sum sum)
{
	return mean_of(answer->ions, answer->sum[sum], answer->square[sum]);
}

struct oracle_value oracle_range(const struct oracle_answer *answer)
{
	return mean_of(answer->implanted, answer->depth[0], answer->depth[1]);
}

struct oracle_value oracle_straggling(const struct oracle_answer *answer)
{
	double n = answer->implanted, m = answer->depth[0] / n, m2 = answer->depth[1] / n, m3 = answer->depth[2] / n,
	       m4 = answer->depth[3] / n;
	double variance = m2 - m * m, fourth = m4 - 4.0 * m * m3 + 6.0 * m * m * m2 - 3.0 * m * m * m * m;
	double deviation = sqrt(variance);

	return (struct oracle_value){deviation,
				     sqrt(fmax(fourth - variance * variance, 0.0) / n) / (2.0 * deviation)};
}

struct oracle_value oracle_lateral(const struct oracle_answer *answer)
{
	struct oracle_value square = mean_of(answer->implanted, answer->lateral[0], answer->lateral[1]);

	return (struct oracle_value){sqrt(square.value), 0.5 * square.error / sqrt(square.value)};
}

struct oracle_value oracle_path(const struct oracle_answer *answer)
{
	return mean_of(answer->implanted, answer->path[0], answer->path[1]);
}
