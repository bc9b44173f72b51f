/* Steps rows of cells on CPUs, register by register. Included once for each field and type (typed_steps.h), with names made
 * by TYPED(). Registers begin at multiples of their lanes, so that they do not straddle lines of the cache; lanes of a
 * row's first and last register that are not stepped keep their numbers: rows have room for whole registers. */

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
	u32 index_bytes;
	REAL sign; /* of rot in vacuum: 1 for E, -1 for H */
	u32 begin, end;
};

/* One of the numbers of each node's medium. */
DEVICE_INLINE REALS TYPED(look_up)(const struct TYPED(component) * c, u32 number, u32 k)
{
	REAL numbers[REALS_COUNT];

	for (u32 v = 0; v < REALS_COUNT; ++v) {
		/* nodes beyond the end have no medium */
		const u32 node = k + v < c->end ? k + v : c->end - 1u;
		numbers[v] =
		    c->table[MEDIUM_NUMBERS * medium_at(c->index_bytes, c->index, c->index_at + node) + number];
	}
	return REALS_LOAD(numbers);
}

/* The same, which is one number if all nodes have the same medium. */
DEVICE_INLINE REALS TYPED(number_of_media)(const struct TYPED(component) * c, u32 number, u32 k)
{
	const u32 last = k + REALS_COUNT < c->end ? k + REALS_COUNT - 1u : c->end - 1u,
		  medium = c->segments[k / SEGMENT];

	if (medium == MIXED || c->segments[last / SEGMENT] != medium)
		return TYPED(look_up)(c, number, k);
	return REALS_SPLAT(c->table[MEDIUM_NUMBERS * medium + number]);
}

#define VACUUM_ONLY 0u
#define ONE_MEDIUM 1u
#define MANY_MEDIA 2u

/* Data of a component's step: the two differences, the first of which counts positively. */
struct TYPED(turning) {
	struct TYPED(component) c;
	struct TYPED(difference) one, other;
	REALS one_scale, other_scale, first, second; /* of all nodes, unless they vary */
};

/* A register of nodes, of which those from c.begin to c.end - 1 are stepped if this is `partial`. */
DEVICE_INLINE void TYPED(turn_nodes)(const u32 media, const u32 one_along_z, const u32 other_along_z,
				     const u32 partial, const struct TYPED(turning) * t, u32 k)
{
	const REALS old = REALS_LOAD(t->c.field + k), one = REALS_LOAD(t->one.to + k) - REALS_LOAD(t->one.from + k),
		    other = REALS_LOAD(t->other.to + k) - REALS_LOAD(t->other.from + k),
		    rot = (one_along_z != 0u ? REALS_LOAD(t->one.profile + k) : t->one_scale) * one -
			  (other_along_z != 0u ? REALS_LOAD(t->other.profile + k) : t->other_scale) * other;
	REALS stepped;

	if (media == VACUUM_ONLY)
		stepped = t->c.sign > 0 ? old + rot : old - rot;
	else if (media == ONE_MEDIUM)
		stepped = t->first * old + t->second * rot;
	else
		stepped = TYPED(look_up)(&t->c, 0u, k) * old + TYPED(look_up)(&t->c, 1u, k) * rot;
	if (partial != 0u)
		stepped = REALS_CHOOSE((i64)t->c.begin - (i64)k, (i64)t->c.end - (i64)k, stepped, old);
	REALS_STORE(t->c.field + k, stepped);
}

/* Nodes from `k`, where a register begins, to `end`. */
DEVICE_INLINE void TYPED(turn_run)(const u32 media, const u32 one_along_z, const u32 other_along_z,
				   const struct TYPED(turning) * t, u32 k, u32 end)
{
	if (k < t->c.begin && k < end) {
		TYPED(turn_nodes)(media, one_along_z, other_along_z, 1u, t, k);
		k += REALS_COUNT;
	}
	for (; k + REALS_COUNT <= end; k += REALS_COUNT)
		TYPED(turn_nodes)(media, one_along_z, other_along_z, 0u, t, k);
	if (k < end)
		TYPED(turn_nodes)(media, one_along_z, other_along_z, 1u, t, k);
}

/* field = first field + second (one - other). along_z: whether a difference is along the row. */
DEVICE_INLINE void TYPED(turn)(const u32 media, const u32 one_along_z, const u32 other_along_z,
			       struct TYPED(component) c, struct TYPED(difference) one,
			       struct TYPED(difference) other)
{
	struct TYPED(turning) t;

