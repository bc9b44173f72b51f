/* The window of the fast method: Kaiser and Bessel's, w(u) = I0(beta sqrt(1 - (2u/width)^2))/I0(beta) for |u| <= width/2 mesh points,
 * whose transform is known (J. I. Jackson et al., IEEE Trans. Med. Imaging 10 (1991) 473). */
#ifndef SONDE_PATTERN_FAST_WINDOW_H
#define SONDE_PATTERN_FAST_WINDOW_H

#include <stdbool.h>

#include "pattern/kernels/fast_layout.h"

struct window {
	int width;
	double oversampling; /* of meshes: phases from point to point are at most pi/oversampling */
	double beta, largest;
	double error;                /* of exp(i k x) by one window, the largest */
	double rounding;             /* of float64, where atoms and points are at the corners of their boxes */
	double frame[FRAME_NUMBERS]; /* for kernels; widths along x, y, z are the user's */
};
void window_make(int width, double oversampling, struct window *window);
/* The narrowest with at most this error, also by rounding; false if there is none. */
bool window_find(double error, double oversampling, struct window *window);
/* The integral of w(u) cos(phase u). */
double window_transform(const struct window *window, double phase);

#endif
