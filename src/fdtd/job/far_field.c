/* Results of a far-field monitor. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/monitors/far_field.h"
#include "fdtd/job/results.h"

/* Directions of a grid of angles, theta and then phi. In two dimensions theta is 90 degrees, and phi goes from the
 * first to the second non-uniform axis of x, y, z, x; in one it is 0 and 180 degrees, to either side. */
struct angles {
	int dimensions;
	int64_t sizes[3]; /* frequencies, theta, phi */
	size_t count;
	double *theta, *phi; /* radians */
	struct far_direction *directions;
	double (*along_theta)[3], (*along_phi)[3]; /* unit vectors along the engine's axes */
};

static void free_angles(struct angles *angles)
{
	free(angles->theta);
	free(angles->phi);
	free(angles->directions);
	free(angles->along_theta);
	free(angles->along_phi);
}

/* The axes of the job that define the angles: theta from the last one, phi from the first to the second. */
static void choose_axes(const struct job_space *space, int dimensions, int axes[3])
{
	int first = 0;

	for (int a = 0; a < 3; ++a) {
		int u = frame_job_axis(&space->frame, a);
		if (dimensions == 2 && space->frame.flat[a])
			first = (u + 1) % 3;
		if (dimensions == 1 && !space->frame.flat[a])
			first = u;
	}
	for (int k = 0; k < 3; ++k)
		axes[k] = (first + k) % 3;
}

/* Converts components along these axes to a vector along the engine's axes. */
static void set_vector(const struct job_space *space, const int axes[3], double first, double second, double third,
		       double vector[3])
{
	vector[frame_engine_axis(&space->frame, axes[0])] = first;
	vector[frame_engine_axis(&space->frame, axes[1])] = second;
	vector[frame_engine_axis(&space->frame, axes[2])] = third;
}

static void set_direction(const struct job_space *space, const int axes[3], double theta, double phi, size_t number,
			  struct angles *angles)
{
	double to[3], st = sin(theta), ct = cos(theta), sp = sin(phi), cp = cos(phi);

	set_vector(space, axes, st * cp, st * sp, ct, to);
	set_vector(space, axes, ct * cp, ct * sp, -st, angles->along_theta[number]);
	set_vector(space, axes, -sp, cp, 0.0, angles->along_phi[number]);
	/* components along uniform axes must be exactly 0, without rounding errors */
	for (int a = 0; a < 3; ++a)
		if (space->frame.flat[a])
			to[a] = 0.0;
	angles->directions[number] =
	    (struct far_direction){atan2(sqrt(to[0] * to[0] + to[1] * to[1]), to[2]), atan2(to[1], to[0])};
}

static sonde_status make_angles(const struct job_space *space, const struct job_monitor *monitor,
				struct angles *angles)
{
	static const sonde_grid both = {0.0, 180.0, 2}, across = {90.0, 90.0, 1};
	const sonde_fdtd_monitor_options *options = monitor->options;
	const bool *flat = space->frame.flat;
	const int dimensions = 3 - flat[0] - flat[1] - flat[2];
	const sonde_grid *theta = dimensions == 3 ? &options->theta : &across,
			 *phi = dimensions == 1 ? &both : &options->phi;
	size_t thetas = (size_t)theta->points, phis = (size_t)phi->points;
	int axes[3];

