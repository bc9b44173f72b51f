/* Moving atoms, HISTORIES of them per work-item, and the data read by all steps. */
#ifndef SONDE_IONS_FLIGHTS_H
#define SONDE_IONS_FLIGHTS_H

#include "device/kernel_random.h"
#include "ions/kernels/history_layout.h"
#include "ions/kernels/scattering_lookup.h"

#define HISTORIES LANES_F32
/* The table of scattering angles, in local memory where that is shared. */
#if WORKGROUP_SHARES_LOCAL
SCATTERING_LOG2_TAN2(LOCAL)
SCATTERING_CUBIC(GLOBAL, apsis_cubic)
#define SCATTERING_TABLE(run) ((run)->scattering)
#else
SCATTERING_LOG2_TAN2(GLOBAL)
SCATTERING_CUBIC(GLOBAL, apsis_cubic)
#define SCATTERING_TABLE(run) ((run)->tables)
#endif
/* With one atom these loops vanish; with several they are SIMD. */
#if LANES > 1u
#define FOR_HISTORIES(h) SIMD_LOOP for (u32 h = 0; h < HISTORIES; ++h)
#else
#define FOR_HISTORIES(h) for (u32 h = 0; h < HISTORIES; ++h)
#endif

/* Constants of a job, if kernels are compiled for it: 0 or 1. */
#if !defined(EXPONENTIAL)
#define EXPONENTIAL (run->job->flight == FLIGHT_EXPONENTIAL)
#define FREE_FLIGHTS 1 /* whether some flights may have no largest impact parameter */
#define STRAGGLING (run->job->straggling != 0u)
#define QUICK (run->job->quick != 0u)
#define LOCAL_LOSS (run->job->in_collisions != 0u)
#define MULTIPLE (run->job->multiple != 0u)
#define BARRIER_AT_SURFACE (run->job->barrier != 0u)
#define OWN_TALLIES_KEPT (run->job->local_tallies != 0u)
#define ONLY_LAYERS (run->job->bodies == 0u && run->job->voxel_materials == 0u)
#define ONLY_DEPTH (run->job->cell_count == run->job->cells[0])
#endif
/* States of a place. */
#define PLACE_IDLE 0u
#define PLACE_MOVING 1u
#define PLACE_STRUCK 2u /* its atom has displaced another one */

struct run {
	const GLOBAL struct ions_job *job;
	const GLOBAL f32 *tables;
	const GLOBAL struct ions_flight *flights;
	const GLOBAL struct ions_pair *pairs;
	const GLOBAL struct ions_kind_numbers *kinds;
	const GLOBAL struct ions_layer_numbers *layers; /* of regions: layers, then bodies */
	const GLOBAL struct ions_body *bodies;
	const GLOBAL struct ions_start *starts;
	const GLOBAL f64 *meshes;
	const GLOBAL u32 *voxels;
	GLOBAL struct ions_atom *stacks;
	/* numbers of ions started by groups, of recoils that left, of atoms without a place, and of suspended
	 * places */
	GLOBAL u32 *counters;
	GLOBAL struct ions_end *ends;
	GLOBAL struct ions_left *left;
	GLOBAL u64 *tallies, *spectra, *leaving;
	LOCAL u64 *own;
	LOCAL f32 *scattering;
	u64 first;
	u32 count, group, offset, first_stack, stride;
};

