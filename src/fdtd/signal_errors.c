#include "fdtd/signal_errors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fdtd/fdtd_result.h"
#include "fdtd/job/result_arrays.h"
#include "fdtd/output/result_layer.h"

#define SPACING 0.7 /* of the points of a derivative, in units of 1/highest: it is too small by at most 12 % */
#define DENSE 1.0   /* the same of samples, above which derivatives are not taken from them */

/* Estimates -------------------------------------------------------------------------------------------- */

double signal_travel_time(const struct signal_causes *causes, double t)
{
	return fmin(t, fmax(causes->crossing, t - causes->middle));
}

/* Phase errors of waves at the highest frequency: those that grow with the way, of dispersion and of the box's size, and those of
 * surfaces, which grow with the number of crossings, and of displaced sources. */
struct phases {
	double dispersion, size, surfaces;
};

/* A deviation of phase by more than 2 makes no larger error. */
static struct phases phases_at(const struct signal_causes *causes, double t)
{
	const double travel = signal_travel_time(causes, t),
		     crossings = fmax(1.0, causes->crossing > 0.0 ? travel / causes->crossing : 1.0);

	return (struct phases){fmin(2.0, causes->dispersion * causes->highest * travel),
			       fmin(2.0, causes->size * causes->highest * travel),
			       fmin(2.0, causes->displacement + causes->surfaces * crossings)};
}

/* The error of a value of which only the magnitude is known: at frequencies below the highest, phase errors are smaller by the ratio,
 * and that of dispersion by its third power. */
static double typical_error(const struct signal_causes *causes, double t)
{
	const struct phases phases = phases_at(causes, t);
	const double part = causes->highest > 0.0 ? causes->typical / causes->highest : 1.0;

	return phases.dispersion * part * part * part + phases.size * part + phases.surfaces;
}

/* Derivatives of a signal in units of 1/`spacing`, from samples `stride` apart; NaN at the ends. */
static double first_derivative(const double *values, int64_t count, int64_t k, int64_t stride, double spacing)
{
	return k < stride || k >= count - stride ? NAN : (values[k + stride] - values[k - stride]) / (2.0 * spacing);
}

static double third_derivative(const double *values, int64_t count, int64_t k, int64_t stride, double spacing)
{
	if (k < 2 * stride || k >= count - 2 * stride)
		return NAN;
	return (values[k + 2 * stride] - 2.0 * values[k + stride] + 2.0 * values[k - stride] -
		values[k - 2 * stride]) /
	       (2.0 * spacing * spacing * spacing);
}

/* values[k] = the largest of those at most `half` samples from it that are finite, NaN if there are none. `queue` has room for
 * `count` numbers: the positions of samples that are larger than all later ones, in order. */
static void spread_largest(double *values, int64_t count, int64_t half, const double *from, int64_t *queue)
{
	int64_t first = 0, end = 0, next = 0;

	for (int64_t k = 0; k < count; ++k) {
		for (; next < count && next <= k + half; ++next) {
			if (!isfinite(from[next]))
				continue;
			while (end > first && from[queue[end - 1]] <= from[next])
				--end;
			queue[end++] = next;
		}
		while (end > first && queue[first] < k - half)
			++first;
		values[k] = end > first ? from[queue[first]] : NAN;
	}
}

/* Over a period of the highest frequency to both sides, since errors vanish where the signal, displaced in time, agrees with
 * itself. `errors` may be replaced. */
static sonde_status over_a_period(double highest, double interval, double *errors, int64_t count)
{
	double *each;
	int64_t *queue = NULL;
	const double half = highest > 0.0 && interval > 0.0 ? ceil(2.0 * M_PI / (highest * interval)) : 0.0;

	CHECK(memory_allocate_to_fill(&each, (size_t)count, sizeof *each, "errors of a signal"));
	const sonde_status status =
	    memory_allocate_to_fill(&queue, (size_t)count, sizeof *queue, "errors of a signal");
	if (status == SONDE_OK) {
		memcpy(each, errors, (size_t)count * sizeof *each);
		spread_largest(errors, count, (int64_t)fmin(half, (double)count), each, queue);
	}
	free(each);
	free(queue);
	return status;
}

/* s between samples. */
static double interval_of(const struct signal *signal)
{
	return signal->count > 1 ? signal->times[1] - signal->times[0] : 0.0;
}

static double magnitude_at(const struct signal *signal, int64_t k)
{
	return signal->imaginary == NULL ? fabs(signal->real[k]) : hypot(signal->real[k], signal->imaginary[k]);
}

static double largest_of(const struct signal *signal)
{
	double most = 0.0;

	for (int64_t k = 0; k < signal->count; ++k)
		if (isfinite(magnitude_at(signal, k)))
			most = fmax(most, magnitude_at(signal, k));
	return most;
}

