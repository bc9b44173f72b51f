/* Flights: lengths, losses and ends. */
#ifndef SONDE_IONS_MOTION_H
#define SONDE_IONS_MOTION_H

#include "ions/kernels/multiple_scattering.h"

/* Energy in eV from the table of the source, with equally probable parts of its spectrum. */
DEVICE_FUNCTION f64 energy_of_source(const struct run *run, u32 word)
{
	const u32 parts = run->job->spectrum_of_source;
	const f64 place = (f64)word * (1.0 / 4294967296.0) * (f64)parts;
	const u32 part = (u32)place;
	const GLOBAL f32 *const energies = run->tables + run->job->source_at + part;

	return (f64)energies[0] + (place - (f64)part) * ((f64)energies[1] - (f64)energies[0]);
}

/* Loss along a length for a stopping S that is linear in the energy near E: dE/dx = -S - S' (E - E0) gives
 * S (1 - exp(-S' x))/S'. */
DEVICE_INLINE f32 loss_along(f32 stopping, f32 slope, f32 length)
{
	const f32 product = slope * length, z = product > 1.0f ? 1.0f : product < -1.0f ? -1.0f : product;

	return stopping * length * FMA_F32(-z, FMA_F32(-z, FMA_F32(-z, 0.0416666667f, 0.166666667f), 0.5f), 1.0f);
}

DEVICE_FUNCTION void fly_all(const struct run *run, struct flights *f)
{
	const GLOBAL struct ions_job *const job = run->job;
	const u32 last = job->nodes - 1u, exponential = EXPONENTIAL ? 1u : 0u;

	FOR_HISTORIES(h)
	{
		const u32 bits = F32_AS_U32(f->ev[h]), place = bits >> FLIGHT_SHIFT;
		const u32 above = place > FLIGHT_FIRST ? place - FLIGHT_FIRST : 0u,
			  node = above < last ? above : last;
		const u32 row = (f->species[h] * job->regions + f->layer[h]) * job->nodes + node;
		const GLOBAL struct ions_flight *const flight = run->flights + row;
		const f32 at = U32_AS_F32((node + FLIGHT_FIRST) << FLIGHT_SHIFT);
		const f32 slope = flight->slope, stopping = FMA_F32(f->ev[h] - at, slope, flight->stopping);
		const f32 free_length = FREE_FLIGHTS && flight->length < 0.0f ? 1.0f : 0.0f;
		const f32 whole = flight->length < 0.0f ? -flight->length : flight->length;
		/* the square of the impact parameter is uniform in the disk, or exponential */
		const f32 log2_u = log2_uniform(f->word[0][h], f->word[2][h]);
		const f32 minus_ln = -0.693147181f * log2_u;
		const f32 log2_minus_ln = FREE_FLIGHTS ? exact_log2(minus_ln > 1e-9f ? minus_ln : 1e-9f) : 0.0f;
		const f32 log2_square = flight->log2_disc + (free_length > 0.0f ? log2_minus_ln : log2_u);
		/* an exponential flight after a least length, of which a wall may have left a fraction; the first
		 * one (rest < 0) is the rest of a flight from a random point on, so that collisions are as dense
		 * at the surface as beyond it; it ends without a collision if it would cost more than 1/20 of the
		 * energy */
		const f32 random = -0.693147181f * log2_uniform(f->word[3][h], f->word[2][h] >> 16);
		const f32 least = f->rest[h] > 0.0f ? flight->least * f->rest[h] : flight->least;
		const f32 part = FMA_F32(1.0f - flight->least, random, least), first = -f->rest[h];
		const f32 most = 0.05f * f->ev[h],
			  wanted = whole * (first > 0.0f && first < flight->least ? first : part);
		const u32 cut = exponential != 0u && wanted * stopping > most ? 1u : 0u;
		const f32 fixed = f->rest[h] > 0.0f ? whole * f->rest[h] : whole;
		const f32 length = exponential == 0u ? fixed : cut != 0u ? most * exact_reciprocal(stopping) : wanted;

		f->row[h] = row;
		f->stopping[h] = stopping;
		f->slope[h] = slope;
		f->length[h] = length;
		f->loss[h] = loss_along(stopping, slope, length);
		f->log2_impact[h] = 0.5f * log2_square;
		f->collides[h] = 1u - cut;
		f->next_x[h] = f->x[h] + (f64)f->direction_x[h] * (f64)length;
		f->next_y[h] = f->y[h] + (f64)f->direction_y[h] * (f64)length;
		f->next_z[h] = f->z[h] + (f64)f->direction_z[h] * (f64)length;
	}
}

/* Whether an atom overcomes the surface barrier from matter to vacuum: it loses the binding energy from its motion
 * along the normal. Otherwise it is reflected. */
