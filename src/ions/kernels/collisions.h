/* Collisions and their effects on the target. */
#ifndef SONDE_IONS_COLLISIONS_H
#define SONDE_IONS_COLLISIONS_H

#include "ions/kernels/motion.h"

/* Angle, transfer and directions of all atoms. */
DEVICE_FUNCTION void scatter_all(const struct run *run, struct flights *f)
{
	const GLOBAL struct ions_pair *const pairs = run->pairs;
	const u32 kinds = run->job->kinds;

	FOR_HISTORIES(h)
	{
		const int at = (int)(f->species[h] * kinds + f->partner[h]);
		/* atoms that have just ended have no energy: made harmless by added terms, since branches prevent
		 * SIMD */
		const f32 ev = f->ev[h];
		const f32 log2_tan2 =
		    scattering_log2_tan2(SCATTERING_TABLE(run), exact_log2(ev + 1e-6f) + pairs[at].log2_energy,
					 f->log2_impact[h] + pairs[at].log2_impact);
		/* tan(theta/2), and with it sine and cosine */
		const f32 tangent = exact_exp2(0.5f * log2_tan2), tan2 = tangent * tangent;
		const f32 half_cosine = exact_rsqrt(1.0f + tan2), half_sine = tangent * half_cosine;
		const f32 cos2 = half_cosine * half_cosine, sin2 = half_sine * half_sine;
		/* in the laboratory frame: tan psi = sin theta/(cos theta + M1/M2) */
		const f32 along = (cos2 - sin2) + pairs[at].mass_ratio, aside = 2.0f * half_sine * half_cosine;
		const f32 square = FMA_F32(along, along, aside * aside), scale = exact_rsqrt(square + 1e-24f);
		f32 cosine, sine, across_x, across_y, across_z;
		exact_circle(f->word[1][h], &cosine, &sine);
		const f32 x = f->direction_x[h], y = f->direction_y[h], z = f->direction_z[h];
		exact_across(x, y, z, cosine, sine, &across_x, &across_y, &across_z);
		const f32 part = along * scale, other = aside * scale;
		const f32 new_x = FMA_F32(part, x, other * across_x), new_y = FMA_F32(part, y, other * across_y),
			  new_z = FMA_F32(part, z, other * across_z);
		/* length 1 up to rounding, which does not accumulate */
		const f32 to_one = FMA_F32(-0.5f, FMA_F32(new_x, new_x, FMA_F32(new_y, new_y, new_z * new_z)), 1.5f);
		const u32 turns = f->collides[h] != 0u && f->state[h] == PLACE_MOVING ? 1u : 0u;

		f->transfer[h] = pairs[at].transfer * ev * sin2;
		f->half_sine[h] = half_sine;
		f->half_cosine[h] = half_cosine;
		f->across_x[h] = across_x;
		f->across_y[h] = across_y;
		f->across_z[h] = across_z;
		f->before_x[h] = x;
		f->before_y[h] = y;
		f->before_z[h] = z;
		f->direction_x[h] = turns != 0u ? new_x * to_one : x;
		f->direction_y[h] = turns != 0u ? new_y * to_one : y;
		f->direction_z[h] = turns != 0u ? new_z * to_one : z;
	}
}

DEVICE_FUNCTION void save_atom(const struct flights *f, const u32 h, GLOBAL struct ions_atom *atom)
{
	atom->energy = f->energy[h];
	atom->path = f->path[h];
	atom->x = f->x[h];
	atom->y = f->y[h];
	atom->z = f->z[h];
	atom->traveled = f->traveled[h];
	atom->direction_x = f->direction_x[h];
	atom->direction_y = f->direction_y[h];
	atom->direction_z = f->direction_z[h];
	atom->pending_loss = f->pending_loss[h];
	atom->pending_variance = f->pending_variance[h];
	atom->rest = f->rest[h];
	atom->drawn = f->drawn[h];
	atom->kind = f->kind[h];
	atom->layer = f->layer[h];
	atom->species = f->species[h];
	atom->loose = f->loose[h];
}

/* Loads an atom into a place; its ion stays the same. */
DEVICE_FUNCTION void load_atom(const struct run *run, struct flights *f, const u32 h,
			       const GLOBAL struct ions_atom *atom)
{
	f->energy[h] = atom->energy;
	f->path[h] = atom->path;
	f->x[h] = atom->x;
	f->y[h] = atom->y;
	f->z[h] = atom->z;
	f->traveled[h] = atom->traveled;
	f->direction_x[h] = atom->direction_x;
	f->direction_y[h] = atom->direction_y;
	f->direction_z[h] = atom->direction_z;
	f->pending_loss[h] = atom->pending_loss;
	f->pending_variance[h] = atom->pending_variance;
	f->rest[h] = atom->rest;
	f->drawn[h] = atom->drawn;
	f->kind[h] = atom->kind;
	f->layer[h] = atom->layer;
	f->species[h] = atom->species;
	f->loose[h] = atom->loose;
	f->state[h] = PLACE_MOVING;
	f->ev[h] = energy_in_ev(f->energy[h]);
	f->cell[h] = cell_of(run, f->x[h], f->y[h], f->z[h]);
}