/* The error of a part of a signal, from its derivatives in units of the highest frequency. */
static double derived_error(const struct phases *phases, const double *values, int64_t count, int64_t k,
			    int64_t stride, double spacing)
{
	return phases->dispersion * fabs(third_derivative(values, count, k, stride, spacing)) +
	       phases->size * fabs(first_derivative(values, count, k, stride, spacing)) +
	       phases->surfaces * fabs(values[k]);
}

sonde_status signal_error_estimates(const struct signal_causes *causes, const struct signal *signal, double largest,
				    double *errors)
{
	const int64_t count = signal->count;
	const double between = causes->highest * interval_of(signal);
	const int64_t stride = between > 0.0 ? (int64_t)fmin(fmax(1.0, floor(SPACING / between)), (double)count) : 1;
	const bool dense = between > 0.0 && between <= DENSE && count > 4 * stride;
	const double spacing = between * (double)stride;

	for (int64_t k = 0; k < count; ++k) {
		const struct phases phases = phases_at(causes, signal->times[k]);
		if (!dense) {
			errors[k] = magnitude_at(signal, k) * typical_error(causes, signal->times[k]);
			continue;
		}
		errors[k] = derived_error(&phases, signal->real, count, k, stride, spacing);
		if (signal->imaginary != NULL)
			errors[k] =
			    hypot(errors[k], derived_error(&phases, signal->imaginary, count, k, stride, spacing));
	}
	CHECK(over_a_period(causes->highest, interval_of(signal), errors, count));
	for (int64_t k = 0; k < count; ++k)
		errors[k] += causes->rounding * largest;
	return SONDE_OK;
}

/* Companions ------------------------------------------------------------------------------------------- */

#define NEXT 6   /* samples through which a polynomial goes */
#define BEFORE 2 /* of these, before the last one that is not after the time */

/* Between the samples, by the polynomial through those next to the time; NaN before the first and after the last. */
static double value_between(const struct signal *signal, const double *values, double time)
{
	const double place = (time - signal->times[0]) / interval_of(signal);
	double sum = 0.0;

	if (!(place >= 0.0 && place <= (double)(signal->count - 1)))
		return NAN;
	const int64_t first = (int64_t)fmin(fmax(0.0, floor(place) - BEFORE), (double)(signal->count - NEXT));
	const double u = place - (double)first;
	for (int j = 0; j < NEXT; ++j) {
		double weight = 1.0;
		for (int i = 0; i < NEXT; ++i)
			weight *= i == j ? 1.0 : (u - i) / (double)(j - i);
		sum += weight * values[first + j];
	}
	return sum;
}

sonde_status signal_errors_by_companion(double highest, double part, const struct signal *signal,
					const struct signal *companion, double *errors, double *largest)
{
	double *differences;

	*largest = 0.0;
	if (companion->count < NEXT || !(interval_of(companion) > 0.0) ||
	    !(interval_of(companion) * highest <= DENSE))
		return SONDE_OK;
	CHECK(
	    memory_allocate_to_fill(&differences, (size_t)signal->count, sizeof *differences, "errors of a signal"));
	for (int64_t k = 0; k < signal->count; ++k) {
		differences[k] =
		    part * fabs(signal->real[k] - value_between(companion, companion->real, signal->times[k]));
		if (signal->imaginary != NULL)
			differences[k] =
			    hypot(differences[k],
				  part * (signal->imaginary[k] -
					  value_between(companion, companion->imaginary, signal->times[k])));
	}
	const sonde_status status = over_a_period(highest, interval_of(signal), differences, signal->count);
	for (int64_t k = 0; status == SONDE_OK && k < signal->count; ++k)
		if (isfinite(differences[k])) {
			errors[k] = differences[k];
			*largest = fmax(*largest, differences[k]);
		}
	free(differences);
	return status;
}

/* Snapshots -------------------------------------------------------------------------------------------- */

/* The largest magnitudes at each time, of an array whose first axis is time. */
static void largest_at_times(const sonde_fdtd_array *array, double *largest)
{
	int64_t points = 1;

	for (int r = 1; r < array->rank; ++r)
		points *= array->sizes[r];
	for (int64_t k = 0; k < array->sizes[0]; ++k) {
		largest[k] = 0.0;
		for (int64_t n = 0; n < points; ++n)
			largest[k] = fmax(largest[k], fabs(array->values[k * points + n]));
	}
}

static void snapshot_errors(const struct signal_causes *causes, const double *times, const sonde_fdtd_array *array,
			    double largest, double *errors)
{
	largest_at_times(array, errors);
	for (int64_t k = 0; k < array->sizes[0]; ++k)
		errors[k] = errors[k] * typical_error(causes, times[k]) + causes->rounding * largest;
}

/* Arrays ----------------------------------------------------------------------------------------------- */

