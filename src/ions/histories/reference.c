#include "ions/histories/reference.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "stopping/scattering.h"
#include "device/kernel_random.h"

#define EV_NM2 0.1    /* 1 eV/(10^15 atoms/cm^2) in eV nm^2 */
#define QUADRATURE 16 /* points: relative error of sin^2 at most 2e-4 */

struct atom {
	int atomic_number, kind; /* kind: 0 the ion, 1 a recoil */
	double mass, energy, place[3], direction[3];
};

struct history {
	const struct screening *screening;
	enum screening_kind screening_kind;
	const struct stopping_table *stopping;
	const struct reference_target *target;
	struct reference_totals *totals;
	u32 seed, ion, drawn, left;
	struct random_block block;
	struct atom *stack;
	size_t depth, capacity;
};

static double draw(struct history *history)
{
	if (history->left == 0) {
		const struct random_block counter = {{history->ion, 0, history->drawn++, 0}};
		history->block = random_philox(counter, history->seed, 0);
		history->left = 4;
	}
	return (double)random_uniform(history->block.word[--history->left]);
}

/* Electronic stopping in eV/nm, by Bragg's rule. */
static double stopping_of(const struct history *history, const struct atom *atom, double energy)
{
	const struct reference_target *target = history->target;
	double sum = 0.0;

	for (int k = 0; k < target->count && energy > 0.0; ++k)
		sum +=
		    target->fraction[k] * stopping_table_value(history->stopping, atom->atomic_number,
							       target->atomic_number[k], 1e-3 * energy / atom->mass);
	return EV_NM2 * target->density * sum;
}

/* Loss along a step, by the stopping at its middle. */
static void slow_down(struct history *history, struct atom *atom, double step)
{
	double before = stopping_of(history, atom, atom->energy);
	double loss = stopping_of(history, atom, atom->energy - 0.5 * before * step) * step;

	loss = loss > 0.0 && loss < atom->energy ? loss : atom->energy;
	atom->energy -= loss;
	history->totals->ionization[atom->kind] += loss;
	for (int c = 0; c < 3; ++c)
		atom->place[c] += step * atom->direction[c];
}

/* Rotates a direction by an angle, in a plane at `azimuth` around it (Duff et al., J. Comput. Graph. Tech. 6
 * (2017) 1). */
static void turn(double direction[3], double angle, double azimuth)
{
	double x = direction[0], y = direction[1], z = direction[2], sign = copysign(1.0, z), a = -1.0 / (sign + z),
	       b = x * y * a;
	const double first[3] = {1.0 + sign * x * x * a, sign * b, -sign * x}, second[3] = {b, sign + y * y * a, -y};

	for (int c = 0; c < 3; ++c)
		direction[c] =
		    cos(angle) * direction[c] + sin(angle) * (cos(azimuth) * first[c] + sin(azimuth) * second[c]);
}

static int choose_partner(struct history *history)
{
	const struct reference_target *target = history->target;
	double number = draw(history);
	int k = 0;

	while (k + 1 < target->count && number > target->fraction[k])
		number -= target->fraction[k++];
	return k;
}

/* The struck atom in motion; its direction follows from conservation of momentum. */
static sonde_status start_recoil(struct history *history, const struct atom *before, const struct atom *after,
				 int partner, double energy)
{
	struct atom recoil = {.atomic_number = history->target->atomic_number[partner],
			      .kind = 1,
			      .mass = history->target->mass[partner],
			      .energy = energy};
	double p0 = sqrt(2.0 * before->mass * before->energy), p1 = sqrt(2.0 * after->mass * after->energy),
	       square = 0.0;

	for (int c = 0; c < 3; ++c) {
		recoil.place[c] = after->place[c];
		recoil.direction[c] = p0 * before->direction[c] - p1 * after->direction[c];
		square += recoil.direction[c] * recoil.direction[c];
	}
	for (int c = 0; c < 3; ++c)
		recoil.direction[c] /= sqrt(square);
	CHECK(memory_grow(&history->stack, &history->capacity, history->depth + 1, sizeof recoil, "the recoils"));
	history->stack[history->depth++] = recoil;
	return SONDE_OK;
}

