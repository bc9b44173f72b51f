/* The type of the fields, by REAL_F32, and the integer of its width. No include guard: once for each variant of a kernel. */
#undef REAL
#undef WORD
#if REAL_F32
#define REAL f32
#define WORD u32
#else
#define REAL f64
#define WORD u64
#endif