DEVICE_FUNCTION u32 passes_surface(const struct run *run, struct flights *f, const u32 h,
				   const struct met_surface *surface)
{
	const u64 barrier = f->kind[h] == 0u ? 0 : run->kinds[f->kind[h]].surface;
	const f32 n_x = surface->normal_x, n_y = surface->normal_y, n_z = surface->normal_z;
	const f32 x = f->direction_x[h], y = f->direction_y[h], z = f->direction_z[h];
	const f32 cosine = n_x * x + n_y * y + n_z * z, binding = energy_in_ev(barrier),
		  normal = f->ev[h] * cosine * cosine;

	if (barrier == 0)
		return 1u;
	f32 along = -cosine, scale = 1.0f; /* reflected */
	const u32 passes = normal > binding && f->energy[h] > barrier ? 1u : 0u;
	if (passes != 0u) {
		/* 1 - (E cos^2 - binding)/(E - binding) is the transverse fraction: E sin^2/(E - binding) */
		const f32 over = exact_reciprocal(f->ev[h] - binding), square = (normal - binding) * over,
			  more = f->ev[h] * over;
		along = square > 1e-12f ? square * exact_rsqrt(square) : 0.0f;
		scale = more * exact_rsqrt(more);
		f->energy[h] -= barrier;
		f->ev[h] = energy_in_ev(f->energy[h]);
		tally(run, f, h, TALLY_STORED, f->cell[h], barrier);
	}
	f->direction_x[h] = scale * (x - cosine * n_x) + along * n_x;
	f->direction_y[h] = scale * (y - cosine * n_y) + along * n_y;
	f->direction_z[h] = scale * (z - cosine * n_z) + along * n_z;
	return passes;
}

/* The end of an ion, in the target or outside. */
DEVICE_FUNCTION void end_ion(const struct run *run, const struct flights *f, const u32 h, u32 fate)
{
	GLOBAL struct ions_end *const end = run->ends + (u32)(f->ion[h] - run->first);

	end->x = (f32)(f->x[h] - run->job->origin);
	end->y = (f32)f->y[h];
	end->z = (f32)f->z[h];
	end->traveled = fate == FATE_IMPLANTED ? (f32)f->traveled[h] : -(f32)fate;
}

/* An atom that is too slow stops. */
DEVICE_FUNCTION void stop(const struct run *run, struct flights *f, const u32 h)
{
	f->phonons[h] += (i64)f->energy[h];
	f->energy[h] = 0;
	if (f->kind[h] == 0u) {
		tally(run, f, h, TALLY_IMPLANTED, f->cell[h], 1u);
		end_ion(run, f, h, FATE_IMPLANTED);
	} else if (f->loose[h] == 0u) {
		tally_kind(run, f, h, f->kind[h], TALLY_INTERSTITIALS, f->cell[h], 1u);
	}
	f->state[h] = PLACE_IDLE;
}

/* Adds an atom's energy and direction to the sums of leaving atoms of one side, kind and group. A separate
 * function with plain numbers as arguments: it is rare, and would take registers from frequent code. */
DEVICE_APART void count_leaving(GLOBAL u64 *sums, u64 energy, f32 direction_x, u32 bins)
{
	const f32 x = direction_x, cosine = x < 0.0f ? -x : x, number = cosine * (f32)(int)LEAVING_COSINES;
	const u32 angle = (u32)number < LEAVING_COSINES ? (u32)number : LEAVING_COSINES - 1u;

	ATOMIC_ADD_U64(sums + LEAVING_NUMBER, 1u);
	ATOMIC_ADD_U64(sums + LEAVING_ENERGY, energy);
	ATOMIC_ADD_U64(sums + LEAVING_COSINE, (u64)(i64)((cosine < 1.0f ? cosine : 1.0f) * UNITS_OF_COSINE));
	ATOMIC_ADD_U64(sums + LEAVING_BINS + energy_bin(energy, bins), 1u);
	ATOMIC_ADD_U64(sums + LEAVING_BINS + bins + angle, 1u);
}