/* Collision with an atom of the target. An atom that has replaced one of its kind has no energy left. */
static sonde_status collide(struct history *history, struct atom *atom)
{
	const struct reference_target *target = history->target;
	struct reference_totals *totals = history->totals;
	int partner = choose_partner(history);
	double mass = target->mass[partner], both = atom->mass + mass;
	double length =
	    screening_length(history->screening_kind, atom->atomic_number, target->atomic_number[partner]);
	double reduced =
	    length * mass / (atom->atomic_number * target->atomic_number[partner] * COULOMB_EV_NM * both);
	/* uniformly in the cylinder of one atom along a step */
	double impact = sqrt(draw(history) / (PI * target->density * target->step));
	double sin2 = scattering_sin2(history->screening, reduced * atom->energy, impact / length, QUADRATURE);
	double transfer = 4.0 * atom->mass * mass / (both * both) * atom->energy * sin2;
	double theta = 2.0 * asin(sqrt(sin2 < 1.0 ? sin2 : 1.0)), azimuth = 2.0 * PI * draw(history);
	struct atom before = *atom;

	++totals->collisions[atom->kind];
	turn(atom->direction, atan2(sin(theta), cos(theta) + atom->mass / mass), azimuth);
	atom->energy = transfer < atom->energy ? atom->energy - transfer : 0.0;
	transfer = before.energy - atom->energy;
	if (transfer < target->displacement[partner]) {
		totals->phonons[atom->kind] += transfer;
		return SONDE_OK;
	}
	if (atom->atomic_number == target->atomic_number[partner] && atom->energy < target->displacement[partner]) {
		CHECK(start_recoil(history, &before, atom, partner, transfer));
		++totals->replacements;
		totals->phonons[atom->kind] += atom->energy;
		atom->energy = 0.0;
		return SONDE_OK;
	}
	CHECK(start_recoil(history, &before, atom, partner, transfer - target->lattice[partner]));
	++totals->vacancies;
	totals->stored += target->lattice[partner];
	return SONDE_OK;
}

static sonde_status follow(struct history *history, struct atom atom)
{
	const struct reference_target *target = history->target;
	struct reference_totals *totals = history->totals;
	/* the surface is rough: the first step of an ion may be shorter */
	double step = atom.kind == 0 ? target->step * draw(history) : target->step, path = 0.0;

	for (; atom.energy > 0.0; step = target->step) {
		slow_down(history, &atom, step);
		path += step;
		if (atom.place[0] < 0.0) {
			totals->lost += atom.energy;
			return SONDE_OK;
		}
		if (atom.energy >= target->cutoff)
			CHECK(collide(history, &atom));
		if (atom.energy < target->cutoff) {
			totals->phonons[atom.kind] += atom.energy;
			atom.energy = 0.0;
		}
	}
	if (atom.kind == 0) {
		++totals->stopped;
		totals->range += atom.place[0];
		totals->range_squares += atom.place[0] * atom.place[0];
		totals->path += path;
	}
	return SONDE_OK;
}

sonde_status reference_history(const struct screening *screening, enum screening_kind kind,
			       const struct stopping_table *stopping, const struct reference_target *target,
			       const struct reference_beam *beam, uint32_t seed, uint32_t ion,
			       struct reference_totals *totals)
{
	struct history history = {.screening = screening,
				  .screening_kind = kind,
				  .stopping = stopping,
				  .target = target,
				  .totals = totals,
				  .seed = seed,
				  .ion = ion};
	const struct atom first = {.atomic_number = beam->atomic_number,
				   .mass = beam->mass,
				   .energy = beam->energy,
				   .direction = {1.0, 0.0, 0.0}};

	++totals->ions;
	sonde_status status = follow(&history, first);
	while (status == SONDE_OK && history.depth > 0)
		status = follow(&history, history.stack[--history.depth]);
	free(history.stack);
	return status;
}
