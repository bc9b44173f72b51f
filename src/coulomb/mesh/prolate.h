/* The prolate spheroidal wave function of order 0 and bandwidth c: of all functions that vanish outside [-1, 1]
 * the one whose Fourier transform is most concentrated in [-c, c] (Slepian and Pollak, Bell Syst. Tech. J. 40
 * (1961) 43). It and its transform are, up to scaling, the same function. Here its integral over [0, 1] is 1. */
#ifndef SONDE_COULOMB_MESH_PROLATE_H
#define SONDE_COULOMB_MESH_PROLATE_H

#include <stdint.h>

#define PROLATE_TERMS 48

struct prolate {
	double c;
	double series[PROLATE_TERMS]; /* coefficients of Legendre polynomials of even degree 0, 2, ... */
};

void prolate_make(double c, struct prolate *prolate);
/* 0 outside [-1, 1]. */
double prolate_value(const struct prolate *prolate, double x);
/* Its integral from 0 to x: a smooth step from -1 to 1. */
double prolate_step(const struct prolate *prolate, double x);
/* |x| with its kink smoothed between -1 and 1, the integral of the step, which is 1 at 1: at 0, 1/count, 2/count,
 * ... */
void prolate_ramp(const struct prolate *prolate, uint32_t count, double *values);
/* Nodes and weights of the Gauss-Legendre rule on [-1, 1]. */
void gauss_legendre_rule(int count, double *nodes, double *weights);

#endif
