/* Vectors of three numbers. */
#ifndef SONDE_BASE_VECTORS_H
#define SONDE_BASE_VECTORS_H

#include <math.h>

static inline double vector_dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* a x b; the product must be another array. */
static inline void vector_cross(const double a[3], const double b[3], double product[3])
{
	product[0] = a[1] * b[2] - a[2] * b[1];
	product[1] = a[2] * b[0] - a[0] * b[2];
	product[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double vector_length(const double v[3])
{
	return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

#endif