	choose_axes(space, dimensions, axes);
	angles->dimensions = dimensions;
	angles->count = thetas * phis;
	angles->sizes[0] = monitor->frequencies;
	angles->sizes[1] = (int64_t)thetas;
	angles->sizes[2] = (int64_t)phis;
	CHECK(memory_allocate(&angles->theta, thetas, sizeof(double), "a far field"));
	CHECK(memory_allocate(&angles->phi, phis, sizeof(double), "a far field"));
	CHECK(memory_allocate(&angles->directions, angles->count, sizeof *angles->directions, "a far field"));
	CHECK(memory_allocate(&angles->along_theta, angles->count, sizeof *angles->along_theta, "a far field"));
	CHECK(memory_allocate(&angles->along_phi, angles->count, sizeof *angles->along_phi, "a far field"));
	for (size_t p = 0; p < phis; ++p)
		angles->phi[p] = job_grid_value(phi, (int64_t)p) * M_PI / 180.0;
	for (size_t t = 0; t < thetas; ++t) {
		angles->theta[t] = job_grid_value(theta, (int64_t)t) * M_PI / 180.0;
		for (size_t p = 0; p < phis; ++p)
			set_direction(space, axes, angles->theta[t], angles->phi[p], t * phis + p, angles);
	}
	return SONDE_OK;
}

/* The component of an amplitude along a vector of the engine's axes. */
static double complex part_along(const struct far_direction *direction, const struct far_amplitude *amplitude,
				 const double vector[3])
{
	double ct = cos(direction->polar), st = sin(direction->polar), cp = cos(direction->azimuth),
	       sp = sin(direction->azimuth);
	double polar = ct * cp * vector[0] + ct * sp * vector[1] - st * vector[2],
	       azimuth = -sp * vector[0] + cp * vector[1];

	return amplitude->polar * polar + amplitude->azimuth * azimuth;
}

/* Whether the monitor's box surrounds the plane wave's, so that only scattered fields pass through it. */
static bool is_around_wave(const struct job_space *space, const struct job_sources *sources,
			   const struct job_monitor *monitor)
{
	if (sources->wave.number < 0)
		return false;
	for (int a = 0; a < 3; ++a)
		for (int side = 0; side < 2; ++side) {
			const int out = side == 0 ? sources->wave.box.low[a] - monitor->low[a]
						  : monitor->high[a] - sources->wave.box.high[a];
			if (!space->frame.flat[a] && out <= (grid_mirrors(&space->grid, a, side) ? -1 : 0))
				return false;
		}
	return true;
}

static sonde_status fill_amplitudes(const struct job_space *space, const struct angles *angles,
				    const struct far_amplitude *amplitudes, sonde_fdtd_monitor *result)
{
	static const char *const axes[3] = {"frequency", "theta", "phi"}, *const names[4] = {
									      "E-theta_real", "E-theta_imag",
									      "E-phi_real", "E-phi_imag"};
	static const char *const units[4] = {"", "V s/m", "V s/m^(1/2)", "V s"}, *const intensities[4] = {
										     "", "J/(Hz m^2)", "J/(Hz rad m)",
										     "J/(Hz sr)"};
	double length = space->frame.time_step * SPEED_OF_LIGHT / space->frame.index,
	       scale = space->frame.time_step * pow(length, 0.5 * (angles->dimensions - 1));
	double *parts[4], *intensity;

	for (int k = 0; k < 4; ++k)
		CHECK(
		    result_add_array(result, names[k], units[angles->dimensions], 3, angles->sizes, axes, &parts[k]));
	CHECK(result_add_array(result, "intensity", intensities[angles->dimensions], 3, angles->sizes, axes,
			       &intensity));
	for (size_t n = 0; n < angles->count * (size_t)angles->sizes[0]; ++n) {
		size_t d = n % angles->count;
		double complex theta =
				   scale * part_along(&angles->directions[d], &amplitudes[n], angles->along_theta[d]),
			       phi = scale * part_along(&angles->directions[d], &amplitudes[n], angles->along_phi[d]);
		parts[0][n] = creal(theta);
		parts[1][n] = cimag(theta);
		parts[2][n] = creal(phi);
		parts[3][n] = cimag(phi);
		intensity[n] = (creal(theta * conj(theta)) + creal(phi * conj(phi))) * space->frame.index /
			       (2.0 * VACUUM_IMPEDANCE);
	}
	return SONDE_OK;
}

