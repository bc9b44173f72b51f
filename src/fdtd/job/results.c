/* Results of monitors, as arrays in SI units along the job's axes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fdtd/job/results.h"
#include "fdtd/monitors/resonances.h"

/* Points --------------------------------------------------------------------------------------- */

/* Both parts of complex fields. */
static sonde_status add_point_component(const struct job_space *space, const struct job_monitor *monitor,
					const struct trace *trace, const struct point_component *component,
					int64_t count, sonde_fdtd_monitor *result)
{
	uint64_t every = monitor->interval > 0 ? monitor->interval : 1;
	bool electric = component->field == FIELD_E, is_complex = space->grid.bloch;
	char name[16], plain[4];
	double *values;

	job_component_name(space, component->field, component->component, plain);
	for (int part = 0; part < (is_complex ? 2 : 1); ++part) {
		snprintf(name, sizeof name, "%s%s", plain, !is_complex ? "" : part == 0 ? "_real" : "_imag");
		CHECK(result_add_list(result, name, electric ? "V/m" : "A/m", electric ? "time" : "time-of-H", count,
				      &values));
		for (int64_t n = 0; n < count; ++n) {
			double complex value =
			    job_point_value(trace, component, (size_t)(monitor->first_step + (uint64_t)n * every));
			values[n] =
			    job_field_unit(space, component->field) * (part == 0 ? creal(value) : cimag(value));
		}
	}
	return SONDE_OK;
}

static sonde_status point_result(const struct job_space *space, const struct job_monitor *monitor,
				 const struct simulation *simulation, sonde_fdtd_monitor *result)
{
	double dt = space->frame.time_step, *values;
	uint64_t every = monitor->interval > 0 ? monitor->interval : 1, first = monitor->first_step,
		 steps = simulation->step;
	int64_t count = steps > first ? (int64_t)((steps - first + every - 1) / every) : 0;

	for (int field = 0; field < 2; ++field) {
		if (monitor->traces[field] < 0)
			continue;
		CHECK(result_add_list(result, field == FIELD_E ? "time" : "time-of-H", "s", "", count, &values));
		for (int64_t n = 0; n < count; ++n)
			values[n] = ((double)(first + (uint64_t)n * every) + (field == FIELD_E ? 1.0 : 0.5)) * dt;
	}
	for (int p = 0; p < monitor->point_count; ++p) {
		const struct point_component *component = &monitor->points[p];
		CHECK(add_point_component(space, monitor, &simulation->trace[monitor->traces[component->field]],
					  component, count, result));
	}
	return SONDE_OK;
}

double job_resonances_begin(const struct job_sources *sources, const struct job_monitor *monitor)
{
	double end = isfinite(sources->end) ? ceil(sources->end) + 1.0 : 0.0;

	return fmax((double)monitor->first_step, end);
}

/* Oscillations after the sources have ended. */
static sonde_status find_resonances(const struct job_space *space, const struct job_sources *sources,
				    const struct job_monitor *monitor, const struct simulation *simulation,
				    struct resonance **list, size_t *found)
{
	const struct point_component *component = &monitor->points[0];
	const struct trace *trace = &simulation->trace[monitor->traces[component->field]];
	double complex *signal;
	size_t first = (size_t)job_resonances_begin(sources, monitor);
	double low = monitor->hertz[0], high = low;

	for (uint32_t f = 1; f < monitor->frequencies; ++f) {
		low = fmin(low, monitor->hertz[f]);
		high = fmax(high, monitor->hertz[f]);
	}
	if (trace->steps < first + RESONANCES_NEED)
		return SONDE_OK; /* it stopped by itself: nothing oscillates */
	CHECK(memory_allocate(&signal, trace->steps - first, sizeof *signal, "the resonances"));
	for (size_t n = first; n < trace->steps; ++n)
		signal[n - first] = job_point_value(trace, component, n);
	sonde_status status = resonances_find_complex(signal, trace->steps - first, !space->grid.bloch,
						      space->frame.time_step, low, high, list, found);
	free(signal);
	return status;
}

