/* Multiple scattering: the effect of the collisions omitted in a flight on the direction of an atom.
 *
 * They are many, with small deflections. Along a flight of length l the mean of 1 - cos psi is 1 - exp(-l/lambda),
 * with lambda their transport mean free path (Goudsmit and Saunderson, Phys. Rev. 57 (1940) 24); for small angles
 * a Gaussian distribution in two planes makes 1 - cos psi exponential. The atom is deflected at a hinge that is
 * uniformly distributed along the flight: this gives the end of the flight the mean square displacement, l^2
 * psi^2/3, and its correlation with the angle, l psi^2/2, of the Fermi-Eyges theory (Fernandez-Varea et al., Nucl.
 * Instrum. Methods B 73 (1993) 447). */
#ifndef SONDE_IONS_MULTIPLE_SCATTERING_H
#define SONDE_IONS_MULTIPLE_SCATTERING_H

#include "ions/kernels/bodies.h"

/* Mean of 1 - cos psi; returns whether any is nonzero. */
DEVICE_FUNCTION u32 leaves_out(const struct run *run, struct flights *f)
{
	u32 any = 0u;

	if (!MULTIPLE)
		return 0u;
	FOR_HISTORIES(h)
	{
		const f32 paths = run->tables[run->job->soft_at + 2u * f->row[h]] * f->length[h];
		const f32 few = paths < 0.5f ? paths : 0.5f;
		/* 1 - exp(-paths), with `paths` rarely above 1/100 */
		f->lost_cosine[h] = FMA_F32(few * few, FMA_F32(few, 0.166666667f, -0.5f), few);
	}
	for (u32 h = 0; h < HISTORIES; ++h)
		any |= f->lost_cosine[h] > 0.0f ? 1u : 0u;
	return any;
}

/* A direction rotated by an angle given by 1 - cos psi, toward a unit vector perpendicular to it. */
DEVICE_INLINE void turn_towards(f32 lost_cosine, f32 x, f32 y, f32 z, f32 across_x, f32 across_y, f32 across_z,
				f32 *turned_x, f32 *turned_y, f32 *turned_z)
{
	const f32 square = lost_cosine * (2.0f - lost_cosine), sine = square * exact_rsqrt(square + 1e-24f);
	const f32 new_x = x + FMA_F32(sine, across_x, -(lost_cosine * x)),
		  new_y = y + FMA_F32(sine, across_y, -(lost_cosine * y)),
		  new_z = z + FMA_F32(sine, across_z, -(lost_cosine * z));
	/* length 1 up to rounding, which does not accumulate */
	const f32 to_one = FMA_F32(-0.5f, FMA_F32(new_x, new_x, FMA_F32(new_y, new_y, new_z * new_z)), 1.5f);

	*turned_x = new_x * to_one;
	*turned_y = new_y * to_one;
	*turned_z = new_z * to_one;
}

/* Directions after the flights of all atoms, and their ends, displaced from the straight lines; with separate
 * random numbers. */
DEVICE_FUNCTION void turn_all(const struct run *run, struct flights *f)
{
	FOR_HISTORIES(h)
	{
		const struct random_block block =
		    draw_block(run->job, f->ion[h], f->path[h], (f->drawn[h] - 1u) | 0x80000000u);
		const f32 minus_ln = -0.693147181f * log2_uniform(block.word[0], block.word[3]),
			  wanted = f->lost_cosine[h] * minus_ln, lost = wanted < 2.0f ? wanted : 2.0f;
		/* the others remain bit-identical */
		const u32 turns = lost > 0.0f ? 1u : 0u;
		const f32 x = f->direction_x[h], y = f->direction_y[h], z = f->direction_z[h];
		const f32 behind = random_uniform(block.word[2]) * f->length[h];
		f32 cosine, sine, across_x, across_y, across_z, turned_x, turned_y, turned_z;

		exact_circle(block.word[1], &cosine, &sine);
		exact_across(x, y, z, cosine, sine, &across_x, &across_y, &across_z);
		turn_towards(lost, x, y, z, across_x, across_y, across_z, &turned_x, &turned_y, &turned_z);
		turned_x = turns != 0u ? turned_x : x;
		turned_y = turns != 0u ? turned_y : y;
		turned_z = turns != 0u ? turned_z : z;
		f->next_x[h] = f->next_x[h] + (f64)behind * (f64)(turned_x - x);
		f->next_y[h] = f->next_y[h] + (f64)behind * (f64)(turned_y - y);
		f->next_z[h] = f->next_z[h] + (f64)behind * (f64)(turned_z - z);
		f->lost_cosine[h] = lost;
		f->across_x[h] = across_x;
		f->across_y[h] = across_y;
		f->across_z[h] = across_z;
		f->before_x[h] = x;
		f->before_y[h] = y;
		f->before_z[h] = z;
		f->direction_x[h] = turned_x;
		f->direction_y[h] = turned_y;
		f->direction_z[h] = turned_z;
	}
}

/* For a flight cut by a surface, the deflection of its traversed fraction. Returns whether the new direction leads
 * through the surface: else the atom stays in front of it. */
DEVICE_FUNCTION u32 turn_in_part(struct flights *f, const u32 h, const struct met_surface *surface)
{
	f32 x, y, z;

	if (f->lost_cosine[h] == 0.0f)
		return 1u;
	turn_towards(f->lost_cosine[h] * (f32)surface->part, f->before_x[h], f->before_y[h], f->before_z[h],
		     f->across_x[h], f->across_y[h], f->across_z[h], &x, &y, &z);
	f->direction_x[h] = x;
	f->direction_y[h] = y;
	f->direction_z[h] = z;
	return surface->normal_x * x + surface->normal_y * y + surface->normal_z * z > 0.0f ? 1u : 0u;
}

#endif
