/* The fast method: sums over classes of scatterers by non-uniform Fourier transforms, with the errors of the tolerance. */
#ifndef SONDE_PATTERN_FAST_FAST_H
#define SONDE_PATTERN_FAST_FAST_H

#include "pattern/fast/channels.h"
#include "pattern/pattern.h"

#define FAST_TOLERANCE 1e-6 /* if none is given */
#define FAST_LEAST_TOLERANCE 1e-10

/* choose.c: chooses the method by the options, and the window of the fast one. Tells the context how long the CPU would take. */
sonde_status fast_choose(sonde_context *context, struct pattern_plan *plan);
/* Bytes of main memory for the atoms and pixels, and for meshes; 0 for the latter if the others exceed what is allowed. */
void fast_memory(const sonde_context *context, const struct pattern_plan *plan, double *fixed, double *meshes,
		 int64_t *pixels);
/* That of the window, which is a phase that needs no nodes as well. */
double fast_error(const struct pattern_plan *plan, const struct fast_channels *channels);
/* The next finer oversampling of meshes, or the same one after the finest. */
double fast_finer(double oversampling);

/* fast.c: the same as pattern_sums(), on the CPU; */
sonde_status fast_sums(sonde_context *context, const struct pattern_plan *plan, const struct pattern_values *values);
/* with the check of its error: with a wider window and finer meshes if it is larger than the tolerance, and a failure if it remains so. */
sonde_status fast_run(sonde_context *context, struct pattern_plan *plan, const struct pattern_values *values,
		      double *error, int64_t *checked);

/* self_test.c: of the kernels for CPUs. */
sonde_status fast_self_test(struct device *device);

#endif