static sonde_status fill_cross_sections(const struct job_space *space, const struct job_sources *sources,
					const struct job_monitor *monitor, uint64_t steps,
					const struct angles *angles, const struct far_amplitude *amplitudes,
					sonde_fdtd_monitor *result)
{
	static const char *const axes[3] = {"frequency", "theta", "phi"}, *const units[4] = {"", "", "m/rad",
											     "m^2/sr"};
	double length = space->frame.time_step * SPEED_OF_LIGHT / space->frame.index, *values;
	double complex(*incident)[3] = NULL;
	sonde_status status;

	CHECK(result_add_array(result, "cross-section", units[angles->dimensions], 3, angles->sizes, axes, &values));
	CHECK(memory_allocate(&incident, monitor->frequencies, sizeof *incident, "a far field"));
	status = job_incident_spectrum(space, sources, monitor->angular, monitor->frequencies, steps, incident);
	for (size_t n = 0; n < angles->count * monitor->frequencies && status == SONDE_OK; ++n)
		values[n] = far_field_cross_section(&amplitudes[n], incident[n / angles->count]) *
			    pow(length, angles->dimensions - 1);
	free(incident);
	return status;
}

static sonde_status add_axes(const struct angles *angles, sonde_fdtd_monitor *result)
{
	double *values;

	CHECK(result_add_list(result, "theta", "degrees", "", angles->sizes[1], &values));
	for (int64_t n = 0; n < angles->sizes[1]; ++n)
		values[n] = angles->theta[n] * 180.0 / M_PI;
	CHECK(result_add_list(result, "phi", "degrees", "", angles->sizes[2], &values));
	for (int64_t n = 0; n < angles->sizes[2]; ++n)
		values[n] = angles->phi[n] * 180.0 / M_PI;
	return SONDE_OK;
}

static sonde_status add_power(const struct job_space *space, const struct job_monitor *monitor,
			      struct simulation *simulation, sonde_fdtd_monitor *result)
{
	double *power;

	CHECK(result_add_list(result, "power", "J/Hz", "frequency", monitor->frequencies, &power));
	CHECK(spectrum_power(&simulation->fields, &simulation->spectrum[monitor->spectrum], power));
	for (uint32_t f = 0; f < monitor->frequencies; ++f)
		power[f] *= monitor->images * job_power_unit(space);
	return SONDE_OK;
}

sonde_status job_far_field_result(const struct job_space *space, const struct job_sources *sources,
				  const struct job_monitor *monitor, struct simulation *simulation,
				  sonde_fdtd_monitor *result)
{
	struct far_amplitude *amplitudes = NULL;
	struct angles angles = {.count = 0};
	struct far_field far = {.frequencies = 0};
	double origin[3];
	sonde_status status;

	for (int a = 0; a < 3; ++a)
		origin[a] = frame_node(&space->frame, a, 0.0);
	CHECK(result_add_frequencies(monitor, result));
	CHECK_GOTO(status, make_angles(space, monitor, &angles), done);
	CHECK_GOTO(status, add_axes(&angles, result), done);
	CHECK_GOTO(status, add_power(space, monitor, simulation, result), done);
	CHECK_GOTO(
	    status,
	    far_field_make(&simulation->fields, &simulation->spectrum[monitor->spectrum], origin, 1.0, 1.0, &far),
	    done);
	CHECK_GOTO(
	    status,
	    memory_allocate(&amplitudes, angles.count * monitor->frequencies, sizeof *amplitudes, "a far field"),
	    done);
	CHECK_GOTO(status, far_field_at(&far, angles.directions, angles.count, amplitudes), done);
	CHECK_GOTO(status, fill_amplitudes(space, &angles, amplitudes, result), done);
	if (is_around_wave(space, sources, monitor))
		status = fill_cross_sections(space, sources, monitor, simulation->step, &angles, amplitudes, result);
done:
	far_field_free(&far);
	free_angles(&angles);
	free(amplitudes);
	return status;
}
