/* Gaussian beams from a plane rectangle to one side of it.
 *
 * The beam is a spectrum of plane waves whose amplitudes are exp(-w^2 k_t^2/4), k_t the part of the wavevector across the beam
 * (from that of the wave whose energy goes along it): a solution of
 * Maxwell's equations at any waist, which for wide waists is the Gaussian beam of paraxial optics. Each wave's E is the polarisation, turned with
 * the wave's direction about the axis normal to it and the beam's. No wave runs along the plane or fades away from it. The waves are those of
 * the grid at the center frequency (its wavenumbers, its impedances), so that at that frequency nothing goes back but what the plane's
 * rim cuts off. At other frequencies the fields on the plane stay the same: waist and focus are those of the center, and a pulse begins everywhere
 * on the plane at once. */
#ifndef SONDE_FDTD_SOURCES_BEAM_H
#define SONDE_FDTD_SOURCES_BEAM_H

#include "fdtd/sources/beam_waves.h"

/* Terms of two signals, the form and its quadrature (waveform_value(), waveform_quadrature()). Along axes that nothing depends on the beam
 * has no ends, and direction and polarisation's turn have no part.
 *
 * power: of all that goes forward, for an envelope of 1, in (c dt)^2 (or c dt where one axis is without): for wide waists, n pi w^2/4 amplitude^2 (or
 * n sqrt(pi/8) w amplitude^2). *cut, if not null: the part of it that is beside the rectangle, and missing. Where
 * the rectangle ends at a wall that mirrors, with the beam's middle in it, both are of the whole beam, its image included.
 *
 * SONDE_INVALID where the waist is so small that waves along the plane would have more than 1 % of the amplitude in the middle of the
 * spectrum (0.7 wavelengths at normal incidence), where the rectangle cuts off more than 5 % of the power, where the grid has fewer than 4
 * cells a wavelength. To be freed by plane_source_free(), also after a failure. */
sonde_status beam_make(const struct fields *fields, const struct beam *beam, struct plane_source *source,
		       double *cut);

#endif
