/* Arrays of results, and their units. */
#include "fdtd/job/result_arrays.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* Arrays ------------------------------------------------------------------------------------ */

sonde_status result_add_array(sonde_fdtd_monitor *result, const char *name, const char *unit, int rank,
			      const int64_t *sizes, const char *const *axes, double **values)
{
	size_t capacity = (size_t)result->array_count, count = 1;

	CHECK(memory_grow(&result->arrays, &capacity, capacity + 1, sizeof *result->arrays, "a monitor's result"));
	sonde_fdtd_array *array = &result->arrays[result->array_count];
	*array = (sonde_fdtd_array){.rank = rank};
	snprintf(array->name, sizeof array->name, "%s", name);
	snprintf(array->unit, sizeof array->unit, "%s", unit);
	for (int r = 0; r < rank; ++r) {
		array->sizes[r] = sizes[r];
		count *= (size_t)sizes[r];
		snprintf(array->axes[r], sizeof array->axes[r], "%s", axes != NULL ? axes[r] : "");
	}
	CHECK(memory_allocate(&array->values, count, sizeof(double), "a monitor's result"));
	++result->array_count;
	*values = array->values;
	return SONDE_OK;
}

sonde_status result_add_list(sonde_fdtd_monitor *result, const char *name, const char *unit, const char *axis,
			     int64_t count, double **values)
{
	return result_add_array(result, name, unit, 1, &count, &axis, values);
}

sonde_status result_add_frequencies(const struct job_monitor *monitor, sonde_fdtd_monitor *result)
{
	double *values;

	CHECK(result_add_list(result, "frequency", "Hz", "", monitor->frequencies, &values));
	memcpy(values, monitor->hertz, monitor->frequencies * sizeof *values);
	CHECK(result_add_list(result, "wavelength", "m", "frequency", monitor->frequencies, &values));
	for (uint32_t f = 0; f < monitor->frequencies; ++f)
		values[f] = SPEED_OF_LIGHT / monitor->hertz[f];
	return SONDE_OK;
}

/* Units ------------------------------------------------------------------------------------------ */

int job_flat_axes(const struct job_space *space)
{
	return space->frame.flat[0] + space->frame.flat[1] + space->frame.flat[2];
}

/* c dt in the background, m. */
static double length_unit(const struct job_space *space)
{
	return SPEED_OF_LIGHT * space->frame.time_step / space->frame.index;
}

/* Unit of cross-sections, m^2; m in two dimensions. */
double job_area_unit(const struct job_space *space)
{
	return pow(length_unit(space), 2 - job_flat_axes(space));
}

/* Fourier sums are in units of dt, and H is n/eta_0 times the engine's. */
double job_power_unit(const struct job_space *space)
{
	double dt = space->frame.time_step;

	return dt * dt * space->frame.index / VACUUM_IMPEDANCE * job_area_unit(space);
}

double job_field_unit(const struct job_space *space, enum field field)
{
	return field == FIELD_E ? 1.0 : space->frame.index / VACUUM_IMPEDANCE;
}

void job_component_name(const struct job_space *space, enum field field, int component, char name[4])
{
	snprintf(name, 4, "%c%c", field == FIELD_E ? 'E' : 'H', "xyz"[frame_job_axis(&space->frame, component)]);
}
