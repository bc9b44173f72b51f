/* SIMD registers of the type of the fields, by REAL_F32. No include guard: once for each variant of a kernel. */
#undef REALS
#undef REALS_COUNT
#undef REALS_SPLAT
#undef REALS_LOAD
#undef REALS_STORE
#undef REALS_CHOOSE
#if REAL_F32
#define REALS lanes_f32
#define REALS_COUNT LANES_F32
#define REALS_SPLAT(x) LANES_SPLAT_F32(x)
#define REALS_LOAD(pointer) ((REALS)LANES_LOAD_F32(pointer))
#define REALS_STORE(pointer, value) LANES_STORE_F32((pointer), (value))
#define REALS_CHOOSE(begin, end, inside, outside) LANES_CHOOSE_F32((begin), (end), (inside), (outside))
#else
#define REALS lanes_f64
#define REALS_COUNT LANES
#define REALS_SPLAT(x) LANES_SPLAT(x)
#define REALS_LOAD(pointer) ((REALS)LANES_LOAD(pointer))
#define REALS_STORE(pointer, value) LANES_STORE((pointer), (value))
#define REALS_CHOOSE(begin, end, inside, outside) LANES_CHOOSE((begin), (end), (inside), (outside))
#endif
