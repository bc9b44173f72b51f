#include "fdtd/error.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fdtd/job/layers.h"
#include "fdtd/job/results.h"
#include "fdtd/resonance_errors.h"
#include "fdtd/signal_errors.h"
#include "fdtd/sources/grid_wave.h"

/* Relative deviation of the largest wavenumber along an axis from that of the continuum. */
static double dispersion(const struct fdtd_run *run, const struct job_waves *waves)
{
	const double *courant = run->space.grid.courant, exact = waves->highest * waves->densest;
	double most = 0.0;

	for (int a = 0; a < 3; ++a) {
		double direction[3] = {0.0, 0.0, 0.0}, k[3];
		if (run->space.frame.flat[a])
			continue;
		direction[a] = 1.0;
		if (grid_wave_along(courant, direction, waves->highest, waves->densest * waves->densest, k) !=
		    SONDE_OK)
			return 1.0; /* no such wave propagates on this grid */
		most = fmax(most, fabs(k[a] / exact - 1.0));
	}
	return most;
}

/* Whether surfaces are averaged over cells: not those of voxels. */
static bool has_smooth_surfaces(const sonde_fdtd_job *job)
{
	for (int64_t n = 0; n < job->bodies.count; ++n)
		if (job->bodies.items[n].shape == SONDE_BODY_SHAPE_VOXELS)
			return false;
	return job->options.average == SONDE_FDTD_AVERAGE_TENSOR;
}

/* A surface that is moved to the nearest end of a cell is displaced by 1/sqrt(12) of a cell, root mean square: a phase, which is
 * the relative error. With averages over cells the error is the square of this phase. */
static double surfaces(const struct fdtd_run *run)
{
	const double phase = 2.0 * M_PI / run->plan.shortest_wavelength / sqrt(12.0);

	if (run->job->bodies.count == 0)
		return 0.0;
	return has_smooth_surfaces(run->job) ? phase * phase : phase;
}

/* The part missing from Fourier sums, relative to the sums, if the remaining field continues to decay as it has since
 * the sources ended. */
static double truncation(const struct fdtd_run *run, const sonde_fdtd_result *result)
{
	const double after = (double)result->steps - run->sources.end;

	if (!isfinite(run->sources.end) || !(after > 0.0) || !(result->left < 1.0))
		return result->left;
	return result->left > 0.0
		   ? result->left * fmax(1.0, after / (-log(result->left) * fmax(run->sources.end, 1.0)))
		   : 0.0;
}

/* Relative errors of the grid, at the highest frequency of the sources. */
struct grid_causes {
	struct job_waves waves;
	double dispersion, surfaces, size;
	bool known;
};

static struct grid_causes grid_causes_of(const struct fdtd_run *run)
{
	struct grid_causes causes = {.size = job_size_error(&run->space, NULL)};

	job_waves_find(&run->space, &causes.waves);
	causes.known = causes.waves.highest > 0.0 && run->plan.shortest_wavelength > 0.0;
	if (causes.known) {
		causes.dispersion = dispersion(run, &causes.waves);
		causes.surfaces = surfaces(run);
	}
	return causes;
}

#define OF_WORDS 6e-5 /* in a step, of the fields; measured: docs/fdtd_theory.md */

void fdtd_estimate_errors(const struct fdtd_run *run, sonde_fdtd_result *result)
{
	const bool single = run->job->options.precision != SONDE_FDTD_PRECISION_FLOAT64;

	result->grid_error = result->truncation_error = result->rounding_error = result->companion_error = NAN;
	if (run->job->options.error == SONDE_FDTD_ERROR_NONE)
		return;
	const struct grid_causes causes = grid_causes_of(run);
	if (causes.known)
		result->grid_error = causes.dispersion + causes.surfaces + causes.size;
	result->truncation_error = truncation(run, result);
	result->rounding_error =
	    (run->space.grid.in_words ? OF_WORDS : 0.5 * (single ? (double)FLT_EPSILON : DBL_EPSILON)) *
	    sqrt((double)result->steps);
}

/* Richardson's extrapolation: errors are proportional to a power of the cell size, so that the error of the finer run
 * is this fraction of the difference. */
static double part_of_difference(const sonde_fdtd_job *job)
{
	const bool second = job->bodies.count == 0 || has_smooth_surfaces(job);

	return 1.0 / (pow(COMPANION_COARSER, second ? 2.0 : 1.0) - 1.0);
}

/* The time that light takes along the diagonal of the box, in the material with the shortest waves. */
static double crossing_time(const struct fdtd_run *run, const struct job_waves *waves)
{
	const struct fdtd_frame *frame = &run->space.frame;
	double squares = 0.0;

	for (int a = 0; a < 3; ++a)
		if (!frame->flat[a])
			squares += pow((frame->inner[a][1] - frame->inner[a][0]) * frame->cell[a], 2.0);
	return sqrt(squares) * frame->index * waves->densest / SPEED_OF_LIGHT;
}