/* The stack of atoms waiting for a place. */
DEVICE_FUNCTION GLOBAL struct ions_atom *stack_of(const struct run *run, const struct flights *f, const u32 h)
{
	return run->stacks + (u64)(run->first_stack + h) * run->job->stack + f->taken[h];
}

/* An entry of the stack of waiting atoms. */
DEVICE_FUNCTION GLOBAL struct ions_atom *place_to_wait(const struct run *run, struct flights *f, const u32 h)
{
	if (f->depth[h] == 0u)
		f->taken[h] = 0u;
	if (f->taken[h] + f->depth[h] == run->job->stack) {
		(void)ATOMIC_NEXT_U32(run->counters + run->job->groups + 1u);
		--f->depth[h];
	}
	return stack_of(run, f, h) + f->depth[h]++;
}

/* The storage of suspended places, after all waiting atoms. */
DEVICE_FUNCTION GLOBAL struct ions_place *aside_of(const struct run *run, const u32 h)
{
	return (GLOBAL struct ions_place *)(run->stacks + (u64)run->job->places * run->job->stack) +
	       run->first_stack + h;
}

/* Ends the launch for a place with an unfinished history: another launch, on any device, continues with identical
 * results. */
DEVICE_FUNCTION void put_aside(const struct run *run, struct flights *f, const u32 h)
{
	GLOBAL struct ions_place *const place = aside_of(run, h);

	flush(run, f, h);
	if (f->state[h] == PLACE_MOVING) {
		GLOBAL struct ions_atom *const atom = place_to_wait(run, f, h);
		save_atom(f, h, atom);
		atom->cell = f->cell[h];
	}
	place->ion = f->ion[h];
	place->depth = f->depth[h];
	place->taken = f->taken[h];
	if (f->depth[h] > 0u)
		(void)ATOMIC_NEXT_U32(run->counters + run->job->groups + 2u);
}

DEVICE_FUNCTION void take_back(const struct run *run, struct flights *f, const u32 h)
{
	const GLOBAL struct ions_place *const place = aside_of(run, h);

	if (place->depth == 0u)
		return;
	f->ion[h] = place->ion;
	f->base[h] = tallies_of_ion(run, place->ion);
	f->taken[h] = place->taken;
	f->depth[h] = place->depth - 1u;
	const GLOBAL struct ions_atom *const atom = stack_of(run, f, h) + f->depth[h];
	load_atom(run, f, h, atom);
	f->cell[h] = atom->cell;
}

/* A practically unique number for the recoil of a step within the ion's history, by the mixing function of
 * Stafford's variant 13 of MurmurHash3 (Steele, Lea and Flood, OOPSLA 2014, 453). */
DEVICE_FUNCTION u64 path_of_recoil(u64 path, u32 step)
{
	u64 mixed = path + (u64)step * 0x9e3779b97f4a7c15u;

	mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
	mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
	return mixed ^ (mixed >> 31);
}

/* The struck atom, still at its site. */
DEVICE_FUNCTION struct ions_atom make_recoil(const struct run *run, const struct flights *f, const u32 h, u64 energy)
{
	const u32 partner = f->partner[h];
	struct ions_atom atom;

	atom.energy = energy;
	atom.path = path_of_recoil(f->path[h], f->drawn[h]);
	atom.x = f->x[h];
	atom.y = f->y[h];
	atom.z = f->z[h];
	atom.traveled = 0.0;
	/* at (pi - theta)/2 from the direction of incidence of the other */
	atom.direction_x = FMA_F32(f->half_sine[h], f->before_x[h], -(f->half_cosine[h] * f->across_x[h]));
	atom.direction_y = FMA_F32(f->half_sine[h], f->before_y[h], -(f->half_cosine[h] * f->across_y[h]));
	atom.direction_z = FMA_F32(f->half_sine[h], f->before_z[h], -(f->half_cosine[h] * f->across_z[h]));
	atom.pending_loss = atom.pending_variance = atom.rest = 0.0f;
	atom.drawn = 0;
	atom.kind = partner;
	atom.layer = f->layer[h];
	atom.species = run->kinds[partner].species;
	atom.loose = 0;
	return atom;
}

