/* Gaussian beams from a plane rectangle to one side of it.
 *
 * The beam is a spectrum of plane waves whose amplitudes are exp(-w^2 k_t^2/4), k_t the component of the wavevector
 * across the beam (relative to that of the wave whose energy propagates along it): a solution of Maxwell's equations
 * at any waist, which for wide waists is the Gaussian beam of paraxial optics. Each wave's E is the polarization,
 * rotated with the wave's direction about the axis normal to it and the beam's. No wave propagates along the plane or
 * is evanescent. The waves are those of the grid at the center frequency (its wavenumbers, its impedances), so that
 * at that frequency the only backward field is due to the cut at the plane's rim. At other frequencies the fields on
 * the plane are the same: waist and focus are those of the center frequency, and a pulse begins everywhere on the
 * plane at once. */
#ifndef SONDE_FDTD_SOURCES_BEAM_H
#define SONDE_FDTD_SOURCES_BEAM_H

#include "fdtd/sources/beam_waves.h"

/* Terms of two signals, the waveform and its quadrature (waveform_value(), waveform_quadrature()). Along uniform axes
 * the beam is infinite, and neither direction nor rotation of the polarization has a component.
 *
 * power: total forward power, for an envelope of 1, in (c dt)^2 (or c dt if one axis is uniform): for wide waists, n
 * pi w^2/4 amplitude^2 (or n sqrt(pi/8) w amplitude^2). *cut, if not null: the fraction of it that is outside the
 * rectangle, and missing. If the rectangle ends at a mirror that contains the beam's center, both are of the whole
 * beam, including its image.
 *
 * SONDE_INVALID if the waist is so small that waves along the plane would have more than 1 % of the amplitude in the
 * middle of the spectrum (0.7 wavelengths at normal incidence), if the rectangle cuts off more than 5 % of the power,
 * or if the grid has fewer than 4 cells per wavelength. To be freed by plane_source_free(), also after a failure. */
sonde_status beam_make(const struct fields *fields, const struct beam *beam, struct plane_source *source,
		       double *cut);

#endif
