/* Uniform currents on a plane rectangle: plane waves to both sides of it, or to one. */
#ifndef SONDE_FDTD_SOURCES_SHEET_H
#define SONDE_FDTD_SOURCES_SHEET_H

#include "fdtd/sources/plane_source.h"

enum sheet_kind {
	SHEET_ELECTRIC, /* J alone: E to both sides, alike */
	SHEET_MAGNETIC, /* M alone, on the faces half a cell before the plane: H to both sides alike, E as given ahead, turned behind */
	SHEET_FORWARD, /* both: along the axis only */
	SHEET_BACKWARD /* both: against it only */
};

struct sheet {
	struct source_plane plane;
	enum sheet_kind kind;
	double polarisation[3]; /* of E ahead; any length, across the axis */
	double amplitude;       /* of E, where the form is 1 */
	double omega;           /* radians a step, at which the amplitude is exact on the grid; 0: for long waves */
	double index;           /* of the medium at the plane */
};

/* Radians a step, below which waves fade away from a sheet across an axis: 0 without Bloch's phases. */
double sheet_cutoff(const struct fdtd_grid *grid, int axis, double index);

/* Terms of one signal. J = 2 n S E_0 in free space and for long waves; on the grid that times cos(k Delta/2), with which the sheet of one edge drives
 * its wave: 2 % at 16 cells a wavelength. One-way sheets give E on their plane its amplitude at all frequencies; behind them is what light and the
 * grid's waves differ by on half a cell, about (k Delta)^3/48. A rectangle that does not go through the whole grid sends what an aperture sends.
 * In a grid with Bloch's walls the currents go as exp(i k r) over the plane, k_a the phase over the period, and what they send are waves that slant at asin(k/(n
 * omega)): E and its power are those along the plane, at `omega`, and one-way sheets are so at that frequency only. SONDE_INVALID where waves of
 * `omega` would fade away from the plane.
 * power: of a wave of 1, per (c dt)^2 to each side that it goes to, as spectrum_power() has it.
 * To be freed by plane_source_free(), also after a failure. */
sonde_status sheet_make(const struct fields *fields, const struct sheet *sheet, struct plane_source *source);

#endif