DEVICE_FUNCTION void take_recoil(struct flights *f, const u32 h, const struct ions_atom *atom)
{
	f->energy[h] = atom->energy;
	f->path[h] = atom->path;
	f->traveled[h] = 0.0;
	f->direction_x[h] = atom->direction_x;
	f->direction_y[h] = atom->direction_y;
	f->direction_z[h] = atom->direction_z;
	f->pending_loss[h] = f->pending_variance[h] = f->rest[h] = 0.0f;
	f->drawn[h] = 0;
	f->kind[h] = atom->kind;
	f->species[h] = atom->species;
	f->loose[h] = atom->loose;
	f->state[h] = PLACE_MOVING;
	f->ev[h] = energy_in_ev(f->energy[h]);
}

/* Damage of a recoil by Norgett, Robinson and Torrens (Nucl. Eng. Des. 33 (1975) 50), with the electronic losses by
 * Robinson's fit to Lindhard; and with the efficiency of Nordlund et al. (Nat. Commun. 9 (2018) 1084). */
struct damage {
	f32 energy, displacements, corrected;
};

DEVICE_FUNCTION struct damage damage_of(const struct run *run, u32 kind, f32 ev)
{
	const GLOBAL struct ions_kind_numbers *const numbers = run->kinds + kind;
	const f32 reduced = numbers->damage_energy * ev, log2_reduced = exact_log2(reduced);
	const f32 g =
	    3.4008f * exact_exp2(0.166666667f * log2_reduced) + 0.40244f * exact_exp2(0.75f * log2_reduced) + reduced;
	const f32 threshold = numbers->displacement_ev;
	struct damage damage;

	damage.energy = ev * exact_reciprocal(FMA_F32(numbers->damage_k, g, 1.0f));
	const f32 many = 0.4f * damage.energy * exact_reciprocal(threshold);
	damage.displacements = damage.energy < threshold ? 0.0f : many < 1.0f ? 1.0f : many;
	const f32 efficiency =
	    (1.0f - run->job->arc_c) * exact_exp2(run->job->arc_b * exact_log2(many > 1.0f ? many : 1.0f)) +
	    run->job->arc_c;
	damage.corrected = many < 1.0f ? damage.displacements : many * efficiency;
	return damage;
}

/* Tallies a primary recoil. Returns its damage energy, in units. */
DEVICE_FUNCTION i64 count_primary(const struct run *run, const struct flights *f, const u32 h, u64 energy)
{
	const u32 kind = f->partner[h], cell = f->cell[h], bins = run->job->spectrum_bins;
	const struct damage damage = damage_of(run, kind, energy_in_ev(energy));
	const i64 units = (i64)(damage.energy * UNITS_PER_EV);
	/* four bins per octave, from 1 eV on */
	const f32 octaves = 4.0f * exact_log2(energy_in_ev(energy));
	const u32 bin = octaves < 0.0f ? 0u : (u32)octaves < bins ? (u32)octaves : bins - 1u;

	tally_kind(run, f, h, kind, TALLY_PRIMARY, cell, 1u);
	tally_kind(run, f, h, kind, TALLY_ENERGY_TO, cell, energy);
	tally(run, f, h, TALLY_DAMAGE_ENERGY, cell, (u64)units);
	tally(run, f, h, TALLY_NRT, cell, (u64)(i64)(damage.displacements * UNITS_PER_EV));
	tally(run, f, h, TALLY_ARC, cell, (u64)(i64)(damage.corrected * UNITS_PER_EV));
	const u32 group = (u32)(f->ion[h] % SPECTRUM_GROUPS);
	ATOMIC_ADD_U64(run->spectra + ((u64)group * run->job->kinds + kind) * bins + bin, 1u);
	return units;
}

/* An atom leaves its site: a vacancy, unless the projectile is of its kind and too slow to leave, and replaces it:
 * then no energy is lost to the lattice either. An atom that got less than the displacement energy returns to its
 * site unless it leaves the target. */
