/* Pictures of samples. */
#ifndef SONDE_CLI_PLOT_STRUCTURE_H
#define SONDE_CLI_PLOT_STRUCTURE_H

#include "cli/program/program.h"
#include "sonde/atoms.h"

/* Draws projections of a sample along x, y, and z and an oblique view into program->plot, a PNG file: atoms as balls of half
 * their van der Waals radii, of very many one of every `*stride`. */
sonde_status plot_structure(sonde_context *context, const sonde_atoms *atoms, const sonde_program_options *program,
			    int64_t *stride);

#endif
