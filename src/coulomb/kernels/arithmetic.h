/* The numbers that a kernel sums in, by its SINGLE: to be included once a kernel, and arithmetic_end.h at its end. */
#if SINGLE
#define number f32
#define vector lanes_f32
#define WIDE LANES_F32
#define VECTOR_LOAD LANES_LOAD_F32
#define VECTOR_STORE LANES_STORE_F32
#define VECTOR_SPLAT LANES_SPLAT_F32
#define VECTOR_MULADD LANES_MULADD_F32
#else
#define number f64
#define vector lanes_f64
#define WIDE LANES
#define VECTOR_LOAD LANES_LOAD
#define VECTOR_STORE LANES_STORE
#define VECTOR_SPLAT LANES_SPLAT
#define VECTOR_MULADD LANES_MULADD
#endif