static sonde_status resonances_result(const struct job_space *space, const struct job_sources *sources,
				      const struct job_monitor *monitor, const struct simulation *simulation,
				      sonde_fdtd_monitor *result)
{
	enum { COLUMNS = 8 };
	static const struct {
		const char *name, *unit;
	} columns[COLUMNS] = {{"frequency", "Hz"},    {"frequency-error", "Hz"}, {"decay", "1/s"},
			      {"decay-error", "1/s"}, {"quality", ""},           {"quality-error", ""},
			      {"amplitude", "V/m"},   {"amplitude-error", "V/m"}};
	const double unit = job_field_unit(space, monitor->points[0].field);
	struct resonance *list = NULL;
	size_t found = 0;
	double *values[COLUMNS];
	sonde_status status;

	CHECK_GOTO(status, find_resonances(space, sources, monitor, simulation, &list, &found), done);
	for (int c = 0; c < COLUMNS; ++c)
		CHECK_GOTO(status,
			   result_add_list(result, columns[c].name, columns[c].unit, c == 0 ? "" : "frequency",
					   (int64_t)found, &values[c]),
			   done);
	for (size_t n = 0; n < found; ++n) {
		const struct resonance *one = &list[n];
		const double row[COLUMNS] = {
		    one->frequency,
		    one->frequency_error,
		    one->decay,
		    one->decay_error,
		    one->quality,
		    fabs(one->quality) * hypot(one->frequency_error / one->frequency, one->decay_error / one->decay),
		    cabs(one->amplitude) * unit,
		    one->amplitude_error * unit};
		for (int c = 0; c < COLUMNS; ++c)
			values[c][n] = row[c];
	}
done:
	free(list);
	return status;
}

/* Power ------------------------------------------------------------------------------------------- */

/* That of the fields minus those of another run, if there are any; as spectrum_power(). */
static void power_of_sums(const struct job_monitor *monitor, const struct spectrum *spectrum,
			  const struct monitor_sums *sums, const struct monitor_sums *less, double *power)
{
	for (uint32_t f = 0; f < monitor->frequencies; ++f) {
		power[f] = 0.0;
		for (uint32_t n = 0; n < spectrum->count; ++n) {
			size_t at = (size_t)f * spectrum->count + n;
			double complex here_e = sums->e[at] - (less != NULL ? less->e[at] : 0.0),
				       here_h = sums->h[at] - (less != NULL ? less->h[at] : 0.0);
			power[f] += 0.5 * spectrum->points[n].weight * creal(here_e * conj(here_h));
		}
		power[f] *= cos(0.5 * monitor->angular[f]);
	}
}

/* If the reference run has more than the wave alone: the power of the difference of both runs, over the wave's power;
 * for transmission the power over that of the reference run, which includes the substrate. */
static sonde_status compare_with_reference(const struct job_monitor *monitor, const struct spectrum *spectrum,
					   const struct monitor_sums *sums, bool reflected, const double *wave,
					   sonde_fdtd_monitor *result)
{
	double *ratio, *reference;

	CHECK(result_add_list(result, reflected ? "scattered" : "relative-transmission", "", "frequency",
			      monitor->frequencies, &ratio));
	CHECK(memory_allocate(&reference, monitor->frequencies, sizeof *reference, "a monitor"));
	power_of_sums(monitor, spectrum, sums, reflected ? &monitor->reference : NULL, ratio);
	power_of_sums(monitor, spectrum, &monitor->reference, NULL, reference);
	for (uint32_t f = 0; f < monitor->frequencies; ++f)
		ratio[f] = reflected ? -ratio[f] / wave[f] : ratio[f] / reference[f];
	free(reference);
	return SONDE_OK;
}

/* power, reference, and their ratio: transmission or reflection. The reference is the wave alone: the reference run,
 * if it has no other bodies. */
static sonde_status normalized_result(const struct job_space *space, const struct job_monitor *monitor,
				      struct simulation *simulation, double *power, sonde_fdtd_monitor *result)
{
	const struct spectrum *spectrum = &simulation->spectrum[monitor->spectrum];
	const struct monitor_sums *wave = monitor->wave.e != NULL ? &monitor->wave : &monitor->reference;
	bool reflected = monitor->options->normalize == SONDE_FDTD_MONITOR_NORMALIZE_REFLECTION;
	struct monitor_sums sums = {.count = (size_t)monitor->frequencies * spectrum->count};
	double *reference, *ratio;
	sonde_status status;

