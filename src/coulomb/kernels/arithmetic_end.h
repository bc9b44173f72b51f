/* Undefines the macros of arithmetic.h. */
#undef number
#undef vector
#undef WIDE
#undef VECTOR_LOAD
#undef VECTOR_STORE
#undef VECTOR_SPLAT
#undef VECTOR_MULADD
#undef VECTOR_WHERE_LESS
#undef ATOM
#undef CHARGE_AT
#undef ATOM_NUMBERS
#undef COMPONENTS