/* The largest fields that are known, in V/m and A/m: those of sources, and those that monitors have recorded. */
static void find_largest(const struct fdtd_run *run, const sonde_fdtd_result *result, double largest[2])
{
	const double impedance = VACUUM_IMPEDANCE / run->space.frame.index;

	largest[0] = largest[1] = 0.0;
	for (int64_t n = 0; n < run->job->sources.count; ++n) {
		const sonde_fdtd_source_options *source = &run->job->sources.items[n];
		if (source->kind != SONDE_FDTD_SOURCE_KIND_DIPOLE &&
		    source->kind != SONDE_FDTD_SOURCE_KIND_MAGNETIC_DIPOLE)
			largest[0] = fmax(largest[0], fabs(source->amplitude));
	}
	signal_largest_fields(result, largest);
	largest[0] = fmax(largest[0], largest[1] * impedance);
	largest[1] = fmax(largest[1], largest[0] / impedance);
}

sonde_status fdtd_add_signal_errors(const struct fdtd_run *run, const sonde_fdtd_result *companion,
				    sonde_fdtd_result *result)
{
	const double step = run->space.frame.time_step;

	if (!isfinite(result->grid_error))
		return SONDE_OK;
	const struct grid_causes grid = grid_causes_of(run);
	struct signal_causes causes = {.dispersion = grid.dispersion,
				       .size = grid.size,
				       .surfaces = grid.surfaces,
				       .displacement = run->sources.displacement * grid.waves.highest,
				       .rounding = result->rounding_error,
				       .highest = grid.waves.highest / step,
				       .typical = 0.5 * (grid.waves.highest + grid.waves.lowest) / step,
				       .crossing = crossing_time(run, &grid.waves),
				       .middle = 0.5 * run->sources.end * step};
	find_largest(run, result, causes.largest);
	return signal_errors_add(&causes, part_of_difference(run->job), companion, result, &result->companion_error);
}

void fdtd_add_resonance_errors(const struct fdtd_run *run, const sonde_fdtd_result *companion,
			       sonde_fdtd_result *result)
{
	if (!isfinite(result->grid_error))
		return;
	const struct grid_causes grid = grid_causes_of(run);
	const struct resonance_causes causes = {.dispersion = grid.dispersion,
						.surfaces = grid.surfaces,
						.order = has_smooth_surfaces(run->job) ? 2 : 1,
						.size = grid.size,
						.highest =
						    grid.waves.highest / (2.0 * M_PI * run->space.frame.time_step)};
	resonance_errors_add(&causes, part_of_difference(run->job), companion, result, &result->companion_error);
}

/* The companion --------------------------------------------------------------------------------------- */

/* Whether an array has values along an axis, and is not an axis itself. */
static bool is_curve(const sonde_fdtd_monitor *monitor, const sonde_fdtd_array *array)
{
	if (array->rank != 1 || array->axes[0][0] == '\0' || strcmp(array->axes[0], array->name) == 0 ||
	    strcmp(array->name, "wavelength") == 0)
		return false;
	for (int n = 0; n < monitor->array_count; ++n)
		if (strcmp(monitor->arrays[n].axes[0], array->name) == 0)
			return false;
	return true;
}

/* Whether both arrays have the same positions along the axis. */
static bool is_alike(const sonde_fdtd_monitor *fine, const sonde_fdtd_monitor *coarse, const sonde_fdtd_array *array,
		     const sonde_fdtd_array *other)
{
	const sonde_fdtd_array *x = sonde_fdtd_find_array(fine, array->axes[0]),
			       *y = sonde_fdtd_find_array(coarse, array->axes[0]);

	if (other == NULL || other->rank != 1 || other->sizes[0] != array->sizes[0] || x == NULL || y == NULL)
		return false;
	for (int64_t k = 0; k < array->sizes[0]; ++k)
		if (fabs(x->values[k] - y->values[k]) > 1e-9 * fabs(x->values[k]))
			return false;
	return true;
}

static double largest(const sonde_fdtd_array *array)
{
	double most = 0.0;

	for (int64_t k = 0; k < array->sizes[0]; ++k)
		most = fmax(most, fabs(array->values[k]));
	return most;
}