	CHECK(result_add_list(result, "reference", "J/Hz", "frequency", monitor->frequencies, &reference));
	CHECK(result_add_list(result, reflected ? "reflection" : "transmission", "", "frequency",
			      monitor->frequencies, &ratio));
	CHECK_GOTO(status, memory_allocate(&sums.e, sums.count, sizeof *sums.e, "a monitor"), done);
	CHECK_GOTO(status, memory_allocate(&sums.h, sums.count, sizeof *sums.h, "a monitor"), done);
	CHECK_GOTO(status, spectrum_sums(&simulation->fields, spectrum, sums.e, sums.h), done);
	power_of_sums(monitor, spectrum, &sums, reflected && !monitor->moved ? wave : NULL, power);
	power_of_sums(monitor, spectrum, wave, NULL, reference);
	for (uint32_t f = 0; f < monitor->frequencies; ++f)
		ratio[f] = (reflected ? -power[f] : power[f]) / reference[f];
	if (wave == &monitor->wave)
		CHECK_GOTO(status, compare_with_reference(monitor, spectrum, &sums, reflected, reference, result),
			   done);
	for (uint32_t f = 0; f < monitor->frequencies; ++f)
		reference[f] *= monitor->images * job_power_unit(space);
done:
	free(sums.e);
	free(sums.h);
	return status;
}

static sonde_status flux_result(const struct job_space *space, const struct job_monitor *monitor,
				struct simulation *simulation, sonde_fdtd_monitor *result)
{
	double *power;

	CHECK(result_add_frequencies(monitor, result));
	CHECK(result_add_list(result, "power", "J/Hz", "frequency", monitor->frequencies, &power));
	/* without a reference run there are powers only */
	if (monitor->reference.e == NULL)
		CHECK(spectrum_power(&simulation->fields, &simulation->spectrum[monitor->spectrum], power));
	else
		CHECK(normalized_result(space, monitor, simulation, power, result));
	for (uint32_t f = 0; f < monitor->frequencies; ++f)
		power[f] *= monitor->images * job_power_unit(space);
	return SONDE_OK;
}

static sonde_status absorption_result(const struct job_space *space, const struct job_monitor *monitor,
				      struct simulation *simulation, sonde_fdtd_monitor *result)
{
	double *power;

	CHECK(result_add_frequencies(monitor, result));
	CHECK(result_add_list(result, "power", "J/Hz", "frequency", monitor->frequencies, &power));
	CHECK(absorption_power(&simulation->fields, &simulation->absorption[monitor->absorption], power));
	for (uint32_t f = 0; f < monitor->frequencies; ++f)
		power[f] *= monitor->images * job_power_unit(space);
	return SONDE_OK;
}

static double square_of(const double complex sums[3])
{
	double square = 0.0;

	for (int a = 0; a < 3; ++a)
		square += creal(sums[a] * conj(sums[a]));
	return square;
}

static sonde_status cross_section_result(const struct job_space *space, const struct job_sources *sources,
					 const struct job_monitor *monitor, struct simulation *simulation,
					 sonde_fdtd_monitor *result)
{
	const char *unit = job_flat_axes(space) == 0 ? "m^2" : "m";
	double complex(*incident)[3] = NULL;
	double *scattering, *absorption, *extinction;
	sonde_status status;

	CHECK(result_add_frequencies(monitor, result));
	CHECK(result_add_list(result, "scattering", unit, "frequency", monitor->frequencies, &scattering));
	CHECK(result_add_list(result, "absorption", unit, "frequency", monitor->frequencies, &absorption));
	CHECK(result_add_list(result, "extinction", unit, "frequency", monitor->frequencies, &extinction));
	CHECK(spectrum_power(&simulation->fields, &simulation->spectrum[monitor->spectrum], scattering));
	CHECK(absorption_power(&simulation->fields, &simulation->absorption[monitor->absorption], absorption));
	CHECK(memory_allocate(&incident, monitor->frequencies, sizeof *incident, "a monitor"));
	status =
	    job_incident_spectrum(space, sources, monitor->angular, monitor->frequencies, simulation->step, incident);
	for (uint32_t f = 0; f < monitor->frequencies && status == SONDE_OK; ++f) {
		double unit_of_power = monitor->images * job_area_unit(space) / (0.5 * square_of(incident[f]));
		scattering[f] *= unit_of_power;
		absorption[f] *= unit_of_power;
		extinction[f] = scattering[f] + absorption[f];
	}
	free(incident);
	return status;
}

