/* Result of a monitor of a dipole's power: the work of its current on the local field.
 *
 * P(f) = -1/2 Re(m* F), of the current's moment m and the field F at its position. On the grid a current acts between
 * two times of the field and works on their mean: a factor of cos(omega/2). */
#include <math.h>

#include "base/constants.h"
#include "fdtd/monitors/far_field.h"
#include "fdtd/job/results.h"

/* The field along the dipole at a frequency, times dt. */
static double complex field_along(const struct job_monitor *monitor, const struct trace *trace, uint64_t steps,
				  double first_time, double omega, const double direction[3])
{
	double complex sum = 0.0;

	for (uint64_t step = 0; step < steps; ++step) {
		double complex value = 0.0;
		for (int p = 0; p < monitor->point_count; ++p)
			value += direction[monitor->points[p].component] *
				 job_point_value(trace, &monitor->points[p], (size_t)step);
		sum += value * cexp(I * omega * ((double)step + first_time));
	}
	return sum;
}

/* Power of a dipole of unit moment in the background alone, from the continuum's formulas: k^2 eta/(12 pi) (Jackson
 * (1999), 9.24), in two dimensions k eta/8 of a line and k eta/16 across it, in one eta/4; for magnetic ones with
 * 1/eta. */
static double power_of_continuum(const struct job_space *space, enum field field, double hertz,
				 const double direction[3])
{
	const struct fdtd_frame *frame = &space->frame;
	const double eta = VACUUM_IMPEDANCE / frame->index, k = 2.0 * PI * hertz * frame->index / SPEED_OF_LIGHT,
		     impedance = field == FIELD_E ? eta : 1.0 / eta;
	double flat = 0.0, all = 0.0;
	int flats = 0;

	for (int a = 0; a < 3; ++a) {
		flats += frame->flat[a];
		flat += frame->flat[a] ? direction[a] * direction[a] : 0.0;
		all += direction[a] * direction[a];
	}
	return flats == 0   ? k * k * impedance / (12.0 * PI) * all
	       : flats == 1 ? k * impedance / 8.0 * (flat + 0.5 * (all - flat))
			    : impedance / 4.0 * flat;
}

sonde_status job_source_power_result(const struct job_space *space, const struct job_sources *sources,
				     const struct job_monitor *monitor, const struct simulation *simulation,
				     sonde_fdtd_monitor *result)
{
	const sonde_fdtd_source_options *source = &space->job->sources.items[monitor->source];
	const enum field field = source->kind == SONDE_FDTD_SOURCE_KIND_DIPOLE ? FIELD_E : FIELD_H;
	const struct trace *trace = &simulation->trace[monitor->traces[field]];
	const struct waveform *waveform = &sources->waveforms[monitor->source];
	const double dt = space->frame.time_step,
		     unit = field == FIELD_E ? 1.0 : space->frame.index / VACUUM_IMPEDANCE;
	double *power, *free_power, *purcell;

	CHECK(result_add_frequencies(monitor, result));
	CHECK(result_add_list(result, "power", "J/Hz", "frequency", monitor->frequencies, &power));
	CHECK(result_add_list(result, "free-power", "J/Hz", "frequency", monitor->frequencies, &free_power));
	CHECK(result_add_list(result, "purcell", "", "frequency", monitor->frequencies, &purcell));
	for (uint32_t f = 0; f < monitor->frequencies; ++f) {
		const double omega = monitor->angular[f];
		const double complex moment = dt * waveform_spectrum(waveform, omega);
		const double complex along = unit * dt *
					     field_along(monitor, trace, simulation->step,
							 field == FIELD_E ? 1.0 : 0.5, omega, monitor->direction);
		double ratio;
		CHECK(far_field_free_ratio(space->grid.courant, field, monitor->place, monitor->direction, omega,
					   &ratio));
		power[f] = -0.5 * creal(conj(moment) * along) * cos(0.5 * omega);
		free_power[f] = creal(moment * conj(moment)) *
				power_of_continuum(space, field, monitor->hertz[f], monitor->direction) * ratio;
		purcell[f] = free_power[f] > 0.0 ? power[f] / free_power[f] : 0.0;
	}
	return SONDE_OK;
}