DEVICE_FUNCTION void displace(const struct run *run, struct flights *f, const u32 h, u64 transfer)
{
	const u32 kind = f->partner[h], by_recoil = f->kind[h] != 0u ? 1u : 0u;
	const GLOBAL struct ions_kind_numbers *const numbers = run->kinds + kind;
	const u32 loose = transfer < numbers->displacement ? 1u : 0u;
	const u32 listed = by_recoil == 0u && run->job->starts != 0u ? 1u : 0u;
	const u32 number = listed != 0u ? run->starts[f->ion[h] % run->job->starts].atomic_number
					: run->kinds[f->kind[h]].atomic_number;
	const u32 same = number == numbers->atomic_number ? 1u : 0u;
	const u32 replaced = loose == 0u && same != 0u && f->energy[h] < numbers->displacement ? 1u : 0u;
	struct ions_atom recoil =
	    make_recoil(run, f, h, loose != 0u || replaced != 0u ? transfer : transfer - numbers->lattice);

	recoil.loose = loose;
	TRACE_RECOIL(run, f->ion[h], &recoil);
	if (replaced != 0u) {
		tally_kind(run, f, h, kind, TALLY_REPLACEMENTS, f->cell[h], 1u);
		f->phonons[h] += (i64)f->energy[h];
		f->energy[h] = 0;
		if (by_recoil == 0u) {
			tally(run, f, h, TALLY_IMPLANTED, f->cell[h], 1u);
			end_ion(run, f, h, FATE_IMPLANTED);
		}
	} else {
		if (loose == 0u) {
			tally_kind(run, f, h, kind, TALLY_VACANCIES_BY_IONS + by_recoil, f->cell[h], 1u);
			tally(run, f, h, TALLY_STORED, f->cell[h], numbers->lattice);
		}
		if (f->energy[h] < run->job->cutoff) {
			stop(run, f, h);
		} else if (f->energy[h] < recoil.energy) {
			*place_to_wait(run, f, h) = recoil;
			f->state[h] = PLACE_MOVING;
			return;
		} else {
			save_atom(f, h, place_to_wait(run, f, h));
		}
	}
	if (by_recoil == 0u)
		flush(run, f, h);
	take_recoil(f, h, &recoil);
}

/* Electronic loss in a collision, by Oen and Robinson (Nucl. Instrum. Methods 132 (1976) 647): proportional to
 * exp(-d x), with x the reduced distance of closest approach and d the rate of the outermost term of the
 * screening, and equal, averaged over the disk of impact parameters, to the stopping. */
DEVICE_FUNCTION f32 loss_to_electrons(const struct run *run, const struct flights *f, const u32 h)
{
	const GLOBAL struct ions_pair *const pair = run->pairs + f->species[h] * run->job->kinds + f->partner[h];
	const f32 log2_energy = exact_log2(f->ev[h] + 1e-6f) + pair->log2_energy,
		  log2_impact = f->log2_impact[h] + pair->log2_impact;
	const f32 x = exact_exp2(apsis_cubic(run->tables + run->job->apsis_at, scattering_energy_inside(log2_energy),
					     scattering_impact_inside(log2_impact)));
	const f32 y =
	    run->job->local_rate * exact_exp2(FMA_F32(0.5f, run->flights[f->row[h]].log2_disc, pair->log2_impact));
	/* y^2/2 over the integral within the disk, 1 - (1 + y) exp(-y), or the first terms of its series */
	const f32 inside = 1.0f - (1.0f + y) * exact_exp2(-1.44269504f * y);
	const f32 few = FMA_F32(y, FMA_F32(y, FMA_F32(y, -0.0666666667f, 0.25f), -0.666666667f), 1.0f);
	const f32 norm = y < 0.3f ? exact_reciprocal(few) : 0.5f * y * y * exact_reciprocal(inside);

	return run->tables[run->job->local_at + f->row[h]] * norm * exact_exp2(-run->job->local_rate_log2e * x);
}

/* After a collision. */
DEVICE_FUNCTION void settle(const struct run *run, struct flights *f, const u32 h)
{
	const GLOBAL struct ions_job *const job = run->job;
	const u64 wanted = (u64)(i64)(f->transfer[h] * UNITS_PER_EV),
		  transfer = wanted < f->energy[h] ? wanted : f->energy[h];

	++f->collisions[h];
	f->energy[h] -= transfer;
	if (LOCAL_LOSS) {
		const i64 more = (i64)(loss_to_electrons(run, f, h) * UNITS_PER_EV);
		const i64 loss = more < (i64)f->energy[h] ? more : (i64)f->energy[h];
		f->energy[h] -= (u64)loss;
		f->electronic[h] += loss;
	}
	f->ev[h] = energy_in_ev(f->energy[h]);
	if (transfer < run->kinds[f->partner[h]].loose) {
		f->phonons[h] += (i64)transfer;
	} else {
		i64 damage = 0;
		if (f->kind[h] == 0u && transfer >= run->kinds[f->partner[h]].displacement)
			damage = count_primary(run, f, h, transfer);
		if (!QUICK) {
			f->struck_with[h] = transfer;
			f->state[h] = PLACE_STRUCK;
			return;
		}
		tally(run, f, h, TALLY_IONIZATION_BY_RECOILS, f->cell[h], transfer - (u64)damage);
		tally(run, f, h, TALLY_PHONONS_BY_RECOILS, f->cell[h], (u64)damage);
	}
	if (f->energy[h] < job->cutoff)
		stop(run, f, h);
}

#endif
