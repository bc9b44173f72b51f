/* Uniform currents on a plane rectangle: plane waves to both sides of it, or to one. */
#ifndef SONDE_FDTD_SOURCES_SHEET_H
#define SONDE_FDTD_SOURCES_SHEET_H

#include "fdtd/sources/plane_source.h"

enum sheet_kind {
	SHEET_ELECTRIC, /* J alone: E to both sides, equal */
	SHEET_MAGNETIC, /* M alone, on the faces half a cell before the plane: H equal on both sides, E reversed behind */
	SHEET_FORWARD, /* both: along the axis only */
	SHEET_BACKWARD /* both: against it only */
};

struct sheet {
	struct source_plane plane;
	enum sheet_kind kind;
	double polarization[3]; /* of E ahead; any length, perpendicular to the axis */
	double amplitude;       /* of E, for a waveform of 1 */
	double omega;           /* radians per step, at which the amplitude is exact on the grid; 0: for long waves */
	double index;           /* of the medium at the plane */
};

/* Radians per step, below which waves are evanescent at a sheet across an axis: 0 without Bloch phases. */
double sheet_cutoff(const struct fdtd_grid *grid, int axis, double index);

/* Terms of one signal. J = 2 n S E_0 in free space and for long waves; on the grid times cos(k Delta/2), for a sheet
 * of one edge: 2 % at 16 cells per wavelength. One-way sheets give E on their plane its amplitude at all frequencies;
 * the residue behind them is the difference between light and the grid's waves over half a cell, about (k
 * Delta)^3/48. A rectangle that does not extend through the whole grid radiates as an aperture. In a grid with Bloch
 * walls the currents vary as exp(i k r) over the plane, k_a the phase over the period, and emit waves tilted by
 * asin(k/(n omega)): E and its power are those along the plane, at `omega`, and sheets are one-way at that frequency
 * only. SONDE_INVALID if waves of `omega` would be evanescent. power: of a wave of 1, per (c dt)^2 to each side that
 * it is emitted to, as in spectrum_power(). To be freed by plane_source_free(), also after a failure. */
sonde_status sheet_make(const struct fields *fields, const struct sheet *sheet, struct plane_source *source);

#endif