	t.c = c;
	t.one = one;
	t.other = other;
	t.one_scale = REALS_SPLAT(one.profile[0]);
	t.other_scale = REALS_SPLAT(other.profile[0]);
	t.first = t.second = t.one_scale;
	if (media == 0u) {
		TYPED(turn_run)(VACUUM_ONLY, one_along_z, other_along_z, &t, 0u, c.end);
		return;
	}
	/* segments with the same medium are one run */
	for (u32 k = 0, end; k < c.end; k = end) {
		const u32 medium = c.segments[k / SEGMENT];
		for (end = k + SEGMENT; end < c.end && c.segments[end / SEGMENT] == medium;)
			end += SEGMENT;
		end = end < c.end ? end : c.end;
		if (medium == MIXED) {
			TYPED(turn_run)(MANY_MEDIA, one_along_z, other_along_z, &t, k, end);
			continue;
		}
		t.first = REALS_SPLAT(c.table[MEDIUM_NUMBERS * medium]);
		t.second = REALS_SPLAT(c.table[MEDIUM_NUMBERS * medium + 1u]);
		TYPED(turn_run)(ONE_MEDIUM, one_along_z, other_along_z, &t, k, end);
	}
}

/* Data of the convolution of a component with a difference. psi[k] belongs to node k. */
struct TYPED(absorbing) {
	struct TYPED(component) c;
	struct TYPED(difference) d;
	GLOBAL REAL *psi;
	REAL side;
};

/* psi = b psi + c difference, field += second (+-psi), of a register of nodes. */
DEVICE_INLINE void TYPED(absorb_nodes)(const u32 media, const u32 along_z, const u32 partial,
				       const struct TYPED(absorbing) * a, u32 k)
{
	const GLOBAL REAL *const all_b = a->d.profile + PROFILE_B * a->d.length, *const all_c =
										     a->d.profile +
										     PROFILE_C * a->d.length;
	const REALS b = along_z != 0u ? REALS_LOAD(all_b + k) : REALS_SPLAT(all_b[0]),
		    c = along_z != 0u ? REALS_LOAD(all_c + k) : REALS_SPLAT(all_c[0]),
		    old = REALS_LOAD(a->c.field + k), old_psi = REALS_LOAD(a->psi + k);
	REALS psi = b * old_psi + c * (REALS_LOAD(a->d.to + k) - REALS_LOAD(a->d.from + k)), stepped;

	if (media == 0u)
		stepped = a->side * a->c.sign > 0 ? old + psi : old - psi;
	else if (a->side > 0)
		stepped = old + TYPED(number_of_media)(&a->c, 1u, k) * psi;
	else
		stepped = old - TYPED(number_of_media)(&a->c, 1u, k) * psi;
	if (partial != 0u) {
		stepped = REALS_CHOOSE((i64)a->c.begin - (i64)k, (i64)a->c.end - (i64)k, stepped, old);
		psi = REALS_CHOOSE((i64)a->c.begin - (i64)k, (i64)a->c.end - (i64)k, psi, old_psi);
	}
	REALS_STORE(a->psi + k, psi);
	REALS_STORE(a->c.field + k, stepped);
}

/* The same of a node. */
DEVICE_INLINE void TYPED(absorb_node)(const u32 media, const struct TYPED(absorbing) * a, u32 k)
{
	const GLOBAL REAL *const all_b = a->d.profile + PROFILE_B * a->d.length, *const all_c =
										     a->d.profile +
										     PROFILE_C * a->d.length;
	const REAL psi = all_b[k] * a->psi[k] + all_c[k] * (a->d.to[k] - a->d.from[k]), sign = a->side * a->c.sign;

	a->psi[k] = psi;
	if (media == 0u)
		a->c.field[k] = a->c.field[k] + sign * psi;
	else {
		const u32 here = medium_at(a->c.index_bytes, a->c.index, a->c.index_at + k);
		a->c.field[k] = a->c.field[k] + a->side * a->c.table[MEDIUM_NUMBERS * here + 1u] * psi;
	}
}

/* In an absorbing layer along another axis: its rows have room for whole registers. */
DEVICE_INLINE void TYPED(absorb_row)(const u32 media, const struct TYPED(absorbing) * a)
{
	u32 k = 0;

	if (a->c.begin > 0u && a->c.end > 0u) {
		TYPED(absorb_nodes)(media, 0u, 1u, a, k);
		k += REALS_COUNT;
	}
	for (; k + REALS_COUNT <= a->c.end; k += REALS_COUNT)
		TYPED(absorb_nodes)(media, 0u, 0u, a, k);
	if (k < a->c.end)
		TYPED(absorb_nodes)(media, 0u, 1u, a, k);
}

/* In a layer at one end of the row, whose nodes begin at `first`. */
DEVICE_INLINE void TYPED(absorb_end)(const u32 media, const struct TYPED(absorbing) * a, u32 first)
{
	u32 k = first;

	if (k < a->c.begin && k + REALS_COUNT <= a->c.end) {
		TYPED(absorb_nodes)(media, 1u, 1u, a, k);
		k += REALS_COUNT;
	}
	for (; k + REALS_COUNT <= a->c.end; k += REALS_COUNT)
		TYPED(absorb_nodes)(media, 1u, 0u, a, k);
	for (k = k > a->c.begin ? k : a->c.begin; k < a->c.end; ++k)
		TYPED(absorb_node)(media, a, k);
}
