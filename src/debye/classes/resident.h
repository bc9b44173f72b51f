/* Samples whose positions are in the memory of a GPU alone: runs that can leave them there, and what others need of them.
 *
 * Resident are atoms of arrays of other libraries (matter/atoms/atoms_gpu.h) in runs by the histogram and, of clusters, by exact sums, on
 * this GPU alone: it finds the order of the atoms (sums/histogram_order.h, sums/exact_order.h). Their `positions` are null, and `owner`
 * is not. */
#ifndef SONDE_DEBYE_RESIDENT_H
#define SONDE_DEBYE_RESIDENT_H

#include "debye/classes/classes.h"
#include "debye/debye.h"
#include "matter/atoms/atoms_gpu.h"

/* Copies the positions to the host, unless the options, as far as is known before there is a plan, and the devices of the run allow
 * them to stay. Waits for the devices if they may. */
sonde_status resident_choose(sonde_context *context, const sonde_atoms *atoms, const sonde_debye_options *options);
/* Whether the method of a plan is one of those. */
static inline bool resident_method(const struct debye_plan *plan)
{
	return plan->options.method == SONDE_DEBYE_METHOD_HISTOGRAM ||
	       (plan->options.method == SONDE_DEBYE_METHOD_EXACT && !plan->periodic.on);
}
/* Diagonal of the bounding box, Angstrom. SONDE_INVALID if a coordinate is impossible, SONDE_RESOURCE if the GPU lacks memory or fails. */
sonde_status resident_extent(sonde_context *context, const sonde_atoms *atoms, double *extent);
/* Whether the atoms in the middle of the sample are points of a lattice, as those of the whole sample may be then; yes if the middle has too
 * few or too many atoms. SONDE_RESOURCE if the GPU lacks memory or fails. */
sonde_status resident_may_be_lattice(sonde_context *context, const struct debye_classes *classes, bool *may_be);
/* Positions of some atoms as they were given: x, y, z of each in turn, Angstrom, 3 count numbers. From a copy on the host if the GPU
 * cannot. */
sonde_status resident_pick(sonde_context *context, const sonde_atoms *atoms, const uint32_t *numbers, uint32_t count,
			   double *positions);
/* Copies the positions of the view and the summed atoms to the host after all. */
sonde_status resident_bring(struct debye_classes *classes);
/* The same atoms with positions on the host, in the cell of a periodic sample; shares all other arrays. *positions is to be freed. */
sonde_status resident_copy(const sonde_context *context, const sonde_atoms *atoms, const struct periodic *periodic,
			   sonde_atoms *copy, double **positions);

#endif