/* Fields on nodes ----------------------------------------------------------------------------------- */

static const char *const axis_names[4] = {"", "x", "y", "z"};

/* Positions of the nodes along the job's axes; sizes[1 + u] becomes their number. */
static sonde_status add_places(const struct job_space *space, const struct job_monitor *monitor,
			       const struct field_sampling *sampling, int64_t sizes[4], sonde_fdtd_monitor *result)
{
	for (int u = 0; u < 3; ++u) {
		int a = frame_engine_axis(&space->frame, u);
		double *values;
		sizes[1 + u] = sampling->shape[a];
		CHECK(result_add_list(result, axis_names[1 + u], "m", "", sizes[1 + u], &values));
		for (int64_t n = 0; n < sizes[1 + u]; ++n)
			values[n] = frame_place(&space->frame, a, monitor->low[a] + (double)n);
	}
	return SONDE_OK;
}

/* Index in the engine's order of a point in the job's order, z fastest. */
static size_t engine_point(const struct job_space *space, const int shape[3], const int64_t node[3])
{
	size_t at = 0;

	for (int a = 0; a < 3; ++a)
		at = at * (size_t)shape[a] + (size_t)node[frame_job_axis(&space->frame, a)];
	return at;
}

static void turn_real(const struct job_space *space, const int shape[3], const int64_t sizes[4], const double *from,
		      double unit, double *to)
{
	int64_t node[3];

	for (node[0] = 0; node[0] < sizes[1]; ++node[0])
		for (node[1] = 0; node[1] < sizes[2]; ++node[1])
			for (node[2] = 0; node[2] < sizes[3]; ++node[2])
				*to++ = unit * from[engine_point(space, shape, node)];
}

/* The spectrum of a job's only source, if it is a wave: fields are compared with it. */
static sonde_status add_incident(const struct job_space *space, const struct job_sources *sources,
				 const struct job_monitor *monitor, sonde_fdtd_monitor *result)
{
	const int kind = sources->count == 1 ? space->job->sources.items[0].kind : -1;
	double *values;

	if (kind != SONDE_FDTD_SOURCE_KIND_PLANE_WAVE && kind != SONDE_FDTD_SOURCE_KIND_BEAM &&
	    kind != SONDE_FDTD_SOURCE_KIND_SHEET)
		return SONDE_OK;
	CHECK(result_add_list(result, "incident", "V s/m", "frequency", monitor->frequencies, &values));
	for (uint32_t f = 0; f < monitor->frequencies; ++f)
		values[f] =
		    space->frame.time_step * cabs(waveform_spectrum(&sources->waveforms[0], monitor->angular[f]));
	return SONDE_OK;
}

static sonde_status fields_result(const struct job_space *space, const struct job_sources *sources,
				  const struct job_monitor *monitor, struct simulation *simulation,
				  sonde_fdtd_monitor *result)
{
	static const char *const axes[4] = {"frequency", "x", "y", "z"};
	const struct field_monitor *of = &simulation->field_monitor[monitor->fields];
	const struct field_sampling *sampling = &of->sampling;
	size_t points = sampling->points, each = points * (size_t)sampling->component_count;
	int64_t sizes[4] = {monitor->frequencies};
	double complex *sums = NULL;
	double *part = NULL, *values;
	sonde_status status;

	CHECK(result_add_frequencies(monitor, result));
	CHECK(add_incident(space, sources, monitor, result));
	CHECK(add_places(space, monitor, sampling, sizes, result));
	CHECK(job_add_permittivity(space, sources, sampling, sizes + 1, result));
	CHECK_GOTO(status, memory_allocate(&sums, each * monitor->frequencies, sizeof *sums, "a monitor"), done);
	CHECK_GOTO(status, memory_allocate(&part, points, sizeof *part, "a monitor"), done);
	CHECK_GOTO(status, field_monitor_read(&simulation->fields, of, sums), done);
	for (int c = 0; c < 2 * sampling->component_count; ++c) {
		enum field field = (enum field)sampling->field_of[c / 2];
		char name[16], component[4];
		job_component_name(space, field, sampling->component_of[c / 2], component);
		snprintf(name, sizeof name, "%s_%s", component, c % 2 == 0 ? "real" : "imag");
		CHECK_GOTO(
		    status,
		    result_add_array(result, name, field == FIELD_E ? "V s/m" : "A s/m", 4, sizes, axes, &values),
		    done);
		for (uint32_t f = 0; f < monitor->frequencies; ++f) {
			const double complex *from = sums + f * each + (size_t)(c / 2) * points;
			for (size_t n = 0; n < points; ++n)
				part[n] = c % 2 == 0 ? creal(from[n]) : cimag(from[n]);
			turn_real(space, sampling->shape, sizes, part,
				  job_field_unit(space, field) * space->frame.time_step, values + f * points);
		}
	}
done:
	free(sums);
	free(part);
	return status;
}

