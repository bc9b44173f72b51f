/* Number types of a kernel's sums, by its SINGLE, and its storage of a charge, by its SETS: to be included once per
 * kernel, and arithmetic_end.h at its end. */
#if SINGLE
#define number f32
#define vector lanes_f32
#define WIDE LANES_F32
#define VECTOR_LOAD LANES_LOAD_F32
#define VECTOR_STORE LANES_STORE_F32
#define VECTOR_SPLAT LANES_SPLAT_F32
#define VECTOR_MULADD LANES_MULADD_F32
#if defined(LANES_INDEX) /* SIMD registers */
#define VECTOR_WHERE_LESS(a, b, x) ((lanes_f32)((lanes_u64)(x) & (lanes_u64)((a) < (b))))
#else
#define VECTOR_WHERE_LESS(a, b, x) ((a) < (b) ? (x) : 0.0f)
#endif
#else
#define number f64
#define vector lanes_f64
#define WIDE LANES
#define VECTOR_LOAD LANES_LOAD
#define VECTOR_STORE LANES_STORE
#define VECTOR_SPLAT LANES_SPLAT
#define VECTOR_MULADD LANES_MULADD
#define VECTOR_WHERE_LESS(a, b, x) LANES_AS_F64(LANES_AS_U64(x) & LANES_LESS_MASK(a, b))
#endif
/* Layout of x, y, z and the charges of an atom of a chunk: together, for GPUs, which read four at a time, or each
 * in its own row, as SIMD registers write them. */
#define CHARGE_AT (SETS == 1 ? 3u : 4u)
#define ATOM_NUMBERS NUMBERS_OF_ATOM(SETS)
#if LOCAL_SIZE > 1
#define ATOM(a, k) (ATOM_NUMBERS * (a) + (k))
#else
#define ATOM(a, k) ((k)*CHUNK + (a))
#endif
#define COMPONENTS (SETS * (FIELD ? 4u : 1u))
