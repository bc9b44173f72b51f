/* Code of direct_grid.k that adds a chunk of charges to the sums of a work-item's points. With CHECKED it records
 * the distance of the nearest; chunks without a charge near any point of the work-group do not need this. */
for (u32 a = 0; a < count; ++a) {
	const f32x4 atom = atoms[a];
#if SETS > 1
	const f32x4 of_sets = atoms[CHUNK + a];
	const f32 charges_of_atom[SETS] = {of_sets.x, of_sets.y, of_sets.z, of_sets.w};
#else
	const f32 charges_of_atom[SETS] = {atom.w};
#endif
	const f32 ax = atom.x, ay = atom.y, dz = -atom.z, dz2 = FMA_F32(dz, dz, soft);
	f32 dx[TILE_X], dy[TILE_Y], rest[TILE_Y];
#if CHECKED
	f32 least_x = 1e30f, least_rest = 1e30f;
#endif
	UNROLL
	for (u32 i = 0; i < TILE_X; ++i) {
		dx[i] = px[i] - ax;
#if CHECKED
		least_x = MIN_F32(least_x, fabs(dx[i]));
#endif
	}
	UNROLL
	for (u32 j = 0; j < TILE_Y; ++j) {
		dy[j] = py[j] - ay;
		rest[j] = FMA_F32(dy[j], dy[j], dz2);
#if CHECKED
		least_rest = MIN_F32(least_rest, rest[j]);
#endif
	}
#if CHECKED
	nearest = MIN_F32(nearest, FMA_F32(least_x, least_x, least_rest));
#endif
	UNROLL
	for (u32 n = 0; n < TILE; ++n) {
		const u32 i = n % TILE_X, j = n / TILE_X;
		const f32 r2 = FMA_F32(dx[i], dx[i], rest[j]);
		const f32 w = n >= TILE - BY_HAND ? rsqrt_by_hand(r2) : RSQRT_F32(r2);
#if FIELD && SETS > 1
		const f32 factor = w * (w * w);
#endif
		UNROLL
		for (u32 s = 0; s < SETS; ++s) {
			const u32 to = s * TILE + n;
#if FIELD && SETS == 1
			/* two dependent products instead of three */
			const f32 potential = charges_of_atom[s] * w, force = potential * (w * w);
			phi[to] += potential;
#else
			phi[to] = FMA_F32(charges_of_atom[s], w, phi[to]);
#endif
#if FIELD
#if SETS > 1
			const f32 force = charges_of_atom[s] * factor;
#endif
			ex[to] = FMA_F32(force, dx[i], ex[to]);
			ey[to] = FMA_F32(force, dy[j], ey[to]);
			ez[to] = FMA_F32(force, dz, ez[to]);
#endif
		}
	}
}