static sonde_status snapshot_result(const struct job_space *space, const struct job_sources *sources,
				    const struct job_monitor *monitor, sonde_fdtd_monitor *result)
{
	static const char *const axes[4] = {"time", "x", "y", "z"};
	const struct field_sampling *sampling = &monitor->snapshot.sampling;
	size_t points = sampling->points, each = points * (size_t)sampling->component_count;
	int64_t sizes[4] = {(int64_t)monitor->taken};
	double *values;

	CHECK(result_add_list(result, "time", "s", "", (int64_t)monitor->taken, &values));
	for (size_t n = 0; n < monitor->taken; ++n)
		values[n] = monitor->times[n] * space->frame.time_step;
	CHECK(add_places(space, monitor, sampling, sizes, result));
	CHECK(job_add_permittivity(space, sources, sampling, sizes + 1, result));
	for (int c = 0; c < sampling->component_count; ++c) {
		enum field field = (enum field)sampling->field_of[c];
		char name[4];
		job_component_name(space, field, sampling->component_of[c], name);
		CHECK(result_add_array(result, name, field == FIELD_E ? "V/m" : "A/m", 4, sizes, axes, &values));
		for (size_t n = 0; n < monitor->taken; ++n)
			turn_real(space, sampling->shape, sizes, monitor->values + n * each + (size_t)c * points,
				  job_field_unit(space, field), values + n * points);
	}
	return SONDE_OK;
}

/* All -------------------------------------------------------------------------------------------------- */

void job_monitor_result_free(sonde_fdtd_monitor *result)
{
	for (int n = 0; n < result->array_count; ++n)
		free(result->arrays[n].values);
	free(result->arrays);
	result->arrays = NULL;
	result->array_count = 0;
}

const sonde_fdtd_array *sonde_fdtd_find_array(const sonde_fdtd_monitor *monitor, const char *name)
{
	for (int n = 0; n < monitor->array_count; ++n)
		if (strcmp(monitor->arrays[n].name, name) == 0)
			return &monitor->arrays[n];
	return NULL;
}

sonde_status job_monitor_result(const struct job_space *space, const struct job_sources *sources,
				struct job_monitor *monitor, struct simulation *simulation,
				sonde_fdtd_monitor *result)
{
	switch (monitor->options->kind) {
	case SONDE_FDTD_MONITOR_KIND_POINT:
		return point_result(space, monitor, simulation, result);
	case SONDE_FDTD_MONITOR_KIND_RESONANCES:
		return resonances_result(space, sources, monitor, simulation, result);
	case SONDE_FDTD_MONITOR_KIND_FLUX:
		return flux_result(space, monitor, simulation, result);
	case SONDE_FDTD_MONITOR_KIND_FIELDS:
		return fields_result(space, sources, monitor, simulation, result);
	case SONDE_FDTD_MONITOR_KIND_SNAPSHOT:
		return snapshot_result(space, sources, monitor, result);
	case SONDE_FDTD_MONITOR_KIND_CROSS_SECTION:
		return cross_section_result(space, sources, monitor, simulation, result);
	case SONDE_FDTD_MONITOR_KIND_ABSORPTION:
		return absorption_result(space, monitor, simulation, result);
	case SONDE_FDTD_MONITOR_KIND_SOURCE_POWER:
		return job_source_power_result(space, sources, monitor, simulation, result);
	default:
		return job_far_field_result(space, sources, monitor, simulation, result);
	}
}
