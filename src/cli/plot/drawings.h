/* The pictures of each engine's results; plot.c lists them. */
#ifndef SONDE_CLI_PLOT_DRAWINGS_H
#define SONDE_CLI_PLOT_DRAWINGS_H

#include <stdbool.h>

#include "cli/program/program.h"
#include "sonde/sonde.h"

/* Draws I(q)/N and G(r) into program->plot, a PNG, SVG or PDF file, with its axes. */
sonde_status plot_debye(sonde_context *context, const sonde_debye_result *result,
			const sonde_program_options *program);
/* Draws the potential (or the magnitude of the field, if there is no potential) on a plane, on the middle layer of a grid
 * or along a line. */
sonde_status plot_coulomb(sonde_context *context, const sonde_coulomb_result *result, const char *path,
			  bool overwrite);
/* Draws profiles against depth, or maps of them; dpa if there is a fluence; and trajectories, if they were recorded.
 * */
sonde_status plot_ions(sonde_context *context, const sonde_ions_result *result, const sonde_program_options *program);
/* Draws stopping and ranges against energy, by default along logarithmic axes. */
sonde_status plot_stopping(sonde_context *context, const sonde_stopping_result *result,
			   const sonde_program_options *program);
/* Draws up to six panels of the monitors' results: spectra, fields against time, resonances, far fields (in decibels if the
 * axes are logarithmic), maps. */
sonde_status plot_fdtd(sonde_context *context, const sonde_fdtd_result *result, const sonde_program_options *program);
/* Draws the geometry of a job, without running it: bodies in sections through the center, sources, monitors, layers.
 * */
sonde_status plot_fdtd_geometry(sonde_context *context, const sonde_fdtd_job *job, const char *path, bool overwrite);
/* Before the run: SONDE_INVALID for a job without monitors, which has no curves to draw. */
sonde_status plot_fdtd_check(const sonde_fdtd_job *job);

/* Draws a polar picture with circles of constant q, the pixels of a detector, or a layer or line of reciprocal space; SONDE_INVALID
 * for a list of vectors. */
sonde_status plot_pattern(sonde_context *context, const sonde_pattern_result *result,
			  const sonde_program_options *program);

struct pieces_result; /* run/pieces.h */
/* For engines without pictures of their own: the columns of the first table against its first one. */
sonde_status plot_tables(sonde_context *context, const struct pieces_result *result,
			 const sonde_program_options *program);

#endif