/* An atom that leaves the target. */
DEVICE_FUNCTION void leave(const struct run *run, struct flights *f, const u32 h)
{
	const GLOBAL struct ions_job *const job = run->job;
	const u32 fate = f->direction_x[h] < 0.0f ? FATE_BACKSCATTERED : FATE_TRANSMITTED;

	f->state[h] = PLACE_IDLE;
	tally(run, f, h, TALLY_LOST, job->cell_count, f->energy[h]);
	const u32 side = fate == FATE_BACKSCATTERED ? 0u : 1u, group = (u32)(f->ion[h] % LEAVING_GROUPS),
		  row = (group * job->kinds + f->kind[h]) * 2u + side;
	count_leaving(run->leaving + (u64)row * LEAVING_NUMBERS(job->spectrum_bins), f->energy[h], f->direction_x[h],
		      job->spectrum_bins);
	if (f->kind[h] == 0u)
		end_ion(run, f, h, fate);
	else
		tally_kind(run, f, h, f->kind[h], fate == FATE_BACKSCATTERED ? TALLY_SPUTTERED : TALLY_TRANSMITTED,
			   job->cell_count, 1u);
	if (f->ion[h] >= job->listed)
		return;
	const u32 index = ATOMIC_NEXT_U32(run->counters + job->groups);
	if (index >= job->most_exits)
		return;
	GLOBAL struct ions_left *const left = run->left + index;
	left->ion = f->ion[h];
	left->path = f->path[h];
	left->energy = f->energy[h];
	left->x = f->x[h];
	left->y = f->y[h];
	left->z = f->z[h];
	left->direction_x = f->direction_x[h];
	left->direction_y = f->direction_y[h];
	left->direction_z = f->direction_z[h];
	left->kind_and_fate = 2u * f->kind[h] + (fate - 1u);
}

/* The fluctuation of the loss since the last one, in units: Gaussian, but never more than the loss, in either
 * direction, so that the mean is preserved. */
DEVICE_FUNCTION i64 fluctuation(const struct run *run, struct flights *f, const u32 h)
{
	const struct random_block block = draw_block(run->job, f->ion[h], f->path[h], f->drawn[h] | 0x40000000u);
	const f32 variance = f->pending_variance[h],
		  deviation = variance > 1e-12f ? variance * exact_rsqrt(variance) : 0.0f;
	const f32 wanted = deviation * exact_gaussian(block.word[0]);
	const f32 most = f->pending_loss[h], more = wanted < -most ? -most : wanted > most ? most : wanted;

	f->pending_loss[h] = f->pending_variance[h] = 0.0f;
	return (i64)(more * UNITS_PER_EV);
}

#if defined(TRACED)
/* Records a point of a path. */
DEVICE_FUNCTION void trace(const struct run *run, u64 ion, const struct ions_atom *atom)
{
	const u32 index = ATOMIC_NEXT_U32(run->counters + run->job->groups);

	if (index >= run->job->most_exits)
		return;
	GLOBAL struct ions_left *const point = run->left + index;
	point->ion = ion;
	point->path = atom->path;
	point->energy = atom->energy;
	point->x = atom->x;
	point->y = atom->y;
	point->z = atom->z;
	point->kind_and_fate = atom->kind;
	point->step = atom->drawn;
}

DEVICE_FUNCTION void trace_flight(const struct run *run, const struct flights *f, const u32 h)
{
	struct ions_atom atom;

	atom.path = f->path[h];
	atom.energy = f->energy[h];
	atom.x = f->x[h];
	atom.y = f->y[h];
	atom.z = f->z[h];
	atom.kind = f->kind[h];
	atom.drawn = f->drawn[h];
	trace(run, f->ion[h], &atom);
}
#define TRACE_FLIGHT(run, f, h) trace_flight((run), (f), (h))
#define TRACE_RECOIL(run, ion, atom) trace((run), (ion), (atom))
#else
#define TRACE_FLIGHT(run, f, h) ((void)0)
#define TRACE_RECOIL(run, ion, atom) ((void)0)
#endif

/* Places an atom in front of a surface that it does not pass. With bodies a point on a surface is not reliably on
 * either side. */
DEVICE_FUNCTION void stay_before(struct flights *f, const u32 h, const struct met_surface *surface, const f64 nudge)
{
	f->x[h] -= nudge * (f64)surface->normal_x;
	f->y[h] -= nudge * (f64)surface->normal_y;
	f->z[h] -= nudge * (f64)surface->normal_z;
}

/* Places an atom beyond a surface, or reflects it; passes: its direction leads through. */
DEVICE_FUNCTION void cross_surface(const struct run *run, struct flights *f, const u32 h,
				   const struct met_surface *surface, const u32 passes)
{
	const u32 to_vacuum = surface->out != 0u || run->layers[surface->region].count == 0u ? 1u : 0u;
	const u32 from_matter = run->layers[f->layer[h]].count != 0u ? 1u : 0u;
	const f64 nudge = ONLY_LAYERS ? 0.0 : NUDGE;

	if (passes == 0u || (BARRIER_AT_SURFACE && to_vacuum != 0u && from_matter != 0u &&
			     passes_surface(run, f, h, surface) == 0u)) {
		stay_before(f, h, surface, nudge);
		return;
	}
	f->x[h] += nudge * (f64)f->direction_x[h];
	f->y[h] += nudge * (f64)f->direction_y[h];
	f->z[h] += nudge * (f64)f->direction_z[h];
	f->layer[h] = surface->region;
	if (surface->out != 0u)
		leave(run, f, h);
}