struct flights {
	/* the atoms */
	u64 energy[HISTORIES], path[HISTORIES], ion[HISTORIES];
	f64 x[HISTORIES], y[HISTORIES], z[HISTORIES], traveled[HISTORIES];
	f32 ev[HISTORIES]; /* the energy in eV */
	f32 direction_x[HISTORIES], direction_y[HISTORIES], direction_z[HISTORIES];
	f32 pending_loss[HISTORIES], pending_variance[HISTORIES], rest[HISTORIES];
	u32 drawn[HISTORIES], kind[HISTORIES], layer[HISTORIES], species[HISTORIES], loose[HISTORIES];
	u32 state[HISTORIES], finished[HISTORIES];
	u32 depth[HISTORIES],
	    taken[HISTORIES];       /* number of waiting atoms, and of those before them taken by others */
	u64 struck_with[HISTORIES]; /* energy */
	/* their pending contributions to a cell */
	i64 electronic[HISTORIES], phonons[HISTORIES];
	u32 cell[HISTORIES], collisions[HISTORIES], base[HISTORIES]; /* base: of the ion's tallies */
	/* of this step */
	u32 word[4][HISTORIES];
	u32 row[HISTORIES]; /* of the table of flights */
	f32 length[HISTORIES], loss[HISTORIES], stopping[HISTORIES], slope[HISTORIES], log2_impact[HISTORIES];
	f64 next_x[HISTORIES], next_y[HISTORIES], next_z[HISTORIES];
	u32 collides[HISTORIES], partner[HISTORIES];
	f32 lost_cosine[HISTORIES]; /* 1 - cos of the deflection by collisions omitted in the flight */
	f32 transfer[HISTORIES], half_sine[HISTORIES], half_cosine[HISTORIES];
	f32 across_x[HISTORIES], across_y[HISTORIES], across_z[HISTORIES];
	f32 before_x[HISTORIES], before_y[HISTORIES], before_z[HISTORIES];
};

DEVICE_INLINE f32 energy_in_ev(u64 energy)
{
	return (f32)(i64)energy * EV_PER_UNIT;
}

/* A block of random numbers of an atom for a step; with bit 30 for a fluctuation of its loss, with bit 31 for
 * multiple scattering. */
DEVICE_INLINE struct random_block draw_block(const GLOBAL struct ions_job *job, u64 ion, u64 path, u32 step)
{
	struct random_block counter;

	counter.word[0] = (u32)ion;
	counter.word[1] = step;
	counter.word[2] = (u32)path;
	counter.word[3] = (u32)(path >> 32);
	return random_philox(counter, job->seed_low, job->seed_high ^ ((u32)(ion >> 32) << 21));
}

/* log2 of a random number from 0 to 1 that has 48 bits where it is small: rare, close collisions matter. */
DEVICE_INLINE f32 log2_uniform(u32 word, u32 more)
{
	const u32 small = word < 65536u ? 1u : 0u, bits = small != 0u ? (word << 16) | (more & 0xffffu) : word;
	const f32 number = (f32)(int)(bits >> 16) * 65536.0f + ((f32)(int)(bits & 0xffffu) + 0.5f);

	return exact_log2(number) - (small != 0u ? 48.0f : 32.0f);
}

/* An idle place, with numbers that are harmless in loops over all places. */
DEVICE_FUNCTION void clear_flight(struct flights *f, const u32 h)
{
	f->energy[h] = 0;
	f->path[h] = 0;
	f->ion[h] = 0;
	f->x[h] = f->y[h] = f->z[h] = f->traveled[h] = 0.0;
	f->ev[h] = 1.0f;
	f->direction_x[h] = 1.0f;
	f->direction_y[h] = f->direction_z[h] = 0.0f;
	f->pending_loss[h] = f->pending_variance[h] = f->rest[h] = 0.0f;
	f->drawn[h] = f->kind[h] = f->layer[h] = f->species[h] = f->loose[h] = 0;
	f->state[h] = PLACE_IDLE;
	f->finished[h] = f->depth[h] = f->taken[h] = 0;
	f->electronic[h] = f->phonons[h] = 0;
	f->cell[h] = f->collisions[h] = f->base[h] = 0;
	f->partner[h] = 0;
	f->log2_impact[h] = f->lost_cosine[h] = 0.0f;
}

DEVICE_FUNCTION void draw_all(const struct run *run, struct flights *f)
{
	FOR_HISTORIES(h)
	{
		const struct random_block block = draw_block(run->job, f->ion[h], f->path[h], f->drawn[h]);
		f->word[0][h] = block.word[0];
		f->word[1][h] = block.word[1];
		f->word[2][h] = block.word[2];
		f->word[3][h] = block.word[3];
		++f->drawn[h];
	}
}

#endif