/* "Ex-error" for "Ex", and for "Ex_real". */
static void name_of_errors(const sonde_fdtd_array *array, char name[40])
{
	const int suffix = result_part_of(array->name) != RESULT_WHOLE ? RESULT_PART_SUFFIX : 0;

	snprintf(name, 40, "%.*s-error", (int)strlen(array->name) - suffix, array->name);
}

/* The signal of an array of one axis. */
static struct signal signal_of(const sonde_fdtd_monitor *monitor, const sonde_fdtd_array *array)
{
	return (struct signal){.times = sonde_fdtd_find_array(monitor, array->axes[0])->values,
			       .real = array->values,
			       .imaginary = result_part_of(array->name) == RESULT_REAL ? array[1].values : NULL,
			       .count = array->sizes[0]};
}

/* Fields along an axis in seconds, except imaginary parts, which follow the real ones. */
static bool has_times(const sonde_fdtd_monitor *monitor, const sonde_fdtd_array *array)
{
	const sonde_fdtd_array *axis = array->rank > 0 ? sonde_fdtd_find_array(monitor, array->axes[0]) : NULL;

	return axis != NULL && axis->rank == 1 && strcmp(axis->unit, "s") == 0 && axis->sizes[0] == array->sizes[0] &&
	       (array->rank == 1 || result_is_field(array)) && result_part_of(array->name) != RESULT_IMAGINARY;
}

/* Replaces estimates by what a companion says. */
static sonde_status compare(double highest, double part, const sonde_fdtd_monitor *coarse,
			    const sonde_fdtd_array *array, const struct signal *signal, double *errors, double *most)
{
	const sonde_fdtd_array *other = sonde_fdtd_find_array(coarse, array->name);
	double largest;

	if (other == NULL || other->rank != 1 || !has_times(coarse, other))
		return SONDE_OK;
	const struct signal companion = signal_of(coarse, other);
	CHECK(signal_errors_by_companion(highest, part, signal, &companion, errors, &largest));
	if (largest > 0.0)
		*most = fmax(*most, largest / largest_of(signal));
	return SONDE_OK;
}

static sonde_status add_errors_of(const struct signal_causes *causes, double part, const sonde_fdtd_monitor *coarse,
				  int number, sonde_fdtd_monitor *monitor, double *most)
{
	const sonde_fdtd_array *array = &monitor->arrays[number];
	char name[40], unit[sizeof array->unit], axis[sizeof array->axes[0]];
	double *errors;

	name_of_errors(array, name);
	if (sonde_fdtd_find_array(monitor, name) != NULL)
		return SONDE_OK;
	/* copies: the arrays move when one is added */
	memcpy(unit, array->unit, sizeof unit);
	memcpy(axis, array->axes[0], sizeof axis);
	CHECK(result_add_list(monitor, name, unit, axis, array->sizes[0], &errors));
	array = &monitor->arrays[number];
	const double field = causes->largest[array->name[0] == 'E' ? 0 : 1];
	if (array->rank > 1) {
		snapshot_errors(causes, sonde_fdtd_find_array(monitor, axis)->values, array, field, errors);
		return SONDE_OK;
	}
	const struct signal signal = signal_of(monitor, array);
	CHECK(signal_error_estimates(causes, &signal, field, errors));
	return coarse != NULL ? compare(causes->highest, part, coarse, array, &signal, errors, most) : SONDE_OK;
}

void signal_largest_fields(const sonde_fdtd_result *result, double largest[2])
{
	for (int m = 0; m < result->monitor_count; ++m)
		for (int n = 0; n < result->monitors[m].array_count; ++n) {
			const sonde_fdtd_array *array = &result->monitors[m].arrays[n];
			int64_t count = 1;
			if (!has_times(&result->monitors[m], array))
				continue;
			for (int r = 0; r < array->rank; ++r)
				count *= array->sizes[r];
			double *most = &largest[array->name[0] == 'E' ? 0 : 1];
			for (int64_t k = 0; k < count; ++k)
				if (isfinite(array->values[k]))
					*most = fmax(*most, fabs(array->values[k]));
		}
}

sonde_status signal_errors_add(const struct signal_causes *causes, double part, const sonde_fdtd_result *companion,
			       sonde_fdtd_result *result, double *most)
{
	for (int m = 0; m < result->monitor_count; ++m) {
		sonde_fdtd_monitor *monitor = &result->monitors[m];
		const sonde_fdtd_monitor *coarse =
		    companion != NULL && m < companion->monitor_count ? &companion->monitors[m] : NULL;
		const int count = monitor->array_count;
		for (int n = 0; n < count; ++n)
			if (has_times(monitor, &monitor->arrays[n]))
				CHECK(add_errors_of(causes, part, coarse, n, monitor, most));
	}
	return SONDE_OK;
}