/* Chooses the collision partner of an atom. */
DEVICE_FUNCTION void choose_partner(const struct run *run, struct flights *f, const u32 h)
{
	const GLOBAL struct ions_layer_numbers *const layer = run->layers + f->layer[h];
	const f32 choice = random_uniform(f->word[2][h]);
	u32 element = 0;

	for (u32 k = 1; k < layer->count; ++k)
		element += choice > layer->below[k] ? 1u : 0u;
	f->partner[h] = layer->first_kind + element;
}

/* An atom that stops at a surface stops in the target, although rounding may have placed it just outside: the cell a
 * little before the surface, which has its pending energies as well. */
DEVICE_FUNCTION void stop_before_surface(const struct run *run, struct flights *f, const u32 h)
{
	if (f->cell[h] == run->job->cell_count)
		f->cell[h] =
		    cell_of(run, f->x[h] - NUDGE * (f64)f->direction_x[h], f->y[h] - NUDGE * (f64)f->direction_y[h],
			    f->z[h] - NUDGE * (f64)f->direction_z[h]);
	stop(run, f, h);
}

/* The end of a flight: the loss, and its consequences with those of the position. */
DEVICE_FUNCTION void arrive(const struct run *run, struct flights *f, const u32 h)
{
	const GLOBAL struct ions_job *const job = run->job;
	const struct met_surface surface = ONLY_LAYERS ? next_wall(run, f, h) : next_surface(run, f, h);
	const u32 met = surface.part < 1.0 ? 1u : 0u, vacuum = run->layers[f->layer[h]].count == 0u ? 1u : 0u;
	u32 passes = 1u;
	const u32 leaves =
	    met != 0u && vacuum == 0u && (surface.out != 0u || run->layers[surface.region].count == 0u) ? 1u : 0u;

	choose_partner(run, f, h);
	if (met != 0u) {
		cut_at_surface(run, f, h, &surface);
		if (MULTIPLE)
			passes = turn_in_part(f, h, &surface);
		f->loss[h] = loss_along(f->stopping[h], f->slope[h], f->length[h]);
	} else {
		f->rest[h] = EXPONENTIAL && f->collides[h] == 0u && vacuum == 0u ? rest_of_least(run, f, h) : 0.0f;
	}
	i64 loss = (i64)(f->loss[h] * UNITS_PER_EV);
	if (STRAGGLING) {
		f->pending_loss[h] = f->pending_loss[h] + f->loss[h];
		f->pending_variance[h] =
		    f->pending_variance[h] + run->tables[job->variances_at + f->row[h]] * f->length[h];
		/* small enough relative to the loss to be Gaussian, large enough to pay off; or the last
		 * opportunity */
		const f32 pending = f->pending_loss[h];
		if ((pending * pending >= 9.0f * f->pending_variance[h] && pending >= 0.02f * f->ev[h]) ||
		    leaves != 0u)
			loss += fluctuation(run, f, h);
	}
	loss = loss > (i64)f->energy[h] ? (i64)f->energy[h] : loss;
	f->energy[h] = (u64)((i64)f->energy[h] - loss);
	i64 soft = 0;
	if (MULTIPLE) {
		/* to atoms that get too little to leave their sites */
		soft = (i64)(run->tables[job->soft_at + 2u * f->row[h] + 1u] * f->length[h] * UNITS_PER_EV);
		soft = soft > (i64)f->energy[h] ? (i64)f->energy[h] : soft;
		f->energy[h] -= (u64)soft;
	}
	f->ev[h] = energy_in_ev(f->energy[h]);
	if (cell_of(run, f->next_x[h], f->next_y[h], f->next_z[h]) == f->cell[h]) {
		f->electronic[h] += loss;
		f->phonons[h] += soft;
	} else {
		distribute(run, f, h, loss, soft);
	}
	f->x[h] = f->next_x[h];
	f->y[h] = f->next_y[h];
	f->z[h] = f->next_z[h];
	f->traveled[h] = f->traveled[h] + (f64)f->length[h];
	TRACE_FLIGHT(run, f, h);
	if (f->energy[h] < job->cutoff && vacuum == 0u && met != 0u)
		stop_before_surface(run, f, h);
	else if (f->energy[h] < job->cutoff && vacuum == 0u)
		stop(run, f, h);
	else if (met != 0u)
		cross_surface(run, f, h, &surface, passes);
	else if (vacuum != 0u)
		leave(run, f, h); /* along a layer of vacuum, indefinitely */
}

#endif