static sonde_status add_errors(double part, const sonde_fdtd_monitor *coarse, sonde_fdtd_monitor *fine, double *most)
{
	const int count = strcmp(fine->kind, "resonances") != 0 ? fine->array_count : 0;

	for (int n = 0; n < count; ++n) {
		const sonde_fdtd_array *array = &fine->arrays[n], *other = sonde_fdtd_find_array(coarse, array->name);
		/* copies: the arrays move when one is added */
		char name[sizeof array->name], unit[sizeof array->unit], axis[sizeof array->axes[0]];
		double *errors;
		if (!is_curve(fine, array) || !is_alike(fine, coarse, array, other) ||
		    snprintf(name, sizeof name, "%.25s-error", array->name) <
			(int)strlen(array->name) + (int)strlen("-error"))
			continue;
		memcpy(unit, array->unit, sizeof unit);
		memcpy(axis, array->axes[0], sizeof axis);
		CHECK(result_add_list(fine, name, unit, axis, array->sizes[0], &errors));
		array = &fine->arrays[n];
		const double scale = largest(array);
		for (int64_t k = 0; k < array->sizes[0]; ++k) {
			errors[k] = part * fabs(array->values[k] - other->values[k]);
			if (scale > 0.0 && isfinite(errors[k]))
				*most = fmax(*most, errors[k] / scale);
		}
	}
	return SONDE_OK;
}

/* An edge some times as long, of the job's axis u. Between sides that reflect or repeat it is one of which the length of the box is a
 * multiple: in a box of another length, fields would differ for that reason. */
static double coarser_edge(const struct fdtd_run *run, int u, double edge, double times)
{
	const int a = frame_engine_axis(&run->space.frame, u);
	const struct absorbing_layer *layers = run->space.grid.layers[a];
	const double length = 2.0 * run->space.frame.side[a];

	if (run->space.frame.flat[a] || layers[0].cells > 0 || layers[1].cells > 0)
		return times * edge;
	return length / fmax(1.0, round(length / (times * edge)));
}

static sonde_status make_coarser(const struct fdtd_run *run, double times, sonde_fdtd_job **companion)
{
	const sonde_fdtd_job *job = run->job;
	sonde_fdtd_job *coarser;

	CHECK(memory_allocate(companion, 1, sizeof **companion, "a job"));
	coarser = *companion;
	*coarser = *job;
	coarser->options.cell = (sonde_vector){coarser_edge(run, 0, job->options.cell.x, times),
					       coarser_edge(run, 1, job->options.cell.y, times),
					       coarser_edge(run, 2, job->options.cell.z, times)};
	coarser->options.error = SONDE_FDTD_ERROR_NONE;
	coarser->options.resume = 0;
	coarser->options.steps = 0; /* the run has the same duration in seconds, not the same number of steps */
	coarser->options.time =
	    run->plan.steps > 0 ? (double)run->plan.steps * run->space.frame.time_step : job->options.time;
	return SONDE_OK;
}

sonde_status fdtd_make_companion(const struct fdtd_run *run, sonde_fdtd_job **companion)
{
	return make_coarser(run, COMPANION_COARSER, companion);
}

sonde_status fdtd_make_storage_companion(const struct fdtd_run *run, double times, bool in_words,
					 sonde_fdtd_job **companion)
{
	CHECK(make_coarser(run, times, companion));
	if (!in_words)
		(*companion)->options.precision = SONDE_FDTD_PRECISION_FLOAT32;
	return SONDE_OK;
}

/* Relative deviation of an array from another one: root of the sum of squares. */
static double deviation(const sonde_fdtd_array *array, const sonde_fdtd_array *exact)
{
	double squares = 0.0, all = 0.0;
	int64_t count = array->rank > 0 ? 1 : 0;

	for (int a = 0; a < array->rank; ++a) {
		if (exact->rank != array->rank || exact->sizes[a] != array->sizes[a])
			return 0.0;
		count *= array->sizes[a];
	}
	for (int64_t n = 0; n < count; ++n)
		if (isfinite(array->values[n]) && isfinite(exact->values[n])) {
			squares += pow(array->values[n] - exact->values[n], 2.0);
			all += exact->values[n] * exact->values[n];
		}
	return all > 0.0 ? sqrt(squares / all) : 0.0;
}

double fdtd_storage_error(double times, const sonde_fdtd_result *in_words, const sonde_fdtd_result *exact)
{
	double most = 0.0;

	for (int m = 0; m < in_words->monitor_count && m < exact->monitor_count; ++m)
		for (int n = 0; n < in_words->monitors[m].array_count; ++n) {
			const sonde_fdtd_array *array = &in_words->monitors[m].arrays[n],
					       *other = sonde_fdtd_find_array(&exact->monitors[m], array->name);
			if (other != NULL)
				most = fmax(most, deviation(array, other));
		}
	/* errors of rounding add up at random: as the root of the number of steps */
	return most * sqrt(times);
}

sonde_status fdtd_add_errors(const sonde_fdtd_job *job, const sonde_fdtd_result *companion, sonde_fdtd_result *result)
{
	const double part = part_of_difference(job);

	for (int n = 0; n < result->monitor_count && n < companion->monitor_count; ++n)
		CHECK(add_errors(part, &companion->monitors[n], &result->monitors[n], &result->companion_error));
	return SONDE_OK;
}
