/* Amplitudes of the classes at many points: from tables of the magnitude of q, where they depend on that alone. */
#ifndef SONDE_PATTERN_FAST_AMPLITUDES_H
#define SONDE_PATTERN_FAST_AMPLITUDES_H

#include "base/piecewise.h"
#include "pattern/pattern.h"

struct amplitude_tables {
	const struct pattern_class *classes;
	int count;
	struct piecewise *real, *imaginary; /* of each class; the latter null if all amplitudes are real */
};
/* For the points of a plan. */
sonde_status amplitude_tables_make(const struct pattern_plan *plan, struct amplitude_tables *tables);
void amplitude_tables_free(struct amplitude_tables *tables);

/* That of class c at a vector of magnitude q, as pattern_class_amplitude() gives it, within 1e-13 of the largest. */
static inline void amplitude_of(const struct amplitude_tables *tables, int c, const double vector[3], double q,
				double *real, double *imaginary)
{
	if (tables->real[c].parts == 0) {
		(void)pattern_class_amplitude(&tables->classes[c], vector, q, real, imaginary);
		return;
	}
	*real = piecewise_value(&tables->real[c], q);
	*imaginary = tables->imaginary != NULL ? piecewise_value(&tables->imaginary[c], q) : 0.0;
}

#endif
