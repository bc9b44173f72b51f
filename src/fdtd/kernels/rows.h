/* Steps rows of cells. Included once for each variant of a kernel, with names made by TYPED(). */

/* A difference of the other field along an axis, times its number in the profile. */
struct TYPED(difference) {
	const GLOBAL REAL *from, *to; /* of the row's node 0 */
	const GLOBAL REAL *profile;   /* at the row's node: kinds of numbers, `length` of each */
	u64 length;
};

/* Coefficients for a component of a row. */
struct TYPED(component) {
	GLOBAL REAL *field; /* of the row's node 0 */
	const GLOBAL unsigned char *index;
	u64 index_at;
	const GLOBAL unsigned short *segments; /* of the row */
	const GLOBAL REAL *table;
	REAL sign; /* of rot in vacuum: 1 for E, -1 for H */
	u32 begin, end;
};

/* field = first field + second (one - other). `media`: bytes of a medium's number; along_z: whether a difference is along the row. */
DEVICE_INLINE void TYPED(turn)(const u32 media, const u32 one_along_z, const u32 other_along_z,
			       struct TYPED(component) c, struct TYPED(difference) one,
			       struct TYPED(difference) other)
{
	GLOBAL REAL *RESTRICT const field = c.field;
	const GLOBAL REAL *RESTRICT const one_from = one.from, *RESTRICT const one_to = one.to,
					  *RESTRICT const other_from = other.from,
					  *RESTRICT const other_to = other.to,
					  *RESTRICT const one_profile = one.profile,
					  *RESTRICT const other_profile = other.profile,
					  *RESTRICT const table = c.table;
	const REAL one_scale = one_profile[0], other_scale = other_profile[0], sign = c.sign;

#define ROT(k)                                                                          \
	((one_along_z != 0u ? one_profile[k] : one_scale) * (one_to[k] - one_from[k]) - \
	 (other_along_z != 0u ? other_profile[k] : other_scale) * (other_to[k] - other_from[k]))
	if (media == 0u) {
		CELLS(k, c.begin, c.end)
		field[k] = field[k] + sign * ROT(k);
		return;
	}
	FOR_SEGMENTS(segment, c.begin, c.end)
	{
		const u32 medium = c.segments[segment], begin = SEGMENT_BEGIN(segment, c.begin),
			  end = SEGMENT_END(segment, c.end);
		if (medium != MIXED) {
			const REAL first = table[MEDIUM_NUMBERS * medium],
				   second = table[MEDIUM_NUMBERS * medium + 1u];
			CELLS_OF_SEGMENT(k, begin, end)
			field[k] = first * field[k] + second * ROT(k);
		} else {
			CELLS_OF_SEGMENT(k, begin, end)
			{
				const u32 here = medium_at(media, c.index, c.index_at + k);
				field[k] = table[MEDIUM_NUMBERS * here] * field[k] +
					   table[MEDIUM_NUMBERS * here + 1u] * ROT(k);
			}
		}
	}
#undef ROT
}

/* In an absorbing layer: psi = b psi + c difference, field += second (+-psi). psi[k - skipped] belongs to node k. */
DEVICE_INLINE void TYPED(absorb)(const u32 media, const u32 along_z, struct TYPED(component) c,
				 struct TYPED(difference) d, GLOBAL REAL *RESTRICT psi, u32 skipped, const REAL side)
{
	GLOBAL REAL *RESTRICT const field = c.field;
	const GLOBAL REAL *RESTRICT const from = d.from, *RESTRICT const to = d.to,
					  *RESTRICT const all_b = d.profile + PROFILE_B * d.length,
					  *RESTRICT const all_c = d.profile + PROFILE_C * d.length,
					  *RESTRICT const table = c.table;
	const REAL row_b = all_b[0], row_c = all_c[0], sign = side * c.sign;

#define PSI(k)                                                             \
	((along_z != 0u ? all_b[k] : row_b) * psi[(i64)k - (i64)skipped] + \
	 (along_z != 0u ? all_c[k] : row_c) * (to[k] - from[k]))
	if (media == 0u) {
		CELLS(k, c.begin, c.end)
		{
			const REAL psi_new = PSI(k);
			psi[(i64)k - (i64)skipped] = psi_new;
			field[k] = field[k] + sign * psi_new;
		}
		return;
	}
	FOR_SEGMENTS(segment, c.begin, c.end)
	{
		const u32 medium = c.segments[segment], begin = SEGMENT_BEGIN(segment, c.begin),
			  end = SEGMENT_END(segment, c.end);
		if (medium != MIXED) {
			const REAL second = side * table[MEDIUM_NUMBERS * medium + 1u];
			CELLS_OF_SEGMENT(k, begin, end)
			{
				const REAL psi_new = PSI(k);
				psi[(i64)k - (i64)skipped] = psi_new;
				field[k] = field[k] + second * psi_new;
			}
		} else {
			CELLS_OF_SEGMENT(k, begin, end)
			{
				const REAL psi_new = PSI(k);
				const u32 here = medium_at(media, c.index, c.index_at + k);
				psi[(i64)k - (i64)skipped] = psi_new;
				field[k] = field[k] + side * table[MEDIUM_NUMBERS * here + 1u] * psi_new;
			}
		}
	}
#undef PSI
}
